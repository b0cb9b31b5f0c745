// SPDX-License-Identifier: MIT
/// zt_inspect and zt_scene_list_clips: what is in a model or scene, for people or as JSON. The JSON
/// tree is built first; the text form is written from the same tree, so the two cannot disagree.
#include "render/inspect.h"

#include "base/handle.h"
#include "base/json_text.h"
#include "model/model_format.h"
#include "scene/scene.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

json_t *inspect_number(float value)
{
    return isfinite(value) ? json_real((double)value) : json_null();
}

json_t *inspect_numbers(const float *value, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, inspect_number(value[i]));
    return list;
}

// Names of hostile files may not be UTF-8: those are shown as their bytes would print in ASCII.
json_t *inspect_string(const char *value)
{
    json_t *string = json_string(value ? value : "");
    if (string)
        return string;
    char clean[256];
    size_t used = 0;
    for (; *value && used + 1 < sizeof clean; value++)
        clean[used++] = (unsigned char)*value < 0x80 ? *value : '?';
    clean[used] = 0;
    return json_string(clean);
}

static json_t *text(const char *value)
{
    return inspect_string(value);
}

/// Names of the morph targets of a mesh, with the weights that it gives them.
static json_t *describe_morphs(const model_mesh *mesh)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < mesh->morph_count; i++) {
        json_t *name = text(mesh->morphs[i].name);
        json_object_set_new(object, json_string_value(name),
                            json_real((double)mesh->morphs[i].weight));
        json_decref(name);
    }
    return object;
}

static json_t *describe_meshes(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->mesh_count; i++) {
        const model_mesh *mesh = &m->meshes[i];
        json_array_append_new(
            list,
            json_pack("{s:o,s:I,s:I,s:I,s:b,s:b,s:o,s:o,s:o}", "name", text(mesh->name), "vertices",
                      (json_int_t)mesh->vertex_count, "triangles", (json_int_t)mesh->triangle_count,
                      "meshlets", (json_int_t)mesh->meshlet_count, "skinned", mesh->joints != NULL,
                      "colors_or_uv1", mesh->extra != NULL, "min",
                      inspect_numbers(mesh->bounds_min, 3), "max",
                      inspect_numbers(mesh->bounds_max, 3), "morphs", describe_morphs(mesh)));
    }
    return list;
}

/// A texture is an image in one use: an image that serves for colours and for numbers is two.
static json_t *describe_textures(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->texture_count; i++) {
        const model_texture *texture = &m->textures[i];
        const mipmap *map = &texture->mipmap;
        json_array_append_new(
            list, json_pack("{s:o,s:s,s:s,s:i,s:i,s:i}", "name", text(texture->name), "format",
                            texture->format ? texture->format : "", "content",
                            texture->is_normal_map      ? "normal"
                            : map->format == MIPMAP_U15 ? "color"
                                                        : "numbers",
                            "width", (int)map->level[0].width, "height", (int)map->level[0].height,
                            "levels", (int)map->level_count));
    }
    return list;
}

static json_t *describe_cameras(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->node_count; i++) {
        if (m->nodes[i].camera < 0)
            continue;
        const model_camera *c = &m->cameras[m->nodes[i].camera];
        json_array_append_new(
            list,
            json_pack("{s:o,s:o,s:s,s:f}", "name", text(c->name), "node", text(m->nodes[i].name),
                      "kind", c->orthographic ? "orthographic" : "perspective",
                      c->orthographic ? "height" : "fov",
                      c->orthographic ? 2.0 * (double)c->y_mag
                                      : (double)c->fov_y_rad * (180.0 / 3.14159265358979324)));
    }
    return list;
}

static json_t *describe_lights(const zt_model *m)
{
    static const char *const kinds[] = {"directional", "point", "spot", "unknown"};
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->light_count; i++) {
        const model_light *light = &m->lights[i];
        json_array_append_new(list, json_pack("{s:o,s:s,s:o,s:f}", "name", text(light->name),
                                              "kind", kinds[light->kind], "color",
                                              inspect_numbers(light->color, 3), "intensity",
                                              (double)light->intensity));
    }
    return list;
}

