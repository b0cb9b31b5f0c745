// SPDX-License-Identifier: MIT
// The ground below the models: it catches shadows and occlusion, alone or on grey or checkered
// matter.
//
// Its points follow from the ray of a pixel. The checker is the mean of its squares over the box
// that a pixel covers, in closed form: the integral of a square wave is a triangle wave (Quilez,
// "Filtering a checkerboard pattern", 2018).

/// A point of the ground, and the extents along x and z of the pixel there.
typedef struct ground_point {
    vec3_lanes position;
    vf size_x, size_z; ///< metres
} ground_point;

ZT_LANE_OP ground_point ground_at(const shade_frame *f, const shade_ground *g, vf px, vf py)
{
    const bool orthographic = f->view.transform.orthographic;
    const vec3_lanes ray = shade_ray(f, px, py);
    const vec3_lanes along = orthographic ? vec3_set1(f->view.forward) : ray;
    vec3_lanes from = vec3_set1(f->view.origin);
    if (orthographic)
        from = vec3_add(from, ray);
    const vf down = vf_set1(1.0f) / along.y;
    const vf t = (vf_set1(g->height) - from.y) * down;
    const vf scale = orthographic ? vf_set1(1.0f) : t;
    const vf x_y = vf_set1(f->view.ray_x[1]) * down, y_y = vf_set1(f->view.ray_y[1]) * down;
    ground_point p = {.position = vec3_add(from, vec3_scale(along, t))};
    p.size_x = vf_abs(scale) * (vf_abs(vf_set1(f->view.ray_x[0]) - along.x * x_y) +
                                vf_abs(vf_set1(f->view.ray_y[0]) - along.x * y_y));
    p.size_z = vf_abs(scale) * (vf_abs(vf_set1(f->view.ray_x[2]) - along.z * x_y) +
                                vf_abs(vf_set1(f->view.ray_y[2]) - along.z * y_y));
    return p;
}

/// The mean of a wave that is 1 in [0, 1), -1 in [1, 2) and so on, over `size` around x, |x| <=
/// 1e6. Sizes at the horizon have no bound: from 4e9 on the mean is 0, and vf_floor takes no more.
ZT_LANE_OP vf ground_square_wave(vf x, vf size)
{
    const vf half = vf_set1(0.5f);
    const vf width = vf_clamp(size, vf_set1(1e-4f), vf_set1(4e9f));
    const vf a = (x - width * half) * half, b = (x + width * half) * half;
    const vf ramp_a = vf_abs((a - vf_floor(a)) - half), ramp_b = vf_abs((b - vf_floor(b)) - half);
    return vf_set1(2.0f) * (ramp_a - ramp_b) / width;
}

/// Limits positions, of which those at the horizon are arbitrary, to what vf_floor takes.
ZT_LANE_OP vf ground_squares(vf x, float size_m)
{
    return vf_clamp(x / vf_set1(size_m), vf_set1(-1e6f), vf_set1(1e6f));
}

/// The darkness of the contact shadow: between the four texels around the point.
ZT_LANE_OP vf ground_contact(const shadow_map *m, vec3_lanes p)
{
    const vf half = vf_set1(0.5f), least = vf_set1(-2.0f);
    const vf x =
        vf_clamp(shadow_transform(m->view.row_x, p), least, vf_set1((float)m->width + 2.0f)) - half;
    const vf y =
        vf_clamp(shadow_transform(m->view.row_y, p), least, vf_set1((float)m->height + 2.0f)) -
        half;
    const vf column = vf_floor(x), line = vf_floor(y), right = x - column, down = y - line;
    const float *row[ZT_W];
    int32_t first[ZT_W];
    vf dark[2], texel[4];
    vi_store(first, vi_mul(vi_from_vf(line), vi_set1(m->stride)) + vi_from_vf(column));
    for (int32_t lane = 0; lane < ZT_W; lane++)
        row[lane] = m->depth + first[lane];
    for (int32_t j = 0; j < 2; j++) {
        vf_load4(row, texel);
        dark[j] = texel[0] + (texel[1] - texel[0]) * right;
        for (int32_t lane = 0; lane < ZT_W; lane++)
            row[lane] += m->stride;
    }
    return dark[0] + (dark[1] - dark[0]) * down;
}

/// The irradiance of the ground from a light of radiance 1 (lux or candela), without shadows.
ZT_LANE_OP vf ground_irradiance(const shade_light *light, vec3_lanes p)
{
    const vf zero = vf_set1(0.0f);
    vf distance2;
    if (light->kind == SHADE_LIGHT_DIRECTIONAL)
        return vf_max(vf_set1(light->to_light[1]), zero);
    const vec3_lanes to_light = light_direction(light, p, &distance2);
    return light_limit(light, to_light, distance2, vf_max(to_light.y, zero) / distance2);
}

/// Irradiance / pi of the ground.
typedef struct ground_light {
    vec3_lanes ambient, lights; ///< that arrive
    vf blocked, all;            ///< luminance that shadows block, and without shadows
} ground_light;

