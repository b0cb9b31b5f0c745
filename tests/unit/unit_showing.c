// SPDX-License-Identifier: MIT
/// `visible` and `opacity` of models, nodes and materials, visibility by clips, and shapes.
#include "drawing.h"
#include "glb.h"
#include "pose/pose.h"
#include "render/posed_bounds.h"
#include "scene/shape_model.h"
#include "test_folder.h"
#include "test_memory.h"

#include <float.h>

#define MODELS ZT_SOURCE_DIR "/scenes/models/"

/// The share of the node called `name` of instance 0 that shows at a time.
static float showing_at(const zt_scene *scene, const char *name, double time_s)
{
    zt_error err = {0};
    const float *showing;
    const scene_instance *instance = &scene->instances[0];
    OWN_MEMORY(a, 0);
    const frame_time time = {.animation_s = time_s, .shot_s = time_s};
    MUST(pose_showing(instance, time, &a, &showing, &err), err);
    float out = -1.0f;
    for (uint32_t n = 0; n < instance->model->node_count; n++)
        if (strcmp(instance->model->nodes[n].name, name) == 0)
            out = showing ? showing[n] : instance->model->nodes[n].visible ? 1.0f : 0.0f;
    return out;
}

static void expect_showing(const zt_scene *scene, const char *name, double time_s, double want)
{
    const float got = showing_at(scene, name, time_s);
    NEAR(got, want, 1e-6, "%s at %g s", name, time_s);
}

TestSuite(showing, .init = test_folder_make, .fini = test_folder_remove_all);

Test(showing, is_the_product_of_model_and_nodes)
{
    OWN_SCENE *scene =
        load_scene_text("models:\n  - file: " MODELS "figure.glb\n"
                        "    opacity: [[0, 1], [2, 0.5]]\n    nodes:\n"
                        "      upper_arm_l: { visible: [[0, true], [1, false], [3, true]] }\n"
                        "      torso: { opacity: 0.5 }\n");
    expect_showing(scene, "hips", 0.0, 1.0);
    expect_showing(scene, "hips", 2.0, 0.5);
    expect_showing(scene, "torso", 0.0, 0.5);
    expect_showing(scene, "upper_arm_l", 0.999, 0.5 * (1.0 - 0.5 * 0.999 / 2.0));
    expect_showing(scene, "upper_arm_l", 1.0, 0.0);
    expect_showing(scene, "hand_l", 2.5, 0.0);
    expect_showing(scene, "hand_l", 3.0, 0.25);
    expect_showing(scene, "hand_r", 1.0, 0.5 * 0.75);
    expect_showing(scene, "foot_r", 1.0, 0.75);
    zt_scene_destroy(scene);
    scene = load_scene_text("models: [ { file: " MODELS "figure.glb } ]\n");
    expect_showing(scene, "hand_l", 0.0, 1.0);
}

/// Keys of bytes, as the extension has them; the node below is hidden, too.
Test(showing, is_moved_by_clips)
{
    OWN_BLOCK char *json = glb_json(
        "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_animation_pointer',"
        "'KHR_node_visibility'],'nodes':[{'name':'above','children':[1],"
        "'extensions':{'KHR_node_visibility':{'visible':false}}},{'name':'below','mesh':0}],"
        "'scene':0,'scenes':[{'nodes':[0]}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':2}}]}],'buffers':[{'byteLength':48,"
        "'uri':'data:application/octet-stream;base64,"
        "AAAAAAAAgD8BAAAAAAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA'}],'bufferViews':[<8>,"
        "<8+4>,<12+36>],'accessors':[<0 float SCALAR 2,'min':[0],'max':[1]>,<1 u8 SCALAR 2>,"
        "<2 float VEC3 3,'min':[0,0,0],'max':[1,1,0]>],'animations':[{'samplers':[{'input':0,"
        "'output':1,'interpolation':'STEP'}],'channels':[{'sampler':0,'target':{'path':'pointer',"
        "'extensions':{'KHR_animation_pointer':{'pointer':"
        "'/nodes/0/extensions/KHR_node_visibility/visible'}}}}]}]}");
    test_folder_write("shown.gltf", json);
    OWN_SCENE *scene = load_scene(test_file("shown.gltf"), NULL);
    cr_assert(!scene->instances[0].model->nodes[1].visible, "hidden at rest");
    expect_showing(scene, "below", 0.0, 1.0);
    expect_showing(scene, "below", 0.5, 1.0);
    expect_showing(scene, "below", 0.99, 1.0);
    scene->instances[0].layer_count = 0;
    expect_showing(scene, "below", 0.5, 0.0);
}

