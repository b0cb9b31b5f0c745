// SPDX-License-Identifier: MIT
// Reflected light in double; see shade_oracle.h.
#include "shade_oracle.h"

#include "shade/light.h"
#include "testing.h"

/// Smith's Lambda of GGX for a direction at angle acos(c) from the normal.
static double smith_lambda(double alpha, double c)
{
    const double tan2 = (1.0 - c * c) / (c * c);
    return (sqrt(1.0 + alpha * alpha * tan2) - 1.0) / 2.0;
}

/// KHR_lights_punctual: direction to the light and what arrives (before the cosine), 1 = all.
static double arriving(const oracle_light *light, const double at[3], double to_light[3])
{
    if (light->kind == SHADE_LIGHT_DIRECTIONAL) {
        for (int k = 0; k < 3; k++)
            to_light[k] = -light->direction[k];
        return 1.0;
    }
    for (int k = 0; k < 3; k++)
        to_light[k] = light->position[k] - at[k];
    const double distance = sqrt(dot3(to_light, to_light));
    for (int k = 0; k < 3; k++)
        to_light[k] /= distance;
    double share = 1.0 / (distance * distance);
    if (light->range > 0.0)
        share *= fmax(fmin(1.0 - pow(distance / light->range, 4.0), 1.0), 0.0);
    if (light->kind == SHADE_LIGHT_SPOT) {
        const double scale = 1.0 / fmax(0.001, cos(light->inner_rad) - cos(light->outer_rad));
        const double cone = (-dot3(to_light, light->direction) - cos(light->outer_rad)) * scale;
        const double edge = fmin(fmax(cone, 0.0), 1.0);
        share *= edge * edge;
    }
    return share;
}

void oracle_direct(const oracle_point *p, const oracle_light *light, double out[3],
                   double out_slack[3])
{
    double l[3], h[3];
    const double share = arriving(light, p->position, l);
    for (int k = 0; k < 3; k++)
        h[k] = l[k] + p->view[k];
    unit3(h);
    const double nl = dot3(p->normal, l), nv = dot3(p->normal, p->view);
    const double nh = dot3(p->normal, h), vh = dot3(p->view, h);
    const double alpha = p->roughness * p->roughness;
    const double bulge = nh * nh * (alpha * alpha - 1.0) + 1.0;
    const double d = alpha * alpha / (PI * bulge * bulge);
    const double g = 1.0 / (1.0 + smith_lambda(alpha, nl) + smith_lambda(alpha, nv));
    const double specular = d * g / (4.0 * nl * nv);
    double largest = 0.0; // KHR_materials_specular weighs the diffuse part with 1 - max(F)
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, fmin(p->f0[k], 1.0));
    for (int k = 0; k < 3; k++) {
        out[k] = out_slack[k] = 0.0;
        if (!(nl > 0.0) || !(nv > 0.0))
            continue;
        const double m5 = pow(1.0 - vh, 5.0);
        const double f0 = fmin(p->f0[k], 1.0);
        const double coat = p->specular * (f0 + (1.0 - f0) * m5);
        const double reflected = p->specular * (largest + (1.0 - largest) * m5);
        const double dielectric = (1.0 - reflected) * p->base[k] / PI + coat * specular;
        const double metal = (p->base[k] + (1.0 - p->base[k]) * m5) * specular;
        const double brdf = dielectric + (metal - dielectric) * p->metallic;
        out[k] = brdf * nl * share * light->color[k];
        // d specular: twice the relative error of the bulge, whose absolute error is that of nh,
        // and nh and vh are quotients by |l + v| / 2 = vh; nl and nv divide.
        const double steep = 4.0 / bulge / vh + 4.0 / nl + 2.0 / nv + 8.0 / vh;
        out_slack[k] = fabs(out[k]) * steep;
        if (light->kind == SHADE_LIGHT_SPOT) // the cone's slope
            out_slack[k] += brdf * nl * light->color[k] * 4.0 /
                            fmax(0.001, cos(light->inner_rad) - cos(light->outer_rad));
    }
}

void oracle_light_stage(const oracle_light *from, shade_stage *s)
{
    light_source source = {.kind = from->kind == SHADE_LIGHT_DIRECTIONAL ? MODEL_LIGHT_DIRECTIONAL
                                   : from->kind == SHADE_LIGHT_POINT     ? MODEL_LIGHT_POINT
                                                                         : MODEL_LIGHT_SPOT,
                           .intensity = 1.0,
                           .range_m = from->range,
                           .inner_rad = from->inner_rad,
                           .outer_rad = from->outer_rad};
    memcpy(source.color, from->color, sizeof source.color);
    memcpy(source.position, from->position, sizeof source.position);
    memcpy(source.direction, from->direction, sizeof source.direction);
    shade_light_build(&source, &s->light);
    s->frame.light_count = 1;
}

void oracle_check_direct(const shade_stage *s, const oracle_light *light, const double n[3],
                         oracle_check *check)
{
    for (int i = 0; i < STAGE_SAMPLES; i++) {
        const double weight = (double)s->material.specular;
        oracle_point p = {.metallic = (double)s->material.metallic,
                          .specular = weight,
                          .roughness = fmax((double)s->material.roughness, 0.05)};
        stage_position(s, i, p.position);
        stage_view(s, p.position, p.view);
        for (int k = 0; k < 3; k++) {
            p.normal[k] = n[k];
            p.base[k] = (double)s->material.base_color[k];
            p.f0[k] = weight > 0.0 ? (double)s->material.f0[k] / weight : 0.0;
        }
        if (dot3(p.normal, p.view) < check->least_cosine)
            continue;
        double want[3], slack[3];
        oracle_direct(&p, light, want, slack);
        for (int k = 0; k < 3; k++) {
            const double bound = 2e-6 * (want[k] + light->color[k]) + check->per_slack * slack[k];
            const double error = fabs((double)s->color[i][k] - want[k]);
            cr_assert_leq(error, bound, "light %d, roughness %g: %.9g, want %.9g (+- %g)",
                          light->kind, p.roughness, (double)s->color[i][k], want[k], bound);
            if (want[k] > 1e-3)
                check->worst = fmax(check->worst, error / want[k]);
            check->lit += want[k] > 0.0;
        }
    }
}
