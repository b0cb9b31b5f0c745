// SPDX-License-Identifier: MIT
/// EXT_lights_image_based: harmonics of irradiance, and the faces of a cube of radiance. Of the
/// levels of the cube only the first is used, which is not filtered; the renderer makes its own
/// levels from it. PNG images with alpha hold RGBD: the colour, decoded as sRGB, is divided by
/// alpha. Specification:
/// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Vendor/EXT_lights_image_based
#include "gltf/gltf_parts.h"
#include "image/cube_map.h"
#include "texture/texture_file.h"

#include <math.h>

static const char extension_name[] = "EXT_lights_image_based";

/// A light and what stands around it in the file, which messages walk through.
typedef struct {
    json_extension lights;
    json_pointer list, light;
} found_light;

/// The light of the scene that is shown; out->light.value is NULL when there is none.
static zt_result find_light(gltf_file *file, found_light *out)
{
    json_extension reference;
    json_pointer scene;
    uint32_t count;
    int32_t index;
    *out = (found_light){0};
    ZT_TRY(gltf_extension(file->log, &file->root, extension_name, &out->lights));
    if (!out->lights.object.value || file->list[GLTF_SCENES].count == 0)
        return ZT_OK;
    ZT_TRY(gltf_array(file->log, &out->lights.object, "lights", &out->list, &count));
    ZT_TRY(gltf_member_index(file, &file->root, "scene", GLTF_SCENES, &index));
    ZT_TRY(gltf_list_entry(file, GLTF_SCENES, index < 0 ? 0 : (size_t)index, &scene));
    ZT_TRY(gltf_extension(file->log, &scene, extension_name, &reference));
    if (!reference.object.value)
        return ZT_OK;
    const json_pointer light = json_member(&reference.object, "light");
    ZT_TRY(gltf_index_below(file->log, &light, count, "light", &index));
    return index < 0 ? ZT_OK : gltf_entry(file->log, &out->list, (size_t)index, &out->light);
}

static zt_result read_harmonics(gltf_file *file, const json_pointer *light, double out[9][3])
{
    json_pointer list;
    uint32_t count;
    ZT_TRY(gltf_array(file->log, light, "irradianceCoefficients", &list, &count));
    bool good = count == 9;
    for (uint32_t i = 0; i < 9 && good; i++) {
        const json_value *entry = json_at(list.value, i);
        good = json_length(entry) == 3;
        for (size_t c = 0; c < 3 && good; c++) {
            const json_value *number = json_at(entry, c);
            out[i][c] = json_number(number);
            good = json_is_numeric(number) && fabs(out[i][c]) <= 1e30;
        }
    }
    if (good)
        return ZT_OK;
    return gltf_fail(file->log, list.value ? &list : light, ZT_ERR_FORMAT,
                     "irradianceCoefficients are not nine lists of three numbers");
}

/// The indices of the images of the first level.
static zt_result read_faces(gltf_file *file, const json_pointer *light, int32_t out[CUBE_FACES])
{
    json_pointer list;
    uint32_t count;
    ZT_TRY(gltf_array(file->log, light, "specularImages", &list, &count));
    const json_pointer level = json_element(&list, 0);
    if (count == 0 || json_length(level.value) != CUBE_FACES)
        return gltf_fail(file->log, list.value ? &list : light, ZT_ERR_FORMAT,
                         "specularImages have no level of six images");
    for (size_t i = 0; i < CUBE_FACES; i++) {
        const json_pointer face = json_element(&level, i);
        ZT_TRY(gltf_index(file, &face, GLTF_IMAGES, &out[i]));
    }
    return ZT_OK;
}

/// The faces of a light while they are read.
typedef struct face_reader {
    gltf_file *file;
    int32_t image[CUBE_FACES]; ///< -1: none
    cube_map cube;
    const double *linear_8, *linear_16; ///< of every code, NULL until a face needs them
} face_reader;

/// Makes the table of linear light of `count` codes of sRGB, unless it is there.
static zt_result make_table(gltf_file *file, size_t count, const double **table)
{
    if (*table)
        return ZT_OK;
    double *linear;
    ZT_TRY(ARENA_TAKE_RAW(file->scratch, &linear, count, "the light of an environment",
                          file->log->err));
    for (size_t i = 0; i < count; i++)
        linear[i] = srgb_decode((double)i / (double)(count - 1));
    *table = linear;
    return ZT_OK;
}

/// Linear light of a row. RGBD of alpha 0 stands for the largest value it can hold.
static void decode_row(const picture *p, const double *linear, const void *row, float *out)
{
    const bool deep = p->format == PICTURE_RGBA16;
    const size_t channels = p->format == PICTURE_RGB8 ? 3 : 4;
    const double last = deep ? 65535.0 : 255.0;
    for (size_t x = 0; x < (size_t)p->width; x++) {
        uint16_t v[4] = {0, 0, 0, deep ? 65535 : 255};
        for (size_t c = 0; c < channels; c++) {
            const size_t at = x * channels + c;
            v[c] = deep ? ((const uint16_t *)row)[at] : ((const uint8_t *)row)[at];
        }
        const double divisor = p->has_alpha ? (v[3] > 1 ? v[3] : 1) / last : 1.0;
        for (size_t c = 0; c < 3; c++)
            out[3 * x + c] = (float)(linear[v[c]] / divisor);
    }
}

