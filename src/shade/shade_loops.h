// SPDX-License-Identifier: MIT
/// The hot loops of shading, and their jobs: visible samples -> linear colours -> 8-bit pixels.
///
/// Barycentrics come from the three homogeneous vertices (X, Y, w) of screen_vertices, relative to
/// the shaded position p: x' = X - p.x w, y' = Y - p.y w; e0 = x1' y2' - x2' y1' and so on;
/// l_i = e_i / (e0 + e1 + e2). These are perspective-correct as they are, and hold for triangles
/// that cross the near plane, so clipped triangles need no case of their own.
/// (Olano & Greer, "Triangle Scan Conversion using 2D Homogeneous Coordinates", 1997.)
#ifndef ZT_SHADE_SHADE_LOOPS_H
#define ZT_SHADE_SHADE_LOOPS_H

#include "geometry/geometry_loops.h"
#include "geometry/view_meshlet.h"
#include "raster/raster_loops.h"

#include <zoetrope/zoetrope.h>

enum { SHADE_WRAP_REPEAT, SHADE_WRAP_CLAMP, SHADE_WRAP_MIRROR };

/// What decides which code samples a texture. Bytes only, so that two of them can be compared as
/// such.
typedef struct shade_sampling {
    uint8_t wrap_u, wrap_v;
    bool powers_of_two, square;                 ///< width and height of level 0
    bool mag_nearest, min_nearest, mip_nearest; ///< no mips: level_count is 1
} shade_sampling;

/// One texture as the sampler sees it; mirrors image/mipmap.h.
typedef struct shade_level {
    const void *texels;
    int32_t width, height, stride;
} shade_level;

typedef struct shade_texture {
    shade_level level[15];
    int32_t level_count;
    bool wide; ///< 4 x u16 (scale 1/32640) instead of 4 x u8 (1/255)
    shade_sampling sampling;
    bool is_signed;   ///< texels stand for -1..1: normal maps
    bool two_channel; ///< signed x and y only
} shade_texture;

enum {
    SHADE_MAP_BASE,
    SHADE_MAP_METAL_ROUGH,
    SHADE_MAP_NORMAL,
    SHADE_MAP_OCCLUSION,
    SHADE_MAP_EMISSIVE,
    SHADE_MAP_SPECULAR_COLOR, ///< RGB scales f0; glossiness in A where the material is glossy
    SHADE_MAP_SPECULAR,       ///< A scales `specular`
    SHADE_MAP_COUNT
};

/// Maps of a material that have one size, sampler, uv set and transform, interleaved so that one
/// fetch brings base colour, metal-rough and normal: 8 x int16_t per texel, in units of 1/32640:
/// base r, g, b, roughness, normal x, y, z (signed), metalness. A row is SHADE_FUSED_PADDING texels
/// longer than the level is wide; all levels lie in one block of less than 2^31 bytes. Emission and
/// occlusion have a block of their own.
enum { SHADE_FUSED_PADDING = 20 };
typedef struct shade_fused {
    const int16_t *texels;
    const int16_t
        *emissive_occlusion; ///< NULL, or 4 x int16_t for each texel: emission r, g, b, occlusion
    int32_t first[16];       ///< texels before each level; the entries past the last one repeat it
    shade_texture sampler;   ///< sizes, wrapping and filters; its texels are not used
} shade_fused;

typedef struct shade_map {
    const shade_texture *texture; ///< NULL: none
    int32_t uv_set;
    bool transformed;
    float uv_from_uv[6];
} shade_map;

/// Creases over a base normal: a normal map in the tangent frame, where its mask lets it show.
typedef struct shade_wrinkle {
    shade_map map, mask; ///< mask: red; without a texture 1 everywhere
    float weight;        ///< > 0
} shade_wrinkle;

/// What few materials have; see normals.inl.
typedef struct shade_detail {
    bool object_space; ///< the normal map's vectors are in bind space
    uint32_t wrinkle_count;
    const shade_wrinkle *wrinkles;
} shade_detail;

typedef struct shade_material {
    shade_map map[SHADE_MAP_COUNT];
    const shade_fused
        *fused;          ///< the maps of fused_maps, at the coordinates of any of them; or NULL
    uint32_t fused_maps; ///< bits 1 << SHADE_MAP_*
    float base_color[4];
    float metallic, roughness;
    float f0[3];      ///< of the dielectric part; without a map of it limited and times `specular`
    float specular;   ///< reflectance of the dielectric part at grazing angles
    float glossiness; ///< glossy: roughness is 1 - glossiness times the map's
    float emissive[3];
    float normal_scale, occlusion_strength;
    float alpha_cutoff;   ///< < 0: not masked
    bool masked, blended; ///< not both
    bool double_sided, vertex_color;
    bool glossy;
    bool unlit;                 ///< shows its base colour whatever the light
    const shade_detail *detail; ///< NULL: none
} shade_material;

enum { SHADE_LIGHT_DIRECTIONAL, SHADE_LIGHT_POINT, SHADE_LIGHT_SPOT };

typedef struct shade_light {
    int32_t kind;
    float to_light[3];             ///< directional: unit vector towards the light
    float position[3];             ///< point, spot: world space
    float axis[3];                 ///< spot: unit, the way the light travels
    float radiance[3];             ///< colour x lux or candela
    float inv_range2;              ///< 1 / range^2, 0 = unlimited
    float spot_scale, spot_offset; ///< clamp(cos * scale + offset)^2, KHR_lights_punctual
} shade_light;

