// SPDX-License-Identifier: MIT
/// Poses in lanes: every instruction set against the plain C of model_sample_clip and
/// pose_to_world, bit for bit, on random models; blending against double precision.
#include "kernels/kernels.h"
#include "pose/pose.h"
#include "pose_case.h"
#include "testing.h"

#include <float.h>

enum { NODES = 41, KEYS = 12, CHANNELS = NODES * 3 + 8, TIMELINES = 3, BLOCKS = 3 };

typedef struct lanes_case {
    uint64_t seed;
    budget memory;
    arena scratch;
    zt_model model;
    model_node nodes[NODES];
    model_clip clip;
    model_channel channels[CHANNELS];
    float times[TIMELINES][KEYS], own_times[CHANNELS][KEYS];
    float values[CHANNELS][KEYS * 12];
} lanes_case;

static float between(lanes_case *c, double low, double high)
{
    return (float)oracle_between(&c->seed, low, high);
}

static bool chance(lanes_case *c, double share)
{
    return oracle_between(&c->seed, 0.0, 1.0) < share;
}

static void fill_times(lanes_case *c, float *times, bool even)
{
    times[0] = between(c, -1.0, 1.0);
    const float step = between(c, 0.01, 0.2);
    for (int k = 1; k < KEYS; k++)
        times[k] = times[k - 1] + (even ? step : between(c, 0.001, 0.5));
}

static void fill_nodes(lanes_case *c)
{
    for (int32_t i = 0; i < NODES; i++) {
        model_node *n = &c->nodes[i];
        *n = (model_node){
            .parent = i == 0 || chance(c, 0.05) ? -1 : (int32_t)between(c, 0.0, (double)i - 0.001),
            .mesh = -1,
            .skin = -1,
            .rest = trs_identity(),
            .has_matrix = chance(c, 0.1)};
        oracle_random_rotation(&c->seed, n->rest.r);
        for (int k = 0; k < 3; k++) {
            n->rest.t[k] = chance(c, 0.3) ? -0.0f : between(c, -2.0, 2.0);
            n->rest.s[k] = between(c, 0.5, 2.0);
        }
        trs_to_mat4(&n->rest, n->matrix);
        n->matrix[1][0] += 0.25f; // a shear
    }
}

static void fill_keys(lanes_case *c, model_channel *channel, float *values)
{
    const uint32_t width = channel->path == MODEL_ROTATION ? 4 : 3;
    const uint32_t parts = channel->interpolation == MODEL_CUBIC ? 3 : 1;
    const bool still = chance(c, 0.2);
    for (uint32_t k = 0; k < channel->key_count * parts; k++) {
        float *v = values + (size_t)k * width;
        if (k > 0 && (still || chance(c, 0.2))) {
            memcpy(v, v - width, width * sizeof *v);
        } else if (width == 4) {
            oracle_random_rotation(&c->seed, v);
        } else {
            for (uint32_t i = 0; i < width; i++)
                v[i] = chance(c, 0.1) ? -0.0f : between(c, -3.0, 3.0);
        }
    }
}

/// `share` of the properties move; `alike` of these linearly and on the first timeline.
static void fill_clip(lanes_case *c, double share, double alike)
{
    uint32_t count = 0;
    for (int32_t i = 0; i < TIMELINES; i++)
        fill_times(c, c->times[i], i != 1);
    for (int32_t n = 0; n < NODES; n++)
        for (int path = 0; path < 3; path++) {
            for (int twice = 0; twice < 2 && count < CHANNELS; twice++) {
                if (!chance(c, twice ? 0.03 : share))
                    continue;
                model_channel *channel = &c->channels[count];
                const bool first = chance(c, alike), own = chance(c, 0.5);
                const int which = first ? 0 : (int)between(c, 0.0, TIMELINES - 0.001);
                if (!first && own)
                    fill_times(c, c->own_times[count], chance(c, 0.5));
                *channel = (model_channel){
                    .node = n,
                    .path = (model_path)path,
                    .interpolation =
                        first ? MODEL_LINEAR : (model_interpolation)between(c, 0.0, 2.999),
                    .key_count = first ? KEYS : (uint32_t)between(c, 1.0, KEYS + 0.999),
                    .time_s = !first && own ? c->own_times[count] : c->times[which],
                    .value = c->values[count]};
                fill_keys(c, channel, c->values[count++]);
            }
        }
    c->clip = (model_clip){.name = "", .channel_count = count, .channels = c->channels};
}

