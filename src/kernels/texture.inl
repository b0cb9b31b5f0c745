// SPDX-License-Identifier: MIT
// Texture sampling: addresses for W lanes at once, then one lane after the other through 128-bit
// integer filters. Weights have 8 bits, as in graphics hardware; mips are chosen per lane from
// analytic derivatives, so no lane looks at its neighbours.
//
// Rules (OpenGL 4.6 core, 8.14): lod = log2 of the longer of the two screen-space gradients in
// texels; lod <= 0 magnifies.

typedef struct uv_gradient {
    vf u, v, ux, vx, uy, vy; // value, d/dx, d/dy per pixel
} uv_gradient;

/// log2(x) for x >= 1 within 0.0035: exponent, and a cubic through log2(1) and log2(2) that also
/// meets the slope at 1 and the value at 1.5; the sampler keeps 8 bits of half of it.
static inline vf log2_coarse(vf x)
{
    const vi bits = vi_bits(x);
    const vf exponent = vf_from_vi(vi_shru(bits, 23) - vi_set1(127));
    const vf m = vf_bits(vi_or(vi_and(bits, vi_set1(0x007fffff)), vi_set1(0x3f800000)));
    const vf f = m - vf_set1(1.0f);
    const vf bend = vf_set1(0.4426950f) - vf_set1(0.2057000f) * f;
    return exponent + (f + (f * (vf_set1(1.0f) - f)) * bend);
}

/// Level of detail in 1/256, >= 0. It may lie beyond the last level: whether a texture is magnified
/// does not depend on how many levels it has.
static inline vi texture_lod(const shade_texture *t, const uv_gradient *g)
{
    const vf w = vf_set1((float)t->level[0].width), h = vf_set1((float)t->level[0].height);
    const vf ax = g->ux * w, ay = g->vx * h, bx = g->uy * w, by = g->vy * h;
    const vf along_x = ax * ax + ay * ay, along_y = bx * bx + by * by;
    // The order of the operands turns NaN (a degenerate triangle) into 1.
    const vf rho2 = vf_min(vf_max(vf_max(along_x, along_y), vf_set1(1.0f)), vf_set1(1e18f));
    return vi_from_vf(vf_set1(128.0f) * log2_coarse(rho2)); // 256 * 0.5 * log2(rho^2)
}

/// One coordinate: texel index of the left neighbour and the weight (0..255) of the right one, in a
/// level of `size` texels. `nearest` lanes get weight 0.
static inline void wrap_coordinate(vf c, vf size, int32_t wrap, vm nearest, vi *out_index,
                                   vi *out_weight)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    c = vf_min(vf_max(c, vf_set1(-4194304.0f)), vf_set1(4194304.0f)); // NaN -> the lower bound
    if (wrap == SHADE_WRAP_REPEAT) {
        c = c - vf_floor(c);
    } else if (wrap == SHADE_WRAP_MIRROR) {
        c = c - vf_set1(2.0f) * vf_floor(c * vf_set1(0.5f));
        c = vf_sel(vf_gt(c, one), vf_set1(2.0f) - c, c);
    }
    c = vf_min(vf_max(c, zero), one);
    const vi fixed = vi_from_vf(c * (size * vf_set1(256.0f)));
    const vi last = vi_from_vf(size) - vi_set1(1);
    const vi centred = fixed - vi_set1(128);
    vi index = vi_shr(centred, 8);
    vi weight = vi_and(centred, vi_set1(255));
    const vm before = vi_lt(index, vi_set1(0));
    if (wrap == SHADE_WRAP_REPEAT) {
        index = vi_sel(before, last, index);
    } else {
        index = vi_sel(before, vi_set1(0), index);
        weight = vi_sel(before, vi_set1(0), weight);
    }
    *out_index = vi_sel(nearest, vi_min(vi_shr(fixed, 8), last), index);
    *out_weight = vi_sel(nearest, vi_set1(0), weight);
}

typedef struct texel_address {
    int32_t level[ZT_W], x[ZT_W], y[ZT_W], fx[ZT_W], fy[ZT_W];
} texel_address;

