// SPDX-License-Identifier: MIT
// The stage of the shading tests; see shade_stage.h.
#include "shade_stage.h"

#include "testing.h"

static const uint32_t vertex_of_local[3] = {0, 1, 2};
static const uint8_t corner_of_triangle[3] = {0, 1, 2};

double stage_number(random_state *r, double lo, double hi)
{
    return lo + (hi - lo) * (random_u32(r) / 4294967296.0);
}

void stage_direction_near(random_state *r, const double axis[3], double smallest, double out[3])
{
    do
        random_unit3(r, out);
    while (dot3(out, axis) < smallest);
}

/// Homogeneous pixels of a world position, in double.
static void project(const shade_stage *s, const double at[3], float out[4])
{
    const view_camera *c = &s->camera;
    double from_eye[3];
    for (int k = 0; k < 3; k++)
        from_eye[k] = at[k] - c->eye[k];
    const double z = dot3(from_eye, c->forward), half = STAGE_SIDE / 2;
    const double w = c->orthographic ? 1.0 : z;
    const double scale = half * (c->orthographic ? 1.0 / c->half_height : c->focal);
    out[0] = (float)(dot3(from_eye, c->right) * scale + half * w);
    out[1] = (float)(half * w - dot3(from_eye, c->up) * scale);
    out[2] = (float)w;
    out[3] = (float)(c->orthographic ? (c->far_m - z) / (c->far_m - c->near_m) : 1.0 / z);
}

void stage_position(const shade_stage *s, int i, double out[3])
{
    const view_camera *c = &s->camera;
    const double half = STAGE_SIDE / 2;
    const double step = (c->orthographic ? c->half_height : 1.0 / c->focal) / half;
    const double x = (s->sample[i].x / 256.0 - half) * step,
                 y = (half - s->sample[i].y / 256.0) * step;
    double from[3], along[3], to_plane[3];
    for (int k = 0; k < 3; k++) {
        const double side = c->right[k] * x + c->up[k] * y;
        from[k] = c->eye[k] + (c->orthographic ? side : 0.0);
        along[k] = c->forward[k] + (c->orthographic ? 0.0 : side);
        to_plane[k] = s->centre[k] - from[k];
    }
    const double t = dot3(to_plane, s->plane) / dot3(along, s->plane);
    for (int k = 0; k < 3; k++)
        out[k] = from[k] + along[k] * t;
}

void stage_view(const shade_stage *s, const double at[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = s->camera.orthographic ? -s->camera.forward[k] : s->camera.eye[k] - at[k];
    unit3(out);
}

void stage_ambient(shade_stage *s)
{
    for (int c = 0; c < 3; c++)
        s->frame.sky[c] = s->frame.ambient_below[c] = 1.0f;
}

void stage_one_sample(shade_stage *s)
{
    for (int i = 1; i < STAGE_SAMPLES; i++)
        s->sample[i] = s->sample[0];
}

void stage_frame(shade_stage *s, random_state *r, double smallest, double n[3])
{
    double t[3];
    stage_direction_near(r, s->plane, smallest, n);
    cross3(n, s->camera.up, t);
    unit3(t);
    stage_attributes(s, n, t);
}

void stage_attributes(shade_stage *s, const double normal[3], const double tangent[3])
{
    for (int k = 0; k < 3; k++)
        s->attributes[k] = (vertex_attributes){.nx = (float)normal[0],
                                               .ny = (float)normal[1],
                                               .nz = (float)normal[2],
                                               .tx = (float)tangent[0],
                                               .ty = (float)tangent[1],
                                               .tz = (float)tangent[2]};
}

void stage_build(shade_stage *s, random_state *r, bool orthographic)
{
    static const double up[3] = {0.0, 1.0, 0.0}, origin[3] = {0.0, 0.0, 0.0};
    double eye[3], a[3], b[3];
    memset(s, 0, sizeof *s);
    random_unit3(r, eye);
    for (int k = 0; k < 3; k++)
        eye[k] *= 4.0;
    view_look_at(&s->camera, eye, origin, up);
    s->camera.orthographic = orthographic;
    s->camera.focal = 2.0;
    s->camera.half_height = 2.0;
    s->camera.near_m = 0.5;
    s->camera.far_m = 9.0;
    view_build(&s->camera, STAGE_SIDE, STAGE_SIDE, &s->view);
    for (int k = 0; k < 3; k++) {
        s->centre[k] = stage_number(r, -0.3, 0.3);
        a[k] = -s->camera.forward[k];
    }
    stage_direction_near(r, a, 0.6, s->plane);
    cross3(s->plane, s->camera.up, a);
    unit3(a);
    cross3(s->plane, a, b);
    for (int k = 0; k < 3; k++) { // counter-clockwise seen from the camera
        static const double turn[3][2] = {{1.0, 0.0}, {-0.5, 0.8660254}, {-0.5, -0.8660254}};
        double corner[3];
        for (int i = 0; i < 3; i++)
            corner[i] = s->centre[i] + 3.0 * (a[i] * turn[k][0] + b[i] * turn[k][1]);
        project(s, corner, s->homogeneous[k]);
        s->position[k] =
            (vertex_position){(float)corner[0], (float)corner[1], (float)corner[2], 1.0f};
        for (int c = 0; c < 8; c++)
            (&s->extra[k].r)[c] = c < 4 ? 1.0f : 0.0f;
    }
    stage_attributes(s, s->plane, a);
    s->meshlet = (posed_meshlet){
        .vertex = vertex_of_local,
        .corner = {corner_of_triangle, corner_of_triangle + 1, corner_of_triangle + 2},
        .position = s->position,
        .attributes = s->attributes,
        .extra = s->extra,
        .handedness = 1.0f,
        .front = -1.0f};
    s->on_screen = (homogeneous_vertices)s->homogeneous;
    s->material = (shade_material){.base_color = {1.0f, 1.0f, 1.0f, 1.0f},
                                   .metallic = 1.0f,
                                   .roughness = 1.0f,
                                   .f0 = {0.04f, 0.04f, 0.04f},
                                   .specular = 1.0f,
                                   .normal_scale = 1.0f,
                                   .occlusion_strength = 1.0f,
                                   .alpha_cutoff = -1.0f};
    s->frame = (shade_frame){.view = s->view,
                             .surfaces = {&s->meshlet, &s->on_screen},
                             .materials = &s->material,
                             .lights = &s->light};
    for (int i = 0; i < STAGE_SAMPLES; i++)
        s->sample[i] = (stage_sample){1, random_int(r, 100 * 256, 156 * 256),
                                      random_int(r, 100 * 256, 156 * 256)};
}

void stage_map(shade_stage *s, int slot, const uint8_t rgba[4], bool flat)
{
    flat_texture *f = &s->map[slot];
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++)
            for (int c = 0; c < 4; c++)
                f->texels[y][x][c] =
                    (uint8_t)(rgba[c] + (flat ? 0 : (y % 4 * 4 + x % 4) * (c + 1)));
    f->texture = (surface_texture){.level = {{f->texels, 4, 4, 5}},
                                   .level_count = 1,
                                   .sampling.mag_nearest = !flat,
                                   .is_signed = slot == SHADE_MAP_NORMAL};
    s->material.map[slot].texture = &f->texture;
}

