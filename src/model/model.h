// SPDX-License-Identifier: MIT
/// A model in memory, in the same form for all file formats: meshes as meshlets, a node hierarchy,
/// skins, clips, materials and textures. Immutable after load.
#pragma once

#include "base/affine.h"
#include "base/arena.h"
#include "base/trs.h"
#include "image/hdr_picture.h"
#include "mesh/mesh.h"
#include "model/avatar.h"
#include "model/material_extensions.h"
#include "model/model_property.h"
#include "model/pose_lanes.h"
#include "model/springs.h"
#include "model/up_axis.h"
#include "texture/mipmap_pack.h"
#include "texture/picture_compose.h"

// Limits of a model; docs/formats.md has them.
#define MODEL_TRIANGLE_LIMIT 50000000u
#define MODEL_JOINT_LIMIT    65536u
// Vertices times morph targets of a model: as many as there may be corners of triangles.
#define MODEL_MORPH_LIMIT 150000000u
// Vertices that are read for morph targets, also those that no triangle uses.
#define MODEL_MORPH_READ_LIMIT (4 * MODEL_MORPH_LIMIT)

typedef struct model_node {
    const char *name;                  ///< "" when the file gives none
    int32_t parent;                    ///< -1 for a root; always smaller than the node's own index
    int32_t mesh, skin, camera, light; ///< -1 for none
    uint32_t file_node; ///< 1 + its index in the file, whose nodes are in another order; 0: none
    bool in_scene;      ///< reachable from the scene that the file shows by default
    bool visible;       ///< in_scene, and no node from the root to it is hidden
    float shown;        ///< KHR_node_visibility of its own: 1, or 0 for hidden; clips may move it
    bool helper;        ///< only scales, for its parent, whose name it has: no bone of its own
    bool has_matrix;    ///< `matrix` holds a transform that T R S cannot (shear); never animated
    trs rest;
    const float *morph_weights; ///< of the mesh's targets; NULL: as the mesh has them
    uint32_t instanced_by; ///< 1 + the node whose instance this is, whose clips move the weights of
                           ///< all its instances; 0: not an instance
    mat4 matrix;
} model_node;

typedef struct model_skin {
    const char *name;
    uint32_t joint_count;
    const int32_t *joint_node;   ///< [joint_count]
    const mat4 *joint_from_bind; ///< inverse bind matrices, [joint_count]
    bool dual_quaternions;       ///< the file blends its joints so
} model_skin;

typedef enum model_interpolation { MODEL_STEP, MODEL_LINEAR, MODEL_CUBIC } model_interpolation;
typedef enum model_path {
    MODEL_TRANSLATION,
    MODEL_ROTATION,
    MODEL_SCALE,
    MODEL_WEIGHTS
} model_path;
extern const char *const model_path_names[MODEL_WEIGHTS + 1]; ///< "translation", as glTF has them

/// Keys of one property of one node. Times rise strictly. Values: 3 or 4 floats per key, or one for
/// each morph target of the node's mesh; for
/// MODEL_CUBIC in-tangent, value, out-tangent per key. Rotations are x, y, z, w and unit length
/// (except cubic tangents).
typedef struct model_channel {
    int32_t node;
    model_path path;
    model_interpolation interpolation;
    uint32_t key_count; ///< >= 1
    const float *time_s;
    const float *value;
} model_channel;

/// Keys of a property of the model. The node in `keys` has no meaning.
typedef struct model_property_channel {
    uint32_t property;
    model_channel keys;
} model_property_channel;

typedef struct model_clip {
    const char *name;
    float start_s, end_s; ///< smallest and largest key time over the channels
    uint32_t channel_count;
    const model_channel *channels;
    uint32_t property_channel_count;
    const model_property_channel *property_channels;
    uint32_t mirrored; ///< 1 + the clip that is its mirror image; 0: none
} model_clip;

/// Key times that packed keys share.
typedef struct model_timeline {
    const float *time_s;
    uint32_t key_count; ///< >= 1
    float keys_per_s;   ///< on average, for the first guess of a search
} model_timeline;

