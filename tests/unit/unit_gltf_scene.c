// SPDX-License-Identifier: MIT
/// Nodes, skins, clips, materials, textures, cameras and lights of glTF files made here.

#include "gltf_fixture.h"

static const model_node *find_node(const gltf_case *c, const char *name)
{
    return &c->model.nodes[gltf_case_node(c, name)];
}

Test(gltf_nodes, parents_come_first_and_the_order_is_kept_otherwise)
{
    GLTF_TEXT(c, .strict = true,
              ASSET "'scene':0,'scenes':[{'nodes':[3]}],'nodes':[{'name':'a','children':[4]},"
                    "{'name':'b'},{'name':'c','children':[1]},{'name':'d','children':[0]},"
                    "{'name':'e'}]}");
    const char *const order[5] = {"d", "a", "c", "b", "e"};
    for (int i = 0; i < 5; i++) {
        cr_expect_str_eq(c.model.nodes[i].name, order[i]);
        cr_expect(c.model.nodes[i].parent < i);
    }
    cr_expect(find_node(&c, "e")->parent == 1 && find_node(&c, "a")->parent == 0);
    cr_expect(find_node(&c, "e")->visible && find_node(&c, "d")->visible);
    cr_expect(!find_node(&c, "b")->visible && !find_node(&c, "c")->visible);
}

Test(gltf_nodes, a_chain_as_long_as_the_file_needs_no_stack)
{
    enum { LENGTH = 100000 };
    char *json = malloc(64 * LENGTH), *at = json;
    at += sprintf(at, ASSET "'nodes':[{}");
    for (int i = 1; i < LENGTH; i++) // every parent after its child
        at += sprintf(at, ",{'children':[%d]}", i - 1);
    sprintf(at, "]}");
    GLTF_TEXT(c, .strict = true, json);
    cr_expect(c.model.node_count == LENGTH && c.model.nodes[LENGTH - 1].parent == LENGTH - 2);
    free(json);
}

Test(gltf_nodes, matrices_become_translation_rotation_scale_unless_sheared)
{
    GLTF_TEXT(c, .strict = true,
              ASSET "'nodes':[{'name':'turned','matrix':[0,2,0,0,-3,0,0,0,0,0,4,0,5,6,7,1]},"
                    "{'name':'mirrored','matrix':[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]},"
                    "{'name':'sheared','matrix':[1,0,0,0,1,1,0,0,0,0,1,0,0,0,0,1]},"
                    "{'name':'flat','matrix':[1,0,0,0,0,0,0,0,0,0,1,0,0,0,0,1]},"
                    "{'name':'quaternion','rotation':[0,0,0,2]}]}");
    const model_node *turned = find_node(&c, "turned");
    const float half = 0.70710678f;
    cr_expect(!turned->has_matrix && turned->rest.t[2] == 7.0f);
    cr_expect(turned->rest.s[0] == 2.0f && turned->rest.s[1] == 3.0f && turned->rest.s[2] == 4.0f);
    cr_expect(fabsf(turned->rest.r[2] - half) < 1e-6f && fabsf(turned->rest.r[3] - half) < 1e-6f);
    const model_node *mirrored = find_node(&c, "mirrored");
    cr_expect(!mirrored->has_matrix && mirrored->rest.s[0] == -1.0f);
    cr_expect(find_node(&c, "sheared")->has_matrix && find_node(&c, "flat")->has_matrix);
    cr_expect((*(const mat4 *)&find_node(&c, "sheared")->matrix)[1][0] == 1.0f);
    cr_expect(find_node(&c, "quaternion")->rest.r[3] == 1.0f);
}

// Times 1, 2, 4 (view 0), translations (1), rotations (2), a spline's nine (3), 1, 1, 3 (4).
typedef struct key_data {
    float time[3], translation[9], rotation[12], spline[36], bad_time[3];
} key_data;

#define KEYS                                                                                       \
    "'nodes':[{},{}],'buffers':[{'byteLength':252}],"                                              \
    "'bufferViews':[<12>,<12+36>,<48+48>,<96+144>,<240+12>],'accessors':[<0 float SCALAR 3>,"      \
    "<1 float VEC3 3>,<2 float VEC4 3>,<3 float VEC4 9>,<4 float SCALAR 3>,<1 float VEC3 2>],"

