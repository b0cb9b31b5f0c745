// SPDX-License-Identifier: MIT
#include "model/springs.h"

#include "base/quat.h"
#include "model/model.h"

#include <string.h>

int32_t *spring_tree(const model_node *nodes, uint32_t count, int32_t root, arena *a)
{
    int32_t *child = ARENA_ARRAY_RAW(a, int32_t, count);
    for (uint32_t i = 0; child && i < count; i++) { // parents come first
        const int32_t parent = nodes[i].parent;
        const bool below = parent >= 0 && child[parent] != SPRING_OUTSIDE;
        child[i] = (int32_t)i == root || below ? SPRING_LEAF : SPRING_OUTSIDE;
        if (below && child[parent] == SPRING_LEAF)
            child[parent] = (int32_t)i;
    }
    return child;
}

void spring_tip(const model_node *node, double length, double out[3])
{
    dvec3 along = dvec3_from_floats(node->rest.t);
    if (node->parent < 0 || !dvec3_normalize(&along, 0.0))
        along = (dvec3){0.0, 1.0, 0.0};
    const quat rotation = quat_from_floats(node->rest.r);
    dvec3_store(dvec3_scale(quat_rotate(quat_conjugate(rotation), along), length), out);
}

bool spring_builder_init(spring_builder *b, uint32_t node_count, uint32_t chain_capacity, arena *a)
{
    *b = (spring_builder){.node_count = node_count,
                          .chain_capacity = chain_capacity,
                          .of_node = ARENA_ARRAY(a, spring_link, node_count),
                          .chains = ARENA_ARRAY(a, spring_chain, chain_capacity)};
    for (uint32_t i = 0; b->of_node && i < node_count; i++)
        b->of_node[i].head = -1;
    return b->of_node && b->chains;
}

bool spring_builder_add(spring_builder *b, const spring_link *link)
{
    spring_link *slot = &b->of_node[link->head];
    spring_chain *chain = &b->chains[link->chain];
    if (slot->head >= 0)
        return false;
    *slot = *link;
    if (chain->link_count++ == 0)
        chain->root = link->head;
    chain->collider_count = link->collider_count;
    b->link_count++;
    return true;
}

const model_springs *spring_builder_finish(const spring_builder *b,
                                           const spring_collider *colliders,
                                           uint32_t collider_count, arena *keep)
{
    model_springs *out = ARENA_ARRAY(keep, model_springs, 1);
    spring_link *links = ARENA_ARRAY(keep, spring_link, b->link_count);
    spring_chain *chains = ARENA_ARRAY(keep, spring_chain, b->chain_count);
    if (!out || !links || !chains)
        return NULL;
    if (b->chain_count > 0)
        memcpy(chains, b->chains, b->chain_count * sizeof *chains);
    *out = (model_springs){.chain_count = b->chain_count,
                           .collider_count = collider_count,
                           .chains = chains,
                           .links = links,
                           .colliders = colliders};
    for (uint32_t i = 0; i < b->node_count; i++)
        if (b->of_node[i].head >= 0)
            links[out->link_count++] = b->of_node[i];
    return out;
}
