// SPDX-License-Identifier: MIT
/// The shading kernel against light transport in double (shade_oracle.h), its maps and factors
/// against the glTF specification, and all instruction sets against each other.
#include "shade_oracle.h"
#include "testing.h"

static void light_random(random_state *r, int kind, const double around[3], oracle_light *out)
{
    double away[3];
    *out = (oracle_light){.kind = kind};
    stage_direction_near(r, around, 0.05, away);
    const double distance = stage_number(r, 0.7, 3.0), aim = stage_number(r, 0.0, 0.4);
    for (int k = 0; k < 3; k++) {
        out->position[k] = away[k] * distance;
        out->direction[k] = -away[k] + (k == 1 ? aim : 0.0);
        out->color[k] = stage_number(r, 0.1, 5.0);
    }
    unit3(out->direction);
    out->range = random_u32(r) % 2 ? stage_number(r, 1.0, 4.0) : 0.0;
    out->outer_rad = stage_number(r, 0.2, 1.2);
    out->inner_rad = out->outer_rad * stage_number(r, 0.1, 0.9);
}

/// Compares every sample with the oracle for shading normal `n`.
static void check_direct(const shade_stage *s, const oracle_light *light, const double n[3],
                         oracle_check *check)
{
    // Positions are accurate to 1e-6 m and lights at least 0.3 m away: directions to 4e-6.
    // Directions that do not depend on positions have a few roundings; the rest, some 30.
    const bool fixed = light->kind == SHADE_LIGHT_DIRECTIONAL && s->camera.orthographic;
    check->per_slack = fixed ? 3e-7 : 4e-6;
    oracle_check_direct(s, light, n, check);
}

static void check_kind(int kind)
{
    static shade_stage s;
    oracle_check done = {.least_cosine = 0.02};
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        random_state r = {seed * 7919};
        oracle_light light;
        double n[3];
        stage_build(&s, &r, seed % 3 == 0);
        stage_direction_near(&r, s.plane, 0.5, n);
        stage_attributes(&s, n, s.camera.up);
        for (int k = 0; k < 3; k++) {
            s.material.base_color[k] = random_float(&r, 0.0f, 1.0f);
            s.material.f0[k] = random_float(&r, 0.0f, 0.2f);
        }
        s.material.metallic = random_float(&r, 0.0f, 1.0f);
        s.material.roughness = random_float(&r, 0.0f, 1.0f);
        if (seed % 4 == 0) { // KHR_materials_specular
            s.material.specular = seed % 8 == 0 ? 0.0f : random_float(&r, 0.0f, 1.0f);
            for (int k = 0; k < 3; k++)
                s.material.f0[k] *= s.material.specular;
        }
        if (seed % 3 == 0)
            s.material.f0[1] = s.material.f0[2] = s.material.f0[0];
        light_random(&r, kind, n, &light);
        oracle_light_stage(&light, &s);
        stage_shade(&s);
        stage_normal(&s, n);
        check_direct(&s, &light, n, &done);
    }
    cr_log_info("light %d: %d lit, relative error up to %g", kind, done.lit, done.worst);
    cr_assert_gt(done.lit, 15000);
}

Test(shade, directional_light) { check_kind(SHADE_LIGHT_DIRECTIONAL); }

Test(shade, point_light) { check_kind(SHADE_LIGHT_POINT); }

Test(shade, spot_light) { check_kind(SHADE_LIGHT_SPOT); }

/// The light at the mirror direction of the viewer, at grazing angles: the brightest highlights.
Test(shade, mirror_highlights_at_grazing_angles)
{
    static shade_stage s;
    oracle_check done = {.least_cosine = 0.02};
    for (uint64_t seed = 1; seed <= 500; seed++) {
        random_state r = {seed};
        double eye[3], n[3], side[3];
        stage_build(&s, &r, true);
        stage_view(&s, s.centre, eye);
        random_unit3(&r, side);
        cross3(eye, side, n); // across the line of sight, then tilted towards it
        unit3(n);
        const double tilt = stage_number(&r, 0.03, 0.3);
        for (int k = 0; k < 3; k++)
            n[k] += eye[k] * tilt;
        unit3(n);
        stage_attributes(&s, n, s.camera.up);
        stage_normal(&s, n);
        oracle_light light = {.kind = SHADE_LIGHT_DIRECTIONAL, .color = {1.0, 1.0, 1.0}};
        for (int k = 0; k < 3; k++)
            light.direction[k] = eye[k] - 2.0 * dot3(eye, n) * n[k];
        s.material.roughness = 0.05f;
        oracle_light_stage(&light, &s);
        stage_shade(&s);
        check_direct(&s, &light, n, &done);
    }
    cr_log_info("grazing mirror: %d lit, relative error up to %g", done.lit, done.worst);
    cr_assert_gt(done.lit, 5000);
}

