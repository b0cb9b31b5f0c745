// SPDX-License-Identifier: MIT
// Linear radiance of a tile's visible samples -> 8-bit sRGB pixels: exposure and tone map
// (tone_maps.inl) of each sample, mean, encode. sRGB: IEC 61966-2-1.
//
// Samples are averaged behind the tone map. A mean of radiance would leave the edges of bright
// surfaces without half-tones: a tenth of a sample of 64 is white already. Unlit colours are
// display colours, as the background is: exposure and tone map do not change them.

/// The sRGB codes of linear values in [0, 1]; NaN gives 0.
static inline vi film_codes(const film_srgb *table, vf linear)
{
    // The table covers [2^-13, 1): below is code 0, as 2^-13, above 255, as the largest below 1.
    const vf first = vf_set1(1.0f / 8192.0f), last = vf_set1(0.99999994f);
    const vi bits = vi_bits(vf_min(vf_max(linear, first), last));
    const vi entry = vi_gather(table->bucket, vi_shru(bits, 16) - vi_set1((127 - 13) << 7));
    return vi_shru(entry + vi_and(bits, vi_set1(0xffff)), 16);
}

static inline vi film_table_codes(const film_srgb *table, film_rgb c)
{
    const vi r = film_codes(table, c.r), g = film_codes(table, c.g), b = film_codes(table, c.b);
    return vi_or(vi_or(r, vi_shl(g, 8)), vi_shl(b, 16));
}

#if defined(ZT_LANES_LOOKUP) && ZT_W >= 16
enum { FILM_ROUND = 1 << 23 }; ///< added to a small float, it rounds it to an integer

/// The nearest integer to the code of `linear`, added to FILM_ROUND; `off` grows to its distance
/// from the code. The polynomial is off by at most FILM_CURVE_ERROR (kernels_film measures it).
ZT_LANE_OP vf film_near_code(const film_srgb *table, vf linear, vf *off)
{
    const vf first = vf_set1(1.0f / 8192.0f), last = vf_set1(0.99999994f);
    const vf x = vf_min(vf_max(linear, first), last), round = vf_set1((float)FILM_ROUND);
    const vi bits = vi_bits(x), segment = vi_shru(bits, 19); // the last four bits count
    const vf m = vf_bits(vi_or(vi_and(bits, vi_set1(0x7fffff)), vi_set1(0x3f800000)));
    const vf curve =
        (vf_lookup(table->curve[2], segment) * m + vf_lookup(table->curve[1], segment)) * m +
        vf_lookup(table->curve[0], segment);
    const vf power = curve * vf_lookup(table->octave, vi_shru(bits, 23));
    const vf code = vf_sel(vf_lt(x, vf_set1(0.0031308f)), x * vf_set1(255.0f * 12.92f),
                           power - vf_set1(255.0f * 0.055f));
    const vf rounded = code + round;
    *off = vf_max(*off, vf_abs(code - (rounded - round)));
    return rounded;
}

/// The sRGB codes of a colour in bits 0 to 23. Four permutations take less time than a gather.
/// Where a value is too near to a threshold to tell its code, one in a thousand, the table decides.
static inline vi film_color_codes(const film_srgb *table, film_rgb c)
{
    vf off = vf_set1(0.0f);
    const vi r = vi_bits(film_near_code(table, c.r, &off));
    const vi g = vi_bits(film_near_code(table, c.g, &off));
    const vi b = vi_bits(film_near_code(table, c.b, &off));
    if (vm_any(vf_gt(off, vf_set1(0.5f - FILM_CURVE_ERROR))))
        return film_table_codes(table, c);
    return vi_or(vi_or(vi_and(r, vi_set1(0xff)), vi_shl(g, 8)), vi_shl(b, 16));
}
#else
static inline vi film_color_codes(const film_srgb *table, film_rgb c)
{
    return film_table_codes(table, c);
}
#endif

/// Tone maps other than Neutral, out of line, so that the code around the usual one stays small.
static __attribute__((noinline)) void film_tone_other(int32_t map, film_rgb *c)
{
    if (map == TONE_MAP_AGX)
        *c = tone_agx(*c);
    else if (map == TONE_MAP_ACES)
        *c = tone_aces(*c);
}