static inline void texture_address(const shade_texture *t, const uv_gradient *g, vi level,
                                   vm nearest, texel_address *out)
{
    // Level sizes are floor(size / 2^level), at least 1: exact in floats.
    const vf half_power = vf_bits(vi_shl(vi_set1(127) - level, 23));
    const vf one = vf_set1(1.0f);
    const vf w = vf_max(vf_floor(vf_set1((float)t->level[0].width) * half_power), one);
    const vf h = vf_max(vf_floor(vf_set1((float)t->level[0].height) * half_power), one);
    vi x, y, fx, fy;
    wrap_coordinate(g->u, w, t->wrap_u, nearest, &x, &fx);
    wrap_coordinate(g->v, h, t->wrap_v, nearest, &y, &fy);
    vi_store(out->level, level);
    vi_store(out->x, x);
    vi_store(out->y, y);
    vi_store(out->fx, fx);
    vi_store(out->fy, fy);
}

/// Bilinear sum of one lane: 256 x the texel values, less `zero`. Taking a signed texture's zero
/// away while everything is still exact makes filtering symmetric: a channel turned round (255 - v)
/// gives the same numbers with the other sign.
static inline qf texel_bilinear(const shade_texture *t, const texel_address *a, int32_t lane,
                                qf zero)
{
    const shade_level *level = &t->level[a->level[lane]];
    const size_t at = (size_t)a->y[lane] * (size_t)level->stride + (size_t)a->x[lane];
    qi top, bottom;
    if (t->wide) {
        const uint16_t *texels = (const uint16_t *)level->texels + at * 4;
        top = qi_filter_u16(texels, a->fx[lane]);
        bottom = qi_filter_u16(texels + (size_t)level->stride * 4, a->fx[lane]);
    } else {
        const uint8_t *texels = (const uint8_t *)level->texels + at * 4;
        top = qi_filter_u8(texels, a->fx[lane]);
        bottom = qi_filter_u8(texels + (size_t)level->stride * 4, a->fx[lane]);
    }
    const qf r0 = qf_sub(qf_from_qi(top), zero), r1 = qf_sub(qf_from_qi(bottom), zero);
    return qf_add(r0, qf_mul(qf_sub(r1, r0), qf_set1((float)a->fy[lane] * (1.0f / 256.0f))));
}

/// Samples `t` at g for every lane: out[0..3] = RGBA in 0..1, or in -1..1 when it is signed.
static void texture_sample(const shade_texture *t, const uv_gradient *g, vf out[4])
{
    const vi detail = texture_lod(t, g);
    const vm magnified = vi_lt(detail, vi_set1(1));
    vm nearest = vm_from_bits(0);
    if (t->mag_nearest)
        nearest = vm_or(nearest, magnified);
    if (t->min_nearest)
        nearest = vm_or(nearest, vm_not(magnified));
    const vi lod = vi_min(detail, vi_set1((t->level_count - 1) * 256));
    vi level = vi_shr(t->mip_nearest ? lod + vi_set1(128) : lod, 8);
    level = vi_min(level, vi_set1(t->level_count - 1));
    const vi between = t->mip_nearest ? vi_set1(0) : vi_and(lod, vi_set1(255));

    texel_address fine, coarse;
    int32_t blend[ZT_W];
    vi_store(blend, between);
    texture_address(t, g, level, nearest, &fine);
    const bool two_levels = vm_any(vi_gt(between, vi_set1(0)));
    if (two_levels) {
        const vi next = vi_min(level + vi_set1(1), vi_set1(t->level_count - 1));
        texture_address(t, g, next, nearest, &coarse);
    } else {
        coarse = fine;
    }
    const float one = 256.0f * (t->wide ? 32640.0f : 255.0f);
    const qf zero = qf_set1(t->is_signed ? one * 0.5f : 0.0f);
    const qf scale = qf_set1((t->is_signed ? 2.0f : 1.0f) / one);
    qf texel[ZT_W];
    for (int32_t lane = 0; lane < ZT_W; lane++) {
        qf c = texel_bilinear(t, &fine, lane, zero);
        if (two_levels && blend[lane] != 0) {
            const qf c1 = texel_bilinear(t, &coarse, lane, zero);
            c = qf_add(c, qf_mul(qf_sub(c1, c), qf_set1((float)blend[lane] * (1.0f / 256.0f))));
        }
        texel[lane] = qf_mul(c, scale);
    }
    vf_from_qf4(texel, out);
}
