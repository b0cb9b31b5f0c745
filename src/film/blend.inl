// SPDX-License-Identifier: MIT
// Fragments of a tile, the farthest first -> premultiplied colours of its pixels. They are blended
// over the opaque visible samples of a pixel, or over nothing. Where a frame has unlit materials
// (`split`), lit and unlit colours are blended apart: each dims what is behind it in both.

/// The pixel that is being blended: as a whole, or sample by sample where samples differ.
typedef struct blend_pixel {
    int32_t pixel;
    bool whole;
    qf sample[SAMPLES_MAX]; ///< of a whole pixel only the first
    qf unlit[SAMPLES_MAX];  ///< the unlit part, if split
} blend_pixel;

static inline qf blend_opaque(const blend_job *job, uint32_t sample)
{
    _Alignas(16) const float rgba[4] = {job->color.r[sample], job->color.g[sample],
                                        job->color.b[sample], 1.0f};
    return qf_load(rgba);
}

/// The visible samples of a pixel are [first[0], first[1]).
static inline const uint32_t *blend_samples(const blend_job *job, int32_t pixel)
{
    return &job->blocks[pixel / 16].first[pixel % 16];
}

/// True when all samples of the pixel have the same opaque colour and the same fragments.
static inline bool blend_is_whole(const blend_job *job, int32_t pixel)
{
    const uint32_t *first = blend_samples(job, pixel), visible = first[1] - first[0];
    if (job->sample_count == 1)
        return true;
    if (visible > 1 || (visible == 1 && job->visible->count[first[0]] != job->sample_count))
        return false;
    const uint32_t all = (1u << job->sample_count) - 1u;
    for (uint32_t i = job->first_sorted[pixel]; i < job->first_sorted[pixel + 1]; i++)
        if (job->sorted[i].samples != all)
            return false;
    return true;
}

/// Sample `s` of the pixel becomes the opaque visible sample `visible`.
ZT_LANE_OP void blend_set(const blend_job *job, bool split, blend_pixel *b, int32_t s,
                          uint32_t visible)
{
    b->sample[s] = blend_opaque(job, visible);
    if (split && job->color.unlit[visible]) {
        b->unlit[s] = b->sample[s];
        b->sample[s] = qf_set1(0.0f);
    }
}

ZT_LANE_OP void blend_begin(const blend_job *job, bool split, int32_t pixel, blend_pixel *b)
{
    const uint32_t first = blend_samples(job, pixel)[0], end = blend_samples(job, pixel)[1];
    const uint32_t *ids = job->tile.id + pixel * job->sample_count;
    b->pixel = pixel;
    b->whole = blend_is_whole(job, pixel);
    for (int32_t s = 0; s < (b->whole ? 1 : job->sample_count); s++) {
        b->sample[s] = qf_set1(0.0f);
        if (split)
            b->unlit[s] = qf_set1(0.0f);
        for (uint32_t visible = first; visible < end; visible++)
            if (b->whole || job->visible->id[visible] == ids[s])
                blend_set(job, split, b, s, visible);
    }
}

static inline qf blend_over(qf front, qf behind, qf alpha)
{
    return qf_add(front, qf_mul(behind, qf_sub(qf_set1(1.0f), alpha)));
}

/// Blends a fragment over sample `s`.
ZT_LANE_OP void blend_sample(bool split, blend_pixel *b, int s, qf color, bool unlit)
{
    const qf alpha = qf_spread(color, 3), none = qf_set1(0.0f);
    b->sample[s] = blend_over(split && unlit ? none : color, b->sample[s], alpha);
    if (split)
        b->unlit[s] = blend_over(unlit ? color : none, b->unlit[s], alpha);
}

ZT_LANE_OP void blend_fragment(bool split, blend_pixel *b, qf color, bool unlit, unsigned samples)
{
    if (b->whole)
        blend_sample(split, b, 0, color, unlit);
    for (unsigned left = b->whole ? 0 : samples; left; left &= left - 1)
        blend_sample(split, b, __builtin_ctz(left), color, unlit);
}

