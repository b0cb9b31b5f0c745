// SPDX-License-Identifier: MIT
/// Mip chains of one size interleaved, so that one fetch brings base colour, metal-rough and normal
/// together, and another one emission and occlusion. The values are those of the chains, exactly.
#pragma once

#include "base/jobs.h"
#include "texture/mipmap.h"

/// The chains. Their contents: MIPMAP_COLOR, LINEAR, NORMAL, COLOR, LINEAR.
enum {
    MIPMAP_PACK_BASE,
    MIPMAP_PACK_METAL_ROUGH,
    MIPMAP_PACK_NORMAL,
    MIPMAP_PACK_EMISSIVE,
    MIPMAP_PACK_OCCLUSION,
    MIPMAP_PACK_COUNT
};

enum { MIPMAP_PACKED_CHANNELS = 8, MIPMAP_EMISSIVE_OCCLUSION_CHANNELS = 4 };

/// Texels at the end of each row. Widths are mostly powers of two; without padding, the texels of a
/// column would share one cache set. Five lines of 64 bytes spread them.
enum { MIPMAP_PACKED_PADDING = 20 };

/// Texels of 8 x int16_t in 1 / MIPMAP_U15_ONE: base r, g, b, roughness, normal x, y, z (signed),
/// metalness. A row is its width and MIPMAP_PACKED_PADDING texels, the first repeated or wrapped as
/// in the chains; one row more than the height; all levels in a block, level i from first[i].
typedef struct mipmap_packed {
    const int16_t *texels;
    const int16_t *emissive_occlusion; ///< 4 x int16_t in the same places: emission r, g, b,
                                       ///< occlusion; or NULL
    int32_t first[MIPMAP_LEVELS + 1];  ///< entries past the last level repeat its own
} mipmap_packed;

/// True when chains have the same levels and wraps, and fit interleaved: below 2^31 bytes.
bool mipmap_fits(const mipmap *a, const mipmap *b);

/// Interleaves chains that fit each other. Any may be NULL, then its channels are zeros, but one of
/// the first three must be there. The result does not depend on `pool`, which may be NULL.
zt_result mipmap_pack(job_pool *pool, arena *a, const mipmap *const chain[MIPMAP_PACK_COUNT],
                      mipmap_packed *out, zt_error *err);

/// True when the interleaved chains of two pictures can be made side by side: `p` has the size of a
/// level of `largest`, of which all levels above it are left out.
bool mipmap_picture_fits(const picture *largest, const picture *p);

/// The same straight from pictures, whose chains are never stored: with those of mipmap_build() it
/// gives the same texels. All pictures fit the one with the largest `skip`, and `like` is what
/// mipmap_measure() gives for one of them. At least one of the first three is there.
zt_result mipmap_pack_pictures(job_pool *pool, arena *a,
                               const picture *const source[MIPMAP_PACK_COUNT], const mipmap *like,
                               mipmap_packed *out, zt_error *err);

/// Room for chains like `like`, not filled.
zt_result mipmap_packed_alloc(arena *a, const mipmap *like, bool emissive_occlusion,
                              mipmap_packed *out, int16_t **out_texels,
                              int16_t **out_emissive_occlusion, zt_error *err);
