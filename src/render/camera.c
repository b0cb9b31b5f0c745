// SPDX-License-Identifier: MIT
// Cameras: orbit, look-at and model cameras; framing from posed bounds.
#include "render/camera.h"

#include "base/maths.h"
#include "pose/pose.h"

#include <math.h>
#include <string.h>

enum { FRAMING_FRAMES = 256 };             ///< contract: at most this many frames are posed
static const double framing_margin = 0.05; ///< contract: of the picture, on each side
static const double near_share = 1e-3; ///< near plane at this part of the distance to the target

typedef struct framing_job {
    const zt_scene *scene;
    int64_t count;
    float side[POSE_DIRECTIONS][3]; ///< directions that leave the picture, when the view is still
    float (*min)[3], (*max)[3], (*most)[POSE_DIRECTIONS];
    arena *scratch; ///< [workers]
    zt_result *result;
} framing_job;

static int64_t framing_frame(const framing_job *job, int64_t index)
{
    const int64_t last = job->scene->shot.count - 1;
    const int64_t at = job->count > 1 ? index * last / (job->count - 1) : 0;
    return job->scene->shot.frame[at];
}

static void framing_pose(void *user, int64_t index, int32_t worker)
{
    framing_job *job = user;
    arena *scratch = &job->scratch[worker];
    const double time_s = scene_time_of_frame(job->scene, framing_frame(job, index));
    arena_reset(scratch);
    job->result[index] =
        pose_bounds_along(job->scene, time_s, (const float(*)[3])job->side, scratch,
                          job->min[index], job->max[index], job->most[index], NULL);
}

static bool instances_stand_still(const zt_scene *scene)
{
    bool still = true;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *instance = &scene->instances[i];
        still = still && (instance->has_matrix ||
                          (instance->translate.key_count <= 1 && instance->rotate.key_count <= 1 &&
                           instance->scale.key_count <= 1));
    }
    return still;
}

/// Poses the shot: union of the bounds, and how far they reach along `side`.
static zt_result framing_bounds(const zt_scene *scene, job_pool *pool, arena *a,
                                const float side[POSE_DIRECTIONS][3], scene_framing *out,
                                double out_most[POSE_DIRECTIONS], zt_error *err)
{
    const int32_t workers = job_pool_workers(pool);
    framing_job job = {.scene = scene, .count = scene->shot.count};
    memcpy(job.side, side, sizeof job.side);
    if (!isnan(scene->freeze_time_s) && instances_stand_still(scene))
        job.count = 1; // every frame shows the same
    if (job.count > FRAMING_FRAMES)
        job.count = FRAMING_FRAMES;
    job.min = arena_alloc(a, (size_t)job.count, sizeof *job.min);
    job.max = arena_alloc(a, (size_t)job.count, sizeof *job.max);
    job.most = arena_alloc(a, (size_t)job.count, sizeof *job.most);
    job.result = ARENA_ARRAY(a, zt_result, (size_t)job.count);
    job.scratch = ARENA_ARRAY(a, arena, (size_t)workers);
    if (!job.min || !job.max || !job.most || !job.result || !job.scratch)
        return arena_fail(a, err, "framing");
    for (int32_t i = 0; i < workers; i++)
        arena_init(&job.scratch[i], a->budget);
    job_pool_run(pool, job.count, framing_pose, &job);
    for (int32_t i = 0; i < workers; i++)
        arena_finish(&job.scratch[i]);

    for (int k = 0; k < 3; k++) {
        out->min[k] = INFINITY;
        out->max[k] = -INFINITY;
    }
    for (int i = 0; i < POSE_DIRECTIONS; i++)
        out_most[i] = (double)-INFINITY;
    for (int64_t i = 0; i < job.count; i++) {
        if (job.result[i] != ZT_OK)
            return zt_fail(err, job.result[i], "framing: %s", zt_result_name(job.result[i]));
        for (int k = 0; k < 3; k++) {
            out->min[k] = job.min[i][k] < out->min[k] ? job.min[i][k] : out->min[k];
            out->max[k] = job.max[i][k] > out->max[k] ? job.max[i][k] : out->max[k];
        }
        for (int k = 0; k < POSE_DIRECTIONS; k++)
            out_most[k] =
                (double)job.most[i][k] > out_most[k] ? (double)job.most[i][k] : out_most[k];
    }
    return ZT_OK;
}

