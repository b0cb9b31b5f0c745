// SPDX-License-Identifier: MIT
/// The pass that draws the picture behind transmissive surfaces, before the pass that shows them:
/// the opaque surfaces of the same view, and what blends with them there, as linear colour, and
/// blurred levels of it (shade/behind.h).
///
///   triangles by tile --opaque_pass_tile--> level 0 --opaque_pass_reduce--> levels 1, 2 ...
#ifndef ZT_RENDER_OPAQUE_PASS_H
#define ZT_RENDER_OPAQUE_PASS_H

#include "render/view_pass.h"

/// Allocates all levels of a picture of width x height pixels in `a`; `any_unlit`: of a frame with
/// unlit materials. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result behind_picture_init(behind_picture *behind, int32_t width, int32_t height, bool any_unlit,
                              arena *a, zt_error *err);

/// Jobs of opaque_pass_reduce for one level.
int64_t opaque_pass_reduce_count(const behind_picture *behind, int32_t level);
/// Makes some rows of `level` > 0 from the level before it, which must be whole.
void opaque_pass_reduce(const behind_picture *behind, const shade_loops *loops, int32_t level,
                        int64_t index);

#endif
