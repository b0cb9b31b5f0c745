// SPDX-License-Identifier: MIT
/// Runs interpolation and sampling of one instruction set; see surface_probe.h.
#include "surface_probe.h"

#include "simd/vec3_lanes.h"

// clang-format off
#include "surface/texture.inl"
#include "surface/anisotropy.inl"
#include "surface/surface.inl"
#include "surface/surface_screen.inl"
// clang-format on

#define PROBE_JOIN_(a, b) a##b
#define PROBE_JOIN(a, b)  PROBE_JOIN_(a, b)
#define PROBE_TEXT_(a)    #a
#define PROBE_TEXT(a)     PROBE_TEXT_(a)
#define PROBE_TABLE       PROBE_JOIN(surface_probe_, ZT_ISA_NAME)

static void put_uv(const uv_gradient *g, int at, float out[6][SURFACE_LANES])
{
    vf_store(out[0] + at, g->u);
    vf_store(out[1] + at, g->v);
    vf_store(out[2] + at, g->ux * g->factor);
    vf_store(out[3] + at, g->vx * g->factor);
    vf_store(out[4] + at, g->uy * g->factor);
    vf_store(out[5] + at, g->vy * g->factor);
}

static uv_gradient take_uv(const float uv[6][SURFACE_LANES], float factor, int at)
{
    return (uv_gradient){vf_load(uv[0] + at), vf_load(uv[1] + at), vf_load(uv[2] + at),
                         vf_load(uv[3] + at), vf_load(uv[4] + at), vf_load(uv[5] + at),
                         vf_set1(factor)};
}

static void put_vector(vec3_lanes v, int at, float out[3][SURFACE_LANES])
{
    vf_store(out[0] + at, v.x);
    vf_store(out[1] + at, v.y);
    vf_store(out[2] + at, v.z);
}

/// Coordinates of the tile that holds pixel position p.
static vf tile_of(vf p)
{
    const vf side = vf_set1((float)TILE_SIZE);
    return vf_floor(p * (vf_set1(1.0f) / side)) * side;
}

static void locate(const shade_frame *frame, const uint32_t id[SURFACE_LANES],
                   const float px[SURFACE_LANES], const float py[SURFACE_LANES], surface_found *out)
{
    const surface_needs needs = {.uv = true, .extra = true, .position = true};
    for (int at = 0; at < SURFACE_LANES; at += ZT_W) {
        const vf x = vf_load(px + at), y = vf_load(py + at);
        surface_table table;
        surface s;
        surface_values values;
        surface_table_build(&frame->surfaces, (const int32_t *)id + at, tile_of(x), tile_of(y),
                            &needs, &table);
        surface_locate(&table, vi_iota(), x, y, &s);
        surface_interpolate(&s, &needs, &values);
        put_vector((vec3_lanes){(vf_set1(1.0f) - s.l1) - s.l2, s.l1, s.l2}, at, out->l);
        vf_store(out->w + at, surface_value(&s, ROW_W));
        vf_store(out->depth + at, surface_value(&s, ROW_DEPTH));
        vf_store(out->back + at, vf_sel(s.back, vf_set1(1.0f), vf_set1(0.0f)));
        put_vector(surface_vector(&s, ROW_ATTRIBUTES + 3 * VALUE_NORMAL), at, out->normal);
        put_vector(surface_vector(&s, ROW_ATTRIBUTES + 3 * VALUE_TANGENT), at, out->tangent);
        for (int c = 0; c < 4; c++)
            vf_store(out->color[c] + at, values.color[c]);
        put_uv(&values.uv[0], at, out->uv[0]);
        put_uv(&values.uv[1], at, out->uv[1]);
    }
}

static void sample(const surface_texture *texture, const float uv[6][SURFACE_LANES], int32_t limit,
                   float out[4][SURFACE_LANES])
{
    for (int at = 0; at < SURFACE_LANES; at += ZT_W) {
        const uv_gradient g = take_uv(uv, 1.0f, at);
        vf texel[4];
        if (limit)
            texture_sample_anisotropic(texture, &g, limit, texel);
        else
            texture_sample(texture, &g, texel);
        for (int c = 0; c < 4; c++)
            vf_store(out[c] + at, texel[c]);
    }
}

static void level_of_detail(const surface_texture *texture, const float uv[6][SURFACE_LANES],
                            float factor, int32_t out[SURFACE_LANES])
{
    for (int at = 0; at < SURFACE_LANES; at += ZT_W) {
        const uv_gradient g = take_uv(uv, factor, at);
        vi_store(out + at, texture_lod(texture, &texture->sampling, &g));
    }
}

static void sample_packed(const surface_packed *packed, const float uv[6][SURFACE_LANES],
                          float out[8][SURFACE_LANES], float emissive_occlusion[4][SURFACE_LANES])
{
    for (int at = 0; at < SURFACE_LANES; at += ZT_W) {
        const uv_gradient g = take_uv(uv, 1.0f, at);
        vf texel[8], light[4];
        packed_address address;
        packed_address_build(packed, &packed->sampler.sampling, &g, &address);
        packed_fetch(packed, &address, texel);
        emissive_occlusion_fetch(packed, &address, light);
        for (int c = 0; c < 8; c++)
            vf_store(out[c] + at, texel[c] * vf_set1(PACKED_UNIT));
        for (int c = 0; c < 4; c++)
            vf_store(emissive_occlusion[c] + at, light[c]);
    }
}

const surface_probe PROBE_TABLE = {PROBE_TEXT(ZT_ISA_NAME), locate, sample, level_of_detail,
                                   sample_packed};
