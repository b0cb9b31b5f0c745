// SPDX-License-Identifier: MIT
/// zt_inspect and zt_scene_list_clips: a model or scene as text or JSON, from one JSON tree.
#include "inspect/inspect.h"

#include "base/handle.h"
#include "base/text_stream.h"
#include "base/utf8.h"
#include "json/json_write.h"
#include "pose/pose_springs.h"
#include "render/posed_bounds.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

enum { POSED_FRAMES = 16 }; ///< frames at most for posed_bounds, evenly spaced over the shot

// ---- Bounds ---------------------------------------------------------------------

static void put_box(json_builder *b, json_value *o, const char *key, const float min[3],
                    const float max[3])
{
    json_value *box = json_new(b, JSON_KIND_OBJECT);
    json_put(b, box, "min", json_new_floats(b, min, 3));
    json_put(b, box, "max", json_new_floats(b, max, 3));
    json_put(b, o, key, box);
}

/// *out_found: there are vertices.
static zt_result bounds_along(const zt_scene *scene, int64_t count, const spring_trail *trail,
                              arena *scratch, float min[3], float max[3], bool *out_found,
                              zt_error *err)
{
    for (int k = 0; k < 3; k++) {
        min[k] = INFINITY;
        max[k] = -INFINITY;
    }
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = count > 1 ? i * (scene->shot.count - 1) / (count - 1) : 0;
        float low[3], high[3];
        arena_reset(scratch);
        frame_time time = scene_frame_time(scene, scene->shot.frame[at]);
        time.trail = trail;
        ZT_TRY(posed_bounds(kernels_for(ZT_ISA_SCALAR), scene, time, scratch, low, high, err));
        for (int k = 0; k < 3; k++) {
            min[k] = low[k] < min[k] ? low[k] : min[k];
            max[k] = high[k] > max[k] ? high[k] : max[k];
        }
    }
    *out_found = min[0] <= max[0];
    return ZT_OK;
}

/// The union of the bounds of `count` frames. *out_found: vertices, posable. MEMORY, CANCELLED.
static zt_result bounds_over(const zt_scene *scene, int64_t count, arena *scratch, float min[3],
                             float max[3], bool *out_found, zt_error *err)
{
    arena a;
    spring_trail trail = {0};
    *out_found = false;
    arena_init(&a, scratch->budget);
    const double last_s =
        count > 0 ? scene_frame_time(scene, scene->shot.frame[scene->shot.count - 1]).shot_s : 0.0;
    zt_result result =
        spring_trail_build(kernels_for(ZT_ISA_SCALAR)->pose, scene, last_s, &a, &trail, err);
    if (result == ZT_OK)
        result = bounds_along(scene, count, &trail, scratch, min, max, out_found, err);
    arena_finish(&a);
    for (int k = 0; k < 3; k++) {
        min[k] = (float)((double)min[k] + scene->origin[k]);
        max[k] = (float)((double)max[k] + scene->origin[k]);
    }
    // A scene that is too large to be posed can still be described.
    return result == ZT_ERR_MEMORY || result == ZT_ERR_CANCELLED ? result : ZT_OK;
}

static zt_result add_rest_bounds(json_builder *b, json_value *o, zt_scene *scene, arena *scratch,
                                 zt_error *err)
{
    float min[3], max[3];
    bool found;
    scene_instance *instance = &scene->instances[0];
    const uint32_t layers = instance->layer_count;
    instance->layer_count = 0;
    const zt_result result = bounds_over(scene, 1, scratch, min, max, &found, err);
    if (found)
        put_box(b, o, "rest_bounds", min, max);
    instance->layer_count = layers;
    return result;
}

/// Adds the bounds over the shot's frames, of a bare model if a clip plays, and of its rest pose.
static zt_result add_bounds(json_builder *b, json_value *o, zt_scene *scene, zt_error *err)
{
    arena scratch;
    float min[3], max[3];
    bool found = false;
    zt_result result = ZT_OK;
    arena_init(&scratch, &scene->budget_own);
    const int64_t frames = scene->shot.count < POSED_FRAMES ? scene->shot.count : POSED_FRAMES;
    const scene_instance *instance = &scene->instances[0];
    if (scene->from_model)
        result = add_rest_bounds(b, o, scene, &scratch, err);
    const bool moves =
        scene->instance_count > 0 && instance->layer_count > 0 && instance->layers[0].clip >= 0;
    if (result == ZT_OK && (moves || !scene->from_model))
        result = bounds_over(scene, frames, &scratch, min, max, &found, err);
    if (found)
        put_box(b, o, "posed_bounds", min, max);
    arena_finish(&scratch);
    return result;
}

