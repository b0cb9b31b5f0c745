// SPDX-License-Identifier: MIT
/// Turntables that close, their paths, lights that turn with the camera, and framing by flags.
#include "drawing.h"
#include "render/camera.h"

#define WALKER ZT_SOURCE_DIR "/scenes/models/walker.glb"

static zt_error err;
static heard said;

static zt_scene *open_file(const char *path)
{
    zt_scene *scene = NULL;
    zt_load_def def = zt_default_load_def();
    def.message = hear;
    def.message_user = &said;
    MUST(zt_scene_load(path, &def, &scene, &err), err);
    said = (heard){0};
    return scene;
}

static zt_shot_def small_shot(void)
{
    zt_shot_def shot = sized_shot(64, 64);
    shot.samples = 1;
    shot.background = "transparent";
    return shot;
}

static zt_scene *open_turn(const char *clip, zt_shot_def shot)
{
    zt_scene *scene = open_file(WALKER);
    shot.clip = clip;
    MUST(zt_scene_apply(scene, &shot, &err), err);
    return scene;
}

static zt_metrics compare(const zt_image *a, const zt_image *b)
{
    zt_metrics difference = {0};
    zt_metrics_def def = zt_default_metrics_def();
    def.straight = true;
    MUST(zt_image_measure(a, b, &def, &difference, NULL, &err), err);
    return difference;
}

// ---- Fitting ------------------------------------------------------------------------------------