/// A clip laid out for the pose kernels.
typedef struct model_motion {
    uint32_t timeline_count;
    const model_timeline *timelines;
    uint32_t block_count;         ///< of 16 nodes that the clip touches
    const uint32_t *block;        ///< which they are, rising
    const pose_clip_block *moves; ///< [block_count]
    uint32_t other_count;         ///< channels with steps or splines
    const uint32_t *other;
} model_motion;

typedef enum model_filter { MODEL_NEAREST, MODEL_LINEAR_FILTER } model_filter;
typedef enum model_mip_filter {
    MODEL_MIP_NONE,
    MODEL_MIP_NEAREST,
    MODEL_MIP_LINEAR
} model_mip_filter;

/// A picture together with how it is sampled.
typedef struct model_texture {
    const char *name;       ///< the file's name for it, for messages
    const char *format;     ///< of its picture: "PNG"
    int32_t image;          ///< of a glTF's images; -1: `name` is a file's
    texture_files files;    ///< of a picture that is made of channels; else the plan TEXTURE_WHOLE
    file_bytes embedded[2]; ///< of `files`, where they are inside of the model's file and kept
    mipmap mipmap;          ///< without levels when nothing shades it: level 0 has its size then
    model_filter mag, min;
    model_mip_filter mip;
    bool is_normal_map;
    bool two_channel; ///< a normal map that gives x and y only
    float shortness;  ///< of a normal map: mipmap_shortness() of its picture
} model_texture;

/// Texels of the maps of a material that fit each other, interleaved.
typedef struct model_packed {
    int32_t texture[MIPMAP_PACK_COUNT]; ///< -1: not among them
    mipmap_packed texels;
} model_packed;

typedef enum model_alpha { MODEL_OPAQUE, MODEL_MASK, MODEL_BLEND } model_alpha;

/// Metal-rough with a dielectric reflectance: Fresnel0 materials map without loss. Linear colours.
typedef struct model_material {
    const char *name;
    uint32_t number; ///< in the file, for materials without a name
    float base_color[4];
    float metallic, roughness; ///< roughness is perceptual: alpha = roughness^2
    float f0[3];      ///< reflectance of the dielectric part at normal incidence, below 1 once
                      ///< the map has scaled it, before `specular`
    float specular;   ///< 0 to 1, scales the reflection of the dielectric part
    float glossiness; ///< where `glossy`
    float emissive[3];
    float emissive_factor[3], emissive_strength, ior,
        specular_color[3]; ///< of glTF: f0 and
                           ///< emissive follow from them
    float normal_scale, occlusion_strength;
    model_slot base_map;        ///< MIPMAP_COLOR
    model_slot metal_rough_map; ///< MIPMAP_LINEAR: roughness in G, metalness in B
    model_slot normal_map;      ///< MIPMAP_NORMAL: n = x T + y B + z N, B = handedness cross(N, T)
    model_slot occlusion_map;   ///< MIPMAP_LINEAR: R
    bool occlusion_repeats;     ///< it is a pattern, which knows no folds of the model
    model_slot emissive_map;    ///< MIPMAP_COLOR
    model_slot specular_map;    ///< MIPMAP_LINEAR: A scales `specular`
    model_slot specular_color_map; ///< MIPMAP_TINT: RGB scales f0; A: see `glossy`
    model_alpha alpha;
    float alpha_cutoff;
    bool double_sided;
    uint8_t uv_from[2]; ///< the sets of the file that its two sets of texture coordinates are
    bool vertex_color;  ///< multiply by vertex_extra colours (the primitive has COLOR_0)
    bool glossy; ///< specular-glossiness: roughness is 1 - glossiness * A of specular_color_map
    bool unlit;  ///< shows base_color without lights; it has no other map
    bool without_normals; ///< of points and lines: unlit, with its emission added
    bool plain;           ///< the file has none for this: see model_paint()
    material_extensions extensions;
} model_material;

/// The defaults of glTF, without maps and extensions: readers of all formats begin from it.
model_material model_material_default(void);