/// Everything that is the same for all pixels of a frame.
typedef struct shade_frame {
    view_transform view;
    /// World position of what is seen at pixel position p with homogeneous w: perspective
    /// origin + (ray + ray_x p.x + ray_y p.y) * w; orthographic (w = 1) needs the distance along
    /// `forward`, (1 - depth) * depth_range, added to origin + ray + ray_x p.x + ray_y p.y.
    float origin[3], ray[3], ray_x[3], ray_y[3];
    float forward[3]; ///< unit, the way the camera looks
    float depth_range;
    const view_meshlet *meshlets;
    const shade_material *materials;
    const shade_light *lights;
    int32_t light_count;
    float sky[3], ground[3]; ///< ambient radiance
    const bind_axes *axes;   ///< by meshlet, of those whose materials ask for them; or NULL
} shade_frame;

/// Linear radiance before exposure, by visible sample, and alpha where materials blend; colours are
/// not multiplied by it.
typedef struct shade_colors {
    float *r, *g, *b;
    float *a; ///< NULL: nothing blends
} shade_colors;

/// Shades `count` visible samples of one material: visible samples index[i], or visible samples i
/// where `index` is NULL. An `index` is padded to a multiple of 16 by repeating its last entry.
/// Colours are written up to the padded count.
typedef struct shade_job {
    const shade_frame *frame;
    const shade_material *material;
    const visible_samples *visible;
    const uint32_t *index;
    uint32_t count;
    int32_t tile_x, tile_y; ///< pixels
    shade_colors color;
} shade_job;

/// Colours of fragments, multiplied by their alphas.
typedef struct premultiply_job {
    shade_colors color; ///< padded to 16
    uint32_t count;
    float (*out)[4]; ///< [pad16(count)], 16-byte aligned
} premultiply_job;

/// Blends the fragments of a tile over what is opaque there, sample by sample, the farthest first
/// and without rounding to bits in between: c + (1 - a) b with colours c that were multiplied by
/// their alpha a (Porter and Duff, "Compositing Digital Images", 1984). A pixel is the mean of its
/// samples.
typedef struct blend_job {
    raster_tile tile; ///< ids of what is opaque
    int32_t sample_count;
    const visible_samples *visible; ///< of what is opaque, as compact_job made them
    shade_colors color;
    const block_samples *blocks;      ///< [TILE_BLOCK_COUNT], in rows
    const sorted_fragment *layers;    ///< by pixel, and in a pixel the farthest first
    const uint32_t *first_layer;      ///< [TILE_FIRST_COUNT]: of the p-th pixel in block order
    const float (*fragment_color)[4]; ///< by number, premultiplied; 16-byte aligned
    float (*out)[4];                  ///< [TILE_SIZE^2], only of pixels that have layers:
                                      ///< premultiplied colour and alpha; 16-byte aligned
    uint16_t *pixels;                 ///< [TILE_SIZE^2 / 16]: bits of those pixels, block by block
} blend_job;

/// 8-bit sRGB from a non-negative float: the code whose interval holds it, exactly. Entries are
/// indexed by the top bits of the float's pattern: 128 buckets an octave, so narrow that each holds
/// at most one threshold between codes. An entry is the code at the bucket's start << 16, plus what
/// makes the low 16 bits of a pattern carry into the code from the threshold on.
typedef struct film_srgb {
    int32_t bucket[13 * 128 + 1]; ///< floats in [2^-13, 1)
} film_srgb;

/// Resolves a tile: pixels sum the colours of their visible samples, weighted by their sample
/// counts; exposure; tone map of the un-premultiplied colour; sRGB; over the background or straight
/// alpha.
typedef struct film_job {
    const visible_samples *visible;
    shade_colors color;
    const block_samples
        *blocks; ///< [TILE_BLOCK_COUNT], in rows; NULL: no pixel has visible samples
    const float (
        *blended)[4]; ///< blend_job.out: instead of their visible samples; NULL: no pixel is
    const uint16_t *blended_pixels; ///< blend_job.pixels
    int32_t width, height;          ///< pixels of the tile inside the picture
    int32_t sample_count;
    float exposure;   ///< factor
    int32_t tone_map; ///< zt_tone_map
    bool transparent;
    float background[3]; ///< linear, shown as it is
    const film_srgb *srgb;
    uint8_t *out;      ///< RGBA8 of the tile's first pixel
    size_t out_stride; ///< bytes
} film_job;

/// The loops of one instruction set (kernels/kernels.h fills them).
typedef struct shade_loops {
    /// raster_alpha_test.survivors; `materials` is a shade_frame.
    unsigned (*alpha_test)(const void *frame, uint32_t id, int32_t block_x, int32_t block_y,
                           int32_t sample_dx, int32_t sample_dy, unsigned lanes);
    /// Visible samples of one material -> linear colour.
    void (*shade)(const shade_job *job);
    /// Colours of fragments, ready to be blended.
    void (*premultiply)(const premultiply_job *job);
    /// Colours of fragments over those of what is opaque.
    void (*blend)(const blend_job *job);
    /// Linear colours of one tile -> 8-bit pixels.
    void (*film)(const film_job *job);
} shade_loops;

#endif
