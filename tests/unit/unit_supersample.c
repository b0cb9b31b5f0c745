// SPDX-License-Identifier: MIT
/// A supersampled picture is the mean of the light of the larger picture; small thumbnails are
/// supersampled.
#include "drawing.h"
#include "render/supersample.h"
#include "test_folder.h"
#include "test_memory.h"

enum { LARGE = 128 };

typedef struct drawn {
    int32_t size;
    float color[LARGE * LARGE * 4], depth[LARGE * LARGE];
    uint8_t rgba8[LARGE * LARGE * 4];
} drawn;

static zt_error err;

static void draw(const char *file, int32_t size, int32_t factor, drawn *out)
{
    PRINTED(path, 512, "%s/scenes/%s", ZT_SOURCE_DIR, file);
    zt_shot_def shot = zt_default_shot_def();
    shot.width = shot.height = out->size = size;
    shot.supersample = factor;
    shot.background = "transparent";
    OWN_SCENE *scene = load_scene(path, &shot);
    OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
    const zt_image image = {
        .rgba8 = out->rgba8, .width = size, .height = size, .stride = (size_t)size * 4};
    MUST(draw_planes(renderer, scene, 0, out->color, out->depth, &err), err);
    MUST(zt_render(renderer, scene, 0, &image, &err), err);
}

/// Pixel `at` of `small` is the mean of those of `large` from pixel `first` on.
static void check_pixel(const drawn *small, size_t at, const drawn *large, size_t first)
{
    const int32_t factor = large->size / small->size, count = factor * factor;
    double light[4] = {0}, sum[3] = {0}, alpha = 0;
    float depth = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        const size_t from = first + (size_t)(i / factor * large->size + i % factor);
        const uint8_t *code = &large->rgba8[4 * from];
        depth = fminf(depth, large->depth[from]);
        alpha += code[3];
        for (int c = 0; c < 3; c++)
            sum[c] += srgb_decode(code[c] / 255.0) * code[3];
        for (int c = 0; c < 4; c++)
            light[c] += (double)large->color[4 * from + (size_t)c] / count;
    }
    const uint8_t *code = &small->rgba8[4 * at];
    for (int c = 0; c < 4; c++)
        cr_assert_float_eq((double)small->color[4 * at + (size_t)c], light[c],
                           1e-6 * (1 + light[c]));
    for (int c = 0; c < 3 && alpha > 0; c++)
        cr_assert(srgb_decode((code[c] - 0.501) / 255.0) <= sum[c] / alpha &&
                  srgb_decode((code[c] + 0.501) / 255.0) >= sum[c] / alpha);
    cr_assert_leq(fabs(code[3] - alpha / count), 0.5);
    cr_assert_eq(small->depth[at], depth);
}

