// SPDX-License-Identifier: MIT
// Texture sampling: addresses and weights for ZT_W lanes at once, then an integer filter for each
// lane. It sums the four texels of a level, and those of the next one, exactly: their 14-bit
// weights add up to 1. Positions between texels and between levels have 8 bits, as in graphics
// hardware. Levels are chosen per lane from analytic derivatives; no lane reads its neighbours.
//
// Rules (OpenGL 4.6 core, 8.14): lod = log2 of the longer gradient in texels; <= 0 magnifies.

/// Coordinates and derivatives per pixel: du/dx = ux * factor, dv/dx = vx * factor, and by y.
typedef struct uv_gradient {
    vf u, v, ux, vx, uy, vy;
    vf factor;
} uv_gradient;

/// 128 log2(x), rounded down, x >= 1, within 0.45: exponent and a cubic by four conditions.
ZT_LANE_OP vi log2_128(vf x)
{
    const vi bits = vi_bits(x);
    const vi exponent = vi_shru(bits, 23) - vi_set1(127);
    const vf m = vf_bits(vi_or(vi_and(bits, vi_set1(0x007fffff)), vi_set1(0x3f800000)));
    const vf f = m - vf_set1(1.0f);
    const vf bend = vf_set1(128.0f * 0.4426950f) - vf_set1(128.0f * 0.2057000f) * f;
    return vi_shl(exponent, 7) + vi_from_vf(f * (vf_set1(128.0f) + (vf_set1(1.0f) - f) * bend));
}

/// Level of detail in 1/256, >= 0; beyond the last, too: levels do not decide magnification.
ZT_LANE_OP vi texture_lod(const surface_texture *t, const surface_sampling *how,
                          const uv_gradient *g)
{
    // Far from the eye gradients are large and their factor is small: square only their products.
    const vf x = g->factor * vf_set1((float)t->level[0].width);
    const vf y = how->square ? x : g->factor * vf_set1((float)t->level[0].height);
    const vf ax = g->ux * x, ay = g->vx * y, bx = g->uy * x, by = g->vy * y;
    const vf longer2 = vf_max(ax * ax + ay * ay, bx * bx + by * by);
    // The order of the operands turns NaN (a degenerate triangle) into 1.
    return log2_128(vf_min(vf_max(longer2, vf_set1(1.0f)), vf_set1(1e18f))); // 256 * 0.5 log2
}

/// 0 where a texture is magnified, 1 where a texel is smaller than 0.7 pixels, with a ramp between.
ZT_LANE_OP vf texture_minified(const surface_texture *t, const uv_gradient *g)
{
    const vf x = g->factor * vf_set1((float)t->level[0].width);
    const vf y = g->factor * vf_set1((float)t->level[0].height);
    const vf ax = g->ux * x, ay = g->vx * y, bx = g->uy * x, by = g->vy * y;
    const vf longer2 = vf_max(ax * ax + ay * ay, bx * bx + by * by);
    // The order of the operands turns NaN into 0.
    return vf_min(vf_max(longer2 - vf_set1(1.0f), vf_set1(0.0f)), vf_set1(1.0f));
}

/// Wraps a coordinate to 0..1; NaN becomes the lower bound.
ZT_LANE_OP vf wrap_unit(vf c, int32_t wrap)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    if (wrap == SURFACE_WRAP_CLAMP)
        return vf_min(vf_max(c, zero), one);
    c = vf_min(vf_max(c, vf_set1(-4194304.0f)), vf_set1(4194304.0f));
    if (wrap == SURFACE_WRAP_REPEAT)
        return c - vf_floor(c);
    c = c - vf_set1(2.0f) * vf_floor(c * vf_set1(0.5f));
    return vf_sel(vf_gt(c, one), vf_set1(2.0f) - c, c);
}

