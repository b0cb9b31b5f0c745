// SPDX-License-Identifier: MIT
/// The other half of libdraco, for round trips: a mesh with every kind of attribute as a stream.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A height field of `side` x `side` corners, so 2 (side - 1)^2 triangles.
typedef struct draco_sample {
    uint32_t side, vertex_count, triangle_count;
    float (*position)[3];
    float (*normal)[3]; ///< unit length
    uint8_t (*color)[4];
    uint32_t (*corner)[3];
} draco_sample;

enum { DRACO_ID_POSITION, DRACO_ID_NORMAL, DRACO_ID_COLOR };

typedef struct draco_settings {
    bool sequential;                ///< else edgebreaker
    int position_bits, normal_bits; ///< 0: not quantised
} draco_settings;

draco_sample draco_sample_make(uint32_t side);
void draco_sample_free(draco_sample *sample);
/// The stream in malloc'ed memory; NULL when the library refuses.
uint8_t *draco_encode(const draco_sample *sample, const draco_settings *settings, size_t *out_size);

#ifdef __cplusplus
}
#endif
