// SPDX-License-Identifier: MIT
// Poses of one character, one thread, for each instruction set of this machine:
//     bench_pose [--isa all|avx2|...] [--filter TEXT] [--repeat N] [--json]
// A skeleton of 100 joints (a spine with limbs of 8), two clips of 3 s with keys at 30 Hz; times
// step by 1/60 s through both, between the keys. The checksums of a case are equal for all
// instruction sets.
#include "bench_timing.h"
#include "pose/pose.h"

#include <stdio.h>
#include <string.h>

enum { JOINTS = 100, KEYS = 91, CLIPS = 2, FRAMES = 160, CHANNELS = JOINTS * 3, KEY_FLOATS = 10 };

/// Which channels move, and whether each has key times of its own.
typedef struct motion_kind {
    bool moves[3]; ///< T R S; the root always has a T
    bool own_times;
} motion_kind;

typedef struct pose_inputs {
    zt_model model;
    model_node nodes[JOINTS];
    model_clip clips[CLIPS];
    model_channel channels[CLIPS][CHANNELS];
    float times[CLIPS][CHANNELS][KEYS];
    float values[CLIPS][JOINTS][KEYS * KEY_FLOATS];
    pose_moment *moments;
    pose_block *local[CLIPS];
    mat4 *world;
    trs *plain;
} pose_inputs;

typedef enum pose_work { WORK_PLAIN, WORK_SAMPLE, WORK_BLEND, WORK_WORLD, WORK_ALL } pose_work;

typedef struct pose_case {
    const char *name;
    pose_work work;
    motion_kind kind;
} pose_case;

static float random_unit(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (float)((*state * 0x2545f4914f6cdd1dULL) >> 40) / 8388608.0f - 1.0f;
}

