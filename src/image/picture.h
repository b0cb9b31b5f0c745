// SPDX-License-Identifier: MIT
/// Pictures as decoders make and mipmap_build() takes them, encoded as in files: not linear.
#pragma once

#include "base/arena.h"
#include "base/color_text.h"
#include "base/file.h"

#define PICTURE_SIDE_LIMIT 16384 ///< pixels

typedef enum picture_format {
    PICTURE_RGBA8,  ///< 4 bytes a pixel
    PICTURE_RGB8,   ///< 3 bytes a pixel
    PICTURE_RGBA16, ///< 4 uint16_t a pixel, host order: 16-bit PNG
} picture_format;

/// The mip levels of a file, level 0 first: mostly one; DDS and KTX2 may have all. Row 0 is on top.
/// Rows are contiguous, but those of level 0 `pitch` bytes apart unless it is 0.
typedef struct picture {
    int32_t width, height;
    int32_t level_count;
    picture_format format;
    bool has_alpha;     ///< false: alpha is 1 everywhere
    bool two_channel;   ///< a normal map without z, in BC5 for example
    bool srgb_declared; ///< the file declares sRGB (DXGI *_SRGB)
    bool too_large;     ///< set when decoding failed for its size: zt_limits.texture_side
    bool lfs_pointer;   ///< set when reading failed: the file is a Git LFS pointer
    bool unknown;       ///< set when decoding failed: no format that is read
    const char *codec;  ///< "PNG" and the like, set by picture_decode()
    const char *note;   ///< what was left out ("the first of 6 cube faces is used"); NULL: nothing
    int32_t skip;      ///< number of first levels that mip chains may leave out (picture_reduction)
    float mask_cutoff; ///< mip chains average what passes a test of alpha against it; 0: alpha
    size_t pitch;
    const void *level[15];
} picture;

/// The size that a texture must have.
typedef struct picture_need {
    int32_t min_side; ///< reduced as picture_reduction() allows; 0: not at all
    bool color;   ///< sRGB: decoders average encoded values, so they leave the last halving, which
                  ///< matters most, to the mip chain, which averages in linear light
    bool counted; ///< as work of reading a model
    struct job_pool *pool; ///< helps to decode, which changes nothing; NULL: nobody does
} picture_need;

/// The work of decoding a picture, and that of making its mip chain (arena_work): flat ones
/// are packed 1000 : 1, and honest.
static inline uint64_t picture_steps(const picture *p)
{
    return (uint64_t)p->width * (uint64_t)p->height / 2;
}

/// Number of times both sides of a texture can be halved without going below `min_side`; 0 for 0.
int32_t picture_reduction(int32_t width, int32_t height, int32_t min_side);

/// Length of a side at a mip level.
static inline uint32_t picture_level_side(uint32_t side, uint32_t level)
{
    return side >> level ? side >> level : 1;
}

/// More bytes than any file of ours that shows so many pixels.
static inline uint64_t picture_file_limit(int32_t width, int32_t height)
{
    return (uint64_t)width * (uint64_t)height * 8 + (1 << 20);
}

static inline size_t picture_pixel_bytes(picture_format format)
{
    static const size_t bytes[] = {[PICTURE_RGBA8] = 4, [PICTURE_RGB8] = 3, [PICTURE_RGBA16] = 8};
    return bytes[format];
}

/// Row `y` of a level.
static inline const uint8_t *picture_row(const picture *p, int32_t level, size_t y)
{
    const size_t width = picture_level_side((uint32_t)p->width, (uint32_t)level);
    const size_t packed = width * picture_pixel_bytes(p->format);
    return (const uint8_t *)p->level[level] + y * (level == 0 && p->pitch ? p->pitch : packed);
}

/// ZT_ERR_LIMIT above PICTURE_SIDE_LIMIT; the sides of this `kind` of file are at byte `at`.
zt_result picture_check_side(const char *name, size_t at, const char *kind, uint32_t width,
                             uint32_t height, zt_error *err);
/// An opaque RGBA8 picture of one level, whose pixels the caller has still to fill.
zt_result picture_take(arena *a, int32_t width, int32_t height, const char *what, picture *out,
                       uint8_t **out_pixels, zt_error *err);

/// The number of mip levels down to 1x1.
uint32_t picture_max_levels(uint32_t width, uint32_t height);

/// Sets p->note to "the first of COUNT WHAT is used"; nothing when the file has one picture only.
zt_result picture_note_first(arena *a, picture *p, uint64_t count, const char *what, zt_error *err);
