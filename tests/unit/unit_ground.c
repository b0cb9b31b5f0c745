// SPDX-License-Identifier: MIT
/// A ground that only darkens is drawn by blocks of pixels where nothing else is, and left out
/// where it shows nothing. A camera with a far plane draws all of it as fragments: the second
/// method.
#include "drawing.h"

static zt_image draw(int32_t size, const char *camera, const char *more)
{
    OWN_SCENE *scene = load_scene_text("models: [ { file: %s/scenes/models/ball.glb } ]\n"
                                       "camera: { %s }\noutput: { size: [%d, %d], %s\n",
                                       ZT_SOURCE_DIR, camera, (int)size, (int)size, more);
    return draw_frame(NULL, scene, 0);
}

/// Returns the number of pixels that the ground darkens alone. Depths of parallel views, and the
/// samples that tie with them, depend on the far plane: `codes` may differ.
static int check_same(int32_t size, const char *camera, const char *more, int codes)
{
    PRINTED(with_far, 300, "%s, far: 1000", camera);
    OWN_IMAGE fast = draw(size, camera, more), slow = draw(size, with_far, more);
    int dark = 0;
    for (int32_t y = 0; y < size; y++) {
        const uint8_t *row = fast.rgba8 + (size_t)y * fast.stride;
        const uint8_t *want = slow.rgba8 + (size_t)y * slow.stride;
        for (int32_t i = 0; i < size * 4; i++)
            cr_assert(abs(row[i] - want[i]) <= codes, "%d pixels, %s, %s: row %d", (int)size,
                      camera, more, (int)y);
        for (int32_t x = 0; x < size; x++)
            dark += row[4 * x] == 0 && row[4 * x + 3] > 0 && row[4 * x + 3] < 255;
    }
    return dark;
}

Test(ground, is_the_same_by_blocks_and_by_fragments)
{
    static const char *const cameras[] = {"orbit: { elevation: 10 }",
                                          "orbit: { elevation: 55, azimuth: 40 }, fov: 20",
                                          "orbit: { elevation: 4 }, fov: 60, zoom: 0.3",
                                          "orbit: { elevation: 30 }, orthographic: 0.4"};
    static const char *const looks[] = {
        "background: transparent }\nground: shadow",
        "background: transparent, samples: 1 }\nground: shadow",
        "background: \"#e0d8c8\" }\nground: shadow",
        ("background: transparent, tone_map: agx }\nground: shadow\n"
         "lights: [ { directional: { direction: [1, -1, 0], shadow: true } } ]"),
    };
    static const int32_t sizes[] = {20, 40, 70, 100, 130, 330};
    for (size_t c = 0; c < sizeof cameras / sizeof *cameras; c++)
        for (size_t l = 0; l < sizeof looks / sizeof *looks; l++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes && !(c == 3 && l == 3); s++) {
                const int dark = check_same(sizes[s], cameras[c], looks[l], c == 3);
                cr_assert(l == 2 || dark > 0, "%s, %s: %d pixels", cameras[c], looks[l], dark);
            }
}

/// Nothing moves for three frames, then the ball does; the box fades away while nothing moves. What
/// is kept between frames of a renderer changes no pixel of any.
static const char still_and_moving[] =
    "models:\n"
    "  - shape: { kind: sphere, radius: 0.4 }\n"
    "    materials: { sphere: { emissive: [2, 3, 4] } }\n"
    "    transform:\n"
    "      path: { points: [[0, 0.4, 0], [2, 0.4, 1]],\n"
    "              speed: [[0, 0, step], [0.3, 2, step], [0.4, 0, step], [1.1, 1, step]] }\n"
    "  - shape: box\n"
    "    transform: { translate: [-1, 0.5, 0] }\n"
    "    visible: [[0, true], [0.7, false]]\n"
    "    opacity: [[0, 1, step], [0.4, 0.9], [0.7, 0.2]]\n"
    "camera: { orbit: { elevation: 25, azimuth: [[0, 0], [2, 90]] } }\n"
    "ground: shadow\n"
    "lights:\n"
    "  - directional: { direction: [-0.4, -1, -0.3], lux: 2, shadow: {} }\n"
    "  - point: { position: [[0, [1, 2, 2], step], [0.2, [-1, 2, 2], step],\n"
    "                        [0.9, [1, 2, 2], step]],\n"
    "             candela: 20, shadow: { size: 64 } }\n"
    "output: { size: [90, 90], background: transparent, frames: 0-13, fps: 10 }\n";

