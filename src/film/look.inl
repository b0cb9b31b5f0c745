// SPDX-License-Identifier: MIT
// Looks that show data of planes. Their colours are codes: a value from 0 to 1 is the share of 255
// in the picture, so it is decoded here and the film encodes it again.

/// Linear display colours that the film shows as the codes 255 x; x in [0, 1].
ZT_LANE_OP vf look_decode(vf x)
{
    const vf curve = (x + vf_set1(0.055f)) * vf_set1(1.0f / 1.055f);
    const vf power = vf_exp2(vf_set1(2.4f) * vf_log2(curve));
    return vf_sel(vf_gt(x, vf_set1(0.04045f)), power, x * vf_set1(1.0f / 12.92f));
}

ZT_LANE_OP vf look_code(vf x) { return look_decode(vf_clamp(x, vf_set1(0.0f), vf_set1(1.0f))); }

ZT_LANE_OP vf look_load(const look_job *job, picture_plane plane, int32_t channel, uint32_t i)
{
    const shade_planes *planes = job->color.planes;
    return vf_load(planes->channel[plane] + (size_t)channel * planes->stride + i);
}

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
ZT_LANE_OP film_rgb look_uv(const look_job *job, uint32_t i)
{
    const vf du = look_load(job, PLANE_UV_STEP, 0, i), dv = look_load(job, PLANE_UV_STEP, 1, i);
    const vf limit = vf_set1(1e6f); // whole numbers as floats end there
    const vf u = vf_clamp(look_load(job, PLANE_UV, 0, i), vf_neg(limit), limit);
    const vf v = vf_clamp(look_load(job, PLANE_UV, 1, i), vf_neg(limit), limit);
    const vf squares = look_stripes(u, du) * look_stripes(v, dv);
    const vf dim = vf_set1(0.875f) + vf_set1(0.125f) * squares;
    return (film_rgb){look_code((u - vf_floor(u)) * dim), look_code((v - vf_floor(v)) * dim),
                      look_code(vf_set1(0.25f) * dim)};
}

/// White at `nearest` metres along the view, black at `farthest`.
ZT_LANE_OP film_rgb look_depth(const look_job *job, uint32_t i)
{
    const screen_view *view = job->view;
    const float *ray = view->ray, *forward = view->forward;
    const float metres = (ray[0] * forward[0] + ray[1] * forward[1]) + ray[2] * forward[2];
    const vf depth = look_load(job, PLANE_DEPTH, 0, i), far = vf_set1(job->look.farthest);
    // In perspective the ray is of a unit of w; else distances count from the near plane.
    const vf distance = view->transform.orthographic
                            ? (vf_set1(1.0f) - depth) * vf_set1(view->depth_range)
                            : depth * vf_set1(metres);
    const vf grey = look_code((far - distance) / (far - vf_set1(job->look.nearest)));
    return (film_rgb){grey, grey, grey};
}

/// A vector or colour as it is.
ZT_LANE_OP film_rgb look_load3(const look_job *job, picture_plane plane, uint32_t i)
{
    return (film_rgb){look_load(job, plane, 0, i), look_load(job, plane, 1, i),
                      look_load(job, plane, 2, i)};
}

ZT_LANE_OP film_rgb look_normal(const look_job *job, uint32_t i)
{
    const film_rgb n = look_load3(job, PLANE_NORMAL, i);
    const vf half = vf_set1(0.5f);
    return (film_rgb){look_code(n.r * half + half), look_code(n.g * half + half),
                      look_code(n.b * half + half)};
}

ZT_LANE_OP film_rgb look_color(const look_job *job, uint32_t i)
{
    if (job->look.kind == FILM_LOOK_NORMALS)
        return look_normal(job, i);
    if (job->look.kind == FILM_LOOK_UV)
        return look_uv(job, i);
    return job->look.kind == FILM_LOOK_DEPTH ? look_depth(job, i) : look_load3(job, PLANE_BASE, i);
}

static void look(const look_job *job)
{
    for (uint32_t i = 0; i < job->count; i += ZT_W) {
        const vm shows = vi_eq(vi_load_u8(job->color.unlit + i), vi_set1(1));
        const film_rgb c = look_color(job, i);
        vf_store(job->color.r + i, vf_sel(shows, c.r, vf_load(job->color.r + i)));
        vf_store(job->color.g + i, vf_sel(shows, c.g, vf_load(job->color.g + i)));
        vf_store(job->color.b + i, vf_sel(shows, c.b, vf_load(job->color.b + i)));
    }
}