/// Visible samples and colours in the arrays of the kernel.
typedef struct stage_arrays {
    uint32_t id[STAGE_SAMPLES], position[STAGE_SAMPLES], index[STAGE_SAMPLES];
    uint8_t count[STAGE_SAMPLES];
    float color[4][STAGE_SAMPLES];
    float lens[FRAGMENT_LENS_COUNT][STAGE_SAMPLES];
} stage_arrays;

/// Shades with one instruction set, `indexed` in the opposite order.
static void shade_with(const shade_stage *s, const kernel_table *k, bool indexed,
                       float out[STAGE_SAMPLES][3], float lens[FRAGMENT_LENS_COUNT][STAGE_SAMPLES])
{
    enum { TILE = 64 };
    stage_arrays a;
    const visible_samples visible = {a.id, a.position, a.count};
    memset(&a, 0xff, sizeof a);
    memset(a.lens, 0, sizeof a.lens);
    for (int i = 0; i < STAGE_SAMPLES; i++) {
        a.id[i] = s->sample[i].id;
        a.position[i] =
            (uint32_t)(s->sample[i].x - TILE * 256) | (uint32_t)(s->sample[i].y - TILE * 256) << 16;
        a.index[i] = (uint32_t)(STAGE_SAMPLES - 1 - i);
    }
    k->shade->shade(&(shade_job){
        .frame = &s->frame,
        .material = &s->material,
        .visible = &visible,
        .index = indexed ? a.index : NULL,
        .count = STAGE_SAMPLES,
        .tile_x = TILE,
        .tile_y = TILE,
        .color = {.r = a.color[0],
                  .g = a.color[1],
                  .b = a.color[2],
                  .a = a.color[3],
                  .lens = a.lens[0],
                  .lens_stride = STAGE_SAMPLES},
    });
    memcpy(lens, a.lens, sizeof a.lens);
    for (int i = 0; i < STAGE_SAMPLES; i++)
        for (int c = 0; c < 3; c++)
            out[i][c] = a.color[c][i];
}

void stage_shade(shade_stage *s)
{
    float got[STAGE_SAMPLES][3], lens[FRAGMENT_LENS_COUNT][STAGE_SAMPLES];
    for (int isa = 0; isa < 2 * (int)ZT_ISA_COUNT; isa++) {
        const kernel_table *k = kernels_for((zt_isa)(isa / 2));
        if (!k)
            continue;
        shade_with(s, k, isa % 2 != 0, got, lens);
        if (isa == 2 * (int)ZT_ISA_SCALAR) {
            memcpy(s->color, got, sizeof got);
            memcpy(s->lens, lens, sizeof lens);
        }
        cr_assert(memcmp(s->lens, lens, sizeof lens) == 0, "%s: other lenses", k->name);
        for (int i = 0; i < STAGE_SAMPLES; i++)
            for (int c = 0; c < 3; c++)
                cr_assert(memcmp(&s->color[i][c], &got[i][c], 4) == 0, "%s: sample %d, %.9g, %.9g",
                          k->name, i, (double)s->color[i][c], (double)got[i][c]);
    }
}

void stage_normal(const shade_stage *s, double out[3])
{
    out[0] = (double)s->attributes[0].nx;
    out[1] = (double)s->attributes[0].ny;
    out[2] = (double)s->attributes[0].nz;
    unit3(out);
}
