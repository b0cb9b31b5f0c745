// SPDX-License-Identifier: MIT
// Times are the middles of equal parts of the open time, in order. Places on the lens and in the
// pixel are Sobol's first two sequences, scrambled by Owen's rule, so that no speed and no
// direction meets their order; so all three together are spread evenly.
#include "render/subframes.h"

#include "base/maths.h"
#include "pose/pose.h"
#include "raster/tile.h"
#include "trace/ray_numbers.h"

enum {
    COUNT_AUTO_MIN = 16, ///< of auto, where anything is blurred
    COUNT_AUTO_MAX = 256,
    COUNT_FINE = 64,  ///< from here on sub-frames have all samples of the scene,
    COUNT_EXACT = 128 ///< and from here on at least 16, if the limit allows
};

static double number_at(const track *t, double time_s)
{
    double value[4] = {0.0};
    if (t->key_count > 0)
        track_evaluate(t, time_s, value);
    return value[0];
}

/// A place in a square. Pairs after the first take the points in another order. Of 400 seeds these
/// have the least errors along edges of all directions and speeds.
static void place_of(int32_t index, uint32_t pair, double out[2])
{
    const uint32_t seed[2] = {0x0a2dc151u + pair, 0xd6ac901au + pair};
    sobol_pair(pair > 0 ? sobol_scramble((uint32_t)index, 0x9e3779b9u * pair) : (uint32_t)index,
               seed, out);
}

zt_result subframe_plan_make(const zt_scene *scene, frame_time time, arena *a, subframe_plan *out,
                             zt_error *err)
{
    const scene_blur *b = &scene->blur;
    const double frame_s = (double)scene->fps_denominator / scene->fps_numerator;
    double open_s = number_at(&b->shutter, time.shot_s);
    if (!b->shutter_seconds)
        open_s *= frame_s / 360.0;
    const double middle_s = time.shot_s + b->shutter_phase * open_s;
    *out = (subframe_plan){.from_s = middle_s - 0.5 * open_s,
                           .to_s = middle_s + 0.5 * open_s,
                           .open = number_at(&b->aperture, time.shot_s) > 0.0,
                           .count = b->subframes};
    if (scene->look == SCENE_LOOK_SKELETON) // bones are drawn over the picture
        *out = (subframe_plan){.count = 1};
    else if (!(open_s > 0.0))
        out->from_s = out->to_s = time.shot_s;
    return out->to_s > out->from_s ? pose_unstepped(scene, time, a, &out->from_s, &out->to_s, err)
                                   : ZT_OK;
}

int32_t subframe_count_for(const zt_scene *scene, double motion, double circle)
{
    const double wanted = maths_max(motion * 1.5, circle * circle * 0.25);
    const double sharp = scene->blur.shutter_phase == 0.0 ? 0.5 : 0.05; // or it is moved
    int32_t count = COUNT_AUTO_MIN, limit = scene_blur_subframes_max(scene);
    if (maths_max(motion, circle) < sharp)
        return 1;
    while (count < wanted && count < COUNT_AUTO_MAX)
        count *= 2;
    return count < limit ? count : limit;
}

/// A point in the opening of unit radius, from two numbers in [0, 1).
static void opening_at(const scene_blur *b, const double u[2], double out[2])
{
    const double radius = sqrt(u[1]);
    const int32_t blades = b->blades;
    double corner[2][2], part = u[0] * blades;
    if (blades == 0) {
        maths_sincos_deg(360.0 * u[0], &out[1], &out[0]);
        out[0] *= radius;
        out[1] *= radius;
        return;
    }
    const double first = floor(part);
    part -= first;
    for (int i = 0; i < 2; i++)
        maths_sincos_deg(b->blades_turn_deg + 360.0 * (first + i) / blades, &corner[i][0],
                         &corner[i][1]); // corner 0 is on top
    for (int k = 0; k < 2; k++)
        out[k] = radius * ((1.0 - part) * corner[0][k] + part * corner[1][k]);
}