Test(ground, keeps_shadows_while_nothing_moves)
{
    OWN_SCENE *scene = load_scene_text("%s", still_and_moving);
    OWN_RENDERER *kept = make_renderer(2, ZT_ISA_BEST);
    int32_t changes = 0;
    uint64_t before = 0;
    for (int64_t frame = 0; frame < 14; frame++) {
        OWN_IMAGE image = draw_frame(kept, scene, frame), want = draw_frame(NULL, scene, frame);
        const uint64_t hash = zt_image_hash(&image);
        cr_expect_eq(hash, zt_image_hash(&want), "frame %d", (int)frame);
        changes += hash != before;
        before = hash;
    }
    cr_expect_eq(changes, 14, "the camera turns");
}

static int alpha_at(const zt_image *image, double x, double y)
{
    return image->rgba8[(size_t)y * image->stride + 4 * (size_t)x + 3];
}

/// A ground sees the sky that a table hides, 1.4 m above it.
Test(ground, holds_what_stands_on_legs)
{
    OWN_SCENE *scene = load_scene_text(
        "models:\n"
        "  - { shape: box, transform: { translate: [0, 1.45, 0], scale: [3, 0.1, 2] } }\n"
        "  - { shape: box, transform: { translate: [1.4, 0.7, 0.9], scale: [0.1, 1.4, 0.1] } }\n"
        "camera: { look_at: { position: [0, 0.7, 9], target: [0, 0.4, 0] }, fov: 40 }\n"
        "output: { size: [90, 90], background: transparent }\n");
    OWN_IMAGE image = draw_frame(NULL, scene, 0);
    const int alpha = alpha_at(&image, 45, 51);
    cr_assert(alpha > 27 && alpha < 70, "%d, exact 53", alpha);
}

/// A lamp in front of a box is its only light: the shadow is black behind it, and ends as the light
/// of the lamp does. That of a surface, whose light reaches the shadow, is not the page's.
Test(ground, shadows_end_with_the_light_of_a_lamp)
{
    OWN_SCENE *scene = load_scene_text(
        "models:\n  - { shape: box, transform: { translate: [0, 0.5, 0] } }\n"
        "  - { shape: sphere, transform: { translate: [3, 0.5, -1.5] },\n"
        "      materials: { sphere: { emissive: [30, 30, 30] } } }\n"
        "light: file\nground: shadow\n"
        "lights: [ { point: { position: [0, 1.6, 2], candela: 20, shadow: {} } } ]\n"
        "camera: { look_at: { position: [0, 8, -1.4], target: [0, 0, -1.5] }, fov: 25 }\n"
        "output: { size: [90, 90], background: transparent }\n");
    OWN_IMAGE image = draw_frame(NULL, scene, 0);
    const int near = alpha_at(&image, 45, 64), far = alpha_at(&image, 45, 22);
    cr_assert(near > 160 && far > 5 && far < 60, "%d and %d", near, far);
}

/// The end of the shadow of a long box is near the border of the picture in some frames of a turn.
/// It is as dark in all of them, and cut off in none, also where the camera turns around another
/// point than the middle. The origin is a point of it.
static void check_turn(const char *target, int at_least)
{
    OWN_SCENE *scene = load_scene_text(
        "models: [ { shape: box, transform: { translate: [-1.06, 0.2, 0],\n"
        "                                     scale: [2, 0.4, 0.4] } } ]\n"
        "light: none\nground: shadow\n"
        "lights: [ { directional: { direction: [1, -1, 0], lux: 3, shadow: {} } } ]\n"
        "camera: { orbit: { target: %s, elevation: 30, azimuth: [[0, 0], [8, 360]] }, fov: 25 }\n"
        "output: { size: [300, 300], background: transparent, fps: 1, frames: 0-7 }\n",
        target);
    OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_BEST);
    int least = 255, most = 0, count = 0;
    for (int64_t frame = 0; frame < 8; frame++) {
        zt_error err;
        double at[2];
        OWN_IMAGE image = draw_frame(renderer, scene, frame);
        cr_assert_eq(zt_renderer_project(renderer, scene, frame, NULL, at, &err), ZT_OK);
        for (int y = 0; y < 300; y++)
            cr_expect(alpha_at(&image, 0, y) + alpha_at(&image, 299, y) == 0, "%s, frame %d: %d",
                      target, (int)frame, y);
        const int alpha = alpha_at(&image, at[0], at[1]);
        if (alpha == 255)
            continue; // behind the box
        least = alpha < least ? alpha : least;
        most = alpha > most ? alpha : most;
        count++;
    }
    cr_assert(count > 3 && least >= at_least && most < least + 40, "%s, %d: %d to %d", target,
              count, least, most);
}

Test(ground, shadows_stay_while_the_camera_turns)
{
    check_turn("auto", 21);
    check_turn("[-1.9, 0, 0]", 1);
}