/// The normal of a texel of a normal map (glTF 2.0, 3.9.3), inverted on a back face (3.9.6).
static void mapped_normal(const shade_stage *s, const double n[3], const double t[3],
                          const uint8_t rgba[4], double out[3])
{
    double b[3], x[3];
    for (int k = 0; k < 3; k++)
        x[k] = rgba[k] * 2.0 / 255.0 - 1.0;
    if (s->map[SHADE_MAP_NORMAL].texture.two_channel)
        x[2] = sqrt(fmax(1.0 - x[0] * x[0] - x[1] * x[1], 0.0));
    cross3(n, t, b);
    const double scale = (double)s->material.normal_scale;
    const double side = s->material.double_sided && s->meshlet.front > 0.0f ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++)
        out[k] = side * (t[k] * x[0] * scale + b[k] * x[1] * scale * (double)s->meshlet.handedness +
                         n[k] * x[2]);
    unit3(out);
}

Test(shade, normal_map)
{
    static shade_stage s;
    oracle_check done = {.least_cosine = 0.02};
    for (uint64_t seed = 1; seed <= 600; seed++) {
        random_state r = {seed * 13};
        oracle_light light;
        double n[3], t[3], mapped[3];
        stage_build(&s, &r, seed % 2 == 0);
        const bool two = seed % 3 == 0, back = seed % 5 == 0;
        stage_direction_near(&r, s.plane, 0.9, n);
        for (int k = 0; k < 3 && back; k++) // a back face: its normals point away from the viewer
            n[k] = -n[k];
        s.meshlet.front = back ? 1.0f : -1.0f;
        s.material.double_sided = back || seed % 7 == 0;
        cross3(n, s.camera.up, t);
        unit3(t);
        stage_attributes(&s, n, t);
        stage_normal(&s, n);
        s.meshlet.handedness = seed % 4 < 2 ? 1.0f : -1.0f;
        s.material.normal_scale = random_float(&r, 0.3f, 2.0f);
        const uint8_t rgba[4] = {(uint8_t)random_int(&r, 60, 190), (uint8_t)random_int(&r, 60, 190),
                                 (uint8_t)(two ? 0 : random_int(&r, 150, 255)), 255};
        stage_map(&s, SHADE_MAP_NORMAL, rgba, true);
        s.map[SHADE_MAP_NORMAL].texture.two_channel = two;
        mapped_normal(&s, n, t, rgba, mapped);
        light_random(&r, (int)(seed % 3), mapped, &light);
        oracle_light_stage(&light, &s);
        s.material.roughness = random_float(&r, 0.2f, 1.0f);
        stage_shade(&s);
        check_direct(&s, &light, mapped, &done);
    }
    cr_log_info("normal map: %d lit, relative error up to %g", done.lit, done.worst);
    cr_assert_gt(done.lit, 8000);
}

/// Makes all corners show texel (x, y), in either uv set, through a texture transform.
static surface_map place_texel(shade_stage *s, random_state *r, int set, int x, int y)
{
    // u' = 0.5 u + 0.25 v + 0.125 and v' = v - 0.25 (KHR_texture_transform as a matrix)
    const float v = ((float)y + 0.5f) / 4.0f + 0.25f;
    const float u = (((float)x + 0.5f) / 4.0f - 0.125f - 0.25f * v) * 2.0f;
    for (int k = 0; k < 3; k++) {
        s->attributes[k].u = s->extra[k].u1 = random_float(r, -9.0f, 9.0f);
        s->attributes[k].v = s->extra[k].v1 = random_float(r, -9.0f, 9.0f);
    }
    for (int k = 0; k < 3; k++) {
        *(set ? &s->extra[k].u1 : &s->attributes[k].u) = u;
        *(set ? &s->extra[k].v1 : &s->attributes[k].v) = v;
    }
    return (surface_map){.uv_set = set,
                         .transformed = true,
                         .uv_from_uv = {0.5f, 0.25f, 0.125f, 0.0f, 1.0f, -0.25f}};
}

