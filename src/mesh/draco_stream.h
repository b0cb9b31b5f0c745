// SPDX-License-Identifier: MIT
/// A Draco mesh as plain numbers: the C interface to libdraco. Values are those of the stream,
/// before dequantisation. That is done in gltf_draco.c: it is floating point, and the library's own
/// may be compiled with contraction. Bitstream: https://google.github.io/draco/spec/ (Draco 2.2).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct draco_stream draco_stream;

typedef enum draco_status {
    DRACO_DONE,
    DRACO_BROKEN,    ///< not a Draco mesh, or cut short, or inconsistent
    DRACO_TOO_LARGE, ///< beyond draco_limits
    DRACO_NO_MEMORY,
} draco_status;

/// Checked against what the stream announces, before the library allocates for it.
typedef struct draco_limits {
    uint64_t faces, points;
    /// Charges for memory that the library takes until the stream is closed, as bounded from the
    /// counts. False: the stream is too large.
    bool (*charge)(void *user, uint64_t bytes);
    void *charge_user;
} draco_limits;

typedef enum draco_form {
    DRACO_INTEGERS,   ///< as they are
    DRACO_FLOATS,     ///< as they are
    DRACO_QUANTIZED,  ///< minimum[c] + integer * range / (2^bits - 1)
    DRACO_OCTAHEDRAL, ///< two integers for a unit vector
} draco_form;

enum { DRACO_COMPONENTS = 4 };

typedef struct draco_attribute {
    draco_form form;
    uint32_t components; ///< numbers per point that draco_stream_integers() or _floats() gives
    uint32_t bits;       ///< quantised forms: 1 to 30
    float minimum[DRACO_COMPONENTS], range;
} draco_attribute;

/// Decodes a whole stream. On success *out is the caller's, for draco_stream_close(); else NULL.
draco_status draco_stream_open(const void *data, size_t size, const draco_limits *limits,
                               draco_stream **out);
/// NULL is fine.
void draco_stream_close(draco_stream *stream);
uint32_t draco_stream_points(const draco_stream *stream);
uint32_t draco_stream_faces(const draco_stream *stream);
/// Three points for each face, all of them below draco_stream_points(); false when they are not.
bool draco_stream_corners(const draco_stream *stream, uint32_t *out);
/// Describes the attribute of a unique id; DRACO_BROKEN when none fits, DRACO_NO_MEMORY.
draco_status draco_stream_attribute(const draco_stream *stream, uint32_t id, draco_attribute *out);
/// The numbers of an attribute, packed, point by point; false when its form has none of the kind.
bool draco_stream_integers(const draco_stream *stream, uint32_t id, int32_t *out);
bool draco_stream_floats(const draco_stream *stream, uint32_t id, float *out);

#ifdef __cplusplus
}
#endif
