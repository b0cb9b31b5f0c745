// SPDX-License-Identifier: MIT
// The loops of light, from pictures to environments, of one instruction set.
#include "kernels/stage_table.h"
#include "light/light_loops.h"

// clang-format off
#include "light/octahedral.inl"
#include "light/equirectangular.inl"
#include "light/prefilter.inl"
// clang-format on

extern const light_loops STAGE_TABLE(light);
const light_loops STAGE_TABLE(light) = {
    .resample = light_resample, .filter = light_filter, .sum = light_sum};
