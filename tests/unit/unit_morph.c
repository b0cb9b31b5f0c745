// SPDX-License-Identifier: MIT
/// Morph targets from files and scenes: what is stored, weights over time, separate files of one
/// topology, bounds, and real files against a reading of their own in double.
#include "asset_files.h"
#include "drawing.h"
#include "gltf_fixture.h"
#include "plain_gltf.h"
#include "pose/pose.h"
#include "render/posed_bounds.h"
#include "test_folder.h"
#include "test_memory.h"

static zt_error err;

#define MODELS ZT_SOURCE_DIR "/scenes/models/"

// ---- glTF ---------------------------------------------------------------------------------------

// A triangle, two targets (one moves a corner, one has only zeros), times and weights.
#define DATA                                                                                       \
    "'buffers':[{'byteLength':192}],'bufferViews':[<36>,<36+36>,<72+12>,<84+72>],"                 \
    "'accessors':[<0 float VEC3 3>,<1 float VEC3 3>,<float VEC3 3>,<2 float SCALAR 3>,"            \
    "<3 float SCALAR 6>,<3 float SCALAR 18>],"
#define PRIMITIVE(targets) "{'attributes':{'POSITION':0},'targets':[" targets "]}"
#define MESH(rest)                                                                                 \
    "'meshes':[{'primitives':[" PRIMITIVE("{'POSITION':1},{'POSITION':2}") "]" rest "}],"
#define NODE "'nodes':[{'mesh':0}]"

typedef struct morph_data {
    float position[3][3], delta[3][3], time[3], value[18], rest[9];
} morph_data;

static const morph_data data = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                {{0, 0, 0}, {0, 0, 0}, {0, 1, 2}},
                                {0, 1, 3},
                                {0, 10, 1, -10, 5, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
                                {0}};

Test(gltf_morphs, names_weights_and_groups)
{
    GLTF_MUST(
        c, 0,
        ASSET DATA MESH(
            ",'weights':[0.25,-2],'extras':{'targetNames':['up',7]}") "'nodes':[{'mesh':0},{'mesh':"
                                                                      "0,'weights':[3]}]}",
        &data, sizeof data);
    const model_mesh *mesh = &c.model.meshes[0];
    cr_assert_eq(mesh->morph_count, 2);
    cr_expect_str_eq(mesh->morphs[0].name, "up");
    cr_expect_str_eq(mesh->morphs[1].name, "1", "what has no name is called by its number");
    cr_expect(mesh->morphs[0].weight == 0.25f && mesh->morphs[1].weight == -2.0f);
    const morph_target *up = &mesh->morphs[0].target;
    cr_assert(up->position.group_count == 1 && up->position.group[0] == 0);
    const float moved[4] = {0, 1, 2, 0};
    cr_expect(memcmp(up->position.delta + 8, moved, sizeof moved) == 0);
    cr_expect_eq(mesh->morphs[1].target.position.group_count, 0, "zeros are not stored");
    // No normals in the file: flat ones, also of the morphed triangle, whose normal is (0, -2, 2).
    cr_assert_eq(up->attributes.group_count, 1);
    const float *turned = up->attributes.delta;
    cr_expect(fabsf(turned[1] + sqrtf(0.5f)) < 1e-6f &&
              fabsf(turned[2] + 1.0f - sqrtf(0.5f)) < 1e-6f);
    float weights[2];
    pose_morph_rest(&c.model, 0, weights);
    cr_expect(weights[0] == 0.25f && weights[1] == -2.0f);
    pose_morph_rest(&c.model, 1, weights);
    cr_expect(weights[0] == 3.0f && weights[1] == -2.0f, "a node's weights, then the mesh's");
    cr_expect(strstr(c.messages, "has 1 weights for 2 morph targets"), "%s", c.messages);
}

static void expect_weights(const zt_model *model, int clip, float time_s, float a, float b)
{
    float weights[2];
    pose_morph_rest(model, 0, weights);
    pose_morph_sample(model, 0, &model->clips[clip], time_s, weights);
    cr_expect(fabsf(weights[0] - a) < 1e-6f && fabsf(weights[1] - b) < 1e-5f,
              "clip %d at %g: %g %g, want %g %g", clip, (double)time_s, (double)weights[0],
              (double)weights[1], (double)a, (double)b);
}