/// The set of texture coordinates that the tangents of a material follow: that of its normal map or
/// of an extension. -1: it needs no tangents.
int model_tangent_uv_set(const model_material *m);
/// True when one of `count` materials needs them.
bool model_wants_tangents(const model_material *materials, uint32_t count);

typedef struct model_camera {
    const char *name;
    bool orthographic;
    float fov_y_rad;     ///< perspective
    float aspect;        ///< 0: the picture's
    float x_mag, y_mag;  ///< orthographic half extents
    float near_m, far_m; ///< far 0: infinite
} model_camera;

typedef enum model_light_kind {
    MODEL_LIGHT_DIRECTIONAL,
    MODEL_LIGHT_POINT,
    MODEL_LIGHT_SPOT,
    MODEL_LIGHT_UNKNOWN ///< shines nowhere: no node has it
} model_light_kind;

typedef struct model_light {
    const char *name;
    model_light_kind kind;
    float color[3];
    float intensity; ///< lux, or candela
    float range_m;   ///< 0: unlimited
    float inner_rad, outer_rad;
} model_light;

typedef struct model_texts {
    uint32_t count;
    const char *const *text;
} model_texts;

/// Metadata of an object in a file: JSON text, and the JSON pointer of the object.
typedef struct model_extra {
    const char *pointer, *text;
    bool whole; ///< otherwise the text is cut
} model_extra;

/// Light from all around that a file brings (EXT_lights_image_based).
typedef struct model_environment {
    const char *name;    ///< or ""
    int32_t size;        ///< pixels a side of the faces of its cube
    hdr_picture picture; ///< equirectangular radiance, with rotation and intensity
    /// Irradiance, without rotation and intensity: factors of the real spherical harmonics Y(l, m),
    /// l from 0 to 2 and m from -l to l, whose axis is +z (so Y(1, 1) grows with x).
    double harmonics[9][3];
    double rotation[4]; ///< world from light, a unit quaternion x, y, z, w
    float intensity;
} model_environment;

/// Information of a file about itself, for inspect. Absent texts are NULL.
typedef struct model_asset_info {
    const char *generator, *version, *copyright;
    model_texts used, required; ///< extensions
    model_texts scenes;         ///< names
    int32_t scene;              ///< the one that is shown, -1: the file has none
    uint32_t extra_count;
    const model_extra *extras;
    uint64_t file_size; ///< bytes, without the files that it names
} model_asset_info;

/// A node that a VRM file calls a bone of a human.
typedef struct model_human_bone {
    const char *name; ///< of VRM: "leftUpperArm"
    int32_t node;
} model_human_bone;

struct zt_model {
    budget budget_own; ///< used when the model was loaded by zt_model_load
    arena arena;       ///< everything below lives here
    const char *path;
    bool in_memory;                     ///< `path` is a name only: there is no such file
    uint64_t inputs;                    ///< hash of its file and of those that the file names
    const struct model_format *format;  ///< of its file
    dvec3 origin;                       ///< of its coordinates, in those of the file
    const dvec3 *origin_shift;          ///< by node: subtracted from its translation; NULL: none
    struct model_exact *exact;          ///< by node, if it shall be moved (model_origin.h), or NULL
    model_up up;                        ///< of the file: its root turns it to +Y
    bool mirrored;                      ///< z of the file was negated
    bool is_picture;                    ///< of its package: to be seen from the front
    bool faces_back;                    ///< its front is at -Z: a right-handed .m3d, VRM 0.x
    const model_asset_info *asset_info; ///< NULL for formats without it
    uint32_t node_count, mesh_count, skin_count, clip_count, material_count, texture_count,
        camera_count, light_count;
    const model_node *nodes;
    const model_mesh *meshes;
    const model_skin *skins;
    const model_clip *clips;
    int32_t all_clip; ///< model_join_clips(): one of `clips`, or behind them; -1: there are none
    uint32_t joined_count; ///< of the clips that it plays
    // For the pose kernels, by model_lay_out_motion; arrays by node are padded to 16.
    const uint32_t *order; ///< nodes by depth
    const int32_t *parent;
    const pose_block *rest;
    const float *const *fixed; ///< NULL when no node has a matrix, else by node: NULL, or 16 floats
    const model_motion *motions;     ///< [clip_count]
    const model_material *materials; ///< at least one
    const model_texture *textures;
    uint32_t packed_count;
    const model_packed *packed;
    const int32_t *packed_of_material; ///< [material_count], -1: none; NULL: no textures
    const model_camera *cameras;
    const model_light *lights;
    uint32_t human_bone_count;
    const model_human_bone *human_bones; ///< of VRMC_vrm or VRM
    uint32_t expression_count, constraint_count;
    const model_expression *expressions;
    const model_gaze *gaze; ///< NULL: the file does not say how eyes move
    bool is_vrm_animation;  ///< its clips are for other models (VRMC_vrm_animation)
    int32_t look_node; ///< of such a file: its +z is where eyes look, seen from the head; -1: none
    const model_constraint *constraints;  ///< each after those of its source
    const model_environment *environment; ///< NULL: the file has none
    const model_springs *springs;         ///< NULL: the file has none
    uint32_t property_count;
    const model_property *properties; ///< what clips move besides nodes
    uint64_t triangle_count, line_count, point_count, vertex_count;
    uint32_t note_count; ///< features ignored or approximated, a line each, for inspect
    const char *const *notes;
};

