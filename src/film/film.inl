// SPDX-License-Identifier: MIT
// Linear radiance of a tile's visible samples -> 8-bit sRGB pixels: resolve, exposure, tone map
// (tone_maps.inl), encode. sRGB: IEC 61966-2-1.
//
// Unlit colours are display colours, as the background is. Where a frame has unlit materials, lit
// and unlit samples of a pixel are summed apart, and exposure and tone map change the lit sum.

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

/// Which visible samples of a pixel are summed.
typedef enum film_part { FILM_ALL, FILM_LIT, FILM_UNLIT } film_part;

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
        vf weighted[4] = {vf_load(job->color.r + sample) * weight,
                          vf_load(job->color.g + sample) * weight,
                          vf_load(job->color.b + sample) * weight, weight};
        if (part != FILM_ALL)
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

/// Tone maps other than Neutral, out of line, so that the code around the usual one stays small.
static __attribute__((noinline)) void film_tone_other(int32_t map, film_rgb *c)
{
    if (map == TONE_MAP_AGX)
        *c = tone_agx(*c);
    else if (map == TONE_MAP_ACES)
        *c = tone_aces(*c);
}

/// Tone maps a straight linear colour. The result may be outside of 0..1.
ZT_LANE_OP film_rgb film_tone(const film_job *job, film_rgb c)
{
    const vf zero = vf_set1(0.0f);
    const vf max = vf_set1(1e6f); // the order of the operands turns NaN into 0
    c = (film_rgb){vf_min(vf_max(c.r, zero), max), vf_min(vf_max(c.g, zero), max),
                   vf_min(vf_max(c.b, zero), max)};
    if (job->tone_map == TONE_MAP_NEUTRAL)
        return tone_neutral(c);
    film_tone_other(job->tone_map, &c);
    return c;
}

static inline vi film_pack(const film_job *job, film_rgb c, vi alpha)
{
    return vi_or(film_color_codes(job->srgb, c), vi_shl(alpha, 24));
}

/// Fully covered pixels: the same result as film_mixed for alpha 1.
static inline vi film_opaque(const film_job *job, vf r, vf g, vf b)
{
    const vf exposure = vf_set1(job->exposure);
    const film_rgb c = film_tone(job, (film_rgb){r * exposure, g * exposure, b * exposure});
    return film_pack(job, c, vi_set1(255));
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

/// Pixels of any coverage: exposure and tone map of the straight colour, then alpha or background.
static inline vi film_mixed(const film_job *job, const qf sum[ZT_W], film_rgb background)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    vf rgba[4];
    vf_from_qf4(sum, rgba);
    const vf alpha = rgba[3];
    if (vm_all(vf_eq(alpha, one))) // usual where triangles meet
        return film_opaque(job, rgba[0], rgba[1], rgba[2]);
    const vm covered = vf_gt(alpha, zero);
    const vf factor = vf_set1(job->exposure) / vf_sel(covered, alpha, one);
    film_rgb c = film_tone(job, (film_rgb){rgba[0] * factor, rgba[1] * factor, rgba[2] * factor});
    if (job->transparent) {
        const vi opacity = vi_from_vf(alpha * vf_set1(255.0f) + vf_set1(0.5f));
        return vi_sel(covered, film_pack(job, c, opacity), vi_set1(0));
    }
    c = (film_rgb){vf_min(vf_max(c.r, zero), one), vf_min(vf_max(c.g, zero), one),
                   vf_min(vf_max(c.b, zero), one)};
    const vf behind = one - alpha;
    c.r = c.r * alpha + background.r * behind;
    c.g = c.g * alpha + background.g * behind;
    c.b = c.b * alpha + background.b * behind;
    return film_pack(job, c, vi_set1(255));
}

