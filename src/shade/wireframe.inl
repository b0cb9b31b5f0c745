// SPDX-License-Identifier: MIT
// The edges of triangles.

/// Pixels from (x, y) to the line through an edge, whose edge function is rows row to row + 2.
ZT_LANE_OP vf look_edge_distance(vf a, vf b, vf value)
{
    return vf_abs(value) / vf_sqrt(vf_max(a * a + b * b, vf_set1(1e-30f)));
}

/// Dark lines along the edges of the triangle, half a pixel wide on this side and softened over one
/// pixel. Edge functions are linear on the screen, so the distances are exact. Lines emit.
ZT_LANE_OP vec3_lanes look_wireframe(const shade_batch *batch, shade_part part, vec3_lanes color)
{
    const surface *s = &batch->at.surface;
    const vf x = batch->px - surface_row(s, ROW_X), y = batch->py - surface_row(s, ROW_Y);
    const vf e1 = surface_edge(s, ROW_E1, x, y), e2 = surface_edge(s, ROW_E2, x, y);
    const vf e0 = (surface_edge(s, ROW_SUM, x, y) - e1) - e2;
    const vf a1 = surface_row(s, ROW_E1), b1 = surface_row(s, ROW_E1 + 1);
    const vf a2 = surface_row(s, ROW_E2), b2 = surface_row(s, ROW_E2 + 1);
    const vf a0 = (surface_row(s, ROW_SUM) - a1) - a2;
    const vf b0 = (surface_row(s, ROW_SUM + 1) - b1) - b2;
    const vf nearest =
        vf_min(look_edge_distance(a0, b0, e0),
               vf_min(look_edge_distance(a1, b1, e1), look_edge_distance(a2, b2, e2)));
    const vf one = vf_set1(1.0f), line = vf_set1(part && part != SHADE_EMISSION ? 0.0f : 0.01f);
    const vf keep = one - vf_clamp(one - nearest, vf_set1(0.0f), one);
    const vf dark = line * (one - keep);
    return (vec3_lanes){color.x * keep + dark, color.y * keep + dark, color.z * keep + dark};
}
