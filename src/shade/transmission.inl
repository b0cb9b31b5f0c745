// SPDX-License-Identifier: MIT
// Light that passes through a surface: what a fragment of a transmissive material does to the light
// behind it (fragment_lens). blend_glass.inl puts the fragments of a pixel in order and looks up
// what is behind them.
//
// The transmitted share of the diffuse part goes through instead of being diffused, tinted by the
// base colour (KHR_materials_transmission); what the surface reflects is not transmitted. A volume
// also absorbs along the refracted ray (Beer-Lambert, KHR_materials_volume), and shows what lies
// where this ray leaves it. Metal transmits nothing.

/// exp(x) for x <= 0, within 3e-7 of the result down to x = -87, where it is about 1e-38; exact at
/// 0. 2^f is a polynomial of degree 5, fitted for the smallest relative error on [0, 1].
ZT_LANE_OP vf transmission_exp(vf x)
{
    const vf y = vf_max(x * vf_set1(1.44269504f), vf_set1(-126.0f));
    const vf whole = vf_floor(y), f = y - whole;
    vf p = vf_set1(0.00186713005f);
    p = p * f + vf_set1(0.00901703071f);
    p = p * f + vf_set1(0.0557999127f);
    p = p * f + vf_set1(0.240164444f);
    p = p * f + vf_set1(0.693151295f);
    p = p * f + vf_set1(1.0f);
    return p * vf_bits(vi_shl(vi_from_vf(whole) + vi_set1(127), 23));
}

/// Splits the diffuse part of a point into what is diffused and what goes through. Limits alpha to
/// what the alpha mode asks for.
ZT_LANE_OP void transmission_split(const shade_context *c, shade_batch *batch)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const shade_map *map = &c->material.map[SHADE_MAP_TRANSMISSION];
    vf share = vf_set1(c->material.transmission->factor);
    if (map->texture) {
        vf texel[4];
        surface_sample(map, &batch->values, texel);
        share = share * texel[0];
    }
    shade_point *p = &batch->point;
    batch->through = vec3_scale(p->diffuse, share);
    p->diffuse = vec3_scale(p->diffuse, one - share);
    if (c->material.masked)
        batch->alpha = vf_sel(vf_ge(batch->alpha, vf_set1(c->material.alpha_cutoff)), one, zero);
    else if (!c->material.blended)
        batch->alpha = one;
}

/// Thickness of a volume in metres, in world space.
ZT_LANE_OP vf transmission_thickness(const shade_context *c, const shade_batch *batch)
{
    const shade_map *map = &c->material.map[SHADE_MAP_THICKNESS];
    vf thickness =
        vf_set1(c->material.transmission->thickness_m) * surface_row(&batch->surface, ROW_SCALE);
    if (map->texture) {
        vf texel[4];
        surface_sample(map, &batch->values, texel);
        thickness = thickness * texel[1];
    }
    return thickness;
}

/// Unit direction of the refracted view ray, by Snell's law; `eta` = 1 / ior <= 1.
ZT_LANE_OP vec3_lanes transmission_refract(const shade_point *p, float eta)
{
    const vf one = vf_set1(1.0f), e = vf_set1(eta), cosine = p->n_dot_v;
    const vf inside = vf_sqrt(one - (e * e) * (one - cosine * cosine));
    return vec3_unit(vec3_sub(vec3_scale(p->normal, e * cosine - inside), vec3_scale(p->view, e)));
}

ZT_LANE_OP vf transmission_row(const float row[4], vec3_lanes at)
{
    return ((vf_set1(row[0]) * at.x + vf_set1(row[1]) * at.y) + vf_set1(row[2]) * at.z) +
           vf_set1(row[3]);
}

/// How far from the pixel a point in world space is seen, limited to the size of a picture.
ZT_LANE_OP void transmission_shift(const shade_frame *f, const shade_batch *batch, vec3_lanes at,
                                   vf *x, vf *y)
{
    const vf limit = vf_set1(16384.0f), back = vf_set1(-16384.0f);
    const vf w = vf_max(transmission_row(f->view.row_w, at), vf_set1(1e-6f));
    *x = vf_clamp(transmission_row(f->view.row_x, at) / w - batch->px, back, limit);
    *y = vf_clamp(transmission_row(f->view.row_y, at) / w - batch->py, back, limit);
}

/// Adds light from unit direction `to_light`, behind the surface, with `radiance` / pi: a rough
/// surface scatters it like a mirror whose image of the light is behind it
/// (KHR_materials_transmission, "Microfacet BTDF"). Smooth surfaces show no lamps.
ZT_LANE_OP vec3_lanes transmission_direct(const shade_point *p, vec3_lanes to_light,
                                          vec3_lanes radiance, vec3_lanes sum)
{
    const vf cosine = vec3_dot(p->normal, to_light);
    const vf n_dot_l = vf_max(vf_neg(cosine), vf_set1(0.0f));
    const vec3_lanes image = vec3_sub(to_light, vec3_scale(p->normal, vf_set1(2.0f) * cosine));
    const vf length2 = ggx_half_at(p->view, image).length2;
    const vf lobe = ggx_dv(p->n_dot_v, n_dot_l, p->transmitted_alpha2, length2) * n_dot_l;
    return vec3_add(sum, vec3_scale(vec3_times(p->transmitted, radiance), lobe));
}