static key_data make_keys(void)
{
    key_data k = {{1, 2, 4},
                  {1, 2, 3, 4, 5, 6, 7, 8, 9},
                  {0, 0, 0, 2, 1, 0, 0, 0, 0, 1, 0, 0},
                  {0},
                  {1, 1, 3}};
    for (int i = 0; i < 9; i++)
        k.spline[4 * i + 1] = 3.0f;
    return k;
}

Test(gltf_clips, every_interpolation_and_path)
{
    const key_data keys = make_keys();
    GLTF_MUST(
        c, .strict = false,
        ASSET KEYS
        "'animations':[{'samplers':[{'input':0,'output':1,'interpolation':'STEP'},"
        "{'input':0,'output':2},{'input':0,'output':3,'interpolation':'CUBICSPLINE'}],'channels':["
        "{'sampler':0,'target':{'node':0,'path':'translation'}},"
        "{'sampler':0,'target':{'path':'translation'}},"
        "{'sampler':1,'target':{'node':0,'path':'rotation'}},"
        "{'sampler':2,'target':{'node':1,'path':'rotation'}},"
        "{'sampler':0,'target':{'node':1,'path':'weights'}},"
        "{'sampler':0,'target':{'node':0,'path':'translation'}}]},"
        "{'name':'late','samplers':[{'input':4,'output':1}],'channels':["
        "{'sampler':0,'target':{'node':0,'path':'scale'}}]}]}",
        &keys, sizeof keys);
    cr_assert(c.model.clip_count == 2);
    const model_clip *clip = &c.model.clips[0];
    cr_expect_str_eq(clip->name, "Animation0");
    cr_expect(clip->start_s == 1.0f && clip->end_s == 4.0f);
    cr_assert(clip->channel_count == 3);
    cr_expect(clip->channels[0].interpolation == MODEL_STEP &&
              clip->channels[0].path == MODEL_TRANSLATION);
    cr_expect(memcmp(clip->channels[0].value, keys.translation, sizeof keys.translation) == 0);
    cr_expect(clip->channels[1].interpolation == MODEL_LINEAR && clip->channels[1].value[3] == 1.0f,
              "rotations have unit length");
    cr_expect(clip->channels[1].time_s == clip->channels[0].time_s, "times are shared");
    const model_channel *cubic = &clip->channels[2];
    cr_expect(cubic->interpolation == MODEL_CUBIC && cubic->node == 1 && cubic->key_count == 3);
    cr_expect(cubic->value[1] == 3.0f && cubic->value[5] == 1.0f && cubic->value[9] == 3.0f,
              "tangents keep their length, values have unit length");
    SAYS(c.messages, "animates weights, but the node has no morph targets");
    SAYS(c.messages, "an earlier channel animates the same property");
    const model_channel *late = &c.model.clips[1].channels[0];
    cr_expect(late->key_count == 2 && late->time_s[1] == 3.0f,
              "keys that do not rise are left out");
    const float kept[6] = {1, 2, 3, 7, 8, 9};
    cr_expect(memcmp(late->value, kept, sizeof kept) == 0);
}

