// SPDX-License-Identifier: MIT
/// Persons of VRM files: expressions of both versions and what they do, eyes that follow a target,
/// nodes that follow others, what the person itself sees, and clips of VRM animations.
#include "gltf_fixture.h"
#include "posed_scene.h"
#include "retarget/retarget.h"
#include "test_folder.h"

TestSuite(avatar, .init = posed_setup, .fini = posed_teardown);

#define PUPPET "  - file: ../models/puppet.vrm\n"

static const model_expression *expression(const zt_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->expression_count; i++)
        if (strcmp(model->expressions[i].name, name) == 0)
            return &model->expressions[i];
    cr_assert(false, "no expression '%s'", name);
    return NULL;
}

// ---- Reading ------------------------------------------------------------------------------------

Test(avatar, version_1_is_read_whole)
{
    GLTF_FILE(c, .strict = true, ZT_SOURCE_DIR "/scenes/models/puppet.vrm");
    MUST(c.result, c.err);
    cr_expect_eq(c.model.note_count, 0);
    cr_expect_eq(c.model.expression_count, 2);
    const model_expression *happy = expression(&c.model, "happy");
    const model_expression *blink = expression(&c.model, "blink");
    cr_expect(happy->group == EXPRESSION_OTHER && blink->group == EXPRESSION_BLINK);
    cr_expect(happy->overrides[EXPRESSION_BLINK] == EXPRESSION_BLENDS && !happy->binary);
    cr_assert(happy->morph_count == 1 && happy->change_count == 1 && blink->morph_count == 1);
    cr_expect_eq(happy->morphs[0].target, 0);
    cr_expect_eq(blink->morphs[0].target, 1);
    cr_expect_eq(happy->changes[0].offset, offsetof(model_material, base_color));
    cr_expect_float_eq(happy->changes[0].value[1], 0.5f, 1e-6f);
    const model_gaze *gaze = c.model.gaze;
    cr_assert(gaze && !gaze->by_expressions && gaze->eyes[0] >= 0 && gaze->eyes[1] >= 0);
    cr_expect(gaze->inner.input_deg == 90.0f && gaze->inner.output == 30.0f);
    cr_expect(gaze->outer.output == 40.0f && gaze->offset[2] == 0.2f);
    cr_expect_str_eq(c.model.nodes[gaze->eyes[1]].name, "rightEye");
}

/// The nodes head and hand show one triangle with two morph targets and a toon material.
#define FACE(extensions)                                                                           \
    "{'asset':{'version':'2.0'},'extensions':{" extensions "},'scenes':[{'nodes':[0,1]}],"         \
    "'nodes':[{'name':'head','mesh':0},{'name':'hand','mesh':0}],"                                 \
    "'materials':[{'name':'Face','pbrMetallicRoughness':{'baseColorFactor':[1,1,1,1]},"            \
    "'extensions':{'KHR_materials_unlit':{}}},{'name':'Hair'}],'meshes':[{'primitives':[{"         \
    "'material':0,'attributes':{'POSITION':0},'targets':[{'POSITION':0},{'POSITION':0}]}]}],"      \
    "'buffers':[{'byteLength':36}],'bufferViews':[<36>],'accessors':[<0 float VEC3 3,'min':[0,0,"  \
    "0],'max':[1,1,0]>]}"

static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

