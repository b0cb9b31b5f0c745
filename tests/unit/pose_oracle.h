// SPDX-License-Identifier: MIT
/// Poses of an instance in double, by recursion from the definitions: nothing is shared with
/// src/pose. A point goes up the hierarchy node by node; no matrix is ever multiplied.
#pragma once

#include "scene/scene.h"

enum { ORACLE_VERTICES = 48 }; ///< of each mesh of which oracle_bounds() finds the bounds

/// Where an instance is in its animation: followed in small steps from its start.
typedef struct oracle_motion {
    const scene_instance *instance;
    bool started;
    double time_s;
    double cycles;      ///< how far layers with `sync` have moved the bottom layer on
    double heading_deg; ///< root motion: about the model's +y, after which it is moved
    double displacement[3];
    double bend_m; ///< how far layers moved, times how fast they turned beyond their mean: rad/s
} oracle_motion;

/// Follows the motion to a later time. `root` says which node and channels; no more is used.
void oracle_follow(oracle_motion *motion, double time_s);

/// A node's local transform by the definition of layers, and one's weight. `cycles`: oracle_motion.
void oracle_local(const scene_instance *instance, int32_t node, double time_s, double cycles,
                  double t[3], double r[4], double s[3]);
double oracle_weight(const scene_layer *layer, double time_s);
/// The weights of the morph targets of a node's mesh, by the layers alone. [morph_count]
void oracle_morph_weights(const scene_instance *instance, int32_t node, double time_s,
                          double cycles, double *out);
/// One step of the hierarchy: a point of the node's space in that of its parent, from a local
/// transform of oracle_local (a node with a matrix has that one instead).
void oracle_to_parent(const model_node *node, const double t[3], const double r[4],
                      const double s[3], double p[3]);
/// Bounds of a scene of meshes of ORACLE_VERTICES vertices, without `sync` or root motion.
void oracle_bounds(const zt_scene *scene, double time_s, double out_min[3], double out_max[3]);

/// The smallest |cosine| of blended rotations since it was set: near 0 both arcs are as short.
extern double oracle_smallest_cosine;

/// a b, of quaternions x y z w.
void oracle_product(const double a[4], const double b[4], double out[4]);
/// Node `i` of a pose in lanes.
trs oracle_lane(const pose_block *blocks, int i);
/// The upper 3x3 of m times v.
void oracle_direction(mat4 m, const double v[3], double out[3]);