/// Pixels through which the background shows in the colours `through`, in frames with transmissive
/// materials. Glass covers little, but its highlights are bright: a pixel covers at least as much
/// as it is bright, so that tone mapping does not dim what glass reflects. `unlit`: NULL, or the
/// unlit part, to which the rest is added: it is already dimmed by what covers it.
ZT_LANE_OP vi film_glass(const film_job *job, const qf sum[ZT_W], const qf *unlit,
                         const qf through[ZT_W], film_rgb background)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f), exposure = vf_set1(job->exposure);
    vf rgba[4], behind[4], apart[4] = {zero, zero, zero, zero};
    vf_from_qf4(sum, rgba);
    vf_from_qf4(through, behind);
    if (unlit)
        vf_from_qf4(unlit, apart);
    const vf alpha = rgba[3], peak = vf_max(rgba[0], vf_max(rgba[1], rgba[2])) * exposure;
    const vf least = vf_set1(1e-6f), lit = unlit ? alpha - apart[3] : alpha;
    const vf cover = vf_clamp(vf_max(peak, lit), least, one);
    const vm open = vf_lt(alpha, one);
    const vf room = vf_max((one - apart[3]) - cover, zero);
    const vf rest = vf_sel(open, room / vf_sel(open, one - alpha, one), zero);
    const vf factor = exposure / cover;
    film_rgb c = film_tone(job, (film_rgb){rgba[0] * factor, rgba[1] * factor, rgba[2] * factor});
    if (job->transparent && !unlit)
        return film_pack(job, c, vi_from_vf(cover * vf_set1(255.0f) + vf_set1(0.5f)));
    c.r = vf_clamp(c.r, zero, one) * cover;
    c.g = vf_clamp(c.g, zero, one) * cover;
    c.b = vf_clamp(c.b, zero, one) * cover;
    if (unlit)
        c = (film_rgb){c.r + vf_clamp(apart[0], zero, one), c.g + vf_clamp(apart[1], zero, one),
                       c.b + vf_clamp(apart[2], zero, one)};
    if (job->transparent) {
        const vf all = vf_min(cover + apart[3], one), straight = one / all;
        return film_pack(job, (film_rgb){c.r * straight, c.g * straight, c.b * straight},
                         vi_from_vf(all * vf_set1(255.0f) + vf_set1(0.5f)));
    }
    c.r = c.r + background.r * (behind[0] * rest);
    c.g = c.g + background.g * (behind[1] * rest);
    c.b = c.b + background.b * (behind[2] * rest);
    return film_pack(job, c, vi_set1(255));
}

/// Replaces a block's blended pixels in frames with transmission. `unlit`: unlit sums, or NULL.
ZT_LANE_OP void film_glass_pixels(const film_job *job, uint32_t number, const qf sum[16],
                                  const qf *unlit, int32_t out[16])
{
    const unsigned blended = job->blended_pixels[number];
    qf through[16];
    for (uint32_t i = 0; i < 16; i++)
        through[i] = blended >> i & 1u ? qf_load(job->through[number * 16 + i]) : qf_set1(0.0f);
    for (int32_t at = 0; at < 16; at += ZT_W) {
        const vm glass = vm_from_bits(blended >> at & ((1u << ZT_W) - 1u));
        const vi c = film_glass(job, sum + at, unlit ? unlit + at : NULL, through + at,
                                film_background(job, number, at));
        vi_store(out + at, vi_sel(glass, c, vi_load(out + at)));
    }
}

/// Pixels with lit and unlit samples. Where nothing is unlit the result is that of film_mixed.
static inline vi film_split(const film_job *job, const qf lit_sum[ZT_W], const qf unlit_sum[ZT_W],
                            film_rgb background)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    vf lit[4], unlit[4];
    vf_from_qf4(lit_sum, lit);
    vf_from_qf4(unlit_sum, unlit);
    const vf alpha = lit[3] + unlit[3];
    const vm covered = vf_gt(alpha, zero), has_unlit = vf_gt(unlit[3], zero);
    const vf factor = vf_set1(job->exposure) / vf_sel(vf_gt(lit[3], zero), lit[3], one);
    film_rgb c = film_tone(job, (film_rgb){lit[0] * factor, lit[1] * factor, lit[2] * factor});
    c = (film_rgb){vf_clamp(c.r, zero, one), vf_clamp(c.g, zero, one), vf_clamp(c.b, zero, one)};
    const film_rgb both = {c.r * lit[3] + vf_clamp(unlit[0], zero, unlit[3]),
                           c.g * lit[3] + vf_clamp(unlit[1], zero, unlit[3]),
                           c.b * lit[3] + vf_clamp(unlit[2], zero, unlit[3])};
    if (job->transparent) {
        const vf straight = one / vf_sel(covered, alpha, one);
        c = (film_rgb){vf_sel(has_unlit, both.r * straight, c.r),
                       vf_sel(has_unlit, both.g * straight, c.g),
                       vf_sel(has_unlit, both.b * straight, c.b)};
        const vi opacity = vi_from_vf(alpha * vf_set1(255.0f) + vf_set1(0.5f));
        return vi_sel(covered, film_pack(job, c, opacity), vi_set1(0));
    }
    const vf behind = one - alpha;
    c = (film_rgb){both.r + background.r * behind, both.g + background.g * behind,
                   both.b + background.b * behind};
    return film_pack(job, c, vi_set1(255));
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

