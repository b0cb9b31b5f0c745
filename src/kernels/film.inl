// SPDX-License-Identifier: MIT
// Linear radiance of a tile's items -> 8-bit sRGB pixels: resolve, exposure, tone map, encode.
//
// Tone maps: Khronos PBR Neutral (specification by Khronos 3D Commerce); Hill's ACES fit (constants
// from the BakingLab fit by Stephen Hill, on rgb / 0.6). sRGB: IEC 61966-2-1.

typedef struct film_rgb {
    vf r, g, b;
} film_rgb;

/// Khronos PBR Neutral: colours below 0.8 - 0.04 keep hue and saturation, highlights are compressed
/// and desaturated towards white.
static inline film_rgb tone_neutral(film_rgb c)
{
    const vf one = vf_set1(1.0f), start = vf_set1(0.76f), desaturation = vf_set1(0.15f);
    const vf x = vf_min(c.r, vf_min(c.g, c.b));
    const vf toe = x - vf_set1(6.25f) * x * x;
    const vf offset = vf_sel(vf_lt(x, vf_set1(0.08f)), toe, vf_set1(0.04f));
    c = (film_rgb){c.r - offset, c.g - offset, c.b - offset};
    const vf peak = vf_max(c.r, vf_max(c.g, c.b));
    const vf d = one - start;
    const vf compressed = one - d * d / (vf_max(peak, start) + d - start);
    const vf scale = compressed / vf_max(peak, start);
    const vf g = one - one / (desaturation * (vf_max(peak, start) - compressed) + one);
    const vf keep = one - g, white = compressed * g;
    const vm bright = vf_ge(peak, start);
    return (film_rgb){vf_sel(bright, (c.r * scale) * keep + white, c.r),
                      vf_sel(bright, (c.g * scale) * keep + white, c.g),
                      vf_sel(bright, (c.b * scale) * keep + white, c.b)};
}

static inline vf row3(float a, float b, float c, film_rgb v)
{
    return (vf_set1(a) * v.r + vf_set1(b) * v.g) + vf_set1(c) * v.b;
}

static inline vf aces_curve(vf v)
{
    const vf a = v * (v + vf_set1(0.0245786f)) - vf_set1(0.000090537f);
    const vf b = v * (vf_set1(0.983729f) * v + vf_set1(0.4329510f)) + vf_set1(0.238081f);
    return a / b;
}

static inline film_rgb tone_aces(film_rgb c)
{
    const vf k = vf_set1(1.0f / 0.6f);
    c = (film_rgb){c.r * k, c.g * k, c.b * k};
    const film_rgb v = {aces_curve(row3(0.59719f, 0.35458f, 0.04823f, c)),
                        aces_curve(row3(0.07600f, 0.90834f, 0.01566f, c)),
                        aces_curve(row3(0.02840f, 0.13383f, 0.83777f, c))};
    return (film_rgb){row3(1.60475f, -0.53108f, -0.07367f, v),
                      row3(-0.10208f, 1.10813f, -0.00605f, v),
                      row3(-0.00327f, -0.07276f, 1.07602f, v)};
}

/// The sRGB codes of ZT_W linear values in [0, 1]; NaN gives 0.
static inline void film_codes(const film_srgb *table, vf linear, uint8_t out[ZT_W])
{
    // The table holds [2^-13, 1): what is below 2^-13 has code 0, as 2^-13 has, and what is above
    // the largest float below 1 has code 255, as that has.
    const vf first = vf_set1(1.0f / 8192.0f), last = vf_set1(0.99999994f);
    const vf x = vf_min(vf_max(linear, first), last);
    int32_t bucket[ZT_W];
    float value[ZT_W];
    vi_store(bucket, vi_shru(vi_bits(x), 16) - vi_set1((127 - 13) << 7));
    vf_store(value, x);
    for (int32_t lane = 0; lane < ZT_W; lane++) {
        const uint32_t code = table->bucket[bucket[lane]];
        out[lane] = (uint8_t)(code + (value[lane] >= table->threshold[code + 1] ? 1u : 0u));
    }
}

