// SPDX-License-Identifier: MIT
// Closures (bsdf.inl) in the light of a frame: lamps, and what comes from all around. This is the
// fast integrator: light from all around comes prefiltered, looked up in a direction for each lobe.

/// A lobe widened by `more`: half of the angle at which the radius of a surface that shines is seen
/// (Karis, "Real shading in Unreal Engine 4", 2013): mirrors that face it show its radiance.
ZT_LANE_OP void lobe_widen(vf more, vf *alpha2)
{
    const vf alpha = vf_min(vf_sqrt(*alpha2) + more, vf_set1(1.0f));
    *alpha2 = alpha * alpha;
}

/// Reflected light of a lamp.
ZT_LANE_OP vec3_lanes shade_light_at(const shade_light *light, const shade_traits *t,
                                     const shade_point *p, const bsdf *b)
{
    const light_arrival in = light_arrive(light, !t->needs.position, p->position);
    shade_point wide = *p;
    bsdf lobes = *b;
    if (light->radius2 > 0.0f) {
        const vf more = vf_set1(0.5f) * in.radius;
        lobe_widen(more, &wide.alpha2);
        if (t->lobes.coat)
            lobe_widen(more, &lobes.coat.alpha2);
        if (t->lobes.glass)
            lobe_widen(more, &lobes.glass.alpha2);
        if (t->lobes.anisotropic)
            ellipse_widen(more, p->n_dot_v, &lobes.ellipse);
    }
    return bsdf_evaluate(&wide, t->lobes, &lobes, in.to_light, in.radiance);
}

/// Reflected light of the gradient. `visibility`: what occlusion leaves of it.
ZT_LANE_OP vec3_lanes shade_gradient(const ambient_light *light, const shade_point *p,
                                     const bsdf *b, const ambient_visibility *visibility)
{
    const vf one = vf_set1(1.0f), r = p->roughness;
    // Reflected sky: the mirror direction, pulled towards the normal as roughness grows.
    const vf mirror_y = vf_set1(2.0f) * p->n_dot_v * p->normal.y - p->view.y;
    const vf height = mirror_y + (p->normal.y - mirror_y) * (r * r);
    const vec3_lanes mirrored =
        ambient_radiance(light, vf_min(vf_max(height, vf_set1(-1.0f)), one));
    // Irradiance / pi of a radiance linear in y: the radiance at 2/3 of the normal's y.
    const vec3_lanes ambient = ambient_radiance(light, p->normal.y * vf_set1(2.0f / 3.0f));
    const vec3_lanes specular = vec3_times(mirrored, b->specular);
    const vec3_lanes diffuse = vec3_times(ambient, b->diffuse);
    if (visibility->split)
        return vec3_add(vec3_times(specular, visibility->specular),
                        vec3_times(diffuse, visibility->diffuse));
    return vec3_scale(vec3_add(specular, diffuse), visibility->all);
}

/// Irradiance / pi from all around on a surface that faces `normal`.
ZT_LANE_OP vec3_lanes frame_irradiance(const shade_context *c, const shade_traits *t,
                                       vec3_lanes normal)
{
    if (t->environment)
        return environment_irradiance(&c->environment, normal);
    // For a radiance linear in y: the radiance at 2/3 of the normal's y.
    return ambient_radiance(&c->ambient, normal.y * vf_set1(2.0f / 3.0f));
}

/// Radiance from around a direction of any length, over a GGX lobe of this roughness.
ZT_LANE_OP vec3_lanes frame_radiance(const shade_context *c, const shade_traits *t,
                                     vec3_lanes direction, vf roughness)
{
    if (t->environment)
        return environment_radiance(&c->environment, direction, roughness);
    return ambient_radiance(&c->ambient, vec3_unit(direction).y);
}

/// A direction that a mapped normal mirrors, lifted to the horizon where it points below the
/// surface: no light comes from there, and what such a ray would meet is about as bright.
ZT_LANE_OP vec3_lanes environment_above(const shade_point *p, vec3_lanes direction)
{
    const vf below = vf_min(vec3_dot(direction, p->geometric), vf_set1(0.0f));
    return vec3_sub(direction, vec3_scale(p->geometric, below));
}

/// Gloss mirrors a wall that stands behind the model in a studio, from wherever it is seen: at its
/// rim, 17 degrees around the line of sight and fading up to 41. Rims are round: at that of a ball
/// of r pixels, the squared step of the normal is 1 / (r n.v)^2. Rims of balls up to the square
/// root of the picture's pixels in radius mirror the wall whole, flat sides mirror the room. Only
/// with specular antialiasing, which has the steps.
ZT_LANE_OP vec3_lanes environment_wall(const shade_context *c, const shade_traits *t,
                                       const shade_point *p, vec3_lanes light, vf n_dot_v,
                                       vf roughness)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    const view_transform *screen = &c->frame.view.transform;
    if (!(c->environment.wall > 0.0f) || !t->specular_antialiasing)
        return light;
    const vf step = p->normal_step2 * (n_dot_v * n_dot_v);
    const vf share = vf_clamp((vf_set1(0.35f) - n_dot_v) * vf_set1(5.0f), zero, one) *
                     vf_min(step * vf_set1(screen->width * screen->height), one);
    const vf gloss = vf_max(one - roughness * vf_set1(2.0f), zero);
    const vf wall = vf_set1(c->environment.wall) * (share * gloss);
    return (vec3_lanes){vf_max(light.x, wall), vf_max(light.y, wall), vf_max(light.z, wall)};
}

