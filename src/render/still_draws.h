// SPDX-License-Identifier: MIT
/// Draws that stand still: their posed vertices and their contact shadow are kept from frame to
/// frame of a scene.
#pragma once

#include "geometry/draw.h"
#include "shadow/contact_shadow.h"

typedef struct still_draws {
    arena arena;
    const uint8_t *key;   ///< [key_size] the draws that the rest is of, or will be
    size_t key_size;      ///< 0: of none
    geometry_draw *draws; ///< with posed vertices; NULL: not yet
    bool has_contact;
    shadow_map map;
    contact_heights heights;
} still_draws;

typedef enum still_state {
    STILL_NEW,   ///< the draws moved, or cannot be compared
    STILL_AGAIN, ///< they stood still for two frames: what is made in s->arena can be kept
    STILL_KEPT   ///< they have the posed vertices of an earlier frame
} still_state;

/// Forgets everything: before another scene, or another framing.
void still_draws_clear(still_draws *s);

/// Compares draws with those of the frame before. `flags`: [material_count] of their surfaces.
/// `a`: for a copy of what is compared.
still_state still_draws_look(still_draws *s, geometry_draw *draws, uint32_t count,
                             const uint8_t *flags, uint32_t material_count, arena *a);

/// Keeps vertices that were posed in s->arena.
void still_draws_keep(still_draws *s, const geometry_draw *draws, uint32_t count);

/// Keeps a contact shadow that was drawn in s->arena.
void still_draws_keep_contact(still_draws *s, const shadow_map *map,
                              const contact_heights *heights);
