// SPDX-License-Identifier: MIT
#include "base/maths.h"
#include "retarget/clip_seam.h"
#include "shot/shot.h"

#include <math.h>

enum { COUNT_LIMIT = 36000 };
static const double bend_max = 0.1;        ///< largest change of the speed of clips
static const double gap_max_frames = 0.05; ///< between the end of clip and turn: nobody sees it
/// For a clip that is a cycle: its last pose is at most so many of its steps of 1/24 s from the
/// first (one where the last key is a frame before the first), or as near as nobody sees.
static const double seam_step_s = 1.0 / 24.0, seam_max_steps = 2.0, seam_max_size = 0.01;

bool turntable_asked(const zt_shot_def *def)
{
    return def->turntable_count != 0 || !isnan(def->turntable_duration_s) ||
           def->turntable_loops != 0;
}

/// Seconds after which the clip of a layer repeats; 0: it does not, or is too irregular.
static double layer_cycle_s(const scene_instance *instance, const scene_layer *layer)
{
    if (layer->clip < 0 || layer->loop == SCENE_LOOP_ONCE || layer->speed == 0.0 ||
        layer->speed_keys)
        return 0.0;
    const scene_clip_range range = scene_layer_range(layer, &instance->model->clips[layer->clip]);
    const double length_s = (range.end_s - range.start_s) / fabs(layer->speed);
    return layer->loop == SCENE_LOOP_PING_PONG ? 2.0 * length_s : length_s;
}

/// Whole cycles of a clip that are nearest to the frames of a turn.
static double nearest_cycles(double turn_frames, double cycle_frames)
{
    return maths_max(1.0, floor(turn_frames / cycle_frames + 0.5));
}

/// The clip that turns are fitted to.
typedef struct turntable_clip {
    const char *name;
    double frames; ///< length of a cycle; 0: nothing repeats
    const scene_instance *instance;
    const scene_layer *layer;
} turntable_clip;

/// The first clip that repeats, in other times than `cycle_frames`; layers in step share a cycle.
static turntable_clip find_clip(const zt_scene *scene, double turn_frames, double rate)
{
    const double fps = (double)scene->fps_numerator / (double)scene->fps_denominator;
    if (!isnan(scene->freeze_time_s))
        return (turntable_clip){0};
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *instance = &scene->instances[i];
        for (uint32_t k = 0; k < instance->layer_count; k++) {
            const scene_layer *layer = &instance->layers[k];
            const double frames = layer_cycle_s(instance, layer) * fps / rate;
            if (!(frames > 0.0) || (k > 0 && layer->sync))
                continue;
            const double cycles = turn_frames > 0.0 ? floor(turn_frames / frames + 0.5) : 0.0;
            if (cycles >= 1.0 && fabs(turn_frames - cycles * frames) <= gap_max_frames)
                continue;
            return (turntable_clip){instance->model->clips[layer->clip].name, frames, instance,
                                    layer};
        }
    }
    return (turntable_clip){0};
}

static bool any_springs(const zt_scene *scene)
{
    for (uint32_t i = 0; i < scene->instance_count; i++)
        if (scene_springs(&scene->instances[i]))
            return true;
    return false;
}

static zt_result check(const zt_shot_def *def, zt_error *err)
{
    if (def->turntable_count < 0 || def->turntable_count > COUNT_LIMIT)
        return zt_fail(err, ZT_ERR_ARGUMENT, "count %d (expected 1 to %d)", def->turntable_count,
                       COUNT_LIMIT);
    if (def->turntable_loops < 0 || def->turntable_loops > COUNT_LIMIT)
        return zt_fail(err, ZT_ERR_ARGUMENT, "loops %d (expected 1 to %d)", def->turntable_loops,
                       COUNT_LIMIT);
    if (def->turntable_duration_s <= 0.0 || def->turntable_duration_s > 1e6)
        return zt_fail(err, ZT_ERR_ARGUMENT, "duration %.9g (expected above 0 to 1e6 s)",
                       def->turntable_duration_s);
    if (def->turntable_count > 0 && def->turntable_duration_s > 0.0)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "--count and --duration cannot be combined (expected one: frames are "
                       "duration x fps)");
    const double elevation = def->turntable_elevation_deg;
    if (elevation == elevation && !(elevation >= -90.0 && elevation <= 90.0))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "elevation %.9g after half of the turn (expected -90 "
                       "to 90)",
                       elevation);
    return ZT_OK;
}

static void set_path(scene_turntable *t, const zt_shot_def *def)
{
    t->clockwise = def->turntable_clockwise;
    t->eased = def->turntable_eased;
    t->swings = def->turntable_elevation_deg == def->turntable_elevation_deg;
    t->half_elevation_deg = t->swings ? def->turntable_elevation_deg : 0.0;
}

