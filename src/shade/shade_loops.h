// SPDX-License-Identifier: MIT
/// The hot loops of shading, and their jobs: visible samples -> linear colours -> 8-bit pixels.
///
/// CONTRIBUTING.md lists the steps for a new lobe ("A material lobe").
///
/// Barycentrics come from the three homogeneous vertices (X, Y, w) of screen_vertices, relative to
/// the shaded position p: x' = X - p.x w, y' = Y - p.y w; e0 = x1' y2' - x2' y1' and so on;
/// l_i = e_i / (e0 + e1 + e2). They are perspective-correct, and they also hold for triangles that
/// cross the near plane: clipped triangles need no special case.
/// (Olano & Greer, "Triangle Scan Conversion using 2D Homogeneous Coordinates", 1997.)
#pragma once

#include "environment/environment.h"
#include "geometry/screen_view.h"
#include "image/picture_planes.h"
#include "model/material_extensions.h"
#include "raster/raster_loops.h"
#include "shade/bsdf_probe.h"
#include "shadow/light_shares.h"
#include "shadow/shadow_loops.h"
#include "surface/surface_maps.h"

#include <string.h>

/// The first five may be packed (surface_packed). Add new maps after them.
enum {
    SHADE_MAP_BASE,
    SHADE_MAP_METAL_ROUGH,
    SHADE_MAP_NORMAL,
    SHADE_MAP_OCCLUSION,
    SHADE_MAP_EMISSIVE,
    SHADE_MAP_SPECULAR_COLOR, ///< RGB scales f0; A is the glossiness of glossy materials
    SHADE_MAP_SPECULAR,       ///< A scales `specular`
    SHADE_MAP_TRANSMISSION,   ///< R scales shade_transmission.factor
    SHADE_MAP_THICKNESS,      ///< G scales shade_transmission.thickness_m
    SHADE_MAP_COUNT
};

/// Creases on top of a base normal: a normal map in the tangent frame, scaled by a mask.
typedef struct shade_wrinkle {
    surface_map map, mask; ///< mask: its red channel; 1 everywhere without a texture
    float weight;          ///< > 0
} shade_wrinkle;

/// Normals that few materials have; see normals.inl.
typedef struct shade_detail {
    bool object_space; ///< the normal map stores vectors in bind space
    uint32_t wrinkle_count;
    const shade_wrinkle *wrinkles;
} shade_detail;

/// Light that passes through a surface (KHR_materials_transmission, _volume, _dispersion).
typedef struct shade_transmission {
    float factor;           ///< share of the diffuse part that is transmitted instead
    float thickness_m;      ///< in mesh space; 0: thin-walled, light goes straight on
    float absorption[3];    ///< per metre: a path of d metres keeps exp(-absorption d)
    float inverse_ior[3];   ///< 1 / index for red, green and blue light
    float lobe;             ///< angle in radians by which a roughness of 1 scatters light
    float mirror_roughness; ///< roughness of a mirror that scatters as much as a roughness of 1
                            ///< does here
    bool disperses;         ///< inverse_ior differs between the channels
} shade_transmission;

/// The light that colours hold. The parts but albedo add up to the whole.
typedef enum shade_part {
    SHADE_WHOLE,
    SHADE_ALBEDO,      ///< instead of light: base colour
    SHADE_EMISSION,    ///< and all light of what is unlit or a toon
    SHADE_DIFFUSE,     ///< and that of the ground
    SHADE_SPECULAR,    ///< with coat and sheen
    SHADE_TRANSMITTED, ///< light of lamps and surroundings that passes through the surface itself
    SHADE_BEHIND,      ///< the whole light that glass shows of what is behind it
} shade_part;

/// The lobes of a closure besides its base; see bsdf.inl. What lists lobes one by one is in the
/// files that know them; others ask bsdf_kinds_any, which counts a new one by itself.
typedef struct bsdf_kinds {
    bool coat, sheen, anisotropic, iridescent, diffuse_transmission;
    bool glass;   ///< light passes through the surface
    bool toon;    ///< replaces all others: bsdf_toon.inl
    bool flat;    ///< no lobe, but another law of the base: that of bsdf_flat.inl
    uint8_t part; ///< shade_part that is left of the lobes: bsdf_take
} bsdf_kinds;

