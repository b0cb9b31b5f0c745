// SPDX-License-Identifier: MIT
#include "model/springs.h"

#include "base/quat.h"
#include "model/model_node.h"

#include <string.h>

bool spring_tree_init(spring_tree *tree, const model_node *nodes, uint32_t count, arena *a)
{
    *tree = (spring_tree){ARENA_ARRAY_RAW(a, int32_t, count), ARENA_ARRAY_RAW(a, int32_t, count),
                          ARENA_ARRAY_RAW(a, int32_t, count)};
    if (!tree->first || !tree->next || !tree->above)
        return false;
    model_find_bones_above(nodes, count, tree->above);
    memset(tree->first, 0xFF, count * sizeof *tree->first);
    for (uint32_t i = count; i-- > 0;) {
        const int32_t above = nodes[i].helper ? -1 : tree->above[i];
        tree->next[i] = above >= 0 ? tree->first[above] : -1;
        if (above >= 0)
            tree->first[above] = (int32_t)i;
    }
    return true;
}

int32_t spring_tree_after(const spring_tree *tree, int32_t root, int32_t node)
{
    if (tree->first[node] >= 0)
        return tree->first[node];
    while (node != root && tree->next[node] < 0)
        node = tree->above[node];
    return node == root ? -1 : tree->next[node];
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