/// Warns of a clip that is elsewhere when the turn ends, and says what would close it.
static void warn_open(const zt_scene *scene, const message_sink *sink, double rate)
{
    const double turn = (double)scene->turntable.count;
    const turntable_clip open = find_clip(scene, turn, rate);
    char hint[96];
    if (!(open.frames > 0.0))
        return;
    const double cycles = nearest_cycles(turn, open.frames), faster = cycles * open.frames / turn;
    if (scene->bare_file)
        snprintf(hint, sizeof hint, "--loops %.0f, which plays it %.4g times as fast", cycles,
                 faster);
    else
        snprintf(hint, sizeof hint, "'speed: %.4g' with the clip%s", open.layer->speed * faster,
                 rate == 1.0 ? ", or --loops" : "");
    message_warn(sink,
                 "the clip '%.80s' has %.6g frames and the turn %d: the motion jumps from the "
                 "last frame to the first (expected %s)",
                 open.name, open.frames, scene->turntable.count, hint);
}

/// Warns of a clip that does not end where it begins, however it fits to the turn.
static zt_result warn_no_cycle(zt_scene *scene, const turntable_clip *clip,
                               const message_sink *sink, zt_error *err)
{
    const scene_layer *layer = clip->layer;
    const zt_model *model = clip->instance->model;
    const scene_clip_range range = scene_layer_range(layer, &model->clips[layer->clip]);
    arena scratch;
    clip_seam seam;
    if (layer->loop != SCENE_LOOP_REPEAT || layer->root_motion != SCENE_ROOT_KEEP)
        return ZT_OK;
    arena_init(&scratch, &scene->budget_own);
    const zt_result result = model_clip_seam(model, &model->clips[layer->clip], range.start_s,
                                             range.end_s, seam_step_s, &scratch, &seam, err);
    arena_finish(&scratch);
    if (result == ZT_OK && seam.gap > seam_max_size && seam.gap > seam_max_steps * seam.step)
        message_warn(sink,
                     "the clip '%.80s' is no cycle: its last pose is %.2g of its largest steps "
                     "from the first, and the motion jumps there (expected another --clip, or "
                     "--time for one pose of it)",
                     clip->name, seam.gap / seam.step);
    return result;
}

/// The turn has the frames that are asked for. The first clip that repeats ends with it: with as
/// many cycles as asked for, or where that bends its speed a little; otherwise the turn cuts it.
static zt_result fit_clip(zt_scene *scene, const zt_shot_def *def, const message_sink *sink,
                          zt_error *err)
{
    scene_turntable *t = &scene->turntable;
    const double fps = (double)scene->fps_numerator / (double)scene->fps_denominator;
    const turntable_clip clip = find_clip(scene, 0.0, 1.0);
    const double loops = (double)def->turntable_loops;
    if (loops > 0.0 && !(clip.frames > 0.0))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "--loops without a clip that repeats (expected one; --duration needs none)");
    double frames = (double)def->turntable_count;
    if (def->turntable_count == 0)
        frames =
            def->turntable_duration_s > 0.0 ? def->turntable_duration_s * fps : loops * clip.frames;
    frames = maths_max(1.0, floor(frames + 0.5));
    if (frames > COUNT_LIMIT)
        return zt_fail(err, ZT_ERR_ARGUMENT, "a turn of %.9g frames (expected 1 to %d)", frames,
                       COUNT_LIMIT);
    t->count = (int32_t)frames;
    if (!(clip.frames > 0.0))
        return ZT_OK;
    const double cycles = loops > 0.0 ? loops : nearest_cycles(frames, clip.frames);
    const double rate = cycles * clip.frames / frames;
    const bool closes = loops > 0.0 || fabs(rate - 1.0) <= bend_max;
    if (closes) {
        t->clip_rate = rate;
        message_note(sink,
                     "a turn of %d frames has %.0f cycle%s of the clip '%.80s' at %.4g times its "
                     "speed",
                     t->count, cycles, cycles == 1.0 ? "" : "s", clip.name, rate);
    }
    warn_open(scene, sink, closes ? rate : 1.0);
    return closes ? warn_no_cycle(scene, &clip, sink, err) : ZT_OK;
}

zt_result turntable_apply(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    const message_sink sink = {scene->load.message, scene->load.message_user, false};
    scene_turntable *t = &scene->turntable;
    ZT_TRY(check(def, err));
    *t = (scene_turntable){.count = def->turntable_count};
    set_path(t, def);
    if (!(def->turntable_duration_s > 0.0) && def->turntable_loops == 0) {
        warn_open(scene, &sink, 1.0);
        return ZT_OK;
    }
    ZT_TRY(fit_clip(scene, def, &sink, err));
    // What swings in frame 0 must have swung for a turn. Bare models have no keys that would move.
    if (scene->from_model && t->clip_rate > 0.0 && any_springs(scene)) {
        t->lead = t->count;
        scene->springs.has_start = true;
        scene->springs.start_s = 0.0;
    }
    return ZT_OK;
}
