// SPDX-License-Identifier: MIT
// Pictures of looks: a triangle in the plane z = 0 that faces the camera has values that can be
// written down, whatever light, exposure and tone map the scene has.
#include "drawing.h"
#include "test_folder.h"

#define TRIANGLE ZT_SOURCE_DIR "/tests/cli/models/triangle.gltf"

enum { SIDE = 192 };

static zt_error err;

/// A picture of the triangle with a look; `azimuth` as of the flag. Free it with zt_image_finish.
static zt_image picture(const char *look, double azimuth)
{
    zt_shot_def shot = sized_shot(SIDE, SIDE);
    shot.clip = "none";
    shot.view = "front";
    shot.azimuth_deg = azimuth;
    shot.samples = 1;
    shot.background = "transparent";
    shot.look = look;
    shot.exposure_ev = 2.0;
    shot.tone_map = "agx";
    OWN_SCENE *scene = load_scene(TRIANGLE, &shot);
    zt_image image = draw_frame(NULL, scene, 0);
    return image;
}

/// The pixel in the middle of such a picture, which the triangle covers.
static void middle(const char *look, double azimuth, uint8_t out[4])
{
    OWN_IMAGE image = picture(look, azimuth);
    memcpy(out, image.rgba8 + (SIDE / 2) * image.stride + (SIDE / 2) * 4, 4);
}

Test(looks, albedo_is_the_base_color)
{
    uint8_t p[4];
    middle("albedo", 0.0, p);
    cr_expect(p[0] == code_of(0.8) && p[1] == code_of(0.1) && p[2] == code_of(0.1), "%d %d %d",
              p[0], p[1], p[2]);
}

Test(looks, normals_are_codes_of_world_space)
{
    uint8_t p[4];
    middle("normals", 0.0, p); // (0, 0, 1): 127.5, 127.5, 255
    cr_expect(abs(p[0] * 2 - 255) == 1 && abs(p[1] * 2 - 255) == 1 && p[2] == 255, "%d %d %d", p[0],
              p[1], p[2]);
    middle("normals", 180.0, p); // the back of a double-sided material
    cr_expect(abs(p[0] * 2 - 255) == 1 && p[2] == 0, "%d %d %d", p[0], p[1], p[2]);
}

Test(looks, depth_falls_from_the_nearest_to_the_farthest_corner)
{
    // Seen from the side of +x the corner at x = 0.5 is near and that at x = -0.5 is far: together
    // they are the bounds. Corners end within a pixel or two.
    int least = 255, most = 0;
    OWN_IMAGE image = picture("depth", 60.0);
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        const uint8_t *at = image.rgba8 + i / SIDE * image.stride + i % SIDE * 4;
        least = at[3] && at[0] < least ? at[0] : least;
        most = at[3] && at[0] > most ? at[0] : most;
        cr_assert(at[0] == at[1] && at[1] == at[2]);
    }
    cr_expect(least < 12 && most > 244, "from %d to %d", least, most);
    uint8_t p[4];
    middle("depth", 0.0, p); // flat bounds: white
    cr_expect_eq(p[0], 255);
}

Test(looks, clay_is_grey)
{
    uint8_t p[4];
    middle("clay", 0.0, p);
    cr_expect(p[0] == p[1] && p[1] == p[2] && p[0] > 100, "%d %d %d", p[0], p[1], p[2]);
}

Test(looks, an_unknown_look_is_refused)
{
    OWN_SCENE *scene = load_scene(TRIANGLE, NULL);
    zt_shot_def shot = zt_default_shot_def();
    shot.look = "claz";
    cr_expect_eq(zt_scene_apply(scene, &shot, &err), ZT_ERR_ARGUMENT);
    cr_expect(strstr(err.message, "did you mean 'clay'") != NULL, "%s", err.message);
}

Test(looks, maps_of_a_scene_without_textures_are_refused, .init = test_folder_make,
     .fini = test_folder_remove)
{
    zt_load_def load = zt_default_load_def();
    test_folder_write(
        "maps.yaml",
        "format: 1\noutput: { size: [16, 16] }\nmodels: [ { file: " ZT_SOURCE_DIR
        "/scenes/models/wraps.glb, materials: { clamp_linear: { base_color_map: " ZT_SOURCE_DIR
        "/scenes/models/head_mouth.png } } } ]\n");
    for (int without = 0; without < 2; without++) {
        OWN_SCENE *scene = NULL;
        OWN_RENDERER *renderer = make_renderer(0, ZT_ISA_BEST);
        load.no_textures = without == 1;
        MUST(zt_scene_load(test_file("maps.yaml"), &load, &scene, &err), err);
        OWN_IMAGE image = make_image(16, 16);
        const zt_result result = zt_render(renderer, scene, 0, &image, &err);
        cr_expect_eq(result, without ? ZT_ERR_ARGUMENT : ZT_OK, "%s", err.message);
    }
}

/// The median code of a shape of one grey in the default light.
static int median_of(const char *kind, const char *base_color, const char *tone_map)
{
    zt_shot_def shot = sized_shot(SIDE, SIDE);
    shot.background = "transparent";
    shot.tone_map = tone_map;
    OWN_SCENE *scene =
        load_scene_text("models: [ { shape: %s, materials: { %s: { base_color: \"%s\" } } } ]\n",
                        kind, kind, base_color);
    MUST(zt_scene_apply(scene, &shot, &err), err);
    OWN_IMAGE image = draw_frame(NULL, scene, 0);
    int count[256] = {0}, left = 0, code = 0;
    for (const uint8_t *p = image.rgba8; p < image.rgba8 + 4 * SIDE * SIDE; p += 4) {
        count[p[1]] += p[3] == 255;
        left += p[3] == 255;
    }
    for (left /= 2; left > count[code]; code++)
        left -= count[code];
    return code;
}

Test(looks, white_things_show_on_white_pages_and_dark_ones_keep_their_light)
{
    static const char *const kinds[] = {"sphere", "box", "capsule"};
    for (size_t i = 0; i < 3; i++) {
        const int white = median_of(kinds[i], "#ffffff", NULL);
        cr_expect(white >= 215 && white <= 230, "%s: %d", kinds[i], white);
        cr_expect_eq(median_of(kinds[i], "#606060", NULL),
                     median_of(kinds[i], "#606060", "neutral"));
    }
}
