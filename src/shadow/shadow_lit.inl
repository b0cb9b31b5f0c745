// SPDX-License-Identifier: MIT
// Triangles that nothing shades. Most of what the camera sees is lit, and a lookup for each point
// would find so again and again.
//
// Points of a triangle are lifted from it, never into it, and compared at the depths of a plane
// parallel to it: no texel is nearer than a point's plane if none around the triangle is nearer
// than the plane lifted least. Those texels are few, and are compared a row at a time. In
// perspective the lift depends on the place: points are looked up one by one.

enum {
    SHADOW_LIT_SIDE = 48, ///< texels: larger triangles are not tested
    SHADOW_LIT_AHEAD = 3, ///< triangles: how early texels are asked for
    SHADOW_LIT_VECTORS = (SHADOW_LIT_SIDE + ZT_W - 1) / ZT_W,
    SHADOW_LIT_CELLS = (SHADOW_LIT_SIDE / SHADOW_COVER_CELL + ZT_W) / ZT_W, ///< vectors of them
};

_Static_assert(SHADOW_LIT_SIDE + 4 <= TILE_SIZE, "`filled` is about one tile beyond");

/// The terms that the points of each triangle compare with.
typedef struct shadow_lit_areas {
    _Alignas(64) int32_t left[ZT_W], top[ZT_W], right[ZT_W], bottom[ZT_W]; ///< texels, inclusive
    /// The plane that is lifted least: at the centre of texel (left, top), and its steps.
    float depth[ZT_W], depth_x[ZT_W], depth_y[ZT_W];
} shadow_lit_areas;

ZT_LANE_OP vec3_lanes shadow_rows3(const shadow_table *t, int32_t row, int32_t step)
{
    return (vec3_lanes){vf_load(t->row[row]), vf_load(t->row[row + step]),
                        vf_load(t->row[row + 2 * step])};
}

/// The largest distance by which points of the triangles are lifted, for normals of length 1.
ZT_LANE_OP vf shadow_lit_lift(const shadow_table *t)
{
    vf l[6];
    for (int32_t i = 0; i < 6; i++)
        l[i] = vf_load(t->row[SHADOW_LIFT + i]);
    const vf low = vf_min(vf_min(l[0], l[1]), vf_set1(0.0f));
    const vf high = vf_max(vf_max(l[2], l[2] - l[3]), vf_max(l[5], l[5] - l[4]));
    return vf_max(vf_neg(low), high);
}

/// The least cosine of triangles and corner normals; the normals' largest length: *out_length.
ZT_LANE_OP vf shadow_lit_facing(const shadow_table *t, vec3_lanes plane, vf *out_length)
{
    const vf side = vf_load(t->row[SHADOW_SIDE]);
    vf facing = vf_set1(1.0f), length2 = vf_set1(0.0f);
    for (int32_t k = 0; k < 3; k++) {
        const vec3_lanes n = vec3_scale(shadow_corner_normal(&t->surface, k), side);
        facing = vf_min(vec3_dot(n, plane), facing);
        length2 = vf_max(vec3_dot(n, n), length2);
    }
    *out_length = vf_sqrt(length2);
    return facing;
}

/// A bound of the terms of shadow_transform for points as far from the origin as `p`.
ZT_LANE_OP vf shadow_lit_terms(const float row[4], vec3_lanes p)
{
    const float positive[4] = {row[0] < 0.0f ? -row[0] : row[0], row[1] < 0.0f ? -row[1] : row[1],
                               row[2] < 0.0f ? -row[2] : row[2], row[3] < 0.0f ? -row[3] : row[3]};
    return shadow_transform(positive, p);
}

ZT_LANE_OP vf shadow_min3(const vf v[3]) { return vf_min(vf_min(v[0], v[1]), v[2]); }

ZT_LANE_OP vf shadow_max3(const vf v[3]) { return vf_max(vf_max(v[0], v[1]), v[2]); }