/// Tone maps vectors of straight linear colours. The results may be outside of 0..1.
ZT_LANE_OP void film_tone(const film_job *job, film_rgb *colors, int32_t count)
{
    const vf zero = vf_set1(0.0f);
    const vf max = vf_set1(1e6f); // the order of the operands turns NaN into 0
    for (int32_t i = 0; i < count; i++) {
        film_rgb *c = &colors[i];
        *c = (film_rgb){vf_min(vf_max(c->r, zero), max), vf_min(vf_max(c->g, zero), max),
                        vf_min(vf_max(c->b, zero), max)};
    }
    if (job->tone_map == TONE_MAP_SOFT)
        tone_soften(colors, count);
    if (job->tone_map == TONE_MAP_NEUTRAL || job->tone_map == TONE_MAP_SOFT)
        tone_neutral(colors, count);
    else
        for (int32_t i = 0; i < count; i++)
            film_tone_other(job->tone_map, &colors[i]);
}

static inline film_rgb film_load(const film_job *job, uint32_t sample)
{
    return (film_rgb){vf_load(job->color.r + sample), vf_load(job->color.g + sample),
                      vf_load(job->color.b + sample)};
}

/// 1 for samples of unlit materials, 0 for others.
static inline vi film_unlit(const film_job *job, uint32_t sample)
{
    return job->color.unlit ? vi_load_u8(job->color.unlit + sample) : vi_set1(0);
}

ZT_LANE_OP film_rgb film_clamp(film_rgb c)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    return (film_rgb){vf_clamp(c.r, zero, one), vf_clamp(c.g, zero, one), vf_clamp(c.b, zero, one)};
}

/// Light as a display shows it, linear. The results may be outside of 0..1.
ZT_LANE_OP void film_lit(const film_job *job, film_rgb *colors, int32_t count)
{
    const vf exposure = vf_set1(job->exposure);
    for (int32_t i = 0; i < count; i++) {
        film_rgb *c = &colors[i];
        *c = (film_rgb){c->r * exposure, c->g * exposure, c->b * exposure};
    }
    film_tone(job, colors, count);
}

/// The display colours of samples, linear, 0..1.
ZT_LANE_OP film_rgb film_display(const film_job *job, film_rgb c, vm unlit)
{
    if (!vm_all(unlit)) {
        film_rgb lit = c;
        film_lit(job, &lit, 1);
        c = (film_rgb){vf_sel(unlit, c.r, lit.r), vf_sel(unlit, c.g, lit.g),
                       vf_sel(unlit, c.b, lit.b)};
    }
    return film_clamp(c);
}

/// The values of visible samples that are summed: display colours, or light of all or some.
typedef enum film_part { FILM_DISPLAY, FILM_ALL, FILM_LIT, FILM_UNLIT } film_part;

/// The channels of the samples that belong to `part`; 0 in the others.
static inline void film_take(const film_job *job, film_part part, uint32_t sample, vf weighted[4])
{
    const vi unlit = vi_load_u8(job->color.unlit + sample);
    const vm taken = vi_eq(unlit, vi_set1(part == FILM_UNLIT));
    for (int k = 0; k < 4; k++)
        weighted[k] = vf_sel(taken, weighted[k], vf_set1(0.0f));
}

