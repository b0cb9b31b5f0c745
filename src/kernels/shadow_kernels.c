// SPDX-License-Identifier: MIT
// The loops of shadows: ambient occlusion, of one instruction set.
#include "kernels/stage_table.h"
#include "shadow/shadow_loops.h"
#include "simd/vec3_lanes.h"

// clang-format off
#include "shadow/occlusion_words.inl"
#include "shadow/occlusion.inl"
#include "shadow/light_shares_filter.inl"
// clang-format on

extern const shadow_loops STAGE_TABLE(shadow);
const shadow_loops STAGE_TABLE(shadow) = {.occlusion_distance = occlusion_distance,
                                          .occlusion_search = occlusion_search,
                                          .occlusion_smooth = occlusion_smooth,
                                          .occlusion_join = occlusion_join,
                                          .light_shares_filter = light_shares_filter,
                                          .light_shares_widen = light_shares_widen};
