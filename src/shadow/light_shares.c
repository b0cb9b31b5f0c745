// SPDX-License-Identifier: MIT
#include "shadow/light_shares.h"

/// Texel (0, 0) of a plane of 32-bit zeros with the borders of occlusion; NULL: no memory.
static void *plane_init(const occlusion_view *v, arena *a)
{
    const size_t stride = (size_t)v->stride, rows = (size_t)v->height + 2 * OCCLUSION_BORDER_ROWS;
    uint32_t *texel = ARENA_ARRAY(a, uint32_t, stride * rows);
    return texel ? texel + OCCLUSION_BORDER_ROWS * stride + OCCLUSION_BORDER_COLUMNS : NULL;
}

zt_result light_shares_init(light_shares *out, const occlusion_view *view, int32_t kinds,
                            int32_t samples, arena *a, zt_error *err)
{
    *out = (light_shares){.view = *view, .kinds = kinds, .samples = samples};
    ZT_TRY(ARENA_TAKE(a, &out->found, (size_t)kinds, "rays", err));
    ZT_TRY(ARENA_TAKE(a, &out->share, (size_t)kinds, "rays", err));
    out->depth = plane_init(view, a);
    out->id = plane_init(view, a);
    out->normal = plane_init(view, a);
    bool whole = out->depth && out->id && out->normal;
    for (int32_t k = 0; k < kinds; k++) {
        out->found[k] = plane_init(view, a);
        out->share[k] = plane_init(view, a);
        whole = whole && out->found[k] && out->share[k];
    }
    return whole ? ZT_OK : arena_fail(a, err, "rays");
}

void light_shares_add_tile(const light_shares *shares, const tile_buffers *t, tile_rect rect)
{
    const occlusion_view *v = &shares->view;
    for (int32_t y = 0; y < rect.height && t->touched; y += v->step)
        for (int32_t x = 0; x < rect.width; x += v->step) {
            const int32_t from = (y / 4 * TILE_BLOCKS + x / 4) * 16 + y % 4 * 4 + x % 4;
            const ptrdiff_t to =
                (ptrdiff_t)((rect.y + y) / v->step) * v->stride + (rect.x + x) / v->step;
            const float depth = t->visibility.depth[from];
            if (t->visibility.id[from] == ID_NONE || !(depth >= 0.0f))
                continue;
            shares->depth[to] = v->orthographic ? 1.0f + depth : depth;
            shares->id[to] = t->visibility.id[from];
        }
}