Test(avatar, version_0_becomes_1)
{
    GLTF_MUST(
        c, 0,
        FACE("'VRM':{'humanoid':{'humanBones':[{'bone':'head','node':0}]},"
             "'firstPerson':{'lookAtTypeName':'BlendShape','firstPersonBoneOffset':"
             "{'x':0.5,'y':0.25,'z':2},'lookAtHorizontalOuter':{'xRange':45,'yRange':0.5}},"
             "'blendShapeMaster':{'blendShapeGroups':["
             "{'name':'Joy','presetName':'joy','binds':[{'mesh':0,'index':0,'weight':50}],"
             "'materialValues':[{'materialName':'Face','propertyName':'_Color',"
             "'targetValue':[1,0.5,0,0.5]},{'materialName':'Face','propertyName':'_MainTex_ST',"
             "'targetValue':[0.5,0.25,0.125,0.5]}]},"
             "{'name':'Own','presetName':'unknown','isBinary':true,'materialValues':["
             "{'materialName':'Face','propertyName':'_MainTex_ST_S','targetValue':[0.5,9,0.25,9]},"
             "{'materialName':'Face','propertyName':'_MainTex_ST_T',"
             "'targetValue':[9,0.5,9,0.125]}]},"
             "{'name':'L','presetName':'blink_l'}]},"
             "'materialProperties':[{'name':'Face','shader':'VRM/MToon','floatProperties':"
             "{'_ShadeShift':-0.375,'_ShadeToony':0.6363636363636364,'_OutlineWidthMode':1,"
             "'_OutlineWidth':0.25,'_OutlineColorMode':1,'_OutlineLightingMix':0.75,"
             "'_UvAnimScrollX':0.5,'_UvAnimScrollY':0.25,'_UvAnimRotation':-0.25,"
             "'_IndirectLightIntensity':0.25},"
             "'vectorProperties':{'_ShadeColor':[0.7297400528407231,0,1,1],"
             "'_OutlineColor':[0.5,1,1,1],'_MainTex':[0.25,0.125,0.5,0.75]}},"
             "{'shader':'VRM/MToon','floatProperties':{'_OutlineWidthMode':2,"
             "'_OutlineWidth':0.25,'_OutlineLightingMix':0.75}}]}"),
        triangle, sizeof triangle);
    const model_expression *happy = expression(&c.model, "happy");
    cr_expect(happy->morph_count == 1 && happy->morphs[0].weight == 0.5f);
    cr_expect(happy->morphs[0].node == -1 && happy->morphs[0].mesh == 0);
    cr_expect_float_eq(happy->changes[0].value[1], 0.214041f, 1e-5f); // 0.5 of sRGB
    cr_expect_eq(happy->changes[0].value[3], 0.5f);
    cr_expect(happy->changes[1].value[1] == 0.25f && happy->changes[2].value[1] == 0.25f);
    const model_expression *own = expression(&c.model, "Own");
    const expression_change *s = own->changes, *t = s + own->change_count / 2;
    const size_t scale = offsetof(model_material, base_map.scale);
    cr_expect(own->binary && s->width == 1 && s->offset == scale && s->value[0] == 0.5f);
    cr_expect(s[1].offset == offsetof(model_material, base_map.offset) && s[1].value[0] == 0.25f,
              "u alone");
    cr_expect(t->width == 1 && t->offset == scale + sizeof(float) && t->value[0] == 0.5f);
    cr_expect(t[1].value[0] == (1.0f - 0.125f) - 0.5f, "v alone");
    cr_expect_eq(expression(&c.model, "blinkLeft")->group, EXPRESSION_BLINK);
    cr_assert(c.model.gaze && c.model.gaze->by_expressions);
    cr_expect(c.model.gaze->outer.input_deg == 45.0f && c.model.gaze->outer.output == 0.5f);
    cr_expect_eq(c.model.gaze->offset[2], -2.0f);
    // The numbers of a file that was written as both versions (an MToon of UniVRM).
    const model_material *m = &c.model.materials[0];
    const material_toon *toon = &m->extensions.toon;
    cr_expect(!m->unlit && m->metallic == 0.0f && m->extensions.present == 1u << MODEL_TOON);
    cr_expect(m->base_map.offset[0] == 0.25f && m->base_map.offset[1] == 0.125f);
    cr_expect(m->base_map.scale[0] == 0.5f && m->base_map.scale[1] == 0.75f);
    cr_expect_float_eq(toon->shading_toony, 0.75f, 1e-6f);
    cr_expect_float_eq(toon->shading_shift, 0.125f, 1e-6f);
    cr_expect_float_eq(toon->shade_color[0], 0.491521f, 1e-5f);
    cr_expect_float_eq(toon->gi_equalization, 0.75f, 1e-6f);
    // A quarter of a centimetre with light mixed in, and of a hundredth of half a height without.
    const material_toon *hair = &c.model.materials[1].extensions.toon;
    cr_expect(toon->outline == MODEL_OUTLINE_WORLD && hair->outline == MODEL_OUTLINE_SCREEN);
    cr_expect_float_eq(toon->outline_width, 0.0025f, 1e-7f);
    cr_expect_float_eq(hair->outline_width, 0.00125f, 1e-7f);
    cr_expect(toon->outline_lighting_mix == 0.75f && hair->outline_lighting_mix == 0.0f);
    cr_expect_float_eq(toon->outline_color[0], 0.214041f, 1e-5f);
    cr_expect(toon->scroll[0] == 0.5f && toon->scroll[1] == -0.25f); // v is upwards there
    cr_expect_float_eq(toon->spin, -1.57079633f, 1e-5f);
}

/// Shaders of version 0 show the lit texture in the shade, too, where that has none.
Test(avatar, shades_without_a_texture_have_the_lit_one)
{
    GLTF_MUST(c, 0,
              FACE("'VRM':{'materialProperties':[{'shader':'VRM/MToon',"
                   "'textureProperties':{'_MainTex':0}}]}},'textures':[{'source':0}],"
                   "'images':[{" PIXEL "}],'extras':{"),
              triangle, sizeof triangle);
    cr_expect_eq(c.model.materials[0].extensions.map[MODEL_SHADE_MULTIPLY_MAP].texture, 0);
}

