// SPDX-License-Identifier: MIT
/// The parts of zt_inspect: descriptions as JSON trees, and their text form.
#pragma once

#include "json/json.h"
#include "scene/scene.h"

#include <stdio.h>

/// Describes everything in a model.
json_value *inspect_model(json_builder *b, const zt_model *m);
/// The person of a VRM file, or NULL.
json_value *inspect_vrm(json_builder *b, const zt_model *m);
/// The tree as indented "key: value" lines, one per object of a list.
void inspect_text(FILE *out, const json_value *tree);
/// Some fifteen lines for a person.
void inspect_summary(FILE *out, const json_value *tree);
