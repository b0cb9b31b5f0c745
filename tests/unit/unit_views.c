// SPDX-License-Identifier: MIT
/// Cameras of a glTF file in every form, by name, and which of several scenes is shown.
#include "drawing.h"
#include "kernels/kernels.h"
#include "render/camera.h"
#include "render/frame_pose.h"
#include "render/ground.h"
#include "render/posed_bounds.h"
#include "test_memory.h"
#include "view/view_fit.h"

static zt_error err;

#define VIEWS ZT_SOURCE_DIR "/tests/cli/models/views.gltf"

static zt_scene *open_views(const char *camera)
{
    zt_scene *scene = NULL;
    zt_load_def def = zt_default_load_def();
    zt_shot_def shot = zt_default_shot_def();
    def.strict = true;
    shot.camera = camera;
    MUST(zt_scene_load(VIEWS, &def, &scene, &err), err);
    cr_assert_eq(zt_scene_apply(scene, &shot, &err), ZT_OK, "%s: %s", camera, err.message);
    return scene;
}

static void camera_of(zt_scene *scene, const scene_framing *framing, view_camera *out)
{
    frame_pose pose;
    camera_points points;
    OWN_ARENA a;
    arena_init(&a, &scene->budget_own);
    MUST(frame_pose_build(kernels_for(ZT_ISA_SCALAR)->pose, scene, scene_frame_time(scene, 0), &a,
                          &pose, &err),
         err);
    MUST(scene_camera_points(kernels_for(ZT_ISA_SCALAR)->pose, scene, scene_frame_time(scene, 0),
                             a.budget, &points, &err),
         err);
    scene_camera_at(scene, framing, scene_frame_time(scene, 0), &points, pose.world_from_node,
                    (const model_property_value *const *)pose.properties, out);
}

static void look_through(const char *camera, view_camera *out)
{
    OWN_SCENE *scene = open_views(camera);
    // The framed box reaches from 1 m behind the origin to 1 m before it.
    const scene_framing framing = {.min = {-1.0f, -1.0f, -1.0f}, .max = {1.0f, 1.0f, 1.0f}};
    camera_of(scene, &framing, out);
}

Test(views, perspective_with_a_far_plane)
{
    view_camera camera;
    look_through("finite", &camera);
    cr_expect(!camera.orthographic && camera.eye[2] == 4.0 && camera.eye[1] == 0.5);
    cr_expect(fabs(camera.focal - 1.0 / tan(0.25)) < 1e-6, "%g", camera.focal);
    cr_expect(camera.near_m == 0.25 && camera.far_m == 40.0);
}

Test(views, perspective_without_a_far_plane)
{
    view_camera camera;
    look_through("endless", &camera);
    cr_expect(fabs(camera.focal - 1.0 / tan(0.5)) < 1e-6, "%g", camera.focal);
    cr_expect(camera.near_m == 0.5 && camera.far_m > 5.0, "beyond all there is: %g", camera.far_m);
}

Test(views, orthographic)
{
    view_camera camera;
    look_through("flat", &camera);
    cr_expect(camera.orthographic && camera.half_height == 2.0);
    cr_expect(fabs(camera.near_m - 0.1) < 1e-7 && camera.far_m == 20.0);
}

Test(views, one_of_several_scenes_is_shown)
{
    OWN_SCENE *scene = open_views("finite");
    const zt_model *model = scene->models[0];
    cr_assert_eq(model->asset_info->scenes.count, 2);
    cr_expect(model->asset_info->scene == 1 &&
              strcmp(model->asset_info->scenes.text[1], "second") == 0);
    for (uint32_t i = 0; i < model->node_count; i++) {
        const bool left_out = strcmp(model->nodes[i].name, "left out") == 0;
        cr_expect(model->nodes[i].visible != left_out, "%s", model->nodes[i].name);
    }
}

/// Does what is seen through the scene's camera depend on what framing finds?
static bool framing_shows(zt_scene *scene)
{
    const scene_framing none = {0};
    scene_framing some = none;
    for (int k = 0; k < 3; k++) {
        some.min[k] = -3.0f;
        some.max[k] = 4.0f;
        some.target[k] = 0.5;
    }
    some.distance = 20.0;
    some.half_height = 3.0;
    view_camera a, b;
    camera_of(scene, &none, &a);
    camera_of(scene, &some, &b);
    const bool moved = memcmp(a.eye, b.eye, sizeof a.eye) != 0 || a.focal != b.focal;
    if (!a.orthographic) // it has neither far plane nor height
        return moved || a.near_m != b.near_m;
    return moved || a.far_m != b.far_m || a.half_height != b.half_height;
}

