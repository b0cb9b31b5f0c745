// SPDX-License-Identifier: MIT
// The closure of a shaded point: what the point does with light, for any direction that light comes
// from. Nothing here knows where light comes from; integrators (integrator.inl) combine closures
// with lights and environments.
//
// Layers from outside: clear coat, sheen, and the base: a metal or dielectric with GGX reflection,
// round or anisotropic, below an optional thin film, with diffuse light that goes back or through.
// bsdf_evaluate gives the light of one direction; bsdf_build directional albedos, by which layers
// reduce those below. Without an environment the flat closure stands instead (bsdf_flat.inl);
// transmissive surfaces pass light (bsdf_glass.inl), and drawings have a law of their own
// (bsdf_toon.inl).
//
// Energy. The light that leaves the GGX lobe after more than one bounce has the shape of the first
// (Turquin 2019, "Practical multiple scattering compensation for microfacet models"): a factor
// 1 + F0 (1 / E - 1). What is diffused depends on how much is absorbed; see bsdf_diffuse. The
// integral of bsdf_evaluate is the albedo of bsdf_build, and a white surface returns all of a white
// environment. Neither factor is reciprocal.

// clang-format off
#include "shade/bsdf_point.inl"
#include "shade/bsdf_flat.inl"
#include "shade/bsdf_ggx.inl"
#include "shade/bsdf_coat.inl"
#include "shade/bsdf_sheen.inl"
#include "shade/bsdf_ellipse.inl"
#include "shade/bsdf_thin_film.inl"
#include "shade/bsdf_glass.inl"
#include "shade/bsdf_toon.inl"
// clang-format on

/// The parameters of the lobes: factors times maps.
typedef struct bsdf_parameters {
    vf coat, coat_roughness;
    vec3_lanes coat_normal; ///< unit
    vec3_lanes sheen;
    vf sheen_roughness;
    vec3_lanes tangent; ///< along stretched highlights, at any angle with the normal
    vf anisotropy;
    vf thin_film, thin_film_index, thin_film_nm;
    vf transmitted; ///< share of the diffuse light
    vec3_lanes transmitted_color;
    glass_parameters glass;
    toon_parameters toon;
} bsdf_parameters;

/// The closure of a point, on top of its shade_point. Directional albedos towards the eye.
typedef struct bsdf {
    vec3_lanes f0;       ///< reflectance of the base at normal incidence, with its thin film
    vec3_lanes later;    ///< factor of the GGX lobe for later bounces
    vec3_lanes specular; ///< albedo of the GGX lobe with all bounces
    vec3_lanes diffuse;  ///< albedo of the light that is diffused back
    vec3_lanes through;  ///< albedo for light from behind
    vf passed;           ///< share of the light from behind that leaves through all layers
    bsdf_coat coat;
    bsdf_sheen sheen;
    bsdf_ellipse ellipse;
    bsdf_thin_film thin_film;
    bsdf_glass glass;
    bsdf_toon toon;
} bsdf;

/// The albedo of the base, and in *out_lost 1 / E - 1. `known`: as bsdf_build has it.
ZT_LANE_OP ggx_albedo bsdf_base_albedo(const shade_point *p, bsdf_kinds has, const bsdf_ellipse *e,
                                       const ggx_albedo *known, vf *out_lost)
{
    const vf one = vf_set1(1.0f);
    if (!has.anisotropic) {
        const ggx_albedo own = known ? *known : ggx_albedo_at(p->n_dot_v, p->roughness);
        *out_lost = one / (own.a + own.b) - one;
        return own;
    }
    const ggx_albedo round = ggx_albedo_at(p->n_dot_v, e->albedo_roughness);
    const ggx_albedo grazing = ggx_albedo_at(p->n_dot_v, e->grazing_roughness);
    *out_lost = (one / (round.a + round.b) - one) * e->lost;
    const vf scale = one / ((one + *out_lost) * (grazing.a + grazing.b));
    return (ggx_albedo){grazing.a * scale, grazing.b * scale};
}

/// 1 + F0 (1 / E - 1). `lost`: 1 / E - 1.
ZT_LANE_OP vec3_lanes bsdf_later_bounces(vec3_lanes f0, vf lost)
{
    const vf one = vf_set1(1.0f);
    return (vec3_lanes){one + f0.x * lost, one + f0.y * lost, one + f0.z * lost};
}

/// f0 of the dielectric part: of its largest channel, so that diffuse light keeps its colour.
ZT_LANE_OP vf bsdf_dielectric_f0(const shade_point *p, bool iridescent, vec3_lanes film_f0)
{
    if (iridescent) // of metals, too, which diffuse nothing
        return largest_channel(film_f0.x, film_f0.y, film_f0.z);
    if (p->dielectric_grey)
        return p->dielectric_f0.x;
    return largest_channel(p->dielectric_f0.x, p->dielectric_f0.y, p->dielectric_f0.z);
}

/// The mean of (1 - v.h)^5 over directions of light, cosine-weighted: a fit within 7e-5.
ZT_LANE_OP vf schlick_mean_m5(vf n_dot_v)
{
    const vf low = vf_set1(1.0f) - n_dot_v;
    return low * (vf_set1(0.00424715f) + low * (vf_set1(0.0256536f) * low - vf_set1(0.00183066f)));
}

