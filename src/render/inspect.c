// SPDX-License-Identifier: MIT
/// zt_inspect and zt_scene_list_clips: describe a model or scene, as text or JSON. The text is made
/// from the JSON tree, so that both agree.
#include "render/inspect.h"

#include "base/handle.h"
#include "base/json_text.h"
#include "pose/pose.h"
#include "render/posed_bounds.h"
#include "scene/scene.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POSED_FRAMES = 16 }; ///< frames at most for posed_bounds, evenly spaced over the shot

// ---- Bounds of a bare model ---------------------------------------------------------------------

static json_t *box(const float min[3], const float max[3])
{
    json_t *low = json_array(), *high = json_array();
    for (int k = 0; k < 3; k++) {
        json_array_append_new(low, json_real((double)min[k]));
        json_array_append_new(high, json_real((double)max[k]));
    }
    return json_pack("{s:o,s:o}", "min", low, "max", high);
}

/// The union of the bounds of `count` frames of the shot; false if they have no vertices, or if one
/// cannot be posed.
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
                         scene_frame_time(scene, scene->shot.frame[at]), scratch, low, high,
                         NULL) != ZT_OK)
            return false;
        for (int k = 0; k < 3; k++) {
            min[k] = low[k] < min[k] ? low[k] : min[k];
            max[k] = high[k] > max[k] ? high[k] : max[k];
        }
    }
    return min[0] <= max[0];
}

/// Adds the bounds of the rest pose, and, if a clip plays, those over frames of the shot.
static void add_posed_bounds(json_t *o, zt_scene *scene)
{
    arena scratch;
    float min[3], max[3];
    arena_init(&scratch, &scene->budget_own);
    const int64_t frames = scene->shot.count < POSED_FRAMES ? scene->shot.count : POSED_FRAMES;
    scene_instance *instance = &scene->instances[0];
    const uint32_t layers = instance->layer_count;
    instance->layer_count = 0; // the rest pose
    if (bounds_over(scene, 1, &scratch, min, max))
        json_object_set_new(o, "rest_bounds", box(min, max));
    instance->layer_count = layers;
    if (layers > 0 && instance->layers[0].clip >= 0 &&
        bounds_over(scene, frames, &scratch, min, max))
        json_object_set_new(o, "posed_bounds", box(min, max));
    arena_finish(&scratch);
}

// ---- Scenes -------------------------------------------------------------------------------------

static json_t *clip_name(const zt_model *model, int32_t clip)
{
    return clip >= 0 ? inspect_string(model->clips[clip].name) : json_null();
}

/// Clips of the layers if there are several, and the numbers of solvers, morph keys and parents.
static void describe_motion(json_t *o, const scene_instance *x)
{
    if (x->layer_count > 1) {
        json_t *layers = json_array();
        for (uint32_t i = 0; i < x->layer_count; i++)
            json_array_append_new(layers, clip_name(x->model, x->layers[i].clip));
        json_object_set_new(o, "layers", layers);
    }
    if (x->ik_count > 0)
        json_object_set_new(o, "ik", json_integer(x->ik_count));
    if (x->morph_count > 0)
        json_object_set_new(o, "morphs", json_integer(x->morph_count));
    if (x->parent_change_count > 0)
        json_object_set_new(o, "parents", json_integer(x->parent_change_count));
    if (x->skinning == SCENE_SKIN_DUAL)
        json_object_set_new(o, "skinning", json_string("dual_quaternion"));
}