/// Right-handed axes of an orbit camera: azimuth 0 looks at the front (+Z) and grows
/// counter-clockwise seen from above; elevation grows upwards.
static void orbit_axes(double azimuth_deg, double elevation_deg, view_camera *camera)
{
    double sin_a, cos_a, sin_e, cos_e;
    maths_sincos_deg(azimuth_deg, &sin_a, &cos_a);
    maths_sincos_deg(elevation_deg, &sin_e, &cos_e);
    const double forward[3] = {-sin_a * cos_e, -sin_e, -cos_a * cos_e};
    const double right[3] = {cos_a, 0.0, -sin_a};
    const double up[3] = {-sin_a * sin_e, cos_e, -cos_a * sin_e};
    memcpy(camera->forward, forward, sizeof forward);
    memcpy(camera->right, right, sizeof right);
    memcpy(camera->up, up, sizeof up);
}

static double track_scalar(const track *t, double time_s)
{
    double value[4] = {0.0};
    track_at(t, time_s, value);
    return value[0];
}

static double orbit_azimuth(const zt_scene *scene, int64_t frame)
{
    const double base = track_scalar(&scene->camera.azimuth_deg, scene_time_of_frame(scene, frame));
    if (scene->turntable_count <= 0)
        return base;
    return base + 360.0 * (double)frame / (double)scene->turntable_count;
}

static double focal_of_fov(double fov_deg)
{
    double s, c;
    maths_sincos_deg(fov_deg * 0.5, &s, &c);
    return c / s;
}

/// How an orbit camera sees at one time, as framing needs it.
typedef struct framing_view {
    view_camera axes;
    double focal;
    double room_x, room_y; ///< of the half height that the model may fill, across and up
} framing_view;

static framing_view framing_view_at(const zt_scene *scene, int64_t frame)
{
    const double time_s = scene_time_of_frame(scene, frame);
    const double room = 1.0 - 2.0 * framing_margin;
    framing_view v = {.focal = focal_of_fov(track_scalar(&scene->camera.fov_deg, time_s)),
                      .room_x = room * (double)scene->width / (double)scene->height,
                      .room_y = room};
    orbit_axes(orbit_azimuth(scene, frame), track_scalar(&scene->camera.elevation_deg, time_s),
               &v.axes);
    return v;
}

/// A point c from the target is inside the picture from distance d when |x| focal / room_x <= d + z
/// (and likewise y), z along the line of sight: so d must reach the largest of these four products
/// of the point with a fixed direction. In orthographic views the half height takes d's place.
static void framing_sides(const framing_view *v, bool orthographic, double side[POSE_DIRECTIONS][3])
{
    const double scale = orthographic ? 1.0 : v->focal, depth = orthographic ? 0.0 : 1.0;
    for (int k = 0; k < 3; k++) {
        const double x = v->axes.right[k] * scale / v->room_x;
        const double y = v->axes.up[k] * scale / v->room_y;
        const double z = v->axes.forward[k] * depth;
        side[0][k] = x - z;
        side[1][k] = -x - z;
        side[2][k] = y - z;
        side[3][k] = -y - z;
    }
}

static void framing_grow(scene_framing *f, bool orthographic, double reach)
{
    double *need = orthographic ? &f->half_height : &f->distance;
    *need = reach > *need ? reach : *need;
}

static double along(const double direction[3], const double point[3])
{
    return (direction[0] * point[0] + direction[1] * point[1]) + direction[2] * point[2];
}

/// A camera that turns during the shot: the corners of the bounds must fit in every frame, so that
/// the distance stays the same.
static void framing_fit_box(const zt_scene *scene, int64_t frame, scene_framing *f)
{
    const framing_view v = framing_view_at(scene, frame);
    const bool orthographic = scene->camera.orthographic;
    double side[POSE_DIRECTIONS][3], target[3];
    framing_sides(&v, orthographic, side);
    memcpy(target, f->target, sizeof target);
    if (!scene->camera.target_auto)
        track_at(&scene->camera.target, scene_time_of_frame(scene, frame), target);
    for (int corner = 0; corner < 8; corner++) {
        double from_target[3];
        for (int k = 0; k < 3; k++)
            from_target[k] = (double)((corner >> k & 1) != 0 ? f->max[k] : f->min[k]) - target[k];
        for (int i = 0; i < POSE_DIRECTIONS; i++)
            framing_grow(f, orthographic, along(side[i], from_target));
    }
}