static void init_case(lanes_case *c, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    c->seed = seed * 0x9E3779B97F4A7C15u;
    budget_init(&c->memory, 0, NULL);
    arena_init(&c->scratch, &c->memory);
    arena_init(&c->model.arena, &c->memory);
    fill_nodes(c);
    fill_clip(c, seed % 3 ? 0.9 : 0.3, seed % 2 ? 0.95 : 0.4);
    c->model.node_count = NODES;
    c->model.nodes = c->nodes;
    c->model.clip_count = 1;
    c->model.clips = &c->clip;
    cr_assert_eq(model_lay_out_motion(&c->model, &c->scratch, NULL), ZT_OK);
    cr_assert_eq(pose_block_count(&c->model), (size_t)BLOCKS);
}

static void finish_case(lanes_case *c)
{
    arena_finish(&c->model.arena);
    arena_finish(&c->scratch);
}

/// Declares the case `c`, which is made from a seed and finishes with its block.
#define LANES_CASE(c, seed)                                                                        \
    __attribute__((cleanup(finish_case))) lanes_case c;                                            \
    init_case(&c, (seed))

static float pick_time(lanes_case *c)
{
    const float key = c->times[0][(int)between(c, 0.0, KEYS - 0.001)];
    return chance(c, 0.3) ? key : between(c, -2.0, 6.0);
}

static void check_one_time(lanes_case *c, const kernel_table *k, uint64_t seed, float time_s)
{
    pose_block local[BLOCKS];
    pose_key_interval intervals[CHANNELS];
    mat4 world[BLOCKS * POSE_LANES], want_world[NODES], placed = GLM_MAT4_IDENTITY_INIT;
    trs want[NODES];
    placed[3][1] = 3.5f;
    placed[0][0] = -2.0f;
    memset(local, 0xa5, sizeof local);
    model_sample_clip(&c->model, &c->clip, time_s, want);
    pose_sample_blocks(k->pose, &c->model, 0, time_s, intervals, local);
    for (int i = 0; i < NODES; i++) {
        const trs got = oracle_lane(local, i);
        cr_assert(memcmp(&got, &want[i], sizeof got) == 0, "%s seed %d node %d at %g", k->name,
                  (int)seed, i, (double)time_s);
    }
    pose_to_world(&c->model, placed, want, want_world);
    pose_blocks_to_world(k->pose, &c->model, placed, local, world);
    cr_assert(memcmp(world, want_world, sizeof want_world) == 0, "%s seed %d", k->name, (int)seed);
    model_sample_clip(&c->model, NULL, time_s, want);
    pose_sample_blocks(k->pose, &c->model, -1, time_s, intervals, local);
    for (int i = 0; i < NODES; i++) {
        const trs got = oracle_lane(local, i);
        cr_assert(memcmp(&got, &want[i], sizeof got) == 0, "rest pose");
    }
}

Test(pose_blocks, lanes_are_the_plain_form)
{
    uint32_t packed = 0, scattered = 0, others = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        LANES_CASE(c, seed);
        const model_motion *m = &c.model.motions[0];
        for (uint32_t b = 0; b < m->block_count; b++) {
            packed += m->moves[b].r.packed != NULL;
            scattered += m->moves[b].r.animated && !m->moves[b].r.packed;
        }
        others += m->other_count;
        EACH_KERNEL_TABLE (isa, k)
            for (int i = 0; i < 25; i++)
                check_one_time(&c, k, seed, pick_time(&c));
    }
    cr_assert(packed > 20 && scattered > 20 && others > 20, "%u %u %u", packed, scattered, others);
}

