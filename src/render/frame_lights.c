// SPDX-License-Identifier: MIT
// Lights, ambient light and film of a frame, from the scene and the clips of its models.
#include "base/dvec3.h"
#include "base/maths.h"
#include "render/frame_pose.h"

#include <string.h>

static const double MIN_WAY = 1e-9; ///< metres from a spot to its target

/// A light of a model whose properties its clips animate.
static void animated_light(const zt_model *model, const model_property_value *values, int32_t node,
                           light_source *out)
{
    const uint32_t index = (uint32_t)model->nodes[node].light;
    model_light light = model->lights[index];
    model_properties_set(model->properties, model->property_count, values, MODEL_OWNER_LIGHT, index,
                         &light);
    for (int k = 0; k < 3; k++)
        out->color[k] = (double)light.color[k];
    out->intensity = (double)light.intensity;
    out->range_m = (double)light.range_m;
    out->outer_rad = (double)light.outer_rad;
    out->inner_rad =
        (double)(light.inner_rad < light.outer_rad ? light.inner_rad : light.outer_rad * 0.999f);
}

/// Turns a direction, or with `axis` a point about it.
static void turn(const frame_light_turn *t, const double axis[3], double v[3])
{
    const double at[2] = {axis ? axis[0] : 0.0, axis ? axis[2] : 0.0};
    const double x = v[0] - at[0], z = v[2] - at[1];
    if (!t->turned)
        return;
    v[0] = at[0] + (x * t->cosine + z * t->sine);
    v[2] = at[1] + (z * t->cosine - x * t->sine);
}

/// Where a light of the scene is, and the direction in which it travels.
static zt_result place_light(const zt_scene *scene, const frame_pose *pose,
                             const scene_light *light, frame_time time, budget *memory,
                             light_source *out, zt_error *err)
{
    double target[3];
    const frame_light_turn *turned = &pose->light_turn;
    if (light->kind != MODEL_LIGHT_DIRECTIONAL)
        ZT_TRY(pose_point(pose->loops, scene, &light->position, time, memory, out->position, err));
    if (!light->position.follow)
        turn(turned, turned->axis, out->position);
    if (light->kind == MODEL_LIGHT_POINT)
        return ZT_OK;
    track_evaluate(&light->direction, time.shot_s, out->direction);
    turn(turned, NULL, out->direction);
    if (!light->has_target)
        return ZT_OK;
    ZT_TRY(pose_point(pose->loops, scene, &light->target, time, memory, target, err));
    if (!light->target.follow)
        turn(turned, turned->axis, target);
    const dvec3 to_target = dvec3_sub(dvec3_load(target), dvec3_load(out->position));
    if (dvec3_length(to_target) > MIN_WAY) // else down
        dvec3_store(to_target, out->direction);
    return ZT_OK;
}

static zt_result light_at(const zt_scene *scene, const frame_pose *pose, const scene_light *light,
                          frame_time time, budget *memory, light_source *out, zt_error *err)
{
    const double time_s = time.shot_s;
    double intensity[4] = {0.0};
    *out = (light_source){.kind = light->kind,
                          .size = light->size,
                          .range_m = light->range_m,
                          .inner_rad = light->inner_deg * MATHS_RAD_FROM_DEG,
                          .outer_rad = light->outer_deg * MATHS_RAD_FROM_DEG};
    track_evaluate(&light->color, time_s, out->color);
    track_evaluate(&light->intensity, time_s, intensity);
    out->intensity = intensity[0];
    if (light->node >= 0) {
        const vec4 *world = pose->world_from_node[light->instance][light->node];
        const model_property_value *values = pose->properties[light->instance];
        const zt_model *model = scene->instances[light->instance].model;
        if (values)
            animated_light(model, values, light->node, out);
        if (!pose_clips_show(model, values, light->node))
            out->intensity = 0.0;
        for (int k = 0; k < 3; k++) {
            out->position[k] = (double)world[3][k];
            out->direction[k] = -(double)world[2][k];
        }
        return ZT_OK;
    }
    return place_light(scene, pose, light, time, memory, out, err);
}

/// Texels of a shadow map are about as large as pixels: its edges need no filter of their own.
static int32_t default_map_size(const zt_scene *scene)
{
    const int32_t side = scene->width > scene->height ? scene->width : scene->height;
    return side > 640 ? 2048 : side > 320 ? 1024 : 512;
}

/// Lamps of models join a studio: a white surface in the middle of the scene that faces all of them
/// gets at most this radiance from them. Files have lamps for rooms and suns of their own.
static const double lamps_radiance = 0.4;

/// The width of lamps of models in a studio: an angle for directional ones, for others a share of
/// their distance from the middle of the scene.
static const double lamps_deg = 8.0, lamps_share = 0.15;

