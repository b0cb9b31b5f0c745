// SPDX-License-Identifier: MIT
/// Frames of an open shutter and an open lens: blur against exact areas over time, the opening that
/// a point out of focus shows, and what a mean of sub-frames must leave as it is. Sequences, data
/// planes and cancellation with blur are in the tests of these.
#include "base/color_text.h"
#include "base/maths.h"
#include "drawing.h"
#include "render/subframes.h"
#include "test_folder.h"

enum { SIDE = 48, PIXELS = SIDE * SIDE, MIDDLE = 12, STEPS = 512, ROWS = 32 };

static zt_error err;

TestSuite(blur, .init = test_folder_make, .fini = test_folder_remove_all, .timeout = 600);

// ---- Flat shapes, and the exact mean of the light that they give --------------------------------

/// Quads in pixels from the middle of the picture, y up.
typedef struct flat_shape {
    int count;
    double corner[20][4][2];
} flat_shape;

typedef struct flat_motion {
    double turn_deg, move[2]; ///< over the open time
    double phase;             ///< in open times
} flat_motion;

static void turn(const double from[2], double deg, double out[2])
{
    const double s = sin(deg * MATHS_RAD_FROM_DEG), c = cos(deg * MATHS_RAD_FROM_DEG);
    out[0] = c * from[0] - s * from[1];
    out[1] = s * from[0] + c * from[1];
}

/// Appends a rectangle from (x, y) on, turned about the middle.
static void add_quad(flat_shape *s, double x, double y, double width, double height, double deg)
{
    for (int k = 0; k < 4; k++)
        turn((const double[2]){x + (k % 3 ? width : 0.0), y + k / 2 * height}, deg,
             s->corner[s->count][k]);
    s->count++;
}

/// Every other square of so many in a row.
static flat_shape squares(int count, double size)
{
    flat_shape s = {0};
    for (int i = 0; i < count * count; i += 2) {
        const int x = (i + i / count % 2 * !(count % 2)) % count;
        add_quad(&s, (x - 0.5 * count) * size, (i / count - 0.5 * count) * size, size, size, 0.0);
    }
    return s;
}

static flat_shape wheel(void)
{
    flat_shape s = {0};
    for (int i = 0; i < 5; i++)
        add_quad(&s, 3.0, -1.5, 19.0, 3.0, 72.0 * i);
    return s;
}

/// Writes a model of quads in metres of 24 pixels, at z = 0, of a material.
static const char *write_shape(const char *name, flat_shape s, const char *material)
{
    float position[20 * 6][3] = {{0}};
    for (int i = 0; i < 6 * s.count; i++)
        for (int k = 0; k < 2; k++)
            position[i][k] = (float)(s.corner[i / 6]["012023"[i % 6] - '0'][k] / 24.0);
    PRINTED(json, 2048,
            "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0,"
            "'name':'flat'}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'material':0}]}]"
            ",'extensionsUsed':['KHR_materials_unlit','KHR_materials_emissive_strength'],"
            "'materials':[{'doubleSided':true,%s}],'buffers':[{'byteLength':%d}],"
            "'bufferViews':[<%d>],'accessors':[<0 float VEC3 %d,'min':[-1,-1,0],'max':[1,1,0]>]}",
            material, 72 * s.count, 72 * s.count, 6 * s.count);
    return test_folder_glb(name, json, position, sizeof position);
}

#define WHITE "'extensions':{'KHR_materials_unlit':{}}"

