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

/// A coordinate brought to 0..1 by its wrap mode; NaN becomes the lower bound.
static inline vf wrap_unit(vf c, int32_t wrap)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    c = vf_min(vf_max(c, vf_set1(-4194304.0f)), vf_set1(4194304.0f));
    if (wrap == SHADE_WRAP_REPEAT) {
        c = c - vf_floor(c);
    } else if (wrap == SHADE_WRAP_MIRROR) {
        c = c - vf_set1(2.0f) * vf_floor(c * vf_set1(0.5f));
        c = vf_sel(vf_gt(c, one), vf_set1(2.0f) - c, c);
    }
    return vf_min(vf_max(c, zero), one);
}

/// Texel index of the left neighbour of a wrapped coordinate and the weight (0..255) of the right
/// one, in a level of `size` texels. `nearest` lanes get weight 0.
static inline void wrap_texel(vf c, vi size, int32_t wrap, vm nearest, vi *out_index,
                              vi *out_weight)
{
    const vi fixed = vi_from_vf(c * vf_from_vi(vi_shl(size, 8)));
    const vi last = size - vi_set1(1);
    vi centred = fixed - vi_set1(128);
    if (wrap != SHADE_WRAP_REPEAT)
        centred = vi_max(centred, vi_set1(0));
    // Before the first texel comes the last one: -1 is the largest number without a sign.
    *out_index = vi_min_unsigned(vi_shr(centred, 8), last);
    *out_weight = vi_and(centred, vi_set1(255));
    if (vm_any(nearest)) {
        *out_index = vi_sel(nearest, vi_min(vi_shr(fixed, 8), last), *out_index);
        *out_weight = vi_sel(nearest, vi_set1(0), *out_weight);
    }
}

/// Which levels the lanes read, and where in the unit square.
typedef struct texture_place {
    vf u, v;
    vi level, blend; ///< blend: weight of the next level, 0..255
    vm nearest;
    bool two_levels; ///< some lane has blend > 0
} texture_place;

static inline texture_place texture_find(const shade_texture *t, const uv_gradient *g)
{
    const vi detail = texture_lod(t, g), last = vi_set1(t->level_count - 1);
    const vm magnified = vi_lt(detail, vi_set1(1));
    texture_place p = {.u = wrap_unit(g->u, t->wrap_u), .v = wrap_unit(g->v, t->wrap_v)};
    p.nearest = vm_from_bits(0);
    if (t->mag_nearest)
        p.nearest = vm_or(p.nearest, magnified);
    if (t->min_nearest)
        p.nearest = vm_or(p.nearest, vm_not(magnified));
    const vi lod = vi_min(detail, vi_shl(last, 8));
    p.level = vi_min(vi_shr(t->mip_nearest ? lod + vi_set1(128) : lod, 8), last);
    p.blend = t->mip_nearest ? vi_set1(0) : vi_and(lod, vi_set1(255));
    p.two_levels = vm_any(vi_gt(p.blend, vi_set1(0)));
    return p;
}

static inline vi texture_next_level(const shade_texture *t, const texture_place *p)
{
    return vi_min(p->level + vi_set1(1), vi_set1(t->level_count - 1));
}

/// Sizes of a level: floor(size / 2^level), at least 1; exact in floats.
static inline void texture_level_size(const shade_texture *t, vi level, vi *width, vi *height)
{
    const vf half_power = vf_bits(vi_shl(vi_set1(127) - level, 23));
    const vf w = vf_set1((float)t->level[0].width), h = vf_set1((float)t->level[0].height);
    *width = vi_max(vi_from_vf(w * half_power), vi_set1(1));
    *height = vi_max(vi_from_vf(h * half_power), vi_set1(1));
}

/// Where the lanes' texels lie, and their weights: `pair` as of_filter has it.
typedef struct texel_address {
    uint32_t top[ZT_W], bottom[ZT_W]; ///< of the left texels: texels from the level's start, or
                                      ///< bytes from that of fused texels
    int32_t pair[ZT_W];
    float fy[ZT_W];
    int32_t level[ZT_W]; ///< not of fused texels
} texel_address;

/// `fused`: texels before each level; NULL for a texture of its own.
static inline void texture_address(const shade_texture *t, const texture_place *p, vi level,
                                   const int32_t *fused, texel_address *out)
{
    vi w, h, x, y, fx, fy;
    texture_level_size(t, level, &w, &h);
    wrap_texel(p->u, w, t->wrap_u, p->nearest, &x, &fx);
    wrap_texel(p->v, h, t->wrap_v, p->nearest, &y, &fy);
    const vi stride = w + vi_set1(1);
    vi top = vi_mul(y, stride) + x, down = stride;
    if (fused) {
        top = vi_shl(top + vi_lookup16(fused, level), 4);
        down = vi_shl(stride, 4);
    } else {
        vi_store(out->level, level);
    }
    vi_store((int32_t *)out->top, top);
    vi_store((int32_t *)out->bottom, top + down);
    vi_store(out->pair, vi_shl(fx, 16) - fx + vi_set1(256));
    vf_store(out->fy, vf_from_vi(fy) * vf_set1(1.0f / 256.0f));
    lanes_to_memory(out);
}

