// SPDX-License-Identifier: MIT
// The contact shadow: what part of a uniform sky the things above the ground hide from its points.
//
// A horizontal patch at the height h and the horizontal distance r hides the part h^2 / (pi (h^2 +
// r^2)^2) of it, times its area (a form factor of radiosity): what is at the height h is blurred
// over h. Above a texel of the map stands a column, from its lowest to its highest surface. Levels
// have texels of 1, 2, 4 ... texels of the map; each is a slice of the columns' lowest surfaces and
// of their sides, at a height of about a texel of its own, blurred over that. A plate between two
// slices belongs to both in part.
#include "shadow/contact_shadow.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

enum { LEVELS_MAX = 12 };

typedef struct contact_level {
    int32_t width, height;
    float *dark; ///< [height][width]
} contact_level;

/// The columns above a rectangle of the map; metres above the ground, [height][width].
typedef struct contact_columns {
    int32_t x, y, width, height;
    float *low, *high;
} contact_columns;

/// Adds 1 where a texel of a row has something above it. Returns their number.
static int32_t count_row(const float *restrict row, int32_t count, int32_t *restrict column)
{
    int32_t all = 0;
    for (int32_t x = 0; x < count; x++)
        all += row[x] >= 0.0f;
    for (int32_t x = 0; x < count && all > 0; x++)
        column[x] += row[x] >= 0.0f;
    return all;
}

/// The rows and columns of the map from the first to the last that has something above it.
static contact_columns find_columns(const shadow_map *map, int32_t *column)
{
    int32_t first = map->height, end = 0, left = 0, right = map->width;
    memset(column, 0, (size_t)map->width * sizeof *column);
    for (int32_t y = 0; y < map->height; y++)
        if (count_row(map->depth + (ptrdiff_t)y * map->stride, map->width, column) > 0) {
            first = y < first ? y : first;
            end = y + 1;
        }
    while (left < right && !column[left])
        left++;
    while (left < right && !column[right - 1])
        right--;
    return (contact_columns){left, first, right - left, end > first ? end - first : 0, NULL, NULL};
}

/// Texels that see nothing have a column that no slice meets.
static zt_result fill_columns(const contact_heights *g, contact_columns *c, arena *a, zt_error *err)
{
    const float far = 1e18f, range = g->height_m - g->base_m;
    const size_t count = (size_t)c->width * (size_t)c->height;
    ZT_TRY(ARENA_TAKE_RAW(a, &c->low, count, "contact shadow", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &c->high, count, "contact shadow", err));
    for (int32_t y = 0; y < c->height; y++) {
        const float *below = g->map->depth + (ptrdiff_t)(c->y + y) * g->map->stride + c->x;
        const int32_t line = g->tops->height - 1 - (c->y + y);
        const float *above = g->tops->depth + (ptrdiff_t)line * g->tops->stride + c->x;
        float *low = c->low + (ptrdiff_t)y * c->width, *high = c->high + (ptrdiff_t)y * c->width;
        for (int32_t x = 0; x < c->width; x++) {
            const float top = g->base_m + above[x] * range;
            const float bottom = maths_maxf(g->height_m - below[x] * range, 0.0f);
            const bool seen = below[x] >= 0.0f && top >= -0.5f * g->map->texel_m;
            low[x] = seen ? bottom : far;
            high[x] = seen ? maths_maxf(top, bottom) : -far;
        }
    }
    return ZT_OK;
}

/// Sums of two numbers each; the last one may be alone.
static void add_pairs(float *column, int32_t count)
{
    for (int32_t x = 0; x < count / 2; x++)
        column[x] = column[2 * x] + column[2 * x + 1];
    if (count % 2)
        column[count / 2] = column[count - 1];
}

/// The number, or 0 where it is negative. Nested comparisons would cost three times as much.
static inline float positive(float x) { return 0.5f * (x + fabsf(x)); }

/// Factors of what slices hide. They are fitted to the shares of the sky that tables, balls, boxes,
/// lamps and figures of many heights hide: at 22 points below and around each of 19 models, the
/// alpha of the ground is off by 9 of 255, root mean square. Plates between two slices hide less
/// than those in one where the first is smaller, more from 1.9 on.
static const float share_between = 1.8f;
/// Columns that show their sides hide more than their thickness does: as much as something of a
/// width between its own and that of the level's texels.
static const float sides = 0.85f;

