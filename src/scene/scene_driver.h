// SPDX-License-Identifier: MIT
/// Reads drivers: a joint or a morph target, and the range that is mapped to 0 to 1. Names of morph
/// targets: those of meshes, then those from other files.
#pragma once

#include "scene/scene_read.h"

/// `driver` of a morph, a bone or a material. `target`: a scene_driver.
zt_result scene_read_driver(document_reader *r, const document_node *value, void *target);

// Its keys, which wrinkles have among their own. `target`: a scene_driver.
zt_result scene_read_driver_morph(document_reader *r, const document_node *value, void *target);
zt_result scene_read_driver_joint(document_reader *r, const document_node *value, void *target);
zt_result scene_read_driver_axis(document_reader *r, const document_node *value, void *target);
zt_result scene_read_driver_range(document_reader *r, const document_node *value, void *target);
/// Angles have no range by default. `value`: the map of the keys.
zt_result scene_check_driver(document_reader *r, const document_node *value,
                             const scene_driver *driver);

/// The number of targets of all meshes of an instance and of its own.
uint32_t scene_morph_target_total(const scene_instance *instance);
/// The text of `member`, or with `at_key` its key, is not the name of a target.
zt_result scene_fail_morph_target(document_reader *r, const document_node *member, bool at_key,
                                  const scene_instance *instance);
/// A morph target's name -> the first mesh node with it, and its index, the instance's last.
zt_result scene_read_morph_target(document_reader *r, const document_node *value, int32_t *out_node,
                                  uint32_t *out_target);
