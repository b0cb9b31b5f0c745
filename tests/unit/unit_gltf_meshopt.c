// SPDX-License-Identifier: MIT
/// Both meshopt extensions in glTF files: names, caching, fallbacks, and mistakes.

#include "gltf_fixture.h"
#include "meshopt_encode.h"

static const float corners[3][3] = {
    {0, 0, 0},
    {2, 0, 0},
    {0, 3, 0},
};

/// A triangle whose positions are compressed; buffer 1 is a fallback without data.
static void load(gltf_case *c, const char *name, const char *object, size_t view_length)
{
    const meshopt_choice choice = {2, -1};
    size_t size;
    OWN_BLOCK uint8_t *stream = meshopt_encode_1(corners, 3, 12, choice, &size);
    PRINTED(json, 1024,
            "{'asset':{'version':'2.0'},'extensionsRequired':['%s'],"
            "'buffers':[{'byteLength':%zu},{'byteLength':36}],"
            "'bufferViews':[{'buffer':1,'byteLength':%zu,'byteStride':12,'extensions':{'%s':"
            "{'buffer':0,'byteLength':%zu,%s}}}],"
            "'accessors':[<0 float VEC3 3>],"
            "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]},"
            "{'primitives':[{'attributes':{'POSITION':0}}]}]}",
            name, size, view_length, name, size, object);
    gltf_case_json(c, json, stream, size);
}

Test(gltf_meshopt, both_names_are_read)
{
    static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    for (int i = 0; i < 2; i++) {
        GLTF_CASE c = {.strict = true};
        load(&c, names[i], "'byteStride':12,'count':3,'mode':'ATTRIBUTES'", 36);
        cr_assert(c.result == ZT_OK, "%s", c.err.message);
        for (int m = 0; m < 2; m++)
            for (int v = 0; v < 3; v++) {
                const vertex_position *p = &c.model.meshes[m].position[v];
                cr_expect(p->x == corners[v][0] && p->y == corners[v][1], "%s: vertex %d", names[i],
                          v);
            }
    }
}

static void expect_error(const char *object, size_t view_length, const char *text)
{
    GLTF_CASE c = {.strict = false};
    load(&c, "KHR_meshopt_compression", object, view_length);
    cr_expect(c.result == ZT_ERR_FORMAT, "%s: result %d", object, (int)c.result);
    cr_expect(strstr(c.err.message, text) != NULL, "'%s' does not say '%s'", c.err.message, text);
}

Test(gltf_meshopt, faults_are_named)
{
    expect_error("'byteStride':12,'count':3", 36, "mode '' does not exist");
    expect_error("'byteStride':12,'count':3,'mode':'VERTICES'", 36, "mode 'VERTICES'");
    expect_error("'byteStride':12,'count':3,'mode':'ATTRIBUTES','filter':'COLOUR'", 36,
                 "filter 'COLOUR'");
    expect_error("'byteStride':12,'count':3,'mode':'ATTRIBUTES','filter':'COLOR'", 36,
                 "do not fit mode");
    expect_error("'count':3,'mode':'ATTRIBUTES'", 36, "no byteStride");
    expect_error("'byteStride':12,'count':'3','mode':'ATTRIBUTES'", 36, "/count");
    expect_error("'byteStride':12,'count':300000000,'mode':'ATTRIBUTES'", 36, "too few for");
    expect_error("'byteStride':12,'count':3,'mode':'ATTRIBUTES'", 40,
                 "its compressed data has 36 bytes");
    expect_error("'byteStride':12,'count':20,'mode':'ATTRIBUTES'", 36, "cannot be decoded");
    expect_error("'byteStride':4,'count':3,'mode':'TRIANGLES'", 12, "cannot be decoded");
}
