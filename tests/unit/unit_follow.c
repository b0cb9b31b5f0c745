// SPDX-License-Identifier: MIT
/// Points of cameras and lights that follow models and bones: exactly there without `smooth`; with
/// it a mean, by hand for a corner; a bone posed alone is that of the whole scene.
#include "posed_scene.h"
#include "render/camera.h"
#include "render/frame_pose.h"
#include "render/posed_bounds.h"
#include "scene/scene_follow.h"
#include "test_memory.h"

TestSuite(follow, .init = posed_setup, .fini = posed_teardown);

static dvec3 target_at(double time_s)
{
    camera_points points;
    zt_error err = {0};
    MUST(scene_camera_points(kernels_for(ZT_ISA_SCALAR)->pose, &posed_scene,
                             scene_shot_time(&posed_scene, time_s), posed_scratch.budget, &points,
                             &err),
         err);
    return dvec3_load(points.target);
}

static bool same(dvec3 a, dvec3 b) { return memcmp(&a, &b, sizeof a) == 0; }

/// Only what a bone depends on is posed for it: the other models make no difference.
Test(follow, a_bone_alone_is_that_of_the_scene)
{
    static const char *const files[] = {"ik_rifle", "rider", "travel",
                                        "ik_rod",   "bones", "ik_orient"};
    const pose_loops *loops = kernels_for(ZT_ISA_SCALAR)->pose;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        load_file(files[f]);
        for (double t = 0.0; t < 5.0; t += 1.7) {
            arena_reset(&posed_scratch);
            pose(t);
            for (uint32_t i = 0; i < posed_scene.instance_count; i++) {
                const uint32_t count = posed_scene.instances[i].model->node_count;
                for (uint32_t n = 0; n < count; n += 1 + count / 4) {
                    mat4 alone;
                    zt_error err = {0};
                    MUST(pose_bone(loops, &posed_scene, i, (int32_t)n,
                                   scene_shot_time(&posed_scene, t), &posed_scratch, alone, &err),
                         err);
                    cr_expect(memcmp(alone, worlds[i][n], sizeof alone) == 0,
                              "%s at %g: instance %u, node %u", files[f], t, i, n);
                }
            }
        }
    }
}

#define WALKER                                                                                     \
    "  - { name: walker, file: ../models/walker.glb, clips_from: ../models/walker_moves.glb,\n"    \
    "      transform: { rotate: [0, 50, 0], scale: 1.5 },\n"                                       \
    "      animation: { clip: stride, root_motion: extract } }\n"
#define ORBIT(target) "camera: { orbit: { target: " target " } }\n"

Test(follow, without_a_mean_it_is_the_bone)
{
    load(WALKER ORBIT("{ model: walker, bone: head }"));
    for (double t = 0.0; t < 3.0; t += 0.37) {
        pose(t);
        cr_expect(same(target_at(t), joint(0, "head")), "at %g", t);
    }
}

/// The offset turns and grows with the bone, or not at all.
Test(follow, offsets)
{
    load(WALKER ORBIT("{ model: walker, bone: head, offset: [1, 2, 3] }"));
    pose(1.3);
    dvec3 want = joint(0, "head");
    const vec4 *m = world(0, "head");
    for (int column = 0; column < 3; column++)
        want = dvec3_add(want, dvec3_scale(dvec3_from_floats(m[column]), column + 1.0));
    const dvec3 bone = joint(0, "head");
    cr_expect(dvec3_length(dvec3_sub(target_at(1.3), want)) < 1e-6);
    cr_expect(fabs(dvec3_length(dvec3_sub(want, bone)) - 1.5 * sqrt(14.0)) < 1e-5);
    load(WALKER ORBIT("{ model: walker, bone: head, offset: [1, 2, 3], space: world }"));
    cr_expect(same(target_at(1.3), dvec3_add(bone, (dvec3){1, 2, 3})));
}

/// The model itself, on what carries it.
Test(follow, a_model_without_a_bone)
{
    load("  - { name: platform, file: ../models/platform.glb, animation: ride }\n"
         "  - { name: ball, file: ../models/blob.glb, transform: { translate: [0.6, 0.25, 0.3] },\n"
         "      parent: { model: platform, bone: deck } }\n" ORBIT("{ model: ball }"));
    for (double t = 0.0; t < 4.0; t += 0.7) {
        pose(t);
        const vec4 *deck = world(0, "deck");
        dvec3 want = dvec3_from_floats(deck[3]);
        const double at[3] = {0.6, 0.25, 0.3};
        for (int column = 0; column < 3; column++)
            want = dvec3_add(want, dvec3_scale(dvec3_from_floats(deck[column]), at[column]));
        cr_expect(dvec3_length(dvec3_sub(target_at(t), want)) < 1e-6, "at %g", t);
    }
}