/// Albedo of the light that is diffused back; `kept` is 1 - E. The mix of glTF (appendix B.3.5)
/// keeps 1 - F of the half vector, on average over light: a rough white surface loses up to 3 %, a
/// smooth one gains at grazing angles. A closed balance keeps 1 - E. White has to be balanced; the
/// darker a colour, the less light comes back a second time, and the mix holds. On rough surfaces a
/// quarter of its loss stays, under 1 %.
ZT_LANE_OP vec3_lanes bsdf_diffuse(const shade_point *p, vf f0, vf transmittance)
{
    const vf one = vf_set1(1.0f), metal = one - p->dielectric;
    const vf mean = fresnel_schlick(f0, p->dielectric_f90, schlick_mean_m5(p->n_dot_v));
    const vf more = (one - mean) - transmittance;
    const vf white = vf_sel(vf_gt(more, vf_set1(0.0f)), one, vf_set1(0.75f));
    return (vec3_lanes){
        p->diffuse.x * (transmittance + more * (one - white * (p->diffuse.x + metal))),
        p->diffuse.y * (transmittance + more * (one - white * (p->diffuse.y + metal))),
        p->diffuse.z * (transmittance + more * (one - white * (p->diffuse.z + metal)))};
}

/// The base: GGX and diffuse light.
ZT_LANE_OP void bsdf_base(const shade_point *p, bsdf_kinds has, const bsdf_parameters *from,
                          const ggx_albedo *known, bsdf *b)
{
    b->f0 = p->f0;
    if (has.iridescent) {
        thin_film_build(from->thin_film, from->thin_film_index, from->thin_film_nm, p->f0,
                        &b->thin_film);
        b->f0 = thin_film_f0(&b->thin_film, p->n_dot_v, p->f90);
    }
    if (has.anisotropic)
        ellipse_build(from->tangent, from->anisotropy, p->normal, p->view, p->n_dot_v, p->roughness,
                      &b->ellipse);
    vf lost;
    const ggx_albedo e = bsdf_base_albedo(p, has, &b->ellipse, known, &lost);
    b->later = bsdf_later_bounces(b->f0, lost);
    b->specular = (vec3_lanes){ggx_reflected(b->f0.x, p->f90, e) * b->later.x,
                               ggx_reflected(b->f0.y, p->f90, e) * b->later.y,
                               ggx_reflected(b->f0.z, p->f90, e) * b->later.z};
    const vf one = vf_set1(1.0f), f0 = bsdf_dielectric_f0(p, has.iridescent, b->f0);
    const vf transmittance = one - ggx_reflected(f0, p->dielectric_f90, e) * (one + f0 * lost);
    b->diffuse = bsdf_diffuse(p, f0, transmittance);
    b->passed = transmittance;
    if (!has.diffuse_transmission)
        return;
    // KHR_materials_diffuse_transmission: a share of diffuse light goes through, in its own colour.
    b->through =
        vec3_scale(from->transmitted_color, (transmittance * p->dielectric) * from->transmitted);
    b->diffuse = vec3_scale(b->diffuse, one - from->transmitted);
}

/// The base below sheen and coat.
ZT_LANE_OP void bsdf_layers(const shade_point *p, bsdf_kinds has, const bsdf_parameters *from,
                            const ggx_albedo *known, bsdf *out)
{
    bsdf_base(p, has, from, known, out);
    vec3_lanes below = vec3_add(out->specular, out->diffuse);
    if (has.sheen) {
        sheen_build(from->sheen, from->sheen_roughness, p->n_dot_v, &out->sheen);
        below = vec3_add(vec3_scale(below, out->sheen.transmittance), out->sheen.albedo);
        out->passed = out->passed * out->sheen.transmittance;
        if (has.diffuse_transmission)
            out->through = vec3_scale(out->through, out->sheen.transmittance);
    }
    if (!has.coat)
        return;
    coat_build(from->coat, from->coat_roughness, from->coat_normal, p->view, below, &out->coat);
    out->passed = out->passed * out->coat.passed;
    if (has.diffuse_transmission)
        out->through = vec3_scale(out->through, out->coat.passed);
}

/// `known`: the base's ggx_albedo_at, or NULL. Absent lobes are neither read nor set.
ZT_LANE_OP void bsdf_build(const shade_point *p, bsdf_kinds has, const bsdf_parameters *from,
                           const ggx_albedo *known, bsdf *out)
{
    if (has.flat) {
        const flat_albedo albedo = flat_albedo_at(p);
        out->specular = albedo.specular;
        out->diffuse = albedo.diffuse;
        out->passed = albedo.passed;
    } else if (has.toon) {
        toon_build(p, &from->toon, &out->toon);
    } else {
        bsdf_layers(p, has, from, known, out);
    }
    if (has.glass)
        glass_build(&from->glass, out->passed, &out->glass);
}

