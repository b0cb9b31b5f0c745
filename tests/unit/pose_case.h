// SPDX-License-Identifier: MIT
/// Random animated models for tests of poses.
#pragma once

#include "pose_oracle.h"

enum { ORACLE_NODES = 12, ORACLE_KEYS = 6, ORACLE_CHANNELS = 10, ORACLE_LAYERS = 3 };

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
/// Declares the case `c`, which is made from a seed and finishes with its block.
#define ORACLE_CASE(c, seed)                                                                       \
    __attribute__((cleanup(oracle_case_finish))) oracle_case c;                                    \
    oracle_case_init(&c, (seed))
double oracle_between(uint64_t *seed, double low, double high);
void oracle_random_rotation(uint64_t *seed, float out[4]);
