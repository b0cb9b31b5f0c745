// SPDX-License-Identifier: MIT
/// A layer of `animation`: its keys, and the rules for keys that depend on each other.
#pragma once

#include "scene/scene_sequence.h"

/// Reads a clip or a map. `bottom`: the bottom layer; NULL: this is it. out_value: its place in a
/// blend; NAN without the key.
zt_result scene_read_layer(document_reader *r, const document_node *value,
                           const scene_layer *bottom, scene_layer *out,
                           scene_layer_links *out_links, double *out_value);

/// True if the layer repeats a clip that is longer than 0 at a constant speed: NULL does not.
bool scene_layer_repeats(const zt_model *model, const scene_layer *layer);

/// Fails unless the track is a polynomial between its keys, and ends: weights and speeds are
/// integrated from key to key. `what`: names the track in the message.
zt_result scene_layer_check_integrable(document_reader *r, const document_node *value,
                                       const char *what, const track *t);
