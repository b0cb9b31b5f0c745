// SPDX-License-Identifier: MIT
/// Layers that start when others end.
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
