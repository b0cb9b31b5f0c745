// SPDX-License-Identifier: MIT
/// The film's hot loops: colours of samples and fragments -> blended, behind glass -> pixels.
#pragma once

#include "film/behind.h"
#include "image/tone_map.h"
#include "shade/shade_loops.h"

/// Multiplies the colours of fragments by their alphas.
typedef struct premultiply_job {
    shade_colors color; ///< padded to 16
    uint32_t count;
    float (*out)[4]; ///< [pad16(count)], 16-byte aligned
    /// If color.lens: what each fragment does to the light behind it, [pad16(count)]; 16-byte
    /// aligned. Fragments of other materials let 1 - alpha through.
    float (*out_lens)[FRAGMENT_LENS_COUNT];
} premultiply_job;

/// Blends the fragments of a tile over its opaque visible samples, sample by sample, the farthest
/// first, in floats: c + (1 - a) b for a premultiplied colour c with alpha a over b (Porter and
/// Duff, "Compositing Digital Images", 1984). A pixel is the mean of its samples.
typedef struct blend_job {
    raster_tile tile; ///< ids of the opaque triangles
    int32_t sample_count;
    const visible_samples *visible; ///< the opaque ones, as compact_job made them
    shade_colors color;
    const block_samples *blocks;      ///< [TILE_BLOCK_COUNT], in rows
    const sorted_fragment *sorted;    ///< tile_fragments.sorted
    const uint32_t *first_sorted;     ///< tile_fragments.first
    const float (*fragment_color)[4]; ///< [fragment], premultiplied; 16-byte aligned
    const uint8_t *fragment_unlit;    ///< [fragment], if color.unlit: as shade_colors.unlit
    const struct film_job *film;      ///< makes display colours of `out`; NULL: `out` is light
    float (*out)[4];                  ///< [TILE_SIZE^2], only of pixels that have fragments:
                                      ///< premultiplied colour and alpha; 16-byte aligned
    float (
        *out_unlit)[4]; ///< the same of what is unlit, then not in `out`; if color.unlit, of light
    uint16_t *pixels;   ///< [TILE_SIZE^2 / 16]: bits of those pixels, block by block
    int32_t first_block, end_block; ///< the blocks to blend: [first_block, end_block)
    // In frames with transmissive materials; see blend_glass.inl.
    const float (*fragment_lens)[FRAGMENT_LENS_COUNT]; ///< [fragment]; NULL: no such frame
    const behind_picture *behind;                      ///< or NULL, as in shade_frame
    bool environment_behind;
    bool layers_behind, draws_behind; ///< as in shade_frame
    bool only_behind;                 ///< light that no glass passes is left out
    int32_t tile_x, tile_y;           ///< pixels
    float (*out_through)[4]; ///< [TILE_SIZE^2], as `out`: share of the background that shows, by
                             ///< channel. Of light the alpha in `out` is 1 - their mean, and the
                             ///< fourth is the nearness of the pixel if draws_behind. Of display
                             ///< colours the fourth is the share of samples with glass
} blend_job;

/// Exact 8-bit sRGB codes of non-negative floats. The top bits of a pattern index the buckets, 128
/// an octave, so narrow that each has at most one threshold. An entry: the code at the start << 16,
/// plus what makes the low 16 bits of a pattern carry into it from the threshold on.
typedef struct film_srgb {
    int32_t bucket[13 * 128 + 1]; ///< floats in [2^-13, 1)
    /// 255 * 1.055 x^(1/2.4), for processors that look up tables of 16 faster than this one: a
    /// polynomial of the significand, in [1, 2), in each of 16 segments (curve[k]: coefficients of
    /// degree k), times the power of its octave, by the last four bits of the exponent.
    float curve[3][16], octave[16];
    float linear[257]; ///< [code]; the last is repeated
} film_srgb;
#define FILM_CURVE_ERROR 2e-4f ///< in codes; that of the polynomials is 1.34e-4, of all floats

/// The environment of the frame as the background.
typedef struct film_backdrop {
    const float *rgb; ///< its equirectangular picture; NULL: the chain of the environment
    int32_t width, height;
    float roughness; ///< of the chain
} film_backdrop;

/// A picture shows light of models, or data of planes.
typedef enum film_look_kind {
    FILM_LOOK_LIGHT,
    FILM_LOOK_ALBEDO,
    FILM_LOOK_NORMALS,
    FILM_LOOK_UV,
    FILM_LOOK_DEPTH,
    FILM_LOOK_COUNT
} film_look_kind;

typedef struct film_look {
    film_look_kind kind;
    float nearest, farthest; ///< metres along the view: white and black of FILM_LOOK_DEPTH
} film_look;

/// Replaces the colours of samples that are unlit by those of a look.
typedef struct look_job {
    shade_colors color; ///< padded to 16; with the planes of film_look_planes
    uint32_t count;
    film_look look;
    const screen_view *view;
} look_job;

