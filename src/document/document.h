// SPDX-License-Identifier: MIT
/// A scene file as a tree of maps, lists and scalars, each with its location in the file. What the
/// keys mean is not known here. YAML and JSON give the same tree.
#pragma once

#include "base/arena.h"
#include "base/file.h"

#include <string.h>

// Limits for hostile files, far above any scene that people or scripts write.
enum {
    DOCUMENT_DEPTH_LIMIT = 512,
    DOCUMENT_NODE_LIMIT = 1000000,
    DOCUMENT_KEY_LIMIT = 1024,              ///< keys of one map
    DOCUMENT_SIZE_LIMIT = 16 * 1024 * 1024, ///< bytes
};

typedef enum document_kind {
    DOCUMENT_NULL,
    DOCUMENT_BOOL,
    DOCUMENT_NUMBER,
    DOCUMENT_STRING,
    DOCUMENT_LIST,
    DOCUMENT_MAP,
} document_kind;

typedef struct document_node document_node;
struct document_node {
    document_kind kind;
    const char *text; ///< scalars: as written, so that 0-75 and 202020 can be read as text; else ""
    double number;    ///< DOCUMENT_NUMBER
    bool truth;       ///< DOCUMENT_BOOL
    const char *key;  ///< key of a member of a map; NULL otherwise
    uint32_t key_line, key_column;
    uint32_t line, column; ///< from 1; 0 in JSON, whose errors name a JSON pointer
    uint32_t index;        ///< place of an item in its list
    uint32_t count;        ///< children
    const document_node *parent;
    document_node *first, *last, *next; ///< children in file order; next sibling
};

/// Read a file into `a`. ZT_ERR_FORMAT ("FILE:LINE:COL: what (expected)") or ZT_ERR_LIMIT.
zt_result document_read_yaml(arena *a, const char *path, file_bytes bytes, document_node **out_root,
                             zt_error *err);
zt_result document_read_json(arena *a, const char *path, file_bytes bytes, document_node **out_root,
                             zt_error *err);
/// As one of them, by the suffix of the path.
zt_result document_read(arena *a, const char *path, file_bytes bytes, document_node **out_root,
                        zt_error *err);

/// Appends a child to a map, by key, or to a list. Fails for a key twice and above limits.
zt_result document_append(const char *path, document_node *parent, document_node *child,
                          zt_error *err);
/// The member of a map, or NULL.
const document_node *document_member(const document_node *map, const char *key);

enum { DOCUMENT_LOCATION_SIZE = 512 };
/// "FILE:LINE:COL" or "FILE:/json/pointer" (cut with "/..."), for messages; `at_key`: of the key.
const char *document_location(const char *path, const document_node *node, bool at_key,
                              char out[DOCUMENT_LOCATION_SIZE]);
/// "a number", "a list"..., for messages.
const char *document_kind_name(document_kind kind);

/// True when the node is this text.
static inline bool document_is(const document_node *node, const char *text)
{
    return node->kind == DOCUMENT_STRING && strcmp(node->text, text) == 0;
}

/// Levels that a scene may have: zt_limits.depth.
static inline uint32_t document_depth_limit(const arena *a)
{
    const uint32_t limit = (uint32_t)a->budget->limits->depth;
    return limit < DOCUMENT_DEPTH_LIMIT ? limit : DOCUMENT_DEPTH_LIMIT;
}