#define CHANNEL "'channels':[{'sampler':0,'target':{'node':0,'path':'weights'}}]}"

Test(gltf_morphs, clips_in_every_interpolation)
{
    GLTF_MUST(
        c, 0,
        ASSET DATA MESH("") "'animations':["
                            "{'samplers':[{'input':3,'output':4,'interpolation':'STEP'}]," CHANNEL
                            ",{'samplers':[{'input':3,'output':4}]," CHANNEL
                            ",{'samplers':[{'input':3,'output':5,"
                            "'interpolation':'CUBICSPLINE'}]," CHANNEL "]," NODE "}",
        &data, sizeof data);
    cr_assert_eq(c.model.clip_count, 3);
    cr_expect(c.model.clips[1].end_s == 3.0f);
    expect_weights(&c.model, 0, 0.9f, 0.0f, 10.0f);
    expect_weights(&c.model, 0, 1.0f, 1.0f, -10.0f);
    expect_weights(&c.model, 1, 0.5f, 0.5f, 0.0f);
    expect_weights(&c.model, 1, 2.0f, 3.0f, -5.0f);
    expect_weights(&c.model, 1, 99.0f, 5.0f, 0.0f);
    // Keys of the spline: in-tangents, values, out-tangents, each of both targets.
    expect_weights(&c.model, 2, 0.0f, 1.0f, -10.0f);
    expect_weights(&c.model, 2, 1.0f, 3.0f, 4.0f);
    // Hermite halfway: (v0 + v1) / 2 + (b0 - a1) step / 8.
    expect_weights(&c.model, 2, 0.5f, 2.0f + (5.0f - 1.0f) / 8.0f, -3.0f + (0.0f - 2.0f) / 8.0f);
}

#define NAMED_FACE(names)                                                                          \
    ASSET DATA MESH(                                                                               \
        names) "'animations':[{'samplers':[{'input':3,'output':4}]," CHANNEL                       \
               ",{'samplers':[{'input':3,'output':5,'interpolation':'CUBICSPLINE'}]," CHANNEL      \
               "],'nodes':[{'name':'face','mesh':0}]}"
#define NAMES(a, b) ",'extras':{'targetNames':['" a "','" b "']}"

/// Number of clips that a file lends another one; both stay open.
static uint32_t lend(gltf_case *own, const char *own_json, gltf_case *lender,
                     const char *lender_json)
{
    uint32_t count = 9;
    OWN_ARENA scratch;
    gltf_case_json(own, own_json, &data, sizeof data);
    gltf_case_json(lender, lender_json, &data, sizeof data);
    cr_assert(own->result == ZT_OK && lender->result == ZT_OK, "%s", lender->err.message);
    arena_init(&scratch, &own->budget);
    cr_assert_eq(model_lay_out_motion(&own->model, &scratch, &own->err), ZT_OK);
    MUST(model_borrow_clips(&own->model, &lender->model, &scratch, &count, &own->err), own->err);
    return count;
}