/// Still until 1 s, then 1 m a second: at the corner the mean over a window of S is ahead by sum(k
/// (8 - k)) / 64 / 16 S = 84 / 1024 S, on straight parts the point, at the start what is there.
Test(follow, the_mean_of_a_corner)
{
    load("  - { name: ball, file: ../models/ball.glb,\n"
         "      transform: { translate: [[1, [2, 0, 0]], [9, [10, 0, 0]]] } }\n" ORBIT(
             "{ model: ball, smooth: 2 }"));
    cr_expect_float_eq(target_at(1.0).x, 2.0 + 2.0 * 84.0 / 1024.0, 1e-6);
    cr_expect_float_eq(target_at(5.0).x, 6.0, 1e-6);
    cr_expect_eq(target_at(0.0).x, 2.0, "the window ends at 1 s, with a weight of 0");
    cr_expect_eq(target_at(20.0).x, 10.0);
    load("  - { name: ball, file: ../models/ball.glb,\n"
         "      transform: { translate: [[0, [2, 0, 0]], [8, [10, 0, 0]]] } }\n" ORBIT(
             "{ model: ball, smooth: 2 }"));
    cr_expect_float_eq(target_at(0.0).x, 2.0 + 2.0 * 84.0 / 1024.0, 1e-6);
    // Before the shot it rests, though its keys begin earlier.
    load("  - { name: ball, file: ../models/ball.glb,\n"
         "      transform: { translate: [[-8, [-6, 0, 0]], [8, [10, 0, 0]]] } }\n" ORBIT(
             "{ model: ball, smooth: 2 }"));
    cr_expect_float_eq(target_at(0.0).x, 2.0 + 2.0 * 84.0 / 1024.0, 1e-6);
}

/// In every direction the mean reaches no farther than the points of its window. It moves less from
/// frame to frame than the bone, and a frame alone is the same as one after others.
Test(follow, the_mean_is_within_the_window)
{
    enum { FRAMES = 40 };
    static const dvec3 directions[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, -1}, {-2, 1, 3}};
    load(WALKER ORBIT("{ model: walker, bone: hand_l, offset: [0, 0.1, 0], smooth: 0.75 }"));
    scene_follow plain = *posed_scene.camera.target.follow;
    const scene_follow *smooth = posed_scene.camera.target.follow;
    plain.smooth_s = 0.0;
    dvec3 mean[FRAMES], bone[FRAMES];
    for (int f = 0; f < FRAMES; f++) {
        const double t = f / 30.0;
        posed_scene.camera.target.follow = smooth;
        mean[f] = target_at(t);
        posed_scene.camera.target.follow = &plain;
        bone[f] = target_at(t);
        for (size_t d = 0; d < sizeof directions / sizeof *directions; d++) {
            double low = (double)INFINITY, high = -(double)INFINITY;
            for (int k = -7; k <= 7; k++) {
                const double at = t + 0.75 * k / 16.0;
                const double along = dvec3_dot(target_at(at > 0.0 ? at : 0.0), directions[d]);
                low = along < low ? along : low;
                high = along > high ? along : high;
            }
            const double along = dvec3_dot(mean[f], directions[d]);
            cr_expect(along >= low - 1e-12 && along <= high + 1e-12, "frame %d: %.17g", f, along);
        }
    }
    double bends = 0.0, bone_bends = 0.0;
    for (int f = 1; f < FRAMES - 1; f++) {
        const dvec3 twice = dvec3_scale(mean[f], 2.0), bone_twice = dvec3_scale(bone[f], 2.0);
        bends += dvec3_length(dvec3_sub(dvec3_add(mean[f - 1], mean[f + 1]), twice));
        bone_bends += dvec3_length(dvec3_sub(dvec3_add(bone[f - 1], bone[f + 1]), bone_twice));
    }
    // A triangle of width S weakens a sway of period P by sinc(S / 2P)^2: 0.61 for a stride of 1 s.
    cr_expect(bends < 0.65 * bone_bends, "%g of %g", bends, bone_bends);
    posed_scene.camera.target.follow = smooth;
    for (int f = FRAMES - 1; f >= 0; f -= 3)
        cr_expect(same(target_at(f / 30.0), mean[f]), "frame %d alone", f);
}

