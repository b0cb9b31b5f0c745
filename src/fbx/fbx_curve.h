// SPDX-License-Identifier: MIT
/// Animation curves of FBX: keys, tangents, and what is before the first and behind the last key.
#pragma once

#include "fbx/fbx_scene.h"

typedef enum fbx_interpolation {
    FBX_CONSTANT,      ///< the value of the key
    FBX_CONSTANT_NEXT, ///< that of the next key
    FBX_LINEAR,
    FBX_CUBIC
} fbx_interpolation;

/// A key, and how it goes on to the next one.
typedef struct fbx_key {
    double time_s, value;
    double right_slope, next_left_slope;   ///< a second
    double right_weight, next_left_weight; ///< of the time to the next key: where handles end
    fbx_interpolation interpolation;
} fbx_key;

typedef struct fbx_extrapolation {
    char kind;     ///< C constant, R repeat, M mirror, K slope, A repeat and add
    int32_t count; ///< of repetitions; -1: without an end
} fbx_extrapolation;

typedef struct fbx_curve {
    uint32_t key_count;    ///< >= 1
    const fbx_key *key;    ///< times rise strictly
    double least, largest; ///< of keys
    bool stays;            ///< at one value
    fbx_extrapolation before, after;
} fbx_curve;

/// The curve of an AnimationCurve of version 7, or of a channel in a take of version 6. *out is
/// NULL when it has no keys.
zt_result fbx_curve_read(const fbx_tree *tree, const fbx_node *node, const fbx_curve **out,
                         zt_error *err);
zt_result fbx_curve_read_take(const fbx_tree *tree, const fbx_node *node, const fbx_curve **out,
                              zt_error *err);
double fbx_curve_value(const fbx_curve *curve, double time_s);

/// Ticks of a second.
#define FBX_TICKS 46186158000.0
