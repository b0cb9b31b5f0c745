// SPDX-License-Identifier: MIT
// Poses of one character, one thread, for each instruction set of this machine:
//     bench_pose [--isa all|avx2|...] [--filter TEXT] [--repeat N] [--json]
// A skeleton of 100 joints (pose_inputs.h); times step by 1/60 s through both clips, between the
// keys. And 1,000 characters of 60 joints at 1,000 times, two clips blended: by these functions
// alone, and as a scene of so many instances. The checksums of a case are equal for all instruction
// sets.
#include "bench_timing.h"
#include "kernels/kernels.h"
#include "own.h"
#include "pose_inputs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { JOINTS = 100, CROWD_JOINTS = 60, FRAMES = 160 };

typedef enum pose_work {
    WORK_PLAIN,
    WORK_SAMPLE,
    WORK_BLEND,
    WORK_MASKED,
    WORK_ADD,
    WORK_WORLD,
    WORK_ALL,
    WORK_CROWD, ///< one frame is one character
    WORK_SCENE,
} pose_work;

typedef struct pose_case {
    const char *name;
    pose_work work;
    motion_kind kind;
} pose_case;

/// One character of many.
static void run_character(pose_inputs *in, const kernel_table *k, int number)
{
    mat4 placed = GLM_MAT4_IDENTITY_INIT;
    const float time_s = 3.0f * ((float)number + 0.3f) / BENCH_CHARACTERS;
    placed[3][0] = (float)number;
    pose_sample_blocks(k->pose, &in->model, 0, time_s, in->intervals, in->local[0]);
    pose_sample_blocks(k->pose, &in->model, 1, 3.0f - time_s, in->intervals, in->local[1]);
    pose_blend(k->pose, &in->model, in->local[0], in->local[1], 0.3f, NULL, in->local[0]);
    pose_blocks_to_world(k->pose, &in->model, placed, in->local[0],
                         in->world + (size_t)number * pad16(CROWD_JOINTS));
}

static void run_frame(pose_inputs *in, const kernel_table *k, pose_work work, int frame)
{
    if (work == WORK_CROWD) {
        run_character(in, k, frame);
        return;
    }
    mat4 placed = GLM_MAT4_IDENTITY_INIT;
    const float time_s = ((float)frame + 0.3f) / 60.0f; // never on a key
    if (work == WORK_PLAIN) {
        model_sample_clip(&in->model, &in->clips[0], time_s, in->plain);
        pose_to_world(&in->model, placed, in->plain, in->world);
    }
    if (work == WORK_SAMPLE || work == WORK_ALL)
        pose_sample_blocks(k->pose, &in->model, 0, time_s, in->intervals, in->local[0]);
    if (work == WORK_ALL)
        pose_sample_blocks(k->pose, &in->model, 1, time_s, in->intervals, in->local[1]);
    if (work == WORK_BLEND || work == WORK_ALL)
        pose_blend(k->pose, &in->model, in->local[0], in->local[1], 0.3f, NULL, in->local[0]);
    if (work == WORK_MASKED)
        pose_blend(k->pose, &in->model, in->local[0], in->local[1], 0.3f, in->mask, in->local[0]);
    if (work == WORK_ADD)
        pose_add(k->pose, &in->model, in->local[0], in->local[1], in->local[0], 0.3f, NULL,
                 in->sum);
    if (work == WORK_WORLD || work == WORK_ALL)
        pose_blocks_to_world(k->pose, &in->model, placed, in->local[0], in->world);
}

static const pose_case cases[] = {
    {"pose_plain_one_clip", WORK_PLAIN, {{true, true, true}, false}},
    {"pose_sample_one_clip", WORK_SAMPLE, {{true, true, true}, false}},
    {"pose_blend", WORK_BLEND, {{true, true, true}, false}},
    {"pose_blend_masked", WORK_MASKED, {{true, true, true}, false}},
    {"pose_add", WORK_ADD, {{true, true, true}, false}},
    {"pose_local_to_model", WORK_WORLD, {{true, true, true}, false}},
    {"pose_2_clips_blend_model_trs", WORK_ALL, {{true, true, true}, false}},
    {"pose_2_clips_blend_model_own", WORK_ALL, {{true, true, true}, true}},
    {"pose_2_clips_blend_model_rot", WORK_ALL, {{false, true, false}, false}},
    {"pose_1000_characters", WORK_CROWD, {{true, true, true}, false}},
    {"pose_1000_characters_rot", WORK_CROWD, {{false, true, false}, false}},
    {"pose_scene_1000_characters", WORK_SCENE, {{true, true, true}, false}},
};

