// SPDX-License-Identifier: MIT
/// The contact shadow of the ground against double precision, and against the sky that boxes and
/// balls hide. What the maps show is cut into slices, each blurred over twice the width of the one
/// before: here without shared lines and without floats in between.
#include "random_inputs.h"
#include "shadow/contact_shadow.h"
#include "testing.h"

enum { WIDE = 90, HIGH = 70, STRIDE = WIDE + 2 * SHADOW_BORDER, LEVELS = 12 };

static float map_texels[(HIGH + 2 * SHADOW_BORDER) * STRIDE];
static float top_texels[HIGH * WIDE];
static float dark[(HIGH + 2 * SHADOW_BORDER) * STRIDE];

static size_t place(int32_t x, int32_t y)
{
    return (size_t)(y + SHADOW_BORDER) * STRIDE + (size_t)(x + SHADOW_BORDER);
}

/// The texel of the map from above that is over a texel of the map, whose rows it has in reverse.
static float *top_of(int32_t x, int32_t y) { return &top_texels[(HIGH - 1 - y) * WIDE + x]; }

/// Draws a column above texels [x0, x1] x [y0, y1] from one height to another.
static void draw_column(const contact_heights *g, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                        double low, double high)
{
    const double range = (double)g->height_m - (double)g->base_m;
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++) {
            float *below = &map_texels[place(x, y)], *above = top_of(x, y);
            *below = fmaxf(*below, (float)(((double)g->height_m - low) / range));
            *above = fmaxf(*above, (float)((high - (double)g->base_m) / range));
        }
}

static double limited(double x) { return fmin(fmax(x, 0.0), 1.0); }

/// The part of texel (column, row) of level k that is hidden at the height `at`.
static double slice(const contact_heights *g, int32_t column, int32_t row, int32_t k, double at)
{
    const double range = (double)g->height_m - (double)g->base_m;
    double all = 0.0, tall = 0.0;
    for (int32_t y = row << k; y < (row + 1) << k && y < HIGH; y++)
        for (int32_t x = column << k; x < (column + 1) << k && x < WIDE; x++) {
            const double below = (double)map_texels[place(x, y)], above = (double)*top_of(x, y);
            const double low = (double)g->height_m - below * range;
            const double high = fmax((double)g->base_m + above * range, low);
            const double begun = 2.0 - low / at, left = 2.0 * low / at + (k ? -1.0 : 1.0);
            if (below < 0.0)
                continue;
            all += limited(1.8 * fmin(begun, left));
            const double reaches = 2.0 * high / at + (k ? -1.0 : 1.0);
            tall += limited(fmin(begun, fmin(reaches, (high - 2.0 * low) / at)));
        }
    const double texels = pow(4.0, k);
    return fmax(all / texels, 0.85 * sqrt(tall / texels));
}

/// The darker of two, and of the other one the fourth power of the part that is left.
static double both(double a, double b)
{
    return fmax(a, b) + pow(1.0 - fmax(a, b), 4.0) * fmin(a, b);
}

typedef struct contact_oracle {
    int32_t count; ///< levels
    int32_t width[LEVELS], height[LEVELS];
    double *level[LEVELS];
} contact_oracle;

