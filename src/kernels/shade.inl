// SPDX-License-Identifier: MIT
// Visible samples of one material -> linear radiance: metal-rough GGX under punctual lights and a
// gradient ambient light.
//
// Formulas: glTF 2.0 appendix B (Lambert + GGX, height-correlated Smith, Schlick; a linear mix of
// a dielectric and a metal, so the diffuse part loses what the dielectric reflects and no more);
// KHR_lights_punctual (attenuation, cones); Karis 2014, "Physically Based Shading on Mobile" (fit
// of the environment BRDF); Turquin 2019, "Practical multiple scattering compensation" (its form
// F0 * (1 / E - 1) keeps a white metal white under a constant light).

enum { SHADE_BATCH = 16 };

/// 2^x for x in [-126, 0]: floor and a degree-5 minimax polynomial of 2^f on [0, 1), exact at both
/// ends; relative error of the polynomial below 1e-7.
static inline vf exp2_negative(vf x)
{
    const vf whole = vf_floor(x), f = x - whole;
    vf p = vf_set1(0.00187931827f);
    p = p * f + vf_set1(0.00899099586f);
    p = p * f + vf_set1(0.0558186755f);
    p = p * f + vf_set1(0.240159272f);
    p = p * f + vf_set1(0.693151739f);
    p = p * f + vf_set1(1.0f);
    return p * vf_bits(vi_shl(vi_from_vf(whole) + vi_set1(127), 23));
}

/// What the light loop needs to know about a shaded point.
typedef struct shade_point {
    vec3_lanes position, normal, view; ///< view: unit, towards the eye
    vec3_lanes diffuse, f0;            ///< diffuse albedo, reflectance at normal incidence
    vec3_lanes coat_f0; ///< reflectance of the dielectric part: what it reflects is not diffused
    vf alpha2, roughness, n_dot_v;
} shade_point;

/// Schlick's Fresnel: f0 + (1 - f0) (1 - c)^5.
static inline vec3_lanes fresnel_schlick(vec3_lanes f0, vf cosine)
{
    const vf one = vf_set1(1.0f);
    const vf m = one - cosine, m2 = m * m, m5 = (m2 * m2) * m;
    return (vec3_lanes){f0.x + (one - f0.x) * m5, f0.y + (one - f0.y) * m5,
                        f0.z + (one - f0.z) * m5};
}

/// Adds light from unit direction `to_light` with `radiance` (already attenuated).
static inline vec3_lanes shade_direct(const shade_point *p, vec3_lanes to_light,
                                      vec3_lanes radiance, vec3_lanes sum)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f), pi = vf_set1(3.14159265f);
    const vf n_dot_l = vf_max(vec3_dot(p->normal, to_light), zero);
    const vf v_dot_l = vec3_dot(p->view, to_light);
    // |L + V|^2 = 2 + 2 V.L; the half vector's cosines follow without building it.
    const vf inv_h = one / vf_sqrt(vf_max(vf_set1(2.0f) + vf_set1(2.0f) * v_dot_l, vf_set1(1e-8f)));
    const vf n_dot_h = vf_min((n_dot_l + p->n_dot_v) * inv_h, one);
    const vf v_dot_h = vf_min((one + v_dot_l) * inv_h, one);

    const vf a2 = p->alpha2, rest = one - a2;
    const vf d = (n_dot_h * a2 - n_dot_h) * n_dot_h + one;
    const vf smith_v = n_dot_l * vf_sqrt(p->n_dot_v * p->n_dot_v * rest + a2);
    const vf smith_l = p->n_dot_v * vf_sqrt(n_dot_l * n_dot_l * rest + a2);
    // D * V = a2 / (pi d^2) * 0.5 / (smith_v + smith_l), one division.
    const vf denominator = ((pi * d) * d) * (smith_v + smith_l);
    const vf dv = (vf_set1(0.5f) * a2) / vf_max(denominator, vf_set1(1e-12f));

    const vec3_lanes f = fresnel_schlick(p->f0, v_dot_h);
    const vec3_lanes coat = fresnel_schlick(p->coat_f0, v_dot_h);
    const vf inv_pi = vf_set1(0.318309886f);
    const vec3_lanes brdf = {(one - coat.x) * (p->diffuse.x * inv_pi) + f.x * dv,
                             (one - coat.y) * (p->diffuse.y * inv_pi) + f.y * dv,
                             (one - coat.z) * (p->diffuse.z * inv_pi) + f.z * dv};
    return (vec3_lanes){sum.x + brdf.x * (radiance.x * n_dot_l),
                        sum.y + brdf.y * (radiance.y * n_dot_l),
                        sum.z + brdf.z * (radiance.z * n_dot_l)};
}

