// SPDX-License-Identifier: MIT
/// `camera`: an orbit around a target, a position that looks at a target, or a camera of a model.
#include "base/number.h"
#include "scene/scene_parts.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define POSITION_LIMIT 1e9 // metres

static bool is_auto(const document_node *value)
{
    return value->kind == DOCUMENT_STRING && strcmp(value->text, "auto") == 0;
}

int32_t scene_find_camera(const zt_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *node = &model->nodes[i];
        if (node->camera >= 0 &&
            (strcmp(node->name, name) == 0 || strcmp(model->cameras[node->camera].name, name) == 0))
            return (int32_t)i;
    }
    int64_t index = 0;
    const char *end = name + strlen(name);
    if (number_parse_int64(name, end, &index) != end)
        return -1;
    for (uint32_t i = 0; i < model->node_count; i++)
        if (model->nodes[i].camera >= 0 && index-- == 0)
            return (int32_t)i;
    return -1;
}

// ---- Orbit
// ----------------------------------------------------------------------------------------

static zt_result read_orbit_target(scene_reader *r, const document_node *value, void *target)
{
    scene_camera *camera = target;
    camera->target_auto = is_auto(value);
    if (camera->target_auto)
        return ZT_OK;
    return value_track(r, value, TRACK_VECTOR, -POSITION_LIMIT, POSITION_LIMIT, &camera->target);
}

static zt_result read_azimuth(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_NUMBER, -1e6, 1e6, &((scene_camera *)target)->azimuth_deg);
}

static zt_result read_elevation(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_NUMBER, -90, 90, &((scene_camera *)target)->elevation_deg);
}

static zt_result read_distance(scene_reader *r, const document_node *value, void *target)
{
    scene_camera *camera = target;
    camera->distance_auto = is_auto(value);
    if (camera->distance_auto)
        return ZT_OK;
    return value_track(r, value, TRACK_NUMBER, 1e-6, POSITION_LIMIT, &camera->distance);
}

static zt_result read_orbit(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"target",    read_orbit_target, KEY_OPTIONAL},
        {"azimuth",   read_azimuth,      KEY_OPTIONAL},
        {"elevation", read_elevation,    KEY_OPTIONAL},
        {"distance",  read_distance,     KEY_OPTIONAL},
    };
    ((scene_camera *)target)->kind = SCENE_CAMERA_ORBIT;
    return value_map(r, value, "orbit", keys, COUNT_OF(keys), target);
}

// ---- Look at
// --------------------------------------------------------------------------------------

static zt_result read_position(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_VECTOR, -POSITION_LIMIT, POSITION_LIMIT,
                       &((scene_camera *)target)->position);
}

static zt_result read_target(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_VECTOR, -POSITION_LIMIT, POSITION_LIMIT,
                       &((scene_camera *)target)->target);
}

static zt_result read_up(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_VECTOR, -POSITION_LIMIT, POSITION_LIMIT,
                       &((scene_camera *)target)->up);
}

static zt_result read_look_at(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"position", read_position, KEY_REQUIRED},
        {"target",   read_target,   KEY_REQUIRED},
        {"up",       read_up,       KEY_OPTIONAL},
    };
    scene_camera *camera = target;
    camera->kind = SCENE_CAMERA_LOOK;
    camera->target_auto = camera->distance_auto = false;
    return value_map(r, value, "look_at", keys, COUNT_OF(keys), target);
}

// ---- A camera of a model
// --------------------------------------------------------------------------

typedef struct model_camera_names {
    const char *model, *camera;
} model_camera_names;

static zt_result read_model_name(scene_reader *r, const document_node *value, void *target)
{
    return value_text(r, value, "the name of a model", &((model_camera_names *)target)->model);
}

static zt_result read_camera_name(scene_reader *r, const document_node *value, void *target)
{
    return value_text(r, value, "the name or index of a camera",
                      &((model_camera_names *)target)->camera);
}

