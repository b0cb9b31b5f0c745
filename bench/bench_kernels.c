// SPDX-License-Identifier: MIT
// The hot loops by themselves, one thread, for each instruction set of this machine:
//     bench_kernels [--isa all|avx2|...] [--filter TEXT] [--repeat N] [--json]
// The checksums of a case are equal for all instruction sets: they are part of the promise.
#include "bench_timing.h"
#include "kernel_inputs.h"
#include "kernels/kernels.h"
#include "own.h"
#include "raster/tile.h"

#include <stdio.h>
#include <string.h>

/// A case of the benchmark. `prepare`, which may be NULL, is not timed; `run` is; `units` is what
/// it did; `checksum` reads the result.
typedef struct bench_case {
    const char *name, *unit;
    void (*prepare)(kernel_inputs *in, const kernel_table *k, const struct bench_case *c);
    void (*run)(kernel_inputs *in, const kernel_table *k, const struct bench_case *c);
    uint64_t (*checksum)(const kernel_inputs *in, const struct bench_case *c);
    double units;
    float size;           ///< raster: side of a triangle; shade: texels to a pixel
    int32_t samples;      ///< raster, film
    int32_t maps, lights; ///< shade; maps: targets of morph
    int32_t tone_map;     ///< film
    bool mixed;           ///< film: two items in every pixel
    bool rigid;           ///< skin: one matrix for all vertices
    bool positions;       ///< skin: no attributes
    bool packed;          ///< shade: all maps in one fetch
    bool more, dual;      ///< skin: eight influences; dual quaternions
    bool stretched;       ///< skin: with matrices before the dual quaternions
} bench_case;

// ---- Vertices -----------------------------------------------------------------------------------

static void run_skin(kernel_inputs *in, const kernel_table *k, const bench_case *c)
{
    const skin_job job = {.position = in->position,
                          .attributes = in->attributes,
                          .joints = c->rigid ? NULL : in->joints,
                          .weights = in->weights,
                          .palette = in->palette,
                          .normals = in->palette,
                          .out_position = in->out_position,
                          .out_attributes = c->positions ? NULL : in->out_attributes,
                          .count = INPUT_VERTICES,
                          .joints_more = c->more ? in->joints : NULL,
                          .weights_more = in->weights,
                          .duals = c->dual ? in->duals : NULL,
                          .stretch = c->stretched ? in->stretch : NULL,
                          .stretch_normals = c->stretched ? in->palette : NULL};
    k->geometry->skin(&job);
}

static uint64_t sum_skin(const kernel_inputs *in, const bench_case *c)
{
    (void)c;
    return bench_hash(in->out_position, INPUT_VERTICES * sizeof *in->out_position) ^
           bench_hash(in->out_attributes, INPUT_VERTICES * sizeof *in->out_attributes);
}

static void run_morph(kernel_inputs *in, const kernel_table *k, const bench_case *c)
{
    morph_use uses[INPUT_TARGETS];
    const uint32_t count = (uint32_t)c->maps;
    for (uint32_t i = 0; i < count; i++)
        uses[i] = (morph_use){&in->targets[i], 0.25f * (float)(i + 1)};
    for (size_t first = 0; first < INPUT_VERTICES; first += MORPH_CHUNK) {
        const morph_job job = {.position = in->position,
                               .attributes = in->attributes,
                               .uses = uses,
                               .use_count = count,
                               .out_position = in->out_position,
                               .out_attributes = in->out_attributes,
                               .first = first,
                               .count = MORPH_CHUNK};
        k->geometry->morph(&job);
    }
}

static void run_transform(kernel_inputs *in, const kernel_table *k, const bench_case *c)
{
    (void)c;
    float homogeneous[64][4];
    for (uint32_t first = 0; first < INPUT_VERTICES; first += 64) {
        const transform_job job = {.view = &in->view,
                                   .position = in->position + first,
                                   .vertex = in->meshlet_vertex,
                                   .count = 64,
                                   .out = &in->screen,
                                   .out_homogeneous = homogeneous};
        k->geometry->transform(&job);
    }
}

static uint64_t sum_transform(const kernel_inputs *in, const bench_case *c)
{
    (void)c;
    return bench_hash(&in->screen, sizeof in->screen);
}

// ---- Triangles ----------------------------------------------------------------------------------

static void run_setup(kernel_inputs *in, const kernel_table *k, const bench_case *c)
{
    (void)c;
    kernel_inputs_setup(in, k, 1);
}

static void prepare_setup(kernel_inputs *in, const kernel_table *k, const bench_case *c)
{
    (void)k;
    kernel_inputs_corners(in, c->size);
}

static uint64_t sum_setup(const kernel_inputs *in, const bench_case *c)
{
    (void)c;
    return bench_hash(in->triangles, in->triangle_count * sizeof *in->triangles) ^
           bench_hash(in->small, in->small_count * sizeof *in->small);
}

static void clear_tile(const kernel_inputs *in, int32_t samples)
{
    for (int32_t i = 0; i < samples * INPUT_PIXELS; i++)
        in->tile.depth[i] = -1.0f;
    memset(in->tile.id, 0, (size_t)samples * INPUT_PIXELS * sizeof *in->tile.id);
}