ZT_LANE_OP vf ground_luminance(vec3_lanes c)
{
    const float weights[3] = {0.2126f, 0.7152f, 0.0722f};
    return vec3_dot(c, vec3_set1(weights));
}

/// Those at the points `p`; the shares of lights that arrive are in job->arriving.
ZT_LANE_OP ground_light ground_lit(const shade_job *job, vec3_lanes p)
{
    const shade_frame *f = job->frame;
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f), inv_pi = vf_set1(0.318309886f);
    const ambient_light ambient = ambient_light_of(f->sky, f->ambient_below);
    ground_light out = {.lights = {zero, zero, zero}, .blocked = zero};
    const float up[3] = {0.0f, 1.0f, 0.0f};
    out.ambient = f->environment ? environment_irradiance(f->environment, vec3_set1(up))
                                 : ambient_radiance(&ambient, vf_set1(2.0f / 3.0f));
    out.all = ground_luminance(out.ambient);
    for (int32_t i = 0; i < f->light_count; i++) {
        const shade_light *light = &f->lights[i];
        if (light->radius2 > 0.0f && !job->material->ground->lit)
            continue; // the page is as bright as without it
        const vec3_lanes own =
            vec3_scale(vec3_set1(light->radiance), ground_irradiance(light, p) * inv_pi);
        const vf luminance = ground_luminance(own);
        vf arriving = one;
        if (light->shadow)
            arriving = shade_arriving(job, light->shadow, 0);
        out.lights = vec3_add(out.lights, vec3_scale(own, arriving));
        out.blocked = out.blocked + luminance * (one - arriving);
        out.all = out.all + luminance;
    }
    return out;
}

/// The luminance of the light that reaches the ground around the models, all of it unblocked. A
/// page below a picture is as bright everywhere: far from a lamp shadows block little of that.
ZT_LANE_OP vf ground_usual(const shade_job *job)
{
    const shade_ground *g = job->material->ground;
    vf least = vf_set1(INFINITY), most = vf_set1(0.0f);
    for (int i = 0; i < 4; i++) {
        const float offset = i & 1 ? g->radius : -g->radius;
        const vec3_lanes p = {vf_set1(g->center[0] + (i & 2 ? offset : 0.0f)), vf_set1(g->height),
                              vf_set1(g->center[1] + (i & 2 ? 0.0f : offset))};
        const vf all = ground_lit(job, p).all;
        least = vf_min(least, all);
        most = vf_max(most, all);
    }
    return vf_max(least, most * vf_set1(0.25f));
}

/// 0 for t <= 0, 1 for t >= 1, and smooth between.
ZT_LANE_OP vf ground_smooth(vf t)
{
    const vf s = vf_clamp(t, vf_set1(0.0f), vf_set1(1.0f));
    return s * s * (vf_set1(3.0f) - vf_set1(2.0f) * s);
}

/// 1 near the middle, 0 from the edge on.
ZT_LANE_OP vf ground_fade(const shade_ground *g, vec3_lanes p)
{
    const vf x = p.x - vf_set1(g->fade_center[0]), z = p.z - vf_set1(g->fade_center[1]);
    const vf near = vf_set1(0.99f * g->fade_from), one = vf_set1(1.0f);
    if (vm_all(vf_lt(x * x + z * z, near * near)))
        return one;
    const vf scale = vf_set1(1.0f / (g->fade_to - g->fade_from));
    const vf left = (vf_set1(g->fade_to) - vf_sqrt(x * x + z * z)) * scale;
    return ground_smooth(left);
}

/// 0 at two opposite borders of the picture, `extent` pixels apart, 1 from `wide` times the usual
/// width on: a shadow that the picture cuts off would end in a straight line on the page around it.
ZT_LANE_OP vf ground_border(const shade_ground *g, vf at, float extent, float wide)
{
    const vf nearest = vf_min(at, vf_set1(extent) - at) - vf_set1(1.0f);
    const float width = wide * g->border_px;
    if (!(width > 0.0f) || vm_all(vf_gt(nearest, vf_set1(1.01f * width))))
        return vf_set1(1.0f);
    return ground_smooth(nearest * vf_set1(1.0f / width));
}

/// The alpha of black that darkens display values as `alpha` darkens light: transparent pictures
/// are laid over others in sRGB. sRGB is nearly a power, so this holds over any colour. (The roots
/// are Taylor's fit, "sRGB approximations for HLSL", 2012, within 0.003 from 0.002 on.)
ZT_LANE_OP vf ground_display_alpha(vf alpha)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const vf s1 = vf_sqrt(vf_max(one - alpha, zero)), s2 = vf_sqrt(s1), s3 = vf_sqrt(s2);
    const vf left =
        (vf_set1(0.585122381f) * s1 + vf_set1(0.783140355f) * s2) - vf_set1(0.368262736f) * s3;
    return vf_clamp(one - left, zero, one);
}

