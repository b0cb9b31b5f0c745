// SPDX-License-Identifier: MIT
/// The planes of a frame: the film writes and pictures' writers read them; unasked ones are absent.
/// A plane is a row of the table in picture_planes.c, which all that holds planes goes by.
#pragma once

#include "base/arena.h"

#include <zoetrope/zoetrope.h>

/// Planes of 32-bit numbers, in the order of the table.
typedef enum picture_plane {
    PLANE_COLOR, ///< linear light, see zt_plane
    // Means, with the exposure of `color` but for albedo; see shade_part.
    PLANE_ALBEDO,
    PLANE_EMISSION,
    PLANE_DIFFUSE,
    PLANE_SPECULAR,
    PLANE_TRANSMITTED,
    PLANE_COVERAGE,        ///< the alpha of PLANE_COLOR
    PLANE_CRYPTO_OBJECT,   ///< ids of names and their shares of the pixel, the largest first
    PLANE_CRYPTO_MATERIAL, ///< (Cryptomatte 1.2.0)
    PLANE_CRYPTO_BONE,
    PLANE_DISPLAY,     ///< what 8-bit colour encodes: linear, premultiplied
    PLANE_DEPTH,       ///< see zt_plane
    PLANE_NORMAL,      ///< unit, in world space, towards the side that is seen; with normal maps
    PLANE_BASE,        ///< base colour: linear, before light
    PLANE_UV,          ///< the first texture coordinates, v from the top
    PLANE_UV_STEP,     ///< lengths of the steps of u and v from pixel to pixel
    PLANE_POSITION,    ///< world space, metres
    PLANE_BARYCENTRIC, ///< of corners 1 and 2 of the triangle
    PLANE_MOTION,      ///< of the surface to the frames after and before; see sample_motion.h
    PLANE_VECTOR,      ///< the same as Blender has it
    // Numbers + 1; 0: nothing.
    PLANE_INSTANCE, ///< in the scene
    PLANE_OBJECT,   ///< the node, in the model
    PLANE_MATERIAL, ///< in the model
    PLANE_BONE,     ///< the node of the joint that moves the nearest corner most
    PLANE_COUNT
} picture_plane;

/// Sets of planes have the bit 1 << plane of each, and this one for 8-bit sRGB.
enum {
    PICTURE_PLANE_COLOR8 = 1 << PLANE_COUNT,
    PICTURE_PLANES_MEAN = (1 << PLANE_DISPLAY) - 1, ///< of light
    PICTURE_PLANES_CRYPTO = 7 << PLANE_CRYPTO_OBJECT,
    PICTURE_PLANES_OF_PIXELS = (1 << PLANE_COUNT) - (1 << PLANE_MOTION), ///< not of every sample
    PICTURE_ID_PLANES = PLANE_COUNT - PLANE_INSTANCE,
};

/// A row of the table.
typedef struct picture_plane_row {
    zt_plane_kind kind;
    bool shaded; ///< it needs materials
    bool listed; ///< callers may ask for it: zt_plane_at
} picture_plane_row;

extern const picture_plane_row picture_plane_table[PLANE_COUNT];

/// The memory of a plane.
typedef struct plane_memory {
    void *data;    ///< [height][width][channels]; NULL: absent
    size_t stride; ///< bytes from row to row
} plane_memory;

/// The sums of the sub-frames of a picture, by blocks of 4x4 pixels (film/blur.inl).
typedef struct picture_sums {
    int32_t columns, rows; ///< blocks
    int32_t count;         ///< sub-frames
    float *pixel;          ///< [block][2][16][4]: light, and display colours less those of light
    uint16_t *plain;       ///< [block]: sub-frames in which it shows the page alone
} picture_sums;

/// One frame, row 0 on top.
typedef struct picture_planes {
    int32_t width, height;                  ///< pixels
    int32_t fps_numerator, fps_denominator; ///< of the sequence; 0: unknown
    zt_image color8;                        ///< 8-bit sRGB with straight alpha; rgba8 NULL: absent
    plane_memory plane[PLANE_COUNT];
    const picture_sums *sums; ///< take display colours instead of color8; NULL: none
} picture_planes;

/// The first channel of a pixel of a plane that is present.
static inline float *picture_plane_at(const picture_planes *planes, picture_plane plane, int32_t x,
                                      int32_t y)
{
    const plane_memory *m = &planes->plane[plane];
    return (float *)(void *)((char *)m->data + (size_t)y * m->stride) +
           (size_t)x * (size_t)picture_plane_table[plane].kind.channels;
}

/// The plane of this name that callers may ask for; "id" is "object". ZT_ERR_ARGUMENT with the
/// names that there are.
zt_result picture_plane_find(const char *name, picture_plane *out, zt_error *err);
/// Adds to a set, which must not have it yet, a plane by its name; "all" adds those that are left,
/// and may stand before them.
zt_result picture_planes_add(uint32_t *set, const char *name, zt_error *err);
/// The set of a text like "depth,normal".
zt_result picture_planes_read(const char *text, uint32_t *out, zt_error *err);
/// The planes of a caller. ZT_ERR_ARGUMENT.
zt_result picture_planes_take(const zt_planes *planes, picture_planes *out, zt_error *err);
/// The set of the planes that are present.
uint32_t picture_planes_present(const picture_planes *planes);
/// The same frame with the planes of `set` alone.
picture_planes picture_planes_only(const picture_planes *planes, uint32_t set);
/// Bytes of a pixel in all planes of the set.
uint64_t picture_planes_pixel_size(uint32_t set);
/// True if a plane of the set has values of the nearest sample.
bool picture_planes_any_nearest(uint32_t set);
/// True if a plane of the set needs materials.
bool picture_planes_any_shaded(uint32_t set);
/// zt_image_hash of the 8-bit colour; 0 when it is absent.
uint64_t picture_planes_hash(const picture_planes *planes);
/// Memory in `a` for the planes of the set `wanted`, uninitialised. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result picture_planes_init(picture_planes *planes, uint32_t wanted, int32_t width,
                              int32_t height, arena *a, zt_error *err);

/// The properties of a stream of frames, and how far it is made.
typedef struct picture_stream {
    int32_t width, height; ///< pixels
    int32_t fps_numerator, fps_denominator;
    bool alpha;          ///< frames have an alpha channel
    int64_t frame_count; ///< of the whole stream
    int64_t joined;      ///< frames that are in it so far
    uint32_t chunks;     ///< numbered chunks so far (APNG)
    uint64_t size;       ///< bytes so far
    const zt_encode_def *encoding;
    arena kept;  ///< what join() keeps until end(); its owner finishes it
    void *state; ///< of the writer, in `kept`
} picture_stream;

/// When frame `index` begins, in units of which a second has `rate`.
static inline int64_t picture_stream_time(const picture_stream *stream, int64_t index, double rate)
{
    return (int64_t)((double)index * rate * stream->fps_denominator / stream->fps_numerator + 0.5);
}
