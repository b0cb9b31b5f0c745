// SPDX-License-Identifier: MIT
/// The lights of a scene: `lights` of the file, those of preset flat, and those of the models.
#include "base/maths.h"
#include "scene/scene_build.h"
#include "scene/scene_read.h"

// ---- lights -------------------------------------------------------------------------------------

static zt_result read_direction(document_reader *r, const document_node *value, void *target)
{
    scene_light *light = target;
    ZT_TRY(value_track(r, value, TRACK_VECTOR, -1e9, 1e9, &light->direction));
    for (uint32_t i = 0; i < light->direction.key_count; i++) {
        const double *v = light->direction.value + (size_t)i * 3;
        if (!(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > 1e-18))
            return value_fail(r, value, false, "a direction of length 0 (expected a direction)");
    }
    return ZT_OK;
}

/// `size`: a light with an extent casts shadows unless `shadow`, which is read after it, says no.
static zt_result read_size(document_reader *r, const document_node *value, void *target)
{
    scene_light *light = target;
    const bool directional = light->kind == MODEL_LIGHT_DIRECTIONAL;
    ZT_TRY(value_number(r, value, 0.0, directional ? 90.0 : 1e6, &light->size));
    light->casts = light->size > 0.0;
    return ZT_OK;
}

static zt_result read_shadow(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_INTEGER("size", KEY_OPTIONAL, scene_light, shadow_size, 16, 16384),
        KEY_NUMBER("softness", KEY_OPTIONAL, scene_light, shadow_softness, 0.0, 100.0),
    };
    scene_light *light = target;
    light->casts = true;
    if (value->kind == DOCUMENT_MAP)
        return value_map(r, value, "shadow", keys, COUNT_OF(keys), target);
    if (value->kind == DOCUMENT_BOOL)
        light->casts = value->truth;
    else if (document_is(value, "off"))
        light->casts = false;
    else if (!document_is(value, "on"))
        return value_wrong(r, value, "on, off, or a map with size and softness");
    return ZT_OK;
}

static zt_result read_directional(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("direction", KEY_REQUIRED, read_direction),
        KEY_TRACK("color", KEY_OPTIONAL, scene_light, color, TRACK_COLOR, 0.0, 1e6),
        KEY_TRACK("lux", KEY_OPTIONAL, scene_light, intensity, TRACK_NUMBER, 0.0, 1e9),
        KEY_READ("size", KEY_OPTIONAL, read_size),
        KEY_READ("shadow", KEY_OPTIONAL, read_shadow),
    };
    ((scene_light *)target)->kind = MODEL_LIGHT_DIRECTIONAL;
    return value_map(r, value, "directional light", keys, COUNT_OF(keys), target);
}

static zt_result read_point(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ_INTO("position", KEY_REQUIRED, scene_read_point, scene_light, position),
        KEY_TRACK("color", KEY_OPTIONAL, scene_light, color, TRACK_COLOR, 0.0, 1e6),
        KEY_TRACK("candela", KEY_OPTIONAL, scene_light, intensity, TRACK_NUMBER, 0.0, 1e9),
        KEY_NUMBER("range", KEY_OPTIONAL, scene_light, range_m, 1e-6, 1e9),
        KEY_READ("size", KEY_OPTIONAL, read_size),
        KEY_READ("shadow", KEY_OPTIONAL, read_shadow),
    };
    ((scene_light *)target)->kind = MODEL_LIGHT_POINT;
    return value_map(r, value, "point light", keys, COUNT_OF(keys), target);
}

static zt_result read_spot(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ_INTO("position", KEY_REQUIRED, scene_read_point, scene_light, position),
        KEY_READ("direction", KEY_OPTIONAL, read_direction),
        KEY_READ_INTO("target", KEY_OPTIONAL, scene_read_point, scene_light, target),
        KEY_TRACK("color", KEY_OPTIONAL, scene_light, color, TRACK_COLOR, 0.0, 1e6),
        KEY_TRACK("candela", KEY_OPTIONAL, scene_light, intensity, TRACK_NUMBER, 0.0, 1e9),
        KEY_NUMBER("range", KEY_OPTIONAL, scene_light, range_m, 1e-6, 1e9),
        KEY_NUMBER("inner", KEY_OPTIONAL, scene_light, inner_deg, 0.0, 89.0),
        KEY_NUMBER("outer", KEY_OPTIONAL, scene_light, outer_deg, 0.1, 90.0),
        KEY_READ("size", KEY_OPTIONAL, read_size),
        KEY_READ("shadow", KEY_OPTIONAL, read_shadow),
    };
    scene_light *light = target;
    light->kind = MODEL_LIGHT_SPOT;
    ZT_TRY(value_map(r, value, "spot light", keys, COUNT_OF(keys), target));
    light->has_target = document_member(value, "target") != NULL;
    if (light->has_target == (document_member(value, "direction") != NULL))
        return value_fail(r, value, false, "a spot needs either 'direction' or 'target'");
    if (!(light->inner_deg < light->outer_deg))
        return value_fail(r, value, false,
                          "a spot whose inner angle is not below its outer angle "
                          "(%.9g and %.9g degrees)",
                          light->inner_deg, light->outer_deg);
    return ZT_OK;
}

