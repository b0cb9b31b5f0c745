// SPDX-License-Identifier: MIT
/// Cameras of a glTF file, and lights of KHR_lights_punctual.

#include "gltf/gltf_reader.h"

#include <string.h>

static zt_result require_positive(gltf_reader *g, const json_place *place, const char *key,
                                  float value)
{
    if (value > 0.0f)
        return ZT_OK;
    const json_place member = json_member(place, key);
    return gltf_warn(g, member.value ? &member : place, "the %s of the camera is not above 0", key);
}

static zt_result read_perspective(gltf_reader *g, const json_place *camera, model_camera *out)
{
    json_place place;
    ZT_TRY(gltf_object(g, camera, "perspective", &place));
    ZT_TRY(gltf_float(g, &place, "yfov", 0.0f, &out->fov_y_rad));
    ZT_TRY(gltf_float(g, &place, "aspectRatio", 0.0f, &out->aspect));
    ZT_TRY(gltf_float(g, &place, "znear", 0.0f, &out->near_m));
    ZT_TRY(gltf_float(g, &place, "zfar", 0.0f, &out->far_m));
    ZT_TRY(require_positive(g, &place, "yfov", out->fov_y_rad));
    if (!(out->fov_y_rad > 0.0f) || out->fov_y_rad >= 3.14159f)
        out->fov_y_rad = 0.8f; // about 45 degrees, where the file's angle makes no picture
    if (out->aspect < 0.0f)
        out->aspect = 0.0f;
    return ZT_OK;
}

static zt_result read_orthographic(gltf_reader *g, const json_place *camera, model_camera *out)
{
    json_place place;
    ZT_TRY(gltf_object(g, camera, "orthographic", &place));
    ZT_TRY(gltf_float(g, &place, "xmag", 1.0f, &out->x_mag));
    ZT_TRY(gltf_float(g, &place, "ymag", 1.0f, &out->y_mag));
    ZT_TRY(gltf_float(g, &place, "znear", 0.0f, &out->near_m));
    ZT_TRY(gltf_float(g, &place, "zfar", 0.0f, &out->far_m));
    ZT_TRY(require_positive(g, &place, "xmag", out->x_mag));
    ZT_TRY(require_positive(g, &place, "ymag", out->y_mag));
    if (!(out->x_mag > 0.0f))
        out->x_mag = 1.0f;
    if (!(out->y_mag > 0.0f))
        out->y_mag = 1.0f;
    out->orthographic = true;
    return ZT_OK;
}

static zt_result read_camera(gltf_reader *g, uint32_t index, model_camera *out)
{
    json_place place;
    const char *type;
    ZT_TRY(gltf_entry(g, &g->cameras, index, &place));
    ZT_TRY(gltf_name(g, &place, &out->name));
    ZT_TRY(gltf_text(g, &place, "type", &type));
    if (type && strcmp(type, "orthographic") == 0)
        ZT_TRY(read_orthographic(g, &place, out));
    else if (type && strcmp(type, "perspective") == 0)
        ZT_TRY(read_perspective(g, &place, out));
    else
        return gltf_fail(g, &place, ZT_ERR_FORMAT,
                         "the camera's type is '%.40s' (expected perspective or orthographic)",
                         type ? type : "");
    // A perspective needs a near plane in front of the eye; an orthographic one may be at 0.
    if (!out->orthographic && !(out->near_m > 0.0f))
        out->near_m = 0.01f;
    if (out->far_m <= out->near_m)
        out->far_m = 0.0f;
    return ZT_OK;
}

zt_result gltf_read_cameras(gltf_reader *g)
{
    model_camera *cameras = ARENA_ARRAY(g->keep, model_camera, g->camera_count);
    if (!cameras)
        return arena_fail(g->keep, g->err, "cameras");
    for (uint32_t i = 0; i < g->camera_count; i++)
        ZT_TRY(read_camera(g, i, &cameras[i]));
    g->model->cameras = cameras;
    g->model->camera_count = g->camera_count;
    return ZT_OK;
}

/// A type of a later version: the rest of the model is what it is.
static zt_result leave_out_light(gltf_reader *g, const json_place *place, uint32_t index,
                                 const char *type, model_light *out)
{
    out->kind = MODEL_LIGHT_UNKNOWN;
    for (uint32_t i = 0; i < g->made_nodes; i++)
        if (g->node[i].light == (int32_t)index)
            g->node[i].light = -1;
    return gltf_unsupported(g, place,
                            "the light is left out: its type is '%.40s' (known are directional, "
                            "point and spot)",
                            type ? type : "");
}

static zt_result read_light(gltf_reader *g, uint32_t index, model_light *out)
{
    static const char *const kinds[] = {
        [MODEL_LIGHT_DIRECTIONAL] = "directional",
        [MODEL_LIGHT_POINT] = "point",
        [MODEL_LIGHT_SPOT] = "spot",
    };
    json_place place, spot;
    const char *type;
    ZT_TRY(gltf_entry(g, &g->lights, index, &place));
    ZT_TRY(gltf_name(g, &place, &out->name));
    ZT_TRY(gltf_text(g, &place, "type", &type));
    size_t kind = 0;
    while (kind < 3 && strcmp(kinds[kind], type ? type : "") != 0)
        kind++;
    if (kind == 3)
        return leave_out_light(g, &place, index, type, out);
    out->kind = (model_light_kind)kind;
    for (int i = 0; i < 3; i++)
        out->color[i] = 1.0f;
    ZT_TRY(gltf_floats(g, &place, "color", 3, out->color));
    ZT_TRY(gltf_float(g, &place, "intensity", 1.0f, &out->intensity));
    ZT_TRY(gltf_float(g, &place, "range", 0.0f, &out->range_m));
    ZT_TRY(gltf_object(g, &place, "spot", &spot));
    ZT_TRY(gltf_float(g, &spot, "innerConeAngle", 0.0f, &out->inner_rad));
    ZT_TRY(gltf_float(g, &spot, "outerConeAngle", 0.785398163f, &out->outer_rad)); // pi / 4
    if (out->intensity < 0.0f || out->range_m < 0.0f || out->inner_rad < 0.0f ||
        out->outer_rad > 1.5707964f || out->inner_rad >= out->outer_rad) {
        ZT_TRY(gltf_warn(g, &place, "the light has values out of range, which are clamped"));
        out->intensity = out->intensity < 0.0f ? 0.0f : out->intensity;
        out->range_m = out->range_m < 0.0f ? 0.0f : out->range_m;
        out->outer_rad = out->outer_rad > 1.5707964f ? 1.5707964f : out->outer_rad;
        out->outer_rad = out->outer_rad > 1e-3f ? out->outer_rad : 1e-3f;
        out->inner_rad = out->inner_rad < 0.0f ? 0.0f : out->inner_rad;
        if (out->inner_rad >= out->outer_rad)
            out->inner_rad = out->outer_rad * 0.999f;
    }
    return ZT_OK;
}

zt_result gltf_read_lights(gltf_reader *g)
{
    model_light *lights = ARENA_ARRAY(g->keep, model_light, g->light_count);
    if (!lights)
        return arena_fail(g->keep, g->err, "lights");
    for (uint32_t i = 0; i < g->light_count; i++)
        ZT_TRY(read_light(g, i, &lights[i]));
    g->model->lights = lights;
    g->model->light_count = g->light_count;
    return ZT_OK;
}
