// SPDX-License-Identifier: MIT
/// Random animated models, and their posed bounds in double by recursion from the definitions:
/// nothing is shared with src/pose.
#ifndef ZT_POSE_ORACLE_H
#define ZT_POSE_ORACLE_H

#include "scene/scene.h"

enum {
    ORACLE_NODES = 12,
    ORACLE_VERTICES = 48,
    ORACLE_KEYS = 6,
    ORACLE_CHANNELS = 10,
    ORACLE_LAYERS = 3
};

typedef struct oracle_case {
    uint64_t seed;
    budget budget;
    arena scratch;
    zt_scene scene;
    scene_instance instances[2];
    scene_layer layers[2][ORACLE_LAYERS];
    float masks[2][ORACLE_LAYERS][POSE_LANES];
    double weights_at[2][ORACLE_LAYERS][4]; ///< two times and two weights
    zt_model model;
    model_node nodes[ORACLE_NODES];
    model_mesh meshes[2]; ///< the first is skinned
    vertex_position position[2][ORACLE_VERTICES];
    vertex_joints joints[ORACLE_VERTICES];
    vertex_weights weights[ORACLE_VERTICES];
    model_skin skin;
    int32_t joint_node[ORACLE_NODES];
    mat4 joint_from_bind[ORACLE_NODES];
    model_clip clip;
    model_channel channels[ORACLE_CHANNELS];
    float times[ORACLE_CHANNELS][ORACLE_KEYS];
    float values[ORACLE_CHANNELS][ORACLE_KEYS * 12];
    double keys[2][8]; ///< of the instances' tracks: a time, and numbers
} oracle_case;

/// A scene of two instances of one model of at most ORACLE_NODES nodes. The case must not move.
void oracle_case_init(oracle_case *c, uint64_t seed);
void oracle_case_finish(oracle_case *c);
void oracle_bounds(const zt_scene *scene, double time_s, double out_min[3], double out_max[3]);

/// The local transform of a node by the definition of layers, and the weight of one.
void oracle_local(const scene_instance *instance, int32_t node, double time_s, double t[3],
                  double r[4], double s[3]);
double oracle_weight(const scene_layer *layer, double time_s);
/// One step of the hierarchy: a point of the node's space in that of its parent, from a local
/// transform of oracle_local (a node with a matrix has that one instead).
void oracle_to_parent(const model_node *node, const double t[3], const double r[4],
                      const double s[3], double p[3]);

/// Node `i` of a pose in lanes.
trs oracle_lane(const pose_block *blocks, int i);
double oracle_between(uint64_t *seed, double low, double high);
void oracle_random_rotation(uint64_t *seed, float out[4]);
/// The upper 3x3 of m times v.
void oracle_direction(mat4 m, const double v[3], double out[3]);

#endif
