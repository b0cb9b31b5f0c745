// SPDX-License-Identifier: MIT
#include "model/up_axis.h"

#include "base/row_find.h"

#include <string.h>

#define SQRT_HALF 0.70710678f

const dmat3 up_axis_rotation[UP_MINUS_Z + 1] = {
    [UP_AS_IS] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
    [UP_X] = {{0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}},
    [UP_Y] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
    [UP_Z] = {{1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}},
    [UP_MINUS_X] = {{0.0, -1.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}},
    [UP_MINUS_Y] = {{-1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, 1.0}},
    [UP_MINUS_Z] = {{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, -1.0, 0.0}},
};

/// The same as quaternions.
static const float quaternions[UP_MINUS_Z + 1][4] = {
    [UP_AS_IS] = {0.0f, 0.0f, 0.0f, 1.0f},
    [UP_X] = {0.0f, 0.0f, SQRT_HALF, SQRT_HALF},
    [UP_Y] = {0.0f, 0.0f, 0.0f, 1.0f},
    [UP_Z] = {-SQRT_HALF, 0.0f, 0.0f, SQRT_HALF},
    [UP_MINUS_X] = {0.0f, 0.0f, -SQRT_HALF, SQRT_HALF},
    [UP_MINUS_Y] = {0.0f, 0.0f, 1.0f, 0.0f},
    [UP_MINUS_Z] = {SQRT_HALF, 0.0f, 0.0f, SQRT_HALF},
};

model_up up_axis_of(const char *word)
{
    static const char *const words[] = {"x", "y", "z", "-x", "-y", "-z"};
    return (model_up)(UP_X + ROW_FIND(words, word)); // UP_AS_IS is before UP_X
}

model_up up_axis_mirrored(model_up up)
{
    return up == UP_Z ? UP_MINUS_Z : up == UP_MINUS_Z ? UP_Z : up;
}

dmat3 up_axis_set(model_up up, double unit_m, trs *root)
{
    const dmat3 *r = &up_axis_rotation[up];
    memcpy(root->r, quaternions[up], sizeof root->r);
    for (int k = 0; k < 3; k++)
        root->s[k] = (float)unit_m;
    return (dmat3){dvec3_scale(r->x, unit_m), dvec3_scale(r->y, unit_m), dvec3_scale(r->z, unit_m)};
}
