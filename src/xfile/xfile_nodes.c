// SPDX-License-Identifier: MIT
/// Frames -> nodes. Node 0 turns and scales the file where the caller says so.
#include "model/model_node.h"
#include "xfile/xfile_parts.h"

#include <math.h>
#include <string.h>

bool xfile_matrix(const xfile_object *object, uint32_t first, affine *out)
{
    if (!object || object->number_count < 16 || first > object->number_count - 16)
        return false;
    const double *m = object->number + first;
    for (int i = 0; i < 16; i++)
        if (!(fabs(m[i]) < 1e30))
            return false;
    *out = (affine){{{m[0], m[1], -m[2]}, {m[4], m[5], -m[6]}, {-m[8], -m[9], m[10]}},
                    {m[12], m[13], -m[14]}};
    return affine_fits_floats(out);
}

typedef struct tree_counts {
    uint32_t frames, meshes, materials;
} tree_counts;

static bool is_type(const xfile_object *o, const char *type) { return strcmp(o->type, type) == 0; }

static void count_objects(const xfile_object *object, tree_counts *out)
{
    for (const xfile_object *o = object->child; o; o = o->next) {
        out->frames += is_type(o, "Frame");
        out->meshes += is_type(o, "Mesh");
        out->materials += is_type(o, "Material");
        count_objects(o, out);
    }
}

static void list_materials(xfile_reader *r, const xfile_object *object)
{
    for (xfile_object *o = object->child; o; o = o->next) {
        if (is_type(o, "Material")) {
            uint32_t *slot = xfile_material_slot(r, o->name);
            o->material = r->material_count;
            r->material[r->material_count++] = o;
            *slot = *slot ? *slot : r->material_count;
        }
        list_materials(r, o);
    }
}

uint32_t *xfile_material_slot(const xfile_reader *r, const char *name)
{
    uint32_t *slot = hash_table_first(&r->material_names, hash_text(HASH_START, name));
    while (*slot != 0 && strcmp(r->material[*slot - 1]->name, name) != 0)
        slot = hash_table_next(&r->material_names, slot);
    return slot;
}

static uint32_t *frame_slot(const xfile_reader *r, const char *name)
{
    return hash_table_text(&r->frames, &r->nodes->name, sizeof *r->nodes, name);
}

int32_t xfile_find_node(const xfile_reader *r, const char *name)
{
    return (int32_t)*frame_slot(r, name) - 1;
}

zt_result xfile_add_node(xfile_reader *r, int32_t parent, const char *name, int32_t *out,
                         zt_error *err)
{
    ZT_ASSERT(r->node_count < r->node_capacity);
    const char *kept;
    ZT_TRY(ARENA_TEXT(r->keep, &kept, name, "a name", err));
    r->nodes[r->node_count] = model_node_default(kept);
    r->nodes[r->node_count].parent = parent;
    r->exact[r->node_count] = model_exact_of(affine_identity());
    *out = (int32_t)r->node_count++;
    return ZT_OK;
}

static zt_result add_mesh(xfile_reader *r, const xfile_object *mesh, int32_t parent, bool own,
                          zt_error *err)
{
    int32_t node = parent;
    if (own)
        ZT_TRY(xfile_add_node(r, parent, mesh->name, &node, err));
    r->mesh[r->mesh_count] = mesh;
    r->mesh_node[r->mesh_count++] = node;
    return ZT_OK;
}

static zt_result add_frame(xfile_reader *r, const xfile_object *frame, int32_t parent, int32_t *out,
                           zt_error *err)
{
    affine local;
    ZT_TRY(xfile_add_node(r, parent, frame->name, out, err));
    model_node *node = &r->nodes[*out];
    uint32_t *slot = frame_slot(r, node->name);
    if (node->name[0] && *slot == 0)
        *slot = r->node_count;
    if (!xfile_matrix(xfile_child(frame, "FrameTransformMatrix"), 0, &local))
        return ZT_OK;
    r->exact[*out] = model_exact_of(local);
    if (r->source->at_origin)
        r->exact[*out].lacks = model_far_part(local.t);
    if (!model_trs_from_affine(&local, &node->rest)) {
        node->has_matrix = true;
        affine_to_floats(&local, node->matrix[0]);
    }
    return ZT_OK;
}

/// The frames and meshes in a frame, or in the file.
static zt_result add_children(xfile_reader *r, const xfile_object *object, int32_t parent,
                              zt_error *err)
{
    bool used = parent == 0; // the node has a mesh already; that of the file never has one
    for (const xfile_object *o = object->child; o; o = o->next) {
        int32_t node = 0;
        if (is_type(o, "Mesh")) {
            ZT_TRY(add_mesh(r, o, parent, used, err));
            used = true;
        } else if (is_type(o, "Frame")) {
            ZT_TRY(add_frame(r, o, parent, &node, err));
            ZT_TRY(add_children(r, o, node, err));
        }
    }
    return ZT_OK;
}

zt_result xfile_make_nodes(xfile_reader *r, zt_error *err)
{
    tree_counts count = {0};
    int32_t root = 0;
    count_objects(&r->tree.root, &count);
    r->node_capacity = 1 + count.frames + 2 * count.meshes; // those far away have two
    ZT_TRY(ARENA_TAKE(r->keep, &r->nodes, r->node_capacity, "nodes", err));
    ZT_TRY(ARENA_TAKE(r->scratch, &r->exact, r->node_capacity, "nodes", err));
    ZT_TRY(ARENA_TAKE(r->scratch, &r->mesh, count.meshes, "meshes", err));
    ZT_TRY(ARENA_TAKE(r->scratch, &r->mesh_node, count.meshes, "meshes", err));
    ZT_TRY(ARENA_TAKE(r->scratch, &r->material, count.materials, "materials", err));
    if (!hash_table_init(&r->frames, r->scratch, r->node_capacity) ||
        !hash_table_init(&r->material_names, r->scratch, count.materials))
        return arena_fail(r->scratch, err, "names");
    list_materials(r, &r->tree.root);
    ZT_TRY(xfile_add_node(r, -1, "", &root, err));
    const double unit_m = r->source->unit_um > 0 ? (double)r->source->unit_um * 1e-6 : 1.0;
    r->model->up = up_axis_mirrored(r->source->up);
    r->exact[0].local.m = up_axis_set(r->model->up, unit_m, &r->nodes[0].rest);
    return add_children(r, &r->tree.root, root, err);
}