Test(supersample, is_the_mean_of_the_larger_picture)
{
    static drawn small, large;
    static const char *const files[] = {"tests/figure.yaml", "tests/veils.yaml",
                                        "tests/shadow_catcher.yaml"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        for (int32_t factor = 2; factor <= 4; factor *= 2) {
            draw(files[f], LARGE, 1, &large);
            draw(files[f], LARGE / factor, factor, &small);
            for (size_t at = 0; at < (size_t)small.size * (size_t)small.size; at++) {
                const size_t y = at / (size_t)small.size, x = at % (size_t)small.size;
                check_pixel(&small, at, &large, (size_t)factor * (y * LARGE + x));
            }
        }
}

enum { FACTOR = 4, COARSE = 5 };

/// Fills fine planes with numbers: each channel of each pixel has one of its own.
static void fill(const picture_planes *fine)
{
    uint32_t number = 1;
    for (int p = 0; p < PLANE_COUNT; p++)
        for (int32_t i = 0; i < fine->width * fine->height; i++)
            for (int c = 0; c < picture_plane_table[p].kind.channels; c++)
                picture_plane_at(fine, (picture_plane)p, i % fine->width, i / fine->width)[c] =
                    (float)(number = (number * 1103515245u + 12345u) % 65536u);
}

/// The value of a pixel by the rule of its plane, from the fine ones.
static double reduced(const picture_planes *fine, picture_plane plane, int32_t x, int32_t y, int c)
{
    double sum = 0.0, nearest = (double)INFINITY, of_nearest = 0.0;
    for (int i = 0; i < FACTOR * FACTOR; i++) {
        const int32_t fx = x * FACTOR + i % FACTOR, fy = y * FACTOR + i / FACTOR;
        const double depth = (double)*picture_plane_at(fine, PLANE_DEPTH, fx, fy);
        const double value = (double)picture_plane_at(fine, plane, fx, fy)[c];
        of_nearest = depth < nearest ? value : of_nearest;
        nearest = fmin(nearest, depth);
        sum += value;
    }
    return picture_plane_table[plane].kind.nearest ? of_nearest : sum / (FACTOR * FACTOR);
}

/// Of Cryptomatte, whose numbers in `fill` are all of different names, the largest of 96 shares: a
/// list holds fewer.
static double reduced_matte(const picture_planes *fine, picture_plane plane, int32_t x, int32_t y,
                            int c)
{
    double below = (double)INFINITY, id = 0.0, share = 0.0;
    for (int rank = 0; rank <= c / 2; rank++, below = share) {
        share = 0.0;
        for (int i = 0; i < FACTOR * FACTOR * 6; i++) {
            const float *pair = picture_plane_at(fine, plane, x * FACTOR + i / 6 % FACTOR,
                                                 y * FACTOR + i / 6 / FACTOR) +
                                i % 6 * 2;
            const double own = (double)pair[1] / (FACTOR * FACTOR);
            if (own > share && own < below) {
                share = own;
                id = (double)pair[0];
            }
        }
    }
    return c % 2 ? share : id;
}

/// A plane that nobody reduced would keep the words of fresh memory.
Test(supersample, every_plane_of_the_table_is_reduced)
{
    OWN_MEMORY(a, (uint64_t)1 << 20);
    picture_planes fine, out;
    const uint32_t all = (1u << PLANE_COUNT) - 1u;
    MUST(picture_planes_init(&fine, all, FACTOR * COARSE, FACTOR * COARSE, &a, &err), err);
    cr_assert_eq(picture_planes_init(&out, all, COARSE, COARSE, &a, &err), ZT_OK);
    fill(&fine);
    supersample_reduce(&fine, FACTOR, NULL, NULL, &out);
    for (int p = 0; p < PLANE_COUNT; p++)
        for (int32_t i = 0; i < COARSE * COARSE; i++)
            for (int c = 0; c < picture_plane_table[p].kind.channels; c++) {
                const int32_t x = i % COARSE, y = i / COARSE;
                const double got = (double)picture_plane_at(&out, (picture_plane)p, x, y)[c];
                const double want = PICTURE_PLANES_CRYPTO >> p & 1
                                        ? reduced_matte(&fine, (picture_plane)p, x, y, c)
                                        : reduced(&fine, (picture_plane)p, x, y, c);
                cr_assert_eq(got, want, "%s: %d, %d", picture_plane_table[p].kind.name, (int)x,
                             (int)y);
            }
}

/// A plane of the nearest sample needs the depth of the larger picture, too.
Test(supersample, what_is_nearest_is_known_by_depth)
{
    for (int p = 0; p < PLANE_COUNT; p++) {
        const uint32_t set = supersample_planes(1u << p);
        cr_expect_eq(set >> PLANE_DEPTH & 1u, picture_plane_table[p].kind.nearest, "%d", p);
        cr_expect(set >> p & 1u);
    }
}

static uint64_t thumbnail_hash(int32_t side, int32_t factor, int32_t samples)
{
    zt_shot_def shot = sized_shot(side, 16);
    shot.thumbnail = true;
    shot.supersample = factor;
    shot.samples = samples;
    OWN_SCENE *scene = load_scene(ZT_SOURCE_DIR "/scenes/models/walker.glb", &shot);
    OWN_IMAGE image = draw_frame(NULL, scene, 0);
    return zt_image_hash(&image);
}

Test(supersample, small_thumbnails_are)
{
    cr_assert_eq(thumbnail_hash(320, 0, 0), thumbnail_hash(320, 2, 4));
    cr_assert_neq(thumbnail_hash(320, 0, 0), thumbnail_hash(320, 1, 4));
    cr_assert_eq(thumbnail_hash(321, 0, 0), thumbnail_hash(321, 1, 4));
    cr_assert_eq(thumbnail_hash(65, 0, 0), thumbnail_hash(65, 2, 4));
    cr_assert_eq(thumbnail_hash(64, 0, 0), thumbnail_hash(64, 4, 1));
    cr_assert_eq(thumbnail_hash(64, 0, 4), thumbnail_hash(64, 4, 4));
}

/// The mean light of white slats finer than a pixel on black, in the middle of a thumbnail.
static double slats_light(int32_t side)
{
    zt_shot_def shot = sized_shot(side, side);
    shot.thumbnail = true;
    shot.look = "albedo";
    shot.background = "black";
    shot.azimuth_deg = shot.elevation_deg = 0.0;
    OWN_SCENE *scene = load_scene(test_file("slats.obj"), &shot);
    OWN_IMAGE image = draw_frame(NULL, scene, 0);
    double sum = 0.0;
    for (int32_t y = side / 4; y < 3 * side / 4; y++)
        for (int32_t x = side / 4; x < 3 * side / 4; x++)
            sum += srgb_decode(image.rgba8[4 * (y * side + x)] / 255.0);
    return sum / ((3 * side / 4 - side / 4) * (3 * side / 4 - side / 4));
}

/// At every factor they are half as light as white, and where it changes within 3 codes.
Test(supersample, averages_light, .init = test_folder_make, .fini = test_folder_remove_all)
{
    static char text[1 << 15];
    for (int i = 0, at = 0; i < 457; i += 2)
        at += snprintf(text + at, 128,
                       "v %d 0 0 1 1 1\nv %d 0 0 1 1 1\nv %d 457 0 1 1 1\nv %d 457 0 1 1 1\n"
                       "f -4 -3 -2 -1\n",
                       i, i + 1, i + 1, i);
    test_folder_write("slats.obj", text);
    for (int32_t side = 64; side <= 512; side *= 2)
        cr_expect(fabs(slats_light(side) - 0.5) < 0.04, "%d: %f", (int)side, slats_light(side));
    cr_expect_leq(fabs(slats_light(320) - slats_light(321)), 0.025);
}

Test(supersample, what_cannot_be_is_refused)
{
    zt_shot_def shot = zt_default_shot_def();
    OWN_SCENE *scene = load_scene(FIGURE_SCENE, NULL);
    shot.supersample = 3;
    cr_assert_eq(zt_scene_apply(scene, &shot, &err), ZT_ERR_ARGUMENT);
    cr_assert_str_eq(err.message, "supersample 3 (expected 1, 2 or 4)");
    shot.supersample = 4;
    shot.width = 5000;
    shot.height = 8;
    cr_assert_eq(zt_scene_apply(scene, &shot, &err), ZT_OK);
    OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_BEST);
    OWN_IMAGE image = make_image(5000, 8);
    cr_assert_eq(zt_render(renderer, scene, 0, &image, &err), ZT_ERR_LIMIT);
    cr_assert_str_eq(err.message, "size 5000x8 with supersample 4 (expected 1 to 4096 a side)");
}
