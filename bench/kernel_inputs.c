// SPDX-License-Identifier: MIT
// Seeded inputs, the same in every run.
#include "kernel_inputs.h"

#include "bench_timing.h"
#include "kernels/kernels.h"
#include "pose/pose.h"

#include <string.h>

enum { GRID = 8, GRID_TRIANGLES = (GRID - 1) * (GRID - 1) * 2 };

static uint32_t next_random(uint64_t *state) { return (uint32_t)(bench_random(state) >> 32); }

static float random_between(uint64_t *state, float low, float high)
{
    return low + (high - low) * ((float)(next_random(state) >> 8) / 16777216.0f);
}

/// Vertices in a box around the origin, four joints each, as neighbours in a mesh share them.
static void fill_mesh(kernel_inputs *in)
{
    uint64_t r = 1;
    for (uint32_t j = 0; j < INPUT_JOINTS; j++)
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 4; k++)
                in->palette[j].column[c][k] =
                    k == 3 ? (c == 3 ? 1.0f : 0.0f)
                           : (c == k ? 1.0f : 0.0f) + random_between(&r, -0.2f, 0.2f);
    for (uint32_t j = 0; j < INPUT_JOINTS; j++) {
        mat4 m, stretch;
        memcpy(m, in->palette[j].column, sizeof m);
        pose_dual(m, &in->duals[j], stretch);
        memcpy(in->stretch[j].column, stretch, sizeof stretch);
    }
    for (uint32_t i = 0; i < INPUT_VERTICES; i++) {
        in->position[i] =
            (vertex_position){random_between(&r, -1.0f, 1.0f), random_between(&r, -1.0f, 1.0f),
                              random_between(&r, -1.0f, 1.0f), 1.0f};
        in->attributes[i] = (vertex_attributes){0.0f, 0.6f, 0.8f, random_between(&r, 0.0f, 1.0f),
                                                1.0f, 0.0f, 0.0f, random_between(&r, 0.0f, 1.0f)};
        for (uint32_t k = 0; k < 4; k++)
            in->joints[i].joint[k] = (uint16_t)((i / 64 + k * 3) % INPUT_JOINTS);
        in->weights[i] = (vertex_weights){{0.4f, 0.3f, 0.2f, 0.1f}};
    }
    in->view = (view_transform){.row_x = {100.0f, 0.0f, 32.0f, 128.0f},
                                .row_y = {0.0f, -100.0f, 32.0f, 128.0f},
                                .row_w = {0.0f, 0.0f, 1.0f, 4.0f},
                                .near_w = 0.1f,
                                .width = 64.0f,
                                .height = 64.0f};
    for (uint32_t i = 0; i < 64; i++)
        in->meshlet_vertex[i] = i;
}

/// Targets that move and turn every vertex.
static bool make_targets(kernel_inputs *in, arena *a)
{
    enum { GROUPS = INPUT_VERTICES / MORPH_GROUP, WIDTHS = 2 };
    static const size_t widths[WIDTHS] = {4, 8};
    uint64_t r = 2;
    uint32_t *group = ARENA_ARRAY(a, uint32_t, GROUPS);
    for (uint32_t g = 0; group && g < GROUPS; g++)
        group[g] = g;
    for (int t = 0; t < INPUT_TARGETS; t++) {
        morph_part *const parts[WIDTHS] = {&in->targets[t].position, &in->targets[t].attributes};
        for (int k = 0; k < WIDTHS; k++) {
            float *delta = arena_alloc(a, INPUT_VERTICES * widths[k], sizeof *delta);
            if (!group || !delta)
                return false;
            for (size_t i = 0; i < INPUT_VERTICES * widths[k]; i++)
                delta[i] = i % 4 == 3 ? 0.0f : random_between(&r, -0.1f, 0.1f);
            *parts[k] = (morph_part){GROUPS, group, delta};
        }
    }
    return true;
}

