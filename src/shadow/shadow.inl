// SPDX-License-Identifier: MIT
// The share of each light that arrives at visible samples, from its shadow map.
//
// A sample is compared with the texels around it at the depths of its triangle's plane (receiver
// plane depth bias; Isidoro, "Shadow Mapping: GPU-based Tips and Techniques", 2006): a plane does
// not shadow itself. Where triangles bend, it is moved a texel along its normal (Holbert, "Saying
// Goodbye to Shadow Acne", 2011). Curved meshes are lit as if smooth: samples are lifted from the
// triangle onto the surface of its corners' normals, else facets would shadow themselves along the
// terminator (Hanika, "Hacking the Shadow Terminator", 2021).

/// Rows of a table of triangles beyond surface_table: values at corner 0, steps to 1 and 2.
enum {
    SHADOW_POSITION,                    ///< x, y, z in world space
    SHADOW_PLANE = SHADOW_POSITION + 9, ///< unit normal of the triangle, towards the viewer
    SHADOW_LIFT = SHADOW_PLANE + 3,     ///< steps 1 and 2 of (p - corner k) . normal k, for each k
    SHADOW_SIDE = SHADOW_LIFT + 6,      ///< -1: the corners' normals point away from the viewer
    SHADOW_LIT,                         ///< 1: all of the light of a shadow arrives, of the first
    SHADOW_LIT_LIGHTS = 4,              ///< so many shadows
    SHADOW_ROWS = SHADOW_LIT + SHADOW_LIT_LIGHTS,
};

typedef struct shadow_table {
    surface_table surface; ///< its edges, and the normals of the corners
    _Alignas(64) float row[SHADOW_ROWS][ZT_W];
} shadow_table;

/// World position of a corner from its homogeneous pixels X, Y, w and depth. See shade_frame.view.
ZT_LANE_OP vec3_lanes shadow_corner(const screen_view *f, const vf v[4])
{
    const vec3_lanes ray = vec3_scale(vec3_set1(f->ray), v[2]);
    const vec3_lanes x = vec3_scale(vec3_set1(f->ray_x), v[0]);
    const vec3_lanes y = vec3_scale(vec3_set1(f->ray_y), v[1]);
    const vec3_lanes p = vec3_add(vec3_set1(f->origin), vec3_add(ray, vec3_add(x, y)));
    if (!f->transform.orthographic)
        return p;
    const vf along = (vf_set1(1.0f) - v[3]) * vf_set1(f->depth_range);
    return vec3_add(p, vec3_scale(vec3_set1(f->forward), along));
}

/// Normal of corner k, from the rows of surface_table.
ZT_LANE_OP vec3_lanes shadow_corner_normal(const surface_table *t, int32_t k)
{
    vf n[3];
    for (int32_t i = 0; i < 3; i++) {
        n[i] = vf_load(t->row[ROW_ATTRIBUTES + 3 * i]);
        if (k > 0)
            n[i] = n[i] + vf_load(t->row[ROW_ATTRIBUTES + 3 * i + k]);
    }
    return (vec3_lanes){n[0], n[1], n[2]};
}

ZT_LANE_OP void shadow_store3(shadow_table *t, int32_t row, int32_t step, vec3_lanes v)
{
    vf_store(t->row[row], v.x);
    vf_store(t->row[row + step], v.y);
    vf_store(t->row[row + 2 * step], v.z);
}

