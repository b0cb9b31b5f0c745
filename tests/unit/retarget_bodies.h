// SPDX-License-Identifier: MIT
/// Human rigs of known names with bones of any orientation and length, for tests of retargeting.
#pragma once

#include "random_numbers.h"
#include "retarget/retarget.h"

#define DEG (3.14159265358979323846 / 180.0)

enum { RIG_NODES = RIG_PART_COUNT + 1, KEYS = 9, NAME_SIZE = 64 };

/// A model with a body.
typedef struct body {
    zt_model model;
    model_node nodes[RIG_NODES];
    char names[RIG_NODES][NAME_SIZE];
    int32_t node_of[RIG_PART_COUNT]; ///< -1: none
    dvec3 joint[RIG_NODES];          ///< at rest, in the model
    model_clip clip;
    model_channel channels[RIG_NODES + 1];
    float times[RIG_NODES + 1][KEYS], values[RIG_NODES + 1][KEYS * 12];
} body;

/// Differences of a body from others.
typedef struct body_plan {
    int32_t kind;
    const char *prefix;
    uint64_t axes;   ///< seed of the orientations of its bones; 0: those of the model
    double scale;    ///< of its lengths
    double arms_deg; ///< how far arms hang: 0 is a T pose
    double thigh;    ///< share of the thigh in the length of the leg
    bool mirrored;   ///< all below a root of scale -1 along x
} body_plan;

extern const body_plan plain;
/// Between bodies_begin() and bodies_end().
extern budget memory;
extern arena scratch;

void bodies_begin(void);
void bodies_end(void);
/// In place of what `b`, zero at first, had before.
void make_body(body *b, const body_plan *plan);
void lay_out(body *b);
void animate(body *b, uint64_t seed, model_interpolation interpolation);
retarget_result retarget_body(body *to, const body *from, retarget_mode mode);
void pose_body(const body *b, double time_s, mat4 *world);
double joints_apart(const body *a, const body *b, double scale);
quat random_rotation(uint64_t *seed, double degrees);
