// SPDX-License-Identifier: MIT
/// Extensions that change which nodes and materials are shown: instancing, visibility, variants.

#include "gltf_fixture.h"

#define MESH                                                                                       \
    "'accessors':[<float VEC3 3>,<0 float VEC3 2>,<1 i16 VEC4 2,'normalized':true>,"               \
    "<0 float VEC3 1>],'buffers':[{'byteLength':40}],'bufferViews':[<24>,<24+16>],"                \
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],"

typedef struct instance_bytes {
    float move[2][3];
    int16_t turn[2][4];
} instance_bytes;

static const instance_bytes instances = {
    {{1, 2, 3}, {-4, 5, 6}},
    {{0, 0, 0, 32767}, {0, 23170, 0, 23170}}, // none, and 90 degrees about y
};

Test(gltf_extensions, instances_are_children_of_their_node)
{
    GLTF_MUST(c, .strict = true,
              ASSET MESH "'extensionsUsed':['EXT_mesh_gpu_instancing'],'nodes':[{'name':'a',"
                         "'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{"
                         "'TRANSLATION':1,'ROTATION':2,'_ID':0}}}},{'name':'b','mesh':0}]}",
              &instances, sizeof instances);
    const uint32_t a = gltf_case_node(&c, "a");
    cr_assert(c.model.node_count == 4);
    cr_expect(c.model.nodes[a].mesh == -1);
    cr_expect(c.model.nodes[gltf_case_node(&c, "b")].mesh == 0);
    for (uint32_t i = 0; i < 2; i++) {
        const model_node *n = &c.model.nodes[2 + i];
        cr_expect(n->mesh == 0 && n->parent == (int32_t)a && n->visible && n->skin == -1);
        cr_expect(memcmp(n->rest.t, instances.move[i], sizeof n->rest.t) == 0);
        cr_expect(fabs((double)n->rest.r[1] - (i == 0 ? 0.0 : sqrt(0.5))) < 1e-6);
        cr_expect(n->rest.s[0] == 1.0f);
    }
}

Test(gltf_extensions, instancing_faults_are_named)
{
    gltf_expect_error(ASSET MESH "'nodes':[{'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{"
                                 "'attributes':{'TRANSLATION':2}}}}]}",
                      &instances, sizeof instances, ZT_ERR_FORMAT, "expected 3");
    gltf_expect_error(ASSET MESH "'nodes':[{'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{"
                                 "'attributes':{'TRANSLATION':1,'SCALE':3}}}}]}",
                      &instances, sizeof instances, ZT_ERR_FORMAT, "1 elements, but there are 2");
    gltf_expect_error(ASSET MESH "'nodes':[{'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{"
                                 "'attributes':{'TRANSLATION':'1'}}}}]}",
                      &instances, sizeof instances, ZT_ERR_FORMAT, "/TRANSLATION");
    GLTF_JSON(c, .strict = false,
              ASSET MESH "'nodes':[{'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{}}}]}",
              &instances, sizeof instances);
    cr_expect(c.result == ZT_OK && c.model.node_count == 1 && c.model.nodes[0].mesh == 0);
    cr_expect(strstr(c.messages, "the mesh is shown once") != NULL, "%s", c.messages);
}

Test(gltf_extensions, a_hidden_node_hides_all_below_it)
{
    GLTF_MUST(c, .strict = true,
              ASSET MESH "'extensionsUsed':['KHR_node_visibility'],'nodes':["
                         "{'name':'leaf','mesh':0},"
                         "{'name':'root','children':[2,3],'mesh':0,'extensions':"
                         "{'KHR_node_visibility':{'visible':true}}},"
                         "{'name':'hidden','children':[0],'mesh':0,'extensions':"
                         "{'KHR_node_visibility':{'visible':false}}},"
                         "{'name':'seen','mesh':0,'extensions':{'KHR_node_visibility':{}}}]}",
              &instances, sizeof instances);
    static const char *const names[] = {"root", "seen", "hidden", "leaf"};
    for (int i = 0; i < 4; i++)
        cr_expect_eq(c.model.nodes[gltf_case_node(&c, names[i])].visible, i < 2, "%s", names[i]);
}

#define VARIANTS                                                                                   \
    ASSET "'extensions':{'KHR_materials_variants':{'variants':[{'name':'day'},{'name':'night'},"   \
          "{'name':'dusk'}]}},'materials':[{'name':'m0'},{'name':'m1'},{'name':'m2'}],"            \
          "'buffers':[{'byteLength':36}],'bufferViews':[<36>],'accessors':[<0 float VEC3 3>],"     \
          "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'material':0,'extensions':{"      \
          "'KHR_materials_variants':{'mappings':[{'material':1,'variants':[0]},"                   \
          "{'material':2,'variants':[1,2]}]}}}]}]}"

static const float triangle[3][3] = {
    {0, 0, 0},
    {1, 0, 0},
    {0, 1, 0},
};

static void expect_variant(const char *variant, const char *json, const char *material)
{
    GLTF_MUST(c, .variant = variant, json, triangle, sizeof triangle);
    const uint32_t shown = c.model.meshes[0].meshlets[0].material;
    cr_expect_str_eq(c.model.materials[shown].name, material, "%s", variant ? variant : "none");
}

Test(gltf_extensions, a_variant_chooses_materials)
{
    expect_variant(NULL, VARIANTS, "m0");
    expect_variant("day", VARIANTS, "m1");
    expect_variant("night", VARIANTS, "m2");
    expect_variant("dusk", VARIANTS, "m2");
    GLTF_JSON(c, .variant = "noon", VARIANTS, triangle, sizeof triangle);
    cr_expect(c.result == ZT_ERR_ARGUMENT, "result %d", (int)c.result);
    SAYS(c.err.message, "(expected 'day', 'night', 'dusk')");
    gltf_case_json(&c, ASSET "'nodes':[]}", NULL, 0);
    cr_expect(c.result == ZT_OK && strstr(c.messages, "has no variants") != NULL, "%s", c.messages);
}
