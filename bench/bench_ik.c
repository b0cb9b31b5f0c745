// SPDX-License-Identifier: MIT
// Solvers of inverse kinematics by themselves, one thread:
//     bench_ik [--filter TEXT] [--repeat N] [--json]
// 1,024 random limbs, chains of three bones and pairs of feet; what is posed again after a solver
// is measured by bench_pose.
#include "bench_timing.h"
#include "pose/ik.h"

#include <string.h>

enum { JOBS = 1024, CHAIN = 3, TAIL = 10 };

typedef struct ik_inputs {
    ik_reach reach[JOBS];
    dvec3 joint[JOBS][CHAIN], target[JOBS];
    quat out[JOBS][CHAIN];
    double height[64];
} ik_inputs;

typedef struct ik_case {
    const char *name;
    void (*run)(ik_inputs *in);
} ik_case;

static double random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(bench_random(state) >> 11) / 9007199254740992.0;
}

static dvec3 random_vector(uint64_t *r, double most)
{
    const double x = random_between(r, -most, most), y = random_between(r, -most, most);
    return (dvec3){x, y, random_between(r, -most, most)};
}

/// Limbs of two bones of about 0.4 m, targets in and out of reach.
static void fill(ik_inputs *in)
{
    uint64_t r = 11;
    for (int i = 0; i < JOBS; i++) {
        ik_reach *limb = &in->reach[i];
        *limb = (ik_reach){.min_deg = 5.0, .max_deg = 180.0, .soft = 0.03, .cone_deg = 180.0};
        limb->middle = dvec3_add(random_vector(&r, 0.1), (dvec3){0.4, 0.0, 0.0});
        limb->end =
            dvec3_add(limb->middle, dvec3_add(random_vector(&r, 0.1), (dvec3){0.3, 0.2, 0.0}));
        limb->target = random_vector(&r, 0.6);
        limb->pole = random_vector(&r, 1.0);
        limb->fallback_hinge = (dvec3){0.0, 0.0, 1.0};
        for (int k = 0; k < CHAIN; k++)
            in->joint[i][k] = dvec3_add((dvec3){0.0, 0.2 * k, 0.0}, random_vector(&r, 0.02));
        in->target[i] = dvec3_add((dvec3){0.0, 0.6, 1.0}, random_vector(&r, 0.8));
    }
    for (int i = 0; i < 64; i++)
        in->height[i] = random_between(&r, 0.0, 0.2);
}

static void run_reach(ik_inputs *in)
{
    for (int i = 0; i < JOBS; i++) {
        const ik_reach_rotations solved = ik_reach_solve(&in->reach[i]);
        in->out[i][0] = solved.root;
        in->out[i][1] = solved.middle;
    }
}

static void run_look(ik_inputs *in, uint32_t count)
{
    static const double share[CHAIN] = {1.0, 1.0, 1.0};
    for (int i = 0; i < JOBS; i++) {
        const ik_look_at chain = {.count = count,
                                  .joint = in->joint[i],
                                  .share = share,
                                  .eye = {0.0, 0.5, 0.1},
                                  .forward = {0.0, 0.0, 1.0},
                                  .target = in->target[i],
                                  .fallback_axis = {0.0, 1.0, 0.0},
                                  .max_deg = 180.0,
                                  .yaw_deg = {180.0, 180.0},
                                  .pitch_deg = {180.0, 180.0}};
        ik_look_at_solve(&chain, in->out[i]);
    }
}

static void run_look_one(ik_inputs *in) { run_look(in, 1); }

static void run_look_chain(ik_inputs *in) { run_look(in, CHAIN); }

/// Tails of ten bones.
static void run_chain(ik_inputs *in, const double *limit_deg)
{
    dvec3 joint[TAIL + 1] = {{0.0, 0.0, 0.0}};
    quat rotation[TAIL];
    for (int i = 0; i < JOBS; i++) {
        for (int k = 1; k <= TAIL; k++)
            joint[k] = dvec3_add(joint[k - 1], (dvec3){0.01 * (k % 3), 0.12, 0.02});
        const ik_chain chain = {.count = TAIL,
                                .joint = joint,
                                .target = in->target[i],
                                .fallback_axis = {0.0, 0.0, 1.0},
                                .soft = 0.03,
                                .limit_deg = limit_deg,
                                .iterations = 48};
        ik_chain_solve(&chain, rotation);
        memcpy(in->out[i], rotation, sizeof in->out[i]);
    }
}

static void run_chain_free(ik_inputs *in) { run_chain(in, NULL); }

static void run_chain_limited(ik_inputs *in)
{
    static const double limit[TAIL] = {40, 40, 40, 40, 40, 40, 40, 40, 40, 40};
    run_chain(in, limit);
}

static void run_aim(ik_inputs *in)
{
    for (int i = 0; i < JOBS; i++) {
        const dvec3 way = dvec3_sub(in->target[i], in->joint[i][0]);
        const quat there = quat_between((dvec3){0.0, 0.0, 1.0}, way, (dvec3){0.0, 1.0, 0.0});
        const dvec3 up = quat_rotate(there, (dvec3){0.0, 1.0, 0.0});
        in->out[i][0] = quat_multiply(ik_roll(way, up, (dvec3){0.0, 1.0, 0.0}), there);
    }
}

static void run_plant(ik_inputs *in)
{
    const ik_terrain ground = {.columns = 8,
                               .rows = 8,
                               .first_x = -1.0,
                               .first_z = -1.0,
                               .step_x = 0.25,
                               .step_z = 0.25,
                               .height = in->height};
    for (int i = 0; i < JOBS; i++) {
        ik_foot feet[2];
        for (int k = 0; k < 2; k++) {
            feet[k] = (ik_foot){.ankle = in->joint[i][k], .max_tilt_deg = 30.0};
            ik_foot_solve(&ground, &feet[k]);
            in->out[i][k] = feet[k].tilt;
            ik_reach leg = in->reach[i];
            leg.target = dvec3_add(leg.end, (dvec3){0.0, feet[k].rise, 0.0});
            in->out[i][k] = quat_multiply(in->out[i][k], ik_reach_solve(&leg).middle);
        }
        in->out[i][2] = (quat){.w = ik_pelvis_rise(feet, 2, 1.0, 0.0)};
    }
}

static const ik_case cases[] = {
    {"ik_reach", run_reach},
    {"ik_look_at", run_look_one},
    {"ik_look_at_3_bones", run_look_chain},
    {"ik_aim", run_aim},
    {"ik_plant_2_feet", run_plant},
    {"ik_chain_10_bones", run_chain_free},
    {"ik_chain_10_limits", run_chain_limited},
};

int main(int argc, char **argv)
{
    static ik_inputs in;
    static bench_series series;
    bench_options o;
    if (!bench_options_read(argc, argv, &o))
        return 2;
    fill(&in);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        if (!bench_selected(&o, cases[c].name))
            continue;
        memset(in.out, 0, sizeof in.out);
        for (int32_t i = 0; i < o.repeats + BENCH_WARM_UP; i++) {
            const uint64_t start = bench_now_ns();
            cases[c].run(&in);
            bench_add_since(&series, i, start);
        }
        bench_report(&o, cases[c].name, "c", "ns", 1.0 / JOBS, &series,
                     bench_hash(in.out, sizeof in.out));
    }
    return 0;
}
