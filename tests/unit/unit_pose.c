// SPDX-License-Identifier: MIT
/// Clips, hierarchy, palettes and posed bounds: analytic cases, and random models against an oracle
/// in double that is written from the definitions (glTF 2.0, 3.7.3.3 and appendix C).
#include "kernels/kernels.h"
#include "pose/pose.h"
#include "pose_case.h"
#include "render/posed_bounds.h"
#include "test_memory.h"

#include <float.h>

// ---- Time ---------------------------------------------------------------------------------------

Test(pose, clip_time_at_every_loop)
{
    const model_clip clip = {.start_s = 0.5f, .end_s = 2.5f};
    static const struct {
        scene_loop loop;
        double speed, start_s, at_s, shot_time, want;
    } cases[] = {
        {SCENE_LOOP_REPEAT, 1.0, 0.0, 0.0, 0.0, 0.5}, // below the start
        {SCENE_LOOP_REPEAT, 1.0, 0.0, 0.0, -7.0, 0.5},
        {SCENE_LOOP_REPEAT, 1.0, 0.0, 0.0, 0.5, 0.5},
        {SCENE_LOOP_REPEAT, 1.0, 0.0, 0.0, 1.25, 1.25},
        {SCENE_LOOP_REPEAT, 1.0, 0.0, 0.0, 2.5, 2.5}, // the end itself is not past it
        {SCENE_LOOP_REPEAT, 1.0, 0.0, 0.0, 2.75, 0.75},
        {SCENE_LOOP_REPEAT, 1.0, 0.0, 0.0, 4.5, 0.5}, // two whole lengths: the start
        {SCENE_LOOP_REPEAT, 1.0, 0.0, 0.0, 1e6, 2.0}, // 0.5 + (1e6 - 0.5) mod 2
        {SCENE_LOOP_ONCE, 1.0, 0.0, 0.0, 2.75, 2.5},
        {SCENE_LOOP_ONCE, 1.0, 0.0, 0.0, 1.0, 1.0},
        {SCENE_LOOP_ONCE, 1.0, 0.0, 0.0, 1e9, 2.5},
        {SCENE_LOOP_REPEAT, 2.0, 0.5, 1.0, 1.25, 1.0},
        {SCENE_LOOP_REPEAT, 2.0, 1.0, 1.0, 0.25, 1.0}, // has not begun
        {SCENE_LOOP_REPEAT, -1.0, 1.0, 0.0, 1.0, 2.0}, // backwards below the start
        {SCENE_LOOP_ONCE, -1.0, 1.0, 0.0, 1.0, 0.5},
        {SCENE_LOOP_REPEAT, 0.0, 1.0, 0.0, 9.0, 1.0},
        {SCENE_LOOP_PING_PONG, 1.0, 0.0, 0.0, 2.5, 2.5},
        {SCENE_LOOP_PING_PONG, 1.0, 0.0, 0.0, 3.0, 2.0}, // on the way back
        {SCENE_LOOP_PING_PONG, 1.0, 0.0, 0.0, 4.5, 0.5},
        {SCENE_LOOP_PING_PONG, 1.0, 0.0, 0.0, 5.0, 1.0}, // and forth again
        {SCENE_LOOP_PING_PONG, 1.0, 0.0, 0.0, -3.0, 0.5},
        {SCENE_LOOP_PING_PONG, -1.0, 1.0, 0.0, 1.0, 1.0}, // turned at the start
        {SCENE_LOOP_PING_PONG, -1.0, 1.0, 0.0, 3.0, 2.0}, // turned at the end too
        {SCENE_LOOP_ONCE, -1.0, 2.5, 0.0, 0.75, 1.75},
        {SCENE_LOOP_ONCE, -1.0, 2.5, 0.0, 1e9, 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const scene_layer animation = {.loop = cases[i].loop,
                                       .speed = cases[i].speed,
                                       .start_s = cases[i].start_s,
                                       .at_s = cases[i].at_s};
        const double got = pose_clip_time(&animation, &clip, cases[i].shot_time);
        cr_assert_eq(got, cases[i].want, "case %zu: %a", i, got);
    }
    const model_clip still = {.start_s = 1.0f, .end_s = 1.0f};
    const scene_layer repeat = {.loop = SCENE_LOOP_REPEAT, .speed = 1.0};
    cr_assert_eq(pose_clip_time(&repeat, &still, 0.0), 1.0);
    cr_assert_eq(pose_clip_time(&repeat, &still, 99.0), 1.0);
    cr_assert_eq(pose_clip_time(&repeat, &clip, (double)NAN), 0.5);
}

// ---- Channels -----------------------------------------------------------------------------------

/// A model of one node with one channel.
static trs sample_one(const model_channel *channel, float time_s)
{
    const model_node node = {.parent = -1, .mesh = -1, .skin = -1, .rest = trs_identity()};
    const zt_model model = {.node_count = 1, .nodes = &node};
    const model_clip clip = {.channel_count = 1, .channels = channel};
    trs local;
    model_sample_clip(&model, &clip, time_s, &local);
    return local;
}

static bool same3(const float a[3], float x, float y, float z)
{
    return a[0] == x && a[1] == y && a[2] == z;
}

Test(pose, step_and_linear)
{
    static const float times[] = {1.0f, 2.0f, 4.0f};
    static const float values[] = {1.0f, 2.0f, 3.0f, 5.0f, 4.0f, 7.0f, 9.0f, 4.0f, 7.0f};
    model_channel channel = {0, MODEL_TRANSLATION, MODEL_LINEAR, 3, times, values};
    cr_assert(same3(sample_one(&channel, -1.0f).t, 1.0f, 2.0f, 3.0f));
    cr_assert(same3(sample_one(&channel, 1.0f).t, 1.0f, 2.0f, 3.0f));
    cr_assert(same3(sample_one(&channel, 1.5f).t, 3.0f, 3.0f, 5.0f));
    cr_assert(same3(sample_one(&channel, 2.0f).t, 5.0f, 4.0f, 7.0f));
    cr_assert(same3(sample_one(&channel, 3.5f).t, 8.0f, 4.0f, 7.0f));
    cr_assert(same3(sample_one(&channel, 4.0f).t, 9.0f, 4.0f, 7.0f));
    cr_assert(same3(sample_one(&channel, 1e30f).t, 9.0f, 4.0f, 7.0f));
    channel.interpolation = MODEL_STEP;
    cr_assert(same3(sample_one(&channel, 0.0f).t, 1.0f, 2.0f, 3.0f));
    cr_assert(same3(sample_one(&channel, nextafterf(2.0f, 0.0f)).t, 1.0f, 2.0f, 3.0f));
    cr_assert(same3(sample_one(&channel, 2.0f).t, 5.0f, 4.0f, 7.0f));
    cr_assert(same3(sample_one(&channel, 3.9f).t, 5.0f, 4.0f, 7.0f));
    cr_assert(same3(sample_one(&channel, 4.0f).t, 9.0f, 4.0f, 7.0f));
    channel.path = MODEL_SCALE;
    cr_assert(same3(sample_one(&channel, 2.0f).s, 5.0f, 4.0f, 7.0f));
    cr_assert(same3(sample_one(&channel, 2.0f).t, 0.0f, 0.0f, 0.0f));
    channel.key_count = 1;
    cr_assert(same3(sample_one(&channel, 9.0f).s, 1.0f, 2.0f, 3.0f));
    channel.path = MODEL_WEIGHTS;
    const trs untouched = sample_one(&channel, 2.0f), identity = trs_identity();
    cr_assert(memcmp(&untouched, &identity, sizeof untouched) == 0);
}

Test(pose, cubic_spline)
{
    // x = t^2 from 0 to 2 and then t^3 - 4 from 2 to 3: a cubic spline holds both exactly.
    static const float times[] = {0.0f, 2.0f, 3.0f};
    static const float values[] = {
        99.0f, 0.0f, 0.0f, /* in */ 0.0f,  1.0f, 2.0f, /* value */ 0.0f,  0.0f, 0.0f, /* out */
        4.0f,  0.0f, 0.0f, /* in */ 4.0f,  1.0f, 2.0f, /* value */ 12.0f, 0.0f, 0.0f, /* out */
        27.0f, 0.0f, 0.0f, /* in */ 23.0f, 1.0f, 2.0f, /* value */ 99.0f, 0.0f, 0.0f, /* out */
    };
    const model_channel channel = {0, MODEL_TRANSLATION, MODEL_CUBIC, 3, times, values};
    for (int i = -8; i <= 64; i++) {
        const float t = (float)i / 16.0f;
        const float c = t < 0.0f ? 0.0f : t > 3.0f ? 3.0f : t;
        const float want = c <= 2.0f ? c * c : c * c * c - 4.0f;
        const trs got = sample_one(&channel, t);
        cr_assert_float_eq((double)got.t[0], (double)want, 1e-5, "t = %g", (double)t);
        cr_assert_float_eq((double)got.t[1], 1.0, 1e-6);
    }
    cr_assert(same3(sample_one(&channel, 2.0f).t, 4.0f, 1.0f, 2.0f), "exact at keys");
    cr_assert(same3(sample_one(&channel, 3.0f).t, 23.0f, 1.0f, 2.0f));
}

Test(pose, rotations_stay_unit_and_short)
{
    static const float times[] = {0.0f, 1.0f, 2.0f};
    const float h = sqrtf(0.5f);
    // 0, then -(90 degrees about z), then 180: the sign of the second must not matter.
    const float values[] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, -h, -h, 0.0f, 0.0f, 1.0f, 0.0f};
    const model_channel channel = {0, MODEL_ROTATION, MODEL_LINEAR, 3, times, values};
    for (int i = 0; i <= 64; i++) {
        const float t = (float)i / 32.0f;
        const trs got = sample_one(&channel, t);
        const double angle = (double)t * 0.78539816339744831; // half of 90 degrees a second
        cr_assert_float_eq(fabs((double)got.r[2] * cos(angle) - (double)got.r[3] * sin(angle)), 0.0,
                           3e-7, "t = %g", (double)t);
        double length = 0.0;
        for (int k = 0; k < 4; k++)
            length += (double)got.r[k] * (double)got.r[k];
        cr_assert_float_eq(length, 1.0, 3e-7);
    }
    cr_assert(memcmp(sample_one(&channel, 1.0f).r, values + 4, 16) == 0, "exact at keys");
    cr_assert(memcmp(sample_one(&channel, 2.0f).r, values + 8, 16) == 0);

    // A spline through the origin has no rotation there.
    const float spline[] = {0.0f, 0.0f, 0.0f, 0.0f,  0.0f, 0.0f, 0.0f, 1.0f,
                            0.0f, 0.0f, 0.0f, 0.0f,  0.0f, 0.0f, 0.0f, 0.0f,
                            0.0f, 0.0f, 0.0f, -1.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    model_channel cubic = channel;
    cubic.interpolation = MODEL_CUBIC;
    cubic.key_count = 2;
    cubic.value = spline;
    cr_assert_eq(sample_one(&cubic, 0.5f).r[3], 1.0f);
    cr_assert_eq(fabsf(sample_one(&cubic, 0.25f).r[3]), 1.0f);
}

Test(pose, equal_keys_are_constant)
{
    const float times[] = {0.0f, 0.3f};
    const float h = 0.57735026f;
    const float translation[] = {0.1f, 0.2f, 0.3f, 0.1f, 0.2f, 0.3f};
    const float rotation[] = {h, h, -h, 0.01f, h, h, -h, 0.01f};
    model_channel channel = {0, MODEL_TRANSLATION, MODEL_LINEAR, 2, times, translation};
    for (int i = 0; i <= 30; i++) {
        const float t = (float)i * 0.01f;
        channel.path = MODEL_TRANSLATION;
        channel.value = translation;
        cr_assert(memcmp(sample_one(&channel, t).t, translation, 12) == 0);
        channel.path = MODEL_ROTATION;
        channel.value = rotation;
        cr_assert(memcmp(sample_one(&channel, t).r, rotation, 16) == 0);
    }
}

// ---- Hierarchy ----------------------------------------------------------------------------------

/// An upper arm of length 2 along x, a lower arm of length 1: bent by 90 degrees at both joints.
Test(pose, two_bone_arm)
{
    const float h = sqrtf(0.5f);
    model_node nodes[3] = {
        {.parent = -1, .mesh = -1, .skin = -1, .rest = trs_identity()},
        {.parent = 0, .mesh = -1, .skin = -1, .rest = trs_identity()},
        {.parent = 1, .mesh = -1, .skin = -1, .rest = trs_identity()},
    };
    nodes[1].rest.t[0] = 2.0f;
    nodes[2].rest.t[0] = 1.0f;
    const zt_model model = {.node_count = 3, .nodes = nodes};
    trs local[3];
    model_sample_clip(&model, NULL, 0.0f, local);
    for (int joint = 0; joint < 2; joint++) {
        local[joint].r[2] = h;
        local[joint].r[3] = h;
    }
    mat4 world_from_model = GLM_MAT4_IDENTITY_INIT, world[3];
    world_from_model[3][1] = 10.0f;
    pose_to_world(&model, world_from_model, local, world);
    // Shoulder at (0, 10), elbow up at (0, 12), hand back at (-1, 12).
    static const double want[3][2] = {{0.0, 10.0}, {0.0, 12.0}, {-1.0, 12.0}};
    for (int i = 0; i < 3; i++) {
        cr_assert_float_eq((double)world[i][3][0], want[i][0], 1e-6);
        cr_assert_float_eq((double)world[i][3][1], want[i][1], 1e-6);
    }
    // A matrix with shear takes the place of the transform.
    nodes[1].has_matrix = true;
    const mat4 sheared = {{1.0f, 0.0f, 0.0f, 0.0f},
                          {0.5f, 1.0f, 0.0f, 0.0f},
                          {0.0f, 0.0f, 1.0f, 0.0f},
                          {3.0f, 0.0f, 0.0f, 1.0f}};
    memcpy(nodes[1].matrix, sheared, sizeof sheared);
    pose_to_world(&model, world_from_model, local, world);
    cr_assert_float_eq((double)world[2][3][1], 14.0, 1e-5);
}

// ---- Normals ------------------------------------------------------------------------------------

static void random_matrix(uint64_t *seed, double stretch, mat4 out)
{
    trs x = trs_identity();
    oracle_random_rotation(seed, x.r);
    const double scale = oracle_between(seed, 0.01, 30.0);
    for (int i = 0; i < 3; i++) {
        x.s[i] = (float)(scale * (1.0 + (i == 1 ? stretch : 0.0)));
        x.t[i] = (float)oracle_between(seed, -10.0, 10.0);
    }
    trs_to_mat4(&x, out);
}

Test(pose, normal_matrices)
{
    uint64_t seed = 12;
    for (int i = 0; i < 3000; i++) {
        static const double stretches[] = {0.0, 2e-5, -2e-5, 5e-4, -5e-4, 2.0, -0.9, -2.0, -3.5};
        const double stretch = stretches[i % 9];
        mat4 m, n;
        random_matrix(&seed, stretch, m);
        const bool differs = pose_normal_matrix(m, n);
        const double ratio = fabs(1.0 + stretch); // of lengths; a mirror alone is uniform
        cr_assert_eq(differs, fabs(ratio - 1.0) > 1e-4, "stretch %g", stretch);
        if (!differs)
            cr_assert(memcmp(m, n, sizeof m) == 0);
        // N v keeps the right angle to every M t with t at right angles to v, and its side: the
        // direction is that of the inverse transpose, so (N v) . (M v) > 0.
        double v[3], nv[3], mv[3], sum = 0.0;
        for (int k = 0; k < 3; k++)
            v[k] = oracle_between(&seed, -1.0, 1.0);
        oracle_direction(n, v, nv);
        oracle_direction(m, v, mv);
        for (int k = 0; k < 3; k++)
            sum += nv[k] * mv[k];
        cr_assert_gt(sum, 0.0);
        const double t[3] = {v[1], -v[0], 0.0};
        double mt[3], dot = 0.0, a = 0.0, b = 0.0;
        oracle_direction(m, t, mt);
        for (int k = 0; k < 3; k++) {
            dot += nv[k] * mt[k];
            a += nv[k] * nv[k];
            b += mt[k] * mt[k];
        }
        cr_assert_leq(fabs(dot), 1.1e-4 * sqrt(a * b), "stretch %g", stretch);
    }
    // Scaled flat: the normal of the flat side stands; shear: not uniform though lengths may agree.
    mat4 flat = GLM_MAT4_IDENTITY_INIT, n;
    flat[2][2] = 0.0f;
    cr_assert(pose_normal_matrix(flat, n));
    cr_assert(n[2][2] == 1.0f && n[0][0] == 0.0f);
    mat4 sheared = GLM_MAT4_IDENTITY_INIT;
    sheared[1][0] = 0.6f;
    sheared[1][1] = 0.8f;
    cr_assert(pose_normal_matrix(sheared, n));
    mat4 huge = GLM_MAT4_IDENTITY_INIT;
    huge[0][0] = 1.0e30f;
    huge[1][1] = 2.0e30f;
    huge[2][2] = 1.0e30f;
    cr_assert(pose_normal_matrix(huge, n));
    cr_assert(isfinite((double)n[0][0]) && n[0][0] > 0.0f);
}

// ---- Instances ----------------------------------------------------------------------------------

Test(pose, instance_transforms)
{
    static const double zero[] = {0.0}, move_times[] = {0.0, 2.0};
    static const double move[] = {0.0, 0.0, 0.0, 4.0, 2.0, 0.0};
    static const double turn[] = {0.0, 90.0, 0.0}, double_size[] = {2.0};
    static const double half_turn[] = {0.0, 3.0, 0.0, 0.0}; // not unit
    scene_instance instance = {
        .translate = {.key_count = 2, .width = 3, .time_s = move_times, .value = move},
        .rotate = {.key_count = 1, .width = 3, .time_s = zero, .value = turn},
        .scale = {.key_count = 1, .width = 1, .time_s = zero, .value = double_size}};
    const zt_scene scene = {0};
    mat4 m;
    pose_instance_transform(&scene, &instance, scene_shot_time(&scene, 1.0), m);
    // (1, 0, 0) -> scaled 2 -> turned about y by 90 degrees: -z -> moved by (2, 1, 0).
    const mat4 want = {{0.0f, 0.0f, -2.0f, 0.0f},
                       {0.0f, 2.0f, 0.0f, 0.0f},
                       {2.0f, 0.0f, 0.0f, 0.0f},
                       {2.0f, 1.0f, 0.0f, 1.0f}};
    for (int i = 0; i < 16; i++)
        cr_assert_float_eq((double)m[i / 4][i % 4], (double)want[i / 4][i % 4], 1e-6, "%d", i);
    instance.rotate = (track){.key_count = 1, .width = 4, .time_s = zero, .value = half_turn};
    pose_instance_transform(&scene, &instance, scene_shot_time(&scene, 0.0), m);
    cr_assert(m[0][0] == -2.0f && m[1][1] == 2.0f && m[2][2] == -2.0f);
    const scene_instance untouched = {0};
    pose_instance_transform(&scene, &untouched, scene_shot_time(&scene, 0.0), m);
    mat4 one = GLM_MAT4_IDENTITY_INIT;
    cr_assert(memcmp(m, one, sizeof m) == 0);
    instance.has_matrix = true;
    memcpy(instance.world_from_model, want, sizeof want);
    pose_instance_transform(&scene, &instance, scene_shot_time(&scene, 0.0), m);
    cr_assert(memcmp(m, want, sizeof want) == 0);
}

// ---- Whole models -------------------------------------------------------------------------------

static zt_result scalar_bounds(const zt_scene *scene, double time_s, arena *scratch, float min[3],
                               float max[3])
{
    zt_error err;
    return posed_bounds(kernels_for(ZT_ISA_SCALAR), scene, scene_shot_time(scene, time_s), scratch,
                        min, max, &err);
}

Test(pose, random_models_match_the_oracle)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        ORACLE_CASE(c, seed * 0x9E3779B97F4A7C15u);
        for (int i = 0; i < 20; i++) {
            const double time_s = oracle_between(&c.seed, -1.0, 9.0);
            float min[3], max[3];
            double want_min[3], want_max[3];
            zt_error err;
            MUST(posed_bounds(kernels_for(ZT_ISA_SCALAR), &c.scene,
                              scene_shot_time(&c.scene, time_s), &c.scratch, min, max, &err),
                 err);
            oracle_bounds(&c.scene, time_s, want_min, want_max);
            for (int k = 0; k < 3; k++) {
                // Chains of up to 12 nodes in float, coordinates of some hundreds.
                const double slack = 1e-4 * (1.0 + fmax(fabs(want_min[k]), fabs(want_max[k])));
                cr_assert_float_eq((double)min[k], want_min[k], slack, "seed %d", (int)seed);
                cr_assert_float_eq((double)max[k], want_max[k], slack, "seed %d", (int)seed);
            }
            arena_reset(&c.scratch);
        }
    }
}

