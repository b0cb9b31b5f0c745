// SPDX-License-Identifier: MIT
// Sub-frames of an open shutter or lens -> their mean.
//
// The mean of display colours D keeps edges smooth, but a lamp that is white in one of 16
// sub-frames would be grey, however bright it is. So the tone map T takes the mean of light L:
// the result is mean(D) + T(mean(L)) - mean(T(L)), limited to what a display shows. Where all
// sub-frames are the same it is D, and where nothing is bright it is about mean(D). Behind a pixel
// that is not covered the page counts as light, as far as the picture has one.

/// Exposed light as a display shows it.
ZT_LANE_OP film_rgb blur_tone(const film_job *film, film_rgb c)
{
    film_tone(film, &c, 1);
    return film_clamp(c);
}

/// The display colour of premultiplied light, premultiplied.
ZT_LANE_OP film_rgb blur_shown(const film_job *film, film_rgb c, vf alpha)
{
    const vf a = vf_sel(vf_gt(alpha, vf_set1(0.0f)), alpha, vf_set1(1.0f));
    const film_rgb shown = blur_tone(film, (film_rgb){c.r / a, c.g / a, c.b / a});
    return (film_rgb){shown.r * alpha, shown.g * alpha, shown.b * alpha};
}

static inline film_rgb blur_sel(vm mask, film_rgb a, film_rgb b)
{
    return (film_rgb){vf_sel(mask, a.r, b.r), vf_sel(mask, a.g, b.g), vf_sel(mask, a.b, b.b)};
}

/// The share of the page in a display colour of an opaque picture.
ZT_LANE_OP vf blur_page(vf display, vf shown, vf alpha)
{
    const vf zero = vf_set1(0.0f);
    return vf_sel(vf_lt(alpha, vf_set1(1.0f)), vf_max(display - shown, zero), zero);
}

/// Exposed light of a block: of what is exposed, and of what is not.
static inline void blur_light(const blur_tile_job *job, int32_t block, qf out[16])
{
    const float e = job->film->exposure;
    const qf exposure = qf_load((const float[4]){e, e, e, 1.0f});
    float nearness[16];
    qf unlit[16];
    behind_opaque(&job->light, block, out, unlit);
    if (job->light.blended && job->light.blended_pixels[block])
        behind_blended(&job->light, block, out, unlit, nearness);
    for (int32_t i = 0; i < 16; i++)
        out[i] = qf_add(qf_mul(out[i], exposure), unlit[i]);
}

/// Adds light and display colours of pixels to their sums, [2][16][4].
ZT_LANE_OP void blur_add(const film_job *film, const qf *light_q, const float (*display_q)[4],
                         float *sums)
{
    float *light_sum = sums, *display_sum = sums + 64;
    qf shown_q[16], page_q[16];
    for (int32_t at = 0; at < 16; at += ZT_W) {
        vf light[4], display[4];
        qf from[ZT_W];
        for (int32_t i = 0; i < ZT_W; i++)
            from[i] = qf_load(display_q[at + i]);
        vf_from_qf4(light_q + at, light);
        vf_from_qf4(from, display);
        film_rgb c = {light[0], light[1], light[2]};
        const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
        // Each lane chooses for itself: the number of lanes must not reach a pixel.
        const vm lights = vf_gt(vf_max(vf_max(c.r, c.g), c.b), zero);
        const vm pages = vf_lt(light[3], film->transparent ? zero : one);
        film_rgb shown = {zero, zero, zero}; // black shows nothing
        if (vm_any(lights))
            shown = blur_sel(lights, blur_shown(film, c, light[3]), shown);
        if (vm_any(pages)) {
            c = (film_rgb){c.r + blur_page(display[0], shown.r, light[3]),
                           c.g + blur_page(display[1], shown.g, light[3]),
                           c.b + blur_page(display[2], shown.b, light[3])};
            shown = blur_sel(pages, blur_tone(film, c), shown);
        }
        const vf lit[4] = {c.r, c.g, c.b, light[3]};
        const vf rest[4] = {display[0] - shown.r, display[1] - shown.g, display[2] - shown.b,
                            display[3]};
        vf_to_qf4(lit, page_q + at);
        vf_to_qf4(rest, shown_q + at);
    }
    for (int32_t i = 0; i < 16; i++) {
        qf_store(light_sum + 4 * i, qf_add(qf_load(light_sum + 4 * i), page_q[i]));
        qf_store(display_sum + 4 * i, qf_add(qf_load(display_sum + 4 * i), shown_q[i]));
    }
}

/// The same for a plain block, whose display colours are those of its light.
ZT_LANE_OP void blur_add_plain(const film_job *film, uint32_t sample, float *sums)
{
    const vf exposure = vf_set1(film->exposure), one = vf_set1(1.0f);
    for (uint32_t at = 0; at < 16; at += ZT_W) {
        const film_rgb c = film_load(film, sample + at);
        const vf light[4] = {c.r * exposure, c.g * exposure, c.b * exposure, one};
        qf q[ZT_W];
        vf_to_qf4(light, q);
        for (uint32_t i = 0; i < ZT_W; i++) {
            float *to = sums + 4 * (at + i);
            qf_store(to, qf_add(qf_load(to), q[i]));
            to[64 + 3] = to[64 + 3] + 1.0f;
        }
    }
}