#define FRAMED ZT_SOURCE_DIR "/scenes/models/"

/// All frames of a shot lie in what it is framed on: the last one too, and where only a solver, a
/// transform or a morph target moves while the clips are frozen.
Test(views, shots_are_framed_over_all_that_moves)
{
    static const char *const models[] = {
        "{ file: " FRAMED "figure.glb, animation: wave, ik: [ { reach: {\n"
        "      bones: [upper_arm_r, lower_arm_r, hand_r], pole: [0, -1, 0],\n"
        "      target: [[0, [-0.3, 0.9, 0]], [1, [-5, 1.4, 0]]] } } ] }\n",
        "{ file: " FRAMED "figure.glb, transform: { translate: [[0, [0, 0, 0]], [1, [-9, 0, 0]]] "
        "} }\n",
        "{ file: " FRAMED "face.glb, morphs: { nose: [[0, 0], [1, 8]] } }\n",
    };
    for (size_t n = 0; n < 2 * (sizeof models / sizeof *models); n++) {
        OWN_SCENE *scene = load_scene_text(
            "output: { size: [64, 64], fps: 10, frames: 0-10 }\nmodels:\n  - %s", models[n / 2]);
        zt_shot_def shot = zt_default_shot_def();
        if (n % 2)
            shot.time_s = 0.25;
        MUST(zt_scene_apply(scene, &shot, &err), err);
        scene_framing framing;
        float first[2][3], min[3], max[3];
        bool moved = false;
        OWN_MEMORY(a, 0);
        OWN_POOL *pool = make_pool(1);
        MUST(scene_framing_find(kernels_best(ZT_ISA_BEST), scene, NULL, pool, 1, a.budget, &framing,
                                &err),
             err);
        for (int i = 0; i <= 10; i++) {
            MUST(posed_bounds(kernels_best(ZT_ISA_BEST), scene, scene_shot_time(scene, i / 10.0),
                              &a, min, max, &err),
                 err);
            arena_reset(&a);
            if (i == 0) {
                memcpy(first[0], min, sizeof min);
                memcpy(first[1], max, sizeof max);
            }
            for (int k = 0; k < 3; k++) {
                cr_assert(min[k] >= framing.min[k] && max[k] <= framing.max[k],
                          "model %zu frame %d", n / 2, i);
                moved = moved || min[k] < first[0][k] - 0.1f || max[k] > first[1][k] + 0.1f;
            }
        }
        cr_assert(moved, "model %zu leaves the bounds of its first frame", n / 2);
    }
}

Test(views, shots_are_framed_when_it_shows_and_only_then)
{
    static const struct camera_text {
        const char *text;
        bool framed;
    } cameras[] = {
        {"", true},
        {"camera: { orbit: { target: [0, 1, 0] } }", true},
        {"camera: { orbit: { distance: 4 } }", true},
        {"camera: { orbit: { target: [0, 1, 0], distance: 4 } }", false},
        {"camera: { orbit: { target: [0, 1, 0], distance: 4 }, orthographic: 3 }", true},
        {"camera: { look_at: { position: [1, 2, 3], target: [0, 1, 0] } }", false},
        {"camera: { look_at: { position: [1, 2, 3], target: [0, 1, 0] }, zoom: 2 }", false},
        {"camera: { look_at: { position: [1, 2, 3], target: [0, 1, 0] }, orthographic: auto }",
         true},
        {"camera: { look_at: { position: [1, 2, 3], target: [0, 1, 0] }, orthographic: 2 }", true},
    };
    for (size_t i = 0; i < sizeof cameras / sizeof cameras[0]; i++) {
        OWN_SCENE *scene = load_scene_text("models: [{ file: %s }]\n%s\n", VIEWS, cameras[i].text);
        cr_expect_eq(scene_camera_needs_framing(scene), cameras[i].framed, "%s", cameras[i].text);
        cr_expect_eq(framing_shows(scene), cameras[i].framed, "%s", cameras[i].text);
    }
    static const char *const of_model[] = {"finite", "endless"};
    for (size_t i = 0; i < 2; i++) {
        OWN_SCENE *scene = open_views(of_model[i]);
        cr_expect(!scene_camera_needs_framing(scene) && !framing_shows(scene), "%s", of_model[i]);
    }
}

