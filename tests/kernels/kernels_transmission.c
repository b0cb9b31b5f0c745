// SPDX-License-Identifier: MIT
/// Transmissive fragments in the shading kernel against Snell's and Beer's laws in double; their
/// blending against sums by channel; the picture behind glass against convolutions with Gaussians.
#include "film/film.h"
#include "shade_stage.h"
#include "testing.h"

// ---- Shading ------------------------------------------------------------------------------------

/// Glass of any kind under light that is the same from everywhere.
static void build_glass(shade_stage *s, random_state *r, shade_transmission *t, double ior)
{
    stage_build(s, r, random_u32(r) % 2 != 0);
    *t = (shade_transmission){.factor = random_float(r, 0.2f, 1.0f),
                              .thickness_m = random_float(r, 0.1f, 1.0f),
                              .lobe = 0.7f};
    for (int c = 0; c < 3; c++) {
        t->inverse_ior[c] = (float)(1.0 / (ior + 0.05 * c));
        t->absorption[c] = random_float(r, 0.0f, 20.0f);
        s->material.base_color[c] = random_float(r, 0.0f, 1.0f);
    }
    stage_ambient(s);
    t->disperses = true;
    s->meshlet.scale = random_float(r, 0.5f, 2.0f);
    s->material.metallic = 0.0f;
    s->material.roughness = random_float(r, 0.0f, 1.0f);
    s->material.transmission = t;
}

/// Where `at` is on the screen.
static void project(const shade_stage *s, const double at[3], double out[2])
{
    const view_camera *c = &s->camera;
    const double half = STAGE_SIDE / 2;
    double from[3];
    for (int k = 0; k < 3; k++)
        from[k] = at[k] - c->eye[k];
    const double z = dot3(from, c->forward);
    const double scale = half * (c->orthographic ? 1.0 / c->half_height : c->focal / z);
    out[0] = half + dot3(from, c->right) * scale;
    out[1] = half - dot3(from, c->up) * scale;
}

/// The screen position of the point where the ray that is refracted at sample i leaves the volume.
static void refract(const shade_stage *s, int i, double ior, double length, double out[2])
{
    double at[3], to_eye[3], normal[3];
    stage_position(s, i, at);
    stage_view(s, at, to_eye);
    stage_normal(s, normal);
    const double cosine = dot3(normal, to_eye), sine = sqrt(1.0 - cosine * cosine);
    const double inside = asin(sine / ior);
    for (int k = 0; k < 3; k++) {
        const double along = (normal[k] * cosine - to_eye[k]) / (sine > 1e-9 ? sine : 1.0);
        at[k] += length * (along * sin(inside) - normal[k] * cos(inside));
    }
    project(s, at, out);
}

Test(transmission, refracts_by_snell_and_absorbs_by_beer)
{
    static shade_stage s[1];
    static float clear[FRAGMENT_LENS_COUNT][STAGE_SAMPLES];
    for (uint32_t seed = 1; seed <= 200; seed++) {
        random_state r = {seed * 7919};
        const double ior = random_u32(&r) % 4 == 0 ? 1.0 : stage_number(&r, 1.0, 2.4);
        shade_transmission t;
        build_glass(s, &r, &t, ior);
        stage_shade(s);
        const double length = (double)t.thickness_m * (double)s->meshlet.scale;
        for (int i = 0; i < STAGE_SAMPLES; i++)
            for (int c = 0; c < 3; c++) {
                double at[2];
                refract(s, i, 1.0 / (double)t.inverse_ior[c], length, at);
                const double x = at[0] - s->sample[i].x / 256.0, y = at[1] - s->sample[i].y / 256.0;
                cr_assert_lt(fabs((double)s->lens[LENS_SHIFT_XR + c][i] - x), 2e-3);
                cr_assert_lt(fabs((double)s->lens[LENS_SHIFT_YR + c][i] - y), 2e-3);
            }
        memcpy(clear, s->lens, sizeof clear);
        float absorption[3];
        memcpy(absorption, t.absorption, sizeof absorption);
        memset(t.absorption, 0, sizeof t.absorption);
        stage_shade(s);
        for (int i = 0; i < STAGE_SAMPLES; i++)
            for (int c = 0; c < 3; c++) {
                const double kept = exp(-(double)absorption[c] * length);
                const double want = (double)s->lens[LENS_THROUGH_R + c][i] * kept;
                const double got = (double)clear[LENS_THROUGH_R + c][i];
                // The exponent is at most 40, rounded twice; the polynomial is within 3e-7.
                cr_assert_lt(fabs(got - want), 6e-6 * want, "%g, not %g", got, want);
            }
    }
}

