// SPDX-License-Identifier: MIT
// Planes of Cryptomatte: shares of opaque samples, of fragments by alpha in what those before them
// leave, and of the ground. Glass counts by its alpha, too, as in the albedo: its ids lie where it
// is seen.
#include "film/film.h"

#include <string.h>

void crypto_add(crypto_list *list, uint32_t id, float share)
{
    int at = 0, least = 0;
    for (; at < CRYPTO_IDS_MAX && list->id[at] != id && list->id[at] != 0; at++)
        least = list->share[at] < list->share[least] ? at : least;
    if (id == 0 || !(share > 0.0f) || (at == CRYPTO_IDS_MAX && share <= list->share[least]))
        return;
    if (at == CRYPTO_IDS_MAX) // the least goes
        list->share[at = least] = 0.0f;
    list->id[at] = id;
    list->share[at] = list->share[at] + share;
}

void crypto_write(crypto_list *list, float *pixel)
{
    memset(pixel, 0, 2 * CRYPTO_RANKS * sizeof *pixel);
    for (int rank = 0; rank < CRYPTO_RANKS; rank++) {
        int best = 0;
        for (int i = 1; i < CRYPTO_IDS_MAX && list->id[i] != 0; i++)
            if (list->share[i] > list->share[best] ||
                (list->share[i] == list->share[best] && list->id[i] < list->id[best]))
                best = i;
        if (!(list->share[best] > 0.0f))
            return;
        memcpy(&pixel[2 * rank], &list->id[best], sizeof *pixel);
        pixel[2 * rank + 1] = list->share[best];
        list->share[best] = 0.0f;
    }
}

/// Adds what sample `s` of a pixel shows: its fragments from the nearest on, then what is opaque.
static void add_sample(const shade_planes *planes, const tile_buffers *t, const tile_fragments *f,
                       const fragment_colors *from, int plane, int32_t pixel, int32_t s,
                       crypto_list *list)
{
    const float share = 1.0f / (float)t->sample_count;
    float before = 1.0f;
    for (uint32_t i = f ? f->first[pixel + 1] : 0; f && i-- > f->first[pixel];) {
        const sorted_fragment *sorted = &f->sorted[i];
        if (!(sorted->samples >> s & 1u))
            continue;
        const float after = before * (1.0f - from->color[sorted->fragment][3]);
        crypto_add(list, from->id[plane][sorted->fragment], (before - after) * share);
        before = after;
    }
    const uint32_t *first = &t->blocks[pixel / 16].first[pixel % 16];
    for (uint32_t v = first[0]; t->touched && v < first[1]; v++) {
        uint32_t id;
        memcpy(&id, &planes->channel[plane][v], sizeof id);
        if (t->visible.id[v] == t->visibility.id[pixel * t->sample_count + s])
            crypto_add(list, id, before * share);
    }
}

void film_crypto(const shade_buffers *s, const tile_buffers *t, const tile_fragments *f,
                 const fragment_colors *from, const tile_blend *blend, const film_stage *stage,
                 tile_rect rect)
{
    const int32_t end = f ? f->end_block : TILE_BLOCK_COUNT;
    for (int32_t pixel = f ? f->first_block * 16 : 0; pixel < end * 16; pixel++) {
        const int32_t block = pixel / 16, x = block % TILE_BLOCKS * 4 + pixel % 4;
        const int32_t y = block / TILE_BLOCKS * 4 + pixel / 4 % 4;
        const uint32_t black = blend->black_place ? blend->black_place[block] : 0;
        const bool blends = blend->pixels && blend->pixels[block] >> pixel % 16 & 1u && !black;
        const bool own = f ? f->first[pixel] < f->first[pixel + 1] : !blends;
        for (int p = 0; p < PLANE_COUNT && own && x < rect.width && y < rect.height; p++) {
            crypto_list list = {0};
            if (!(stage->crypto_set >> p & 1u))
                continue;
            if (black > 0 && p != PLANE_CRYPTO_BONE)
                crypto_add(&list, stage->frame->ids.ground,
                           blend->black[16 * (black - 1) + (uint32_t)pixel % 16]);
            for (int32_t sample = 0; sample < t->sample_count && black == 0; sample++)
                add_sample(s->color.planes, t, f, from, p, pixel, sample, &list);
            crypto_write(&list,
                         picture_plane_at(stage->target, (picture_plane)p, rect.x + x, rect.y + y));
        }
    }
}
