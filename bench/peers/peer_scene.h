// SPDX-License-Identifier: MIT
/// A scene as a peer needs it: the same posed matrices, camera, lights and texels that our renderer
/// draws from, in the layouts of a graphics interface. The only file of the peers that knows what a
/// model looks like in our memory is peer_scene.c.
#pragma once

#include "base/trs.h"

#include <zoetrope/zoetrope.h>

enum {
    PEER_LEVELS = 15,
    PEER_LIGHTS = 16,
    PEER_CUBE_LEVELS = 6,
    PEER_CUBE_SIDE = 256,
    PEER_IRRADIANCE_SIDE = 32
};
enum { PEER_BASE, PEER_METAL_ROUGH, PEER_NORMAL, PEER_OCCLUSION, PEER_EMISSIVE, PEER_MAPS };

typedef struct peer_vertex {
    float position[3], normal[3];
    float tangent[4]; ///< w: handedness
    float uv[2], weight[4];
    uint16_t joint[4];
} peer_vertex;

typedef struct peer_texture {
    bool srgb;
    bool nearest_mag, nearest_min, mipped, nearest_mip;
    int wrap[2]; ///< 0 repeat, 1 clamp, 2 mirror
    int32_t level_count, width[PEER_LEVELS], height[PEER_LEVELS];
    uint8_t *rgba8[PEER_LEVELS]; ///< rows without gaps
} peer_texture;

typedef struct peer_material {
    int32_t map[PEER_MAPS]; ///< texture, -1 for none
    float base_color[3], metallic, roughness, f0[3], emissive[3];
    float normal_scale, occlusion_strength;
    bool double_sided;
    bool unlit; ///< reflects nothing under the scene's light: one colour
} peer_material;

/// Triangles of one material in one mesh that is drawn.
typedef struct peer_run {
    uint32_t first_index, index_count, material;
} peer_run;

typedef struct peer_draw {
    uint32_t vertex_count, index_count, run_count;
    peer_vertex *vertices;
    uint32_t *indices;
    peer_run *runs;
    bool skinned, mirrored;
    uint32_t matrix_count;
} peer_draw;

typedef struct peer_light {
    float to_light[3], radiance[3];
} peer_light;

/// Prefiltered light from all around: level k of the cube map is for roughness k / (levels - 1).
typedef struct peer_cube {
    float *rgb[PEER_CUBE_LEVELS][6]; ///< PEER_CUBE_SIDE >> level texels a side
    float *irradiance[6];            ///< / pi; PEER_IRRADIANCE_SIDE texels a side
} peer_cube;

/// The shadow map of the first light.
typedef struct peer_shadow {
    float clip_from_world[16];
    int32_t width, height; ///< 0: it casts none
    float texel_m;
} peer_shadow;

/// Constants from frame to frame.
typedef struct peer_scene {
    uint32_t draw_count, texture_count, material_count;
    peer_draw *draws;
    peer_texture *textures;
    peer_material *materials;
    int32_t light_count;
    int32_t width, height, samples;
    float background[3]; ///< linear
    float exposure;
    bool has_cube; ///< replaces sky and ground
    peer_cube cube;
    peer_shadow shadow;
} peer_scene;

/// Values that a frame changes.
typedef struct peer_frame {
    float clip_from_world[16]; ///< column-major, y downwards, so that row 0 of a picture is its top
    float eye[3];
    float sky[3], ground[3];
    peer_light lights[PEER_LIGHTS];
    const float **palette; ///< [draw]: 16 floats a matrix, column-major, world_from_bind
} peer_frame;

/// Fails with ZT_ERR_UNSUPPORTED, and says why, on what the peers' shaders do not do.
zt_result peer_scene_build(const zt_scene *scene, peer_scene **out, zt_error *err);
/// Poses a frame. The palettes live until the next call.
zt_result peer_scene_frame(peer_scene *scene, int64_t frame, peer_frame *out, zt_error *err);
void peer_scene_destroy(peer_scene *scene);