/// White glass reflects and transmits all light: thin, in light of 1 from everywhere, the sum is 1.
Test(transmission, white_glass_is_a_white_furnace)
{
    static shade_stage s[1];
    for (uint32_t seed = 1; seed <= 200; seed++) {
        random_state r = {seed * 104729};
        shade_transmission t;
        build_glass(s, &r, &t, 1.5);
        t.thickness_m = 0.0f;
        for (int c = 0; c < 3; c++)
            s->material.base_color[c] = 1.0f;
        stage_shade(s);
        for (int i = 0; i < STAGE_SAMPLES; i++)
            for (int c = 0; c < 3; c++) {
                const float sum = s->color[i][c] + s->lens[LENS_THROUGH_R + c][i];
                cr_assert(sum > 0.99f && sum < 1.01f, "%g", (double)sum);
            }
    }
}

Test(transmission, alpha_lets_through_what_it_does_not_cover)
{
    static shade_stage s[1];
    float through[3];
    random_state r = {5};
    shade_transmission t;
    build_glass(s, &r, &t, 1.5);
    stage_shade(s);
    for (int c = 0; c < 3; c++)
        through[c] = s->lens[LENS_THROUGH_R + c][0];
    s->material.blended = true;
    s->material.base_color[3] = 0.25f;
    stage_shade(s);
    for (int c = 0; c < 3; c++)
        NEAR(s->lens[LENS_THROUGH_R + c][0], 0.25f * through[c] + 0.75f, 1e-6, "channel %d", c);
    s->material.blended = false;
    s->material.masked = true; // cut out by samples (fragments.c): what is left is whole
    s->material.alpha_cutoff = 0.5f;
    stage_shade(s);
    for (int c = 0; c < 3; c++)
        cr_assert_eq(s->lens[LENS_THROUGH_R + c][0], through[c]);
}

/// A lamp behind rough glass shines through as its mirror image shines off a white metal.
Test(transmission, lamps_behind_shine_through_rough_glass)
{
    static shade_stage s[1];
    float mirrored[STAGE_SAMPLES];
    for (uint32_t seed = 1; seed <= 100; seed++) {
        random_state r = {seed * 31337};
        shade_transmission t = {.factor = 1.0f, .lobe = 1.0f, .mirror_roughness = 1.0f};
        double normal[3], to_light[3];
        stage_build(s, &r, false);
        stage_normal(s, normal);
        stage_direction_near(&r, normal, 0.2, to_light);
        s->light = (shade_light){.radiance = {1.0f, 1.0f, 1.0f}};
        for (int k = 0; k < 3; k++)
            s->light.to_light[k] = (float)to_light[k];
        s->frame.light_count = 1;
        s->material.roughness = random_float(&r, 0.1f, 1.0f);
        stage_shade(s);
        for (int i = 0; i < STAGE_SAMPLES; i++)
            mirrored[i] = s->color[i][0];
        const double cosine = dot3(to_light, normal);
        for (int k = 0; k < 3; k++)
            s->light.to_light[k] = (float)(to_light[k] - 2.0 * cosine * normal[k]);
        s->material.metallic = 0.0f;
        s->material.transmission = &t;
        stage_shade(s);
        for (int i = 0; i < STAGE_SAMPLES; i++) {
            const double want = (double)mirrored[i] * (double)s->lens[LENS_THROUGH_R][i];
            NEAR(s->color[i][0], want, 1e-4 * want + 1e-6, "colour");
        }
    }
}

// ---- Blending -----------------------------------------------------------------------------------

enum { PIXELS = TILE_SIZE * TILE_SIZE, LAYERS = 3 };

