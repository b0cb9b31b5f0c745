// SPDX-License-Identifier: MIT
/// The tree of a DirectX .x file, text, binary or compressed: objects with numbers, texts and
/// further objects. Templates are passed over: separators mean nothing, and what is read is known.
/// Facts: P. Bourke, "Direct-X file format" (1999), and Microsoft, "X File Format Reference".
#pragma once

#include "base/arena.h"
#include "base/file.h"
#include "base/text_scan.h"

typedef struct xfile_object {
    const char *type, *name; ///< name "": none; "{NAME}" of another object has type ""
    uint32_t number_count, number_capacity;
    double *number;
    uint32_t text_count, text_capacity;
    const char **text;
    struct xfile_object *child, *last,
        *next;         ///< of its own the first and last; a sibling
    uint32_t material; ///< of a Material: its number
    size_t at;         ///< byte of the unpacked file
} xfile_object;

typedef struct xfile_tree {
    const char *path;
    arena *a;
    file_bytes bytes;              ///< after the header, unpacked
    size_t begin;                  ///< of these in the file: 16
    bool is_text, is_packed, wide; ///< wide: binary floats have 64 bits
    xfile_object root;
} xfile_tree;

enum { XFILE_DEPTH = 128 };

/// Fails with a place: line and column of a text, a byte of others.
#define xfile_fail(tree, code, at, err, ...)                                                       \
    file_place_fail(&(file_place){.path = (tree)->path,                                            \
                                  .text = (tree)->is_text && !(tree)->is_packed                    \
                                              ? (const char *)(tree)->bytes.data - (tree)->begin   \
                                              : NULL,                                              \
                                  .unpacked = (tree)->is_packed},                                  \
                    (code), (tree)->begin + (at), (err), __VA_ARGS__)
/// Reads the header, and unpacks what is compressed.
zt_result xfile_open(xfile_tree *tree, file_bytes file, zt_error *err);
/// Fills `root` from the bytes.
zt_result xfile_parse(xfile_tree *tree, zt_error *err);

/// The first child of a type, or NULL; and the next sibling of a type.
const xfile_object *xfile_child(const xfile_object *object, const char *type);
const xfile_object *xfile_next(const xfile_object *object);
/// A number; `fallback` where there is none or it is not finite.
double xfile_number(const xfile_object *object, uint32_t index, double fallback);
/// A whole number in [0, most], or `fallback`.
uint32_t xfile_count(const xfile_object *object, uint32_t index, uint32_t limit, uint32_t fallback);
