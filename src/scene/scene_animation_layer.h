// SPDX-License-Identifier: MIT
/// Layers of `animation`: their keys, the rules for keys that depend on each other, and layers that
/// start when others end.
#pragma once

#include "scene/scene_value.h"

/// References of a layer to others.
typedef struct scene_layer_links {
    const document_node *node;  ///< node of the layer
    const char *name;           ///< NULL: none
    const document_node *after; ///< the name of a layer; NULL: none
} scene_layer_links;

/// Adds to at_s of each layer with `after` the time at which that one ends: has played its clip
/// once, or `until`. Fails on unknown names, on names used twice, on layers that do not end, and on
/// those that wait for each other.
zt_result scene_sequence_layers(document_reader *r, const zt_model *model, scene_layer *layers,
                                const scene_layer_links *links, uint32_t count);

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