/// Frames, warnings and notes of turns around the walker, whose walk has 30 frames.
Test(turntable, counts_durations_and_loops)
{
    static const struct {
        int32_t count, loops;
        double duration_s;
        int64_t frames;
        int warnings, notes;
        double rate; ///< 0: that of the clip
    } cases[] = {
        {36, 0, 0.0, 36, 1, 0, 0.0}, // as always, but it warns
        {60, 0, 0.0, 60, 0, 0, 0.0},
        {0, 0, 2.0, 60, 0, 1, 1.0},
        {0, 0, 2.1, 63, 0, 1, 60.0 / 63.0}, // bent by 5 %
        {0, 0, 1.4, 42, 1, 0, 0.0},         // 1.4 cycles: cut
        {0, 0, 0.5, 15, 1, 0, 0.0},
        {0, 2, 1.4, 42, 0, 1, 60.0 / 42.0}, // as fast as two cycles in that time are
        {0, 0, 2.02, 61, 0, 1, 60.0 / 61.0},
        {0, 0, 2.04, 61, 0, 1, 60.0 / 61.0}, // the nearest frame: 60.6 and 61.2
        {0, 3, 0.0, 90, 0, 1, 1.0},
        {100, 3, 0.0, 100, 0, 1, 0.9},
        {20, 3, 0.0, 20, 0, 1, 4.5},
        {0, 1, 0.01, 1, 0, 1, 30.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zt_shot_def shot = small_shot();
        shot.turntable_count = cases[i].count;
        shot.turntable_loops = cases[i].loops;
        if (cases[i].duration_s > 0.0)
            shot.turntable_duration_s = cases[i].duration_s;
        OWN_SCENE *scene = open_turn("walk", shot);
        const int64_t frames = zt_scene_frame_count(scene);
        cr_expect(frames == cases[i].frames && said.warnings == cases[i].warnings &&
                      said.notes == cases[i].notes,
                  "case %d: %d frames, %d warnings, %d notes", (int)i, (int)frames, said.warnings,
                  said.notes);
        cr_expect_float_eq(scene->turntable.clip_rate, cases[i].rate, 1e-6, "case %d", (int)i);
        cr_expect(said.warnings == 0 || strstr(said.last, "(expected --loops 1, which plays it"));
    }
}

Test(turntable, refusals)
{
    OWN_SCENE *scene = open_file(WALKER);
    zt_shot_def shot = small_shot();
    shot.turntable_count = 10;
    shot.turntable_duration_s = 1.0;
    cr_expect_eq(zt_scene_apply(scene, &shot, &err), ZT_ERR_ARGUMENT);
    shot = small_shot();
    shot.turntable_loops = 2;
    shot.clip = "none";
    cr_expect_eq(zt_scene_apply(scene, &shot, &err), ZT_ERR_ARGUMENT);
    shot = small_shot();
    shot.turntable_duration_s = 0.0; // NaN would be: not set
    cr_expect_eq(zt_scene_apply(scene, &shot, &err), ZT_ERR_ARGUMENT);
    shot.turntable_duration_s = -1.0;
    cr_expect_eq(zt_scene_apply(scene, &shot, &err), ZT_ERR_ARGUMENT);
    shot = small_shot();
    shot.turntable_count = 4;
    shot.turntable_elevation_deg = 91.0;
    cr_expect_eq(zt_scene_apply(scene, &shot, &err), ZT_ERR_ARGUMENT);
}

Test(turntable, a_clip_that_is_no_cycle_warns)
{
    for (int closes = 0; closes < 2; closes++) {
        zt_shot_def shot = small_shot();
        shot.turntable_loops = closes; // a count alone does not ask for it
        shot.turntable_count = closes ? 0 : 30;
        OWN_SCENE *scene = open_file(ZT_SOURCE_DIR "/scenes/models/walker_moves.glb");
        shot.clip = "stride";
        said.last[0] = 0;
        MUST(zt_scene_apply(scene, &shot, &err), err);
        cr_expect_eq(said.warnings, closes, "%d", said.warnings);
        cr_expect_eq(strstr(said.last, "'stride' is no cycle") != NULL, closes, "%s", said.last);
    }
}

// ---- The seam -----------------------------------------------------------------------------------

typedef struct seam {
    double last, largest; ///< mean differences: last to first frame, and the largest of neighbours
} seam;

static seam seam_of(const char *clip, const zt_shot_def *shot)
{
    OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
    OWN_SCENE *scene = open_turn(clip, *shot);
    const int64_t count = zt_scene_frame_count(scene);
    OWN_IMAGE first = draw_frame(renderer, scene, 0), before = draw_frame(renderer, scene, 0);
    seam out = {0};
    for (int64_t f = 1; f < count; f++) {
        zt_image now = draw_frame(renderer, scene, f);
        out.largest = fmax(out.largest, compare(&before, &now).mean);
        zt_image_finish(&before);
        before = now;
    }
    out.last = compare(&before, &first).mean;
    return out;
}

Test(turntable, neither_clip_nor_turn_jump_at_the_seam)
{
    zt_shot_def shot = small_shot();
    shot.turntable_duration_s = 1.07; // 32 frames: bent
    const seam walk = seam_of("walk", &shot);
    cr_expect_leq(walk.last, walk.largest, "%g of %g", walk.last, walk.largest);
    shot.turntable_elevation_deg = 50.0;
    shot.turntable_clockwise = true;
    const seam swing = seam_of("walk", &shot);
    cr_expect_leq(swing.last, swing.largest, "%g of %g", swing.last, swing.largest);
    // The test can fail: half a step more.
    zt_shot_def open = small_shot();
    open.turntable_count = 45;
    const seam jump = seam_of("walk", &open);
    cr_expect_gt(jump.last, 1.2 * jump.largest, "%g of %g", jump.last, jump.largest);
}

/// The camera's angles in both directions: azimuth grows or falls by 360 degrees, and elevation
/// goes to its end in half of the turn and comes back.
Test(turntable, azimuth_and_elevation_of_each_frame)
{
    for (int clockwise = 0; clockwise < 2; clockwise++) {
        zt_shot_def shot = small_shot();
        shot.turntable_count = 8;
        shot.turntable_clockwise = clockwise;
        shot.azimuth_deg = 10.0;
        shot.elevation_deg = 20.0;
        shot.turntable_elevation_deg = 60.0;
        OWN_SCENE *scene = open_turn("walk", shot);
        for (int64_t f = 0; f < 8; f++) {
            double azimuth, elevation;
            const double turned = 45.0 * (double)f;
            scene_orbit_angles(scene, scene_frame_time(scene, f), &azimuth, &elevation);
            cr_expect_float_eq(azimuth, 10.0 + (clockwise ? -turned : turned), 1e-9);
            cr_expect_float_eq(elevation, 40.0 - 20.0 * cos(turned * 3.14159265358979 / 180.0),
                               1e-9, "frame %d: %g", (int)f, elevation);
        }
    }
}

/// A walk of 1 s at 29.5 frames a second: halves round up, and the clip bends as much.
Test(turntable, loops_round_to_frames)
{
    for (int32_t loops = 2; loops < 12; loops++) {
        zt_shot_def shot = small_shot();
        shot.turntable_loops = loops;
        shot.fps_numerator = 59;
        shot.fps_denominator = 2;
        OWN_SCENE *scene = open_turn("walk", shot);
        const double exact = 29.5 * loops, frames = floor(exact + 0.5);
        cr_expect_eq(zt_scene_frame_count(scene), (int64_t)frames, "%d loops", loops);
        NEAR(scene->turntable.clip_rate, exact / frames, 1e-6, "%d loops", loops);
    }
}

Test(turntable, a_frame_alone_is_that_of_the_turn)
{
    zt_shot_def shot = small_shot();
    shot.turntable_duration_s = 1.0;
    shot.turntable_eased = true;
    shot.turntable_elevation_deg = 60.0;
    shot.lights_turn = true;
    OWN_RENDERER *all = make_renderer(3, ZT_ISA_BEST), *one = make_renderer(1, ZT_ISA_SCALAR);
    OWN_SCENE *scene = open_turn("run", shot);
    shot.frames = "7";
    OWN_SCENE *alone = open_turn("run", shot);
    for (int64_t f = 6; f < 8; f++) {
        OWN_IMAGE a = draw_frame(all, scene, f), b = draw_frame(one, alone, f);
        cr_expect_eq(zt_image_hash(&a), zt_image_hash(&b));
    }
}

Test(turntable, the_way_around)
{
    OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
    zt_shot_def shot = small_shot();
    shot.turntable_count = 8;
    OWN_SCENE *forth = open_turn("none", shot);
    shot.turntable_clockwise = true;
    OWN_SCENE *back = open_turn("none", shot);
    shot.turntable_eased = true;
    OWN_SCENE *eased = open_turn("none", shot);
    for (int64_t f = 0; f < 8; f++) {
        OWN_IMAGE a = draw_frame(renderer, forth, f), b = draw_frame(renderer, back, (8 - f) % 8);
        cr_expect_leq(compare(&a, &b).mean, 0.05);
    }
    // Eased: slower at first, the same in the middle but for the framing, which sees other angles.
    OWN_IMAGE a = draw_frame(renderer, back, 4), b = draw_frame(renderer, eased, 4);
    cr_expect_leq(compare(&a, &b).mean, 1.0);
    zt_image_finish(&a);
    zt_image_finish(&b);
    a = draw_frame(renderer, back, 1);
    b = draw_frame(renderer, eased, 1);
    cr_expect_gt(compare(&a, &b).mean, 2.0);
}

// ---- Lights -------------------------------------------------------------------------------------

/// A ball looks the same from everywhere exactly when the lights come along.
Test(turntable, lights_of_the_camera)
{
    static const char *const presets[] = {"flat", "studio", "product"};
    OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
    for (int p = 0; p < 3; p++) {
        zt_image seen[2][2];
        for (int turns = 0; turns < 2; turns++)
            for (int side = 0; side < 2; side++) {
                OWN_SCENE *scene = open_file(ZT_SOURCE_DIR "/scenes/models/ball.glb");
                zt_shot_def shot = small_shot();
                shot.samples = 4;
                shot.time_s = 0.0;
                shot.preset = presets[p];
                shot.look = "clay";
                shot.azimuth_deg = side ? 110.0 : 0.0;
                shot.lights_turn = turns;
                MUST(zt_scene_apply(scene, &shot, &err), err);
                seen[turns][side] = draw_frame(renderer, scene, 0);
            }
        const double world = compare(&seen[0][0], &seen[0][1]).mean;
        const double camera = compare(&seen[1][0], &seen[1][1]).mean;
        cr_expect_lt(camera, 0.4 * world, "%s: %g, and %g in the world", presets[p], camera, world);
        cr_expect_eq(zt_image_hash(&seen[0][0]), zt_image_hash(&seen[1][0]), "azimuth 0");
        for (int k = 0; k < 4; k++)
            zt_image_finish(&seen[k / 2][k % 2]);
    }
}

// ---- Framing ------------------------------------------------------------------------------------

static empty_sides sides_of(zt_renderer *renderer, zt_shot_def shot, int64_t frame)
{
    shot.preset = "flat"; // no shadow on the ground
    OWN_SCENE *scene = open_turn("run", shot);
    return draw_sides(renderer, scene, frame);
}

Test(turntable, margins)
{
    OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
    for (int percent = 0; percent <= 30; percent += 15) {
        zt_shot_def shot = small_shot();
        shot.width = shot.height = 100;
        shot.time_s = 0.2; // this pose is framed, whatever the clip does
        shot.margin = percent * 0.01;
        shot.orthographic = percent == 15;
        empty_sides side = sides_of(renderer, shot, 0);
        cr_expect(abs(side.top - percent) <= 1 && abs(side.bottom - percent) <= 1,
                  "%d %%: %d and %d pixels", percent, side.top, side.bottom);
    }
}

Test(turntable, frames_never_change_the_framing)
{
    OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
    zt_shot_def shot = small_shot();
    OWN_SCENE *all = open_turn("run", shot);
    shot.frames = "5";
    OWN_SCENE *one = open_turn("run", shot);
    OWN_IMAGE a = draw_frame(renderer, all, 5), b = draw_frame(renderer, one, 5);
    cr_expect_eq(zt_image_hash(&a), zt_image_hash(&b));
}

Test(turntable, directions_share_their_framing)
{
    OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
    int32_t height[4], alone[4];
    for (int k = 0; k < 4; k++) {
        zt_shot_def shot = small_shot();
        shot.width = shot.height = 128;
        shot.orthographic = true;
        shot.elevation_deg = 0.0;
        shot.azimuth_deg = 90.0 * k;
        shot.directions = 4;
        empty_sides side = sides_of(renderer, shot, 3);
        height[k] = 128 - side.top - side.bottom;
        cr_expect(side.left >= 5 && side.right >= 5 && side.top >= 5 && side.bottom >= 5);
        shot.directions = 0;
        shot.width = 64; // what is narrow decides
        side = sides_of(renderer, shot, 3);
        alone[k] = 128 - side.top - side.bottom;
    }
    cr_expect(abs(height[0] - height[1]) <= 1 && abs(height[0] - height[2]) <= 1 &&
              abs(height[0] - height[3]) <= 1);
    cr_expect(abs(alone[0] - alone[1]) > 1, "the test shows nothing");
}

Test(turntable, looking_at_bones_and_points)
{
    OWN_SCENE *scene = open_file(WALKER);
    zt_shot_def shot = small_shot();
    static const char *const wrong[] = {"nobody", "1,2", "1,2,3,4", "1,,2", "1,2,x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        shot.look_at = wrong[i];
        cr_expect_eq(zt_scene_apply(scene, &shot, &err), ZT_ERR_ARGUMENT, "%s", wrong[i]);
    }
    OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
    // A point below the model is in the middle: the model is in the upper half.
    shot.look_at = "0,-0.5,0";
    empty_sides side = sides_of(renderer, shot, 0);
    cr_expect(side.bottom >= 32 && side.top >= 2 && side.top < 8, "%d %d", side.top, side.bottom);
    shot.look_at = "head";
    side = sides_of(renderer, shot, 0);
    cr_expect(side.top > 20 && side.bottom <= 5, "%d %d", side.top, side.bottom);
}