/// Lent clips bring weights where the targets are the same, by their names or, without, in number.
Test(gltf_morphs, weights_are_lent_to_the_same_targets)
{
    static const struct {
        const char *own, *lender;
        bool lent;
    } cases[] = {
        {NAMED_FACE(NAMES("up", "down")), NAMED_FACE(NAMES("up", "down")), true},
        {NAMED_FACE(""), NAMED_FACE(""), true},
        {NAMED_FACE(NAMES("up", "down")), NAMED_FACE(NAMES("down", "up")), false},
        {NAMED_FACE(""), NAMED_FACE(NAMES("up", "down")), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GLTF_CASE own = {0}, lender = {0};
        const uint32_t count = lend(&own, cases[i].own, &lender, cases[i].lender);
        cr_assert_eq(count, cases[i].lent ? 2u : 0u, "case %zu: %u", i, count);
        cr_assert_eq(own.model.clip_count, 2 + count);
        for (float t = 0.0f; count > 0 && t < 4.0f; t += 0.3f)
            for (int clip = 0; clip < 2; clip++) {
                float weights[2] = {0.0f, 0.0f};
                pose_morph_sample(&own.model, 0, &own.model.clips[clip], t, weights);
                expect_weights(&own.model, clip + 2, t, weights[0], weights[1]);
            }
    }
    GLTF_CASE own = {0}, lender = {0}; // one target less
    cr_assert_eq(lend(&own, NAMED_FACE(""), &lender,
                      ASSET DATA "'meshes':[{'primitives':[" PRIMITIVE(
                          "{'POSITION':1}") "]}],'animations':[{'samplers':[{'input':3,'output':3}"
                                            "]," CHANNEL "],'nodes':[{'name':'face','mesh':0}]}"),
                 0u, "another number");
}

/// EXT_mesh_gpu_instancing: every place shows the weights of the node, authored and animated.
Test(gltf_morphs, weights_of_an_instanced_mesh)
{
    GLTF_MUST(c, 0,
              ASSET DATA MESH("") "'extensionsUsed':['EXT_mesh_gpu_instancing'],"
                                  "'animations':[{'samplers':[{'input':3,'output':4}]," CHANNEL
                                  "],'nodes':[{'mesh':0,'weights':[0.25,0.5],'extensions':"
                                  "{'EXT_mesh_gpu_instancing':{'attributes':"
                                  "{'TRANSLATION':0}}}}]}",
              &data, sizeof data);
    cr_assert_eq(c.model.node_count, 4);
    cr_assert_eq(c.model.clips[0].channel_count, 1);
    for (uint32_t i = 1; i < 4; i++) {
        float rest[2], moved[2] = {7.0f, 7.0f};
        cr_assert_eq(c.model.nodes[i].mesh, 0);
        pose_morph_rest(&c.model, i, rest);
        cr_expect(rest[0] == 0.25f && rest[1] == 0.5f, "%g %g", (double)rest[0], (double)rest[1]);
        pose_morph_sample(&c.model, i, &c.model.clips[0], 2.0f, moved);
        cr_expect(moved[0] == 3.0f && moved[1] == -5.0f, "%g %g", (double)moved[0],
                  (double)moved[1]);
    }
}

Test(gltf_morphs, mistakes)
{
    gltf_expect_error(
        ASSET DATA "'meshes':[{'primitives':[" PRIMITIVE("{'POSITION':1}") "," PRIMITIVE(
            "{'POSITION':1},{'POSITION':1}") "]}]," NODE "}",
        &data, sizeof data, ZT_ERR_FORMAT,
        "/meshes/0/primitives/1: has 2 morph targets, but the primitive before it has 1");
    gltf_expect_error(ASSET DATA "'meshes':[{'primitives':[" PRIMITIVE("{'POSITION':4}") "]}]," NODE
                                                                                         "}",
                      &data, sizeof data, ZT_ERR_FORMAT, "/targets/0/POSITION: accessor 4");
    gltf_expect_error(ASSET DATA MESH(",'weights':[1,'two']") NODE "}", &data, sizeof data,
                      ZT_ERR_FORMAT, "/meshes/0/weights/1: is not a weight");
    gltf_expect_error(ASSET DATA MESH(",'weights':[1e30]") NODE "}", &data, sizeof data,
                      ZT_ERR_FORMAT, "expected a number from -1e6 to 1e6");
    gltf_expect_error(
        ASSET DATA MESH("") "'animations':[{'samplers':[{'input':3,'output':3}]," CHANNEL "]," NODE
                            "}",
        &data, sizeof data, ZT_ERR_FORMAT, "has 3 values, but 3 keys need 6");
    gltf_expect_error(
        ASSET DATA MESH("") "'animations':[{'samplers':[{'input':3,'output':0}]," CHANNEL "]," NODE
                            "}",
        &data, sizeof data, ZT_ERR_FORMAT, "must be SCALAR");
    gltf_expect_error(ASSET DATA "'meshes':[{'primitives':[" PRIMITIVE("7") "]}]," NODE "}", &data,
                      sizeof data, ZT_ERR_FORMAT, "/targets/0");
}

Test(gltf_morphs, a_face_is_stored_sparsely)
{
    GLTF_FILE(c, 0, MODELS "face.glb");
    cr_assert(c.result == ZT_OK, "%s", c.err.message);
    const model_mesh *mesh = &c.model.meshes[0];
    const uint32_t groups = mesh->vertex_count / MORPH_GROUP;
    cr_assert_eq(mesh->morph_count, 5);
    cr_expect_str_eq(mesh->morphs[4].name, "blush");
    const morph_target *smile = &mesh->morphs[0].target, *blush = &mesh->morphs[4].target;
    cr_expect(smile->position.group_count > 10 && smile->position.group_count < groups / 5);
    cr_expect(smile->attributes.group_count < groups / 5 && smile->extra.group_count == 0);
    cr_expect(blush->position.group_count == 0 && blush->attributes.group_count == 0 &&
              blush->extra.group_count > 10);
}

// ---- Scenes -------------------------------------------------------------------------------------

static zt_scene *read_scene(const char *models)
{
    return load_scene_text("models:\n  - %s\n", models);
}

Test(scene_morphs, keys_and_instances)
{
    OWN_SCENE *scene =
        read_scene("{ file: " MODELS "face.glb, morphs: { smile: 0.5, jaw: -1e6 }, instances: "
                   "[ {}, { morphs: { smile: [[0, 1], [2, -3]] } } ] }");
    float weights[5], layer[5], reference[5];
    morph_use uses[5];
    const pose_morphs morphs = {weights, layer, reference, uses};
    const uint32_t count =
        pose_morphs_evaluate(&scene->instances[0], 0, scene_shot_time(scene, 0.0), NULL, &morphs);
    cr_expect_eq(count, 2);
    cr_expect(weights[0] == 0.5f && weights[2] == -1e6f && weights[1] == 0.0f);
    cr_assert_eq(
        pose_morphs_evaluate(&scene->instances[1], 0, scene_shot_time(scene, 1.0), NULL, &morphs),
        2);
    cr_expect(uses[0].weight == -1.0f && uses[1].weight == -1e6f,
              "an instance's weight replaces the model's, halfway between its keys");
    cr_expect_eq(uses[1].target, &scene->models[0]->meshes[0].morphs[2].target);
}

/// Two layers of clips with weights: from what is below to what is above, by the layer's weight.
Test(scene_morphs, weights_follow_the_layers)
{
    OWN_SCENE *scene = read_scene("{ file: " MODELS "arm.glb, animation: [ curl, { clip: twist, "
                                  "weight: [[0, 0], [2, 1]] } ], instances: [ {}, { morphs: { "
                                  "biceps: 3 } } ] }");
    float weights[1], layer[1], reference[1];
    morph_use uses[1];
    const pose_morphs morphs = {weights, layer, reference, uses};
    for (int step = 0; step <= 8; step++) {
        // The clip's weight is the cubic 3 s^2 - 2 s^3 up to 1 s and back; "twist" leaves it at 0.
        const double t = 0.25 * step, s = t <= 1.0 ? t : 2.0 - t;
        const double want = (3.0 * s * s - 2.0 * s * s * s) * (1.0 - 0.5 * t);
        pose_morphs_evaluate(&scene->instances[0], 0, scene_shot_time(scene, t), NULL, &morphs);
        NEAR(weights[0], want, 1e-6, "%g", t);
        pose_morphs_evaluate(&scene->instances[1], 0, scene_shot_time(scene, t), NULL, &morphs);
        cr_expect_eq(weights[0], 3.0f, "the scene's weight goes over the clip's");
    }
}

/// An added layer brings its difference, a masked one its part.
Test(scene_morphs, weights_of_added_layers_and_masks)
{
    OWN_SCENE *scene = read_scene(
        "{ file: " MODELS "arm.glb, animation: [ { clip: curl, start: 1, "
        "speed: 0 }, { clip: curl, start: 1, speed: 0, mode: additive, "
        "weight: 0.5 }, { clip: twist, weight: 0.75, bones: [ { bone: skin, weight: 0.4 } ] "
        "} ] }");
    float weights[1], layer[1], reference[1];
    morph_use uses[1];
    const pose_morphs morphs = {weights, layer, reference, uses};
    pose_morphs_evaluate(&scene->instances[0], 0, scene_shot_time(scene, 0.0), NULL, &morphs);
    // 1, and a half of 1 - 0 (the first key) on it, and of that 1 - 0.75 x 0.4 is left.
    cr_expect(fabsf(weights[0] - 1.5f * 0.7f) < 1e-6f, "%g", (double)weights[0]);
}

/// Box of the scene against every vertex in double: base + w (target - base).
Test(scene_morphs, targets_from_files_and_bounds)
{
    OWN_SCENE *scene = read_scene("{ file: " MODELS "blob.glb, morph_targets: { beast: " MODELS
                                  "blob_beast.glb }, morphs: { beast: 1.6 } }");
    cr_assert_eq(scene->model_count, 2);
    const model_mesh *base = &scene->models[0]->meshes[0], *beast = &scene->models[1]->meshes[0];
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t v = 0; v < base->vertex_count; v++)
        for (int k = 0; k < 3; k++) {
            const double a = (double)(&base->position[v].x)[k];
            const double b = (double)(&beast->position[v].x)[k];
            const double at = a + 1.6 * (b - a);
            low[k] = fmin(low[k], at);
            high[k] = fmax(high[k], at);
        }
    float min[3], max[3];
    OWN_ARENA scratch;
    arena_init(&scratch, &scene->budget_own);
    MUST(posed_bounds(kernels_best(ZT_ISA_BEST), scene, scene_shot_time(scene, 0.0), &scratch, min,
                      max, &err),
         err);
    for (int k = 0; k < 3; k++)
        cr_expect(fabs((double)min[k] - low[k]) < 1e-6 && fabs((double)max[k] - high[k]) < 1e-6);
    cr_expect_gt(high[1], 1.0, "the ears");
}

