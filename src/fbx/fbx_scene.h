// SPDX-License-Identifier: MIT
/// The objects of an FBX file, their properties and connections, the same for all versions.
#pragma once

#include "base/dvec3.h"
#include "base/hash.h"
#include "fbx/fbx_tree.h"
#include "model/model_report.h"

typedef enum fbx_class {
    FBX_MODEL,
    FBX_GEOMETRY,
    FBX_MATERIAL,
    FBX_TEXTURE,
    FBX_VIDEO,
    FBX_DEFORMER,
    FBX_ATTRIBUTE,
    FBX_STACK,
    FBX_LAYER,
    FBX_CURVE_NODE,
    FBX_CURVE,
    FBX_OTHER
} fbx_class;

enum { FBX_NONE = -1, FBX_ROOT = 0 };

typedef struct fbx_object {
    fbx_class kind;
    const char *name; ///< without its class
    const char *type; ///< "Mesh", "LimbNode", "Skin"...
    int64_t id;       ///< of the file from 7.0 on
    const char *full; ///< the whole name, which is the identity before that
    const fbx_node *node;
    const fbx_node *properties; ///< NULL: none
    const fbx_node *defaults;   ///< of its class; NULL: none
    const void *made;           ///< the curve, layer, cluster or name made of it; NULL: not yet
    bool moves_scale;           ///< a stack moves its scale
} fbx_object;

/// `child` is used by `parent`, or by its property `name`.
typedef struct fbx_link {
    int32_t child, parent;
    const char *name; ///< "": by the whole
} fbx_link;

typedef struct fbx_scene {
    const fbx_tree *tree;
    arena *a;
    model_report *report; ///< the caller's
    uint32_t object_count;
    fbx_object *object; ///< [0] is the root of the nodes
    uint32_t link_count;
    const fbx_link *link;         ///< sorted by parent, in the file's order
    const uint32_t *first_link;   ///< [object_count + 1] of a parent
    const uint32_t *parent_link;  ///< [link_count] numbers of links, sorted by child
    const uint32_t *first_parent; ///< [object_count + 1] of a child
    hash_table slots;             ///< of objects, by identity
} fbx_scene;

zt_result fbx_scene_read(const fbx_tree *tree, model_report *report, fbx_scene *out, zt_error *err);

/// The next child of a kind (and type, unless NULL) from *at on, which begins with 0; -1: no more.
/// *out_link: its link, unless NULL.
int32_t fbx_next_child(const fbx_scene *s, int32_t parent, fbx_class kind, const char *type,
                       uint32_t *at, const fbx_link **out_link);
/// A walk over what the deformers of a type hold: clusters of skins, channels of blend shapes.
typedef struct fbx_walk {
    const char *deformer, *held; ///< types
    bool inside;                 ///< of the deformer `at`
    int32_t at;
    uint32_t deformer_at, held_at;
} fbx_walk;

/// The next one of a geometry; -1: no more.
int32_t fbx_walk_next(const fbx_scene *s, int32_t geometry, fbx_walk *w);
/// The first one; -1: none.
int32_t fbx_first_child(const fbx_scene *s, int32_t parent, fbx_class kind, const char *type);
/// The first user of a kind (and type, unless NULL); -1: none.
int32_t fbx_first_parent(const fbx_scene *s, int32_t child, fbx_class kind, const char *type);
/// The object that a value of a node means, by its number or name; -1: none, or no memory.
int32_t fbx_find_object(const fbx_scene *s, const fbx_node *node, uint32_t index);
/// The object of a name in files before 7.0; -1.
int32_t fbx_find_named(const fbx_scene *s, const char *full);

/// A property: `P` of version 7, `Property` of 6, without the defaults of its class. NULL: not
/// there.
const fbx_node *fbx_own_property(const fbx_scene *s, int32_t object, const char *name);
/// The numbers of a property, or of the default of its class; those that are absent or not finite
/// are `fallback`.
dvec3 fbx_property_vector(const fbx_scene *s, int32_t object, const char *name, dvec3 fallback);
double fbx_property_number(const fbx_scene *s, int32_t object, const char *name, double fallback);
int32_t fbx_property_integer(const fbx_scene *s, int32_t object, const char *name,
                             int32_t fallback);
/// The index of the first value of a property.
uint32_t fbx_property_values(const fbx_scene *s);