/// However far outside the clip, it is held: at the first key before, at the last one after.
Test(pose_blocks, far_times_clamp_to_the_ends)
{
    static const float far[] = {1e9f, 1e30f, FLT_MAX, INFINITY};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        LANES_CASE(c, seed);
        for (size_t i = 0; i < 2 * (sizeof far / sizeof *far); i++) {
            trs near_end[NODES], far_off[NODES];
            const float time_s = i % 2 ? -far[i / 2] : far[i / 2];
            model_sample_clip(&c.model, &c.clip, i % 2 ? -1000.0f : 1000.0f, near_end);
            model_sample_clip(&c.model, &c.clip, time_s, far_off);
            cr_assert(memcmp(near_end, far_off, sizeof far_off) == 0, "%g", (double)time_s);
            EACH_KERNEL_TABLE (isa, k)
                check_one_time(&c, k, seed, time_s);
        }
    }
}

/// A float of any size, its largest and its smallest among them.
static float any_finite(lanes_case *c)
{
    static const float ends[] = {FLT_MAX, -FLT_MAX, FLT_MIN, 1.0e-45f, -0.0f, 0.0f, 1.0f};
    if (chance(c, 0.3))
        return ends[(int)between(c, 0.0, 6.999)];
    const float size = exp2f(between(c, -140.0, 127.0));
    return chance(c, 0.5) ? -size : size;
}

/// Times that rise by anything, by one step of a float too.
static void any_rising_times(lanes_case *c, float *times)
{
    times[0] = chance(c, 0.5) ? -any_finite(c) : between(c, -1.0, 1.0);
    for (int k = 1; k < KEYS; k++) {
        const float next = times[k - 1] + fabsf(any_finite(c)) * (chance(c, 0.5) ? 1e-30f : 1.0f);
        times[k] =
            next > times[k - 1] && next < FLT_MAX ? next : nextafterf(times[k - 1], INFINITY);
    }
}

/// For any finite numbers no property is NaN, rotations are unit, and all sets agree.
Test(pose_blocks, any_finite_keys_give_numbers)
{
    pose_block local[BLOCKS], plain[BLOCKS];
    pose_key_interval intervals[CHANNELS];
    for (uint64_t seed = 1; seed <= 60; seed++) {
        LANES_CASE(c, seed);
        for (int i = 0; i < TIMELINES; i++)
            if (seed % 2)
                any_rising_times(&c, c.times[i]);
        for (uint32_t i = 0; i < c.clip.channel_count; i++)
            for (uint32_t k = 0; k < KEYS * 12; k++)
                if (c.channels[i].path != MODEL_ROTATION ||
                    (c.channels[i].interpolation == MODEL_CUBIC && k / 4 % 3 != 1))
                    c.values[i][k] = any_finite(&c); // tangents of rotations too
        cr_assert_eq(model_lay_out_motion(&c.model, &c.scratch, NULL), ZT_OK);
        for (int n = 0; n < 20; n++) {
            const float time_s = n < 4 ? any_finite(&c) : between(&c, -1.0, 4.0);
            pose_sample_blocks(kernels_for(ZT_ISA_SCALAR)->pose, &c.model, 0, time_s, intervals,
                               plain);
            for (int i = 0; i < NODES; i++) {
                const trs got = oracle_lane(plain, i);
                double square = 0.0;
                for (int k = 0; k < 3; k++)
                    cr_assert(!isnan(got.t[k]) && !isnan(got.s[k]), "seed %d", (int)seed);
                for (int k = 0; k < 4; k++)
                    square += (double)got.r[k] * (double)got.r[k];
                cr_assert(fabs(square - 1.0) < 2e-6, "seed %d: length %g", (int)seed, square);
            }
            EACH_KERNEL_TABLE (isa, k) {
                pose_sample_blocks(k->pose, &c.model, 0, time_s, intervals, local);
                cr_assert(memcmp(local, plain, sizeof local) == 0, "seed %d", (int)seed);
            }
        }
    }
}

