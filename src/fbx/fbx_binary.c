// SPDX-License-Identifier: MIT
/// Binary FBX: records with the place of their end, their values, then their children.
#include "base/bytes.h"
#include "fbx/fbx_tree.h"

#include <string.h>

enum { HEADER = 27, MARK_AT = 20, ENDIAN_AT = 22, VERSION_AT = 23, WIDE_FROM = 7500 };

typedef struct binary_reader {
    fbx_tree *tree;
    bool big_endian, wide; ///< wide: places and counts have 64 bits
    zt_error *err;
} binary_reader;

static uint64_t load(const binary_reader *r, size_t at, size_t size)
{
    const uint8_t *p = r->tree->bytes.data + at;
    return r->big_endian ? bytes_load_be(p, size) : bytes_load_le(p, size);
}

static zt_result fail_short(const binary_reader *r, size_t at)
{
    return fbx_fail(r->tree, ZT_ERR_FORMAT, at, r->err, "the file is cut off inside a record");
}

static zt_result read_number(const binary_reader *r, size_t at, char type, size_t size,
                             fbx_value *out)
{
    const uint64_t bits = load(r, at, size);
    const uint32_t low = (uint32_t)bits;
    float single;
    *out = (fbx_value){.kind = FBX_INTEGER};
    if (type == 'D') {
        out->kind = FBX_REAL;
        memcpy(&out->real, &bits, sizeof out->real);
    } else if (type == 'F') {
        out->kind = FBX_REAL;
        memcpy(&single, &low, sizeof single);
        out->real = (double)single;
    } else {
        out->integer = size == 8   ? (int64_t)bits
                       : size == 4 ? (int64_t)(int32_t)low
                       : size == 2 ? (int64_t)(int16_t)(uint16_t)low
                                   : (int64_t)low;
    }
    return ZT_OK;
}

/// Count, encoding, bytes.
static zt_result read_array(const binary_reader *r, size_t *at, size_t end, char type,
                            fbx_value *out)
{
    if (end - *at < 12)
        return fail_short(r, *at);
    const uint32_t count = (uint32_t)load(r, *at, 4), encoding = (uint32_t)load(r, *at + 4, 4);
    const size_t element = type == 'd' || type == 'l' ? 8 : type == 'f' || type == 'i' ? 4 : 1;
    const size_t size = encoding == 0 ? count * element : (size_t)load(r, *at + 8, 4);
    if (encoding > 1)
        return fbx_fail(r->tree, ZT_ERR_FORMAT, *at, r->err,
                        "an array of encoding %u (expected 0 or 1)", encoding);
    if (size > end - *at - 12 || size > UINT32_MAX)
        return fail_short(r, *at);
    *out = (fbx_value){.kind = FBX_ARRAY,
                       .type = type,
                       .packed = encoding == 1,
                       .big_endian = r->big_endian,
                       .count = count,
                       .size = (uint32_t)size,
                       .bytes = r->tree->bytes.data + *at + 12};
    *at += 12 + size;
    return ZT_OK;
}

static zt_result read_value(const binary_reader *r, size_t *at, size_t end, fbx_value *out)
{
    if (end - *at < 1)
        return fail_short(r, *at);
    const char type = (char)r->tree->bytes.data[(*at)++];
    const char *sizes = "C1B1Y2I4F4L8D8", *found = strchr(sizes, type);
    if (type && found && (found - sizes) % 2 == 0) {
        const size_t size = (size_t)(found[1] - '0');
        if (end - *at < size)
            return fail_short(r, *at);
        *at += size;
        return read_number(r, *at - size, type, size, out);
    }
    if (type == 'S' || type == 'R') {
        const uint64_t size = end - *at < 4 ? UINT64_MAX : load(r, *at, 4);
        if (size > end - *at - 4)
            return fail_short(r, *at);
        *out = (fbx_value){
            .kind = FBX_TEXT, .count = (uint32_t)size, .bytes = r->tree->bytes.data + *at + 4};
        *at += 4 + (size_t)size;
        return ZT_OK;
    }
    if (type && strchr("fdlibc", type))
        return read_array(r, at, end, type, out);
    return fbx_fail(r->tree, ZT_ERR_FORMAT, *at - 1, r->err,
                    "a value of type 0x%02x, which is not known", (unsigned)(uint8_t)type);
}