/// The lobes of a material, without glass.
static inline bsdf_kinds bsdf_kinds_of(const material_extensions *e)
{
    const material_extension_row *rows = material_extension_table;
    if (rows[MODEL_TOON].matters(e))
        return (bsdf_kinds){.toon = true};
    return (bsdf_kinds){.coat = rows[MODEL_CLEARCOAT].matters(e),
                        .sheen = rows[MODEL_SHEEN].matters(e),
                        .anisotropic = rows[MODEL_ANISOTROPY].matters(e),
                        .iridescent = rows[MODEL_IRIDESCENCE].matters(e),
                        .diffuse_transmission = rows[MODEL_DIFFUSE_TRANSMISSION].matters(e)};
}

/// True if the closure has a lobe.
static inline bool bsdf_kinds_any(bsdf_kinds kinds)
{
    const bsdf_kinds none = {.flat = kinds.flat};
    return memcmp(&kinds, &none, sizeof none) != 0;
}

/// Lobes that lie over a surface, within it or passes through it; see bsdf.inl.
typedef struct shade_lobes {
    bsdf_kinds has;                       ///< without glass, which shade_material.transmission has
    material_extensions values;           ///< factors, in the units of the file
    float anisotropy_cos, anisotropy_sin; ///< direction of its rotation
    bool tangents;       ///< some of them follow tangents: material_extension_tangents
    bool outline;        ///< a toon's: the back of a hull around it, in the outline's colour
    bool uv_moves;       ///< texture coordinates move, by as much as MODEL_UV_ANIMATION_MAP says
    float uv_from_uv[6]; ///< where it is 1; row-major 2x3
    surface_map map[MATERIAL_EXTENSION_MAP_COUNT]; ///< channels: see material_extension_map
} shade_lobes;

/// The ground below the models, a horizontal plane.
typedef struct shade_ground {
    bool lit;                  ///< false: shows only the light that it lacks, as black with alpha
    float height;              ///< y, metres
    float center[2];           ///< x and z
    float radius;              ///< of the models' bounds
    float fade_center[2];      ///< x and z: of the models' bounds, or of a camera's turn
    float fade_from, fade_to;  ///< metres from there between which it, or shadows, fade out
    bool fades_within;         ///< fade_to is between the left and the right border of the picture
    float square_m;            ///< side of the squares of a checker
    float albedo[2];           ///< albedos of its two squares
    const shadow_map *contact; ///< its texels are the darkness of the contact shadow; or NULL
    float contact_strength;
    float border_px;    ///< shadows fade over so many pixels from the border of the picture; or 0
    bool display_alpha; ///< alpha of shadows is for pictures that are laid over others in sRGB
} shade_ground;

struct shade_material {
    const shade_ground *ground; ///< the material of the ground, which has nothing else; or NULL
    surface_map map[SHADE_MAP_COUNT];
    const surface_packed
        *packed;          ///< the maps named in packed_maps, which share their coordinates; or NULL
    uint32_t packed_maps; ///< bits 1 << SHADE_MAP_*
    float base_color[4];
    float metallic, roughness;
    float f0[3];      ///< reflectance of the dielectric part; without a map: limited to 1, times
                      ///< `specular`
    float specular;   ///< reflectance of the dielectric part at grazing angles
    float glossiness; ///< factor of glossy materials: roughness = 1 - glossiness * map
    float emissive[3];
    float normal_scale, occlusion_strength;
    float alpha_cutoff;     ///< masked materials: pixels with less alpha are cut out
    bool masked, blended;   ///< not both
    bool even;              ///< blended with base_color[3] alone, whatever maps and vertices have
    bool occlusion_repeats; ///< the map is multiplied with the occlusion of the frame
    bool double_sided, vertex_color;
    bool glossy;
    bool unlit;           ///< shows its base colour, not affected by light
    bool without_normals; ///< points and lines that no light reaches: unlit, and their emission
                          ///< shows
    bool clay;            ///< its map and vertex colours give only alpha
    bool wireframe;       ///< the edges of its triangles show
    const shade_transmission *transmission; ///< NULL: no light passes
    const shade_detail *detail;             ///< or NULL
    const shade_lobes *lobes;               ///< or NULL
};

