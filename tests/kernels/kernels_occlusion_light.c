// SPDX-License-Identifier: MIT
/// The factors of ambient light under occlusion, compiled for one lane: polynomials against exp2
/// and log2 of the C library, the formulas against double, and their limits.
#define ZT_ISA_SCALAR_BUILD 1
#include "shade/shade_loops.h"
#include "simd/vec3_lanes.h"

// clang-format off
#include "surface/texture.inl"
#include "surface/anisotropy.inl"
#include "surface/surface.inl"
#include "surface/surface_screen.inl"
#include "shadow/occlusion_words.inl"
#include "shadow/occlusion_light.inl"
#include "testing.h"
// clang-format on

Test(occlusion_light, powers_of_two)
{
    for (int i = 0; i <= 17000; i++) {
        const float x = -16.0f + (float)i * 0.001f;
        if (x <= 1.0f)
            NEAR((double)occlusion_exp2(x) / exp2((double)x), 1.0, 4e-6, "%g", (double)x);
    }
    for (int i = 1; i <= 20000; i++) {
        const float x = (float)i * 0.0001f;
        cr_assert_lt(fabs((double)occlusion_log2(x) - log2((double)x)), 2.5e-5, "%g", (double)x);
    }
}

Test(occlusion_light, specular)
{
    for (int r = 0; r <= 20; r++)
        for (int n = 1; n <= 20; n++)
            for (int o = 0; o <= 20; o++) {
                const double roughness = r * 0.05, n_dot_v = n * 0.05, open = o * 0.05;
                const double power =
                    pow(n_dot_v + open, exp2(fmax(-16.0 * roughness - 1.0, -16.0)));
                const double exact = fmin(fmax(power - 1.0, 0.0) + open, 1.0);
                const double got =
                    (double)occlusion_specular((float)open, (float)n_dot_v, (float)roughness);
                // From a roughness of 1/2 on the power is taken for 1.
                const double most = r < 10 ? 5e-5 : 5e-3;
                NEAR(got, exact, most, "roughness %g, n.v %g, open %g", roughness, n_dot_v, open);
                if (o == 20)
                    cr_assert_eq(got, 1.0, "an open point loses light");
            }
}

Test(occlusion_light, bounces)
{
    for (int a = 0; a <= 20; a++)
        for (int o = 0; o <= 20; o++) {
            const double albedo = a * 0.05, open = o * 0.05;
            const double p = 2.0404 * albedo - 0.3324, q = -4.7951 * albedo + 0.6417,
                         r = 2.7552 * albedo + 0.6903;
            const double exact = fmax(((open * p + q) * open + r) * open, open);
            const double got = (double)occlusion_bounces((float)open, (float)albedo);
            cr_assert_lt(fabs(got - exact), 1e-6);
            cr_assert_leq(got, 1.0 + 1e-3, "folds are not lighter than open places");
        }
}

Test(occlusion_light, the_darker_of_map_and_planes_counts)
{
    const vec3_lanes albedo = {0.5f, 0.2f, 0.0f};
    const ambient_visibility found = occlusion_visibility(0.4f, 0.9f, false, albedo, 0.7f, 0.6f);
    const ambient_visibility painted = occlusion_visibility(0.9f, 0.4f, false, albedo, 0.7f, 0.6f);
    cr_expect_eq(found.all, 0.4f);
    cr_expect_eq(painted.all, 0.4f);
    const ambient_visibility woven = occlusion_visibility(0.4f, 0.9f, true, albedo, 0.7f, 0.6f);
    cr_expect_eq(woven.all, 0.4f * 0.9f, "a pattern knows no folds");
    cr_expect_eq(found.diffuse.x, painted.diffuse.x);
    cr_expect_eq(found.specular.x, painted.specular.x);
    cr_expect_gt(found.diffuse.x, found.diffuse.y, "light surfaces give more light to each other");
    cr_expect_gt(found.specular.x, 0.4f, "mirrors see occluders, which are not black");
    cr_expect_eq(found.specular.z, 0.4f, "black ones are");
    cr_expect_eq(occlusion_albedo(albedo, (vec3_lanes){0.9f, 0.0f, 0.0f}).x, 1.0f);
}
