// SPDX-License-Identifier: MIT
/// Root motion that turns: what is taken out of a clip and what is left are together the clip;
/// loops follow each other as its own end follows its start; parts of it are circles.
#include "drawing.h"
#include "kernels/kernels.h"
#include "open_scene.h"
#include "scene/scene_build.h"

static zt_error err;

#define MODELS ZT_SOURCE_DIR "/scenes/models/"
#define PI     3.14159265358979323846

enum { NODES = 96 };

/// Explorers that all stand on one spot; `instances` are entries of a list.
static zt_scene *explorers(const char *instances)
{
    zt_scene *scene = load_scene_text("models:\n  - file: " MODELS "walker.glb\n"
                                      "    clips_from: " MODELS "walker_moves.glb\n"
                                      "    transform: { translate: [0.5, 0, -2], "
                                      "rotate: [0, 30, 0] }\n"
                                      "    instances:\n%s",
                                      instances);
    cr_assert_leq(scene->instances[0].model->node_count, (uint32_t)NODES);
    return scene;
}

static void pose_of(open_scene *p, int instance, double time_s, mat4 *out)
{
    pose_instance(kernels_best(ZT_ISA_BEST)->pose, p->scene, &p->scene->instances[instance],
                  scene_shot_time(p->scene, time_s), &p->scratch, NULL, NULL, out);
}

static void near_all(mat4 *a, mat4 *b, uint32_t count, double within, const char *what, double t)
{
    for (uint32_t i = 0; i < count * 16; i++)
        cr_assert(fabs((double)a[i / 16][i / 4 % 4][i % 4] - (double)b[i / 16][i / 4 % 4][i % 4]) <=
                      within,
                  "%s at %g: node %u", what, t, i / 16);
}

static void multiply(const double a[16], const double b[16], double out[16])
{
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            out[4 * c + r] = 0.0;
            for (int k = 0; k < 4; k++)
                out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
        }
}

/// A rotation about +y by an angle, with a place.
static void on_ground(double angle, double x, double z, double out[16])
{
    const double m[16] = {cos(angle), 0, -sin(angle), 0, 0, 1, 0, 0,
                          sin(angle), 0, cos(angle),  0, x, 0, z, 1};
    memcpy(out, m, sizeof m);
}

/// In the first loop the model shows its clip, wherever the turn stands; after n of them what it
/// showed then, n times turned by a quarter and moved by the arc's chord.
Test(root_turn, loops_rotate_and_continue)
{
    static mat4 kept[NODES], moved[NODES];
    OPEN_SCENE(
        p, explorers(
               "      - { animation: { clip: corner } }\n"
               "      - { animation: { clip: corner, root_motion: extract, root_turn: true } }\n"));
    const scene_instance *walks = &p.scene->instances[1];
    const scene_root *root = walks->layers[0].root;
    cr_assert(root && root->rotation && root->channel);
    const uint32_t nodes = walks->model->node_count, last = root->channel->key_count - 1;
    const double chord = (double)root->channel->value[3 * last]; // along +x, and as much along +z
    cr_assert(chord > 0.5 && fabs((double)root->channel->value[3 * last + 2] - chord) < 1e-5);
    double quarter[16], placement[16], loops[16];
    bool below[NODES] = {false};
    on_ground(0.5 * PI, chord, chord, quarter);
    on_ground(30.0 * PI / 180.0, 0.5, -2.0, placement);
    on_ground(0.0, 0.0, 0.0, loops);
    for (int n = 0; n < 9; n++) {
        for (int i = 0; i < 12; i++) {
            const double t = i / 12.0 + 0.01;
            double from_place[16], before[16], turned[16], own[16], want[16];
            pose_of(&p, 0, t, kept);
            pose_of(&p, 1, n + t, moved);
            // kept = place K; want place loops K = (place loops place^-1) kept
            on_ground(-30.0 * PI / 180.0, 0.0, 0.0, turned);
            on_ground(0.0, -0.5, 2.0, before);
            multiply(turned, before, from_place);
            multiply(placement, loops, before);
            multiply(before, from_place, turned);
            for (uint32_t node = (uint32_t)root->node; node < nodes; node++) {
                mat4 wanted;
                below[node] = (int32_t)node == root->node ||
                              (walks->model->nodes[node].parent >= root->node &&
                               below[walks->model->nodes[node].parent]);
                if (!below[node]) // what is above the root moves with the model
                    continue;
                for (int k = 0; k < 16; k++)
                    own[k] = (double)kept[node][k / 4][k % 4];
                multiply(turned, own, want);
                for (int k = 0; k < 16; k++)
                    wanted[k / 4][k % 4] = (float)want[k];
                near_all(&moved[node], &wanted, 1, 2e-5, "loops", n + t);
            }
        }
        double next[16];
        multiply(loops, quarter, next);
        memcpy(loops, next, sizeof loops);
    }
    double heading_deg, displacement[3];
    evaluate_motion(walks, 4000.0, &heading_deg, displacement); // a thousand rounds
    cr_assert(fabs(heading_deg - 360000.0) < 1e-3 && fabs(displacement[0]) < 1e-3 &&
              fabs(displacement[2]) < 1e-3);
    evaluate_motion(walks, -3.0, &heading_deg, displacement);
    cr_assert(heading_deg == 0.0 && displacement[0] == 0.0 && displacement[2] == 0.0);
}

