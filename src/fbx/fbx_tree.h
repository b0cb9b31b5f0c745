// SPDX-License-Identifier: MIT
/// The tree of an FBX file, binary or text: nodes with values and children. The format is not
/// published; facts are from A. Bogdanov and C. Sagrado, "FBX binary file format specification"
/// (code.blender.org, 2013), Blender's io_scene_fbx, and files.
#pragma once

#include "base/arena.h"
#include "base/file.h"
#include "base/text_scan.h"

/// More than FBX_FEW children have a table.
enum { FBX_DEPTH_LIMIT = 64, FBX_OLDEST = 6000, FBX_FEW = 32 };

typedef enum fbx_kind {
    FBX_INTEGER,
    FBX_REAL,
    FBX_TEXT, ///< also words of text files without quotes, and bytes
    FBX_ARRAY
} fbx_kind;

typedef struct fbx_value {
    uint8_t kind;    ///< fbx_kind
    char type;       ///< of the elements of an array: f d i l b c of the file; 'D' decoded doubles
    bool packed;     ///< an array in a zlib stream
    bool big_endian; ///< an array of the file
    uint32_t count;  ///< elements, or characters of a text
    uint32_t size;   ///< bytes of an array in the file
    union {
        int64_t integer;
        double real;
        const void *bytes; ///< of a text or an array
    };
} fbx_value;

typedef struct fbx_node {
    const char *name; ///< not terminated
    uint32_t name_length;
    uint32_t value_count;
    const fbx_value *value;
    struct fbx_node *child, *next; ///< the first child, and the next one of the same parent
    size_t at;                     ///< byte in the file
    uint32_t child_count;
    struct fbx_index *index; ///< of the children; NULL: they are few
} fbx_node;

typedef struct fbx_tree {
    const char *path; ///< for messages
    file_bytes bytes;
    arena *a;        ///< of nodes and values, and of arrays that are asked for
    int32_t version; ///< 6100, 7400...
    bool is_text;
    fbx_node root;
} fbx_tree;

/// Fails with a place: a byte of a binary file, line and column of a text.
#define fbx_fail(tree, code, at, err, ...)                                                         \
    file_place_fail(                                                                               \
        &(file_place){.path = (tree)->path,                                                        \
                      .text = (tree)->is_text ? (const char *)(tree)->bytes.data : NULL},          \
        (code), (at), (err), __VA_ARGS__)
/// The readers of both forms. A tree of a version before FBX_OLDEST may be empty.
zt_result fbx_parse_binary(fbx_tree *tree, zt_error *err);
zt_result fbx_parse_text(fbx_tree *tree, zt_error *err);
/// Adds a zeroed node behind *tail, the last child of `parent` or NULL, which it becomes.
fbx_node *fbx_add_node(fbx_tree *tree, fbx_node *parent, fbx_node **tail);
/// Once all children are there.
zt_result fbx_index_children(const fbx_tree *tree, fbx_node *parent, zt_error *err);

bool fbx_is_named(const fbx_node *node, const char *name);
/// The first child of a name, or NULL. `node` may be NULL.
const fbx_node *fbx_child(const fbx_node *node, const char *name);
/// True when a value is this text. `node` may be NULL.
bool fbx_has_text(const fbx_node *node, uint32_t index, const char *text, size_t length);
/// The first child whose first value is this text, or NULL. `node` may be NULL.
const fbx_node *fbx_child_of_text(const fbx_node *node, const char *text, size_t length);
/// The next child of the same name, or NULL.
const fbx_node *fbx_next(const fbx_node *parent, const fbx_node *node);

/// A value as a number; `fallback` when it is none or not there.
double fbx_number(const fbx_node *node, uint32_t index, double fallback);
int64_t fbx_integer(const fbx_node *node, uint32_t index, int64_t fallback);
/// A text of a node as a string in tree->a, with '?' for what is not UTF-8 and up to the first
/// zero;
/// "" when there is none. NULL: no memory.
const char *fbx_text(const fbx_tree *tree, const fbx_node *node, uint32_t index);
/// All numbers of a node: those of its array, or its values. *out_count is 0 for no node.
zt_result fbx_doubles(const fbx_tree *tree, const fbx_node *node, const double **out,
                      uint32_t *out_count, zt_error *err);
/// The same, as integers of 32 bits; others are INT32_MIN.
zt_result fbx_ints(const fbx_tree *tree, const fbx_node *node, const int32_t **out,
                   uint32_t *out_count, zt_error *err);
