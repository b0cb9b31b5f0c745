// SPDX-License-Identifier: MIT
/// The contact shadow of the ground against double precision. What the map shows is blurred in
/// levels, each over twice the width of the one before: here every texel of every level is a sum
/// over the texels of the map, without shared lines and without floats in between.
#include "../unit/test_memory.h"
#include "random_inputs.h"
#include "shadow/contact_shadow.h"

enum { WIDE = 90, HIGH = 70, STRIDE = WIDE + 2 * SHADOW_BORDER, LEVELS = 10 };

static float map_texels[(HIGH + 2 * SHADOW_BORDER) * STRIDE];
static float dark[(HIGH + 2 * SHADOW_BORDER) * STRIDE];

static size_t place(int32_t x, int32_t y)
{
    return (size_t)(y + SHADOW_BORDER) * STRIDE + (size_t)(x + SHADOW_BORDER);
}

/// Weight of a texel of the map in the mean of a level.
typedef enum quantity {
    COVER, ///< 1 where something is below a height
    LOW,   ///< the square of the depth: of what is close to the ground
    TALL,  ///< depth (1 - depth)
} quantity;

static double texel_value(int32_t x, int32_t y, quantity q, double depth_of_height)
{
    const double d = (double)map_texels[place(x, y)], above = fmax(d, 0.0);
    return q == COVER ? (d >= depth_of_height ? 1.0 : 0.0)
           : q == LOW ? above * above
                      : above * (1.0 - above);
}

/// The blurred mean of texel (column, row) of level k: 1 4 6 4 1 over squares of 2^k texels.
static double blurred(int32_t column, int32_t row, int32_t k, quantity q, double depth_of_height)
{
    static const double weight[5] = {1.0 / 16, 4.0 / 16, 6.0 / 16, 4.0 / 16, 1.0 / 16};
    const int32_t side = 1 << k;
    double sum = 0.0;
    for (int32_t y = (row - 2) * side; y < (row + 3) * side; y++)
        for (int32_t x = (column - 2) * side; x < (column + 3) * side; x++)
            if (x >= 0 && y >= 0 && x < WIDE && y < HIGH)
                sum += weight[(x - (column - 2) * side) / side] *
                       weight[(y - (row - 2) * side) / side] *
                       texel_value(x, y, q, depth_of_height);
    return sum / (side * side);
}

/// The darker of two, and 0.35 of the other one's part of the rest.
static double both(double a, double b)
{
    return fmax(a, b) + (1.0 - fmax(a, b)) * 0.35 * fmin(a, b);
}

typedef struct contact_oracle {
    int32_t count; ///< levels
    int32_t width[LEVELS], height[LEVELS];
    double *level[LEVELS];
} contact_oracle;

static void oracle_levels(const contact_heights *g, contact_oracle *o)
{
    for (o->count = 0; o->count < LEVELS; o->count++) {
        const int32_t k = o->count, side = 1 << k;
        const double high = 1.4 * (double)g->map->texel_m * side; // a level is for what is below
        if (k > 0 && high > 0.8 * (double)g->reach_m)
            break;
        const double range = (double)g->height_m - (double)g->base_m;
        const double depth = fmax(((double)g->height_m - high) / range, 0.0);
        o->width[k] = (WIDE + side - 1) / side;
        o->height[k] = (HIGH + side - 1) / side;
        o->level[k] = calloc((size_t)(o->width[k] * o->height[k]), sizeof(double));
        for (int32_t i = 0; i < o->width[k] * o->height[k]; i++)
            o->level[k][i] = blurred(i % o->width[k], i / o->width[k], k, COVER, depth);
    }
}

/// The shadow of everything on light from above, half of the whole, blurred at one level.
static void oracle_overhead(contact_oracle *o, int32_t k, quantity q)
{
    for (int32_t i = 0; i < o->width[k] * o->height[k]; i++)
        o->level[k][i] =
            both(o->level[k][i], 0.5 * blurred(i % o->width[k], i / o->width[k], k, q, 0.0));
}

/// Level k between its texels' centres, edges repeated, at a position in texels.
static double between(const contact_oracle *o, int32_t k, double x, double y)
{
    const double left = floor(x - 0.5), top = floor(y - 0.5);
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        const double cx = left + i % 2, cy = top + i / 2;
        const double weight = (1.0 - fabs(x - 0.5 - cx)) * (1.0 - fabs(y - 0.5 - cy));
        const int32_t tx = (int32_t)fmin(fmax(cx, 0.0), o->width[k] - 1);
        const int32_t ty = (int32_t)fmin(fmax(cy, 0.0), o->height[k] - 1);
        sum += weight * o->level[k][ty * o->width[k] + tx];
    }
    return sum;
}

