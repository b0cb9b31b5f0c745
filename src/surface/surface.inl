// SPDX-License-Identifier: MIT
// From a primitive number and barycentrics to interpolated attributes, W lanes at a time.
//
// Barycentrics and derivatives come from edge functions in a table of triangles, which
// surface_screen.inl fills for pixels and surface_hits.inl for hits of rays. Texture gradients are
// analytic. Values of triangles are computed once, in lanes; lanes of points look them up.

/// The attributes that a material and the lights need. With `tangent`, normals and tangents of the
/// corners are normalised before they are interpolated; otherwise normals keep their length.
typedef struct surface_needs {
    bool uv, tangent, extra, position;
    bool scale;         ///< ROW_SCALE
    uint8_t anisotropy; ///< taps of a texture, at most; 0 or 1: one
} surface_needs;

/// Rows of a table of triangles. An edge function is e = (A x + B y) + C with (x, y) relative to
/// the reference point, in pixels or in steps to neighbouring rays; barycentric i is
/// e_i / (e0 + e1 + e2). A value has three rows: at corner 0, and its steps to corners 1 and 2.
enum {
    ROW_X, ///< the reference point, see surface_edges
    ROW_Y,
    ROW_E1, ///< A, B, C
    ROW_E2 = ROW_E1 + 3,
    ROW_SUM = ROW_E2 + 3,    ///< e0 + e1 + e2
    ROW_FRONT = ROW_SUM + 3, ///< posed_meshlet.front
    ROW_HANDEDNESS,
    ROW_SCALE, ///< posed_meshlet.scale
    ROW_W,     ///< of triangles on the screen, like ROW_DEPTH
    ROW_DEPTH = ROW_W + 3,
    ROW_ATTRIBUTES = ROW_DEPTH + 3,
    ROW_EXTRA = ROW_ATTRIBUTES + 8 * 3,
    ROW_UV_STEPS = ROW_EXTRA + 6 * 3, ///< of the two uv sets, see surface_uv_steps
    ROW_COUNT = ROW_UV_STEPS + 2 * 4
};
/// ROW_ATTRIBUTES in the order of vertex_attributes; ROW_EXTRA (U1, V1) of vertex_extra.
enum { VALUE_NORMAL = 0, VALUE_U = 3, VALUE_TANGENT = 4, VALUE_V = 7, VALUE_U1 = 4, VALUE_V1 = 5 };

/// Up to ZT_W triangles in lanes. Pixels of a few neighbouring triangles look their values up by
/// lane, which is cheaper than fetching corners for each pixel. Lanes are computed independently:
/// which triangles share a table does not change a value.
typedef struct surface_table {
    _Alignas(64) float row[ROW_COUNT][ZT_W];
} surface_table;

/// The corners of the lanes' triangles in memory.
typedef struct surface_corners {
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

/// The second half of vertex attributes: tangent and v.
static inline bool surface_needs_second_half(const surface_needs *needs)
{
    return needs->uv || needs->tangent;
}

/// One corner's attributes from model space to world space.
static inline void surface_to_world(const posed_meshlet *m, const float in[8], bool second_half,
                                    float out[8])
{
    memcpy(out, in, 8 * sizeof *out);
    surface_direction(m->world_from_normal, in, out);
    if (second_half)
        surface_direction(m->world_from_tangent, in + 4, out + 4);
}

/// Corners of triangles id[i] - 1, and their meshlets' rows. Of `needs` what is not of pixels.
ZT_LANE_OP void surface_fetch(const posed_meshlet *meshlets, const int32_t id[ZT_W],
                              const surface_needs *needs, surface_corners *out,
                              surface_table *table)
{
    static const float absent[8] = {1.0f, 1.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    out->lines = 0;
    for (int32_t lane = 0; lane < ZT_W; lane++) {
        const uint32_t triangle = primitive_triangle((uint32_t)id[lane]);
        const posed_meshlet *m = &meshlets[primitive_meshlet((uint32_t)id[lane])];
        uint32_t vertex[3];
        for (int32_t k = 0; k < 3; k++) {
            vertex[k] = m->vertex[m->corner[k][triangle]];
            out->attributes[k][lane] = &m->attributes[vertex[k]].nx;
        }
        for (int32_t k = 0; k < 3 && needs->extra; k++)
            out->extra[k][lane] = m->extra ? &m->extra[vertex[k]].r : absent;
        for (int32_t k = 0; k < 3 && m->world_from_tangent; k++) {
            surface_to_world(m, out->attributes[k][lane], surface_needs_second_half(needs),
                             out->in_world[k][lane]);
            out->attributes[k][lane] = out->in_world[k][lane];
        }
        table->row[ROW_FRONT][lane] = m->front;
        table->row[ROW_HANDEDNESS][lane] = m->handedness;
        if (needs->scale)
            table->row[ROW_SCALE][lane] = m->scale;
        out->lines |= (unsigned)m->line << lane;
    }
}

ZT_LANE_OP void surface_store3(surface_table *t, int32_t row, vf a, vf b, vf c)
{
    vf_store(t->row[row], a);
    vf_store(t->row[row + 1], b);
    vf_store(t->row[row + 2], c);
}

/// Stores `count` (<= 4) corner values from `first` on. `unit`: the first three are normalised.
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

/// The rows of attributes, after those of edge functions.
ZT_LANE_OP void surface_attributes_build(surface_corners *c, const surface_needs *needs,
                                         surface_table *t)
{
    surface_corner_values(c->attributes, 0, 4, needs->tangent, ROW_ATTRIBUTES, t);
    if (surface_needs_second_half(needs))
        surface_corner_values(c->attributes, 4, 4, needs->tangent, ROW_ATTRIBUTES, t);
    if (needs->uv)
        surface_uv_steps(t, ROW_ATTRIBUTES + 3 * VALUE_U, ROW_ATTRIBUTES + 3 * VALUE_V,
                         ROW_UV_STEPS);
    if (needs->extra) {
        surface_corner_values(c->extra, 0, 4, false, ROW_EXTRA, t);
        surface_corner_values(c->extra, 4, 2, false, ROW_EXTRA, t);
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

/// With u = U / S the derivative is (U' - u S') / S, relative to corner 0; 1 / S is common.
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
ZT_LANE_OP uv_gradient surface_transformed_uv(const surface_map *map, const uv_gradient *s)
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
ZT_LANE_OP const uv_gradient *surface_map_uv(const surface_map *map, const surface_values *values,
                                             uv_gradient *storage)
{
    const uv_gradient *set = map->uv_set == 0 ? &values->uv[0] : &values->uv[1];
    if (!map->transformed)
        return set;
    *storage = surface_transformed_uv(map, set);
    return storage;
}

ZT_LANE_OP void surface_sample(const surface_map *map, const surface_values *values, vf out[4])
{
    uv_gradient storage;
    const uv_gradient *uv = surface_map_uv(map, values, &storage);
    if (values->anisotropy > 1)
        texture_sample_anisotropic(map->texture, uv, values->anisotropy, out);
    else
        texture_sample(map->texture, uv, out);
}
