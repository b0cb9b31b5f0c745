// SPDX-License-Identifier: MIT
/// Powers and cosines for lobes that need them, as polynomials: nothing of libm, whose bits differ.
#pragma once

#include "simd/lanes.h"

/// 2^x within 3e-7 of the result; x is limited to -126 .. 126. Exact for whole x.
ZT_LANE_OP vf vf_exp2(vf x)
{
    const vf y = vf_clamp(x, vf_set1(-126.0f), vf_set1(126.0f));
    const vf whole = vf_floor(y), f = y - whole;
    vf p = vf_set1(0.00186713005f);
    p = p * f + vf_set1(0.00901703071f);
    p = p * f + vf_set1(0.0557999127f);
    p = p * f + vf_set1(0.240164444f);
    p = p * f + vf_set1(0.693151295f);
    p = p * f + vf_set1(1.0f);
    return p * vf_bits(vi_shl(vi_from_vf(whole) + vi_set1(127), 23));
}

/// log2(x) of a normal x > 0 within 2e-7 of the result or of 1. The mantissa m, in sqrt(1/2) to
/// sqrt(2), has the logarithm 2 / ln 2 artanh((m - 1) / (m + 1)): a series to the ninth power.
ZT_LANE_OP vf vf_log2(vf x)
{
    // Exponents change at sqrt(1/2), whose bits are 0x3f3504f3.
    const vi from = vi_bits(x) - vi_set1(0x3f3504f3);
    const vi exponent = vi_shr(from, 23);
    const vf m = vf_bits(vi_and(from, vi_set1(0x007fffff)) + vi_set1(0x3f3504f3));
    const vf one = vf_set1(1.0f), t = (m - one) / (m + one), t2 = t * t;
    vf p = vf_set1(0.320598898f); // 2 / (9 ln 2), and so on
    p = p * t2 + vf_set1(0.412198583f);
    p = p * t2 + vf_set1(0.577078016f);
    p = p * t2 + vf_set1(0.961796694f);
    p = p * t2 + vf_set1(2.88539008f);
    return vf_from_vi(exponent) + p * t;
}

/// cos(2 pi x) within 2e-6 for |x| < 1000.
ZT_LANE_OP vf vf_cos_turns(vf x)
{
    const vf part = x - vf_floor(x + vf_set1(0.5f)), z = part * part;
    vf p = vf_set1(6.54587173f); // fitted for the smallest error, with p(0) = 1
    p = p * z - vf_set1(25.9814472f);
    p = p * z + vf_set1(60.1719017f);
    p = p * z - vf_set1(85.4507675f);
    p = p * z + vf_set1(64.9391632f);
    p = p * z - vf_set1(19.7392063f);
    return p * z + vf_set1(1.0f);
}