/// Keys in any order: those later than all before them stay, with their values; others are counted.
Test(gltf_clips, keys_out_of_order)
{
    enum { COUNT = 9 };
    uint64_t seed = 77;
    for (int n = 0; n < 60; n++) {
        float bin[4 * COUNT], kept_time[COUNT], kept_value[3 * COUNT];
        uint32_t kept = 0;
        for (int i = 0; i < 4 * COUNT; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const float random = (float)(seed >> 60); // 0 to 15: some are equal
            bin[i] = i < COUNT && n % 4 == 0 ? (float)i : random;
        }
        for (int i = 0; i < COUNT; i++)
            if (kept == 0 || bin[i] > kept_time[kept - 1]) {
                memcpy(kept_value + 3 * (size_t)kept, bin + COUNT + 3 * i, 3 * sizeof *bin);
                kept_time[kept++] = bin[i];
            }
        GLTF_MUST(c, .strict = n % 4 == 0,
                  ASSET "'nodes':[{}],'buffers':[{'byteLength':144}],'bufferViews':["
                        "<36>,<36+108>],'accessors':[<0 float SCALAR 9>,<1 float VEC3 9>],"
                        "'animations':[{'samplers':[{'input':0,'output':1}],'channels':["
                        "{'sampler':0,'target':{'node':0,'path':'translation'}}]}]}",
                  bin, sizeof bin);
        const model_channel *channel = &c.model.clips[0].channels[0];
        cr_assert_eq(channel->key_count, kept);
        cr_assert(memcmp(channel->time_s, kept_time, kept * sizeof *kept_time) == 0);
        cr_assert(memcmp(channel->value, kept_value, 3 * kept * sizeof *kept_value) == 0);
        PRINTED(note, 80, "%u of 9 key times do not rise and are left out", COUNT - kept);
        cr_assert_eq(strstr(c.messages, note) != NULL, kept < COUNT, "%s", c.messages);
    }
}

