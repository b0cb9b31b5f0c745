// SPDX-License-Identifier: MIT
/// Crowds: `instances` as a map, and poses that share a skinned mesh.
#include "pose/pose.h"
#include "render/frame_pose.h"
#include "render/posed_bounds.h"
#include "scene_fixture.h"

TestSuite(crowd, .init = setup, .fini = teardown);

#define CROWD HEAD "    animation: { clip: spin, start: 0.5 }\n    instances: "
#define HINGE "format: 1\nmodels:\n  - file: hinge.m3d\n    animation: Swing\n    instances: "

Test(crowd, grid_centred_on_the_model)
{
    must_read(HEAD "    transform: { translate: [[0, [10, 0, 0]], [1, [20, 0, 0]]], scale: 2 }\n"
                   "    instances: { grid: { count: [3, 2], step: [2, 5] } }\n");
    cr_assert_eq(scene.instance_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        mat4 m;
        pose_instance_transform(&scene, &scene.instances[i], scene_shot_time(&scene, 1.0), m);
        cr_assert_eq(m[3][0], 20.0f + 2.0f * ((float)(i % 3) - 1.0f), "member %u", i);
        cr_assert_eq(m[3][1], 0.0f);
        cr_assert_eq(m[3][2], 5.0f * ((float)(i / 3) - 0.5f), "the scale is not the grid's");
        cr_assert_eq(m[0][0], 2.0f);
        cr_assert_eq(scene.instances[i].layers, scene.instances[0].layers, "one animation for all");
    }
    must_read(HEAD "    instances: { places: [[1, 2, 3], [4, 5, 6]] }\n");
    cr_assert_eq(scene.instance_count, 2);
    cr_assert_eq(scene.instances[1].crowd_offset->translation[2], 6.0);
    must_read(HEAD "    instances: { grid: { count: [1, 1] } }\n");
    cr_assert_eq(scene.instances[0].crowd_offset->translation[0], 0.0);
}

Test(crowd, members_vary_within_their_limits)
{
    static const char *const text = CROWD
        "{ grid: { count: [20, 10] }, seed: 7, vary: { move: [0.25, 0, 0.125], turn: 30, size: "
        "0.1, start: 2, speed: 0.5, poses: 5 } }\n";
    double smallest[4] = {1e9, 1e9, 1e9, 1e9}, largest[4] = {-1e9, -1e9, -1e9, -1e9};
    double first[200];
    uint32_t kinds = 0;
    must_read(text);
    cr_assert_eq(scene.instance_count, 200);
    for (uint32_t i = 0; i < 200; i++) {
        const scene_crowd_offset *offset = scene.instances[i].crowd_offset;
        const double off[4] = {offset->translation[0] - ((double)(i % 20) - 9.5),
                               offset->translation[2] - ((double)(i / 20) - 4.5), offset->yaw_deg,
                               offset->scale - 1.0};
        first[i] = off[0];
        cr_assert_eq(offset->translation[1], 0.0);
        for (int k = 0; k < 4; k++) {
            smallest[k] = fmin(smallest[k], off[k]);
            largest[k] = fmax(largest[k], off[k]);
        }
        const scene_layer *layer = scene.instances[i].layers;
        const double step = (layer->start_s - 0.5) / 0.4; // 2 s in 5 steps, from start 0.5 on
        cr_assert_float_eq(step, floor(step + 0.5), 1e-9, "member %u at %g", i, layer->start_s);
        cr_assert(step > -0.5 && step < 4.5);
        cr_assert(layer->speed >= 0.5 && layer->speed <= 1.5 && layer->speed != 1.0);
        bool known = false;
        for (uint32_t k = 0; k < i; k++)
            known |= scene.instances[k].layers == layer;
        kinds += !known;
    }
    cr_assert_eq(kinds, 5, "as many animations as poses");
    const double limit[4] = {0.25, 0.125, 30.0, 0.1};
    for (int k = 0; k < 4; k++) // 200 draws reach close to both ends
        cr_assert(smallest[k] >= -limit[k] && smallest[k] < -0.9 * limit[k] &&
                      largest[k] <= limit[k] && largest[k] > 0.9 * limit[k],
                  "%d: %g to %g", k, smallest[k], largest[k]);
    must_read(text);
    for (uint32_t i = 0; i < 200; i++)
        cr_assert_eq(first[i],
                     scene.instances[i].crowd_offset->translation[0] - ((double)(i % 20) - 9.5));
    must_read(CROWD "{ grid: { count: [20, 12] }, seed: 7, vary: { move: [0.25, 0, 0] } }\n");
    cr_assert_eq(first[5], scene.instances[5].crowd_offset->translation[0] + 4.5,
                 "more rows change no member");
    must_read(CROWD "{ grid: { count: [20, 10] }, seed: 8, vary: { move: [0.25, 0, 0] } }\n");
    cr_assert_neq(first[5], scene.instances[5].crowd_offset->translation[0] + 4.5, "another seed");
}

