// SPDX-License-Identifier: MIT
/// zt_trace against what is known of walls, against the planes of the same frames; its refusals.
#include "drawing.h"
#include "example/api_rays.c"
#include "test_folder.h"

TestSuite(trace_frame, .init = test_folder_make, .fini = test_folder_remove_all);

enum { CELLS = 400, FAR_AWAY = 100000, WIDTH = 160, HEIGHT = 120, PIXELS = WIDTH * HEIGHT };

static zt_error err;
static zt_ray rays[PIXELS];
static zt_ray_hit hits[PIXELS], again[PIXELS];
static bool blocked[PIXELS];

/// A wall, 25 m wide and 2 m high around zero, whose cells are in many meshlets; and a floor twice
/// as large, 20 m further. Floats hold all numbers, so distances are exact.
Test(trace_frame, walls_far_away)
{
    const double none = (double)NAN, far = (double)INFINITY;
    const zt_ray_hit nothing = {.distance_m = INFINITY};
    const struct {
        zt_ray ray; ///< from a place relative to FAR_AWAY along x
        zt_ray_hit hit;
    } rows[] = {
        {{{3.0 / 64, -0.5, 2.0}, {0, 0, -1e300}, 2.0, 2.0}, {2, {0.5f, 0.25f}, 1, 1, 1, CELLS}},
        {{{1.0 / 64, 0.5, -2.0}, {0, 0, 1e-310}, 0.0, far}, {2, {0.25f, 0.5f}, 1, 1, 1, CELLS + 1}},
        {{{1.0 / 64, 0.5, -2.0}, {0, 0, -1}, -3.0, far}, {-2, {0.25f, 0.5f}, 1, 1, 1, CELLS + 1}},
        {{{0.0, 0.5, 2.0}, {0.0, 0.0, -1.0}, 2.25, far}, nothing},
        {{{0.0, 0.5, 2.0}, {0.0, 0.0, -1.0}, 0.0, 1.75}, nothing},
        {{{0.0, 0.5, 2.0}, {0.0, far, -1.0}, 0.0, far}, nothing},
        {{{0.0, none, 2.0}, {0.0, 0.0, -1.0}, 0.0, far}, nothing},
        {{{0.0, 1e300, 2.0}, {0.0, -1.0, 0.0}, 0.0, far}, nothing},
        {{{0.0, 0.5, 2.0}, {0.0, 0.0, -1.0}, 0.0, none}, nothing},
    };
    char text[1 << 15];
    int at = 0;
    for (int i = 0; i <= CELLS; i++)
        at += sprintf(text + at, "v %g -1 0\nv %g 1 0\n", i / 16.0 - 12.5, i / 16.0 - 12.5);
    for (int i = 1; i < 2 * CELLS; i += 2)
        at += sprintf(text + at, "f %d %d %d %d\n", i, i + 2, i + 3, i + 1);
    test_folder_write("wall.obj", text);
    OWN_SCENE *scene =
        load_scene_text("models:\n  - { file: %s/wall.obj, transform: { translate: [%d, 0, 0] } }\n"
                        "  - file: %s/wall.obj\n"
                        "    transform: { translate: [%d, 0, 0], rotate: [-90, 0, 0], scale: 2 }\n",
                        test_folder, FAR_AWAY, test_folder, FAR_AWAY + 20);
    OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_BEST);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        zt_ray ray = rows[i].ray;
        ray.origin[0] += FAR_AWAY;
        MUST(zt_trace(renderer, scene, 0, &ray, 1, hits, blocked, &err), err);
        cr_expect(memcmp(hits, &rows[i].hit, sizeof *hits) == 0 && *blocked == (i < 3),
                  "row %zu: %g m", i, (double)hits->distance_m);
    }
    const double place[] = {FAR_AWAY + 20.0 + 3.0 / 32, 9.0, 1.0};
    MUST(look_down(renderer, scene, 0, place, hits, &err), err);
    cr_expect(hits->instance == 2 && hits->distance_m == 9.0f && hits->triangle == CELLS);
}

