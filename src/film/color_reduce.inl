// SPDX-License-Identifier: MIT
// Rows of a picture that is drawn larger -> its 8-bit pixels, each the mean of factor^2 as the film
// makes it of samples: of light, weighted by alpha.

/// Pixels [x, x + ZT_W) of row `y`; those past the width repeat its last.
ZT_LANE_OP vi color_reduced(const color_reduce_job *job, int32_t x, int32_t y)
{
    const vi byte = vi_set1(255), factor = vi_set1(job->factor);
    const vi first = vi_mul(vi_min(vi_iota() + vi_set1(x), vi_set1(job->width - 1)), factor);
    const float *linear = job->srgb->linear;
    vf r = vf_set1(0.0f), g = r, b = r, alpha = r;
    for (int32_t i = 0; i < job->factor * job->factor; i++) {
        const int32_t row = y * job->factor + i / job->factor;
        const vi rgba =
            vi_gather(job->from + (size_t)row * job->from_stride, first + vi_set1(i % job->factor));
        const vf a = vf_from_vi(vi_shru(rgba, 24));
        r = r + vf_gather(linear, vi_and(rgba, byte)) * a;
        g = g + vf_gather(linear, vi_and(vi_shru(rgba, 8), byte)) * a;
        b = b + vf_gather(linear, vi_and(vi_shru(rgba, 16), byte)) * a;
        alpha = alpha + a;
    }
    const vf share = vf_set1(1.0f / (float)(job->factor * job->factor));
    const vf straight = vf_set1(1.0f) / vf_max(alpha, vf_set1(1.0f));
    const film_rgb mean = {r * straight, g * straight, b * straight};
    const vi opacity = vi_from_vf(alpha * share + vf_set1(0.5f));
    return vi_or(film_table_codes(job->srgb, mean), vi_shl(opacity, 24));
}

static void color_reduce(const color_reduce_job *job)
{
    for (int32_t y = 0; y < job->height; y++)
        for (int32_t x = 0; x < job->width; x += ZT_W) {
            const int32_t left = job->width - x;
            int32_t rgba[ZT_W];
            vi_store(rgba, color_reduced(job, x, y));
            memcpy(job->out + (size_t)y * job->out_stride + 4 * (size_t)x, rgba,
                   4 * (size_t)(left < ZT_W ? left : ZT_W));
        }
}