/// Adds the parts of columns whose lowest surface is in a slice at the height 1 / `scale`, and the
/// parts of those that go from any height to twice it and on: points of the ground see their sides.
/// `least`: -1, and 1 where a slice has all that is below.
static void slice_row(const float *restrict low, const float *restrict high, float scale,
                      float least, int32_t count, float *restrict all, float *restrict tall)
{
    for (int32_t x = 0; x < count; x++) {
        const float twice = 2.0f * scale * low[x], begun = 2.0f - 0.5f * twice;
        const float left = twice + least, thick = scale * high[x] - twice;
        const float part = share_between * positive(begun < left ? begun : left);
        const float reaches = 2.0f * scale * high[x] + least;
        const float shown = thick < reaches ? thick : reaches;
        const float side = positive(begun < shown ? begun : shown);
        all[x] += part < 1.0f ? part : 1.0f;
        tall[x] += side < 1.0f ? side : 1.0f;
    }
}

/// The slice of a level at the height 1 / `scale`. Texels are 1 << shift texels of the map wide.
/// `line`: [2 * map width].
static void slice_columns(const contact_columns *c, int32_t map_width, float scale, int32_t shift,
                          float *line, contact_level *out)
{
    const int32_t side = 1 << shift, end = c->y + c->height;
    const float share = 1.0f / ((float)side * (float)side);
    float *all = line, *tall = line + map_width;
    for (int32_t y = c->y >> shift; y << shift < end; y++) {
        memset(line, 0, 2 * (size_t)map_width * sizeof *line);
        const int32_t first = y << shift > c->y ? y << shift : c->y;
        for (int32_t row = first; row < (y + 1) << shift && row < end; row++) {
            const ptrdiff_t at = (ptrdiff_t)(row - c->y) * c->width;
            slice_row(c->low + at, c->high + at, scale, shift ? -1.0f : 1.0f, c->width, all + c->x,
                      tall + c->x);
        }
        for (int32_t half = side, count = map_width; half > 1; half /= 2, count = (count + 1) / 2) {
            add_pairs(all, count);
            add_pairs(tall, count);
        }
        for (int32_t x = 0; x < out->width; x++)
            out->dark[(ptrdiff_t)y * out->width + x] =
                maths_maxf(all[x] * share, sides * sqrtf(tall[x] * share));
    }
}

/// Weights 1 4 6 4 1 of 16 along a line; what is beyond its ends is 0.
static void blur_line(const float *from, int32_t count, float *to)
{
    for (int32_t i = 0; i < count; i++)
        to[i] = ((from[i] + from[i + 4]) + 4.0f * (from[i + 1] + from[i + 3])) + 6.0f * from[i + 2];
}

/// Blurs rows [first, end) of a level over about one of its texels; others are 0.
/// `line`: [width + 4], `scratch`: [(end - first + 8) * width].
static void blur(contact_level *l, int32_t first, int32_t end, float *line, float *scratch)
{
    const int32_t w = l->width, from = first > 2 ? first - 2 : 0;
    const ptrdiff_t rows = end - first;
    memset(line, 0, ((size_t)w + 4) * sizeof *line);
    memset(scratch, 0, 4 * (size_t)w * sizeof *scratch);
    memset(scratch + (rows + 4) * w, 0, 4 * (size_t)w * sizeof *scratch);
    for (int32_t y = first; y < end; y++) {
        memcpy(line + 2, l->dark + (ptrdiff_t)y * w, (size_t)w * sizeof *line);
        blur_line(line, w, scratch + (ptrdiff_t)(y - first + 4) * w);
    }
    for (int32_t y = from; y < end + 2 && y < l->height; y++) {
        const float *r = scratch + (ptrdiff_t)(y - first + 2) * w;
        float *to = l->dark + (ptrdiff_t)y * w;
        for (int32_t x = 0; x < w; x++)
            to[x] =
                (((r[x] + r[x + 4 * w]) + 4.0f * (r[x + w] + r[x + 3 * w])) + 6.0f * r[x + 2 * w]) *
                (1.0f / 256.0f);
    }
}

