// SPDX-License-Identifier: MIT
// A picture of light -> its distribution, and samples of it.
#include "environment/radiance_map.h"

#include "base/dvec3.h"
#include "base/maths.h"

/// Rec. 709, to which the pictures belong.
static double luminance_of(const float rgb[3]) { return dvec3_luminance(dvec3_from_floats(rgb)); }

static const float *pixel_at(const hdr_picture *picture, int32_t x, int32_t y)
{
    const int32_t row = y < 0 ? 0 : y < picture->height ? y : picture->height - 1;
    const int32_t column = x < 0 ? x + picture->width : x < picture->width ? x : x - picture->width;
    return picture->rgb + ((size_t)row * (size_t)picture->width + (size_t)column) * 3;
}

/// Luminance of the pixels of a column from `y` - 1 to `y` + 1, with the weights 1 6 1.
static double column_luminance(const hdr_picture *picture, int32_t x, int32_t y)
{
    return (luminance_of(pixel_at(picture, x, y - 1)) + luminance_of(pixel_at(picture, x, y + 1))) +
           6.0 * luminance_of(pixel_at(picture, x, y));
}

/// Fills a row of the map and returns its luminance. A line between the centres of two texels has
/// its mean over the nearer half-texel at 3/4 of the nearer centre: so the weights are 1 6 1 of 8.
static double fill_row(const radiance_map *map, int32_t y, double *weights, float *luminance,
                       alias_slot *texels)
{
    const hdr_picture *picture = &map->picture;
    double left = column_luminance(picture, -1, y), middle = column_luminance(picture, 0, y);
    double sum = 0.0;
    for (int32_t x = 0; x < picture->width; x++) {
        const double right = column_luminance(picture, x + 1, y);
        luminance[x] = (float)(((left + right) + 6.0 * middle) / 64.0);
        weights[x] = (double)luminance[x];
        sum += weights[x];
        left = middle;
        middle = right;
    }
    if (sum > 0.0)
        alias_table_build(weights, (uint32_t)picture->width, sum, texels);
    return sum;
}

static zt_result draw_studio(studio_kind kind, arena *a, hdr_picture *out, zt_error *err)
{
    float *rgb;
    ZT_TRY(ARENA_TAKE_RAW(a, &rgb, (size_t)STUDIO_WIDTH * STUDIO_HEIGHT * 3, "a studio", err));
    studio_draw(kind, rgb);
    *out = (hdr_picture){STUDIO_WIDTH, STUDIO_HEIGHT, rgb};
    return ZT_OK;
}

static zt_result build(const radiance_source *source, arena *a, radiance_map *map, zt_error *err)
{
    map->picture = source->picture;
    if (!map->picture.rgb)
        ZT_TRY(draw_studio(source->studio, a, &map->picture, err));
    const size_t width = (size_t)map->picture.width, height = (size_t)map->picture.height;
    double *edges, *weights, *light;
    float *luminance;
    alias_slot *rows, *texels;
    ZT_TRY(ARENA_TAKE_RAW(a, &edges, height + 1, "a map of radiance", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &weights, width, "a map of radiance", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &light, height, "a map of radiance", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &luminance, width * height, "a map of radiance", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &rows, height, "a map of radiance", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &texels, width * height, "a map of radiance", err));
    for (size_t y = 0; y <= height; y++) {
        double sine;
        maths_sincos_deg(180.0 * (double)y / (double)height, &sine, &edges[y]);
    }
    map->total = 0.0;
    for (size_t y = 0; y < height; y++) {
        const double texel_angle = (edges[y] - edges[y + 1]) * (2.0 * MATHS_PI / (double)width);
        if (arena_cancelled(a))
            return cancel_fail(err);
        light[y] = texel_angle *
                   fill_row(map, (int32_t)y, weights, luminance + y * width, texels + y * width);
        map->total += light[y];
    }
    if (map->total > 0.0)
        alias_table_build(light, (uint32_t)height, map->total, rows);
    map->height = edges;
    map->rows = rows;
    map->texels = texels;
    map->luminance = luminance;
    return ZT_OK;
}

zt_result radiance_keep_init(radiance_keep *keep, budget *b, zt_error *err)
{
    *keep = (radiance_keep){0};
    if (pthread_mutex_init(&keep->mutex, NULL) != 0)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for an environment");
    arena_init(&keep->arena, b);
    return ZT_OK;
}

