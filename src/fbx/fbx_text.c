// SPDX-License-Identifier: MIT
/// FBX as text: `Name: value, value { children }`, comments from ; to the end of a line.
#include "base/number.h"
#include "base/text_scan.h"
#include "fbx/fbx_tree.h"

#include <string.h>

typedef struct text_reader {
    fbx_tree *tree;
    text_scan text;
    fbx_value *value; ///< [capacity] of the node at hand
    uint32_t count, capacity;
} text_reader;

static bool is_end(char c) { return text_is_space(c) || strchr(",:{}\";", c) != NULL; }

/// Moves to the next token; false at the end.
static bool next_token(text_reader *r)
{
    while (text_scan_next(&r->text) && *r->text.at == ';')
        while (r->text.at < r->text.end && !text_is_line_end(*r->text.at))
            r->text.at++;
    return r->text.at < r->text.end;
}

static zt_result add_value(text_reader *r, fbx_value value)
{
    ZT_TRY(ARENA_GROW(r->tree->a, r->value, r->count, r->capacity, "values", r->text.err));
    r->value[r->count++] = value;
    return ZT_OK;
}

static zt_result read_number(text_reader *r, fbx_value *out)
{
    const char *begin = r->text.at;
    *out = (fbx_value){.kind = FBX_INTEGER};
    const char *after = number_parse_int64(begin, r->text.end, &out->integer);
    if (!after || (after < r->text.end && !is_end(*after))) {
        out->kind = FBX_REAL;
        after = number_parse_loose(begin, r->text.end, &out->real);
    }
    if (!after || (after < r->text.end && !is_end(*after)))
        return text_scan_unexpected(&r->text, false, "a number");
    r->text.at = after;
    return ZT_OK;
}

static zt_result read_string(text_reader *r, fbx_value *out)
{
    const char *begin = ++r->text.at;
    const char *end = memchr(begin, '"', (size_t)(r->text.end - begin));
    if (!end || end - begin > (ptrdiff_t)UINT32_MAX)
        return text_scan_fail(&r->text, ZT_ERR_FORMAT, begin - 1, "a text that has no end");
    *out = (fbx_value){.kind = FBX_TEXT, .count = (uint32_t)(end - begin), .bytes = begin};
    r->text.at = end + 1;
    return ZT_OK;
}

/// "*COUNT { a: NUMBERS }" after the star.
static zt_result read_array(text_reader *r, fbx_value *out)
{
    int64_t count = 0;
    double *values;
    uint32_t made = 0;
    ZT_TRY(text_scan_integer(&r->text, "a count of values", 0, UINT32_MAX, &count));
    ZT_TRY(text_scan_room(&r->text, "an array", (uint64_t)count, 2));
    ZT_TRY(ARENA_TAKE_RAW(r->tree->a, &values, (size_t)count, "an array", r->text.err));
    if (!next_token(r) || *r->text.at != '{')
        return text_scan_unexpected(&r->text, false, "'{'");
    r->text.at++;
    if (next_token(r) && *r->text.at == 'a') {
        r->text.at++;
        if (!next_token(r) || *r->text.at != ':')
            return text_scan_unexpected(&r->text, false, "':'");
        r->text.at++;
    }
    while (next_token(r) && *r->text.at != '}') {
        fbx_value v;
        if (*r->text.at == ',') {
            r->text.at++;
            continue;
        }
        ZT_TRY(arena_go_on_at(r->tree->a, made, "an array", r->text.err));
        ZT_TRY(read_number(r, &v));
        if (made == count)
            return text_scan_unexpected(&r->text, false, "no more values than the array says");
        values[made++] = v.kind == FBX_INTEGER ? (double)v.integer : v.real;
    }
    if (r->text.at == r->text.end)
        return text_scan_unexpected(&r->text, false, "'}'");
    r->text.at++;
    *out = (fbx_value){.kind = FBX_ARRAY, .type = 'D', .count = made, .bytes = values};
    return ZT_OK;
}