/// Lamps that go around with the camera do so about what it looks at: a ball looks the same from
/// everywhere, wherever it is.
Test(views, lamps_go_around_the_model)
{
    zt_image seen[2];
    zt_metrics difference;
    const zt_metrics_def measure = zt_default_metrics_def();
    for (int side = 0; side < 2; side++) {
        OWN_SCENE *scene = load_scene_text(
            "ground: none\nlights: [ { point: { position: [7, 2, 1], candela: 20 } } ]\n"
            "models: [ { file: " ZT_SOURCE_DIR
            "/scenes/models/ball.glb, transform: { translate: [5, 0, 0] } } ]\n"
            "camera: { orbit: { azimuth: 0 } }\n");
        zt_shot_def shot = sized_shot(48, 48);
        shot.look = "clay";
        shot.azimuth_deg = side ? 110.0 : 0.0;
        shot.lights_turn = true;
        MUST(zt_scene_apply(scene, &shot, &err), err);
        seen[side] = draw_frame(NULL, scene, 0);
    }
    cr_assert_eq(zt_image_measure(&seen[0], &seen[1], &measure, &difference, NULL, &err), ZT_OK);
    cr_expect(difference.mean < 1.0 && !zt_image_blank(&seen[0]), "%g", difference.mean);
    zt_image_finish(&seen[0]);
    zt_image_finish(&seen[1]);
}

/// The ground below a ball whose centre is at the heights of `translate`, keys of a track over two
/// seconds; `ground`: the value of the key.
static double ground_below(const char *translate, const char *ground)
{
    scene_framing framing;
    budget memory;
    OWN_SCENE *scene =
        load_scene_text("output: { size: [32, 32], frames: 0-40, fps: 20 }\n"
                        "models: [ { file: " ZT_SOURCE_DIR "/scenes/models/ball.glb, transform: "
                        "{ translate: %s } } ]\n"
                        "ground: %s\n",
                        translate, ground);
    budget_init(&memory, 0, NULL);
    OWN_POOL *pool = make_pool(1);
    MUST(scene_framing_find(kernels_best(ZT_ISA_BEST), scene, NULL, pool, 1, &memory, &framing,
                            &err),
         err);
    return framing.ground_m;
}

/// One dip does not move the ground; a shot that leaves the height of its first pose does.
Test(views, the_ground_is_below_the_first_pose)
{
    static const char dips[] =
        "[[0, [0, 0, 0]], [1, [0, 0, 0]], [1.2, [0, -1, 0]], [1.4, [0, 0, 0]]]";
    static const char rises[] = "[[0, [0, 0, 0]], [0.05, [0, 2, 0]], [1, [0, 3, 0]]]";
    static const char falls[] = "[[0, [0, 3, 0]], [0.5, [0, 0, 0]]]";
    const double still = ground_below("[0, 0, 0]", "shadow");
    cr_expect_eq(ground_below("[0, 0, 0]", "{ height: rest }"), still);
    cr_expect_eq(ground_below(dips, "shadow"), still);
    cr_expect_lt(fabs(ground_below(dips, "{ kind: plane, height: shot }") - (still - 1.0)), 1e-5);
    cr_expect_lt(fabs(ground_below(rises, "{ height: auto }") - (still + 2.0)), 1e-5);
    cr_expect_lt(fabs(ground_below(falls, "checker") - still), 1e-5);
    cr_expect_eq(ground_below(falls, "{ height: -0.5 }"), -0.5);
}

/// A point at 3, 1 and 4 metres right, up and along the line of sight from the target wants of each
/// side the distance at which it is at the border, and is the centre of what it alone reaches.
Test(views, the_fit_of_a_point)
{
    static const struct {
        bool orthographic;
        double focal, margin;
        double want[VIEW_FIT_SIDES]; ///< +-x focal / fill - z; of a parallel view without z
    } rows[] = {
        {false, 2.0, 0.0, {3.0 * 2.0 / 2.0 - 4.0, -3.0 - 4.0, 1.0 * 2.0 - 4.0, -2.0 - 4.0}},
        {false, 2.0, 0.25, {3.0 * 2.0 / 1.0 - 4.0, -6.0 - 4.0, 1.0 * 2.0 / 0.5 - 4.0, -4.0 - 4.0}},
        {true, 1.0, 0.25, {3.0, -3.0, 2.0, -2.0}},
    };
    const double target[3] = {10.0, 20.0, 30.0};
    const double point[3] = {10.0 + 3.0, 20.0 + 1.0, 30.0 - 4.0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double reach[VIEW_FIT_SIDES], right, up;
        const view_camera axes = {.right = {1.0, 0.0, 0.0},
                                  .up = {0.0, 1.0, 0.0},
                                  .forward = {0.0, 0.0, -1.0},
                                  .orthographic = rows[i].orthographic,
                                  .focal = rows[i].focal};
        const view_fit fit = view_fit_of(&axes, 200, 100, rows[i].margin);
        for (int side = 0; side < VIEW_FIT_SIDES; side++) {
            double support = 0.0;
            for (int k = 0; k < 3; k++)
                support += point[k] * fit.side[side][k];
            reach[side] = view_fit_reach(&fit, side, support, target);
            NEAR(reach[side], rows[i].want[side], 1e-12, "%zu, %d", i, side);
        }
        view_fit_centre(&fit, reach, &right, &up);
        cr_expect(fabs(right - 3.0) < 1e-12 && fabs(up - 1.0) < 1e-12, "%zu: %g, %g", i, right, up);
    }
}

