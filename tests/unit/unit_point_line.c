// SPDX-License-Identifier: MIT
// Points and lines of glTF files on the screen: which pixels they cover, and with what. The camera
// is orthographic, and a pixel is a metre, unless a test says otherwise. Pictures are 200 x 120, so
// points are 3 pixels across and lines 1.5.
#include "../kernels/random_inputs.h"
#include "drawing.h"
#include "geometry/point_line_quads.h"
#include "test_folder.h"

enum { WIDTH = 200, HEIGHT = 120, POINTS = 0, LINES = 1 };

#define PARALLEL    "look_at: { position: [0, 0, 50], target: [0, 0, 0] }, orthographic: "
#define FROM_ORIGIN "look_at: { position: [0, 0, 0], target: [0, 0, -1] }, fov: 90, near: 0.5"

#define HALF_BLENDED                                                                               \
    "\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,1,1,0.5]}"

typedef struct vertex {
    float position[3], color[3];
} vertex;

/// World position of a position on the screen, in pixels from the top left corner.
static vertex at_pixel(double x, double y)
{
    return (vertex){{(float)(x - WIDTH / 2.0), (float)(HEIGHT / 2.0 - y), 0.0f},
                    {1.0f, 1.0f, 1.0f}};
}

/// Writes test_folder/model.glb, whose one primitive has these vertices in order.
static void write_model(const vertex *vertices, int count, int mode, bool colored,
                        const char *material)
{
    PRINTED(json, 2048,
            "{'asset':{'version':'2.0'},'scenes':[{'nodes':[0]}],'scene':0,"
            "'nodes':[{'mesh':0}],'buffers':[{'byteLength':%d}],"
            "'bufferViews':[<%d,'byteStride':24>],'accessors':[<0 float VEC3 %d,'min':[-1e3,-1e3,"
            "-1e3],'max':[1e3,1e3,1e3]>,<0+12 float VEC3 %d>],'materials':[{%s}],"
            "'meshes':[{'primitives':[{'mode':%d,"
            "'material':0,'attributes':{'POSITION':0%s}}]}]}",
            24 * count, 24 * count, count, count, material, mode, colored ? ",'COLOR_0':1" : "");
    test_folder_glb("model.glb", json, vertices, (size_t)count * sizeof *vertices);
}

/// Picture of the written model. Free it with zt_image_finish.
static zt_image picture_of(const char *camera, int32_t width, int32_t height, int32_t samples,
                           zt_isa isa, const char *look)
{
    OWN_SCENE *scene = load_scene_text(
        "output: { size: [%d, %d], samples: %d, background: transparent, look: %s }\n"
        "models: [ { name: a, file: %s/model.glb } ]\ncamera: { %s }\n",
        width, height, samples, look, test_folder, camera);
    OWN_RENDERER *renderer = make_renderer(1, isa);
    zt_image image = draw_frame(renderer, scene, 0);
    return image;
}

/// Samples that a picture covers; `out_pixels`: pixels that have any.
static int covered(const zt_image *image, int samples, int *out_pixels)
{
    int sum = 0;
    *out_pixels = 0;
    for (int32_t y = 0; y < image->height; y++)
        for (int32_t x = 0; x < image->width; x++) {
            const int alpha = image->rgba8[(size_t)y * image->stride + (size_t)x * 4 + 3];
            sum += (alpha * samples + 127) / 255;
            *out_pixels += alpha > 0;
        }
    return sum;
}

static int count_samples(const vertex *v, int count, int mode, const char *camera, int samples,
                         int *out_pixels)
{
    write_model(v, count, mode, true, "");
    OWN_IMAGE image = picture_of(camera, WIDTH, HEIGHT, samples, ZT_ISA_BEST, "lit");
    return covered(&image, samples, out_pixels);
}

TestSuite(point_line, .init = test_folder_make, .fini = test_folder_remove);

Test(point_line, points_cover_their_size)
{
    static const double places[][2] = {
        {30.5, 30.5}, {64.0, 64.0}, {64.5, 30.5}, {20.25, 64.75}, {127.9, 63.1}, {101.3, 17.7},
    };
    int pixels;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const vertex v = at_pixel(places[i][0], places[i][1]);
        cr_expect_eq(count_samples(&v, 1, POINTS, PARALLEL "120", 1, &pixels), 9);
        cr_expect_eq(pixels, 9);
        cr_expect_eq(count_samples(&v, 1, POINTS, PARALLEL "120", 16, &pixels), 9 * 16, "at %g, %g",
                     places[i][0], places[i][1]);
    }
    // Half of it beyond the border; a pixel beyond its reach.
    vertex v = at_pixel(0.0, 30.5);
    cr_expect_eq(count_samples(&v, 1, POINTS, PARALLEL "120", 16, &pixels), 9 * 16 / 2);
    v = at_pixel(-2.5, 30.5);
    cr_expect_eq(count_samples(&v, 1, POINTS, PARALLEL "120", 16, &pixels), 0);
    // 5 pixels of 1080.
    v = at_pixel(WIDTH / 2.0, HEIGHT / 2.0);
    write_model(&v, 1, POINTS, true, "");
    OWN_IMAGE image = picture_of(PARALLEL "1080", 1200, 1080, 1, ZT_ISA_BEST, "lit");
    cr_expect_eq(covered(&image, 1, &pixels), 25);
    // Points alone are larger: of a bare model, a fortieth of 720.
    zt_shot_def shot = zt_default_shot_def();
    shot.background = "transparent";
    OWN_SCENE *bare = load_scene(test_file("model.glb"), &shot);
    OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_BEST);
    OWN_IMAGE alone = draw_frame(renderer, bare, 0);
    covered(&alone, 1, &pixels);
    cr_expect_eq(pixels, 18 * 18);
    cr_expect_eq(point_line_widths_of(&(screen_view){0}, 1920, 1080, 400).point_half, 1728);
}