/// The part of a line that lies in each pixel, times `share`. `y`: from the lower edge.
static void add_line(const double quad[4][2], double y, double share, double *sum)
{
    double low = SIDE, high = 0.0;
    for (int k = 0; k < 4; k++) {
        const double *a = quad[k], *b = quad[(k + 1) % 4];
        if ((a[1] < y) == (b[1] < y))
            continue;
        const double x = a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    for (int x = (int)fmax(low, 0.0); x < high && x < SIDE; x++)
        sum[(SIDE - 1 - (int)y) * SIDE + x] += share * (fmin(high, x + 1) - fmax(low, x));
}

/// The mean over the open time and the area of each pixel: by many lines, exact along them.
static void exact_mean(const flat_shape *s, flat_motion m, double *sum)
{
    memset(sum, 0, PIXELS * sizeof *sum);
    for (int i = 0; i < STEPS * s->count; i++) {
        const int step = i % STEPS;
        const double u = (step + 0.5) / STEPS - 0.5 + m.phase, first = fmod(0.618034 * step, 1.0);
        double quad[4][2];
        for (int k = 0; k < 4; k++) {
            turn(s->corner[i / STEPS][k], m.turn_deg * u, quad[k]);
            for (int c = 0; c < 2; c++)
                quad[k][c] += m.move[c] * u + SIDE / 2;
        }
        for (int row = 0; row < SIDE * ROWS; row++)
            add_line((const double(*)[2])quad, (row + first) / ROWS, 1.0 / (ROWS * STEPS), sum);
    }
}

// ---- The shutter --------------------------------------------------------------------------------

/// A shape in the middle at frame MIDDLE of 24 a second, of which half is open. `behind`: models.
static zt_scene *moving(const char *behind, const char *file, flat_motion m, const char *output)
{
    const double s = 1.0 / 24.0; // half a second is 24 open times
    return load_scene_text(
        "output: { size: [%d, %d], fps: 24, frames: 0-23, background: transparent, tone_map: "
        "linear, shutter: { angle: 180, phase: %g }, %s }\n"
        "models:\n%s  - file: %s\n    transform:\n"
        "      translate: [[0, [%.17g, %.17g, 0]], [1, [%.17g, %.17g, 0]]]\n"
        "      rotate: [[0, [0, 0, %.17g]], [1, [0, 0, %.17g]]]\n"
        "camera: { look_at: { position: [0, 0, 9], target: [0, 0, 0] }, orthographic: 2 }\n",
        SIDE, SIDE, m.phase, output, behind, file, -24.0 * s * m.move[0], -24.0 * s * m.move[1],
        24.0 * s * m.move[0], 24.0 * s * m.move[1], -24.0 * m.turn_deg, 24.0 * m.turn_deg);
}

/// Alpha: at 256 sub-frames within 1.55 codes, but for rounding; at `auto` within 2 % in the mean.
Test(blur, of_motion_is_the_mean_over_time)
{
    static const struct {
        bool turns;
        flat_motion motion;
        int32_t supersample, samples;
    } rows[] = {
        {true, {20.0, {0.0, 0.0}, 0.0}, 1, 4},     {true, {20.0, {0.0, 0.0}, 0.0}, 1, 16},
        {true, {72.0, {0.0, 0.0}, 0.0}, 1, 16},    {true, {-7.0, {3.0, -1.0}, 0.5}, 2, 4},
        {true, {40.0, {0.0, 0.0}, 0.0}, 1, 1},     {false, {0.0, {0.3, 0.0}, 0.5}, 1, 16},
        {false, {0.0, {1.0, 0.0}, -0.5}, 1, 4},    {false, {0.0, {0.0, 1.0}, 0.0}, 1, 16},
        {false, {0.0, {1.0, 1.0}, 0.5}, 2, 4},     {false, {0.0, {5.0, 0.0}, 0.5}, 1, 16},
        {false, {0.0, {0.0, 5.0}, 0.0}, 1, 4},     {false, {0.0, {5.0, 5.0}, -0.5}, 1, 16},
        {false, {0.0, {23.0, 0.0}, 0.0}, 1, 4},    {false, {0.0, {0.0, 23.0}, 0.5}, 1, 16},
        {false, {0.0, {-23.0, 23.0}, 0.0}, 1, 16},
    };
    static double exact[PIXELS];
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const flat_shape shape = rows[i / 2].turns ? wheel() : squares(6, 6.0);
        double worst = 0.0, sum = 0.0;
        PRINTED(output, 128, "samples: %d, supersample: %d, subframes: %s",
                (int)rows[i / 2].samples, (int)rows[i / 2].supersample, i % 2 ? "auto" : "256");
        OWN_SCENE *scene =
            moving("", write_shape("flat.glb", shape, WHITE), rows[i / 2].motion, output);
        OWN_IMAGE image = draw_frame(NULL, scene, MIDDLE);
        exact_mean(&shape, rows[i / 2].motion, exact);
        for (int k = 0; k < PIXELS; k++) {
            const double off = fabs(image.rgba8[4 * k + 3] - 255.0 * exact[k]);
            worst = fmax(worst, off);
            sum += off;
        }
        cr_expect_leq(worst, i % 2 ? 255.0 : 2.05, "%zu, %s: %g", i / 2, output, worst);
        cr_expect_leq(sum, 0.02 * 255.0 * PIXELS, "%zu, %s: %g", i / 2, output, sum);
    }
}

