// SPDX-License-Identifier: MIT
/// Materials of MTL files.
#pragma once

#include "obj/obj_line.h"

/// A picture and how it is laid on: u' = u * scale + offset.
typedef struct mtl_map {
    const char *name;   ///< NULL: none
    const char *longer; ///< with the word before it, which may be an option's value; NULL: none
    float offset[2], scale[2];
    float strength; ///< -bm
    bool clamp;
} mtl_map;

typedef enum mtl_slot {
    MTL_DIFFUSE,
    MTL_SPECULAR,
    MTL_EMISSIVE,
    MTL_ALPHA,
    MTL_BUMP,
    MTL_NORMAL,
    MTL_ROUGHNESS,
    MTL_METALLIC,
    MTL_SLOT_COUNT
} mtl_slot;

/// A material; NaN stands for values that are not there.
typedef struct mtl_material {
    const char *name;
    double diffuse[3], emissive[3]; ///< as written, 0 to 1
    double shininess, opacity, roughness, metallic, coat, coat_roughness;
    mtl_map map[MTL_SLOT_COUNT];
} mtl_material;

typedef struct mtl_list {
    mtl_material *material; ///< [count]
    uint32_t count, room;
} mtl_list;

/// Adds the materials of a file. ZT_ERR_FORMAT with line and column.
zt_result mtl_parse(text_scan *text, arena *a, mtl_list *out);
