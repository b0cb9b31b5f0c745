// SPDX-License-Identifier: MIT
/// The planes of a frame describe the samples of the picture; none depends on the others.
#include "drawing.h"
#include "image/picture.h"

enum { SIZE = 64 };

static zt_error err;

static zt_scene *load_test(const char *file, int32_t samples, const char *tone_map)
{
    zt_shot_def shot = sized_shot(SIZE, SIZE);
    shot.samples = samples;
    shot.tone_map = tone_map;
    shot.background = "transparent";
    PRINTED(path, 512, "%s/scenes/%s", ZT_SOURCE_DIR, file);
    return load_scene(path, &shot);
}

typedef struct drawn {
    float color[SIZE][SIZE][4], depth[SIZE][SIZE];
    uint8_t rgba8[SIZE][SIZE][4];
} drawn;

enum { COLOR = 1, DEPTH = 2, PICTURE = 4 };

static void draw(const zt_scene *scene, int32_t threads, zt_isa isa, unsigned wanted, drawn *out)
{
    OWN_RENDERER *renderer = make_renderer(threads, isa);
    memset(out, 0xa5, sizeof *out);
    const zt_image image = {
        .rgba8 = out->rgba8[0][0], .width = SIZE, .height = SIZE, .stride = SIZE * 4};
    if (wanted & (COLOR | DEPTH))
        MUST(draw_planes(renderer, scene, 0, wanted & COLOR ? out->color[0][0] : NULL,
                         wanted & DEPTH ? out->depth[0] : NULL, &err),
             err);
    if (wanted & PICTURE)
        MUST(zt_render(renderer, scene, 0, &image, &err), err);
}

/// A pixel has a depth exactly where it has colour, at one sample and at four.
Test(planes, depth_where_there_is_colour)
{
    static drawn d;
    static const char *const files[] = {"tests/figure.yaml", "tests/orthographic.yaml",
                                        "tests/alpha_mask.yaml", "walk.yaml"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        for (int32_t samples = 1; samples <= 4; samples *= 4) {
            OWN_SCENE *scene = load_test(files[f], samples, NULL);
            int count = 0;
            draw(scene, 2, ZT_ISA_BEST, COLOR | DEPTH | PICTURE, &d);
            for (int i = 0; i < SIZE * SIZE; i++) {
                const int y = i / SIZE, x = i % SIZE;
                const bool covered = d.rgba8[y][x][3] > 0;
                cr_assert_eq(isfinite(d.depth[y][x]) && d.depth[y][x] > 0.0f, covered,
                             "%s %d: pixel %d, %d", files[f], (int)samples, x, y);
                cr_assert(covered || (isinf(d.depth[y][x]) && d.color[y][x][3] == 0.0f));
                count += covered;
            }
            cr_assert(count > 50, "%s: %d pixels", files[f], count);
        }
    }
}

/// Without a tone map, over black, one stop more is twice the light where no code is cut: also of
/// glass, with highlights that are brighter than what they cover. Both codes are rounded: by half
/// of one, and by 2 / 2^(1.4 / 2.4) = 1.33 halves, as the dark one is as much flatter.
Test(planes, one_stop_is_twice_the_light_of_glass)
{
    static drawn d[2];
    int compared = 0;
    OWN_SCENE *scene = load_test("tests/transmission.yaml", 1, "linear");
    for (int stop = 0; stop < 2; stop++) {
        zt_shot_def shot = zt_default_shot_def();
        shot.background = "black";
        shot.exposure_ev = stop + 0.5;
        MUST(zt_scene_apply(scene, &shot, &err), err);
        draw(scene, 2, ZT_ISA_BEST, PICTURE, &d[stop]);
    }
    for (int i = 0; i < SIZE * SIZE * 3; i++) {
        const int y = i / 3 / SIZE, x = i / 3 % SIZE;
        const uint8_t dark = d[0].rgba8[y][x][i % 3], light = d[1].rgba8[y][x][i % 3];
        if (dark < 16 || light == 255)
            continue;
        const double off = srgb_decode(light / 255.0) - 2.0 * srgb_decode(dark / 255.0);
        const double code = srgb_decode((light + 1) / 255.0) - srgb_decode(light / 255.0);
        cr_assert(fabs(off) < 1.25 * code, "value %d: %d, then %d", i, dark, light);
        compared++;
    }
    cr_expect(compared > SIZE * SIZE, "%d values", compared);
}

/// A ball of 7 cm, whose centre is 2 m before the camera, in a perspective and a parallel view.
Test(planes, depth_is_metres_along_the_axis)
{
    static drawn d;
    for (int parallel = 0; parallel < 2; parallel++) {
        const double height = 0.2, radius = 0.07, distance = 2.0;
        OWN_SCENE *scene = load_scene_text(
            "models: [ { file: %s/scenes/models/ball.glb } ]\nground: none\n"
            "output: { size: [%d, %d], samples: 1, background: transparent }\n"
            "camera: { look_at: { position: [0, 0, %g], target: [0, 0, 0] }, %s }\n",
            ZT_SOURCE_DIR, SIZE, SIZE, distance, parallel ? "orthographic: 0.2" : "fov: 5.7248");
        draw(scene, 1, ZT_ISA_BEST, DEPTH, &d);
        for (int i = 0; i < SIZE * SIZE; i++) {
            const double x = ((i % SIZE + 0.5) / SIZE - 0.5) * height;
            const double y = ((i / SIZE + 0.5) / SIZE - 0.5) * height;
            const double aside = parallel ? 1.0 : (distance - radius) / distance;
            const double off = sqrt(x * x + y * y) * aside; // of the axis, where the ball is
            if (off > 0.6 * radius)
                continue;
            const double want = distance - sqrt(radius * radius - off * off);
            const double got = (double)d.depth[i / SIZE][i % SIZE];
            NEAR(got, want, 1.5e-3, "view %d, pixel %d", parallel, i);
        }
    }
}