/// The slices, each blurred by 1 4 6 4 1.
static void oracle_levels(const contact_heights *g, contact_oracle *o)
{
    static const double weight[5] = {1.0 / 16, 4.0 / 16, 6.0 / 16, 4.0 / 16, 1.0 / 16};
    for (o->count = 0; o->count < LEVELS; o->count++) {
        const int32_t k = o->count, side = 1 << k;
        const double at = 1.2 * (double)g->map->texel_m * side;
        if (k > 0 && at >= 2.0 * (double)g->height_m)
            break;
        const int32_t wide = o->width[k] = (WIDE + side - 1) / side;
        const int32_t high = o->height[k] = (HIGH + side - 1) / side;
        o->level[k] = calloc((size_t)(wide * high), sizeof(double));
        for (int32_t y = 0; y < high; y++)
            for (int32_t x = 0; x < wide; x++) {
                const double value = slice(g, x, y, k, at);
                for (int32_t j = -2; j <= 2; j++)
                    for (int32_t i = -2; i <= 2; i++)
                        if (x + i >= 0 && x + i < wide && y + j >= 0 && y + j < high)
                            o->level[k][(y + j) * wide + x + i] +=
                                weight[i + 2] * weight[j + 2] * value;
            }
    }
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

/// 1 at the border of the map, 0 from the reach inwards, a parabola between.
static double beyond(int32_t at, int32_t size, double reach)
{
    return pow(limited(1.0 - fmin(at, size - 1 - at) / fmax(reach, 1.0)), 2.0);
}

static void check_contact(contact_heights *g)
{
    OWN_MEMORY(a, 0);
    contact_oracle o;
    memset(dark, 0xff, sizeof dark);
    cr_assert_eq(contact_shadow_filter(g, dark + place(0, 0), &a, NULL), ZT_OK);
    oracle_levels(g, &o);
    for (int32_t k = o.count - 2; k >= 0; k--)
        for (int32_t i = 0; i < o.width[k] * o.height[k]; i++) {
            const double x = (i % o.width[k] + 0.5) / 2.0, y = (i / o.width[k] + 0.5) / 2.0;
            o.level[k][i] = both(o.level[k][i], between(&o, k + 1, x, y));
        }
    const double reach = (double)g->reach_m / (double)g->map->texel_m;
    double end = 0.0;
    for (int32_t i = 0; i < WIDE * HIGH; i++)
        if (i < WIDE || i >= WIDE * (HIGH - 1) || i % WIDE % (WIDE - 1) == 0)
            end = fmax(end, o.level[0][i]);
    for (int32_t y = -SHADOW_BORDER; y < HIGH + SHADOW_BORDER; y++)
        for (int32_t x = -SHADOW_BORDER; x < WIDE + SHADOW_BORDER; x++) {
            const bool inside = x >= 0 && y >= 0 && x < WIDE && y < HIGH;
            const double gone = beyond(x, WIDE, reach) + beyond(y, HIGH, reach);
            const double kept =
                inside ? fmax(o.level[0][y * WIDE + x] - end * fmin(gone, 1.0), 0.0) : 0.0;
            const double exact = kept * kept / (kept + 0.02);
            // Some hundred roundings of values of up to 1 in floats.
            NEAR(dark[place(x, y)], exact, 1e-5, "%d, %d", x, y);
        }
    for (int32_t k = 0; k < o.count; k++)
        free(o.level[k]);
}

/// Empty maps, with texels of a random size.
static contact_heights random_heights(random_state *r)
{
    static shadow_map map, tops;
    map = (shadow_map){.depth = map_texels + place(0, 0),
                       .width = WIDE,
                       .height = HIGH,
                       .stride = STRIDE,
                       .texel_m = random_float(r, 0.005f, 0.05f)};
    tops = (shadow_map){.depth = top_texels, .width = WIDE, .height = HIGH, .stride = WIDE};
    contact_heights g = {.map = &map, .tops = &tops};
    g.base_m = random_float(r, -0.1f, 0.0f);
    g.height_m = random_float(r, 0.5f, 3.0f);
    g.reach_m = map.texel_m * random_float(r, 0.5f, 40.0f);
    for (size_t i = 0; i < sizeof map_texels / sizeof *map_texels; i++)
        map_texels[i] = -1.0f;
    for (size_t i = 0; i < sizeof top_texels / sizeof *top_texels; i++)
        top_texels[i] = -1.0f;
    return g;
}

Test(contact_shadow, boxes_of_all_heights)
{
    random_state r = {31};
    for (int i = 0; i < 6; i++) {
        contact_heights g = random_heights(&r);
        for (int box = 0; box < 12 * (i > 0); box++) {
            const int32_t x0 = random_int(&r, 0, WIDE - 1), y0 = random_int(&r, 0, HIGH - 1);
            const int32_t x1 = random_int(&r, x0, WIDE - 1), y1 = random_int(&r, y0, HIGH - 1);
            const double low = (double)random_float(&r, 0.0f, g.height_m);
            draw_column(&g, x0, y0, x1, y1, low, (double)random_float(&r, (float)low, g.height_m));
        }
        check_contact(&g);
    }
}

/// The shadow of a ball is darkest where it touches, and falls from there as the sky that a sphere
/// hides from a plane, (1 + (d / r)^2)^-1.5.
Test(contact_shadow, a_ball_is_darkest_where_it_touches)
{
    enum { RADIUS = 16 };
    contact_heights g = random_heights(&(random_state){41});
    const double texel_m = (double)g.map->texel_m;
    OWN_MEMORY(a, 0);
    g.base_m = 0.0f;
    g.height_m = (float)(2 * RADIUS * texel_m);
    g.reach_m = (float)(1.3 * RADIUS * texel_m);
    for (int32_t y = 0; y < HIGH; y++)
        for (int32_t x = 0; x < WIDE; x++) {
            const double d = hypot(x - WIDE / 2, y - HIGH / 2) / RADIUS;
            const double h = sqrt(fmax(1.0 - d * d, 0.0)) * RADIUS * texel_m;
            if (d < 1.0)
                draw_column(&g, x, y, x, y, RADIUS * texel_m - h, RADIUS * texel_m + h);
        }
    cr_assert_eq(contact_shadow_filter(&g, dark + place(0, 0), &a, NULL), ZT_OK);
    double before = 2.0;
    for (int32_t x = 4; x <= RADIUS + 8; x += 2) { // nearer it is black
        const double d = (double)x / RADIUS, exact = pow(1.0 + d * d, -1.5);
        const double found = (double)dark[place(WIDE / 2 + x, HIGH / 2)];
        cr_expect_lt(found, before, "%g: %g", d, found);
        cr_expect_lt(fabs(found - exact), 0.2, "%g: %g, exact %g", d, found, exact);
        before = found;
    }
}

/// A box of texels [x0, x1] x [y0, y1], heights in texels. The last one of a scene has none.
typedef struct box {
    int32_t x0, y0, x1, y1;
    double low, high;
} box;

/// The share of a uniform sky that boxes hide from the centre of a texel, by rays.
static double hidden_sky(const box boxes[4], int32_t x, int32_t y)
{
    enum { RAYS = 64 };
    const double from[3] = {x + 0.5, 0.0, y + 0.5};
    int hit = 0;
    for (int i = 0; i < RAYS * RAYS; i++) {
        const double u = (i % RAYS + 0.5) / RAYS, turn = 2.0 * 3.14159265 * (i / RAYS + 0.5) / RAYS;
        const double ray[3] = {sqrt(u) * cos(turn), sqrt(1.0 - u), sqrt(u) * sin(turn)};
        bool any = false;
        for (int b = 0; b < 4; b++) {
            const double min[3] = {boxes[b].x0, boxes[b].low, boxes[b].y0};
            const double max[3] = {boxes[b].x1 + 1, boxes[b].high, boxes[b].y1 + 1};
            double near = 0.0, far = HUGE_VAL;
            for (int k = 0; k < 3; k++) {
                const double p = (min[k] - from[k]) / ray[k], q = (max[k] - from[k]) / ray[k];
                near = fmax(near, fmin(p, q));
                far = fmin(far, fmax(p, q));
            }
            any = any || near < far;
        }
        hit += any;
    }
    return (double)hit / (RAYS * RAYS);
}

/// Things on legs, standing or hovering, hide from the ground what they hide of a sky: at least
/// half of it where it is much, and nothing near twice as much. What is flat hides nothing around.
Test(contact_shadow, things_on_legs_hide_the_sky)
{
    static const struct {
        const char *name;
        box boxes[4];
    } scenes[] = {
        {"table", {{25, 20, 64, 49, 26, 28}, {26, 21, 27, 22, 0, 26}, {62, 21, 63, 22, 0, 26}}},
        {"low table", {{25, 20, 64, 49, 8, 10}, {26, 21, 27, 22, 0, 8}}},
        {"man", {{41, 32, 48, 37, 0, 32}}},
        {"hovers", {{36, 26, 53, 43, 12, 28}}},
        {"flat", {{20, 20, 69, 49, 0, 0.5}, {42, 32, 46, 36, 0.5, 30}}},
    };
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
        OWN_MEMORY(a, 0);
        contact_heights g = random_heights(&(random_state){43});
        const double texel_m = (double)g.map->texel_m;
        g.base_m = 0.0f;
        g.height_m = (float)(34.0 * texel_m);
        g.reach_m = (float)(10.0 * texel_m);
        for (const box *b = scenes[s].boxes; b->high > 0.0; b++)
            draw_column(&g, b->x0, b->y0, b->x1, b->y1, b->low * texel_m, b->high * texel_m);
        cr_assert_eq(contact_shadow_filter(&g, dark + place(0, 0), &a, NULL), ZT_OK);
        for (int32_t y = 35; y <= 59; y += 6)
            for (int32_t x = 45; x <= 75; x += 6) {
                const double found = (double)dark[place(x, y)];
                const double exact = hidden_sky(scenes[s].boxes, x, y);
                cr_expect(found > 0.5 * exact - 0.06 && found < 1.6 * exact + 0.05,
                          "%s at %d, %d: %g, not %g", scenes[s].name, x, y, found, exact);
            }
    }
}