Test(crowd, members_rotate_about_themselves)
{
    // R_y(turn) R S, then the translation: against matrices in double.
    must_read(
        HEAD
        "    transform: { translate: [1, 2, 3], rotate: [20, 50, -70], scale: [1, 2, 3] }\n"
        "    instances: { grid: { count: [4, 1] }, seed: 3, vary: { turn: 180, size: 0.5 } }\n");
    const scene_instance plain = scene.instances[0];
    for (uint32_t i = 0; i < 4; i++) {
        const scene_crowd_offset *offset = scene.instances[i].crowd_offset;
        scene_instance own = plain;
        mat4 got, before;
        own.crowd_offset = NULL;
        pose_instance_transform(&scene, &own, scene_shot_time(&scene, 0.0), before);
        pose_instance_transform(&scene, &scene.instances[i], scene_shot_time(&scene, 0.0), got);
        const double a = offset->yaw_deg * 3.14159265358979324 / 180.0, c = cos(a), s = sin(a);
        for (int k = 0; k < 3; k++) {
            const double x = (double)before[k][0], y = (double)before[k][1];
            const double z = (double)before[k][2];
            cr_assert_float_eq((double)got[k][0], offset->scale * (c * x + s * z), 2e-6);
            cr_assert_float_eq((double)got[k][1], offset->scale * y, 2e-6);
            cr_assert_float_eq((double)got[k][2], offset->scale * (c * z - s * x), 2e-6);
        }
        cr_assert_float_eq((double)got[3][0], 1.0 + (double)i - 1.5, 1e-6);
    }
}

/// A layer in step follows the bottom layer, which starts further on: its own start is its lead.
Test(crowd, layers_in_step_are_moved_on_once)
{
    must_read("format: 1\nmodels:\n  - file: hinge.m3d\n    animation:\n"
              "      - { clip: Swing, start: 0.5 }\n"
              "      - { clip: Swing, weight: 0.5, sync: phase, start: 0.125 }\n"
              "      - { clip: Swing, weight: 0.5, start: 0.25 }\n"
              "    instances: { grid: { count: [20, 1] }, vary: { start: 4, poses: 4 } }\n");
    bool moved = false;
    for (uint32_t i = 0; i < scene.instance_count; i++) {
        const scene_layer *layers = scene.instances[i].layers;
        const double ahead = layers[0].start_s - 0.5;
        cr_assert(ahead == 0.0 || ahead == 1.0 || ahead == 2.0 || ahead == 3.0, "%g", ahead);
        cr_assert_eq(layers[1].start_s, 0.125, "member %u: its lead stays", i);
        cr_assert_eq(layers[2].start_s, 0.25 + ahead, "member %u", i);
        moved |= ahead > 0.0;
    }
    cr_assert(moved);
}

static pose_sharing sharing_at(double time_s)
{
    pose_sharing sharing;
    MUST(pose_sharing_build(&scene, scene_shot_time(&scene, time_s), &scene.arena, &sharing, &err),
         err);
    return sharing;
}

