// SPDX-License-Identifier: MIT
/// `clips_from` as a map: retargeted clips.
#include "model/clip_copy.h"
#include "pose/pose.h"
#include "scene/scene_ik.h"
#include "scene_fixture.h"
#include "test_folder.h"
#include "test_memory.h"

TestSuite(scene_clips, .init = setup, .fini = teardown);

#define MODELS ZT_SOURCE_DIR "/scenes/models/"
#define FIGURE "format: 1\nmodels:\n  - { file: " MODELS "figure.glb, clips_from: "
#define WALKER "{ file: " MODELS "walker.glb"

Test(scene_clips, maps_modes_and_paths)
{
    must_read(FIGURE WALKER
              ", mode: rotation, map: { pack: none, 8: head } }, animation: walk }\n"
              "  - { file: " MODELS "figure.glb, clips_from: [ " WALKER " } ], animation: run }\n"
              "  - { file: " MODELS "figure.glb, clips_from: [ " WALKER " } ], animation: walk }\n"
              "  - { file: " MODELS "figure.glb, clips_from: [ " WALKER
              ", mode: rotation } ], animation: walk }\n");
    cr_assert_eq(scene.model_count, 3, "other maps and modes are other models");
    cr_assert_eq(scene.instances[1].model, scene.instances[2].model);
    cr_assert_eq(scene.instances[0].model->clip_count, 4, "its own and three of the walker");
    // Fingers and the like: said in a warning, and kept for inspect.
    SAYS(said.last, "bones that have none in figure.glb: spine1, spine2, neck, pack");
    const zt_model *model = scene.instances[1].model;
    cr_assert_eq(model->note_count, 1);
    SAYS(model->notes[0], "walker.glb: clips move 24 bones that have none");
    cr_assert(!strstr(scene.instances[0].model->notes[0], "pack"), "%s",
              scene.instances[0].model->notes[0]);
}

/// `triangle.gltf` has a clip that turns its node and one that lifts it.
Test(scene_clips, all_plays_clips_that_move_different_things)
{
    must_read(HEAD "    animation: all\n");
    const zt_model *model = scene.instances[0].model;
    cr_assert(model->clip_count == 2 && model->joined_count == 2 && model->all_clip == 2);
    cr_assert_eq(scene.instances[0].layers[0].clip, 2);
    const model_clip *all = &model->clips[2];
    cr_assert(all->start_s == 0.0f && all->end_s == 1.0f && all->channel_count == 2);
    for (float t = 0.0f; t <= 1.2f; t += 0.1f) {
        trs joined[2], turned[2], lifted[2];
        model_sample_clip(model, all, t, joined);
        model_sample_clip(model, &model->clips[0], t, turned);
        model_sample_clip(model, &model->clips[1], t, lifted);
        cr_assert_arr_eq(joined[0].r, turned[0].r, sizeof joined[0].r);
        cr_assert_arr_eq(joined[0].t, lifted[0].t, sizeof joined[0].t);
    }
}

Test(scene_clips, all_leaves_out_what_moves_the_same)
{
    must_read(FIGURE WALKER " }, animation: all }\n");
    const zt_model *model = scene.instances[0].model;
    cr_assert(model->clip_count > 2 && model->joined_count == 1 && model->all_clip == 0);
}

/// A mirrored clip follows the joined one, which layers may name already.
Test(scene_clips, all_stays_where_it_is_when_a_clip_is_mirrored)
{
    must_read(HEAD "    animation: [all, { clip: spin, mirror: true }]\n");
    const zt_model *model = scene.instances[0].model;
    const scene_layer *layers = scene.instances[0].layers;
    cr_assert(layers[0].clip == 2 && layers[1].clip == 3 && model->clip_count == 4);
    cr_assert_str_eq(model->clips[2].name, "all");
    cr_assert_str_eq(model->clips[3].name, "spin mirrored");
}

/// A name of n letters takes 2 (64 + n) bytes of the budget while the list is made: spin and rise.
Test(scene_clips, the_list_of_clips_is_charged)
{
    zt_budget *memory;
    zt_scene *own;
    zt_load_def def = zt_default_load_def();
    char *text;
    cr_assert_eq(zt_budget_create(1 << 28, NULL, &memory, NULL), ZT_OK);
    def.budget = memory;
    MUST(zt_scene_load(ZT_SOURCE_DIR "/tests/cli/models/triangle.gltf", &def, &own, &err), err);
    for (uint64_t bytes = 1 << 28; bytes > 0; bytes /= 2)
        (void)zt_budget_take(memory, bytes);
    zt_budget_give(memory, 2 * 2 * (64 + 4) - 1);
    cr_expect_eq(zt_scene_list_clips(own, &text, &err), ZT_ERR_LIMIT);
    zt_budget_give(memory, 1);
    cr_assert_eq(zt_scene_list_clips(own, &text, &err), ZT_OK, "%s", err.message);
    zt_free(text);
    zt_scene_destroy(own);
    zt_budget_destroy(memory);
}

/// A clip that has no such name is searched for among all of its model: spin and rise.
Test(scene_clips, searches_are_charged)
{
    must_read(HEAD "    animation: spin\n");
    const uint64_t named = scene.budget_own.work->steps;
    must_read(HEAD "    animation: 0\n");
    cr_expect_eq(scene.budget_own.work->steps, named + 2);
}