/// A scene of characters that all stand and move otherwise.
static bool make_scene(pose_inputs *in, arena *a, zt_scene *out)
{
    static const double zero[3], one = 1.0, part = 0.3;
    *out = (zt_scene){.instance_count = BENCH_CHARACTERS, .freeze_time_s = (double)NAN};
    out->instances = ARENA_ARRAY(a, scene_instance, BENCH_CHARACTERS);
    scene_layer *layers = ARENA_ARRAY(a, scene_layer, 2 * BENCH_CHARACTERS);
    track still, unit, weight;
    if (!out->instances || !layers || !track_constant(a, zero, 3, &still) ||
        !track_constant(a, &one, 1, &unit) || !track_constant(a, &part, 1, &weight))
        return false;
    for (int i = 0; i < BENCH_CHARACTERS; i++) {
        scene_layer *own = layers + 2 * (size_t)i;
        for (int k = 0; k < CLIPS; k++)
            own[k] = (scene_layer){.clip = k, .speed = 1.0, .reference = -1};
        own[0].start_s = 3.0 * (i + 0.3) / BENCH_CHARACTERS;
        own[1].start_s = 3.0 - own[0].start_s;
        own[1].weight = weight;
        out->instances[i] = (scene_instance){.model = &in->model,
                                             .translate = still,
                                             .rotate = still,
                                             .scale = unit,
                                             .layers = own,
                                             .layer_count = 2};
    }
    return true;
}

/// All of a scene; what it is posed into is made anew each time, as for a frame.
static void run_scene(pose_inputs *in, const kernel_table *k, const zt_scene *scene, arena *frame)
{
    const mat4 *const *worlds;
    pose_sharing sharing;
    zt_error err;
    arena_reset(frame);
    if (pose_sharing_build(scene, scene_shot_time(scene, 0.0), frame, &sharing, &err) == ZT_OK &&
        pose_scene(k->pose, scene, scene_shot_time(scene, 0.0), frame, &sharing, &worlds, &err) ==
            ZT_OK)
        memcpy(in->world, worlds[BENCH_CHARACTERS - 1], CROWD_JOINTS * sizeof(mat4));
}

static void report(const bench_options *o, const pose_case *c, const kernel_table *k,
                   const bench_series *series, const pose_inputs *in)
{
    const bool crowd = c->work == WORK_CROWD || c->work == WORK_SCENE;
    const size_t worlds = c->work == WORK_CROWD ? BENCH_CHARACTERS * pad16(CROWD_JOINTS)
                          : crowd               ? CROWD_JOINTS
                                                : JOINTS;
    bench_report(o, c->name, k->name, crowd ? "ms" : "ns/joint",
                 crowd ? 1e-6 : 1.0 / (JOINTS * FRAMES), series,
                 bench_hash(in->world, worlds * sizeof *in->world));
}

static zt_result run_case(const bench_options *o, const pose_case *c, const kernel_table *k,
                          zt_error *err)
{
    static pose_inputs in;
    static bench_series series;
    const bool crowd = c->work == WORK_CROWD || c->work == WORK_SCENE;
    const int frames = c->work == WORK_CROWD ? BENCH_CHARACTERS : FRAMES;
    OWN_MEMORY(scratch, 0);
    OWN_MEMORY(frame_arena, 0);
    zt_scene scene;
    memset(&in, 0, sizeof in);
    arena_init(&in.model.arena, &scratch_budget);
    zt_result r = pose_inputs_make(&in, crowd ? CROWD_JOINTS : JOINTS, c->kind, &scratch, err);
    if (r == ZT_OK && !make_scene(&in, &scratch, &scene))
        r = arena_fail(&scratch, err, "scene");
    if (r == ZT_OK) {
        pose_sample_blocks(k->pose, &in.model, 0, 0.4f, in.intervals, in.local[0]);
        pose_sample_blocks(k->pose, &in.model, 1, 0.4f, in.intervals, in.local[1]);
    }
    for (int32_t i = 0; r == ZT_OK && i < o->repeats + BENCH_WARM_UP; i++) {
        const uint64_t start = bench_now_ns();
        if (c->work == WORK_SCENE)
            run_scene(&in, k, &scene, &frame_arena);
        for (int frame = 0; frame < frames && c->work != WORK_SCENE; frame++)
            run_frame(&in, k, c->work, frame);
        bench_add_since(&series, i, start);
    }
    if (r == ZT_OK)
        report(o, c, k, &series, &in);
    arena_finish(&in.model.arena);
    return r;
}

int main(int argc, char **argv)
{
    bench_options o;
    zt_error err = {ZT_OK, ""};
    if (!bench_options_read(argc, argv, &o))
        return 2;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int isa = 0; isa < (int)ZT_ISA_COUNT; isa++) {
            const kernel_table *k = kernels_for((zt_isa)isa);
            if (!k || !bench_selected(&o, cases[i].name) ||
                (strcmp(o.isa, "all") != 0 && strcmp(o.isa, k->name) != 0))
                continue;
            if (run_case(&o, &cases[i], k, &err) != ZT_OK) {
                fprintf(stderr, "%s\n", err.message);
                return 7;
            }
        }
    return 0;
}
