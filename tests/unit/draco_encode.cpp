// SPDX-License-Identifier: MIT
#include "draco_encode.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>

draco_sample draco_sample_make(uint32_t side)
{
    draco_sample s = {};
    s.side = side;
    s.vertex_count = side * side;
    s.triangle_count = 2 * (side - 1) * (side - 1);
    s.position = static_cast<float(*)[3]>(std::malloc(s.vertex_count * sizeof *s.position));
    s.normal = static_cast<float(*)[3]>(std::malloc(s.vertex_count * sizeof *s.normal));
    s.color = static_cast<uint8_t(*)[4]>(std::malloc(s.vertex_count * sizeof *s.color));
    s.corner = static_cast<uint32_t(*)[3]>(std::malloc(s.triangle_count * sizeof *s.corner));
    for (uint32_t i = 0; i < s.vertex_count; i++) {
        // z = x^2 / 4 + x y / 2, whose normal is (-dz/dx, -dz/dy, 1) made one long.
        const float x = static_cast<float>(i % side) * 0.25f - 1.0f;
        const float y = static_cast<float>(i / side) * 0.25f - 0.5f;
        const float n[3] = {-0.5f * x - 0.5f * y, -0.5f * x, 1.0f};
        const float length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        const float p[3] = {x, y, 0.25f * x * x + 0.5f * x * y};
        for (int k = 0; k < 3; k++) {
            s.position[i][k] = p[k];
            s.normal[i][k] = n[k] / length;
            s.color[i][k] = static_cast<uint8_t>(37u * i + 91u * static_cast<uint32_t>(k));
        }
        s.color[i][3] = 255;
    }
    uint32_t t = 0;
    for (uint32_t row = 0; row + 1 < side; row++)
        for (uint32_t column = 0; column + 1 < side; column++) {
            const uint32_t a = row * side + column;
            const uint32_t corners[2][3] = {
                {a,     a + 1,        a + side},
                {a + 1, a + side + 1, a + side}
            };
            std::memcpy(s.corner[t], corners, sizeof corners);
            t += 2;
        }
    return s;
}

void draco_sample_free(draco_sample *s)
{
    std::free(s->position);
    std::free(s->normal);
    std::free(s->color);
    std::free(s->corner);
}

// Adds one value for each vertex.
static void add(draco::Mesh *mesh, draco::GeometryAttribute::Type type, int8_t width,
                draco::DataType data, bool normalized, size_t size, const void *values,
                uint32_t count)
{
    draco::GeometryAttribute attribute;
    attribute.Init(type, nullptr, static_cast<uint8_t>(width), data, normalized,
                   static_cast<int64_t>(size), 0);
    const int id = mesh->AddAttribute(attribute, true, count);
    for (uint32_t i = 0; i < count; i++)
        mesh->attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i),
                                               static_cast<const char *>(values) + i * size);
}

uint8_t *draco_encode(const draco_sample *s, const draco_settings *settings, size_t *out_size)
{
    using draco::GeometryAttribute;
    draco::Mesh mesh;
    draco::Encoder encoder;
    draco::EncoderBuffer buffer;
    mesh.set_num_points(s->vertex_count);
    add(&mesh, GeometryAttribute::POSITION, 3, draco::DT_FLOAT32, false, 12, s->position,
        s->vertex_count);
    add(&mesh, GeometryAttribute::NORMAL, 3, draco::DT_FLOAT32, false, 12, s->normal,
        s->vertex_count);
    add(&mesh, GeometryAttribute::COLOR, 4, draco::DT_UINT8, true, 4, s->color, s->vertex_count);
    for (uint32_t i = 0; i < s->triangle_count; i++) {
        draco::Mesh::Face face;
        for (size_t k = 0; k < 3; k++)
            face[k] = s->corner[i][k];
        mesh.AddFace(face);
    }
    encoder.SetEncodingMethod(settings->sequential ? draco::MESH_SEQUENTIAL_ENCODING
                                                   : draco::MESH_EDGEBREAKER_ENCODING);
    if (settings->position_bits > 0)
        encoder.SetAttributeQuantization(GeometryAttribute::POSITION, settings->position_bits);
    if (settings->normal_bits > 0)
        encoder.SetAttributeQuantization(GeometryAttribute::NORMAL, settings->normal_bits);
    if (!encoder.EncodeMeshToBuffer(mesh, &buffer).ok())
        return nullptr;
    *out_size = buffer.size();
    uint8_t *bytes = static_cast<uint8_t *>(std::malloc(buffer.size()));
    std::memcpy(bytes, buffer.data(), buffer.size());
    return bytes;
}