static json_t *describe_instances(const zt_scene *scene)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *x = &scene->instances[i];
        const int32_t clip = x->layer_count ? x->layers[0].clip : -1;
        json_t *o = json_pack("{s:o,s:o,s:o}", "name", inspect_string(x->name), "file",
                              inspect_string(x->model->path), "clip", clip_name(x->model, clip));
        describe_motion(o, x);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *describe_scene(const zt_scene *scene)
{
    static const char *const cameras[] = {"orbit", "look_at", "model"};
    char fps[32];
    snprintf(fps, sizeof fps, "%d/%d", (int)scene->fps_numerator, (int)scene->fps_denominator);
    json_t *o = json_object();
    json_object_set_new(o, "file", inspect_string(scene->path));
    json_object_set_new(o, "format", json_string("scene 1"));
    json_object_set_new(o, "width", json_integer(scene->width));
    json_object_set_new(o, "height", json_integer(scene->height));
    json_object_set_new(o, "fps", json_string(fps));
    json_object_set_new(o, "frames", json_integer((json_int_t)scene->shot.count));
    json_object_set_new(o, "first_frame", json_integer((json_int_t)scene->shot.frame[0]));
    json_object_set_new(o, "last_frame",
                        json_integer((json_int_t)scene->shot.frame[scene->shot.count - 1]));
    json_object_set_new(o, "camera", json_string(cameras[scene->camera.kind]));
    json_object_set_new(o, "light_count", json_integer(scene->light_count));
    json_object_set_new(o, "instances", describe_instances(scene));
    json_t *models = json_array();
    for (uint32_t i = 0; i < scene->model_count; i++)
        json_array_append_new(models, inspect_model(scene->models[i]));
    json_object_set_new(o, "models", models);
    return o;
}

// ---- API ----------------------------------------------------------------------------------------

/// Adds the messages of the loader to the description, and passes them on.
typedef struct message_list {
    json_t *list;
    const zt_load_def *def;
} message_list;

static void collect_message(void *user, zt_severity severity, const char *line)
{
    message_list *messages = user;
    json_array_append_new(messages->list, json_pack("{s:s,s:o}", "severity",
                                                    severity == ZT_NOTE ? "note" : "warning",
                                                    "text", inspect_string(line)));
    if (messages->def->message)
        messages->def->message(messages->def->message_user, severity, line);
}

zt_result zt_inspect(const char *path, const zt_load_def *def, bool json, char **out_text,
                     zt_error *err)
{
    if (!path || !def || def->cookie_ != HANDLE_COOKIE || !out_text)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_inspect: path or out_text is NULL, or a def that is not from "
                       "zt_default_load_def()");
    *out_text = NULL;
    zt_scene *scene = NULL;
    message_list messages = {.list = json_array(), .def = def};
    zt_load_def load = *def;
    load.message = collect_message;
    load.message_user = &messages;
    const zt_result result = zt_scene_load(path, &load, &scene, err);
    if (result == ZT_OK) {
        json_t *tree = scene->from_model ? inspect_model(scene->models[0]) : describe_scene(scene);
        if (scene->from_model)
            add_posed_bounds(tree, scene);
        json_object_set(tree, "messages", messages.list);
        if (json)
            json_object_set_new(tree, "zoetrope", json_string(zt_version()));
        *out_text =
            json ? json_text(tree, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : inspect_text(tree);
        json_decref(tree);
    }
    json_decref(messages.list);
    zt_scene_destroy(scene);
    if (result == ZT_OK && !*out_text)
        return zt_fail(err, ZT_ERR_MEMORY, "%s: no memory for the description", path);
    return result;
}

zt_result zt_scene_list_clips(const zt_scene *scene, char **out_text, zt_error *err)
{
    if (!scene || !out_text)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_scene_list_clips: scene or out_text is NULL");
    size_t size = 0;
    *out_text = NULL;
    FILE *out = open_memstream(out_text, &size);
    if (!out)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for the list of clips");
    for (uint32_t i = 0; i < scene->model_count; i++) {
        const zt_model *model = scene->models[i];
        for (uint32_t k = 0; k < model->clip_count; k++)
            fprintf(out, "%u %s %.9g %.9g\n", k, model->clips[k].name,
                    (double)model->clips[k].start_s, (double)model->clips[k].end_s);
    }
    return fclose(out) == 0 ? ZT_OK
                            : zt_fail(err, ZT_ERR_MEMORY, "no memory for the list of clips");
}
