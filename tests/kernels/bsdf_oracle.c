// SPDX-License-Identifier: MIT
// See bsdf_oracle.h. Vectors are built where the kernel takes short cuts.
#include "bsdf_oracle.h"

#include "albedo_oracle.h"

#include <math.h>

#define PI 3.14159265358979323846

enum { ALBEDO_STEPS = 96 };

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void half_vector(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + b[k];
    const double length = sqrt(dot(out, out));
    for (int k = 0; k < 3; k++)
        out[k] /= length;
}

static double schlick(double f0, double cosine)
{
    return f0 + (1.0 - f0) * pow(1.0 - cosine, 5.0);
}

static double smith_g1(double cosine, double alpha)
{
    const double tan2 = (1.0 - cosine * cosine) / (cosine * cosine);
    return (sqrt(1.0 + alpha * alpha * tan2) - 1.0) / 2.0; // lambda
}

/// D G2 / (4 N.L N.V), height-correlated.
static double ggx(const double n[3], const double v[3], const double l[3], double roughness)
{
    double h[3];
    half_vector(v, l, h);
    const double alpha = roughness * roughness, nh = dot(n, h), nl = dot(n, l), nv = dot(n, v);
    if (nl <= 0.0)
        return 0.0;
    const double bulge = nh * nh * (alpha * alpha - 1.0) + 1.0;
    const double d = alpha * alpha / (PI * bulge * bulge);
    const double g2 = 1.0 / (1.0 + smith_g1(nl, alpha) + smith_g1(nv, alpha));
    return d * g2 / (4.0 * nl * nv);
}

/// Albedo of a lobe of reflectance f0 at normal incidence, after all bounces.
static double albedo(double n_dot_v, double roughness, double f0)
{
    double a, b;
    oracle_ggx_albedo(n_dot_v, roughness, ALBEDO_STEPS, &a, &b);
    return (f0 * a + b) * (1.0 + f0 * (1.0 / (a + b) - 1.0));
}

/// The mirrored and the diffused light of the base, and their albedos.
static void base_terms(const oracle_closure *c, const double l[3], int k, double out[2],
                       double out_albedo[2])
{
    double h[3], a, b;
    half_vector(c->view, l, h);
    const double nv = dot(c->normal, c->view), nl = fmax(dot(c->normal, l), 0.0);
    const double f0 = c->f0[k] + (c->base[k] - c->f0[k]) * c->metallic;
    oracle_ggx_albedo(nv, c->roughness, ALBEDO_STEPS, &a, &b);
    const double later = 1.0 + f0 * (1.0 / (a + b) - 1.0);
    const double largest = fmax(fmax(c->f0[0], c->f0[1]), c->f0[2]);
    out_albedo[0] = (f0 * a + b) * later;
    out_albedo[1] = c->base[k] * (1.0 - c->metallic) * (1.0 - albedo(nv, c->roughness, largest)) *
                    (1.0 - c->transmitted);
    out[0] =
        PI * ggx(c->normal, c->view, l, c->roughness) * schlick(f0, dot(c->view, h)) * later * nl;
    out[1] = out_albedo[1] * nl;
}

static double coat_term(const oracle_closure *c, const double l[3], const double below[2],
                        const double below_albedo[2])
{
    double h[3], a, b;
    half_vector(c->view, l, h);
    const double nv = dot(c->coat_normal, c->view), nl = fmax(dot(c->coat_normal, l), 0.0);
    oracle_ggx_albedo(nv, c->coat_roughness, ALBEDO_STEPS, &a, &b);
    const double e = c->coat * (0.04 * a + b), mean = c->coat * (0.04 + 0.96 / 21.0);
    const double rho = below_albedo[0] + below_albedo[1];
    return c->coat * PI * ggx(c->coat_normal, c->view, l, c->coat_roughness) *
               schlick(0.04, dot(c->view, h)) * nl +
           below[0] * (1.0 - e) * (1.0 - e) / (1.0 - e * rho) +
           below[1] * (1.0 - e) * (1.0 - c->coat * schlick(0.04, nl)) / (1.0 - mean * rho);
}

void oracle_evaluate(const oracle_closure *c, const double to_light[3], double out[3])
{
    const double nv = dot(c->normal, c->view), behind = fmax(-dot(c->normal, to_light), 0.0);
    const double largest = fmax(fmax(c->f0[0], c->f0[1]), c->f0[2]);
    for (int k = 0; k < 3; k++) {
        double term[2], below[2], a, b;
        base_terms(c, to_light, k, term, below);
        double through = c->transmitted * c->transmitted_color[k] * (1.0 - c->metallic) *
                         (1.0 - albedo(nv, c->roughness, largest)) * behind;
        out[k] = term[0] + term[1];
        if (c->coat > 0.0) {
            out[k] = coat_term(c, to_light, term, below);
            oracle_ggx_albedo(dot(c->coat_normal, c->view), c->coat_roughness, ALBEDO_STEPS, &a,
                              &b);
            through *= 1.0 - c->coat * (0.04 * a + b);
        }
        out[k] += through;
    }
}
