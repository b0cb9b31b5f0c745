// SPDX-License-Identifier: MIT
/// The header of a PLY file: which elements follow, and of which values they are.
#pragma once

#include "base/file.h"
#include "base/text_scan.h"

enum { PLY_PROPERTIES_MAX = 1024, PLY_ELEMENTS_MAX = 64, PLY_TEXTURES_MAX = 1024 };

typedef enum ply_encoding { PLY_TEXT, PLY_LITTLE_ENDIAN, PLY_BIG_ENDIAN } ply_encoding;

typedef enum ply_type {
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT,
    PLY_DOUBLE,
    PLY_TYPE_COUNT
} ply_type;

/// Bytes of a value.
uint32_t ply_type_size(ply_type type);
/// The value that stands for 1 in a colour: 255, 65535 or 1.
double ply_type_one(ply_type type);

typedef struct ply_property {
    const char *name; ///< lower case
    ply_type type;    ///< of the value, or of the values of a list
    ply_type length;  ///< of the number of values of a list
    bool is_list;
} ply_property;

typedef struct ply_element {
    const char *name; ///< lower case
    uint64_t count;
    const ply_property *properties;
    uint32_t property_count;
} ply_element;

typedef struct ply_header {
    ply_encoding encoding;
    uint32_t element_count;
    ply_element elements[PLY_ELEMENTS_MAX];
    uint32_t texture_count, texture_capacity;
    const char **texture; ///< [texture_count] of "TextureFile NAME", mostly in comments
    uint64_t unknown;     ///< lines that are not known
    size_t size;          ///< bytes up to the data
} ply_header;

/// Reads the header; names are kept in `a`. ZT_ERR_FORMAT with line and column.
zt_result ply_header_read(const char *path, file_bytes bytes, arena *a, ply_header *out,
                          zt_error *err);
/// The place of a property of an element, by name; -1: it has none.
int32_t ply_find(const ply_element *element, const char *name);