/// The share that two levels hide: next to each other where it is little, one behind the other
/// where it is much, as the slices of a wide thing are.
static float hidden_by_both(float a, float b)
{
    const float high = a > b ? a : b, low = a > b ? b : a;
    const float left = (1.0f - high) * (1.0f - high);
    return high + (left * left) * low;
}

/// The mean of two rows of texels at a quarter between their centres, then between their texels.
static void widen(const float *restrict near, const float *restrict far, int32_t count,
                  float *restrict mean, float *restrict to)
{
    for (int32_t x = 0; x < count; x++)
        mean[x] = 0.75f * near[x] + 0.25f * far[x];
    to[0] = mean[0];
    to[2 * count - 1] = mean[count - 1];
    for (int32_t x = 0; x + 1 < count; x++) {
        to[2 * x + 1] = 0.75f * mean[x] + 0.25f * mean[x + 1];
        to[2 * x + 2] = 0.25f * mean[x] + 0.75f * mean[x + 1];
    }
}

/// Adds the coarser level, between whose texels it interpolates, to a level.
/// `line`: [3 * width of the coarser level].
static void add_coarse(contact_level *l, const contact_level *coarse, float *line)
{
    const int32_t count = coarse->width;
    const float *restrict between = line + count;
    for (int32_t y = 0; y < l->height; y++) {
        int32_t y0 = y / 2, y1 = y % 2 ? y0 + 1 : y0 - 1;
        y1 = y1 < 0 ? 0 : y1 < coarse->height ? y1 : coarse->height - 1;
        widen(coarse->dark + (ptrdiff_t)y0 * count, coarse->dark + (ptrdiff_t)y1 * count, count,
              line, line + count);
        float *restrict to = l->dark + (ptrdiff_t)y * l->width;
        for (int32_t x = 0; x < l->width; x++)
            to[x] = hidden_by_both(to[x], between[x]);
    }
}

/// The square of the part of the reach that is between a texel and the bounds of the shot, which
/// are `reach` texels within the map.
static float beyond(int32_t at, int32_t size, float reach)
{
    const int32_t from_side = at < size - 1 - at ? at : size - 1 - at;
    const float t = maths_maxf(1.0f - (float)from_side / reach, 0.0f);
    return t * t;
}

/// The darkest texel at the borders of a level. What comes near to them makes all shadows paler.
static float darkest_border(const contact_level *l)
{
    float most = 0.0f;
    const ptrdiff_t last = (ptrdiff_t)(l->height - 1) * l->width;
    for (int32_t x = 0; x < l->width; x++)
        most = maths_maxf(most, maths_maxf(l->dark[x], l->dark[last + x]));
    for (ptrdiff_t y = 0; y <= last; y += l->width)
        most = maths_maxf(most, maths_maxf(l->dark[y], l->dark[y + l->width - 1]));
    return most;
}

/// Parts of the sky below this one darken less: the haze around a shadow has no end. Chosen by eye.
static const float faint = 0.02f;

/// Writes the finest level into the texels of the map, which is 0 outside. What it has at the end
/// of the reach is taken away, more of it the farther a texel is from what stands there: a shadow
/// ends where it is equally dark, which is round around round things. `line`: [map width].
static void store(const shadow_map *map, float reach_m, const contact_level *l,
                  float *restrict line, float *texels)
{
    const float reach = maths_maxf(reach_m / map->texel_m, 1.0f);
    const float end = darkest_border(l);
    const int32_t border = SHADOW_BORDER;
    for (int32_t x = 0; x < map->width; x++)
        line[x] = end * beyond(x, map->width, reach);
    for (int32_t y = -border; y < map->height + border; y++) {
        float *restrict to = texels + (ptrdiff_t)y * map->stride;
        for (int32_t x = -border; x < map->width + border; x++)
            to[x] = 0.0f;
        if (y < 0 || y >= map->height)
            continue;
        const float *restrict dark = l->dark + (ptrdiff_t)y * map->width;
        const float along = end * beyond(y, map->height, reach);
        for (int32_t x = 0; x < map->width; x++) {
            const float gone = line[x] + along;
            const float left = positive(dark[x] - (gone < end ? gone : end));
            to[x] = left * left / (left + faint);
        }
    }
}

