// SPDX-License-Identifier: MIT
/// Forms of the core specification that say the same in several ways: they must read the same.

#include "gltf_fixture.h"

#define PICTURE "'images':[{" PIXEL "}],"

// A square's corners, and its numbers in three sizes: two triangles, without restart values.
typedef struct square_data {
    float position[4][3];
    uint8_t index8[6], padding[2];
    uint16_t index16[6];
    uint32_t index32[6];
    float listed[6][3]; ///< the same without indices
} square_data;

#define SQUARE                                                                                     \
    "'buffers':[{'byteLength':164}],'bufferViews':[<48>,<48+6>,<56+12>,<68+24>,<92+72>],"          \
    "'accessors':[<0 float VEC3 4>,<1 u8 SCALAR 6>,<2 u16 SCALAR 6>,<3 u32 SCALAR 6>,"             \
    "<4 float VEC3 6>],"

static square_data make_square(void)
{
    static const uint32_t index[6] = {0, 1, 2, 2, 1, 3};
    square_data d = {.position = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}};
    for (int i = 0; i < 6; i++) {
        d.index8[i] = (uint8_t)index[i];
        d.index16[i] = (uint16_t)index[i];
        d.index32[i] = index[i];
        memcpy(d.listed[i], d.position[index[i]], sizeof d.listed[i]);
    }
    return d;
}

Test(gltf_core, indices_of_every_size_and_none)
{
    static const char *const primitives[] = {
        "'attributes':{'POSITION':0},'indices':1", "'attributes':{'POSITION':0},'indices':2",
        "'attributes':{'POSITION':0},'indices':3,'mode':4", "'attributes':{'POSITION':4}",
        "'attributes':{'POSITION':4},'mode':4"};
    const square_data data = make_square();
    cr_assert_eq(sizeof data, 164u);
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++) {
        GLTF_PRINT(c, .strict = true, &data, sizeof data,
                   ASSET SQUARE "'meshes':[{'primitives':[{%s}]}]}", primitives[i]);
        cr_assert_eq(c.model.meshes[0].triangle_count, 2u);
        for (uint32_t t = 0; t < 2; t++)
            for (int k = 0; k < 3; k++) {
                const model_mesh *mesh = &c.model.meshes[0];
                const vertex_position *p = &mesh->position[gltf_corner(mesh, t, k)];
                const float *want = data.listed[3 * t + (uint32_t)k];
                cr_assert(p->x == want[0] && p->y == want[1] && p->z == want[2], "%s",
                          primitives[i]);
            }
    }
}

// Three corners, and the colours 1, 0.2, 0 and 0.6 as floats, bytes and shorts.
typedef struct color_data {
    float position[3][3];
    float float4[3][4];
    uint8_t byte4[3][4];
    uint16_t short4[3][4];
} color_data;