// ---- The lens -----------------------------------------------------------------------------------

/// A pixel of what is 4 m away is a unit of shapes: the focal length is 4 half heights. A circle
/// of confusion has the radius 96 * radius of the lens * |1 / focus - 1 / 4|.
static zt_scene *seen_by_lens(flat_shape shape, const char *lens, const char *subframes)
{
    PRINTED(file, 600, "%s", write_shape("seen.glb", shape, WHITE));
    return load_scene_text(
        "output: { size: [%d, %d], background: transparent, tone_map: linear, subframes: %s }\n"
        "models:\n  - { file: %s }\n"
        "  - { name: mark, file: %s, transform: { translate: [60, 0, 2] } }\n"
        "  - { name: behind, file: %s, transform: { translate: [0, 0, 5] } }\n"
        "camera: { look_at: { position: [0, 0, 4], target: [0, 0, 0] }, fov: %.17g, %s }\n",
        SIDE, SIDE, subframes, file, file, file, 2.0 * atan(0.25) * MATHS_DEG_FROM_RAD, lens);
}

/// A square of one pixel becomes a disc or a polygon with as much light: by its moments, of which
/// that of as many folds as corners says where these are.
Test(blur, of_the_lens_is_its_opening)
{
    static const struct {
        const char *lens;
        double radius, turn_deg; ///< of the circle in pixels; below 0: upside down
        int blades;
    } rows[] = {
        {"aperture: 0.35, focus: 2", 8.4, 0.0, 0},
        {"aperture: 0.7, focus: 8", -8.4, 0.0, 0},
        {"aperture: 0.1, focus: [7, -3, 2]", 2.4, 0.0, 0},
        {"aperture: 0.35, focus: { model: mark, bone: flat }", 8.4, 0.0, 0},
        {"aperture: { f_stop: 2, sensor: 0.5 }, focus: 2", 6.0, 0.0, 0},
        {"aperture: { f_stop: 0.1 }, focus: 2", 5.76, 0.0, 0},
        {"aperture: 0.35, focus: 2, blades: 3", 8.4, 0.0, 3},
        {"aperture: 0.7, focus: 8, blades: { count: 3, turn: 20 }", -8.4, 20.0, 3},
        {"aperture: 0.7, focus: 8, blades: { count: 5, turn: -10 }", -8.4, -10.0, 5},
        {"aperture: 0.35, focus: 2, blades: { count: 6, turn: 15 }", 8.4, 15.0, 6},
        {"aperture: 1, focus: { model: behind, bone: flat }", -1e9, 0.0, 0},
    };
    static float color[PIXELS][4];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double blades = rows[i].blades, wanted = rows[i].radius;
        OWN_SCENE *scene = seen_by_lens(squares(1, 1.0), rows[i].lens, "256");
        OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
        double light = 0.0, moment = 0.0, along = 0.0, across = 0.0;
        const zt_result result = draw_planes(renderer, scene, 0, color[0], NULL, &err);
        if (wanted == -1e9) {
            cr_expect_eq(result, ZT_ERR_ARGUMENT);
            SAYS(err.message, "the focus is behind the eye (");
            continue;
        }
        MUST(result, err);
        for (int k = 0; k < PIXELS; k++) {
            const double x = k % SIDE + 0.5 - SIDE / 2, y = SIDE / 2 - 0.5 - k / SIDE;
            const double share = (double)color[k][0], side = copysign(1.0, wanted);
            const double a =
                blades * (atan2(side * x, side * y) - rows[i].turn_deg * MATHS_RAD_FROM_DEG);
            light += share;
            moment += share * (x * x + y * y);
            along += share * pow(hypot(x, y), blades) * cos(a);
            across += share * pow(hypot(x, y), blades) * sin(a);
        }
        const double part = blades > 0.0 ? (2.0 + cos(2.0 * MATHS_PI / blades)) / 6.0 : 0.5;
        const double radius = sqrt(fmax(moment / light - 1.0 / 3.0, 0.0) / part); // less squares
        cr_expect_float_eq(light, 1.0, 0.02, "%s: %g", rows[i].lens, light);
        cr_expect_float_eq(radius, fabs(wanted), 0.2, "%s: %g", rows[i].lens, radius);
        cr_expect(fabs(across) < 0.2 * along, "%s: %g, %g", rows[i].lens, along, across);
    }
}