/// Fills the areas. Returns bits of the triangles that can be tested.
ZT_LANE_OP unsigned shadow_lit_areas_of(const shadow_map *m, const shadow_table *t,
                                        shadow_lit_areas *out)
{
    const vf one = vf_set1(1.0f), half = vf_set1(0.5f), zero = vf_set1(0.0f);
    const vec3_lanes p0 = shadow_rows3(t, SHADOW_POSITION, 3);
    const vec3_lanes e1 = shadow_rows3(t, SHADOW_POSITION + 1, 3);
    const vec3_lanes e2 = shadow_rows3(t, SHADOW_POSITION + 2, 3);
    const vec3_lanes p[3] = {p0, vec3_add(p0, e1), vec3_add(p0, e2)};
    const vec3_lanes far = {vf_abs(p0.x) + (vf_abs(e1.x) + vf_abs(e2.x)),
                            vf_abs(p0.y) + (vf_abs(e1.y) + vf_abs(e2.y)),
                            vf_abs(p0.z) + (vf_abs(e1.z) + vf_abs(e2.z))};
    vf x[3], y[3], depth[3], length;
    for (int32_t k = 0; k < 3; k++) {
        x[k] = shadow_transform(m->view.row_x, p[k]);
        y[k] = shadow_transform(m->view.row_y, p[k]);
        depth[k] = shadow_transform(m->view.row_d, p[k]);
    }
    const vf terms_x = shadow_lit_terms(m->view.row_x, far);
    const vf terms_y = shadow_lit_terms(m->view.row_y, far);

    // Points are moved by their lift and by a texel along their normals.
    const vec3_lanes plane = shadow_rows3(t, SHADOW_PLANE, 1);
    const vf facing = shadow_lit_facing(t, plane, &length);
    const vf moved =
        (shadow_lit_lift(t) * vf_set1(1.0f / m->texel_m) + one) * (length * vf_set1(1.01f));
    const vf room_x = moved + (terms_x * vf_set1(1e-6f) + vf_set1(0.01f));
    const vf room_y = moved + (terms_y * vf_set1(1e-6f) + vf_set1(0.01f));
    const vf min_x = shadow_min3(x) - room_x, max_x = shadow_max3(x) + room_x;
    const vf min_y = shadow_min3(y) - room_y, max_y = shadow_max3(y) + room_y;
    const vf left = vf_floor(min_x) - one, top = vf_floor(min_y) - one;

    const vf h = vec3_dot(plane, vec3_set1(m->forward)), to_h = one / h;
    const vf step_x = vec3_dot(plane, vec3_set1(m->plane_x)) * to_h;
    const vf step_y = vec3_dot(plane, vec3_set1(m->plane_y)) * to_h;
    const vf steps = vf_abs(step_x) + vf_abs(step_y), most = vf_set1(m->steps * 9.9f);
    for (int32_t k = 0; k < 3; k++)
        depth[k] = depth[k] + (step_x * ((left + half) - x[k]) + step_y * ((top + half) - y[k]));
    const vf lift = vf_set1(-m->steps) * (facing * to_h) + steps * vf_set1(1.0f / 64.0f);
    const vf terms = shadow_lit_terms(m->view.row_d, far) +
                     (vf_abs(step_x) * terms_x + vf_abs(step_y) * terms_y);
    vf_store(out->depth, (shadow_min3(depth) + lift) - terms * vf_set1(6e-6f));
    vf_store(out->depth_x, step_x);
    vf_store(out->depth_y, step_y);

    const vf side = vf_set1((float)(SHADOW_LIT_SIDE - 4));
    const vm towards = vm_and(vf_lt(h, vf_set1(-0.05f)), vf_ge(facing, zero));
    const vm even = vm_and(vf_le(vf_abs(step_x), most), vf_le(vf_abs(step_y), most));
    const vm small = vm_and(vf_le(max_x - min_x, side), vf_le(max_y - min_y, side));
    const vm inside = vm_and(vm_and(vf_ge(min_x, one), vf_ge(min_y, one)),
                             vm_and(vf_le(max_x, vf_set1((float)m->width - 1.0f)),
                                    vf_le(max_y, vf_set1((float)m->height - 1.0f))));
    const vm tested = vm_and(vm_and(towards, even), vm_and(small, inside));
    const vf last_x = vf_floor(max_x) + one, last_y = vf_floor(max_y) + one;
    vi_store(out->left, vi_from_vf(vf_sel(tested, left, zero)));
    vi_store(out->top, vi_from_vf(vf_sel(tested, top, zero)));
    vi_store(out->right, vi_from_vf(vf_sel(tested, last_x, zero)));
    vi_store(out->bottom, vi_from_vf(vf_sel(tested, last_y, zero)));
    return vm_bits(tested);
}