/// Fills what follows from the positions of the corners.
ZT_LANE_OP void shadow_geometry(const screen_view *f, const vec3_lanes p[3], shadow_table *t)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f), minus = vf_set1(-1.0f);
    const vec3_lanes e1 = vec3_sub(p[1], p[0]), e2 = vec3_sub(p[2], p[0]);
    const vec3_lanes cross = vec3_cross(e1, e2);
    const vf length2 = vec3_dot(cross, cross);
    vec3_lanes plane = vec3_scale(cross, inverse_sqrt(vf_max(length2, vf_set1(1e-37f))));
    const vec3_lanes to_eye = f->transform.orthographic ? vec3_scale(vec3_set1(f->forward), minus)
                                                        : vec3_sub(vec3_set1(f->origin), p[0]);
    const vf facing = vf_sel(vf_lt(vec3_dot(plane, to_eye), zero), minus, one);
    plane = vec3_scale(plane, facing);
    shadow_store3(t, SHADOW_POSITION, 3, p[0]);
    shadow_store3(t, SHADOW_POSITION + 1, 3, e1);
    shadow_store3(t, SHADOW_POSITION + 2, 3, e2);
    shadow_store3(t, SHADOW_PLANE, 1, plane);
    vec3_lanes sum = {zero, zero, zero};
    for (int32_t k = 0; k < 3; k++)
        sum = vec3_add(sum, shadow_corner_normal(&t->surface, k));
    const vf side = vf_sel(vf_lt(vec3_dot(sum, plane), zero), minus, one);
    vf_store(t->row[SHADOW_SIDE], side);
    for (int32_t k = 0; k < 3; k++) {
        const vec3_lanes n = vec3_scale(shadow_corner_normal(&t->surface, k), side);
        vf_store(t->row[SHADOW_LIFT + 2 * k], vec3_dot(e1, n));
        vf_store(t->row[SHADOW_LIFT + 2 * k + 1], vec3_dot(e2, n));
    }
}

/// Fills lane i with the triangle id[i] - 1, for the tile at (tile_x, tile_y); no SHADOW_LIT.
ZT_LANE_OP void shadow_table_fill(const surface_view *surfaces, const screen_view *view,
                                  const int32_t id[ZT_W], vf tile_x, vf tile_y, shadow_table *t)
{
    surface_corners c;
    vf v[3][4]; // X, Y, w, depth of the corners
    vec3_lanes p[3];
    surface_fetch(surfaces->meshlets, id, &(surface_needs){0}, &c, &t->surface);
    surface_screen_corners(surfaces, id, v);
    for (int32_t k = 0; k < 3; k++)
        p[k] = shadow_corner(view, v[k]);
    surface_edges(v[0], v[1], v[2], tile_x, tile_y, &t->surface);
    surface_depths(v, &t->surface);
    surface_corner_values(c.attributes, 0, 4, true, ROW_ATTRIBUTES, &t->surface);
    shadow_geometry(view, p, t);
}

/// A point that receives light.
typedef struct shadow_point {
    vec3_lanes position; ///< lifted from the triangle
    vec3_lanes plane;    ///< unit normal of the triangle
    vec3_lanes normal;   ///< interpolated, of about unit length; on the side of `plane`
} shadow_point;

ZT_LANE_OP vf shadow_row(const shadow_table *t, int32_t row, vi slot)
{
    return vf_lookup(t->row[row], slot);
}

/// The sum over the corners of l_k max(0, (corner k - p) . normal k) normal k.
ZT_LANE_OP vec3_lanes shadow_lift(const shadow_table *t, const surface *s)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    const vf share[3] = {(one - s->l1) - s->l2, s->l1, s->l2};
    vf weight[3];
    for (int32_t k = 0; k < 3; k++) {
        const vf x = k == 1 ? s->l1 - one : s->l1, y = k == 2 ? s->l2 - one : s->l2;
        const vf below = x * shadow_row(t, SHADOW_LIFT + 2 * k, s->slot) +
                         y * shadow_row(t, SHADOW_LIFT + 2 * k + 1, s->slot);
        weight[k] = share[k] * vf_max(zero - below, zero);
    }
    const vf all = (weight[0] + weight[1]) + weight[2];
    vf out[3];
    for (int32_t i = 0; i < 3; i++) {
        const int32_t row = ROW_ATTRIBUTES + 3 * i;
        out[i] = (surface_row(s, row) * all + surface_row(s, row + 1) * weight[1]) +
                 surface_row(s, row + 2) * weight[2];
    }
    return (vec3_lanes){out[0], out[1], out[2]};
}

/// The point of triangle on->slot at the barycentrics of `on`, which may be of another table.
ZT_LANE_OP shadow_point shadow_point_at(const shadow_table *t, const surface *on)
{
    surface s = *on;
    shadow_point p;
    vf position[3];
    const vi slot = s.slot;
    s.table = &t->surface;
    for (int32_t i = 0; i < 3; i++)
        position[i] = (shadow_row(t, SHADOW_POSITION + 3 * i, slot) +
                       s.l1 * shadow_row(t, SHADOW_POSITION + 3 * i + 1, slot)) +
                      s.l2 * shadow_row(t, SHADOW_POSITION + 3 * i + 2, slot);
    const vf side = shadow_row(t, SHADOW_SIDE, slot);
    p.plane = (vec3_lanes){shadow_row(t, SHADOW_PLANE, slot), shadow_row(t, SHADOW_PLANE + 1, slot),
                           shadow_row(t, SHADOW_PLANE + 2, slot)};
    p.normal = vec3_scale(surface_vector(&s, ROW_ATTRIBUTES), side);
    p.position = vec3_add((vec3_lanes){position[0], position[1], position[2]},
                          vec3_scale(shadow_lift(t, &s), side));
    return p;
}