/// The levels that the lanes read, and their position in the unit square.
typedef struct texture_lookup {
    vf u, v;
    vi level, blend; ///< blend: weight of the next level, 0..255
    vm nearest;
    bool two_levels; ///< some lane has blend > 0
} texture_lookup;

ZT_LANE_OP texture_lookup texture_lookup_at(const surface_texture *t, const surface_sampling *how,
                                            const uv_gradient *g)
{
    const vi detail = texture_lod(t, how, g), last = vi_set1(t->level_count - 1);
    const vm magnified = vi_lt(detail, vi_set1(1));
    texture_lookup p = {.u = wrap_unit(g->u, how->wrap_u), .v = wrap_unit(g->v, how->wrap_v)};
    p.nearest = vm_from_bits(0);
    if (how->mag_nearest)
        p.nearest = vm_or(p.nearest, magnified);
    if (how->min_nearest)
        p.nearest = vm_or(p.nearest, vm_not(magnified));
    const vi lod = vi_min(detail, vi_shl(last, 8));
    p.level = vi_min(vi_shr(how->mip_nearest ? lod + vi_set1(128) : lod, 8), last);
    p.blend = how->mip_nearest ? vi_set1(0) : vi_and(lod, vi_set1(255));
    p.two_levels = vm_any(vi_gt(p.blend, vi_set1(0)));
    return p;
}

ZT_LANE_OP vi texture_next_level(const surface_texture *t, const texture_lookup *p)
{
    return vi_min(p->level + vi_set1(1), vi_set1(t->level_count - 1));
}

enum { TEXEL_WEIGHT_ONE = 1 << 14 };

/// Addresses of the lanes' texels, and their weights as qi_dot_i16 takes them.
typedef struct texel_address {
    uint32_t top[ZT_W], bottom[ZT_W]; ///< of the left texels: in texels from the start of the
                                      ///< level, or in bytes from the start of packed texels
    int32_t left[ZT_W], right[ZT_W];  ///< weights of the columns: top | bottom << 16
    int32_t level[ZT_W];              ///< unused for packed texels
} texel_address;

/// One axis of a level: the index of the first of two neighbours and the weight (0..255) of the
/// second. `fixed`: the wrapped coordinate in 1/256 of the level's texels.
ZT_LANE_OP void texture_axis(const surface_sampling *how, const texture_lookup *p, int32_t wrap,
                             vi fixed, vi size, vi *out_index, vi *out_weight)
{
    const vi last = size - vi_set1(1);
    vi centred = fixed - vi_set1(128);
    if (wrap != SURFACE_WRAP_REPEAT)
        centred = vi_max(centred, vi_set1(0));
    // Before the first texel comes the last one: as an unsigned number -1 is the largest.
    *out_index = vi_min_unsigned(vi_shr(centred, 8), last);
    *out_weight = vi_and(centred, vi_set1(255));
    if (how->mag_nearest || how->min_nearest) {
        *out_index = vi_sel(p->nearest, vi_min(vi_shr(fixed, 8), last), *out_index);
        *out_weight = vi_sel(p->nearest, vi_set1(0), *out_weight);
    }
}

/// Texels of a level, max(count >> level, 1), and the wrapped coordinate in 1/256 texels.
ZT_LANE_OP void texture_scale(const surface_sampling *how, int32_t count, vf unit, vi level,
                              vi *out_size, vi *out_fixed)
{
    if (how->powers_of_two) {
        const vi halvings = vi_min(level, vi_set1(__builtin_ctz((uint32_t)count)));
        *out_size = vi_shru_each(vi_set1(count), halvings);
        *out_fixed = vi_shru_each(vi_from_vf(unit * vf_set1((float)count * 256.0f)), halvings);
        return;
    }
    const vf half_power = vf_bits(vi_shl(vi_set1(127) - level, 23));
    *out_size = vi_max(vi_from_vf(vf_set1((float)count) * half_power), vi_set1(1));
    *out_fixed = vi_from_vf(unit * vf_from_vi(vi_shl(*out_size, 8)));
}