Test(gltf_clips, counts_and_types_must_fit)
{
    const key_data keys = make_keys();
    static const struct {
        const char *sampler, *path, *message;
    } cases[] = {
        {"'input':0,'output':5", "scale", "accessor 5 has 2 values, but 3 keys need 3"},
        {"'input':0,'output':1,'interpolation':'CUBICSPLINE'", "scale", "but 3 keys need 9"},
        {"'input':1,'output':1", "scale", "must be SCALAR"},
        {"'input':0,'output':1", "rotation", "must be VEC4"},
        {"'input':0,'output':2", "translation", "must be VEC3"},
        {"'input':0,'output':9", "scale", "there is no accessor 9"},
        {"'input':0", "scale", "has no output"},
        {"'input':0,'output':1,'interpolation':'QUICK'", "scale", "'QUICK' does not exist"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PRINTED(json, 2048,
                ASSET KEYS "'animations':[{'samplers':[{%s}],'channels':[{'sampler':0,"
                           "'target':{'node':0,'path':'%s'}}]}]}",
                cases[i].sampler, cases[i].path);
        gltf_expect_error(json, &keys, sizeof keys, ZT_ERR_FORMAT, cases[i].message);
    }
}

Test(gltf_skins, matrices_and_joints)
{
    const key_data keys = make_keys();
    GLTF_MUST(c, .strict = true, ASSET KEYS "'skins':[{'joints':[1,0]}]}", &keys, sizeof keys);
    cr_expect(c.model.skins[0].joint_count == 2 && c.model.skins[0].joint_node[0] == 1);
    cr_expect(c.model.skins[0].joint_from_bind[1][2][2] == 1.0f, "identity by default");
    gltf_expect_error(ASSET KEYS "'skins':[{'joints':[1,2]}]}", &keys, sizeof keys, ZT_ERR_FORMAT,
                      "/skins/0/joints/1: there is no node 2");
    gltf_expect_error(ASSET KEYS "'skins':[{'joints':[1],'inverseBindMatrices':1}]}", &keys,
                      sizeof keys, ZT_ERR_FORMAT, "must hold MAT4");
}

Test(gltf_materials, factors_maps_and_extensions)
{
    GLTF_TEXT(c, .strict = false,
              ASSET
              "'extensionsUsed':['KHR_texture_transform','KHR_materials_emissive_strength',"
              "'KHR_materials_ior'],'images':[{'name':'pixel'," TWO_PIXELS "}],"
              "'samplers':[{'magFilter':9728,'minFilter':9728,'wrapS':33071,'wrapT':33648},{}],"
              "'textures':[{'source':0,'sampler':0},{'source':0},{'source':0,'sampler':1}],"
              "'meshes':[{'primitives':[{'attributes':{},'material':0}]}],"
              "'materials':[{'name':'m','pbrMetallicRoughness':{'baseColorFactor':[0.5,1,1,0.25],"
              "'metallicFactor':0.5,'roughnessFactor':7,'baseColorTexture':{'index':0,'extensions':"
              "{'KHR_texture_transform':{'offset':[0.5,0.25],'scale':[2,3],'texCoord':1}}},"
              "'metallicRoughnessTexture':{'index':1}},'normalTexture':{'index':1,'scale':0.75},"
              "'occlusionTexture':{'index':2,'strength':0.5},'emissiveFactor':[1,0.5,0],"
              "'emissiveTexture':{'index':1},'alphaMode':'MASK','alphaCutoff':0.3,"
              "'doubleSided':true,'extensions':{'KHR_materials_emissive_strength':"
              "{'emissiveStrength':4},'KHR_materials_ior':{'ior':2}}}]}");
    const model_material *m = &c.model.materials[0];
    cr_expect(m->base_color[0] == 0.5f && m->base_color[3] == 0.25f && m->metallic == 0.5f);
    cr_expect(m->roughness == 1.0f, "clamped");
    cr_expect(m->emissive[0] == 4.0f && m->emissive[1] == 2.0f);
    cr_expect(fabsf(m->f0[1] - 1.0f / 9.0f) < 1e-7f);
    cr_expect(m->alpha == MODEL_MASK && m->alpha_cutoff == 0.3f && m->double_sided);
    cr_expect(m->normal_scale == 0.75f && m->occlusion_strength == 0.5f);
    const float transform[6] = {2, 0, 0.5f, 0, 3, 0.25f};
    cr_expect(m->base_map.transformed && m->base_map.uv_set == 1);
    for (int i = 0; i < 6; i++)
        cr_expect(m->base_map.uv_from_uv[i] == transform[i]);
    // Base, linear (shared by metal-rough and occlusion: equal samplers), normal, emissive.
    cr_expect(c.model.texture_count == 4, "%u", c.model.texture_count);
    cr_expect(m->metal_rough_map.texture == m->occlusion_map.texture);
    const model_texture *base = &c.model.textures[m->base_map.texture];
    cr_expect_str_eq(base->name, "pixel");
    cr_expect(base->mag == MODEL_NEAREST && base->min == MODEL_NEAREST &&
              base->mip == MODEL_MIP_NONE && base->mipmap.level_count == 1);
    cr_expect(base->mipmap.wrap_u == MIPMAP_CLAMP && base->mipmap.wrap_v == MIPMAP_MIRROR);
    cr_expect(base->mipmap.format == MIPMAP_U15 && base->mipmap.level[0].width == 2);
    const model_texture *normal = &c.model.textures[m->normal_map.texture];
    cr_expect(normal->mipmap.format == MIPMAP_U8 && normal->mipmap.level_count == 2);
    cr_expect(normal->mip == MODEL_MIP_LINEAR && normal->mipmap.wrap_u == MIPMAP_REPEAT);
}

Test(gltf_materials, texture_transform_turns_the_picture_as_the_extension_shows)
{
    // The example of KHR_texture_transform: the lower left quadrant of the image.
    GLTF_TEXT(c, .strict = false,
              ASSET "'images':[{" TWO_PIXELS "}],'textures':[{'source':0}],"
                    "'meshes':[{'primitives':[{'attributes':{},'material':0}]}],'materials':["
                    "{'emissiveTexture':{'index':0,'extensions':{'KHR_texture_transform':"
                    "{'offset':[0,1],'rotation':1.57079632679,'scale':[0.5,0.5]}}}}]}");
    const float *m = c.model.materials[0].emissive_map.uv_from_uv;
    const float want[6] = {0, 0.5f, 0, -0.5f, 0, 1};
    for (int i = 0; i < 6; i++)
        cr_expect(fabsf(m[i] - want[i]) < 1e-6f, "[%d] is %g", i, (double)m[i]);
}

Test(gltf_materials, unused_textures_are_not_decoded_and_a_default_exists)
{
    GLTF_TEXT(c, .strict = true,
              ASSET "'images':[{" TWO_PIXELS "}],'textures':[{'source':0}],'materials':["
                    "{'emissiveTexture':{'index':0}}]}");
    cr_expect(c.model.texture_count == 0 && c.model.material_count == 1);
    gltf_case_json(&c, "{'asset':{'version':'2.0'}}", NULL, 0);
    cr_assert(c.result == ZT_OK && c.model.material_count == 1);
    cr_expect(c.model.materials[0].metallic == 1.0f && c.model.materials[0].f0[0] == 0.04f);
}

Test(gltf_views, lights_of_unknown_types_leave_the_others)
{
    GLTF_TEXT(c, .strict = false,
              "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_lights_punctual'],'nodes':["
              "{'extensions':{'KHR_lights_punctual':{'light':0}}},"
              "{'extensions':{'KHR_lights_punctual':{'light':1}}}],'extensions':"
              "{'KHR_lights_punctual':{'lights':[{'type':'spherical'},{'type':'point'}]}}}");
    cr_assert_eq(c.model.light_count, 2);
    cr_assert_eq((int)c.model.lights[0].kind, (int)MODEL_LIGHT_UNKNOWN);
    cr_assert_eq(c.model.nodes[0].light, -1);
    cr_assert_eq(c.model.nodes[1].light, 1);
    cr_assert_eq(c.model.note_count, 1);
}

Test(gltf_views, primitives_of_undefined_data_leave_the_others)
{
    static const float corners[9] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f};
    GLTF_MUST(c, .strict = false,
              "{'asset':{'version':'2.0'},'buffers':[{'byteLength':36},{'byteLength':9}],"
              "'bufferViews':[<36>,{'buffer':1,'byteLength':9}],'accessors':[<0 float VEC3 3>,"
              "<1 u8 SCALAR 9>],'meshes':["
              "{'primitives':[{'attributes':{'POSITION':0,'_MINE':1},'indices':1}]},"
              "{'primitives':[{'attributes':{'POSITION':0,'_MINE':1}}]}]}",
              corners, sizeof corners);
    cr_assert_eq(c.model.meshes[0].triangle_count, 0);
    cr_assert_eq(c.model.meshes[1].triangle_count, 1, "of an attribute that nobody reads");
    cr_assert_eq(c.model.note_count, 1);
    cr_assert(strstr(c.model.notes[0], "the data of its indices is absent") != NULL);
}