/// 0 at the border of the map, 1 from the reach of the shadow inwards, smooth between.
static double fade(int32_t at, int32_t size, double reach)
{
    const double t = fmin(fmin(at, size - 1 - at) / fmax(reach, 1.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

static void check_contact(contact_heights *g)
{
    OWN_MEMORY(a, 0);
    contact_oracle o;
    memset(dark, 0xff, sizeof dark);
    cr_assert_eq(contact_shadow_filter(g, dark + place(0, 0), &a, NULL), ZT_OK);
    oracle_levels(g, &o);
    int32_t fine = 0; // the first level of at most 64 texels along the longer side
    while (fine + 1 < o.count && WIDE >> fine > 64)
        fine++;
    oracle_overhead(&o, fine, LOW);
    oracle_overhead(&o, fine + 2 < o.count ? fine + 2 : o.count - 1, TALL);
    for (int32_t k = o.count - 2; k >= 0; k--)
        for (int32_t i = 0; i < o.width[k] * o.height[k]; i++) {
            const double x = (i % o.width[k] + 0.5) / 2.0, y = (i / o.width[k] + 0.5) / 2.0;
            o.level[k][i] = both(o.level[k][i], between(&o, k + 1, x, y));
        }
    const double reach = (double)g->reach_m / (double)g->map->texel_m;
    for (int32_t y = -SHADOW_BORDER; y < HIGH + SHADOW_BORDER; y++)
        for (int32_t x = -SHADOW_BORDER; x < WIDE + SHADOW_BORDER; x++) {
            const bool inside = x >= 0 && y >= 0 && x < WIDE && y < HIGH;
            const double exact =
                !inside ? 0.0
                        : o.level[0][y * WIDE + x] * fade(x, WIDE, reach) * fade(y, HIGH, reach);
            // Some hundred roundings of values of up to 1 in floats.
            NEAR(dark[place(x, y)], exact, 1e-5, "%d, %d", x, y);
        }
    for (int32_t k = 0; k < o.count; k++)
        free(o.level[k]);
}

static contact_heights random_heights(random_state *r)
{
    static shadow_map map;
    map = (shadow_map){.depth = map_texels + place(0, 0),
                       .width = WIDE,
                       .height = HIGH,
                       .stride = STRIDE,
                       .texel_m = random_float(r, 0.005f, 0.05f)};
    contact_heights g = {.map = &map};
    g.base_m = random_float(r, 0.0f, 0.1f);
    g.height_m = g.base_m + random_float(r, 0.5f, 3.0f);
    g.reach_m = map.texel_m * random_float(r, 0.5f, 40.0f);
    return g;
}

Test(contact_shadow, boxes_of_all_heights)
{
    random_state r = {31};
    for (int i = 0; i < 6; i++) {
        for (int32_t k = 0; k < (int32_t)(sizeof map_texels / sizeof *map_texels); k++)
            map_texels[k] = -1.0f;
        for (int box = 0; box < 12; box++) {
            const int32_t x0 = random_int(&r, 0, WIDE - 1), y0 = random_int(&r, 0, HIGH - 1);
            const int32_t x1 = random_int(&r, x0, WIDE - 1), y1 = random_int(&r, y0, HIGH - 1);
            const float depth = random_float(&r, 0.0f, 1.0f);
            for (int32_t y = y0; y <= y1; y++)
                for (int32_t x = x0; x <= x1; x++)
                    map_texels[place(x, y)] = depth + random_float(&r, -0.01f, 0.01f);
        }
        contact_heights g = random_heights(&r);
        check_contact(&g);
    }
}

/// A horizontal patch at the height h hides h^2 / (pi (h^2 + r^2)^2) of a uniform sky from points
/// of the ground, times its area: half of what it hides is within the distance h. The blur of the
/// finest level is that of what is 1.2 texels high.
Test(contact_shadow, half_is_within_the_height)
{
    contact_heights g = random_heights(&(random_state){37});
    g.reach_m = 0.5f * g.map->texel_m; // one level
    for (int32_t k = 0; k < (int32_t)(sizeof map_texels / sizeof *map_texels); k++)
        map_texels[k] = -1.0f;
    map_texels[place(WIDE / 2, HIGH / 2)] = 1.0f;
    check_contact(&g);
    double within = 0.0, all = 0.0;
    for (int32_t y = 0; y < HIGH; y++)
        for (int32_t x = 0; x < WIDE; x++) {
            const double part = (double)dark[place(x, y)];
            all += part;
            within += hypot(x - WIDE / 2, y - HIGH / 2) <= 1.2 ? part : 0.0;
        }
    cr_assert_lt(fabs(within / all - 0.5), 0.03, "%g", within / all);
}

/// The shadow of a ball is darkest where it touches, and falls from there as the sky that a sphere
/// hides from a plane, (1 + (d / r)^2)^-1.5.
Test(contact_shadow, a_ball_is_darkest_where_it_touches)
{
    enum { RADIUS = 16 };
    random_state r = {41};
    contact_heights g = random_heights(&r);
    const double texel_m = (double)g.map->texel_m;
    OWN_MEMORY(a, 0);
    g.base_m = 0.0f;
    g.height_m = (float)(2 * RADIUS * texel_m);
    g.reach_m = (float)(0.7 * RADIUS * texel_m);
    for (int32_t y = 0; y < HIGH; y++)
        for (int32_t x = 0; x < WIDE; x++) {
            const double d = hypot(x - WIDE / 2, y - HIGH / 2) / RADIUS;
            const double h = 1.0 - sqrt(fmax(1.0 - d * d, 0.0));
            map_texels[place(x, y)] = d < 1.0 ? (float)(1.0 - 0.5 * h) : -1.0f;
        }
    cr_assert_eq(contact_shadow_filter(&g, dark + place(0, 0), &a, NULL), ZT_OK);
    double before = 2.0;
    for (int32_t x = 4; x <= RADIUS; x += 2) { // nearer it is black
        const double d = (double)x / RADIUS, exact = pow(1.0 + d * d, -1.5);
        const double found = (double)dark[place(WIDE / 2 + x, HIGH / 2)];
        cr_expect_lt(found, before, "%g: %g", d, found);
        cr_expect_lt(fabs(found - exact), 0.2, "%g: %g, exact %g", d, found, exact);
        before = found;
    }
}
