// SPDX-License-Identifier: MIT
/// For the sources that compile the loops of a stage, once for each instruction set
/// (CMakeLists.txt): the lanes, and the name of the table that the object exports. Everything else
/// in it is static.
#pragma once

#include "simd/lanes.h"

#include <stddef.h>
#include <string.h>

#define STAGE_JOIN_(a, b, c) a##b##_##c
#define STAGE_JOIN(a, b, c)  STAGE_JOIN_(a, b, c)
/// STAGE_TABLE(pose) is zt_pose_avx2 in the object for AVX2.
#define STAGE_TABLE(stage) STAGE_JOIN(zt_, stage, ZT_ISA_NAME)