/// A camera that stands still is framed by the vertices themselves.
static bool framing_is_still(const zt_scene *scene)
{
    const scene_camera *c = &scene->camera;
    return scene->turntable_count <= 0 && c->azimuth_deg.key_count == 1 &&
           c->elevation_deg.key_count == 1 && c->fov_deg.key_count == 1 &&
           (c->target_auto || c->target.key_count == 1);
}

/// Centres a still camera between what it sees at the sides: the middle of the bounds is not the
/// middle of the picture under perspective. Two numbers follow from four reaches.
static void framing_fit_still(const zt_scene *scene, const framing_view *v,
                              const double side[POSE_DIRECTIONS][3],
                              const double most[POSE_DIRECTIONS], scene_framing *f)
{
    const bool orthographic = scene->camera.orthographic;
    const double scale = orthographic ? 1.0 : v->focal;
    if (!scene->camera.target_auto)
        track_at(&scene->camera.target, 0.0, f->target);
    double reach[POSE_DIRECTIONS];
    for (int i = 0; i < POSE_DIRECTIONS; i++)
        reach[i] = most[i] - along(side[i], f->target);
    if (scene->camera.target_auto) {
        const double across = (reach[0] - reach[1]) * 0.5 * v->room_x / scale;
        const double upwards = (reach[2] - reach[3]) * 0.5 * v->room_y / scale;
        for (int k = 0; k < 3; k++)
            f->target[k] += v->axes.right[k] * across + v->axes.up[k] * upwards;
        reach[0] = reach[1] = (reach[0] + reach[1]) * 0.5;
        reach[2] = reach[3] = (reach[2] + reach[3]) * 0.5;
    }
    for (int i = 0; i < POSE_DIRECTIONS; i++)
        framing_grow(f, orthographic, reach[i]);
}

zt_result scene_framing_find(const zt_scene *scene, job_pool *pool, budget *memory,
                             scene_framing *out, zt_error *err)
{
    const framing_view v = framing_view_at(scene, scene->shot.frame[0]);
    double side[POSE_DIRECTIONS][3], most[POSE_DIRECTIONS];
    float side_f[POSE_DIRECTIONS][3];
    framing_sides(&v, scene->camera.orthographic, side);
    for (int i = 0; i < POSE_DIRECTIONS; i++)
        for (int k = 0; k < 3; k++)
            side_f[i][k] = (float)side[i][k];

    arena scratch;
    arena_init(&scratch, memory);
    *out = (scene_framing){0};
    const zt_result result =
        framing_bounds(scene, pool, &scratch, (const float(*)[3])side_f, out, most, err);
    arena_finish(&scratch);
    if (result != ZT_OK)
        return result;
    const bool empty = !(out->min[0] <= out->max[0]);
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        if (empty) { // nothing to see: a unit box
            out->min[k] = -0.5f;
            out->max[k] = 0.5f;
        }
        out->target[k] = ((double)out->min[k] + (double)out->max[k]) * 0.5;
        const double extent = (double)out->max[k] - (double)out->min[k];
        size = extent > size ? extent : size;
    }
    if (framing_is_still(scene) && !empty)
        framing_fit_still(scene, &v, (const double(*)[3])side, most, out);
    else
        for (int64_t i = 0; i < scene->shot.count; i++)
            framing_fit_box(scene, scene->shot.frame[i], out);
    const double least = size > 0.0 ? size * 1e-3 : 1.0;
    out->distance = out->distance > least ? out->distance : least;
    out->half_height = out->half_height > least ? out->half_height : least;
    return ZT_OK;
}

/// Farthest corner of the bounds from the eye along the line of sight: orthographic depth range.
static double farthest(const scene_framing *f, const view_camera *camera)
{
    double most = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        double z = 0.0;
        for (int k = 0; k < 3; k++) {
            const double side = (corner >> k & 1) != 0 ? (double)f->max[k] : (double)f->min[k];
            z += (side - camera->eye[k]) * camera->forward[k];
        }
        most = z > most ? z : most;
    }
    return most;
}

