// SPDX-License-Identifier: MIT
/// JSON text -> tree. JSON has a reader of its own because not all of it is YAML to libyaml
/// (surrogate pairs, tabs before the first brace, keys over several lines). Its trees keep no
/// positions, so locations after parsing are JSON pointers (RFC 6901).
#include "document/document.h"
#include "json/json_parse.h"

#include <stdio.h>
#include <string.h>

enum { PARSER_DEPTH_LIMIT = 2048 }; ///< deeper than ours, whose message names the value

typedef struct json_tree {
    arena *a;
    const char *path;
    zt_error *err;
    uint32_t node_count;
} json_tree;

static zt_result convert(json_tree *r, const json_value *value, const char *key,
                         document_node *parent, uint32_t depth, document_node **out);

static zt_result convert_scalar(json_tree *r, const json_value *value, document_node *node)
{
    char digits[40];
    const char *text = "";
    if (json_is(value, JSON_KIND_STRING)) {
        node->kind = DOCUMENT_STRING;
        text = json_str(value);
    } else if (json_is_numeric(value)) {
        node->kind = DOCUMENT_NUMBER;
        node->number = json_number(value); // the reader of the key rejects what does not fit
        // Frame lists may be written as a number: 12.
        if (node->number >= -1e15 && node->number <= 1e15 &&
            node->number == (double)(int64_t)node->number) {
            snprintf(digits, sizeof digits, "%lld", (long long)node->number);
        } else {
            snprintf(digits, sizeof digits, "%.15g", node->number);
        }
        text = digits; // for messages, too
    } else {
        node->kind = json_is(value, JSON_KIND_NULL) ? DOCUMENT_NULL : DOCUMENT_BOOL;
        node->truth = json_is(value, JSON_KIND_TRUE);
    }
    node->text = arena_text(r->a, text, strlen(text));
    return node->text ? ZT_OK : arena_fail(r->a, r->err, "scene file");
}

static zt_result convert_children(json_tree *r, const json_value *value, document_node *node,
                                  uint32_t depth)
{
    document_node *child = NULL;
    for (uint32_t i = 0; i < value->count; i++) {
        const json_value *item = value->item[i];
        const char *key = value->kind == JSON_KIND_OBJECT ? item->key : NULL;
        ZT_TRY(convert(r, item, key, node, depth, &child));
    }
    return ZT_OK;
}

static zt_result convert(json_tree *r, const json_value *value, const char *key,
                         document_node *parent, uint32_t depth, document_node **out)
{
    if (++r->node_count > DOCUMENT_NODE_LIMIT)
        return zt_fail(r->err, ZT_ERR_LIMIT, "%s: the scene has too many values", r->path);
    document_node *node;
    ZT_TRY(ARENA_TAKE(r->a, &node, 1, "scene file", r->err));
    node->text = "";
    node->kind = json_is(value, JSON_KIND_ARRAY) ? DOCUMENT_LIST : DOCUMENT_MAP;
    if (key && !(node->key = arena_text(r->a, key, strlen(key))))
        return arena_fail(r->a, r->err, "scene file");
    if (parent)
        ZT_TRY(document_append(r->path, parent, node, r->err));
    *out = node;
    if (!json_is(value, JSON_KIND_ARRAY) && !json_is(value, JSON_KIND_OBJECT))
        return convert_scalar(r, value, node);
    const uint32_t limit = document_depth_limit(r->a);
    if (depth > limit) {
        char place[DOCUMENT_LOCATION_SIZE];
        return zt_fail(r->err, ZT_ERR_LIMIT, "%s: nested too deeply (at most %d levels)",
                       document_location(r->path, node, false, place), (int)limit);
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
    arena tree;
    json_problem problem;
    arena_init(&tree, a->budget);
    json_builder builder = {.a = &tree};
    const json_value *value = json_parse(&builder, text, size, PARSER_DEPTH_LIMIT, NULL, &problem);
    json_tree r = {.a = a, .path = path, .err = err};
    zt_result result = problem.code;
    if (value)
        result = convert(&r, value, NULL, NULL, 1, out_root);
    else if (problem.too_deep)
        zt_fail(err, result, "%s:%u:%u: nested too deeply (at most %d levels)", path, problem.line,
                problem.column, (int)document_depth_limit(a));
    else
        zt_fail(err, result, "%s:%u:%u: %s (expected JSON)", path, problem.line, problem.column,
                problem.message);
    arena_finish(&tree);
    return result;
}
