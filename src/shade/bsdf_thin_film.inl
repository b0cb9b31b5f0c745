// SPDX-License-Identifier: MIT
// Iridescence: a thin film over the base, whose reflections interfere (KHR_materials_iridescence).
//
// Belcour & Barla 2017, "A Practical Extension to Microfacet Theory for the Modeling of Varying
// Iridescence", with the extension's approximations: Schlick's Fresnel at both interfaces, the
// series to the second order, Gaussians for CIE XYZ, whose Fourier transforms are in closed form.

typedef struct bsdf_thin_film {
    vf factor;
    vec3_lanes f0; ///< reflectance of the base without the thin film
    vf eta2;       ///< (1 / index)^2
    vf outer_f0;   ///< reflectance of the interface with air
    vec3_lanes inner_f0;
    vec3_lanes flip; ///< sign of odd orders: -1 or 1
    vf twice_um;     ///< 2 index thickness, in micrometres
} bsdf_thin_film;

/// ((b - a) / (b + a))^2.
ZT_LANE_OP vf thin_film_interface_f0(vf a, vf b)
{
    const vf ratio = (b - a) / (b + a);
    return ratio * ratio;
}

/// Index of refraction of a base that reflects f0 in air.
ZT_LANE_OP vf film_base_index(vf f0)
{
    const vf root = vf_sqrt(vf_clamp(f0, vf_set1(0.0f), vf_set1(0.9999f)));
    return (vf_set1(1.0f) + root) / (vf_set1(1.0f) - root);
}

ZT_LANE_OP void thin_film_build(vf factor, vf index, vf thickness_nm, vec3_lanes f0,
                                bsdf_thin_film *out)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    // Without thickness there is no thin film: its index approaches that of air (smoothstep to 0.03
    // nm).
    const vf t = vf_clamp(thickness_nm * vf_set1(1.0f / 0.03f), zero, one);
    const vf n = one + (index - one) * ((t * t) * (vf_set1(3.0f) - vf_set1(2.0f) * t));
    out->factor = factor;
    out->f0 = f0;
    out->eta2 = one / (n * n);
    out->outer_f0 = thin_film_interface_f0(one, n);
    const vf base[3] = {film_base_index(f0.x), film_base_index(f0.y), film_base_index(f0.z)};
    out->inner_f0 =
        (vec3_lanes){thin_film_interface_f0(n, base[0]), thin_film_interface_f0(n, base[1]),
                     thin_film_interface_f0(n, base[2])};
    // Light loses half a wave where it comes back from a denser medium; a thin film below 1 does
    // too.
    vf sign[3];
    for (int32_t i = 0; i < 3; i++) {
        const vf outer = vf_sel(vf_lt(n, one), one, vf_neg(one));
        sign[i] = vf_sel(vf_lt(base[i], n), vf_neg(outer), outer);
    }
    out->flip = (vec3_lanes){sign[0], sign[1], sign[2]};
    out->twice_um = (vf_set1(2.0f) * n) * (thickness_nm * vf_set1(1e-3f));
}

/// One Gaussian of the sensitivities: its height, centre (in turns per micrometre) and width.
ZT_LANE_OP vf film_gaussian(vf path_um, float height, float centre, float width)
{
    const vf falloff = vf_exp2(vf_set1(-width) * (path_um * path_um));
    return (vf_set1(height) * vf_cos_turns(path_um * vf_set1(centre))) * falloff;
}

/// XYZ of the interference of a path difference in micrometres, `flip` each, as linear RGB.
ZT_LANE_OP vec3_lanes film_interference(vf path_um, vec3_lanes flip)
{
    // The extension's constants times 1e-6 (centres, in 1/m over turns) and 4 pi^2 1e-12 / ln 2
    // (widths); heights are value sqrt(2 pi width) / 1.0685e-7.
    const vf x = (film_gaussian(path_um, 0.84659f, 1.6810f, 0.24649122f) +
                  film_gaussian(path_um, 0.15386831f, 2.2399f, 0.25790507f)) *
                 flip.x;
    const vf y = film_gaussian(path_um, 1.0002219f, 1.7953f, 0.52994645f) * flip.y;
    const vf z = film_gaussian(path_um, 1.0011225f, 2.2084f, 0.37659425f) * flip.z;
    return (vec3_lanes){
        (vf_set1(3.2404542f) * x - vf_set1(1.5371385f) * y) - vf_set1(0.4985314f) * z,
        (vf_set1(-0.9692660f) * x + vf_set1(1.8760108f) * y) + vf_set1(0.0415560f) * z,
        (vf_set1(0.0556434f) * x - vf_set1(0.2040259f) * y) + vf_set1(1.0572252f) * z};
}

/// Reflectance of the film on the base for light at this cosine with the microfacet; `m5` is
/// (1 - cosine)^5. Mixed with Schlick's of the base by the film's factor.
ZT_LANE_OP vec3_lanes thin_film_fresnel(const bsdf_thin_film *f, vf cosine, vf m5, vf f90)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f), two = vf_set1(2.0f);
    const vf inside2 = one - f->eta2 * (one - cosine * cosine);
    const vf inside = vf_sqrt(vf_max(inside2, zero)), inside_m5 = schlick_m5(inside);
    const vf outer = fresnel_schlick(f->outer_f0, one, m5), through = one - outer;
    const vf through2 = through * through, path = f->twice_um * inside;
    const vec3_lanes white = {one, one, one};
    const vec3_lanes first = film_interference(path, f->flip);
    const vec3_lanes second = film_interference(path + path, white);
    const vf inner_f0[3] = {f->inner_f0.x, f->inner_f0.y, f->inner_f0.z};
    const vf base_f0[3] = {f->f0.x, f->f0.y, f->f0.z};
    const vf wave[3][2] = {{first.x, second.x}, {first.y, second.y}, {first.z, second.z}};
    vf out[3];
    for (int32_t i = 0; i < 3; i++) {
        const vf inner = fresnel_schlick(inner_f0[i], one, inside_m5);
        const vf both = vf_clamp(outer * inner, vf_set1(1e-5f), vf_set1(0.9999f));
        const vf series = (through2 * inner) / (one - both), root = vf_sqrt(both);
        const vf order1 = (series - through) * root, order2 = order1 * root;
        vf sum = outer + series;
        sum = sum + two * (order1 * wave[i][0]);
        sum = sum + two * (order2 * wave[i][1]);
        sum = vf_sel(vf_lt(inside2, zero), one, vf_max(sum, zero));
        const vf plain = fresnel_schlick(base_f0[i], f90, m5);
        out[i] = plain + f->factor * (sum - plain);
    }
    return (vec3_lanes){out[0], out[1], out[2]};
}

/// The f0 whose Schlick's Fresnel equals that of the film towards the eye: for albedos.
ZT_LANE_OP vec3_lanes thin_film_f0(const bsdf_thin_film *f, vf n_dot_v, vf f90)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const vf m5 = vf_min(schlick_m5(n_dot_v), vf_set1(0.9f));
    const vec3_lanes reflected = thin_film_fresnel(f, n_dot_v, schlick_m5(n_dot_v), f90);
    const vf scale = one / (one - m5), grazing = f90 * m5;
    return (vec3_lanes){vf_clamp((reflected.x - grazing) * scale, zero, one),
                        vf_clamp((reflected.y - grazing) * scale, zero, one),
                        vf_clamp((reflected.z - grazing) * scale, zero, one)};
}
