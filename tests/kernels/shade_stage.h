// SPDX-License-Identifier: MIT
/// A large triangle before a camera, seen at 16 positions, for tests of the shading kernel.
#pragma once

#include "double3.h"
#include "kernels/kernels.h"
#include "view/view_camera.h"

enum { STAGE_SIDE = 256, STAGE_SAMPLES = 16 };

/// A constant texture, and one of 4x4 texels of different values.
typedef struct flat_texture {
    uint8_t texels[5][5][4];
    uint8_t beyond[16];
    surface_texture texture;
} flat_texture;

/// A visible sample, at an fx8 position of the picture.
typedef struct stage_sample {
    uint32_t id;
    int32_t x, y;
} stage_sample;

/// One large triangle seen at 16 positions, its attributes the same at every corner.
typedef struct shade_stage {
    _Alignas(64) view_camera camera;
    screen_view view;
    double centre[3], plane[3]; ///< a point of the triangle, and its unit normal (to the viewer)
    _Alignas(16) float homogeneous[3][4];
    _Alignas(16) vertex_position position[3]; ///< the same corners in world space
    _Alignas(32) vertex_attributes attributes[3];
    _Alignas(32) vertex_extra extra[3];
    posed_meshlet meshlet;
    homogeneous_vertices on_screen;
    shade_material material;
    shade_light light;
    shade_frame frame;
    stage_sample sample[STAGE_SAMPLES];
    flat_texture map[SHADE_MAP_COUNT];
    float color[STAGE_SAMPLES][3];                  ///< the result
    float lens[FRAGMENT_LENS_COUNT][STAGE_SAMPLES]; ///< of transmissive materials
} shade_stage;

double stage_number(random_state *r, double lo, double hi);
/// A unit vector whose cosine with `axis` is at least `smallest`.
void stage_direction_near(random_state *r, const double axis[3], double smallest, double out[3]);

/// Camera 4 m from a triangle that fills the middle; white metal, no light; not to be copied.
void stage_build(shade_stage *s, random_state *r, bool orthographic);
/// The same normal and tangent at all corners.
void stage_attributes(shade_stage *s, const double normal[3], const double tangent[3]);
/// The same from a random normal, whose cosine with the plane's is at least `smallest`.
void stage_frame(shade_stage *s, random_state *r, double smallest, double n[3]);
/// Light of 1 from everywhere.
void stage_ambient(shade_stage *s);
/// All samples become the first one.
void stage_one_sample(shade_stage *s);
/// The normal as rounded to float, then normalized.
void stage_normal(const shade_stage *s, double out[3]);
/// A 4x4 texture of `rgba`; unless flat, channel c of (x, y) is larger by (y * 4 + x) * (c + 1).
void stage_map(shade_stage *s, int slot, const uint8_t rgba[4], bool flat);
/// World position of the triangle at sample i, and the unit vector from there to the viewer.
void stage_position(const shade_stage *s, int i, double out[3]);
void stage_view(const shade_stage *s, const double at[3], double out[3]);
/// Shades with every instruction set, into s->color; all must agree.
void stage_shade(shade_stage *s);