static zt_result decode_face(gltf_file *file, int32_t image, picture *out, const char **out_name)
{
    const model_source *source = file->source;
    json_pointer json;
    const char *path;
    file_bytes bytes;
    ZT_TRY(gltf_list_entry(file, GLTF_IMAGES, (size_t)image, &json));
    ZT_TRY(gltf_image_bytes(file, &json, &path, &bytes));
    *out_name = path ? path : file->log->path;
    const picture_need need = {0};
    const texture_origin origin = model_texture_origin(source);
    return path ? texture_load(file->scratch, &origin, path, need, &source->sink, out,
                               file->log->err)
                : picture_decode(file->scratch, *out_name, bytes, need, out, file->log->err);
}

static zt_result check_face(const face_reader *r, const picture *p, const char *name, int face)
{
    if (p->width == p->height && (face == 0 || p->width == r->cube.size) &&
        p->width <= CUBE_SIDE_LIMIT)
        return ZT_OK;
    return zt_fail(r->file->log->err, ZT_ERR_FORMAT,
                   "%s: face %d of the environment has %d x %d pixels (expected squares of one "
                   "size, at most %d)",
                   name, face, (int)p->width, (int)p->height, CUBE_SIDE_LIMIT);
}

/// The colours of a decoded face.
static zt_result convert_face(face_reader *r, const picture *p, float **out)
{
    gltf_file *file = r->file;
    const bool deep = p->format == PICTURE_RGBA16;
    const double **table = deep ? &r->linear_16 : &r->linear_8;
    ZT_TRY(make_table(file, deep ? 65536 : 256, table));
    const size_t width = (size_t)p->width;
    float *rgb = arena_alloc_raw(file->scratch, width * width, 3 * sizeof *rgb);
    if (!rgb)
        return arena_fail(file->scratch, file->log->err, "the faces of an environment");
    const size_t pixel = deep ? 8 : p->format == PICTURE_RGB8 ? 3 : 4;
    const size_t pitch = p->pitch ? p->pitch : width * pixel;
    for (size_t y = 0; y < width; y++) {
        ZT_TRY(arena_go_on(file->scratch, "the faces of an environment", file->log->err));
        decode_row(p, *table, (const uint8_t *)p->level[0] + y * pitch, rgb + 3 * y * width);
    }
    *out = rgb;
    return ZT_OK;
}

/// An image that is a face already is not read again.
static zt_result read_face(face_reader *r, int face)
{
    picture p;
    const char *name;
    float *rgb = NULL;
    if (r->image[face] < 0)
        return ZT_ERR_FORMAT;
    for (int i = 0; i < face; i++)
        if (r->image[i] == r->image[face]) {
            r->cube.face[face] = r->cube.face[i];
            return ZT_OK;
        }
    ZT_TRY(decode_face(r->file, r->image[face], &p, &name));
    ZT_TRY(check_face(r, &p, name, face));
    ZT_TRY(convert_face(r, &p, &rgb));
    r->cube.size = p.width;
    r->cube.face[face] = rgb;
    return ZT_OK;
}

/// The rotation and the intensity of a light.
static zt_result read_settings(gltf_file *file, const json_pointer *light, quat *out_rotation,
                               float *out_intensity)
{
    float rotation[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    ZT_TRY(gltf_floats(file->log, light, "rotation", 4, rotation));
    ZT_TRY(gltf_float(file->log, light, "intensity", 1.0f, out_intensity));
    const quat q = quat_from_floats(rotation);
    const double length2 = ((q.x * q.x + q.y * q.y) + q.z * q.z) + q.w * q.w;
    if (!(length2 > 1e-12) || !(*out_intensity >= 0.0f)) {
        ZT_TRY(gltf_warn(file->log, light,
                         "the environment has no rotation or intensity that "
                         "means something; it gets the defaults"));
        *out_rotation = quat_identity();
        *out_intensity = *out_intensity >= 0.0f ? *out_intensity : 1.0f;
        return ZT_OK;
    }
    const double scale = 1.0 / sqrt(length2);
    *out_rotation = (quat){q.x * scale, q.y * scale, q.z * scale, q.w * scale};
    return ZT_OK;
}

static zt_result build(gltf_file *file, const json_pointer *light, model_environment *out)
{
    face_reader faces = {.file = file};
    quat rotation;
    ZT_TRY(gltf_name(file->log, light, &out->name));
    ZT_TRY(read_settings(file, light, &rotation, &out->intensity));
    ZT_TRY(read_harmonics(file, light, out->harmonics));
    ZT_TRY(read_faces(file, light, faces.image));
    for (int i = 0; i < CUBE_FACES; i++) {
        const zt_result result = read_face(&faces, i);
        if (result == ZT_ERR_MEMORY || result == ZT_ERR_LIMIT || result == ZT_ERR_CANCELLED)
            return result;
        if (result != ZT_OK) {
            const zt_error inner = *file->log->err; // gltf_unsupported writes to it
            return gltf_unsupported(file->log, light, "the file's environment is left out: %s",
                                    faces.image[i] < 0 ? "a face has no image" : inner.message);
        }
    }
    out->size = faces.cube.size;
    out->rotation[0] = rotation.x;
    out->rotation[1] = rotation.y;
    out->rotation[2] = rotation.z;
    out->rotation[3] = rotation.w;
    return cube_map_unroll(file->keep, &faces.cube, rotation, (double)out->intensity, &out->picture,
                           file->log->err);
}

zt_result gltf_read_environment(gltf_file *file, zt_model *model)
{
    found_light found;
    ZT_TRY(find_light(file, &found));
    if (!found.light.value)
        return ZT_OK;
    model_environment *made;
    ZT_TRY(ARENA_TAKE(file->keep, &made, 1, "an environment", file->log->err));
    ZT_TRY(build(file, &found.light, made));
    model->environment = made->picture.rgb ? made : NULL;
    return ZT_OK;
}
