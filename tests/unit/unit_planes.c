// SPDX-License-Identifier: MIT
/// The planes of a frame: colour and depth describe the same samples, and neither depends on the
/// other being asked for.
#include "render/renderer.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 64 };

static zt_error err;

static zt_scene *scene_of(const char *file, int32_t samples)
{
    zt_scene *scene = NULL;
    char path[512];
    const zt_load_def def = zt_default_load_def();
    zt_shot_def shot = zt_default_shot_def();
    shot.width = shot.height = SIZE;
    shot.samples = samples;
    shot.background = "transparent";
    snprintf(path, sizeof path, "%s/scenes/%s", ZT_SOURCE_DIR, file);
    cr_assert_eq(zt_scene_load(path, &def, &scene, &err), ZT_OK, "%s", err.message);
    cr_assert_eq(zt_scene_apply(scene, &shot, &err), ZT_OK, "%s", err.message);
    return scene;
}

typedef struct drawn {
    uint8_t rgba8[SIZE][SIZE][4];
    float depth[SIZE][SIZE];
} drawn;

static void draw(const zt_scene *scene, int32_t threads, uint32_t wanted, drawn *out,
                 scene_framing *out_framing)
{
    zt_renderer *renderer = NULL;
    zt_renderer_def def = zt_default_renderer_def();
    def.threads = threads;
    cr_assert_eq(zt_renderer_create(&def, &renderer, &err), ZT_OK, "%s", err.message);
    memset(out, 0xa5, sizeof *out);
    const picture_planes planes = {
        .width = SIZE,
        .height = SIZE,
        .color8 = {.rgba8 = wanted & PICTURE_PLANE_COLOR8 ? out->rgba8[0][0] : NULL,
                   .width = SIZE,
                   .height = SIZE,
                   .stride = SIZE * 4},
        .depth = wanted & PICTURE_PLANE_DEPTH ? out->depth[0] : NULL
    };
    cr_assert_eq(picture_planes_present(&planes), wanted);
    cr_assert_eq(renderer_draw(renderer, scene, 0, &planes, &err), ZT_OK, "%s", err.message);
    if (out_framing)
        *out_framing = renderer->framing;
    zt_renderer_destroy(renderer);
}

/// A pixel has a depth exactly where it has colour, at one sample and at four.
Test(planes, depth_where_there_is_colour)
{
    static drawn both;
    static const char *const files[] = {"tests/figure.yaml", "tests/orthographic.yaml",
                                        "tests/alpha_mask.yaml", "walk.yaml"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        for (int32_t samples = 1; samples <= 4; samples *= 4) {
            zt_scene *scene = scene_of(files[f], samples);
            int seen = 0;
            draw(scene, 2, PICTURE_PLANE_COLOR8 | PICTURE_PLANE_DEPTH, &both, NULL);
            for (int y = 0; y < SIZE; y++)
                for (int x = 0; x < SIZE; x++) {
                    const bool covered = both.rgba8[y][x][3] > 0;
                    cr_assert_eq(both.depth[y][x] >= 0.0f, covered, "%s %d: pixel %d, %d", files[f],
                                 (int)samples, x, y);
                    cr_assert(covered || both.depth[y][x] == -1.0f);
                    seen += covered;
                }
            cr_assert(seen > 50, "%s: %d pixels", files[f], seen);
            zt_scene_destroy(scene);
        }
    }
}

/// Each plane alone is the same as both together, for any number of threads.
Test(planes, each_alone_is_the_same)
{
    static drawn both, alone;
    zt_scene *scene = scene_of("tests/figure.yaml", 4);
    draw(scene, 1, PICTURE_PLANE_COLOR8 | PICTURE_PLANE_DEPTH, &both, NULL);
    draw(scene, 3, PICTURE_PLANE_COLOR8, &alone, NULL);
    cr_assert(memcmp(both.rgba8, alone.rgba8, sizeof both.rgba8) == 0);
    draw(scene, 3, PICTURE_PLANE_DEPTH, &alone, NULL);
    cr_assert(memcmp(both.depth, alone.depth, sizeof both.depth) == 0);
    zt_scene_destroy(scene);
}

/// In perspective the plane holds 1 / w: the nearest point of a ball of radius r in front of a
/// camera at a distance d from its centre has 1 / (d - r).
Test(planes, perspective_depth_is_one_over_distance)
{
    static drawn both;
    scene_framing framing;
    zt_scene *scene = NULL;
    const zt_load_def def = zt_default_load_def();
    zt_shot_def shot = zt_default_shot_def();
    shot.width = shot.height = SIZE;
    shot.samples = 1;
    shot.azimuth_deg = 0.0;
    shot.elevation_deg = 0.0;
    cr_assert_eq(zt_scene_load(ZT_SOURCE_DIR "/scenes/models/ball.glb", &def, &scene, &err), ZT_OK,
                 "%s", err.message);
    cr_assert_eq(zt_scene_apply(scene, &shot, &err), ZT_OK, "%s", err.message);
    draw(scene, 1, PICTURE_PLANE_COLOR8 | PICTURE_PLANE_DEPTH, &both, &framing);
    const double radius = ((double)framing.max[2] - (double)framing.min[2]) * 0.5;
    const double want = 1.0 / (framing.distance - radius);
    double nearest = 0.0;
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            nearest = fmax(nearest, (double)both.depth[y][x]);
    cr_assert(fabs(nearest / want - 1.0) < 2e-3, "%g, not %g", nearest, want);
    zt_scene_destroy(scene);
}
