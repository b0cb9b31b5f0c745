// SPDX-License-Identifier: MIT
// See bsdf_oracle.h. Vectors are built where the kernel takes short cuts.
#include "bsdf_oracle.h"

#include "albedo_oracle.h"
#include "double3.h"

enum { ALBEDO_STEPS = 96 };

static void half_vector(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + b[k];
    unit3(out);
}

static double schlick(double f0, double cosine) { return f0 + (1.0 - f0) * pow(1.0 - cosine, 5.0); }

static double smith_lambda(const double w[3], const double n[3], const double t[3],
                           const double b[3], double alpha_t, double alpha_b)
{
    const double x = dot3(w, t) * alpha_t, y = dot3(w, b) * alpha_b, z = dot3(w, n);
    return (sqrt(1.0 + (x * x + y * y) / (z * z)) - 1.0) / 2.0;
}

/// D G2 / (4 N.L N.V), height-correlated; `t`: along the stretched highlights.
static double ggx(const double n[3], const double t[3], const double v[3], const double l[3],
                  double roughness, double anisotropy)
{
    double h[3], b[3];
    half_vector(v, l, h);
    cross3(n, t, b);
    const double across = roughness * roughness;
    const double along = across + (1.0 - across) * anisotropy * anisotropy;
    const double nl = dot3(n, l), nv = dot3(n, v);
    if (nl <= 0.0)
        return 0.0;
    const double x = dot3(h, t) / along, y = dot3(h, b) / across, z = dot3(h, n);
    const double q = x * x + y * y + z * z, d = 1.0 / (PI * along * across * q * q);
    const double g2 = 1.0 / (1.0 + smith_lambda(l, n, t, b, along, across) +
                             smith_lambda(v, n, t, b, along, across));
    return d * g2 / (4.0 * nl * nv);
}

// CIE 1931 as Gaussians in frequency: value, position, variance of X, Y, Z, X's second lobe.
static const double sensitivity[4][3] = {
    {5.4856e-13, 1.6810e6, 4.3278e9},
    {4.4201e-13, 1.7953e6, 9.3046e9},
    {5.2481e-13, 2.2084e6, 6.6121e9},
    {9.7470e-14, 2.2399e6, 4.5282e9},
};

/// Interference of a path difference in metres, shifted in phase in each channel, in RGB.
static void interference(double path, const double shift[3], double rgb[3])
{
    static const double rgb_from_xyz[3][3] = {
        {3.2404542, -1.5371385, -0.4985314},
        {-0.9692660, 1.8760108, 0.0415560},
        {0.0556434, -0.2040259, 1.0572252},
    };
    double xyz[3] = {0.0};
    for (int i = 0; i < 4; i++) {
        const double *g = sensitivity[i], phase = 2.0 * PI * path;
        xyz[i % 3] += g[0] * sqrt(2.0 * PI * g[2]) * cos(g[1] * phase + shift[i % 3]) *
                      exp(-g[2] * phase * phase) / 1.0685e-7;
    }
    for (int i = 0; i < 3; i++)
        rgb[i] =
            rgb_from_xyz[i][0] * xyz[0] + rgb_from_xyz[i][1] * xyz[1] + rgb_from_xyz[i][2] * xyz[2];
}

void oracle_film(double index, double nm, const double f0[3], double cosine, double out[3])
{
    const double inside2 = 1.0 - (1.0 - cosine * cosine) / (index * index);
    const double inside = sqrt(fmax(inside2, 0.0));
    const double outer = schlick(pow((index - 1.0) / (index + 1.0), 2.0), cosine);
    const double path = 2.0 * index * nm * 1e-9 * inside;
    double shift[3], wave[2][3], inner[3];
    for (int k = 0; k < 3; k++) {
        const double root = sqrt(fmin(f0[k], 0.9999)), base = (1.0 + root) / (1.0 - root);
        inner[k] = schlick(pow((base - index) / (base + index), 2.0), inside);
        shift[k] = (index < 1.0 ? 0.0 : PI) + (base < index ? PI : 0.0);
    }
    interference(path, shift, wave[0]);
    for (int k = 0; k < 3; k++)
        shift[k] *= 2.0;
    interference(2.0 * path, shift, wave[1]);
    for (int k = 0; k < 3; k++) {
        const double both = fmin(fmax(outer * inner[k], 1e-5), 0.9999);
        const double series = (1.0 - outer) * (1.0 - outer) * inner[k] / (1.0 - both);
        double order = series - (1.0 - outer), sum = outer + series;
        for (int m = 0; m < 2; m++) {
            order *= sqrt(both);
            sum += 2.0 * order * wave[m][k];
        }
        out[k] = inside2 < 0.0 ? 1.0 : fmax(sum, 0.0);
    }
}

