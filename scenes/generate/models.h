// SPDX-License-Identifier: MIT
// The models, most of them one a feature of the golden images; each function says what must be
// visible. NAME_build adds to an empty model, which then becomes NAME.glb.
#pragma once

#include "built_model.h"

// clang-format off
#define MODELS(X)                                                                                  \
    X(alpha_mask) X(arm) X(ball) X(blind) X(blob) X(blob_beast) X(brushed) X(casters) X(critter)   \
    X(door) X(double_sided) X(environment) X(face) X(figure) X(glass) X(head) X(interpolation)     \
    X(lobes) X(materials) X(mips) X(mirror_tangent) X(mirrored_instance) X(near_plane) X(pavement) \
    X(platform) X(points_lines) X(pulse) X(reflectance) X(relief) X(rifle) X(robot_arm) X(rod)     \
    X(slivers) X(stairs) X(still_life) X(strider) X(tentacle) X(ties) X(transmission)              \
    X(unlit_glass) X(veils) X(vertex_colors) X(walker_moves) X(weights) X(wraps)
// clang-format on

#define DECLARE_BUILD(name) void name##_build(built_model *m);
MODELS(DECLARE_BUILD)
#undef DECLARE_BUILD

/// A VRM file.
void puppet_build(built_model *m);

/// The walker and its beast, in all their formats, and a picture of light.
void walker_write(const char *folder);
void courtyard_write(const char *folder);
