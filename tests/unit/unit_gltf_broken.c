// SPDX-License-Identifier: MIT
/// Broken glTF files: each gives one line that names the pointer, and nothing is read out of bounds
/// (to be run with sanitizers, too). Harmless deviations load. What is wrong in JSON alone is in
/// unit_mistakes.c.

#include "glb.h"
#include "gltf_fixture.h"

#define MESH "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]"

static void expect_bytes(const void *bytes, size_t size, zt_result result, const char *text)
{
    GLTF_LOAD(c, .strict = false, bytes, size);
    cr_expect(c.result == result, "result %d: %s", (int)c.result, c.err.message);
    cr_expect(strstr(c.err.message, text) != NULL, "'%s' does not say '%s'", c.err.message, text);
}

static const char triangle_json[] = ASSET
    "'buffers':[{'byteLength':36}],'bufferViews':[<36>],'accessors':[<0 float VEC3 3>]," MESH "}";
static const float triangle_bin[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

Test(gltf_broken, truncation_at_every_byte)
{
    size_t size;
    OWN_BLOCK uint8_t *glb = glb_make(triangle_json, triangle_bin, sizeof triangle_bin, &size);
    GLTF_LOAD(c, .strict = true, glb, size);
    cr_assert(c.result == ZT_OK && c.model.triangle_count == 1, "%s", c.err.message);
    for (size_t cut = 0; cut < size; cut++) {
        gltf_case_load(&c, glb, cut);
        cr_expect(c.result == ZT_ERR_FORMAT, "cut at %zu", cut);
    }
    for (uint32_t cut = 12; cut < size; cut++) { // with a header that agrees
        bytes_store_u32_le(glb + 8, cut);
        gltf_case_load(&c, glb, cut);
        cr_expect(c.result == ZT_ERR_FORMAT, "cut at %u, with a header that agrees", cut);
    }
}

Test(gltf_broken, headers_that_lie)
{
    size_t size;
    OWN_BLOCK uint8_t *glb = glb_make(triangle_json, triangle_bin, sizeof triangle_bin, &size);
    static const uint32_t lengths[] = {0xffffffffu, 0xfffffff8u, 0x7fffffffu, 0x80000000u};
    for (size_t i = 0; i < 4; i++) {
        bytes_store_u32_le(glb + 12, lengths[i]);
        expect_bytes(glb, size, ZT_ERR_FORMAT, "byte 12: the chunk claims");
    }
    bytes_store_u32_le(glb + 12, 0);
    expect_bytes(glb, size, ZT_ERR_FORMAT, "byte 20: the chunk claims");
    memcpy(glb + 16, "BIN", 4);
    expect_bytes(glb, size, ZT_ERR_FORMAT, "the first chunk is not JSON");
    bytes_store_u32_le(glb + 8, (uint32_t)size + 1);
    expect_bytes(glb, size, ZT_ERR_FORMAT, "byte 8: the GLB claims");
    bytes_store_u32_le(glb + 8, 11);
    expect_bytes(glb, size, ZT_ERR_FORMAT, "byte 8: the GLB claims 11 bytes");
    bytes_store_u32_le(glb + 4, 1);
    expect_bytes(glb, size, ZT_ERR_UNSUPPORTED, "GLB version 1 (expected 2; convert");
    expect_bytes("", 0, ZT_ERR_FORMAT, "not a glTF");
    expect_bytes("\x89PNG\r\n\x1a\n", 8, ZT_ERR_FORMAT, "not a glTF");
    expect_bytes("\0\0\0\0", 4, ZT_ERR_FORMAT, "not a glTF");
}

Test(gltf_broken, harmless_deviations_load)
{
    size_t size;
    OWN_BLOCK uint8_t *glb = glb_make(triangle_json, triangle_bin, sizeof triangle_bin, &size);
    GLTF_CASE c = {.strict = true};
    OWN_BLOCK uint8_t *longer =
        calloc(size + 64, 1); // bytes after the end, and a chunk of another type
    memcpy(longer, glb, size);
    gltf_case_load(&c, longer, size + 64);
    cr_expect(c.result == ZT_OK, "%s", c.err.message);
    bytes_store_u32_le(longer + 8, (uint32_t)size + 16);
    bytes_store_u32_le(longer + size, 8);
    memcpy(longer + size + 4, "WHAT", 4);
    gltf_case_load(&c, longer, size + 16);
    cr_expect(c.result == ZT_OK && c.model.triangle_count == 1, "%s", c.err.message);
    for (size_t i = 20; i < size; i++) // JSON padded with zeros
        if (glb[i] == ' ')
            glb[i] = 0;
    gltf_case_load(&c, glb, size);
    cr_expect(c.result == ZT_OK, "%s", c.err.message);
    static const char marked[] = "\xEF\xBB\xBF{\"asset\":{\"version\":\"2.0\"},\"unknown\":[[]]}";
    gltf_case_load(&c, marked, sizeof marked - 1);
    cr_expect(c.result == ZT_OK, "%s", c.err.message);
    gltf_case_must(&c, "{'asset':{'version':'2.0'},'nodes':[{'mesh':0.0}],'meshes':[{}]}", NULL, 0);
}

/// As three.js, assimp and programs in Python take them.
Test(gltf_broken, names_and_numbers_that_json_does_not_have)
{
    GLTF_TEXT(c, .strict = false,
              ASSET "'nodes':[{'name':'a\xA3z','translation':[1,NaN,3],'rotation':nan}],\n"
                    "'extras':{'x':-Infinity}}");
    cr_expect_str_eq(c.model.nodes[0].name, "a?z");
    cr_expect(c.model.nodes[0].rest.t[0] == 1 && c.model.nodes[0].rest.t[1] == 0);
    cr_expect(c.model.nodes[0].rest.r[3] == 1);
    cr_expect_str_eq(c.messages,
                     "test.glb: characters that are not UTF-8 (1, the first at 1:47) are read as "
                     "'?'\ntest.glb: nan and inf (3, the first at 1:68) are read as 0 in arrays, "
                     "else as absent\n");
}

Test(gltf_broken, json_depth)
{
    char json[2100] = ASSET "'x':";
    const size_t start = strlen(json);
    memset(json + start, '[', 2000);
    gltf_expect_error(json, NULL, 0, ZT_ERR_LIMIT,
                      "test.glb:1:543: JSON is nested deeper than 512");
    // 511 arrays in one object are allowed; brackets in strings do not count.
    memset(json + start, '[', 511);
    memset(json + start + 511, ']', 511);
    strcpy(json + start + 1022, ",'y':'[[[[{{{{'}");
    GLTF_TEXT(c, .strict = true, json);
}

// Index data for three zero vertices, and what is wrong with it.
static const struct {
    const char *index_accessor;
    uint8_t bin[12];
    const char *message;
    zt_result result;
} index_cases[] = {
    {"'componentType':5121",
     {0, 1, 3},
     "index 2 of accessor 1 is 3, but there are 3 vertices",
     ZT_ERR_FORMAT},
    {"'componentType':5121", {0, 255, 1}, "is 255", ZT_ERR_UNSUPPORTED},
    {"'componentType':5123", {0, 0, 255, 255, 1, 0}, "is 65535", ZT_ERR_UNSUPPORTED},
    {"'componentType':5125",
     {0, 0, 0, 0, 255, 255, 255, 255, 1, 0, 0, 0},
     "is 4294967295, which restarts primitives",
     ZT_ERR_UNSUPPORTED},
    {"'componentType':5126", {0}, "must hold unsigned integers", ZT_ERR_FORMAT},
    {"'componentType':5120", {0}, "must hold unsigned integers", ZT_ERR_FORMAT},
};

Test(gltf_broken, indices_out_of_range)
{
    for (size_t i = 0; i < sizeof index_cases / sizeof *index_cases; i++) {
        PRINTED(json, 1024,
                ASSET "'buffers':[{'byteLength':12}],'bufferViews':[<12>],"
                      "'accessors':[<float VEC3 3>,"
                      "{'bufferView':0,%s,'type':'SCALAR','count':3}],'meshes':[{'primitives':"
                      "[{'attributes':{'POSITION':0},'indices':1}]}]}",
                index_cases[i].index_accessor);
        gltf_expect_error(json, index_cases[i].bin, 12, index_cases[i].result,
                          index_cases[i].message);
    }
    const uint8_t restart[4] = {0, 1, 255, 0};
    gltf_expect_error(ASSET "'buffers':[{'byteLength':4}],'bufferViews':[<4>],"
                            "'accessors':[<float VEC3 256>,<0 u8 SCALAR 3>],"
                            "'meshes':[{'primitives':[{'attributes':{'POSITION':0},"
                            "'indices':1}]}]}",
                      restart, 4, ZT_ERR_UNSUPPORTED, "which restarts primitives");
}

Test(gltf_broken, more_than_the_memory_allows)
{
    static const char *const files[] = {
        // Data that no bytes of the file stand for.
        ASSET "'accessors':[<float VEC3 150000000>]," MESH "}",
        ASSET "'nodes':[{}],'accessors':[<float SCALAR 99999999>],"
              "'animations':[{'samplers':[{'input':0,'output':0}],'channels':[{'sampler':0,"
              "'target':{'node':0,'path':'scale'}}]}]}",
    };
    for (int i = 0; i < 2; i++) {
        GLTF_CASE c = {.strict = false, .memory = 64u << 20};
        gltf_case_json(&c, files[i], NULL, 0);
        cr_expect(c.result == ZT_ERR_LIMIT, "%d: %s", (int)c.result, c.err.message);
    }
    gltf_expect_error(ASSET "'accessors':[<float VEC3 180000000>],"
                            "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':5}]}]}",
                      NULL, 0, ZT_ERR_LIMIT, "");
    OWN_BLOCK char *json = malloc(4 << 20); // a few bytes of text for each object
    strcpy(json, ASSET "'x':[0");
    char *at = json + strlen(json);
    for (int i = 0; i < 1 << 20; i++, at += 3)
        memcpy(at, ",{}", 3);
    strcpy(at, "]}");
    GLTF_CASE c = {.strict = false, .memory = 64u << 20};
    gltf_case_json(&c, json, NULL, 0);
    cr_expect(c.result == ZT_ERR_LIMIT, "%s", c.err.message);
}

Test(gltf_broken, unsupported_extensions_are_noted_and_strictly_refused)
{
    static const char json[] = ASSET "'extensionsUsed':['EXT_lights_ies','ACME_x'],"
                                     "'extensionsRequired':['EXT_lights_ies']}";
    GLTF_JSON(c, .strict = false, json, NULL, 0);
    cr_assert(c.result == ZT_OK && c.model.note_count == 2, "%s", c.messages);
    cr_expect_str_eq(c.model.notes[0], "EXT_lights_ies is ignored: light profiles are left out");
    cr_expect_str_eq(c.model.notes[1], "the extension ACME_x is not known and ignored");
    c.strict = true;
    gltf_case_json(&c, json, NULL, 0);
    cr_expect(c.result == ZT_ERR_UNSUPPORTED, "%s", c.err.message);
    gltf_case_json(&c, ASSET "'extensionsUsed':['ACME_x']}", NULL, 0);
    cr_expect(c.result == ZT_ERR_UNSUPPORTED, "%s", c.err.message);
}