/// Rays through the centres of pixels of a parallel view hit what its planes show, at the same
/// distance, but for some at edges, and outlines. The last frame is after its shot.
Test(trace_frame, rays_hit_what_planes_show)
{
    static const char *const files[] = {"tests/crowd.yaml", "tests/toon.yaml", "walk.yaml"};
    static const int64_t numbers[] = {3, 30, 1000};
    static uint32_t id[3][PIXELS];
    static float depth[PIXELS];
    const zt_plane list[] = {
        {"instance", id[0], 0}, {"object", id[1], 0}, {"material", id[2], 0}, {"depth", depth, 0}};
    const double away = 9.0, step = 3.0 / HEIGHT;
    zt_shot_def shot = sized_shot(WIDTH, HEIGHT);
    zt_camera_def camera = zt_default_camera_def();
    zt_planes planes = zt_default_planes();
    planes = (zt_planes){WIDTH, HEIGHT, list, 4, .cookie_ = planes.cookie_};
    shot.samples = shot.supersample = 1;
    shot.ground = "none";
    camera.eye[1] = camera.target[1] = 1.0;
    camera.eye[2] = away;
    camera.height_m = 3.0;
    for (int i = 0; i < PIXELS; i++)
        rays[i] = (zt_ray){{step * (i % WIDTH + 0.5 - WIDTH / 2),
                            1.0 - step * (i / WIDTH + 0.5 - HEIGHT / 2), away},
                           {0.0, 0.0, -1.0},
                           .far_m = (double)INFINITY};
    for (size_t n = 0; n < 3; n++) {
        int32_t shown = 0, apart = 0;
        PRINTED(path, 512, "%s/scenes/%s", ZT_SOURCE_DIR, files[n]);
        OWN_SCENE *scene = load_scene(path, &shot);
        OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
        MUST(zt_scene_set_camera(scene, &camera, 1, &err), err);
        MUST(zt_trace(renderer, scene, numbers[n] + 7, rays, PIXELS, again, NULL, &err), err);
        MUST(zt_trace(renderer, scene, numbers[n], rays, PIXELS, hits, NULL, &err), err);
        MUST(zt_render_planes(renderer, scene, numbers[n], &planes, &err), err);
        MUST(zt_trace(renderer, scene, numbers[n], rays, PIXELS, NULL, blocked, &err), err);
        cr_expect(memcmp(hits, again, sizeof hits) != 0, "%s: another frame", path);
        for (int i = 0; i < PIXELS; i++) {
            const double distance = (double)hits[i].distance_m;
            cr_assert_eq(blocked[i], isfinite(distance));
            shown += blocked[i];
            apart += hits[i].instance != id[0][i] || hits[i].object != id[1][i] ||
                     hits[i].material != id[2][i] ||
                     !(distance == (double)depth[i] || fabs(distance - (double)depth[i]) < 5e-4);
        }
        cr_expect(shown > 1000 && apart < (n == 1 ? 400 : 8), "%s: %d of %d", path, apart, shown);
        for (zt_isa isa = ZT_ISA_SCALAR; isa < ZT_ISA_COUNT; isa++) {
            OWN_RENDERER *other = make_renderer((const int32_t[]){1, 2, 7}[isa % 3], isa);
            MUST(zt_trace(other, scene, numbers[n], rays, PIXELS, again, NULL, &err), err);
            cr_expect_arr_eq(again, hits, sizeof hits, "%s, %s", path, zt_isa_name(isa));
        }
    }
}

Test(trace_frame, refusals_and_edits)
{
    OWN_SCENE *scene = load_scene(ZT_SOURCE_DIR "/scenes/walk.yaml", NULL);
    zt_shot_def rest = zt_default_shot_def();
    const double place[] = {0.0, 3.0, 0.0};
    rest.clip = "none";
    for (int n = 0; n < 2; n++) {
        zt_renderer_def def = zt_default_renderer_def();
        OWN_RENDERER *r = NULL;
        def.max_memory = (uint64_t)1 << (n ? 26 : 20);
        MUST(zt_renderer_create(&def, &r, &err), err);
        cr_expect_eq(look_down(r, scene, 3, place, hits, &err), n ? ZT_OK : ZT_ERR_LIMIT);
        cr_expect(n || !strchr(err.message, '\n'));
        cr_expect_eq(zt_trace(r, scene, 3, rays, 1, NULL, NULL, &err), ZT_ERR_ARGUMENT);
        cr_expect_eq(zt_trace(r, scene, 3, rays, -1, hits, NULL, &err), ZT_ERR_ARGUMENT);
        cr_expect_eq(zt_trace(r, NULL, 3, NULL, 0, hits, NULL, &err), ZT_ERR_ARGUMENT);
        cr_expect_eq(look_down(NULL, scene, 3, place, hits, &err), ZT_ERR_ARGUMENT);
        cr_expect_eq(zt_trace(r, scene, 3, NULL, 0, NULL, NULL, &err), n ? ZT_OK : ZT_ERR_LIMIT);
    }
    OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_BEST);
    MUST(look_down(renderer, scene, 3, place, hits, &err), err);
    MUST(zt_scene_apply(scene, &rest, &err), err);
    MUST(look_down(renderer, scene, 3, place, again, &err), err);
    cr_expect(memcmp(hits, again, sizeof *hits) != 0);
}