static void grow(float min[3], float max[3], const vertex_position *p)
{
    const float at[3] = {p->x, p->y, p->z};
    for (int k = 0; k < 3; k++) {
        min[k] = at[k] < min[k] ? at[k] : min[k];
        max[k] = at[k] > max[k] ? at[k] : max[k];
    }
}

/// Poses one instance as a frame does and skins it with `table`.
static void grow_by_kernel(const kernel_table *table, oracle_case *c,
                           const scene_instance *instance, double time_s, float min[3],
                           float max[3])
{
    pose_scratch scratch;
    mat4 world[POSE_LANES], palette[ORACLE_NODES], normals[ORACLE_NODES];
    cr_assert(pose_scratch_init(&c->scene, &c->scratch, &scratch));
    pose_instance(table->pose, &c->scene, instance, scene_shot_time(&c->scene, time_s), &scratch,
                  NULL, NULL, world);
    for (int n = 0; n < ORACLE_NODES; n++) {
        const model_node *node = &c->nodes[n];
        if (!node->visible || node->mesh < 0)
            continue;
        const model_mesh *mesh = &c->meshes[node->mesh];
        const bool skinned = node->skin >= 0;
        pose_palette(&c->skin, (const mat4 *)world, palette, normals);
        if (!skinned)
            memcpy(palette[0], world[n], sizeof(mat4));
        static vertex_position out[ORACLE_VERTICES];
        const skin_job job = {.position = mesh->position,
                              .joints = skinned ? mesh->joints : NULL,
                              .weights = skinned ? mesh->weights : NULL,
                              .palette = (const skin_matrix *)(const void *)palette,
                              .normals = (const skin_matrix *)(const void *)palette,
                              .out_position = out,
                              .count = ORACLE_VERTICES};
        table->geometry->skin(&job);
        for (int i = 0; i < ORACLE_VERTICES; i++)
            grow(min, max, &out[i]);
    }
}

