// SPDX-License-Identifier: MIT
/// Rays and the triangles that they hit. A hit is a property of one ray and one triangle, by the
/// arithmetic below, and the nearest of them does not depend on the tree that finds it.
///
/// Space: positions are relative to the centre of the scene and divided by a power of two, so that
/// the largest coordinate S of a vertex is at most 2 (trace_scene). A direction is divided by
/// another one, exactly, and components below 2^-80 of the largest become that, with their sign:
/// the ray is then this one. Its t is multiplied back, and that alone is compared: rounding, where
/// it is subnormal, and overflow keep the order. Below 2^60 no product of an edge overflows.
///
/// Edges: Woop, Benthin & Wald, "Watertight Ray/Triangle Intersection", 2013. The corners are
/// sheared so that the ray is the axis of its largest component, and U = Cx By - Cy Bx is rounded
/// after each product. The neighbour at an edge computes exactly -U, and rounding is monotone: the
/// sign of U is that of the sheared corners. Where the products are equal, doubles tell it, in
/// which products of floats are exact, also of subnormals. A corner or an edge counts as inside;
/// of a triangle seen edge-on nothing does, which its neighbours make good.
///
/// Boxes: a hit counts if the ray also passes the triangle's own box, widened by PAD S, S being of
/// the origin too; its t is clamped to the box. With u = 2^-24, coordinates relative to the origin
/// are at most 2 S. The sheared corner is off by at most 12 S u: 2 S u for each of the differences
/// along both axes, the rounded quotient and the product, and 4 S u for their difference. So the
/// ray, at the depth of a point of the triangle, is within 12 S u of it along both other axes. A t
/// of a plane is off by 7 S u along its axis: S u for the widened origin, 2 S u for the difference,
/// 4 S u for the inverse and the product. PAD is 32 u > 19 u: what passes the edges passes the box.
/// The rest covers squares of u, and underflow: at most 2^-147, while S is 0 or above 2^-100.
///
/// Trees: (plane - origin) * inverse is monotone in the plane, so all boxes around the triangle are
/// passed, and none begins later than its own. Only what begins behind the best hit is left out,
/// by a limit that covers all t that the multiplication makes equal to it, and of two hits at one t
/// the lower id counts.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TRACE_CHILDREN = 8, ///< children of a node, and triangles of a block
    TRACE_DEPTH_MAX = 64,
};
#define TRACE_LEAF     0x80000000u ///< a child that is a block of triangles
#define TRACE_NONE     0u          ///< no triangle: ids begin with 1
#define TRACE_FAR_AWAY 0x1p60f     ///< origins beyond hit nothing, vertices beyond are not hit

/// Eight boxes. A child that is absent has a box that no ray passes.
typedef struct trace_node {
    float bound[3][2][TRACE_CHILDREN]; ///< axis; low, high
    uint32_t child[TRACE_CHILDREN];    ///< index of a node, or of a block with TRACE_LEAF; 0: none
} trace_node;

/// Triangles of a leaf.
typedef struct trace_block {
    float corner[3][3][TRACE_CHILDREN]; ///< corner; axis
    uint32_t id[TRACE_CHILDREN];        ///< TRACE_NONE: no triangle, and its corners are NaN
} trace_block;

/// All triangles of a frame, and the tree over them.
typedef struct trace_scene {
    double centre[3]; ///< world space, metres
    float scale;      ///< a power of two; from metres to the space of the tree
    float extent;     ///< the largest coordinate of a vertex in that space
    double cost;      ///< surface of all boxes in that of the root, when the tree was built
    trace_node *nodes;
    trace_block *blocks;
    uint32_t node_count, block_count, triangle_count;
} trace_scene;

/// A ray in the space of the tree. One that is not finite, or whose direction is below 2^-126, hits
/// nothing. Hits count from (near, after) on: those at t == near if their id
/// is above `after`, up to t == far.
typedef struct trace_ray {
    float origin[3], direction[3];
    float near, far;
    uint32_t after; ///< the id of the hit before, in a march through them; 0: none
    uint32_t skip;  ///< the triangle that it starts on; TRACE_NONE: none
} trace_ray;

typedef struct trace_hit {
    uint32_t id; ///< TRACE_NONE: none
    float t;     ///< lengths of the direction
    float u, v;  ///< barycentric coordinates of corners 1 and 2
} trace_hit;

/// `count` rays one by one.
typedef struct trace_job {
    const trace_scene *scene;
    const trace_ray *rays;
    size_t count;
    trace_hit *hits; ///< of `nearest`
    bool *blocked;   ///< of `any`: true when something is hit
} trace_job;

typedef struct trace_loops {
    void (*nearest)(const trace_job *job);
    void (*any)(const trace_job *job);
} trace_loops;
