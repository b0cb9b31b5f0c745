// SPDX-License-Identifier: MIT
// Hashes per stage, in scene order.
#include "render/frame_stats.h"

static const uint64_t fnv_start = 0xcbf29ce484222325u, fnv_prime = 0x100000001b3u;

static uint64_t hash_more(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * fnv_prime;
    return hash;
}

uint64_t stage_hash_bytes(const void *bytes, size_t size)
{
    return hash_more(fnv_start, bytes, size);
}

uint64_t stage_hash_palettes(const geometry_frame *frame)
{
    uint64_t hash = fnv_start;
    for (uint32_t i = 0; i < frame->draw_count; i++) {
        const size_t size = frame->draws[i].matrix_count * sizeof(skin_matrix);
        hash = hash_more(hash, frame->draws[i].palette, size);
        hash = hash_more(hash, frame->draws[i].normals, size);
    }
    return hash;
}

uint64_t stage_hash_vertices(const geometry_frame *frame)
{
    uint64_t hash = fnv_start;
    for (uint32_t i = 0; i < frame->draw_count; i++) {
        const geometry_draw *d = &frame->draws[i];
        hash = hash_more(hash, d->position, d->mesh->vertex_count * sizeof *d->position);
        hash = hash_more(hash, d->attributes, d->mesh->vertex_count * sizeof *d->attributes);
    }
    return hash;
}

uint64_t stage_hash_geometry(const geometry_frame *frame, const shade_meshlet *meshlets)
{
    uint64_t hash = fnv_start;
    for (uint32_t i = 0; i < frame->meshlet_count; i++) {
        const geometry_draw *d = frame->meshlet_draw[i];
        const uint32_t count = d->mesh->meshlets[i - d->first_meshlet].vertex_count;
        hash = hash_more(hash, meshlets[i].homogeneous, count * sizeof *meshlets[i].homogeneous);
    }
    return hash;
}

uint64_t stage_hash_visibility(const tile_buffers *tile)
{
    const size_t samples = (size_t)tile->sample_count * TILE_SIZE * TILE_SIZE;
    const uint64_t hash = hash_more(fnv_start, tile->visibility.depth, samples * sizeof(float));
    return hash_more(hash, tile->visibility.id, samples * sizeof(uint32_t));
}
