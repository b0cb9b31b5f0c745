// SPDX-License-Identifier: MIT
#include "render/supersample.h"

#include "film/film.h"

#include <string.h>

/// One pixel of `out`, and the fine ones that it is made of.
typedef struct reduction {
    const picture_planes *from;
    int32_t factor, x, y; ///< the first of the fine pixels
} reduction;

static void reduce_mean(const reduction *r, picture_plane plane, float *out)
{
    const float share = 1.0f / (float)(r->factor * r->factor);
    for (int c = 0; c < picture_plane_table[plane].kind.channels; c++) {
        float sum = 0.0f;
        for (int32_t i = 0; i < r->factor * r->factor; i++)
            sum = sum +
                  picture_plane_at(r->from, plane, r->x + i % r->factor, r->y + i / r->factor)[c];
        out[c] = sum * share;
    }
}

static void reduce_crypto(const reduction *r, picture_plane plane, float *out)
{
    const float share = 1.0f / (float)(r->factor * r->factor);
    crypto_list list = {0};
    for (int32_t i = 0; i < r->factor * r->factor * CRYPTO_RANKS; i++) {
        const int32_t pixel = i / CRYPTO_RANKS;
        const float *pair =
            picture_plane_at(r->from, plane, r->x + pixel % r->factor, r->y + pixel / r->factor) +
            2 * (i % CRYPTO_RANKS);
        uint32_t id;
        memcpy(&id, pair, sizeof id);
        crypto_add(&list, id, pair[1] * share);
    }
    crypto_write(&list, out);
}

/// The number of the nearest of the fine pixels, the first where several are.
static int32_t nearest_pixel(const reduction *r)
{
    int32_t nearest = 0;
    float least = *picture_plane_at(r->from, PLANE_DEPTH, r->x, r->y);
    for (int32_t i = 1; i < r->factor * r->factor; i++) {
        const float depth =
            *picture_plane_at(r->from, PLANE_DEPTH, r->x + i % r->factor, r->y + i / r->factor);
        if (!(depth < least))
            continue;
        nearest = i;
        least = depth;
    }
    return nearest;
}

static void reduce_planes(const reduction *r, uint32_t set, const picture_planes *out, int32_t x,
                          int32_t y)
{
    const int32_t nearest = picture_planes_any_nearest(set) ? nearest_pixel(r) : 0;
    for (int p = 0; p < PLANE_COUNT; p++) {
        if (!(set >> p & 1u))
            continue;
        float *to = picture_plane_at(out, (picture_plane)p, x, y);
        if (PICTURE_PLANES_CRYPTO >> p & 1)
            reduce_crypto(r, (picture_plane)p, to);
        else if (picture_plane_table[p].kind.nearest)
            memcpy(to,
                   picture_plane_at(r->from, (picture_plane)p, r->x + nearest % r->factor,
                                    r->y + nearest / r->factor),
                   (size_t)picture_plane_table[p].kind.channels * sizeof *to);
        else
            reduce_mean(r, (picture_plane)p, to);
    }
}

uint32_t supersample_planes(uint32_t set)
{
    return picture_planes_any_nearest(set) ? set | 1u << PLANE_DEPTH : set;
}

void supersample_reduce(const picture_planes *from, int32_t factor, const film_loops *loops,
                        const film_srgb *srgb, const picture_planes *out)
{
    const uint32_t set =
        picture_planes_present(out) & ~(out->sums ? (uint32_t)PICTURE_PLANE_COLOR8 : 0u);
    if (set & PICTURE_PLANE_COLOR8)
        loops->color_reduce(&(color_reduce_job){srgb, factor, &from->color8, &out->color8});
    for (int32_t y = 0; y < out->height && (set & ~(uint32_t)PICTURE_PLANE_COLOR8); y++)
        for (int32_t x = 0; x < out->width; x++)
            reduce_planes(&(reduction){from, factor, x * factor, y * factor}, set, out, x, y);
}