/// A word, and whether a colon follows, which makes it the name of a node.
static const char *word_end(text_reader *r, bool *out_colon)
{
    const char *end = r->text.at, *after;
    while (end < r->text.end && !is_end(*end))
        end++;
    for (after = end; after < r->text.end && (*after == ' ' || *after == '\t');)
        after++;
    *out_colon = after < r->text.end && *after == ':';
    return end;
}

/// The values of a node, up to a brace or the name of the next node.
static zt_result read_values(text_reader *r)
{
    r->count = 0;
    while (next_token(r) && *r->text.at != '{' && *r->text.at != '}') {
        const char c = *r->text.at;
        fbx_value value;
        bool colon;
        if (c == ',') {
            r->text.at++;
            continue;
        }
        ZT_TRY(arena_go_on_at(r->tree->a, r->count, "values", r->text.err));
        if (c == '"') {
            ZT_TRY(read_string(r, &value));
        } else if (c == '*') {
            r->text.at++;
            ZT_TRY(read_array(r, &value));
            return add_value(r, value);
        } else if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.') {
            ZT_TRY(read_number(r, &value));
        } else {
            const char *end = word_end(r, &colon);
            if (colon)
                return ZT_OK;
            if (end == r->text.at)
                return text_scan_unexpected(&r->text, false, "a value");
            value = (fbx_value){
                .kind = FBX_TEXT, .count = (uint32_t)(end - r->text.at), .bytes = r->text.at};
            r->text.at = end;
        }
        ZT_TRY(add_value(r, value));
    }
    return ZT_OK;
}

static zt_result read_children(text_reader *r, fbx_node *parent, int depth)
{
    fbx_node *tail = NULL;
    if (depth > FBX_DEPTH_LIMIT)
        return text_scan_fail(&r->text, ZT_ERR_LIMIT, r->text.at, "nodes in more than %d others",
                              FBX_DEPTH_LIMIT);
    while (next_token(r) && *r->text.at != '}') {
        bool colon;
        const char *begin = r->text.at, *end = word_end(r, &colon);
        if (end == begin || !colon)
            return text_scan_unexpected(&r->text, false, "a name and a colon");
        fbx_node *node = arena_cancelled(r->tree->a) ? NULL : fbx_add_node(r->tree, parent, &tail);
        if (!node)
            return arena_fail(r->tree->a, r->text.err, "nodes");
        node->name = begin;
        node->name_length = (uint32_t)(end - begin);
        node->at = (size_t)(begin - r->text.begin);
        r->text.at = (const char *)memchr(end, ':', (size_t)(r->text.end - end)) + 1;
        ZT_TRY(read_values(r));
        fbx_value *values;
        ZT_TRY(ARENA_TAKE_RAW(r->tree->a, &values, r->count, "values", r->text.err));
        if (r->count)
            memcpy(values, r->value, r->count * sizeof *values);
        node->value = values;
        node->value_count = r->count;
        if (!next_token(r) || *r->text.at != '{')
            continue;
        r->text.at++;
        ZT_TRY(read_children(r, node, depth + 1));
        if (!next_token(r) || *r->text.at != '}')
            return text_scan_unexpected(&r->text, false, "'}'");
        r->text.at++;
    }
    return fbx_index_children(r->tree, parent, r->text.err);
}

zt_result fbx_parse_text(fbx_tree *tree, zt_error *err)
{
    const char *begin = (const char *)tree->bytes.data;
    text_reader r = {.tree = tree,
                     .text = {tree->path, begin, begin, begin + tree->bytes.size, err}};
    ZT_TRY(read_children(&r, &tree->root, 0));
    if (r.text.at < r.text.end)
        return text_scan_unexpected(&r.text, false, "a name and a colon");
    const fbx_node *header = fbx_child(&tree->root, "FBXHeaderExtension");
    tree->version = (int32_t)fbx_integer(fbx_child(header, "FBXVersion"), 0, 0);
    return header ? ZT_OK
                  : text_scan_fail(&r.text, ZT_ERR_FORMAT, begin,
                                   "no FBXHeaderExtension: this is no FBX file");
}
