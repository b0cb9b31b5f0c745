// SPDX-License-Identifier: MIT
/// Interleaved maps against single ones: equal bits, for every sampler, size and set.
#include "kernels/kernels.h"
#include "random_inputs.h"
#include "surface_probe.h"
#include "testing.h"
#include "texture/mipmap_pack.h"

enum { SIDE = 64 };

/// Maps of one size and sampler, separate and packed.
typedef struct packed_stage {
    budget memory;
    arena arena;
    mipmap chain[MIPMAP_PACK_COUNT];
    surface_texture texture[MIPMAP_PACK_COUNT];
    surface_packed packed;
} packed_stage;

static void random_chain(packed_stage *s, random_state *r, int32_t width, int32_t height,
                         mipmap_content content, mipmap_wrap wrap, mipmap *out)
{
    uint32_t *rgba = ARENA_ARRAY_RAW(&s->arena, uint32_t, (size_t)width * (size_t)height);
    for (int32_t i = 0; i < width * height; i++)
        rgba[i] = random_u32(r) | 0xff000000u;
    const picture source = {.width = width,
                            .height = height,
                            .level_count = 1,
                            .format = PICTURE_RGBA8,
                            .level = {rgba}};
    cr_assert_eq(mipmap_build(&s->arena, &source, content, wrap, wrap, true, out, NULL), ZT_OK);
}

static void stage_make(packed_stage *s, random_state *r, int32_t width, int32_t height)
{
    static const mipmap_content contents[MIPMAP_PACK_COUNT] = {
        MIPMAP_COLOR, MIPMAP_LINEAR, MIPMAP_NORMAL, MIPMAP_COLOR, MIPMAP_LINEAR};
    static const uint8_t wraps[] = {[MIPMAP_REPEAT] = SURFACE_WRAP_REPEAT,
                                    [MIPMAP_CLAMP] = SURFACE_WRAP_CLAMP,
                                    [MIPMAP_MIRROR] = SURFACE_WRAP_MIRROR};
    const mipmap_wrap wrap = (mipmap_wrap)(random_u32(r) % 3);
    const uint32_t filters = random_u32(r);
    const mipmap *chain[MIPMAP_PACK_COUNT];
    mipmap_packed packed;
    for (int i = 0; i < MIPMAP_PACK_COUNT; i++) {
        random_chain(s, r, width, height, contents[i], wrap, &s->chain[i]);
        const mipmap *m = chain[i] = &s->chain[i];
        s->texture[i] = (surface_texture){.level_count = filters & 8 ? 1 : m->level_count,
                                          .wide = m->format == MIPMAP_U15,
                                          .sampling.wrap_u = wraps[wrap],
                                          .sampling.wrap_v = wraps[wrap],
                                          .sampling.mag_nearest = filters & 1,
                                          .sampling.min_nearest = filters >> 1 & 1,
                                          .sampling.mip_nearest = filters >> 2 & 1,
                                          .is_signed = i == MIPMAP_PACK_NORMAL,
                                          .sampling.square = width == height};
        for (int32_t l = 0; l < m->level_count; l++)
            s->texture[i].level[l] = (surface_level){m->level[l].texels, m->level[l].width,
                                                     m->level[l].height, m->level[l].stride};
    }
    cr_assert_eq(mipmap_pack(NULL, &s->arena, chain, &packed, NULL), ZT_OK);
    s->packed = (surface_packed){.texels = packed.texels,
                                 .emissive_occlusion = packed.emissive_occlusion,
                                 .sampler = s->texture[0]};
    // Only the packed maps take the fast path for powers of two.
    s->packed.sampler.sampling.powers_of_two =
        (width & (width - 1)) == 0 && (height & (height - 1)) == 0;
    memcpy(s->packed.first, packed.first, sizeof s->packed.first);
}

static void random_samples(random_state *r, float uv[6][SURFACE_LANES])
{
    for (int i = 0; i < SURFACE_LANES; i++)
        for (int k = 0; k < 6; k++)
            uv[k][i] = k < 2 ? random_float(r, -3.0f, 3.0f) : random_float(r, -0.2f, 0.2f);
    for (int i = 0; i < SURFACE_LANES / 2; i++) // magnification
        for (int k = 2; k < 6; k++)
            uv[k][i] = random_float(r, -0.01f, 0.01f);
}

static void check_equal(const char *name, const float packed[SURFACE_LANES],
                        const float separate[SURFACE_LANES])
{
    for (int i = 0; i < SURFACE_LANES; i++)
        cr_assert(memcmp(&packed[i], &separate[i], 4) == 0, "%s: %.9g packed, %.9g separate", name,
                  (double)packed[i], (double)separate[i]);
}

static void check_stage(const packed_stage *s, float uv[6][SURFACE_LANES])
{
    EACH_SURFACE_PROBE (isa, probe) {
        float all[8][SURFACE_LANES], emissive_occlusion[4][SURFACE_LANES];
        float one[MIPMAP_PACK_COUNT][4][SURFACE_LANES];
        probe->sample_packed(&s->packed, (const float(*)[SURFACE_LANES])uv, all,
                             emissive_occlusion);
        for (int i = 0; i < MIPMAP_PACK_COUNT; i++)
            probe->sample(&s->texture[i], (const float(*)[SURFACE_LANES])uv, 0, one[i]);
        for (int c = 0; c < 3; c++) {
            check_equal(probe->name, all[c], one[MIPMAP_PACK_BASE][c]);
            check_equal(probe->name, all[4 + c], one[MIPMAP_PACK_NORMAL][c]);
            check_equal(probe->name, emissive_occlusion[c], one[MIPMAP_PACK_EMISSIVE][c]);
        }
        check_equal(probe->name, all[3], one[MIPMAP_PACK_METAL_ROUGH][1]);
        check_equal(probe->name, all[7], one[MIPMAP_PACK_METAL_ROUGH][2]);
        check_equal(probe->name, emissive_occlusion[3], one[MIPMAP_PACK_OCCLUSION][0]);
    }
}

Test(packed, equals_separate_maps)
{
    static const int32_t sizes[][2] = {{SIDE, SIDE}, {37, 5}, {1, 1}, {2, 33}, {128, 16}};
    for (uint64_t seed = 1; seed <= 120; seed++) {
        static packed_stage s;
        random_state r = {seed};
        const int32_t *size = sizes[seed % (sizeof sizes / sizeof sizes[0])];
        budget_init(&s.memory, 0, NULL);
        arena_init(&s.arena, &s.memory);
        stage_make(&s, &r, size[0], size[1]);
        for (int round = 0; round < 8; round++) {
            float uv[6][SURFACE_LANES];
            random_samples(&r, uv);
            check_stage(&s, uv);
        }
        arena_finish(&s.arena);
    }
}