/// A plane, at the first of some values in rows, and its steps.
typedef struct shadow_lit_plane {
    float first, step_x, step_y;
} shadow_lit_plane;

/// Lanes of `vectors` vectors from `row` on, nearer than a plane in some row. A constant count.
ZT_LANE_OP bool shadow_lit_vectors(const float *row, ptrdiff_t stride, int32_t columns,
                                   int32_t rows, const shadow_lit_plane *p, int32_t vectors)
{
    vf plane[SHADOW_LIT_VECTORS];
    vm nearer[SHADOW_LIT_VECTORS];
    const vf step_y = vf_set1(p->step_y);
    for (int32_t k = 0; k < vectors; k++) {
        const vf column = vf_from_vi(vi_iota() + vi_set1(k * ZT_W));
        plane[k] = vf_set1(p->first) + vf_set1(p->step_x) * column;
        nearer[k] = vm_from_bits(0);
    }
    for (int32_t y = 0; y < rows; y++, row += stride)
        for (int32_t k = 0; k < vectors; k++) {
            nearer[k] = vm_or(nearer[k], vf_gt(vf_load(row + k * ZT_W), plane[k]));
            plane[k] = plane[k] + step_y;
        }
    uint64_t bits = 0;
    for (int32_t k = 0; k < vectors; k++)
        bits |= (uint64_t)vm_bits(nearer[k]) << (k * ZT_W);
    return !(bits & ((1ull << columns) - 1u));
}

/// True when none of columns x rows values is nearer to the light than a plane.
ZT_LANE_OP bool shadow_lit_open(const float *from, ptrdiff_t stride, int32_t columns, int32_t rows,
                                const shadow_lit_plane *plane)
{
    switch ((columns + ZT_W - 1) / ZT_W) {
    case 1: return shadow_lit_vectors(from, stride, columns, rows, plane, 1);
    case 2: return shadow_lit_vectors(from, stride, columns, rows, plane, 2);
    case 3: return shadow_lit_vectors(from, stride, columns, rows, plane, 3);
    default: return shadow_lit_vectors(from, stride, columns, rows, plane, SHADOW_LIT_VECTORS);
    }
}

/// True when no texel of the area of triangle i is nearer to the light than its plane.
ZT_LANE_OP bool shadow_lit_texels(const shadow_map *m, const shadow_lit_areas *a, unsigned i)
{
    const int32_t left = a->left[i], top = a->top[i];
    const int32_t tile_x = (left + TILE_SIZE) >> SHADOW_TILE_SHIFT;
    const int32_t tile_y = (top + TILE_SIZE) >> SHADOW_TILE_SHIFT;
    if (m->filled && !m->filled[tile_y * m->filled_wide + tile_x])
        return true;
    const shadow_lit_plane plane = {a->depth[i], a->depth_x[i], a->depth_y[i]};
    return shadow_lit_open(m->depth + (ptrdiff_t)top * m->stride + left, m->stride,
                           a->right[i] - left + 1, a->bottom[i] - top + 1, &plane);
}