/// By definition: the last key at or before the time.
Test(pose_blocks, intervals)
{
    static lanes_case c;
    c.seed = 99;
    for (int n = 0; n < 4000; n++) {
        float times[KEYS];
        fill_times(&c, times, n % 2);
        const uint32_t count = 1 + (uint32_t)n % KEYS;
        const float guess =
            n % 3 ? between(&c, 0.0, 60.0) : (float)(count - 1) / (times[count - 1] - times[0]);
        const model_timeline t = {times, count, n % 7 ? guess : NAN};
        const float at_s = n % 5 ? between(&c, -2.0, 7.0) : times[n % (int)count];
        const pose_key_interval m = model_key_interval(&t, at_s);
        cr_assert(m.s >= 0.0f && m.s <= 1.0f && (m.first + 1 < count || (count == 1 && !m.first)));
        if (count == 1 || at_s <= times[0]) {
            cr_assert(m.first == 0 && m.s == 0.0f);
        } else if (at_s >= times[count - 1]) {
            cr_assert(m.first == count - 2 && m.s == 1.0f);
        } else {
            cr_assert(times[m.first] <= at_s && at_s < times[m.first + 1]);
            const double step = (double)times[m.first + 1] - (double)times[m.first];
            cr_assert_float_eq((double)m.s, ((double)at_s - (double)times[m.first]) / step, 1e-5);
        }
    }
}

// ---- Blending -----------------------------------------------------------------------------------

static void random_pose(lanes_case *c, pose_block *blocks)
{
    for (int i = 0; i < BLOCKS * POSE_LANES; i++) {
        pose_block *b = &blocks[i / POSE_LANES];
        float q[4];
        oracle_random_rotation(&c->seed, q);
        for (int k = 0; k < 4; k++)
            b->r[k][i % POSE_LANES] = q[k];
        for (int k = 0; k < 3; k++) {
            b->t[k][i % POSE_LANES] = chance(c, 0.1) ? -0.0f : between(c, -5.0, 5.0);
            b->s[k][i % POSE_LANES] = between(c, 0.1, 3.0);
        }
    }
}

/// One of each three lanes has nothing, one all, one a part.
static void random_mask(lanes_case *c, float *mask)
{
    for (int i = 0; i < BLOCKS * POSE_LANES; i++)
        mask[i] = i % 3 == 2 ? between(c, 0.0, 1.0) : (float)(i % 3);
}

static void check_line(const float a[3], const float b[3], double w, const float got[3])
{
    for (int k = 0; k < 3; k++) {
        const double want = (double)a[k] + ((double)b[k] - (double)a[k]) * w;
        const double size = fabs((double)a[k]) + fabs((double)b[k]);
        cr_assert_float_eq((double)got[k], want, 3e-7 * size);
    }
}

/// Slerp by its definition, in double.
static void check_arc(const float a[4], const float b[4], double w, const float got[4])
{
    double dot = 0.0, length = 0.0;
    for (int k = 0; k < 4; k++) {
        dot += (double)a[k] * (double)b[k];
        length += (double)got[k] * (double)got[k];
    }
    cr_assert_float_eq(length, 1.0, 4e-7);
    if (fabs(dot) < 1e-6)
        return; // half a turn apart: both ways are as long
    const double angle = acos(fmin(fabs(dot), 1.0)), sign = dot < 0.0 ? -1.0 : 1.0;
    const bool chord = angle < 1e-3;
    const double from = chord ? 1.0 - w : sin((1.0 - w) * angle) / sin(angle);
    const double to = chord ? w : sin(w * angle) / sin(angle);
    for (int k = 0; k < 4; k++)
        cr_assert_float_eq((double)got[k], (double)a[k] * from + sign * (double)b[k] * to, 4e-7);
}

static bool same(const trs *a, const trs *b) { return memcmp(a, b, sizeof *a) == 0; }

