// SPDX-License-Identifier: MIT
/// Scenes of our models posed at a time, for tests: where their bones are.
#pragma once

#include "kernels/kernels.h"
#include "pose/ik_solver.h"
#include "testing.h"

/// The models of load(), and the matrices of the last pose(): [instance][node].
extern zt_scene posed_scene;
extern arena posed_scratch;
extern const mat4 *const *worlds;

/// Initialisation and end of a suite.
void posed_setup(void);
void posed_teardown(void);

/// Reads `models`, the text below the key of this name; paths are those of scenes/tests.
void load(const char *models);
/// As load(), of a text by a format.
__attribute__((format(printf, 1, 2))) void load_text(const char *format, ...);
/// Reads scenes/tests/NAME.yaml.
void load_file(const char *name);
/// The path of a model of other makers; without their folder the test ends.
const char *asset_path(const char *name, char out[600]);
void pose_with(const kernel_table *kernels, double time_s);
void pose(double time_s);

/// A bone by name; it must exist.
int find(uint32_t instance, const char *name);
const vec4 *world(uint32_t instance, const char *name);
dvec3 joint(uint32_t instance, const char *name);
double distance(const float a[3], const double b[3]);
double apart(const float a[3], const float b[3]);
/// The angle in degrees between a column of a matrix and the way to a point.
double angle_to(const vec4 *m, int column, double sign, const double to[3]);
