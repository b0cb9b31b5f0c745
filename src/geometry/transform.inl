// SPDX-License-Identifier: MIT
// World positions of a meshlet -> homogeneous pixels, depth, outcodes and snapped positions.
//
// X = ((r.x x + r.y y) + r.z z) + r.w for every row; pixel = X / w; snapped = floor(256 pixel +
// 0.5). Vertices that must be clipped or are not finite get harmless values before each division
// and conversion, so that the result of every lane is defined for every instruction set.

/// 2^60 pixels: the product of two larger coordinates could overflow.
static const float TRANSFORM_MAX = 1152921504606846976.0f;

typedef struct transform_lanes {
    vf x, y, w, depth;
    vi sx, sy, outcode;
} transform_lanes;

static inline vf transform_row(const float row[4], const vf p[4])
{
    const vf xy = vf_set1(row[0]) * p[0] + vf_set1(row[1]) * p[1];
    return (xy + vf_set1(row[2]) * p[2]) + vf_set1(row[3]);
}

/// `bit` where `m`.
static inline vi transform_flag(vm m, int32_t bit) { return vi_sel(m, vi_set1(bit), vi_set1(0)); }

static inline vi transform_snap(vf pixel)
{
    const vf scaled = pixel * vf_set1((float)SUBPIXEL_ONE) + vf_set1(0.5f);
    return vi_from_vf(vf_floor(scaled));
}

static inline vm transform_in_guard(vf pixel)
{
    return vm_and(vf_ge(pixel, vf_set1((float)GUARD_MIN_PX)),
                  vf_le(pixel, vf_set1((float)GUARD_MAX_PX)));
}

/// Outcodes of the half-spaces. Those of x and y are right behind the eye (w < 0) too: they say on
/// which side of the plane through the eye and the edge of the picture a vertex lies.
static inline vi transform_sides(const view_transform *view, const transform_lanes *v)
{
    const vf zero = vf_set1(0.0f);
    vi code = transform_flag(vf_lt(v->x, zero), OUTCODE_LEFT);
    code = vi_or(code, transform_flag(vf_gt(v->x, vf_set1(view->width) * v->w), OUTCODE_RIGHT));
    code = vi_or(code, transform_flag(vf_lt(v->y, zero), OUTCODE_TOP));
    code = vi_or(code, transform_flag(vf_gt(v->y, vf_set1(view->height) * v->w), OUTCODE_BOTTOM));
    if (view->orthographic)
        code = vi_or(code, transform_flag(vf_lt(v->depth, zero), OUTCODE_FAR));
    return code;
}

static inline transform_lanes transform_vertices(const view_transform *view, const vf p[4])
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f), max = vf_set1(TRANSFORM_MAX);
    transform_lanes v = {.x = transform_row(view->row_x, p),
                         .y = transform_row(view->row_y, p),
                         .w = transform_row(view->row_w, p)};
    v.depth = view->orthographic ? transform_row(view->row_d, p) : zero;
    const vm valid = vm_and(vm_and(vf_le(vf_abs(v.x), max), vf_le(vf_abs(v.y), max)),
                            vm_and(vf_le(vf_abs(v.w), max), vf_le(vf_abs(v.depth), max)));
    v.x = vf_sel(valid, v.x, zero);
    v.y = vf_sel(valid, v.y, zero);
    v.w = vf_sel(valid, v.w, zero);
    v.depth = vf_sel(valid, v.depth, zero);

    const vm ahead = view->orthographic ? vf_le(v.depth, one) : vf_ge(v.w, vf_set1(view->near_w));
    const vm front = vm_and(valid, ahead);
    const vf w = vf_sel(front, v.w, one);
    const vf pixel_x = v.x / w, pixel_y = v.y / w;
    const vm inside =
        vm_and(front, vm_and(transform_in_guard(pixel_x), transform_in_guard(pixel_y)));
    v.sx = transform_snap(vf_sel(inside, pixel_x, zero));
    v.sy = transform_snap(vf_sel(inside, pixel_y, zero));
    if (!view->orthographic)
        v.depth = one / w;
    v.outcode = vi_or(transform_sides(view, &v), transform_flag(vm_not(ahead), OUTCODE_NEAR));
    v.outcode = vi_or(v.outcode, transform_flag(vm_not(inside), OUTCODE_GUARD));
    v.outcode = vi_or(v.outcode, transform_flag(vm_not(valid), OUTCODE_INVALID));
    return v;
}

static void transform(const transform_job *job)
{
    screen_vertices *out = job->out;
    const uint32_t padded = (job->count + 15u) & ~15u;
    for (uint32_t first = 0; first < padded; first += ZT_W) {
        const float *from[ZT_W];
        for (uint32_t i = 0; i < ZT_W; i++) {
            const uint32_t local = first + i < job->count ? first + i : job->count - 1;
            from[i] = &job->position[job->vertex[local]].x;
        }
        vf p[4];
        vf_load4(from, p);
        const transform_lanes v = transform_vertices(job->view, p);
        vf_store(&out->x[first], v.x);
        vf_store(&out->y[first], v.y);
        vf_store(&out->w[first], v.w);
        vf_store(&out->depth[first], v.depth);
        vi_store(&out->sx[first], v.sx);
        vi_store(&out->sy[first], v.sy);
        vi_store((int32_t *)&out->outcode[first], v.outcode);

        const vf homogeneous[4] = {v.x, v.y, v.w, v.depth};
        qf q[ZT_W];
        vf_to_qf4(homogeneous, q);
        for (uint32_t i = 0; i < ZT_W && first + i < job->count; i++)
            qf_store(job->out_homogeneous[first + i], q[i]);
    }
}
