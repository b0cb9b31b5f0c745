// SPDX-License-Identifier: MIT
// Visible samples of one material -> linear radiance: metal-rough GGX under punctual lights and a
// gradient ambient light.
//
// Formulas: glTF 2.0 appendix B (Lambert + GGX, height-correlated Smith, Schlick; a linear mix of
// a dielectric and a metal, so the diffuse part loses what the dielectric reflects and no more);
// KHR_lights_punctual (attenuation, cones); Karis 2014, "Physically Based Shading on Mobile" (fit
// of the environment BRDF); Turquin 2019, "Practical multiple scattering compensation" (its form
// F0 * (1 / E - 1) keeps a white metal white under a constant light).

/// 2^(-9.28 c) for c in [0, 1] within 6e-5: a polynomial for the eighth root, exact at 0, fitted by
/// least squares of the relative error.
static inline vf ambient_falloff(vf c)
{
    const vf x = vf_set1(-9.28f) * c;
    vf p = vf_set1(1.57387938e-6f);
    p = p * x + vf_set1(0.000102506725f);
    p = p * x + vf_set1(0.00373479359f);
    p = p * x + vf_set1(0.0866239844f);
    p = p * x + vf_set1(1.0f);
    const vf p2 = p * p, p4 = p2 * p2;
    return p4 * p4;
}

/// What the light loop needs to know about a shaded point.
typedef struct shade_point {
    vec3_lanes position, normal, view; ///< view: unit, towards the eye
    vec3_lanes diffuse, f0;            ///< diffuse albedo, reflectance at normal incidence
    vec3_lanes coat_f0; ///< reflectance of the dielectric part: what it reflects is not diffused
    bool coat_grey;     ///< its three channels are equal: computing one of them is enough
    vf alpha2, roughness, n_dot_v;
} shade_point;

/// Schlick's Fresnel: f0 + (1 - f0) m5, m5 = (1 - c)^5.
static inline vf fresnel_schlick(vf f0, vf m5)
{
    return f0 + (vf_set1(1.0f) - f0) * m5;
}

/// Adds light from unit direction `to_light` with `radiance` (already attenuated).
static inline vec3_lanes shade_direct(const shade_point *p, vec3_lanes to_light,
                                      vec3_lanes radiance, vec3_lanes sum)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f), pi = vf_set1(3.14159265f);
    const vf n_dot_l = vf_max(vec3_dot(p->normal, to_light), zero);
    const vf v_dot_l = vec3_dot(p->view, to_light);
    // h2 = |L + V|^2 = 2 + 2 V.L; the half vector's cosines follow without building it:
    // (N.H)^2 = (N.L + N.V)^2 / h2, V.H = sqrt(h2) / 2.
    const vf h2 = vf_max(vf_set1(2.0f) + vf_set1(2.0f) * v_dot_l, vf_set1(1e-8f));
    const vf n_sum = n_dot_l + p->n_dot_v, n2 = vf_min(n_sum * n_sum, h2);
    const vf v_dot_h = vf_min(vf_set1(0.5f) * near_sqrt(h2), one);

    // D = a2 / (pi d^2), d = (N.H)^2 (a2 - 1) + 1; V = 0.5 / (smith_v + smith_l). With d times h2,
    // D V takes one division.
    const vf a2 = p->alpha2, rest = one - a2;
    const vf d = h2 - n2 * rest;
    const vf smith_v = n_dot_l * near_sqrt(p->n_dot_v * p->n_dot_v * rest + a2);
    const vf smith_l = p->n_dot_v * near_sqrt(n_dot_l * n_dot_l * rest + a2);
    const vf denominator = ((pi * d) * d) * (smith_v + smith_l), h4 = h2 * h2;
    const vf dv = ((vf_set1(0.5f) * a2) * h4) / vf_max(denominator, vf_set1(1e-12f) * h4);

    const vf m = one - v_dot_h, m2 = m * m, m5 = (m2 * m2) * m;
    const vf inv_pi = vf_set1(0.318309886f);
    const vf kept = one - fresnel_schlick(p->coat_f0.x, m5);
    vec3_lanes diffuse = {kept, kept, kept};
    if (!p->coat_grey) {
        diffuse.y = one - fresnel_schlick(p->coat_f0.y, m5);
        diffuse.z = one - fresnel_schlick(p->coat_f0.z, m5);
    }
    const vec3_lanes brdf = {
        diffuse.x * (p->diffuse.x * inv_pi) + fresnel_schlick(p->f0.x, m5) * dv,
        diffuse.y * (p->diffuse.y * inv_pi) + fresnel_schlick(p->f0.y, m5) * dv,
        diffuse.z * (p->diffuse.z * inv_pi) + fresnel_schlick(p->f0.z, m5) * dv};
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
    const vec3_lanes to_light = vec3_scale(offset, inverse_sqrt(distance2));
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