/// The darkness of the ground around a box, from the front of a turn or of a still.
static int ground_darkness(const char *scale, const char *lights, const char *azimuth)
{
    OWN_SCENE *scene = load_scene_text(
        "light: none\nground: shadow\n"
        "models: [ { shape: box, transform: { scale: %s } } ]\n%s\n"
        "camera: { orbit: { elevation: 10, azimuth: %s } }\n"
        "output: { size: [128, 128], background: transparent, fps: 1, frames: 0-0 }\n",
        scale, lights, azimuth);
    OWN_IMAGE image = draw_frame(NULL, scene, 0);
    int sum = 0;
    for (size_t i = 0; i < (size_t)128 * 128; i++) {
        const uint8_t *p = image.rgba8 + i / 128 * image.stride + i % 128 * 4;
        sum += p[0] == 0 && p[3] < 255 ? p[3] : 0;
    }
    return sum;
}

/// A turn keeps the contact shadow whole, and most of what the sun throws.
Test(ground, a_turn_has_the_shadows_of_a_still)
{
    static const char *const scales[] = {"1", "[0.3, 3, 0.3]", "[3, 0.8, 1]"};
    const char *sun = "lights: [ { directional: { direction: [0.6, -1, 0.5], lux: 3, shadow: {} } "
                      "} ]";
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        for (int k = 0; k < 2; k++) {
            const int still = ground_darkness(scales[i], k ? sun : "", "0");
            const int turn = ground_darkness(scales[i], k ? sun : "", "[[0, 0], [8, 360]]");
            cr_expect(turn > 0 && (k ? 2 * turn > still : turn == still), "%s, %d: %d, %d",
                      scales[i], k, turn, still);
        }
}

/// Alpha of the ground below a plate at a height in metres, in the middle of a picture.
static int alpha_below(double height_m, int32_t width)
{
    OWN_SCENE *scene = load_scene_text(
        "models:\n"
        "  - { shape: box, transform: { translate: [0, %g, 0], scale: [1.4, 0.02, 0.8] } }\n"
        "  - { shape: box, transform: { translate: [0.6, 0.01, 0], scale: 0.02 } }\n"
        "camera: { look_at: { position: [0, 0.06, 4], target: [0, 0, 0] }, fov: 2 }\n"
        "output: { size: [%d, 16], background: transparent }\nground: shadow\n",
        height_m, (int)width);
    OWN_IMAGE image = draw_frame(NULL, scene, 0);
    return alpha_at(&image, width / 2, 8);
}

/// A plate hides less of the sky the higher it is, and as much in pictures of all sizes.
Test(ground, a_rising_plate_darkens_less_and_less)
{
    int before = 255;
    for (double height_m = 0.15; height_m < 1.3; height_m *= 1.12) {
        const int alpha = alpha_below(height_m, 512), larger = alpha_below(height_m, 513);
        const int largest = alpha_below(height_m, 2049);
        cr_expect(alpha > 5 && alpha <= before, "%g m: %d after %d", height_m, alpha, before);
        cr_expect(abs(larger - alpha) <= 1 && abs(largest - alpha) <= 5, "%g m: %d, %d and %d",
                  height_m, alpha, larger, largest);
        before = alpha;
    }
}

/// The contact shadow of a ball, seen from above, ends in a circle, and is as dark as the sky that
/// the ball hides.
Test(ground, the_contact_shadow_of_a_ball_is_round)
{
    OWN_SCENE *scene = load_scene_text(
        "models: [ { shape: { kind: sphere, radius: 0.5 } } ]\nground: shadow\n"
        "camera: { look_at: { position: [0, 20, 0.001], target: [0, 0, 0] }, fov: 10 }\n"
        "output: { size: [200, 200], background: transparent }\n");
    OWN_IMAGE image = draw_frame(NULL, scene, 0);
    for (int at = 36; at < 60; at += 6) {
        const int straight = alpha_at(&image, 100 + at, 100);
        const int across = alpha_at(&image, 100 + at * 0.7071, 100 + at * 0.7071);
        cr_expect(abs(straight - across) < 8, "%d pixels: %d and %d", at, straight, across);
        cr_expect(at > 36 || abs(straight - 24) < 7, "%d, exact 24", straight);
    }
}

Test(ground, nothing_below_it_darkens_it)
{
    OWN_SCENE *scene = load_scene_text(
        "ground: shadow\nlights: []\nmodels:\n"
        "  - { shape: box, transform: { translate: [0, -0.2, 0], scale: [1, 0.1, 1] } }\n"
        "  - { shape: box, transform: { translate: [-1.4, 0.5, 0], scale: [0.1, 1, 0.1] } }\n"
        "camera: { look_at: { position: [0, 20, 0.001], target: [0, 0, 0] }, fov: 10 }\n"
        "output: { size: [100, 100], background: transparent }\n");
    zt_shot_def def = zt_default_shot_def();
    def.ground_height = "0";
    zt_error err;
    MUST(zt_scene_apply(scene, &def, &err), err);
    OWN_IMAGE image = draw_frame(NULL, scene, 0);
    cr_expect_lt(alpha_at(&image, 66, 50), 3); // next to it
}