/// Splits a weight of 0..2^14 by one of 8 bits: *first + *second = whole.
ZT_LANE_OP void weight_split(vi whole, vi weight, vi *first, vi *second)
{
    *second = vi_shru(vi_madd16(whole, weight), 8); // both are positive and fit 16 bits
    *first = whole - *second;
}

/// A column's weight split into those of its top and bottom texels.
ZT_LANE_OP vi weight_pair(vi column, vi fy)
{
    vi top, bottom;
    weight_split(column, fy, &top, &bottom);
    return vi_or(top, vi_shl(bottom, 16));
}

/// `share`: the level's part of TEXEL_WEIGHT_ONE. `packed`: texels before each level, or NULL.
ZT_LANE_OP void texture_address(const surface_texture *t, const surface_sampling *how,
                                const texture_lookup *p, vi level, vi share, const int32_t *packed,
                                texel_address *out)
{
    vi w, h, x, y, fx, fy, left, right;
    const int32_t width = t->level[0].width, height = how->square ? width : t->level[0].height;
    texture_scale(how, width, p->u, level, &w, &x);
    texture_scale(how, height, p->v, level, &h, &y);
    texture_axis(how, p, how->wrap_u, x, w, &x, &fx);
    texture_axis(how, p, how->wrap_v, y, h, &y, &fy);
    const vi stride = w + vi_set1(packed ? SURFACE_PACKED_PADDING : 1);
    vi top = vi_madd16(y, stride) + x, down = stride; // sides fit 16 bits: PICTURE_SIDE_LIMIT
    if (packed) {
        top = vi_shl(top + vi_lookup16(packed, level), 4);
        down = vi_shl(stride, 4);
    } else {
        vi_store(out->level, level);
    }
    vi_store((int32_t *)out->top, top);
    vi_store((int32_t *)out->bottom, top + down);
    weight_split(share, fx, &left, &right);
    vi_store(out->left, weight_pair(left, fy));
    vi_store(out->right, weight_pair(right, fy));
    lanes_to_memory(out);
}

/// The part of TEXEL_WEIGHT_ONE that the coarser of two levels has.
ZT_LANE_OP vi texture_coarse_share(const texture_lookup *p) { return vi_shl(p->blend, 6); }

ZT_LANE_OP vi texture_fine_share(const texture_lookup *p)
{
    return vi_set1(TEXEL_WEIGHT_ONE) - texture_coarse_share(p);
}

/// Weighted sum of one lane's four texels.
ZT_LANE_OP qi texel_bilinear(const surface_texture *t, const texel_address *a, int32_t lane)
{
    const void *texels = t->level[a->level[lane]].texels;
    const size_t top = (size_t)a->top[lane] * 4, bottom = (size_t)a->bottom[lane] * 4;
    const int32_t left = a->left[lane], right = a->right[lane];
    if (t->wide) {
        const int16_t *from = texels; // at most 32640: signed and unsigned are the same
        return qi_add(qi_dot_i16(from + top, from + bottom, left),
                      qi_dot_i16(from + top + 4, from + bottom + 4, right));
    }
    const uint8_t *from = texels;
    return qi_add(qi_dot_u8(from + top, from + bottom, left),
                  qi_dot_u8(from + top + 4, from + bottom + 4, right));
}

