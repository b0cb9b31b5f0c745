// SPDX-License-Identifier: MIT
/// Every instruction set against the scalar one, bit for bit: random and extreme inputs, odd
/// counts, poisoned and guarded outputs. Those that this machine cannot run are reported on stderr.
#include "kernels/kernels.h"
#include "lane_probe.h"
#include "random_inputs.h"
#include "raster/tile.h"
#include "testing.h"

#include <inttypes.h>

enum { POISON = 0xa5, GUARD = 64 };

/// Below, each table is compared with the scalar one, which is the first.
Test(dispatch, there_is_something_to_compare)
{
    int count = 0;
    for (int isa = (int)ZT_ISA_SCALAR + 1; isa < (int)ZT_ISA_COUNT; isa++)
        if (kernels_for((zt_isa)isa))
            count++;
        else if (kernels_built((zt_isa)isa))
            // To stderr: a logged warning would make the program exit with 1.
            fprintf(stderr, "%s is built but cannot run here: skipped\n", zt_isa_name((zt_isa)isa));
    cr_assert_gt(count, 0, "nothing to compare with the scalar kernels");
}

Test(dispatch, names_and_caps)
{
    cr_assert(kernels_for(ZT_ISA_SCALAR) != NULL);
    for (int isa = 0; isa < (int)ZT_ISA_COUNT; isa++) {
        zt_isa back = ZT_ISA_BEST;
        cr_assert(zt_isa_from_name(zt_isa_name((zt_isa)isa), &back) && (int)back == isa);
        const kernel_table *k = kernels_for((zt_isa)isa);
        cr_assert(!k || ((int)k->isa == isa && strcmp(k->name, zt_isa_name((zt_isa)isa)) == 0));
        cr_assert_eq(k != NULL, zt_isa_available((zt_isa)isa));
        cr_assert(kernels_best((zt_isa)isa) != NULL);
    }
    zt_isa unchanged = ZT_ISA_SSE2;
    cr_assert(!zt_isa_from_name("sse9", &unchanged) && unchanged == ZT_ISA_SSE2);
    cr_assert_eq(kernels_best(ZT_ISA_SCALAR), kernels_for(ZT_ISA_SCALAR));
#if defined(__x86_64__)
    cr_assert_eq(kernels_best(ZT_ISA_NEON), kernels_best(ZT_ISA_BEST));
    cr_assert(!kernels_built(ZT_ISA_SSE2) || kernels_best(ZT_ISA_SSE2) == kernels_for(ZT_ISA_SSE2));
#endif
}

// ---- Lanes --------------------------------------------------------------------------------------

static void fill_probe(random_state *r, probe_input *in)
{
    for (int i = 0; i < PROBE_LANES; i++) {
        in->a[i] = random_u32(r) % 2 ? random_bits(r) : random_extreme(r, -8.0f, 8.0f);
        in->b[i] = random_u32(r) % 8 == 0 ? in->a[i] : random_extreme(r, -8.0f, 8.0f);
        in->small[i] = random_u32(r) % 2 ? (float)random_int(r, -64, 64) * 0.25f
                                         : random_float(r, -2147483520.0f, 2147483520.0f);
        in->i[i] = (int32_t)random_u32(r);
        in->j[i] = random_u32(r) % 8 == 0 ? INT32_MIN : (int32_t)random_u32(r);
        in->half[i] = random_int(r, -(1 << 30), 1 << 30);
        in->index[i] = random_int(r, 0, 15);
        in->bytes[i] = (uint8_t)random_u32(r);
        for (int c = 0; c < 8; c++)
            in->table[i][c] = random_extreme(r, -100.0f, 100.0f);
    }
    for (int c = 0; c < 8; c++) {
        in->texels16[c] = random_u32(r) % 4 == 0 ? 32640 : (uint16_t)random_int(r, 0, 32640);
        in->texels8[c] = (uint8_t)random_u32(r);
    }
    in->weight = random_int(r, 0, 256);
}

