// SPDX-License-Identifier: MIT
// Camera -> view. Everything is computed in double and rounded to float once.
//
// Perspective: with c = P - eye in camera axes (x right, y up, w along forward) and k = focal *
// height / 2 pixels, X = k x + w width/2, Y = -k y + w height/2; the pixel position is (X, Y) / w.
// Depth is 1 / w: reversed, with an infinite far plane.
#include "geometry/view.h"

#include "base/maths.h"

#include <math.h>

static double dot3(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static void cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static bool unit3(double v[3])
{
    const double length = sqrt(dot3(v, v));
    if (!(length > 1e-12))
        return false;
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return true;
}

void view_look_at(view_camera *camera, const double eye[3], const double target[3],
                  const double up[3])
{
    static const double fallback[2][3] = {
        {0.0, 1.0, 0.0 },
        {0.0, 0.0, -1.0}
    };
    for (int i = 0; i < 3; i++) {
        camera->eye[i] = eye[i];
        camera->forward[i] = target[i] - eye[i];
    }
    if (!unit3(camera->forward)) {
        const double ahead[3] = {0.0, 0.0, -1.0};
        for (int i = 0; i < 3; i++)
            camera->forward[i] = ahead[i];
    }
    cross3(camera->forward, up, camera->right);
    for (int k = 0; k < 2 && dot3(camera->right, camera->right) < 1e-12; k++)
        cross3(camera->forward, fallback[k], camera->right);
    unit3(camera->right);
    cross3(camera->right, camera->forward, camera->up);
}

/// row . P = scale_a (a . (P - eye)) + scale_b (b . (P - eye)) + constant
static void row_build(const view_camera *c, const double a[3], double scale_a, const double b[3],
                      double scale_b, double constant, float out[4])
{
    double axis[3];
    for (int i = 0; i < 3; i++)
        axis[i] = a[i] * scale_a + b[i] * scale_b;
    for (int i = 0; i < 3; i++)
        out[i] = (float)axis[i];
    out[3] = (float)(constant - dot3(axis, c->eye));
}

void view_build(const view_camera *camera, int32_t width, int32_t height, view *out)
{
    static const double zero[3] = {0.0, 0.0, 0.0};
    const double half_w = width * 0.5, half_h = height * 0.5;
    const double k = camera->orthographic ? half_h / camera->half_height : camera->focal * half_h;
    const double ahead = camera->orthographic ? 0.0 : 1.0; // is w the distance, or 1?
    const double still = 1.0 - ahead;

    *out = (view){
        .transform = {.width = (float)width,
                      .height = (float)height,
                      .near_w = (float)camera->near_m,
                      .orthographic = camera->orthographic}
    };
    view_transform *t = &out->transform;
    row_build(camera, camera->right, k, camera->forward, half_w * ahead, half_w * still, t->row_x);
    row_build(camera, camera->up, -k, camera->forward, half_h * ahead, half_h * still, t->row_y);
    row_build(camera, zero, 0.0, camera->forward, ahead, still, t->row_w);
    if (camera->orthographic) {
        const double range = camera->far_m - camera->near_m;
        row_build(camera, zero, 0.0, camera->forward, -1.0 / range, 1.0 + camera->near_m / range,
                  t->row_d);
        out->depth_range = (float)range;
    }
    for (int i = 0; i < 3; i++) {
        const double start = camera->orthographic ? camera->near_m : 0.0;
        out->origin[i] = (float)(camera->eye[i] + camera->forward[i] * start);
        out->forward[i] = (float)camera->forward[i];
        out->ray[i] = (float)(camera->forward[i] * ahead - camera->right[i] * (half_w / k) +
                              camera->up[i] * (half_h / k));
        out->ray_x[i] = (float)(camera->right[i] / k);
        out->ray_y[i] = (float)(-camera->up[i] / k);
    }
}
