// SPDX-License-Identifier: MIT
// The contact shadow: what part of a uniform sky the things above the ground hide from its points.
//
// A horizontal patch at the height h and the horizontal distance r hides the part h^2 / (pi (h^2 +
// r^2)^2) of it, times its area (a form factor of radiosity): what is at the height h is blurred
// over h. Levels have texels of 1, 2, 4 ... texels of the map and show what is below a height of
// about a texel of theirs, blurred over that. A level hides no more than it all hides, so the
// largest of the levels counts: next to a wall that is the level of its top, and exact.
#include "shadow/contact_shadow.h"

#include "base/maths.h"

#include <string.h>

enum { LEVELS_MAX = 10 };

typedef struct contact_level {
    int32_t width, height;
    float *dark; ///< [height][width]
} contact_level;

/// Sums of two numbers each; the last one may be alone.
static void add_pairs(int32_t *column, int32_t count)
{
    for (int32_t x = 0; x < count / 2; x++)
        column[x] = column[2 * x] + column[2 * x + 1];
    if (count % 2)
        column[count / 2] = column[count - 1];
}

/// Adds 1 where a texel of a row is not above `depth`.
static void count_row(const float *restrict row, float depth, int32_t count,
                      int32_t *restrict column)
{
    for (int32_t x = 0; x < count; x++)
        column[x] += row[x] >= depth;
}

/// Map texels not above `depth`: their parts of a level's texels, 1 << shift texels wide.
static void count_cover(const shadow_map *map, float depth, int32_t shift, int32_t *column,
                        contact_level *out)
{
    const int32_t side = 1 << shift;
    const float share = 1.0f / (float)(side * side);
    for (int32_t y = 0; y < out->height; y++) {
        const int32_t left = map->height - y * side, rows = left < side ? left : side;
        memset(column, 0, (size_t)map->width * sizeof *column);
        for (int32_t k = 0; k < rows; k++) {
            const float *row = map->depth + (ptrdiff_t)(y * side + k) * map->stride;
            count_row(row, depth, map->width, column);
        }
        for (int32_t half = side, count = map->width; half > 1; half /= 2, count = (count + 1) / 2)
            add_pairs(column, count);
        for (int32_t x = 0; x < out->width; x++)
            out->dark[y * out->width + x] = (float)column[x] * share;
    }
}

/// The mean of depth * (a + b * depth) of each texel of the level. Depth is 1 where things stand on
/// the ground, 0 at the top of the map and where nothing is. `column`: [map width].
static void mean_depth(const shadow_map *map, float a, float b, int32_t shift, float *column,
                       contact_level *out)
{
    const int32_t side = 1 << shift;
    const float share = 1.0f / (float)(side * side);
    for (int32_t y = 0; y < out->height; y++) {
        const int32_t left = map->height - y * side, rows = left < side ? left : side;
        memset(column, 0, (size_t)map->width * sizeof *column);
        for (int32_t k = 0; k < rows; k++) {
            const float *row = map->depth + (ptrdiff_t)(y * side + k) * map->stride;
            for (int32_t x = 0; x < map->width; x++) {
                const float d = row[x] > 0.0f ? row[x] : 0.0f;
                column[x] += d * (a + b * d);
            }
        }
        for (int32_t x = 0; x < out->width; x++) {
            float sum = 0.0f;
            for (int32_t k = x * side; k < (x + 1) * side && k < map->width; k++)
                sum += column[k];
            out->dark[y * out->width + x] = sum * share;
        }
    }
}

/// Weights 1 4 6 4 1 of 16 along a line; what is beyond its ends is 0.
static void blur_line(const float *from, int32_t count, float *to)
{
    for (int32_t i = 0; i < count; i++)
        to[i] = ((from[i] + from[i + 4]) + 4.0f * (from[i + 1] + from[i + 3])) + 6.0f * from[i + 2];
}

/// Blurs a level over about one of its texels. `line`: [width + 4].
static void blur(contact_level *l, float *line, float *scratch)
{
    const int32_t w = l->width, h = l->height;
    memset(line, 0, ((size_t)w + 4) * sizeof *line);
    for (int32_t y = 0; y < h; y++) {
        memcpy(line + 2, l->dark + (ptrdiff_t)y * w, (size_t)w * sizeof *line);
        blur_line(line, w, scratch + (ptrdiff_t)(y + 2) * w);
    }
    memset(scratch, 0, 2 * (size_t)w * sizeof *scratch);
    memset(scratch + (ptrdiff_t)(h + 2) * w, 0, 2 * (size_t)w * sizeof *scratch);
    for (int32_t y = 0; y < h; y++) {
        const float *r = scratch + (ptrdiff_t)y * w;
        float *to = l->dark + (ptrdiff_t)y * w;
        for (int32_t x = 0; x < w; x++)
            to[x] =
                (((r[x] + r[x + 4 * w]) + 4.0f * (r[x + w] + r[x + 3 * w])) + 6.0f * r[x + 2 * w]) *
                (1.0f / 256.0f);
    }
}

/// From the part that the lighter of two levels hides, this part counts as well: small things close
/// to the ground, such as the feet below a body, stay visible in the shadow of large ones.
static const float also = 0.35f;

static float hidden_by_both(float a, float b)
{
    const float high = a > b ? a : b, low = a > b ? b : a;
    return high + (1.0f - high) * (also * low);
}

/// The part of the light on the ground that comes from above. It has the shadow of all things,
/// which is the fainter the higher they are, and the softer: of the depth d, d^2 is blurred over a
/// level's texels and d (1 - d) over those of a coarser one.
static const float overhead = 0.5f;

