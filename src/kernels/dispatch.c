// SPDX-License-Identifier: MIT
/// Names of instruction sets, which were built, and which the machine can run.
#include "base/row_find.h"
#include "kernels/kernels.h"

#define DECLARE_LOOPS(isa)                                                                         \
    extern const pose_loops zt_pose_##isa;                                                         \
    extern const geometry_loops zt_geometry_##isa;                                                 \
    extern const raster_loops zt_raster_##isa;                                                     \
    extern const environment_loops zt_environment_##isa;                                           \
    extern const shadow_loops zt_shadow_##isa;                                                     \
    extern const shade_loops zt_shade_##isa;                                                       \
    extern const film_loops zt_film_##isa;                                                         \
    extern const trace_loops zt_trace_##isa

DECLARE_LOOPS(scalar);
DECLARE_LOOPS(sse2);
DECLARE_LOOPS(avx2);
DECLARE_LOOPS(avx512);
DECLARE_LOOPS(neon);

static const char *const isa_names[ZT_ISA_COUNT] = {
    [ZT_ISA_SCALAR] = "scalar", [ZT_ISA_SSE2] = "sse2", [ZT_ISA_AVX2] = "avx2",
    [ZT_ISA_AVX512] = "avx512", [ZT_ISA_NEON] = "neon",
};

#define KERNEL_TABLE(isa_, name_, lanes)                                                           \
    {                                                                                              \
        .isa = (isa_), .name = #name_, .width = (lanes), .pose = &zt_pose_##name_,                 \
        .geometry = &zt_geometry_##name_, .raster = &zt_raster_##name_,                            \
        .environment = &zt_environment_##name_, .shadow = &zt_shadow_##name_,                      \
        .shade = &zt_shade_##name_, .film = &zt_film_##name_, .trace = &zt_trace_##name_           \
    }

// Without a name: not built.
static const kernel_table isa_tables[ZT_ISA_COUNT] = {
#if defined(ZT_HAVE_SCALAR)
    [ZT_ISA_SCALAR] = KERNEL_TABLE(ZT_ISA_SCALAR, scalar, 1),
#endif
#if defined(ZT_HAVE_SSE2)
    [ZT_ISA_SSE2] = KERNEL_TABLE(ZT_ISA_SSE2, sse2, 4),
#endif
#if defined(ZT_HAVE_AVX2)
    [ZT_ISA_AVX2] = KERNEL_TABLE(ZT_ISA_AVX2, avx2, 8),
#endif
#if defined(ZT_HAVE_AVX512)
    [ZT_ISA_AVX512] = KERNEL_TABLE(ZT_ISA_AVX512, avx512, 16),
#endif
#if defined(ZT_HAVE_NEON)
    [ZT_ISA_NEON] = KERNEL_TABLE(ZT_ISA_NEON, neon, 4),
#endif
};

static bool isa_valid(zt_isa isa) { return (unsigned)isa < (unsigned)ZT_ISA_COUNT; }

/// True when processor and system support the set (__builtin_cpu_supports checks both).
static bool isa_runs(zt_isa isa)
{
#if defined(__x86_64__) || defined(__i386__)
    if (isa == ZT_ISA_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
               __builtin_cpu_supports("bmi2");
    if (isa == ZT_ISA_AVX512)
        return isa_runs(ZT_ISA_AVX2) && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#endif
    return isa_valid(isa);
}

bool kernels_built(zt_isa isa) { return isa_valid(isa) && isa_tables[isa].name != NULL; }

const kernel_table *kernels_for(zt_isa isa)
{
    return kernels_built(isa) && isa_runs(isa) ? &isa_tables[isa] : NULL;
}

/// True when an instruction set belongs to the architecture that this is compiled for.
static bool isa_native(zt_isa isa)
{
#if defined(__x86_64__) || defined(__i386__)
    return isa_valid(isa) && isa != ZT_ISA_NEON;
#elif defined(__aarch64__)
    return isa == ZT_ISA_SCALAR || isa == ZT_ISA_NEON;
#else
    return isa == ZT_ISA_SCALAR;
#endif
}

const kernel_table *kernels_best(zt_isa max_isa)
{
    int isa = isa_native(max_isa) ? (int)max_isa : (int)ZT_ISA_COUNT - 1;
    while (isa > (int)ZT_ISA_SCALAR && !kernels_for((zt_isa)isa))
        isa--;
    return kernels_for((zt_isa)isa);
}

/// True for AMD's family 19h, Zen 4, which splits vectors of 512 bits: skinning gathers matrices,
/// whose shuffles then cost more than they save (3.48 ns a vertex, AVX2 2.95).
static bool splits_wide_vectors(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_cpu_is("amdfam19h");
#else
    return false;
#endif
}

const kernel_table *kernels_tune(const kernel_table *best, kernel_mix *out)
{
    const kernel_table *narrower = kernels_for(ZT_ISA_AVX2);
    out->table = *best;
    out->geometry = *best->geometry;
    out->table.geometry = &out->geometry;
    if (best->isa == ZT_ISA_AVX512 && narrower && splits_wide_vectors())
        out->geometry.skin = narrower->geometry->skin;
    return &out->table;
}

bool kernels_prefetch_near(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_cpu_is("amd");
#else
    return false;
#endif
}

const char *zt_isa_name(zt_isa isa) { return isa_valid(isa) ? isa_names[isa] : "unknown"; }

bool zt_isa_from_name(const char *name, zt_isa *out_isa)
{
    const int32_t isa = ROW_FIND(isa_names, name);
    if (isa >= 0 && out_isa)
        *out_isa = (zt_isa)isa;
    return isa >= 0;
}

bool zt_isa_built(zt_isa isa) { return kernels_built(isa); }

bool zt_isa_available(zt_isa isa) { return kernels_for(isa) != NULL; }
