// SPDX-License-Identifier: MIT
/// Blend spaces: layers along a value, of which two neighbours show at a time.
#pragma once

#include "scene/scene_read.h"

/// The keys of `blend`.
typedef struct scene_blend {
    const document_node *clips; ///< layers by rising `value`
    track by;                   ///< the value over the shot: steps and straight lines
} scene_blend;

zt_result scene_read_blend(document_reader *r, const document_node *value, scene_blend *out);

/// The weight of a layer over those below it: 0 up to `from`, 1 beyond `to`, straight in between.
/// Exact: it has a key wherever the value passes one of both.
zt_result scene_blend_weight(document_reader *r, const scene_blend *blend, double from, double to,
                             track *out);