Test(crowd, equal_requests_share_a_pose)
{
    must_read(HINGE "\n      - {}\n"
                    "      - { transform: { translate: [1, 0, 0] }, animation: { clip: Swing } }\n"
                    "      - { animation: { clip: Swing, start: 0.25 } }\n"
                    "      - { animation: { clip: Swing, speed: 2 } }\n"
                    "      - { skinning: dual_quaternion }\n"
                    "      - { ik: [ aim: { bone: Bone1, target: [0, 1, 0] } ] }\n"
                    "      - { animation: [ Swing, { clip: Swing, weight: 0 } ] }\n"
                    "      - { animation: none }\n");
    const pose_sharing start = sharing_at(0.0), later = sharing_at(0.25);
    static const bool at_start[8] = {true, true, false, true, false, false, true, false};
    static const bool at_later[8] = {true, true, false, false, false, false, true, false};
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(start.pose_of[i], at_start[i] ? 0u : POSE_UNSHARED, "%d", i);
        cr_assert_eq(later.pose_of[i] != POSE_UNSHARED && later.pose_of[i] == later.pose_of[0],
                     at_later[i], "%d", i);
    }
    cr_assert_eq(start.count, 1);
    must_read(HINGE "[ {} ]\n");
    cr_assert_eq(sharing_at(0.0).count, 0, "nobody to share with");
}

/// A shared pose gives every node the matrix that it has when each instance is posed by itself.
Test(crowd, shared_poses_are_those_of_each_alone)
{
    must_read(HINGE
              "{ grid: { count: [9, 7] }, vary: { turn: 40, size: 0.2, start: 1, poses: 3 } }\n");
    const kernel_table *kernels = kernels_best(ZT_ISA_BEST);
    const mat4 *const *shared, *const *alone;
    pose_sharing sharing = sharing_at(0.3);
    cr_assert_eq(sharing.count, 3);
    MUST(pose_scene(kernels->pose, &scene, scene_shot_time(&scene, 0.3), &scene.arena, &sharing,
                    &shared, &err),
         err);
    MUST(pose_scene(kernels->pose, &scene, scene_shot_time(&scene, 0.3), &scene.arena,
                    &(pose_sharing){0}, &alone, &err),
         err);
    const size_t size = scene.instances[0].model->node_count * sizeof(mat4);
    for (uint32_t i = 0; i < scene.instance_count; i++)
        cr_assert(memcmp(shared[i], alone[i], size) == 0, "member %u", i);
}

/// Vertices of the frame in the world, draw by draw.
static void posed_vertices(const frame_pose *pose, geometry_frame *frame)
{
    *frame = (geometry_frame){.draws = pose->draws,
                              .draw_count = pose->draw_count,
                              .posed_meshes = pose->posed_meshes,
                              .posed_mesh_count = pose->posed_mesh_count};
    cr_assert_eq(geometry_frame_init(frame, &scene.arena, &scene.arena, &err), ZT_OK);
    for (int64_t i = 0; i < frame->skin_job_count; i++)
        geometry_skin(frame, kernels_best(ZT_ISA_BEST)->geometry, i);
}

/// Colour of a grey surface at a hit on the first triangle of a meshlet, and where that is.
static void probe_first_triangle(const geometry_frame *frame, uint32_t number, float out[9])
{
    static const shade_material grey = {.base_color = {0.5f, 0.5f, 0.5f, 1.0f},
                                        .roughness = 0.5f,
                                        .f0 = {0.04f, 0.04f, 0.04f},
                                        .specular = 1.0f,
                                        .normal_scale = 1.0f};
    uint32_t id[16];
    float l1[16], l2[16], zero[16] = {0.0f}, one[16], got[9][16];
    for (int i = 0; i < 16; i++) {
        id[i] = primitive_id(number, 0);
        l1[i] = 0.25f;
        l2[i] = 0.5f;
        one[i] = 1.0f;
    }
    kernels_best(ZT_ISA_BEST)
        ->shade->bsdf_probe(&(bsdf_probe_job){
            .meshlets = frame->meshlets,
            .material = &grey,
            .count = 16,
            .question_count = 1,
            .id = id,
            .barycentric = {l1, l2},
            .to_eye = {zero, one, zero},
            .to_light = {one, zero, zero},
            .out_value = {got[0], got[1], got[2]},
            .out_albedo = {got[3], got[4], got[5]},
            .out_position = {got[6], got[7], got[8]},
        });
    for (int i = 0; i < 9; i++)
        out[i] = got[i][7];
}