/// The share of each light that arrives at ZT_W pixels (px, py) of the window, from `i` on. Returns
/// that of light from all around, where rays found it.
ZT_LANE_OP vf ground_shadows(const shade_job *job, const shadow_table *table,
                             const shade_window *window, uint32_t i, vf px, vf py)
{
    const light_shares *shares = job->frame->shares;
    shade_batch batch;
    batch.px = px;
    batch.py = py;
    surface_locate(&table->surface, vi_load(window->slot + i), px, py, &batch.at.surface);
    shadow_run(job->frame, table, &batch, 1, false, shares != NULL, job->arriving);
    return shares ? light_share_at(shares, LIGHT_SHARE_SKY, &batch.at.surface, px, py)
                  : vf_set1(1.0f);
}

/// The colour of ZT_W pixels, and their alpha. `sky`: of ground_shadows.
ZT_LANE_OP vec3_lanes ground_color(const shade_job *job, vf usual, vf sky, vf px, vf py,
                                   vf *out_alpha)
{
    const shade_ground *g = job->material->ground;
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const ground_point p = ground_at(job->frame, g, px, py);
    ground_light light = {.blocked = zero, .all = one};
    if (g->lit || job->frame->shadow_count > 0)
        light = ground_lit(job, p.position);
    vf visible = one; // to ambient light
    if (job->frame->shares)
        visible = one - vf_set1(g->contact_strength) * ground_fade(g, p.position) * (one - sky);
    else if (g->contact)
        visible = one - vf_set1(g->contact_strength) * ground_contact(g->contact, p.position);
    vf alpha = one;
    vec3_lanes color = {zero, zero, zero};
    if (g->lit) {
        alpha = ground_fade(g, p.position);
        const vf mean = ground_square_wave(ground_squares(p.position.x, g->square_m),
                                           p.size_x / vf_set1(g->square_m)) *
                        ground_square_wave(ground_squares(p.position.z, g->square_m),
                                           p.size_z / vf_set1(g->square_m));
        const vf share = vf_set1(0.5f) - vf_set1(0.5f) * mean;
        const vf albedo = vf_set1(g->albedo[0]) +
                          vf_set1(g->albedo[1] - g->albedo[0]) * vf_clamp(share, zero, one);
        color = vec3_scale(vec3_add(light.lights, vec3_scale(light.ambient, visible)), albedo);
        if (job->part == SHADE_ALBEDO)
            color = (vec3_lanes){albedo, albedo, albedo};
        else if (job->part != SHADE_WHOLE && job->part != SHADE_DIFFUSE)
            color = (vec3_lanes){zero, zero, zero};
    } else {
        const view_transform *screen = &job->frame->view.transform;
        const vf sides = ground_border(g, px, screen->width, 1.6f);
        vf blocked = zero;
        if (job->frame->shadow_count > 0) {
            blocked = light.blocked / vf_max(vf_max(light.all, usual), vf_set1(1e-20f));
            blocked = blocked * ground_fade(g, p.position);
        }
        if (!g->fades_within)
            blocked = blocked * sides;
        visible = one - (one - visible) * sides;
        alpha = (one - visible * (one - blocked)) * ground_border(g, py, screen->height, 1.0f);
        if (g->display_alpha)
            alpha = ground_display_alpha(alpha);
    }
    *out_alpha = shade_alpha(alpha);
    return color;
}

static void ground(const shade_job *job)
{
    const vf tile_x = vf_set1((float)job->tile_x), tile_y = vf_set1((float)job->tile_y);
    const vf to_px = vf_set1(1.0f / 256.0f);
    const bool shadows = job->frame->shadow_count > 0;
    const bool located = shadows || job->frame->shares;
    shade_window window;
    shadow_table table;
    vf usual = vf_set1(0.0f);
    if (job->color.unlit)
        shade_mark_unlit(job);
    if (shadows && !job->material->ground->lit) {
        memset(job->arriving, 0, sizeof(float) * SHADE_RUN * (size_t)job->frame->shadow_count);
        usual = ground_usual(job);
    }
    for (uint32_t first = 0; first < job->count; first += window.count) {
        window.count = job->count;
        if (located)
            shade_collect(job, first, &window);
        if (located)
            shadow_table_build(&job->frame->surfaces, &job->frame->view, job->frame->shadows,
                               job->frame->shadow_count, window.id, tile_x, tile_y, &table);
        for (uint32_t i = 0; i < window.count; i += ZT_W) {
            const vi at = visible_load(job, job->visible->position, first + i);
            const vf px = tile_x + vf_from_vi(vi_and(at, vi_set1(0xffff))) * to_px;
            const vf py = tile_y + vf_from_vi(vi_shru(at, 16)) * to_px;
            vf alpha, sky = vf_set1(1.0f);
            if (located)
                sky = ground_shadows(job, &table, &window, i, px, py);
            const vec3_lanes color = ground_color(job, usual, sky, px, py, &alpha);
            shade_store_color(job, first + i, color);
            shade_store(job, first + i, alpha, job->color.a);
        }
    }
}
