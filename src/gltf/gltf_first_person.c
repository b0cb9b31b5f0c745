// SPDX-License-Identifier: MIT
/// Who sees which parts of a person (VRMC_vrm 1.0, firstPerson.md; VRM 0.x, firstPerson): others,
/// as in all pictures, or with source->first_person the person itself, without its head.
#include "gltf/gltf_parts.h"

#include <string.h>

/// The nodes of the file, and whose meshes are shown to a person as they are.
typedef struct person {
    gltf_file *file;
    gltf_nodes *nodes;
    zt_model *model;
    bool newer;
    bool *whole;  ///< [nodes] not those of the kind auto, which lose the head
    bool *erased; ///< [nodes] the head, and all below it
} person;

static void hide(model_node *node)
{
    node->visible = false;
    node->shown = 0.0f;
}

/// One node, or in 0.x all with a mesh.
static zt_result annotate(const person *p, const json_pointer *entry)
{
    const char *type;
    int32_t index;
    ZT_TRY(gltf_text(p->file->log, entry, p->newer ? "type" : "firstPersonFlag", &type));
    ZT_TRY(gltf_member_index(p->file, entry, p->newer ? "node" : "mesh",
                             p->newer ? GLTF_NODES : GLTF_MESHES, &index));
    if (!type || index < 0)
        return ZT_OK;
    const bool only_itself = strcmp(type, p->newer ? "firstPersonOnly" : "FirstPersonOnly") == 0;
    const bool only_others = strcmp(type, p->newer ? "thirdPersonOnly" : "ThirdPersonOnly") == 0;
    const bool both = strcmp(type, p->newer ? "both" : "Both") == 0;
    for (uint32_t i = 0; i < p->nodes->count; i++) {
        if (p->newer ? (int32_t)i != p->nodes->node_index[index] : p->nodes->node[i].mesh != index)
            continue;
        if (p->file->source->first_person ? only_others : only_itself)
            hide(&p->nodes->node[i]);
        p->whole[i] = both || only_itself;
    }
    return ZT_OK;
}

/// True when the head, or a bone below it, moves a vertex.
static bool is_of_head(const person *p, const model_skin *skin, const model_mesh *mesh,
                       uint32_t vertex)
{
    for (int k = 0; k < 4; k++) {
        if (mesh->weights[vertex].weight[k] > 0.0f &&
            p->erased[skin->joint_node[mesh->joints[vertex].joint[k]]])
            return true;
        if (mesh->joints_more && mesh->weights_more[vertex].weight[k] > 0.0f &&
            p->erased[skin->joint_node[mesh->joints_more[vertex].joint[k]]])
            return true;
    }
    return false;
}

/// Takes the triangles of the head out of a meshlet; those after them move up.
static void erase_triangles(const person *p, const model_skin *skin, const model_mesh *mesh,
                            meshlet *m)
{
    uint8_t *corner[3];
    uint16_t kept = 0;
    for (int k = 0; k < 3; k++)
        corner[k] = (uint8_t *)(uintptr_t)mesh->meshlet_corner[k] + m->triangle_first;
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        bool erased = false;
        for (int k = 0; k < 3; k++)
            erased |=
                is_of_head(p, skin, mesh, mesh->meshlet_vertex[m->vertex_first + corner[k][t]]);
        if (!erased)
            for (int k = 0; k < 3; k++)
                corner[k][kept] = corner[k][t];
        kept = (uint16_t)(kept + !erased);
    }
    m->triangle_count = kept;
}

/// Takes the head out of the meshes that are not whole.
static void erase_head(const person *p)
{
    for (uint32_t i = 0; i < p->nodes->count; i++) {
        model_node *node = &p->nodes->node[i];
        if (p->whole[i] || node->mesh < 0)
            continue;
        const model_mesh *mesh = &p->model->meshes[node->mesh];
        if (node->skin < 0 || !mesh->joints) {
            if (p->erased[i])
                hide(node);
            continue;
        }
        const model_skin *skin = &p->model->skins[node->skin];
        for (uint32_t k = 0; k < mesh->meshlet_count; k++)
            erase_triangles(p, skin, mesh, (meshlet *)(uintptr_t)&mesh->meshlets[k]);
    }
}

static zt_result mark_head(person *p)
{
    ZT_TRY(ARENA_TAKE(p->file->scratch, &p->erased, p->nodes->count, "nodes", p->file->log->err));
    for (uint32_t i = 0; i < p->model->human_bone_count; i++)
        if (strcmp(p->model->human_bones[i].name, "head") == 0)
            p->erased[p->model->human_bones[i].node] = true;
    for (uint32_t i = 0; i < p->nodes->count; i++) { // parents come first
        const int32_t parent = p->nodes->node[i].parent;
        p->erased[i] |= parent >= 0 && p->erased[parent];
    }
    return ZT_OK;
}

zt_result gltf_read_first_person(gltf_file *file, gltf_nodes *nodes, zt_model *model)
{
    gltf_log *log = file->log;
    json_extension vrm;
    json_pointer first, list, entry;
    uint32_t count;
    person p = {.file = file, .nodes = nodes, .model = model};
    ZT_TRY(gltf_extension(log, &file->root, "VRMC_vrm", &vrm));
    p.newer = vrm.object.value != NULL;
    if (!p.newer)
        ZT_TRY(gltf_extension(log, &file->root, "VRM", &vrm));
    if (!vrm.object.value)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(file->scratch, &p.whole, nodes->count, "nodes", log->err));
    ZT_TRY(gltf_object(log, &vrm.object, "firstPerson", &first));
    ZT_TRY(gltf_array(log, &first, "meshAnnotations", &list, &count));
    for (uint32_t i = 0; i < count; i++) {
        ZT_TRY(gltf_entry(log, &list, i, &entry));
        ZT_TRY(annotate(&p, &entry));
    }
    if (!file->source->first_person)
        return ZT_OK;
    ZT_TRY(mark_head(&p));
    erase_head(&p);
    return ZT_OK;
}