static void prepare_raster(kernel_inputs *in, const kernel_table *k, const bench_case *c)
{
    kernel_inputs_corners(in, c->size);
    kernel_inputs_setup(in, k, c->samples);
    clear_tile(in, c->samples);
}

static void run_raster(kernel_inputs *in, const kernel_table *k, const bench_case *c)
{
    const small_triangle_run run = {in->small, in->small_count};
    const raster_job job = {.tile = in->tile,
                            .sample_count = c->samples,
                            .sample = sample_pattern(c->samples),
                            .triangles = in->triangle_list,
                            .count = in->triangle_count,
                            .small = &run,
                            .small_runs = 1};
    k->raster->draw(&job);
}

static uint64_t sum_raster(const kernel_inputs *in, const bench_case *c)
{
    const size_t bytes = (size_t)c->samples * INPUT_PIXELS * 4;
    return bench_hash(in->tile.depth, bytes) ^ bench_hash(in->tile.id, bytes);
}

// ---- Pixels -------------------------------------------------------------------------------------

static void prepare_shade(kernel_inputs *in, const kernel_table *k, const bench_case *c)
{
    (void)k;
    static const int order[3] = {SHADE_MAP_BASE, SHADE_MAP_METAL_ROUGH, SHADE_MAP_NORMAL};
    kernel_inputs_texel_step(in, c->size);
    for (int m = 0; m < 3; m++)
        in->material.map[order[m]].texture =
            m >= c->maps ? NULL : (m == 0 ? &in->color_map : &in->data_map);
    in->frame.light_count = c->lights;
    in->material.packed = c->packed ? &in->packed : NULL;
    in->material.packed_maps = 0;
    for (int m = 0; m < 3 && c->packed; m++)
        in->material.packed_maps |= 1u << order[m];
}

static void run_shade(kernel_inputs *in, const kernel_table *k, const bench_case *c)
{
    (void)c;
    const shade_job job = {.frame = &in->frame,
                           .material = &in->material,
                           .visible = &in->visible,
                           .count = INPUT_PIXELS,
                           .color = in->color};
    k->shade->shade(&job);
}

static uint64_t sum_shade(const kernel_inputs *in, const bench_case *c)
{
    (void)c;
    const size_t bytes = INPUT_PIXELS * sizeof *in->color.r;
    return bench_hash(in->color.r, bytes) ^ bench_hash(in->color.g, bytes) * 3 ^
           bench_hash(in->color.b, bytes) * 5;
}

static void run_film(kernel_inputs *in, const kernel_table *k, const bench_case *c)
{
    const film_job job = {.visible = &in->visible,
                          .color = in->color,
                          .blocks = in->blocks,
                          .width = TILE_SIZE,
                          .height = TILE_SIZE,
                          .sample_count = c->samples,
                          .exposure = 1.0f,
                          .tone_map = c->tone_map,
                          .background = {0.02f, 0.03f, 0.04f},
                          .srgb = &in->srgb,
                          .out = in->pixels,
                          .out_stride = (size_t)TILE_SIZE * 4};
    k->film->film(&job);
}

/// One item with all samples in each pixel, or two with half of them.
static void prepare_film(kernel_inputs *in, const kernel_table *k, const bench_case *c)
{
    prepare_shade(in, k, &(bench_case){.size = 0.5f, .maps = 1, .lights = 1});
    run_shade(in, k, c);
    const uint32_t items = c->mixed ? 2 : 1;
    for (uint32_t i = 0; i < INPUT_PIXELS; i++)
        in->visible.count[i] = (uint8_t)((uint32_t)c->samples / items);
    for (uint32_t block = 0; block < INPUT_PIXELS / 16; block++) {
        block_samples *b = &in->blocks[block];
        for (uint32_t p = 0; p <= 16; p++) {
            const uint32_t first = (block * 16 + p) * items;
            b->first[p] = first < INPUT_PIXELS ? first : INPUT_PIXELS; // mixed: half is empty
        }
        b->kind = b->first[0] == b->first[16] ? BLOCK_EMPTY : c->mixed ? BLOCK_MIXED : BLOCK_PLAIN;
    }
}

static uint64_t sum_film(const kernel_inputs *in, const bench_case *c)
{
    (void)c;
    return bench_hash(in->pixels, (uint64_t)INPUT_PIXELS * 4);
}

// clang-format off
#define SHADE(name_, size_, maps_, lights_, packed_) \
    {.name = name_, .unit = "ns/pixel", .prepare = prepare_shade, .run = run_shade, \
     .checksum = sum_shade, .units = INPUT_PIXELS, .size = size_, .maps = maps_, \
     .lights = lights_, .packed = packed_}
#define RASTER(name_, size_, samples_) \
    {.name = name_, .unit = "ns/triangle", .prepare = prepare_raster, .run = run_raster, \
     .checksum = sum_raster, .units = INPUT_TRIANGLES, .size = size_, .samples = samples_}