Test(lanes, every_operation)
{
    static lane_probe_fn *const probes[ZT_ISA_COUNT] = {
        [ZT_ISA_SSE2] = lane_probe_sse2,
        [ZT_ISA_AVX2] = lane_probe_avx2,
        [ZT_ISA_AVX512] = lane_probe_avx512,
        [ZT_ISA_NEON] = lane_probe_neon,
    };
    static probe_input in;
    static probe_output want, got;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        random_state r = {seed * 0x9e3779b97f4a7c15ULL};
        fill_probe(&r, &in);
        lane_probe_scalar(&in, &want);
        cr_assert_lt(want.count, (uint32_t)PROBE_RESULTS);
        EACH_KERNEL_TABLE (isa, k) {
            if (isa == (int)ZT_ISA_SCALAR)
                continue;
            cr_assert(probes[isa] != NULL);
            probes[isa](&in, &got);
            cr_assert_eq(want.count, got.count);
            for (uint32_t row = 0; row < want.count; row++)
                cr_assert(memcmp(want.result[row], got.result[row], sizeof want.result[row]) == 0,
                          "%s: result %u, seed %" PRIu64, k->name, row, seed);
            for (uint32_t m = 0; m < want.mask_count; m++)
                cr_assert_eq(want.masks[m], got.masks[m], "%s: mask %u, seed %" PRIu64, k->name, m,
                             seed);
        }
    }
}

// ---- Transform ----------------------------------------------------------------------------------

typedef struct transform_result {
    screen_vertices screen;
    _Alignas(16) float homogeneous[64 + 16][4];
} transform_result;

static void fill_view(random_state *r, view_transform *v, bool orthographic)
{
    *v = (view_transform){.near_w = 0.1f,
                          .width = (float)random_int(r, 1, 16384),
                          .height = (float)random_int(r, 1, 16384),
                          .orthographic = orthographic};
    for (int i = 0; i < 4; i++) {
        v->row_x[i] = random_float(r, -2000.0f, 2000.0f);
        v->row_y[i] = random_float(r, -2000.0f, 2000.0f);
        v->row_w[i] = orthographic ? (i == 3 ? 1.0f : 0.0f) : random_float(r, -1.0f, 1.0f);
        v->row_d[i] = random_float(r, -0.2f, 0.2f);
    }
}

Test(bit_exact, transform)
{
    static vertex_position position[100];
    static transform_result want, got;
    for (uint32_t n = 1; n <= 64; n++)
        for (unsigned form = 0; form < 24; form++) {
            random_state r = {n * 100 + form + 1};
            uint32_t index[64];
            view_transform view;
            fill_view(&r, &view, form & 1);
            for (int i = 0; i < 100; i++)
                for (int k = 0; k < 4; k++)
                    (&position[i].x)[k] = k == 3       ? 1.0f
                                          : form >= 16 ? random_bits(&r)
                                          : form >= 8  ? random_extreme(&r, -9.0f, 9.0f)
                                                       : random_float(&r, -9.0f, 9.0f);
            for (uint32_t i = 0; i < n; i++)
                index[i] = (uint32_t)random_int(&r, 0, 99);
            EACH_KERNEL_TABLE (isa, k) {
                transform_result *to = isa == (int)ZT_ISA_SCALAR ? &want : &got;
                memset(to, POISON, sizeof *to);
                const transform_job job = {&view, position, index, n, &to->screen, to->homogeneous};
                k->geometry->transform(&job);
                cr_assert(memcmp(&want, to, sizeof want) == 0, "%s n=%u form=%u", k->name, n, form);
            }
        }
}

// ---- Setup --------------------------------------------------------------------------------------

typedef struct setup_result {
    setup_triangle out[128 + 2];
    small_triangle small[128 + 16];
    uint32_t small_tiles[128 + 16];
    uint32_t out_count, small_count, clip_count;
    uint8_t clip_list[128 + GUARD];
} setup_result;

