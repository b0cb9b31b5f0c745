// SPDX-License-Identifier: MIT
/// Cameras of a glTF file in every form, by name, and which of several scenes is shown.
#include "render/camera.h"
#include "render/frame_pose.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define VIEWS ZT_SOURCE_DIR "/tests/cli/models/views.gltf"

static zt_scene *open_views(const char *camera)
{
    zt_scene *scene = NULL;
    zt_error err = {0};
    zt_load_def def = zt_default_load_def();
    zt_shot_def shot = zt_default_shot_def();
    def.strict = true;
    shot.camera = camera;
    cr_assert_eq(zt_scene_load(VIEWS, &def, &scene, &err), ZT_OK, "%s", err.message);
    cr_assert_eq(zt_scene_apply(scene, &shot, &err), ZT_OK, "%s: %s", camera, err.message);
    return scene;
}

static void look_through(const char *camera, view_camera *out)
{
    zt_scene *scene = open_views(camera);
    // What is framed reaches from 1 m behind the origin to 1 m before it.
    const scene_framing framing = {
        .min = {-1.0f, -1.0f, -1.0f},
          .max = {1.0f,  1.0f,  1.0f }
    };
    zt_error err = {0};
    frame_pose pose;
    arena a;
    arena_init(&a, &scene->budget_own);
    cr_assert_eq(frame_pose_find(kernels_for(ZT_ISA_SCALAR), scene, 0, &a, &pose, &err), ZT_OK);
    scene_camera_at(scene, &framing, 0, pose.world_from_node,
                    (const model_property_value *const *)pose.properties, out);
    arena_finish(&a);
    zt_scene_destroy(scene);
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
    zt_scene *scene = open_views("finite");
    const zt_model *model = scene->models[0];
    cr_assert_eq(model->about->scenes.count, 2);
    cr_expect(model->about->scene == 1 && strcmp(model->about->scenes.text[1], "second") == 0);
    for (uint32_t i = 0; i < model->node_count; i++) {
        const bool left_out = strcmp(model->nodes[i].name, "left out") == 0;
        cr_expect(model->nodes[i].visible != left_out, "%s", model->nodes[i].name);
    }
    zt_scene_destroy(scene);
}