/// A blur of 1 4 6 4 1 has half of its weight within 1.2 texels, as the shadow of what is 1.2
/// texels high has.
static const float level_height = 1.2f;

_Static_assert(CONTACT_CELL == 4 && SHADOW_BORDER >= 3, "cells are read whole");

static zt_result find_cells(contact_heights *g, const float *texels, arena *a, zt_error *err)
{
    const shadow_map *map = g->map;
    g->cells_wide = (map->width + CONTACT_CELL - 1) / CONTACT_CELL;
    g->cells_high = (map->height + CONTACT_CELL - 1) / CONTACT_CELL;
    const size_t wide = (size_t)g->cells_wide, high = (size_t)g->cells_high;
    ZT_TRY(ARENA_TAKE(a, &g->cells, wide * high, "contact shadow", err));
    for (int32_t y = 0; y < map->height; y++) {
        float *restrict cell = g->cells + (ptrdiff_t)(y / CONTACT_CELL) * g->cells_wide;
        const float *row = texels + (ptrdiff_t)y * map->stride;
        for (int32_t x = 0; x < g->cells_wide; x++, row += CONTACT_CELL) { // the border is 0
            const float left = maths_maxf(row[0], row[1]), right = maths_maxf(row[2], row[3]);
            cell[x] = maths_maxf(cell[x], maths_maxf(left, right));
        }
    }
    return ZT_OK;
}

/// The cell of a texel, limited to those that there are.
static int32_t cell_at(float texel, int32_t count)
{
    const float cell = texel * (1.0f / CONTACT_CELL);
    return cell > 0.0f ? cell < (float)count ? (int32_t)cell : count - 1 : 0;
}

float contact_shadow_darkest(const contact_heights *g, const float min[2], const float max[2])
{
    const float around = 1.0f; // texels next to that of a point are read
    const int32_t left = cell_at(min[0] - around, g->cells_wide);
    const int32_t right = cell_at(max[0] + around, g->cells_wide);
    const int32_t end = cell_at(max[1] + around, g->cells_high);
    float darkest = 0.0f;
    for (int32_t y = cell_at(min[1] - around, g->cells_high); y <= end; y++)
        for (int32_t x = left; x <= right; x++)
            darkest = maths_maxf(darkest, g->cells[y * g->cells_wide + x]);
    return darkest;
}

zt_result contact_shadow_filter(contact_heights *g, float *texels, arena *a, zt_error *err)
{
    const shadow_map *map = g->map;
    contact_level levels[LEVELS_MAX];
    int32_t count = 0;
    const size_t width = (size_t)map->width, height = (size_t)map->height;
    int32_t *column = ARENA_ARRAY_RAW(a, int32_t, width);
    float *line = ARENA_ARRAY_RAW(a, float, 2 * width + 4);
    float *scratch = ARENA_ARRAY_RAW(a, float, width *(height + 8));
    if (!column || !line || !scratch)
        return arena_fail(a, err, "contact shadow");
    contact_columns columns = find_columns(map, column);
    ZT_TRY(fill_columns(g, &columns, a, err));
    for (float high = level_height * map->texel_m; count < LEVELS_MAX; count++, high *= 2.0f) {
        contact_level *l = &levels[count];
        if (count > 0 && high >= 2.0f * g->height_m)
            break;
        l->width = (map->width + (1 << count) - 1) >> count;
        l->height = (map->height + (1 << count) - 1) >> count;
        ZT_TRY(
            ARENA_TAKE(a, &l->dark, (size_t)l->width * (size_t)l->height, "contact shadow", err));
        if (columns.height == 0)
            continue;
        slice_columns(&columns, map->width, 1.0f / high, count, line, l);
        blur(l, columns.y >> count, ((columns.y + columns.height - 1) >> count) + 1, line, scratch);
    }
    for (int32_t i = count - 2; i >= 0; i--)
        add_coarse(&levels[i], &levels[i + 1], line);
    store(map, g->reach_m, &levels[0], line, texels);
    return find_cells(g, texels, a, err);
}