/// Samples `t` at `g` for every lane: out[0..3] = RGBA in 0..1, or in -1..1 for signed textures.
static void texture_sample(const surface_texture *t, const uv_gradient *g, vf out[4])
{
    const surface_sampling *how = &t->sampling;
    const texture_lookup lookup = texture_lookup_at(t, how, g);
    texel_address address;
    qi sum[ZT_W];
    qf texel[ZT_W];
    texture_address(t, how, &lookup, lookup.level, texture_fine_share(&lookup), NULL, &address);
    for (int32_t lane = 0; lane < ZT_W; lane++)
        sum[lane] = texel_bilinear(t, &address, lane);
    if (lookup.two_levels) {
        texture_address(t, how, &lookup, texture_next_level(t, &lookup),
                        texture_coarse_share(&lookup), NULL, &address);
        for (int32_t lane = 0; lane < ZT_W; lane++)
            sum[lane] = qi_add(sum[lane], texel_bilinear(t, &address, lane));
    }
    for (int32_t lane = 0; lane < ZT_W; lane++)
        texel[lane] = qf_from_qi(sum[lane]);
    vf_from_qf4(texel, out);
    // The zero of a signed texture is subtracted while sums are still exact, so that filtering is
    // symmetric: an inverted channel (255 - v) gives the same numbers with the opposite sign.
    const float one = (float)TEXEL_WEIGHT_ONE * (t->wide ? 32640.0f : 255.0f);
    const vf zero = vf_set1(t->is_signed ? one * 0.5f : 0.0f);
    const vf scale = vf_set1((t->is_signed ? 2.0f : 1.0f) / one);
    for (int32_t c = 0; c < 4; c++)
        out[c] = (out[c] - zero) * scale;
}

/// Addresses of packed texels.
typedef struct packed_address {
    texel_address fine, coarse;
    bool two_levels;
} packed_address;

/// Begins to load a line of texels, which have a run of samples until they are used: into the first
/// cache if `near`, else into the second. See shade_frame.prefetch_near.
ZT_LANE_OP void texel_prefetch(const void *texel, bool near)
{
    if (near)
        __builtin_prefetch(texel, 0, 3);
    else
        __builtin_prefetch(texel, 0, 2);
}

/// For every other lane: neighbours share cache lines. Processors that fetch into the first cache
/// gain by every lane at 8 lanes (Zen 3; those with 16 were not measured).
ZT_LANE_OP void packed_prefetch_fine(const surface_packed *f, const texel_address *address,
                                     bool near)
{
    const uint8_t *bytes = (const uint8_t *)f->texels;
    const int32_t step = near && ZT_W <= 8 ? 1 : 2;
    for (int32_t lane = 0; lane < ZT_W; lane += step) {
        texel_prefetch(bytes + address->top[lane], near);
        texel_prefetch(bytes + address->bottom[lane], near);
    }
}

/// The same for the coarser level, whose texels are larger than pixels. Lanes are mostly pixels of
/// blocks of 4x4: the first and the last one of every other row reach nearly all lines.
ZT_LANE_OP void packed_prefetch_coarse(const surface_packed *f, const texel_address *address,
                                       bool near)
{
    const uint8_t *bytes = (const uint8_t *)f->texels;
    for (int32_t i = 0; i < 4; i++) {
        const int32_t lane = i / 2 * 8 + i % 2 * 3;
        if (lane >= ZT_W)
            break;
        texel_prefetch(bytes + address->top[lane], near);
        texel_prefetch(bytes + address->bottom[lane], near);
    }
}

/// Those of emissive_occlusion_fetch, for every other lane. They have half the bytes.
ZT_LANE_OP void emissive_occlusion_prefetch(const surface_packed *f, const texel_address *address,
                                            bool near)
{
    const uint8_t *bytes = (const uint8_t *)f->emissive_occlusion;
    for (int32_t lane = 0; lane < ZT_W; lane += 2) {
        texel_prefetch(bytes + address->top[lane] / 2, near);
        texel_prefetch(bytes + address->bottom[lane] / 2, near);
    }
}