/// The same for a block of black alone over a plain page. `alpha`: [16].
ZT_LANE_OP void blur_add_black(const film_job *film, const float *alpha, float *sums)
{
    const vf zero = vf_set1(0.0f), shows = vf_set1(film->transparent ? 0.0f : 1.0f);
    for (int32_t at = 0; at < 16; at += ZT_W) {
        const vf own = vf_load(alpha + at), behind = shows * (vf_set1(1.0f) - own);
        const film_rgb c = {vf_set1(film->background[0]) * behind,
                            vf_set1(film->background[1]) * behind,
                            vf_set1(film->background[2]) * behind};
        const film_rgb shown =
            film->transparent ? (film_rgb){zero, zero, zero} : blur_tone(film, c);
        const vf light[4] = {c.r, c.g, c.b, own};
        const vf rest[4] = {c.r - shown.r, c.g - shown.g, c.b - shown.b, own + behind};
        qf q[2][ZT_W];
        vf_to_qf4(light, q[0]);
        vf_to_qf4(rest, q[1]);
        for (int32_t i = 0; i < ZT_W; i++)
            for (int32_t k = 0; k < 2; k++) {
                float *to = sums + 64 * k + 4 * (at + i);
                qf_store(to, qf_add(qf_load(to), q[k][i]));
            }
    }
}

/// Adds a tile of a sub-frame. Blocks of a plain page are counted alone.
static void blur_tile(const blur_tile_job *job)
{
    const film_job *film = job->film;
    for (int32_t y = 0; y < film->height; y += 4)
        for (int32_t x = 0; x < film->width; x += 4) {
            const int32_t block = (y / 4) * TILE_BLOCKS + x / 4;
            const size_t at = (size_t)(job->row + y / 4) * (size_t)job->sums->columns +
                              (size_t)(job->column + x / 4);
            if (!film->backdrop_pixels && !(film->black && film->black_place[block]) &&
                !behind_shows(film->blocks, film->blended ? film->blended_pixels : NULL, block)) {
                job->sums->plain[at]++;
                continue;
            }
            float *sums = job->sums->pixel + 128 * at, display[16][4];
            qf light[16];
            if (film->black && film->black_place[block] && !film->backdrop_pixels) {
                blur_add_black(film, film->black + (size_t)(film->black_place[block] - 1) * 16,
                               sums);
                continue;
            }
            if (!film->color.unlit && film->blocks && film->blocks[block].kind == BLOCK_PLAIN &&
                !(film->blended && film->blended_pixels[block])) {
                blur_add_plain(film, film->blocks[block].first[0], sums);
                continue;
            }
            display_block(film, (uint32_t)block, display);
            blur_light(job, block, light);
            blur_add(film, light, (const float(*)[4])display, sums);
        }
}

/// The sums of one block -> display colours, as PLANE_DISPLAY has them, and 8-bit pixels.
static void blur_end(const film_job *film, const picture_sums *sums, size_t block, float (*out)[4],
                     int32_t rgba[16])
{
    const vf share = vf_set1(1.0f / (float)sums->count), zero = vf_set1(0.0f);
    const float plain = (float)sums->plain[block], page = film->transparent ? 0.0f : plain;
    const film_rgb background = {vf_set1(film->background[0]), vf_set1(film->background[1]),
                                 vf_set1(film->background[2])};
    const film_rgb toned = blur_tone(film, background);
    const vf own[3] = {background.r, background.g, background.b};
    const vf rest[3] = {background.r - toned.r, background.g - toned.g, background.b - toned.b};
    for (int32_t at = 0; at < 16; at += ZT_W) {
        qf q[2][ZT_W];
        vf light[4], sum[4];
        for (int32_t i = 0; i < ZT_W; i++)
            for (int32_t k = 0; k < 2; k++)
                q[k][i] =
                    qf_load(sums->pixel + 128 * block + 64 * (size_t)k + 4 * (size_t)(at + i));
        vf_from_qf4(q[0], light);
        vf_from_qf4(q[1], sum);
        for (int32_t k = 0; k < 3; k++) {
            light[k] = (light[k] + own[k] * vf_set1(page)) * share;
            sum[k] = sum[k] + rest[k] * vf_set1(page);
        }
        const vf alpha = light[3] * share, opacity = (sum[3] + vf_set1(page)) * share;
        const film_rgb c = {light[0], light[1], light[2]};
        const film_rgb shown = film->transparent ? blur_shown(film, c, alpha) : blur_tone(film, c);
        const vf result[4] = {vf_clamp(sum[0] * share + shown.r, zero, opacity),
                              vf_clamp(sum[1] * share + shown.g, zero, opacity),
                              vf_clamp(sum[2] * share + shown.b, zero, opacity), opacity};
        vf_to_qf4(result, q[0]);
        vi_store(rgba + at, film_mixed(film, q[0], (film_rgb){zero, zero, zero}));
        for (int32_t i = 0; i < ZT_W; i++)
            qf_store(out[at + i], q[0][i]);
    }
}