zt_result scene_read_own_light(document_reader *r, const document_node *value, scene_light *out)
{
    static const map_key keys[] = {
        KEY_READ("directional", KEY_OPTIONAL, read_directional),
        KEY_READ("point", KEY_OPTIONAL, read_point),
        KEY_READ("spot", KEY_OPTIONAL, read_spot),
    };
    const double white[3] = {1.0, 1.0, 1.0}, down[3] = {0.0, -1.0, 0.0}, zero[3] = {0.0, 0.0, 0.0};
    const double pi = MATHS_PI; // a white surface facing a light of pi lux shows 1
    *out = (scene_light){.instance = -1, .node = -1, .outer_deg = 45.0, .shadow_softness = 1.0};
    ZT_TRY(value_constant(r, 3, white, &out->color));
    ZT_TRY(value_constant(r, 1, &pi, &out->intensity));
    ZT_TRY(value_constant(r, 3, zero, &out->position.at));
    ZT_TRY(value_constant(r, 3, down, &out->direction));
    if (value->kind == DOCUMENT_MAP && value->count != 1)
        return value_fail(r, value, false,
                          "a light of %u kinds (expected one of directional, point, spot)",
                          value->count);
    return value_map(r, value, "light", keys, COUNT_OF(keys), out);
}

zt_result scene_read_lights(document_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    ZT_TRY(value_list(r, value, 0, UINT32_MAX, "a list of lights"));
    if (value->count > SCENE_LIGHT_LIMIT)
        return value_fail(r, value, false, "%u lights (at most %d)", value->count,
                          (int)SCENE_LIGHT_LIMIT);
    scene->lighting_keys.names_light = true;
    ZT_TRY(ARENA_TAKE(&scene->arena, &scene->own_lights, value->count, "lights", r->err));
    for (const document_node *node = value->first; node; node = node->next) {
        ZT_TRY(scene_read_own_light(r, node, &scene->own_lights[scene->own_light_count]));
        scene->own_light_count++;
    }
    return ZT_OK;
}

// ---- Lights of models (KHR_lights_punctual) -----------------------------------------------------

/// Lamps that cast shadows under a preset: each may need six maps.
enum { LAMP_SHADOWS_MAX = 4 };

/// One that shines, or may at some time.
static bool has_light(const zt_model *model, uint32_t node)
{
    const model_node *n = &model->nodes[node];
    return n->light >= 0 && n->in_scene && (n->visible || model->property_count > 0);
}

static zt_result init_model_light(arena *a, const scene_instance *instance, uint32_t index,
                                  uint32_t node, bool casts, scene_light *out, zt_error *err)
{
    const double degrees = MATHS_DEG_FROM_RAD;
    const model_light *from = &instance->model->lights[instance->model->nodes[node].light];
    const double color[3] = {(double)from->color[0], (double)from->color[1],
                             (double)from->color[2]};
    const double intensity = (double)from->intensity, zero[3] = {0.0, 0.0, 0.0};
    *out = (scene_light){.kind = from->kind,
                         .range_m = (double)from->range_m,
                         .inner_deg = (double)from->inner_rad * degrees,
                         .outer_deg = (double)from->outer_rad * degrees,
                         .instance = (int32_t)index,
                         .node = (int32_t)node,
                         .casts = casts,
                         .shadow_softness = 1.0};
    const bool made = track_constant(a, color, 3, &out->color) &&
                      track_constant(a, &intensity, 1, &out->intensity) &&
                      track_constant(a, zero, 3, &out->position.at) &&
                      track_constant(a, zero, 3, &out->direction);
    return made ? ZT_OK : arena_fail(a, err, "lights");
}

