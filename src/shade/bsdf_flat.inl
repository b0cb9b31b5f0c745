// SPDX-License-Identifier: MIT
// The flat closure: metal-rough GGX without lobes, for frames that have no environment. It takes
// no tables, and its diffuse part loses what one direction of light reflects and no more. Light of
// one direction lacks later bounces, which the albedos have: their integral is not the albedo.
//
// Formulas: glTF 2.0 appendix B (Lambert + GGX, height-correlated Smith, Schlick; a linear mix of
// dielectric and metal, so diffuse light loses just what the dielectric reflects); Karis 2014,
// "Physically Based Shading on Mobile" (environment BRDF); Turquin 2019, "Practical multiple
// scattering compensation" (F0 * (1 / E - 1) keeps a white metal white under constant light).

/// 2^(-9.28 c), c in [0, 1], within 6e-5: a polynomial for the eighth root, exact at 0.
ZT_LANE_OP vf ambient_falloff(vf c)
{
    const vf x = vf_set1(-9.28f) * c;
    vf p = vf_set1(1.57387938e-6f);
    p = p * x + vf_set1(0.000102506725f);
    p = p * x + vf_set1(0.00373479359f);
    p = p * x + vf_set1(0.0866239844f);
    p = p * x + vf_set1(1.0f);
    const vf p2 = p * p, p4 = p2 * p2;
    return p4 * p4;
}

/// bsdf_evaluate of the flat law.
ZT_LANE_OP vec3_lanes flat_evaluate(const shade_point *p, vec3_lanes to_light, vec3_lanes radiance,
                                    vec3_lanes sum)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const vf n_dot_l = vf_max(vec3_dot(p->normal, to_light), zero);
    const vf v_dot_l = vec3_dot(p->view, to_light);
    // h2 = |L + V|^2 = 2 + 2 V.L: (N.H)^2 = (N.L + N.V)^2 / h2, V.H = sqrt(h2) / 2, without H.
    const vf h2 = vf_max(vf_set1(2.0f) + vf_set1(2.0f) * v_dot_l, vf_set1(1e-8f));
    const vf n_sum = n_dot_l + p->n_dot_v, n2 = vf_min(n_sum * n_sum, h2);
    const vf v_dot_h = vf_min(vf_set1(0.5f) * vf_sqrt(h2), one);

    // D = a2 / (pi d^2), d = (N.H)^2 (a2 - 1) + 1; V = 0.5 / (smith_v + smith_l). With d times h2,
    // D V takes one division. Both terms of the sum are times pi; the radiance is divided by pi.
    const vf a2 = p->alpha2, rest = one - a2;
    const vf d = h2 - n2 * rest;
    const vf smith_v = n_dot_l * vf_sqrt(p->n_dot_v * p->n_dot_v * rest + a2);
    const vf smith_l = p->n_dot_v * vf_sqrt(n_dot_l * n_dot_l * rest + a2);
    const vf denominator = (d * d) * (smith_v + smith_l), h4 = h2 * h2;
    const vf dv = ((vf_set1(0.5f) * a2) * h4) / vf_max(denominator, vf_set1(1e-12f) * h4);

    const vf m = one - v_dot_h, m2 = m * m, m5 = (m2 * m2) * m;
    vf dielectric = p->dielectric_f0.x;
    if (!p->dielectric_grey)
        dielectric = largest_channel(dielectric, p->dielectric_f0.y, p->dielectric_f0.z);
    const vf transmittance = one - fresnel_schlick(dielectric, p->dielectric_f90, m5);
    const vec3_lanes brdf = {
        transmittance * p->diffuse.x + fresnel_schlick(p->f0.x, p->f90, m5) * dv,
        transmittance * p->diffuse.y + fresnel_schlick(p->f0.y, p->f90, m5) * dv,
        transmittance * p->diffuse.z + fresnel_schlick(p->f0.z, p->f90, m5) * dv};
    return (vec3_lanes){sum.x + brdf.x * (radiance.x * n_dot_l),
                        sum.y + brdf.y * (radiance.y * n_dot_l),
                        sum.z + brdf.z * (radiance.z * n_dot_l)};
}

/// The share of constant radiance reflected at reflectances f0 and f90, over all bounces.
ZT_LANE_OP vf ambient_reflected(vf f0, vf f90, vf a, vf b, vf later)
{
    return (f0 * a + f90 * b) * (vf_set1(1.0f) + f0 * later);
}

/// Directional albedos of a point under light from everywhere.
typedef struct flat_albedo {
    vec3_lanes specular, diffuse;
    vf passed; ///< share of the light that is not reflected, but diffused or transmitted
} flat_albedo;

ZT_LANE_OP flat_albedo flat_albedo_at(const shade_point *p)
{
    const vf one = vf_set1(1.0f);
    // Environment BRDF: reflected energy = f0 * a + f90 * b.
    const vf r = p->roughness;
    const vf rx = one - r, ry = vf_set1(0.0425f) - vf_set1(0.0275f) * r;
    const vf rz = vf_set1(1.04f) - vf_set1(0.572f) * r, rw = vf_set1(0.022f) * r - vf_set1(0.04f);
    const vf a004 = vf_min(rx * rx, ambient_falloff(p->n_dot_v)) * rx + ry;
    const vf a = rz - vf_set1(1.04f) * a004, b = rw + vf_set1(1.04f) * a004;
    const vf later = one / (a + b) - one; // energy of later bounces, as a factor of f0

    vf dielectric = p->dielectric_f0.x;
    if (!p->dielectric_grey)
        dielectric = largest_channel(dielectric, p->dielectric_f0.y, p->dielectric_f0.z);
    const vf transmittance = one - ambient_reflected(dielectric, p->dielectric_f90, a, b, later);
    return (flat_albedo){
        .specular = {ambient_reflected(p->f0.x, p->f90, a, b, later),
                     ambient_reflected(p->f0.y, p->f90, a, b, later),
                     ambient_reflected(p->f0.z, p->f90, a, b, later)},
        .diffuse = vec3_scale(p->diffuse, transmittance),
        .passed = transmittance,
    };
}