enum { SHADOW_TILE_SHIFT = 6 }; ///< of shadow_map.filled

/// A point in the texels of a map.
typedef struct shadow_texel {
    vf x, y;             ///< pixel position
    vf depth;            ///< a little nearer to the light than the point is
    vf depth_x, depth_y; ///< steps of the depth of its plane
} shadow_texel;

ZT_LANE_OP vf shadow_transform(const float row[4], vec3_lanes p)
{
    return ((vf_set1(row[0]) * p.x + vf_set1(row[1]) * p.y) + vf_set1(row[2]) * p.z) +
           vf_set1(row[3]);
}

/// Projects a point. Points that the map does not see go to its border.
ZT_LANE_OP shadow_texel shadow_project(const shadow_map *m, const shadow_point *p)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const bool orthographic = m->view.orthographic;
    shadow_texel at;
    vf w = one, unit = vf_set1(m->texel_m);
    if (!orthographic) {
        w = shadow_transform(m->view.row_w, p->position);
        unit = unit * vf_max(w, zero);
    }
    const vec3_lanes q = vec3_add(p->position, vec3_scale(p->normal, unit));
    if (!orthographic)
        w = shadow_transform(m->view.row_w, q);
    const vm seen = vf_gt(w, vf_set1(orthographic ? 0.0f : m->view.near_w));
    const vf inverse = orthographic ? one : one / vf_sel(seen, w, one);
    at.x = shadow_transform(m->view.row_x, q) * inverse;
    at.y = shadow_transform(m->view.row_y, q) * inverse;
    at.x = vf_clamp(vf_sel(seen, at.x, vf_set1(-2.0f)), vf_set1(-2.0f),
                    vf_set1((float)m->width + 2.0f));
    at.y = vf_clamp(at.y, vf_set1(-2.0f), vf_set1((float)m->height + 2.0f));
    at.depth = orthographic ? shadow_transform(m->view.row_d, q) : inverse;

    // The plane's slopes; a triangle that the light grazes gets those of about 84 degrees.
    const vf longest = vf_set1(m->steps * 10.0f) * (orthographic ? one : at.depth);
    const vec3_lanes from = orthographic ? vec3_set1(m->forward) : vec3_sub(q, vec3_set1(m->eye));
    const vf h = vec3_dot(p->plane, from);
    const vf to_h = one / vf_sel(vf_lt(vf_abs(h), vf_set1(1e-20f)), vf_set1(1e-20f), h);
    const vf x = vec3_dot(p->plane, vec3_set1(m->plane_x)) * to_h;
    const vf y = vec3_dot(p->plane, vec3_set1(m->plane_y)) * to_h;
    at.depth_x = vf_clamp(x, zero - longest, longest);
    at.depth_y = vf_clamp(y, zero - longest, longest);
    // Vertices in the map are rounded to 1/256 texel, depths to 24 bits.
    at.depth = at.depth + (vf_abs(at.depth_x) + vf_abs(at.depth_y)) * vf_set1(1.0f / 64.0f);
    at.depth = orthographic ? at.depth + vf_set1(1e-6f) : at.depth * vf_set1(1.0f + 1e-6f);
    return at;
}

/// Weights of the three texels around a position: the quadratic B-spline, a tent whose comparisons
/// are bilinear. `f`: from the centre of the middle texel, -0.5 to 0.5.
ZT_LANE_OP void shadow_weights(vf f, vf out[3])
{
    const vf half = vf_set1(0.5f), left = half - f, right = half + f;
    out[0] = half * (left * left);
    out[1] = vf_set1(0.75f) - f * f;
    out[2] = half * (right * right);
}

