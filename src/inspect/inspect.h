// SPDX-License-Identifier: MIT
/// The parts of zt_inspect: descriptions as JSON trees, and their text form.
#pragma once

#include "json/json.h"
#include "scene/scene.h"

/// Describes everything in a model.
json_value *inspect_model(json_builder *b, const zt_model *m);
/// The person of a VRM file, or NULL.
json_value *inspect_vrm(json_builder *b, const zt_model *m);
/// The tree as indented "key: value" lines, one per object of a list, for free(). NULL: no memory.
char *inspect_text(const json_value *tree);
/// Some fifteen lines for a person; as inspect_text() otherwise.
char *inspect_summary(const json_value *tree);
