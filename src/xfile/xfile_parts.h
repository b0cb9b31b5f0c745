// SPDX-License-Identifier: MIT
/// A model while its .x file is read, and the parts of the reader. Files are left-handed, with
/// matrices for row vectors: z is negated everywhere, and corners are taken in reverse.
#pragma once

#include "base/affine.h"
#include "base/hash.h"
#include "model/file_textures.h"
#include "model/model.h"
#include "model/model_origin.h"
#include "model/model_report.h"
#include "model/model_source.h"
#include "xfile/xfile_tree.h"

typedef struct xfile_reader {
    const model_source *source;
    xfile_tree tree;
    zt_model *model;
    arena *keep, *scratch;
    model_report report;
    uint32_t node_count, node_capacity;
    model_node *nodes;
    model_exact *exact;        ///< of them
    dvec3 middle;              ///< of the last mesh, see far_points.h
    hash_table frames;         ///< of nodes with names: the first of each
    uint32_t mesh_count;       ///< meshes of the file
    const xfile_object **mesh; ///< [mesh_count]
    int32_t *mesh_node;        ///< [mesh_count]
    uint32_t material_count;   ///< materials of the file; the next one is plain
    xfile_object **material;   ///< [material_count]
    hash_table material_names; ///< the first of each name
    model_material *materials;
    uint32_t lost_faces, lost_weights;
} xfile_reader;

/// Nodes for frames and meshes; lists meshes and materials.
zt_result xfile_make_nodes(xfile_reader *r, zt_error *err);
zt_result xfile_add_node(xfile_reader *r, int32_t parent, const char *name, int32_t *out,
                         zt_error *err);
/// The slot of a name in r->material_names.
uint32_t *xfile_material_slot(const xfile_reader *r, const char *name);
/// The node of a frame by its name; -1.
int32_t xfile_find_node(const xfile_reader *r, const char *name);
zt_result xfile_make_materials(xfile_reader *r, zt_error *err);
zt_result xfile_make_meshes(xfile_reader *r, zt_error *err);
zt_result xfile_make_clips(xfile_reader *r, zt_error *err);
/// Sixteen numbers from `first` on as a map of our space; false: they are not there, or too large.
bool xfile_matrix(const xfile_object *object, uint32_t first, affine *out);