/// Vertices of every size of triangle: within a pixel, within 128 pixels, over the guard band.
static void fill_screen(random_state *r, screen_vertices *v, int32_t size)
{
    static const int32_t spans[] = {3 * 256, 130 * 256, 2000 * 256};
    const int32_t lo = GUARD_MIN_PX * 256, hi = GUARD_MAX_PX * 256;
    const int32_t cx = random_int(r, 0, 1920 * 256), cy = random_int(r, 0, 1080 * 256);
    for (int i = 0; i < 64; i++) {
        const int32_t span = size < 3 ? spans[size] : 0;
        v->sx[i] = span ? cx + random_int(r, -span, span) : random_int(r, lo, hi);
        v->sy[i] = span ? cy + random_int(r, -span, span) : random_int(r, lo, hi);
        if (random_u32(r) % 8 == 0)
            v->sx[i] = span ? cx : (random_u32(r) & 1 ? lo : hi);
        if (random_u32(r) % 8 == 0)
            v->sy[i] = span ? cy : (random_u32(r) & 1 ? lo : hi);
        v->sx[i] = v->sx[i] < lo ? lo : v->sx[i] > hi ? hi : v->sx[i];
        v->sy[i] = v->sy[i] < lo ? lo : v->sy[i] > hi ? hi : v->sy[i];
        v->depth[i] = random_float(r, 0.001f, 2.0f);
        v->x[i] = v->y[i] = 0.0f;
        v->w[i] = 1.0f;
        v->outcode[i] = random_u32(r) % 6 ? 0 : 1u << random_int(r, 0, 7);
    }
}

/// Poisons the small triangles after the counted ones, up to number `last`.
static void setup_forget(setup_result *result, uint32_t last)
{
    const uint32_t count = result->small_count;
    cr_assert_leq(count, last);
    memset(result->small + count, POISON, (last - count) * sizeof *result->small);
    memset(result->small_tiles + count, POISON, (last - count) * sizeof *result->small_tiles);
}

Test(bit_exact, setup)
{
    static screen_vertices vertices;
    static setup_result want, got;
    static uint8_t corner[3][128];
    for (uint32_t n = 1; n <= 128; n++)
        for (unsigned form = 0; form < 24; form++) {
            random_state r = {n * 1000 + form + 1};
            fill_screen(&r, &vertices, (int32_t)(form & 3));
            for (int i = 0; i < 3 * 128; i++)
                corner[i / 128][i % 128] = (uint8_t)random_int(&r, 0, 63);
            EACH_KERNEL_TABLE (isa, k) {
                setup_result *to = isa == (int)ZT_ISA_SCALAR ? &want : &got;
                memset(to, POISON, sizeof *to);
                const setup_job job = {.vertices = &vertices,
                                       .corner = {corner[0], corner[1], corner[2]},
                                       .count = n,
                                       .cull = (setup_cull)(form / 4 % 3),
                                       .width = 1920,
                                       .height = 1080,
                                       .first_id = primitive_id(form, 0),
                                       .masked = form & 1,
                                       .sample_count = form & 1 ? 4 : 1,
                                       .out = to->out,
                                       .out_count = &to->out_count,
                                       .small = form % 3 ? to->small : NULL,
                                       .small_tiles = to->small_tiles,
                                       .small_count = &to->small_count,
                                       .clip_list = to->clip_list,
                                       .clip_count = &to->clip_count};
                k->geometry->setup(&job);
                if (job.small) // setup may write up to pad16(n), more than it counts
                    setup_forget(to, (n + 15) / 16 * 16);
                cr_assert(memcmp(&want, to, sizeof want) == 0, "%s n=%u form=%u", k->name, n, form);
            }
        }
}

// ---- Raster -------------------------------------------------------------------------------------

enum { TILE_PIXELS = TILE_SIZE * TILE_SIZE, RASTER_TRIANGLES = 160 };

typedef struct raster_result {
    _Alignas(64) float depth[GUARD + SAMPLES_MAX * TILE_PIXELS + GUARD];
    _Alignas(64) uint32_t id[GUARD + SAMPLES_MAX * TILE_PIXELS + GUARD];
} raster_result;

static void raster_clear(raster_result *t, int32_t samples)
{
    memset(t, POISON, sizeof *t);
    for (int32_t i = 0; i < samples * TILE_PIXELS; i++) {
        t->depth[GUARD + i] = -1.0f;
        t->id[GUARD + i] = ID_NONE;
    }
}

/// The input of the alpha test: one meshlet whose vertices have random alphas.
typedef struct alpha_scene {
    uint32_t vertex[64];
    uint8_t corner[3][128];
    _Alignas(16) float homogeneous[64][4];
    _Alignas(32) vertex_attributes attributes[64];
    _Alignas(32) vertex_extra extra[64];
    posed_meshlet meshlet[2];
    homogeneous_vertices view[2];
    shade_material material[2];
    shade_frame frame;
} alpha_scene;