/// Leaves has.part of the lobes of a closure that is not a toon's.
ZT_LANE_OP void bsdf_take(bsdf_kinds has, bsdf *b)
{
    const vf zero = vf_set1(0.0f);
    const vec3_lanes none = {zero, zero, zero};
    if (has.part != SHADE_DIFFUSE)
        b->diffuse = none;
    if (has.part != SHADE_TRANSMITTED)
        b->through = b->glass.scattered = none;
    if (has.part == SHADE_SPECULAR)
        return;
    b->specular = b->later = b->sheen.color = b->sheen.albedo = none;
    b->coat.mirror = b->coat.albedo = zero;
}

/// The same of a point, which the flat law evaluates by itself.
ZT_LANE_OP void bsdf_take_point(shade_part part, shade_point *p)
{
    const vf zero = vf_set1(0.0f);
    const vec3_lanes none = {zero, zero, zero};
    if (part != SHADE_DIFFUSE)
        p->diffuse = none;
    if (part == SHADE_SPECULAR)
        return;
    p->f0 = none;
    p->f90 = zero;
}

/// Radiance that leaves towards the eye where light of radiance 1 comes from all around: of layers
/// the integral of bsdf_evaluate over all directions, in closed form or from tables.
ZT_LANE_OP vec3_lanes bsdf_albedo(bsdf_kinds has, const bsdf *b)
{
    if (has.toon)
        return vec3_add(vec3_add(b->toon.shade, b->toon.gained), b->toon.rim);
    vec3_lanes specular = b->specular, diffuse = b->diffuse;
    if (has.sheen) {
        specular = vec3_add(vec3_scale(specular, b->sheen.transmittance), b->sheen.albedo);
        diffuse = vec3_scale(diffuse, b->sheen.transmittance);
    }
    if (has.coat) {
        const vf in = vf_set1(1.0f) - b->coat.factor * vf_set1(COAT_MEAN_F);
        specular = vec3_times(specular, b->coat.transmittance);
        specular = (vec3_lanes){specular.x + b->coat.albedo, specular.y + b->coat.albedo,
                                specular.z + b->coat.albedo};
        diffuse = vec3_scale(vec3_times(diffuse, b->coat.kept_diffuse), in);
    }
    vec3_lanes sum = vec3_add(specular, diffuse);
    if (has.diffuse_transmission)
        sum = vec3_add(sum, b->through);
    if (has.glass)
        sum = vec3_add(sum, b->glass.through);
    return sum;
}

/// The layers' BSDF towards the eye for the unit `to_light`, times pi and the light's cosine.
ZT_LANE_OP vec3_lanes bsdf_layers_evaluate(const shade_point *p, bsdf_kinds has, const bsdf *b,
                                           vec3_lanes to_light)
{
    const vf zero = vf_set1(0.0f);
    const vf cosine = vec3_dot(p->normal, to_light), n_dot_l = vf_max(cosine, zero);
    const ggx_half half = ggx_half_at(p->view, to_light);
    const vf dv = has.anisotropic ? ellipse_dv(&b->ellipse, p->n_dot_v, n_dot_l, to_light, &half)
                                  : ggx_dv(p->n_dot_v, n_dot_l, p->alpha2, half.length2);
    const vec3_lanes f = has.iridescent
                             ? thin_film_fresnel(&b->thin_film, half.v_dot_h, half.m5, p->f90)
                             : (vec3_lanes){fresnel_schlick(b->f0.x, p->f90, half.m5),
                                            fresnel_schlick(b->f0.y, p->f90, half.m5),
                                            fresnel_schlick(b->f0.z, p->f90, half.m5)};
    vec3_lanes specular = vec3_scale(vec3_times(f, b->later), dv * n_dot_l);
    vec3_lanes diffuse = vec3_scale(b->diffuse, n_dot_l);
    if (has.sheen) {
        const vec3_lanes fibres = sheen_evaluate(&b->sheen, p->n_dot_v, n_dot_l, &half);
        specular = vec3_add(vec3_scale(specular, b->sheen.transmittance), fibres);
        diffuse = vec3_scale(diffuse, b->sheen.transmittance);
    }
    vec3_lanes sum;
    if (has.coat)
        sum = coat_evaluate(&b->coat, &half, to_light, specular, diffuse);
    else
        sum = vec3_add(specular, diffuse);
    if (has.diffuse_transmission)
        sum = vec3_add(sum, vec3_scale(b->through, vf_max(vf_neg(cosine), zero)));
    return sum;
}

/// Radiance towards the eye for `to_light`. `radiance`: of a light of solid angle 1, over pi.
ZT_LANE_OP vec3_lanes bsdf_evaluate(const shade_point *p, bsdf_kinds has, const bsdf *b,
                                    vec3_lanes to_light, vec3_lanes radiance)
{
    const vf zero = vf_set1(0.0f);
    vec3_lanes sum = {zero, zero, zero};
    if (has.toon)
        return toon_evaluate(p, &b->toon, to_light, radiance);
    if (has.glass)
        sum = glass_evaluate(p, &b->glass, to_light, radiance, sum);
    if (has.flat)
        return flat_evaluate(p, to_light, radiance, sum);
    return vec3_add(sum, vec3_times(bsdf_layers_evaluate(p, has, b, to_light), radiance));
}