static zt_result add_overhead(const shadow_map *map, bool high, int32_t shift, float *line,
                              float *scratch, arena *a, contact_level *to, zt_error *err)
{
    contact_level own = *to;
    ZT_TRY(ARENA_TAKE_RAW(a, &own.dark, (size_t)own.width * (size_t)own.height, "contact shadow",
                          err));
    mean_depth(map, high ? 1.0f : 0.0f, high ? -1.0f : 1.0f, shift, line, &own);
    blur(&own, line, scratch);
    for (int32_t i = 0; i < to->width * to->height; i++)
        to->dark[i] = hidden_by_both(to->dark[i], overhead * own.dark[i]);
    return ZT_OK;
}

/// Adds what two rows of the coarser level have at a quarter between their texels x0 and x1.
static float with_coarse(float own, const float *near, const float *far, int32_t x0, int32_t x1)
{
    const float a = 0.75f * near[x0] + 0.25f * near[x1];
    const float b = 0.75f * far[x0] + 0.25f * far[x1];
    return hidden_by_both(own, 0.75f * a + 0.25f * b);
}

/// Adds the coarser level, between whose texels it interpolates, to a level.
static void add_coarse(contact_level *l, const contact_level *coarse)
{
    const int32_t last = coarse->width - 1;
    for (int32_t y = 0; y < l->height; y++) {
        int32_t y0 = y / 2, y1 = y % 2 ? y0 + 1 : y0 - 1;
        y1 = y1 < 0 ? 0 : y1 < coarse->height ? y1 : coarse->height - 1;
        const float *near = coarse->dark + (ptrdiff_t)y0 * coarse->width;
        const float *far = coarse->dark + (ptrdiff_t)y1 * coarse->width;
        float *restrict to = l->dark + (ptrdiff_t)y * l->width;
        to[0] = with_coarse(to[0], near, far, 0, 0);
        for (int32_t x = 0; x < last; x++) {
            to[2 * x + 1] = with_coarse(to[2 * x + 1], near, far, x, x + 1);
            to[2 * x + 2] = with_coarse(to[2 * x + 2], near, far, x + 1, x);
        }
        if (2 * last + 1 < l->width)
            to[2 * last + 1] = with_coarse(to[2 * last + 1], near, far, last, last);
    }
}

/// 0 at the map's borders, 1 from `wide` texels inwards: blurs of high things reach beyond.
static float window(int32_t at, int32_t size, float wide)
{
    const int32_t from_side = at < size - 1 - at ? at : size - 1 - at;
    const float t = (float)from_side / wide;
    const float u = t < 1.0f ? t : 1.0f;
    return u * u * (3.0f - 2.0f * u);
}

/// Writes the finest level into the texels of the map, which is 0 outside.
/// `across`: [map width].
static void store(const shadow_map *map, float reach_m, const contact_level *l, float *across,
                  float *texels)
{
    const float reach = reach_m / map->texel_m, wide = reach > 1.0f ? reach : 1.0f;
    const int32_t border = SHADOW_BORDER;
    for (int32_t x = 0; x < map->width; x++)
        across[x] = window(x, map->width, wide);
    for (int32_t y = -border; y < map->height + border; y++) {
        const bool inside = y >= 0 && y < map->height;
        const float along = inside ? window(y, map->height, wide) : 0.0f;
        float *to = texels + (ptrdiff_t)y * map->stride;
        for (int32_t x = -border; x < map->width + border; x++)
            to[x] = 0.0f;
        if (inside)
            for (int32_t x = 0; x < map->width; x++)
                to[x] = l->dark[(ptrdiff_t)y * map->width + x] * across[x] * along;
    }
}

/// A blur of 1 4 6 4 1 has half of its weight within 1.2 texels, as the shadow of what is 1.2
/// texels high has; a little more for what the levels add to each other. A ball's shadow is darkest
/// where it touches (kernels_contact).
static const float level_height = 1.4f;

/// The level whose texels blur the shadow from above: the finest with less than 64 a side.
static int32_t overhead_level(const shadow_map *map, int32_t count)
{
    const int32_t side = map->width > map->height ? map->width : map->height;
    int32_t shift = 0;
    while (shift + 1 < count && side >> shift > 64)
        shift++;
    return shift;
}

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
    float *line = ARENA_ARRAY_RAW(a, float, width + 4);
    float *scratch = ARENA_ARRAY_RAW(a, float, width *(height + 4));
    if (!column || !line || !scratch)
        return arena_fail(a, err, "contact shadow");
    for (; count < LEVELS_MAX; count++) {
        contact_level *l = &levels[count];
        const float high = level_height * map->texel_m * (float)(1 << count);
        if (count > 0 && high > 0.8f * g->reach_m)
            break;
        l->width = (map->width + (1 << count) - 1) >> count;
        l->height = (map->height + (1 << count) - 1) >> count;
        ZT_TRY(ARENA_TAKE_RAW(a, &l->dark, (size_t)l->width * (size_t)l->height, "contact shadow",
                              err));
        const float depth = (g->height_m - high) / (g->height_m - g->base_m);
        count_cover(map, depth > 0.0f ? depth : 0.0f, count, column, l);
        blur(l, line, scratch);
    }
    const int32_t sharp = overhead_level(map, count),
                  soft = sharp + 2 < count ? sharp + 2 : count - 1;
    ZT_TRY(add_overhead(map, false, sharp, line, scratch, a, &levels[sharp], err));
    ZT_TRY(add_overhead(map, true, soft, line, scratch, a, &levels[soft], err));
    for (int32_t i = count - 2; i >= 0; i--)
        add_coarse(&levels[i], &levels[i + 1]);
    store(map, g->reach_m, &levels[0], line, texels);
    return find_cells(g, texels, a, err);
}
