// SPDX-License-Identifier: MIT
// Planes of the nearest sample, and looks, which show data of planes in place of light.
#include "film/film.h"
#include "shade/sample_motion.h"

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

/// Metres along the view axis from the eye to pixels that have depths of the raster.
static void depth_row(const screen_view *view, const float *depth, int32_t width, float *out)
{
    for (int32_t x = 0; x < width; x++) {
        const float orthographic = view->near_m + (1.0f - depth[x]) * view->depth_range;
        const float metres = view->transform.orthographic ? orthographic : 1.0f / depth[x];
        out[x] = depth[x] < 0.0f ? INFINITY : metres;
    }
}

/// The nearest sample of a pixel in block order, see raster_tile: its number among the visible ones
/// of the tile, -1 where the pixel shows nothing, and its depth of the raster.
static int32_t find_nearest(const tile_buffers *t, int32_t pixel, bool depths, float *out_depth)
{
    const block_samples *block = &t->blocks[pixel / 16];
    const float *depth = t->visibility.depth;
    const int32_t end = (pixel + 1) * t->sample_count;
    uint32_t at = block->first[pixel % 16];
    int32_t nearest = -1;
    *out_depth = -1.0f;
    if (block->kind == BLOCK_PLAIN) {
        for (int32_t s = end - t->sample_count; s < end && depths; s++)
            *out_depth = depth[s] > *out_depth ? depth[s] : *out_depth;
        return (int32_t)at;
    }
    for (int32_t s = end - t->sample_count; s < end; s++) {
        nearest = depth[s] > *out_depth ? s : nearest;
        *out_depth = depth[s] > *out_depth ? depth[s] : *out_depth;
    }
    while (nearest >= 0 && t->visible.id[at] != t->visibility.id[nearest])
        at++;
    return nearest < 0 ? -1 : (int32_t)at;
}

/// The pixels of row `y` of a tile; `depth`: of all of them, negative where they show nothing.
static void find_row(const tile_buffers *t, int32_t y, int32_t width, bool depths,
                     float depth[TILE_SIZE], shown_pixels *out)
{
    out->count = 0;
    for (int32_t x = 0; x < width; x++)
        depth[x] = -1.0f;
    for (int32_t x = 0; x < width && t->touched; x++) {
        const int32_t block = y / 4 * TILE_BLOCKS + x / 4;
        if (t->blocks[block].kind == BLOCK_EMPTY)
            continue;
        const int32_t nearest = find_nearest(t, 16 * block + y % 4 * 4 + x % 4, depths, &depth[x]);
        out->x[out->count] = (uint32_t)x;
        out->sample[out->count] = (uint32_t)nearest;
        out->count += nearest >= 0;
    }
}

/// A row of a plane, all zeros before. Numbers of ids are copied as floats.
static void film_row(const shade_planes *planes, picture_plane plane, const shown_pixels *row,
                     float *out)
{
    const size_t channels = (size_t)picture_plane_table[plane].kind.channels;
    for (size_t c = 0; c < channels; c++) {
        const float *from = planes->channel[plane] + c * planes->stride;
        for (uint32_t n = 0; n < row->count; n++)
            memcpy(&out[row->x[n] * channels + c], &from[row->sample[n]], sizeof *out);
    }
}

/// Takes points or directions to the space of the camera.
static void turn_row(const double *rows, bool points, const shown_pixels *row, float *out)
{
    for (uint32_t n = 0; n < row->count; n++) {
        float *at = out + 3 * (size_t)row->x[n];
        const double v[4] = {(double)at[0], (double)at[1], (double)at[2], points ? 1.0 : 0.0};
        for (int k = 0; k < 3; k++)
            at[k] = (float)(rows[4 * k] * v[0] + rows[4 * k + 1] * v[1] + rows[4 * k + 2] * v[2] +
                            rows[4 * k + 3] * v[3]);
    }
}

void film_planes(const shade_planes *planes, const tile_buffers *t, tile_rect rect,
                 const shade_frame *frame, const double *space, const picture_planes *target)
{
    moving_triangle moving = {0};
    float depth[TILE_SIZE];
    shown_pixels row;
    for (int32_t y = 0; y < rect.height; y++) {
        find_row(t, y, rect.width, target->plane[PLANE_DEPTH].data != NULL, depth, &row);
        for (int i = 0; i < PLANE_COUNT; i++) {
            const picture_plane p = (picture_plane)i;
            const zt_plane_kind *kind = &picture_plane_table[p].kind;
            if (!kind->nearest || !target->plane[p].data)
                continue;
            float *out = picture_plane_at(target, p, rect.x, rect.y + y);
            if (p == PLANE_DEPTH) {
                depth_row(&frame->view, depth, rect.width, out);
                continue;
            }
            memset(out, 0, (size_t)(rect.width * kind->channels) * sizeof *out);
            if (p == PLANE_MOTION || p == PLANE_VECTOR)
                sample_motion_row(&t->visible, &row, frame, planes, p, &moving, out);
            else if (row.count > 0)
                film_row(planes, p, &row, out);
            if (space && (p == PLANE_POSITION || p == PLANE_NORMAL))
                turn_row(space, p == PLANE_POSITION, &row, out);
        }
    }
}