/// The grid that the shading cases show: a little larger than the tile, w from 4 to 5.
static void fill_grid(kernel_inputs *in)
{
    for (int y = 0; y < GRID; y++)
        for (int x = 0; x < GRID; x++) {
            const int i = y * GRID + x;
            const float w = 4.0f + (float)(x + y) / (2.0f * GRID);
            const float px = (float)x * 10.0f - 2.0f, py = (float)y * 10.0f - 2.0f;
            in->homogeneous[i][0] = px * w;
            in->homogeneous[i][1] = py * w;
            in->homogeneous[i][2] = w;
            in->homogeneous[i][3] = 1.0f / w;
            in->attributes[i] = (vertex_attributes){
                0.05f * (float)(x - 4), 0.05f * (float)(y - 4), 0.9f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f};
        }
    for (int t = 0; t < GRID_TRIANGLES; t++) {
        const int cell = t / 2, at = cell / (GRID - 1) * GRID + cell % (GRID - 1);
        const int corner[3] = {at + (t & 1 ? 1 : 0), at + GRID, at + (t & 1 ? GRID + 1 : 1)};
        for (int k = 0; k < 3; k++)
            in->corner[k][t] = (uint8_t)corner[k];
    }
    for (int y = 0; y < TILE_SIZE; y++)
        for (int x = 0; x < TILE_SIZE; x++) {
            const int i = ((y / 4) * TILE_BLOCKS + x / 4) * 16 + y % 4 * 4 + x % 4;
            const int cx = (x + 2) / 10, cy = (y + 2) / 10;
            const bool lower = (x + 2) % 10 + (y + 2) % 10 >= 10;
            const uint32_t triangle = (uint32_t)((cy * (GRID - 1) + cx) * 2 + (lower ? 1 : 0));
            in->visible.id[i] = triangle + 1;
            in->visible.position[i] = (uint32_t)(x * 256 + 128) | (uint32_t)(y * 256 + 128) << 16;
            in->visible.count[i] = 1;
        }
}

static void texture_from_mipmap(const mipmap *source, bool is_signed, surface_texture *out)
{
    *out = (surface_texture){.level_count = source->level_count,
                             .wide = source->format == MIPMAP_U15,
                             .sampling.powers_of_two = true,
                             .sampling.square = true,
                             .sampling.wrap_u = SURFACE_WRAP_REPEAT,
                             .sampling.wrap_v = SURFACE_WRAP_REPEAT,
                             .is_signed = is_signed};
    for (int32_t i = 0; i < source->level_count; i++)
        out->level[i] = (surface_level){source->level[i].texels, source->level[i].width,
                                        source->level[i].height, source->level[i].stride};
}

static bool make_textures(kernel_inputs *in, arena *a, zt_error *err)
{
    const size_t texels = (size_t)INPUT_TEXTURE_SIDE * INPUT_TEXTURE_SIDE;
    uint32_t *rgba = ARENA_ARRAY_RAW(a, uint32_t, texels);
    uint64_t r = 2;
    if (!rgba)
        return false;
    for (size_t i = 0; i < texels; i++)
        rgba[i] = next_random(&r);
    const picture source = {.width = INPUT_TEXTURE_SIDE,
                            .height = INPUT_TEXTURE_SIDE,
                            .level_count = 1,
                            .format = PICTURE_RGBA8,
                            .level = {rgba}};
    mipmap color, data;
    if (mipmap_build(a, &source, MIPMAP_COLOR, MIPMAP_REPEAT, MIPMAP_REPEAT, true, &color, err) !=
            ZT_OK ||
        mipmap_build(a, &source, MIPMAP_LINEAR, MIPMAP_REPEAT, MIPMAP_REPEAT, true, &data, err) !=
            ZT_OK)
        return false;
    texture_from_mipmap(&color, false, &in->color_map);
    texture_from_mipmap(&data, false, &in->data_map);
    const mipmap *const chain[MIPMAP_PACK_COUNT] = {&color, &data, &data};
    mipmap_packed packed;
    if (mipmap_pack(NULL, a, chain, &packed, err) != ZT_OK)
        return false;
    in->packed = (surface_packed){.texels = packed.texels, .sampler = in->data_map};
    memcpy(in->packed.first, packed.first, sizeof in->packed.first);
    return true;
}

