// SPDX-License-Identifier: MIT
#include "albedo_oracle.h"

#include "double3.h"

/// Smith's lambda of a direction with this cosine.
static double smith(double cosine, double alpha)
{
    const double tan2 = (1.0 - cosine * cosine) / (cosine * cosine);
    return (sqrt(1.0 + alpha * alpha * tan2) - 1.0) / 2.0;
}

void oracle_ggx_albedo(double n_dot_v, double roughness, int steps, double *out_a, double *out_b)
{
    const double alpha = roughness * roughness, side = sqrt(fmax(0.0, 1.0 - n_dot_v * n_dot_v));
    // Visible normals (Heitz 2018, "Sampling the GGX Distribution of Visible Normals"): of a half
    // sphere seen from the direction of the eye, stretched by alpha. Each has the weight G2 / G1.
    double view[3] = {alpha * side, 0.0, n_dot_v};
    const double length = sqrt(view[0] * view[0] + view[2] * view[2]);
    view[0] /= length;
    view[2] /= length;
    double a = 0.0, b = 0.0;
    for (int i = 0; i < steps; i++)
        for (int k = 0; k < steps; k++) {
            const double radius = sqrt((i + 0.5) / steps), angle = 2.0 * PI * (k + 0.5) / steps;
            const double x = radius * cos(angle), s = 0.5 * (1.0 + view[2]);
            const double y = (1.0 - s) * sqrt(1.0 - x * x) + s * radius * sin(angle);
            const double z = sqrt(fmax(0.0, 1.0 - x * x - y * y));
            double h[3] = {alpha * (-y * view[2] + z * view[0]), alpha * x,
                           fmax(y * view[0] + z * view[2], 0.0)};
            const double size = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
            const double v_dot_h = (side * h[0] + n_dot_v * h[2]) / size;
            const double n_dot_l = 2.0 * v_dot_h * h[2] / size - n_dot_v;
            if (n_dot_l <= 0.0)
                continue;
            const double to_eye = smith(n_dot_v, alpha), to_light = smith(n_dot_l, alpha);
            const double weight = (1.0 + to_eye) / (1.0 + to_eye + to_light);
            const double m5 = pow(1.0 - v_dot_h, 5.0);
            a += weight * (1.0 - m5);
            b += weight * m5;
        }
    *out_a = a / ((double)steps * steps);
    *out_b = b / ((double)steps * steps);
}

/// Estevez & Kulla 2017, section 4: L(x), its constants between those of alpha 1 and 0.
static double fibre_curve(double x, double alpha)
{
    const double rough[5] = {21.5473, 3.82987, 0.19823, -1.97760, -4.32054};
    const double smooth[5] = {25.3245, 3.32435, 0.16801, -1.27393, -4.85967};
    double k[5];
    for (int i = 0; i < 5; i++)
        k[i] = rough[i] + (smooth[i] - rough[i]) * (1.0 - alpha) * (1.0 - alpha);
    return k[0] / (1.0 + k[1] * pow(x, k[2])) + k[3] * x + k[4];
}

static double fibre_masking(double cosine, double alpha)
{
    if (cosine < 0.5)
        return exp(fibre_curve(cosine, alpha));
    return exp(2.0 * fibre_curve(0.5, alpha) - fibre_curve(1.0 - cosine, alpha));
}

double oracle_sheen(double n_dot_v, double n_dot_l, double n_dot_h, double roughness)
{
    const double alpha = roughness * roughness, sine2 = fmax(1.0 - n_dot_h * n_dot_h, 0.0);
    const double d = (2.0 + 1.0 / alpha) * pow(sine2, 0.5 / alpha) / (2.0 * PI);
    const double masking = 1.0 + fibre_masking(n_dot_v, alpha) + fibre_masking(n_dot_l, alpha);
    return d / (masking * 4.0 * n_dot_v * n_dot_l);
}

void oracle_sheen_albedo(double n_dot_v, double roughness, int steps, double *out_albedo,
                         double *out_along, double *out_up)
{
    const double side = sqrt(1.0 - n_dot_v * n_dot_v);
    double sum = 0.0, along = 0.0, up = 0.0;
    for (int i = 0; i < steps; i++)
        for (int k = 0; k < steps; k++) {
            const double u = (i + 0.5) / steps, angle = PI * (k + 0.5) / steps;
            const double n_dot_l = u * u * (3.0 - 2.0 * u), flat = sqrt(1.0 - n_dot_l * n_dot_l);
            const double h[3] = {side + flat * cos(angle), flat * sin(angle), n_dot_v + n_dot_l};
            const double n_dot_h = h[2] / sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
            const double solid = 6.0 * u * (1.0 - u) / steps * 2.0 * PI / steps;
            const double part =
                oracle_sheen(n_dot_v, n_dot_l, n_dot_h, roughness) * n_dot_l * solid;
            sum += part;
            along -= part * flat * cos(angle);
            up += part * n_dot_l;
        }
    *out_albedo = sum;
    *out_along = along / sum;
    *out_up = up / sum;
}