/// Vertices of a pose that two instances share are found in the space of the model: unit_crowd.c.
static bool shares(const oracle_case *c, double time_s, arena *scratch)
{
    pose_sharing sharing;
    cr_assert_eq(
        pose_sharing_build(&c->scene, scene_shot_time(&c->scene, time_s), scratch, &sharing, NULL),
        ZT_OK);
    return sharing.count > 0;
}

/// The box is that of the skinning kernels to the bit, on every instruction set that is here.
Test(pose, bounds_are_those_of_the_kernels)
{
    int alone = 0;
    cr_assert_not_null(kernels_for(ZT_ISA_SCALAR));
    EACH_KERNEL_TABLE (isa, table) {
        for (uint64_t seed = 1; seed <= 40; seed++) {
            ORACLE_CASE(c, seed * 0xD1B54A32D192ED03u);
            const double time_s = oracle_between(&c.seed, 0.0, 9.0);
            float min[3], max[3], want_min[3], want_max[3];
            cr_assert_eq(posed_bounds(table, &c.scene, scene_shot_time(&c.scene, time_s),
                                      &c.scratch, min, max, NULL),
                         ZT_OK);
            for (int k = 0; k < 3; k++) {
                want_min[k] = FLT_MAX;
                want_max[k] = -FLT_MAX;
            }
            for (int i = 0; i < 2; i++)
                grow_by_kernel(table, &c, &c.instances[i], time_s, want_min, want_max);
            const bool equal =
                memcmp(min, want_min, sizeof min) == 0 && memcmp(max, want_max, sizeof max) == 0;
            const bool own = !shares(&c, time_s, &c.scratch);
            cr_assert(equal || !own, "%s seed %d", table->name, (int)seed);
            alone += own && isa == ZT_ISA_SCALAR;
        }
    }
    cr_assert_geq(alone, 30);
}