enum { SHADE_LIGHT_DIRECTIONAL, SHADE_LIGHT_POINT, SHADE_LIGHT_SPOT };

struct shade_light {
    int32_t kind;
    const shadow_maps *shadow;     ///< NULL: all of its light arrives
    float to_light[3];             ///< directional: unit vector towards the light
    float position[3];             ///< point, spot: world space
    float axis[3];                 ///< spot: unit direction in which the light travels
    float radiance[3];             ///< colour x lux or candela
    float radius;                  ///< metres; directional: tangent of half the angle it is seen at
    float radius2;                 ///< of a surface: radius^2; its lobes are as wide. 0: a lamp
    float inv_range2;              ///< 1 / range^2, 0 = unlimited
    float spot_scale, spot_offset; ///< clamp(cos * scale + offset)^2, KHR_lights_punctual
};

/// Cryptomatte's ids of the names in a scene, by instance; see render/crypto_names.h.
typedef struct shade_ids {
    uint32_t **node, **material; ///< NULL: no plane of Cryptomatte is wanted
    uint32_t ground;
} shade_ids;
typedef struct shade_motion shade_motion;

/// Constants of all pixels of a view.
typedef struct shade_frame {
    screen_view
        view; ///< in perspective, what is seen at pixel position p with homogeneous w is at
              ///< origin + (ray + ray_x p.x + ray_y p.y) * w; in orthographic views (w = 1) at
              ///< origin + ray + ray_x p.x + ray_y p.y + forward * (1 - depth) * depth_range
    surface_view surfaces;
    const struct geometry_draw **draws; ///< [meshlet], for planes of ids
    shade_ids ids;
    const shade_motion *motion; ///< for PLANE_MOTION; see sample_motion.h
    const shade_material *materials;
    const shade_light *lights;
    int32_t light_count;
    const shadow_maps *shadows; ///< maps of those lights that have one
    int32_t shadow_count;
    float sky[3], ambient_below[3];      ///< ambient radiance
    const environment_view *environment; ///< replaces both; NULL: none
    /// The number + 1 of the material of all opaque surfaces, and of all that blend; 0: there may
    /// be several.
    uint32_t only_opaque, only_blended;
    bool any_unlit;          ///< some material is unlit
    bool transmits;          ///< some material has a `transmission`
    bool environment_behind; ///< where nothing is behind glass it shows the environment; otherwise
                             ///< the background of the picture
    uint8_t anisotropy;      ///< taps of a texture along the longer axis of a pixel, 1..16; 0: 1
    bool specular_antialiasing; ///< roughness grows with the curvature of the surface in a pixel
    bool prefetch_near;         ///< texels are prefetched into the first cache, not the second; see
                                ///< kernels_prefetch_near
    const occlusion_planes *occlusion; ///< occlusion of ambient light; NULL: none
    const light_shares *shares; ///< replace it, and shadow maps, for all but blended surfaces;
                                ///< NULL: there are none
} shade_frame;

/// Data of each visible sample with its colour: the planes of the nearest sample of pixels. That
/// of PLANE_DEPTH is as the view has it: w, or in orthographic views from 1 (near) to 0 (far).
typedef struct shade_planes {
    float *channel[PLANE_COUNT]; ///< its first channel, the others after it; NULL: not wanted
    size_t stride;               ///< from channel to channel
} shade_planes;