/// Resolves a tile: each pixel sums the display colours of its visible samples (exposure and tone
/// map), weighted by their sample counts; then background or straight alpha, sRGB. Exposure and
/// tone map do not change unlit samples and the background.
typedef struct film_job {
    const visible_samples *visible;
    shade_colors color;
    const block_samples
        *blocks;               ///< [TILE_BLOCK_COUNT], in rows; NULL: no pixel has visible samples
    const float (*blended)[4]; ///< blend_job.out of display colours: replaces visible samples;
                               ///< NULL: nothing blends
    const float (*through)[4]; ///< blend_job.out_through; NULL: 1 - alpha in each channel
    const uint16_t *blended_pixels; ///< blend_job.pixels
    /// Blocks of black alone: alphas of 16 pixels each, padded to 16, those of a block from
    /// 16 * (black_place[block] - 1) on; 0: it shows more. NULL: none.
    const float *black;
    const uint16_t *black_place; ///< [TILE_BLOCK_COUNT]
    int32_t width, height;       ///< pixels of the tile inside the picture
    int32_t sample_count;
    float exposure;   ///< factor
    int32_t tone_map; ///< tone_map_kind
    bool transparent;
    float background[3]; ///< linear; exposure and tone map do not change it
    const film_backdrop *backdrop;
    const float *backdrop_pixels; ///< backdrop_job.out, instead of `background`; or NULL
    const film_srgb *srgb;
    uint8_t *out;          ///< RGBA8 of the tile's first pixel
    size_t out_stride;     ///< bytes
    float *display;        ///< PLANE_DISPLAY from the tile's first pixel on
    size_t display_stride; ///< bytes
} film_job;

enum { FILM_BACKDROP_PLANE = TILE_SIZE * TILE_SIZE };

/// Fills the background of the tile at (tile_x, tile_y) with the environment, exposed and tone
/// mapped. Blocks that film_job covers wholly are left as they are.
typedef struct backdrop_job {
    const shade_frame *frame;
    const film_job *film; ///< backdrop_pixels is not used
    int32_t tile_x, tile_y;
    float *out; ///< [3][FILM_BACKDROP_PLANE]: r, g, b, block by block
} backdrop_job;

/// Resolves a tile of the picture behind glass, or of linear colours: film_job's sums alone.
typedef struct behind_resolve_job {
    raster_tile tile;
    const visible_samples *visible;
    shade_colors color;
    const block_samples *blocks; ///< [TILE_BLOCK_COUNT]; NULL: the tile shows nothing
    /// Colours of fragments that belong to the picture: blend_job.out, .out_unlit (NULL: nothing is
    /// unlit), .out_through and .pixels. NULL: none.
    const float (*blended)[4], (*blended_unlit)[4], (*through)[4];
    const uint16_t *blended_pixels;
    int32_t width, height; ///< pixels of the tile inside the picture
    int32_t sample_count;
    bool leaves_empty;     ///< pixels of blocks that show nothing are left as they are, not zeros
    float (*out)[4];       ///< as behind_level.color; of the tile's first pixel
    float (*out_unlit)[4]; ///< as behind_level.unlit; NULL where color.unlit is
    float *out_nearness;   ///< as behind_level.nearness, or NULL
    size_t stride;         ///< pixels
} behind_resolve_job;

/// True if a block has samples, or pixels that are blended. NULL: none has.
static inline bool behind_shows(const block_samples *blocks, const uint16_t *blended, int32_t block)
{
    return (blocks && blocks[block].kind != BLOCK_EMPTY) || (blended && blended[block]);
}

/// Reduces 8-bit colours of `from`, whose rows are aligned to 4 bytes, to those of `out`.
typedef struct color_reduce_job {
    const film_srgb *srgb;
    int32_t factor; ///< `from` is so many times as wide and high as `out`
    const zt_image *from, *out;
} color_reduce_job;

/// Adds a tile of a sub-frame to the sums.
typedef struct blur_tile_job {
    const film_job *film; ///< without `out` and `display`
    behind_resolve_job light;
    int32_t column, row; ///< of the tile's first block
    const picture_sums *sums;
} blur_tile_job;

/// The loops of one instruction set (kernels/kernels.h fills them).
struct film_loops {
    /// Colours of fragments -> premultiplied colours.
    void (*premultiply)(const premultiply_job *job);
    /// Fragments over opaque visible samples -> colours of pixels.
    void (*blend)(const blend_job *job);
    /// The environment -> the background of one tile.
    void (*backdrop)(const backdrop_job *job);
    /// Data of planes -> colours of samples.
    void (*look)(const look_job *job);
    /// Linear colours of one tile -> 8-bit pixels.
    void (*film)(const film_job *job);
    /// The same numbers, not encoded.
    void (*display)(const film_job *job);
    /// Linear colours of one tile -> the first level of a behind_picture.
    void (*behind_resolve)(const behind_resolve_job *job);
    /// Rows of one level of a behind_picture from the level before it.
    void (*behind_reduce)(const behind_reduce_job *job);
    /// A tile of a sub-frame -> sums.
    void (*blur_tile)(const blur_tile_job *job);
    /// A block of sums -> display colours, and 8-bit pixels. Of `film`: tone map and page.
    void (*blur_end)(const film_job *film, const picture_sums *sums, size_t block, float (*out)[4],
                     int32_t rgba[16]);
    /// 8-bit pixels of a larger picture -> 8-bit pixels.
    void (*color_reduce)(const color_reduce_job *job);
};