/// Squares of six pixels in the plane of focus are as sharp as without a lens, but for their edges.
Test(blur, leaves_the_plane_of_focus_sharp)
{
    OWN_SCENE *without = seen_by_lens(squares(6, 6.0), "focus: auto", "1");
    OWN_SCENE *with = seen_by_lens(squares(6, 6.0), "focus: auto, aperture: 0.35", "64");
    OWN_IMAGE sharp = draw_frame(NULL, without, 0);
    OWN_IMAGE open = draw_frame(NULL, with, 0);
    for (int k = 0; k < PIXELS; k++)
        if (k % SIDE % 6 % 5 > 0 && k / SIDE % 6 % 5 > 0)
            cr_expect(abs(open.rgba8[4 * k + 3] - sharp.rgba8[4 * k + 3]) <= 2, "%d", k);
}

// ---- What is averaged ---------------------------------------------------------------------------

/// A lamp that passes in a sixteenth of the open time is as bright as a sixteenth of its light,
/// four stops less: it is not the grey that the mean of display colours is.
Test(blur, keeps_the_light_of_lamps)
{
    PRINTED(dark, 700, "  - { file: %s, transform: { translate: [0, 0, -1] } }\n",
            write_shape("dark.glb", squares(1, 48.0),
                        "'pbrMetallicRoughness':{'baseColorFactor':[0.02,0.02,0.02,1]}"));
    const char *file =
        write_shape("lamp.glb", squares(1, 2.0),
                    "'pbrMetallicRoughness':{'baseColorFactor':[0,0,0,1]},'emissiveFactor':[1,1,1],"
                    "'extensions':{'KHR_materials_emissive_strength':{'emissiveStrength':64}}");
    OWN_SCENE *passing = moving(dark, file, (flat_motion){0.0, {32.0, 0.0}, 0.0}, "subframes: 256");
    OWN_SCENE *still = moving("", file, (flat_motion){0}, "subframes: 1");
    for (int32_t map = 0; zt_word_at(ZT_WORDS_TONE_MAP, map); map++) {
        zt_shot_def shot = zt_default_shot_def();
        shot.tone_map = zt_word_at(ZT_WORDS_TONE_MAP, map);
        MUST(zt_scene_apply(passing, &shot, &err), err);
        shot.exposure_ev = -4.0;
        MUST(zt_scene_apply(still, &shot, &err), err);
        OWN_IMAGE got = draw_frame(NULL, passing, MIDDLE);
        OWN_IMAGE want = draw_frame(NULL, still, MIDDLE);
        for (int k = 4 * (24 * SIDE + 12); k < 4 * (24 * SIDE + 36); k++)
            NEAR(got.rgba8[k], want.rgba8[4 * (24 * SIDE + 24) + k % 4], 4.5, "%s: %d",
                 shot.tone_map, k);
    }
}

