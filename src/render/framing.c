// SPDX-License-Identifier: MIT
// Automatic framing: poses frames of the shot, and finds the target and the distance from which an
// orbit camera sees all of them with a margin (docs/scenes.md, key `distance`).
#include "base/maths.h"
#include "render/camera.h"
#include "render/posed_bounds.h"

#include <math.h>

enum { FRAMING_FRAMES = 256 };    ///< at most this many frames of the shot are posed,
enum { FRAMING_FRAMES_MIN = 32 }; ///< and so many of a shot that many directions see

/// The fit of the scene's orbit camera in one frame.
static view_fit fit_at(const zt_scene *scene, frame_time time, double turn_deg)
{
    view_camera axes = {0};
    scene_orbit_at(scene, time, turn_deg, &axes);
    return view_fit_of(&axes, scene->width, scene->height, scene->camera.margin);
}

/// One posed frame of the shot, seen from one direction.
typedef struct framing_sample {
    frame_time time;
    double turn_deg; ///< angle from the camera's own direction
    camera_points camera;
    float min[3], max[3];
    float support[BOUNDS_DIRECTIONS]; ///< along the four directions, see posed_bounds_along
    zt_result result;
    zt_error err;
} framing_sample;

typedef struct framing_job {
    const kernel_table *kernels;
    const zt_scene *scene;
    const zt_scene *variants; ///< [variant_count] it with each of the clips to frame, or itself
    uint32_t variant_count;
    const spring_trail *trail;
    int64_t frames, directions;
    int64_t count;           ///< variant_count * frames * directions
    framing_sample *samples; ///< [count] by variant, frame, direction
    arena *scratch;          ///< [workers]
} framing_job;

static void framing_pose(void *user, int64_t index, int32_t worker)
{
    framing_job *job = user;
    framing_sample *sample = &job->samples[index];
    arena *scratch = &job->scratch[worker];
    const zt_scene *scene = &job->variants[index / (job->frames * job->directions)];
    const int64_t last = scene->shot.count - 1, frame = index / job->directions % job->frames;
    const int64_t at = job->frames > 1 ? frame * last / (job->frames - 1) : 0;
    sample->turn_deg = 360.0 * (double)(index % job->directions) / (double)job->directions;
    sample->time = scene_frame_time(scene, scene->shot.frame[at]);
    sample->time.trail = job->trail;
    const view_fit fit = fit_at(scene, sample->time, sample->turn_deg);
    float side[BOUNDS_DIRECTIONS][3];
    for (int i = 0; i < BOUNDS_DIRECTIONS; i++)
        for (int k = 0; k < 3; k++)
            side[i][k] = (float)fit.side[i][k];
    arena_reset(scratch);
    if (budget_cancelled(scratch->budget)) {
        sample->result = ZT_ERR_CANCELLED;
        return;
    }
    sample->result = scene_camera_points(job->kernels->pose, scene, sample->time, scratch->budget,
                                         &sample->camera, &sample->err);
    if (sample->result != ZT_OK)
        return;
    sample->result =
        posed_bounds_along(job->kernels, scene, sample->time, (const float(*)[3])side, scratch,
                           sample->min, sample->max, sample->support, &sample->err);
}

static bool camera_is_still(const zt_scene *scene)
{
    const scene_camera *c = &scene->camera;
    return scene->turntable.count <= 0 && c->azimuth_deg.key_count == 1 &&
           c->elevation_deg.key_count == 1 && c->fov_deg.key_count == 1 &&
           (c->target_auto || (c->target.at.key_count == 1 && !c->target.follow));
}

static bool instances_are_still(const zt_scene *scene)
{
    bool still = true;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *instance = &scene->instances[i];
        still = still && instance->ik_count == 0 && instance->bone_key_count == 0 &&
                !scene_springs(instance) &&
                instance->parent_change_count == 0 && // whose targets and weights may move
                !instance->path &&
                (instance->has_matrix ||
                 (instance->translate.key_count <= 1 && instance->rotate.key_count <= 1 &&
                  instance->scale.key_count <= 1));
        for (uint32_t k = 0; k < instance->morph_count; k++)
            still = still && instance->morphs[k].weight.key_count <= 1;
        for (uint32_t k = 0; k < instance->expression_count; k++)
            still = still && instance->expressions[k].weight.key_count <= 1;
    }
    return still;
}