/// `distance: auto` about a walker: everything is in every frame, and fills one.
Test(follow, automatic_distance)
{
    const kernel_table *kernels = kernels_for(ZT_ISA_SCALAR);
    load("  - { file: ../models/figure.glb }\n" WALKER
         "camera: { orbit: { target: { model: walker, bone: head, smooth: 0.4 }, azimuth: 70 } }\n"
         "output: { size: [300, 200], frames: 0-40 }\n");
    zt_error err = {0};
    scene_framing framing;
    OWN_POOL *pool = make_pool(1);
    cr_assert(scene_camera_needs_framing(&posed_scene));
    MUST(scene_framing_find(kernels, &posed_scene, NULL, pool, 1, &posed_scene.budget_own, &framing,
                            &err),
         err);
    double nearest = -(double)INFINITY;
    for (int64_t f = 0; f <= 40; f++) {
        const frame_time time = scene_frame_time(&posed_scene, f);
        camera_points points;
        view_camera c;
        float side[BOUNDS_DIRECTIONS][3], low[3], high[3], reach[BOUNDS_DIRECTIONS];
        arena_reset(&posed_scratch);
        MUST(scene_camera_points(kernels->pose, &posed_scene, time, posed_scratch.budget, &points,
                                 &err),
             err);
        scene_camera_at(&posed_scene, &framing, time, &points, NULL, NULL, &c);
        for (int i = 0; i < BOUNDS_DIRECTIONS; i++)
            for (int k = 0; k < 3; k++)
                side[i][k] = (float)((i < 2 ? c.right[k] / 1.5 : c.up[k]) * c.focal *
                                         (i % 2 == 0 ? 1.0 : -1.0) -
                                     c.forward[k]);
        MUST(posed_bounds_along(kernels, &posed_scene, time, (const float(*)[3])side,
                                &posed_scratch, low, high, reach, &err),
             err);
        for (int i = 0; i < BOUNDS_DIRECTIONS; i++) {
            const double out =
                (double)reach[i] - dvec3_dot(dvec3_from_floats(side[i]), dvec3_load(c.eye));
            cr_expect(out < 0.0, "frame %d, side %d: out of the picture", (int)f, i);
            nearest = out > nearest ? out : nearest;
        }
    }
    cr_expect(nearest > -0.2 * framing.distance, "%g of %g", nearest, framing.distance);
}

/// A lamp in a hand, and a spot that points from a head to a hand; without a way it points down.
/// With the camera, by a quarter from +z to +x about (1, 0, 2), turn only places and ways that do
/// not follow: the last two spots are at (3, 3) from that axis, the target of one at (0, 1).
Test(follow, lights)
{
    load(WALKER "lights:\n"
                "  - { point: { position: { model: walker, bone: hand_l } } }\n"
                "  - { spot: { position: { model: walker, bone: head }, target: { model: walker, "
                "bone: hand_r } } }\n"
                "  - { spot: { position: [0, 1, 0], target: [0, 1, 0] } }\n"
                "  - { directional: { direction: [1, -1, 0] } }\n"
                "  - { spot: { position: [4, 5, 5], target: [1, 0, 3] } }\n"
                "  - { spot: { position: [4, 5, 5], target: { model: walker, bone: head } } }\n");
    frame_pose posed;
    shade_frame shade = {0};
    frame_light_set lights;
    zt_error err = {0};
    const frame_time time = scene_shot_time(&posed_scene, 0.8);
    pose(0.8);
    const dvec3 hand = joint(0, "hand_l"), head = joint(0, "head"), to = joint(0, "hand_r");
    MUST(frame_pose_build(kernels_for(ZT_ISA_SCALAR)->pose, &posed_scene, time, &posed_scratch,
                          &posed, &err),
         err);
    posed.light_turn = (frame_light_turn){.turned = true, .sine = 1.0, .axis = {1.0, 7.0, 2.0}};
    MUST(frame_lights(&posed_scene, &posed, time, NULL, &posed_scratch, &shade, &lights, &err),
         err);
    const frame_light *l = lights.lights;
    cr_assert(lights.count >= 6);
    cr_expect(same(dvec3_load(l[0].source.position), hand));
    cr_expect(same(dvec3_load(l[1].source.position), head));
    cr_expect(same(dvec3_load(l[1].source.direction), dvec3_sub(to, head)));
    cr_expect(same(dvec3_load(l[2].source.direction), (dvec3){0.0, -1.0, 0.0}));
    cr_expect(same(dvec3_load(l[3].source.direction), (dvec3){0.0, -1.0, -1.0}));
    const dvec3 turned = {4.0, 5.0, -1.0};
    cr_expect(same(dvec3_load(l[4].source.position), turned));
    cr_expect(same(dvec3_load(l[4].source.direction), (dvec3){-2.0, -5.0, 3.0}));
    cr_expect(same(dvec3_load(l[5].source.direction), dvec3_sub(head, turned)));
}