static inline vec3_lanes shade_light_at(const shade_light *light, const shade_point *p,
                                        vec3_lanes sum)
{
    const vec3_lanes radiance = vec3_set1(light->radiance);
    if (light->kind == SHADE_LIGHT_DIRECTIONAL)
        return shade_direct(p, vec3_set1(light->to_light), radiance, sum);

    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const vec3_lanes offset = vec3_sub(vec3_set1(light->position), p->position);
    const vf distance2 = vf_max(vec3_dot(offset, offset), vf_set1(1e-8f));
    const vec3_lanes to_light = vec3_scale(offset, one / vf_sqrt(distance2));
    vf attenuation = one / distance2;
    const vf q = distance2 * vf_set1(light->inv_range2);
    attenuation = attenuation * vf_min(vf_max(one - q * q, zero), one);
    if (light->kind == SHADE_LIGHT_SPOT) {
        const vf cosine = vf_neg(vec3_dot(to_light, vec3_set1(light->axis)));
        const vf edge = vf_min(
            vf_max(cosine * vf_set1(light->spot_scale) + vf_set1(light->spot_offset), zero), one);
        attenuation = attenuation * (edge * edge);
    }
    return shade_direct(p, to_light, vec3_scale(radiance, attenuation), sum);
}

/// Ambient radiance from direction d: ground below, sky above, linear in the height.
static inline vec3_lanes ambient_radiance(const shade_frame *frame, vf height)
{
    const vf half = vf_set1(0.5f), t = half * height + half, rest = vf_set1(1.0f) - t;
    return (vec3_lanes){vf_set1(frame->ground[0]) * rest + vf_set1(frame->sky[0]) * t,
                        vf_set1(frame->ground[1]) * rest + vf_set1(frame->sky[1]) * t,
                        vf_set1(frame->ground[2]) * rest + vf_set1(frame->sky[2]) * t};
}

/// Part of a constant radiance that a surface of reflectance f0 sends on, all bounces counted.
static inline vec3_lanes ambient_reflected(vec3_lanes f0, vf a, vf b, vf again)
{
    const vf one = vf_set1(1.0f);
    return (vec3_lanes){(f0.x * a + b) * (one + f0.x * again),
                        (f0.y * a + b) * (one + f0.y * again),
                        (f0.z * a + b) * (one + f0.z * again)};
}

static inline vec3_lanes shade_ambient(const shade_frame *frame, const shade_point *p, vf occlusion)
{
    const vf one = vf_set1(1.0f);
    // Environment BRDF: reflected energy = f0 * a + b.
    const vf r = p->roughness;
    const vf rx = one - r, ry = vf_set1(0.0425f) - vf_set1(0.0275f) * r;
    const vf rz = vf_set1(1.04f) - vf_set1(0.572f) * r, rw = vf_set1(0.022f) * r - vf_set1(0.04f);
    const vf a004 = vf_min(rx * rx, exp2_negative(vf_set1(-9.28f) * p->n_dot_v)) * rx + ry;
    const vf a = rz - vf_set1(1.04f) * a004, b = rw + vf_set1(1.04f) * a004;
    const vf again = one / (a + b) - one; // energy of later bounces, as a factor of f0

    // The sky seen by reflection: the mirror direction, drawn to the normal as roughness grows.
    const vf mirror_y = vf_set1(2.0f) * p->n_dot_v * p->normal.y - p->view.y;
    const vf height = mirror_y + (p->normal.y - mirror_y) * (r * r);
    const vec3_lanes around = ambient_radiance(frame, vf_min(vf_max(height, vf_set1(-1.0f)), one));
    // Irradiance / pi of a radiance linear in height: its value at 2/3 of the normal's height.
    const vec3_lanes above = ambient_radiance(frame, p->normal.y * vf_set1(2.0f / 3.0f));

    const vec3_lanes s = ambient_reflected(p->f0, a, b, again);
    const vec3_lanes coat = ambient_reflected(p->coat_f0, a, b, again);
    return (vec3_lanes){(around.x * s.x + above.x * (p->diffuse.x * (one - coat.x))) * occlusion,
                        (around.y * s.y + above.y * (p->diffuse.y * (one - coat.y))) * occlusion,
                        (around.z * s.z + above.z * (p->diffuse.z * (one - coat.z))) * occlusion};
}

