// SPDX-License-Identifier: MIT
// From a primitive number and a pixel position to interpolated attributes, W lanes at a time.
//
// Barycentrics straight from the homogeneous vertices (see shade_types.h): perspective-correct, and
// the same for triangles that cross the near plane. Texture gradients are analytic.

typedef struct vec3_lanes {
    vf x, y, z;
} vec3_lanes;

static inline vec3_lanes vec3_set1(const float v[3])
{
    return (vec3_lanes){vf_set1(v[0]), vf_set1(v[1]), vf_set1(v[2])};
}

static inline vf vec3_dot(vec3_lanes a, vec3_lanes b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline vec3_lanes vec3_add(vec3_lanes a, vec3_lanes b)
{
    return (vec3_lanes){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec3_lanes vec3_sub(vec3_lanes a, vec3_lanes b)
{
    return (vec3_lanes){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vec3_lanes vec3_scale(vec3_lanes a, vf s)
{
    return (vec3_lanes){a.x * s, a.y * s, a.z * s};
}

static inline vec3_lanes vec3_cross(vec3_lanes a, vec3_lanes b)
{
    return (vec3_lanes){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Unit length; a vector too short to have a direction stays (nearly) zero.
static inline vec3_lanes vec3_unit(vec3_lanes a)
{
    const vf length2 = vf_max(vec3_dot(a, a), vf_set1(1e-30f));
    return vec3_scale(a, vf_set1(1.0f) / vf_sqrt(length2));
}

/// Where the lanes' triangles lie in memory.
typedef struct surface_corners {
    const float *homogeneous[3][ZT_W];
    const float *attributes[3][ZT_W];
    const vertex_extra *extra[3][ZT_W]; ///< NULL where a mesh has none
    float handedness[ZT_W], front[ZT_W];
} surface_corners;

typedef struct surface {
    vf l0, l1, l2;         ///< barycentrics, each in [0, 1]
    vf l1x, l2x, l1y, l2y; ///< their steps per pixel
    vf w, depth;           ///< interpolated
    vm back;               ///< seen from behind
} surface;

static inline void surface_fetch(const shade_frame *frame, const uint32_t id[ZT_W],
                                 surface_corners *out)
{
    for (int32_t lane = 0; lane < ZT_W; lane++) {
        const uint32_t primitive = id[lane] - 1u;
        const shade_meshlet *m = &frame->meshlets[primitive >> 7];
        const uint32_t triangle = primitive & 127u;
        for (int32_t k = 0; k < 3; k++) {
            const uint32_t local = m->corner[k][triangle], vertex = m->vertex[local];
            out->homogeneous[k][lane] = m->homogeneous[local];
            out->attributes[k][lane] = &m->attributes[vertex].nx;
            out->extra[k][lane] = m->extra ? &m->extra[vertex] : NULL;
        }
        out->handedness[lane] = m->handedness;
        out->front[lane] = m->front;
    }
}

/// Barycentrics at pixel positions (px, py).
static inline void surface_locate(const surface_corners *c, vf px, vf py, surface *out)
{
    vf a[4], b[4], d[4]; // corners 0, 1, 2: X, Y, w, depth
    vf_load4(c->homogeneous[0], a);
    vf_load4(c->homogeneous[1], b);
    vf_load4(c->homogeneous[2], d);
    const vf x0 = a[0] - px * a[2], y0 = a[1] - py * a[2];
    const vf x1 = b[0] - px * b[2], y1 = b[1] - py * b[2];
    const vf x2 = d[0] - px * d[2], y2 = d[1] - py * d[2];
    const vf e0 = x1 * y2 - x2 * y1, e1 = x2 * y0 - x0 * y2, e2 = x0 * y1 - x1 * y0;
    const vf sum = (e0 + e1) + e2;
    const vf r = vf_set1(1.0f) / sum;
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const vf l1 = e1 * r, l2 = e2 * r;

    // d e_i / d px and / d py; the sums give the steps of the denominator.
    const vf e0x = d[2] * y1 - b[2] * y2, e0y = b[2] * x2 - d[2] * x1;
    const vf e1x = a[2] * y2 - d[2] * y0, e1y = d[2] * x0 - a[2] * x2;
    const vf e2x = b[2] * y0 - a[2] * y1, e2y = a[2] * x1 - b[2] * x0;
    const vf sum_x = (e0x + e1x) + e2x, sum_y = (e0y + e1y) + e2y;
    out->l1x = (e1x - l1 * sum_x) * r;
    out->l2x = (e2x - l2 * sum_x) * r;
    out->l1y = (e1y - l1 * sum_y) * r;
    out->l2y = (e2y - l2 * sum_y) * r;

    // Snapped coverage may reach a little past the exact edge; NaN (no area) becomes 0.
    out->l1 = vf_min(vf_max(l1, zero), one);
    out->l2 = vf_min(vf_max(l2, zero), one - out->l1);
    out->l0 = (one - out->l1) - out->l2;
    out->w = (out->l0 * a[2] + out->l1 * b[2]) + out->l2 * d[2];
    out->depth = (out->l0 * a[3] + out->l1 * b[3]) + out->l2 * d[3];
    out->back = vf_lt(sum * vf_load(c->front), zero);
}

static inline vf surface_mix(const surface *s, vf a, vf b, vf c)
{
    return (s->l0 * a + s->l1 * b) + s->l2 * c;
}

static inline uv_gradient surface_uv(const surface *s, const vf u[3], const vf v[3])
{
    const vf u1 = u[1] - u[0], u2 = u[2] - u[0], v1 = v[1] - v[0], v2 = v[2] - v[0];
    return (uv_gradient){
        .u = surface_mix(s, u[0], u[1], u[2]),
        .v = surface_mix(s, v[0], v[1], v[2]),
        .ux = s->l1x * u1 + s->l2x * u2,
        .vx = s->l1x * v1 + s->l2x * v2,
        .uy = s->l1y * u1 + s->l2y * u2,
        .vy = s->l1y * v1 + s->l2y * v2,
    };
}

/// Interpolated attributes: both uv sets with gradients, vertex colour, normal and tangent (not
/// unit length).
typedef struct surface_values {
    vec3_lanes normal, tangent;
    uv_gradient uv[2];
    vf color[4];
} surface_values;

static inline void surface_extra(const surface_corners *c, const surface *s, surface_values *out)
{
    static const float absent[8] = {1.0f, 1.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    vf corner[3][8];
    for (int32_t k = 0; k < 3; k++) {
        const float *p[ZT_W];
        for (int32_t lane = 0; lane < ZT_W; lane++)
            p[lane] = c->extra[k][lane] ? &c->extra[k][lane]->r : absent;
        vf_load8(p, corner[k]);
    }
    for (int32_t i = 0; i < 4; i++)
        out->color[i] = surface_mix(s, corner[0][i], corner[1][i], corner[2][i]);
    const vf u[3] = {corner[0][4], corner[1][4], corner[2][4]};
    const vf v[3] = {corner[0][5], corner[1][5], corner[2][5]};
    out->uv[1] = surface_uv(s, u, v);
}

static inline void surface_interpolate(const surface_corners *c, const surface *s, bool with_extra,
                                       surface_values *out)
{
    vf a[8], b[8], d[8];
    vf_load8(c->attributes[0], a);
    vf_load8(c->attributes[1], b);
    vf_load8(c->attributes[2], d);
    out->normal = (vec3_lanes){surface_mix(s, a[0], b[0], d[0]), surface_mix(s, a[1], b[1], d[1]),
                               surface_mix(s, a[2], b[2], d[2])};
    out->tangent = (vec3_lanes){surface_mix(s, a[4], b[4], d[4]), surface_mix(s, a[5], b[5], d[5]),
                                surface_mix(s, a[6], b[6], d[6])};
    const vf u[3] = {a[3], b[3], d[3]}, v[3] = {a[7], b[7], d[7]};
    out->uv[0] = surface_uv(s, u, v);
    if (with_extra)
        surface_extra(c, s, out);
}

/// Samples one map of a material.
static inline void surface_sample(const shade_map *map, const surface_values *values, vf out[4])
{
    uv_gradient g = values->uv[map->uv_set];
    if (map->transformed) {
        const uv_gradient s = g;
        const vf m0 = vf_set1(map->uv_from_uv[0]), m1 = vf_set1(map->uv_from_uv[1]);
        const vf m3 = vf_set1(map->uv_from_uv[3]), m4 = vf_set1(map->uv_from_uv[4]);
        g.u = (m0 * s.u + m1 * s.v) + vf_set1(map->uv_from_uv[2]);
        g.v = (m3 * s.u + m4 * s.v) + vf_set1(map->uv_from_uv[5]);
        g.ux = m0 * s.ux + m1 * s.vx;
        g.vx = m3 * s.ux + m4 * s.vx;
        g.uy = m0 * s.uy + m1 * s.vy;
        g.vy = m3 * s.uy + m4 * s.vy;
    }
    texture_sample(map->texture, &g, out);
}

/// True when a material reads colours or the second uv set.
static inline bool surface_needs_extra(const shade_material *m)
{
    bool needs = m->vertex_color;
    for (int32_t i = 0; i < SHADE_MAP_COUNT; i++)
        needs = needs || (m->map[i].texture && m->map[i].uv_set == 1);
    return needs;
}

/// Alpha test of a masked material: which of the 16 `lanes` (pixel y % 4 * 4 + x % 4 of the 4x4
/// block at block_x, block_y) survive, at the sample offset (dx, dy) in 1/256 pixel.
static unsigned raster_alpha_test(const shade_frame *frame, uint32_t id, int32_t block_x,
                                  int32_t block_y, int32_t dx, int32_t dy, unsigned lanes)
{
    const shade_material *m = &frame->materials[frame->meshlets[(id - 1u) >> 7].material];
    uint32_t ids[ZT_W];
    for (int32_t lane = 0; lane < ZT_W; lane++)
        ids[lane] = id;
    surface_corners corners;
    surface_fetch(frame, ids, &corners);
    const bool extra = surface_needs_extra(m);
    unsigned passed = 0;
    for (int32_t first = 0; first < 16; first += ZT_W) {
        const vi pixel = vi_set1(first) + vi_iota();
        const vi x = vi_shl(vi_set1(block_x) + vi_and(pixel, vi_set1(3)), 8);
        const vi y = vi_shl(vi_set1(block_y) + vi_shr(pixel, 2), 8);
        const vf px = vf_from_vi(x + vi_set1(128 + dx)) * vf_set1(1.0f / 256.0f);
        const vf py = vf_from_vi(y + vi_set1(128 + dy)) * vf_set1(1.0f / 256.0f);
        surface s;
        surface_values values;
        surface_locate(&corners, px, py, &s);
        surface_interpolate(&corners, &s, extra, &values);
        vf alpha = vf_set1(m->base_color[3]);
        if (m->vertex_color)
            alpha = alpha * values.color[3];
        if (m->map[SHADE_MAP_BASE].texture) {
            vf texel[4];
            surface_sample(&m->map[SHADE_MAP_BASE], &values, texel);
            alpha = alpha * texel[3];
        }
        passed |= vm_bits(vf_ge(alpha, vf_set1(m->alpha_cutoff))) << first;
    }
    return passed & lanes;
}