static zt_result make_variants(framing_job *job, arena *a, zt_error *err)
{
    const zt_scene *scene = job->scene;
    zt_scene *variants;
    job->variants = scene;
    job->variant_count = 1;
    if (scene->framed_count == 0)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(a, &variants, scene->framed_count, "framing", err));
    for (uint32_t i = 0; i < scene->framed_count; i++) {
        scene_instance *instance;
        ZT_TRY(ARENA_TAKE_RAW(a, &instance, 1, "framing", err));
        *instance = scene->instances[0];
        instance->layers = &scene->framed[i].layer;
        instance->layer_count = 1;
        variants[i] = *scene;
        variants[i].instances = instance;
        variants[i].shot = scene->framed[i].shot;
    }
    job->variants = variants;
    job->variant_count = scene->framed_count;
    return ZT_OK;
}

/// Poses at most FRAMING_FRAMES frames of the shot into job->samples, and finds their bounds.
static zt_result framing_bounds(framing_job *job, job_pool *pool, int32_t workers, arena *a,
                                scene_framing *out, zt_error *err)
{
    const zt_scene *scene = job->scene;
    job->directions = scene->directions > 1 ? scene->directions : 1;
    ZT_TRY(make_variants(job, a, err));
    job->frames = 1;
    for (uint32_t i = 0; i < job->variant_count; i++)
        if (job->variants[i].shot.count > job->frames)
            job->frames = job->variants[i].shot.count;
    if (!isnan(scene->freeze_time_s) && instances_are_still(scene) && camera_is_still(scene))
        job->frames = 1; // all frames are the same
    int64_t limit = FRAMING_FRAMES / job->directions;
    limit = limit < FRAMING_FRAMES_MIN ? FRAMING_FRAMES_MIN : limit;
    job->frames = job->frames < limit ? job->frames : limit;
    job->count = (int64_t)job->variant_count * job->frames * job->directions;
    job->samples = ARENA_ARRAY(a, framing_sample, (size_t)job->count);
    job->scratch = ARENA_ARRAY(a, arena, (size_t)workers);
    if (!job->samples || !job->scratch)
        return arena_fail(a, err, "framing");
    for (int32_t i = 0; i < workers; i++)
        arena_init(&job->scratch[i], a->budget);
    job_pool_run_on(pool, workers, job->count, framing_pose, job);
    for (int32_t i = 0; i < workers; i++)
        arena_finish(&job->scratch[i]);

    for (int k = 0; k < 3; k++) {
        out->min[k] = INFINITY;
        out->max[k] = -INFINITY;
    }
    for (int64_t i = 0; i < job->count; i++) {
        const framing_sample *s = &job->samples[i];
        if (s->result == ZT_ERR_CANCELLED)
            return cancel_fail(err);
        if (s->result != ZT_OK)
            return zt_fail(err, s->result, "framing: %s", s->err.message);
        for (int k = 0; k < 3; k++) {
            out->min[k] = s->min[k] < out->min[k] ? s->min[k] : out->min[k];
            out->max[k] = s->max[k] > out->max[k] ? s->max[k] : out->max[k];
        }
    }
    return ZT_OK;
}

/// The lowest point of the scene as its models are at rest, where the shot begins.
static zt_result lowest_at_rest(const framing_job *job, arena *a, double *out, zt_error *err)
{
    zt_scene rest = *job->scene;
    rest.instances = ARENA_ARRAY(a, scene_instance, rest.instance_count);
    if (rest.instance_count > 0 && !rest.instances)
        return arena_fail(a, err, "the ground");
    for (uint32_t i = 0; i < rest.instance_count; i++) {
        rest.instances[i] = job->scene->instances[i];
        rest.instances[i].layer_count = rest.instances[i].ik_count = 0;
        rest.instances[i].bone_key_count = rest.instances[i].morph_count = 0;
        rest.instances[i].expression_count = 0;
    }
    float min[3], max[3];
    ZT_TRY(posed_bounds(job->kernels, &rest, job->samples[0].time, a, min, max, err));
    if (min[1] <= max[1]) // else nothing shows at rest
        *out = (double)min[1];
    return ZT_OK;
}

/// Poses after the first one that are all higher, or all lower, by more than this share of the
/// scene's height: the shot has left the ground of its first pose for good.
static const double ground_tolerance = 0.02;

/// The ground is at the lowest point of the first pose: a sword that dips below it later does not
/// lift the knight. If all later poses are higher, as where a T-pose hangs below a clip, they stand
/// on the lowest of them; if all are lower, as in a fall, at what a quarter of them is not above.
static double ground_of_shot(const framing_job *job, const scene_framing *f)
{
    const double first = (double)job->samples[0].min[1];
    const double margin = ground_tolerance * ((double)f->max[1] - (double)f->min[1]);
    double lowest = HUGE_VAL, highest = -HUGE_VAL;
    for (int64_t i = job->directions; i < job->count; i += job->directions) {
        lowest = maths_min(lowest, (double)job->samples[i].min[1]);
        highest = maths_max(highest, (double)job->samples[i].min[1]);
    }
    if (job->frames > 1 && lowest > first + margin)
        return lowest;
    if (job->frames < 2 || highest >= first - margin)
        return first;
    double quarter = highest;
    for (int64_t i = job->directions; i < job->count; i += job->directions) {
        const double height = (double)job->samples[i].min[1];
        int64_t below = 0;
        for (int64_t k = job->directions; k < job->count; k += job->directions)
            below += (double)job->samples[k].min[1] <= height;
        if (4 * below >= job->frames - 1 && height < quarter)
            quarter = height;
    }
    return quarter;
}