/// World position, from the picture position and the interpolated w or depth.
static inline vec3_lanes shade_position(const shade_frame *f, const surface *s, vf px, vf py)
{
    const vec3_lanes ray = vec3_set1(f->ray), ray_x = vec3_set1(f->ray_x),
                     ray_y = vec3_set1(f->ray_y), origin = vec3_set1(f->origin);
    const vec3_lanes at = {(ray.x + ray_x.x * px) + ray_y.x * py,
                           (ray.y + ray_x.y * px) + ray_y.y * py,
                           (ray.z + ray_x.z * px) + ray_y.z * py};
    if (!f->view.orthographic)
        return vec3_add(origin, vec3_scale(at, s->w));
    const vf along = (vf_set1(1.0f) - s->depth) * vf_set1(f->depth_range);
    return vec3_add(vec3_add(origin, at), vec3_scale(vec3_set1(f->forward), along));
}

/// Unit shading normal: normal map in the interpolated tangent frame, turned to the viewer's side
/// on the backs of double-sided materials.
static inline vec3_lanes shade_normal(const shade_material *m, const surface_corners *c,
                                      const surface *s, const surface_values *values)
{
    vec3_lanes n = vec3_unit(values->normal);
    const shade_map *map = &m->map[SHADE_MAP_NORMAL];
    if (map->texture) {
        vf texel[4];
        surface_sample(map, values, texel);
        vf x = texel[0], y = texel[1], z = texel[2];
        if (map->texture->two_channel)
            z = vf_sqrt(vf_max((vf_set1(1.0f) - x * x) - y * y, vf_set1(0.0f)));
        x = x * vf_set1(m->normal_scale);
        y = y * vf_set1(m->normal_scale);
        const vec3_lanes t = vec3_unit(values->tangent);
        const vec3_lanes b = vec3_scale(vec3_cross(n, t), vf_load(c->handedness));
        n = vec3_unit(vec3_add(vec3_add(vec3_scale(t, x), vec3_scale(b, y)), vec3_scale(n, z)));
    }
    if (!m->double_sided)
        return n;
    return (vec3_lanes){vf_sel(s->back, vf_neg(n.x), n.x), vf_sel(s->back, vf_neg(n.y), n.y),
                        vf_sel(s->back, vf_neg(n.z), n.z)};
}

