// SPDX-License-Identifier: MIT
/// Names of morph targets: those of meshes, then those from other files.
#pragma once

#include "scene/scene_read.h"

/// The number of targets of all meshes of an instance and of its own.
uint32_t scene_morph_target_total(const scene_instance *instance);
/// The text of `member`, or with `at_key` its key, is not the name of a target.
zt_result scene_fail_morph_target(document_reader *r, const document_node *member, bool at_key,
                                  const scene_instance *instance);
/// A morph target's name -> the first mesh node with it, and its index, the instance's last.
zt_result scene_read_morph_target(document_reader *r, const document_node *value, int32_t *out_node,
                                  uint32_t *out_target);