/// Ambient radiance from a direction of height t * 2 - 1: ground below, sky above, linear.
static inline vec3_lanes ambient_radiance(const shade_frame *frame, vf height)
{
    const vf half = vf_set1(0.5f), t = half * height + half;
    const float *low = frame->ground, *high = frame->sky;
    return (vec3_lanes){vf_set1(low[0]) + vf_set1(high[0] - low[0]) * t,
                        vf_set1(low[1]) + vf_set1(high[1] - low[1]) * t,
                        vf_set1(low[2]) + vf_set1(high[2] - low[2]) * t};
}

/// Part of a constant radiance that a surface of reflectance f0 sends on, all bounces counted.
static inline vf ambient_reflected(vf f0, vf a, vf b, vf again)
{
    return (f0 * a + b) * (vf_set1(1.0f) + f0 * again);
}

static inline vec3_lanes shade_ambient(const shade_frame *frame, const shade_point *p, vf occlusion)
{
    const vf one = vf_set1(1.0f);
    // Environment BRDF: reflected energy = f0 * a + b.
    const vf r = p->roughness;
    const vf rx = one - r, ry = vf_set1(0.0425f) - vf_set1(0.0275f) * r;
    const vf rz = vf_set1(1.04f) - vf_set1(0.572f) * r, rw = vf_set1(0.022f) * r - vf_set1(0.04f);
    const vf a004 = vf_min(rx * rx, ambient_falloff(p->n_dot_v)) * rx + ry;
    const vf a = rz - vf_set1(1.04f) * a004, b = rw + vf_set1(1.04f) * a004;
    const vf again = one / (a + b) - one; // energy of later bounces, as a factor of f0

    // The sky seen by reflection: the mirror direction, drawn to the normal as roughness grows.
    const vf mirror_y = vf_set1(2.0f) * p->n_dot_v * p->normal.y - p->view.y;
    const vf height = mirror_y + (p->normal.y - mirror_y) * (r * r);
    const vec3_lanes around = ambient_radiance(frame, vf_min(vf_max(height, vf_set1(-1.0f)), one));
    // Irradiance / pi of a radiance linear in height: its value at 2/3 of the normal's height.
    const vec3_lanes above = ambient_radiance(frame, p->normal.y * vf_set1(2.0f / 3.0f));

    const vf kept = one - ambient_reflected(p->coat_f0.x, a, b, again);
    vec3_lanes diffuse = {kept, kept, kept};
    if (!p->coat_grey) {
        diffuse.y = one - ambient_reflected(p->coat_f0.y, a, b, again);
        diffuse.z = one - ambient_reflected(p->coat_f0.z, a, b, again);
    }
    const vec3_lanes s = {ambient_reflected(p->f0.x, a, b, again),
                          ambient_reflected(p->f0.y, a, b, again),
                          ambient_reflected(p->f0.z, a, b, again)};
    return (vec3_lanes){(around.x * s.x + above.x * (p->diffuse.x * diffuse.x)) * occlusion,
                        (around.y * s.y + above.y * (p->diffuse.y * diffuse.y)) * occlusion,
                        (around.z * s.z + above.z * (p->diffuse.z * diffuse.z)) * occlusion};
}