/// Sums the visible samples of each pixel of the block: colour times coverage, and coverage.
/// Weights are multiplied in lanes across pixels, because most pixels have only a few visible
/// samples; each is then added to its pixel, in their order.
ZT_LANE_OP void film_resolve(const film_job *job, const block_samples *block, film_part part,
                             qf sum[16])
{
    const vf share = vf_set1(1.0f / (float)job->sample_count);
    const uint32_t end = block->first[16];
    for (int i = 0; i < 16; i++)
        sum[i] = qf_set1(0.0f);
    for (uint32_t sample = block->first[0]; sample < end; sample += ZT_W) {
        const vf weight = vf_from_vi(vi_load_u8(job->visible->count + sample)) * share;
        film_rgb c = film_load(job, sample);
        if (part == FILM_DISPLAY)
            c = film_display(job, c, vi_eq(film_unlit(job, sample), vi_set1(1)));
        vf weighted[4] = {c.r * weight, c.g * weight, c.b * weight, weight};
        if (part == FILM_LIT || part == FILM_UNLIT)
            film_take(job, part, sample, weighted);
        qf add[ZT_W];
        vf_to_qf4(weighted, add);
        // Pixel of the block: x / 256 % 4 + y / 256 % 4 * 4.
        const vi position = vi_load((const int32_t *)job->visible->position + sample);
        int32_t to[ZT_W];
        vi_store(to, vi_or(vi_and(vi_shr(position, SUBPIXEL_BITS), vi_set1(3)),
                           vi_and(vi_shr(position, 16 + SUBPIXEL_BITS - 2), vi_set1(12))));
        const uint32_t count = end - sample < ZT_W ? end - sample : ZT_W;
        for (uint32_t i = 0; i < count; i++)
            sum[to[i]] = qf_add(sum[to[i]], add[i]);
    }
}

static inline vi film_pack(const film_job *job, film_rgb c, vi alpha)
{
    return vi_or(film_color_codes(job->srgb, c), vi_shl(alpha, 24));
}

/// The background of the pixels of block `number` from `at` on.
ZT_LANE_OP film_rgb film_background(const film_job *job, uint32_t number, int32_t at)
{
    if (!job->backdrop_pixels)
        return (film_rgb){vf_set1(job->background[0]), vf_set1(job->background[1]),
                          vf_set1(job->background[2])};
    const float *from = job->backdrop_pixels + number * 16 + (uint32_t)at;
    return (film_rgb){vf_load(from), vf_load(from + FILM_BACKDROP_PLANE),
                      vf_load(from + 2 * FILM_BACKDROP_PLANE)};
}

/// Pixels of any coverage: alpha or background.
static inline vi film_mixed(const film_job *job, const qf sum[ZT_W], film_rgb background)
{
    const vf one = vf_set1(1.0f);
    vf rgba[4];
    vf_from_qf4(sum, rgba);
    const vf alpha = rgba[3], behind = one - alpha;
    if (job->transparent) {
        const vm covered = vf_gt(alpha, vf_set1(0.0f));
        const vf straight = one / vf_sel(covered, alpha, one);
        const film_rgb c = {rgba[0] * straight, rgba[1] * straight, rgba[2] * straight};
        const vi opacity = vi_from_vf(alpha * vf_set1(255.0f) + vf_set1(0.5f));
        return vi_sel(covered, film_pack(job, c, opacity), vi_set1(0));
    }
    return film_pack(job,
                     (film_rgb){rgba[0] + background.r * behind, rgba[1] + background.g * behind,
                                rgba[2] + background.b * behind},
                     vi_set1(255));
}

/// One channel of a glass pixel before a page: codes add, as where a picture is laid over it.
ZT_LANE_OP vi film_over(const film_job *job, vf premultiplied, vf alpha, vf background, vf through)
{
    const vf own = vf_from_vi(film_codes(job->srgb, premultiplied / alpha)) * alpha;
    const vf page = vf_from_vi(film_codes(job->srgb, background)) * through;
    return vi_from_vf(vf_min(own + page, vf_set1(255.0f)) + vf_set1(0.5f));
}

/// Replaces pixels with glass before a background, which shows in the colours of the glass.
ZT_LANE_OP void film_glass_pixels(const film_job *job, uint32_t number, const qf sum[16],
                                  int32_t out[16])
{
    const unsigned blended = job->transparent ? 0 : job->blended_pixels[number];
    qf through[16];
    if (!blended)
        return;
    for (uint32_t i = 0; i < 16; i++)
        through[i] = blended >> i & 1u ? qf_load(job->through[number * 16 + i]) : qf_set1(0.0f);
    for (int32_t at = 0; at < 16; at += ZT_W) {
        vf rgba[4], t[4];
        vf_from_qf4(sum + at, rgba);
        vf_from_qf4(through + at, t);
        const vf alpha = vf_max(rgba[3], vf_set1(1e-6f));
        const film_rgb page = film_background(job, number, at);
        const vi c = vi_or(vi_or(film_over(job, rgba[0], alpha, page.r, t[0]),
                                 vi_shl(film_over(job, rgba[1], alpha, page.g, t[1]), 8)),
                           vi_or(vi_shl(film_over(job, rgba[2], alpha, page.b, t[2]), 16),
                                 vi_shl(vi_set1(255), 24)));
        vi_store(out + at, vi_sel(vf_gt(t[3], vf_set1(0.0f)), c, vi_load(out + at)));
    }
}