/// True when something is drawn by (column, line), as in shadow_map.filled; else no texels.
ZT_LANE_OP vm shadow_is_filled(const shadow_map *m, vi column, vi line)
{
    const vi one_tile = vi_set1(TILE_SIZE);
    const vi tile_x = vi_shr(column + one_tile, SHADOW_TILE_SHIFT);
    const vi tile_y = vi_shr(line + one_tile, SHADOW_TILE_SHIFT);
    const vi filled = vi_gather(m->filled, vi_madd16(tile_y, vi_set1(m->filled_wide)) + tile_x);
    return vm_not(vi_eq(filled, vi_set1(0)));
}

/// The texel of the map at (column, line), from which at most three rows of four are read; where
/// its tile is empty, one of the border, which is empty too. `filled`: none of the tiles is empty.
ZT_LANE_OP vi shadow_first(const shadow_map *m, vi column, vi line, bool filled)
{
    const vi first = vi_mul(line, vi_set1(m->stride)) + column;
    if (filled)
        return first;
    const vi empty = vi_set1(-SHADOW_BORDER * m->stride - SHADOW_BORDER);
    return vi_sel(shadow_is_filled(m, column, line), first, empty);
}

_Static_assert(TILE_SIZE == 1 << SHADOW_TILE_SHIFT && SHADOW_BORDER >= 4,
               "shadow_first depends on both");

/// Loads four adjacent texels of a plane for each lane.
ZT_LANE_OP void shadow_load(const float *plane, const int32_t first[ZT_W], int32_t offset,
                            vf out[4])
{
    const float *row[ZT_W];
    for (int32_t lane = 0; lane < ZT_W; lane++)
        row[lane] = plane + first[lane] + offset;
    vf_load4(row, out);
}

/// The weighted sum of the blocked parts of `count` adjacent texels of row `j` from `first` on.
/// `start`: the depth of the receiver's plane in the first of them; depths up to `least` do not
/// block.
ZT_LANE_OP vf shadow_row_blocked(const shadow_map *m, const int32_t first[ZT_W], int32_t j,
                                 int32_t count, vf start, vf step, vf least, const vf weight[])
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    vf texel[4], near[4], far[4], share[4], sum = zero;
    shadow_load(m->depth, first, j * m->stride, texel);
    if (m->veil_near) {
        shadow_load(m->veil_near, first, j * m->stride, near);
        shadow_load(m->veil_far, first, j * m->stride, far);
        shadow_load(m->veil_share, first, j * m->stride, share);
    }
    for (int32_t i = 0; i < count; i++) {
        const vf plane = vf_max(start + step * vf_set1((float)i), least);
        if (!m->veil_near) {
            sum = sum + vf_sel(vf_gt(texel[i], plane), weight[i], zero);
            continue;
        }
        const vf deep = (near[i] - plane) / vf_max(near[i] - far[i], vf_set1(1e-12f));
        const vf veil = vf_sel(vf_gt(near[i], plane), share[i] * vf_min(deep, one), zero);
        sum = sum + weight[i] * vf_sel(vf_gt(texel[i], plane), one, veil);
    }
    return sum;
}

/// The share of the light that arrives, from the 3x3 texels around the point.
/// (Reeves, Salesin & Cook, "Rendering Antialiased Shadows with Depth Maps", 1987.)
ZT_LANE_OP vf shadow_filter_3x3(const shadow_map *m, const shadow_texel *at)
{
    const vf one = vf_set1(1.0f), half = vf_set1(0.5f), zero = vf_set1(0.0f);
    const vf column = vf_floor(at->x), line = vf_floor(at->y);
    const vf fx = (at->x - column) - half, fy = (at->y - line) - half;
    vf wx[3], wy[3];
    shadow_weights(fx, wx);
    shadow_weights(fy, wy);
    int32_t first[ZT_W];
    vi_store(first, shadow_first(m, vi_from_vf(column) - vi_set1(1), vi_from_vf(line) - vi_set1(1),
                                 !m->filled));
    const vf z = at->depth - (at->depth_x * (fx + one) + at->depth_y * (fy + one));
    vf blocked = zero;
    for (int32_t j = 0; j < 3; j++) {
        const vf start = z + at->depth_y * vf_set1((float)j);
        const vf sum = shadow_row_blocked(m, first, j, 3, start, at->depth_x, vf_set1(-0.5f), wx);
        blocked = blocked + sum * wy[j];
    }
    return vf_clamp(one - blocked, zero, one);
}
