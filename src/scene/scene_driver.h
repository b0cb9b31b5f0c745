// SPDX-License-Identifier: MIT
/// Reads drivers: a joint or a morph target, and the range that is mapped to 0 to 1.
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