/// A mask of 0 leaves the pose below, a mask of 1 is none, a part is a smaller weight.
static void check_masked(lanes_case *c, const pose_block *a, const pose_block *b, float w)
{
    static pose_block plain[BLOCKS], whole[BLOCKS], got[BLOCKS];
    float mask[BLOCKS * POSE_LANES];
    random_mask(c, mask);
    pose_blend(kernels_for(ZT_ISA_SCALAR)->pose, &c->model, a, b, w, mask, plain);
    pose_blend(kernels_for(ZT_ISA_SCALAR)->pose, &c->model, a, b, w, NULL, whole);
    EACH_KERNEL_TABLE (isa, k) {
        memcpy(got, a, sizeof got);
        pose_blend(k->pose, &c->model, got, b, w, mask, got); // in place
        cr_assert(memcmp(got, plain, sizeof got) == 0, "%s", k->name);
    }
    for (int i = 0; i < BLOCKS * POSE_LANES; i++) {
        const trs from = oracle_lane(a, i), to = oracle_lane(b, i), x = oracle_lane(plain, i),
                  y = oracle_lane(whole, i);
        float r[4];
        cr_assert(mask[i] != 0.0f || same(&x, &from), "a mask of 0 is exact");
        cr_assert(mask[i] != 1.0f || same(&x, &y), "a mask of 1 is no mask");
        cr_assert(w < 1.0f || mask[i] != 1.0f || same(&x, &to), "all of it is exact");
        quatf_slerp(from.r, to.r, mask[i] * w, r);
        cr_assert(mask[i] == 0.0f || memcmp(r, x.r, sizeof r) == 0, "lane %d", i);
    }
}

Test(pose_blocks, blending)
{
    static pose_block a[BLOCKS], b[BLOCKS], plain[BLOCKS], got[BLOCKS];
    LANES_CASE(c, 5);
    const kernel_table *scalar = kernels_for(ZT_ISA_SCALAR);
    for (int n = 0; n < 300; n++) {
        const float w = between(&c, 0.0, 1.0);
        random_pose(&c, a);
        random_pose(&c, b);
        // Some nodes agree, in all or but for the sign of the quaternion.
        for (int k = 0; k < 4; k++) {
            b[1].r[k][3] = a[1].r[k][3];
            b[1].r[k][5] = -a[1].r[k][5];
        }
        b[2] = a[2];
        pose_blend(scalar->pose, &c.model, a, b, w, NULL, plain);
        EACH_KERNEL_TABLE (isa, k) {
            memcpy(got, a, sizeof got);
            pose_blend(k->pose, &c.model, got, b, w, NULL, got); // in place
            cr_assert(memcmp(got, plain, sizeof got) == 0, "%s", k->name);
            cr_assert(memcmp(&got[2], &a[2], sizeof got[2]) == 0, "equal poses stay");
            pose_blend(k->pose, &c.model, a, b, n % 2 ? 0.0f : -1.0f, NULL, got);
            cr_assert(memcmp(got, a, sizeof got) == 0);
            pose_blend(k->pose, &c.model, a, b, n % 2 ? 1.0f : 2.0f, NULL, got);
            cr_assert(memcmp(got, b, sizeof got) == 0);
        }
        for (int i = 0; i < BLOCKS * POSE_LANES; i++) {
            const trs from = oracle_lane(a, i), to = oracle_lane(b, i),
                      mixed = oracle_lane(plain, i);
            float slerped[4];
            quatf_slerp(from.r, to.r, w, slerped);
            cr_assert(memcmp(slerped, mixed.r, sizeof slerped) == 0, "quatf_slerp is the same");
            check_line(from.t, to.t, (double)w, mixed.t);
            check_line(from.s, to.s, (double)w, mixed.s);
            check_arc(from.r, to.r, (double)w, mixed.r);
        }
        check_masked(&c, a, b, n == 0 ? 1.0f : w);
    }
}

