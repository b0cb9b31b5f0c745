// SPDX-License-Identifier: MIT
/// The animation of FBX files: stacks of layers whose curves move properties of objects.
#pragma once

#include "fbx/fbx_curve.h"
#include "fbx/fbx_rig.h"

typedef enum fbx_target {
    FBX_TRANSLATION,
    FBX_ROTATION,
    FBX_SCALING,
    FBX_DEFORM, ///< the percentage of a blend shape; of version 6 plus its place in the file
} fbx_target;

typedef struct fbx_channel {
    int32_t object;
    fbx_target target;
    dvec3 fallback; ///< of components without a curve
    const fbx_curve *curve[3];
} fbx_channel;

typedef struct fbx_layer {
    double weight;                 ///< 0 to 1
    const fbx_curve *weight_curve; ///< per cent; NULL: `weight`
    bool adds;                     ///< to the layers below; otherwise it is blended over them
    bool rotation_by_layer, scale_adds;
    uint32_t channel_count;
    const fbx_channel *channel;
    hash_table slots; ///< of channels, by object and target
} fbx_layer;

/// A clip.
typedef struct fbx_stack {
    const char *name;
    double start_s, end_s;
    uint32_t layer_count;
    const fbx_layer *layer;
} fbx_stack;

typedef struct fbx_motion {
    uint32_t stack_count;
    const fbx_stack *stack;
} fbx_motion;

/// Warns of what else curves move.
zt_result fbx_motion_read(const fbx_scene *s, fbx_motion *out, zt_error *err);
/// The channel of a layer that moves a target of an object, or NULL.
const fbx_channel *fbx_layer_channel(const fbx_layer *layer, int32_t object, fbx_target target);
/// The transform of a model at a time; `rest` without layers.
fbx_local fbx_local_at(const fbx_stack *stack, int32_t model, const fbx_local *rest, int32_t order,
                       double time_s);
/// The percentage of a blend shape.
double fbx_deform_at(const fbx_stack *stack, int32_t object, uint32_t shape, double rest,
                     double time_s);
static inline fbx_target fbx_deform_target(uint32_t shape)
{
    return (fbx_target)(FBX_DEFORM + shape);
}