/// Dims the lamps of models together, and gives them a size. One among the models, such as that of
/// a lantern, counts as if it were at the sphere around their bounds over the shot.
static void soften_lamps(const scene_framing *f, frame_light *lights, uint32_t count)
{
    const dvec3 middle = dvec3_load(f->target);
    double all = 0.0, radius2 = 1e-12;
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * ((double)f->max[k] - (double)f->min[k]);
        radius2 += half * half;
    }
    for (uint32_t i = 0; i < count; i++) {
        frame_light *light = &lights[i];
        const light_source *s = &light->source;
        if (light->scene->node < 0)
            continue;
        const bool far = s->kind == MODEL_LIGHT_DIRECTIONAL;
        const double distance = dvec3_length(dvec3_sub(middle, dvec3_load(s->position)));
        const double luminance = dvec3_luminance(dvec3_load(s->color));
        all += luminance * s->intensity / (far ? 1.0 : maths_max(distance * distance, radius2));
        light->source.size = far ? lamps_deg : lamps_share * distance;
    }
    const double share = lamps_radiance * MATHS_PI / maths_max(all, 1e-12);
    if (share < 1.0)
        for (uint32_t i = 0; i < count; i++)
            if (lights[i].scene->node >= 0)
                lights[i].source.intensity *= share;
}

zt_result frame_lights(const zt_scene *scene, const frame_pose *pose, frame_time time,
                       const scene_framing *framing, arena *a, shade_frame *out,
                       frame_light_set *out_lights, zt_error *err)
{
    shade_light *lights = ARENA_ARRAY(a, shade_light, scene->light_count + FRAME_EMITTERS);
    shadow_maps *shadows = ARENA_ARRAY(a, shadow_maps, scene->light_count + FRAME_EMITTERS);
    frame_light *all = ARENA_ARRAY(a, frame_light, scene->light_count + FRAME_EMITTERS);
    if (!lights || !shadows || !all)
        return arena_fail(a, err, "lights of a frame");
    int32_t shadow_count = 0;
    for (uint32_t i = 0; i < scene->light_count; i++) {
        all[i].scene = &scene->lights[i];
        ZT_TRY(light_at(scene, pose, &scene->lights[i], time, a->budget, &all[i].source, err));
    }
    if (framing && scene_joins_lamps(scene))
        soften_lamps(framing, all, scene->light_count);
    for (uint32_t i = 0; i < scene->light_count; i++) {
        shade_light_build(&all[i].source, &lights[i]);
        if (!scene->lights[i].casts || !(all[i].source.intensity > 0.0))
            continue;
        shadows[shadow_count].number = shadow_count;
        lights[i].shadow = all[i].shadow = &shadows[shadow_count++];
    }
    *out_lights =
        (frame_light_set){all, lights, shadows, scene->light_count, default_map_size(scene)};
    out->lights = lights;
    out->anisotropy = (uint8_t)scene->anisotropy;
    out->specular_antialiasing = scene->lighting.specular_antialiasing;
    out->light_count = (int32_t)scene->light_count;
    out->shadows = shadows;
    out->shadow_count = shadow_count;
    memcpy(out->sky, scene->ambient.sky, sizeof out->sky);
    memcpy(out->ambient_below, scene->ambient.ambient_below, sizeof out->ambient_below);
    return ZT_OK;
}

zt_result frame_shadow_lights(const frame_light_set *lights, arena *a, shadow_light **out_lights,
                              int32_t *out_count, zt_error *err)
{
    static const shadow_kind kinds[] = {
        [MODEL_LIGHT_DIRECTIONAL] = SHADOW_DIRECTIONAL,
        [MODEL_LIGHT_POINT] = SHADOW_POINT,
        [MODEL_LIGHT_SPOT] = SHADOW_SPOT,
    };
    *out_count = 0;
    ZT_TRY(ARENA_TAKE(a, out_lights, lights->count, "lights of a frame", err));
    for (uint32_t i = 0; i < lights->count; i++) {
        const frame_light *from = &lights->lights[i];
        if (!from->shadow)
            continue;
        shadow_light *to = &(*out_lights)[(*out_count)++];
        *to = (shadow_light){.kind = kinds[from->source.kind],
                             .outer_rad = from->source.outer_rad,
                             .has_size = from->source.size > 0.0,
                             .blur = light_radius(&from->source, from->scene->shadow_softness),
                             .size = (int32_t)from->scene->shadow_size,
                             // Emitters are wide: in smaller maps penumbras end at edges of cubes.
                             .default_size = from->emitter ? 1024 : lights->map_size,
                             .emitter = from->emitter,
                             .maps = from->shadow,
                             .arena = a};
        memcpy(to->position, from->source.position, sizeof to->position);
        memcpy(to->direction, from->source.direction, sizeof to->direction);
    }
    return ZT_OK;
}

void frame_film(const zt_scene *scene, film_settings *out)
{
    static const film_look_kind looks[SCENE_LOOK_COUNT] = {
        [SCENE_LOOK_ALBEDO] = FILM_LOOK_ALBEDO,
        [SCENE_LOOK_NORMALS] = FILM_LOOK_NORMALS,
        [SCENE_LOOK_UV] = FILM_LOOK_UV,
        [SCENE_LOOK_DEPTH] = FILM_LOOK_DEPTH,
    };
    const double exposure_ev = scene->exposure_ev + scene->lighting.exposure_ev;
    *out = (film_settings){.exposure = (float)maths_exp2(exposure_ev),
                           .tone_map = (int32_t)scene->lighting.tone_map,
                           .transparent = scene->transparent,
                           .look.kind = looks[scene->look]};
    memcpy(out->background, scene->background, sizeof out->background);
}
