// SPDX-License-Identifier: MIT
/// Inputs of the kernel benchmarks: a skinned mesh, triangles of given sizes over one tile, and a
/// tile that shows one meshlet (a bent grid of 8 x 8 vertices, 98 triangles of about 40 pixels).
#pragma once

#include "base/arena.h"
#include "film/film.h"
#include "kernels/kernels.h"
#include "texture/mipmap_pack.h"

enum {
    INPUT_VERTICES = 16384,
    INPUT_JOINTS = 64,
    INPUT_TARGETS = 4,
    INPUT_TRIANGLES = 1024,
    INPUT_PIXELS = TILE_SIZE * TILE_SIZE,
    INPUT_TEXTURE_SIDE = 512,
};

typedef struct kernel_inputs {
    // Skinning and transform.
    vertex_position *position, *out_position;
    vertex_attributes *attributes, *out_attributes;
    vertex_joints *joints;
    vertex_weights *weights;
    skin_matrix *palette;
    skin_dual *duals;                    ///< rotations and translations like those of the palette
    skin_matrix *stretch;                ///< what they lack of the palette
    morph_target targets[INPUT_TARGETS]; ///< every vertex differs
    view_transform view;
    uint32_t *meshlet_vertex; ///< [64] of each meshlet of 64 vertices: the identity
    screen_vertices screen;
    float (*homogeneous)[4];
    // Set-up and raster.
    uint8_t *corner[3];
    screen_vertices *corners; ///< of 16 triangles each, [INPUT_TRIANGLES / 16]
    setup_triangle *triangles;
    small_triangle *small;
    uint32_t *small_tiles;
    uint32_t small_count;
    const setup_triangle **triangle_list;
    uint32_t triangle_count; ///< that survived set-up
    uint8_t *clip_list;
    raster_tile tile;
    // Shading and film.
    shade_frame frame;
    posed_meshlet meshlet;
    homogeneous_vertices on_screen;
    shade_material material;
    shade_light lights[3];
    surface_texture color_map, data_map;
    surface_packed packed;
    visible_samples visible;
    block_samples *blocks;
    shade_colors color;
    film_srgb srgb;
    uint8_t *pixels;
} kernel_inputs;

bool kernel_inputs_make(kernel_inputs *in, arena *a, zt_error *err);

/// Corners of INPUT_TRIANGLES triangles with sides of about `side` pixels over the tile, at random
/// depths.
void kernel_inputs_corners(kernel_inputs *in, float side);
/// Sets them up: fills triangles, triangle_list and triangle_count.
void kernel_inputs_setup(kernel_inputs *in, const kernel_table *k, int32_t samples);

/// Texture coordinates of the shaded grid so that a pixel is `step` texels wide.
void kernel_inputs_texel_step(kernel_inputs *in, float step);
