// SPDX-License-Identifier: MIT
// The studios. White diffuse surfaces show 0.75 to 1.2 on average. In the room of soft boxes and in
// that of products, the sides of a box differ by 1.5 : 1: key light and back light face each other,
// and between them come strips that gloss shows and little else. Light from above gives rounded
// things a top. Between its boxes the room of soft boxes is dark, and the boxes are small and
// bright: metal needs contrast to look like metal, and gloss something to show.
#include "environment/studio.h"

#include "base/maths.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/// A rectangle of light on the plane at distance 1 in its direction.
typedef struct soft_box {
    double azimuth_deg, elevation_deg; ///< 0, 0: +z; azimuth 90: +x
    double half_width, half_height;
    double soft; ///< half of the width over which its edges fade
    double radiance;
} soft_box;

typedef struct studio_room {
    double ceiling, horizon, floor; ///< radiance
    soft_box box[5];
} studio_room;

static const studio_room rooms[STUDIO_COUNT] = {
    [STUDIO_SOFT_BOXES] = {.ceiling = 0.33,
                           .horizon = 0.11,
                           .floor = 0.47,
                           .box = {{-28.0, 30.0, 0.34, 0.30, 0.03, 9.95},
                                   {80.0, 12.0, 0.08, 0.60, 0.03, 5.5},
                                   {165.0, 18.0, 0.14, 0.56, 0.03, 12.3},
                                   {-120.0, 18.0, 0.10, 0.60, 0.03, 2.5},
                                   {10.0, 80.0, 0.40, 0.25, 0.06, 6.9}}},
    [STUDIO_NEUTRAL] = {.ceiling = 0.80,
                        .horizon = 0.60,
                        .floor = 0.48,
                        .box = {{-38.0, 38.0, 0.45, 0.40, 0.22, 1.1},
                                {70.0, 20.0, 0.45, 0.55, 0.25, 0.45},
                                {150.0, 25.0, 0.40, 0.60, 0.22, 0.7},
                                {-125.0, 20.0, 0.40, 0.60, 0.22, 0.55},
                                {0.0, 90.0, 0.40, 0.40, 0.20, 0.2}}},
    [STUDIO_PRODUCT] = {.ceiling = 0.42,
                        .horizon = 0.15,
                        .floor = 0.46,
                        .box = {{-34.0, 32.0, 0.45, 0.40, 0.20, 4.25},
                                {84.0, 15.0, 0.24, 0.55, 0.18, 1.65},
                                {175.0, 22.0, 0.35, 0.55, 0.18, 3.15},
                                {0.0, 90.0, 0.50, 0.50, 0.20, 0.9}}},
};

/// 1 inside, 0 outside, smooth over the edge.
static double fade(double position, double half, double soft)
{
    const double x = position < 0.0 ? -position : position;
    double t = (half + soft - x) / (2.0 * soft);
    t = maths_clamp(t, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

static double box_radiance(const soft_box *box, const double d[3])
{
    double sa, ca, se, ce;
    maths_sincos_deg(box->azimuth_deg, &sa, &ca);
    maths_sincos_deg(box->elevation_deg, &se, &ce);
    const double along = (d[0] * (sa * ce) + d[1] * se) + d[2] * (ca * ce);
    if (!(along > 0.0))
        return 0.0;
    const double across = d[0] * ca - d[2] * sa;
    const double up = (d[1] * ce - d[0] * (sa * se)) - d[2] * (ca * se);
    return box->radiance * (fade(across / along, box->half_width, box->soft) *
                            fade(up / along, box->half_height, box->soft));
}

/// Radiance from the unit direction `d`; grey. The boxes stand as in front of a model that looks
/// along +z: the key light is above, in front, on its right hand.
static double radiance(studio_kind kind, const double d[3])
{
    const studio_room *room = &rooms[kind];
    const double up = d[1] > 0.0 ? d[1] : 0.0, above = 1.0 + (d[1] < 0.0 ? d[1] : 0.0);
    double sum = (room->horizon + (room->ceiling - room->horizon) * up) +
                 (room->floor - room->horizon) * (1.0 - above * above * above);
    for (unsigned i = 0; i < COUNT_OF(room->box); i++)
        sum += box_radiance(&room->box[i], d);
    return sum;
}

void studio_draw(studio_kind kind, float *rgb)
{
    for (int32_t y = 0; y < STUDIO_HEIGHT; y++)
        for (int32_t x = 0; x < STUDIO_WIDTH; x++) {
            double st, ct, sp, cp;
            maths_sincos_deg(180.0 * (y + 0.5) / STUDIO_HEIGHT, &st, &ct);
            maths_sincos_deg(360.0 * (x + 0.5) / STUDIO_WIDTH - 180.0, &sp, &cp);
            const double d[3] = {st * cp, ct, st * sp};
            const float grey = (float)radiance(kind, d);
            for (int c = 0; c < 3; c++)
                *rgb++ = grey;
        }
}