/// Samples several maps of one size and sampler at once, in two steps: this one, then packed_fetch.
/// Multiplied by PACKED_UNIT, the numbers are those of texture_sample for each map, bit for bit.
ZT_LANE_OP void packed_address_build(const surface_packed *f, const surface_sampling *how,
                                     const uv_gradient *g, packed_address *out)
{
    const texture_lookup lookup = texture_lookup_at(&f->sampler, how, g);
    out->two_levels = lookup.two_levels;
    texture_address(&f->sampler, how, &lookup, lookup.level, texture_fine_share(&lookup), f->first,
                    &out->fine);
    if (lookup.two_levels)
        texture_address(&f->sampler, how, &lookup, texture_next_level(&f->sampler, &lookup),
                        texture_coarse_share(&lookup), f->first, &out->coarse);
}

/// Prefetches texels for packed_fetch and, with `emissive_occlusion`, for emissive_occlusion_fetch.
ZT_LANE_OP void packed_prefetch(const surface_packed *f, const packed_address *address,
                                bool emissive_occlusion, bool near)
{
    packed_prefetch_fine(f, &address->fine, near);
    if (emissive_occlusion)
        emissive_occlusion_prefetch(f, &address->fine, near);
    if (!address->two_levels)
        return;
    packed_prefetch_coarse(f, &address->coarse, near);
    if (emissive_occlusion)
        emissive_occlusion_prefetch(f, &address->coarse, near);
}

ZT_LANE_OP octo_places packed_places(const int16_t *texels, const texel_address *a)
{
    return (octo_places){(const uint8_t *)texels, a->top, a->bottom, a->left, a->right};
}

/// Texels of the lanes of row k of a batch.
ZT_LANE_OP octo_row packed_row(const int16_t *texels, const packed_address *address,
                               bool two_levels, int32_t k)
{
    const octo_places fine = packed_places(texels, &address->fine);
    octo_sums sums = octo_sums_at(&fine, k);
    if (two_levels) {
        const octo_places coarse = packed_places(texels, &address->coarse);
        sums = octo_sums_add(sums, octo_sums_at(&coarse, k));
    }
    return octo_row_of(sums);
}

#define PACKED_UNIT (1.0f / ((float)TEXEL_WEIGHT_ONE * 32640.0f))

/// out: the eight numbers of surface_packed.texels, in units of PACKED_UNIT.
ZT_LANE_OP void packed_fetch(const surface_packed *f, const packed_address *address, vf out[8])
{
    octo_row rows[ZT_ROWS];
    if (address->two_levels) {
        for (int32_t k = 0; k < ZT_ROWS; k++)
            rows[k] = packed_row(f->texels, address, true, k);
    } else {
        for (int32_t k = 0; k < ZT_ROWS; k++)
            rows[k] = packed_row(f->texels, address, false, k);
    }
    vf_from_octo_rows(rows, out);
}

ZT_LANE_OP qi emissive_occlusion_bilinear(const int16_t *texels, const texel_address *a,
                                          int32_t lane)
{
    // Addresses count the bytes of packed texels, 16 each; these texels are 4 numbers each.
    const size_t packed_bytes_per_number = 4;
    const int16_t *top = texels + a->top[lane] / packed_bytes_per_number;
    const int16_t *bottom = texels + a->bottom[lane] / packed_bytes_per_number;
    return qi_add(qi_dot_i16(top, bottom, a->left[lane]),
                  qi_dot_i16(top + 4, bottom + 4, a->right[lane]));
}

/// out: emission r, g, b and occlusion, 0..1.
ZT_LANE_OP void emissive_occlusion_fetch(const surface_packed *f, const packed_address *address,
                                         vf out[4])
{
    qf texel[ZT_W];
    for (int32_t lane = 0; lane < ZT_W; lane++) {
        qi sum = emissive_occlusion_bilinear(f->emissive_occlusion, &address->fine, lane);
        if (address->two_levels)
            sum = qi_add(
                sum, emissive_occlusion_bilinear(f->emissive_occlusion, &address->coarse, lane));
        texel[lane] = qf_from_qi(sum);
    }
    vf_from_qf4(texel, out);
    for (int32_t c = 0; c < 4; c++)
        out[c] = out[c] * vf_set1(PACKED_UNIT);
}