/// True when shadow_is_covered is false for all points of triangle i.
ZT_LANE_OP bool shadow_lit_cover(const shadow_map *m, const shadow_lit_areas *a, unsigned i)
{
    const float cell = (float)SHADOW_COVER_CELL, dx = a->depth_x[i], dy = a->depth_y[i];
    const int32_t first_x = (a->left[i] + 1) >> SHADOW_COVER_SHIFT;
    const int32_t first_y = (a->top[i] + 1) >> SHADOW_COVER_SHIFT;
    const int32_t last_x = (a->right[i] - 1) >> SHADOW_COVER_SHIFT;
    const int32_t last_y = (a->bottom[i] - 1) >> SHADOW_COVER_SHIFT;
    // A point of a cell is at least at the depth of its centre, less half of its sides' steps.
    const float around = 1.5f * cell * ((dx < 0.0f ? -dx : dx) + (dy < 0.0f ? -dy : dy));
    const float from_x = ((float)first_x + 0.5f) * cell - ((float)a->left[i] + 0.5f);
    const float from_y = ((float)first_y + 0.5f) * cell - ((float)a->top[i] + 0.5f);
    const shadow_lit_plane plane = {(a->depth[i] + around) + (dx * from_x + dy * from_y), dx * cell,
                                    dy * cell};
    return shadow_lit_vectors(m->cover + (ptrdiff_t)first_y * m->cover_wide + first_x,
                              m->cover_wide, last_x - first_x + 1, last_y - first_y + 1, &plane,
                              SHADOW_LIT_CELLS);
}

ZT_LANE_OP void shadow_lit_prefetch(const shadow_map *m, const shadow_lit_areas *a, unsigned i)
{
    const float *row = m->depth + (ptrdiff_t)a->top[i] * m->stride;
    for (int32_t y = a->top[i]; y <= a->bottom[i]; y++, row += m->stride) {
        __builtin_prefetch(row + a->left[i]);
        __builtin_prefetch(row + a->right[i]);
    }
}

/// Sets open[i] to 1 for the triangles of the table of whose points no lookup in the map finds
/// anything nearer to the light, else to 0. `id`: equal ones are the same triangle.
static __attribute__((noinline)) void shadow_lit_triangles(const shadow_map *m,
                                                           const shadow_table *t,
                                                           const int32_t id[ZT_W], float open[ZT_W])
{
    shadow_lit_areas areas;
    const unsigned tested = shadow_lit_areas_of(m, t, &areas);
    for (unsigned i = 0; i < SHADOW_LIT_AHEAD && i < ZT_W; i++)
        if (tested >> i & 1u)
            shadow_lit_prefetch(m, &areas, i);
    for (unsigned i = 0; i < ZT_W; i++) {
        const unsigned ahead = i + SHADOW_LIT_AHEAD;
        if (ahead < ZT_W && tested >> ahead & 1u && id[ahead] != id[ahead - 1])
            shadow_lit_prefetch(m, &areas, ahead);
        if (i > 0 && id[i] == id[i - 1])
            open[i] = open[i - 1];
        else
            open[i] = tested >> i & 1u && shadow_lit_texels(m, &areas, i) &&
                              (m->spread <= 0.0f || shadow_lit_cover(m, &areas, i))
                          ? 1.0f
                          : 0.0f;
    }
}

/// True for maps that shadow_lit_triangles understands.
static inline bool shadow_lit_applies(const shadow_maps *shadow)
{
    return ZT_W > 1 && shadow->number < SHADOW_LIT_LIGHTS && shadow->map_count == 1 &&
           shadow->maps[0].view.orthographic && !shadow->maps[0].veil_near;
}

/// Fills lane i with triangle id[i] - 1, for tile (tile_x, tile_y). `shadows` [count]: all lights'.
static __attribute__((noinline)) void shadow_table_build(const surface_view *surfaces,
                                                         const screen_view *view,
                                                         const shadow_maps *shadows, int32_t count,
                                                         const int32_t id[ZT_W], vf tile_x,
                                                         vf tile_y, shadow_table *t)
{
    shadow_table_fill(surfaces, view, id, tile_x, tile_y, t);
    for (int32_t k = 0; k < count; k++)
        if (shadow_lit_applies(&shadows[k]))
            shadow_lit_triangles(&shadows[k].maps[0], t, id,
                                 t->row[SHADOW_LIT + shadows[k].number]);
}

/// Points on triangles that the light of a shadow reaches wholly.
ZT_LANE_OP vm shadow_lit(const shadow_maps *shadow, const shadow_table *t, vi slot)
{
    if (!shadow_lit_applies(shadow))
        return vm_from_bits(0);
    return vf_gt(vf_lookup(t->row[SHADOW_LIT + shadow->number], slot), vf_set1(0.5f));
}