Test(point_line, lines_have_their_width_and_reach_beyond_their_ends)
{
    static const double ends[][4] = {
        {40.5, 64.5, 140.5, 64.5}, {63.7, 20.1, 63.7, 110.9}, {30.3, 20.2, 150.9, 99.1},
        {30.3, 99.9, 36.1, 10.2},  {99.1, 50.7, 64.0, 64.0},
    };
    int pixels;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const double *e = ends[i];
        const vertex v[2] = {at_pixel(e[0], e[1]), at_pixel(e[2], e[3])};
        const double want = (hypot(e[2] - e[0], e[3] - e[1]) + 1.5) * 1.5;
        const int got = count_samples(v, 2, LINES, PARALLEL "120", 16, &pixels);
        NEAR(got / 16.0, want, 0.02 * want, "pixels of line %zu", i);
    }
    // One sample: whole pixels without a gap.
    const vertex level[2] = {at_pixel(40.5, 64.5), at_pixel(140.5, 64.5)};
    cr_expect_eq(count_samples(level, 2, LINES, PARALLEL "120", 1, &pixels), 101);
    // Without a length it is a square of its width.
    const vertex dot[2] = {at_pixel(64.0, 64.0), at_pixel(64.0, 64.0)};
    const int got = count_samples(dot, 2, LINES, PARALLEL "120", 16, &pixels);
    cr_expect(abs(got - 36) <= 4, "%d samples, not 1.5 x 1.5 x 16", got);
}

/// A line from in front of the camera to behind it is that to the border of the picture.
Test(point_line, lines_are_clipped_at_the_near_plane)
{
    const vertex through[2] = {{{0.0f, 0.0f, -10.0f}, {1, 1, 1}}, {{4.0f, 1.0f, 10.0f}, {1, 1, 1}}};
    vertex front[2] = {through[0], through[0]};
    for (int k = 0; k < 3; k++) // at z = -0.6
        front[1].position[k] += 0.47f * (through[1].position[k] - through[0].position[k]);
    int pixels;
    const int got = count_samples(through, 2, LINES, FROM_ORIGIN, 16, &pixels);
    const int want = count_samples(front, 2, LINES, FROM_ORIGIN, 16, &pixels);
    cr_expect(want > 100 * 16 && abs(got - want) < want / 100, "%d samples, not %d", got, want);
    const vertex turned[2] = {through[1], through[0]};
    cr_expect_eq(count_samples(turned, 2, LINES, FROM_ORIGIN, 16, &pixels), got);
    const vertex behind[2] = {{{0.0f, 0.0f, 1.0f}, {1, 1, 1}}, {{4.0f, 1.0f, 9.0f}, {1, 1, 1}}};
    cr_expect_eq(count_samples(behind, 2, LINES, FROM_ORIGIN, 16, &pixels), 0);
    cr_expect_eq(count_samples(behind, 2, POINTS, FROM_ORIGIN, 16, &pixels), 0);
}

/// Without light: base colour plus emission; grey in the look clay, dark as a wire.
Test(point_line, emission_is_added_and_looks_apply)
{
    const vertex v = at_pixel(WIDTH / 2.0, HEIGHT / 2.0);
    static const struct {
        const char *look;
        double linear[3];
    } cases[] = {
        {"lit", {0.75, 0.25, 0.5}},
        {"albedo", {0.25, 0.25, 0.5}},
        {"clay", {0.5, 0.5, 0.5}},
        {"wireframe", {0.01, 0.01, 0.01}},
    };
    write_model(&v, 1, POINTS, false,
                "\"emissiveFactor\":[0.5,0,0],\"pbrMetallicRoughness\":"
                "{\"baseColorFactor\":[0.25,0.25,0.5,1]}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWN_IMAGE image = picture_of(PARALLEL "120", WIDTH, HEIGHT, 1, ZT_ISA_BEST, cases[i].look);
        const uint8_t *p = image.rgba8 + (HEIGHT / 2) * image.stride + (size_t)(WIDTH / 2) * 4;
        for (int k = 0; k < 3; k++)
            cr_expect(abs(p[k] - code_of(cases[i].linear[k])) <= 1, "%s: %d, not %d", cases[i].look,
                      p[k], code_of(cases[i].linear[k]));
    }
}