static const uint8_t first_texel[4] = {20, 30, 40, 50};

static double texel_value(int x, int y, int channel)
{
    return (first_texel[channel] + (y * 4 + x) * (channel + 1)) / 255.0;
}

static void check_colors(const shade_stage *s, const double want[3], double relative,
                         const char *what)
{
    for (int i = 0; i < STAGE_SAMPLES; i++)
        for (int c = 0; c < 3; c++)
            NEAR(s->color[i][c], want[c], relative * fabs(want[c]) + 1e-9, "%s", what);
}

Test(shade, emissive_map_with_transform)
{
    static shade_stage s;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_state r = {seed};
        stage_build(&s, &r, seed % 2 == 0);
        const int x = random_int(&r, 0, 3), y = random_int(&r, 0, 3);
        double want[3];
        s.material.map[SHADE_MAP_EMISSIVE] = place_texel(&s, &r, (int)(seed / 2 % 2), x, y);
        stage_map(&s, SHADE_MAP_EMISSIVE, first_texel, false);
        for (int c = 0; c < 3; c++) {
            s.material.emissive[c] = random_float(&r, 0.0f, 4.0f);
            want[c] = (double)s.material.emissive[c] * texel_value(x, y, c);
        }
        stage_shade(&s);
        check_colors(&s, want, 4e-7, "emissive");
    }
}

/// The ambient light on a surface of these factors, without maps, lit by 1 from everywhere.
static void plain_ambient(shade_stage *s, uint64_t seed, const double base[3], double metallic,
                          double roughness, double out[3])
{
    random_state r = {seed};
    stage_build(s, &r, seed % 2 == 0);
    stage_ambient(s);
    for (int c = 0; c < 3; c++)
        s->material.base_color[c] = (float)base[c];
    s->material.metallic = (float)metallic;
    s->material.roughness = (float)roughness;
    stage_one_sample(s);
    stage_shade(s);
    for (int c = 0; c < 3; c++)
        out[c] = (double)s->color[0][c];
}

/// Colours, metalness, roughness and occlusion from maps equal those from factors.
Test(shade, maps_multiply_factors)
{
    static shade_stage s, plain;
    static const double tint[3] = {0.5, 0.25, 0.125};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_state r = {seed};
        stage_build(&s, &r, seed % 2 == 0);
        stage_one_sample(&s);
        const int x = random_int(&r, 0, 3), y = random_int(&r, 0, 3);
        const surface_map placed = place_texel(&s, &r, (int)(seed / 2 % 2), x, y);
        double base[3], want[3];
        stage_ambient(&s);
        for (int c = 0; c < 3; c++) {
            s.material.base_color[c] = 0.75f;
            for (int k = 0; k < 3; k++)
                (&s.extra[k].r)[c] = (float)tint[c];
            base[c] = 0.75 * tint[c] * texel_value(x, y, c);
        }
        s.material.vertex_color = true;
        s.material.metallic = 0.5f;
        s.material.roughness = 0.75f;
        s.material.occlusion_strength = 0.5f;
        for (int slot = SHADE_MAP_BASE; slot <= SHADE_MAP_OCCLUSION; slot++) {
            if (slot == SHADE_MAP_NORMAL)
                continue;
            s.material.map[slot] = placed;
            stage_map(&s, slot, first_texel, false);
        }
        stage_shade(&s);
        plain_ambient(&plain, seed, base, 0.5 * texel_value(x, y, 2), 0.75 * texel_value(x, y, 1),
                      want);
        const double occlusion = 1.0 + 0.5 * (texel_value(x, y, 0) - 1.0);
        for (int c = 0; c < 3; c++)
            want[c] *= occlusion;
        check_colors(&s, want, 2e-6, "maps");
    }
}

