// SPDX-License-Identifier: MIT
/// Scene files from text: what was read, or why not. Paths: tests/cli/models, or fixture_folder.
#pragma once

#include "scene/scene.h"
#include "testing.h"

#define FOLDER ZT_SOURCE_DIR "/tests/cli/models/"
#define HEAD   "format: 1\nmodels:\n  - file: triangle.gltf\n"

/// Where relative paths begin; FOLDER unless a suite says otherwise.
extern const char *fixture_folder;

extern zt_scene scene;
extern zt_error err;
extern heard said;

/// Initialisation and end of a suite.
void setup(void);
void teardown(void);

/// `name` decides between YAML and JSON.
zt_result read_as(const char *name, const char *text);
zt_result read_yaml(const char *text);
void must_read(const char *text);
/// The message must say where (LINE:COLUMN) and hold `part`.
void must_fail(const char *text, const char *part);
void must_fail_json(const char *text, zt_result code, const char *part);
/// One number of a track at a time.
double at(const track *t, double time_s, int component);
