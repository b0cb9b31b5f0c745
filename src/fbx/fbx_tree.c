// SPDX-License-Identifier: MIT
#include "fbx/fbx_tree.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "base/inflate.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

fbx_node *fbx_add_node(fbx_tree *tree, fbx_node *parent, fbx_node **tail)
{
    fbx_node *node = ARENA_ARRAY(tree->a, fbx_node, 1);
    if (!node)
        return NULL;
    if (*tail)
        (*tail)->next = node;
    else
        parent->child = node;
    *tail = node;
    parent->child_count++;
    return node;
}

bool fbx_is_named(const fbx_node *node, const char *name)
{
    return strlen(name) == node->name_length && memcmp(node->name, name, node->name_length) == 0;
}

/// A table of many children. Searches in them count their steps.
typedef struct fbx_index {
    const arena *a;
    hash_table slots; ///< of children, by their first text
    const fbx_node **child;
} fbx_index;

bool fbx_has_text(const fbx_node *node, uint32_t index, const char *text, size_t length)
{
    const fbx_value *v = node && index < node->value_count ? &node->value[index] : NULL;
    return v && v->kind == FBX_TEXT && v->count == length && memcmp(v->bytes, text, length) == 0;
}

static uint32_t *find_slot(const fbx_index *index, const char *text, size_t length)
{
    uint32_t *slot = hash_table_first(&index->slots, hash_bytes(HASH_START, text, length));
    for (; *slot != 0 && !fbx_has_text(index->child[*slot - 1], 0, text, length);
         arena_count(index->a, 1 + length / 16))
        slot = hash_table_next(&index->slots, slot);
    return slot;
}

zt_result fbx_index_children(const fbx_tree *tree, fbx_node *parent, zt_error *err)
{
    uint32_t i = 0;
    fbx_index *index;
    if (parent->child_count <= FBX_FEW)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(tree->a, &index, 1, "nodes", err));
    ZT_TRY(ARENA_TAKE(tree->a, &index->child, parent->child_count, "nodes", err));
    if (!hash_table_init(&index->slots, tree->a, parent->child_count))
        return arena_fail(tree->a, err, "nodes");
    index->a = tree->a;
    for (const fbx_node *c = parent->child; c; c = c->next) {
        ZT_TRY(arena_work(tree->a, 1, "nodes", err));
        index->child[i++] = c;
        if (c->value_count == 0 || c->value[0].kind != FBX_TEXT)
            continue;
        uint32_t *slot = find_slot(index, c->value[0].bytes, c->value[0].count);
        *slot = *slot ? *slot : i;
    }
    parent->index = index;
    return ZT_OK;
}

/// The first of a name among the children of a node from `c` on.
static const fbx_node *find_named(const fbx_node *node, const fbx_node *c, const char *name,
                                  size_t length)
{
    uint64_t steps = 0;
    for (; c && (c->name_length != length || memcmp(c->name, name, length) != 0); c = c->next)
        steps++;
    if (node->index)
        arena_count(node->index->a, steps);
    return c;
}

const fbx_node *fbx_child(const fbx_node *node, const char *name)
{
    return node ? find_named(node, node->child, name, strlen(name)) : NULL;
}

const fbx_node *fbx_next(const fbx_node *parent, const fbx_node *node)
{
    return find_named(parent, node->next, node->name, node->name_length);
}

const fbx_node *fbx_child_of_text(const fbx_node *node, const char *text, size_t length)
{
    if (node && node->index) {
        const uint32_t found = *find_slot(node->index, text, length);
        return found ? node->index->child[found - 1] : NULL;
    }
    const fbx_node *c = node ? node->child : NULL;
    while (c && !fbx_has_text(c, 0, text, length))
        c = c->next;
    return c;
}

double fbx_number(const fbx_node *node, uint32_t index, double fallback)
{
    if (!node || index >= node->value_count)
        return fallback;
    const fbx_value *v = &node->value[index];
    return v->kind == FBX_INTEGER ? (double)v->integer : v->kind == FBX_REAL ? v->real : fallback;
}

int64_t fbx_integer(const fbx_node *node, uint32_t index, int64_t fallback)
{
    if (!node || index >= node->value_count)
        return fallback;
    const fbx_value *v = &node->value[index];
    if (v->kind == FBX_REAL && v->real > -9e18 && v->real < 9e18)
        return (int64_t)v->real;
    return v->kind == FBX_INTEGER ? v->integer : fallback;
}