static void add_bounds(json_t *object, const zt_model *m)
{
    float min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < m->mesh_count; i++) {
        for (int k = 0; k < 3; k++) {
            min[k] = m->meshes[i].bounds_min[k] < min[k] ? m->meshes[i].bounds_min[k] : min[k];
            max[k] = m->meshes[i].bounds_max[k] > max[k] ? m->meshes[i].bounds_max[k] : max[k];
        }
    }
    if (min[0] <= max[0]) {
        json_object_set_new(object, "mesh_min", inspect_numbers(min, 3));
        json_object_set_new(object, "mesh_max", inspect_numbers(max, 3));
    }
}

static json_t *describe_model(const zt_model *m)
{
    json_t *o = json_object();
    json_object_set_new(o, "file", text(m->path));
    json_object_set_new(o, "format", text(m->format->name));
    inspect_about(o, m);
    json_object_set_new(o, "triangles", json_integer((json_int_t)m->triangle_count));
    json_object_set_new(o, "vertices", json_integer((json_int_t)m->vertex_count));
    json_object_set_new(o, "nodes", json_integer((json_int_t)m->node_count));
    json_object_set_new(o, "node_list", inspect_nodes(m));
    add_bounds(o, m);
    json_object_set_new(o, "meshes", describe_meshes(m));
    json_object_set_new(o, "materials", inspect_materials(m));
    json_object_set_new(o, "textures", describe_textures(m));
    json_object_set_new(o, "skins", inspect_skins(m));
    json_object_set_new(o, "clips", inspect_clips(m));
    json_object_set_new(o, "cameras", describe_cameras(m));
    json_object_set_new(o, "lights", describe_lights(m));
    json_t *notes = json_array();
    for (uint32_t i = 0; i < m->note_count; i++)
        json_array_append_new(notes, text(m->notes[i]));
    json_object_set_new(o, "notes", notes);
    return o;
}

static json_t *clip_name(const zt_model *model, int32_t clip)
{
    return clip >= 0 ? text(model->clips[clip].name) : json_null();
}

/// What plays over the bottom clip, and what comes after the clips.
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
        json_t *o = json_pack("{s:o,s:o,s:o}", "name", text(x->name), "file", text(x->model->path),
                              "clip", clip_name(x->model, clip));
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
    json_object_set_new(o, "file", text(scene->path));
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
        json_array_append_new(models, describe_model(scene->models[i]));
    json_object_set_new(o, "models", models);
    return o;
}

// ---- Text -------------------------------------------------------------------------------------

// A message on the way into the JSON tree: what loading says is part of what inspect tells.
typedef struct message_list {
    json_t *list;
    const zt_load_def *def;
} message_list;

static void collect_message(void *user, zt_severity severity, const char *line)
{
    message_list *messages = user;
    json_array_append_new(messages->list,
                          json_pack("{s:s,s:o}", "severity",
                                    severity == ZT_NOTE ? "note" : "warning", "text", text(line)));
    if (messages->def->message)
        messages->def->message(messages->def->message_user, severity, line);
}

zt_result zt_inspect(const char *path, const zt_load_def *def, bool json, char **out_text,
                     zt_error *err)
{
    if (!path || !def || def->cookie_ != HANDLE_COOKIE || !out_text)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_inspect: no path, no place for the text, or a load def that "
                       "zt_default_load_def() did not make");
    *out_text = NULL;
    zt_scene *scene = NULL;
    message_list messages = {.list = json_array(), .def = def};
    zt_load_def load = *def;
    load.message = collect_message;
    load.message_user = &messages;
    const zt_result result = zt_scene_load(path, &load, &scene, err);
    if (result == ZT_OK) {
        json_t *tree = scene->from_model ? describe_model(scene->models[0]) : describe_scene(scene);
        if (scene->from_model)
            inspect_bounds(tree, scene);
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
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_scene_list_clips: no scene or no place for the text");
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