/// Light from around the mean direction of a lobe, where occlusion lets it through.
ZT_LANE_OP vec3_lanes environment_occluded(const shade_traits *t, vec3_lanes light, vf n_dot_v,
                                           vf roughness, const ambient_visibility *visibility)
{
    const vf open = occlusion_specular(visibility->all, n_dot_v, roughness);
    return t->occluded ? vec3_times(light, occlusion_all_bounces(open, visibility->albedo))
                       : vec3_scale(light, open);
}

/// Light from around the mean direction of a GGX lobe.
ZT_LANE_OP vec3_lanes environment_mirrored(const shade_context *c, const shade_traits *t,
                                           const shade_point *p, vec3_lanes normal, vf n_dot_v,
                                           vf roughness, const ambient_visibility *visibility)
{
    vec3_lanes from = ggx_mean_direction(normal, p->view, n_dot_v, roughness);
    if (t->geometric)
        from = environment_above(p, from);
    const vec3_lanes light =
        environment_wall(c, t, p, frame_radiance(c, t, from, roughness), n_dot_v, roughness);
    if (!t->occluded && t->source[SHADE_MAP_OCCLUSION] == SHADE_ABSENT)
        return light;
    return environment_occluded(t, light, n_dot_v, roughness, visibility);
}

/// The weighted mean of the light around the round lobes that make a stretched one.
ZT_LANE_OP vec3_lanes environment_stretched(const shade_context *c, const shade_traits *t,
                                            const shade_point *p, vec3_lanes normal, vf n_dot_v,
                                            vf roughness, const bsdf_ellipse *e,
                                            const ambient_visibility *visibility)
{
    vf weights = vf_set1(1e-12f);
    vec3_lanes sum = {vf_set1(0.0f), vf_set1(0.0f), vf_set1(0.0f)};
    for (int32_t i = 0; i < e->samples; i++) {
        vf weight;
        vec3_lanes from = ellipse_lobe(e, normal, p->view, n_dot_v, i, &weight);
        if (t->geometric)
            from = environment_above(p, from);
        const vec3_lanes light = frame_radiance(c, t, from, e->round_roughness);
        weights = weights + weight;
        sum = vec3_add(sum, vec3_scale(light, weight));
    }
    const vec3_lanes light =
        environment_wall(c, t, p, vec3_scale(sum, vf_set1(1.0f) / weights), n_dot_v, roughness);
    return environment_occluded(t, light, n_dot_v, roughness, visibility);
}

/// What a coat of this reflectance, or the base below it, mirrors (bsdf_ellipse.inl). One lookup is
/// enough for other materials: ellipses for all gain nothing more over the reference pictures.
ZT_LANE_OP vec3_lanes environment_coated(const shade_context *c, const shade_traits *t,
                                         const shade_point *p, vec3_lanes normal, vf n_dot_v,
                                         vf roughness, vf f0, const ambient_visibility *visibility)
{
    bsdf_ellipse e;
    ellipse_round(normal, p->view, n_dot_v, roughness, f0, &e);
    return environment_stretched(c, t, p, normal, n_dot_v, roughness, &e, visibility);
}

/// Light from all around that the base mirrors.
ZT_LANE_OP vec3_lanes environment_base(const shade_context *c, const shade_traits *t,
                                       const shade_point *p, const bsdf *b,
                                       const ambient_visibility *visibility)
{
    vec3_lanes light;
    if (t->lobes.anisotropic)
        light = environment_stretched(c, t, p, p->normal, p->n_dot_v, p->roughness, &b->ellipse,
                                      visibility);
    else if (t->lobes.coat)
        light =
            environment_coated(c, t, p, p->normal, p->n_dot_v, p->roughness, b->f0.y, visibility);
    else
        light = environment_mirrored(c, t, p, p->normal, p->n_dot_v, p->roughness, visibility);
    return vec3_times(b->specular, light);
}

/// Light from all around off fibres: a lobe as wide as a diffuse one, facing the mean direction.
ZT_LANE_OP vec3_lanes environment_fibres(const shade_context *c, const shade_traits *t,
                                         const shade_point *p, const bsdf_sheen *sheen,
                                         const ambient_visibility *visibility)
{
    const vec3_lanes from = sheen_mean_direction(sheen, p->normal, p->view, p->n_dot_v);
    return vec3_times(sheen->albedo, vec3_scale(frame_irradiance(c, t, from), visibility->all));
}

