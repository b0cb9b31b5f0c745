// SPDX-License-Identifier: MIT
/// The only C++ of the library: libdraco behind draco_stream.h. No exception leaves this file.
///
/// Decoders of libdraco allocate what a stream announces. Ours derive from them and look first: at
/// the counts that begin the connectivity, and at the attributes once all of them are described.
/// (MeshEdgebreakerDecoder and MeshSequentialDecoder are the two that exist.)

#include "mesh/draco_stream.h"

#include <draco/attributes/attribute_octahedron_transform.h>
#include <draco/attributes/attribute_quantization_transform.h>
#include <draco/compression/config/compression_shared.h>
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/mesh/mesh.h>
#include <new>

struct draco_stream {
    draco::Mesh mesh;
};

namespace
{

// Bytes that libdraco 1.5 takes at most while it decodes, found by reading its containers: for a
// face, corners of the corner table (24), of the mesh (12) and of each attribute's own connectivity
// (24), and traversal state; for a value, the portable and the final form and the prediction.
constexpr uint64_t bytes_per_face = 192, bytes_per_face_attribute = 64, bytes_per_value = 16;

/// The counts that a stream announces, compared with the limits.
struct guard {
    draco_limits limits;
    bool too_large;

    bool admit(uint64_t faces, uint64_t points, uint64_t connectivities)
    {
        too_large = faces > limits.faces || points > limits.points;
        if (too_large)
            return false;
        const uint64_t bytes = faces * (bytes_per_face + bytes_per_face_attribute * connectivities);
        too_large = !limits.charge(limits.charge_user, bytes);
        return !too_large;
    }

    bool admit_values(uint64_t values)
    {
        too_large = values > UINT64_MAX / bytes_per_value ||
                    !limits.charge(limits.charge_user, values * bytes_per_value);
        return !too_large;
    }
};

/// Numbers of all attributes of a cloud. At most 2^8 components of 2^16 attributes of 2^32 points.
uint64_t count_values(const draco::PointCloud *cloud)
{
    uint64_t components = 0;
    for (int i = 0; i < cloud->num_attributes(); i++) {
        const int count = cloud->attribute(i)->num_components();
        components += count > 0 ? static_cast<uint64_t>(count) : 0;
    }
    return components * (static_cast<uint64_t>(cloud->num_points()) + 1);
}

/// A decoder that looks at its attributes before their values.
template <class base> class bounded : public base
{
  public:
    guard bound;

  protected:
    bool DecodeAllAttributes() override
    {
        // Seams may have split vertices.
        if (base::point_cloud()->num_points() > bound.limits.points) {
            bound.too_large = true;
            return false;
        }
        return bound.admit_values(count_values(base::point_cloud())) && base::DecodeAllAttributes();
    }
};

class edgebreaker_decoder : public bounded<draco::MeshEdgebreakerDecoder>
{
    bool DecodeConnectivity() override
    {
        draco::DecoderBuffer ahead = *buffer();
        uint32_t vertices = 0, faces = 0;
        uint8_t attributes = 0;
        // Older streams order numbers otherwise; glTF requires 2.2 (KHR_draco_mesh_compression).
        if (bitstream_version() < draco::kDracoMeshBitstreamVersion ||
            !draco::DecodeVarint(&vertices, &ahead) || !draco::DecodeVarint(&faces, &ahead) ||
            !ahead.Decode(&attributes))
            return false;
        return bound.admit(faces, vertices, attributes) &&
               draco::MeshEdgebreakerDecoder::DecodeConnectivity();
    }
};

class sequential_decoder : public bounded<draco::MeshSequentialDecoder>
{
    bool DecodeConnectivity() override
    {
        draco::DecoderBuffer ahead = *buffer();
        uint32_t faces = 0, points = 0;
        if (bitstream_version() < draco::kDracoMeshBitstreamVersion ||
            !draco::DecodeVarint(&faces, &ahead) || !draco::DecodeVarint(&points, &ahead))
            return false;
        return bound.admit(faces, points, 0) && draco::MeshSequentialDecoder::DecodeConnectivity();
    }
};

template <class decoder>
draco_status decode(draco::DecoderBuffer *buffer, const draco_limits *limits, draco::Mesh *mesh)
{
    using attribute = draco::GeometryAttribute;
    static const attribute::Type types[] = {attribute::POSITION, attribute::NORMAL,
                                            attribute::COLOR, attribute::TEX_COORD,
                                            attribute::GENERIC};
    draco::DecoderOptions options;
    for (const attribute::Type type : types)
        options.SetAttributeBool(type, "skip_attribute_transform", true);
    decoder d;
    d.bound = {*limits, false};
    if (d.Decode(options, buffer, mesh).ok())
        return DRACO_DONE;
    return d.bound.too_large ? DRACO_TOO_LARGE : DRACO_BROKEN;
}

draco_status decode_any(const void *data, size_t size, const draco_limits *limits,
                        draco::Mesh *mesh)
{
    draco::DecoderBuffer buffer, ahead;
    draco::DracoHeader header;
    buffer.Init(static_cast<const char *>(data), size);
    ahead = buffer;
    if (!draco::PointCloudDecoder::DecodeHeader(&ahead, &header).ok() ||
        header.encoder_type != draco::TRIANGULAR_MESH)
        return DRACO_BROKEN;
    if (header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING)
        return decode<edgebreaker_decoder>(&buffer, limits, mesh);
    if (header.encoder_method == draco::MESH_SEQUENTIAL_ENCODING)
        return decode<sequential_decoder>(&buffer, limits, mesh);
    return DRACO_BROKEN;
}

const draco::PointAttribute *find_attribute(const draco_stream *stream, uint32_t id)
{
    return stream->mesh.GetAttributeByUniqueId(id);
}

/// Truth values do not occur in glTF, and libdraco takes any byte of the stream for one.
bool is_number(const draco::PointAttribute *a)
{
    return a->data_type() != draco::DT_BOOL && a->data_type() != draco::DT_INVALID;
}

/// Numbers of an attribute through its map from points to values.
template <class number> bool copy_values(const draco_stream *stream, uint32_t id, number *out)
try {
    const draco::PointAttribute *a = find_attribute(stream, id);
    const uint32_t points = draco_stream_points(stream);
    if (!a || !is_number(a))
        return false;
    const int8_t width = static_cast<int8_t>(a->num_components());
    for (uint32_t i = 0; i < points; i++) {
        const draco::AttributeValueIndex value = a->mapped_index(draco::PointIndex(i));
        if (value.value() >= a->size() ||
            !a->ConvertValue<number>(value, width,
                                     out + static_cast<size_t>(i) * static_cast<size_t>(width)))
            return false;
    }
    return true;
} catch (...) {
    return false;
}

bool is_float(const draco::PointAttribute *a)
{
    return a->data_type() == draco::DT_FLOAT32 || a->data_type() == draco::DT_FLOAT64;
}

bool describe(const draco::PointAttribute *a, draco_attribute *out)
{
    const draco::AttributeTransformData *transform = a->GetAttributeTransformData();
    const int width = a->num_components();
    if (width < 1 || width > DRACO_COMPONENTS || !is_number(a))
        return false;
    *out = draco_attribute();
    out->components = static_cast<uint32_t>(width);
    out->form = is_float(a) ? DRACO_FLOATS : DRACO_INTEGERS;
    if (!transform || transform->transform_type() == draco::ATTRIBUTE_NO_TRANSFORM ||
        transform->transform_type() == draco::ATTRIBUTE_INVALID_TRANSFORM)
        return true;
    draco::AttributeQuantizationTransform quantized;
    draco::AttributeOctahedronTransform octahedral;
    int bits = 0;
    if (transform->transform_type() == draco::ATTRIBUTE_QUANTIZATION_TRANSFORM) {
        if (!quantized.InitFromAttribute(*a))
            return false;
        out->form = DRACO_QUANTIZED;
        bits = quantized.quantization_bits();
        for (int i = 0; i < width; i++)
            out->minimum[i] = quantized.min_value(i);
        out->range = quantized.range();
    } else {
        if (transform->transform_type() != draco::ATTRIBUTE_OCTAHEDRON_TRANSFORM ||
            !octahedral.InitFromAttribute(*a))
            return false;
        out->form = DRACO_OCTAHEDRAL;
        bits = octahedral.quantization_bits();
    }
    out->bits = static_cast<uint32_t>(bits);
    return bits >= 1 && bits <= 30 && (out->form == DRACO_QUANTIZED || (width == 2 && bits >= 2));
}

} // namespace