/// Attributes that a target's file lacks stay: texture coordinates, and tangents of the normal map.
Test(scene_morphs, targets_without_texture_coordinates)
{
    OWN_SCENE *scene = read_scene("{ file: " MODELS "walker.glb, morph_targets: { beast: " MODELS
                                  "walker_beast.glb }, morphs: { beast: 1 } }");
    const model_mesh *base = &scene->models[0]->meshes[0], *beast = &scene->models[1]->meshes[0];
    const morph_part *part = &scene->instances[0].targets[0].meshes[0].attributes;
    cr_assert_gt(part->group_count, 100);
    double largest = 0.0;
    for (uint32_t g = 0; g < part->group_count; g++)
        for (uint32_t i = 0; i < MORPH_GROUP; i++) {
            const uint32_t v = part->group[g] * MORPH_GROUP + i;
            const float *delta = part->delta + ((size_t)g * MORPH_GROUP + i) * 8;
            for (int k = 0; k < 3 && v < base->vertex_count; k++) {
                const float n = (&base->attributes[v].nx)[k], to = (&beast->attributes[v].nx)[k];
                cr_assert_eq(delta[k], to - n);
                cr_assert_eq(delta[4 + k], 0.0f, "tangent of vertex %u", v);
                largest = fmax(largest, fabs((double)delta[k]));
            }
            cr_assert(delta[3] == 0.0f && delta[7] == 0.0f, "uv of vertex %u", v);
        }
    cr_assert_gt(largest, 0.3, "normals turn");
}