static void fill_frame(kernel_inputs *in)
{
    in->meshlet = (posed_meshlet){.vertex = in->meshlet_vertex,
                                  .corner = {in->corner[0], in->corner[1], in->corner[2]},
                                  .attributes = in->attributes,
                                  .handedness = 1.0f,
                                  .front = -1.0f};
    in->on_screen = (homogeneous_vertices)in->homogeneous;
    in->material = (shade_material){.base_color = {0.8f, 0.7f, 0.6f, 1.0f},
                                    .metallic = 0.2f,
                                    .roughness = 0.6f,
                                    .f0 = {0.04f, 0.04f, 0.04f},
                                    .specular = 1.0f,
                                    .normal_scale = 1.0f,
                                    .occlusion_strength = 1.0f,
                                    .alpha_cutoff = -1.0f};
    in->lights[0] = (shade_light){.kind = SHADE_LIGHT_DIRECTIONAL,
                                  .to_light = {0.6f, 0.0f, 0.8f},
                                  .radiance = {3.0f, 3.0f, 3.0f}};
    in->lights[1] = (shade_light){
        .kind = SHADE_LIGHT_POINT, .position = {1.0f, 1.0f, 1.0f}, .radiance = {2.0f, 2.0f, 2.0f}};
    in->lights[2] = (shade_light){.kind = SHADE_LIGHT_SPOT,
                                  .position = {-1.0f, 1.0f, 2.0f},
                                  .axis = {0.0f, 0.0f, -1.0f},
                                  .radiance = {2.0f, 2.0f, 2.0f},
                                  .spot_scale = 4.0f,
                                  .spot_offset = -3.0f};
    in->frame = (shade_frame){.view = {.transform = in->view,
                                       .origin = {0.0f, 0.0f, 5.0f},
                                       .ray = {-0.5f, 0.5f, -1.0f},
                                       .ray_x = {0.015f, 0.0f, 0.0f},
                                       .ray_y = {0.0f, -0.015f, 0.0f}},
                              .surfaces = {&in->meshlet, &in->on_screen},
                              .materials = &in->material,
                              .lights = in->lights,
                              .light_count = 1,
                              .sky = {0.5f, 0.6f, 0.7f},
                              .ambient_below = {0.2f, 0.2f, 0.2f}};
}

bool kernel_inputs_make(kernel_inputs *in, arena *a, zt_error *err)
{
    in->position = ARENA_ARRAY(a, vertex_position, INPUT_VERTICES);
    in->out_position = ARENA_ARRAY(a, vertex_position, INPUT_VERTICES);
    in->attributes = ARENA_ARRAY(a, vertex_attributes, INPUT_VERTICES);
    in->out_attributes = ARENA_ARRAY(a, vertex_attributes, INPUT_VERTICES);
    in->joints = ARENA_ARRAY(a, vertex_joints, INPUT_VERTICES);
    in->weights = ARENA_ARRAY(a, vertex_weights, INPUT_VERTICES);
    in->palette = ARENA_ARRAY(a, skin_matrix, INPUT_JOINTS);
    in->duals = ARENA_ARRAY(a, skin_dual, INPUT_JOINTS);
    in->stretch = ARENA_ARRAY(a, skin_matrix, INPUT_JOINTS);
    in->meshlet_vertex = ARENA_ARRAY(a, uint32_t, 64);
    in->homogeneous = arena_alloc(a, 64, sizeof *in->homogeneous);
    in->corners = ARENA_ARRAY(a, screen_vertices, INPUT_TRIANGLES / 16);
    in->triangles = ARENA_ARRAY(a, setup_triangle, INPUT_TRIANGLES);
    in->small = ARENA_ARRAY(a, small_triangle, INPUT_TRIANGLES + 16);
    in->small_tiles = ARENA_ARRAY(a, uint32_t, INPUT_TRIANGLES + 16);
    in->triangle_list = ARENA_ARRAY(a, const setup_triangle *, INPUT_TRIANGLES);
    in->clip_list = ARENA_ARRAY(a, uint8_t, 128);
    in->tile.depth = ARENA_ARRAY(a, float, (size_t)SAMPLES_MAX *INPUT_PIXELS);
    in->tile.id = ARENA_ARRAY(a, uint32_t, (size_t)SAMPLES_MAX * INPUT_PIXELS);
    in->visible.id = ARENA_ARRAY(a, uint32_t, (size_t)SAMPLES_MAX * INPUT_PIXELS);
    in->visible.position = ARENA_ARRAY(a, uint32_t, (size_t)SAMPLES_MAX * INPUT_PIXELS);
    in->visible.count = ARENA_ARRAY(a, uint8_t, (size_t)SAMPLES_MAX * INPUT_PIXELS);
    in->blocks = ARENA_ARRAY(a, block_samples, INPUT_PIXELS / 16);
    in->color.r = ARENA_ARRAY(a, float, (size_t)SAMPLES_MAX *INPUT_PIXELS);
    in->color.g = ARENA_ARRAY(a, float, (size_t)SAMPLES_MAX *INPUT_PIXELS);
    in->color.b = ARENA_ARRAY(a, float, (size_t)SAMPLES_MAX *INPUT_PIXELS);
    in->pixels = ARENA_ARRAY(a, uint8_t, (size_t)INPUT_PIXELS * 4);
    bool whole = make_targets(in, a);
    for (int k = 0; k < 3; k++) {
        in->corner[k] = ARENA_ARRAY(a, uint8_t, 128);
        whole = whole && in->corner[k];
    }
    if (!whole || a->failed != ZT_OK || !make_textures(in, a, err))
        return false;
    fill_mesh(in);
    fill_grid(in);
    fill_frame(in);
    film_srgb_init(&in->srgb);
    return true;
}

