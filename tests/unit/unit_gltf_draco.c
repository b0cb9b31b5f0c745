// SPDX-License-Identifier: MIT
/// KHR_draco_mesh_compression: meshes that libdraco's encoder wrote come back within the error that
/// their quantisation allows; what is broken ends in one line.

#include "draco_encode.h"
#include "gltf_fixture.h"

#define ATTRIBUTES "'POSITION':0,'NORMAL':1,'COLOR_0':2"
#define IDS        "'POSITION':0,'NORMAL':1,'COLOR_0':2"

/// A file of one primitive whose accessors say what the sample holds.
static void write_json(char *out, size_t size, const draco_sample *s, size_t stream_size,
                       const char *ids)
{
    snprintf(out, size,
             "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_draco_mesh_compression'],"
             "'extensionsRequired':['KHR_draco_mesh_compression'],"
             "'buffers':[{'byteLength':%zu}],'bufferViews':[<%zu>],'accessors':[<float VEC3 %u>,"
             "<float VEC3 %u>,<u8 VEC4 %u,'normalized':true>,<u32 SCALAR %u>],"
             "'meshes':[{'primitives':[{'attributes':{" ATTRIBUTES "},'indices':3,"
             "'extensions':{'KHR_draco_mesh_compression':{'bufferView':0,'attributes':{%s}}}}]}],"
             "'nodes':[{'mesh':0}]}",
             stream_size, stream_size, s->vertex_count, s->vertex_count, s->vertex_count,
             3 * s->triangle_count, ids);
}

static void load_stream(gltf_case *c, const draco_sample *s, const void *stream, size_t size,
                        const char *ids)
{
    char json[2048];
    write_json(json, sizeof json, s, size, ids);
    gltf_case_json(c, json, stream, size);
}

/// A sample and its stream, which end with their block.
typedef struct sample_stream {
    draco_sample sample;
    uint8_t *bytes;
    size_t size;
} sample_stream;

static void free_stream(sample_stream *s)
{
    free(s->bytes);
    draco_sample_free(&s->sample);
}

#define STREAM __attribute__((cleanup(free_stream))) sample_stream

static sample_stream make_stream(uint32_t side, draco_settings settings)
{
    sample_stream s = {.sample = draco_sample_make(side)};
    s.bytes = draco_encode(&s.sample, &settings, &s.size);
    cr_assert(s.bytes != NULL);
    return s;
}

static const draco_settings usual = {false, 11, 8};

/// The vertex of the sample at (x, y), which lie on its grid but for the error of quantisation.
static uint32_t nearest(const draco_sample *s, float x, float y)
{
    const uint32_t column = (uint32_t)lrintf((x + 1.0f) * 4.0f);
    const uint32_t row = (uint32_t)lrintf((y + 0.5f) * 4.0f);
    cr_assert(row < s->side && column < s->side, "a vertex lies at %g %g", (double)x, (double)y);
    return row * s->side + column;
}

/// Vertex v of the mesh against the sample's. Returns which one it is.
static uint32_t check_vertex(const draco_sample *s, const draco_settings *settings,
                             const model_mesh *mesh, uint32_t v)
{
    const float p[3] = {mesh->position[v].x, mesh->position[v].y, mesh->position[v].z};
    const vertex_attributes *a = &mesh->attributes[v];
    const float n[3] = {a->nx, a->ny, a->nz};
    const vertex_extra *e = &mesh->extra[v];
    const float color[4] = {e->r, e->g, e->b, e->a};
    const uint32_t i = nearest(s, p[0], p[1]);
    // Half a step of the largest extent, and rounding of numbers near 1.
    const double extent = 0.25 * (s->side - 1) * (s->side > 6 ? 2.0 : 1.0);
    const double allowed =
        settings->position_bits ? 0.5 * extent / ((1 << settings->position_bits) - 1) + 1e-6 : 0.0;
    for (int k = 0; k < 3; k++)
        cr_expect(fabs((double)p[k] - (double)s->position[i][k]) <= allowed,
                  "vertex %u: coordinate %d is %.9g (expected %.9g)", i, k, (double)p[k],
                  (double)s->position[i][k]);
    // The encoder rounds y and z to half a step of 2 / (2^bits - 2), and x takes what both lack:
    // sqrt(1/4 + 1/4 + 1) steps, times sqrt(3) where the octahedron is closest to the origin.
    const double bend =
        settings->normal_bits ? sqrt(4.5) * 2.0 / ((1 << settings->normal_bits) - 2) + 1e-6 : 1e-6;
    double distance = 0.0;
    for (int k = 0; k < 3; k++)
        distance += pow((double)n[k] - (double)s->normal[i][k], 2.0);
    cr_expect(sqrt(distance) <= bend, "vertex %u: the normal is off by %g (at most %g)", i,
              sqrt(distance), bend);
    for (int k = 0; k < 4; k++)
        cr_expect(color[k] == (float)s->color[i][k] / 255.0f, "vertex %u: colour %d is %g", i, k,
                  (double)color[k]);
    return i;
}

