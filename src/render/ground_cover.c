// SPDX-License-Identifier: MIT
/// Parts of a tile where a black ground shows nothing.
#include "base/maths.h"
#include "render/ground.h"

enum {
    REGION_BLOCKS = 4, ///< a side: so many blocks are looked up together
    REGIONS = TILE_BLOCKS / REGION_BLOCKS,
};

/// Texels of the contact shadow below the point (px, py) of the picture.
static void texel_below(const frame_ground *g, const screen_view *v, float px, float py,
                        float out[2])
{
    float at[3], along[3];
    for (int k = 0; k < 3; k++) {
        const float ray = (v->ray[k] + v->ray_x[k] * px) + v->ray_y[k] * py;
        at[k] = v->transform.orthographic ? v->origin[k] + ray : v->origin[k];
        along[k] = v->transform.orthographic ? v->forward[k] : ray;
    }
    const float t = (g->shade.height - at[1]) / along[1];
    const float x = at[0] + along[0] * t, z = at[2] + along[2] * t;
    const float *rows[2] = {g->map.view.row_x, g->map.view.row_y};
    for (int k = 0; k < 2; k++)
        out[k] = ((rows[k][0] * x + rows[k][1] * g->shade.height) + rows[k][2] * z) + rows[k][3];
}

/// At least the darkness of the pixels from (x, y) of the picture on, all of which show the ground.
static float darkest(const frame_ground *g, const screen_view *view, int32_t x, int32_t y,
                     int32_t width, int32_t height)
{
    float min[2], max[2];
    for (int i = 0; i < 4; i++) {
        float texel[2];
        texel_below(g, view, (float)(i & 1 ? x + width : x), (float)(i & 2 ? y + height : y),
                    texel);
        for (int k = 0; k < 2; k++) {
            min[k] = i == 0 ? texel[k] : maths_minf(min[k], texel[k]);
            max[k] = i == 0 ? texel[k] : maths_maxf(max[k], texel[k]);
        }
    }
    for (int k = 0; k < 2; k++) { // rounding
        min[k] -= 0.01f;
        max[k] += 0.01f;
    }
    return g->shade.contact_strength * contact_shadow_darkest(&g->contact, min, max);
}

/// True when the blocks of a region may be darker than `alpha`. They are outside the picture, or in
/// the cover, or not known.
static bool is_dark(const frame_ground *g, const screen_view *view, tile_rect rect, float alpha,
                    const tile_cover *cover, int32_t x, int32_t y)
{
    const int32_t side = 4 * REGION_BLOCKS;
    for (int32_t j = y * REGION_BLOCKS; j < (y + 1) * REGION_BLOCKS; j++)
        for (int32_t i = x * REGION_BLOCKS; i < (x + 1) * REGION_BLOCKS; i++)
            if (!cover->is_covered[j * TILE_BLOCKS + i])
                return true;
    return darkest(g, view, rect.x + x * side, rect.y + y * side, side, side) > alpha;
}

bool ground_is_clear(const frame_ground *g, const screen_view *view, tile_rect rect, float alpha)
{
    return !g->has_contact || !(darkest(g, view, rect.x, rect.y, TILE_SIZE, TILE_SIZE) > alpha);
}

void ground_cover_limit(const frame_ground *g, const screen_view *view, tile_rect rect, float alpha,
                        tile_cover *cover)
{
    uint32_t kept = 0;
    if (!g->has_contact || (cover->count == TILE_BLOCK_COUNT &&
                            !(darkest(g, view, rect.x, rect.y, TILE_SIZE, TILE_SIZE) > alpha)))
        cover->count = 0;
    bool dark[REGIONS][REGIONS], known[REGIONS][REGIONS] = {{false}};
    for (uint32_t i = 0; i < cover->count; i++) {
        const int32_t x = cover->block[i] % TILE_BLOCKS / REGION_BLOCKS;
        const int32_t y = cover->block[i] / TILE_BLOCKS / REGION_BLOCKS;
        if (!known[y][x])
            dark[y][x] = is_dark(g, view, rect, alpha, cover, x, y);
        known[y][x] = true;
        if (!dark[y][x])
            continue;
        cover->block[kept] = cover->block[i];
        cover->id[kept++] = cover->id[i];
    }
    cover->count = kept;
}