static zt_result read_values(const binary_reader *r, size_t *at, size_t end, uint64_t count,
                             fbx_node *node)
{
    fbx_value *values;
    if (count > (end - *at) / 2) // a type and at least a byte
        return fail_short(r, *at);
    ZT_TRY(ARENA_TAKE_RAW(r->tree->a, &values, count, "values", r->err));
    for (uint64_t i = 0; i < count; i++)
        ZT_TRY(read_value(r, at, end, &values[i]));
    node->value = values;
    node->value_count = (uint32_t)count;
    return ZT_OK;
}

/// The children of a node up to `end`, or to a record of zeros.
static zt_result read_children(const binary_reader *r, size_t *at, size_t end, fbx_node *parent,
                               int depth)
{
    const size_t word = r->wide ? 8 : 4, head = 3 * word + 1;
    fbx_node *tail = NULL;
    if (depth > FBX_DEPTH_LIMIT)
        return fbx_fail(r->tree, ZT_ERR_LIMIT, *at, r->err, "nodes in more than %d others",
                        FBX_DEPTH_LIMIT);
    while (end - *at >= head) {
        const size_t start = *at;
        const uint64_t node_end = load(r, start, word), count = load(r, start + word, word);
        const uint64_t bytes = load(r, start + 2 * word, word);
        const size_t name = start + head, length = r->tree->bytes.data[name - 1];
        if (node_end == 0) {
            *at = name;
            break;
        }
        if (node_end > end || node_end < name || length > node_end - name ||
            bytes > node_end - name - length)
            return fail_short(r, start);
        ZT_TRY(arena_go_on(r->tree->a, "nodes", r->err));
        fbx_node *node = fbx_add_node(r->tree, parent, &tail);
        if (!node)
            return arena_fail(r->tree->a, r->err, "nodes");
        node->name = (const char *)r->tree->bytes.data + name;
        node->name_length = (uint32_t)length;
        node->at = start;
        *at = name + length;
        const size_t values_end = *at + (size_t)bytes;
        ZT_TRY(read_values(r, at, values_end, count, node));
        *at = values_end;
        if (node_end > values_end)
            ZT_TRY(read_children(r, at, (size_t)node_end, node, depth + 1));
        *at = (size_t)node_end;
    }
    return fbx_index_children(r->tree, parent, r->err);
}

zt_result fbx_parse_binary(fbx_tree *tree, zt_error *err)
{
    binary_reader r = {.tree = tree, .err = err};
    const uint8_t *bytes = tree->bytes.data;
    size_t at = HEADER, lines = 0, of_text = 0;
    if (tree->bytes.size < HEADER)
        return fbx_fail(tree, ZT_ERR_FORMAT, tree->bytes.size, err,
                        "the file is cut off inside its header");
    r.big_endian = bytes[ENDIAN_AT] != 0;
    tree->version = (int32_t)load(&r, VERSION_AT, 4);
    if (memcmp(bytes + MARK_AT, "\0\x1a", 2) != 0 || bytes[ENDIAN_AT] > 1 || tree->version < 1000 ||
        tree->version > 9999)
        return fbx_fail(tree, ZT_ERR_FORMAT, MARK_AT, err,
                        "the header is damaged (expected the bytes 00 1a, a byte order and a "
                        "version): a program may have changed bytes as those of a text");
    r.wide = tree->version >= WIDE_FROM;
    if (tree->version < FBX_OLDEST)
        return ZT_OK; // told by the caller
    const zt_result result = read_children(&r, &at, tree->bytes.size, &tree->root, 0);
    for (size_t i = 1; result == ZT_ERR_FORMAT && i < tree->bytes.size; i++) {
        lines += bytes[i] == '\n';
        of_text += bytes[i] == '\n' && bytes[i - 1] == '\r';
    }
    return lines > 1 && of_text == lines
               ? fbx_fail(tree, result, HEADER, err,
                          "each byte 0a is behind a 0d: a program has changed bytes as those of a "
                          "text")
               : result;
}