/// Rays meet every member where it stands, shared or not, before a view was drawn.
static void check_hits(const geometry_frame *shared, uint32_t number, const geometry_frame *alone)
{
    float a[9], b[9];
    probe_first_triangle(shared, number, a);
    probe_first_triangle(alone, 0, b);
    for (int i = 0; i < 9; i++)
        cr_assert(fabsf(a[i] - b[i]) < 1e-5f, "meshlet %u, value %d: %g, alone %g", number, i,
                  (double)a[i], (double)b[i]);
}

Test(crowd, five_hundred_show_as_many_meshes_as_poses)
{
    must_read(HINGE "{ grid: { count: [25, 20] }, vary: { turn: 90, size: 0.2, start: 0.5 } }\n");
    frame_pose pose;
    geometry_frame frame;
    MUST(frame_pose_build(kernels_best(ZT_ISA_BEST)->pose, &scene, scene_frame_time(&scene, 9),
                          &scene.arena, &pose, &err),
         err);
    posed_vertices(&pose, &frame);
    cr_assert_eq(scene.model_count, 1, "one model");
    cr_assert_eq(pose.draw_count, 500);
    cr_assert_eq(pose.posed_mesh_count, 16, "%u", pose.posed_mesh_count);
    const model_mesh *mesh = pose.draws[0].mesh;
    cr_assert_eq(frame.vertex_count, 16 * mesh->vertex_count);
    float min[3], max[3], low[3] = {1e9f, 1e9f, 1e9f}, high[3] = {-1e9f, -1e9f, -1e9f};
    double worst = 0.0;
    for (uint32_t i = 0; i < 500; i++) {
        // The same draw, posed for itself.
        const geometry_draw *d = &pose.draws[i];
        const zt_model *model = scene.instances[i].model;
        mat4 palette[16], normals[16];
        cr_assert(d->posed_mesh && model->skins[0].joint_count <= 16);
        pose_palette(&model->skins[0], pose.world_from_node[i], palette, normals);
        geometry_draw own = *d;
        own.posed_mesh = NULL;
        own.palette = own.normals = (const skin_matrix *)(const void *)palette;
        own.skinned = true;
        geometry_frame one = {.draws = &own, .draw_count = 1};
        cr_assert_eq(geometry_frame_init(&one, &scene.arena, &scene.arena, &err), ZT_OK);
        geometry_skin(&one, kernels_best(ZT_ISA_BEST)->geometry, 0);
        check_hits(&frame, d->first_meshlet, &one);
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            for (int row = 0; row < 3; row++) {
                const float *p = &d->position[v].x, (*m)[4] = (const float(*)[4])d->palette->column;
                const float at =
                    ((m[0][row] * p[0] + m[1][row] * p[1]) + m[2][row] * p[2]) + m[3][row];
                const float *want = &own.position[v].x;
                worst = fmax(worst, fabs((double)at - (double)want[row]));
                low[row] = fminf(low[row], at);
                high[row] = fmaxf(high[row], at);
            }
    }
    cr_assert_lt(worst, 4e-6, "%g", worst); // a few roundings of places some 12 m away
    MUST(posed_bounds(kernels_best(ZT_ISA_BEST), &scene, scene_shot_time(&scene, 0.3), &scene.arena,
                      min, max, &err),
         err);
    for (int k = 0; k < 3; k++)
        cr_assert(min[k] == low[k] && max[k] == high[k], "the box is that of the vertices drawn");
}