/// A plane of these has rows with gaps, which stay as they are.
Test(planes, rows_may_have_gaps)
{
    static drawn d;
    static float wide[SIZE][SIZE + 3];
    OWN_SCENE *scene = load_test("tests/figure.yaml", 1, NULL);
    OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_BEST);
    draw(scene, 1, ZT_ISA_BEST, DEPTH, &d);
    const zt_plane list = {"depth", wide, sizeof wide[0]};
    zt_planes planes = zt_default_planes();
    planes.width = planes.height = SIZE;
    planes.list = &list;
    planes.count = 1;
    for (int i = 0; i < SIZE * (SIZE + 3); i++)
        wide[i / (SIZE + 3)][i % (SIZE + 3)] = -7.0f;
    MUST(zt_render_planes(renderer, scene, 0, &planes, &err), err);
    for (int y = 0; y < SIZE; y++) {
        cr_assert(memcmp(wide[y], d.depth[y], sizeof d.depth[y]) == 0, "row %d", y);
        for (int x = SIZE; x < SIZE + 3; x++)
            cr_assert(wide[y][x] == -7.0f);
    }
}

/// Refused lists, and a word of the message of each.
Test(planes, wrong_targets_are_refused)
{
    static drawn d;
    static const struct {
        zt_plane list[2];
        int32_t count, width;
        const char *message;
    } wrong[] = {
        {{{"depth", d.depth, 0}}, 0, SIZE, "no planes"},
        {{{"depth", d.depth, 0}}, 1, SIZE - 1, "not 64x64"},
        {{{"dept", d.depth, 0}}, 1, SIZE, "unknown plane 'dept' (expected one of color, albedo, "},
        {{{NULL, d.depth, 0}}, 1, SIZE, "unknown plane ''"},
        {{{"uv_step", d.depth, 0}}, 1, SIZE, "unknown plane 'uv_step'"},
        {{{"depth", NULL, 0}}, 1, SIZE, "without pixels"},
        {{{"depth", (char *)d.depth + 1, 0}}, 1, SIZE, "at an address of no float"},
        {{{"depth", d.depth, 0}, {"depth", d.depth, 0}}, 2, SIZE, "twice"},
        {{{"depth", d.depth, SIZE * 4 - 4}}, 1, SIZE, "stride 252"},
        {{{"color", d.color, SIZE * 4}}, 1, SIZE, "stride 256"},
        {{{"depth", d.depth, SIZE * 4 + 2}}, 1, SIZE, "stride 258"},
    };
    OWN_SCENE *scene = load_test("tests/figure.yaml", 1, NULL);
    OWN_RENDERER *renderer = make_renderer(0, ZT_ISA_BEST);
    zt_planes planes = zt_default_planes();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        planes.width = wrong[i].width;
        planes.height = SIZE;
        planes.list = wrong[i].list;
        planes.count = wrong[i].count;
        cr_expect_eq(zt_render_planes(renderer, scene, 0, &planes, &err), ZT_ERR_ARGUMENT, "%zu",
                     i);
        cr_expect(strstr(err.message, wrong[i].message), "%s", err.message);
    }
    cr_expect_eq(draw_planes(NULL, scene, 0, NULL, d.depth[0], NULL), ZT_ERR_ARGUMENT);
    cr_expect_eq(zt_render_planes(renderer, NULL, 0, &planes, &err), ZT_ERR_ARGUMENT);
    cr_expect_eq(zt_render_planes(renderer, scene, 0, NULL, &err), ZT_ERR_ARGUMENT);
    planes.cookie_ = 0;
    cr_expect_eq(zt_render_planes(renderer, scene, 0, &planes, &err), ZT_ERR_ARGUMENT);
    cr_expect(strstr(err.message, "zt_default_planes()"), "%s", err.message);
}

/// Each has a name of its own, and as many named channels as numbers.
Test(planes, are_listed)
{
    int32_t count = 0;
    for (const zt_plane_kind *kind; (kind = zt_plane_at(count)); count++) {
        cr_expect(kind->channels >= 1 && kind->channels <= ZT_PLANE_CHANNELS_MAX);
        for (int32_t c = 0; c < ZT_PLANE_CHANNELS_MAX; c++)
            cr_expect_eq(kind->channel[c] != NULL, c < kind->channels, "%s", kind->name);
        for (int32_t i = 0; i < count; i++)
            cr_expect_str_neq(zt_plane_at(i)->name, kind->name);
    }
    cr_expect_str_eq(zt_plane_at(0)->name, "color");
    cr_expect(count >= 9);
    cr_expect_null(zt_plane_at(-1));
}
