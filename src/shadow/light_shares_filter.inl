// SPDX-License-Identifier: MIT
// What rays found, filtered: a texel's share becomes the mean of those of its surface around it, in
// steps that widen (Dammertz et al., "Edge-avoiding a-trous wavelet transform", 2010).
// Every place of a pattern of 4x4 texels counts the same, as in the smoothing of occlusion.

enum { SHARES_REACH = 2, SHARES_SIDE = 2 * SHARES_REACH + 1 };

/// The step of depth to the neighbour that is nearer in depth.
ZT_LANE_OP vf shares_slope(vf before, vf at, vf after)
{
    const vf zero = vf_set1(0.0f), a = at - before, b = after - at;
    const vm alone = vm_and(vf_eq(before, zero), vf_eq(after, zero));
    return vf_sel(alone, zero, vf_sel(vf_lt(vf_abs(a), vf_abs(b)), a, b));
}

ZT_LANE_OP vf shares_clamp(vf x) { return vf_clamp(x, vf_set1(0.0f), vf_set1(1.0f)); }

/// 1 for normals up to 25 degrees apart, 0 from 45 on.
ZT_LANE_OP vf shares_alike(vi a, vi b)
{
    vf sum = vf_set1(0.0f);
    for (int shift = 0; shift < 24; shift += 8) {
        const vi x = vi_and(vi_shru(a, shift), vi_set1(255)) - vi_set1(128);
        const vi y = vi_and(vi_shru(b, shift), vi_set1(255)) - vi_set1(128);
        sum = sum + vf_from_vi(x) * vf_from_vi(y);
    }
    return shares_clamp((sum * vf_set1(1.0f / (127.0f * 127.0f)) - vf_set1(0.7f)) * vf_set1(5.0f));
}

/// From row y to a neighbour; outside of the picture to the border, which shows nothing.
static inline ptrdiff_t shares_offset(const occlusion_view *v, int32_t y, int32_t i, int32_t j)
{
    const int32_t row = y + j < -1 ? -1 : y + j > v->height ? v->height : y + j;
    return (ptrdiff_t)(row - y) * v->stride + i;
}

/// The weights of the neighbours of texels from (x, y) on by their places and surfaces.
ZT_LANE_OP void shares_weigh(const light_shares *s, int32_t x, int32_t y, int32_t step,
                             vf weight[SHARES_SIDE * SHARES_SIDE])
{
    const occlusion_view *v = &s->view;
    const ptrdiff_t at = (ptrdiff_t)y * v->stride + x;
    const float *plane = s->depth + at;
    const vf depth = vf_load(plane), one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const vf slope_x = shares_slope(vf_load(plane - 1), depth, vf_load(plane + 1));
    const vf slope_y = shares_slope(vf_load(plane - v->stride), depth, vf_load(plane + v->stride));
    const vf to_off = light_shares_inv_tolerance(v, depth);
    const vi id = vi_load((const int32_t *)s->id + at);
    const vi normal = vi_load((const int32_t *)s->normal + at);
    for (int32_t j = -SHARES_REACH; j <= SHARES_REACH; j++)
        for (int32_t i = -SHARES_REACH; i <= SHARES_REACH; i++) {
            const ptrdiff_t to = shares_offset(v, y, i * step, j * step);
            const vf found = vf_load(plane + to);
            const vf expected = (depth + slope_x * vf_set1((float)(i * step))) +
                                slope_y * vf_set1((float)(j * step));
            const vf off = vf_abs(found - expected) * to_off;
            const vf place = vf_set1((i * i == 4 ? 0.5f : 1.0f) * (j * j == 4 ? 0.5f : 1.0f));
            const vm same =
                vm_and(vf_gt(found, zero), vi_eq(vi_load((const int32_t *)s->id + at + to), id));
            const vf alike = shares_alike(normal, vi_load((const int32_t *)s->normal + at + to));
            *weight++ = vf_sel(same, (place * shares_clamp(one - off)) * alike, zero);
        }
}

/// Shares that differ by more than noise does are of different light. `found`: at (x, y).
ZT_LANE_OP vf shares_mean(const occlusion_view *v, const float *found, int32_t y, int32_t step,
                          const vf *weight, vf to_noise)
{
    const vf own = vf_load(found);
    vf sum = vf_set1(0.0f), all = sum;
    for (int32_t j = -SHARES_REACH; j <= SHARES_REACH; j++)
        for (int32_t i = -SHARES_REACH; i <= SHARES_REACH; i++) {
            const vf there = vf_load(found + shares_offset(v, y, i * step, j * step));
            const vf near =
                *weight++ * shares_clamp(vf_set1(2.0f) - vf_abs(there - own) * to_noise);
            sum = sum + there * near;
            all = all + near;
        }
    return sum / all;
}

static void light_shares_filter(const light_shares_job *job)
{
    const light_shares *s = job->shares;
    const occlusion_view *v = &s->view;
    const vf zero = vf_set1(0.0f), usual = vf_set1(job->to_noise[0]);
    for (int32_t y = job->first; y < job->end; y++)
        for (int32_t x = 0; x < v->width; x += ZT_W) {
            const ptrdiff_t at = (ptrdiff_t)y * v->stride + x;
            const vm there = vf_gt(vf_load(s->depth + at), zero);
            const vm ground =
                vi_eq(vi_load((const int32_t *)s->id + at), vi_set1((int32_t)s->ground));
            const vf of_sky = vf_sel(ground, vf_set1(job->to_noise[1]), usual);
            vf weight[SHARES_SIDE * SHARES_SIDE];
            if (!vm_any(there))
                continue;
            shares_weigh(s, x, y, 1, weight);
            for (int32_t k = 0; k < s->kinds; k++) {
                const vf to_noise = k == LIGHT_SHARE_SKY ? of_sky : usual;
                const vf mean = shares_mean(v, s->found[k] + at, y, 1, weight, to_noise);
                if (s->share[k] != s->found[k])
                    vf_store(s->share[k] + at, vf_sel(there, mean, zero));
            }
        }
}

/// The ground has no relief: its share of the sky becomes the mean of an area twice as wide.
static void light_shares_widen(const light_shares_job *job)
{
    enum { STEP = 2 };
    const light_shares *s = job->shares;
    const occlusion_view *v = &s->view;
    for (int32_t y = job->first; y < job->end; y++)
        for (int32_t x = 0; x < v->width; x += ZT_W) {
            const ptrdiff_t at = (ptrdiff_t)y * v->stride + x;
            const float *from = s->share[LIGHT_SHARE_SKY] + at;
            const vm ground =
                vi_eq(vi_load((const int32_t *)s->id + at), vi_set1((int32_t)s->ground));
            vf weight[SHARES_SIDE * SHARES_SIDE], mean = vf_load(from);
            if (vm_any(ground)) {
                shares_weigh(s, x, y, STEP, weight);
                mean = vf_sel(
                    ground, shares_mean(v, from, y, STEP, weight, vf_set1(job->to_noise[1])), mean);
            }
            vf_store(s->found[LIGHT_SHARE_SKY] + at, mean);
        }
}