Test(pose, reach_along_directions)
{
    static const float sides[BOUNDS_DIRECTIONS][3] = {
        {1.0f, 0.0f, 0.0f},
        {0.0f, 0.0f, -1.0f},
        {-0.5f, 2.0f, 0.25f},
        {0.0f, 0.0f, 0.0f},
    };
    ORACLE_CASE(c, 31);
    for (int i = 0; i < 20; i++) {
        float min[3], max[3], reach[BOUNDS_DIRECTIONS];
        cr_assert_eq(posed_bounds_along(kernels_for(ZT_ISA_SCALAR), &c.scene,
                                        scene_shot_time(&c.scene, i / 3.0), sides, &c.scratch, min,
                                        max, reach, NULL),
                     ZT_OK);
        cr_assert_eq(reach[0], max[0]);
        cr_assert_eq(reach[1], -min[2]);
        cr_assert_eq(reach[3], 0.0f);
        // Not above the box's own corner, not below that of any vertex: its face reaches it.
        const float corner = -0.5f * min[0] + 2.0f * max[1] + 0.25f * max[2];
        const float lowest = -0.5f * max[0] + 2.0f * max[1] + 0.25f * min[2];
        cr_assert_leq(reach[2], corner + 1e-3f);
        cr_assert_geq(reach[2], lowest - 1e-3f);
        arena_reset(&c.scratch);
    }
}