void radiance_keep_finish(radiance_keep *keep)
{
    if (!keep->arena.budget) // it was not made
        return;
    arena_finish(&keep->arena);
    pthread_mutex_destroy(&keep->mutex);
}

void radiance_keep_clear(radiance_keep *keep)
{
    keep->made = false;
    arena_finish(&keep->arena);
}

zt_result radiance_map_ask(radiance_keep *keep, const radiance_source *source, radiance_map *out,
                           zt_error *err)
{
    zt_result result = ZT_OK;
    pthread_mutex_lock(&keep->mutex);
    if (!keep->made) {
        result = build(source, &keep->arena, &keep->map, err);
        keep->made = result == ZT_OK;
        if (!keep->made)
            arena_finish(&keep->arena);
    }
    pthread_mutex_unlock(&keep->mutex);
    *out = result == ZT_OK ? keep->map : (radiance_map){0};
    if (source->picture.rgb)
        out->picture = source->picture; // that of the map may have gone with its scene
    return result;
}

/// The place of a direction on the picture, in pixels from its left and its top edge.
static void place_of(const radiance_map *map, const environment_view *view, const double d[3],
                     double *out_x, double *out_y)
{
    const double c = (double)view->cosine, s = (double)view->sine;
    const double x = d[0] * c - d[2] * s, z = d[0] * s + d[2] * c;
    const double u = 0.5 + maths_atan2(z, x) / (2.0 * MATHS_PI);
    const double v = maths_atan2(sqrt(x * x + z * z), d[1]) / MATHS_PI;
    *out_x = maths_clamp(u, 0.0, 1.0) * map->picture.width;
    *out_y = maths_clamp(v, 0.0, 1.0) * map->picture.height;
}

void radiance_map_evaluate(const radiance_map *map, const environment_view *view,
                           const double direction[3], double out_rgb[3])
{
    double x, y;
    place_of(map, view, direction, &x, &y);
    const int32_t left = (int32_t)(x + 0.5) - 1, top = (int32_t)(y + 0.5) - 1;
    const double fx = x - 0.5 - left, fy = y - 0.5 - top;
    const float *const corners[4] = {
        pixel_at(&map->picture, left, top), pixel_at(&map->picture, left + 1, top),
        pixel_at(&map->picture, left, top + 1), pixel_at(&map->picture, left + 1, top + 1)};
    for (int c = 0; c < 3; c++) {
        const double a = (double)corners[0][c], b = (double)corners[2][c];
        const double over = a + ((double)corners[1][c] - a) * fx;
        const double under = b + ((double)corners[3][c] - b) * fx;
        out_rgb[c] = (over + (under - over) * fy) * (double)view->intensity;
    }
}

double radiance_map_pdf(const radiance_map *map, const environment_view *view,
                        const double direction[3])
{
    double x, y;
    if (!(map->total > 0.0))
        return 0.0;
    place_of(map, view, direction, &x, &y);
    const double column = maths_min(x, (double)map->picture.width - 1.0);
    const double row = maths_min(y, (double)map->picture.height - 1.0);
    return (double)map->luminance[(size_t)row * (size_t)map->picture.width + (size_t)column] /
           map->total;
}

bool radiance_map_sample(const radiance_map *map, const environment_view *view, const double u[2],
                         radiance_sample *out)
{
    if (!(map->total > 0.0))
        return false;
    const uint32_t width = (uint32_t)map->picture.width, height = (uint32_t)map->picture.height;
    double down = u[0], across = u[1], s, c;
    const uint32_t row = alias_table_pick(map->rows, height, &down);
    const uint32_t column = alias_table_pick(map->texels + (size_t)row * width, width, &across);
    const double y = map->height[row] + (map->height[row + 1] - map->height[row]) * down;
    const double radius = sqrt(maths_max(1.0 - y * y, 0.0));
    maths_sincos_deg(360.0 * (column + across) / width - 180.0, &s, &c);
    const double x = radius * c, z = radius * s;
    out->direction[0] = x * (double)view->cosine + z * (double)view->sine;
    out->direction[1] = y;
    out->direction[2] = z * (double)view->cosine - x * (double)view->sine;
    out->pdf = (double)map->luminance[(size_t)row * width + column] / map->total;
    radiance_map_evaluate(map, view, out->direction, out->rgb);
    return true;
}