/// The same of toon shading, which mirrors nothing.
ZT_LANE_OP vec3_lanes shade_toon_ambient(const shade_context *c, const shade_traits *t,
                                         const shade_point *p, const bsdf *b)
{
    const vf zero = vf_set1(0.0f), half = vf_set1(0.5f), one = vf_set1(1.0f);
    const vec3_lanes up = {zero, one, zero}, down = {zero, vf_neg(one), zero};
    const vec3_lanes both = vec3_add(frame_irradiance(c, t, up), frame_irradiance(c, t, down));
    return toon_ambient(&b->toon, p, frame_irradiance(c, t, p->normal), vec3_scale(both, half));
}

/// Radiance that leaves towards the eye of what comes from all around.
ZT_LANE_OP vec3_lanes shade_environment(const shade_context *c, const shade_traits *t,
                                        const shade_point *p, const bsdf *b,
                                        const ambient_visibility *visibility)
{
    if (t->lobes.toon)
        return shade_toon_ambient(c, t, p, b);
    vec3_lanes specular = environment_base(c, t, p, b, visibility);
    vec3_lanes diffuse = vec3_times(b->diffuse, frame_irradiance(c, t, p->normal));
    diffuse = t->occluded ? vec3_times(diffuse, visibility->diffuse)
                          : vec3_scale(diffuse, visibility->all);
    if (t->lobes.sheen) {
        specular = vec3_add(vec3_scale(specular, b->sheen.transmittance),
                            environment_fibres(c, t, p, &b->sheen, visibility));
        diffuse = vec3_scale(diffuse, b->sheen.transmittance);
    }
    if (t->lobes.coat) {
        const bsdf_coat *coat = &b->coat;
        const vf in = vf_set1(1.0f) - coat->factor * vf_set1(COAT_MEAN_F);
        specular =
            vec3_add(vec3_times(specular, coat->transmittance),
                     vec3_scale(environment_coated(c, t, p, coat->normal, coat->n_dot_v,
                                                   coat->roughness, vf_set1(COAT_F0), visibility),
                                coat->albedo));
        diffuse = vec3_scale(vec3_times(diffuse, coat->kept_diffuse), in);
    }
    vec3_lanes sum = vec3_add(specular, diffuse);
    if (t->lobes.diffuse_transmission) {
        const vec3_lanes behind = vec3_scale(p->normal, vf_set1(-1.0f));
        sum = vec3_add(sum, vec3_times(b->through, vec3_scale(frame_irradiance(c, t, behind),
                                                              visibility->all)));
    }
    return sum;
}

/// Where the base alone looks light from all around and its albedo up, and the albedo. They are
/// found in loops of their own, so that no lookup waits for its address.
typedef struct environment_lookup {
    albedo_place cell;
    ggx_albedo albedo;
    vf u, v, irradiance_u, irradiance_v; ///< the places of both directions
    octahedral_places mirrored;
    octahedral_address irradiance_address;
} environment_lookup;

ZT_LANE_OP void environment_lookup_build(const shade_context *c, const shade_traits *t,
                                         const shade_point *p, environment_lookup *out)
{
    ggx_albedo_place(p->n_dot_v, p->roughness, &out->cell);
    vec3_lanes from = ggx_mean_direction(p->normal, p->view, p->n_dot_v, p->roughness);
    if (t->geometric)
        from = environment_above(p, from);
    environment_place(&c->environment, from, &out->u, &out->v);
    environment_place(&c->environment, p->normal, &out->irradiance_u, &out->irradiance_v);
}

/// The addresses, in the loop after it: each half is a long chain.
ZT_LANE_OP void environment_lookup_addresses(const shade_context *c, vf roughness,
                                             environment_lookup *at)
{
    environment_radiance_places(&c->environment, at->u, at->v, roughness, &at->mirrored);
    environment_irradiance_address(&c->environment, at->irradiance_u, at->irradiance_v,
                                   &at->irradiance_address);
}

/// shade_environment with a lookup.
ZT_LANE_OP vec3_lanes shade_environment_base(const shade_context *c, const shade_traits *t,
                                             const shade_point *p, const bsdf *b,
                                             const environment_lookup *at,
                                             const ambient_visibility *visibility)
{
    vec3_lanes light = environment_wall(
        c, t, p, environment_radiance_at(&c->environment, &at->mirrored), p->n_dot_v, p->roughness);
    if (t->occluded)
        light = vec3_times(light, visibility->specular);
    else if (t->source[SHADE_MAP_OCCLUSION] != SHADE_ABSENT)
        light = vec3_scale(light, occlusion_specular(visibility->all, p->n_dot_v, p->roughness));
    const vec3_lanes specular = vec3_times(b->specular, light);
    vec3_lanes diffuse =
        vec3_times(b->diffuse, environment_irradiance_at(&c->environment, &at->irradiance_address));
    diffuse = t->occluded ? vec3_times(diffuse, visibility->diffuse)
                          : vec3_scale(diffuse, visibility->all);
    return vec3_add(specular, diffuse);
}