Test(avatar, expressions_may_name_what_does_not_exist)
{
    GLTF_TEXT(c, 0,
              "{'asset':{'version':'2.0'},'extensions':{'VRMC_vrm':{'expressions':"
              "{'custom':{'a':{'morphTargetBinds':[{'index':1}]}}}}}}");
    cr_expect(strstr(c.messages, "names a morph target that does not exist"), "%s", c.messages);
}

Test(avatar, expressions_have_a_limit)
{
    static char json[32768];
    size_t used = (size_t)snprintf(json, sizeof json,
                                   "{'asset':{'version':'2.0'},'extensions':{'VRMC_vrm':"
                                   "{'expressions':{'custom':{");
    for (int i = 0; i <= MODEL_EXPRESSION_LIMIT; i++)
        used += (size_t)snprintf(json + used, sizeof json - used, "%s'e%d':{}", i ? "," : "", i);
    snprintf(json + used, sizeof json - used, "}}}}}");
    gltf_expect_error(json, NULL, 0, ZT_ERR_LIMIT, "one of more than 256 expressions");
}

// ---- Weights ------------------------------------------------------------------------------------

static float weight_of(uint32_t instance, const char *name, double time_s)
{
    const scene_instance *i = &posed_scene.instances[instance];
    float weight[MODEL_EXPRESSION_LIMIT];
    pose(time_s);
    const pose_joints joints = {.world_from_node = worlds[instance], .posed = worlds};
    pose_expressions(i, scene_shot_time(&posed_scene, time_s), &joints, weight);
    return weight[expression(i->model, name) - i->model->expressions];
}

Test(avatar, happy_takes_blinks_back)
{
    load(PUPPET "    expression: { happy: [[0, 0], [1, 1]], blink: 1 }\n" PUPPET
                "    expression: happy\n" PUPPET);
    for (int k = 0; k <= 4; k++) {
        const double t = 0.25 * k;
        cr_expect_float_eq(weight_of(0, "happy", t), (float)t, 1e-6f);
        cr_expect_float_eq(weight_of(0, "blink", t), (float)(1.0 - t), 1e-6f);
    }
    cr_expect(weight_of(1, "happy", 0.0) == 1.0f && weight_of(1, "blink", 0.0) == 0.0f);
    cr_expect(!pose_shows_expressions(&posed_scene.instances[2]));
}

Test(avatar, morphs_of_scenes_win_over_expressions)
{
    load(PUPPET "    expression: { happy: 0.5 }\n    morphs: { mouth: 0.125 }\n");
    pose_morphs morphs;
    cr_assert(pose_morphs_init(pose_morph_capacity(&posed_scene), &posed_scratch, &morphs));
    pose_morphs_evaluate(&posed_scene.instances[0], (uint32_t)find(0, "head"),
                         scene_shot_time(&posed_scene, 0.0), NULL, &morphs);
    cr_expect_float_eq(morphs.weights[0], 0.125f, 1e-6f);
    cr_expect_eq(morphs.weights[1], 0.0f);
}

Test(avatar, expressions_move_materials)
{
    load(PUPPET "    expression: { happy: 0.5 }\n");
    const scene_instance *i = &posed_scene.instances[0];
    model_material materials[16];
    cr_assert(i->model->material_count <= 16);
    memcpy(materials, i->model->materials, i->model->material_count * sizeof *materials);
    pose_expression_materials(i, scene_shot_time(&posed_scene, 0.0), NULL, materials);
    const expression_change *change = expression(i->model, "happy")->changes;
    const float from = i->model->materials[change->material].base_color[1];
    cr_expect_float_eq(materials[change->material].base_color[1], 0.5f * (from + 0.5f), 1e-6f);
}

/// 0.5 m above the head is the middle of its eyes. The curves of version 0, which bend ranges, are
/// no part of 1.0.
#define RANGES(name, x, y)                                                                         \
    ",'" name "HorizontalInner':{" x ":9," y ":9},'" name "HorizontalOuter':{" x ":60," y          \
    ":0.75},'" name "VerticalDown':{" x ":45," y ":0.5},'" name "VerticalUp':{" x ":30," y ":1}"
