// SPDX-License-Identifier: MIT
/// The parts of model_diff(): things of two models, paired by their keys, and what differs in a
/// pair. What has [2] is of the old model and of the new one.
#pragma once

#include "base/hash.h"
#include "diff/model_diff.h"
#include "model/model.h"

#define DIFF_NONE UINT32_MAX

/// Keys of a thing, from the surest to the weakest; 0: it has none. A path begins at a root.
enum { KEY_BOTH, KEY_PATH, KEY_NAME, KEY_SHAPE, DIFF_KEYS };

typedef struct diff_thing {
    const char *name; ///< "": none
    uint64_t key[DIFF_KEYS];
    uint32_t partner; ///< number in the other model, or DIFF_NONE
    bool silent;      ///< not told where only one model has it
} diff_thing;

/// Things of one kind.
typedef struct diff_things {
    uint32_t count[2];
    diff_thing *list[2]; ///< [count]
} diff_things;

enum { DIFF_NODES, DIFF_MATERIALS, DIFF_CLIPS, DIFF_EXTENSIONS, DIFF_KINDS };
/// Parts that nodes and materials show are compared where they are.
enum { PART_MESH, PART_CAMERA, PART_LIGHT, PART_TEXTURE, PART_COUNT };

typedef struct differ {
    const zt_model *model[2];
    bool strict, same_format;
    arena *a, scratch; ///< scratch: of a mesh or clip
    zt_error *err;
    affine *world[2]; ///< [node] at rest
    double size;      ///< of the models: the largest coordinate
    diff_things things[DIFF_KINDS];
    hash_table told;              ///< 1: in use
    uint64_t *pairs;              ///< [slot] parts that were compared
    char text[600];               ///< of the thing at hand
    double worst_s;               ///< of the clip at hand
    const struct mesh_diff *mesh; ///< at hand
    model_changes *out;
} differ;

/// Appends to d->text, behind "; ". What does not fit is left out.
void diff_say(differ *d, const char *format, ...) ZT_PRINTF(2, 3);
/// Adds a change with d->text, and clears that. Without text a changed thing has not changed.
zt_result diff_tell(differ *d, const char *kind, const char *name, model_change_state state);
/// The distance of two transforms, as a share of their sizes.
#define DIFF_SAME_PLACE 1e-5 ///< is rounding
double diff_distance(const differ *d, const affine *a, const affine *b);
/// Lists `count` things of a model by KEY_NAME: `size` bytes each, which begin with their names.
zt_result diff_list(differ *d, diff_things *t, int side, uint32_t count, const void *first,
                    size_t size);
zt_result diff_pair(differ *d, diff_things *t);
/// Tells what only one model has, and what `compare` (NULL: nothing) says of the pairs.
zt_result diff_tell_all(differ *d, const diff_things *t, const char *kind,
                        zt_result (*compare)(differ *d, uint32_t a, uint32_t b));

zt_result diff_node(differ *d, uint32_t a, uint32_t b);
zt_result diff_material(differ *d, uint32_t a, uint32_t b);
/// Says what differs in the meshes that nodes show.
zt_result diff_mesh(differ *d, const model_node *const nodes[2], const affine world[2],
                    const char *name);