/// Reflectance from the maps of KHR_materials_specular and of specular-glossiness equals that from
/// factors of the same value: min(f0 colour, 1) specular at normal incidence, specular at grazing
/// angles, roughness 1 - glossiness. f0 is up to 3 times a texel, above 1 in some cases.
Test(shade, specular_maps_multiply_factors)
{
    static shade_stage s, plain;
    for (uint64_t seed = 1; seed <= 240; seed++) {
        random_state r = {seed};
        const bool color_map = seed % 3 != 0, weight_map = seed % 3 != 1, glossy = seed % 2 == 0;
        stage_build(&s, &r, seed % 2 == 0);
        stage_one_sample(&s);
        const int x = random_int(&r, 0, 3), y = random_int(&r, 0, 3);
        const surface_map placed = place_texel(&s, &r, (int)(seed / 2 % 2), x, y);
        const double weight = 0.75 * (weight_map ? texel_value(x, y, 3) : 1.0);
        s.material.metallic = 0.25f;
        s.material.roughness = 0.5f;
        s.material.glossiness = 0.875f;
        s.material.specular = 0.75f;
        s.material.glossy = glossy;
        stage_ambient(&s);
        for (int c = 0; c < 3; c++) {
            s.material.base_color[c] = 0.5f + 0.125f * (float)c;
            s.material.f0[c] = color_map ? 3.0f - (float)c : 0.75f * 0.25f;
        }
        for (int slot = SHADE_MAP_SPECULAR_COLOR; slot <= SHADE_MAP_SPECULAR; slot++) {
            if (slot == SHADE_MAP_SPECULAR ? !weight_map : !color_map)
                continue;
            s.material.map[slot] = placed;
            stage_map(&s, slot, first_texel, false);
        }
        random_state again = {seed};
        stage_build(&plain, &again, seed % 2 == 0);
        plain.material = s.material;
        memset(plain.material.map, 0, sizeof plain.material.map);
        plain.material.specular = (float)weight;
        for (int c = 0; c < 3; c++) {
            const double tint = color_map ? (3.0 - c) * texel_value(x, y, c) : 0.25;
            plain.material.f0[c] = (float)(fmin(tint, 1.0) * weight);
        }
        stage_ambient(&plain);
        if (glossy && color_map)
            plain.material.roughness = (float)(1.0 - 0.875 * texel_value(x, y, 3));
        stage_one_sample(&plain);
        stage_shade(&s);
        stage_shade(&plain);
        double want[3];
        for (int c = 0; c < 3; c++)
            want[c] = (double)plain.color[0][c];
        check_colors(&s, want, 4e-6, "specular maps");
    }
}

/// KHR_materials_unlit: factor times vertex colour times texel, independent of light.
Test(shade, unlit_shows_the_base_colour)
{
    static shade_stage s;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_state r = {seed};
        oracle_light light;
        stage_build(&s, &r, seed % 2 == 0);
        const bool mapped = seed % 4 < 2, colored = seed % 8 < 4;
        const int x = random_int(&r, 0, 3), y = random_int(&r, 0, 3);
        double want[3];
        const surface_map placed = place_texel(&s, &r, (int)(seed / 2 % 2), x, y);
        if (mapped) {
            s.material.map[SHADE_MAP_BASE] = placed;
            stage_map(&s, SHADE_MAP_BASE, first_texel, false);
        }
        s.material.unlit = true;
        s.material.vertex_color = colored;
        for (int c = 0; c < 3; c++) {
            const float tint = random_float(&r, 0.0f, 1.0f);
            for (int k = 0; k < 3; k++)
                (&s.extra[k].r)[c] = tint;
            s.material.base_color[c] = random_float(&r, 0.0f, 1.0f);
            s.frame.sky[c] = seed % 3 == 0 ? 0.0f : 1.0f;
            want[c] = (double)s.material.base_color[c] * (colored ? (double)tint : 1.0) *
                      (mapped ? texel_value(x, y, c) : 1.0);
        }
        if (seed % 5 != 0) {
            light_random(&r, (int)(seed % 3), s.plane, &light);
            oracle_light_stage(&light, &s);
        }
        stage_shade(&s);
        check_colors(&s, want, 6e-7, "unlit");
    }
}

