// SPDX-License-Identifier: MIT
// The loops of light, from pictures to environments, of one instruction set.
#include "environment/environment_loops.h"
#include "kernels/stage_table.h"

// clang-format off
#include "environment/octahedral.inl"
#include "environment/equirectangular.inl"
#include "environment/prefilter.inl"
// clang-format on

extern const environment_loops STAGE_TABLE(environment);
const environment_loops STAGE_TABLE(environment) = {
    .resample = light_resample, .filter = light_filter, .sum = light_sum};
