// SPDX-License-Identifier: MIT
// Sutherland-Hodgman in homogeneous pixel space against, in this order: the near plane, then the
// four sides of the guard band. (Sutherland & Hodgman, "Reentrant polygon clipping", 1974.)
#include "geometry/clip.h"

enum { CLIP_PLANES = 5 };

/// Signed distance to a plane in its units; >= 0 is inside. Sides: the guard band's, in `margin`.
static float plane_distance(const view_transform *view, int plane, float margin,
                            const clip_corner *v)
{
    switch (plane) {
    case 0: return view->orthographic ? 1.0f - v->depth : v->w - view->near_w;
    case 1: return v->x - ((float)GUARD_MIN_PX + margin) * v->w;
    case 2: return ((float)GUARD_MAX_PX - margin) * v->w - v->x;
    case 3: return v->y - ((float)GUARD_MIN_PX + margin) * v->w;
    default: return ((float)GUARD_MAX_PX - margin) * v->w - v->y;
    }
}

/// The corner on the edge from `in` to `out`, where the plane cuts it.
static clip_corner clip_cut(const clip_corner *in, float d_in, const clip_corner *out, float d_out)
{
    const float t = d_in / (d_in - d_out); // d_in >= 0 > d_out
    return (clip_corner){in->x + (out->x - in->x) * t, in->y + (out->y - in->y) * t,
                         in->w + (out->w - in->w) * t, in->depth + (out->depth - in->depth) * t,
                         -1};
}

static uint32_t clip_plane(const view_transform *view, int plane, const clip_corner *in,
                           uint32_t count, clip_corner *out)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const clip_corner *a = &in[i], *b = &in[i + 1 == count ? 0 : i + 1];
        const float da = plane_distance(view, plane, 0.0f, a);
        const float db = plane_distance(view, plane, 0.0f, b);
        const bool a_in = da >= 0.0f, b_in = db >= 0.0f;
        if (a_in && kept < CLIP_CORNERS)
            out[kept++] = *a;
        if (a_in != b_in && kept < CLIP_CORNERS)
            out[kept++] = a_in ? clip_cut(a, da, b, db) : clip_cut(b, db, a, da);
    }
    return kept;
}

int32_t clip_snap(float p)
{
    p = p > (float)GUARD_MIN_PX ? p : (float)GUARD_MIN_PX;
    p = p < (float)GUARD_MAX_PX ? p : (float)GUARD_MAX_PX;
    const float scaled = p * (float)SUBPIXEL_ONE + 0.5f;
    const int32_t whole = (int32_t)scaled;
    return (float)whole > scaled ? whole - 1 : whole;
}

static clip_corner corner_of(const screen_vertices *in, uint32_t v)
{
    return (clip_corner){in->x[v], in->y[v], in->w[v], in->depth[v], (int32_t)v};
}

uint32_t clip_triangle(const view_transform *view, const screen_vertices *in, uint32_t a,
                       uint32_t b, uint32_t c, screen_vertices *out)
{
    clip_corner polygon[2][CLIP_CORNERS];
    const uint32_t corner[3] = {a, b, c};
    uint32_t count = 3;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t v = corner[k];
        polygon[0][k] = corner_of(in, v);
    }
    int from = 0;
    for (int plane = 0; plane < CLIP_PLANES && count >= 3; plane++, from = 1 - from)
        count = clip_plane(view, plane, polygon[from], count, polygon[1 - from]);
    if (count < 3)
        return 0;
    for (uint32_t k = 0; k < 16; k++) { // the setup loop reads whole groups of 16
        const clip_corner *v = &polygon[from][k < count ? k : count - 1];
        const bool unclipped = v->source >= 0 && (in->outcode[v->source] & OUTCODE_CLIP) == 0;
        out->x[k] = v->x;
        out->y[k] = v->y;
        out->w[k] = v->w;
        out->depth[k] = unclipped || view->orthographic ? v->depth : 1.0f / v->w;
        out->sx[k] = unclipped ? in->sx[v->source] : clip_snap(v->x / v->w);
        out->sy[k] = unclipped ? in->sy[v->source] : clip_snap(v->y / v->w);
        out->outcode[k] = 0;
    }
    return count;
}

bool clip_line(const view_transform *view, const screen_vertices *in, uint32_t a, uint32_t b,
               clip_corner out[2])
{
    out[0] = corner_of(in, a);
    out[1] = corner_of(in, b);
    for (int plane = 0; plane < CLIP_PLANES; plane++) {
        const float first = plane_distance(view, plane, (float)CLIP_LINE_MARGIN, &out[0]);
        const float second = plane_distance(view, plane, (float)CLIP_LINE_MARGIN, &out[1]);
        if (!(first >= 0.0f || second >= 0.0f))
            return false;
        if (!(second >= 0.0f))
            out[1] = clip_cut(&out[0], first, &out[1], second);
        else if (!(first >= 0.0f))
            out[0] = clip_cut(&out[1], second, &out[0], first);
    }
    if (!view->orthographic)
        for (int k = 0; k < 2; k++)
            out[k].depth = 1.0f / out[k].w;
    return true;
}