/// Linear radiance before exposure and straight alpha of each visible sample.
typedef struct shade_colors {
    float *r, *g, *b;
    float *a; ///< alpha of fragments; NULL: all visible samples are opaque
    /// For fragments in frames with transmissive materials, else NULL: FRAGMENT_LENS_COUNT arrays,
    /// one after the other, `lens_stride` floats each; see fragment_lens. Shading writes those of
    /// transmissive materials; the others stay as they are.
    float *lens;
    size_t lens_stride;
    /// 1: a display colour, of an unlit material; 0: radiance. NULL: all are radiance.
    uint8_t *unlit;
    const shade_planes *planes; ///< NULL: none is wanted
} shade_colors;

/// The effect of a fragment on the light behind it.
enum fragment_lens {
    LENS_THROUGH_R, ///< share of the light behind that passes, by channel
    LENS_THROUGH_G,
    LENS_THROUGH_B,
    LENS_IS_GLASS, ///< 1; 0: not transmissive or cut out: everything else here is unused
    LENS_SHIFT_XR, ///< what is behind is seen so many pixels away, by channel
    LENS_SHIFT_XG,
    LENS_SHIFT_XB,
    /// Scattered by max(far - near q, 0) pixels (deviation), q the nearness behind: behind_level.
    LENS_SCATTER_FAR,
    LENS_SHIFT_YR,
    LENS_SHIFT_YG,
    LENS_SHIFT_YB,
    LENS_SCATTER_NEAR,
    LENS_ENVIRONMENT_R, ///< radiance of the environment in the direction in which light comes
    LENS_ENVIRONMENT_G,
    LENS_ENVIRONMENT_B,
    LENS_NEARNESS, ///< nearness of the fragment, as in behind_level
    FRAGMENT_LENS_COUNT
};

/// Maximum of visible samples that pass through the loops of shading together. More of them give
/// texels more time to arrive, but take stack: 187 KB, and a thread has BUDGET_THREAD_BYTES.
enum { SHADE_RUN = 128 };

/// Shades `count` visible samples of one material: index[i], or i where `index` is NULL, padded to
/// a multiple of 16 by repeating its last entry. Colours are written up to the padded count.
typedef struct shade_job {
    const shade_frame *frame;
    const shade_material *material;
    const visible_samples *visible;
    const uint32_t *index;
    uint32_t count;
    int32_t tile_x, tile_y; ///< pixels
    shade_colors color;
    float *arriving; ///< scratch: [shadow_count][SHADE_RUN], where the frame has shadows
    shade_part part; ///< glass shows what is behind it in the whole alone
} shade_job;

enum { CASTER_HITS = 64 };

/// Hits of rays of light, whatever their materials -> the share of the light that each blocks.
typedef struct caster_hits_job {
    const shade_frame *frame;
    const posed_meshlet *meshlets;
    int32_t count;
    uint32_t id[CASTER_HITS];
    float barycentric[2][CASTER_HITS]; ///< of corners 1 and 2
    float alpha[CASTER_HITS];
} caster_hits_job;

/// The loops of one instruction set (kernels/kernels.h fills them).
typedef struct shade_loops {
    /// raster_alpha_test.survivors; its `user` is a shade_frame.
    unsigned (*alpha_test)(const void *user, uint32_t id, int32_t block_x, int32_t block_y,
                           int32_t sample_dx, int32_t sample_dy, unsigned lanes);
    /// Visible samples -> the share of light that they block; job->frame is a shade_frame.
    void (*caster_alpha)(const caster_alpha_job *job);
    void (*caster_hits)(caster_hits_job *job);
    /// Hits of rays and directions of light -> values of closures.
    void (*bsdf_probe)(const bsdf_probe_job *job);
    /// Visible samples of one material -> linear colour.
    void (*shade)(const shade_job *job);
    /// True if `shade` has code for such jobs; for tests: without it they only take twice as long.
    bool (*is_common)(const shade_frame *frame, const shade_material *material);
    /// The same as `shade` for the material of the ground.
    void (*ground)(const shade_job *job);
} shade_loops;
