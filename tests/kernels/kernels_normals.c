// SPDX-License-Identifier: MIT
/// Object-space normal maps and wrinkles in the shading kernel against rotations in double: the
/// colour must be that of the light oracle for the rotated normal.
#include "shade_oracle.h"
#include "testing.h"

enum { WRINKLES = 3 };

/// Axes of bind space at the three corners, and wrinkles with their textures.
typedef struct detail_stage {
    _Alignas(32) vertex_attributes xy[3], z[3];
    bind_axes axes;
    flat_texture map[WRINKLES], mask[WRINKLES];
    shade_wrinkle wrinkles[WRINKLES];
    shade_detail detail;
} detail_stage;

/// v rotated about the unit vector k (Rodrigues).
static void rotate(const double k[3], double angle, double v[3])
{
    double x[3];
    const double c = cos(angle), s = sin(angle), along = dot3(k, v) * (1.0 - c);
    cross3(k, v, x);
    for (int i = 0; i < 3; i++)
        v[i] = v[i] * c + x[i] * s + k[i] * along;
}

/// v by the shortest rotation from one unit vector to another.
static void rotate_shortest(const double from[3], const double to[3], double v[3])
{
    double k[3];
    cross3(from, to, k);
    const double s = sqrt(dot3(k, k));
    if (s < 1e-12)
        return;
    for (int i = 0; i < 3; i++)
        k[i] /= s;
    rotate(k, atan2(s, dot3(from, to)), v);
}

static void texture_of(flat_texture *f, const uint8_t rgb[3], bool is_signed, surface_map *out)
{
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++)
            for (int c = 0; c < 4; c++)
                f->texels[y][x][c] = c < 3 ? rgb[c] : 255;
    f->texture = (surface_texture){
        .level = {{f->texels, 4, 4, 5}}, .level_count = 1, .is_signed = is_signed};
    *out = (surface_map){.texture = &f->texture};
}

static double signed_value(uint8_t texel) { return texel * 2.0 / 255.0 - 1.0; }

/// A random rotation as three columns, after rounding, with another length at every corner.
static void axes_random(random_state *r, detail_stage *d, double column[3][3])
{
    double k[3];
    random_unit3(r, k);
    const double angle = stage_number(r, 0.0, 3.0);
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++)
            column[i][c] = i == c ? 1.0 : 0.0;
        rotate(k, angle, column[i]);
    }
    for (int corner = 0; corner < 3; corner++) {
        const double size = stage_number(r, 0.5, 3.0);
        float *to[3] = {&d->xy[corner].nx, &d->xy[corner].tx, &d->z[corner].nx};
        for (int i = 0; i < 3; i++)
            for (int c = 0; c < 3; c++)
                to[i][c] = (float)(column[i][c] * size);
    }
    d->axes = (bind_axes){d->xy, d->z};
}

/// Random wrinkles; the sum of their slopes.
static void wrinkles_random(random_state *r, detail_stage *d, double slope[2])
{
    slope[0] = slope[1] = 0.0;
    for (int i = 0; i < WRINKLES; i++) {
        shade_wrinkle *w = &d->wrinkles[i];
        const bool two = random_u32(r) % 3 == 0, masked = random_u32(r) % 3 != 0;
        const uint8_t rgb[3] = {(uint8_t)random_int(r, 80, 175), (uint8_t)random_int(r, 80, 175),
                                (uint8_t)(two ? 0 : random_int(r, 180, 255))};
        const uint8_t grey[3] = {(uint8_t)random_int(r, 0, 255), 9, 200};
        const double x = signed_value(rgb[0]), y = signed_value(rgb[1]);
        *w = (shade_wrinkle){.weight = random_float(r, 0.01f, 1.5f)};
        texture_of(&d->map[i], rgb, true, &w->map);
        d->map[i].texture.two_channel = two;
        if (masked)
            texture_of(&d->mask[i], grey, false, &w->mask);
        const double z = two ? sqrt(fmax(1.0 - x * x - y * y, 0.0)) : signed_value(rgb[2]);
        const double weight = (double)w->weight * (masked ? grey[0] / 255.0 : 1.0);
        slope[0] += weight * x / z;
        slope[1] += weight * y / z;
    }
    d->detail.wrinkles = d->wrinkles;
    d->detail.wrinkle_count = WRINKLES;
}