/// From the eye towards what is seen at (px, py), per unit of w; not for orthographic views.
static inline vec3_lanes shade_ray(const shade_frame *f, vf px, vf py)
{
    const vec3_lanes ray = vec3_set1(f->ray), ray_x = vec3_set1(f->ray_x),
                     ray_y = vec3_set1(f->ray_y);
    return (vec3_lanes){(ray.x + ray_x.x * px) + ray_y.x * py,
                        (ray.y + ray_x.y * px) + ray_y.y * py,
                        (ray.z + ray_x.z * px) + ray_y.z * py};
}

/// World position, from the ray and the interpolated w or depth.
static inline vec3_lanes shade_position(const shade_frame *f, const surface *s, vec3_lanes ray)
{
    const vec3_lanes origin = vec3_set1(f->origin);
    if (!f->view.orthographic)
        return vec3_add(origin, vec3_scale(ray, surface_value(s, ROW_W)));
    const vf along = (vf_set1(1.0f) - surface_value(s, ROW_DEPTH)) * vf_set1(f->depth_range);
    return vec3_add(vec3_add(origin, ray), vec3_scale(vec3_set1(f->forward), along));
}

/// A map's values, from the fused texels where it is among them.
static inline bool shade_texel(const shade_material *m, int32_t slot, const surface_values *values,
                               vf out[4])
{
    if (!m->map[slot].texture || (m->fused_maps >> slot & 1u))
        return false;
    surface_sample(&m->map[slot], values, out);
    return true;
}

/// Texels of the maps that shade a point; factors of 1 where a material has none.
typedef struct shade_texels {
    vf base[4], normal[4], metal_rough[4]; ///< glTF channels
} shade_texels;

static inline void shade_sample(const shade_material *m, const surface_values *values,
                                shade_texels *t)
{
    const vf one = vf_set1(1.0f);
    for (int32_t i = 0; i < 4; i++)
        t->base[i] = t->metal_rough[i] = one;
    if (m->fused) {
        vf all[8];
        const int32_t any = __builtin_ctz(m->fused_maps);
        const uv_gradient g = surface_map_uv(&m->map[any], values);
        texture_sample_fused(m->fused, &g, all);
        for (int32_t i = 0; i < 3 && (m->fused_maps >> SHADE_MAP_BASE & 1u); i++)
            t->base[i] = all[i];
        for (int32_t i = 0; i < 3 && (m->fused_maps >> SHADE_MAP_NORMAL & 1u); i++)
            t->normal[i] = all[4 + i];
        if (m->fused_maps >> SHADE_MAP_METAL_ROUGH & 1u) {
            t->metal_rough[1] = all[3];
            t->metal_rough[2] = all[7];
        }
    }
    shade_texel(m, SHADE_MAP_BASE, values, t->base);
    shade_texel(m, SHADE_MAP_METAL_ROUGH, values, t->metal_rough);
    shade_texel(m, SHADE_MAP_NORMAL, values, t->normal);
}

/// Unit shading normal: normal map in the interpolated tangent frame, turned to the viewer's side
/// on the backs of double-sided materials.
static inline vec3_lanes shade_normal(const shade_material *m, const surface *s,
                                      const shade_texels *texels)
{
    vec3_lanes n = surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_NORMAL);
    const shade_map *map = &m->map[SHADE_MAP_NORMAL];
    if (map->texture) {
        vf x = texels->normal[0], y = texels->normal[1], z = texels->normal[2];
        if (map->texture->two_channel)
            z = vf_sqrt(vf_max((vf_set1(1.0f) - x * x) - y * y, vf_set1(0.0f)));
        // x T/|T| + y (N/|N| x T/|T|) + z N/|N|, times |N| |T|: no division.
        const vec3_lanes t = surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_TANGENT);
        const vf least = vf_set1(1e-30f);
        const vf n_length = fast_sqrt(vf_max(vec3_dot(n, n), least));
        const vf t_length = fast_sqrt(vf_max(vec3_dot(t, t), least));
        x = x * (vf_set1(m->normal_scale) * n_length);
        y = y * (vf_set1(m->normal_scale) * surface_row(s, ROW_HANDEDNESS));
        z = z * t_length;
        const vec3_lanes b = vec3_cross(n, t);
        n = (vec3_lanes){(t.x * x + b.x * y) + n.x * z, (t.y * x + b.y * y) + n.y * z,
                         (t.z * x + b.z * y) + n.z * z};
    }
    n = vec3_unit(n);
    if (!m->double_sided)
        return n;
    return (vec3_lanes){vf_sel(s->back, vf_neg(n.x), n.x), vf_sel(s->back, vf_neg(n.y), n.y),
                        vf_sel(s->back, vf_neg(n.z), n.z)};
}