/// Only a target's meshes are used: textures are not read, and tangents are as with them.
Test(scene_morphs, targets_load_no_textures)
{
    static const char *const files[] = {MODELS "walker.glb", MODELS "walker.m3d"};
    for (int n = 0; n < 2; n++) {
        PRINTED(text, 1024, "{ file: %s, morph_targets: { same: %s } }", files[n], files[n]);
        OWN_SCENE *scene = read_scene(text);
        cr_assert_eq(scene->model_count, 2);
        const zt_model *base = scene->models[0], *target = scene->models[1];
        cr_assert(base->texture_count >= 2 && target->texture_count == 0);
        cr_assert_lt(target->arena.used, base->arena.used / 2);
        for (uint32_t i = 0; i < target->material_count; i++)
            cr_assert(target->materials[i].base_map.texture < 0 &&
                      target->materials[i].normal_map.texture < 0);
        for (uint32_t i = 0; i < base->mesh_count; i++)
            cr_assert(memcmp(base->meshes[i].attributes, target->meshes[i].attributes,
                             base->meshes[i].vertex_count * sizeof *base->meshes[i].attributes) ==
                      0);
    }
}

/// Copies walker.m3d with one line replaced: the n-th that begins with `start`.
static void write_variant(const char *path, const char *start, int n, const char *with)
{
    char line[512];
    FILE *in = fopen(MODELS "walker.m3d", "r"), *out = fopen(path, "w");
    cr_assert(in && out);
    bool after = false;
    while (fgets(line, sizeof line, in)) {
        after = after || strncmp(line, "***************Triangles", 24) == 0;
        const bool here = *start ? strncmp(line, start, strlen(start)) == 0
                                 : after && line[0] >= '0' && line[0] <= '9';
        fputs(here && n-- == 0 ? with : line, out);
    }
    fclose(in);
    fclose(out);
}

