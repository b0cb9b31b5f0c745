// SPDX-License-Identifier: MIT
// Layers of a scene file: what their keys become.
#include "scene/scene_build.h"
#include "scene/scene_names.h"
#include "scene_fixture.h"
#include "test_folder.h"

TestSuite(scene_layers, .init = setup, .fini = teardown);

/// Nodes of hinge.m3d: what a layer has to say about bones. Its clip moves no root.
#define HINGE "format: 1\nmodels:\n  - file: hinge.m3d\n    animation:\n      - Swing\n      - "

Test(scene_layers, keys_of_layers)
{
    must_read(
        HINGE
        "{ clip: Swing, loop: ping_pong, speed: -2, at: 1, until: 3, fade: 0.5, ease: linear }\n");
    const scene_layer *layer = &scene.instances[0].layers[1];
    cr_assert_eq(layer->loop, SCENE_LOOP_PING_PONG);
    cr_assert_eq(layer->speed, -2.0);
    cr_assert(layer->has_begin && layer->has_end);
    cr_assert_eq(layer->at_s, 1.0);
    cr_assert_eq(layer->until_s, 3.0);
    cr_assert_eq(layer->fade_s, 0.5);
    cr_assert_eq(layer->ease, SCENE_EASE_LINEAR);
    cr_assert_eq(layer->mode, SCENE_OVERRIDE);
    cr_assert_not(layer->mask || layer->sync || layer->root);
    cr_assert_not(scene.instances[0].layers[0].has_begin,
                  "the bottom layer is there from the first");
    must_read(HINGE
              "{ clip: Swing, mode: additive, reference: rest, sync: phase, ease: smoother }\n");
    layer = &scene.instances[0].layers[1];
    cr_assert_eq(layer->mode, SCENE_ADDITIVE);
    cr_assert_eq(layer->reference, -1);
    cr_assert(layer->sync);
    cr_assert_not(layer->has_begin);
    cr_assert_eq(layer->ease, SCENE_EASE_SMOOTHER);
    must_read(HINGE "{ clip: Swing, mode: additive, reference: { clip: Swing, time: 0.25 } }\n");
    cr_assert_eq(scene.instances[0].layers[1].reference, 0);
    cr_assert_eq(scene.instances[0].layers[1].reference_s, 0.25);
    must_read(HINGE "{ clip: Swing, mode: additive, reference: start }\n");
    cr_assert_eq(scene.instances[0].layers[1].reference_s,
                 (double)scene.instances[0].model->clips[0].start_s);
    must_read(HEAD "    animation: { clip: spin, loop: once, speed: -1 }\n");
    cr_assert_eq(scene.instances[0].layers[0].start_s, 1.0, "backwards from the end");
    must_read(HEAD "    animation: { clip: spin, loop: once, speed: -1, start: 0.5 }\n");
    cr_assert_eq(scene.instances[0].layers[0].start_s, 0.5);
}