/// Albedo, reflectance and roughness from factors, vertex colours and maps.
static inline void shade_reflectance(const shade_material *m, const surface_values *values,
                                     const shade_texels *texels, shade_point *p)
{
    const vf one = vf_set1(1.0f);
    vec3_lanes base = vec3_set1(m->base_color);
    if (m->vertex_color)
        base = (vec3_lanes){base.x * values->color[0], base.y * values->color[1],
                            base.z * values->color[2]};
    base =
        (vec3_lanes){base.x * texels->base[0], base.y * texels->base[1], base.z * texels->base[2]};
    const vf roughness = vf_set1(m->roughness) * texels->metal_rough[1];
    const vf metallic = vf_set1(m->metallic) * texels->metal_rough[2];
    // Below 0.05 a punctual light's highlight is smaller than a pixel and its peak loses all
    // precision in 32-bit floats.
    p->roughness = vf_min(vf_max(roughness, vf_set1(0.05f)), one);
    const vf alpha = p->roughness * p->roughness, dielectric = one - metallic;
    p->alpha2 = alpha * alpha;
    p->diffuse = vec3_scale(base, dielectric);
    p->coat_f0 = vec3_set1(m->f0);
    p->coat_grey = m->f0[0] == m->f0[1] && m->f0[1] == m->f0[2];
    p->f0 = vec3_add(vec3_scale(p->coat_f0, dielectric), vec3_scale(base, metallic));
}

static inline vec3_lanes shade_lanes(const shade_frame *frame, const shade_material *m,
                                     const surface_needs *needs, const surface_table *table,
                                     vi slot, vf px, vf py)
{
    surface s;
    surface_values values;
    shade_texels texels;
    shade_point p;
    surface_locate(table, slot, px, py, &s);
    surface_interpolate(&s, needs, &values);
    shade_sample(m, &values, &texels);
    shade_reflectance(m, &values, &texels, &p);
    p.normal = shade_normal(m, &s, &texels);
    const vec3_lanes ray = shade_ray(frame, px, py);
    p.position = needs->position ? shade_position(frame, &s, ray) : ray;
    p.view = frame->view.orthographic ? vec3_scale(vec3_set1(frame->forward), vf_set1(-1.0f))
                                      : vec3_unit(vec3_scale(ray, vf_set1(-1.0f)));
    p.n_dot_v = vf_min(vf_max(vec3_dot(p.normal, p.view), vf_set1(1e-4f)), vf_set1(1.0f));

    vf texel[4], occlusion = vf_set1(1.0f);
    if (shade_texel(m, SHADE_MAP_OCCLUSION, &values, texel)) {
        const vf strength = vf_set1(m->occlusion_strength);
        occlusion = vf_set1(1.0f) + strength * (texel[0] - vf_set1(1.0f));
    }
    vec3_lanes sum = shade_ambient(frame, &p, occlusion);
    for (int32_t i = 0; i < frame->light_count; i++)
        sum = shade_light_at(&frame->lights[i], &p, sum);

    vec3_lanes emissive = vec3_set1(m->emissive);
    if (shade_texel(m, SHADE_MAP_EMISSIVE, &values, texel))
        emissive =
            (vec3_lanes){emissive.x * texel[0], emissive.y * texel[1], emissive.z * texel[2]};
    return vec3_add(sum, emissive);
}

enum { SHADE_WINDOW = 256 };

