// SPDX-License-Identifier: MIT
// Memory of the planes of ambient occlusion, and drivers of its loops.
#include "shadow/occlusion.h"

#include <math.h>
#include <string.h>

/// Surfaces farther apart than this share of the radius do not share their visibility.
static const double tolerance_share = 0.2;

/// Pictures of so many pixels, also those that are reduced to thumbnails, have a texel for every
/// 2x2: the search costs a quarter, and occlusion varies slowly. In smaller ones a texel less is a
/// visible part of a figure.
enum { PIXELS_OF_HALF_PLANES = 512 * 512 };

static double dot(const float a[3], const float b[3])
{
    return ((double)a[0] * (double)b[0] + (double)a[1] * (double)b[1]) +
           (double)a[2] * (double)b[2];
}

int32_t occlusion_step(int32_t width, int32_t height)
{
    return (int64_t)width * height >= PIXELS_OF_HALF_PLANES ? 2 : 1;
}

occlusion_view occlusion_view_of(const screen_view *v, int32_t width, int32_t height, int32_t step)
{
    const double pixel_x = sqrt(dot(v->ray_x, v->ray_x)), pixel_y = sqrt(dot(v->ray_y, v->ray_y));
    const bool orthographic = v->transform.orthographic;
    const int32_t columns = (width + step - 1) / step, rows = (height + step - 1) / step;
    return (occlusion_view){
        .orthographic = orthographic,
        .step = step,
        .width = columns,
        .height = rows,
        .stride = (int32_t)pad16((size_t)columns) + 2 * OCCLUSION_BORDER_COLUMNS,
        .x = orthographic ? 0.0f : (float)(dot(v->ray, v->ray_x) / pixel_x + 0.5 * pixel_x),
        .y = orthographic ? 0.0f : (float)(dot(v->ray, v->ray_y) / pixel_y + 0.5 * pixel_y),
        .dx = (float)(pixel_x * step),
        .dy = (float)(pixel_y * step),
        .depth_range = v->depth_range,
        .reach = (float)(columns > rows ? columns : rows),
    };
}

static void fill(uint32_t *to, size_t count, uint32_t value)
{
    for (size_t i = 0; i < count; i++)
        to[i] = value;
}

/// Texel (0, 0) of 32-bit texels with a `border`; NULL: no memory. Sides are plane_sides'.
static uint32_t *plane_init(const occlusion_view *v, uint32_t border, arena *a)
{
    const size_t stride = (size_t)v->stride, outside = stride * OCCLUSION_BORDER_ROWS;
    const size_t inside = stride * (size_t)v->height;
    uint32_t *texel = ARENA_ARRAY_RAW(a, uint32_t, inside + 2 * outside);
    if (!texel)
        return NULL;
    fill(texel, outside, border);
    fill(texel + outside + inside, outside, border);
    return texel + outside + OCCLUSION_BORDER_COLUMNS;
}

/// Fills the border on both sides of rows [first, end) of a plane.
static void plane_sides(const occlusion_view *v, uint32_t *plane, uint32_t border, int32_t first,
                        int32_t end)
{
    const int32_t right = v->stride - OCCLUSION_BORDER_COLUMNS - v->width;
    for (int32_t y = first; y < end; y++) {
        uint32_t *row = plane + (ptrdiff_t)y * v->stride;
        fill(row - OCCLUSION_BORDER_COLUMNS, OCCLUSION_BORDER_COLUMNS, border);
        fill(row + v->width, (size_t)right, border);
    }
}

zt_result occlusion_init(occlusion_planes *out, const screen_view *v, int32_t width, int32_t height,
                         occlusion_settings settings, arena *a, zt_error *err)
{
    const float nothing = OCCLUSION_NOTHING;
    uint32_t nothing_bits;
    memcpy(&nothing_bits, &nothing, sizeof nothing_bits);
    *out = (occlusion_planes){
        .view = occlusion_view_of(v, width, height, occlusion_step(width, height))};
    out->view.radius = (float)settings.radius;
    out->view.intensity = (float)settings.intensity;
    out->view.tolerance = (float)(settings.radius * tolerance_share);
    void *distance = plane_init(&out->view, nothing_bits, a);
    out->distance = distance;
    out->found = plane_init(&out->view, 0, a);
    out->smoothed = plane_init(&out->view, 0, a);
    out->quads = plane_init(&out->view, 0, a);
    if (!out->distance || !out->found || !out->smoothed || !out->quads)
        return arena_fail(a, err, "ambient occlusion");
    plane_sides(&out->view, distance, nothing_bits, 0, out->view.height);
    return ZT_OK;
}

void occlusion_add_tile(const occlusion_planes *planes, const shadow_loops *loops,
                        const tile_buffers *t, tile_rect rect)
{
    loops->occlusion_distance(
        &(occlusion_distance_job){.planes = planes,
                                  .depth = t->touched ? t->visibility.depth : NULL,
                                  .x = rect.x,
                                  .y = rect.y,
                                  .width = rect.width,
                                  .height = rect.height});
}

static occlusion_rows_job band_job(const occlusion_planes *planes, int64_t index)
{
    const int32_t first = (int32_t)index * OCCLUSION_BAND, end = first + OCCLUSION_BAND;
    const int32_t height = planes->view.height;
    return (occlusion_rows_job){planes, first, end < height ? end : height};
}

void occlusion_search_band(const occlusion_planes *planes, const shadow_loops *loops, int64_t index)
{
    const occlusion_rows_job job = band_job(planes, index);
    loops->occlusion_search(&job);
    plane_sides(&planes->view, planes->found, 0, job.first, job.end);
}

void occlusion_smooth_band(const occlusion_planes *planes, const shadow_loops *loops, int64_t index)
{
    const occlusion_rows_job job = band_job(planes, index);
    loops->occlusion_smooth(&job);
    plane_sides(&planes->view, planes->smoothed, 0, job.first, job.end);
}

void occlusion_join_band(const occlusion_planes *planes, const shadow_loops *loops, int64_t index)
{
    const occlusion_rows_job job = band_job(planes, index);
    loops->occlusion_join(&job);
    plane_sides(&planes->view, planes->quads, 0, job.first, job.end);
}