/// Albedo, reflectance and roughness from factors, vertex colours and maps.
static inline void shade_reflectance(const shade_material *m, const surface_values *values,
                                     shade_point *p)
{
    const vf one = vf_set1(1.0f);
    vec3_lanes base = vec3_set1(m->base_color);
    if (m->vertex_color)
        base = (vec3_lanes){base.x * values->color[0], base.y * values->color[1],
                            base.z * values->color[2]};
    if (m->map[SHADE_MAP_BASE].texture) {
        vf texel[4];
        surface_sample(&m->map[SHADE_MAP_BASE], values, texel);
        base = (vec3_lanes){base.x * texel[0], base.y * texel[1], base.z * texel[2]};
    }
    vf metallic = vf_set1(m->metallic), roughness = vf_set1(m->roughness);
    if (m->map[SHADE_MAP_METAL_ROUGH].texture) {
        vf texel[4];
        surface_sample(&m->map[SHADE_MAP_METAL_ROUGH], values, texel);
        roughness = roughness * texel[1];
        metallic = metallic * texel[2];
    }
    // Below 0.05 a punctual light's highlight is smaller than a pixel and its peak loses all
    // precision in 32-bit floats.
    p->roughness = vf_min(vf_max(roughness, vf_set1(0.05f)), one);
    const vf alpha = p->roughness * p->roughness, dielectric = one - metallic;
    p->alpha2 = alpha * alpha;
    p->diffuse = vec3_scale(base, dielectric);
    p->coat_f0 = vec3_set1(m->f0);
    p->f0 = vec3_add(vec3_scale(p->coat_f0, dielectric), vec3_scale(base, metallic));
}

static inline vec3_lanes shade_lanes(const shade_frame *frame, const shade_material *m,
                                     const surface_corners *corners, vf px, vf py)
{
    surface s;
    surface_values values;
    shade_point p;
    surface_locate(corners, px, py, &s);
    surface_interpolate(corners, &s, surface_needs_extra(m), &values);
    shade_reflectance(m, &values, &p);
    p.position = shade_position(frame, &s, px, py);
    p.normal = shade_normal(m, corners, &s, &values);
    p.view = frame->view.orthographic ? vec3_scale(vec3_set1(frame->forward), vf_set1(-1.0f))
                                      : vec3_unit(vec3_sub(vec3_set1(frame->origin), p.position));
    p.n_dot_v = vf_min(vf_max(vec3_dot(p.normal, p.view), vf_set1(1e-4f)), vf_set1(1.0f));

    vf occlusion = vf_set1(1.0f);
    if (m->map[SHADE_MAP_OCCLUSION].texture) {
        vf texel[4];
        surface_sample(&m->map[SHADE_MAP_OCCLUSION], &values, texel);
        const vf strength = vf_set1(m->occlusion_strength);
        occlusion = vf_set1(1.0f) + strength * (texel[0] - vf_set1(1.0f));
    }
    vec3_lanes sum = shade_ambient(frame, &p, occlusion);
    for (int32_t i = 0; i < frame->light_count; i++)
        sum = shade_light_at(&frame->lights[i], &p, sum);

    vec3_lanes emissive = vec3_set1(m->emissive);
    if (m->map[SHADE_MAP_EMISSIVE].texture) {
        vf texel[4];
        surface_sample(&m->map[SHADE_MAP_EMISSIVE], &values, texel);
        emissive =
            (vec3_lanes){emissive.x * texel[0], emissive.y * texel[1], emissive.z * texel[2]};
    }
    return vec3_add(sum, emissive);
}

static void shade(const shade_job *job)
{
    for (uint32_t first = 0; first < job->count; first += ZT_W) {
        uint32_t id[ZT_W];
        int32_t x[ZT_W], y[ZT_W];
        for (uint32_t lane = 0; lane < ZT_W; lane++) {
            const shade_item *item = &job->items[job->index[first + lane]];
            id[lane] = item->id;
            x[lane] = item->x;
            y[lane] = item->y;
        }
        surface_corners corners;
        surface_fetch(job->frame, id, &corners);
        const vf px = vf_from_vi(vi_load(x)) * vf_set1(1.0f / 256.0f);
        const vf py = vf_from_vi(vi_load(y)) * vf_set1(1.0f / 256.0f);
        const vec3_lanes c = shade_lanes(job->frame, job->material, &corners, px, py);
        float r[ZT_W], g[ZT_W], b[ZT_W];
        vf_store(r, c.x);
        vf_store(g, c.y);
        vf_store(b, c.z);
        for (uint32_t lane = 0; lane < ZT_W; lane++) {
            float *out = job->color[job->index[first + lane]];
            out[0] = r[lane];
            out[1] = g[lane];
            out[2] = b[lane];
            out[3] = 1.0f;
        }
    }
}
