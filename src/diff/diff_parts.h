// SPDX-License-Identifier: MIT
/// The parts of model_diff(): things of two models, paired by their keys, and what differs in a
/// pair. What has [2] is of the old model and of the new one.
#pragma once

#include "diff/model_diff.h"
#include "model/model.h"

#define DIFF_NONE UINT32_MAX

/// Keys of a thing, from the surest to the weakest; 0: it has none. A path begins at a root.
enum { KEY_BOTH, KEY_PATH, KEY_NAME, KEY_SHAPE, DIFF_KEYS };

/// Things of one kind.
typedef struct diff_things {
    const char *kind;
    uint32_t count[2];
    const char **name[2]; ///< [count]; "": none
    uint64_t (*key[2])[DIFF_KEYS];
    bool *silent[2];      ///< [count] not told where only one model has it
    uint32_t *partner[2]; ///< [count] number in the other model, or DIFF_NONE
} diff_things;

typedef struct differ {
    const zt_model *model[2];
    bool strict, same_format;
    arena *a;
    zt_error *err;
    affine *world[2]; ///< [node] at rest
    double size;      ///< of the models: the largest coordinate
    diff_things nodes, materials, clips, extensions;
    uint32_t *told[4]; ///< by part of a node: [old thing] 1 + the new one it was compared with
    uint32_t *texture; ///< [old texture] the same
    char text[600];    ///< of the thing at hand
    double worst_s;    ///< of the clip at hand
    const struct mesh_diff *mesh; ///< at hand
    model_changes *out;
} differ;

/// Appends to d->text, behind "; ". What does not fit is left out.
void diff_say(differ *d, const char *format, ...) ZT_PRINTF(2, 3);
/// Adds a change with d->text, and clears that. Without text a changed thing has not changed.
zt_result diff_tell(differ *d, const char *kind, const char *name, model_change_state state);
/// True when two transforms are the same up to rounding.
bool diff_same_place(const differ *d, const affine *a, const affine *b);
/// Lists `count` things of a model, whose names are `stride` bytes from each other, by KEY_NAME.
zt_result diff_things_list(differ *d, diff_things *things, int side, uint32_t count,
                           const void *names, size_t stride);
#define LIST(d, things, side, count, list)                                                         \
    diff_things_list(d, things, side, count, (list) ? &(list)->name : NULL, sizeof *(list))
zt_result diff_things_pair(differ *d, diff_things *things);
/// Tells what only one model has, and what `compare` (NULL: nothing) says of the pairs.
zt_result diff_things_tell(differ *d, const diff_things *things,
                           zt_result (*compare)(differ *d, uint32_t a, uint32_t b));

zt_result diff_node(differ *d, uint32_t a, uint32_t b);
zt_result diff_material(differ *d, uint32_t a, uint32_t b);
zt_result diff_clip(differ *d, uint32_t a, uint32_t b);
/// `nodes`: that show the meshes. Tells them as `name`.
zt_result diff_mesh(differ *d, const model_node *const nodes[2], const affine world[2],
                    const char *name);