static zt_result find_instance(scene_reader *r, const document_node *value, const char *name,
                               int32_t *out)
{
    const zt_scene *scene = r->scene;
    const char **names = ARENA_ARRAY(r->scratch, const char *, scene->instance_count);
    if (!names)
        return arena_fail(r->scratch, r->err, "scene");
    size_t named = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        if (scene->instances[i].name && strcmp(scene->instances[i].name, name) == 0) {
            *out = (int32_t)i;
            return ZT_OK;
        }
        if (scene->instances[i].name)
            names[named++] = scene->instances[i].name;
    }
    const char *nearest = scene_nearest_name(name, names, named);
    return value_fail(r, value, false, "no model is named '%.80s' (%s%.80s%s)", name,
                      nearest ? "did you mean '" : "expected a name from 'models'",
                      nearest ? nearest : "", nearest ? "'?" : "");
}

static zt_result read_model_camera(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"model",  read_model_name,  KEY_OPTIONAL},
        {"camera", read_camera_name, KEY_OPTIONAL},
    };
    scene_camera *camera = target;
    model_camera_names names = {.camera = "0"};
    ZT_TRY(value_map(r, value, "model camera", keys, COUNT_OF(keys), &names));
    camera->kind = SCENE_CAMERA_MODEL;
    camera->instance = 0;
    if (names.model)
        ZT_TRY(find_instance(r, document_member(value, "model"), names.model, &camera->instance));
    const zt_model *model = r->scene->instances[camera->instance].model;
    camera->node = scene_find_camera(model, names.camera);
    if (camera->node >= 0)
        return ZT_OK;
    const char **cameras = ARENA_ARRAY(r->scratch, const char *, model->node_count);
    if (!cameras)
        return arena_fail(r->scratch, r->err, "scene");
    size_t count = 0;
    for (uint32_t i = 0; i < model->node_count; i++)
        if (model->nodes[i].camera >= 0)
            cameras[count++] = model->nodes[i].name;
    const char *nearest = scene_nearest_name(names.camera, cameras, count);
    return value_fail(r, value, false, "no camera '%.80s' in %s (%s%.80s%s)", names.camera,
                      path_name(model->path),
                      nearest ? "did you mean '"
                      : count ? "it has others"
                              : "it has none",
                      nearest ? nearest : "", nearest ? "'?" : "");
}

// ---- Lens
// -----------------------------------------------------------------------------------------

static zt_result read_fov(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_NUMBER, 1, 179, &((scene_camera *)target)->fov_deg);
}

static zt_result read_near(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 1e-6, POSITION_LIMIT, &((scene_camera *)target)->near_m);
}

static zt_result read_far(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 1e-6, POSITION_LIMIT, &((scene_camera *)target)->far_m);
}

static zt_result read_zoom(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 0.001, 1000, &((scene_camera *)target)->zoom);
}

static zt_result read_orthographic(scene_reader *r, const document_node *value, void *target)
{
    scene_camera *camera = target;
    camera->orthographic = true;
    camera->ortho_height = 0.0;
    if (is_auto(value))
        return ZT_OK;
    if (value->kind != DOCUMENT_NUMBER)
        return value_wrong(r, value, "the height of the view in metres, or auto");
    return value_number(r, value, 1e-6, POSITION_LIMIT, &camera->ortho_height);
}

zt_result scene_read_camera(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"orbit",        read_orbit,        KEY_OPTIONAL},
        {"look_at",      read_look_at,      KEY_OPTIONAL},
        {"model",        read_model_camera, KEY_OPTIONAL},
        {"fov",          read_fov,          KEY_OPTIONAL},
        {"near",         read_near,         KEY_OPTIONAL},
        {"far",          read_far,          KEY_OPTIONAL},
        {"zoom",         read_zoom,         KEY_OPTIONAL},
        {"orthographic", read_orthographic, KEY_OPTIONAL},
    };
    scene_camera *camera = &((zt_scene *)target)->camera;
    if (value->kind == DOCUMENT_MAP) {
        const int kinds = (document_member(value, "orbit") != NULL) +
                          (document_member(value, "look_at") != NULL) +
                          (document_member(value, "model") != NULL);
        if (kinds > 1)
            return value_fail(r, value, false,
                              "more than one kind of camera (expected one of "
                              "orbit, look_at, model)");
    }
    ZT_TRY(value_map(r, value, "camera", keys, COUNT_OF(keys), camera));
    if (camera->near_m > 0.0 && camera->far_m > 0.0 && !(camera->far_m > camera->near_m))
        return value_fail(r, document_member(value, "far"), false,
                          "a far plane that is not beyond the near plane (expected far > near)");
    return ZT_OK;
}
