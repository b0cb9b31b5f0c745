// SPDX-License-Identifier: MIT
// The two studios. Their levels are such that white diffuse surfaces show 0.8 to 0.9 on
// average and at most 1.3: with the tone map neutral, folds of white cloth stay visible. Between
// its boxes the room of soft boxes is dark, and the boxes are small and bright: metal needs
// contrast to look like metal, and gloss something to show.
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
    [STUDIO_SOFT_BOXES] = {.ceiling = 0.08,
                           .horizon = 0.06,
                           .floor = 0.30,
                           .box = {{-36.0, 28.0, 0.29, 0.26, 0.03, 9.2},
                                   {60.0, 13.0, 0.22, 0.52, 0.04, 6.4},
                                   {155.0, 19.0, 0.15, 0.54, 0.04, 6.6},
                                   {-128.0, 15.0, 0.15, 0.54, 0.04, 6.0},
                                   {170.0, 76.0, 0.36, 0.20, 0.06, 2.4}}},
    [STUDIO_NEUTRAL] = {.ceiling = 0.80,
                        .horizon = 0.60,
                        .floor = 0.48,
                        .box = {{-38.0, 38.0, 0.45, 0.40, 0.22, 1.1},
                                {70.0, 20.0, 0.45, 0.55, 0.25, 0.45},
                                {150.0, 25.0, 0.40, 0.60, 0.22, 0.7},
                                {-125.0, 20.0, 0.40, 0.60, 0.22, 0.55},
                                {0.0, 90.0, 0.40, 0.40, 0.20, 0.2}}},
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

double studio_radiance(studio_kind kind, const double d[3])
{
    const studio_room *room = &rooms[kind];
    const double up = d[1] > 0.0 ? d[1] : 0.0, above = 1.0 + (d[1] < 0.0 ? d[1] : 0.0);
    double sum = (room->horizon + (room->ceiling - room->horizon) * up) +
                 (room->floor - room->horizon) * (1.0 - above * above * above);
    for (unsigned i = 0; i < COUNT_OF(room->box); i++)
        sum += box_radiance(&room->box[i], d);
    return sum;
}
