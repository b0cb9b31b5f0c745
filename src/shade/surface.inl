// SPDX-License-Identifier: MIT
// From a primitive number and a pixel position to interpolated attributes, W lanes at a time.
//
// Barycentrics come from the homogeneous vertices (see shade_loops.h): perspective-correct, and the
// same for triangles that cross the near plane. Texture gradients are analytic. Values of triangles
// are computed once, ZT_W triangles in lanes; lanes of pixels look them up.

typedef struct vec3_lanes {
    vf x, y, z;
} vec3_lanes;

ZT_LANE_OP vec3_lanes vec3_set1(const float v[3])
{
    return (vec3_lanes){vf_set1(v[0]), vf_set1(v[1]), vf_set1(v[2])};
}

ZT_LANE_OP vf vec3_dot(vec3_lanes a, vec3_lanes b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

ZT_LANE_OP vec3_lanes vec3_add(vec3_lanes a, vec3_lanes b)
{
    return (vec3_lanes){a.x + b.x, a.y + b.y, a.z + b.z};
}

ZT_LANE_OP vec3_lanes vec3_sub(vec3_lanes a, vec3_lanes b)
{
    return (vec3_lanes){a.x - b.x, a.y - b.y, a.z - b.z};
}

ZT_LANE_OP vec3_lanes vec3_scale(vec3_lanes a, vf s)
{
    return (vec3_lanes){a.x * s, a.y * s, a.z * s};
}

ZT_LANE_OP vec3_lanes vec3_cross(vec3_lanes a, vec3_lanes b)
{
    return (vec3_lanes){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Roots and divisions are correctly rounded: an estimate with Newton steps takes three times as
// many instructions, and the divider is idle otherwise.
ZT_LANE_OP vf inverse_sqrt(vf x)
{
    return vf_set1(1.0f) / vf_sqrt(x);
}

/// Unit length; a vector too short to have a direction stays (nearly) zero.
ZT_LANE_OP vec3_lanes vec3_unit(vec3_lanes a)
{
    return vec3_scale(a, inverse_sqrt(vf_max(vec3_dot(a, a), vf_set1(1e-30f))));
}

/// The attributes that a material and the lights need. With `tangent`, normals and tangents of the
/// corners are normalised before they are interpolated; otherwise normals keep their length.
typedef struct surface_needs {
    bool uv, tangent, extra, position;
    bool scale;         ///< ROW_SCALE
    uint8_t anisotropy; ///< taps of a texture, at most; 0 or 1: one
} surface_needs;

/// Rows of a table of triangles. An edge function is e = (A x + B y) + C with (x, y) relative to
/// the reference pixel; a value has three rows: at corner 0, and its steps to corners 1 and 2.
enum {
    ROW_X,  ///< reference pixel: the pixel of corner 0, clamped to the tile. It keeps the edge
    ROW_Y,  ///< functions of small triangles small.
    ROW_E1, ///< A, B, C
    ROW_E2 = ROW_E1 + 3,
    ROW_SUM = ROW_E2 + 3, ///< e0 + e1 + e2
    ROW_FRONT = ROW_SUM + 3,
    ROW_HANDEDNESS,
    ROW_SCALE, ///< view_meshlet.scale
    ROW_W,
    ROW_DEPTH = ROW_W + 3,
    ROW_ATTRIBUTES = ROW_DEPTH + 3,
    ROW_EXTRA = ROW_ATTRIBUTES + 8 * 3,
    ROW_UV_STEPS = ROW_EXTRA + 6 * 3, ///< of the two uv sets, see surface_uv_steps
    ROW_COUNT = ROW_UV_STEPS + 2 * 4
};
/// Values of ROW_ATTRIBUTES in the order of vertex_attributes, then of ROW_EXTRA (U1, V1) in the
/// order of vertex_extra.
enum { VALUE_NORMAL = 0, VALUE_U = 3, VALUE_TANGENT = 4, VALUE_V = 7, VALUE_U1 = 4, VALUE_V1 = 5 };

/// Up to ZT_W triangles in lanes. Pixels of a few neighbouring triangles look their values up by
/// lane, which is cheaper than fetching corners for each pixel. Lanes are computed independently:
/// which triangles share a table does not change a value.
typedef struct surface_table {
    _Alignas(64) float row[ROW_COUNT][ZT_W];
} surface_table;

/// The corners of the lanes' triangles in memory.
typedef struct surface_corners {
    const float *homogeneous[3][ZT_W];
    const float *attributes[3][ZT_W];
    const float *extra[3][ZT_W];
    float in_world[3][ZT_W][8]; ///< attributes of lanes whose mesh was posed in model space
    unsigned lines;             ///< bits of the lanes that are lines or points
} surface_corners;

/// (c0 x + c1 y) + c2 z, in the order of geometry_loops.h.
static inline void surface_direction(const skin_matrix *m, const float v[3], float out[3])
{
    for (int row = 0; row < 3; row++)
        out[row] = (m->column[0][row] * v[0] + m->column[1][row] * v[1]) + m->column[2][row] * v[2];
}

/// One corner's attributes from model space to world space.
static inline void surface_to_world(const view_meshlet *m, const float in[8], float out[8])
{
    surface_direction(m->world_from_model_normals, in, out);
    surface_direction(m->world_from_model, in + 4, out + 4);
    out[3] = in[3];
    out[7] = in[7];
}

/// Begins to load what surface_table_build will read of a triangle.
ZT_LANE_OP void surface_prefetch(const shade_frame *frame, uint32_t id)
{
    const view_meshlet *m = &frame->meshlets[primitive_meshlet(id)];
    const uint32_t triangle = primitive_triangle(id);
    for (int32_t k = 0; k < 3; k++) {
        const uint32_t local = m->corner[k][triangle];
        __builtin_prefetch(m->homogeneous[local]);
        __builtin_prefetch(&m->attributes[m->vertex[local]]);
    }
}

ZT_LANE_OP void surface_fetch(const shade_frame *frame, const int32_t id[ZT_W], bool extra,
                              surface_corners *out, surface_table *table)
{
    static const float absent[8] = {1.0f, 1.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    out->lines = 0;
    for (int32_t lane = 0; lane < ZT_W; lane++) {
        const uint32_t triangle = primitive_triangle((uint32_t)id[lane]);
        const view_meshlet *m = &frame->meshlets[primitive_meshlet((uint32_t)id[lane])];
        uint32_t vertex[3];
        for (int32_t k = 0; k < 3; k++) {
            const uint32_t local = m->corner[k][triangle];
            vertex[k] = m->vertex[local];
            out->homogeneous[k][lane] = m->homogeneous[local];
            out->attributes[k][lane] = &m->attributes[vertex[k]].nx;
        }
        for (int32_t k = 0; k < 3 && extra; k++)
            out->extra[k][lane] = m->extra ? &m->extra[vertex[k]].r : absent;
        for (int32_t k = 0; k < 3 && m->world_from_model; k++) {
            surface_to_world(m, out->attributes[k][lane], out->in_world[k][lane]);
            out->attributes[k][lane] = out->in_world[k][lane];
        }
        table->row[ROW_FRONT][lane] = m->front;
        table->row[ROW_HANDEDNESS][lane] = m->handedness;
        out->lines |= (unsigned)m->line << lane;
    }
}

ZT_LANE_OP void surface_store3(surface_table *t, int32_t row, vf a, vf b, vf c)
{
    vf_store(t->row[row], a);
    vf_store(t->row[row + 1], b);
    vf_store(t->row[row + 2], c);
}

/// Edge functions from the homogeneous corners a, b, d (X, Y, w), about the reference pixel.
ZT_LANE_OP void surface_edges(const vf a[4], const vf b[4], const vf d[4], vf tile_x, vf tile_y,
                              surface_table *t)
{
    const vf last = vf_set1((float)(TILE_SIZE - 1));
    const vf rx = vf_floor(vf_clamp(a[0] / a[2], tile_x, tile_x + last));
    const vf ry = vf_floor(vf_clamp(a[1] / a[2], tile_y, tile_y + last));
    const vf x0 = a[0] - rx * a[2], y0 = a[1] - ry * a[2];
    const vf x1 = b[0] - rx * b[2], y1 = b[1] - ry * b[2];
    const vf x2 = d[0] - rx * d[2], y2 = d[1] - ry * d[2];
    const vf e0 = x1 * y2 - x2 * y1, e1 = x2 * y0 - x0 * y2, e2 = x0 * y1 - x1 * y0;
    const vf e0x = d[2] * y1 - b[2] * y2, e0y = b[2] * x2 - d[2] * x1;
    const vf e1x = a[2] * y2 - d[2] * y0, e1y = d[2] * x0 - a[2] * x2;
    const vf e2x = b[2] * y0 - a[2] * y1, e2y = a[2] * x1 - b[2] * x0;
    vf_store(t->row[ROW_X], rx);
    vf_store(t->row[ROW_Y], ry);
    surface_store3(t, ROW_E1, e1x, e1y, e1);
    surface_store3(t, ROW_E2, e2x, e2y, e2);
    surface_store3(t, ROW_SUM, (e0x + e1x) + e2x, (e0y + e1y) + e2y, (e0 + e1) + e2);
}

ZT_LANE_OP void surface_replace3(surface_table *t, int32_t row, vm lanes, vf a, vf b, vf c)
{
    surface_store3(t, row, vf_sel(lanes, a, vf_load(t->row[row])),
                   vf_sel(lanes, b, vf_load(t->row[row + 1])),
                   vf_sel(lanes, c, vf_load(t->row[row + 2])));
}

/// Replaces the edge functions of lines from a to b. A pixel p off the line has the values of the
/// nearest point on it. With D = b.w a.w (b / b.w - a / a.w), the line on the screen, and
/// q = (p a.w - a) . D / (D . D), the point at t of the way from a to b in space has q = t / w:
/// so e1 = a.w q and e0 + e1 + e2 = 1 + (a.w - b.w) q, whose quotient is t. Everything is about the
/// reference pixel, and divided by the larger w. A point has D = 0: q = 0, the values of a.
ZT_LANE_OP void surface_lines(const vf a[4], const vf b[4], vm lanes, surface_table *t)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f), tiny = vf_set1(1e-30f);
    const vf scale = one / vf_max(vf_max(vf_abs(a[2]), vf_abs(b[2])), tiny);
    const vf rx = vf_load(t->row[ROW_X]), ry = vf_load(t->row[ROW_Y]);
    const vf aw = a[2] * scale, bw = b[2] * scale;
    const vf ax = (a[0] - rx * a[2]) * scale, ay = (a[1] - ry * a[2]) * scale;
    const vf bx = (b[0] - rx * b[2]) * scale, by = (b[1] - ry * b[2]) * scale;
    const vf dx = bx * aw - ax * bw, dy = by * aw - ay * bw;
    const vf share = one / vf_max(dx * dx + dy * dy, tiny);
    const vf qx = aw * dx * share, qy = aw * dy * share, q = zero - (ax * dx + ay * dy) * share;
    const vf less = aw - bw;
    surface_replace3(t, ROW_E1, lanes, aw * qx, aw * qy, aw * q);
    surface_replace3(t, ROW_E2, lanes, zero, zero, zero);
    surface_replace3(t, ROW_SUM, lanes, less * qx, less * qy, one + less * q);
}

/// Stores `count` (at most 4) values of the corners from value `first` on. `unit`: the first three
/// are a vector, which is normalised.
ZT_LANE_OP void surface_corner_values(const float *corner[3][ZT_W], int32_t first, int32_t count,
                                      bool unit, int32_t row, surface_table *t)
{
    vf v[3][4];
    for (int32_t k = 0; k < 3; k++) {
        const float *p[ZT_W];
        for (int32_t lane = 0; lane < ZT_W; lane++)
            p[lane] = corner[k][lane] + first;
        vf_load4(p, v[k]);
        if (unit) {
            const vec3_lanes u = vec3_unit((vec3_lanes){v[k][0], v[k][1], v[k][2]});
            v[k][0] = u.x;
            v[k][1] = u.y;
            v[k][2] = u.z;
        }
    }
    for (int32_t i = 0; i < count; i++)
        surface_store3(t, row + 3 * (first + i), v[0][i], v[1][i] - v[0][i], v[2][i] - v[0][i]);
}

/// Derivatives of the numerators of u and v (relative to corner 0) along x and y: d1 e1 + d2 e2,
/// with d the steps of u or v from corner 0 and e the derivatives of the edge functions.
ZT_LANE_OP void surface_uv_steps(surface_table *t, int32_t row_u, int32_t row_v, int32_t to)
{
    const int32_t row[2] = {row_u, row_v};
    for (int32_t axis = 0; axis < 2; axis++) {
        const vf e1 = vf_load(t->row[ROW_E1 + axis]), e2 = vf_load(t->row[ROW_E2 + axis]);
        for (int32_t i = 0; i < 2; i++)
            vf_store(t->row[to + 2 * axis + i],
                     vf_load(t->row[row[i] + 1]) * e1 + vf_load(t->row[row[i] + 2]) * e2);
    }
}

/// Fills lane i with the triangle of primitive number id[i] - 1, for the tile at (tile_x, tile_y).
static inline void surface_table_build(const shade_frame *frame, const int32_t id[ZT_W], vf tile_x,
                                       vf tile_y, const surface_needs *needs, surface_table *t)
{
    surface_corners c;
    vf a[4], b[4], d[4]; // corners 0, 1, 2: X, Y, w, depth
    surface_fetch(frame, id, needs->extra, &c, t);
    vf_load4(c.homogeneous[0], a);
    vf_load4(c.homogeneous[1], b);
    vf_load4(c.homogeneous[2], d);
    surface_edges(a, b, d, tile_x, tile_y, t);
    if (c.lines)
        surface_lines(a, b, vm_from_bits(c.lines), t);
    for (int32_t lane = 0; lane < ZT_W && needs->scale; lane++)
        t->row[ROW_SCALE][lane] = frame->meshlets[primitive_meshlet((uint32_t)id[lane])].scale;
    if (needs->position) {
        surface_store3(t, ROW_W, a[2], b[2] - a[2], d[2] - a[2]);
        surface_store3(t, ROW_DEPTH, a[3], b[3] - a[3], d[3] - a[3]);
    }
    surface_corner_values(c.attributes, 0, 4, needs->tangent, ROW_ATTRIBUTES, t);
    if (needs->uv || needs->tangent)
        surface_corner_values(c.attributes, 4, 4, needs->tangent, ROW_ATTRIBUTES, t);
    if (needs->uv)
        surface_uv_steps(t, ROW_ATTRIBUTES + 3 * VALUE_U, ROW_ATTRIBUTES + 3 * VALUE_V,
                         ROW_UV_STEPS);
    if (needs->extra) {
        surface_corner_values(c.extra, 0, 4, false, ROW_EXTRA, t);
        surface_corner_values(c.extra, 4, 2, false, ROW_EXTRA, t);
        surface_uv_steps(t, ROW_EXTRA + 3 * VALUE_U1, ROW_EXTRA + 3 * VALUE_V1, ROW_UV_STEPS + 4);
    }
}

/// Points on triangles: lane i is on the triangle in lane slot[i] of the table.
typedef struct surface {
    const surface_table *table;
    vi slot;
    vf l1, l2; ///< barycentrics of corners 1 and 2; all three lie in [0, 1]
    vf r;      ///< 1 / (e0 + e1 + e2)
    vm back;   ///< seen from behind
} surface;

ZT_LANE_OP vf surface_row(const surface *s, int32_t row)
{
    return vf_lookup(s->table->row[row], s->slot);
}

/// An edge function at (x, y) from the reference pixel.
ZT_LANE_OP vf surface_edge(const surface *s, int32_t row, vf x, vf y)
{
    return (surface_row(s, row) * x + surface_row(s, row + 1) * y) + surface_row(s, row + 2);
}

/// Finds the points at pixel positions (px, py).
ZT_LANE_OP void surface_locate(const surface_table *table, vi slot, vf px, vf py, surface *s)
{
    s->table = table;
    s->slot = slot;
    const vf x = px - surface_row(s, ROW_X), y = py - surface_row(s, ROW_Y);
    const vf e1 = surface_edge(s, ROW_E1, x, y), e2 = surface_edge(s, ROW_E2, x, y);
    const vf sum = surface_edge(s, ROW_SUM, x, y);
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    s->r = one / sum;
    // Coverage, which is snapped, may reach past the exact edge; NaN (no area) becomes 0.
    s->l1 = vf_min(vf_max(e1 * s->r, zero), one);
    s->l2 = vf_min(vf_max(e2 * s->r, zero), one - s->l1);
    s->back = vf_lt(sum * surface_row(s, ROW_FRONT), zero);
}

ZT_LANE_OP vf surface_value(const surface *s, int32_t row)
{
    return (surface_row(s, row) + s->l1 * surface_row(s, row + 1)) +
           s->l2 * surface_row(s, row + 2);
}

ZT_LANE_OP vec3_lanes surface_vector(const surface *s, int32_t row)
{
    return (vec3_lanes){surface_value(s, row), surface_value(s, row + 3),
                        surface_value(s, row + 6)};
}

/// With numerator U and denominator S, the derivative of u = U / S is (U' - u S') / S; U and u in
/// it are relative to corner 0. The common factor is 1 / S.
ZT_LANE_OP uv_gradient surface_uv(const surface *s, int32_t row_u, int32_t row_v, int32_t steps)
{
    const vf du = s->l1 * surface_row(s, row_u + 1) + s->l2 * surface_row(s, row_u + 2);
    const vf dv = s->l1 * surface_row(s, row_v + 1) + s->l2 * surface_row(s, row_v + 2);
    const vf sum_x = surface_row(s, ROW_SUM), sum_y = surface_row(s, ROW_SUM + 1);
    return (uv_gradient){
        .u = surface_row(s, row_u) + du,
        .v = surface_row(s, row_v) + dv,
        .ux = surface_row(s, steps) - du * sum_x,
        .vx = surface_row(s, steps + 1) - dv * sum_x,
        .uy = surface_row(s, steps + 2) - du * sum_y,
        .vy = surface_row(s, steps + 3) - dv * sum_y,
        .factor = s->r,
    };
}

/// Coordinates of both uv sets, with gradients, and the vertex colour.
typedef struct surface_values {
    int32_t anisotropy; ///< surface_needs.anisotropy
    uv_gradient uv[2];
    vf color[4];
} surface_values;

ZT_LANE_OP void surface_interpolate(const surface *s, const surface_needs *needs,
                                    surface_values *out)
{
    out->anisotropy = needs->anisotropy;
    if (needs->uv)
        out->uv[0] =
            surface_uv(s, ROW_ATTRIBUTES + 3 * VALUE_U, ROW_ATTRIBUTES + 3 * VALUE_V, ROW_UV_STEPS);
    if (needs->extra) {
        for (int32_t i = 0; i < 4; i++)
            out->color[i] = surface_value(s, ROW_EXTRA + 3 * i);
        out->uv[1] =
            surface_uv(s, ROW_EXTRA + 3 * VALUE_U1, ROW_EXTRA + 3 * VALUE_V1, ROW_UV_STEPS + 4);
    }
}

/// Coordinates and gradients after the transform of a map (KHR_texture_transform as a matrix).
ZT_LANE_OP uv_gradient surface_transformed_uv(const shade_map *map, const uv_gradient *s)
{
    const vf m0 = vf_set1(map->uv_from_uv[0]), m1 = vf_set1(map->uv_from_uv[1]);
    const vf m3 = vf_set1(map->uv_from_uv[3]), m4 = vf_set1(map->uv_from_uv[4]);
    return (uv_gradient){
        .u = (m0 * s->u + m1 * s->v) + vf_set1(map->uv_from_uv[2]),
        .v = (m3 * s->u + m4 * s->v) + vf_set1(map->uv_from_uv[5]),
        .ux = m0 * s->ux + m1 * s->vx,
        .vx = m3 * s->ux + m4 * s->vx,
        .uy = m0 * s->uy + m1 * s->vy,
        .vy = m3 * s->uy + m4 * s->vy,
        .factor = s->factor,
    };
}

/// Coordinates of a map: those of its uv set, or transformed ones, which `storage` then holds.
ZT_LANE_OP const uv_gradient *surface_map_uv(const shade_map *map, const surface_values *values,
                                             uv_gradient *storage)
{
    const uv_gradient *set = map->uv_set == 0 ? &values->uv[0] : &values->uv[1];
    if (!map->transformed)
        return set;
    *storage = surface_transformed_uv(map, set);
    return storage;
}

ZT_LANE_OP void surface_sample(const shade_map *map, const surface_values *values, vf out[4])
{
    uv_gradient storage;
    const uv_gradient *uv = surface_map_uv(map, values, &storage);
    if (values->anisotropy > 1)
        texture_sample_anisotropic(map->texture, uv, values->anisotropy, out);
    else
        texture_sample(map->texture, uv, out);
}

ZT_LANE_OP surface_needs surface_needs_of(const shade_material *m)
{
    surface_needs needs = {.tangent = m->map[SHADE_MAP_NORMAL].texture != NULL,
                           .extra = m->vertex_color};
    for (uint32_t i = 0; m->detail && i < m->detail->wrinkle_count; i++) {
        needs.tangent = true;
        needs.uv = needs.uv || m->detail->wrinkles[i].map.uv_set == 0;
        needs.extra = needs.extra || m->detail->wrinkles[i].map.uv_set == 1;
    }
    for (int32_t i = 0; i < SHADE_MAP_COUNT; i++) {
        needs.uv = needs.uv || (m->map[i].texture && m->map[i].uv_set == 0);
        needs.extra = needs.extra || (m->map[i].texture && m->map[i].uv_set == 1);
    }
    for (int32_t i = 0; m->lobes && i < MATERIAL_EXTENSION_MAP_COUNT; i++) {
        const shade_map *map = &m->lobes->map[i];
        needs.uv = needs.uv || (map->texture && map->uv_set == 0);
        needs.extra = needs.extra || (map->texture && map->uv_set == 1);
    }
    if (m->lobes)
        needs.tangent = needs.tangent || m->lobes->anisotropic ||
                        m->lobes->map[MODEL_CLEARCOAT_NORMAL_MAP].texture;
    return needs;
}

/// See raster_alpha_test. `user` is a shade_frame.
static unsigned alpha_test(const void *user, uint32_t id, int32_t block_x, int32_t block_y,
                           int32_t dx, int32_t dy, unsigned lanes)
{
    const shade_frame *frame = user;
    const shade_material *m = &frame->materials[frame->meshlets[primitive_meshlet(id)].material];
    surface_needs needs = surface_needs_of(m);
    needs.anisotropy = frame->anisotropy;
    const int32_t in_tile = TILE_SIZE - 1;
    int32_t ids[ZT_W];
    vi_store(ids, vi_set1((int32_t)id));
    surface_table table;
    surface_table_build(frame, ids, vf_set1((float)(block_x & ~in_tile)),
                        vf_set1((float)(block_y & ~in_tile)), &needs, &table);
    unsigned passed = 0;
    for (int32_t first = 0; first < 16; first += ZT_W) {
        const vi pixel = vi_set1(first) + vi_iota();
        const vi x = vi_shl(vi_set1(block_x) + vi_and(pixel, vi_set1(3)), 8);
        const vi y = vi_shl(vi_set1(block_y) + vi_shr(pixel, 2), 8);
        const vf px = vf_from_vi(x + vi_set1(128 + dx)) * vf_set1(1.0f / 256.0f);
        const vf py = vf_from_vi(y + vi_set1(128 + dy)) * vf_set1(1.0f / 256.0f);
        surface s;
        surface_values values;
        surface_locate(&table, vi_set1(0), px, py, &s);
        surface_interpolate(&s, &needs, &values);
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