#define GROUP(name) ",{'presetName':'look" name "','binds':[{'mesh':0,'index':1,'weight':25}]}"
static const char *const faces[2] = {
    FACE("'VRM':{'humanoid':{'humanBones':[{'bone':'head','node':0}]},'firstPerson':{"
         "'lookAtTypeName':'BlendShape','firstPersonBoneOffset':{'y':0.5}"  //
         RANGES("lookAt", "'curve':[0,0,0,9,1,1,9,0],'xRange'", "'yRange'") //
         "},'blendShapeMaster':{'blendShapeGroups':[{}" GROUP("left") GROUP("right") GROUP("up")
             GROUP("down") "]}}"),
    FACE("'VRMC_vrm':{'humanoid':{'humanBones':{'head':{'node':0}}},'lookAt':{'type':'expression',"
         "'offsetFromHeadBone':[0,0.5,0]" RANGES("rangeMap", "'inputMaxValue'", "'outputScale'") //
         "},'expressions':{'preset':{'lookLeft':{},'lookRight':{},'lookUp':{},'lookDown':{},"
         "'blink':{'overrideBlink':'block','morphTargetBinds':[{'node':0,'weight':0.5}]},"
         "'blinkRight':{'overrideBlink':'blend','morphTargetBinds':[{'node':0,'index':1}]},'aa':{'"
         "morphTargetBinds':[{'node':0,'weight':0.25},{'node':1,'index':1}]},"
         "'oh':{'isBinary':true,'morphTargetBinds':[{'node':0,'index':1}]},'happy':{"
         "'overrideMouth':'blend','overrideLookAt':'block','morphTargetBinds':[{'node':0,'weight':"
         "0.5}]},'sad':{'overrideMouth':'blend','overrideBlink':'block'}}}}")};