/// Bilinear sum of one lane: 256 x the texel values, less `zero`. Taking a signed texture's zero
/// away while everything is still exact makes filtering symmetric: a channel turned round (255 - v)
/// gives the same numbers with the other sign.
static inline qf texel_bilinear(const shade_texture *t, const texel_address *a, int32_t lane,
                                qf zero)
{
    const void *texels = t->level[a->level[lane]].texels;
    const int32_t fx = a->pair[lane] >> 16;
    qi top, bottom;
    if (t->wide) {
        top = qi_filter_u16((const uint16_t *)texels + (size_t)a->top[lane] * 4, fx);
        bottom = qi_filter_u16((const uint16_t *)texels + (size_t)a->bottom[lane] * 4, fx);
    } else {
        top = qi_filter_u8((const uint8_t *)texels + (size_t)a->top[lane] * 4, fx);
        bottom = qi_filter_u8((const uint8_t *)texels + (size_t)a->bottom[lane] * 4, fx);
    }
    const qf r0 = qf_sub(qf_from_qi(top), zero), r1 = qf_sub(qf_from_qi(bottom), zero);
    return qf_add(r0, qf_mul(qf_sub(r1, r0), qf_set1(a->fy[lane])));
}

/// Samples `t` at g for every lane: out[0..3] = RGBA in 0..1, or in -1..1 when it is signed.
static void texture_sample(const shade_texture *t, const uv_gradient *g, vf out[4])
{
    const texture_place place = texture_find(t, g);
    const float one = 256.0f * (t->wide ? 32640.0f : 255.0f);
    const qf zero = qf_set1(t->is_signed ? one * 0.5f : 0.0f);
    texel_address address;
    qf texel[ZT_W];
    texture_address(t, &place, place.level, NULL, &address);
    for (int32_t lane = 0; lane < ZT_W; lane++)
        texel[lane] = texel_bilinear(t, &address, lane, zero);
    if (place.two_levels) {
        float blend[ZT_W];
        vf_store(blend, vf_from_vi(place.blend) * vf_set1(1.0f / 256.0f));
        lanes_to_memory(blend);
        texture_address(t, &place, texture_next_level(t, &place), NULL, &address);
        for (int32_t lane = 0; lane < ZT_W; lane++) {
            const qf c = texel[lane], c1 = texel_bilinear(t, &address, lane, zero);
            texel[lane] = qf_add(c, qf_mul(qf_sub(c1, c), qf_set1(blend[lane])));
        }
    }
    vf_from_qf4(texel, out);
    const vf scale = vf_set1((t->is_signed ? 2.0f : 1.0f) / one);
    for (int32_t c = 0; c < 4; c++)
        out[c] = out[c] * scale;
}

static inline of fused_bilinear(const int16_t *texels, const texel_address *a, int32_t lane)
{
    const uint8_t *bytes = (const uint8_t *)texels;
    const int16_t *top = (const int16_t *)(const void *)(bytes + a->top[lane]);
    const int16_t *bottom = (const int16_t *)(const void *)(bytes + a->bottom[lane]);
    const int32_t pair = a->pair[lane];
    return of_mix(of_filter(top, pair), of_filter(bottom, pair), a->fy[lane]);
}

/// Where fused texels lie.
typedef struct fused_place {
    texel_address fine, coarse;
    float blend[ZT_W];
    bool two_levels;
} fused_place;

/// Asks for texels ahead of fused_fetch; every other lane's, for neighbours share cache lines.
static inline void fused_prefetch(const shade_fused *f, const texel_address *address)
{
    const uint8_t *bytes = (const uint8_t *)f->texels;
    for (int32_t lane = 0; lane < ZT_W; lane += 2) {
        __builtin_prefetch(bytes + address->top[lane]);
        __builtin_prefetch(bytes + address->bottom[lane]);
    }
}

/// Several maps of one size and sampler are sampled at once, in three steps; the numbers are those
/// of texture_sample for each map, bit by bit.
static inline void fused_find(const shade_fused *f, const uv_gradient *g, fused_place *out)
{
    const texture_place place = texture_find(&f->sampler, g);
    out->two_levels = place.two_levels;
    texture_address(&f->sampler, &place, place.level, f->first, &out->fine);
    fused_prefetch(f, &out->fine);
    if (!place.two_levels)
        return;
    vf_store(out->blend, vf_from_vi(place.blend) * vf_set1(1.0f / 256.0f));
    texture_address(&f->sampler, &place, texture_next_level(&f->sampler, &place), f->first,
                    &out->coarse);
    fused_prefetch(f, &out->coarse);
}

static inline void fused_fetch(const shade_fused *f, const fused_place *place, of out[ZT_W])
{
    for (int32_t lane = 0; lane < ZT_W; lane++)
        out[lane] = fused_bilinear(f->texels, &place->fine, lane);
    for (int32_t lane = 0; lane < ZT_W && place->two_levels; lane++)
        out[lane] =
            of_mix(out[lane], fused_bilinear(f->texels, &place->coarse, lane), place->blend[lane]);
}

/// out: see shade_fused.
static inline void fused_texels(const of texel[ZT_W], vf out[8])
{
    vf_from_of8(texel, out);
    for (int32_t c = 0; c < 8; c++)
        out[c] = out[c] * vf_set1(1.0f / (256.0f * 32640.0f));
}