/// The mean of the samples of a pixel.
ZT_LANE_OP qf blend_mean(const blend_job *job, const blend_pixel *b, const qf *sample)
{
    qf sum = sample[0];
    for (int32_t s = 1; s < job->sample_count && !b->whole; s++)
        sum = qf_add(sum, sample[s]);
    return b->whole ? sum : qf_mul(sum, qf_set1(1.0f / (float)job->sample_count));
}

ZT_LANE_OP void blend_end(const blend_job *job, bool split, const blend_pixel *b, display_queue *q)
{
    if (job->film) {
        const qf none = qf_set1(0.0f);
        display_begin(job, b->pixel);
        for (int32_t s = 0; s < (b->whole ? 1 : job->sample_count); s++)
            display_add(job, q, b->pixel, b->whole, b->sample[s], split ? b->unlit[s] : none, none,
                        false);
        return;
    }
    qf_store(job->out[b->pixel], blend_mean(job, b, b->sample));
    if (split)
        qf_store(job->out_unlit[b->pixel], blend_mean(job, b, b->unlit));
}

/// Limits a colour so that multiplying it by an alpha does not give NaN; NaN becomes 0.
static inline vf blend_finite(vf x) { return vf_min(vf_max(x, vf_set1(0.0f)), vf_set1(1e30f)); }

/// The lenses of fragments [first, first + ZT_W).
static inline void premultiply_lens(const premultiply_job *job, uint32_t first, vf alpha)
{
    const shade_colors *color = &job->color;
    vf lens[FRAGMENT_LENS_COUNT];
    for (int32_t k = 0; k < FRAGMENT_LENS_COUNT; k++)
        lens[k] = vf_load(color->lens + (size_t)k * color->lens_stride + first);
    const vm glass = vf_gt(lens[LENS_IS_GLASS], vf_set1(0.0f));
    for (int32_t k = LENS_THROUGH_R; k <= LENS_THROUGH_B; k++)
        lens[k] = vf_sel(glass, blend_finite(lens[k]), vf_set1(1.0f) - alpha);
    for (int32_t k = 0; k < FRAGMENT_LENS_COUNT; k += 4) {
        qf out[ZT_W];
        vf_to_qf4(lens + k, out);
        for (uint32_t i = 0; i < ZT_W; i++)
            qf_store(job->out_lens[first + i] + k, out[i]);
    }
}

static void premultiply(const premultiply_job *job)
{
    const shade_colors *color = &job->color;
    for (uint32_t first = 0; first < job->count; first += ZT_W) {
        const vf a = vf_load(color->a + first);
        const vf rgba[4] = {blend_finite(vf_load(color->r + first)) * a,
                            blend_finite(vf_load(color->g + first)) * a,
                            blend_finite(vf_load(color->b + first)) * a, a};
        qf out[ZT_W];
        vf_to_qf4(rgba, out);
        for (uint32_t i = 0; i < ZT_W; i++)
            qf_store(job->out[first + i], out[i]);
        if (color->lens)
            premultiply_lens(job, first, a);
    }
}

/// Blends the pixels of one block that have fragments; returns their bits.
ZT_LANE_OP unsigned blend_block(const blend_job *job, bool split, int32_t block, display_queue *q)
{
    const uint32_t end = job->first_sorted[block * 16 + 16];
    unsigned pixels = 0;
    blend_pixel b = {.pixel = -1};
    for (uint32_t i = job->first_sorted[block * 16]; i < end; i++) {
        const sorted_fragment *sorted = &job->sorted[i];
        if (sorted->pixel != b.pixel) {
            if (pixels)
                blend_end(job, split, &b, q);
            blend_begin(job, split, sorted->pixel, &b);
            pixels |= 1u << (sorted->pixel % 16);
        }
        blend_fragment(split, &b, qf_load(job->fragment_color[sorted->fragment]),
                       split && job->fragment_unlit[sorted->fragment], sorted->samples);
    }
    if (pixels)
        blend_end(job, split, &b, q);
    return pixels;
}
