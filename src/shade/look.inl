// SPDX-License-Identifier: MIT
// Looks that show data, and the edges of triangles. The colours of data are codes: a value from 0
// to 1 is the share of 255 in the picture, so it is decoded here and the film encodes it again.

/// Linear display colours that the film shows as the codes 255 x; x in [0, 1].
ZT_LANE_OP vf look_decode(vf x)
{
    const vf curve = (x + vf_set1(0.055f)) * vf_set1(1.0f / 1.055f);
    const vf power = vf_exp2(vf_set1(2.4f) * vf_log2(curve));
    return vf_sel(vf_gt(x, vf_set1(0.04045f)), power, x * vf_set1(1.0f / 12.92f));
}

ZT_LANE_OP vf look_code(vf x) { return look_decode(vf_clamp(x, vf_set1(0.0f), vf_set1(1.0f))); }

/// 1 and -1 in turn, LOOK_SQUARES times a unit of x, linear over the width `step` of a pixel.
ZT_LANE_OP vf look_stripes(vf x, vf step)
{
    const vf half = vf_set1(0.5f), y = x * vf_set1(4.0f); // two of eight stripes are one period
    const vf phase = y - vf_floor(y + half);              // -0.5 to 0.5
    const vf distance = vf_set1(0.25f) - vf_abs(phase);   // from the edge of a stripe, in periods
    const vf width = vf_max(vf_abs(step) * vf_set1(4.0f), vf_set1(1e-6f));
    return vf_clamp(distance * vf_set1(2.0f) / width, vf_set1(-1.0f), vf_set1(1.0f));
}

/// Red is the fraction of u, green that of v; every other square of an eighth is darker.
ZT_LANE_OP vec3_lanes look_uv(const uv_gradient *uv)
{
    const vf du = vf_sqrt(uv->ux * uv->ux + uv->uy * uv->uy) * uv->factor;
    const vf dv = vf_sqrt(uv->vx * uv->vx + uv->vy * uv->vy) * uv->factor;
    const vf limit = vf_set1(1e6f); // whole numbers as floats end there
    const vf u = vf_clamp(uv->u, vf_neg(limit), limit), v = vf_clamp(uv->v, vf_neg(limit), limit);
    const vf squares = look_stripes(u, du) * look_stripes(v, dv);
    const vf dim = vf_set1(0.875f) + vf_set1(0.125f) * squares;
    return (vec3_lanes){look_code((u - vf_floor(u)) * dim), look_code((v - vf_floor(v)) * dim),
                        look_code(vf_set1(0.25f) * dim)};
}

/// Metres along the view from the eye (orthographic: from the near plane).
ZT_LANE_OP vf look_distance(const shade_context *c, const shade_traits *t, const surface *s)
{
    const float *ray = c->frame.view.ray, *forward = c->frame.view.forward;
    const float metres = (ray[0] * forward[0] + ray[1] * forward[1]) + ray[2] * forward[2];
    if (!t->orthographic)
        return surface_value(s, ROW_W) * vf_set1(metres); // the ray is of a unit of w
    return (vf_set1(1.0f) - surface_value(s, ROW_DEPTH)) * vf_set1(c->frame.view.depth_range);
}

ZT_LANE_OP vec3_lanes look_color(const shade_context *c, const shade_traits *t,
                                 const shade_batch *batch, const vf texel[TEXEL_COUNT])
{
    const vf half = vf_set1(0.5f);
    if (t->look == SHADE_LOOK_UV)
        return look_uv(&batch->at.values.uv[0]);
    if (t->look == SHADE_LOOK_DEPTH) {
        const vf far = vf_set1(c->frame.look_far), range = far - vf_set1(c->frame.look_near);
        const vf grey = look_code((far - look_distance(c, t, &batch->at.surface)) / range);
        return (vec3_lanes){grey, grey, grey};
    }
    const vec3_lanes n = shade_normal(&c->material, t, &batch->at, texel);
    return (vec3_lanes){look_code(n.x * half + half), look_code(n.y * half + half),
                        look_code(n.z * half + half)};
}

/// Pixels from (x, y) to the line through an edge, whose edge function is rows row to row + 2.
ZT_LANE_OP vf look_edge_distance(vf a, vf b, vf value)
{
    return vf_abs(value) / vf_sqrt(vf_max(a * a + b * b, vf_set1(1e-30f)));
}

/// Dark lines along the edges of the triangle, half a pixel wide on this side and softened over one
/// pixel. Edge functions are linear on the screen, so the distances are exact.
ZT_LANE_OP vec3_lanes look_wireframe(const shade_batch *batch, vec3_lanes color)
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
    const vf one = vf_set1(1.0f), line = vf_set1(0.01f);
    const vf keep = one - vf_clamp(one - nearest, vf_set1(0.0f), one);
    const vf dark = line * (one - keep);
    return (vec3_lanes){color.x * keep + dark, color.y * keep + dark, color.z * keep + dark};
}
