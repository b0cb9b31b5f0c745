// SPDX-License-Identifier: MIT
#include "shadow/light_shares.h"

#include <math.h>

enum { FILTER_REACH = 2, FILTER_SIDE = 2 * FILTER_REACH + 1 };

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

/// The step of depth to the neighbour that is nearer in depth.
static float slope(float before, float at, float after)
{
    const float a = at - before, b = after - at;
    return before == 0.0f && after == 0.0f ? 0.0f : fabsf(a) < fabsf(b) ? a : b;
}

static float clamped(float x) { return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x; }

/// 1 for normals up to 25 degrees apart, 0 from 45 on.
static float alike(uint32_t a, uint32_t b)
{
    int32_t sum = 0;
    for (int shift = 0; shift < 24; shift += 8)
        sum += ((int32_t)(a >> shift & 255u) - 128) * ((int32_t)(b >> shift & 255u) - 128);
    return clamped(((float)sum * (1.0f / (127.0f * 127.0f)) - 0.7f) * 5.0f);
}

/// The weights of the neighbours of a texel by their place and surface: every place of a pattern of
/// 4x4 texels counts the same, as in the smoothing of occlusion.
static void weigh(const light_shares *s, ptrdiff_t at, float weight[FILTER_SIDE * FILTER_SIDE])
{
    const occlusion_view *v = &s->view;
    const float *depth = s->depth + at;
    const float slope_x = slope(depth[-1], depth[0], depth[1]);
    const float slope_y = slope(depth[-v->stride], depth[0], depth[v->stride]);
    const float to_off = 0.5f / (v->dx * (v->orthographic ? 1.0f / v->depth_range : depth[0]));
    for (int32_t j = -FILTER_REACH; j <= FILTER_REACH; j++)
        for (int32_t i = -FILTER_REACH; i <= FILTER_REACH; i++) {
            const ptrdiff_t to = (ptrdiff_t)j * v->stride + i;
            const float expected = (depth[0] + slope_x * (float)i) + slope_y * (float)j;
            const float off = fabsf(depth[to] - expected) * to_off;
            const float place = (i * i == 4 ? 0.5f : 1.0f) * (j * j == 4 ? 0.5f : 1.0f);
            const bool same = depth[to] > 0.0f && s->id[at + to] == s->id[at];
            *weight++ = same
                            ? place * clamped(1.0f - off) * alike(s->normal[at], s->normal[at + to])
                            : 0.0f;
        }
}

/// Shares that differ by more than noise does are of different light.
static float filtered(const float *found, ptrdiff_t stride, const float *weight, float to_noise)
{
    float sum = 0.0f, all = 0.0f;
    for (int32_t j = -FILTER_REACH; j <= FILTER_REACH; j++)
        for (int32_t i = -FILTER_REACH; i <= FILTER_REACH; i++) {
            const float own = found[j * stride + i];
            const float near = *weight++ * clamped(2.0f - fabsf(own - found[0]) * to_noise);
            sum = sum + own * near;
            all = all + near;
        }
    return sum / all;
}

void light_shares_filter(const light_shares *s, int64_t index)
{
    const occlusion_view *v = &s->view;
    const int32_t first = (int32_t)index * OCCLUSION_BAND;
    // The error of a stratified sequence falls with about the 3/4th power of the samples.
    const float root = sqrtf(sqrtf((float)s->samples)), to_noise = root * root * root * 0.4f;
    for (int32_t y = first; y < first + OCCLUSION_BAND && y < v->height; y++)
        for (int32_t x = 0; x < v->width; x++) {
            float weight[FILTER_SIDE * FILTER_SIDE];
            const ptrdiff_t at = (ptrdiff_t)y * v->stride + x;
            if (s->depth[at] == 0.0f)
                continue;
            weigh(s, at, weight);
            for (int32_t k = 0; k < s->kinds; k++)
                if (s->share[k] != s->found[k])
                    s->share[k][at] = filtered(s->found[k] + at, v->stride, weight, to_noise);
        }
}
