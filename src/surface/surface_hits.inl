// SPDX-License-Identifier: MIT
// Surfaces where rays hit triangles: positions of corners, and edge functions from barycentrics.
//
// With the hit as the reference point, e1 and e2 are its barycentrics and e0 + e1 + e2 is 1; their
// derivatives along the axes of the footprint follow from its two vectors.

/// The corners of the lanes' triangles in world space.
ZT_LANE_OP void surface_positions(const posed_meshlet *meshlets, const int32_t id[ZT_W],
                                  vec3_lanes out[3])
{
    const float *corner[3][ZT_W];
    float in_world[3][ZT_W][4];
    for (int32_t lane = 0; lane < ZT_W; lane++) {
        const uint32_t triangle = primitive_triangle((uint32_t)id[lane]);
        const posed_meshlet *m = &meshlets[primitive_meshlet((uint32_t)id[lane])];
        for (int32_t k = 0; k < 3; k++) {
            corner[k][lane] = &m->position[m->vertex[m->corner[k][triangle]]].x;
            if (!m->world_from_position)
                continue;
            float *to = in_world[k][lane];
            surface_direction(m->world_from_position, corner[k][lane], to);
            for (int32_t row = 0; row < 3; row++)
                to[row] = to[row] + m->world_from_position->column[3][row];
            to[3] = 1.0f;
            corner[k][lane] = to;
        }
    }
    for (int32_t k = 0; k < 3; k++) {
        vf v[4];
        vf_load4(corner[k], v);
        out[k] = (vec3_lanes){v[0], v[1], v[2]};
    }
}

/// ZT_W hits, and the edges of their triangles from corner 0 in world space.
typedef struct surface_hits {
    vf l1, l2; ///< barycentrics of corners 1 and 2
    vec3_lanes corner, edge1, edge2;
} surface_hits;

/// The steps of both barycentrics along a vector in the triangle's plane: its coordinates in the
/// basis of the edges, by the normal equations. A triangle without area has none.
ZT_LANE_OP void surface_hit_steps(const surface_hits *h, vec3_lanes along, vf *out_l1, vf *out_l2)
{
    const vf g11 = vec3_dot(h->edge1, h->edge1), g12 = vec3_dot(h->edge1, h->edge2);
    const vf g22 = vec3_dot(h->edge2, h->edge2);
    const vf a = vec3_dot(along, h->edge1), b = vec3_dot(along, h->edge2);
    const vf share = vf_set1(1.0f) / vf_max(g11 * g22 - g12 * g12, vf_set1(1e-30f));
    *out_l1 = (a * g22 - b * g12) * share;
    *out_l2 = (b * g11 - a * g12) * share;
}

/// Fills lane i with triangle id[i] - 1 and its hit's edge functions. `footprint`: in lanes.
ZT_LANE_OP void surface_hit_table_build(const posed_meshlet *meshlets, const int32_t id[ZT_W],
                                        const surface_hits *h, const vec3_lanes footprint[2],
                                        const surface_needs *needs, surface_table *t)
{
    const vf zero = vf_set1(0.0f);
    surface_corners c;
    vf l1[2], l2[2];
    surface_fetch(meshlets, id, needs, &c, t);
    for (int32_t axis = 0; axis < 2; axis++)
        surface_hit_steps(h, footprint[axis], &l1[axis], &l2[axis]);
    vf_store(t->row[ROW_X], zero);
    vf_store(t->row[ROW_Y], zero);
    surface_store3(t, ROW_E1, l1[0], l1[1], h->l1);
    surface_store3(t, ROW_E2, l2[0], l2[1], h->l2);
    surface_store3(t, ROW_SUM, zero, zero, vf_set1(1.0f));
    surface_attributes_build(&c, needs, t);
}

/// The points of the hits on the triangles of `table`, seen from the unit directions `to_eye`.
ZT_LANE_OP void surface_hit_locate(const surface_table *table, const surface_hits *h,
                                   vec3_lanes to_eye, surface *s)
{
    *s = (surface){.table = table, .slot = vi_iota(), .l1 = h->l1, .l2 = h->l2};
    s->r = vf_set1(1.0f);
    const vf facing = vec3_dot(vec3_cross(h->edge1, h->edge2), to_eye);
    s->back = vf_gt(facing * surface_row(s, ROW_FRONT), vf_set1(0.0f));
}

ZT_LANE_OP vec3_lanes surface_hit_position(const surface_hits *h)
{
    return vec3_add(vec3_add(h->corner, vec3_scale(h->edge1, h->l1)), vec3_scale(h->edge2, h->l2));
}