/// The weight of a look is the share that its angle has of the range, at most 1, times the output.
/// A group keeps 1 minus the sum of what blends, and nothing when one blocks. Morphs get the sum.
Test(avatar, expressions_look_override_and_add_up, .init = test_folder_make,
     .fini = test_folder_remove)
{
    static const char *const names[] = {"lookLeft", "lookRight", "lookUp", "lookDown"};
    static const struct {
        int version;
        const char *target, *weights;
        float look[4], head[2], hand[2]; ///< of `names`; of the targets of nodes
    } rows[] = {
        {1, "[5, 0.5, 5]", "", {0.5625f}, {0}, {0}}, // 45 of 60 degrees
        {1, "[5, 0.5, 5], weight: 0.5", "", {0.28125f}, {0}, {0}},
        {1, "[-5, 0.5, -5]", "", {0, 0.75f}, {0}, {0}},
        {1, "[0, 1.83974596, 5]", "", {0, 0, 0.5f}, {0}, {0}},      // 15 of 30
        {1, "[0, -4.5, 10]", "", {0, 0, 0, 0.29516724f}, {0}, {0}}, // 26.565 of 45
        {1, "[5, -5, 5]", "happy: 0.25, aa: 1", {0}, {0.3125f}, {0, 0.75f}},
        {1, "[5, 0.5, 5]", "sad: 0.25, aa: 1", {0.5625f}, {0.1875f}, {0, 0.75f}},
        {1, "[-5, 0.5, 5]", "happy: 0.25, sad: 0.5, aa: 1", {0}, {0.1875f}, {0, 0.25f}},
        {1, "[-9, 9, 5]", "happy: 0.5, sad: 0.75, aa: 1", {0}, {0.25f}, {0}},
        {1, "[5, 0.5, 5]", "oh: 0.5", {0.5625f}, {0}, {0}},
        {1, "[5, 0.5, 5]", "oh: 0.75", {0.5625f}, {0, 1}, {0}},
        {1, "[5, 0.5, 5]", "oh: 0.75, sad: 0.125", {0.5625f}, {0}, {0}},
        {1, "[5, 0.5, 5]", "blink: 0.5", {0.5625f}, {0.25f}, {0}}, // but not itself
        {1, "[5, 0.5, 5]", "blink: 0.5, blinkRight: 0.25", {0.5625f}, {0.1875f}, {0}},
        {0, "[-5, 0.5, -5]", "", {0.5625f}, {0, 0.140625f}, {0, 0.140625f}}, // it faces -z
        {0, "[5, 0.5, 5]", "", {0, 0.75f}, {0, 0.1875f}, {0, 0.1875f}},
        {0, "[0, 1.83974596, -5]", "", {0, 0, 0.5f}, {0, 0.125f}, {0, 0.125f}},
        {0, "[0, -4.5, -5]", "", {0, 0, 0, 0.5f}, {0, 0.125f}, {0, 0.125f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        load_text("  - file: %s\n    ik: [ { gaze: { target: %s } } ]\n    expression: { %s }\n",
                  test_folder_glb("face.glb", faces[rows[i].version], triangle, sizeof triangle),
                  rows[i].target, rows[i].weights);
        for (int k = 0; k < 4; k++)
            NEAR(weight_of(0, names[k], 0.0), rows[i].look[k], 1e-6f, "row %zu: %s", i, names[k]);
        const pose_joints joints = {.world_from_node = worlds[0], .posed = worlds};
        pose_morphs morphs;
        cr_assert(pose_morphs_init(pose_morph_capacity(&posed_scene), &posed_scratch, &morphs));
        for (uint32_t node = 0; node < 2; node++) {
            pose_morphs_evaluate(&posed_scene.instances[0], (uint32_t)find(0, "head") + node,
                                 scene_shot_time(&posed_scene, 0.0), &joints, &morphs);
            for (int k = 0; k < 2; k++)
                cr_expect_float_eq(morphs.weights[k], (node ? rows[i].hand : rows[i].head)[k],
                                   1e-6f, "row %zu, node %u, target %d", i, node, k);
        }
    }
}

// ---- Eyes ---------------------------------------------------------------------------------------

/// The angles of an eye's +z, to the left and up.
static void eye_angles(const char *name, double *left_deg, double *up_deg)
{
    const vec4 *m = world(0, name);
    const double x = (double)m[2][0], y = (double)m[2][1], z = (double)m[2][2];
    *left_deg = atan2(x, z) * 180.0 / 3.14159265358979323846;
    *up_deg = atan2(y, sqrt(x * x + z * z)) * 180.0 / 3.14159265358979323846;
}

Test(avatar, eyes_turn_by_the_ranges_of_the_file)
{
    // Between the eyes: hips 0.5, spine 0.25, head 0.45, and 0.06 up, 0.2 ahead.
    static const struct {
        double target[3], left[2], up;
    } cases[] = {
        {{0.0, 1.26, 5.2}, {0.0, 0.0}, 0.0},
        {{5.0, 1.26, 5.2}, {20.0, 15.0}, 0.0}, // 45 degrees: half of 40 and of 30
        {{-5.0, 1.26, 5.2}, {-15.0, -20.0}, 0.0},
        {{0.0, 6.26, 5.2}, {0.0, 0.0}, 15.0},
        {{5.0, 1.26, -4.8}, {40.0, 30.0}, 0.0}, // 135 degrees: at their ends
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double *t = cases[i].target;
        load_text(PUPPET "    ik: [ { gaze: { target: [%g, %g, %g] } } ]\n", t[0], t[1], t[2]);
        pose(0.0);
        for (int side = 0; side < 2; side++) {
            double left, up;
            eye_angles(side ? "rightEye" : "leftEye", &left, &up);
            cr_expect(fabs(left - cases[i].left[side]) < 1e-3 && fabs(up - cases[i].up) < 1e-3,
                      "case %zu, eye %d: %g to the left, %g up", i, side, left, up);
        }
    }
}

Test(avatar, eyes_look_from_a_head_that_is_turned)
{
    load(PUPPET "    transform: { rotate: [0, 90, 0] }\n"
                "    bones: { head: { rotate: [0, -90, 0] } }\n"
                "    ik: [ { gaze: { target: [5, 1.26, 5] } } ]\n");
    pose(0.0);
    double left, up;
    // The head looks along +z again: as without both turns, but 0.2 further back.
    eye_angles("leftEye", &left, &up);
    const double yaw = atan2(5.0, 5.0 - 0.2) * 180.0 / 3.14159265358979323846;
    cr_expect(fabs(left - yaw / 90.0 * 40.0) < 1e-2, "%g to the left", left);
}

// ---- Nodes that follow others -------------------------------------------------------------------

/// Nodes a (turned by 90 degrees at rest), b (below it) and c, which follows a by `constraint`.
#define FOLLOWER(constraint)                                                                       \
    "{'asset':{'version':'2.0'},'extensionsUsed':['VRMC_node_constraint'],'nodes':["               \
    "{'name':'a','rotation':[0,0.70710678,0,0.70710678]},{'name':'c','translation':[0,2,0],"       \
    "'rotation':[0.70710678,0,0,0.70710678],'extensions':{'VRMC_node_constraint':"                 \
    "{'specVersion':'1.0','constraint':{" constraint "}}}}],'scenes':[{'nodes':[0,1]}]}"

/// The rotation of c after a was rotated by `turn` since rest, about its own axes.
static quat followed(const char *json, quat turn)
{
    GLTF_CASE c = {0};
    pose_block local[1];
    mat4 at[POSE_LANES], identity = GLM_MAT4_IDENTITY_INIT;
    bool changed[POSE_LANES] = {false};
    pose_key_interval unused[1];
    const pose_loops *loops = kernels_for(ZT_ISA_SCALAR)->pose;
    gltf_case_must(&c, json, NULL, 0);
    cr_assert_eq(model_lay_out_motion(&c.model, &c.scratch, &c.err), ZT_OK);
    cr_assert_eq(c.model.constraint_count, 1, "%s", c.messages);
    pose_sample_blocks(loops, &c.model, -1, 0.0f, unused, local);
    trs a = c.model.nodes[0].rest;
    quat_to_floats(quat_multiply(quat_from_floats(a.r), turn), a.r);
    pose_block_set(local, 0, &a);
    pose_blocks_to_world(loops, &c.model, identity, local, at);
    const ik_context context = {.model = &c.model,
                                .world_from_model = (const vec4 *)identity,
                                .local = local,
                                .world = at,
                                .changed = changed};
    ik_constraints_apply(&context);
    return ik_bone_rotation(&context, 1);
}

static void expect_rotation(quat got, quat want, const char *what)
{
    const double same = got.x * want.x + got.y * want.y + got.z * want.z + got.w * want.w;
    cr_expect(fabs(fabs(same) - 1.0) < 1e-6, "%s: %g %g %g %g, want %g %g %g %g", what, got.x,
              got.y, got.z, got.w, want.x, want.y, want.z, want.w);
}

Test(avatar, nodes_follow_nodes)
{
    const dvec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    const quat rest = quat_from_axis_deg(x, 90.0), turn = quat_from_axis_deg(y, 40.0);
    expect_rotation(followed(FOLLOWER("'rotation':{'source':0}"), turn), quat_multiply(rest, turn),
                    "rotation");
    expect_rotation(followed(FOLLOWER("'rotation':{'source':0,'weight':0.5}"), turn),
                    quat_multiply(rest, quat_from_axis_deg(y, 20.0)), "half of it");
    // About y of a, which is y of the parent: z of c, upside down.
    expect_rotation(followed(FOLLOWER("'roll':{'source':0,'rollAxis':'Z'}"), turn),
                    quat_multiply(rest, quat_from_axis_deg(z, -40.0)), "roll");
    expect_rotation(followed(FOLLOWER("'roll':{'source':0,'rollAxis':'X'}"), turn), rest,
                    "roll about another axis");
    // From c, a is straight below: -y of the world.
    const quat aim =
        followed(FOLLOWER("'aim':{'source':0,'aimAxis':'NegativeY'}"), quat_identity());
    const dvec3 down = quat_rotate(aim, (dvec3){0, -1, 0});
    cr_expect(fabs(down.y + 1.0) < 1e-6, "aims at %g %g %g", down.x, down.y, down.z);
}

Test(avatar, constraints_that_wait_for_each_other_are_left_out)
{
    GLTF_TEXT(c, 0,
              "{'asset':{'version':'2.0'},'nodes':[{'extensions':{'VRMC_node_constraint':"
              "{'constraint':{'rotation':{'source':1}}}}},{'extensions':{"
              "'VRMC_node_constraint':{'constraint':{'rotation':{'source':0}}}}},"
              "{'extensions':{'VRMC_node_constraint':{'constraint':{'roll':{'source':0,"
              "'rollAxis':'W'}}}}}]}");
    cr_expect_eq(c.model.constraint_count, 0);
    cr_expect(strstr(c.messages, "2 constraints of nodes wait for each other"), "%s", c.messages);
    cr_expect(strstr(c.messages, "has no axis and is left out"), "%s", c.messages);
}

// ---- First person -------------------------------------------------------------------------------

Test(avatar, the_person_itself_sees_no_head)
{
    load(PUPPET PUPPET "    first_person: true\n");
    for (uint32_t i = 0; i < 2; i++) {
        const zt_model *m = posed_scene.instances[i].model;
        cr_expect_eq(m->nodes[find(i, "head")].visible, i == 0);
        cr_expect_eq(m->nodes[find(i, "leftEye")].visible, i == 0);
        cr_expect(m->nodes[find(i, "hips")].visible);
    }
}

/// A skinned quad of two triangles; the first hangs on the head, by the second influence of its
/// last vertex or, below four of the other joint, by the sixth.
Test(avatar, triangles_of_the_head_go)
{
    static const struct {
        float position[4][3];
        uint8_t joints[4][4];
        float weights[4][4];
        uint16_t index[6], pad[2];
        float ones[4][4];
    } bin = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
             {{0}, {0}, {0}, {0, 1}},
             {{1}, {1}, {1}, {0.5f, 0.5f}},
             {2, 1, 3, 0, 1, 2},
             {0, 0},
             {{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}};
    static const char *const influences[] = {"0':1,'WEIGHTS_0':2",
                                             "0':4,'WEIGHTS_0':5,'JOINTS_1':1,'WEIGHTS_1':2"};
    static const char text[] =
        "{'asset':{'version':'2.0'},'extensions':{'VRMC_vrm':{'humanoid':{'humanBones':{'head':"
        "{'node':1}}},'firstPerson':{'meshAnnotations':[{'node':3,'type':'firstPersonOnly'},"
        "{'node':4,'type':'thirdPersonOnly'},{'node':5,'type':'both'}]}}},'nodes':["
        "{'children':[1]},{},{'mesh':0,'skin':0},{'mesh':1},{'mesh':1},{'mesh':1}],'scenes':"
        "[{'nodes':[0,2,3,4,5]}],'skins':[{'joints':[0,1]}],'meshes':[{'primitives':[{"
        "'attributes':{'POSITION':0,'JOINTS_%s},'indices':3}]},{'primitives':[{"
        "'attributes':{'POSITION':0},'indices':3}]}],'buffers':[{'byteLength':208}],"
        "'bufferViews':[<48>,<48+16>,<64+64>,<128+12>,<144+64>],'accessors':[<0 float VEC3 4,"
        "'min':[0,0,0],'max':[1,1,0]>,<1 u8 VEC4 4>,<2 float VEC4 4>,<3 u16 SCALAR 6>,"
        "<u8 VEC4 4>,<4 float VEC4 4>]}";
    for (int run = 0; run < 4; run++) {
        const int first = run % 2;
        GLTF_PRINT(c, .first_person = first == 1, &bin, sizeof bin, text, influences[run / 2]);
        uint32_t triangles = 0;
        for (uint32_t i = 0; i < c.model.meshes[0].meshlet_count; i++)
            triangles += c.model.meshes[0].meshlets[i].triangle_count;
        cr_expect_eq(triangles, first ? 1 : 2, "run %d: %u", run, triangles);
        for (int k = 0; k < 3 && first; k++) {
            const model_mesh *mesh = &c.model.meshes[0];
            const uint32_t vertex = gltf_corner(mesh, 0, k);
            cr_expect(mesh->position[vertex].x + mesh->position[vertex].y < 1.5f);
        }
        bool shown[6] = {false};
        for (uint32_t i = 0; i < c.model.node_count; i++)
            shown[c.model.nodes[i].file_node - 1] = c.model.nodes[i].visible;
        cr_expect(shown[3] == (first == 1) && shown[4] == (first == 0) && shown[5]);
    }
}

// ---- Clips of VRM animations --------------------------------------------------------------------

/// A bone that turns by 90 degrees to the left within a second; happy goes to 1, then to 0; from
/// the first second on the eyes look 45 degrees to the right.
#define MOTION(bone)                                                                               \
    "{'asset':{'version':'2.0'},'extensionsUsed':['VRMC_vrm_animation'],'extensions':{"            \
    "'VRMC_vrm_animation':{'humanoid':{'humanBones':{'hips':{'node':0},'" bone "':{'node':1}}},"   \
    "'expressions':{'preset':{'happy':{'node':2},'angry':{'node':4}}},'lookAt':{'node':3}}},"      \
    "'nodes':[{'children':[1],'translation':[0,1,0]},{'translation':[0,1,0]},{},{},{}],"           \
    "'scenes':[{'nodes':[0,2,3,4]}],'animations':[{'channels':["                                   \
    "{'sampler':0,'target':{'node':1,'path':'rotation'}},"                                         \
    "{'sampler':1,'target':{'node':2,'path':'translation'}},"                                      \
    "{'sampler':1,'target':{'node':4,'path':'translation'}},"                                      \
    "{'sampler':2,'target':{'node':3,'path':'rotation'}}],'samplers':[{'input':0,'output':1},"     \
    "{'input':0,'output':2},{'input':0,'output':3}]}],'buffers':[{'byteLength':144}],"             \
    "'bufferViews':[<12>,<12+48>,<60+36>,<96+48>],'accessors':[<0 float SCALAR 3,'min':[0],"       \
    "'max':[2]>,<1 float VEC4 3>,<2 float VEC3 3>,<3 float VEC4 3>]}"

static const struct {
    float times[3], head[3][4], happy[3][3], look[3][4]; ///< happy: x is the weight
} motion = {{0, 1, 2},
            {{0, 0, 0, 1}, {0, 0.70710678f, 0, 0.70710678f}, {0, 0, 0, 1}},
            {{0, 5, 6}, {1, 7, 8}, {0, 0, 0}},
            {{0, 0, 0, 1}, {0, -0.38268343f, 0, 0.92387953f}, {0, -0.38268343f, 0, 0.92387953f}}};

static const model_channel *channel_of(const zt_model *m, const model_clip *clip, const char *name)
{
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (strcmp(m->nodes[clip->channels[i].node].name, name) == 0 &&
            clip->channels[i].path == MODEL_ROTATION)
            return &clip->channels[i];
    cr_assert(false, "no channel of '%s'", name);
    return NULL;
}

Test(avatar, vrm_animations_move_bones_faces_and_eyes)
{
    GLTF_CASE from = {0}, to = {0};
    retarget_result done;
    gltf_case_must(&from, MOTION("head"), &motion, sizeof motion);
    cr_assert(from.model.is_vrm_animation && from.model.expression_count == 2);
    cr_expect_eq(from.model.clips[0].channel_count, 2); // head and look
    cr_expect_eq(from.model.clips[0].property_channel_count, 2);
    gltf_case_file(&to, ZT_SOURCE_DIR "/scenes/models/puppet.vrm");
    cr_assert_eq(to.result, ZT_OK);
    cr_assert_eq(model_lay_out_motion(&to.model, &to.scratch, &to.err), ZT_OK);
    MUST(model_retarget_clips(&to.model, &from.model, &(retarget_def){.mode = RETARGET_ROTATION},
                              &to.scratch, &done, &to.err),
         to.err);
    cr_assert_eq(to.model.clip_count, 1);
    cr_expect_eq(done.unmapped_count, 0);
    const model_clip *clip = &to.model.clips[0];
    cr_assert_eq(clip->property_channel_count, 1); // the puppet is never angry
    const model_property_channel *happy = &clip->property_channels[0];
    cr_expect_str_eq(to.model.expressions[to.model.properties[happy->property].index].name,
                     "happy");
    cr_expect(happy->keys.value[0] == 0.0f && happy->keys.value[1] == 1.0f &&
              happy->keys.value[2] == 0.0f);
    const float *head = channel_of(&to.model, clip, "head")->value + 4;
    cr_expect(fabs((double)head[1] - 0.70710678) < 1e-5);
    // 45 degrees to the right: half of 30 for the left eye, half of 40 for the other.
    for (int side = 0; side < 2; side++) {
        const float *eye = channel_of(&to.model, clip, side ? "rightEye" : "leftEye")->value + 8;
        const double deg = side ? 20.0 : 15.0;
        NEAR(eye[1], -sin(deg * 3.14159265358979323846 / 360.0), 1e-5, "eye %d", side);
    }
}

/// The bone of the puppet that a bone of an animation without legs turns: it has a spine, no chest.
Test(avatar, vrm_animations_turn_what_is_there)
{
    static const char *const files[] = {MOTION("spine"), MOTION("chest"), MOTION("upperChest")};
    for (size_t i = 0; i < 3; i++) {
        GLTF_CASE from = {0}, to = {0};
        retarget_result done;
        gltf_case_must(&from, files[i], &motion, sizeof motion);
        gltf_case_file(&to, ZT_SOURCE_DIR "/scenes/models/puppet.vrm");
        cr_assert_eq(model_lay_out_motion(&to.model, &to.scratch, &to.err), ZT_OK);
        MUST(model_retarget_clips(&to.model, &from.model, &(retarget_def){0}, &to.scratch, &done,
                                  &to.err),
             to.err);
        cr_expect_eq(done.unmapped_count, 0, "%zu", i);
        const float *spine = channel_of(&to.model, to.model.clips, "spine")->value + 4;
        cr_expect(fabs((double)spine[1] - 0.70710678) < 1e-5, "%zu: %g", i, (double)spine[1]);
    }
}

Test(avatar, emission_is_multiplied_by_either_extension)
{
    static const struct {
        const char *extensions;
        float strength;
    } cases[] = {
        {"'VRMC_materials_hdr_emissiveMultiplier':{'emissiveMultiplier':2.5}", 2.5f},
        {"'KHR_materials_emissive_strength':{'emissiveStrength':3},"
         "'VRMC_materials_hdr_emissiveMultiplier':{'emissiveMultiplier':2.5}",
         3.0f},
    };
    for (size_t i = 0; i < 2; i++) {
        GLTF_PRINT(c, .strict = true, NULL, 0,
                   "{'asset':{'version':'2.0'},'materials':[{'emissiveFactor':[1,0.5,0],"
                   "'extensions':{%s}}]}",
                   cases[i].extensions);
        cr_expect_eq(c.model.materials[0].emissive[1], 0.5f * cases[i].strength);
    }
}
