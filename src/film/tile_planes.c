// SPDX-License-Identifier: MIT
// Planes of the nearest sample, and looks, which show data of planes in place of light.
#include "film/film.h"

#include <math.h>
#include <string.h>

uint32_t film_look_planes(film_look_kind look)
{
    static const uint32_t planes[FILM_LOOK_COUNT] = {
        [FILM_LOOK_ALBEDO] = 1u << PLANE_BASE,
        [FILM_LOOK_NORMALS] = 1u << PLANE_NORMAL,
        [FILM_LOOK_UV] = 1u << PLANE_UV | 1u << PLANE_UV_STEP,
        [FILM_LOOK_DEPTH] = 1u << PLANE_DEPTH,
    };
    return planes[look];
}

void film_look_samples(const film_stage *stage, const shade_colors *color, uint32_t count)
{
    const film_look *look = &stage->settings->look;
    if (look->kind != FILM_LOOK_LIGHT && color->unlit)
        stage->loops->look(&(look_job){*color, count, *look, &stage->frame->view});
}

/// Metres along the view axis from the eye to what has a depth of the raster.
static float metres_of(const screen_view *view, float depth)
{
    if (depth < 0.0f)
        return INFINITY;
    if (view->transform.orthographic)
        return view->near_m + (1.0f - depth) * view->depth_range;
    return 1.0f / depth;
}

/// The sample of a pixel that is nearest.
typedef struct nearest_sample {
    float depth;     ///< of the raster; below 0: the pixel shows nothing
    uint32_t shaded; ///< its number among the visible samples of the tile
} nearest_sample;

/// `block`, `pixel`: in block order, see raster_tile.
static nearest_sample nearest_of(const tile_buffers *t, int32_t block, int32_t pixel)
{
    const int32_t samples = t->sample_count, first = (block * 16 + pixel) * samples;
    const float *depth = t->visibility.depth + first;
    nearest_sample out = {.depth = -1.0f};
    int32_t nearest = 0;
    for (int32_t s = 0; s < samples; s++) {
        nearest = depth[s] > out.depth ? s : nearest;
        out.depth = depth[s] > out.depth ? depth[s] : out.depth;
    }
    if (out.depth < 0.0f)
        return out;
    const uint32_t id = t->visibility.id[first + nearest];
    out.shaded = t->blocks[block].first[pixel];
    while (t->visible.id[out.shaded] != id)
        out.shaded++;
    return out;
}

/// The pixel (x, y) of the picture in one plane; zeros where it shows nothing.
static void film_plane(const shade_planes *planes, picture_plane plane, const nearest_sample *from,
                       const screen_view *view, float *out)
{
    if (plane == PLANE_DEPTH) {
        *out = metres_of(view, from->depth);
        return;
    }
    for (int32_t c = 0; c < picture_plane_table[plane].channels; c++) {
        const float *channel = planes->channel[plane] + (size_t)c * planes->stride;
        if (from->depth < 0.0f)
            out[c] = 0.0f;
        else
            memcpy(&out[c], &channel[from->shaded], sizeof *out);
    }
}

void film_planes(const shade_planes *planes, const tile_buffers *t, tile_rect rect,
                 const screen_view *view, const picture_planes *target)
{
    for (int32_t y = 0; y < rect.height; y++)
        for (int32_t x = 0; x < rect.width; x++) {
            nearest_sample from = {.depth = -1.0f};
            if (t->touched)
                from = nearest_of(t, y / 4 * TILE_BLOCKS + x / 4, y % 4 * 4 + x % 4);
            for (int p = 0; p < PLANE_COUNT; p++)
                if (picture_plane_table[p].nearest && target->plane[p].data)
                    film_plane(planes, (picture_plane)p, &from, view,
                               picture_plane_at(target, (picture_plane)p, rect.x + x, rect.y + y));
        }
}