Test(scene_morphs, m3d_targets_are_other_files, .init = test_folder_make,
     .fini = test_folder_remove)
{
    write_variant(test_file("wolf.m3d"), "Position:", 10, "Position: 7 8 9\n");
    OWN_SCENE *scene = load_scene_text("models: [ { file: " MODELS
                                       "walker.m3d, morph_targets: { wolf: %s/wolf.m3d }, "
                                       "morphs: { wolf: 1 } } ]\n",
                                       test_folder);
    const scene_instance *instance = &scene->instances[0];
    cr_assert(instance->target_count == 1 && instance->targets[0].meshes);
    const morph_part *part = &instance->targets[0].meshes[0].position;
    cr_assert(part->group_count == 1 && part->group[0] == 2, "vertex 10 is in group 2");
    const vertex_position *p = &instance->model->meshes[0].position[10];
    const float *d = part->delta + 2 * 4;
    cr_expect(d[0] == 7.0f - p->x && d[1] == 8.0f - p->y && d[2] == 9.0f - p->z);
    write_variant(test_file("wolf.m3d"), "", 5, "0 1 2\n");
    test_folder_write("wolf.yaml", "format: 1\nmodels: [ { file: " MODELS
                                   "walker.m3d, morph_targets: { wolf: wolf.m3d } } ]\n");
    const zt_load_def def = zt_default_load_def();
    zt_scene *none = NULL;
    cr_assert_eq(zt_scene_load(test_file("wolf.yaml"), &def, &none, &err), ZT_ERR_FORMAT);
    cr_assert(strstr(err.message, "triangle 5 of mesh 0 joins the vertices"), "%s", err.message);
}

// ---- Real files ---------------------------------------------------------------------------------

/// Weight `target` at a time, by glTF 2.0, appendix C.
static double weight_at(const plain_gltf *r, size_t clip, size_t targets, size_t target,
                        double time_s)
{
    const json_t *sampler = plain_item(plain_item(r->root, "animations", clip), "samplers", 0);
    const size_t input = plain_integer(sampler, "input"), output = plain_integer(sampler, "output");
    const char *mode = json_string_value(json_object_get(sampler, "interpolation"));
    const bool cubic = mode && strcmp(mode, "CUBICSPLINE") == 0;
    const size_t keys = plain_count(r, input);
    const size_t stride = cubic ? 3 * targets : targets, value = cubic ? targets : 0;
    size_t k = 0;
    while (k + 1 < keys && plain_number(r, input, k + 1, 0, 1) <= time_s)
        k++;
    const double t0 = plain_number(r, input, k, 0, 1);
    const double v0 = plain_number(r, output, k * stride + value + target, 0, 1);
    if (time_s <= t0 || k + 1 == keys)
        return v0;
    const double step = plain_number(r, input, k + 1, 0, 1) - t0, s = (time_s - t0) / step;
    const double v1 = plain_number(r, output, (k + 1) * stride + value + target, 0, 1);
    if (!cubic)
        return v0 + (v1 - v0) * s;
    const double b0 = plain_number(r, output, k * stride + 2 * targets + target, 0, 1);
    const double a1 = plain_number(r, output, (k + 1) * stride + target, 0, 1);
    return (2 * s * s * s - 3 * s * s + 1) * v0 + step * (s * s * s - 2 * s * s + s) * b0 +
           (3 * s * s - 2 * s * s * s) * v1 + step * (s * s * s - s * s) * a1;
}

