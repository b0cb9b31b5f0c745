// SPDX-License-Identifier: MIT
// Springs, one thread:
//     bench_springs [--filter TEXT] [--repeat N] [--json]
// One link by itself, with two colliders; and whole steps of scenes/models/critter.glb, 60 bones of
// which 47 swing, its clip and its hierarchy included.
#include "bench_timing.h"
#include "kernels/kernels.h"
#include "own.h"
#include "pose/pose_springs.h"

#include <zoetrope/zoetrope.h>

#include <stdio.h>

enum { LINKS = 1024, SECONDS = 10 };

typedef struct link_inputs {
    spring_link link[LINKS];
    spring_body body[LINKS];
    spring_obstacle obstacles[2];
    dvec3 now[LINKS], out[LINKS];
} link_inputs;

static void fill(link_inputs *in)
{
    static const uint32_t both[2] = {0, 1};
    in->obstacles[0] = (spring_obstacle){.from = {0.0, -0.3, 0.0}, .radius = 0.25};
    in->obstacles[0].to = in->obstacles[0].from;
    in->obstacles[1] = (spring_obstacle){.from = {0.2, -0.5, 0.0}, .radius = 0.1};
    in->obstacles[1].to = (dvec3){-0.2, -0.5, 0.0};
    for (int i = 0; i < LINKS; i++) {
        const double side = (double)(i % 32) / 32.0 - 0.5, front = (double)i / LINKS - 0.5;
        in->link[i] = (spring_link){.stiffness = 0.5,
                                    .drag = 0.3,
                                    .gravity = {0.0, -0.4, 0.0},
                                    .center = -1,
                                    .collider_count = 2,
                                    .colliders = both};
        in->body[i] = (spring_body){.rest = {0.0, -1.0, 0.0},
                                    .length = 0.1,
                                    .radius = 0.02,
                                    .head = {side, -0.2, front},
                                    .obstacles = in->obstacles};
        in->now[i] = (dvec3){side + 0.05, -0.28, front};
    }
}

static void run_links(link_inputs *in)
{
    const spring_factors factors = spring_factors_of(&in->link[0], 1.0 / 120.0);
    for (int i = 0; i < LINKS; i++)
        in->out[i] =
            spring_swing(&in->link[i], &in->body[i], factors, 1.0, in->now[i], in->body[i].head);
}

static void time_links(const bench_options *o)
{
    static link_inputs in;
    static bench_series series;
    fill(&in);
    for (int32_t i = 0; i < o->repeats + BENCH_WARM_UP; i++) {
        const uint64_t start = bench_now_ns();
        run_links(&in);
        bench_add_since(&series, i, start);
    }
    bench_report(o, "spring_link", "c", "ns", 1.0 / LINKS, &series,
                 bench_hash(in.out, sizeof in.out));
}

static zt_result time_steps(const bench_options *o, const zt_scene *scene, zt_error *err)
{
    static bench_series series;
    const double steps = (SECONDS + scene->springs.warmup_s) * scene->springs.rate;
    budget memory;
    budget_init(&memory, 0, NULL);
    uint64_t hash = 0;
    uint32_t links = 1;
    for (int32_t i = 0; i < o->repeats + BENCH_WARM_UP; i++) {
        OWN_ARENA a;
        spring_trail trail;
        arena_init(&a, &memory);
        const uint64_t start = bench_now_ns();
        ZT_TRY(spring_trail_build(kernels_best(ZT_ISA_BEST)->pose, scene, (double)SECONDS, &a,
                                  &trail, err));
        bench_add_since(&series, i, start);
        if (trail.count > 0) {
            links = (uint32_t)trail.tail_count;
            hash = bench_hash(trail.tails,
                              (size_t)trail.count * trail.tail_count * sizeof *trail.tails);
        }
    }
    bench_report(o, "spring_step", "best", "ns", 1.0 / (steps * links), &series, hash);
    return ZT_OK;
}

int main(int argc, char **argv)
{
    bench_options o;
    zt_error err = {0};
    OWN_SCENE *scene = NULL;
    if (!bench_options_read(argc, argv, &o))
        return 2;
    if (bench_selected(&o, "spring_link"))
        time_links(&o);
    if (!bench_selected(&o, "spring_step"))
        return 0;
    const zt_load_def def = zt_default_load_def();
    zt_result result =
        zt_scene_load(ZT_SOURCE_DIR "/scenes/models/critter.glb", &def, &scene, &err);
    if (result == ZT_OK)
        result = time_steps(&o, scene, &err);
    if (result != ZT_OK)
        fprintf(stderr, "%s\n", err.message);
    return (int)result;
}