/// A tile of one sample a pixel: opaque surfaces in every other pixel, LAYERS fragments in each.
typedef struct glass_stage {
    _Alignas(64) uint32_t id[PIXELS];
    uint32_t visible_id[PIXELS + 16], first_sorted[TILE_FIRST_COUNT];
    block_samples blocks[TILE_BLOCK_COUNT];
    uint8_t count[PIXELS + 16];
    float color[3][PIXELS + 16];
    _Alignas(64) float fragment_color[PIXELS * LAYERS][4];
    _Alignas(64) float lens[PIXELS * LAYERS][FRAGMENT_LENS_COUNT];
    sorted_fragment sorted[PIXELS * LAYERS];
    visible_samples visible;
    _Alignas(64) float out[PIXELS][4];
    _Alignas(64) float through[PIXELS][4];
    uint16_t pixels[PIXELS / 16];
    blend_job job;
} glass_stage;

static void build_layers(glass_stage *s, random_state *r)
{
    uint32_t visible = 0;
    memset(s->lens, 0, sizeof s->lens);
    for (uint32_t p = 0; p < PIXELS; p++) {
        s->id[p] = p % 2;
        s->blocks[p / 16].first[p % 16] = visible;
        if (p % 2) {
            s->visible_id[visible] = 1;
            s->count[visible] = 1;
            for (int c = 0; c < 3; c++)
                s->color[c][visible] = random_float(r, 0.0f, 2.0f);
            visible++;
        }
        s->blocks[p / 16].first[p % 16 + 1] = visible;
        s->first_sorted[p] = p * LAYERS;
        for (uint32_t i = p * LAYERS; i < (p + 1) * LAYERS; i++) {
            s->sorted[i] = (sorted_fragment){0, i, (uint16_t)p, 1};
            for (int c = 0; c < 4; c++) {
                s->fragment_color[i][c] = random_float(r, 0.0f, 1.0f);
                s->lens[i][c] = c < 3 ? random_float(r, 0.0f, 1.0f) : 1.0f;
            }
        }
    }
    s->first_sorted[PIXELS] = PIXELS * LAYERS;
    s->visible = (visible_samples){.id = s->visible_id, .count = s->count};
    s->job = (blend_job){.tile = {NULL, s->id},
                         .sample_count = 1,
                         .visible = &s->visible,
                         .color = {.r = s->color[0], .g = s->color[1], .b = s->color[2]},
                         .blocks = s->blocks,
                         .sorted = s->sorted,
                         .first_sorted = s->first_sorted,
                         .fragment_color = (const float(*)[4])s->fragment_color,
                         .out = s->out,
                         .pixels = s->pixels,
                         .end_block = TILE_BLOCK_COUNT,
                         .fragment_lens = (const float(*)[FRAGMENT_LENS_COUNT])s->lens,
                         .out_through = s->through};
}

Test(transmission, layers_are_blended_by_channel_from_behind)
{
    static glass_stage s[1];
    random_state r = {77};
    build_layers(s, &r);
    EACH_KERNEL_TABLE (isa, k) {
        k->film->blend(&s->job);
        for (uint32_t p = 0; p < PIXELS; p++) {
            double open = 0.0;
            for (int c = 0; c < 3; c++) {
                double color = p % 2 ? (double)s->color[c][p / 2] : 0.0,
                       through = p % 2 ? 0.0 : 1.0;
                for (uint32_t i = p * LAYERS; i < (p + 1) * LAYERS; i++) {
                    color = (double)s->fragment_color[i][c] + color * (double)s->lens[i][c];
                    through *= (double)s->lens[i][c];
                }
                open += through / 3.0;
                cr_assert_lt(fabs((double)s->out[p][c] - color), 1e-5, "%s", k->name);
                cr_assert_lt(fabs((double)s->through[p][c] - through), 1e-6, "%s", k->name);
            }
            cr_assert_lt(fabs((double)s->out[p][3] - (1.0 - open)), 1e-6, "%s", k->name);
        }
    }
}

// ---- The picture behind -------------------------------------------------------------------------

enum { BEHIND_WIDTH = 203, BEHIND_HEIGHT = 150 };