static void fill_alpha_scene(random_state *r, const screen_vertices *v, alpha_scene *s)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < 64; i++) {
        s->vertex[i] = i;
        s->homogeneous[i][0] = (float)v->sx[i] / 256.0f;
        s->homogeneous[i][1] = (float)v->sy[i] / 256.0f;
        s->homogeneous[i][2] = 1.0f;
        s->extra[i].a = random_float(r, 0.0f, 1.0f);
    }
    for (int i = 0; i < 3 * 128; i++)
        s->corner[i / 128][i % 128] = (uint8_t)random_int(r, 0, 63);
    for (uint32_t m = 0; m < 2; m++) {
        s->meshlet[m] = (posed_meshlet){.vertex = s->vertex,
                                        .corner = {s->corner[0], s->corner[1], s->corner[2]},
                                        .attributes = s->attributes,
                                        .extra = s->extra,
                                        .material = m,
                                        .handedness = 1.0f};
        s->view[m] = (homogeneous_vertices)s->homogeneous;
        s->material[m] = (shade_material){.base_color = {1.0f, 1.0f, 1.0f, 1.0f},
                                          .alpha_cutoff = m ? 0.5f : -1.0f,
                                          .masked = m == 1,
                                          .vertex_color = true};
    }
    s->frame.surfaces = (surface_view){s->meshlet, s->view};
    s->frame.materials = s->material;
}

/// Sets up 64 plain and 64 masked random triangles around a tile.
static uint32_t fill_triangles(random_state *r, int32_t size, int32_t samples, alpha_scene *scene,
                               setup_triangle *out)
{
    static screen_vertices v;
    fill_screen(r, &v, size);
    for (int i = 0; i < 64; i++) {
        v.outcode[i] = 0;
        if (size < 2) { // around the tile at (64, 128)
            const int32_t span = (size == 0 ? 4 : 40) * 256;
            v.sx[i] = (64 + 32) * 256 + random_int(r, -span, span);
            v.sy[i] = (128 + 32) * 256 + random_int(r, -span, span);
        }
    }
    fill_alpha_scene(r, &v, scene);
    uint32_t total = 0;
    for (uint32_t m = 0; m < 2; m++) {
        uint32_t out_count = 0, clip_count = 0;
        uint8_t clip_list[128];
        const setup_job job = {.vertices = &v,
                               .corner = {scene->corner[0], scene->corner[1], scene->corner[2]},
                               .count = 64,
                               .cull = SETUP_CULL_NONE,
                               .width = 150,
                               .height = 185,
                               .first_id = primitive_id(m, 0),
                               .masked = m,
                               .sample_count = samples,
                               .out = out + total,
                               .out_count = &out_count,
                               .clip_list = clip_list,
                               .clip_count = &clip_count};
        kernels_for(ZT_ISA_SCALAR)->geometry->setup(&job);
        total += out_count;
    }
    return total;
}

Test(bit_exact, raster)
{
    static setup_triangle triangles[RASTER_TRIANGLES];
    static alpha_scene scene;
    static raster_result want[1], got[1];
    for (unsigned form = 0; form < 60; form++) {
        random_state r = {form + 1};
        const int32_t samples = 1 << (form % 5);
        const uint32_t n = fill_triangles(&r, (int32_t)(form / 5 % 4), samples, &scene, triangles);
        const setup_triangle *list[RASTER_TRIANGLES];
        for (uint32_t i = 0; i < n; i++)
            list[i] = &triangles[i];
        EACH_KERNEL_TABLE (isa, k) {
            raster_result *to = isa == (int)ZT_ISA_SCALAR ? want : got;
            raster_clear(to, samples);
            const raster_job job = {
                .tile = {to->depth + GUARD, to->id + GUARD},
                .tile_x = 64,
                .tile_y = 128,
                .sample_count = samples,
                .sample = sample_pattern(samples),
                .triangles = list,
                .count = n,
                .alpha_test = {form & 1 ? k->shade->alpha_test : NULL, &scene.frame}};
            k->raster->draw(&job);
            cr_assert(memcmp(want, to, sizeof *want) == 0, "%s form=%u samples=%d", k->name, form,
                      samples);
        }
    }
}
