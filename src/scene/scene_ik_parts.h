// SPDX-License-Identifier: MIT
/// What the readers of `ik` share.
#ifndef ZT_SCENE_SCENE_IK_PARTS_H
#define ZT_SCENE_SCENE_IK_PARTS_H

#include "scene/scene_ik.h"
#include "scene/scene_parts.h"

/// A solver as it is read.
typedef struct ik_target {
    const scene_instance *instance; ///< its model is known
    scene_ik *ik;
} ik_target;

/// The node of a model that a name means, which must be able to turn.
zt_result scene_read_bone(scene_reader *r, const document_node *value, const zt_model *model,
                          int32_t *out_node);
/// `target`: a point, keys, or a bone. Which instance a model's name means is found later, by
/// scene_resolve_targets: `out` must stay where it is.
zt_result scene_read_target(scene_reader *r, const document_node *value, const ik_target *owner,
                            scene_target *out);
/// A bone of a model of the scene, by nodes that name them; found later like a target.
zt_result scene_wish_bone(scene_reader *r, const document_node *model, const document_node *bone,
                          scene_target *out);
zt_result scene_read_ik_ground(scene_reader *r, const document_node *value, scene_ground *out);

#endif