/// Fills what the pose kernels read (parent, rest, fixed, motions) from nodes and clips, which
/// move to the origin before (model_origin.h).
zt_result model_lay_out_motion(zt_model *model, arena *scratch, zt_error *err);

/// Sets `all_clip`: all clips that move nothing which a clip before them moves, together. Before
/// clips are laid out.
zt_result model_join_clips(zt_model *model, arena *scratch, zt_error *err);
/// True when it is a clip of its own, behind the others.
static inline bool model_has_joined(const zt_model *model)
{
    return model->joined_count > 1 && model->all_clip == (int32_t)model->clip_count;
}
/// For clips from `first` on; those before it are laid out already.
zt_result model_lay_out_clips(zt_model *model, uint32_t first, arena *scratch, zt_error *err);
/// The two keys around a time. One key, or before the first: key 0, s 0; from the last on: s 1.
pose_key_interval model_key_interval(const model_timeline *timeline, float clip_time_s);
/// One channel at clip time; `width` floats.
void model_sample_channel(const model_channel *channel, float clip_time_s, uint32_t width,
                          float *out);

/// Every channel of a clip (NULL: none) but morph weights at clip time, over the rest pose.
void model_sample_clip(const zt_model *model, const model_clip *clip, float clip_time_s,
                       trs *local);

/// Appends copies of a lender's clips for nodes of equal names (clip_match_bones) and morph weights
/// of equal targets. What else clips move is left out, and a clip without the rest.
/// `out_count`: how many were appended. Only while nobody shares the model.
zt_result model_borrow_clips(zt_model *model, const zt_model *lender, arena *scratch,
                             uint32_t *out_count, zt_error *err);

/// parent_from_node, of a node whose transform is `local` unless it has a matrix.
void model_node_matrix(const model_node *node, const trs *local, mat4 out);
/// The same of the rest pose, in double precision.
affine model_rest_step(const model_node *node);
/// model_from_node of all nodes, by their local transforms; NULL: at rest.
void model_place_nodes(const zt_model *model, const trs *local, affine *world);
/// model_from_node of the rest pose; the identity for -1.
affine model_rest_transform(const zt_model *model, int32_t node);

/// The distance by which a clip at its start takes a joint from its place at rest, in
/// sizes of the rig: the diagonal of the box around the joints at rest. *out is 0 for a rig of one
/// place.
zt_result model_clip_displacement(const zt_model *model, const model_clip *clip, arena *scratch,
                                  double *out, zt_error *err);

/// The targets [mesh_count] that turn the meshes of `base` into those of `target`, of the same
/// topology: meshes, vertices, triangles in order. ZT_ERR_FORMAT names the first mismatch. Texture
/// coordinates and tangents that the target lacks stay.
zt_result morph_between(const zt_model *base, const zt_model *target, arena *keep, arena *scratch,
                        morph_target *out, zt_error *err);
