// SPDX-License-Identifier: MIT
/// JSON text -> tree, through jansson. JSON has a reader of its own because not all of it is YAML
/// to libyaml (surrogate pairs, tabs before the first brace, keys over several lines). Jansson
/// keeps no positions, so locations after parsing are JSON pointers (RFC 6901).
#include "scene/document.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

typedef struct json_tree {
    arena *a;
    const char *path;
    zt_error *err;
    uint32_t node_count;
} json_tree;

static zt_result convert(json_tree *r, json_t *value, const char *key, document_node *parent,
                         uint32_t depth, document_node **out);

static zt_result convert_scalar(json_tree *r, json_t *value, document_node *node)
{
    char digits[40];
    const char *text = "";
    if (json_is_string(value)) {
        node->kind = DOCUMENT_STRING;
        text = json_string_value(value);
    } else if (json_is_number(value)) {
        node->kind = DOCUMENT_NUMBER;
        node->number = json_number_value(value);
        // Frame lists may be written as a number: 12.
        if (node->number >= -1e15 && node->number <= 1e15 &&
            node->number == (double)(int64_t)node->number) {
            snprintf(digits, sizeof digits, "%lld", (long long)node->number);
        } else {
            snprintf(digits, sizeof digits, "%.15g", node->number);
        }
        text = digits; // for messages, too
    } else {
        node->kind = json_is_boolean(value) ? DOCUMENT_BOOL : DOCUMENT_NULL;
        node->truth = json_is_true(value);
    }
    node->text = arena_text(r->a, text, strlen(text));
    return node->text ? ZT_OK : arena_fail(r->a, r->err, "scene file");
}

static zt_result convert_children(json_tree *r, json_t *value, document_node *node, uint32_t depth)
{
    document_node *child = NULL;
    if (json_is_array(value)) {
        const size_t count = json_array_size(value);
        for (size_t i = 0; i < count; i++)
            ZT_TRY(convert(r, json_array_get(value, i), NULL, node, depth, &child));
        return ZT_OK;
    }
    const char *key;
    json_t *member;
    json_object_foreach(value, key, member) // in file order
        ZT_TRY(convert(r, member, key, node, depth, &child));
    return ZT_OK;
}

static zt_result convert(json_tree *r, json_t *value, const char *key, document_node *parent,
                         uint32_t depth, document_node **out)
{
    if (++r->node_count > DOCUMENT_NODE_LIMIT)
        return zt_fail(r->err, ZT_ERR_LIMIT, "%s: the scene has too many values", r->path);
    document_node *node = ARENA_ARRAY(r->a, document_node, 1);
    if (!node)
        return arena_fail(r->a, r->err, "scene file");
    node->text = "";
    node->kind = json_is_array(value) ? DOCUMENT_LIST : DOCUMENT_MAP;
    if (key && !(node->key = arena_text(r->a, key, strlen(key))))
        return arena_fail(r->a, r->err, "scene file");
    if (parent)
        ZT_TRY(document_append(r->path, parent, node, r->err));
    *out = node;
    if (!json_is_array(value) && !json_is_object(value))
        return convert_scalar(r, value, node);
    if (depth > DOCUMENT_DEPTH_LIMIT) {
        char place[DOCUMENT_LOCATION_SIZE];
        return zt_fail(r->err, ZT_ERR_LIMIT, "%s: nested too deeply (at most %d levels)",
                       document_location(r->path, node, false, place), (int)DOCUMENT_DEPTH_LIMIT);
    }
    return convert_children(r, value, node, depth + 1);
}

zt_result document_read_json(arena *a, const char *path, file_bytes bytes, document_node **out_root,
                             zt_error *err)
{
    const char *text = (const char *)bytes.data;
    size_t size = bytes.size;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { // a byte order mark
        text += 3;
        size -= 3;
    }
    json_error_t problem;
    // Every number as a double: the reader of the key, not the parser, rejects an integer that does
    // not fit int64.
    json_t *value =
        json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &problem);
    if (!value) {
        if (json_error_code(&problem) == json_error_stack_overflow) // its own, higher limit
            return zt_fail(err, ZT_ERR_LIMIT, "%s:%d:%d: nested too deeply (at most %d levels)",
                           path, problem.line, problem.column > 0 ? problem.column : 1,
                           (int)DOCUMENT_DEPTH_LIMIT);
        const zt_result code =
            json_error_code(&problem) == json_error_out_of_memory ? ZT_ERR_MEMORY : ZT_ERR_FORMAT;
        return zt_fail(err, code, "%s:%d:%d: %s (expected JSON)", path, problem.line,
                       problem.column > 0 ? problem.column : 1, problem.text);
    }
    json_tree r = {.a = a, .path = path, .err = err};
    const zt_result result = convert(&r, value, NULL, NULL, 1, out_root);
    json_decref(value);
    return result;
}