// ---- Scenes -------------------------------------------------------------------------------------

static json_value *clip_name(json_builder *b, const zt_model *model, int32_t clip)
{
    return clip >= 0 ? json_new_text(b, model->clips[clip].name) : json_new(b, JSON_KIND_NULL);
}

/// Clips of the layers if there are several, and the numbers of solvers, morph keys and parents.
static void describe_motion(json_builder *b, json_value *o, const scene_instance *x)
{
    if (x->layer_count > 1) {
        json_value *layers = json_new(b, JSON_KIND_ARRAY);
        for (uint32_t i = 0; i < x->layer_count; i++)
            json_append(b, layers, clip_name(b, x->model, x->layers[i].clip));
        json_put(b, o, "layers", layers);
    }
    if (x->bone_key_count > 0)
        json_put_int(b, o, "bones", x->bone_key_count);
    if (x->ik_count > 0)
        json_put_int(b, o, "ik", x->ik_count);
    if (scene_springs(x))
        json_put_int(b, o, "springs", scene_springs(x)->link_count);
    if (x->morph_count > 0)
        json_put_int(b, o, "morphs", x->morph_count);
    if (x->parent_change_count > 0)
        json_put_int(b, o, "parents", x->parent_change_count);
    if (x->skinning == SCENE_SKIN_DUAL)
        json_put_text(b, o, "skinning", "dual_quaternion");
}

static json_value *describe_instances(json_builder *b, const zt_scene *scene)
{
    json_value *list = json_new(b, JSON_KIND_ARRAY);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *x = &scene->instances[i];
        const int32_t clip = x->layer_count ? x->layers[0].clip : -1;
        json_value *o = json_new(b, JSON_KIND_OBJECT);
        json_put_text(b, o, "name", x->name);
        json_put_text(b, o, "file", x->model->path);
        json_put(b, o, "clip", clip_name(b, x->model, clip));
        describe_motion(b, o, x);
        json_append(b, list, o);
    }
    return list;
}

static json_value *describe_scene(json_builder *b, const zt_scene *scene)
{
    static const char *const cameras[] = {"orbit", "look_at", "model"};
    char fps[32];
    snprintf(fps, sizeof fps, "%d/%d", (int)scene->fps_numerator, (int)scene->fps_denominator);
    json_value *o = json_new(b, JSON_KIND_OBJECT);
    json_put_text(b, o, "file", scene->path);
    json_put_text(b, o, "format", "scene 1");
    json_put_int(b, o, "width", scene->width);
    json_put_int(b, o, "height", scene->height);
    json_put_text(b, o, "fps", fps);
    json_put_int(b, o, "frames", scene->shot.count);
    json_put_int(b, o, "first_frame", scene->shot.frame[0]);
    json_put_int(b, o, "last_frame", scene->shot.frame[scene->shot.count - 1]);
    json_put_text(b, o, "camera", cameras[scene->camera.kind]);
    json_put_int(b, o, "light_count", scene->light_count);
    json_put(b, o, "instances", describe_instances(b, scene));
    json_value *models = json_new(b, JSON_KIND_ARRAY);
    for (uint32_t i = 0; i < scene->model_count; i++)
        json_append(b, models, inspect_model(b, scene->models[i]));
    json_put(b, o, "models", models);
    return o;
}

// ---- API ----------------------------------------------------------------------------------------

/// The description, and the messages of the loader, which are a part of it and are passed on.
typedef struct description {
    json_builder values;
    json_value *messages;
    const zt_load_def *def;
} description;

static void collect_message(void *user, zt_severity severity, const char *line)
{
    description *d = user;
    json_value *message = json_new(&d->values, JSON_KIND_OBJECT);
    json_put_text(&d->values, message, "severity", severity == ZT_NOTE ? "note" : "warning");
    json_put_text(&d->values, message, "text", line);
    json_append(&d->values, d->messages, message);
    if (d->def->message)
        d->def->message(d->def->message_user, severity, line);
}

/// *out_text stays NULL without memory.
static void write_text(void (*write)(FILE *out, const json_value *tree), const json_value *tree,
                       char **out_text)
{
    size_t size = 0;
    FILE *out = text_stream_open(out_text, &size);
    if (!out)
        return;
    write(out, tree);
    (void)text_stream_close(out, out_text);
}

