// SPDX-License-Identifier: MIT
/// Pictures in memory, decoded from PNG, JPEG, WebP, KTX2 or DDS, before they become textures.
#ifndef ZT_IMAGE_PICTURE_H
#define ZT_IMAGE_PICTURE_H

#include "base/arena.h"
#include "base/file.h"

#define PICTURE_SIDE_LIMIT 16384 ///< pixels; contract

typedef enum picture_format {
    PICTURE_RGBA8,  ///< 4 bytes a pixel
    PICTURE_RGB8,   ///< 3 bytes a pixel
    PICTURE_RGBA16, ///< 4 uint16_t a pixel, host order: 16-bit PNG
} picture_format;

/// A mip chain as it came from the file: level 0 first. Most files have one level; DDS may have
/// all of them. Row 0 is on top; rows follow each other, those of level 0 `pitch` bytes apart if it
/// is not 0.
typedef struct picture {
    int32_t width, height;
    int32_t level_count;
    picture_format format;
    bool has_alpha;     ///< false: alpha is 1 everywhere
    bool two_channel;   ///< BC5 and the like: a normal map whose z must be reconstructed
    bool srgb_declared; ///< the file says that it is sRGB (DXGI *_SRGB)
    const char *codec;  ///< "PNG" and the like, where picture_decode() made it
    const char *note; ///< what of the file was left out ("the first of 6 faces"), NULL for nothing
    int32_t skip;     ///< how many of the first levels mip chains may leave out (picture_reduction)
    size_t pitch;
    const void *level[15];
} picture;

/// What is wanted of a picture that becomes a texture.
typedef struct picture_need {
    int32_t least_side; ///< reduced as picture_reduction() allows; 0: not at all
    bool color;         ///< it is averaged in linear light, so a decoder that averages encoded
                        ///< values leaves the last halving, which weighs most, to the mip chain
} picture_need;

/// How far a texture may be reduced for small pictures: how often both sides of `width` x `height`
/// can be halved without going below `least_side`. 0 for `least_side` 0.
int32_t picture_reduction(int32_t width, int32_t height, int32_t least_side);

/// Notes that of `count` pictures ("cube faces") in a file the first one is used; nothing for one.
zt_result picture_note_first(arena *a, picture *p, uint64_t count, const char *what, zt_error *err);

/// The sRGB transfer function without libm: encoded [0, 1] -> linear [0, 1]; values outside are
/// clamped, NaN gives 0.
double srgb_decode(double encoded);

#endif
