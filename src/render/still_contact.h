// SPDX-License-Identifier: MIT
/// The contact shadow of draws that stand still, kept from frame to frame of a scene.
#pragma once

#include "geometry/draw.h"
#include "shadow/contact_shadow.h"

typedef struct still_contact {
    arena arena;
    const uint8_t *key; ///< [key_size] the draws that `map` is, or will be, the shadow of
    size_t key_size;    ///< 0: of none
    bool made;
    shadow_map map;
    contact_heights heights;
} still_contact;

typedef enum still_state {
    STILL_NEW,   ///< the draws moved, or cannot be compared: the frame draws its own
    STILL_AGAIN, ///< they stood still for two frames: drawn in s->arena it can be kept
    STILL_MADE   ///< s->map and s->heights are their shadow
} still_state;

/// Forgets everything: before another scene, or another framing.
void still_contact_clear(still_contact *s);

/// Compares draws with those of the frame before. `flags`: [material_count] of surfaces that cast
/// it. `a`: for a copy of what is compared.
still_state still_contact_look(still_contact *s, const geometry_draw *draws, uint32_t count,
                               const uint8_t *flags, uint32_t material_count, arena *a);

/// Keeps what was drawn in s->arena.
void still_contact_keep(still_contact *s, const shadow_map *map, const contact_heights *heights);