/// Visible samples, and the pixels that show one of them each.
typedef struct film_shown {
    film_rgb color;
    vi unlit, rgba;
} film_shown;

/// Equal to no samples.
static inline film_shown film_shown_none(void)
{
    const vf nan = vf_set1(__builtin_nanf(""));
    return (film_shown){{nan, nan, nan}, vi_set1(0), vi_set1(0)};
}

/// The pixels of a plain block, in which each shows one visible sample, those from `sample` on, of
/// a frame that has no unlit materials.
static inline void film_lit_pixels(const film_job *job, uint32_t sample, int32_t out[16])
{
    enum { AT_ONCE = ZT_W < 16 ? 2 : 1 };
    film_rgb c[AT_ONCE];
    for (uint32_t at = 0; at < 16; at += AT_ONCE * ZT_W) {
        for (uint32_t i = 0; i < AT_ONCE; i++)
            c[i] = film_load(job, sample + at + i * ZT_W);
        film_lit(job, c, AT_ONCE);
        for (uint32_t i = 0; i < AT_ONCE; i++)
            vi_store(out + at + i * ZT_W, film_pack(job, c[i], vi_set1(255)));
    }
}

/// The same of a frame that has unlit materials. Pixels like the `last` ones, which is usual where
/// colours are display colours, are not encoded again.
static inline vi film_plain_pixels(const film_job *job, uint32_t sample, film_shown *last)
{
    const film_rgb c = film_load(job, sample);
    const vi unlit = film_unlit(job, sample);
    if (vm_all(vm_and(vm_and(vf_eq(c.r, last->color.r), vf_eq(c.g, last->color.g)),
                      vm_and(vf_eq(c.b, last->color.b), vi_eq(unlit, last->unlit)))))
        return last->rgba;
    *last = (film_shown){
        c, unlit, film_pack(job, film_display(job, c, vi_eq(unlit, vi_set1(1))), vi_set1(255))};
    return last->rgba;
}

/// The pixels of a block that is not empty. `last`: of frames that have unlit materials.
static inline void film_pixels(const film_job *job, uint32_t number, film_shown *last,
                               int32_t out[16])
{
    const block_samples *block = &job->blocks[number];
    const unsigned blended = job->blended ? job->blended_pixels[number] : 0;
    if (!blended && block->kind == BLOCK_PLAIN && !job->color.unlit) {
        film_lit_pixels(job, block->first[0], out);
        return;
    }
    if (!blended && block->kind == BLOCK_PLAIN) {
        for (uint32_t at = 0; at < 16; at += ZT_W)
            vi_store(out + at, film_plain_pixels(job, block->first[0] + at, last));
        return;
    }
    qf sum[16];
    film_resolve(job, block, FILM_DISPLAY, sum);
    for (unsigned left = blended; left; left &= left - 1) {
        const uint32_t p = (uint32_t)__builtin_ctz(left);
        sum[p] = qf_load(job->blended[number * 16 + p]);
    }
    for (int32_t at = 0; at < 16; at += ZT_W)
        vi_store(out + at, film_mixed(job, sum + at, film_background(job, number, at)));
    if (blended && job->through)
        film_glass_pixels(job, number, sum, out);
}

/// The pixels of a block of black alone: what film_mixed makes of it. `alpha`: [16].
static inline void film_black(const film_job *job, uint32_t number, const float *alpha,
                              int32_t out[16])
{
    for (int32_t at = 0; at < 16; at += ZT_W) {
        const vf own = vf_load(alpha + at), behind = vf_set1(1.0f) - own;
        const vi opacity = vi_from_vf(own * vf_set1(255.0f) + vf_set1(0.5f));
        vi rgba = vi_shl(opacity, 24);
        if (!job->transparent) {
            const film_rgb c = film_background(job, number, at);
            rgba =
                film_pack(job, (film_rgb){c.r * behind, c.g * behind, c.b * behind}, vi_set1(255));
        }
        vi_store(out + at, rgba);
    }
}

