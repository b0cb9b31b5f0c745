// SPDX-License-Identifier: MIT
/// Tables and polynomials of closures against integrals and libm in double. One lane:
/// kernels_bsdf compares the lanes of all instruction sets with it.
#include "albedo_oracle.h"
#include "bsdf_oracle.h"
#include "random_inputs.h"
#include "shade/albedo_table.h"
#include "shade/shade_loops.h"
#include "simd/vec3_lanes.h"

// clang-format off
#include "environment/octahedral.inl"
#include "surface/texture.inl"
#include "surface/anisotropy.inl"
#include "surface/surface.inl"
#include "surface/surface_screen.inl"
#include "shade/normals.inl"
#include "environment/environment.inl"
#include "shadow/occlusion_words.inl"
#include "shadow/occlusion_light.inl"
#include "shade/bsdf_point.inl"
#include "shade/bsdf_ggx.inl"
#include "simd/powers_lanes.h"
#include "shade/bsdf_coat.inl"
#include "shade/bsdf_sheen.inl"
#include "shade/bsdf_ellipse.inl"
#include "shade/bsdf_thin_film.inl"
#include "testing.h"
// clang-format on

enum { STEPS = 200000 };
#define PI 3.14159265358979323846

Test(albedo, powers)
{
    double worst[3] = {0.0};
    for (int i = 0; i <= STEPS; i++) {
        const float x = -126.0f + 252.0f * (float)i / STEPS, turns = (x / 126.0f) * 1000.0f;
        const float y = (float)exp2((double)x);
        const double log = log2((double)y);
        worst[0] = fmax(worst[0], fabs((double)vf_exp2(x) / exp2((double)x) - 1.0));
        worst[1] = fmax(worst[1], fabs((double)vf_log2(y) - log) / fmax(fabs(log), 1.0));
        worst[2] =
            fmax(worst[2], fabs((double)vf_cos_turns(turns) - cos(2.0 * PI * (double)turns)));
    }
    cr_log_info("errors: 2^x %g, log2 %g, cosine %g", worst[0], worst[1], worst[2]);
    cr_expect_leq(worst[0], 3e-7);
    cr_expect_leq(worst[1], 2e-7);
    cr_expect_leq(worst[2], 2e-6);
}

/// Between the corners of cells, too. The integral takes other half vectors than the table did.
Test(albedo, ggx_table)
{
    double worst = 0.0;
    for (int i = 0; i < 40; i += ZT_RANDOM_SHARE)
        for (int k = 0; k < 30; k++) {
            const double cosine = pow((i + 0.7) / 40.0, 2.0), roughness = 0.05 + 0.95 * k / 29.0;
            const ggx_albedo got = ggx_albedo_at((float)cosine, (float)roughness);
            double a, b;
            oracle_ggx_albedo(cosine, roughness, 101, &a, &b);
            worst = fmax(worst, fabs((double)got.a - a));
            worst = fmax(worst, fabs((double)got.b - b));
            worst = fmax(worst, fabs((double)(got.a + got.b) / (a + b) - 1.0));
        }
    cr_log_info("GGX: %g", worst);
    cr_expect_leq(worst, 0.008);
}

/// Smooth sheen returns thrice its light at grazing angles; it is divided by that.
Test(albedo, sheen_table)
{
    double worst = 0.0;
    for (int i = 0; i < 20; i += ZT_RANDOM_SHARE)
        for (int k = 0; k < 12; k++) {
            const double cosine = 0.002 + 0.99 * pow((i + 0.5) / 20.0, 2.0);
            const double roughness = 0.15 + 0.85 * k / 11.0;
            bsdf_sheen got;
            double albedo, along, up;
            sheen_build((vec3_lanes){1.0f, 1.0f, 1.0f}, (float)roughness, (float)cosine, &got);
            oracle_sheen_albedo(cosine, roughness, 300, &albedo, &along, &up);
            worst = fmax(worst, fabs((double)got.albedo.x - fmin(albedo, 1.0)));
        }
    cr_log_info("sheen: %g", worst);
    cr_expect_leq(worst, 0.01);
}

/// Up to the second order of interference, at each angle and for bases on both sides of the film.
Test(albedo, thin_film)
{
    double worst = 0.0;
    for (int i = 0; i < 4000; i++) {
        const double index = 1.05 + i % 9 * 0.15, nm = 20.0 + i % 83 * 12.0;
        const double cosine = (i % 61 + 0.5) / 61.0;
        const double f0[3] = {i % 5 * 0.02 + 0.001, i % 7 * 0.14, 0.95};
        const float cos_f = (float)cosine;
        bsdf_thin_film film;
        double want[3];
        thin_film_build(1.0f, (float)index, (float)nm,
                        (vec3_lanes){(float)f0[0], (float)f0[1], (float)f0[2]}, &film);
        const vec3_lanes got = thin_film_fresnel(&film, cos_f, schlick_m5(cos_f), 1.0f);
        oracle_film(index, nm, f0, cosine, want);
        worst = fmax(worst, fabs((double)got.x - want[0]));
        worst = fmax(worst, fabs((double)got.y - want[1]));
        worst = fmax(worst, fabs((double)got.z - want[2]));
    }
    cr_log_info("film: %g", worst);
    cr_expect_leq(worst, 2e-4);
}