static void behind_alloc(behind_picture *b)
{
    int32_t width = BEHIND_WIDTH, height = BEHIND_HEIGHT;
    *b = (behind_picture){0};
    for (int32_t i = 0; i < BEHIND_LEVELS_MAX; i++, b->level_count++) {
        const size_t pixels = (size_t)width * (size_t)height;
        b->level[i] = (behind_level){.color = aligned_alloc(16, pixels * 16),
                                     .nearness = malloc(pixels * sizeof(float)),
                                     .width = width,
                                     .height = height};
        cr_assert(b->level[i].color && b->level[i].nearness);
        if (i > 0 && b->level[i - 1].width == 1 && b->level[i - 1].height == 1)
            break;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
}

static void behind_reduce_all(behind_picture *b, const kernel_table *k)
{
    for (int32_t i = 1; i < b->level_count; i++)
        k->film->behind_reduce(&(behind_reduce_job){
            .from = &b->level[i - 1], .to = &b->level[i], .end_row = b->level[i].height});
}

static void behind_free(behind_picture *b)
{
    for (int32_t i = 0; i < BEHIND_LEVELS_MAX; i++) {
        free(b->level[i].color);
        free(b->level[i].nearness);
    }
}

/// Waves of a constant frequency: blurred by s, their amplitude falls by exp(-(2 pi f s)^2 / 2).
static double wave(double x, double y, double frequency)
{
    return cos(2.0 * 3.14159265358979 * frequency * (0.8 * x + 0.6 * y));
}

Test(transmission, rough_glass_blurs_like_a_gaussian)
{
    static const double frequencies[] = {0.0, 1.0 / 16.0, 1.0 / 40.0};
    static const double deviations[] = {0.8, 2.0, 4.5, 9.0};
    static glass_stage s[1];
    static float first[PIXELS][4];
    behind_picture behind;
    behind_alloc(&behind);
    random_state r = {3};
    build_layers(s, &r);
    s->job.behind = &behind;
    s->job.tile_x = 64;
    s->job.tile_y = 48;
    for (int test = 0; test < 12; test++) {
        const double f = frequencies[test / 4], deviation = deviations[test % 4];
        for (int32_t i = 0; i < BEHIND_WIDTH * BEHIND_HEIGHT; i++) {
            const double value = wave(i % BEHIND_WIDTH + 0.5, i / BEHIND_WIDTH + 0.5, f);
            for (int c = 0; c < 4; c++)
                behind.level[0].color[i][c] = c < 3 ? (float)(0.5 + 0.5 * value) : 1.0f;
            behind.level[0].nearness[i] = 0.25f;
        }
        for (uint32_t i = 0; i < PIXELS * LAYERS; i++) {
            const bool own = i % LAYERS == 0;
            for (int c = 0; c < 3; c++) {
                s->fragment_color[i][c] = 0.0f;
                s->lens[i][LENS_THROUGH_R + c] = 1.0f;
                s->lens[i][LENS_SHIFT_XR + c] = 1.25f; // the shifts of three layers add
            }
            s->lens[i][LENS_NEARNESS] = 1.0f;
            // Two of three layers scatter by 0.6 and 0.8 of the deviation: variances add.
            s->lens[i][LENS_SCATTER_FAR] = (float)(deviation * (own               ? 0.0
                                                                : i % LAYERS == 1 ? 0.6 + 0.25
                                                                                  : 0.8));
            s->lens[i][LENS_SCATTER_NEAR] = (float)(i % LAYERS == 1 ? deviation : 0.0);
        }
        const double left = exp(-0.5 * pow(2.0 * 3.14159265358979 * f * deviation, 2.0));
        EACH_KERNEL_TABLE (isa, k) {
            behind_reduce_all(&behind, k);
            k->film->blend(&s->job);
            if (isa == (int)ZT_ISA_SCALAR)
                memcpy(first, s->out, sizeof s->out);
            cr_assert(memcmp(first, s->out, sizeof s->out) == 0, "%s differs", k->name);
        }
        for (int32_t p = 0; p < PIXELS; p++) {
            const int32_t block = p / 16;
            const double x = 64.5 + block % TILE_BLOCKS * 4 + p % 4 + 3.75;
            const double y = 48.5 + block / TILE_BLOCKS * 4 + p / 4 % 4;
            const double want = 0.5 + 0.5 * left * wave(x, y, f);
            NEAR(s->out[p][0], want, f > 0.0 ? 0.035 : 1e-5, "frequency %g, deviation %g", f,
                 deviation);
            cr_assert_lt(fabs((double)s->out[p][3] - 1.0), 1e-5);
        }
    }
    behind_free(&behind);
}

// ---- Film ---------------------------------------------------------------------------------------

/// The film of a tile without visible samples but for the blended ones.
static film_job film_of(const glass_stage *s, const film_srgb *srgb)
{
    static block_samples all_blended[TILE_BLOCK_COUNT];
    return (film_job){.visible = &s->visible,
                      .blocks = all_blended,
                      .blended = (const float(*)[4])s->out,
                      .through = (const float(*)[4])s->through,
                      .blended_pixels = s->pixels,
                      .width = TILE_SIZE,
                      .height = TILE_SIZE,
                      .sample_count = 1,
                      .exposure = 1.0f,
                      .tone_map = TONE_MAP_NEUTRAL,
                      .srgb = srgb,
                      .out_stride = TILE_SIZE * 4};
}

/// A picture with glass laid over a page, and the same before this page as its background. One
/// alpha cannot tint all pages: that of coloured glass is right over the middle grey.
Test(transmission, a_picture_over_a_page_is_the_picture_before_it)
{
    static glass_stage s[1];
    static film_srgb srgb;
    static uint8_t picture8[PIXELS][4], page[PIXELS][4];
    random_state r = {78};
    build_layers(s, &r);
    film_srgb_init(&srgb);
    for (uint32_t i = 0; i < PIXELS * LAYERS; i++) // half of it grey, some of it before nothing
        for (int c = 2; c >= 0; c--) {
            s->lens[i][c] = i / LAYERS % 8 < 4 ? s->lens[i][0] : s->lens[i][c];
            s->fragment_color[i][c] *= i / LAYERS % 4 < 2 ? 0.05f : 2.0f;
        }
    film_job job = film_of(s, &srgb);
    job.exposure = 0.8f;
    s->job.film = &job;
    EACH_KERNEL_TABLE (isa, k) {
        for (int code = 0; code <= 255; code += code < 192 ? 64 : 63) {
            int compared = 0;
            job.out = picture8[0];
            job.transparent = true;
            k->film->blend(&s->job);
            k->film->film(&job);
            job.out = page[0];
            job.transparent = false;
            k->film->blend(&s->job);
            for (int c = 0; c < 3; c++)
                job.background[c] = srgb.linear[code];
            k->film->film(&job);
            for (uint32_t p = 0; p < PIXELS; p++) {
                const uint32_t block = p / 16, i = p % 16;
                const uint32_t at = (block / 16 * 4 + i / 4) * TILE_SIZE + block % 16 * 4 + i % 4;
                const double alpha = picture8[at][3] / 255.0;
                const float *t = s->through[p];
                const double blocked = 1.0 - (double)fminf(t[0], fminf(t[1], t[2]));
                cr_assert(alpha >= blocked - 0.003, "%g, not %g", alpha, blocked);
                if (p % 8 >= (code == 128 ? 6 : 4) || (code > 0 && alpha > blocked + 0.003))
                    continue; // coloured, or reflects more than it blocks
                compared++;
                for (int c = 0; c < 3; c++) {
                    const double over = picture8[at][c] * alpha + code * (1.0 - alpha);
                    NEAR(over, page[at][c], 2.0, "%s", k->name);
                }
            }
            cr_assert_gt(compared, (int)PIXELS / (code != 128 ? 8 : 4));
        }
    }
}

/// The background shows in the colours that come through; highlights cover it.
Test(transmission, the_background_is_tinted)
{
    static const float through[4] = {1.0f, 0.5f, 0.0f, 1.0f};
    static glass_stage s[1];
    static film_srgb srgb;
    uint8_t out[TILE_SIZE * TILE_SIZE][4];
    film_srgb_init(&srgb);
    for (int p = 0; p < PIXELS; p++) {
        memcpy(s->through[p], through, sizeof through);
        s->out[p][3] = p < 16 ? 0.5f : 1.0f;
        for (int c = 0; c < 3; c++)
            s->out[p][c] = p < 16 ? 0.0f : 1.0f;
    }
    memset(s->pixels, 0xff, sizeof s->pixels);
    film_job job = film_of(s, &srgb);
    job.tone_map = TONE_MAP_LINEAR;
    job.out = out[0];
    for (int c = 0; c < 3; c++)
        job.background[c] = 1.0f;
    EACH_KERNEL_TABLE (isa, k) {
        k->film->film(&job);
        cr_assert(out[0][0] == 255 && out[0][1] == 128 && out[0][2] == 0 && out[0][3] == 255);
        for (int c = 0; c < 4; c++)
            cr_assert_eq(out[4][c], 255); // the next block: a highlight
    }
}
