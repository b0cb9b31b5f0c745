// SPDX-License-Identifier: MIT
/// Items of the build and the components of their objects -> nodes. Node 0 scales the unit and
/// turns z up.
#include "model/model_node.h"
#include "model/model_origin.h"
#include "threemf/threemf_parts.h"

#include <string.h>

typedef struct node_maker {
    threemf_package *p;
    model_node *nodes;
    model_exact *exact; ///< of them
    uint32_t count, capacity;
    model_mesh *meshes;
    zt_error *err;
} node_maker;

static zt_result add_node(node_maker *m, int32_t parent, const char *name, int32_t *out)
{
    if (m->count == THREEMF_NODES)
        return zt_fail(m->err, ZT_ERR_LIMIT, "%s: more than %d components", m->p->source->path,
                       (int)THREEMF_NODES);
    uint32_t capacity = m->capacity;
    ZT_TRY(ARENA_GROW(m->p->scratch, m->exact, m->count, capacity, "nodes", m->err));
    ZT_TRY(ARENA_GROW(m->p->scratch, m->nodes, m->count, m->capacity, "nodes", m->err));
    const char *kept = arena_text(m->p->keep, name, strlen(name));
    if (!kept || arena_cancelled_at(m->p->scratch, m->count))
        return arena_fail(kept ? m->p->scratch : m->p->keep, m->err, "nodes");
    m->nodes[m->count] = model_node_default(kept);
    m->nodes[m->count].parent = parent;
    m->exact[m->count] = model_exact_of(affine_identity());
    *out = (int32_t)m->count++;
    return ZT_OK;
}

static zt_result add_use(node_maker *m, const threemf_use *use, int32_t parent, int depth)
{
    threemf_object *o = threemf_find_object(m->p, use->object);
    int32_t number;
    if (!o)
        return zt_fail(m->err, ZT_ERR_FORMAT, "%s:%.100s: no object %u, which is used",
                       m->p->source->path, m->p->part[use->object.part], use->object.id);
    m->p->left_out |= o->kind;
    if (o->kind)
        return ZT_OK;
    if (depth == THREEMF_DEPTH)
        return zt_fail(m->err, ZT_ERR_LIMIT,
                       "%s: components in more than %d others, or in a circle", m->p->source->path,
                       THREEMF_DEPTH);
    ZT_TRY(add_node(m, parent, o->name, &number));
    model_node *node = &m->nodes[number];
    if (affine_fits_floats(&use->transform)) {
        m->exact[number] = model_exact_of(use->transform);
        node->has_matrix = !model_trs_from_affine(&use->transform, &node->rest);
        if (node->has_matrix)
            affine_to_floats(&use->transform, node->matrix[0]);
    }
    ZT_TRY(threemf_make_mesh(m->p, o, m->meshes, m->err));
    int32_t at = number;
    if (o->mesh >= 0 && dvec3_length(m->meshes[o->mesh].middle) > 0.0) {
        ZT_TRY(add_node(m, number, o->name, &at));
        model_place_middle(m->meshes[o->mesh].middle, &m->nodes[at], &m->exact[at]);
    }
    m->nodes[at].mesh = o->mesh;
    for (uint32_t i = 0; i < o->use_count; i++)
        if (!o->use[i].left_out)
            ZT_TRY(add_use(m, &o->use[i], number, depth + 1));
    return ZT_OK;
}

static zt_result set_root(node_maker *m)
{
    const model_source *source = m->p->source;
    const double unit_m = source->unit_um > 0 ? (double)source->unit_um * 1e-6 : m->p->unit_m;
    int32_t root;
    ZT_TRY(add_node(m, -1, "", &root));
    m->exact[root].local.m = up_axis_set(m->p->model->up, unit_m, &m->nodes[root].rest);
    return ZT_OK;
}

zt_result threemf_make_nodes(threemf_package *p, zt_error *err)
{
    node_maker m = {.p = p, .err = err};
    model_node *nodes;
    ZT_TRY(ARENA_TAKE(p->keep, &m.meshes, p->object_count, "meshes", err));
    ZT_TRY(set_root(&m));
    for (uint32_t i = 0; i < p->item_count; i++)
        ZT_TRY(add_use(&m, &p->item[i], 0, 0));
    ZT_TRY(ARENA_TAKE(p->keep, &nodes, m.count, "nodes", err));
    memcpy(nodes, m.nodes, m.count * sizeof *nodes);
    p->model->nodes = nodes;
    p->model->exact = p->source->at_origin ? m.exact : NULL;
    p->model->node_count = m.count;
    p->model->meshes = m.meshes;
    return ZT_OK;
}
