// SPDX-License-Identifier: MIT
/// One picture of the channels of others.
#pragma once

#include "image/picture.h"
#include "texture/mipmap.h"

/// Which channels of files a texture is made of. Those of one channel are grey pictures.
typedef enum texture_plan {
    TEXTURE_WHOLE, ///< all of `name`; `other` is ""
    TEXTURE_ALPHA, ///< `name`, with the alpha of `other`, or its red where that is 1 everywhere
    TEXTURE_BUMP,  ///< normals of the heights of `name`; a picture of normals stays as it is
    TEXTURE_ROUGH_METAL ///< roughness of `name` in G, metalness of `other` in B; one may be ""
} texture_plan;

typedef struct texture_files {
    const char *name, *other;
    texture_plan plan;
    mipmap_wrap wrap[2]; ///< along u and v
} texture_files;

/// Where a channel comes from.
typedef struct picture_channel {
    const picture *from; ///< NULL: it is 1 everywhere
    int channel;         ///< 0 to 3: red, green, blue, alpha
} picture_channel;

/// True when a pixel of a picture is not opaque.
bool picture_is_clear(const picture *p);

/// Makes a picture of 8 bits in `a`, as wide as the widest and as high as the highest of those that
/// its channels come from, of which smaller ones are magnified without a filter. At least one has
/// a picture.
zt_result picture_compose(arena *a, const picture_channel channels[4], picture *out, zt_error *err);
/// The same by a plan, of the pictures of its two files; that of "" has no width.
zt_result picture_compose_plan(arena *a, texture_plan plan, const picture *one, const picture *two,
                               picture *out, zt_error *err);
