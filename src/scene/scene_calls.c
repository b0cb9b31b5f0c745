// SPDX-License-Identifier: MIT
/// Camera, lamps and environment of a scene by calls. A def becomes the section of a scene file, as
/// a tree, and the reader of that section checks and takes it: ranges and messages are the same.
#include "base/handle.h"
#include "base/hash.h"
#include "base/jobs.h"
#include "scene/scene_build.h"
#include "scene/scene_origin.h"
#include "scene/scene_read.h"

#include <math.h>
#include <stdio.h>

zt_camera_def zt_default_camera_def(void)
{
    return (zt_camera_def){
        .up = {0.0, 1.0, 0.0}, .fov_deg = 35.0, .height_m = (double)NAN, .cookie_ = HANDLE_COOKIE};
}

zt_light_def zt_default_light_def(void)
{
    return (zt_light_def){.direction = {0.0, -1.0, 0.0},
                          .color = {1.0, 1.0, 1.0},
                          .intensity = (double)NAN,
                          .range_m = (double)NAN,
                          .outer_deg = 45.0,
                          .cookie_ = HANDLE_COOKIE};
}

zt_environment_def zt_default_environment_def(void)
{
    return (zt_environment_def){.intensity = 1.0, .cookie_ = HANDLE_COOKIE};
}

/// The tree of a call while it is built and read.
typedef struct call {
    document_reader reader;
    scene_reading reading;
    arena scratch;
    document_node nowhere; ///< where nodes are when there is no memory
    bool failed;
    uint64_t hash;
    uint64_t float_state;
    zt_scene before; ///< the scene as it was
} call;

static document_node *add(call *c, document_node *parent, const char *key, document_kind kind)
{
    document_node *node = ARENA_ARRAY(&c->scratch, document_node, 1);
    c->failed = c->failed || !node;
    if (!node)
        return &c->nowhere;
    *node = (document_node){.kind = kind, .text = "", .key = key};
    if (parent)
        c->failed = document_append(c->reader.path, parent, node, NULL) != ZT_OK || c->failed;
    c->hash = hash_text(c->hash, key ? key : "");
    return node;
}

/// NaN adds nothing: it is not set.
static void add_number(call *c, document_node *parent, const char *key, double value)
{
    char text[32];
    if (value != value)
        return;
    document_node *node = add(c, parent, key, DOCUMENT_NUMBER);
    snprintf(text, sizeof text, "%.9g", value);
    const char *copy = arena_text(&c->scratch, text, strlen(text));
    c->failed = c->failed || !copy;
    node->number = value;
    node->text = copy ? copy : "";
    c->hash = hash_bytes(c->hash, &value, sizeof value);
}

static void add_vector(call *c, document_node *parent, const char *key, const double v[3])
{
    document_node *list = add(c, parent, key, DOCUMENT_LIST);
    for (int i = 0; i < 3; i++)
        add_number(c, list, NULL, v[i]);
}

/// A point of the user's world.
static void add_point(call *c, document_node *parent, const char *key, const double v[3])
{
    double point[3] = {v[0], v[1], v[2]};
    scene_from_user(c->reading.scene, point);
    add_vector(c, parent, key, point);
}

/// Returns the root of the tree.
static document_node *begin(call *c, zt_scene *scene, const char *name, zt_error *err)
{
    *c = (call){.before = *scene, .reading = {.scene = scene, .by_call = true}, .hash = HASH_START};
    c->reader = (document_reader){.path = name,
                                  .keep = &scene->arena,
                                  .scratch = &c->scratch,
                                  .root_length = FILE_ANYWHERE,
                                  .user = &c->reading,
                                  .err = err};
    arena_init(&c->scratch, &scene->budget_own);
    c->float_state = float_state_enter();
    return add(c, NULL, NULL, DOCUMENT_MAP);
}

/// Ends a call whose scene has been changed, or after a failure is to be as it was before.
static zt_result finish(call *c, zt_result result, zt_error *err)
{
    zt_scene *scene = c->reading.scene;
    if (result == ZT_OK)
        result = scene_light_up(scene, err);
    if (result != ZT_OK) {
        scene_restore(scene, &c->before);
    } else {
        scene_add_input(scene, &c->hash, sizeof c->hash);
        scene->edit_stamp = job_clock_ns();
    }
    float_state_leave(c->float_state);
    arena_finish(&c->scratch);
    if (result != ZT_ERR_FORMAT || c->reading.file_failed)
        return result;
    // The values are the caller's, not those of a file.
    if (err)
        err->code = ZT_ERR_ARGUMENT;
    return ZT_ERR_ARGUMENT;
}

/// Why a tree could not be built.
static zt_result built(const call *c, zt_error *err)
{
    return c->failed ? arena_fail(&c->scratch, err, "the values of a call") : ZT_OK;
}

static zt_result check(const zt_scene *scene, const void *def, uint32_t cookie, const char *name,
                       zt_error *err)
{
    if (scene && def && cookie == HANDLE_COOKIE)
        return ZT_OK;
    return zt_fail(err, ZT_ERR_ARGUMENT,
                   "%s: no scene, or a def that does not come from its zt_default function", name);
}