typedef enum description_form { FORM_SUMMARY, FORM_TEXT, FORM_JSON } description_form;

static zt_result describe(description *d, zt_scene *scene, description_form form, char **out_text,
                          zt_error *err)
{
    json_builder *b = &d->values;
    json_value *tree =
        scene->from_model ? inspect_model(b, scene->models[0]) : describe_scene(b, scene);
    ZT_TRY(add_bounds(b, tree, scene, err));
    json_put(b, tree, "messages", d->messages);
    if (form == FORM_JSON)
        json_put_text(b, tree, "zoetrope", zt_version());
    if (b->failed)
        return arena_fail(b->a, err, "the description");
    const json_style style = {.indent = 2, .digits = 9};
    if (form == FORM_JSON)
        *out_text = json_write(b->a, tree, style);
    else if (arena_charge(b->a, json_write_bytes(tree, style)))
        write_text(form == FORM_TEXT ? inspect_text : inspect_summary, tree, out_text);
    if (b->a->failed != ZT_OK)
        return arena_fail(b->a, err, "the description");
    return *out_text ? ZT_OK : zt_fail(err, ZT_ERR_MEMORY, "no memory for the description");
}

zt_result zt_inspect(const char *path, const zt_load_def *def, const char *form_name,
                     char **out_text, zt_error *err)
{
    static const char *const forms[] = {
        [FORM_SUMMARY] = "summary", [FORM_TEXT] = "text", [FORM_JSON] = "json"};
    int form = FORM_JSON;
    if (!path || !def || def->cookie_ != HANDLE_COOKIE || !out_text)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_inspect: path or out_text is NULL, or a def that is not from "
                       "zt_default_load_def()");
    *out_text = NULL;
    ZT_TRY(handle_check(def->allocator, def->threads, INT32_MAX, err));
    while (form >= 0 && !(form_name && strcmp(form_name, forms[form]) == 0))
        form--;
    if (form < 0)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_inspect: form '%.80s' (expected json, text or summary)",
                       form_name ? form_name : "");
    zt_budget memory = {.allocator = NULL}; // of the scene and of its description
    arena a;
    zt_scene *scene = NULL;
    budget_init_within(&memory.bytes, def->budget, def->max_memory, def->allocator);
    cancel_init(&memory.bytes.cancel, def->cancel);
    arena_init(&a, &memory.bytes);
    description d = {.values = {.a = &a}, .def = def};
    d.messages = json_new(&d.values, JSON_KIND_ARRAY);
    zt_load_def load = *def;
    load.budget = &memory;
    load.message = collect_message;
    load.message_user = &d;
    zt_result result = zt_scene_load(path, &load, &scene, err);
    if (result == ZT_OK) {
        scene->turn_fronts = false; // bounds are those of the file
        result = describe(&d, scene, (description_form)form, out_text, err);
    }
    zt_scene_destroy(scene);
    arena_finish(&a);
    return result;
}

/// The most that a stream in memory takes, which grows by doubling.
static uint64_t list_bytes(const zt_scene *scene)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < scene->model_count; i++)
        for (uint32_t k = 0; k < scene->models[i]->clip_count; k++)
            bytes += 2 * (64 + strlen(scene->models[i]->clips[k].name));
    return bytes;
}

zt_result zt_scene_list_clips(const zt_scene *scene, char **out_text, zt_error *err)
{
    if (!scene || !out_text)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_scene_list_clips: scene or out_text is NULL");
    size_t size = 0;
    *out_text = NULL;
    const uint64_t charge = list_bytes(scene);
    if (!zt_budget_take(scene->load.budget, charge))
        return zt_fail(err, ZT_ERR_LIMIT, "the list of clips does not fit into the memory limit");
    FILE *out = text_stream_open(out_text, &size);
    zt_budget_give(scene->load.budget, charge);
    if (!out)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for the list of clips");
    for (uint32_t i = 0; i < scene->model_count; i++)
        for (uint32_t k = 0; k < scene->models[i]->clip_count; k++) {
            const model_clip *clip = &scene->models[i]->clips[k];
            fprintf(out, "%u ", k);
            utf8_write_harmless(out, clip->name);
            fprintf(out, " %.9g %.9g\n", (double)clip->start_s, (double)clip->end_s);
        }
    return text_stream_close(out, out_text)
               ? ZT_OK
               : zt_fail(err, ZT_ERR_MEMORY, "no memory for the list of clips");
}
