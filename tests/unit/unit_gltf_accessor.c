// SPDX-License-Identifier: MIT
/// Accessors of glTF files: every component type, normalised, packed, interleaved, sparse, absent
/// data, padded matrices: values against the specification's formulas in double.

#include "glb.h"
#include "gltf/gltf_accessor.h"
#include "gltf_fixture.h"

typedef struct component {
    int type;
    size_t size;
} component;

static const component components[] = {{5120, 1}, {5121, 1}, {5122, 2},
                                       {5123, 2}, {5125, 4}, {5126, 4}};

/// A component from its bytes by the rules of section 3.11, as a double.
static double expected_value(int type, bool normalized, const uint8_t *p)
{
    const uint32_t u16 = (uint32_t)p[0] | (uint32_t)p[1] << 8;
    const uint32_t u32 = u16 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    double value;
    float f;
    switch (type) {
    case 5120:
        value = p[0] < 128 ? p[0] : p[0] - 256.0;
        return normalized ? fmax(value / 127.0, -1.0) : value;
    case 5121: return normalized ? p[0] / 255.0 : p[0];
    case 5122:
        value = u16 < 32768 ? u16 : u16 - 65536.0;
        return normalized ? fmax(value / 32767.0, -1.0) : value;
    case 5123: return normalized ? u16 / 65535.0 : u16;
    case 5125: return u32;
    default: memcpy(&f, &u32, sizeof f); return (double)f;
    }
}

enum { KEY_COUNT = 9 };

/// Loads a translation channel whose values are the accessor that is tested.
static void check_layout(const component *c, bool normalized, size_t stride, size_t offset)
{
    uint8_t bin[1024];
    uint32_t state = 12345;
    for (size_t i = 0; i < sizeof bin; i++) {
        state = state * 1664525u + 1013904223u;
        bin[i] = (uint8_t)(state >> 24);
        if (c->type == 5126 && i % 4 == (offset + 3) % 4)
            bin[i] = (uint8_t)(0x3c + (bin[i] & 3)); // finite floats
    }
    bin[offset] = 0x80; // the most negative integer, which is clamped when normalised
    if (c->size == 2) {
        bin[offset] = 0;
        bin[offset + 1] = 0x80;
    }
    for (int i = 0; i < KEY_COUNT; i++) {
        const float time = (float)i;
        memcpy(bin + 900 + 4 * i, &time, sizeof time);
    }
    const size_t packed = 3 * c->size, step = stride ? stride : packed;
    const size_t length = offset + (KEY_COUNT - 1) * step + packed;
    char stride_text[40] = "";
    if (stride)
        snprintf(stride_text, sizeof stride_text, ",'byteStride':%zu", stride);
    GLTF_PRINT(t, .strict = true, bin, sizeof bin,
               "{'asset':{'version':'2.0'},'nodes':[{}],'buffers':[{'byteLength':1024}],"
               "'bufferViews':[{'buffer':0,'byteLength':%zu%s},"
               "<900+36>],'accessors':[{'bufferView':0,'byteOffset':%zu,'componentType':%d,"
               "'type':'VEC3','count':%d,'normalized':%s},<1 float SCALAR %d>],"
               "'animations':[{'channels':[{'sampler':0,'target':{'node':0,"
               "'path':'translation'}}],'samplers':[{'input':1,'output':0}]}]}",
               length, stride_text, offset, c->type, KEY_COUNT, normalized ? "true" : "false",
               KEY_COUNT);
    const model_channel *channel = &t.model.clips[0].channels[0];
    cr_assert(channel->key_count == KEY_COUNT);
    for (size_t i = 0; i < KEY_COUNT; i++)
        for (size_t k = 0; k < 3; k++) {
            const double want =
                expected_value(c->type, normalized, bin + offset + i * step + k * c->size);
            const float got = channel->value[3 * i + k];
            cr_expect(got == (float)want,
                      "type %d normalised %d stride %zu [%zu][%zu]: %.9g, not %.9g", c->type,
                      normalized, stride, i, k, (double)got, want);
        }
}

