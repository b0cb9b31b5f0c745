// SPDX-License-Identifier: MIT
/// What inspect tells of a model's file and of the space that its poses take.
#include "pose/pose.h"
#include "render/inspect.h"
#include "render/posed_bounds.h"

#include <math.h>
#include <string.h>

enum { POSED_FRAMES = 16 }; // evenly over the shot

static json_t *texts(const model_texts *list)
{
    json_t *out = json_array();
    for (uint32_t i = 0; i < list->count; i++)
        json_array_append_new(out, inspect_string(list->text[i]));
    return out;
}

/// By the places where they stand; those that are too long to be kept whole are text.
static json_t *extras(const model_about *a)
{
    json_t *out = json_object();
    for (uint32_t i = 0; i < a->extra_count; i++) {
        const model_extra *extra = &a->extras[i];
        json_t *value = extra->whole ? json_loads(extra->text, JSON_DECODE_ANY, NULL) : NULL;
        json_t *place = inspect_string(extra->place);
        json_object_set_new(out, json_string_value(place),
                            value ? value : inspect_string(extra->text));
        json_decref(place);
    }
    return out;
}

void inspect_about(json_t *o, const zt_model *m)
{
    const model_about *a = m->about;
    json_object_set_new(o, "memory", json_integer((json_int_t)m->arena.used));
    if (!a)
        return;
    json_object_set_new(o, "file_size", json_integer((json_int_t)a->file_size));
    if (a->version)
        json_object_set_new(o, "version", inspect_string(a->version));
    if (a->generator)
        json_object_set_new(o, "generator", inspect_string(a->generator));
    if (a->copyright)
        json_object_set_new(o, "copyright", inspect_string(a->copyright));
    json_object_set_new(o, "extensions_used", texts(&a->used));
    json_object_set_new(o, "extensions_required", texts(&a->required));
    json_object_set_new(o, "extras", extras(a));
    json_object_set_new(o, "scenes", texts(&a->scenes));
    json_object_set_new(o, "scene", a->scene < 0 ? json_null() : json_integer(a->scene));
}

static json_t *box(const float min[3], const float max[3])
{
    json_t *low = json_array(), *high = json_array();
    for (int k = 0; k < 3; k++) {
        json_array_append_new(low, json_real((double)min[k]));
        json_array_append_new(high, json_real((double)max[k]));
    }
    return json_pack("{s:o,s:o}", "min", low, "max", high);
}

/// The union of the bounds of `count` frames of the shot; false when nothing is shown.
static bool bounds_over(const zt_scene *scene, int64_t count, arena *scratch, float min[3],
                        float max[3])
{
    for (int k = 0; k < 3; k++) {
        min[k] = INFINITY;
        max[k] = -INFINITY;
    }
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = count > 1 ? i * (scene->shot.count - 1) / (count - 1) : 0;
        float low[3], high[3];
        arena_reset(scratch);
        if (posed_bounds(kernels_for(ZT_ISA_SCALAR), scene,
                         scene_frame_time(scene, scene->shot.frame[at]).shot_s, scratch, low, high,
                         NULL) != ZT_OK)
            return false;
        for (int k = 0; k < 3; k++) {
            min[k] = low[k] < min[k] ? low[k] : min[k];
            max[k] = high[k] > max[k] ? high[k] : max[k];
        }
    }
    return min[0] <= max[0];
}

void inspect_bounds(json_t *o, zt_scene *scene)
{
    arena scratch;
    float min[3], max[3];
    arena_init(&scratch, &scene->budget_own);
    const int64_t frames = scene->shot.count < POSED_FRAMES ? scene->shot.count : POSED_FRAMES;
    scene_instance *instance = &scene->instances[0];
    const uint32_t layers = instance->layer_count;
    instance->layer_count = 0; // as authored
    if (bounds_over(scene, 1, &scratch, min, max))
        json_object_set_new(o, "rest_bounds", box(min, max));
    instance->layer_count = layers;
    if (layers > 0 && instance->layers[0].clip >= 0 &&
        bounds_over(scene, frames, &scratch, min, max))
        json_object_set_new(o, "posed_bounds", box(min, max));
    arena_finish(&scratch);
}