/// Premultiplied colour and coverage of `count` pixels from `first_pixel`: each the sum of its
/// items, and zeros up to 16. Returns `out`, or the items' own colours where each of 16 pixels
/// shows one item with all its samples, which is most of a picture.
static inline const float (*film_resolve(const film_job *job, uint32_t first_pixel, int32_t count,
                                         float out[16][4]))[4]
{
    const uint32_t first = job->first[first_pixel];
    if (count == 16 && job->first[first_pixel + 16] - first == 16) {
        uint32_t different = 0;
        for (uint32_t i = 0; i < 16; i++)
            different |= job->items[first + i].count ^ (uint32_t)job->sample_count;
        if (!different)
            return job->color + first;
    }
    const float share = 1.0f / (float)job->sample_count;
    for (int32_t i = 0; i < count; i++) {
        const uint32_t pixel = first_pixel + (uint32_t)i;
        qf sum = qf_set1(0.0f);
        for (uint32_t item = job->first[pixel]; item < job->first[pixel + 1]; item++) {
            const float weight = (float)job->items[item].count * share;
            sum = qf_add(sum, qf_mul(qf_load(job->color[item]), qf_set1(weight)));
        }
        qf_store(out[i], sum);
    }
    for (int32_t i = count; i < 16; i++)
        qf_store(out[i], qf_set1(0.0f));
    return (const float(*)[4])out;
}

/// Tone-maps ZT_W resolved pixels: linear display colour, over the background or un-premultiplied.
/// Returns the coverage.
static inline vf film_tone(const film_job *job, const float (*resolved)[4], film_rgb *out)
{
    const float *pixel[ZT_W];
    for (int32_t lane = 0; lane < ZT_W; lane++)
        pixel[lane] = resolved[lane];
    vf rgba[4];
    vf_load4(pixel, rgba);
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    const vf alpha = rgba[3];
    const vm covered = vf_gt(alpha, zero);
    const vf factor = vf_set1(job->exposure) / vf_sel(covered, alpha, one);
    const vf most = vf_set1(1e6f); // and the order of the operands turns NaN into 0
    film_rgb c = {vf_min(vf_max(rgba[0] * factor, zero), most),
                  vf_min(vf_max(rgba[1] * factor, zero), most),
                  vf_min(vf_max(rgba[2] * factor, zero), most)};
    if (job->tone_map == ZT_TONE_MAP_NEUTRAL)
        c = tone_neutral(c);
    else if (job->tone_map == ZT_TONE_MAP_ACES)
        c = tone_aces(c);
    c = (film_rgb){vf_min(vf_max(c.r, zero), one), vf_min(vf_max(c.g, zero), one),
                   vf_min(vf_max(c.b, zero), one)};
    if (!job->transparent) {
        const vf behind = one - alpha;
        c.r = c.r * alpha + vf_set1(job->background[0]) * behind;
        c.g = c.g * alpha + vf_set1(job->background[1]) * behind;
        c.b = c.b * alpha + vf_set1(job->background[2]) * behind;
    }
    *out = c;
    return alpha;
}

/// Up to 16 pixels with items.
static void film_pixels(const film_job *job, uint32_t first_pixel, int32_t count, uint8_t *out)
{
    float mixed[16][4];
    const float(*resolved)[4] = film_resolve(job, first_pixel, count, mixed);
    uint8_t code[4][16];
    for (int32_t at = 0; at < 16; at += ZT_W) {
        film_rgb c;
        const vf alpha = film_tone(job, resolved + at, &c);
        film_codes(job->srgb, c.r, &code[0][at]);
        film_codes(job->srgb, c.g, &code[1][at]);
        film_codes(job->srgb, c.b, &code[2][at]);
        float coverage[ZT_W];
        vf_store(coverage, alpha);
        for (int32_t lane = 0; lane < ZT_W; lane++)
            code[3][at + lane] =
                job->transparent ? (uint8_t)(coverage[lane] * 255.0f + 0.5f) : (uint8_t)255;
    }
    for (int32_t i = 0; i < count; i++, out += 4) {
        const bool empty = job->transparent && !(resolved[i][3] > 0.0f);
        for (int32_t k = 0; k < 3; k++)
            out[k] = empty ? 0 : code[k][i];
        out[3] = code[3][i];
    }
}

static void film(const film_job *job)
{
    uint8_t background[3][ZT_W];
    uint8_t nothing[16][4]; // what pixels without items get: the same as film_tone makes of alpha 0
    for (int32_t k = 0; k < 3; k++)
        film_codes(job->srgb, vf_set1(job->background[k]), background[k]);
    for (int32_t i = 0; i < 16; i++) {
        for (int32_t k = 0; k < 3; k++)
            nothing[i][k] = job->transparent ? 0 : background[k][0];
        nothing[i][3] = job->transparent ? 0 : 255;
    }
    for (int32_t y = 0; y < job->height; y++) {
        uint8_t *row = job->out + (size_t)y * job->out_stride;
        for (int32_t x = 0; x < job->width; x += 16) {
            const int32_t count = job->width - x < 16 ? job->width - x : 16;
            const uint32_t pixel = (uint32_t)(y * job->width + x);
            if (job->first[pixel] == job->first[pixel + (uint32_t)count])
                memcpy(row + (size_t)x * 4, nothing, (size_t)count * 4);
            else
                film_pixels(job, pixel, count, row + (size_t)x * 4);
        }
    }
}
