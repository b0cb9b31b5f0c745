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

/// Metres along the view axis from the eye; beyond all of them where a pixel shows nothing.
static void depth_row(const screen_view *view, const shown_pixels *row, int32_t width, float *out)
{
    for (int32_t x = 0; x < width; x++)
        out[x] = INFINITY;
    for (uint32_t n = 0; n < row->count; n++)
        out[row->x[n]] = view->transform.orthographic
                             ? view->near_m + (1.0f - row->depth[n]) * view->depth_range
                             : 1.0f / row->depth[n];
}

/// The nearest sample of a pixel in block order, see raster_tile: its number among the visible ones
/// of the tile, -1 where the pixel shows nothing, and its depth of the raster.
static int32_t find_nearest(const tile_buffers *t, int32_t pixel, bool depths, float *out_depth)
{
    const block_samples *block = &t->blocks[pixel / 16];
    const int32_t first = pixel * t->sample_count;
    const float *depth = t->visibility.depth + first;
    const bool plain = block->kind == BLOCK_PLAIN;
    uint32_t at = block->first[pixel % 16];
    float most = -1.0f;
    if (plain && !depths)
        return (int32_t)at;
    for (int32_t s = 0; s < t->sample_count; s++)
        most = depth[s] > most ? depth[s] : most;
    *out_depth = most;
    if (plain || most < 0.0f)
        return plain ? (int32_t)at : -1;
    while (*depth != most)
        depth++;
    const uint32_t id = t->visibility.id[depth - t->visibility.depth];
    while (t->visible.id[at] != id)
        at++;
    return (int32_t)at;
}

/// The pixels of row `y` of a tile.
static void find_row(const tile_buffers *t, int32_t y, int32_t width, bool depths,
                     shown_pixels *out)
{
    uint32_t count = 0;
    for (int32_t left = 0; left < width && t->touched; left += 4) {
        const int32_t block = y / 4 * TILE_BLOCKS + left / 4;
        const int32_t end = left + 4 < width ? left + 4 : width;
        if (t->blocks[block].kind == BLOCK_EMPTY)
            continue;
        for (int32_t x = left; x < end; x++) {
            const int32_t pixel = 16 * block + y % 4 * 4 + x % 4;
            const int32_t nearest = find_nearest(t, pixel, depths, &out->depth[count]);
            out->x[count] = (uint32_t)x;
            out->sample[count] = (uint32_t)nearest;
            count += nearest >= 0;
        }
    }
    out->count = count;
}

/// A row of a plane, all zeros before.
static void film_row(const shade_planes *planes, picture_plane plane, const shown_pixels *row,
                     float *out)
{
    const uint32_t channels = (uint32_t)picture_plane_table[plane].kind.channels;
    for (uint32_t n = 0; n < row->count; n++) {
        const float *from = planes->channel[plane] + row->sample[n];
        float *to = out + channels * row->x[n];
        for (uint32_t c = 0; c < channels; c++)
            to[c] = from[c * planes->stride];
    }
}

/// Rows of the planes of numbers, all zeros before: of their bits.
static void ids_row(const shade_planes *planes, const visible_samples *visible,
                    const shown_pixels *row, const shade_frame *frame,
                    float *const out[PICTURE_ID_PLANES])
{
    const bool bones = out[PLANE_BONE - PLANE_INSTANCE] != NULL;
    uint32_t ids[PICTURE_ID_PLANES], number = UINT32_MAX;
    for (uint32_t n = 0; n < row->count; n++) {
        const uint32_t sample = row->sample[n], id = visible->id[sample];
        if (bones || primitive_meshlet(id) != number)
            shade_sample_ids(frame, bones ? planes : NULL, sample, id, ids);
        number = primitive_meshlet(id);
        for (int k = 0; k < PICTURE_ID_PLANES; k++)
            if (out[k])
                memcpy(&out[k][row->x[n]], &ids[k], sizeof ids[k]);
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

/// A row of a plane that shading fills, or of motion; all zeros before.
static void plane_row(const shade_planes *planes, const tile_buffers *t, const shown_pixels *row,
                      const shade_frame *frame, picture_plane p, const double *space,
                      moving_triangle *moving, float *out)
{
    if (p == PLANE_MOTION || p == PLANE_VECTOR)
        sample_motion_row(&t->visible, row, frame, planes, p, moving, out);
    else
        film_row(planes, p, row, out);
    if (space && (p == PLANE_POSITION || p == PLANE_NORMAL))
        turn_row(space, p == PLANE_POSITION, row, out);
}

void film_planes(const shade_planes *planes, const tile_buffers *t, tile_rect rect,
                 const shade_frame *frame, const double *space, const picture_planes *target)
{
    picture_plane present[PLANE_COUNT];
    float *out[PLANE_COUNT] = {0};
    moving_triangle moving = {0};
    shown_pixels row;
    int32_t count = 0;
    for (picture_plane p = 0; p < PLANE_COUNT; p++)
        if (picture_plane_table[p].kind.nearest && target->plane[p].data)
            present[count++] = p;
    const bool any_ids = count > 0 && present[count - 1] >= PLANE_INSTANCE;
    for (int32_t y = 0; y < rect.height; y++) {
        for (int32_t k = 0; k < count; k++)
            out[present[k]] = picture_plane_at(target, present[k], rect.x, rect.y + y);
        find_row(t, y, rect.width, out[PLANE_DEPTH] != NULL, &row);
        for (int32_t k = 0; k < count; k++) {
            const picture_plane p = present[k];
            const int32_t channels = picture_plane_table[p].kind.channels;
            if (p == PLANE_DEPTH)
                depth_row(&frame->view, &row, rect.width, out[p]);
            else
                memset(out[p], 0, (size_t)(rect.width * channels) * sizeof *out[p]);
            if (row.count > 0 && p != PLANE_DEPTH && p < PLANE_INSTANCE)
                plane_row(planes, t, &row, frame, p, space, &moving, out[p]);
        }
        if (any_ids)
            ids_row(planes, &t->visible, &row, frame, &out[PLANE_INSTANCE]);
    }
}