/// Each `stride`-th morphed vertex at ten times of every clip, within 4e-7 of the mesh's size.
static void check_file(const char *name, size_t stride, uint32_t node, size_t targets)
{
    const char *path = asset_file(name);
    if (!path)
        return;
    GLTF_FILE(c, 0, path);
    cr_assert(c.result == ZT_OK, "%s: %s", path, c.err.message);
    cr_expect_eq(c.model.note_count, 0, "%s", c.messages);
    PLAIN_GLTF r = plain_gltf_open(path);
    const model_mesh *mesh = &c.model.meshes[0];
    cr_assert_eq(mesh->morph_count, targets);
    OWN_BLOCK vertex_position *got = calloc(pad16(mesh->vertex_count), sizeof *got);
    double worst = 0.0;
    for (size_t clip = 0; clip < c.model.clip_count; clip++)
        for (int step = 0; step <= 10; step++) {
            const model_clip *m = &c.model.clips[clip];
            const float time_s = m->start_s + (m->end_s - m->start_s) * 0.0999f * (float)step;
            float weights[16];
            morph_use uses[16];
            double exact[16];
            pose_morph_rest(&c.model, node, weights);
            pose_morph_sample(&c.model, node, m, time_s, weights);
            for (size_t t = 0; t < targets; t++) {
                exact[t] = weight_at(&r, clip, targets, t, (double)time_s);
                NEAR(weights[t], exact[t], 2e-6, "%s weight %zu at %g", name, t, (double)time_s);
            }
            for (uint32_t t = 0; t < targets; t++)
                uses[t] = (morph_use){&mesh->morphs[t].target, weights[t]};
            pose_morph_positions(mesh, uses, (uint32_t)targets, got);
            size_t first = 0, index;
            const json_t *primitive;
            json_array_foreach(json_object_get(plain_item(r.root, "meshes", 0), "primitives"),
                               index, primitive)
            {
                const json_t *attributes = json_object_get(primitive, "attributes");
                const size_t base = plain_integer(attributes, "POSITION");
                for (size_t i = 0; i < plain_count(&r, base); i += stride)
                    for (size_t k = 0; k < 3; k++) {
                        double want = plain_number(&r, base, i, k, 3);
                        for (size_t t = 0; t < targets; t++) {
                            const json_t *target = plain_item(primitive, "targets", t);
                            want += exact[t] *
                                    plain_number(&r, plain_integer(target, "POSITION"), i, k, 3);
                        }
                        worst = fmax(worst, fabs(want - (double)(&got[first + i].x)[k]));
                    }
                first += plain_count(&r, base);
            }
            cr_assert_eq(first, mesh->vertex_count, "%zu %u", first, mesh->vertex_count);
        }
    double size = 0.0;
    for (int k = 0; k < 3; k++)
        size = fmax(size, (double)mesh->bounds_max[k] - (double)mesh->bounds_min[k]);
    fprintf(stderr, "%s: off by %.3g of its size at most\n", name, worst / size);
    cr_assert_lt(worst, 4e-7 * size);
}

Test(real_files, animated_morph_cube) { check_file("morph/AnimatedMorphCube.glb", 7, 0, 2); }

Test(real_files, morph_stress_test) { check_file("morph/MorphStressTest.glb", 7, 0, 8); }

Test(real_files, simple_morph) { check_file("morph/SimpleMorph/SimpleMorph.gltf", 1, 0, 2); }

Test(real_files, morphed_cube_of_blender)
{
    check_file("morph/blio_01_morphed_cube/01_morphed_cube.gltf", 1, 1, 2);
}
