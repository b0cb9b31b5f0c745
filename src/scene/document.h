// SPDX-License-Identifier: MIT
/// A scene file as a tree of maps, lists and scalars, each with its place in the file, before
/// anything is known about what the keys mean. YAML and JSON give the same tree.
#ifndef ZT_SCENE_DOCUMENT_H
#define ZT_SCENE_DOCUMENT_H

#include "base/arena.h"
#include "base/file.h"

// What bounds a hostile file. A scene is written by people or scripts: these are far above any
// that was meant.
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
    const char *key;  ///< of a member of a map; NULL otherwise
    uint32_t key_line, key_column;
    uint32_t line, column; ///< from 1; 0 in JSON, whose errors name a JSON pointer
    uint32_t index;        ///< of an item of a list
    uint32_t count;        ///< children
    const document_node *parent;
    document_node *first, *last, *next; ///< children in file order; next sibling
};

/// Reads a file into `a`. The kind is decided by the name (".json") of `path`. Fails with
/// ZT_ERR_FORMAT ("FILE:LINE:COL: what (expected)") or ZT_ERR_LIMIT.
zt_result document_read(arena *a, const char *path, file_bytes bytes, document_node **out_root,
                        zt_error *err);
/// The two readers behind it.
zt_result document_read_yaml(arena *a, const char *path, file_bytes bytes, document_node **out_root,
                             zt_error *err);
zt_result document_read_json(arena *a, const char *path, file_bytes bytes, document_node **out_root,
                             zt_error *err);

/// Appends a child to a map or list; `key` NULL for a list. Refuses a key that is there already and
/// counts that exceed the limits.
zt_result document_append(const char *path, document_node *parent, document_node *child,
                          zt_error *err);
/// The member of a map, or NULL.
const document_node *document_member(const document_node *map, const char *key);

enum { DOCUMENT_LOCATION_SIZE = 512 };
/// "FILE:LINE:COL" or "FILE:/json/pointer" (a long one ends with "/..."), for messages. With
/// `at_key` the place of its key.
const char *document_location(const char *path, const document_node *node, bool at_key,
                              char out[DOCUMENT_LOCATION_SIZE]);
/// "a number", "a list"..., for messages.
const char *document_kind_name(document_kind kind);

#endif