/// Rotations that wander by some degrees from key to key, translations and scales that tremble.
static void fill_values(uint64_t *seed, int32_t joint, float *t, float *r, float *s)
{
    float q[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    for (int key = 0; key < KEYS; key++) {
        for (int k = 0; k < 4; k++)
            q[k] += 0.05f * random_unit(seed);
        maths_quat_normalize(q);
        memcpy(r + 4 * key, q, sizeof q);
        for (int k = 0; k < 3; k++) {
            t[3 * key + k] = (joint == 0 ? 0.0f : 0.2f) + 0.01f * random_unit(seed);
            s[3 * key + k] = 1.0f + 0.01f * random_unit(seed);
        }
    }
}

static void fill_clip(pose_inputs *in, int clip, motion_kind kind)
{
    uint64_t seed = 7 + (uint64_t)clip;
    model_clip *c = &in->clips[clip];
    *c = (model_clip){.name = "", .end_s = 3.0f, .channels = in->channels[clip]};
    for (int32_t joint = 0; joint < JOINTS; joint++) {
        float *t = in->values[clip][joint], *r = t + 3 * KEYS, *s = r + 4 * KEYS;
        const float *const value[3] = {t, r, s};
        fill_values(&seed, joint, t, r, s);
        for (int path = 0; path < 3; path++) {
            if (!kind.moves[path] && !(joint == 0 && path == 0))
                continue;
            const uint32_t n = c->channel_count++;
            float *times = in->times[clip][kind.own_times ? n : 0];
            for (int key = 0; key < KEYS; key++)
                times[key] = key == 0 || key == KEYS - 1 || !kind.own_times
                                 ? (float)key / 30.0f
                                 : ((float)key + 0.3f * random_unit(&seed)) / 30.0f;
            in->channels[clip][n] =
                (model_channel){joint, (model_path)path, MODEL_LINEAR, KEYS, times, value[path]};
        }
    }
}

static zt_result make_inputs(pose_inputs *in, motion_kind kind, arena *scratch, zt_error *err)
{
    for (int32_t i = 0; i < JOINTS; i++) {
        const int32_t limb = i % 9 == 0 ? i - 9 : i - 1;
        in->nodes[i] = (model_node){
            .parent = limb < 0 ? -1 : limb, .mesh = -1, .skin = -1, .rest = trs_identity()};
    }
    for (int clip = 0; clip < CLIPS; clip++)
        fill_clip(in, clip, kind);
    in->model.nodes = in->nodes;
    in->model.node_count = JOINTS;
    in->model.clips = in->clips;
    in->model.clip_count = CLIPS;
    ZT_TRY(model_lay_out_motion(&in->model, scratch, err));
    const size_t blocks = pose_block_count(&in->model);
    in->moments = ARENA_ARRAY(scratch, pose_moment, CHANNELS);
    in->world = ARENA_ARRAY(scratch, mat4, blocks * POSE_LANES);
    in->plain = ARENA_ARRAY(scratch, trs, JOINTS);
    for (int clip = 0; clip < CLIPS; clip++)
        if (!(in->local[clip] = ARENA_ARRAY(scratch, pose_block, blocks)))
            return arena_fail(scratch, err, "poses");
    return in->moments && in->world && in->plain ? ZT_OK : arena_fail(scratch, err, "poses");
}

static void run_frame(pose_inputs *in, const kernel_table *k, pose_work work, int frame)
{
    mat4 placed = GLM_MAT4_IDENTITY_INIT;
    const float time_s = ((float)frame + 0.3f) / 60.0f; // never on a key
    if (work == WORK_PLAIN) {
        pose_sample(&in->model, &in->clips[0], time_s, in->plain);
        pose_to_world(&in->model, placed, in->plain, in->world);
    }
    if (work == WORK_SAMPLE || work == WORK_ALL)
        pose_sample_blocks(k, &in->model, 0, time_s, in->moments, in->local[0]);
    if (work == WORK_ALL)
        pose_sample_blocks(k, &in->model, 1, time_s, in->moments, in->local[1]);
    if (work == WORK_BLEND || work == WORK_ALL)
        pose_blend(k, &in->model, in->local[0], in->local[1], 0.3f, NULL, in->local[0]);
    if (work == WORK_WORLD || work == WORK_ALL)
        pose_blocks_to_world(k, &in->model, placed, in->local[0], in->world);
}

static const pose_case cases[] = {
    {"pose_plain_one_clip",          WORK_PLAIN,  {{true, true, true}, false}  },
    {"pose_sample_one_clip",         WORK_SAMPLE, {{true, true, true}, false}  },
    {"pose_blend",                   WORK_BLEND,  {{true, true, true}, false}  },
    {"pose_local_to_model",          WORK_WORLD,  {{true, true, true}, false}  },
    {"pose_2_clips_blend_model_trs", WORK_ALL,    {{true, true, true}, false}  },
    {"pose_2_clips_blend_model_own", WORK_ALL,    {{true, true, true}, true}   },
    {"pose_2_clips_blend_model_rot", WORK_ALL,    {{false, true, false}, false}},
};

static zt_result run_case(const bench_options *o, const pose_case *c, const kernel_table *k,
                          zt_error *err)
{
    static pose_inputs in;
    budget memory;
    arena scratch;
    bench_series series = {.count = 0};
    budget_init(&memory, 0, NULL);
    arena_init(&scratch, &memory);
    memset(&in, 0, sizeof in);
    arena_init(&in.model.arena, &memory);
    const zt_result r = make_inputs(&in, c->kind, &scratch, err);
    if (r == ZT_OK) {
        pose_sample_blocks(k, &in.model, 0, 0.4f, in.moments, in.local[0]);
        pose_sample_blocks(k, &in.model, 1, 0.4f, in.moments, in.local[1]);
    }
    for (int32_t i = 0; r == ZT_OK && i < o->repeats + BENCH_WARM_UP; i++) {
        const uint64_t start = bench_now_ns();
        for (int frame = 0; frame < FRAMES; frame++)
            run_frame(&in, k, c->work, frame);
        if (i >= BENCH_WARM_UP)
            bench_add(&series, bench_now_ns() - start);
    }
    if (r == ZT_OK)
        bench_report(o, c->name, k->name, "ns/joint", 1.0 / (JOINTS * FRAMES), &series,
                     bench_hash(in.world, JOINTS * sizeof *in.world));
    arena_finish(&in.model.arena);
    arena_finish(&scratch);
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
