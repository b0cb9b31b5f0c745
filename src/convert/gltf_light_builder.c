// SPDX-License-Identifier: MIT
/// Cameras and lights of a zt_model -> glTF. Reference: glTF 2.0, 5.12 to 5.14;
/// KHR_lights_punctual.
#include "base/maths.h"
#include "convert/gltf_model_parts.h"

void gltf_build_cameras(gltf_builder *builder)
{
    json_builder *b = &builder->package.values;
    for (uint32_t i = 0; i < builder->model->camera_count; i++) {
        const model_camera *c = &builder->model->cameras[i];
        const double near_m = (double)c->near_m, far_m = (double)c->far_m;
        const char *type = c->orthographic ? "orthographic" : "perspective";
        json_value *camera = gltf_builder_entry(builder, "cameras");
        json_value *lens = json_new(b, JSON_KIND_OBJECT);
        json_put_text(b, camera, "name", c->name);
        json_put_text(b, camera, "type", type);
        if (c->orthographic) {
            json_put_real(b, lens, "xmag", (double)c->x_mag);
            json_put_real(b, lens, "ymag", (double)c->y_mag);
        } else {
            json_put_real(b, lens, "yfov", (double)c->fov_y_rad);
        }
        if (!c->orthographic && c->aspect > 0.0f)
            json_put_real(b, lens, "aspectRatio", (double)c->aspect);
        json_put_real(b, lens, "znear", near_m);
        if (far_m > near_m || c->orthographic) // which has to have one
            json_put_real(b, lens, "zfar", maths_max(far_m, near_m + 1e-3));
        json_put(b, camera, type, lens);
    }
}

json_value *gltf_builder_lights(gltf_builder *builder)
{
    json_builder *b = &builder->package.values;
    json_value *extensions = json_require(b, builder->package.json, "extensions", JSON_KIND_OBJECT);
    json_value *punctual = json_require(b, extensions, "KHR_lights_punctual", JSON_KIND_OBJECT);
    return json_require(b, punctual, "lights", JSON_KIND_ARRAY);
}

void gltf_put_light(gltf_builder *builder, const model_light *light, json_value *out)
{
    static const char *const kinds[] = {[MODEL_LIGHT_DIRECTIONAL] = "directional",
                                        [MODEL_LIGHT_POINT] = "point",
                                        [MODEL_LIGHT_SPOT] = "spot",
                                        [MODEL_LIGHT_UNKNOWN] = "point"}; // no node has it
    json_builder *b = &builder->package.values;
    json_put_text(b, out, "type", kinds[light->kind]);
    gltf_builder_put_floats(builder, out, "color", light->color, 3);
    json_put_real(b, out, "intensity", (double)light->intensity);
    if (light->range_m > 0.0f && light->kind != MODEL_LIGHT_DIRECTIONAL)
        json_put_real(b, out, "range", (double)light->range_m);
    if (light->kind != MODEL_LIGHT_SPOT)
        return;
    json_value *spot = json_new(b, JSON_KIND_OBJECT);
    json_put_real(b, spot, "innerConeAngle", (double)light->inner_rad);
    json_put_real(b, spot, "outerConeAngle", (double)light->outer_rad);
    json_put(b, out, "spot", spot);
}

void gltf_build_lights(gltf_builder *builder)
{
    json_builder *b = &builder->package.values;
    if (builder->model->light_count == 0)
        return;
    json_value *lights = gltf_builder_lights(builder);
    gltf_builder_use_extension(builder, "KHR_lights_punctual");
    for (uint32_t i = 0; i < builder->model->light_count; i++) {
        json_value *light = json_new(b, JSON_KIND_OBJECT);
        json_put_text(b, light, "name", builder->model->lights[i].name);
        gltf_put_light(builder, &builder->model->lights[i], light);
        json_append(b, lights, light);
    }
}
