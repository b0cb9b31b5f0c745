// SPDX-License-Identifier: MIT
/// Transforms of nodes in double, for models far from the origin of their file.
#include "base/quat.h"
#include "gltf/gltf_parts.h"
#include "model/model_origin.h"

static double number_at(const json_value *list, size_t i, double otherwise)
{
    return list ? json_number(json_at(list, i)) : otherwise;
}

static dvec3 vector_at(const json_value *list, size_t i, double otherwise)
{
    return (dvec3){number_at(list, i, otherwise), number_at(list, i + 1, otherwise),
                   number_at(list, i + 2, otherwise)};
}

/// The transform of a node in double, from numbers that gltf_node.c has checked. A rotation in
/// float would misplace what is millions of metres away.
static void read_transform(const json_value *node, affine *out)
{
    const json_value *m = json_get(node, "matrix"), *r = json_get(node, "rotation");
    if (m) {
        out->m = (dmat3){vector_at(m, 0, 0.0), vector_at(m, 4, 0.0), vector_at(m, 8, 0.0)};
        out->t = vector_at(m, 12, 0.0);
        return;
    }
    quat q = {number_at(r, 0, 0.0), number_at(r, 1, 0.0), number_at(r, 2, 0.0),
              number_at(r, 3, 1.0)};
    const dvec3 s = vector_at(json_get(node, "scale"), 0, 1.0);
    if (!quat_normalize(&q))
        q = quat_identity();
    out->m = (dmat3){dvec3_scale(quat_rotate(q, (dvec3){1.0, 0.0, 0.0}), s.x),
                     dvec3_scale(quat_rotate(q, (dvec3){0.0, 1.0, 0.0}), s.y),
                     dvec3_scale(quat_rotate(q, (dvec3){0.0, 0.0, 1.0}), s.z)};
    out->t = vector_at(json_get(node, "translation"), 0, 0.0);
}

/// Most models have none, and pay for no search.
static bool any_far(const gltf_nodes *nodes)
{
    bool any = false;
    for (uint32_t i = 0; i < nodes->count && !any; i++) {
        const model_node *node = &nodes->node[i];
        any = model_exact_of(model_rest_step(node)).far;
    }
    return any;
}

zt_result gltf_read_exact(gltf_file *file, const gltf_nodes *nodes, zt_model *model)
{
    if (!file->source->at_origin || !any_far(nodes))
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(file->scratch, &model->exact, nodes->count, "nodes", file->log->err));
    for (uint32_t i = 0; i < nodes->count; i++) // those of instances are in no list
        model->exact[i] = model_exact_of(model_rest_step(&nodes->node[i]));
    for (uint32_t i = 0; i < file->list[GLTF_NODES].count; i++) {
        affine local;
        read_transform(json_at(file->list[GLTF_NODES].json.value, i), &local);
        model->exact[nodes->node_index[i]] = model_exact_of(local);
    }
    return ZT_OK;
}
