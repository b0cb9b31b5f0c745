// SPDX-License-Identifier: MIT
#include "base/row_find.h"
#include "gltf/gltf_parts.h"

#include <string.h>

static zt_result require_positive(gltf_log *log, const json_pointer *json, const char *key,
                                  float value)
{
    if (value > 0.0f)
        return ZT_OK;
    const json_pointer member = json_member(json, key);
    return gltf_warn(log, member.value ? &member : json, "the %s of the camera is not above 0",
                     key);
}

static zt_result read_perspective(gltf_log *log, const json_pointer *camera, model_camera *out)
{
    json_pointer json;
    ZT_TRY(gltf_object(log, camera, "perspective", &json));
    ZT_TRY(gltf_float(log, &json, "yfov", 0.0f, &out->fov_y_rad));
    ZT_TRY(gltf_float(log, &json, "aspectRatio", 0.0f, &out->aspect));
    ZT_TRY(gltf_float(log, &json, "znear", 0.0f, &out->near_m));
    ZT_TRY(gltf_float(log, &json, "zfar", 0.0f, &out->far_m));
    ZT_TRY(require_positive(log, &json, "yfov", out->fov_y_rad));
    if (!(out->fov_y_rad > 0.0f) || out->fov_y_rad >= 3.14159f)
        out->fov_y_rad = 0.8f; // about 45 degrees, where the file's angle makes no picture
    if (out->aspect < 0.0f)
        out->aspect = 0.0f;
    return ZT_OK;
}

static zt_result read_orthographic(gltf_log *log, const json_pointer *camera, model_camera *out)
{
    json_pointer json;
    ZT_TRY(gltf_object(log, camera, "orthographic", &json));
    ZT_TRY(gltf_float(log, &json, "xmag", 1.0f, &out->x_mag));
    ZT_TRY(gltf_float(log, &json, "ymag", 1.0f, &out->y_mag));
    ZT_TRY(gltf_float(log, &json, "znear", 0.0f, &out->near_m));
    ZT_TRY(gltf_float(log, &json, "zfar", 0.0f, &out->far_m));
    ZT_TRY(require_positive(log, &json, "xmag", out->x_mag));
    ZT_TRY(require_positive(log, &json, "ymag", out->y_mag));
    if (!(out->x_mag > 0.0f))
        out->x_mag = 1.0f;
    if (!(out->y_mag > 0.0f))
        out->y_mag = 1.0f;
    out->orthographic = true;
    return ZT_OK;
}

static zt_result read_camera(gltf_file *file, uint32_t index, model_camera *out)
{
    json_pointer json;
    const char *type;
    ZT_TRY(gltf_list_entry(file, GLTF_CAMERAS, index, &json));
    ZT_TRY(gltf_name(file->log, &json, &out->name));
    ZT_TRY(gltf_text(file->log, &json, "type", &type));
    if (type && strcmp(type, "orthographic") == 0)
        ZT_TRY(read_orthographic(file->log, &json, out));
    else if (type && strcmp(type, "perspective") == 0)
        ZT_TRY(read_perspective(file->log, &json, out));
    else
        return gltf_fail(file->log, &json, ZT_ERR_FORMAT,
                         "the camera's type is '%.40s' (expected perspective or orthographic)",
                         type ? type : "");
    // A perspective needs a near plane in front of the eye; an orthographic one may be at 0.
    if (!out->orthographic && !(out->near_m > 0.0f))
        out->near_m = 0.01f;
    if (out->far_m <= out->near_m)
        out->far_m = 0.0f;
    return ZT_OK;
}

zt_result gltf_read_cameras(gltf_file *file, zt_model *model)
{
    const uint32_t camera_count = file->list[GLTF_CAMERAS].count;
    model_camera *cameras;
    ZT_TRY(ARENA_TAKE(file->keep, &cameras, camera_count, "cameras", file->log->err));
    for (uint32_t i = 0; i < camera_count; i++)
        ZT_TRY(read_camera(file, i, &cameras[i]));
    model->cameras = cameras;
    model->camera_count = camera_count;
    return ZT_OK;
}

/// A type of a later version is left out; the rest of the model is not affected.
static zt_result leave_out_light(gltf_log *log, const json_pointer *json, const char *type,
                                 model_light *out)
{
    out->kind = MODEL_LIGHT_UNKNOWN;
    return gltf_unsupported(log, json,
                            "the light is left out: its type is '%.40s' (known are directional, "
                            "point and spot)",
                            type ? type : "");
}

static zt_result read_light(gltf_file *file, uint32_t index, model_light *out)
{
    static const char *const kinds[] = {
        [MODEL_LIGHT_DIRECTIONAL] = "directional",
        [MODEL_LIGHT_POINT] = "point",
        [MODEL_LIGHT_SPOT] = "spot",
    };
    json_pointer json, spot;
    const char *type;
    ZT_TRY(gltf_list_entry(file, GLTF_LIGHTS, index, &json));
    ZT_TRY(gltf_name(file->log, &json, &out->name));
    ZT_TRY(gltf_text(file->log, &json, "type", &type));
    const int32_t kind = ROW_FIND(kinds, type);
    if (kind < 0)
        return leave_out_light(file->log, &json, type, out);
    out->kind = (model_light_kind)kind;
    for (int i = 0; i < 3; i++)
        out->color[i] = 1.0f;
    ZT_TRY(gltf_floats(file->log, &json, "color", 3, out->color));
    ZT_TRY(gltf_float(file->log, &json, "intensity", 1.0f, &out->intensity));
    ZT_TRY(gltf_float(file->log, &json, "range", 0.0f, &out->range_m));
    ZT_TRY(gltf_object(file->log, &json, "spot", &spot));
    ZT_TRY(gltf_float(file->log, &spot, "innerConeAngle", 0.0f, &out->inner_rad));
    ZT_TRY(gltf_float(file->log, &spot, "outerConeAngle", 0.785398163f, &out->outer_rad)); // pi / 4
    if (out->intensity < 0.0f || out->range_m < 0.0f || out->inner_rad < 0.0f ||
        out->outer_rad > 1.5707964f || out->inner_rad >= out->outer_rad) {
        ZT_TRY(gltf_warn(file->log, &json, "the light has values out of range, which are clamped"));
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

zt_result gltf_read_lights(gltf_file *file, gltf_nodes *nodes, zt_model *model)
{
    const uint32_t light_count = file->list[GLTF_LIGHTS].count;
    model_light *lights;
    ZT_TRY(ARENA_TAKE(file->keep, &lights, light_count, "lights", file->log->err));
    for (uint32_t i = 0; i < light_count; i++)
        ZT_TRY(read_light(file, i, &lights[i]));
    for (uint32_t i = 0; i < nodes->count; i++) {
        int32_t *light = &nodes->node[i].light;
        if (*light >= 0 && lights[*light].kind == MODEL_LIGHT_UNKNOWN)
            *light = -1;
    }
    model->lights = lights;
    model->light_count = light_count;
    return ZT_OK;
}
