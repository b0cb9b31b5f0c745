// SPDX-License-Identifier: MIT
// 8-bit pixels of a picture drawn larger -> means of factor^2 as of samples: light, by alpha.

/// Pixels [x, x + ZT_W) of row `y`; those past the width repeat its last.
ZT_LANE_OP vi color_reduced(const color_reduce_job *job, int32_t x, int32_t y)
{
    const vi byte = vi_set1(255), last = vi_set1(job->out->width - 1);
    const vi first = vi_mul(vi_min(vi_iota() + vi_set1(x), last), vi_set1(job->factor));
    const float *linear = job->srgb->linear;
    vf r = vf_set1(0.0f), g = r, b = r, alpha = r;
    for (int32_t i = 0; i < job->factor * job->factor; i++) {
        const size_t row = (size_t)(y * job->factor + i / job->factor);
        const void *pixels = job->from->rgba8 + row * job->from->stride;
        const vi rgba = vi_gather(pixels, first + vi_set1(i % job->factor));
        const vf a = vf_from_vi(vi_shru(rgba, 24));
        r = r + vf_gather(linear, vi_and(rgba, byte)) * a;
        g = g + vf_gather(linear, vi_and(vi_shru(rgba, 8), byte)) * a;
        b = b + vf_gather(linear, vi_and(vi_shru(rgba, 16), byte)) * a;
        alpha = alpha + a;
    }
    const vf share = vf_set1(1.0f / (float)(job->factor * job->factor)), half = vf_set1(0.5f);
    const vf straight = vf_set1(1.0f) / vf_max(alpha, vf_set1(1.0f));
    const film_rgb mean = {r * straight, g * straight, b * straight};
    return vi_or(film_table_codes(job->srgb, mean), vi_shl(vi_from_vf(alpha * share + half), 24));
}

static void color_reduce(const color_reduce_job *job)
{
    const zt_image *out = job->out;
    for (int32_t y = 0; y < out->height; y++)
        for (int32_t x = 0; x < out->width; x += ZT_W) {
            const size_t left = (size_t)(out->width - x);
            int32_t rgba[ZT_W];
            vi_store(rgba, color_reduced(job, x, y));
            memcpy(out->rgba8 + (size_t)y * out->stride + 4 * (size_t)x, rgba,
                   4 * (left < ZT_W ? left : ZT_W));
        }
}