Test(views, the_depths_of_a_box)
{
    static const struct {
        float eye_z, near, far;
    } rows[] = {{10.0f, 9.0f, 12.0f}, {0.0f, 0.0f, 2.0f}, {-5.0f, 0.0f, 1.0f}};
    const float low[3] = {-1.0f, -1.0f, -2.0f}, high[3] = {1.0f, 1.0f, 1.0f};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float near, far;
        const view_camera camera = {.eye[2] = (double)rows[i].eye_z, .forward[2] = -1.0};
        const screen_view view = {.origin[2] = rows[i].eye_z, .forward[2] = -1.0f};
        view_bounds_depths(&view, low, high, &near, &far);
        cr_expect(near == rows[i].near && far == rows[i].far, "%zu: %g, %g", i, (double)near,
                  (double)far);
        cr_expect(i == 2 || view_bounds_farthest(&camera, low, high) == (double)rows[i].far, "%zu",
                  i);
    }
}

#define VIEW "output: { size: [200, 100] }\nmodels: [ { shape: box } ]\ncamera: { look_at: "

/// The middle of a picture of 200 x 100 pixels is what the camera looks at; half of the height is
/// 1 m at a distance of 1 m where the angle of view is 90 degrees.
Test(views, points_are_projected_before_the_camera_only)
{
    static const struct {
        const char *scene;
        double x, y; // of the origin; < 0: refused
    } cases[] = {
        {VIEW "{ position: [1, 2, 5], target: [1, 2, 0] }, fov: 90 }\n", 90, 70},
        {VIEW "{ position: [-1, 0, -4], target: [-1, 0, 0] }, fov: 90 }\n", 87.5, 50},
        {VIEW "{ position: [0, 0, 5], target: [0, 0, 9] }, fov: 90 }\n", -1, -1},
        {VIEW "{ position: [1, 0, 5], target: [1, 0, 9] }, orthographic: 8 }\n", 112.5, 50},
    };
    OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_SCALAR);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double at[2] = {-1, -1};
        OWN_SCENE *scene = load_scene_text("%s", cases[i].scene);
        cr_expect_eq(zt_renderer_project(renderer, scene, 0, NULL, at, &err),
                     cases[i].x < 0 ? ZT_ERR_ARGUMENT : ZT_OK, "%d", (int)i);
        cr_expect(fabs(at[0] - cases[i].x) < 1e-4 && fabs(at[1] - cases[i].y) < 1e-4, "%d: %g %g",
                  (int)i, at[0], at[1]);
    }
}

/// 1, 2 or 5 times a power of ten: the largest of at most half of the radius of the bounds.
Test(views, squares_of_a_checker)
{
    static const double cases[][2] = {
        {0.05, 0.02}, {0.099, 0.02}, {0.101, 0.05}, {0.199, 0.05}, {0.201, 0.1}, {3.9, 1}, {4.1, 2},
        {9.9, 2},     {10.1, 5},     {19.9, 5},     {20.1, 10},    {41, 20},     {101, 50}};
    OWN_SCENE *scene = load_scene_text("models: [ { shape: box } ]\nground: checker\n");
    OWN_ARENA a;
    arena_init(&a, &scene->budget_own);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const scene_framing framing = {.max = {(float)(2.0 * cases[i][0])}};
        geometry_draw draw;
        shade_material material;
        frame_pose pose = {.draws = &draw};
        frame_ground *ground;
        cr_assert_eq(ground_add(scene, &framing, &a, &pose, &material, &ground, &err), ZT_OK);
        NEAR(ground->shade.square_m, cases[i][1], cases[i][1] * 1e-6, "%g", cases[i][0]);
    }
}
