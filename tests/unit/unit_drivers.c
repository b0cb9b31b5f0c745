// SPDX-License-Identifier: MIT
/// Drivers: a morph target, a bone and a material by the angle of a joint or another target.
#include "base/maths.h"
#include "kernels/kernels.h"
#include "pose/pose.h"
#include "scene_fixture.h"

#define ARM                                                                                        \
    "format: 1\nmodels:\n  - file: " ZT_SOURCE_DIR "/scenes/models/arm.glb\n    animation: curl\n"
enum { UPPER_ARM = 1 };
#define FACE "format: 1\nmodels:\n  - file: " ZT_SOURCE_DIR "/scenes/models/face.glb\n"

/// The elbow of the clip bends by 100 degrees in its first second.
static double share_at(double time_s, double from_deg, double to_deg)
{
    return fmin(fmax((100.0 * time_s - from_deg) / (to_deg - from_deg), 0.0), 1.0);
}

static const mat4 *pose_at(double time_s)
{
    const mat4 *const *worlds;
    MUST(pose_scene(kernels_best(ZT_ISA_BEST)->pose, &scene, scene_shot_time(&scene, time_s),
                    &scene.arena, &(pose_sharing){0}, &worlds, &err),
         err);
    return worlds[0];
}

/// Checks the angle by which a bone is turned about z.
static void expect_angle(double time_s, int32_t bone, double want_deg)
{
    const vec4 *m = (const vec4 *)pose_at(time_s)[bone];
    const double angle = atan2((double)m[0][1], (double)m[0][0]) * (180.0 / MATHS_PI);
    NEAR(angle, want_deg, 0.01, "%g s", time_s);
}

Test(drivers, a_joint_drives_a_morph_target)
{
    must_read(
        ARM "    morphs: { biceps: { driver: { joint: forearm, range: [20, 90] }, weight: [[0, 2], "
            "[1, 1]] } }\n");
    pose_morphs morphs;
    cr_assert(pose_morphs_init(pose_morph_capacity(&scene), &scene.arena, &morphs));
    for (double t = 0.0; t <= 1.0; t += 0.125) {
        pose_morphs_evaluate(&scene.instances[0], 0, scene_shot_time(&scene, t),
                             &(pose_joints){.world_from_node = pose_at(t)}, &morphs);
        const double want = (2.0 - t) * share_at(t, 20.0, 90.0);
        NEAR(morphs.weights[0], want, 1e-4, "%g s", t);
    }
}

/// A corrective: as far as another target of the mesh shows, which comes before it.
Test(drivers, a_morph_target_drives_another)
{
    must_read(FACE "    morphs:\n      smile: [[0, 0], [2, 1]]\n"
                   "      blush: { driver: { morph: smile, range: [0.5, 1] } }\n");
    pose_morphs morphs;
    const zt_model *model = scene.instances[0].model;
    uint32_t node = 0, smile = 9, blush = 9;
    while (model->nodes[node].mesh < 0 || model->meshes[model->nodes[node].mesh].morph_count == 0)
        node++;
    const model_mesh *mesh = &model->meshes[model->nodes[node].mesh];
    for (uint32_t k = 0; k < mesh->morph_count; k++) {
        smile = strcmp(mesh->morphs[k].name, "smile") == 0 ? k : smile;
        blush = strcmp(mesh->morphs[k].name, "blush") == 0 ? k : blush;
    }
    cr_assert(smile < mesh->morph_count && blush < mesh->morph_count);
    cr_assert(pose_morphs_init(pose_morph_capacity(&scene), &scene.arena, &morphs));
    for (double t = 0.0; t <= 2.0; t += 0.25) {
        pose_morphs_evaluate(&scene.instances[0], node, scene_shot_time(&scene, t), NULL, &morphs);
        const double want = fmin(fmax((0.5 * t - 0.5) / 0.5, 0.0), 1.0);
        NEAR(morphs.weights[blush], want, 1e-6, "%g s", t);
    }
}

/// A bone that takes half of the bend of the elbow, as helper bones do.
Test(drivers, a_joint_drives_a_bone)
{
    must_read(ARM
              "    bones: { upper_arm: { rotate: [0, 0, 60], driver: { joint: forearm, range: [0, "
              "100] } } }\n");
    for (double t = 0.0; t <= 1.0; t += 0.25)
        expect_angle(t, UPPER_ARM, 60.0 * share_at(t, 0.0, 100.0));
}

/// A target that is keyed, and one that a joint drives: that joint is as the clip has it.
Test(drivers, a_morph_target_drives_a_bone)
{
    must_read(FACE "    morphs: { smile: [[0, 0], [2, 1]] }\n"
                   "    bones: { \"0\": { rotate: [0, 0, 60], driver: { morph: smile } } }\n");
    for (double t = 0.0; t <= 2.0; t += 0.25)
        expect_angle(t, 0, 30.0 * t);
    must_read(ARM "    morphs: { biceps: { driver: { joint: forearm, range: [20, 90] } } }\n"
                  "    bones: { upper_arm: { rotate: [0, 0, 60], driver: { morph: biceps } } }\n");
    for (double t = 0.0; t <= 1.0; t += 0.25)
        expect_angle(t, UPPER_ARM, 60.0 * share_at(t, 20.0, 90.0));
}
