// SPDX-License-Identifier: MIT
// Tone maps: linear colours >= 0 -> linear display colours, which may be outside of 0..1.
//
// Khronos PBR Neutral: Khronos 3D Commerce. ACES: Hill's fit (BakingLab, on rgb / 0.6). AgX: Troy
// Sobotka, with the Rec. 2020 primaries and matrices of Blender 4, three.js and Filament, and the
// sigmoid's polynomial of Benjamin Wrensch ("Minimal AgX Implementation", 2023).

typedef struct film_rgb {
    vf r, g, b;
} film_rgb;

/// The largest channel.
ZT_LANE_OP vf film_peak(film_rgb c) { return vf_max(c.r, vf_max(c.g, c.b)); }

/// Khronos PBR Neutral: below 0.8 - 0.04 hue and saturation stay; highlights go towards white.
/// Vectors take the shoulder together or not at all: with one branch for all of them, their chains
/// of operations overlap.
ZT_LANE_OP void tone_neutral(film_rgb *colors, int32_t count)
{
    const vf one = vf_set1(1.0f), start = vf_set1(0.76f);
    vf highest = vf_set1(0.0f);
    for (int32_t i = 0; i < count; i++) {
        film_rgb *c = &colors[i];
        const vf x = vf_min(c->r, vf_min(c->g, c->b));
        const vf toe = x - vf_set1(6.25f) * x * x;
        const vf offset = vf_sel(vf_lt(x, vf_set1(0.08f)), toe, vf_set1(0.04f));
        *c = (film_rgb){c->r - offset, c->g - offset, c->b - offset};
        highest = vf_max(highest, film_peak(*c));
    }
    if (!vm_any(vf_ge(highest, start)))
        return;
    for (int32_t i = 0; i < count; i++) {
        film_rgb *c = &colors[i];
        const vf peak = vf_max(film_peak(*c), start), d = one - start;
        const vf compressed = one - d * d / (peak + d - start), scale = compressed / peak;
        const vf g = one - one / (vf_set1(0.15f) * (peak - compressed) + one);
        const vf keep = one - g, white = compressed * g;
        const vm bright = vf_ge(film_peak(*c), start);
        *c = (film_rgb){vf_sel(bright, (c->r * scale) * keep + white, c->r),
                        vf_sel(bright, (c->g * scale) * keep + white, c->g),
                        vf_sel(bright, (c->b * scale) * keep + white, c->b)};
    }
}

/// White surfaces, up to 1.2 in the studio, become 0.75 and show on white pages. The mean of
/// luminance and the smallest channel counts: vivid colours show by themselves. Nothing changes up
/// to `start`; far above it a fifth of the light is added, and highlights reach Neutral's shoulder.
ZT_LANE_OP void tone_soften(film_rgb *colors, int32_t count)
{
    const vf start = vf_set1(0.5f), width = vf_set1(0.25f), share = vf_set1(0.8f);
    for (int32_t i = 0; i < count; i++) {
        film_rgb *c = &colors[i];
        const vf luminance =
            (vf_set1(0.2126f) * c->r + vf_set1(0.7152f) * c->g) + vf_set1(0.0722f) * c->b;
        const vf white = (luminance + vf_min(c->r, vf_min(c->g, c->b))) * vf_set1(0.5f);
        const vf bound = vf_max(white, start), over = bound - start;
        const vf keep = vf_set1(1.0f) - share * over * over / ((over + width) * bound);
        *c = (film_rgb){c->r * keep, c->g * keep, c->b * keep};
    }
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

/// The sigmoid of AgX on 16.5 stops, from 2^-12.47393 to 2^4.026069.
static inline vf agx_curve(vf v)
{
    const vf min = vf_set1(-12.47393f), stops = vf_set1(4.026069f + 12.47393f);
    vf x = (vf_log2(vf_max(v, vf_set1(1e-10f))) - min) / stops;
    x = vf_clamp(x, vf_set1(0.0f), vf_set1(1.0f));
    vf p = vf_set1(15.5f);
    p = p * x - vf_set1(40.14f);
    p = p * x + vf_set1(31.96f);
    p = p * x - vf_set1(6.868f);
    p = p * x + vf_set1(0.4298f);
    p = p * x + vf_set1(0.1191f);
    return p * x - vf_set1(0.00232f);
}

/// v^2.2, the curve of the display; 0 for v <= 1e-10.
static inline vf agx_display(vf v)
{
    const vf least = vf_set1(1e-10f);
    const vf power = vf_exp2(vf_set1(2.2f) * vf_log2(vf_max(v, least)));
    return vf_sel(vf_gt(v, least), power, vf_set1(0.0f));
}

static inline film_rgb tone_agx(film_rgb c)
{
    const film_rgb wide = {row3(0.6274f, 0.3293f, 0.0433f, c), row3(0.0691f, 0.9195f, 0.0113f, c),
                           row3(0.0164f, 0.0880f, 0.8956f, c)};
    const film_rgb v = {
        agx_curve(row3(0.856627153315983f, 0.0951212405381588f, 0.0482516061458583f, wide)),
        agx_curve(row3(0.137318972929847f, 0.761241990602591f, 0.101439036467562f, wide)),
        agx_curve(row3(0.11189821299995f, 0.0767994186031903f, 0.811302368396859f, wide))};
    const film_rgb out = {
        agx_display(row3(1.1271005818144368f, -0.11060664309660323f, -0.016493938717834573f, v)),
        agx_display(row3(-0.1413297634984383f, 1.157823702216272f, -0.016493938717834257f, v)),
        agx_display(row3(-0.14132976349843826f, -0.11060664309660294f, 1.2519364065950405f, v))};
    return (film_rgb){row3(1.6605f, -0.5876f, -0.0728f, out),
                      row3(-0.1246f, 1.1329f, -0.0083f, out),
                      row3(-0.0182f, -0.1006f, 1.1187f, out)};
}