draco_status draco_stream_open(const void *data, size_t size, const draco_limits *limits,
                               draco_stream **out)
{
    *out = nullptr;
    draco_stream *stream = nullptr;
    draco_status status = DRACO_BROKEN;
    try {
        stream = new draco_stream;
        status = decode_any(data, size, limits, &stream->mesh);
    } catch (const std::bad_alloc &) {
        status = DRACO_NO_MEMORY;
    } catch (...) { // std::length_error and the like: counts that no container takes
        status = DRACO_BROKEN;
    }
    if (status == DRACO_DONE)
        *out = stream;
    else
        delete stream;
    return status;
}

void draco_stream_close(draco_stream *stream) { delete stream; }

uint32_t draco_stream_points(const draco_stream *stream) { return stream->mesh.num_points(); }

uint32_t draco_stream_faces(const draco_stream *stream) { return stream->mesh.num_faces(); }

bool draco_stream_corners(const draco_stream *stream, uint32_t *out)
{
    const uint32_t faces = draco_stream_faces(stream), points = draco_stream_points(stream);
    bool inside = true;
    for (uint32_t i = 0; i < faces; i++) {
        const draco::Mesh::Face &face = stream->mesh.face(draco::FaceIndex(i));
        for (size_t k = 0; k < 3; k++) {
            out[3 * static_cast<size_t>(i) + k] = face[k].value();
            inside = inside && face[k].value() < points;
        }
    }
    return inside;
}

draco_status draco_stream_attribute(const draco_stream *stream, uint32_t id, draco_attribute *out)
{
    try {
        const draco::PointAttribute *a = find_attribute(stream, id);
        return a && describe(a, out) ? DRACO_DONE : DRACO_BROKEN;
    } catch (const std::bad_alloc &) {
        return DRACO_NO_MEMORY;
    } catch (...) {
        return DRACO_BROKEN;
    }
}

bool draco_stream_integers(const draco_stream *stream, uint32_t id, int32_t *out)
{
    return copy_values(stream, id, out);
}

bool draco_stream_floats(const draco_stream *stream, uint32_t id, float *out)
{
    return copy_values(stream, id, out);
}