zt_result scene_add_model_lights(zt_scene *scene, uint32_t first, zt_error *err)
{
    const message_sink sink = {scene->load.message, scene->load.message_user, scene->load.strict};
    uint64_t count = 0;
    if (scene->lighting.lamps == 0.0)
        return ZT_OK;
    for (uint32_t i = first; i < scene->instance_count; i++) {
        const zt_model *model = scene->instances[i].model;
        for (uint32_t n = 0; n < model->node_count; n++)
            count += has_light(model, n);
    }
    if (count == 0)
        return ZT_OK;
    const uint64_t capacity =
        scene->light_count < SCENE_LIGHT_LIMIT ? SCENE_LIGHT_LIMIT - scene->light_count : 0;
    if (count > capacity)
        ZT_TRY(message_unsupported(&sink, err,
                                   "%s: the models have %llu lights; the first %llu of them shine "
                                   "(at most %d lights in all)",
                                   scene->path, (unsigned long long)count,
                                   (unsigned long long)capacity, (int)SCENE_LIGHT_LIMIT));
    count = count < capacity ? count : capacity;
    scene_light *lights;
    ZT_TRY(ARENA_TAKE(&scene->arena, &lights, scene->light_count + count, "lights", err));
    for (uint32_t i = 0; i < scene->light_count; i++)
        lights[i] = scene->lights[i];
    scene->lights = lights;
    int shadows = 0;
    for (uint32_t i = first; i < scene->instance_count; i++) {
        const scene_instance *instance = &scene->instances[i];
        for (uint32_t n = 0; n < instance->model->node_count; n++) {
            if (!has_light(instance->model, n))
                continue;
            if (count-- == 0)
                return ZT_OK;
            const bool casts = scene->lighting.lamp_shadows && shadows < LAMP_SHADOWS_MAX;
            ZT_TRY(init_model_light(&scene->arena, instance, i, n, casts,
                                    &lights[scene->light_count], err));
            shadows += casts;
            scene->light_count++;
        }
    }
    return ZT_OK;
}

// ---- All lights together ------------------------------------------------------------------------

/// The light of preset flat: a warm key from the upper front left, a cool fill of a quarter of it
/// from the right, a rim from high behind, weak, because without a shadow it would whiten
/// silhouettes. Directions are those in which the light travels.
static zt_result add_flat_lights(zt_scene *scene, zt_error *err)
{
    static const struct {
        double direction[3], color[3], lux;
    } flat[] = {
        {{0.55, -0.75, -0.8}, {1.0, 0.97, 0.92}, 2.6},
        {{-0.9, -0.25, -0.6}, {0.88, 0.94, 1.0}, 0.7},
        {{-0.5, -1.0, 0.7}, {1.0, 1.0, 1.0}, 0.7},
    };
    const double zero[3] = {0.0, 0.0, 0.0};
    arena *a = &scene->arena;
    const scene_light *before = scene->lights;
    ZT_TRY(ARENA_TAKE(a, &scene->lights, scene->light_count + COUNT_OF(flat), "lights", err));
    for (uint32_t i = 0; i < scene->light_count; i++)
        scene->lights[i] = before[i];
    for (size_t i = 0; i < COUNT_OF(flat); i++) {
        scene_light *light = &scene->lights[scene->light_count++];
        light->kind = MODEL_LIGHT_DIRECTIONAL;
        light->instance = light->node = -1;
        if (!track_constant(a, flat[i].direction, 3, &light->direction) ||
            !track_constant(a, flat[i].color, 3, &light->color) ||
            !track_constant(a, &flat[i].lux, 1, &light->intensity) ||
            !track_constant(a, zero, 3, &light->position.at))
            return arena_fail(a, err, "lights");
    }
    return ZT_OK;
}

bool scene_has_shadows(const zt_scene *scene)
{
    for (uint32_t i = 0; i < scene->light_count; i++)
        if (scene->lights[i].casts)
            return true;
    return false;
}

bool scene_joins_lamps(const zt_scene *scene)
{
    return scene->own_light_count == 0 && scene_is_studio(scene->lighting.environment);
}

/// The environment of a model file replaces a studio, as long as lamps of files shine and the scene
/// names no environment. The first model that brings one counts.
static void choose_file_environment(zt_scene *scene)
{
    scene_lighting *lighting = &scene->lighting;
    const scene_lighting_keys *keys = &scene->lighting_keys;
    scene->file_environment = NULL;
    if (lighting->flat_lights || !(lighting->lamps > 0.0) || keys->has_ambient || keys->has_image)
        return;
    for (uint32_t i = 0; i < scene->instance_count && !scene->file_environment; i++)
        scene->file_environment = scene->instances[i].model->environment;
    if (scene->file_environment)
        lighting->environment = SCENE_ENVIRONMENT_FILE;
}

zt_result scene_light_up(zt_scene *scene, zt_error *err)
{
    static const scene_ambient flat_ambient = {
        .sky = {0.52f, 0.54f, 0.58f},
        .ambient_below = {0.24f, 0.22f, 0.2f},
    };
    const scene_lighting *lighting = &scene->lighting;
    const bool own = scene->look != SCENE_LOOK_FLAT && !scene_look_is_data(scene->look);
    scene->lighting = scene_look_lighting(scene->look, &scene->lighting_keys);
    choose_file_environment(scene);
    scene->lights = scene->own_lights;
    scene->light_count = own ? scene->own_light_count : 0;
    scene->ambient = lighting->flat_lights && !(own && scene->lighting_keys.has_ambient)
                         ? flat_ambient
                         : scene->own_ambient;
    if (lighting->flat_lights)
        ZT_TRY(add_flat_lights(scene, err));
    return scene_add_model_lights(scene, 0, err);
}