Test(gltf_views, cameras_and_lights)
{
    GLTF_TEXT(c, .strict = true,
              ASSET
              "'extensionsUsed':['KHR_lights_punctual'],'nodes':[{'camera':1,'extensions':"
              "{'KHR_lights_punctual':{'light':0}}}],'cameras':[{'type':'perspective',"
              "'perspective':{'yfov':0.7,'znear':0.1}},{'type':'orthographic',"
              "'orthographic':{'xmag':2,'ymag':3,'znear':0,'zfar':10}}],'extensions':"
              "{'KHR_lights_punctual':{'lights':[{'type':'spot','intensity':5,'range':8,"
              "'color':[1,0.5,0],'spot':{'outerConeAngle':0.5}},{'type':'spot','intensity':-1,"
              "'range':-2,'spot':{'innerConeAngle':-0.5,'outerConeAngle':2}},"
              "{'type':'spot','spot':{'innerConeAngle':0.5,'outerConeAngle':0.25}}]}}}");
    cr_expect(c.model.nodes[0].camera == 1 && c.model.nodes[0].light == 0);
    cr_expect(c.model.cameras[0].fov_y_rad == 0.7f && c.model.cameras[0].far_m == 0.0f);
    cr_expect(c.model.cameras[1].orthographic && c.model.cameras[1].y_mag == 3.0f);
    const model_light *light = &c.model.lights[0];
    cr_expect(light->kind == MODEL_LIGHT_SPOT && light->intensity == 5.0f &&
              light->range_m == 8.0f && light->outer_rad == 0.5f && light->color[1] == 0.5f);
    cr_expect(light[1].intensity == 0.0f && light[1].range_m == 0.0f &&
              light[1].inner_rad == 0.0f && fabsf(light[1].outer_rad - 1.570796f) < 1e-5f);
    cr_expect(light[2].intensity == 1.0f && light[2].outer_rad == 0.25f &&
              fabsf(light[2].inner_rad - 0.24975f) < 1e-6f);
    SAYS(c.messages, "lights/1: the light has values out of range");
    SAYS(c.messages, "lights/2: the light has values out of range");
}
