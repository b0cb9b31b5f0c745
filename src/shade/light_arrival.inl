// SPDX-License-Identifier: MIT
// Lamps (KHR_lights_punctual) as their light arrives at points, without shadows, whatever surfaces
// do with it.

/// The light of a lamp at points.
typedef struct light_arrival {
    vec3_lanes to_light; ///< unit
    vf distance;         ///< metres; of directional lights infinite
    vf radius;           ///< radius of the lamp, over its distance
    vec3_lanes
        radiance; ///< radiance of a light of solid angle 1, over pi, as bsdf_evaluate takes it
} light_arrival;

/// The unit direction from a point towards a light at a position. `distance2`: squared metres, at
/// least to the surface of one.
ZT_LANE_OP vec3_lanes light_direction(const shade_light *light, vec3_lanes position, vf *distance2)
{
    const vec3_lanes offset = vec3_sub(vec3_set1(light->position), position);
    const vf length2 = vf_max(vec3_dot(offset, offset), vf_set1(1e-8f));
    *distance2 = vf_max(length2, vf_set1(light->radius2));
    return vec3_scale(offset, inverse_sqrt(length2));
}

/// Limits the light of a lamp at a position, `light_there`, by its range and cone.
ZT_LANE_OP vf light_limit(const shade_light *light, vec3_lanes to_light, vf distance2,
                          vf light_there)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const vf q = distance2 * vf_set1(light->inv_range2);
    const vf in_range = light_there * vf_clamp(one - q * q, zero, one);
    if (light->kind != SHADE_LIGHT_SPOT)
        return in_range;
    const vf cosine = vf_neg(vec3_dot(to_light, vec3_set1(light->axis)));
    const vf edge =
        vf_clamp(cosine * vf_set1(light->spot_scale) + vf_set1(light->spot_offset), zero, one);
    return in_range * (edge * edge);
}

/// `directional`: all lights of the frame are, and positions are not known.
ZT_LANE_OP light_arrival light_arrive(const shade_light *light, bool directional,
                                      vec3_lanes position)
{
    const float inv_pi = 0.318309886f;
    light_arrival out = {.to_light = vec3_set1(light->to_light),
                         .distance = vf_set1(__builtin_inff()),
                         .radius = vf_set1(light->radius),
                         .radiance = {vf_set1(light->radiance[0] * inv_pi),
                                      vf_set1(light->radiance[1] * inv_pi),
                                      vf_set1(light->radiance[2] * inv_pi)}};
    if (directional || light->kind == SHADE_LIGHT_DIRECTIONAL)
        return out;
    vf distance2;
    out.to_light = light_direction(light, position, &distance2);
    out.distance = vf_sqrt(distance2);
    out.radius = out.radius / out.distance;
    out.radiance = vec3_scale(
        out.radiance, light_limit(light, out.to_light, distance2, vf_set1(1.0f) / distance2));
    return out;
}
