// SPDX-License-Identifier: MIT
// Blended samples -> display colours of their pixels, ZT_W samples at a time: each is exposed and
// tone mapped by itself, as film.inl does with opaque ones.
//
// Glass blocks little, but what it reflects may be bright. So a sample with glass covers at least
// as much as its brightest code: the picture laid over a page then shows the whole reflection.
// Codes add where pictures lie over pages, so the straight colour of glass is a quotient of codes.
//
// A picture has one alpha, coloured glass three shares of the page that show. Alpha is what the
// least of them leaves; what the others show more of a page half way from black to white belongs to
// the colour. Made for white, glass is a third more off over white, greys, black and a photo.
#define GLASS_PAGE 127.5f

/// Samples on their way to their pixels.
typedef struct display_queue {
    qf lit[ZT_W], unlit[ZT_W]; ///< premultiplied light, and colours without light
    qf through[ZT_W];          ///< share of what is behind, by channel; of frames with glass
    _Alignas(64) float weight[ZT_W], glass[ZT_W]; ///< glass: 1 where a fragment is glass, else 0
    int32_t pixel[ZT_W];
    int32_t count;
} display_queue;

/// The linear value of a code, 0..255, that need not be an integer.
ZT_LANE_OP vf display_linear(const film_srgb *table, vf code)
{
    const vf limited = vf_min(code, vf_set1(255.0f));
    const vi whole = vi_from_vf(limited);
    const vf low = vf_gather(table->linear, whole);
    const vf high = vf_gather(table->linear, whole + vi_set1(1));
    return low + (high - low) * (limited - vf_from_vi(whole));
}

/// Alpha of samples with glass; their straight colours, premultiplied by it, replace `own`.
ZT_LANE_OP vf display_glass(const film_job *film, vm glass, const vf through[3], vf blocked,
                            vf alpha, film_rgb *own)
{
    const vf none = vf_set1(1e-6f), one = vf_set1(1.0f), unit = vf_set1(1.0f / 255.0f);
    vf *const channel[3] = {&own->r, &own->g, &own->b};
    const vf least = vf_min(through[0], vf_min(through[1], through[2]));
    vf code[3], cover = film->transparent ? one - least : blocked;
    for (int k = 0; k < 3; k++) {
        code[k] = vf_from_vi(film_codes(film->srgb, *channel[k]));
        cover = vf_max(cover, code[k] * unit);
    }
    cover = vf_clamp(cover, none, one);
    for (int k = 0; k < 3; k++) {
        if (film->transparent)
            code[k] = code[k] + (through[k] - least) * vf_set1(GLASS_PAGE);
        const vf straight = display_linear(film->srgb, code[k] * (one / cover));
        *channel[k] = vf_sel(glass, straight * cover, *channel[k]);
    }
    return vf_sel(glass, cover, alpha);
}

/// Adds the samples of the queue to their pixels, in order.
ZT_LANE_OP void display_flush(const blend_job *job, display_queue *q)
{
    const film_job *film = job->film;
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    const vf weight = vf_load(q->weight), is_glass = vf_load(q->glass);
    const vm glass = vf_gt(is_glass, zero);
    vf lit[4], unlit[4], t[4] = {zero, zero, zero, zero};
    vf_from_qf4(q->lit, lit);
    vf_from_qf4(q->unlit, unlit);
    vf cover = lit[3], blocked = zero;
    if (job->fragment_lens) {
        vf_from_qf4(q->through, t);
        blocked = one - ((t[0] + t[1]) + t[2]) * vf_set1(1.0f / 3.0f);
        cover = vf_max(blocked - unlit[3], zero);
        // Tone mapped as a straight colour, a reflection brighter than its cover would be dimmed.
        const vf peak = vf_max(lit[0], vf_max(lit[1], lit[2])) * vf_set1(film->exposure);
        cover = vf_sel(glass, vf_clamp(vf_max(cover, peak), vf_set1(1e-6f), one), cover);
    }
    const vf straight = one / vf_sel(vf_gt(cover, zero), cover, one);
    const film_rgb c =
        film_display(film, (film_rgb){lit[0] * straight, lit[1] * straight, lit[2] * straight},
                     vf_gt(zero, one));
    film_rgb own = {c.r * cover + vf_clamp(unlit[0], zero, unlit[3]),
                    c.g * cover + vf_clamp(unlit[1], zero, unlit[3]),
                    c.b * cover + vf_clamp(unlit[2], zero, unlit[3])};
    vf alpha = vf_min(cover + unlit[3], one);
    if (job->fragment_lens)
        alpha = display_glass(film, glass, t, blocked, alpha, &own);
    qf add[ZT_W];
    vf_to_qf4((vf[]){own.r * weight, own.g * weight, own.b * weight, alpha * weight}, add);
    for (int32_t i = 0; i < q->count; i++) {
        float *to = job->out[q->pixel[i]];
        qf_store(to, qf_add(qf_load(to), add[i]));
    }
    vf_to_qf4((vf[]){t[0] * weight, t[1] * weight, t[2] * weight, is_glass * weight}, add);
    for (int32_t i = 0; i < q->count && job->fragment_lens; i++) {
        float *to = job->out_through[q->pixel[i]];
        qf_store(to, qf_add(qf_load(to), add[i]));
    }
    q->count = 0;
}

/// Begins a pixel's sums.
static inline void display_begin(const blend_job *job, int32_t pixel)
{
    qf_store(job->out[pixel], qf_set1(0.0f));
    if (job->fragment_lens)
        qf_store(job->out_through[pixel], qf_set1(0.0f));
}

/// Appends a sample, or a whole pixel.
ZT_LANE_OP void display_add(const blend_job *job, display_queue *q, int32_t pixel, bool whole,
                            qf lit, qf unlit, qf through, bool glass)
{
    q->lit[q->count] = lit;
    q->unlit[q->count] = unlit;
    q->through[q->count] = through;
    q->weight[q->count] = whole ? 1.0f : 1.0f / (float)job->sample_count;
    q->glass[q->count] = glass ? 1.0f : 0.0f;
    q->pixel[q->count++] = pixel;
    if (q->count == ZT_W)
        display_flush(job, q);
}