void kernel_inputs_corners(kernel_inputs *in, float side)
{
    uint64_t r = 3;
    for (uint32_t batch = 0; batch < INPUT_TRIANGLES / 16; batch++) {
        screen_vertices *v = &in->corners[batch];
        for (int i = 0; i < 48; i++) {
            const float px = random_between(&r, 0.0f, 64.0f), py = random_between(&r, 0.0f, 64.0f);
            const int hub = i / 3 * 3; // the first corner is anywhere, the others are near it
            const float hub_x = (float)v->sx[hub] / 256.0f, hub_y = (float)v->sy[hub] / 256.0f;
            const float x = i == hub ? px : hub_x + (px / 32.0f - 1.0f) * side;
            const float y = i == hub ? py : hub_y + (py / 32.0f - 1.0f) * side;
            v->sx[i] = (int32_t)(x * 256.0f);
            v->sy[i] = (int32_t)(y * 256.0f);
            v->depth[i] = random_between(&r, 0.1f, 0.9f);
        }
    }
}

void kernel_inputs_setup(kernel_inputs *in, const kernel_table *k, int32_t samples)
{
    static const uint8_t corner[3][16] = {
        {0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45},
        {1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37, 40, 43, 46},
        {2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35, 38, 41, 44, 47}};
    in->triangle_count = in->small_count = 0;
    for (uint32_t batch = 0; batch < INPUT_TRIANGLES / 16; batch++) {
        uint32_t made = 0, small = 0, clipped = 0;
        const setup_job job = {.vertices = &in->corners[batch],
                               .corner = {corner[0], corner[1], corner[2]},
                               .count = 16,
                               .cull = SETUP_CULL_NONE,
                               .width = TILE_SIZE,
                               .height = TILE_SIZE,
                               .first_id = batch * 16 + 1,
                               .sample_count = samples,
                               .out = in->triangles + in->triangle_count,
                               .out_count = &made,
                               .small = in->small + in->small_count,
                               .small_tiles = in->small_tiles,
                               .small_count = &small,
                               .clip_list = in->clip_list,
                               .clip_count = &clipped};
        k->geometry->setup(&job);
        in->triangle_count += made;
        in->small_count += small;
    }
    for (uint32_t i = 0; i < in->triangle_count; i++)
        in->triangle_list[i] = &in->triangles[i];
}

void kernel_inputs_texel_step(kernel_inputs *in, float step)
{
    const float per_pixel = step / INPUT_TEXTURE_SIDE;
    for (int i = 0; i < GRID * GRID; i++) {
        in->attributes[i].u = (float)(i % GRID) * 10.0f * per_pixel;
        in->attributes[i].v = (float)(i / GRID) * 10.0f * per_pixel;
    }
}
