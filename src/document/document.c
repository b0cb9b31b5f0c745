// SPDX-License-Identifier: MIT
/// The tree of a scene file: building it, finding members, and locations for messages.
#include "document/document.h"

#include <stdio.h>
#include <string.h>

zt_result document_append(const char *path, document_node *parent, document_node *child,
                          zt_error *err)
{
    char location[DOCUMENT_LOCATION_SIZE];
    child->parent = parent;
    child->index = parent->count;
    if (parent->kind == DOCUMENT_MAP) {
        if (document_member(parent, child->key))
            return zt_fail(err, ZT_ERR_FORMAT, "%s: the key '%s' is used twice (expected once)",
                           document_location(path, child, true, location), child->key);
        if (parent->count >= DOCUMENT_KEY_LIMIT)
            return zt_fail(err, ZT_ERR_LIMIT, "%s: a map with more than %d keys",
                           document_location(path, child, true, location), (int)DOCUMENT_KEY_LIMIT);
    }
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->count++;
    return ZT_OK;
}

const document_node *document_member(const document_node *map, const char *key)
{
    if (map->kind != DOCUMENT_MAP)
        return NULL;
    for (const document_node *node = map->first; node; node = node->next)
        if (strcmp(node->key, key) == 0)
            return node;
    return NULL;
}

// RFC 6901: '~' and '/' in a key are written ~0 and ~1.
static size_t append_key(char *out, size_t used, const char *key)
{
    for (; *key && used + 10 < DOCUMENT_LOCATION_SIZE; key++) {
        if (*key == '~' || *key == '/') {
            out[used++] = '~';
            out[used++] = *key == '~' ? '0' : '1';
        } else {
            out[used++] = *key;
        }
    }
    out[used] = 0;
    return used;
}

enum { POINTER_SIZE = 120 }; // leaves room for the rest of a message

static void append_pointer(const document_node *node, char *out)
{
    const document_node *chain[DOCUMENT_DEPTH_LIMIT + 1];
    size_t depth = 0;
    for (; node && node->parent && depth <= DOCUMENT_DEPTH_LIMIT; node = node->parent)
        chain[depth++] = node;
    size_t used = strlen(out);
    const size_t end = used + POINTER_SIZE < DOCUMENT_LOCATION_SIZE - 32
                           ? used + POINTER_SIZE
                           : DOCUMENT_LOCATION_SIZE - 32;
    while (depth-- > 0) {
        if (used > end) {
            used += (size_t)snprintf(out + used, DOCUMENT_LOCATION_SIZE - used, "/...");
            break;
        }
        out[used++] = '/';
        if (chain[depth]->key)
            used = append_key(out, used, chain[depth]->key);
        else
            used += (size_t)snprintf(out + used, DOCUMENT_LOCATION_SIZE - used, "%u",
                                     chain[depth]->index);
    }
    out[used] = 0;
}

const char *document_location(const char *path, const document_node *node, bool at_key,
                              char out[DOCUMENT_LOCATION_SIZE])
{
    const uint32_t line = at_key && node->key ? node->key_line : node->line;
    const uint32_t column = at_key && node->key ? node->key_column : node->column;
    // A long path is cut at its start: the file name is at its end.
    const size_t length = strlen(path);
    const char *tail = length > 300 ? path + length - 300 : path;
    if (line != 0) {
        snprintf(out, DOCUMENT_LOCATION_SIZE, "%s:%u:%u", tail, line, column);
    } else {
        snprintf(out, DOCUMENT_LOCATION_SIZE, "%s:", tail);
        append_pointer(node, out);
        if (!node->parent)
            strcat(out, "/");
    }
    return out;
}

const char *document_kind_name(document_kind kind)
{
    static const char *const names[] = {
        [DOCUMENT_NULL] = "nothing",    [DOCUMENT_BOOL] = "true or false",
        [DOCUMENT_NUMBER] = "a number", [DOCUMENT_STRING] = "text",
        [DOCUMENT_LIST] = "a list",     [DOCUMENT_MAP] = "a map",
    };
    return names[kind];
}
