// SPDX-License-Identifier: MIT
/// The kernels of one instruction set: compiled once for each (see CMakeLists.txt), everything
/// static but the table. What a kernel reads and writes is said in *_types.h, how in its .inl part.
#include "kernels/kernels.h"

#include "simd/lanes.h"

#include <stddef.h>
#include <string.h>

// clang-format off
#include "kernels/morph.inl"
#include "kernels/skin_dual.inl"
#include "kernels/skin.inl"
#include "kernels/pose.inl"
#include "kernels/transform.inl"
#include "kernels/setup.inl"
#include "kernels/raster.inl"
#include "kernels/raster_region.inl"
#include "kernels/raster_small.inl"
#include "kernels/raster_large.inl"
#include "kernels/raster_tile.inl"
#include "kernels/raster_blend.inl"
#include "kernels/list.inl"
#include "kernels/texture.inl"
#include "kernels/surface.inl"
#include "kernels/normals.inl"
#include "kernels/brdf.inl"
#include "kernels/shade.inl"
#include "kernels/blend.inl"
#include "kernels/film.inl"
// clang-format on

#define KERNELS_JOIN_(a, b) a##b
#define KERNELS_JOIN(a, b)  KERNELS_JOIN_(a, b)
#define KERNELS_TEXT_(a)    #a
#define KERNELS_TEXT(a)     KERNELS_TEXT_(a)
#define KERNELS_TABLE       KERNELS_JOIN(zt_kernels_, ZT_ISA_NAME)

#if defined(ZT_ISA_SCALAR_BUILD)
#define KERNELS_ISA ZT_ISA_SCALAR
#elif defined(ZT_ISA_SSE2_BUILD)
#define KERNELS_ISA ZT_ISA_SSE2
#elif defined(ZT_ISA_AVX2_BUILD)
#define KERNELS_ISA ZT_ISA_AVX2
#elif defined(ZT_ISA_AVX512_BUILD)
#define KERNELS_ISA ZT_ISA_AVX512
#elif defined(ZT_ISA_NEON_BUILD)
#define KERNELS_ISA ZT_ISA_NEON
#endif

extern const kernel_table KERNELS_TABLE;
const kernel_table KERNELS_TABLE = {
    .isa = KERNELS_ISA,
    .name = KERNELS_TEXT(ZT_ISA_NAME),
    .width = ZT_W,
    .morph = morph,
    .skin = skin,
    .pose_sample = pose_sample,
    .pose_blend = pose_blend,
    .pose_add = pose_add,
    .pose_matrices = pose_matrices,
    .transform = transform,
    .setup = setup,
    .raster = raster,
    .list = list,
    .fragments = fragments,
    .shade = shade,
    .premultiply = premultiply,
    .blend = blend,
    .film = film,
};