/// Colours vary in space, not on the screen. Without light: base times vertex, plus emission.
Test(point_line, colours_are_interpolated_in_perspective)
{
    static const vertex v[2] = {{{-2.0f, 0.0f, -2.5f}, {1.0f, 0.0f, 0.0f}},
                                {{6.0f, 0.0f, -10.0f}, {0.0f, 1.0f, 0.0f}}};
    write_model(v, 2, LINES, true,
                "\"emissiveFactor\":[0,0,0.25],\"pbrMetallicRoughness\":"
                "{\"baseColorFactor\":[1,0.5,1,1]}");
    for (int flipped = 0; flipped < 2; flipped++) {
        const vertex turned[2] = {v[1], v[0]};
        if (flipped)
            write_model(turned, 2, LINES, true,
                        "\"emissiveFactor\":[0,0,0.25],\"pbrMetallicRoughness\":"
                        "{\"baseColorFactor\":[1,0.5,1,1]}");
        OWN_IMAGE image = picture_of(FROM_ORIGIN, WIDTH, HEIGHT, 1, ZT_ISA_BEST, "lit");
        for (int i = 1; i < 8; i++) {
            const double t = i / 8.0, x = -2.0 + 8.0 * t, z = 2.5 + 7.5 * t;
            const int column = (int)(WIDTH / 2.0 + x / z * HEIGHT / 2.0);
            // The parameter at the centre of this pixel.
            const double slope = (column + 0.5 - WIDTH / 2.0) * 2.0 / HEIGHT;
            const double s = (2.5 * slope + 2.0) / (8.0 - 7.5 * slope);
            const uint8_t *p = image.rgba8 + (HEIGHT / 2) * image.stride + (size_t)column * 4;
            cr_expect(abs(p[0] - code_of(1.0 - s)) <= 1 && abs(p[1] - code_of(0.5 * s)) <= 1 &&
                          p[2] == code_of(0.25),
                      "at %d: %d %d %d, not %d %d %d", column, p[0], p[1], p[2], code_of(1.0 - s),
                      code_of(0.5 * s), code_of(0.25));
        }
    }
}

Test(point_line, instruction_sets_agree)
{
    enum { COUNT = 3000 / ZT_RANDOM_SHARE };
    OWN_BLOCK vertex *v = malloc(COUNT * sizeof *v);
    uint32_t state = 1;
    for (size_t i = 0; i < COUNT; i++)
        for (int k = 0; k < 6; k++) {
            state = state * 1664525u + 1013904223u;
            const float unit = (float)(state >> 8) / 16777216.0f;
            (&v[i].position[0])[k] = k < 3 ? 8.0f * unit - 4.0f : unit;
        }
    for (int mode = POINTS; mode <= LINES; mode++)
        for (int alpha = 0; alpha < 3; alpha++) {
            static const char *const alphas[] = {"", "\"alphaMode\":\"MASK\"", HALF_BLENDED};
            write_model(v, COUNT, mode, true, alphas[alpha]);
            uint64_t hash = 0;
            for (int isa = 0; isa < (int)ZT_ISA_COUNT; isa++) {
                OWN_IMAGE image = picture_of(FROM_ORIGIN, WIDTH, HEIGHT, 4, (zt_isa)isa, "lit");
                cr_expect(isa == 0 || zt_image_hash(&image) == hash, "mode %d: isa %d", mode, isa);
                hash = zt_image_hash(&image);
            }
        }
}

/// Quads that are drawn already are dropped, but not those that are nearer or elsewhere.
Test(point_line, quads_that_change_nothing_are_dropped)
{
    static quad_cache cache;
    static screen_vertices points, quads;
    static const uint8_t corner[3][16] = {
        {0, 0, 1, 2, 3, 0}, {0, 0, 1, 2, 3, 0}, {0, 0, 1, 2, 3, 0}};
    static const bool kept[6] = {true, false, false, true, true, false};
    const uint8_t *const corners[3] = {corner[0], corner[1], corner[2]};
    const point_line_widths widths = {.point_half = 384, .point_scale = 1.0f};
    const float depths[4] = {0.5f, 0.25f, 0.75f, 0.5f};
    for (int i = 0; i < 4; i++) { // one place, at three depths; then elsewhere
        points.sx[i] = i < 3 ? 1000 : 1001;
        points.sy[i] = 2000;
        points.depth[i] = depths[i];
    }
    const view_transform transform = {.near_w = 0.1f};
    point_line_quads(&transform, &widths, false, &points, corners, 0, 6, &quads);
    quad_cache_drop(&cache, &quads);
    for (int i = 0; i < QUADS; i++)
        cr_expect_eq(quads.outcode[4 * i] == 0, i < 6 && kept[i], "quad %d", i);
    cr_expect(quads.sx[0] == 1000 - 384 && quads.sx[2] == 1000 + 384);
}
