// SPDX-License-Identifier: MIT
// The screen's answer to what glass (bsdf_glass.inl) shows: what a fragment of a transmissive
// material does to the light behind it (fragment_lens). blend_glass.inl puts the fragments of a
// pixel in order and looks up what is behind them. A volume shows what lies where the refracted ray
// leaves it.

/// Thickness of a volume in metres, in world space.
ZT_LANE_OP vf lens_thickness(const shade_context *c, const shade_batch *batch)
{
    const surface_map *map = &c->material.own.map[SHADE_MAP_THICKNESS];
    vf thickness = vf_set1(c->material.own.transmission->thickness_m) *
                   surface_row(&batch->at.surface, ROW_SCALE);
    if (map->texture) {
        vf texel[4];
        surface_sample(map, &batch->at.values, texel);
        thickness = thickness * texel[1];
    }
    return thickness;
}

/// The distance in pixels at which a world point is seen, limited to a picture's size.
ZT_LANE_OP void lens_shift(const shade_frame *f, const shade_batch *batch, vec3_lanes at, vf *x,
                           vf *y)
{
    const vf limit = vf_set1(16384.0f), back = vf_set1(-16384.0f);
    const vf w = vf_max(shadow_transform(f->view.transform.row_w, at), vf_set1(1e-6f));
    *x = vf_clamp(shadow_transform(f->view.transform.row_x, at) / w - batch->px, back, limit);
    *y = vf_clamp(shadow_transform(f->view.transform.row_y, at) / w - batch->py, back, limit);
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
    const vf roughness =
        batch->at.scatter_roughness * vf_set1(c->material.own.transmission->mirror_roughness);
    return environment_radiance(&c->environment, direction, roughness);
}

/// Stores the channel `i` of the environment along `direction`; all of them where i < 0.
ZT_LANE_OP void lens_store_around(const shade_context *c, uint32_t first, const shade_batch *batch,
                                  vec3_lanes direction, int32_t i)
{
    const vec3_lanes rgb = lens_around(c, batch, direction);
    if (i <= 0)
        lens_store(c, first, LENS_ENVIRONMENT_R, rgb.x);
    if (i < 0 || i == 1)
        lens_store(c, first, LENS_ENVIRONMENT_G, rgb.y);
    if (i < 0 || i == 2)
        lens_store(c, first, LENS_ENVIRONMENT_B, rgb.z);
}

/// Refraction: shifts by channel, and absorption along the ray inside.
ZT_LANE_OP void lens_refract(const shade_context *c, uint32_t first, const shade_batch *batch,
                             bsdf_glass *glass)
{
    const shade_transmission *t = c->material.own.transmission;
    const vf length = lens_thickness(c, batch);
    vf x = vf_set1(0.0f), y = x;
    for (int32_t i = 0; i < 3; i++) {
        if (i == 0 || t->disperses) {
            const vec3_lanes ray = glass_refract(&batch->at.point, t->inverse_ior[i]);
            const vec3_lanes out = vec3_add(batch->at.point.position, vec3_scale(ray, length));
            lens_shift(&c->frame, batch, out, &x, &y);
            if (c->frame.environment_behind)
                lens_store_around(c, first, batch, ray, t->disperses ? i : -1);
        }
        lens_store(c, first, LENS_SHIFT_XR + i, x);
        lens_store(c, first, LENS_SHIFT_YR + i, y);
    }
    glass_absorb(t->absorption, length, glass);
}

/// Pixels by which light is scattered, as the line far - near q of the nearness q behind: the
/// scattered angle times the distance from the surface to what is behind it, seen from the eye.
ZT_LANE_OP void lens_scatter(const shade_context *c, uint32_t first, const shade_batch *batch)
{
    const vec3_lanes pixel = vec3_set1(c->frame.view.ray_x);
    const vf alpha = batch->at.scatter_roughness * batch->at.scatter_roughness;
    vf spread =
        (vf_set1(c->material.own.transmission->lobe) * alpha) / vf_sqrt(vec3_dot(pixel, pixel));
    const vf w = surface_value(&batch->at.surface, ROW_W);
    vf far = spread, near = spread * w, nearness = vf_set1(1.0f) / w;
    if (c->frame.view.transform.orthographic) {
        nearness = surface_value(&batch->at.surface, ROW_DEPTH);
        near = spread * vf_set1(c->frame.view.depth_range);
        far = near * nearness;
    }
    lens_store(c, first, LENS_NEARNESS, nearness);
    lens_store(c, first, LENS_SCATTER_FAR, far * batch->at.alpha);
    lens_store(c, first, LENS_SCATTER_NEAR, near * batch->at.alpha);
}

/// Stores what ZT_W fragments do to the light behind; what alpha lets through is unchanged.
ZT_LANE_OP void lens_build(const shade_context *c, uint32_t first, bsdf_glass *glass,
                           shade_batch *batch)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    const vf alpha = shade_alpha(batch->at.alpha), clear = one - alpha;
    batch->at.alpha = alpha;
    if (c->material.own.transmission->thickness_m > 0.0f)
        lens_refract(c, first, batch, glass);
    else if (c->frame.environment_behind)
        lens_store_around(c, first, batch, vec3_scale(batch->at.point.view, vf_set1(-1.0f)), -1);
    lens_scatter(c, first, batch);
    lens_store(c, first, LENS_IS_GLASS, vf_sel(vf_gt(alpha, zero), one, zero));
    const bool shut = c->job.part != SHADE_WHOLE;
    lens_store(c, first, LENS_THROUGH_R, shut ? zero : glass->through.x * alpha + clear);
    lens_store(c, first, LENS_THROUGH_G, shut ? zero : glass->through.y * alpha + clear);
    lens_store(c, first, LENS_THROUGH_B, shut ? zero : glass->through.z * alpha + clear);
}