static void orbit_camera(const zt_scene *scene, const scene_framing *framing, int64_t frame,
                         view_camera *out)
{
    const scene_camera *c = &scene->camera;
    const double time_s = scene_time_of_frame(scene, frame);
    double target[3], distance = framing->distance;
    memcpy(target, framing->target, sizeof target);
    if (!c->target_auto)
        track_at(&c->target, time_s, target);
    if (!c->distance_auto)
        distance = track_scalar(&c->distance, time_s);
    if (c->zoom > 0.0)
        distance /= c->zoom;
    orbit_axes(orbit_azimuth(scene, frame), track_scalar(&c->elevation_deg, time_s), out);
    if (c->orthographic) { // the distance shows nothing: stand clear of the bounds
        double size = 0.0;
        for (int k = 0; k < 3; k++)
            size += (double)framing->max[k] - (double)framing->min[k];
        distance = distance > size ? distance : size;
    }
    for (int k = 0; k < 3; k++)
        out->eye[k] = target[k] - out->forward[k] * distance;
    out->near_m = distance * near_share;
}

static void look_camera(const zt_scene *scene, const scene_framing *framing, int64_t frame,
                        view_camera *out)
{
    const scene_camera *c = &scene->camera;
    const double time_s = scene_time_of_frame(scene, frame);
    double eye[3], target[3], up[3] = {0.0, 1.0, 0.0}, apart = 0.0;
    track_at(&c->position, time_s, eye);
    memcpy(target, framing->target, sizeof target);
    if (!c->target_auto)
        track_at(&c->target, time_s, target);
    if (c->up.key_count > 0)
        track_at(&c->up, time_s, up);
    view_look_at(out, eye, target, up);
    for (int k = 0; k < 3; k++)
        apart += (target[k] - eye[k]) * (target[k] - eye[k]);
    out->near_m = sqrt(apart) * near_share;
}

static void model_camera_at(const zt_scene *scene, const mat4 *const *world_from_node,
                            view_camera *out)
{
    const scene_camera *c = &scene->camera;
    const zt_model *model = scene->instances[c->instance].model;
    const model_camera *m = &model->cameras[model->nodes[c->node].camera];
    const vec4 *world = world_from_node[c->instance][c->node];
    double eye[3], ahead[3], up[3];
    for (int k = 0; k < 3; k++) {
        eye[k] = (double)world[3][k];
        ahead[k] = eye[k] - (double)world[2][k];
        up[k] = (double)world[1][k];
    }
    view_look_at(out, eye, ahead, up);
    out->near_m = (double)m->near_m;
    out->far_m = (double)m->far_m;
    out->orthographic = m->orthographic;
    out->half_height = (double)m->y_mag;
    out->focal = focal_of_fov((double)m->fov_y_rad * (180.0 / 3.14159265358979323846));
}

void scene_camera_at(const zt_scene *scene, const scene_framing *framing, int64_t frame,
                     const mat4 *const *world_from_node, view_camera *out)
{
    const scene_camera *c = &scene->camera;
    *out = (view_camera){0};
    if (c->kind == SCENE_CAMERA_MODEL) {
        model_camera_at(scene, world_from_node, out);
    } else {
        const double time_s = scene_time_of_frame(scene, frame);
        if (c->kind == SCENE_CAMERA_ORBIT)
            orbit_camera(scene, framing, frame, out);
        else
            look_camera(scene, framing, frame, out);
        out->orthographic = c->orthographic;
        out->focal = focal_of_fov(track_scalar(&c->fov_deg, time_s));
        out->half_height = c->ortho_height > 0.0 ? c->ortho_height * 0.5 : framing->half_height;
        if (c->zoom > 0.0)
            out->half_height /= c->zoom;
    }
    if (c->near_m > 0.0)
        out->near_m = c->near_m;
    if (c->far_m > 0.0)
        out->far_m = c->far_m;
    if (!(out->near_m > 0.0))
        out->near_m = out->orthographic ? 0.0 : 1e-3;
    if (!(out->far_m > out->near_m))
        out->far_m = out->near_m + 1.01 * (farthest(framing, out) + 1e-3);
}
