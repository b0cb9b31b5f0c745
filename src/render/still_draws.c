// SPDX-License-Identifier: MIT
/// See still_draws.h. Draws are compared by all that their posed vertices follow from.
#include "render/still_draws.h"

#include "geometry/posed_meshlet.h"

#include <string.h>

enum { KEY_BYTES_MAX = 64 << 10 }; // what is larger is a crowd, which moves

void still_draws_clear(still_draws *s)
{
    arena_reset(&s->arena);
    s->key_size = 0;
    s->draws = NULL;
    s->has_contact = s->has_tree = false;
    memset(s->maps, 0, sizeof s->maps);
}

/// True when a draw's vertices follow from its mesh and its palette alone.
static bool is_comparable(const geometry_draw *draw)
{
    return !draw->posed_mesh && !draw->duals && !draw->outline && draw->morph_count == 0;
}

/// The size of the key; 0: the draws cannot be compared.
static size_t measure(const geometry_draw *draws, uint32_t count, uint32_t material_count)
{
    size_t size = material_count;
    for (uint32_t i = 0; i < count && size <= KEY_BYTES_MAX; i++) {
        if (!is_comparable(&draws[i]))
            return 0;
        size += sizeof draws[i].mesh + 2 * sizeof(uint32_t) + sizeof draws[i].needs_axes +
                draws[i].matrix_count * sizeof *draws[i].palette;
    }
    return size <= KEY_BYTES_MAX ? size : 0;
}

static uint8_t *append(uint8_t *to, const void *bytes, size_t size)
{
    memcpy(to, bytes, size);
    return to + size;
}

static void write_key(const geometry_draw *draws, uint32_t count, const uint8_t *flags,
                      uint32_t material_count, uint8_t *key)
{
    for (uint32_t i = 0; i < count; i++) {
        const geometry_draw *d = &draws[i];
        key = append(key, &d->mesh, sizeof d->mesh);
        key = append(key, &d->needs_axes, sizeof d->needs_axes);
        key = append(key, &d->first_material, sizeof d->first_material);
        key = append(key, &d->matrix_count, sizeof d->matrix_count);
        key = append(key, d->palette, d->matrix_count * sizeof *d->palette);
    }
    append(key, flags, material_count);
}

still_state still_draws_compare(still_draws *s, geometry_draw *draws, uint32_t count,
                                const uint8_t *flags, uint32_t material_count, arena *a)
{
    const size_t size = measure(draws, count, material_count);
    uint8_t *key = size > 0 ? arena_alloc_raw(a, size, 1) : NULL;
    if (!key) {
        still_draws_clear(s);
        return STILL_NEW;
    }
    write_key(draws, count, flags, material_count, key);
    const bool same = s->key_size == size && memcmp(s->key, key, size) == 0;
    if (same && s->draws) {
        for (uint32_t i = 0; i < count; i++)
            geometry_draw_share(&draws[i], &s->draws[i]);
        return STILL_KEPT;
    }
    still_draws_clear(s);
    uint8_t *copy = arena_alloc_raw(&s->arena, size, 1);
    if (!copy)
        return STILL_NEW;
    memcpy(copy, key, size);
    s->key = copy;
    s->key_size = size;
    return same ? STILL_LONGER : STILL_NEW;
}

void still_draws_keep(still_draws *s, const geometry_draw *draws, uint32_t count)
{
    s->draws = ARENA_ARRAY_RAW(&s->arena, geometry_draw, count);
    if (s->draws)
        memcpy(s->draws, draws, count * sizeof *draws);
}

void still_draws_keep_contact(still_draws *s, const shadow_map *map, const contact_heights *heights)
{
    s->map = *map;
    s->heights = *heights;
    s->has_contact = true;
}

bool still_draws_cast_alike(const uint8_t *flags, uint32_t material_count)
{
    unsigned any = 0;
    for (uint32_t i = 0; i < material_count; i++)
        any |= surface_meets_light(flags[i], false) ? flags[i] : 0u;
    return !(any & (SURFACE_MASKED | SURFACE_BLENDED));
}

static bool is_same_light(const shadow_light *a, const shadow_light *b)
{
    return a->kind == b->kind && memcmp(a->position, b->position, sizeof a->position) == 0 &&
           memcmp(a->direction, b->direction, sizeof a->direction) == 0 &&
           a->emitter == b->emitter &&
           memcmp(&a->outer_rad, &b->outer_rad, sizeof a->outer_rad) == 0 &&
           memcmp(&a->blur, &b->blur, sizeof a->blur) == 0 && a->has_size == b->has_size &&
           a->size == b->size && a->default_size == b->default_size;
}

void still_draws_find_maps(still_draws *s, bool keeps, shadow_light *lights, int32_t *count)
{
    const bool comparable = *count == s->light_count;
    int32_t left = 0;
    s->light_count = *count <= STILL_LIGHTS ? *count : 0;
    for (int32_t i = 0; i < *count; i++) {
        shadow_light *light = &lights[i];
        const bool same = comparable && is_same_light(&s->lights[i], light);
        if (same && s->maps[i].map_count > 0) {
            light->maps->maps = s->maps[i].maps;
            light->maps->map_count = s->maps[i].map_count;
            continue;
        }
        if (same && keeps)
            light->arena = &s->arena;
        if (i < s->light_count && s->maps[i].map_count == 0)
            s->lights[i] = *light;
        lights[left++] = *light;
    }
    *count = left;
}

void still_draws_keep_maps(still_draws *s)
{
    for (int32_t i = 0; i < s->light_count; i++)
        if (s->lights[i].arena == &s->arena)
            s->maps[i] = *s->lights[i].maps;
}