Test(gltf_accessor, every_type_normalised_and_stride)
{
    for (size_t i = 0; i < sizeof components / sizeof *components; i++) {
        const component *c = &components[i];
        const size_t packed = 3 * c->size;
        // Strides and offsets that the specification's alignment would forbid are read, too.
        const size_t strides[] = {0, packed, packed + 1, 16, 20, 52};
        for (size_t s = 0; s < sizeof strides / sizeof *strides; s++)
            for (size_t offset = 0; offset <= 5; offset += 5) {
                check_layout(c, false, strides[s], offset);
                if (c->type < 5125)
                    check_layout(c, true, strides[s], offset);
            }
    }
}

/// A file of JSON (' for ") and a BIN chunk, opened but not read.
typedef struct open_file {
    gltf_case c;
    uint8_t *glb;
    model_source source;
    gltf_log log;
    gltf_file file;
} open_file;

static void open_glb(open_file *o, const char *json, const void *bin, size_t size)
{
    size_t glb_size;
    *o = (open_file){.source = {.path = "test.glb"}};
    PRINTED(text, 2048, "{'asset':{'version':'2.0'},%s", json + 1);
    o->glb = glb_make(text, bin, size, &glb_size);
    o->source.bytes = (file_bytes){o->glb, glb_size};
    budget_init(&o->c.budget, (uint64_t)1 << 28, NULL);
    arena_init(&o->c.scratch, &o->c.budget);
    arena_init(&o->c.model.arena, &o->c.budget);
    o->log = (gltf_log){
        .path = "test.glb", .sink = &o->source.sink, .err = &o->c.err, .keep = &o->c.model.arena};
    o->file = (gltf_file){
        .source = &o->source, .log = &o->log, .keep = &o->c.model.arena, .scratch = &o->c.scratch};
    cr_assert(gltf_file_open(&o->file) == ZT_OK, "%s", o->c.err.message);
}

static void close_glb(open_file *o)
{
    free(o->glb);
    gltf_case_finish(&o->c);
}

static const struct {
    const char *type;
    int component;
    uint32_t rows, columns, column_bytes, stride, size;
} matrices[] = {
    {"MAT2", 5121, 2, 2, 4, 8, 6},    {"MAT3", 5121, 3, 3, 4, 12, 11},
    {"MAT3", 5123, 3, 3, 8, 24, 22},  {"MAT2", 5123, 2, 2, 4, 8, 8},
    {"MAT4", 5121, 4, 4, 4, 16, 16},  {"MAT3", 5126, 3, 3, 12, 36, 36},
    {"MAT4", 5126, 4, 4, 16, 64, 64},
};