const char *fbx_text(const fbx_tree *tree, const fbx_node *node, uint32_t index)
{
    if (!node || index >= node->value_count || node->value[index].kind != FBX_TEXT)
        return "";
    const fbx_value *v = &node->value[index];
    char *text = arena_text(tree->a, v->bytes, v->count);
    arena_count(tree->a, v->count);
    if (text)
        utf8_make_harmless(text);
    return text;
}

static size_t element_size(char type)
{
    return type == 'd' || type == 'l' || type == 'D' ? 8 : type == 'f' || type == 'i' ? 4 : 1;
}

static double element(const fbx_value *v, const uint8_t *p)
{
    const size_t size = element_size(v->type);
    const uint64_t bits = v->big_endian ? bytes_load_be(p, size) : bytes_load_le(p, size);
    double real;
    float single;
    switch (v->type) {
    case 'd': memcpy(&real, &bits, sizeof real); return real;
    case 'f': {
        const uint32_t low = (uint32_t)bits;
        memcpy(&single, &low, sizeof single);
        return (double)single;
    }
    case 'l': return (double)(int64_t)bits;
    case 'i': return (double)(int32_t)(uint32_t)bits;
    default: return (double)bits;
    }
}

static zt_result unpack(const fbx_tree *tree, const fbx_node *node, const fbx_value *v,
                        const uint8_t **out, zt_error *err)
{
    const size_t size = v->count * element_size(v->type);
    if (!inflate_is_possible(v->size, size))
        return fbx_fail(tree, ZT_ERR_FORMAT, node->at, err, "%u values cannot come from %u bytes",
                        v->count, v->size);
    uint8_t *bytes;
    ZT_TRY(arena_work(tree->a, v->count, "an array", err));
    ZT_TRY(ARENA_TAKE_RAW(tree->a, &bytes, size, "an array", err));
    const zt_result r = inflate_exactly(INFLATE_ZLIB, (file_bytes){v->bytes, v->size}, bytes, size);
    *out = bytes;
    if (r == ZT_ERR_MEMORY)
        return zt_fail(err, r, "%s: the system has no memory left", tree->path);
    return r == ZT_OK ? ZT_OK
                      : fbx_fail(tree, r, node->at, err,
                                 "a broken zlib stream (expected %u values)", v->count);
}

static zt_result array_doubles(const fbx_tree *tree, const fbx_node *node, const double **out,
                               zt_error *err)
{
    const fbx_value *v = &node->value[0];
    const uint8_t *bytes = v->bytes;
    double *values;
    if (v->type == 'D') {
        *out = v->bytes;
        return arena_work(tree->a, v->count, "an array", err);
    }
    if (v->packed)
        ZT_TRY(unpack(tree, node, v, &bytes, err));
    ZT_TRY(arena_work(tree->a, v->count, "an array", err));
    ZT_TRY(ARENA_TAKE_RAW(tree->a, &values, v->count, "an array", err));
    *out = values;
    if (v->type == 'd' && !v->big_endian) { // as in memory
        memcpy(values, bytes, v->count * sizeof *values);
        return ZT_OK;
    }
    const size_t size = element_size(v->type);
    for (size_t i = 0; i < v->count; i++)
        values[i] = element(v, bytes + i * size);
    return ZT_OK;
}

zt_result fbx_doubles(const fbx_tree *tree, const fbx_node *node, const double **out,
                      uint32_t *out_count, zt_error *err)
{
    *out = NULL;
    *out_count = 0;
    if (!node || node->value_count == 0)
        return ZT_OK;
    if (node->value[0].kind == FBX_ARRAY) {
        *out_count = node->value[0].count;
        return array_doubles(tree, node, out, err);
    }
    double *values;
    ZT_TRY(ARENA_TAKE_RAW(tree->a, &values, node->value_count, "an array", err));
    for (uint32_t i = 0; i < node->value_count; i++)
        values[i] = fbx_number(node, i, (double)NAN);
    *out = values;
    *out_count = node->value_count;
    return arena_work(tree->a, node->value_count, "an array", err);
}

zt_result fbx_ints(const fbx_tree *tree, const fbx_node *node, const int32_t **out,
                   uint32_t *out_count, zt_error *err)
{
    const double *values;
    int32_t *ints;
    ZT_TRY(fbx_doubles(tree, node, &values, out_count, err));
    ZT_TRY(ARENA_TAKE_RAW(tree->a, &ints, *out_count, "an array", err));
    for (uint32_t i = 0; i < *out_count; i++)
        ints[i] =
            values[i] > -2147483648.0 && values[i] < 2147483648.0 ? (int32_t)values[i] : INT32_MIN;
    *out = ints;
    return ZT_OK;
}
