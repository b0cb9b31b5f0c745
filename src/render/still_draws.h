// SPDX-License-Identifier: MIT
/// Draws that stand still: their posed vertices, their contact shadow, their tree of triangles, and
/// their shadow maps of lights that stand still are kept from frame to frame of a scene.
#pragma once

#include "geometry/draw.h"
#include "shadow/contact_shadow.h"
#include "shadow/shadow_fit.h"
#include "trace/trace_collect.h"

enum { STILL_LIGHTS = 16 }; // more are too many to keep maps of

typedef struct still_draws {
    arena arena;
    const uint8_t *key;   ///< [key_size] the draws that the rest is of, or will be
    size_t key_size;      ///< 0: of none
    geometry_draw *draws; ///< with posed vertices; NULL: not yet
    bool has_contact;
    shadow_map map;
    contact_heights heights;
    shadow_light lights[STILL_LIGHTS]; ///< [light_count] of the maps, or of the frame before
    shadow_maps maps[STILL_LIGHTS];    ///< without maps where none are kept
    int32_t light_count;
    arena tree_arena;
    trace_posed tree; ///< of the frame before, in tree_arena, if rays were asked for
    bool has_tree;    ///< it is that of the draws
} still_draws;

typedef enum still_state {
    STILL_NEW,    ///< the draws moved, or cannot be compared
    STILL_LONGER, ///< they stood still for two frames: what is made in s->arena can be kept
    STILL_KEPT    ///< they have the posed vertices of an earlier frame
} still_state;

/// Forgets everything: before another scene, or another framing.
void still_draws_clear(still_draws *s);

/// Compares draws with those of the frame before. `flags`: [material_count] of their surfaces.
/// `a`: for a copy of what is compared.
still_state still_draws_compare(still_draws *s, geometry_draw *draws, uint32_t count,
                                const uint8_t *flags, uint32_t material_count, arena *a);

/// Keeps vertices that were posed in s->arena.
void still_draws_keep(still_draws *s, const geometry_draw *draws, uint32_t count);

/// Keeps a contact shadow that was drawn in s->arena.
void still_draws_keep_contact(still_draws *s, const shadow_map *map,
                              const contact_heights *heights);

/// True when what draws cast follows from their vertices and `flags`: no texture masks it, and no
/// factor of a material that the comparison does not see.
bool still_draws_cast_alike(const uint8_t *flags, uint32_t material_count);

/// The lights of a frame: those whose maps are kept get them and leave the list. `keeps`: maps of
/// lights that stood still since the frame before are to be drawn in s->arena.
void still_draws_find_maps(still_draws *s, bool keeps, shadow_light *lights, int32_t *count);

/// Keeps the maps that were drawn in s->arena by the same frame.
void still_draws_keep_maps(still_draws *s);