/// Nodes of a model, each as the digit of its parent and its name; the second of a name is a
/// helper.
static zt_model model_of_names(const char *const *list, model_node nodes[8])
{
    zt_model model = {.nodes = nodes};
    for (uint32_t i = 0; list[i]; model.node_count = ++i) {
        nodes[i] = (model_node){.name = list[i] + 1, .parent = list[i][0] - '0'};
        nodes[i].helper = i > 0 && strcmp(list[i] + 1, nodes[i - 1].name) == 0;
    }
    return model;
}

/// The matches of nodes: the number, or -1; with ? where only the order of the file decides.
static void expect_matches(const char *const *from, const char *const *to, const char *matches)
{
    model_node nodes[2][8];
    char text[64] = "";
    OWN_MEMORY(a, 0);
    const zt_model source = model_of_names(from, nodes[0]), target = model_of_names(to, nodes[1]);
    bool *unsure;
    const int32_t *node = clip_match_bones(&target, &source, &a, &unsure);
    for (uint32_t i = 0; i < source.node_count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d%s ", node[i],
                 unsure[i] ? "?" : "");
    cr_expect_str_eq(text, matches);
}

/// '/' is the digit before 0: a root.
#define NODES(...) ((const char *const[9]){__VA_ARGS__})

Test(scene_clips, nodes_of_one_name_are_matched_by_their_paths)
{
    const char *const *legs = NODES("/L", "0foot", "/R", "2foot", "2toe");
    expect_matches(NODES("/R", "0foot", "/L", "2foot"), legs, "2 3 0 1 ");
    expect_matches(NODES("/top", "0R", "1foot", "2toe"), legs, "-1 2 3 4 ");
    expect_matches(NODES("/R", "0sole", "1foot"), legs, "2 -1 3 ");
    expect_matches(NODES("/a", "0foot", "/b", "2foot", "/c", "4foot", "/d", "6foot"), legs,
                   "-1 1? -1 3? -1 1? -1 1? ");
    expect_matches(NODES("/hip", "0hip", "1foot"), NODES("/hip", "0foot"), "0 0 1 ");
    expect_matches(NODES("/hip", "0foot"), NODES("/hip", "0hip", "1foot"), "0 2 ");
    expect_matches(NODES("/hip", "0hip"), NODES("/hip", "0hip"), "0 1 ");
}

static void read_with_model(const char *model, const char *keys)
{
    test_folder_make();
    test_folder_write("model", model);
    PRINTED(text, 1024, "format: 1\nmodels:\n- file: %s/model\n  %s\n", test_folder, keys);
    must_read(text);
    test_folder_remove_all();
}

#define NODE(id, name, inherit)                                                                    \
    "Model: " #id ", \"Model::" name "\", \"LimbNode\" { Properties70: {\n"                        \
    "P: \"Lcl Scaling\", \"\", \"\", \"A\",1.2,0.9,1.1\n"                                          \
    "P: \"Lcl Translation\", \"\", \"\", \"A\",0,-40,0\n"                                          \
    "P: \"InheritType\", \"enum\", \"\", \"\"," #inherit "\n} }\n"

/// The heel does not inherit the scale of its foot, so that this has a helper, which has the toe.
Test(scene_clips, helpers_are_no_bones)
{
    read_with_model(
        "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\n"
        "Objects: {\n" NODE(1, "leg", 2) NODE(2, "shin", 2) NODE(3, "foot", 2) NODE(4, "heel", 2)
            NODE(5, "toe", 1) "}\nConnections: {\nC: \"OO\",1,0\n"
                              "C: \"OO\",2,1\nC: \"OO\",3,2\nC: \"OO\",4,3\nC: \"OO\",5,3\n}\n",
        "springs: [{ bone: leg }]\n"
        "  ik: [{ chain: { root: leg, end: toe, target: [0, 0, 0] } }]");
    const scene_instance *x = &scene.instances[0];
    const model_node *nodes = x->model->nodes;
    cr_assert(x->ik[0].bone_count == 4 && x->springs->link_count == 3 && x->model->node_count > 6);
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_str_eq(nodes[x->ik[0].bones[i]].name,
                         ((const char *[]){"leg", "shin", "foot"})[i]);
        cr_expect_str_eq(nodes[x->springs->links[i].tail].name,
                         ((const char *[]){"shin", "foot", "heel"})[i]);
    }
}

/// An armature and its bone of one name, which stands where that does, as programs write them.
Test(scene_clips, bones_with_the_name_of_their_parent_are_no_helpers)
{
    read_with_model("{ \"asset\": { \"version\": \"2.0\" }, \"nodes\": [{ \"name\": \"root\", "
                    "\"children\": [1] }, { \"name\": \"root\", \"children\": [2] }, "
                    "{ \"name\": \"tip\", \"translation\": [0, 1, 0] }] }",
                    "springs: [{ bone: root }]\n"
                    "  ik: [{ chain: { root: root, end: tip, target: [0, 0, 0] } }]");
    const scene_instance *x = &scene.instances[0];
    cr_expect(x->ik[0].bone_count == 3 && x->springs->links[1].head == 1);
}

Test(scene_clips, ambiguous_names_are_told)
{
    static const char *const keys[] = {"clips_from: " FOLDER "triangle.gltf",
                                       "clips_from: { file: " FOLDER "triangle.gltf }"};
    for (int i = 0; i < 2; i++) {
        said.last[0] = 0;
        read_with_model(
            "{ \"asset\": { \"version\": \"2.0\" }, \"scenes\": [{ \"nodes\": [0] }], \"nodes\": "
            "[{ \"children\": [1, 2] }, { \"name\": \"body\" }, { \"name\": \"body\" }] }",
            keys[i]);
        SAYS(said.last, "clips move 1 bones by names that several nodes have");
    }
}