/// Times one after the other, or one alone: the same bits. And backwards the other way round.
Test(root_turn, any_time_alone_and_backwards)
{
    static mat4 a[NODES], b[NODES];
    OPEN_SCENE(
        p,
        explorers("      - { animation: { clip: corner, root_motion: extract, root_turn: true } }\n"
                  "      - { animation: { clip: corner, root_motion: extract, root_turn: true,\n"
                  "                       speed: -1 } }\n"
                  "      - { animation: { clip: corner, root_motion: strip, root_turn: true } }\n"
                  "      - { animation: { clip: corner, root_motion: strip } }\n"));
    const size_t size = p.scene->instances[0].model->node_count * sizeof *a;
    for (int i = 0; i < 60; i++)
        pose_of(&p, 0, i / 10.0, a);
    pose_of(&p, 0, 5.9, b);
    cr_assert(memcmp(a, b, size) == 0);
    const int32_t root = p.scene->instances[0].layers[0].root->node;
    for (int i = 0; i < 40; i++) {
        double heading_deg, displacement[3], back_deg, back[3];
        evaluate_motion(&p.scene->instances[0], i / 4.0, &heading_deg, displacement);
        evaluate_motion(&p.scene->instances[1], i / 4.0, &back_deg, back);
        cr_assert(fabs(heading_deg - 90.0 * i / 4.0) < 0.01 && fabs(heading_deg + back_deg) < 0.01);
        // A circle of one radius: chords of the same time are as long, forwards and backwards.
        cr_assert(fabs(hypot(displacement[0], displacement[2]) - hypot(back[0], back[2])) < 1e-4);
        pose_of(&p, 2, i / 4.0 + 0.1, a);
        pose_of(&p, 3, i / 4.0 + 0.1, b);
        cr_assert(fabs((double)a[root][2][0] - 0.5) < 1e-5, "as it stands: 30 degrees");
        NEAR(b[root][2][0], sin((30.0 + 90.0 * ((i % 4) / 4.0 + 0.1)) * PI / 180.0), 1e-4,
             "without root_turn the turn stays in the pose");
    }
}

/// A stride and a corner, a third of the one over two thirds of the other: both go at one speed, so
/// the way is a circle of which each loop is 30 degrees.
Test(root_turn, a_partial_rotation_is_a_wider_circle)
{
    OPEN_SCENE(p, explorers("      - animation:\n"
                            "          - { clip: stride, root_motion: extract }\n"
                            "          - { clip: corner, root_motion: extract, root_turn: true,\n"
                            "              weight: 0.33333333333333333 }\n"));
    const scene_instance *walks = &p.scene->instances[0];
    const double stride = (double)walks->layers[0].root->channel->value[5];
    const double radius = stride / (PI / 6.0);
    for (int i = 0; i < 100; i++) {
        const double t = i * 0.37, angle = t * PI / 6.0;
        double heading_deg, displacement[3];
        evaluate_motion(walks, t, &heading_deg, displacement);
        cr_assert(fabs(heading_deg - 30.0 * t) < 0.01 + 1e-4 * t, "%g s: %g", t, heading_deg);
        // Chords of the clip's arc are up to a two-thousandth shorter than it.
        NEAR(displacement[0], radius * (1.0 - cos(angle)), 2e-3 * radius, "%g s", t);
        NEAR(displacement[2], radius * sin(angle), 2e-3 * radius, "%g s", t);
        cr_assert_eq(displacement[1], 0.0);
    }
    double heading_deg, displacement[3];
    evaluate_motion(walks, 1e9, &heading_deg, displacement); // in no time, and somewhere
    cr_assert(isfinite(heading_deg) && isfinite(displacement[0]) && isfinite(displacement[2]));
}

