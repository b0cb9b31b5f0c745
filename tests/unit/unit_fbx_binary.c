// SPDX-License-Identifier: MIT
/// A small FBX file as programs write it in bytes: packed or not, of both byte orders, damaged.
#include "fbx/fbx.h"
#include "model_reader.h"

#include <libdeflate.h>

static void begin(void) { reader_begin(&fbx_format, "a.fbx"); }
TestSuite(fbx_binary, .init = begin, .fini = reader_finish);

typedef struct binary_file {
    uint8_t bytes[4096];
    size_t size;
    bool big_endian;
} binary_file;

static void put(binary_file *f, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        f->bytes[f->size++] = (uint8_t)(value >> (8 * (f->big_endian ? size - 1 - i : i)));
}

static void put_text(binary_file *f, const char *text, size_t size)
{
    put(f, 'S', 1);
    put(f, size, 4);
    memcpy(f->bytes + f->size, text, size);
    f->size += size;
}

/// A record whose end and values' size are set by end_values() and end_record().
static size_t begin_record(binary_file *f, const char *name, size_t values)
{
    const size_t at = f->size;
    put(f, 0, 4);
    put(f, values, 4);
    put(f, 0, 4);
    put(f, strlen(name), 1);
    memcpy(f->bytes + f->size, name, strlen(name));
    f->size += strlen(name);
    return at;
}

static void patch(binary_file *f, size_t at, uint64_t value)
{
    const size_t end = f->size;
    f->size = at;
    put(f, value, 4);
    f->size = end;
}

static void end_values(binary_file *f, size_t record)
{
    patch(f, record + 8, f->size - record - 13 - f->bytes[record + 12]);
}

static void end_record(binary_file *f, size_t record)
{
    put(f, 0, 8);
    put(f, 0, 5);
    patch(f, record, f->size);
}

/// Doubles, in a zlib stream or as they are.
static void put_doubles(binary_file *f, const double *values, uint32_t count, bool packed)
{
    binary_file raw = {.big_endian = f->big_endian};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put(&raw, bits, 8);
    }
    put(f, 'd', 1);
    put(f, count, 4);
    put(f, packed, 4);
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
    uint8_t stream[1024];
    const size_t size =
        packed ? libdeflate_zlib_compress(c, raw.bytes, raw.size, stream, sizeof stream) : raw.size;
    libdeflate_free_compressor(c);
    put(f, size, 4);
    memcpy(f->bytes + f->size, packed ? stream : raw.bytes, size);
    f->size += size;
}

static void make_binary(binary_file *f, bool big_endian, bool packed)
{
    static const double points[9] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0};
    *f = (binary_file){.big_endian = big_endian};
    memcpy(f->bytes, "Kaydara FBX Binary  \0\x1a", 22);
    f->bytes[22] = big_endian;
    f->size = 23;
    put(f, 7400, 4);
    const size_t objects = begin_record(f, "Objects", 0);
    const size_t geometry = begin_record(f, "Geometry", 3);
    put(f, 'L', 1);
    put(f, 10, 8);
    put_text(f, "\0\1Geometry", 10);
    put_text(f, "Mesh", 4);
    end_values(f, geometry);
    const size_t vertices = begin_record(f, "Vertices", 1);
    put_doubles(f, points, 9, packed);
    end_values(f, vertices);
    patch(f, vertices, f->size);
    const size_t indices = begin_record(f, "PolygonVertexIndex", 3);
    for (int i = 0; i < 3; i++) {
        put(f, 'I', 1);
        put(f, (uint32_t)(i < 2 ? i : -3), 4);
    }
    end_values(f, indices);
    patch(f, indices, f->size);
    end_record(f, geometry);
    const size_t model = begin_record(f, "Model", 3);
    put(f, 'L', 1);
    put(f, 20, 8);
    put_text(f, "Box\0\1Model", 10);
    put_text(f, "Mesh", 4);
    end_values(f, model);
    end_record(f, model);
    end_record(f, objects);
    const size_t links = begin_record(f, "Connections", 0);
    const size_t link = begin_record(f, "C", 3);
    put_text(f, "OO", 2);
    put(f, 'L', 1);
    put(f, 10, 8);
    put(f, 'L', 1);
    put(f, 20, 8);
    end_values(f, link);
    patch(f, link, f->size);
    end_record(f, links);
    put(f, 0, 8);
    put(f, 0, 5);
}

Test(fbx_binary, files_in_both_byte_orders)
{
    for (int i = 0; i < 4; i++) {
        binary_file f;
        make_binary(&f, i & 1, i & 2);
        must_read_bytes(f.bytes, f.size);
        cr_assert_eq(reader.model.triangle_count, 1);
        cr_assert_eq(reader.model.meshes[0].position[2].y, 1.0f);
        cr_assert_str_eq(reader.model.nodes[1].name, "Box");
    }
}

/// As programs leave them that take files for text. Old ones are whole.
Test(fbx_binary, files_with_bytes_of_texts_are_damaged)
{
    static const uint8_t old[27] = "Kaydara FBX Binary  \0\x1a\0\xb8\x0b";
    binary_file f, blanks, lines;
    make_binary(&f, false, false);
    blanks = f;
    lines.size = 0;
    for (size_t i = 0; i < f.size; i++) {
        blanks.bytes[i] = f.bytes[i] ? f.bytes[i] : ' ';
        if (f.bytes[i] == '\n')
            lines.bytes[lines.size++] = '\r';
        lines.bytes[lines.size++] = f.bytes[i];
    }
    must_fail_bytes(blanks.bytes, f.size, ZT_ERR_FORMAT, "the header is damaged");
    must_fail_bytes(lines.bytes, lines.size, ZT_ERR_FORMAT, "each byte 0a is behind a 0d");
    must_fail_bytes(old, sizeof old, ZT_ERR_UNSUPPORTED, "older than version 6");
}

/// Every prefix is read or refused with a message.
Test(fbx_binary, files_that_end_early)
{
    binary_file f;
    make_binary(&f, false, true);
    for (size_t size = 0; size < f.size; size++)
        reader_read(f.bytes, size);
    f.bytes[f.size - 40] ^= 0xff;
    for (size_t at = 27; at < f.size; at++) {
        binary_file other = f;
        other.bytes[at] ^= 0x5a;
        reader_read(other.bytes, other.size);
    }
}