/// Stores ZT_W values of one array of the job's lenses.
ZT_LANE_OP void lens_store(const shade_context *c, uint32_t first, int32_t which, vf x)
{
    const shade_colors *color = &c->job.color;
    shade_store(&c->job, first, x, color->lens + (size_t)which * color->lens_stride);
}

/// The environment that is seen through the point along unit `direction`, and not behind it.
ZT_LANE_OP vec3_lanes lens_around(const shade_context *c, const shade_batch *batch,
                                  vec3_lanes direction)
{
    const vf roughness = batch->scatter_roughness * vf_set1(c->material.transmission->around);
    return environment_radiance(&c->environment, direction, roughness);
}

/// Stores the channel `i` of the environment along `direction`; all of them where i < 0.
ZT_LANE_OP void lens_store_around(const shade_context *c, uint32_t first, const shade_batch *batch,
                                  vec3_lanes direction, int32_t i)
{
    const vec3_lanes rgb = lens_around(c, batch, direction);
    if (i <= 0)
        lens_store(c, first, LENS_AROUND_R, rgb.x);
    if (i < 0 || i == 1)
        lens_store(c, first, LENS_AROUND_G, rgb.y);
    if (i < 0 || i == 2)
        lens_store(c, first, LENS_AROUND_B, rgb.z);
}

/// Refraction: shifts by channel, and absorption along the ray inside.
ZT_LANE_OP void lens_refract(const shade_context *c, uint32_t first, shade_batch *batch)
{
    const shade_transmission *t = c->material.transmission;
    const vf length = transmission_thickness(c, batch);
    vf *through[3] = {&batch->through.x, &batch->through.y, &batch->through.z};
    vf x = vf_set1(0.0f), y = x;
    for (int32_t i = 0; i < 3; i++) {
        if (i == 0 || t->disperses) {
            const vec3_lanes ray = transmission_refract(&batch->point, t->inverse_ior[i]);
            const vec3_lanes out = vec3_add(batch->point.position, vec3_scale(ray, length));
            transmission_shift(&c->frame, batch, out, &x, &y);
            if (c->frame.environment_behind)
                lens_store_around(c, first, batch, ray, t->disperses ? i : -1);
        }
        lens_store(c, first, LENS_SHIFT_XR + i, x);
        lens_store(c, first, LENS_SHIFT_YR + i, y);
        if (t->absorption[i] > 0.0f)
            *through[i] = *through[i] * transmission_exp(vf_set1(-t->absorption[i]) * length);
    }
}

/// Pixels by which light is scattered, as the line far - near q of the nearness q behind: the
/// scattered angle times the distance from the surface to what is behind it, seen from the eye.
ZT_LANE_OP void lens_scatter(const shade_context *c, uint32_t first, const shade_batch *batch)
{
    const vec3_lanes pixel = vec3_set1(c->frame.ray_x);
    const vf alpha = batch->scatter_roughness * batch->scatter_roughness;
    vf spread = (vf_set1(c->material.transmission->lobe) * alpha) / vf_sqrt(vec3_dot(pixel, pixel));
    const vf w = surface_value(&batch->surface, ROW_W);
    vf far = spread, near = spread * w, nearness = vf_set1(1.0f) / w;
    if (c->frame.view.orthographic) {
        nearness = surface_value(&batch->surface, ROW_DEPTH);
        near = spread * vf_set1(c->frame.depth_range);
        far = near * nearness;
    }
    lens_store(c, first, LENS_NEARNESS, nearness);
    lens_store(c, first, LENS_SCATTER_FAR, far * batch->alpha);
    lens_store(c, first, LENS_SCATTER_NEAR, near * batch->alpha);
}

/// Stores what ZT_W fragments, from `first` on, do to the light behind them. Where alpha lets the
/// background through, it does so unchanged.
ZT_LANE_OP void lens_build(const shade_context *c, uint32_t first, shade_batch *batch)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    const vf alpha = shade_alpha(batch->alpha), clear = one - alpha;
    batch->alpha = alpha;
    batch->through = vec3_scale(batch->through, batch->kept);
    const float narrow = c->material.transmission->around * c->material.transmission->around;
    const vf lobe = (batch->scatter_roughness * batch->scatter_roughness) * vf_set1(narrow);
    if (c->material.transmission->thickness_m > 0.0f)
        lens_refract(c, first, batch);
    else if (c->frame.environment_behind)
        lens_store_around(c, first, batch, vec3_scale(batch->point.view, vf_set1(-1.0f)), -1);
    lens_scatter(c, first, batch);
    batch->point.transmitted_alpha2 =
        vf_max(lobe * lobe, vf_set1(6.25e-6f)); // as of roughness 0.05
    batch->point.transmitted = (vec3_lanes){vf_sel(vf_gt(lobe, zero), batch->through.x, zero),
                                            vf_sel(vf_gt(lobe, zero), batch->through.y, zero),
                                            vf_sel(vf_gt(lobe, zero), batch->through.z, zero)};
    lens_store(c, first, LENS_IS_GLASS, vf_sel(vf_gt(alpha, zero), one, zero));
    lens_store(c, first, LENS_THROUGH_R, batch->through.x * alpha + clear);
    lens_store(c, first, LENS_THROUGH_G, batch->through.y * alpha + clear);
    lens_store(c, first, LENS_THROUGH_B, batch->through.z * alpha + clear);
}