/// A root that stands off the origin, below a mirrored parent that leans and is twice the size,
/// turns by 300 degrees a loop in keys of 100: in the first loop nothing of the clip is lost.
Test(root_turn, pivots_mirrors_and_long_rotations)
{
    static const float times[] = {0.5f, 1.0f, 2.0f, 2.5f};
    static const float places[] = {1, 2, 3, 2, 2, 3, 2, 5, 3, 1, 5, 4};
    float turns[16];
    model_node nodes[2] = {
        {.name = "", .parent = -1, .mesh = -1, .skin = -1, .rest = trs_identity()},
        {.name = "", .parent = 0, .mesh = -1, .skin = -1, .rest = trs_identity()},
    };
    const double sideways[3] = {90.0, 0.0, 20.0};
    quatf_from_euler_deg(sideways, nodes[0].rest.r);
    nodes[0].rest.t[0] = 3.0f;
    for (int k = 0; k < 3; k++)
        nodes[0].rest.s[k] = k == 1 ? -2.0f : 2.0f;
    model_channel channels[2] = {
        {.node = 1, .path = MODEL_TRANSLATION, .key_count = 4, .time_s = times, .value = places},
        {.node = 1, .path = MODEL_ROTATION, .key_count = 4, .time_s = times, .value = turns},
    };
    channels[0].interpolation = channels[1].interpolation = MODEL_LINEAR;
    const model_clip clip = {
        .name = "", .start_s = 0.5f, .end_s = 2.5f, .channel_count = 2, .channels = channels};
    zt_model model = {.node_count = 2, .nodes = nodes, .clip_count = 1, .clips = &clip};
    zt_scene scene = {0};
    budget_init(&scene.budget_own, 0, NULL);
    arena_init(&scene.arena, &scene.budget_own);
    scene_layer layer = {.speed = 1.0, .start_s = 0.5, .root_motion = SCENE_ROOT_EXTRACT};
    scene_layer kept = {.speed = 1.0, .start_s = 0.5};
    for (int k = 0; k < 4; k++)
        turns[4 * k + 3] = 1.0f;
    cr_assert_eq(scene_find_root(&scene, &model, &clip, -1, true, &layer.root, NULL), ZT_OK);
    double up[3];
    dvec3_store(layer.root->up, up);
    for (int k = 0; k < 4; k++) // about the model's up, as it is in the parent's space
        for (int i = 0; i < 4; i++)
            turns[4 * k + i] =
                (float)(i < 3 ? up[i] * sin(50.0 * k * PI / 180.0) : cos(50.0 * k * PI / 180.0));
    cr_assert_eq(scene_find_root(&scene, &model, &clip, -1, true, &layer.root, NULL), ZT_OK);
    cr_assert(layer.root->mirrored && fabs(layer.root->heading_deg[3] - 300.0) < 1e-3);
    arena_init(&model.arena, &scene.budget_own);
    cr_assert_eq(model_lay_out_motion(&model, &scene.arena, NULL), ZT_OK);
    const double zero[3] = {0.0, 0.0, 0.0}, one = 1.0;
    scene_instance pair[2] = {{.model = &model, .layer_count = 1, .layers = &kept},
                              {.model = &model, .layer_count = 1, .layers = &layer}};
    for (int i = 0; i < 2; i++)
        cr_assert(track_constant(&scene.arena, zero, 3, &pair[i].translate) &&
                  track_constant(&scene.arena, zero, 3, &pair[i].rotate) &&
                  track_constant(&scene.arena, &one, 1, &pair[i].scale));
    scene.instance_count = 2;
    scene.instances = pair;
    scene.freeze_time_s = (double)NAN;
    pose_scratch scratch;
    cr_assert(pose_scratch_init(&scene, &scene.arena, &scratch));
    for (int i = 0; i <= 20; i++) {
        mat4 a[POSE_LANES], b[POSE_LANES];
        pose_instance(kernels_best(ZT_ISA_BEST)->pose, &scene, &pair[0],
                      scene_shot_time(&scene, i * 0.0999), &scratch, NULL, NULL, a);
        pose_instance(kernels_best(ZT_ISA_BEST)->pose, &scene, &pair[1],
                      scene_shot_time(&scene, i * 0.0999), &scratch, NULL, NULL, b);
        near_all(&a[1], &b[1], 1, 2e-5, "the root is where its clip has it", i * 0.0999);
    }
    arena_finish(&model.arena);
    arena_finish(&scene.arena);
}

/// A clip that is applied moves its instance as one that the scene names would.
Test(root_turn, an_applied_clip_keeps_the_rule)
{
    static const char *const rules[] = {"keep", "strip", "extract", "extract, root_turn: true",
                                        "{ speed: from_feet }"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        open_scene p[2];
        zt_shot_def shot = zt_default_shot_def();
        shot.clip = "run";
        for (int k = 0; k < 2; k++) {
            PRINTED(text, 256, "      - { animation: { clip: %s, root_motion: %s } }\n",
                    k ? "walk" : "run", rules[i]);
            scene_open(&p[k], explorers(text));
        }
        MUST(zt_scene_apply(p[1].scene, &shot, &err), err);
        for (double t = 0.0; t < 2.0; t += 0.19) {
            mat4 named[NODES], applied[NODES];
            pose_of(&p[0], 0, t, named);
            pose_of(&p[1], 0, t, applied);
            near_all(applied, named, p[0].scene->instances[0].model->node_count, 0.0, rules[i], t);
        }
        scene_close(&p[0]);
        scene_close(&p[1]);
    }
}
