// SPDX-License-Identifier: MIT
// Camera -> view. Everything is computed in double and rounded to float once.
//
// Perspective: with c = P - eye in camera axes (x right, y up, w along forward) and k = focal *
// height / 2 pixels, X = k x + w width/2, Y = -k y + w height/2; the pixel position is (X, Y) / w.
// Depth is 1 / w: reversed, with an infinite far plane.
#include "view/view_camera.h"

#include "base/dvec3.h"
#include "base/maths.h"

#include <float.h>
#include <string.h>

/// A vector shorter than this has no direction.
#define MIN_LENGTH 1e-12
/// The squared sine of the smallest angle between `up` and the line of sight.
#define MIN_SINE_SQUARED 1e-12

void view_orbit_axes(view_camera *camera, double azimuth_deg, double elevation_deg)
{
    double sin_a, cos_a, sin_e, cos_e;
    maths_sincos_deg(azimuth_deg, &sin_a, &cos_a);
    maths_sincos_deg(elevation_deg, &sin_e, &cos_e);
    const double forward[3] = {-sin_a * cos_e, -sin_e, -cos_a * cos_e};
    const double right[3] = {cos_a, 0.0, -sin_a};
    const double up[3] = {-sin_a * sin_e, cos_e, -cos_a * sin_e};
    memcpy(camera->forward, forward, sizeof forward);
    memcpy(camera->right, right, sizeof right);
    memcpy(camera->up, up, sizeof up);
}

void view_look_at(view_camera *camera, const double eye[3], const double target[3],
                  const double up[3])
{
    static const dvec3 spare_up[2] = {{0.0, 1.0, 0.0}, {0.0, 0.0, -1.0}};
    dvec3 forward = dvec3_sub(dvec3_load(target), dvec3_load(eye));
    if (!dvec3_normalize(&forward, MIN_LENGTH))
        forward = (dvec3){0.0, 0.0, -1.0};
    dvec3 right = dvec3_cross(forward, dvec3_load(up));
    for (int k = 0; k < 2 && dvec3_dot(right, right) < MIN_SINE_SQUARED; k++)
        right = dvec3_cross(forward, spare_up[k]);
    dvec3_normalize(&right, MIN_LENGTH);
    dvec3_store(dvec3_load(eye), camera->eye);
    dvec3_store(forward, camera->forward);
    dvec3_store(right, camera->right);
    dvec3_store(dvec3_cross(right, forward), camera->up);
}

/// row . P = scale_a (a . (P - eye)) + scale_b (b . (P - eye)) + constant
static void row_build(const view_camera *c, const double a[3], double scale_a, const double b[3],
                      double scale_b, double constant, float out[4])
{
    const dvec3 axis =
        dvec3_add(dvec3_scale(dvec3_load(a), scale_a), dvec3_scale(dvec3_load(b), scale_b));
    dvec3_to_floats(axis, out);
    out[3] = (float)(constant - dvec3_dot(axis, dvec3_load(c->eye)));
}

void view_build(const view_camera *camera, int32_t width, int32_t height, screen_view *out)
{
    static const double zero[3] = {0.0, 0.0, 0.0};
    const double half_h = height * 0.5;
    const double middle_x = width * 0.5 + camera->shift[0] * half_h;
    const double middle_y = half_h - camera->shift[1] * half_h;
    const double k = camera->orthographic ? half_h / camera->half_height : camera->focal * half_h;
    // w = w_scale * distance + w_constant: the distance in perspective, 1 in orthographic views.
    const double w_scale = camera->orthographic ? 0.0 : 1.0, w_constant = 1.0 - w_scale;

    *out = (screen_view){.transform = {.width = (float)width,
                                       .height = (float)height,
                                       .near_w = (float)camera->near_m,
                                       .orthographic = camera->orthographic}};
    view_transform *t = &out->transform;
    row_build(camera, camera->right, k, camera->forward, middle_x * w_scale, middle_x * w_constant,
              t->row_x);
    row_build(camera, camera->up, -k, camera->forward, middle_y * w_scale, middle_y * w_constant,
              t->row_y);
    row_build(camera, zero, 0.0, camera->forward, w_scale, w_constant, t->row_w);
    if (camera->orthographic) {
        const double range = camera->far_m - camera->near_m;
        row_build(camera, zero, 0.0, camera->forward, -1.0 / range, 1.0 + camera->near_m / range,
                  t->row_d);
        out->depth_range = (float)range;
        out->near_m = (float)camera->near_m;
    }
    if (camera->clip_m > 0.0) {
        const double depth = camera->orthographic ? 1.0 - (camera->clip_m - camera->near_m) /
                                                              (camera->far_m - camera->near_m)
                                                  : 1.0 / camera->clip_m;
        out->farthest = (float)(depth > (double)FLT_MIN ? depth : (double)FLT_MIN);
    }
    for (int i = 0; i < 3; i++) {
        const double start = camera->orthographic ? camera->near_m : 0.0;
        out->origin[i] = (float)(camera->eye[i] + camera->forward[i] * start);
        out->forward[i] = (float)camera->forward[i];
        out->ray[i] = (float)(camera->forward[i] * w_scale - camera->right[i] * (middle_x / k) +
                              camera->up[i] * (middle_y / k));
        out->ray_x[i] = (float)(camera->right[i] / k);
        out->ray_y[i] = (float)(-camera->up[i] / k);
    }
}

void view_space_rows(const view_camera *camera, double out[3][4])
{
    dvec3_store(dvec3_load(camera->right), out[0]);
    dvec3_store(dvec3_load(camera->up), out[1]);
    dvec3_store(dvec3_scale(dvec3_load(camera->forward), -1.0), out[2]);
    for (int k = 0; k < 3; k++)
        out[k][3] = -dvec3_dot(dvec3_load(out[k]), dvec3_load(camera->eye));
}

double view_focal(double fov_deg)
{
    double s, c;
    maths_sincos_deg(fov_deg * 0.5, &s, &c);
    return c / s;
}

bool view_project(const view_camera *camera, int32_t width, int32_t height, const double world[3],
                  double out[2])
{
    const dvec3 from_eye = dvec3_sub(dvec3_load(world), dvec3_load(camera->eye));
    const double x = dvec3_dot(from_eye, dvec3_load(camera->right));
    const double y = dvec3_dot(from_eye, dvec3_load(camera->up));
    const double z = dvec3_dot(from_eye, dvec3_load(camera->forward));
    if (!camera->orthographic && !(z > 0.0))
        return false;
    const double scale = camera->orthographic ? 1.0 / camera->half_height : camera->focal / z;
    const double half = 0.5 * (double)height;
    out[0] = 0.5 * (double)width + (x * scale + camera->shift[0]) * half;
    out[1] = half - (y * scale + camera->shift[1]) * half;
    return true;
}
