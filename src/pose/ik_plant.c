// SPDX-License-Identifier: MIT
/// Feet on ground.
#include "pose/ik.h"

static double height_at(const ik_ground *g, int64_t column, int64_t row)
{
    const int64_t c = column < 0 ? 0 : column < g->columns ? column : g->columns - 1;
    const int64_t r = row < 0 ? 0 : row < g->rows ? row : g->rows - 1;
    return g->height[r * (int64_t)g->columns + c];
}

/// Where a coordinate stands on a grid of `count` samples: the sample before it, and how far on.
static int64_t cell_of(double at, double first, double step, uint32_t count, double *out_part)
{
    double place = (at - first) / step;
    place = place > 0.0 ? place : 0.0; // also what is no number
    const double last = (double)(count - 1);
    place = place < last ? place : last;
    const int64_t cell = (int64_t)place;
    *out_part = place - (double)cell;
    return cell;
}

static double field_height(const ik_ground *g, double x, double z)
{
    double u, v;
    const int64_t column = cell_of(x, g->first_x, g->step_x, g->columns, &u);
    const int64_t row = cell_of(z, g->first_z, g->step_z, g->rows, &v);
    const double a = height_at(g, column, row), b = height_at(g, column + 1, row);
    const double c = height_at(g, column, row + 1), d = height_at(g, column + 1, row + 1);
    const double near_edge = a + (b - a) * u, far_edge = c + (d - c) * u;
    return near_edge + (far_edge - near_edge) * v;
}

void ik_ground_at(const ik_ground *g, double x, double z, double *out_height, dvec3 *out_normal)
{
    const dvec3 up = {0.0, 1.0, 0.0};
    if (g->columns == 0 || g->rows == 0) {
        dvec3 n = g->normal;
        if (!dvec3_normalize(&n, 0.0) || !(n.y > 1e-3)) { // a wall is no ground
            *out_height = g->point.y;
            *out_normal = up;
            return;
        }
        *out_height = g->point.y - (n.x * (x - g->point.x) + n.z * (z - g->point.z)) / n.y;
        *out_normal = n;
        return;
    }
    *out_height = field_height(g, x, z);
    // Central differences over a whole step: the slope itself jumps between cells, this does not.
    const double sx = g->step_x * 0.5, sz = g->step_z * 0.5;
    const double along_x = (field_height(g, x + sx, z) - field_height(g, x - sx, z)) / g->step_x;
    const double along_z = (field_height(g, x, z + sz) - field_height(g, x, z - sz)) / g->step_z;
    dvec3 n = {-along_x, 1.0, -along_z};
    *out_normal = dvec3_normalize(&n, 0.0) ? n : up;
}

void ik_foot_solve(const ik_ground *ground, ik_foot *foot)
{
    const dvec3 up = {0.0, 1.0, 0.0};
    double height;
    dvec3 normal;
    ik_ground_at(ground, foot->ankle.x, foot->ankle.z, &height, &normal);
    const double slope = dvec3_angle_deg(up, normal);
    foot->tilt = quat_identity();
    dvec3 axis = dvec3_cross(up, normal);
    if (dvec3_normalize(&axis, 1e-12))
        foot->tilt = quat_from_axis_deg(axis, slope < foot->tilt_deg ? slope : foot->tilt_deg);
    // A foot that is tilted stands with the point below it, across the slope: straight down the
    // ground is farther away than that by the slope's secant.
    const double above = foot->ankle.y - foot->floor;
    const double lean = quat_rotate(foot->tilt, up).y;
    foot->rise = (height - foot->floor) + above * (1.0 / lean - 1.0);
}

double ik_pelvis_rise(const ik_foot *feet, uint32_t count, double drop, double rise)
{
    double least = 0.0;
    for (uint32_t i = 0; i < count; i++)
        least = i == 0 || feet[i].rise < least ? feet[i].rise : least;
    least = least > -drop ? least : -drop;
    return least < rise ? least : rise;
}