/// White furnace: under light of 1 from everywhere, a surface that absorbs nothing has colour 1.
Test(shade, white_furnace)
{
    static shade_stage s;
    double lowest = 2.0, highest = 0.0;
    for (int rough = 0; rough <= 20; rough++) {
        for (uint64_t seed = 1; seed <= 40; seed++) {
            random_state r = {seed * 101};
            double n[3], eye[3];
            stage_build(&s, &r, seed % 2 == 0);
            stage_ambient(&s);
            stage_view(&s, s.centre, eye);
            stage_direction_near(&r, eye, 0.0, n); // any angle
            stage_attributes(&s, n, s.camera.up);
            s.material.roughness = (float)rough / 20.0f;
            stage_shade(&s);
            const double one[3] = {1.0, 1.0, 1.0};
            check_colors(&s, one, 1e-5, "white metal");
            s.material.metallic = 0.0f;
            stage_shade(&s);
            for (int i = 0; i < STAGE_SAMPLES; i++) {
                lowest = fmin(lowest, (double)s.color[i][0]);
                highest = fmax(highest, (double)s.color[i][0]);
            }
        }
    }
    cr_log_info("white dielectric: %.7g..%.7g", lowest, highest);
    cr_assert(lowest >= 0.98 && highest <= 1.0 + 1e-6, "%g..%g", lowest, highest);
}

/// A rough dielectric without specular shows the gradient sky's irradiance, summed here.
Test(shade, gradient_sky_diffuse)
{
    static shade_stage s;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        random_state r = {seed};
        double n[3], irradiance = 0.0, weight = 0.0;
        stage_build(&s, &r, true);
        stage_normal(&s, n);
        s.frame.sky[0] = 1.0f;
        s.frame.ambient_below[0] = 0.2f;
        s.material.metallic = 0.0f;
        memset(s.material.f0, 0, sizeof s.material.f0);
        stage_shade(&s);
        for (int sample = 0; sample < 40000; sample++) {
            double d[3];
            random_unit3(&r, d);
            const double cosine = fmax(dot3(n, d), 0.0);
            irradiance += cosine * (0.2 + 0.8 * (0.5 + 0.5 * d[1]));
            weight += cosine;
        }
        // 40,000 directions: within 0.005 of the integral; the fit of f0 = 0 adds 0.003 at most.
        NEAR(s.color[0][0], irradiance / weight, 0.012, "colour");
    }
}

static void check_finite(const shade_stage *s, const char *what)
{
    for (int i = 0; i < STAGE_SAMPLES; i++)
        for (int c = 0; c < 3; c++)
            cr_assert(isfinite(s->color[i][c]) && s->color[i][c] > -1e-2f, "%s: %g", what,
                      (double)s->color[i][c]);
}

Test(shade, nothing_degenerate_gives_nan)
{
    static shade_stage s;
    static const double zero[3] = {0.0, 0.0, 0.0};
    static const uint8_t flat_map[4] = {128, 128, 255, 255}, hole[4] = {127, 128, 127, 255};
    for (uint64_t seed = 1; seed <= 400; seed++) {
        random_state r = {seed};
        oracle_light light;
        double n[3];
        stage_build(&s, &r, seed % 2 == 0);
        stage_normal(&s, n);
        light_random(&r, (int)(seed % 3), n, &light);
        for (int c = 0; c < 3; c++)
            s.frame.sky[c] = 1.0f;
        s.material.roughness = random_float(&r, 0.0f, 1.0f);
        if (seed % 5 == 0) // on the surface, at a sample
            stage_position(&s, 0, light.position);
        oracle_light_stage(&light, &s);
        if (seed % 4 > 1)
            stage_map(&s, SHADE_MAP_NORMAL, seed % 4 == 2 ? flat_map : hole, true);
        const bool no_normal = (seed & 8) != 0, no_tangent = (seed & 16) != 0;
        stage_attributes(&s, no_normal ? zero : n, no_tangent ? zero : n);
        if ((seed & 32) != 0) // a line
            memcpy(s.homogeneous[1], s.homogeneous[0], sizeof s.homogeneous[0]);
        if ((seed & 64) != 0) // behind the eye
            s.homogeneous[2][2] = -s.homogeneous[2][2];
        if ((seed & 128) != 0) // the value that transform gives to a vertex that is not finite
            memset(s.homogeneous[0], 0, sizeof s.homogeneous[0]);
        stage_shade(&s);
        check_finite(&s, "degenerate");
    }
}