/// A constant for one point, otherwise a list of keys. `member`: the offset of three numbers in the
/// def, or of one.
static void add_track(call *c, document_node *parent, const char *key, const zt_camera_def *points,
                      int32_t count, size_t member, bool is_vector)
{
    document_node *list = count == 1 ? NULL : add(c, parent, key, DOCUMENT_LIST);
    for (int32_t i = 0; i < count; i++) {
        document_node *to = list ? add(c, list, NULL, DOCUMENT_LIST) : parent;
        const char *name = list ? NULL : key;
        double value[3];
        memcpy(value, (const char *)&points[i] + member, (is_vector ? 3 : 1) * sizeof *value);
        if (list)
            add_number(c, to, NULL, points[i].time_s);
        if (!is_vector)
            add_number(c, to, name, value[0]);
        else if (member == offsetof(zt_camera_def, up))
            add_vector(c, to, name, value);
        else
            add_point(c, to, name, value);
    }
}

zt_result zt_scene_set_camera(zt_scene *scene, const zt_camera_def *points, int32_t count,
                              zt_error *err)
{
    static const char name[] = "zt_scene_set_camera";
    call c;
    if (count < 1)
        return zt_fail(err, ZT_ERR_ARGUMENT, "%s: %d points (expected at least one)", name,
                       (int)count);
    for (int32_t i = 0; i < count; i++) {
        ZT_TRY(check(scene, points, points ? points[i].cookie_ : 0, name, err));
        if (isnan(points[i].fov_deg) || isnan(points[i].time_s))
            return zt_fail(err, ZT_ERR_ARGUMENT, "%s: point %d has no fov_deg or time_s", name,
                           (int)i);
    }
    document_node *root = begin(&c, scene, name, err);
    document_node *look = add(&c, root, "look_at", DOCUMENT_MAP);
    add_track(&c, look, "position", points, count, offsetof(zt_camera_def, eye), true);
    add_track(&c, look, "target", points, count, offsetof(zt_camera_def, target), true);
    add_track(&c, look, "up", points, count, offsetof(zt_camera_def, up), true);
    add_track(&c, root, "fov", points, count, offsetof(zt_camera_def, fov_deg), false);
    add_number(&c, root, "orthographic", points[0].height_m);
    zt_result result = built(&c, err);
    scene->turntable = (scene_turntable){0};
    scene->lights_turn = false;
    scene->directions = 0;
    if (result == ZT_OK)
        result = scene_set_default_camera(scene, err);
    if (result == ZT_OK)
        result = scene_read_camera(&c.reader, root, scene);
    return finish(&c, result, err);
}

static zt_result add_light(call *c, const document_node *root, zt_error *err)
{
    zt_scene *scene = c->reading.scene;
    const scene_light *old = scene->own_lights;
    scene_light *lights;
    ZT_TRY(built(c, err));
    if (scene->own_light_count >= SCENE_LIGHT_LIMIT)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: more than %d lights", c->reader.path,
                       (int)SCENE_LIGHT_LIMIT);
    ZT_TRY(ARENA_TAKE(&scene->arena, &lights, scene->own_light_count + 1, "lights", err));
    for (uint32_t i = 0; i < scene->own_light_count; i++)
        lights[i] = old[i];
    ZT_TRY(scene_read_own_light(&c->reader, root, &lights[scene->own_light_count]));
    scene->own_lights = lights;
    scene->own_light_count++;
    scene->lighting_keys.names_light = true;
    return ZT_OK;
}

zt_result zt_scene_add_light(zt_scene *scene, const zt_light_def *def, zt_error *err)
{
    static const char name[] = "zt_scene_add_light";
    call c;
    ZT_TRY(check(scene, def, def ? def->cookie_ : 0, name, err));
    const char *kind = def->kind ? def->kind : "";
    const bool directional = strcmp(kind, "directional") == 0, spot = strcmp(kind, "spot") == 0;
    document_node *root = begin(&c, scene, name, err);
    document_node *light = add(&c, root, kind, DOCUMENT_MAP);
    if (!directional)
        add_point(&c, light, "position", def->position);
    if (directional || spot)
        add_vector(&c, light, "direction", def->direction);
    add_vector(&c, light, "color", def->color);
    add_number(&c, light, directional ? "lux" : "candela", def->intensity);
    if (!directional)
        add_number(&c, light, "range", def->range_m);
    if (spot) {
        add_number(&c, light, "inner", def->inner_deg);
        add_number(&c, light, "outer", def->outer_deg);
    }
    add_number(&c, light, "size", def->size);
    if (def->shadow)
        add(&c, light, "shadow", DOCUMENT_BOOL)->truth = true;
    return finish(&c, add_light(&c, root, err), err);
}

zt_result zt_scene_set_environment(zt_scene *scene, const zt_environment_def *def, zt_error *err)
{
    static const char name[] = "zt_scene_set_environment";
    call c;
    ZT_TRY(check(scene, def, def ? def->cookie_ : 0, name, err));
    document_node *root = begin(&c, scene, name, err);
    if (def->image) {
        add(&c, root, "image", DOCUMENT_STRING)->text = def->image;
        c.hash = hash_text(c.hash, def->image);
        add_number(&c, root, "rotation", def->rotation_deg);
        add_number(&c, root, "blur", def->blur);
    } else {
        add_vector(&c, root, "sky", def->sky);
        add_vector(&c, root, "ground", def->ground);
    }
    add_number(&c, root, "intensity", def->intensity);
    scene->lighting_keys.has_image = scene->lighting_keys.has_ambient = false;
    zt_result result = built(&c, err);
    if (result == ZT_OK)
        result = scene_read_environment(&c.reader, root, scene);
    return finish(&c, result, err);
}