/// True when the sample has triangle a b c, in this winding; crosses it out.
static bool take_triangle(const draco_sample *s, bool *taken, const uint32_t *c)
{
    for (uint32_t t = 0; t < s->triangle_count; t++)
        for (int turn = 0; turn < 3; turn++)
            if (!taken[t] && s->corner[t][0] == c[turn] && s->corner[t][1] == c[(turn + 1) % 3] &&
                s->corner[t][2] == c[(turn + 2) % 3])
                return taken[t] = true;
    return false;
}

static void check_mesh(const draco_sample *s, const draco_settings *settings,
                       const model_mesh *mesh)
{
    OWN_BLOCK bool *taken = calloc(s->triangle_count, sizeof *taken);
    cr_assert(mesh->triangle_count == s->triangle_count, "%u triangles", mesh->triangle_count);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t corner[3];
        for (int i = 0; i < 3; i++)
            corner[i] = check_vertex(s, settings, mesh, gltf_corner(mesh, t, i));
        cr_expect(take_triangle(s, taken, corner), "triangle %u %u %u is new", corner[0], corner[1],
                  corner[2]);
    }
}

Test(gltf_draco, both_methods_come_back_within_their_quantisation)
{
    static const draco_settings settings[] = {
        {false, 11, 8}, {false, 14, 10}, {false, 0, 0}, {true, 11, 8}, {true, 0, 0}, {true, 16, 0},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        STREAM s = make_stream(6, settings[i]);
        GLTF_CASE c = {.strict = true};
        load_stream(&c, &s.sample, s.bytes, s.size, IDS);
        cr_assert(c.result == ZT_OK, "settings %zu: %s", i, c.err.message);
        check_mesh(&s.sample, &settings[i], &c.model.meshes[0]);
    }
}

static void expect_stream_error(const draco_sample *s, const void *stream, size_t size,
                                const char *ids, const char *text)
{
    GLTF_CASE c = {.strict = false};
    load_stream(&c, s, stream, size, ids);
    cr_expect(c.result == ZT_ERR_FORMAT, "%s: result %d", text, (int)c.result);
    cr_expect(strstr(c.err.message, text) != NULL, "'%s' does not say '%s'", c.err.message, text);
}

Test(gltf_draco, mismatches_with_the_stream_are_named)
{
    STREAM s = make_stream(4, usual);
    expect_stream_error(&s.sample, "no Draco", 8, IDS, "cannot be decoded");
    expect_stream_error(&s.sample, s.bytes, s.size, "'POSITION':7", "no usable attribute");
    expect_stream_error(&s.sample, s.bytes, s.size, "'POSITION':'0'", "/attributes/POSITION");
    expect_stream_error(&s.sample, s.bytes, s.size, "'POSITION':0,'TEXCOORD_0':1",
                        "no attribute of this");
    expect_stream_error(&s.sample, s.bytes, s.size, "'POSITION':0,'NORMAL':2",
                        "4 numbers for each vertex");
}