/// Few sub-frames have all samples, as they differ little. Some have one each, at places over the
/// whole pixel. Many are asked for to be exact.
static int32_t samples_of(const zt_scene *scene, int32_t count)
{
    const int64_t all = (int64_t)count * 16 / scene->samples;
    if (count >= COUNT_EXACT && scene->samples < 16 && all <= scene_blur_subframes_max(scene))
        return 16;
    return count >= COUNT_AUTO_MIN && count < COUNT_FINE ? 1 : scene->samples;
}

subframe subframe_at(const zt_scene *scene, const subframe_plan *plan, int32_t index)
{
    const int32_t count = plan->count;
    subframe s = {.index = index,
                  .count = count,
                  .focus_m = plan->focus_m,
                  .samples = samples_of(scene, count)};
    s.time_s = plan->from_s + (plan->to_s - plan->from_s) * ((index + 0.5) / count);
    int32_t grid[2];
    double lens[2], pixel[2];
    place_of(index, 0, lens);
    place_of(index, plan->open, pixel);
    even_pattern(s.samples, grid);
    if (plan->open)
        opening_at(&scene->blur, lens, s.lens);
    for (int k = 0; k < 2; k++)
        s.pixel[k] = (pixel[k] - 0.5) / grid[k];
    return s;
}

int32_t subframe_light_samples(const subframe *s, const zt_scene *scene)
{
    const int32_t groups = scene->light_samples / 16;
    return s ? 16 * ((groups + s->count - 1) / s->count) : scene->light_samples;
}

frame_time subframe_time(const zt_scene *scene, frame_time frame, double shot_s)
{
    frame_time time = scene_shot_time(scene, shot_s);
    time.frame = frame.frame;
    time.part = (shot_s - frame.shot_s) * scene->fps_numerator / scene->fps_denominator;
    time.trail = frame.trail;
    return time;
}

double lens_radius(const zt_scene *scene, frame_time time, const view_camera *camera)
{
    const scene_blur *b = &scene->blur;
    const double value = number_at(&b->aperture, time.shot_s);
    if (!b->aperture_stops || !(value > 0.0))
        return value;
    return 0.5 * b->sensor_m * camera->focal / (2.0 * value);
}

zt_result lens_focus(const zt_scene *scene, const pose_loops *loops, frame_time time,
                     const view_camera *camera, double auto_m, budget *memory, double *out,
                     zt_error *err)
{
    const scene_blur *b = &scene->blur;
    if (camera->orthographic)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "%s: an aperture with an orthographic camera (expected perspective)",
                       scene->path);
    *out = auto_m;
    if (b->focus == SCENE_FOCUS_DISTANCE)
        *out = number_at(&b->focus_m, time.shot_s);
    if (b->focus == SCENE_FOCUS_POINT) {
        double at[3];
        ZT_TRY(pose_point(loops, scene, &b->focus_point, time, memory, at, err));
        *out = dvec3_dot(dvec3_sub(dvec3_load(at), dvec3_load(camera->eye)),
                         dvec3_load(camera->forward));
    }
    if (!(*out > 0.0))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "%s: the focus is behind the eye (expected a place in front of the camera)",
                       scene->path);
    return ZT_OK;
}

zt_result subframe_aim(const subframe *s, const zt_scene *scene, const pose_loops *loops,
                       frame_time time, int32_t height, budget *memory, view_camera *camera,
                       zt_error *err)
{
    camera->shift[0] -= 2.0 * s->pixel[0] / height;
    camera->shift[1] += 2.0 * s->pixel[1] / height;
    const double radius = lens_radius(scene, time, camera);
    double focus;
    if (!(radius > 0.0))
        return ZT_OK;
    ZT_TRY(lens_focus(scene, loops, time, camera, s->focus_m, memory, &focus, err));
    for (int k = 0; k < 2; k++) {
        const double aside = s->lens[k] * radius;
        const dvec3 axis = dvec3_load(k == 0 ? camera->right : camera->up);
        dvec3_store(dvec3_add(dvec3_load(camera->eye), dvec3_scale(axis, aside)), camera->eye);
        camera->shift[k] += camera->focal * aside / focus;
    }
    return ZT_OK;
}
