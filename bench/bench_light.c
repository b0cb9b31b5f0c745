// SPDX-License-Identifier: MIT
// Making an environment of a picture of light, 1024 x 512 pixels, by each instruction set:
//     bench_light [--isa all] [--threads N] [--repeat N] [--json]
// Two threads unless --threads says otherwise. The hashes must be the same.
#include "base/jobs.h"
#include "bench_timing.h"
#include "environment/environment_build.h"
#include "kernels/kernels.h"
#include "own.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 1024, HEIGHT = 512 };

/// Noise between 0 and 1, and one pixel in a thousand that is a lamp.
static bool make_picture(arena *a, hdr_picture *out)
{
    float *rgb = ARENA_ARRAY(a, float, (size_t)WIDTH *HEIGHT * 3);
    uint32_t seed = 1;
    for (int32_t i = 0; rgb && i < WIDTH * HEIGHT * 3; i++) {
        seed = seed * 1664525u + 1013904223u;
        const float x = (float)(seed >> 8) / 16777216.0f;
        rgb[i] = x > 0.999f ? 1000.0f : x;
    }
    *out = (hdr_picture){.width = WIDTH, .height = HEIGHT, .rgb = rgb};
    return rgb != NULL;
}

static zt_result run_isa(const bench_options *o, const kernel_table *kernels, job_pool *pool,
                         const hdr_picture *from, budget *memory, zt_error *err)
{
    static bench_series series;
    const environment_sizes sizes = environment_sizes_for(HEIGHT);
    OWN_ARENA a;
    uint64_t sum = 0;
    arena_init(&a, memory);
    for (int32_t i = 0; i < o->repeats + BENCH_WARM_UP; i++) {
        environment made;
        octahedral_levels layout;
        const int32_t count = environment_chain_layout(sizes.size, &layout);
        arena_reset(&a);
        const uint64_t start = bench_now_ns();
        ZT_TRY(environment_build(kernels->environment, from, NULL, &sizes, pool, &a, &made, err));
        bench_add_since(&series, i, start);
        sum = bench_hash(made.chain.texels, (uint64_t)count * sizeof *made.chain.texels);
    }
    bench_report(o, "environment", kernels->name, "ms", 1e-6, &series, sum);
    return ZT_OK;
}

int main(int argc, char **argv)
{
    bench_options o;
    if (!bench_options_read(argc, argv, &o) || !bench_selected(&o, "environment"))
        return 2;
    OWN_MEMORY(a, 0);
    hdr_picture from;
    OWN_POOL *pool = NULL;
    zt_error err = {ZT_OK, ""};
    zt_result result = make_picture(&a, &from)
                           ? job_pool_create(o.threads ? o.threads : 2, &pool, &err)
                           : arena_fail(&a, &err, "a picture");
    const bool all = o.isa && strcmp(o.isa, "all") == 0;
    for (int isa = 0; result == ZT_OK && isa < (int)ZT_ISA_COUNT; isa++) {
        const kernel_table *kernels = kernels_for((zt_isa)isa);
        const bool wanted = o.isa ? all || (kernels && strcmp(kernels->name, o.isa) == 0)
                                  : kernels == kernels_best(ZT_ISA_BEST);
        if (kernels && wanted)
            result = run_isa(&o, kernels, pool, &from, &a_budget, &err);
    }
    if (result != ZT_OK)
        fprintf(stderr, "%s\n", err.message);
    return (int)result;
}