static void light_random(random_state *r, shade_stage *s, const double around[3], oracle_light *out)
{
    *out = (oracle_light){.kind = SHADE_LIGHT_DIRECTIONAL};
    stage_direction_near(r, around, 0.2, out->direction);
    for (int k = 0; k < 3; k++) {
        out->direction[k] = -out->direction[k];
        out->color[k] = stage_number(r, 0.1, 5.0);
    }
    oracle_light_stage(out, s);
}

/// The tangent frame of the stage as rounded to float: columns t, bitangent, n.
static void frame_of(const shade_stage *s, double out[3][3])
{
    const vertex_attributes *a = &s->attributes[0];
    const double n[3] = {(double)a->nx, (double)a->ny, (double)a->nz};
    const double t[3] = {(double)a->tx, (double)a->ty, (double)a->tz};
    memcpy(out[0], t, sizeof t);
    memcpy(out[2], n, sizeof n);
    unit3(out[0]);
    unit3(out[2]);
    cross3(out[2], out[0], out[1]);
    for (int k = 0; k < 3; k++)
        out[1][k] *= (double)s->meshlet.handedness;
}

static void combine(double frame[3][3], const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = frame[0][k] * v[0] + frame[1][k] * v[1] + frame[2][k] * v[2];
    unit3(out);
}

static void check_many(bool object_space, bool wrinkled, bool mapped)
{
    static shade_stage s;
    static detail_stage d;
    // The normal takes some forty roundings, in addition to those of the light.
    oracle_check done = {.least_cosine = 0.05, .per_slack = 6e-6};
    for (uint64_t seed = 1; seed <= 400; seed++) {
        random_state r = {seed * 31};
        double n[3], frame[3][3], axes[3][3], base[3], detail[3], slope[2] = {0.0, 0.0};
        static const double up[3] = {0.0, 0.0, 1.0};
        memset(&d, 0, sizeof d);
        stage_build(&s, &r, seed % 2 == 0);
        stage_frame(&s, &r, 0.9, n);
        s.meshlet.handedness = seed % 4 < 2 ? 1.0f : -1.0f;
        s.material.roughness = random_float(&r, 0.3f, 1.0f);
        frame_of(&s, frame);
        axes_random(&r, &d, axes);
        uint8_t rgb[4] = {(uint8_t)random_int(&r, 70, 185), (uint8_t)random_int(&r, 70, 185),
                          (uint8_t)random_int(&r, 160, 255), 255};
        if (object_space) { // a normal near that of the face, in bind space
            double near[3];
            stage_direction_near(&r, s.plane, 0.9, near);
            for (int k = 0; k < 3; k++)
                rgb[k] = (uint8_t)lround((dot3(axes[k], near) * 0.5 + 0.5) * 255.0);
        }
        if (mapped)
            stage_map(&s, SHADE_MAP_NORMAL, rgb, true);
        if (wrinkled)
            wrinkles_random(&r, &d, slope);
        d.detail.object_space = object_space;
        s.material.detail = &d.detail;
        s.meshlet.axes = d.axes;
        const double texel[3] = {signed_value(rgb[0]), signed_value(rgb[1]), signed_value(rgb[2])};
        memcpy(base, mapped ? texel : up, sizeof base);
        unit3(base);
        const double sloped[3] = {slope[0], slope[1], 1.0};
        memcpy(detail, sloped, sizeof detail);
        if (object_space) { // the tangent frame rotates to the map's normal
            double world[3];
            combine(axes, base, world);
            combine(frame, sloped, detail);
            rotate_shortest(frame[2], world, detail);
        } else {
            unit3(detail);
            rotate_shortest(up, base, detail);
            double inside[3];
            memcpy(inside, detail, sizeof inside);
            combine(frame, inside, detail);
        }
        oracle_light light;
        light_random(&r, &s, detail, &light);
        stage_shade(&s);
        oracle_check_direct(&s, &light, detail, &done);
    }
    cr_log_info("object %d, wrinkled %d: %d lit, relative error up to %g", object_space, wrinkled,
                done.lit, done.worst);
    cr_assert_gt(done.lit, 8000);
}