Test(scene_layers, bones_by_name_path_and_index)
{
    model_node nodes[] = {
        {.name = "root", .parent = -1}, {.name = "arm_l", .parent = 0},
        {.name = "hand", .parent = 1},  {.name = "arm_r", .parent = 0},
        {.name = "hand", .parent = 3},  {.name = "", .parent = 4},
        {.name = "2", .parent = 4},     {.name = "a/b", .parent = 6},
        {.name = "b", .parent = 1},
    };
    const zt_model model = {.nodes = nodes, .node_count = sizeof nodes / sizeof *nodes};
    const struct {
        const char *name;
        int32_t node;
    } cases[] = {
        {"hand", 2},  {"arm_r/hand", 4}, {"root/arm_r/hand", 4}, {"arm_l/hand", 2},
        {"5", 5},     {"2", 6},          {"hand/2", 6},          {"a/b", 7},
        {"2/a/b", 7}, {"arm_l/b", 8},    {"root/hand", -1},      {"x/arm_l/hand", -1},
        {"9", -1},    {"/hand", -1},     {"hand/", 5},           {"elbow", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_eq(scene_find_node(&model, cases[i].name), cases[i].node, "%s", cases[i].name);
}

Test(scene_layers, masks_of_layers)
{
    must_read(HINGE
              "{ clip: Swing, bones: [ Bone1, { bone: Bone0, weight: 0.25, subtree: false } ] }\n");
    const zt_model *model = scene.instances[0].model;
    const float *mask = scene.instances[0].layers[1].mask;
    const int32_t upper = scene_find_node(model, "Bone0"), lower = scene_find_node(model, "Bone1");
    for (int32_t i = 0; i < (int32_t)model->node_count; i++)
        cr_assert_eq(mask[i], i == lower ? 1.0f : i == upper ? 0.25f : 0.0f, "node %d", i);
    must_read(HINGE "{ clip: Swing, bones: [ Bone0, { bone: Bone1, weight: 0 } ] }\n");
    mask = scene.instances[0].layers[1].mask;
    cr_assert_eq(mask[upper], 1.0f);
    cr_assert_eq(mask[lower], 0.0f, "the later entry counts");
    must_read(HINGE "{ clip: Swing, bones: [ Bone0 ] }\n");
    cr_assert_eq(scene.instances[0].layers[1].mask[lower], 1.0f, "what is below belongs to it");
}

Test(scene_layers, too_many_layers_and_summed_keys)
{
    static char text[65536];
    char *end =
        text + sprintf(text, "format: 1\nmodels:\n  - file: hinge.m3d\n    animation: [ Swing");
    for (int i = 0; i < 64; i++)
        end += sprintf(end, ", Swing");
    sprintf(end, " ]\n");
    must_fail(text, "65 layers (expected at most 64)");
    end = text + sprintf(text, HINGE "{ clip: Swing, sync: phase, weight: [ [0, 0]");
    for (int i = 1; i <= 1000; i++)
        end += sprintf(end, ", [%d, 1]", i);
    sprintf(end, " ] }\n");
    must_fail(text, "1001 keys of weights");
}

Test(scene_layers, extract_without_motion_warns)
{
    must_read(
        "format: 1\nmodels:\n  - { file: triangle.gltf, animation: { clip: spin, root_motion: "
        "strip } }\n");
    cr_assert_eq(said.last[0], 0, "%s", said.last);
    must_read(
        "format: 1\nmodels:\n  - { file: triangle.gltf, animation: { clip: rise, root_motion: "
        "extract } }\n");
    cr_assert_eq(said.last[0], 0, "%s", said.last);
    must_read(
        "format: 1\nmodels:\n  - { file: triangle.gltf, animation: { clip: spin, root_motion: "
        "extract } }\n");
    cr_assert(strstr(said.last, "test.yaml") && strstr(said.last, "'spin' of triangle.gltf") &&
                  strstr(said.last, "extract moves nothing"),
              "%s", said.last);
}

/// hinge.m3d with a clip made in centimetres.
Test(scene_layers, clips_of_a_rig_of_another_size_warn, .init = test_folder_make,
     .fini = test_folder_remove)
{
    char bytes[16384], yaml[600];
    FILE *file = fopen(FOLDER "hinge.m3d", "r");
    cr_assert(file);
    bytes[fread(bytes, 1, sizeof bytes - 1, file)] = 0;
    fclose(file);
    const char *path = test_file("centimetres.m3d");
    cr_assert((file = fopen(path, "w")) != NULL);
    for (char *at = bytes, *next; *at; at = next) {
        char *key = strstr(at, "Pos: 0 1 0 Scale");
        next = key ? key + strlen("Pos: 0 1 0") : at + strlen(at);
        fwrite(at, 1, (size_t)((key ? key : next) - at), file);
        if (key)
            fputs("Pos: 0 100 0", file);
    }
    fclose(file);
    snprintf(yaml, sizeof yaml, "format: 1\nmodels: [ { file: hinge.m3d, clips_from: %s } ]\n",
             path);
    must_read(yaml);
    cr_assert(strstr(said.last, "moves hinge.m3d by 99 times its size"), "%s", said.last);
    scene.load.strict = true;
    cr_assert_eq(scene_add_clips(&scene, path, NULL, &err), ZT_ERR_UNSUPPORTED, "%s", err.message);
    cr_assert(strstr(err.message, "made for a rig of another size"), "%s", err.message);
}

Test(scene_layers, clips_of_other_files)
{
    must_read("format: 1\nmodels:\n"
              "  - { file: hinge.m3d, clips_from: hinge.m3d, animation: 1 }\n"
              "  - { file: hinge.m3d, clips_from: [ hinge.m3d ], animation: Swing }\n"
              "  - { file: hinge.m3d, animation: Swing }\n");
    cr_assert_eq(scene.model_count, 2, "one with, one without");
    const zt_model *model = scene.instances[0].model;
    cr_assert_eq(scene.instances[1].model, model);
    cr_assert_eq(model->clip_count, 2);
    cr_assert_eq(scene.instances[2].model->clip_count, 1);
    cr_assert_eq(model->clips[0].end_s, model->clips[1].end_s);
    cr_assert_eq(read_yaml("format: 1\nmodels:\n  - { file: hinge.m3d, clips_from: no.glb }\n"),
                 ZT_ERR_INPUT);
    cr_assert(strstr(err.message, "test.yaml:3:36: ") && strstr(err.message, "no.glb"), "%s",
              err.message);
    cr_assert_eq(
        read_yaml("format: 1\nmodels:\n  - { file: hinge.m3d, clips_from: triangle.gltf }\n"),
        ZT_ERR_FORMAT);
    cr_assert(strstr(err.message, "no clip moves a bone of"), "%s", err.message);
}

Test(scene_layers, parts_of_clips)
{
    must_read(HINGE "{ clip: Swing, from: 0.25, to: 9 }\n");
    const scene_layer *layer = &scene.instances[0].layers[1];
    cr_assert(layer->has_range);
    cr_expect_eq(layer->from_s, 0.25);
    cr_expect_eq(layer->to_s, (double)scene.instances[0].model->clips[0].end_s);
    cr_expect_eq(layer->start_s, 0.25);
    cr_expect_eq(layer->reference_s, 0.25);
}

Test(scene_layers, layers_after_layers)
{
    must_read(HINGE "{ clip: Swing, loop: once, name: a, at: 1 }\n"
                    "      - { clip: Swing, after: a, at: 0.25, until: 99 }\n");
    const scene_layer *layers = scene.instances[0].layers;
    const double end_s = (double)scene.instances[0].model->clips[0].end_s;
    cr_expect_eq(layers[2].at_s, 1.0 + end_s + 0.25);
    cr_expect(layers[2].has_begin);
}

Test(scene_layers, ground_speeds)
{
    must_read(HINGE "{ clip: Swing, root_motion: { speed: 1.5 } }\n");
    const scene_layer *layer = &scene.instances[0].layers[1];
    cr_assert(layer->root_motion == SCENE_ROOT_EXTRACT && layer->root && layer->root->steady);
    cr_assert(layer->root->velocity.z == 1.5 && layer->root->velocity.x == 0.0);
    must_read(HINGE "{ clip: Swing, root_motion: { speed: from_feet, feet: [Bone0] } }\n");
    cr_assert(!scene.instances[0].layers[1].root, "a hinge does not walk");
}

Test(scene_layers, keyed_speeds)
{
    must_read(
        HINGE
        "{ clip: Swing, speed: [[1, 2]] }\n      - { clip: Swing, speed: [[0, 1], [1, -2]] }\n");
    const scene_layer *layers = scene.instances[0].layers;
    cr_expect_eq(layers[1].speed, 2.0);
    cr_expect_null(layers[1].speed_keys);
    cr_assert(layers[2].speed_keys && layers[2].speed_keys->backwards);
    cr_expect_eq(scene_layer_played(&layers[2], 2.0), -2.5);
}