// Positions that are not compressed, though the triangles are.
#define PLAIN_POSITIONS                                                                            \
    "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_draco_mesh_compression'],"                  \
    "'extensionsRequired':['KHR_draco_mesh_compression'],"                                         \
    "'buffers':[{'byteLength':%zu}],'bufferViews':[<%zu>,<%zu,'byteStride':%d>],"                  \
    "'accessors':[<1 float VEC3 %u>,<float VEC3 %u>,<u32 SCALAR %u>],"                             \
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1},'indices':2,"                \
    "'extensions':{'KHR_draco_mesh_compression':{'bufferView':0,'attributes':{'NORMAL':1}}}}]}],"  \
    "'nodes':[{'mesh':0}]}"

Test(gltf_draco, positions_outside_of_the_stream_are_as_many_as_its_vertices)
{
    STREAM s = make_stream(4, usual);
    const uint32_t vertices = s.sample.vertex_count, counts[] = {1, vertices - 1, vertices};
    cr_assert(s.size >= 12 * (size_t)vertices, "%zu bytes", s.size);
    for (size_t i = 0; i < 3; i++) {
        // The bytes of the stream serve as positions, too. One element may have any stride.
        PRINTED(json, 2048, PLAIN_POSITIONS, s.size, s.size, s.size, i == 0 ? 2147483644 : 12,
                counts[i], vertices, 3 * s.sample.triangle_count);
        GLTF_JSON(c, .strict = false, json, s.bytes, s.size);
        cr_expect(c.result == (i < 2 ? ZT_ERR_FORMAT : ZT_OK), "%u: %s", counts[i], c.err.message);
        cr_expect(i == 2 || strstr(c.err.message, "but there are 16 vertices"), "%u: %s", counts[i],
                  c.err.message);
    }
}

Test(gltf_draco, more_vertices_than_the_accessor_says_is_a_warning)
{
    STREAM s = make_stream(4, usual), other = make_stream(5, usual);
    GLTF_CASE c = {.strict = false};
    load_stream(&c, &s.sample, other.bytes, other.size, IDS);
    cr_assert(c.result == ZT_OK, "%s", c.err.message);
    cr_expect(strstr(c.messages, "the Draco data has 25 vertices") != NULL, "%s", c.messages);
    cr_expect(c.model.meshes[0].triangle_count == other.sample.triangle_count);
}

Test(gltf_draco, memory_is_bounded_before_it_is_taken)
{
    STREAM s = make_stream(100, usual);
    GLTF_CASE c = {.memory = (uint64_t)2 << 20};
    load_stream(&c, &s.sample, s.bytes, s.size, IDS);
    cr_expect(c.result == ZT_ERR_LIMIT, "result %d: %s", (int)c.result, c.err.message);
    cr_expect(strstr(c.err.message, "than the limits") != NULL, "%s", c.err.message);
}

/// Cut anywhere, or with any byte changed: a mesh or one line.
Test(gltf_draco, broken_streams_end_in_one_line, .timeout = 300)
{
    for (int sequential = 0; sequential < 2; sequential++) {
        STREAM s = make_stream(4, (draco_settings){sequential == 1, 11, 8});
        const size_t size = s.size;
        unsigned failed = 0;
        for (size_t cut = 0; cut < size; cut++) {
            GLTF_CASE c = {.strict = false};
            load_stream(&c, &s.sample, s.bytes, cut, IDS);
            cr_expect(c.result == ZT_ERR_FORMAT, "cut at %zu of %zu: result %d", cut, size,
                      (int)c.result);
        }
        for (size_t at = 0; at < size; at++) {
            const uint8_t kept = s.bytes[at];
            s.bytes[at] = (uint8_t)(kept ^ (at % 2 ? 0xff : 0x11));
            GLTF_CASE c = {.memory = (uint64_t)32 << 20};
            load_stream(&c, &s.sample, s.bytes, size, IDS);
            cr_expect(c.result == ZT_OK || c.result == ZT_ERR_FORMAT || c.result == ZT_ERR_LIMIT,
                      "byte %zu: result %d: %s", at, (int)c.result, c.err.message);
            failed += c.result != ZT_OK;
            s.bytes[at] = kept;
        }
        cr_expect(failed > size / 8, "only %u of %zu changes were noticed", failed, size);
    }
}
