// SPDX-License-Identifier: MIT
/// Terrain, and feet on it.
#include "pose/ik.h"
#include "pose/ik_plant.h"
#include "pose/ik_solver.h"

/// A plane whose unit normal has a smaller y is a wall, no terrain.
#define MIN_UP 1e-3
/// The sine below which the terrain is level.
#define LEVEL 1e-12

static double height_at(const ik_terrain *g, int64_t column, int64_t row)
{
    const int64_t c = column < 0 ? 0 : column < g->columns ? column : g->columns - 1;
    const int64_t r = row < 0 ? 0 : row < g->rows ? row : g->rows - 1;
    return g->height[r * (int64_t)g->columns + c];
}

/// The cell of a grid of `count` samples that a coordinate is in, and the fraction within the cell.
static int64_t cell_of(double at, double first, double step, uint32_t count, double *out_fraction)
{
    double position = (at - first) / step;
    position = position > 0.0 ? position : 0.0; // also NaN
    const double last = (double)(count - 1);
    position = position < last ? position : last;
    const int64_t cell = (int64_t)position;
    *out_fraction = position - (double)cell;
    return cell;
}

static double field_height(const ik_terrain *g, double x, double z)
{
    double u, v;
    const int64_t column = cell_of(x, g->first_x, g->step_x, g->columns, &u);
    const int64_t row = cell_of(z, g->first_z, g->step_z, g->rows, &v);
    const double a = height_at(g, column, row), b = height_at(g, column + 1, row);
    const double c = height_at(g, column, row + 1), d = height_at(g, column + 1, row + 1);
    const double near_edge = a + (b - a) * u, far_edge = c + (d - c) * u;
    return near_edge + (far_edge - near_edge) * v;
}

void ik_terrain_evaluate(const ik_terrain *g, double x, double z, double *out_height,
                         dvec3 *out_normal)
{
    const dvec3 up = {0.0, 1.0, 0.0};
    if (g->columns == 0 || g->rows == 0) {
        dvec3 n = g->normal;
        if (!dvec3_normalize(&n, 0.0) || !(n.y > MIN_UP)) {
            *out_height = g->point.y;
            *out_normal = up;
            return;
        }
        *out_height = g->point.y - (n.x * (x - g->point.x) + n.z * (z - g->point.z)) / n.y;
        *out_normal = n;
        return;
    }
    *out_height = field_height(g, x, z);
    // Central differences over a whole step: unlike the slope of a cell they do not jump.
    const double sx = g->step_x * 0.5, sz = g->step_z * 0.5;
    const double along_x = (field_height(g, x + sx, z) - field_height(g, x - sx, z)) / g->step_x;
    const double along_z = (field_height(g, x, z + sz) - field_height(g, x, z - sz)) / g->step_z;
    dvec3 n = {-along_x, 1.0, -along_z};
    *out_normal = dvec3_normalize(&n, 0.0) ? n : up;
}

void ik_foot_solve(const ik_terrain *terrain, ik_foot *foot)
{
    const dvec3 up = {0.0, 1.0, 0.0};
    double height;
    dvec3 normal;
    ik_terrain_evaluate(terrain, foot->ankle.x, foot->ankle.z, &height, &normal);
    const double slope = dvec3_angle_deg(up, normal);
    dvec3 axis = dvec3_cross(up, normal), sole = up;
    if (dvec3_normalize(&axis, LEVEL))
        sole = quat_rotate(
            quat_from_axis_deg(axis, slope < foot->max_tilt_deg ? slope : foot->max_tilt_deg), up);
    // Planes have normals in the space of the leg by the transpose of its matrix. Their lengths say
    // how a space that is scaled differently along its axes changes the height of the foot.
    const dvec3 leg_up = dmat3_transform_transposed(&foot->world_from_leg, up);
    const dvec3 leg_sole = dmat3_transform_transposed(&foot->world_from_leg, sole);
    foot->tilt = quat_between(leg_up, leg_sole, leg_up);
    const double up_length = dvec3_length(leg_up);
    const double stretch = up_length > 0.0 ? dvec3_length(leg_sole) / up_length : 1.0;
    // A tilted sole touches across the slope: straight down, terrain is farther by its secant.
    const double above = foot->ankle.y - foot->floor;
    foot->rise = (height - foot->floor) + above * (stretch / sole.y - 1.0);
}

double ik_pelvis_rise(const ik_foot *feet, uint32_t count, double max_drop, double max_rise)
{
    double rise = 0.0;
    for (uint32_t i = 0; i < count; i++)
        rise = i == 0 || feet[i].rise < rise ? feet[i].rise : rise;
    rise = rise > -max_drop ? rise : -max_drop;
    return rise < max_rise ? rise : max_rise;
}

static ik_terrain terrain_of(const scene_terrain *g)
{
    return (ik_terrain){.point = dvec3_load(g->point),
                        .normal = dvec3_load(g->normal),
                        .columns = g->columns,
                        .rows = g->rows,
                        .first_x = g->first[0],
                        .first_z = g->first[1],
                        .step_x = g->step[0],
                        .step_z = g->step[1],
                        .height = g->height};
}

bool ik_plant_feet(const ik_context *context, const scene_ik *ik, const dvec3 *shift, ik_foot *feet,
                   ik_limb *legs)
{
    const ik_terrain terrain = terrain_of(&ik->terrain);
    const affine model = affine_from_floats(context->world_from_model[0]);
    const double floor_y = affine_point(&model, (dvec3){0.0, ik->floor_m, 0.0}).y;
    for (uint32_t i = 0; i < ik->bone_count / LEG_BONES; i++) {
        const int32_t *bones = ik->bones + LEG_BONES * i;
        ik_space leg;
        legs[i] = ik_limb_of_bones(context, bones);
        if (!ik_space_of_bone(context, bones[legs[i].apart ? 2 : 0], &leg))
            return false;
        const dvec3 ankle = ik_bone_position(context, bones[2]);
        feet[i] = (ik_foot){.ankle = shift ? dvec3_add(ankle, shift[i]) : ankle,
                            .floor = floor_y,
                            .max_tilt_deg = ik->tilt_deg,
                            .world_from_leg = leg.world_from_space.m};
        ik_foot_solve(&terrain, &feet[i]);
    }
    return true;
}
