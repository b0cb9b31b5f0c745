// SPDX-License-Identifier: MIT
// Surfaces seen at pixels: edge functions of triangles on the screen.
//
// Barycentrics come from the homogeneous vertices (Olano & Greer, "Triangle Scan Conversion using
// 2D Homogeneous Coordinates", 1997): perspective-correct, and the same for triangles that cross
// the near plane.

/// Begins to load what surface_table_build will read of a triangle.
ZT_LANE_OP void surface_prefetch(const surface_view *view, uint32_t id)
{
    const posed_meshlet *m = &view->meshlets[primitive_meshlet(id)];
    const homogeneous_vertices homogeneous = view->homogeneous[primitive_meshlet(id)];
    const uint32_t triangle = primitive_triangle(id);
    for (int32_t k = 0; k < 3; k++) {
        const uint32_t local = m->corner[k][triangle];
        __builtin_prefetch(homogeneous[local]);
        __builtin_prefetch(&m->attributes[m->vertex[local]]);
    }
}

/// The homogeneous corners (X, Y, w, depth) of the lanes' triangles in the view.
ZT_LANE_OP void surface_screen_corners(const surface_view *view, const int32_t id[ZT_W],
                                       vf out[3][4])
{
    const float *corner[3][ZT_W];
    for (int32_t lane = 0; lane < ZT_W; lane++) {
        const uint32_t number = primitive_meshlet((uint32_t)id[lane]);
        const uint32_t triangle = primitive_triangle((uint32_t)id[lane]);
        for (int32_t k = 0; k < 3; k++)
            corner[k][lane] = view->homogeneous[number][view->meshlets[number].corner[k][triangle]];
    }
    for (int32_t k = 0; k < 3; k++)
        vf_load4(corner[k], out[k]);
}

/// Edge functions from the homogeneous corners a, b, d (X, Y, w). The reference point is the pixel
/// of corner 0, clamped to the tile: it keeps the edge functions of small triangles small.
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

/// The rows of w and depth of the corners `v`.
ZT_LANE_OP void surface_depths(vf v[3][4], surface_table *t)
{
    surface_store3(t, ROW_W, v[0][2], v[1][2] - v[0][2], v[2][2] - v[0][2]);
    surface_store3(t, ROW_DEPTH, v[0][3], v[1][3] - v[0][3], v[2][3] - v[0][3]);
}

/// Fills lane i with the triangle of primitive number id[i] - 1, for the tile at (tile_x, tile_y).
static inline void surface_table_build(const surface_view *view, const int32_t id[ZT_W], vf tile_x,
                                       vf tile_y, const surface_needs *needs, surface_table *t)
{
    surface_corners c;
    vf v[3][4];
    surface_fetch(view->meshlets, id, needs, &c, t);
    surface_screen_corners(view, id, v);
    surface_edges(v[0], v[1], v[2], tile_x, tile_y, t);
    if (c.lines)
        surface_lines(v[0], v[1], vm_from_bits(c.lines), t);
    if (needs->position)
        surface_depths(v, t);
    surface_attributes_build(&c, needs, t);
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
