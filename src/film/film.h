// SPDX-License-Identifier: MIT
/// Writes a picture's planes by tiles: linear radiance -> 8-bit pixels or floats, and data.
#pragma once

#include "film/film_loops.h"
#include "image/picture_planes.h"
#include "raster/tile_cover.h"
#include "shade/tile_shade.h"

/// Fills the sRGB encoding table: codes are the encoded values, rounded to the nearest exactly.
void film_srgb_init(film_srgb *table);

typedef struct film_settings {
    float exposure;   ///< factor
    int32_t tone_map; ///< tone_map_kind
    bool transparent;
    float background[3];           ///< linear
    const film_backdrop *backdrop; ///< replaces `background`; or NULL
    /// Blended fragments behind the refracting and scattering glass of a pixel belong to the
    /// picture behind it: the pass that draws this picture keeps them, the others leave them out.
    bool layers_behind, draws_behind;
    const behind_picture *behind; ///< what refracted and scattered light shows; NULL: none does
    film_look look;
} film_settings;

/// State that all tiles of a pass share.
typedef struct film_stage {
    const shade_loops *shade_loops;
    const film_loops *loops;
    const shade_frame *frame;
    const film_settings *settings;
    const film_srgb *srgb;        ///< NULL: the pass makes no display colours
    const picture_planes *target; ///< for film_crypto
    uint32_t crypto_set;          ///< its planes that film_crypto fills
} film_stage;

/// The colours of all fragments of a tile, as blend_job reads them.
typedef struct fragment_colors {
    float (*color)[4];
    float (*lens)[FRAGMENT_LENS_COUNT]; ///< NULL: the frame has no transmissive materials
    uint8_t *unlit;                     ///< NULL: the frame has no unlit materials
    uint32_t *id[PLANE_COUNT];          ///< of the planes in stage.crypto_set
} fragment_colors;

/// The blended pixels of a tile; see blend_job.
typedef struct tile_blend {
    uint16_t *pixels;    ///< blend_job.pixels; NULL: the tile has no fragments
    float (*color)[4];   ///< blend_job.out of light; NULL: not wanted
    float (*unlit)[4];   ///< blend_job.out_unlit; NULL: nothing in the frame is unlit
    float (*through)[4]; ///< blend_job.out_through; NULL: no transmissive materials
    float (*display)[4], (*display_through)[4]; ///< the same of display colours
    const float *black;                         ///< film_job.black
    uint16_t *black_place;                      ///< film_job.black_place
} tile_blend;

/// Allocates what film_blend_piece fills in `a`, the memory of the tile: `light`, and display
/// colours if the stage has a table of codes. False when it ran out.
bool film_blend_begin(const film_stage *stage, bool light, arena *a, tile_blend *out);

/// Shades the fragments `f` of the tile `t` at `rect`, and blends them over its visible samples,
/// which shade_tile has shaded. Allocates in `a`, the memory of the piece; false when it ran out or
/// the work is cancelled.
bool film_blend_piece(shade_buffers *s, const tile_buffers *t, const tile_fragments *f,
                      const film_stage *stage, tile_rect rect, arena *a, const tile_blend *out);

/// The same for the blocks of `cover`, whose triangles are black ground, shaded once for all
/// samples of a pixel. False when the memory `a` of the tile ran out.
bool film_blend_cover(shade_buffers *s, const tile_cover *cover, const film_stage *stage,
                      tile_rect rect, arena *a, tile_blend *out);

enum { CRYPTO_RANKS = 6, CRYPTO_IDS_MAX = 32 };

/// Names that a pixel shows, by Cryptomatte's ids of names (Friedman & Jones, "Fully Automatic ID
/// Mattes with Support for Motion Blur and Transparency", 2015): each id with its share of the
/// pixel.
typedef struct crypto_list {
    uint32_t id[CRYPTO_IDS_MAX]; ///< 0 ends them
    float share[CRYPTO_IDS_MAX];
} crypto_list;

/// Adds to the share of an id, unless it is 0: nothing. Starts with zeros.
void crypto_add(crypto_list *list, uint32_t id, float share);
/// The pixel of a plane: the largest shares first, of equal ones the lowest id. Empties the list.
void crypto_write(crypto_list *list, float *pixel);

/// Fills stage->crypto_set: of the pixels that have fragments `f`, whose colours are `from`, once
/// the visible samples are shaded; NULL: of all others, once those are blended.
void film_crypto(const shade_buffers *s, const tile_buffers *t, const tile_fragments *f,
                 const fragment_colors *from, const tile_blend *blend, const film_stage *stage,
                 tile_rect rect);

/// Resolves the shaded tile `t` at `rect` into 8-bit pixels and PLANE_DISPLAY of `target`.
/// Allocates in `a`, the memory of the tile; false when it ran out.
bool film_tile(const shade_buffers *s, const tile_buffers *t, const tile_blend *blend,
               const film_stage *stage, tile_rect rect, arena *a, const picture_planes *target);

/// Resolves tile `t` at `rect` into linear colours, from its first pixel on, rows as the picture's.
void film_linear(const shade_buffers *s, const tile_buffers *t, const tile_blend *blend,
                 const film_stage *stage, tile_rect rect, const behind_level *out);

/// Resolves tile `t` at `rect` into a plane of means of `target`, in the tile's memory `a`; false:
/// none left. SHADE_BEHIND is added to what the plane has.
bool film_color(const shade_buffers *s, const tile_buffers *t, const tile_blend *blend,
                const film_stage *stage, tile_rect rect, arena *a, picture_plane plane,
                const picture_planes *target);

/// The set of planes that a look shows.
uint32_t film_look_planes(film_look_kind look);
/// Gives shaded samples of models the colours of the look, if the stage has one: those of unlit
/// materials, which all of them are then; the ground keeps its own. `part`: what `color` holds.
void film_look_samples(const film_stage *stage, shade_part part, const shade_colors *color,
                       uint32_t count);
/// Fills the planes of `target` that are of the nearest sample, for tile `t` at `rect`. `planes`:
/// of its visible samples; NULL: depth alone is wanted. `space`: rows [3][4] to that of positions
/// and normals; NULL: the world's.
void film_planes(const shade_planes *planes, const tile_buffers *t, tile_rect rect,
                 const shade_frame *frame, const double *space, const picture_planes *target);