Test(gltf_core, colors_of_every_form)
{
    static const char *const forms[] = {
        "'bufferView':1,'componentType':5126,'type':'VEC4'",
        "'bufferView':1,'componentType':5126,'type':'VEC3'",
        "'bufferView':2,'componentType':5121,'normalized':true,'type':'VEC4'",
        "'bufferView':2,'componentType':5121,'normalized':true,'type':'VEC3'",
        "'bufferView':3,'componentType':5123,'normalized':true,'type':'VEC4'",
        "'bufferView':3,'componentType':5123,'normalized':true,'type':'VEC3'"};
    color_data data = {.position = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    for (int v = 0; v < 3; v++) {
        memcpy(data.float4[v], (float[4]){1.0f, 0.2f, 0.0f, 0.6f}, sizeof data.float4[v]);
        memcpy(data.byte4[v], (uint8_t[4]){255, 51, 0, 153}, sizeof data.byte4[v]);
        memcpy(data.short4[v], (uint16_t[4]){65535, 13107, 0, 39321}, sizeof data.short4[v]);
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        GLTF_PRINT(c, .strict = true, &data, sizeof data,
                   ASSET
                   "'buffers':[{'byteLength':120}],'bufferViews':["
                   "<36>,<36+48,'byteStride':16>,<84+12,'byteStride':4>,<96+24,'byteStride':8>],"
                   "'accessors':[<0 float VEC3 3>,"
                   "{%s,'count':3}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,"
                   "'COLOR_0':1}}]}]}",
                   forms[i]);
        const float alpha = strstr(forms[i], "VEC4") ? 0.6f : 1.0f;
        for (uint32_t v = 0; v < 3; v++) {
            const vertex_extra *e = &c.model.meshes[0].extra[v];
            cr_assert(e->r == 1.0f && e->g == 0.2f && e->b == 0.0f && e->a == alpha,
                      "%s: %g %g %g %g", forms[i], (double)e->r, (double)e->g, (double)e->b,
                      (double)e->a);
        }
    }
}

// Two sets of texture coordinates in each of the three forms.
typedef struct uv_data {
    float position[3][3];
    float float2[3][2];
    uint8_t byte2[3][4];
    uint16_t short2[3][2];
} uv_data;

Test(gltf_core, texture_coordinates_of_every_form_in_both_sets)
{
    uv_data data = {.position = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    for (int v = 0; v < 3; v++) {
        memcpy(data.float2[v], (float[2]){0.2f, 1.0f}, sizeof data.float2[v]);
        memcpy(data.byte2[v], (uint8_t[4]){51, 255, 9, 9}, sizeof data.byte2[v]);
        memcpy(data.short2[v], (uint16_t[2]){13107, 65535}, sizeof data.short2[v]);
    }
    for (int first = 1; first <= 3; first++)
        for (int second = 1; second <= 3; second++) {
            GLTF_PRINT(c, .strict = true, &data, sizeof data,
                       ASSET PICTURE
                       "'textures':[{'source':0}],'materials':[{'occlusionTexture':{'index':0,"
                       "'texCoord':1}}],'buffers':[{'byteLength':84}],'bufferViews':["
                       "<36>,<36+24>,<60+12,'byteStride':4>,<72+12>],"
                       "'accessors':[<0 float VEC3 3>,<1 float VEC2 3>,<2 u8 VEC2 3,"
                       "'normalized':true>,<3 u16 VEC2 3,'normalized':true>],"
                       "'meshes':[{'primitives':[{'material':0,'attributes':{"
                       "'POSITION':0,'TEXCOORD_0':%d,'TEXCOORD_1':%d}}]}]}",
                       first, second);
            for (uint32_t v = 0; v < 3; v++) {
                const vertex_attributes *a = &c.model.meshes[0].attributes[v];
                const vertex_extra *e = &c.model.meshes[0].extra[v];
                cr_assert(a->u == 0.2f && a->v == 1.0f, "first set as %d", first);
                cr_assert(e->u1 == 0.2f && e->v1 == 1.0f, "second set as %d", second);
            }
        }
}

Test(gltf_core, every_filter_and_wrap_mode)
{
    static const struct {
        int code;
        model_filter filter;
        model_mip_filter mip;
    } minifying[] = {
        {9728, MODEL_NEAREST, MODEL_MIP_NONE},    {9729, MODEL_LINEAR_FILTER, MODEL_MIP_NONE},
        {9984, MODEL_NEAREST, MODEL_MIP_NEAREST}, {9985, MODEL_LINEAR_FILTER, MODEL_MIP_NEAREST},
        {9986, MODEL_NEAREST, MODEL_MIP_LINEAR},  {9987, MODEL_LINEAR_FILTER, MODEL_MIP_LINEAR},
    };
    static const struct {
        int code;
        mipmap_wrap wrap;
    } wraps[] = {
        {10497, MIPMAP_REPEAT},
        {33071, MIPMAP_CLAMP},
        {33648, MIPMAP_MIRROR},
    };
    for (int i = 0; i < 2 * 6 * 3 * 3; i++) {
        const int mag = i % 2, min = i / 2 % 6, u = i / 12 % 3, v = i / 36;
        GLTF_PRINT(c, .strict = true, NULL, 0,
                   ASSET PICTURE
                   "'textures':[{'source':0,'sampler':0}],'samplers':[{'magFilter':%d,"
                   "'minFilter':%d,'wrapS':%d,'wrapT':%d}],'materials':["
                   "{'emissiveTexture':{'index':0}}],'meshes':[{'primitives':["
                   "{'attributes':{},'material':0}]}]}",
                   9728 + mag, minifying[min].code, wraps[u].code, wraps[v].code);
        cr_assert_eq(c.model.texture_count, 1u);
        const model_texture *t = &c.model.textures[0];
        cr_assert_eq((int)t->mag, (int)(mag ? MODEL_LINEAR_FILTER : MODEL_NEAREST));
        cr_assert_eq((int)t->min, (int)minifying[min].filter, "%d", minifying[min].code);
        cr_assert_eq((int)t->mip, (int)minifying[min].mip, "%d", minifying[min].code);
        cr_assert_eq((int)t->mipmap.wrap_u, (int)wraps[u].wrap);
        cr_assert_eq((int)t->mipmap.wrap_v, (int)wraps[v].wrap);
    }
}

Test(gltf_core, of_several_scenes_one_is_shown)
{
    static const struct {
        const char *scene;
        bool shown[4]; ///< nodes 0 to 3
    } cases[] = {
        {"", {true, true, false, false}}, // the first
        {"'scene':0,", {true, true, false, false}}, {"'scene':1,", {false, false, true, false}},
        {"'scene':2,", {true, true, true, false}},  {"'scene':3,", {false, false, false, false}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GLTF_PRINT(c, .strict = true, NULL, 0,
                   ASSET "%s'scenes':[{'nodes':[0]},{'nodes':[2]},{'nodes':[0,2]},{}],'nodes':["
                         "{'children':[1]},{},{},{}]}",
                   cases[i].scene);
        for (int n = 0; n < 4; n++)
            cr_assert_eq((int)c.model.nodes[n].visible, (int)cases[i].shown[n], "%s node %d",
                         cases[i].scene, n);
    }
}

Test(gltf_core, cameras_of_every_form)
{
    GLTF_TEXT(c, .strict = true,
              ASSET "'cameras':[{'type':'perspective','perspective':{'yfov':0.5,'znear':0.1}},"
                    "{'type':'perspective','perspective':{'yfov':0.5,'aspectRatio':1.5,"
                    "'znear':0.1,'zfar':20}},{'type':'orthographic','orthographic':"
                    "{'xmag':2,'ymag':3,'znear':0,'zfar':10}}]}");
    const model_camera *m = c.model.cameras;
    cr_assert_eq(c.model.camera_count, 3u);
    cr_assert(!m[0].orthographic && m[0].far_m == 0.0f && m[0].aspect == 0.0f, "without end");
    cr_assert(!m[1].orthographic && m[1].far_m == 20.0f && m[1].aspect == 1.5f);
    cr_assert(m[0].near_m == 0.1f && m[0].fov_y_rad == 0.5f && m[1].fov_y_rad == 0.5f);
    cr_assert(m[2].orthographic && m[2].x_mag == 2.0f && m[2].y_mag == 3.0f);
    cr_assert(m[2].near_m == 0.0f && m[2].far_m == 10.0f);
    // A far plane that is not beyond the near one is none.
    c.strict = false;
    gltf_case_must(&c,
                   ASSET "'cameras':[{'type':'perspective','perspective':{'yfov':0.5,'znear':2,"
                         "'zfar':1}}]}",
                   NULL, 0);
    cr_assert(c.model.cameras[0].near_m == 2.0f && c.model.cameras[0].far_m == 0.0f);
}