#define FILM(name_, samples_, tone_, mixed_, units_) \
    {.name = name_, .unit = "ns/pixel", .prepare = prepare_film, .run = run_film, \
     .checksum = sum_film, .units = units_, .samples = samples_, .tone_map = tone_, .mixed = mixed_}

static const bench_case cases[] = {
    {.name = "skin_lbs4_pos_normal_tangent", .unit = "ns/vertex", .run = run_skin,
     .checksum = sum_skin, .units = INPUT_VERTICES},
    {.name = "skin_lbs4_positions", .unit = "ns/vertex", .run = run_skin,
     .checksum = sum_skin, .units = INPUT_VERTICES, .positions = true},
    {.name = "skin_rigid_pos_normal_tangent", .unit = "ns/vertex", .run = run_skin,
     .checksum = sum_skin, .units = INPUT_VERTICES, .rigid = true},
    {.name = "skin_lbs8_pos_normal_tangent", .unit = "ns/vertex", .run = run_skin,
     .checksum = sum_skin, .units = INPUT_VERTICES, .more = true},
    {.name = "skin_dual4_pos_normal_tangent", .unit = "ns/vertex", .run = run_skin,
     .checksum = sum_skin, .units = INPUT_VERTICES, .dual = true},
    {.name = "skin_dual4_stretched", .unit = "ns/vertex", .run = run_skin,
     .checksum = sum_skin, .units = INPUT_VERTICES, .dual = true, .stretched = true},
    {.name = "skin_dual8_stretched", .unit = "ns/vertex", .run = run_skin,
     .checksum = sum_skin, .units = INPUT_VERTICES, .dual = true, .stretched = true, .more = true},
    {.name = "morph_1_target", .unit = "ns/vertex", .run = run_morph,
     .checksum = sum_skin, .units = INPUT_VERTICES, .maps = 1},
    {.name = "morph_4_targets", .unit = "ns/vertex and target", .run = run_morph,
     .checksum = sum_skin, .units = 4 * INPUT_VERTICES, .maps = 4},
    {.name = "transform", .unit = "ns/vertex", .run = run_transform,
     .checksum = sum_transform, .units = INPUT_VERTICES},
    {.name = "setup", .unit = "ns/triangle", .prepare = prepare_setup, .run = run_setup,
     .checksum = sum_setup, .units = INPUT_TRIANGLES, .size = 4.0f},
    RASTER("raster_2px", 2.0f, 1),
    RASTER("raster_8px", 8.0f, 1),
    RASTER("raster_30px", 30.0f, 1),
    RASTER("raster_2px_8_samples", 2.0f, 8),
    RASTER("raster_8px_8_samples", 8.0f, 8),
    SHADE("shade_0_maps_1_light", 0.5f, 0, 1, false),
    SHADE("shade_0_maps_3_lights", 0.5f, 0, 3, false),
    SHADE("shade_1_map_bilinear", 0.5f, 1, 1, false),
    SHADE("shade_1_map_trilinear", 1.5f, 1, 1, false),
    SHADE("shade_3_maps_1_light", 1.5f, 3, 1, false),
    SHADE("shade_3_maps_3_lights", 1.5f, 3, 3, false),
    SHADE("shade_3_fused_bilinear", 0.5f, 3, 1, true),
    SHADE("shade_3_fused_maps_1_light", 1.5f, 3, 1, true),
    SHADE("shade_3_fused_maps_3_lights", 1.5f, 3, 3, true),
    FILM("film_neutral", 1, TONE_MAP_NEUTRAL, false, INPUT_PIXELS),
    FILM("film_aces", 1, TONE_MAP_ACES, false, INPUT_PIXELS),
    FILM("film_neutral_two_items", 8, TONE_MAP_NEUTRAL, true, INPUT_PIXELS / 2),
};
// clang-format on

static void run_case(const bench_options *o, const bench_case *c, const kernel_table *k,
                     kernel_inputs *in)
{
    bench_series series = {.count = 0};
    for (int32_t i = 0; i < o->repeats + BENCH_WARM_UP; i++) {
        if (c->prepare)
            c->prepare(in, k, c);
        const uint64_t start = bench_now_ns();
        c->run(in, k, c);
        bench_add_since(&series, i, start);
    }
    bench_report(o, c->name, k->name, c->unit, 1.0 / c->units, &series, c->checksum(in, c));
}

int main(int argc, char **argv)
{
    bench_options o;
    if (!bench_options_read(argc, argv, &o))
        return 2;
    OWN_MEMORY(a, 0);
    zt_error err = {ZT_OK, ""};
    kernel_inputs *in = ARENA_ARRAY(&a, kernel_inputs, 1);
    if (!in || !kernel_inputs_make(in, &a, &err)) {
        fprintf(stderr, "no inputs: %s\n", err.message);
        return 7;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int isa = 0; isa < (int)ZT_ISA_COUNT; isa++) {
            const kernel_table *k = kernels_for((zt_isa)isa);
            if (k && bench_selected(&o, cases[i].name) &&
                (strcmp(o.isa, "all") == 0 || strcmp(o.isa, k->name) == 0))
                run_case(&o, &cases[i], k, in);
        }
    return 0;
}