Test(normals, in_object_space) { check_many(true, false, true); }

Test(normals, wrinkles_over_a_map) { check_many(false, true, true); }

Test(normals, wrinkles_over_a_smooth_surface) { check_many(false, true, false); }

Test(normals, wrinkles_over_object_space) { check_many(true, true, true); }

/// A stage whose normal map has one texel, a light and axes of bind space.
static void detail_build(random_state *r, shade_stage *s, detail_stage *d, const uint8_t rgb[4],
                         bool object_space)
{
    double axes[3][3], n[3];
    oracle_light light;
    memset(d, 0, sizeof *d);
    stage_build(s, r, false);
    stage_normal(s, n);
    light_random(r, s, n, &light);
    stage_map(s, SHADE_MAP_NORMAL, rgb, true);
    axes_random(r, d, axes);
    s->meshlet.axes = d->axes;
    d->detail.object_space = object_space;
    s->material.detail = &d->detail;
}

/// Where no mask shows a wrinkle, the colour is the base's, bit for bit; else it differs.
Test(normals, a_black_mask_leaves_the_base)
{
    static const uint8_t black[3] = {0, 255, 255}, rgb[4] = {90, 170, 220, 255};
    static shade_stage s;
    static detail_stage d;
    float plain[STAGE_SAMPLES][3];
    int others = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        random_state r = {seed * 53};
        double slope[2];
        detail_build(&r, &s, &d, rgb, seed % 2 == 0);
        stage_shade(&s);
        memcpy(plain, s.color, sizeof plain);
        wrinkles_random(&r, &d, slope);
        stage_shade(&s);
        others += memcmp(plain, s.color, sizeof plain) != 0;
        for (int i = 0; i < WRINKLES; i++)
            texture_of(&d.mask[i], black, false, &d.wrinkles[i].mask);
        stage_shade(&s);
        cr_assert(memcmp(plain, s.color, sizeof plain) == 0, "seed %d", (int)seed);
    }
    cr_assert_geq(others, 30, "a wrinkle that shows gives another picture");
}

/// Broken maps stay finite: normals that point inwards, along the surface, or nowhere.
Test(normals, hostile_texels_are_finite)
{
    static const uint8_t texels[5][3] = {
        {127, 127, 0}, {0, 0, 0}, {255, 128, 128}, {128, 128, 128}, {255, 255, 255}};
    static shade_stage s;
    static detail_stage d;
    for (int base = 0; base < 5; base++)
        for (int wrinkle = 0; wrinkle < 5; wrinkle++)
            for (int object = 0; object < 2; object++) {
                random_state r = {7};
                double slope[2];
                const uint8_t rgb[4] = {texels[base][0], texels[base][1], texels[base][2], 255};
                detail_build(&r, &s, &d, rgb, object);
                wrinkles_random(&r, &d, slope);
                texture_of(&d.map[0], texels[wrinkle], true, &d.wrinkles[0].map);
                d.wrinkles[0].weight = 10.0f;
                stage_shade(&s);
                for (int i = 0; i < STAGE_SAMPLES; i++)
                    for (int k = 0; k < 3; k++)
                        cr_assert(isfinite(s.color[i][k]) && s.color[i][k] >= 0.0f);
            }
}
