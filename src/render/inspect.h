// SPDX-License-Identifier: MIT
/// The parts of zt_inspect: what it finds, and its text form.
#ifndef ZT_RENDER_INSPECT_H
#define ZT_RENDER_INSPECT_H

#include "scene/scene.h"

#include <jansson.h>

/// A text as a JSON string, also when it is no UTF-8; NULL is "".
json_t *inspect_string(const char *value);
/// Adds what the file says of itself, its size and the memory that the model takes.
void inspect_about(json_t *o, const zt_model *m);
/// Adds the bounds of a bare model's scene: as authored, and over frames of its shot when a clip
/// plays. What fails is left out.
void inspect_bounds(json_t *o, zt_scene *scene);
/// Indented "key: value" lines; lists of objects as one line each. malloc'd, or NULL.
char *inspect_text(json_t *tree);
/// Real numbers; infinite ones, which JSON has not, as null.
json_t *inspect_number(float value);
json_t *inspect_numbers(const float *value, int count);
/// Nodes, skins with the names of their joints, and clips (inspect_nodes.c).
json_t *inspect_nodes(const zt_model *m);
json_t *inspect_skins(const zt_model *m);
json_t *inspect_clips(const zt_model *m);
/// The materials with what they use (inspect_material.c).
json_t *inspect_materials(const zt_model *m);

#endif