/// The rest of alpha is the page's, which stays as it is where nothing moves; colour is straight.
Test(blur, mixes_with_any_page)
{
    static const char *const pages[] = {"transparent", "#000000", "#FFFFFF", "#203040"};
    static const double color[3] = {1.0, 0.25, 0.0};
    const char *file = write_shape(
        "flat.glb", wheel(), WHITE ",'pbrMetallicRoughness':{'baseColorFactor':[1,0.25,0,1]}");
    OWN_SCENE *scene = moving("", file, (flat_motion){25.0, {0.0, 0.0}, 0.0}, "subframes: 64");
    zt_image image[4];
    for (int i = 0; i < 4; i++) {
        zt_shot_def shot = zt_default_shot_def();
        shot.background = pages[i];
        MUST(zt_scene_apply(scene, &shot, &err), err);
        image[i] = draw_frame(NULL, scene, MIDDLE);
        for (int k = 0; k < 3 * PIXELS; k++) {
            const uint8_t *code = &image[i].rgba8[4 * (k / 3)];
            const double alpha = image[0].rgba8[4 * (k / 3) + 3] / 255.0;
            const double page = i ? srgb_decode(image[i].rgba8[k % 3] / 255.0) : color[k % 3];
            const double want = color[k % 3] * alpha + page * (1.0 - alpha);
            if (alpha > 0.0)
                NEAR(code[k % 3], 255.0 * srgb_encode(want), 1.01, "%s: %d", pages[i], k);
            else
                cr_assert_arr_eq(code, image[i].rgba8, 4);
        }
    }
    for (int i = 0; i < 4; i++)
        zt_image_finish(&image[i]);
}

/// Turntables turn between frames; `auto` counts by motion and circles in pixels.
Test(blur, of_turntables_and_automatic_counts)
{
    OWN_SCENE *scene = load_scene_text("models: [ { shape: box } ]\n");
    zt_shot_def def = zt_default_shot_def();
    double azimuth_deg[2], elevation_deg;
    def.turntable_count = 10;
    MUST(zt_scene_apply(scene, &def, &err), err);
    const frame_time at = scene_frame_time(scene, 3);
    const double half_s = 0.5 * scene->fps_denominator / scene->fps_numerator;
    scene_orbit_angles(scene, at, &azimuth_deg[0], &elevation_deg);
    scene_orbit_angles(scene, subframe_time(scene, at, at.shot_s + half_s), &azimuth_deg[1],
                       &elevation_deg);
    cr_expect_float_eq(azimuth_deg[1] - azimuth_deg[0], 18.0, 1e-9);
    cr_expect_eq(subframe_count_for(scene, 0.4, 0.4), 1);
    cr_expect_eq(subframe_count_for(scene, 0.6, 0.0), 16);
    cr_expect_eq(subframe_count_for(scene, 22.0, 0.0), 64);
    cr_expect_eq(subframe_count_for(scene, 0.0, 20.0), 128);
    cr_expect_eq(subframe_count_for(scene, 1000.0, 0.0), 256);
    for (int i = 0; i < 2; i++) { // a number of sub-frames alone blurs, but not what shows bones
        subframe_plan plan;
        scene->blur.subframes = 16;
        scene->look = i ? SCENE_LOOK_SKELETON : SCENE_LOOK_LIT;
        MUST(subframe_plan_make(scene, at, NULL, &plan, &err), err);
        cr_expect_eq(subframe_plan_blurs(&plan), i == 0);
    }
}