/// Fresnel of the base with its film, and what Schlick's f0 would be for the eye.
static void base_fresnel(const oracle_closure *c, const double f0[3], double cosine, double out[3])
{
    double film[3];
    oracle_film(c->film_index, c->film_nm, f0, cosine, film);
    for (int k = 0; k < 3; k++)
        out[k] = schlick(f0[k], cosine) + c->film * (film[k] - schlick(f0[k], cosine));
}

/// Schlick's Fresnel of the half vector, averaged over light from all around a surface.
static double mean_fresnel(double f0, double n_dot_v)
{
    enum { STEPS = 48 };
    const double side = sqrt(1.0 - n_dot_v * n_dot_v);
    double sum = 0.0;
    for (int i = 0; i < STEPS; i++)
        for (int k = 0; k < STEPS; k++) {
            const double cosine = sqrt((i + 0.5) / STEPS), angle = PI * (k + 0.5) / STEPS;
            const double v_dot_l =
                n_dot_v * cosine + side * sqrt(1.0 - cosine * cosine) * cos(angle);
            sum += schlick(f0, sqrt((1.0 + v_dot_l) / 2.0));
        }
    return sum / (STEPS * STEPS);
}

/// Diffuse share of a surface of this albedo, of the light that a balance would keep (bsdf.inl).
static double diffused(double albedo, double metallic, double kept, double once)
{
    const double diffuse = albedo * (1.0 - metallic), white = diffuse + metallic;
    return diffuse * (kept + (once - kept) * (1.0 - (once > kept ? 1.0 : 0.75) * white));
}

/// The albedo of the base. An anisotropic lobe's follows from a round one: 1 / E - 1 is inverse to
/// 1 + lambda of the eye, the Fresnel term is that of the alpha towards it (bsdf_ellipse.inl).
static void base_albedo(const oracle_closure *c, double nv, double *out_a, double *out_b)
{
    const double across = c->roughness * c->roughness;
    const double along = across + (1.0 - across) * c->anisotropy * c->anisotropy;
    const double t = dot3(c->tangent, c->view), side2 = 1.0 - nv * nv;
    const double mean2 = (along * along + across * across) / 2.0;
    const double seen2 = along * along * t * t + across * across * (side2 - t * t);
    const double towards2 = (seen2 + 0.03 * mean2) / (side2 + 0.03);
    const double wide = fmin(fmax(4.5 * along - 1.2, 0.0), 1.0);
    const double round2 = c->anisotropy > 0.0 ? towards2 + (mean2 - towards2) * wide : mean2;
    oracle_ggx_albedo(nv, pow(round2, 0.25), ALBEDO_STEPS, out_a, out_b);
    if (!(c->anisotropy > 0.0))
        return;
    const double more = (nv + sqrt(round2 * side2 + nv * nv)) / (nv + sqrt(seen2 + nv * nv));
    const double e = 1.0 / (1.0 + (1.0 / (*out_a + *out_b) - 1.0) * more);
    oracle_ggx_albedo(nv, pow(towards2, 0.25), ALBEDO_STEPS, out_a, out_b);
    const double scale = e / (*out_a + *out_b);
    *out_a *= scale;
    *out_b *= scale;
}

