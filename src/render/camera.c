// SPDX-License-Identifier: MIT
// Cameras: orbit, look-at and model cameras at the time of a frame.
#include "render/camera.h"

#include "base/dvec3.h"
#include "base/maths.h"
#include "model/model_property.h"
#include "pose/pose.h"
#include "view/view_fit.h"

static const double near_share = 1e-3; ///< near plane, as a part of the distance to the target

static double track_scalar(const track *t, double time_s)
{
    double value[4] = {0.0};
    track_evaluate(t, time_s, value);
    return value[0];
}

void scene_orbit_angles(const zt_scene *scene, frame_time time, double *out_azimuth_deg,
                        double *out_elevation_deg)
{
    const scene_turntable *t = &scene->turntable;
    *out_azimuth_deg = track_scalar(&scene->camera.azimuth_deg, time.shot_s);
    *out_elevation_deg = track_scalar(&scene->camera.elevation_deg, time.shot_s);
    if (t->count <= 0)
        return;
    const double part = ((double)time.frame + time.part) / (double)t->count;
    const double turned = t->eased ? 360.0 * (part * part * (3.0 - 2.0 * part))
                                   : 360.0 * ((double)time.frame + time.part) / (double)t->count;
    *out_azimuth_deg += t->clockwise ? -turned : turned;
    if (t->swings) { // up and down as a cosine: at rest at both ends
        double sine, cosine;
        maths_sincos_deg(turned, &sine, &cosine);
        *out_elevation_deg += (t->half_elevation_deg - *out_elevation_deg) * (0.5 - 0.5 * cosine);
    }
}

void scene_orbit_at(const zt_scene *scene, frame_time time, double turn_deg, view_camera *out)
{
    const scene_camera *c = &scene->camera;
    double azimuth_deg, elevation_deg;
    scene_orbit_angles(scene, time, &azimuth_deg, &elevation_deg);
    view_orbit_axes(out, azimuth_deg + turn_deg, elevation_deg);
    out->orthographic = c->orthographic;
    out->focal = c->orthographic ? 1.0 : view_focal(track_scalar(&c->fov_deg, time.shot_s));
}

zt_result scene_camera_points(const pose_loops *loops, const zt_scene *scene, frame_time time,
                              budget *memory, camera_points *out, zt_error *err)
{
    const scene_camera *c = &scene->camera;
    *out = (camera_points){0};
    if (c->kind != SCENE_CAMERA_MODEL && !c->target_auto)
        ZT_TRY(pose_point(loops, scene, &c->target, time, memory, out->target, err));
    if (c->kind == SCENE_CAMERA_LOOK)
        ZT_TRY(pose_point(loops, scene, &c->position, time, memory, out->position, err));
    return ZT_OK;
}

static void orbit_camera(const zt_scene *scene, const scene_framing *framing, frame_time time,
                         const camera_points *points, view_camera *out)
{
    const scene_camera *c = &scene->camera;
    const double *target = c->target_auto ? framing->target : points->target;
    double distance = framing->distance;
    if (!c->distance_auto)
        distance = track_scalar(&c->distance, time.shot_s);
    if (c->zoom > 0.0)
        distance /= c->zoom;
    double azimuth_deg, elevation_deg;
    scene_orbit_angles(scene, time, &azimuth_deg, &elevation_deg);
    view_orbit_axes(out, azimuth_deg, elevation_deg);
    if (c->orthographic) { // the distance does not change the picture: keep clear of the bounds
        double size = 0.0;
        for (int k = 0; k < 3; k++)
            size += (double)framing->max[k] - (double)framing->min[k];
        distance = distance > size ? distance : size;
    }
    for (int k = 0; k < 3; k++)
        out->eye[k] = target[k] - out->forward[k] * distance;
    out->near_m = distance * near_share;
}

static void look_camera(const zt_scene *scene, const scene_framing *framing, frame_time time,
                        const camera_points *points, view_camera *out)
{
    const scene_camera *c = &scene->camera;
    const double *target = c->target_auto ? framing->target : points->target;
    const double *eye = points->position;
    double up[3] = {0.0, 1.0, 0.0};
    if (c->up.key_count > 0)
        track_evaluate(&c->up, time.shot_s, up);
    view_look_at(out, eye, target, up);
    out->near_m = dvec3_length(dvec3_sub(dvec3_load(target), dvec3_load(eye))) * near_share;
}

static void model_camera_at(const zt_scene *scene, const mat4 *const *world_from_node,
                            const model_property_value *const *properties, view_camera *out)
{
    const scene_camera *c = &scene->camera;
    const zt_model *model = scene->instances[c->instance].model;
    const uint32_t index = (uint32_t)model->nodes[c->node].camera;
    model_camera m = model->cameras[index];
    if (properties[c->instance])
        model_properties_set(model->properties, model->property_count, properties[c->instance],
                             MODEL_OWNER_CAMERA, index, &m);
    const vec4 *world = world_from_node[c->instance][c->node];
    double eye[3], ahead[3], up[3];
    for (int k = 0; k < 3; k++) {
        eye[k] = (double)world[3][k];
        ahead[k] = eye[k] - (double)world[2][k];
        up[k] = (double)world[1][k];
    }
    view_look_at(out, eye, ahead, up);
    out->near_m = (double)m.near_m;
    out->far_m = (double)m.far_m;
    out->orthographic = m.orthographic;
    out->half_height = (double)m.y_mag;
    out->focal = view_focal((double)m.fov_y_rad * MATHS_DEG_FROM_RAD);
}

bool scene_camera_needs_framing(const zt_scene *scene)
{
    const scene_camera *c = &scene->camera;
    if (c->kind == SCENE_CAMERA_MODEL) {
        const zt_model *model = scene->instances[c->instance].model;
        return model->cameras[model->nodes[c->node].camera].orthographic;
    }
    return c->orthographic || c->target_auto || (c->kind == SCENE_CAMERA_ORBIT && c->distance_auto);
}

void scene_camera_at(const zt_scene *scene, const scene_framing *framing, frame_time time,
                     const camera_points *points, const mat4 *const *world_from_node,
                     const model_property_value *const *properties, view_camera *out)
{
    const scene_camera *c = &scene->camera;
    *out = (view_camera){0};
    if (c->kind == SCENE_CAMERA_MODEL) {
        model_camera_at(scene, world_from_node, properties, out);
    } else {
        if (c->kind == SCENE_CAMERA_ORBIT)
            orbit_camera(scene, framing, time, points, out);
        else
            look_camera(scene, framing, time, points, out);
        out->orthographic = c->orthographic;
        out->focal = view_focal(track_scalar(&c->fov_deg, time.shot_s));
        out->half_height = c->ortho_height > 0.0 ? c->ortho_height * 0.5 : framing->half_height;
    }
    if (c->zoom > 0.0) {
        out->half_height /= c->zoom;
        if (c->kind != SCENE_CAMERA_ORBIT) // an orbit camera comes closer instead
            out->focal *= c->zoom;
    }
    if (c->near_m > 0.0)
        out->near_m = c->near_m;
    if (c->far_m > 0.0)
        out->far_m = c->far_m;
    out->clip_m = out->far_m;
    if (!(out->near_m > 0.0))
        out->near_m = out->orthographic ? 0.0 : 1e-3;
    if (!(out->far_m > out->near_m))
        out->far_m =
            out->near_m + 1.01 * (view_bounds_farthest(out, framing->min, framing->max) + 1e-3);
}