Test(showing, what_an_fbx_hides_stays_hidden)
{
    test_folder_write("a.fbx",
                      "FBXHeaderExtension: { FBXVersion: 7500 }\nObjects: { Model: 20, "
                      "\"a\", \"\" { Properties70: { P: \"Visibility\",\"\",\"\",\"\",0\n} } }");
    OWN_SCENE *scene =
        load_scene_text("models: [ { file: %s, opacity: 0.5 } ]\n", test_file("a.fbx"));
    expect_showing(scene, "a", 0.0, 0.0);
}

/// The right end of what frames at a time: a square at the origin, and one 9 m to its right.
/// `parts`: members of its node, primitive, mesh and material, with ' for ".
static float right_end(const char *const parts[4], const char *keys, double time_s)
{
    static const char json[] =
        "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0,1,2]}],'nodes':[{'mesh':0},"
        "{'mesh':1,'translation':[9,0,0]%s},{'translation':[9,0,0],'scale':[0,0,0]}],"
        "'skins':[{'joints':[2]}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':5}]}"
        ",{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'material':0,"
        "'mode':%s}]%s}],'materials':[{'name':'m','pbrMetallicRoughness':{'baseColorFactor':"
        "[1,1,1,%s}],'accessors':[<0 float VEC3 4,'min':[-1,-1,0],'max':[1,1,0]>,<u8 VEC4 4>,"
        "<1 float VEC4 4>],'bufferViews':[<48>,<48+64>],"
        "'buffers':[{'byteLength':112,'uri':'data:application/octet-stream;base64,"
        "AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAACAvwAAgD8AAAAAAACAPwAAgD8AAAAAAACAPwAAAAAAAAAAAAAAAAAA"
        "gD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAA=="
        "'}]}";
    float min[3], max[3];
    zt_error err = {0};
    OWN_MEMORY(a, 0);
    PRINTED(text, 2048, json, parts[0], parts[1], parts[2], parts[3]);
    test_folder_glb("squares.glb", text, NULL, 0);
    OWN_SCENE *scene =
        load_scene_text("models: [ { file: %s/squares.glb%s } ]\n", test_folder, keys);
    MUST(posed_bounds(kernels_for(ZT_ISA_SCALAR), scene, scene_shot_time(scene, time_s), &a, min,
                      max, &err),
         err);
    return max[0];
}

/// Points and lines are drawn wherever they are, triangles without an area nowhere.
Test(showing, what_has_no_area_or_no_opacity_does_not_frame)
{
    static const struct {
        const char *parts[4];
        float end;
    } rows[] = {
        {{"", "5", "", "1]}"}, 10.0f},
        {{",'scale':[0,0,0]", "5", "", "1]}"}, 1.0f},
        {{",'scale':[1e-7,1e-7,1e-7]", "5", "", "1]}"}, 1.0f},
        {{",'scale':[0,1,1],'rotation':[0,0,0.6,0.8]", "5", "", "1]}"}, 1.0f},
        {{",'scale':[1,1,0]", "5", "", "1]}"}, 10.0f},
        {{",'scale':[0,0,0]", "3", "", "1]}"}, 9.0f},
        {{",'skin':0", "5", "", "1]}"}, 1.0f},
        {{"", "5,'targets':[{'POSITION':0}]", ",'weights':[-1]", "1]}"}, 1.0f},
        {{"", "5,'targets':[{'POSITION':0}]", ",'weights':[-0.5]", "1]}"}, 9.5f},
        {{"", "5", "", "0]},'alphaMode':'BLEND'"}, 1.0f},
        {{"", "5", "", "0.1]},'alphaMode':'BLEND'"}, 10.0f},
        {{"", "5", "", "0.4]},'alphaMode':'MASK'"}, 1.0f},
        {{"", "5", "", "0.6]},'alphaMode':'MASK'"}, 10.0f},
        {{"", "5", "", "0]}"}, 10.0f},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const float end = right_end(rows[i].parts, "", 0.0);
        cr_expect_eq(end, rows[i].end, "row %zu: %g", i, (double)end);
    }
    static const char grows[] = ", transform: { scale: [[0, [0, 1, 1]], [1, [1, 1, 1]]] }",
                      appears[] = ", materials: { m: { visible: [[0, false], [1, true]] } }";
    for (int i = 0; i < 2; i++) { // each frame counts as it is drawn
        cr_expect_eq(right_end(rows[0].parts, grows, i), i ? 10.0f : -FLT_MAX);
        cr_expect_eq(right_end(rows[0].parts, appears, i), i ? 10.0f : 1.0f);
    }
}

