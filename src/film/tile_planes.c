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

/// The nearest sample of a pixel in block order, see raster_tile: its number among the visible ones
/// of the tile, -1 where the pixel shows nothing, and its depth of the raster.
static int32_t find_nearest(const tile_buffers *t, int32_t pixel, bool depths, float *out_depth)
{
    const block_samples *block = &t->blocks[pixel / 16];
    int32_t nearest = -1;
    if (block->kind == BLOCK_PLAIN && !depths)
        return (int32_t)block->first[pixel % 16];
    *out_depth = -1.0f;
    for (int32_t s = pixel * t->sample_count; s < (pixel + 1) * t->sample_count; s++) {
        const float depth = t->visibility.depth[s];
        nearest = depth > *out_depth ? s : nearest;
        *out_depth = depth > *out_depth ? depth : *out_depth;
    }
    uint32_t at = block->first[pixel % 16];
    while (nearest >= 0 && block->kind != BLOCK_PLAIN &&
           t->visible.id[at] != t->visibility.id[nearest])
        at++;
    return nearest < 0 ? -1 : (int32_t)at;
}

/// The nearest samples of the pixels of row `y` of a tile. False: it shows nothing.
static bool find_row(const tile_buffers *t, int32_t y, int32_t width, bool depths,
                     float depth[TILE_SIZE], int32_t shaded[TILE_SIZE])
{
    bool any = false;
    for (int32_t x = 0; x < width && t->touched; x++) {
        const int32_t block = y / 4 * TILE_BLOCKS + x / 4;
        shaded[x] = -1;
        depth[x] = -1.0f;
        if (t->blocks[block].kind != BLOCK_EMPTY)
            shaded[x] = find_nearest(t, 16 * block + y % 4 * 4 + x % 4, depths, &depth[x]);
        any = any || shaded[x] >= 0;
    }
    return any;
}

/// A row of a plane; zeros where its pixels show nothing. Numbers of ids are copied as floats.
static void film_row(const shade_planes *planes, picture_plane plane, const int32_t *shaded,
                     int32_t width, float *out)
{
    const size_t channels = (size_t)picture_plane_table[plane].kind.channels;
    for (size_t c = 0; c < channels; c++) {
        const float *from = planes->channel[plane] + c * planes->stride;
        float *to = out + c;
        for (int32_t x = 0; x < width; x++, to += channels) {
            uint32_t bits;
            memcpy(&bits, &from[shaded[x] >= 0 ? shaded[x] : 0], sizeof bits);
            bits = shaded[x] >= 0 ? bits : 0;
            memcpy(to, &bits, sizeof bits);
        }
    }
}

/// Takes points or directions of the pixels that show something to the space of the camera.
static void turn_row(const double *row, bool points, const int32_t *shaded, int32_t width,
                     float *out)
{
    for (int32_t x = 0; x < width; x++, out += 3) {
        const double v[4] = {(double)out[0], (double)out[1], (double)out[2], points ? 1.0 : 0.0};
        for (int k = 0; k < 3 && shaded[x] >= 0; k++)
            out[k] = (float)(row[4 * k] * v[0] + row[4 * k + 1] * v[1] + row[4 * k + 2] * v[2] +
                             row[4 * k + 3] * v[3]);
    }
}

void film_planes(const shade_planes *planes, const tile_buffers *t, tile_rect rect,
                 const screen_view *view, const double *space, const picture_planes *target)
{
    float depth[TILE_SIZE];
    int32_t shaded[TILE_SIZE];
    for (int32_t y = 0; y < rect.height; y++) {
        const bool any =
            find_row(t, y, rect.width, target->plane[PLANE_DEPTH].data != NULL, depth, shaded);
        for (int p = 0; p < PLANE_COUNT; p++) {
            if (!picture_plane_table[p].kind.nearest || !target->plane[p].data)
                continue;
            float *out = picture_plane_at(target, (picture_plane)p, rect.x, rect.y + y);
            const size_t channels = (size_t)picture_plane_table[p].kind.channels;
            if (p == PLANE_DEPTH)
                for (int32_t x = 0; x < rect.width; x++)
                    out[x] = metres_of(view, any ? depth[x] : -1.0f);
            else if (!any)
                memset(out, 0, (size_t)rect.width * channels * sizeof *out);
            else
                film_row(planes, (picture_plane)p, shaded, rect.width, out);
            if (any && space && (p == PLANE_POSITION || p == PLANE_NORMAL))
                turn_row(space, p == PLANE_POSITION, shaded, rect.width, out);
        }
    }
}