/// The definition in double; rotations by angle and axis, not by slerp.
static void check_added(const trs *base, const trs *from, const trs *to, double w, const trs *got)
{
    double below[4], over[4], back[4], q[4], part[4], want[4], dot = 0.0;
    for (int k = 0; k < 3; k++) {
        const double b = (double)base->t[k], d = (double)to->t[k] - (double)from->t[k];
        cr_assert_float_eq((double)got->t[k], b + w * d, 4e-6);
        const double ratio = (double)to->s[k] / (double)from->s[k];
        const double s = (double)base->s[k] * (1.0 + w * (ratio - 1.0));
        cr_assert_float_eq((double)got->s[k], s, 4e-7 * (1.0 + ratio) * (double)base->s[k]);
    }
    for (int k = 0; k < 4; k++) {
        below[k] = (double)base->r[k];
        over[k] = (double)to->r[k];
        back[k] = (double)from->r[k] * (k < 3 ? -1.0 : 1.0);
    }
    oracle_product(over, back, q);
    if (fabs(q[3]) < 1e-3)
        return; // half a turn: both ways are as short
    const double sign = q[3] < 0.0 ? -1.0 : 1.0;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    const double half = atan2(length, fabs(q[3])) * w;
    for (int i = 0; i < 3; i++)
        part[i] = length > 0.0 ? sign * q[i] / length * sin(half) : 0.0;
    part[3] = cos(half);
    oracle_product(part, below, want);
    for (int k = 0; k < 4; k++)
        dot += want[k] * (double)got->r[k];
    for (int k = 0; k < 4; k++)
        cr_assert_float_eq((double)got->r[k] * (dot < 0.0 ? -1.0 : 1.0), want[k], 1e-6, "w %g", w);
}

Test(pose_blocks, addition_on_every_instruction_set)
{
    static pose_block from[BLOCKS], to[BLOCKS], base[BLOCKS], plain[BLOCKS], got[BLOCKS];
    float mask[BLOCKS * POSE_LANES];
    LANES_CASE(c, 12);
    for (int n = 0; n < 200; n++) {
        const float w = n % 8 == 0 ? 1.0f : n % 8 == 1 ? 0.0f : between(&c, 0.0, 1.0);
        const float *share = n % 2 ? mask : NULL;
        random_pose(&c, base);
        random_pose(&c, from);
        random_pose(&c, to);
        random_mask(&c, mask);
        to[1] = from[1]; // no difference there
        pose_add(kernels_for(ZT_ISA_SCALAR)->pose, &c.model, base, from, to, w, share, plain);
        EACH_KERNEL_TABLE (isa, k) {
            memcpy(got, base, sizeof got);
            pose_add(k->pose, &c.model, got, from, to, w, share, got); // in place
            cr_assert(memcmp(got, plain, sizeof got) == 0, "%s", k->name);
        }
        for (int i = 0; i < NODES; i++) {
            const trs a = oracle_lane(base, i), b = oracle_lane(from, i), d = oracle_lane(to, i),
                      x = oracle_lane(plain, i);
            const double part = (double)w * (share ? (double)share[i] : 1.0);
            cr_assert(part != 0.0 || same(&x, &a), "no weight is exact");
            cr_assert(i / POSE_LANES != 1 || same(&x, &a), "no difference is exact");
            check_added(&a, &b, &d, part, &x);
        }
    }
    // Added to where it was taken from, a clip is itself.
    random_pose(&c, from);
    random_pose(&c, to);
    pose_add(kernels_for(ZT_ISA_SCALAR)->pose, &c.model, from, from, to, 1.0f, NULL, got);
    for (int i = 0; i < NODES; i++) {
        const trs want = oracle_lane(to, i), x = oracle_lane(got, i);
        double dot = 0.0;
        for (int k = 0; k < 4; k++)
            dot += (double)want.r[k] * (double)x.r[k];
        cr_assert_float_eq(fabs(dot), 1.0, 1e-6);
        for (int k = 0; k < 3; k++) {
            cr_assert_float_eq((double)x.t[k], (double)want.t[k], 2e-6);
            cr_assert_float_eq((double)x.s[k], (double)want.s[k], 2e-6);
        }
    }
}

Test(pose_blocks, layout_without_memory)
{
    LANES_CASE(c, 3);
    budget small;
    budget_init(&small, 512, NULL);
    zt_model model = c.model;
    arena_init(&model.arena, &small);
    zt_error err;
    cr_assert_eq(model_lay_out_motion(&model, &c.scratch, &err), ZT_ERR_LIMIT);
    arena_finish(&model.arena);
}
