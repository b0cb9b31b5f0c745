// SPDX-License-Identifier: MIT
/// `camera`: an orbit around a target, a position that looks at a target, or a camera of a model.
#include "scene/scene_names.h"
#include "scene/scene_read.h"

#define POSITION_LIMIT 1e9 // metres

static zt_result read_orbit_target(document_reader *r, const document_node *value, void *target)
{
    scene_camera *camera = target;
    camera->target_auto = document_is(value, "auto");
    if (camera->target_auto)
        return ZT_OK;
    return scene_read_point(r, value, &camera->target);
}

static zt_result read_distance(document_reader *r, const document_node *value, void *target)
{
    scene_camera *camera = target;
    camera->distance_auto = document_is(value, "auto");
    if (camera->distance_auto)
        return ZT_OK;
    return value_track(r, value, TRACK_NUMBER, 1e-6, POSITION_LIMIT, &camera->distance);
}

static zt_result read_orbit(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("target", KEY_OPTIONAL, read_orbit_target),
        KEY_TRACK("azimuth", KEY_OPTIONAL, scene_camera, azimuth_deg, TRACK_NUMBER, -1e6, 1e6),
        KEY_TRACK("elevation", KEY_OPTIONAL, scene_camera, elevation_deg, TRACK_NUMBER, -90, 90),
        KEY_READ("distance", KEY_OPTIONAL, read_distance),
    };
    ((scene_camera *)target)->kind = SCENE_CAMERA_ORBIT;
    return value_map(r, value, "orbit", keys, COUNT_OF(keys), target);
}

static zt_result read_look_at(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ_INTO("position", KEY_REQUIRED, scene_read_point, scene_camera, position),
        KEY_READ_INTO("target", KEY_REQUIRED, scene_read_point, scene_camera, target),
        KEY_TRACK("up", KEY_OPTIONAL, scene_camera, up, TRACK_VECTOR, -POSITION_LIMIT,
                  POSITION_LIMIT),
    };
    scene_camera *camera = target;
    camera->kind = SCENE_CAMERA_LOOK;
    camera->target_auto = camera->distance_auto = false;
    return value_map(r, value, "look_at", keys, COUNT_OF(keys), target);
}

typedef struct model_camera_keys {
    const document_node *model, *camera;
} model_camera_keys;

static zt_result fail_camera(document_reader *r, const document_node *value, const zt_model *model)
{
    name_list valid = {.word = value->text};
    for (uint32_t i = 0; i < model->node_count; i++)
        if (model->nodes[i].camera >= 0)
            name_list_add(&valid, model->nodes[i].name);
    return scene_fail_name(r, value, false, "camera", path_name(model->path), &valid);
}

static zt_result read_model_camera(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_NODE("model", KEY_OPTIONAL, model_camera_keys, model),
        KEY_NODE("camera", KEY_OPTIONAL, model_camera_keys, camera),
    };
    scene_camera *camera = target;
    model_camera_keys names = {0};
    ZT_TRY(value_map(r, value, "model camera", keys, COUNT_OF(keys), &names));
    camera->kind = SCENE_CAMERA_MODEL;
    camera->instance = 0;
    if (names.model)
        ZT_TRY(scene_read_instance(r, names.model, &camera->instance));
    if (names.camera)
        ZT_TRY(value_check_text(r, names.camera, "the name or index of a camera"));
    if (scene_of(r)->instance_count == 0)
        return value_fail(r, value, false, "a model's camera in a scene without models");
    const zt_model *model = scene_of(r)->instances[camera->instance].model;
    camera->node = scene_find_camera(model, names.camera ? names.camera->text : "0");
    if (camera->node >= 0)
        return ZT_OK;
    return names.camera ? fail_camera(r, names.camera, model)
                        : value_fail(r, value, false, "%.80s has no camera (expected one)",
                                     path_name(model->path));
}

static zt_result read_orthographic(document_reader *r, const document_node *value, void *target)
{
    scene_camera *camera = target;
    camera->orthographic = true;
    camera->ortho_height = 0.0;
    if (document_is(value, "auto"))
        return ZT_OK;
    if (value->kind != DOCUMENT_NUMBER)
        return value_wrong(r, value, "the height of the view in metres, or auto");
    return value_number(r, value, 1e-6, POSITION_LIMIT, &camera->ortho_height);
}

zt_result scene_read_camera(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ_INTO("orbit", KEY_OPTIONAL, read_orbit, zt_scene, camera),
        KEY_READ_INTO("look_at", KEY_OPTIONAL, read_look_at, zt_scene, camera),
        KEY_READ_INTO("model", KEY_OPTIONAL, read_model_camera, zt_scene, camera),
        KEY_TRACK("fov", KEY_OPTIONAL, zt_scene, camera.fov_deg, TRACK_NUMBER, 1, 179),
        KEY_NUMBER("near", KEY_OPTIONAL, zt_scene, camera.near_m, 1e-6, POSITION_LIMIT),
        KEY_NUMBER("far", KEY_OPTIONAL, zt_scene, camera.far_m, 1e-6, POSITION_LIMIT),
        KEY_NUMBER("zoom", KEY_OPTIONAL, zt_scene, camera.zoom, 0.001, 1000),
        KEY_NUMBER("margin", KEY_OPTIONAL, zt_scene, camera.margin, 0.0, 0.45),
        KEY_READ_INTO("orthographic", KEY_OPTIONAL, read_orthographic, zt_scene, camera),
        KEY_READ_INTO("aperture", KEY_OPTIONAL, scene_read_aperture, zt_scene, blur),
        KEY_READ_INTO("focus", KEY_OPTIONAL, scene_read_focus, zt_scene, blur),
        KEY_READ_INTO("blades", KEY_OPTIONAL, scene_read_blades, zt_scene, blur),
    };
    const scene_camera *camera = &((zt_scene *)target)->camera;
    if (value->kind == DOCUMENT_MAP) {
        const int kinds = (document_member(value, "orbit") != NULL) +
                          (document_member(value, "look_at") != NULL) +
                          (document_member(value, "model") != NULL);
        if (kinds > 1)
            return value_fail(r, value, false,
                              "more than one kind of camera (expected one of "
                              "orbit, look_at, model)");
    }
    ZT_TRY(value_map(r, value, "camera", keys, COUNT_OF(keys), target));
    if (camera->near_m > 0.0 && camera->far_m > 0.0 && !(camera->far_m > camera->near_m))
        return value_fail(r, document_member(value, "far"), false,
                          "a far plane that is not beyond the near plane (expected far > near)");
    zt_error problem = {0};
    if (scene_blur_check(target, &problem) == ZT_OK)
        return ZT_OK;
    const document_node *aperture = document_member(value, "aperture");
    return value_fail(r, aperture ? aperture : value, false, "%s", problem.message);
}