/// A frame by itself is the frame in a sequence, in bits.
Test(pose, a_frame_does_not_depend_on_others)
{
    ORACLE_CASE(c, 77);
    float alone[30][6], sequence[30][6];
    for (int i = 0; i < 30; i++) {
        cr_assert_eq(scalar_bounds(&c.scene, i / 7.0, &c.scratch, sequence[i], sequence[i] + 3),
                     ZT_OK);
        arena_reset(&c.scratch);
    }
    for (int i = 29; i >= 0; i--) {
        OWN_ARENA fresh;
        arena_init(&fresh, &c.budget);
        cr_assert_eq(scalar_bounds(&c.scene, i / 7.0, &fresh, alone[i], alone[i] + 3), ZT_OK);
    }
    cr_assert(memcmp(alone, sequence, sizeof alone) == 0);
}

Test(pose, bounds_of_nothing_and_without_memory)
{
    OWN_MEMORY(scratch, 64);
    const zt_scene empty = {0};
    float min[3], max[3];
    cr_assert_eq(scalar_bounds(&empty, 0.0, &scratch, min, max), ZT_OK);
    for (int k = 0; k < 3; k++)
        cr_assert_gt(min[k], max[k]);
    ORACLE_CASE(c, 5);
    cr_assert_eq(scalar_bounds(&c.scene, 0.0, &scratch, min, max), ZT_ERR_LIMIT);
    // Nodes that the file's scene does not show do not count.
    for (uint32_t i = 0; i < c.model.node_count; i++)
        c.nodes[i].visible = false;
    cr_assert_eq(scalar_bounds(&c.scene, 0.0, &c.scratch, min, max), ZT_OK);
    for (int k = 0; k < 3; k++)
        cr_assert_gt(min[k], max[k]);
}
