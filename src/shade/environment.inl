// SPDX-License-Identifier: MIT
// Light of an environment (light/environment.h) in lanes. How a material reflects it is elsewhere.

/// Irradiance / pi on a surface with this unit normal: the radiance of a white Lambertian surface.
ZT_LANE_OP vec3_lanes environment_irradiance(const environment_view *e, vec3_lanes n)
{
    const vf xy = n.x * n.y, yz = n.y * n.z, zx = n.z * n.x, xx_zz = n.x * n.x - n.z * n.z;
    const vf yy = vf_set1(3.0f) * (n.y * n.y) - vf_set1(1.0f);
    vf out[3];
    for (int32_t i = 0; i < 3; i++) {
        vf sum = vf_set1(e->harmonics[HARMONIC_XY][i]) * xy;
        sum = sum + vf_set1(e->harmonics[HARMONIC_YZ][i]) * yz;
        sum = sum + vf_set1(e->harmonics[HARMONIC_ZX][i]) * zx;
        sum = sum + vf_set1(e->harmonics[HARMONIC_XX_ZZ][i]) * xx_zz;
        sum = sum + vf_set1(e->harmonics[HARMONIC_YY][i]) * yy;
        sum = sum + vf_set1(e->harmonics[HARMONIC_X][i]) * n.x;
        sum = sum + vf_set1(e->harmonics[HARMONIC_Y][i]) * n.y;
        sum = sum + vf_set1(e->harmonics[HARMONIC_Z][i]) * n.z;
        sum = sum + vf_set1(e->harmonics[HARMONIC_1][i]);
        out[i] = vf_max(sum, vf_set1(0.0f)); // opposite strong lamps the polynomial is negative
    }
    return (vec3_lanes){out[0], out[1], out[2]};
}

/// Radiance from around `direction` (of any length but 0), averaged over the lobe of a surface with
/// this roughness, 0 to 1. Below 0.0625 the lobe is as narrow as a texel.
ZT_LANE_OP vec3_lanes environment_radiance(const environment_view *e, vec3_lanes direction,
                                           vf roughness)
{
    const vf c = vf_set1(e->cosine), s = vf_set1(e->sine);
    vf u, v;
    (void)octahedral_place(direction.x * c - direction.z * s, direction.y,
                           direction.x * s + direction.z * c, &u, &v);
    // The exponent of alpha is the level; its fraction is linear in alpha.
    const float sharpest = 1.0f / (float)(1 << (ENVIRONMENT_LEVELS - 1));
    const vf alpha = vf_clamp(roughness * roughness, vf_set1(sharpest), vf_set1(1.0f));
    const vi exponent = vi_bits(alpha) - vi_bits(vf_set1(sharpest));
    const vf blend = vf_from_vi(vi_and(exponent, vi_set1(0x007fffff))) * vf_set1(1.0f / 8388608.0f);
    qf texels[ZT_W];
    vf rgb[4];
    octahedral_lookup(&e->chain, u, v, vi_shru(exponent, 23), blend, texels);
    vf_from_qf4(texels, rgb);
    const vf intensity = vf_set1(e->intensity);
    return (vec3_lanes){rgb[0] * intensity, rgb[1] * intensity, rgb[2] * intensity};
}