/// A run of items on at most ZT_W different triangles.
typedef struct shade_window {
    int32_t id[ZT_W];           ///< the triangles; unused lanes repeat the first
    int32_t slot[SHADE_WINDOW]; ///< of each item: its triangle among them
    uint32_t count;             ///< items, a multiple of ZT_W
} shade_window;

/// ZT_W entries of an array of items, from the i-th of the job on.
static inline vi shade_items_load(const shade_job *job, const uint32_t *from, uint32_t i)
{
    if (!job->index)
        return vi_load((const int32_t *)(from + i));
    return vi_gather((const int32_t *)from, vi_load((const int32_t *)(job->index + i)));
}

/// Takes items from the `first` of the job on until the triangles do not fit any more.
static inline void shade_collect(const shade_job *job, uint32_t first, shade_window *w)
{
    const uint32_t left = job->count - first;
    const uint32_t most = left < SHADE_WINDOW ? left : SHADE_WINDOW;
    // Lanes from `distinct` on hold copies of triangles that are there anyway.
    vi known = shade_items_load(job, job->items->id, first);
    int32_t distinct = 0;
    w->count = 0;
    for (; w->count < most; w->count += ZT_W) {
        const vi ids = shade_items_load(job, job->items->id, first + w->count);
        int32_t id[ZT_W];
        vi_store(id, ids);
        vi slots = vi_set1(0), next = known;
        int32_t fresh = distinct;
        unsigned todo = (1u << ZT_W) - 1u;
        while (todo) {
            const vi one = vi_set1(id[__builtin_ctz(todo)]);
            const unsigned valid = (1u << fresh) - 1u;
            unsigned hit = vm_bits(vi_eq(next, one)) & valid;
            if (!hit) {
                if (fresh == ZT_W)
                    break;
                hit = 1u << fresh++;
                next = vi_sel(vm_from_bits(hit), one, next);
            }
            const vm same = vi_eq(ids, one);
            slots = vi_sel(same, vi_set1(__builtin_ctz(hit)), slots);
            todo &= ~vm_bits(same);
        }
        if (todo)
            break; // the next window's
        known = next;
        distinct = fresh;
        vi_store(w->slot + w->count, slots);
    }
    vi_store(w->id, known);
}

static inline void shade_write(const shade_job *job, uint32_t first, vec3_lanes c)
{
    if (!job->index) {
        vf_store(job->color.r + first, c.x);
        vf_store(job->color.g + first, c.y);
        vf_store(job->color.b + first, c.z);
        return;
    }
    float r[ZT_W], g[ZT_W], b[ZT_W];
    vf_store(r, c.x);
    vf_store(g, c.y);
    vf_store(b, c.z);
    for (uint32_t lane = 0; lane < ZT_W; lane++) {
        const uint32_t item = job->index[first + lane];
        job->color.r[item] = r[lane];
        job->color.g[item] = g[lane];
        job->color.b[item] = b[lane];
    }
}

static void shade(const shade_job *job)
{
    const vf tile_x = vf_set1((float)job->tile_x), tile_y = vf_set1((float)job->tile_y);
    surface_needs needs = surface_needs_of(job->material);
    for (int32_t i = 0; i < job->frame->light_count; i++)
        needs.position = needs.position || job->frame->lights[i].kind != SHADE_LIGHT_DIRECTIONAL;
    shade_window window;
    surface_table table;
    for (uint32_t first = 0; first < job->count; first += window.count) {
        shade_collect(job, first, &window);
        surface_table_build(job->frame, window.id, tile_x, tile_y, &needs, &table);
        for (uint32_t i = 0; i < window.count; i += ZT_W) {
            const vi place = shade_items_load(job, job->items->place, first + i);
            const vf to_px = vf_set1(1.0f / 256.0f);
            const vf px = tile_x + vf_from_vi(vi_and(place, vi_set1(0xffff))) * to_px;
            const vf py = tile_y + vf_from_vi(vi_shru(place, 16)) * to_px;
            shade_write(job, first + i,
                        shade_lanes(job->frame, job->material, &needs, &table,
                                    vi_load(window.slot + i), px, py));
        }
    }
}