/// film_split for ZT_W pixels of a plain block, in which each shows one visible sample, those from
/// `sample` on: the sum of a part is the colour of the sample or 0, with coverage 1 or 0. Pixels
/// like the `last` ones, which is usual where colours are display colours, are not encoded again.
static inline vi film_split_plain(const film_job *job, uint32_t sample, film_shown *last)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    const vi kind = vi_load_u8(job->color.unlit + sample);
    film_rgb c = {vf_load(job->color.r + sample), vf_load(job->color.g + sample),
                  vf_load(job->color.b + sample)};
    if (vm_all(vm_and(vm_and(vf_eq(c.r, last->color.r), vf_eq(c.g, last->color.g)),
                      vm_and(vf_eq(c.b, last->color.b), vi_eq(kind, last->unlit)))))
        return last->rgba;
    *last = (film_shown){c, kind, vi_set1(0)};
    const vm unlit = vi_eq(kind, vi_set1(1));
    if (!vm_all(unlit)) {
        const vf exposure = vf_set1(job->exposure);
        const film_rgb lit =
            film_tone(job, (film_rgb){c.r * exposure, c.g * exposure, c.b * exposure});
        c = (film_rgb){vf_sel(unlit, c.r, lit.r), vf_sel(unlit, c.g, lit.g),
                       vf_sel(unlit, c.b, lit.b)};
    }
    c = (film_rgb){vf_clamp(c.r, zero, one), vf_clamp(c.g, zero, one), vf_clamp(c.b, zero, one)};
    last->rgba = film_pack(job, c, vi_set1(255));
    return last->rgba;
}

/// The pixels of a block of a frame that has unlit materials.
static void film_split_pixels(const film_job *job, uint32_t number, film_shown *last,
                              int32_t out[16])
{
    const block_samples *block = &job->blocks[number];
    const unsigned blended = job->blended ? job->blended_pixels[number] : 0;
    qf lit[16], unlit[16];
    if (!blended && block->kind == BLOCK_PLAIN) {
        for (uint32_t at = 0; at < 16; at += ZT_W)
            vi_store(out + at, film_split_plain(job, block->first[0] + at, last));
        return;
    }
    film_resolve(job, block, FILM_LIT, lit);
    film_resolve(job, block, FILM_UNLIT, unlit);
    for (unsigned left = blended; left; left &= left - 1) {
        const uint32_t p = (uint32_t)__builtin_ctz(left);
        lit[p] = qf_load(job->blended[number * 16 + p]);
        unlit[p] = qf_load(job->blended_unlit[number * 16 + p]);
    }
    for (int32_t at = 0; at < 16; at += ZT_W)
        vi_store(out + at, film_split(job, lit + at, unlit + at, film_background(job, number, at)));
    if (blended && job->through)
        film_glass_pixels(job, number, lit, unlit, out);
}

/// The pixels of a block that is not empty. `last`: of frames that have unlit materials.
static inline void film_pixels(const film_job *job, uint32_t number, film_shown *last,
                               int32_t out[16])
{
    const block_samples *block = &job->blocks[number];
    const unsigned blended = job->blended ? job->blended_pixels[number] : 0;
    if (job->color.unlit) {
        film_split_pixels(job, number, last, out);
        return;
    }
    if (!blended && block->kind == BLOCK_PLAIN) {
        const uint32_t first = block->first[0];
        for (uint32_t at = 0; at < 16; at += ZT_W)
            vi_store(out + at, film_opaque(job, vf_load(job->color.r + first + at),
                                           vf_load(job->color.g + first + at),
                                           vf_load(job->color.b + first + at)));
        return;
    }
    qf sum[16];
    film_resolve(job, block, FILM_ALL, sum);
    for (unsigned left = blended; left; left &= left - 1)
        sum[__builtin_ctz(left)] =
            qf_load(job->blended[number * 16 + (uint32_t)__builtin_ctz(left)]);
    for (int32_t at = 0; at < 16; at += ZT_W)
        vi_store(out + at, film_mixed(job, sum + at, film_background(job, number, at)));
    if (blended && job->through)
        film_glass_pixels(job, number, sum, NULL, out);
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
    if (!job->blocks && !job->backdrop_pixels) {
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
            const bool empty = !job->blocks || (job->blocks[block].kind == BLOCK_EMPTY &&
                                                !(job->blended && job->blended_pixels[block]));
            if (empty) {
                film_fill_empty(job, block, nothing);
                film_write(to, x, y, nothing);
            } else {
                film_pixels(job, block, &last, rgba);
                film_write(to, x, y, rgba);
            }
        }
    }
}
