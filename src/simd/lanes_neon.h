// SPDX-License-Identifier: MIT
/// Four lanes of AArch64 NEON. See lanes.h for the rules. min and max are compare and select: the
/// NEON instructions treat zeros and NaNs differently from x86.
#pragma once

#include <arm_neon.h>

#define ZT_W 4
#include "simd/lanes_operators.h"

ZT_LANE_OP vi vi_load_u8(const uint8_t *p) { return (vi){p[0], p[1], p[2], p[3]}; }

ZT_LANE_OP void vi_store_u8(uint8_t *p, vi x) ///< x in 0..255
{
    for (int i = 0; i < ZT_W; i++)
        p[i] = (uint8_t)x[i];
}

ZT_LANE_OP bool vm_any(vm a) { return vmaxvq_u32((uint32x4_t)a) != 0; }
ZT_LANE_OP bool vm_all(vm a) { return vminvq_u32((uint32x4_t)a) != 0; }
ZT_LANE_OP unsigned vm_bits(vm a)
{
    const vi lane = {1, 2, 4, 8};
    return vaddvq_u32((uint32x4_t)(a & lane));
}

ZT_LANE_OP vi vi_sel(vm m, vi a, vi b)
{
    return (vi)vbslq_s32((uint32x4_t)m, (int32x4_t)a, (int32x4_t)b);
}
ZT_LANE_OP vf vf_sel(vm m, vf a, vf b) { return (vf)vi_sel(m, (vi)a, (vi)b); }
ZT_LANE_OP vf vf_min(vf a, vf b) { return vf_sel(a < b, a, b); }
ZT_LANE_OP vf vf_max(vf a, vf b) { return vf_sel(a > b, a, b); }
ZT_LANE_OP vi vi_min(vi a, vi b) { return (vi)vminq_s32((int32x4_t)a, (int32x4_t)b); }
ZT_LANE_OP vi vi_max(vi a, vi b) { return (vi)vmaxq_s32((int32x4_t)a, (int32x4_t)b); }
ZT_LANE_OP vi vi_min_unsigned(vi a, vi b) { return (vi)vminq_u32((uint32x4_t)a, (uint32x4_t)b); }
ZT_LANE_OP vf vf_sqrt(vf x) { return (vf)vsqrtq_f32((float32x4_t)x); }
ZT_LANE_OP vi vi_from_vf(vf x) { return (vi)vcvtq_s32_f32((float32x4_t)x); }
ZT_LANE_OP vf vf_from_vi(vi x) { return (vf)vcvtq_f32_s32((int32x4_t)x); }
ZT_LANE_OP vi vi_mul(vi a, vi b) { return (vi)((vu)a * (vu)b); }
ZT_LANE_OP vi vi_shru_each(vi x, vi n)
{
    return (vi)vshlq_u32((uint32x4_t)x, vnegq_s32((int32x4_t)n));
}
ZT_LANE_OP vi vi_madd16(vi a, vi b)
{
    const int16x8_t x = vreinterpretq_s16_s32((int32x4_t)a),
                    y = vreinterpretq_s16_s32((int32x4_t)b);
    return (vi)vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y));
}

ZT_LANE_OP void vf_store_mask(float *p, vm m, vf x) { vf_store(p, vf_sel(m, x, vf_load(p))); }
ZT_LANE_OP void vi_store_mask(int32_t *p, vm m, vi x) { vi_store(p, vi_sel(m, x, vi_load(p))); }

// ---- Four floats, four integers -----------------------------------------------------------------

ZT_LANE_OP qf qf_from_qi(qi x) { return (qf)vcvtq_f32_s32((int32x4_t)x); }
ZT_LANE_OP qi qi_dot_i16(const int16_t *a, const int16_t *b, int32_t weights)
{
    const int32x4_t first = vmull_n_s16(vld1_s16(a), (int16_t)(weights & 0xffff));
    return (qi)vmlal_n_s16(first, vld1_s16(b), (int16_t)(weights >> 16));
}
ZT_LANE_OP qi qi_dot_u8(const uint8_t *a, const uint8_t *b, int32_t weights)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    const uint16x4_t wide_a = vget_low_u16(vmovl_u8(vcreate_u8(x)));
    const uint16x4_t wide_b = vget_low_u16(vmovl_u8(vcreate_u8(y)));
    const uint32x4_t first = vmull_n_u16(wide_a, (uint16_t)(weights & 0xffff));
    return (qi)vmlal_n_u16(first, wide_b, (uint16_t)(weights >> 16));
}

#include "simd/lanes_fours.h"
