// SPDX-License-Identifier: MIT
/// Names in scene files: bones, clips, cameras, morph targets, models. Of equal ones the first.
#pragma once

#include "base/nearest_name.h"
#include "scene/scene_value.h"

/// The node of that name, otherwise the one at the end of that path ("Hips/Spine/Head", from any
/// node down), otherwise the one of that index; -1 when there is none.
int32_t scene_find_node(const zt_model *model, const char *name);
/// The clip of that name, otherwise of that index, otherwise the only one of that name behind the
/// one of an armature ("Armature|Walk"); -1 for "none", -2 when there is no such clip.
int32_t scene_find_clip(const zt_model *model, const char *name);
/// The node of a camera by its or the camera's name, or by index among cameras; -1: none.
int32_t scene_find_camera(const zt_model *model, const char *name);

/// True when `node` is below `ancestor` in the hierarchy.
bool scene_bone_is_below(const zt_model *model, int32_t node, int32_t ancestor);

/// The key `bone`: a node of `model`.
zt_result scene_read_bone(document_reader *r, const document_node *value, const zt_model *model,
                          int32_t *out_node);
/// A bone that the key of a member names and the scene can move: its local transform has no shear.
zt_result scene_read_bone_key(document_reader *r, const document_node *member,
                              const zt_model *model, int32_t *out_node);
/// A bone that a solver can rotate: the same.
zt_result scene_read_solver_bone(document_reader *r, const document_node *value,
                                 const zt_model *model, int32_t *out_node);
/// The key `model`: an instance of the scene.
zt_result scene_read_instance(document_reader *r, const document_node *value,
                              int32_t *out_instance);
/// Keys of model_of(r), value_fn with an int32_t as target: a bone, a bone that a solver can
/// rotate, a clip or -1.
zt_result scene_value_bone(document_reader *r, const document_node *value, void *target);
zt_result scene_value_solver_bone(document_reader *r, const document_node *value, void *target);
zt_result scene_value_clip(document_reader *r, const document_node *value, void *target);

/// Fails with "no KIND 'NAME' in OWNER (did you mean 'X'?)" or with some of the valid names. The
/// name, the word of the list, is of the node, or with `at_key` of its key; `owner` NULL: the
/// scene.
zt_result scene_fail_name(document_reader *r, const document_node *node, bool at_key,
                          const char *kind, const char *owner, const name_list *valid);