/// Triangles face outwards, with normals across them, and close the surface of the shape.
Test(showing, shapes_are_closed_and_face_outwards)
{
    static const struct {
        shape of;
        double volume;
    } shapes[] = {
        {{.kind = SHAPE_SPHERE, .radius = 0.7}, 4.0 / 3.0 * 3.14159265 * 0.343},
        {{.kind = SHAPE_CAPSULE, .radius = 0.5, .height = 3.0},
         4.0 / 3.0 * 3.14159265 * 0.125 + 3.14159265 * 0.25 * 2.0},
        {{.kind = SHAPE_CAPSULE, .radius = 0.5, .height = 1.0}, 4.0 / 3.0 * 3.14159265 * 0.125},
        {{.kind = SHAPE_CYLINDER, .radius = 0.5, .height = 3.0}, 3.14159265 * 0.75},
        {{.kind = SHAPE_BOX, .size = {1.0, 2.0, 3.0}}, 6.0},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        OWN_ARENA scratch;
        zt_error err = {0};
        zt_model model = {0};
        budget_init(&model.budget_own, 0, NULL);
        arena_init(&model.arena, &model.budget_own);
        arena_init(&scratch, &model.budget_own);
        MUST(shape_model_build(&shapes[i].of, &model, &scratch, &err), err);
        const model_mesh *mesh = &model.meshes[0];
        double volume = 0.0;
        uint64_t triangles = 0;
        for (uint32_t m = 0; m < mesh->meshlet_count; m++) {
            const meshlet *let = &mesh->meshlets[m];
            for (uint32_t t = 0; t < let->triangle_count; t++, triangles++) {
                dvec3 p[3], normal = {0};
                for (int k = 0; k < 3; k++) {
                    const uint8_t local = mesh->meshlet_corner[k][let->triangle_first + t];
                    const uint32_t v = mesh->meshlet_vertex[let->vertex_first + local];
                    const vertex_attributes *a = &mesh->attributes[v];
                    p[k] = dvec3_from_floats(&mesh->position[v].x);
                    normal = dvec3_add(normal, dvec3_from_floats(&a->nx));
                    const dvec3 n = dvec3_from_floats(&a->nx), u = dvec3_from_floats(&a->tx);
                    cr_assert(fabs(dvec3_length(n) - 1.0) < 1e-5 &&
                              fabs(dvec3_length(u) - 1.0) < 1e-5 && fabs(dvec3_dot(n, u)) < 1e-5);
                }
                const dvec3 face = dvec3_cross(dvec3_sub(p[1], p[0]), dvec3_sub(p[2], p[0]));
                cr_assert(dvec3_dot(face, normal) > 0.0, "shape %zu", i);
                volume += dvec3_dot(p[0], dvec3_cross(p[1], p[2])) / 6.0;
            }
        }
        cr_expect(triangles == mesh->triangle_count);
        NEAR(volume / shapes[i].volume, 1.0, 0.005, "share of the volume, shape %zu", i);
        arena_finish(&model.arena);
    }
}