static zt_result framing_ground(const framing_job *job, arena *a, scene_framing *f, zt_error *err)
{
    const zt_scene *scene = job->scene;
    f->ground_m = scene->ground_height == SCENE_GROUND_METRES ? scene->ground_m - scene->origin[1]
                  : scene->ground_height == SCENE_GROUND_SHOT ? (double)f->min[1]
                                                              : ground_of_shot(job, f);
    if (scene->ground_height == SCENE_GROUND_REST)
        return lowest_at_rest(job, a, &f->ground_m, err);
    return ZT_OK;
}

/// The largest offset of the shot from the target, along each of the four directions.
static void framing_reach(const framing_job *job, const scene_framing *f,
                          double out_reach[BOUNDS_DIRECTIONS])
{
    const scene_camera *c = &job->scene->camera;
    for (int i = 0; i < BOUNDS_DIRECTIONS; i++)
        out_reach[i] = 0.0;
    for (int64_t n = 0; n < job->count; n++) {
        const framing_sample *s = &job->samples[n];
        const view_fit fit = fit_at(job->scene, s->time, s->turn_deg);
        const double *target = c->target_auto ? f->target : s->camera.target;
        for (int i = 0; i < BOUNDS_DIRECTIONS; i++) {
            const double reach = view_fit_reach(&fit, i, (double)s->support[i], target);
            out_reach[i] = n == 0 || reach > out_reach[i] ? reach : out_reach[i];
        }
    }
}

/// Moves the target to the centre of the picture, which in perspective is not the bounds' centre. A
/// still camera is centred right and up; a moving one along the vertical, over all frames.
static void framing_centre(const framing_job *job, scene_framing *f)
{
    const bool still = camera_is_still(job->scene) && job->directions == 1;
    const view_fit fit = fit_at(job->scene, job->samples[0].time, 0.0);
    double reach[BOUNDS_DIRECTIONS];
    framing_reach(job, f, reach);
    double right, up;
    view_fit_centre(&fit, reach, &right, &up);
    if (!still) { // along world +Y, which an elevated camera sees foreshortened
        const double seen = fabs(fit.axes.up[1]) > 0.1 ? fit.axes.up[1] : 1.0;
        f->target[1] += up / seen;
        return;
    }
    for (int k = 0; k < 3; k++)
        f->target[k] += fit.axes.right[k] * right + fit.axes.up[k] * up;
}

zt_result scene_framing_find(const kernel_table *kernels, const zt_scene *scene,
                             const spring_trail *trail, job_pool *pool, int32_t workers,
                             budget *memory, scene_framing *out, zt_error *err)
{
    arena scratch;
    framing_job job = {.kernels = kernels, .scene = scene, .trail = trail};
    arena_init(&scratch, memory);
    *out = (scene_framing){0};
    zt_result result = framing_bounds(&job, pool, workers, &scratch, out, err);
    const bool empty = !(out->min[0] <= out->max[0]);
    if (result == ZT_OK && !empty)
        result = framing_ground(&job, &scratch, out, err);
    if (result != ZT_OK) {
        arena_finish(&scratch);
        return result;
    }
    double size = 0.0, reach[BOUNDS_DIRECTIONS] = {1.0, 1.0, 1.0, 1.0};
    for (int k = 0; k < 3; k++) {
        if (empty) { // no vertices: a unit box
            out->min[k] = -0.5f;
            out->max[k] = 0.5f;
            out->ground_m = -0.5;
        }
        out->target[k] = ((double)out->min[k] + (double)out->max[k]) * 0.5;
        const double extent = (double)out->max[k] - (double)out->min[k];
        size = extent > size ? extent : size;
    }
    if (!empty) {
        if (scene->camera.target_auto)
            framing_centre(&job, out);
        framing_reach(&job, out, reach);
    }
    arena_finish(&scratch);
    double need = size > 0.0 ? size * 1e-3 : 1.0;
    for (int i = 0; i < BOUNDS_DIRECTIONS; i++)
        need = reach[i] > need ? reach[i] : need;
    out->distance = out->half_height = need;
    return ZT_OK;
}