/// The base's mirrored and diffused light, and albedos; [channel][which]. `out_kept`: 1 - E.
static void base_terms(const oracle_closure *c, const double l[3], double out[3][2],
                       double out_albedo[3][2], double *out_kept)
{
    double h[3], a, b, f0[3], f[3], seen[3], largest = 0.0;
    half_vector(c->view, l, h);
    const double nv = dot3(c->normal, c->view), nl = fmax(dot3(c->normal, l), 0.0);
    for (int k = 0; k < 3; k++)
        f0[k] = c->f0[k] + (c->base[k] - c->f0[k]) * c->metallic;
    base_fresnel(c, f0, dot3(c->view, h), f);
    base_fresnel(c, f0, nv, seen);
    for (int k = 0; k < 3 && c->film > 0.0; k++) {
        const double m5 = pow(1.0 - nv, 5.0);
        f0[k] = fmin(fmax((seen[k] - m5) / (1.0 - m5), 0.0), 1.0);
    }
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, c->film > 0.0 ? f0[k] : c->f0[k]);
    base_albedo(c, nv, &a, &b);
    const double kept = 1.0 - (largest * a + b) * (1.0 + largest * (1.0 / (a + b) - 1.0));
    const double once = 1.0 - mean_fresnel(largest, nv);
    *out_kept = kept;
    for (int k = 0; k < 3; k++) {
        const double later = 1.0 + f0[k] * (1.0 / (a + b) - 1.0);
        out_albedo[k][0] = (f0[k] * a + b) * later;
        out_albedo[k][1] = diffused(c->base[k], c->metallic, kept, once) * (1.0 - c->transmitted);
        out[k][0] = PI * ggx(c->normal, c->tangent, c->view, l, c->roughness, c->anisotropy) *
                    f[k] * later * nl;
        out[k][1] = out_albedo[k][1] * nl;
    }
}

/// Sheen over the base: what it adds, and what it leaves of the rest.
static double sheen_terms(const oracle_closure *c, const double l[3], double out[3],
                          double out_albedo[3])
{
    double h[3], albedo, along, up, largest = 0.0;
    half_vector(c->view, l, h);
    const double nv = dot3(c->normal, c->view), nl = dot3(c->normal, l);
    oracle_sheen_albedo(nv, c->sheen_roughness, 200, &albedo, &along, &up);
    for (int k = 0; k < 3; k++) {
        const double color = c->sheen[k] / fmax(albedo, 1.0);
        out[k] = nl > 0.0 ? PI * color * nl *
                                oracle_sheen(nv, nl, dot3(c->normal, h), c->sheen_roughness)
                          : 0.0;
        out_albedo[k] = color * albedo;
        largest = fmax(largest, out_albedo[k]);
    }
    return 1.0 - largest;
}

static double coat_term(const oracle_closure *c, const double l[3], const double below[2],
                        double below_albedo, double *out_passed)
{
    double h[3], a, b, t[3];
    half_vector(c->view, l, h);
    cross3(c->coat_normal, c->view, t); // any direction: the lobe is round
    unit3(t);
    const double nv = dot3(c->coat_normal, c->view), nl = fmax(dot3(c->coat_normal, l), 0.0);
    oracle_ggx_albedo(nv, c->coat_roughness, ALBEDO_STEPS, &a, &b);
    const double e = c->coat * (0.04 * a + b), mean = c->coat * (0.04 + 0.96 / 21.0);
    *out_passed = 1.0 - e;
    return c->coat * PI * ggx(c->coat_normal, t, c->view, l, c->coat_roughness, 0.0) *
               schlick(0.04, dot3(c->view, h)) * nl +
           below[0] * (1.0 - e) * (1.0 - e) / (1.0 - e * below_albedo) +
           below[1] * (1.0 - e) * (1.0 - c->coat * schlick(0.04, nl)) / (1.0 - mean * below_albedo);
}

void oracle_evaluate(const oracle_closure *c, const double to_light[3], double out[3])
{
    double term[3][2], albedo[3][2], fibre[3], fibre_albedo[3];
    double kept, left = 1.0;
    base_terms(c, to_light, term, albedo, &kept);
    const bool sheen = c->sheen[0] + c->sheen[1] + c->sheen[2] > 0.0;
    if (sheen)
        left = sheen_terms(c, to_light, fibre, fibre_albedo);
    for (int k = 0; k < 3; k++) {
        double passed = 1.0, below = (albedo[k][0] + albedo[k][1]) * left;
        double both[2] = {term[k][0] * left, term[k][1] * left};
        if (sheen) {
            both[0] += fibre[k];
            below += fibre_albedo[k];
        }
        out[k] = both[0] + both[1];
        if (c->coat > 0.0)
            out[k] = coat_term(c, to_light, both, below, &passed);
        out[k] += c->transmitted * c->transmitted_color[k] * kept * (1.0 - c->metallic) * left *
                  passed * fmax(-dot3(c->normal, to_light), 0.0);
    }
}
