// SPDX-License-Identifier: MIT
/// Bones that swing: what VRM 1.0 (VRMC_springBone) and scenes say about hair, tails and antennae.
/// https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_springBone-1.0
///
/// A chain of joints a-b-c is two links: a rotates so that b is where its mass swings to, b so that
/// c is. Lengths are in the units of the node, which scale with it; forces are in the world.
#pragma once

#include "base/arena.h"

struct model_node;

/// A ball, or with from != to a capsule, that keeps tails out.
typedef struct spring_collider {
    int32_t node;
    double from[3], to[3], radius; ///< in the space and the units of the node
} spring_collider;

/// Forces are accelerations in sixtieths: 1 moves the tail by 1/60 m/s more in every sixtieth of a
/// second, as the specification's pseudocode does at 60 frames per second.
typedef struct spring_link {
    int32_t head;      ///< the node that is rotated
    int32_t tail;      ///< the node below it that swings; -1: `tip`
    double tip[3];     ///< in the space of the head
    double stiffness;  ///< force towards the direction that the clips give, at least 0
    double drag;       ///< share of the speed that is lost in a sixtieth of a second, 0 to 1
    double gravity[3]; ///< force in the world
    double radius;     ///< of the ball at the tail, in the units of the head
    int32_t center;    ///< the node in whose space the tail keeps its speed; -1: the world
    uint32_t chain;
    uint32_t collider_count;
    const uint32_t *colliders;
} spring_link;

typedef struct spring_chain {
    const char *name; ///< "" when the file gives none
    int32_t root;     ///< head of its first link
    uint32_t link_count, collider_count;
} spring_chain;

typedef struct model_springs {
    uint32_t chain_count, link_count, collider_count;
    const spring_chain *chains;
    const spring_link *links; ///< by rising head, which is parents first; no two with one head
    const spring_collider *colliders;
} model_springs;

/// The first child of each node and the next child of its parent, by rising index, and its parent;
/// -1: none. Helpers are left out: what is below them is below their bone.
typedef struct spring_tree {
    int32_t *first, *next, *above;
} spring_tree;

/// For [count] nodes, in `a`. False: no memory.
bool spring_tree_init(spring_tree *tree, const struct model_node *nodes, uint32_t count, arena *a);
/// The node after `node` among `root` and all below it, parents first; -1: `node` is the last.
int32_t spring_tree_after(const spring_tree *tree, int32_t root, int32_t node);
/// A point `length` beyond the joint of a node, in its space, in the direction from its parent.
void spring_tip(const struct model_node *node, double length, double out[3]);

/// Links while they are collected.
typedef struct spring_builder {
    uint32_t node_count, link_count, chain_count;
    spring_link *of_node; ///< [node_count]; head -1: none
    spring_chain *chains; ///< [chain_capacity]
} spring_builder;

/// In `a`. False: no memory.
bool spring_builder_init(spring_builder *b, uint32_t node_count, uint32_t chain_capacity, arena *a);
/// Adds a link to its chain. False: its head has one.
bool spring_builder_add(spring_builder *b, const spring_link *link);
/// Copies the links to `keep` in their order, with colliders of there. NULL: no memory.
const model_springs *spring_builder_finish(const spring_builder *b,
                                           const spring_collider *colliders,
                                           uint32_t collider_count, arena *keep);
