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

void film_look_samples(const film_stage *stage, shade_part part, const shade_colors *color,
                       uint32_t count)
{
    const film_look *look = &stage->settings->look;
    const bool shows = part == SHADE_WHOLE || part == SHADE_EMISSION || part == SHADE_BEHIND;
    if (look->kind != FILM_LOOK_LIGHT && color->unlit && shows)
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
    float depth;    ///< of the raster; below 0: the pixel shows nothing
    int32_t number; ///< in the tile
} nearest_sample;

/// `pixel`: in block order, see raster_tile.
static nearest_sample nearest_of(const tile_buffers *t, int32_t pixel)
{
    const int32_t first = pixel * t->sample_count;
    nearest_sample out = {-1.0f, first};
    if (t->touched)
        for (int32_t s = first; s < first + t->sample_count; s++) {
            const float depth = t->visibility.depth[s];
            out.number = depth > out.depth ? s : out.number;
            out.depth = depth > out.depth ? depth : out.depth;
        }
    return out;
}

static int32_t block_order(int32_t x, int32_t y)
{
    return 16 * (y / 4 * TILE_BLOCKS + x / 4) + y % 4 * 4 + x % 4;
}

static void film_depth(const tile_buffers *t, tile_rect rect, const screen_view *view,
                       const picture_planes *target)
{
    for (int32_t y = 0; y < rect.height; y++) {
        float *out = picture_plane_at(target, PLANE_DEPTH, rect.x, rect.y + y);
        for (int32_t x = 0; x < rect.width; x++)
            out[x] = metres_of(view, nearest_of(t, block_order(x, y)).depth);
    }
}

/// The number of what a pixel shows among the visible samples of the tile.
static uint32_t shaded_of(const tile_buffers *t, int32_t pixel, const nearest_sample *nearest)
{
    uint32_t at = t->blocks[pixel / 16].first[pixel % 16];
    while (t->visible.id[at] != t->visibility.id[nearest->number])
        at++;
    return at;
}

/// All channels of a pixel of a plane; zeros where it shows nothing.
static void film_plane(const shade_planes *planes, picture_plane plane, bool shows, uint32_t shaded,
                       float *out)
{
    for (int32_t c = 0; c < picture_plane_table[plane].kind.channels; c++) {
        const float *channel = planes->channel[plane] + (size_t)c * planes->stride;
        if (shows)
            memcpy(&out[c], &channel[shaded], sizeof *out);
        else
            out[c] = 0.0f;
    }
}

void film_planes(const shade_planes *planes, const tile_buffers *t, tile_rect rect,
                 const screen_view *view, const picture_planes *target)
{
    if (target->plane[PLANE_DEPTH].data)
        film_depth(t, rect, view, target);
    if (!planes)
        return;
    for (int32_t y = 0; y < rect.height; y++)
        for (int32_t x = 0; x < rect.width; x++) {
            const int32_t pixel = block_order(x, y);
            const nearest_sample nearest = nearest_of(t, pixel);
            const bool shows = nearest.depth >= 0.0f;
            const uint32_t shaded = shows ? shaded_of(t, pixel, &nearest) : 0;
            for (int p = 0; p < PLANE_COUNT; p++)
                if (picture_plane_table[p].kind.nearest && target->plane[p].data &&
                    p != PLANE_DEPTH)
                    film_plane(planes, (picture_plane)p, shows, shaded,
                               picture_plane_at(target, (picture_plane)p, rect.x + x, rect.y + y));
        }
}
