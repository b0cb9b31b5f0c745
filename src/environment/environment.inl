// SPDX-License-Identifier: MIT
// Light from all around in lanes: that of an environment (environment/environment.h), or a gradient
// from sky to ground. How a material reflects it is elsewhere.

/// Ambient radiance: linear in the y of its direction, from the ground at -1 to the sky at 1.
typedef struct ambient_light {
    float middle[3], slope[3];
} ambient_light;

static ambient_light ambient_light_of(const float sky[3], const float ground[3])
{
    ambient_light a;
    for (int32_t i = 0; i < 3; i++) {
        a.middle[i] = 0.5f * (sky[i] + ground[i]);
        a.slope[i] = 0.5f * (sky[i] - ground[i]);
    }
    return a;
}

ZT_LANE_OP vec3_lanes ambient_radiance(const ambient_light *a, vf height)
{
    return vec3_add(vec3_set1(a->middle), vec3_scale(vec3_set1(a->slope), height));
}

/// The place of a direction in world space.
ZT_LANE_OP void environment_place(const environment_view *e, vec3_lanes direction, vf *out_u,
                                  vf *out_v)
{
    const vf c = vf_set1(e->cosine), s = vf_set1(e->sine);
    (void)octahedral_place(direction.x * c - direction.z * s, direction.y,
                           direction.x * s + direction.z * c, out_u, out_v);
}

ZT_LANE_OP vec3_lanes environment_light(const environment_view *e, const vf rgb[3])
{
    const vf intensity = vf_set1(e->intensity);
    return (vec3_lanes){rgb[0] * intensity, rgb[1] * intensity, rgb[2] * intensity};
}

/// Where the irradiance is on a surface whose normal has this place.
ZT_LANE_OP void environment_irradiance_address(const environment_view *e, vf u, vf v,
                                               octahedral_address *out)
{
    octahedral_address_build(&e->chain, u, v, vi_set1(ENVIRONMENT_IRRADIANCE), out);
}

ZT_LANE_OP vec3_lanes environment_irradiance_at(const environment_view *e,
                                                const octahedral_address *at)
{
    vf rgb[3];
    octahedral_texel(e->chain.texels, at, rgb);
    return environment_light(e, rgb);
}

/// Irradiance / pi on a surface with this normal: the radiance of a white Lambertian surface.
ZT_LANE_OP vec3_lanes environment_irradiance(const environment_view *e, vec3_lanes n)
{
    vf u, v;
    octahedral_address at;
    environment_place(e, n, &u, &v);
    environment_irradiance_address(e, u, v, &at);
    return environment_irradiance_at(e, &at);
}

/// The level for a lobe of this roughness, and the weight of the one after it.
ZT_LANE_OP vi environment_level(vf roughness, vf *out_blend)
{
    // The exponent of alpha is the level; its fraction is linear in alpha.
    const float sharpest = 1.0f / (float)(1 << (ENVIRONMENT_LEVELS - 1));
    const vf alpha = vf_clamp(roughness * roughness, vf_set1(sharpest), vf_set1(1.0f));
    const vi exponent = vi_bits(alpha) - vi_bits(vf_set1(sharpest));
    *out_blend = vf_from_vi(vi_and(exponent, vi_set1(0x007fffff))) * vf_set1(1.0f / 8388608.0f);
    return vi_shru(exponent, 23);
}

/// Radiance from around `direction` (of any length but 0), averaged over the lobe of a surface with
/// this roughness, 0 to 1. Below 0.0625 the lobe is as narrow as a texel.
ZT_LANE_OP vec3_lanes environment_radiance(const environment_view *e, vec3_lanes direction,
                                           vf roughness)
{
    vf u, v, blend, rgb[3];
    environment_place(e, direction, &u, &v);
    const vi level = environment_level(roughness, &blend);
    octahedral_lookup(&e->chain, u, v, level, blend, rgb);
    return environment_light(e, rgb);
}

/// Where environment_radiance looks up a direction with this place.
ZT_LANE_OP void environment_radiance_places(const environment_view *e, vf u, vf v, vf roughness,
                                            octahedral_places *out)
{
    vf blend;
    const vi level = environment_level(roughness, &blend);
    octahedral_places_build(&e->chain, u, v, level, blend, out);
}

ZT_LANE_OP vec3_lanes environment_radiance_at(const environment_view *e,
                                              const octahedral_places *at)
{
    vf rgb[3];
    octahedral_fetch(&e->chain, at, rgb);
    return environment_light(e, rgb);
}
