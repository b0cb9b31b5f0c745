// SPDX-License-Identifier: MIT
#include "view/view_fit.h"

#include "base/dvec3.h"

view_fit view_fit_of(const view_camera *axes, int32_t width, int32_t height, double margin)
{
    const double fill = 1.0 - 2.0 * margin;
    view_fit fit = {.axes = *axes, .fill_x = fill * (double)width / (double)height, .fill_y = fill};
    for (int k = 0; k < 3; k++) {
        const double x = axes->right[k] * axes->focal / fit.fill_x;
        const double y = axes->up[k] * axes->focal / fit.fill_y;
        const double z = axes->orthographic ? 0.0 : axes->forward[k];
        fit.side[0][k] = x - z;
        fit.side[1][k] = -x - z;
        fit.side[2][k] = y - z;
        fit.side[3][k] = -y - z;
    }
    return fit;
}

double view_fit_reach(const view_fit *fit, int side, double support, const double target[3])
{
    return support - dvec3_dot(dvec3_load(fit->side[side]), dvec3_load(target));
}

void view_fit_centre(const view_fit *fit, const double reach[VIEW_FIT_SIDES], double *out_right,
                     double *out_up)
{
    *out_right = (reach[0] - reach[1]) * 0.5 * fit->fill_x / fit->axes.focal;
    *out_up = (reach[2] - reach[3]) * 0.5 * fit->fill_y / fit->axes.focal;
}

double view_bounds_farthest(const view_camera *camera, const float box_min[3],
                            const float box_max[3])
{
    const dvec3 eye = dvec3_load(camera->eye), forward = dvec3_load(camera->forward);
    double max = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        const float side[3] = {(corner & 1) != 0 ? box_max[0] : box_min[0],
                               (corner & 2) != 0 ? box_max[1] : box_min[1],
                               (corner & 4) != 0 ? box_max[2] : box_min[2]};
        const double z = dvec3_dot(dvec3_sub(dvec3_from_floats(side), eye), forward);
        max = z > max ? z : max;
    }
    return max;
}

void view_bounds_depths(const screen_view *v, const float box_min[3], const float box_max[3],
                        float *out_near, float *out_far)
{
    float near = 0.0f, far = 0.0f;
    for (int i = 0; i < 8; i++) {
        const float corner[3] = {i & 1 ? box_max[0] : box_min[0], i & 2 ? box_max[1] : box_min[1],
                                 i & 4 ? box_max[2] : box_min[2]};
        float distance = 0.0f;
        for (int k = 0; k < 3; k++)
            distance = distance + (corner[k] - v->origin[k]) * v->forward[k];
        near = i == 0 || distance < near ? distance : near;
        far = i == 0 || distance > far ? distance : far;
    }
    *out_near = near > 0.0f ? near : 0.0f;
    *out_far = far > *out_near ? far : *out_near + 1.0f;
}