Test(gltf_accessor, matrix_columns_start_at_multiples_of_four)
{
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
        uint8_t bin[256] = {0};
        char json[512];
        const size_t component_size = matrices[i].component == 5121   ? 1
                                      : matrices[i].component == 5123 ? 2
                                                                      : 4;
        for (uint32_t e = 0; e < 2; e++)
            for (uint32_t col = 0; col < matrices[i].columns; col++)
                for (uint32_t row = 0; row < matrices[i].rows; row++) {
                    uint8_t *p = bin + e * matrices[i].stride + col * matrices[i].column_bytes +
                                 row * component_size;
                    const float f = (float)(100 * e + 10 * col + row);
                    if (component_size == 4)
                        memcpy(p, &f, sizeof f);
                    else
                        *p = (uint8_t)(100 * e + 10 * col + row);
                }
        const uint32_t needed = matrices[i].stride + matrices[i].size;
        for (uint32_t missing = 0; missing < 2; missing++) {
            snprintf(json, sizeof json,
                     "{'buffers':[{'byteLength':256}],'bufferViews':[<%u>],"
                     "'accessors':[{'bufferView':0,'componentType':%d,'type':'%s','count':2}]}",
                     needed - missing, matrices[i].component, matrices[i].type);
            open_file o;
            gltf_accessor a;
            float out[32];
            open_glb(&o, json, bin, sizeof bin);
            const zt_result r = gltf_accessor_open(&o.file, &o.file.root, 0, &a);
            cr_expect(r == (missing ? ZT_ERR_FORMAT : ZT_OK), "%s %d: %s", matrices[i].type,
                      matrices[i].component, o.c.err.message);
            if (r == ZT_OK) {
                const uint32_t width = matrices[i].rows * matrices[i].columns;
                cr_assert(gltf_read_floats(&o.file, &o.file.root, &a, 0, 2, out, width) == ZT_OK);
                for (uint32_t k = 0; k < 2 * width; k++) {
                    const uint32_t e = k / width, in = k % width;
                    const float want =
                        (float)(100 * e + 10 * (in / matrices[i].rows) + in % matrices[i].rows);
                    cr_expect(out[k] == want, "%s %d [%u]: %g, not %g", matrices[i].type,
                              matrices[i].component, k, (double)out[k], (double)want);
                }
            }
            close_glb(&o);
        }
    }
}

Test(gltf_accessor, sparse_values_replace_base_values_or_zeros)
{
    // Indices 1 and 3 as u16, then their values as u8, then a base of five u8.
    const uint8_t bin[16] = {1, 0, 3, 0, 70, 90, 0, 0, 5, 6, 7, 8, 9};
    static const char *const bases[] = {"'bufferView':2,", ""};
    static const float want[2][5] = {{5, 70, 7, 90, 9}, {0, 70, 0, 90, 0}};
    for (int i = 0; i < 2; i++) {
        PRINTED(json, 1024,
                "{'buffers':[{'byteLength':16}],'bufferViews':[<4>,<4+2>,<8+5>],"
                "'accessors':[{%s'componentType':5121,'type':'SCALAR','count':5,"
                "'sparse':{'count':2,'indices':{'bufferView':0,'componentType':5123},"
                "'values':{'bufferView':1}}}]}",
                bases[i]);
        open_file o;
        gltf_accessor a;
        float out[5];
        uint32_t whole[3];
        open_glb(&o, json, bin, sizeof bin);
        cr_assert(gltf_accessor_open(&o.file, &o.file.root, 0, &a) == ZT_OK, "%s", o.c.err.message);
        cr_assert(gltf_read_floats(&o.file, &o.file.root, &a, 0, 5, out, 1) == ZT_OK);
        cr_expect(memcmp(out, want[i], sizeof out) == 0);
        cr_assert(gltf_read_uints(&o.file, &o.file.root, &a, 2, 3, whole) == ZT_OK);
        for (int k = 0; k < 3; k++)
            cr_expect((float)whole[k] == want[i][k + 2]);
        close_glb(&o);
    }
}

Test(gltf_accessor, non_finite_floats_become_zero_with_one_warning)
{
    float bin[9 + 3] = {1.0f, NAN, INFINITY, -INFINITY, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 0, 1, 2};
    GLTF_MUST(c, .strict = false,
              "{'asset':{'version':'2.0'},'nodes':[{}],'buffers':[{'byteLength':48}],"
              "'bufferViews':[<36>,<36+12>],'accessors':[<0 float VEC3 3>,<1 float SCALAR 3>],"
              "'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}}],"
              "'samplers':[{'input':1,'output':0}]}]}",
              bin, sizeof bin);
    const float want[9] = {1, 0, 0, 0, 2, 3, 4, 5, 6};
    cr_expect(memcmp(c.model.clips[0].channels[0].value, want, sizeof want) == 0);
    SAYS(c.messages, "accessor 0: 3 values are infinite or not a number");
    cr_expect(c.model.note_count == 1);
}