/// The target of a job, as a copy: compilers then know that storing pixels does not change it.
typedef struct film_target {
    uint8_t *out;
    size_t stride;
    int32_t width, height;
} film_target;

/// Writes the part of a block that is inside the picture; (x, y) is its first pixel. Bytes are R,
/// G, B, A on little-endian machines, the only ones that kernels exist for.
static inline void film_write(film_target to, int32_t x, int32_t y, const int32_t rgba[16])
{
    uint8_t *out = to.out + (size_t)y * to.stride + (size_t)x * 4;
    const int32_t columns = to.width - x, rows = to.height - y;
    if (columns >= 4 && rows >= 4) {
        for (int32_t i = 0; i < 4; i++)
            memcpy(out + (size_t)i * to.stride, rgba + 4 * i, 16);
        return;
    }
    for (int32_t i = 0; i < 4 && i < rows; i++)
        memcpy(out + (size_t)i * to.stride, rgba + 4 * i, 4 * (size_t)(columns < 4 ? columns : 4));
}

/// Begins to load the lines of row `y` into the first cache, where they will be written.
static inline void film_prefetch_row(film_target to, int32_t y)
{
    const int32_t line = 64;
    const uint8_t *row = to.out + (size_t)y * to.stride;
    for (int32_t at = 0; at < to.width * 4; at += line)
        __builtin_prefetch(row + at, 1, 3);
}

/// A tile whose pixels are all the same. Its rows are pages apart, so no processor foresees where
/// the next one begins: without the prefetch each row waits for its lines.
static void film_plain(film_target to, vi rgba)
{
    enum { ROWS_AHEAD = 8 }; // 24 is as fast
    int32_t row[TILE_SIZE];
    for (int32_t x = 0; x < TILE_SIZE; x += ZT_W)
        vi_store(row + x, rgba);
    for (int32_t y = 0; y < to.height; y++) {
        if (y + ROWS_AHEAD < to.height)
            film_prefetch_row(to, y + ROWS_AHEAD);
        memcpy(to.out + (size_t)y * to.stride, row, (size_t)to.width * 4);
    }
}

/// The backdrop of a block that shows nothing else. Without one the pixels are already set.
static inline void film_fill_empty(const film_job *job, uint32_t number, int32_t out[16])
{
    for (int32_t at = 0; at < 16 && job->backdrop_pixels; at += ZT_W)
        vi_store(out + at, film_pack(job, film_background(job, number, at), vi_set1(255)));
}

static void film(const film_job *job)
{
    const film_target to = {job->out, job->out_stride, job->width, job->height};
    const film_rgb background = {vf_set1(job->background[0]), vf_set1(job->background[1]),
                                 vf_set1(job->background[2])};
    // The same as film_mixed for alpha 0.
    const vi behind = job->transparent ? vi_set1(0) : film_pack(job, background, vi_set1(255));
    if (!job->blocks && !job->backdrop_pixels && !job->black) {
        film_plain(to, behind);
        return;
    }
    film_shown last = film_shown_none();
    int32_t nothing[16], rgba[16];
    for (int32_t at = 0; at < 16; at += ZT_W)
        vi_store(nothing + at, behind);
    for (int32_t y = 0; y < to.height; y += 4) {
        for (int32_t x = 0; x < to.width; x += 4) {
            const uint32_t block = (uint32_t)((y / 4) * TILE_BLOCKS + x / 4);
            const uint16_t black = job->black ? job->black_place[block] : 0;
            const bool empty = !job->blocks || (job->blocks[block].kind == BLOCK_EMPTY &&
                                                !(job->blended && job->blended_pixels[block]));
            if (black) {
                film_black(job, block, job->black + (size_t)(black - 1) * 16, rgba);
                film_write(to, x, y, rgba);
            } else if (empty) {
                film_fill_empty(job, block, nothing);
                film_write(to, x, y, nothing);
            } else {
                film_pixels(job, block, &last, rgba);
                film_write(to, x, y, rgba);
            }
        }
    }
}
