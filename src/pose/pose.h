// SPDX-License-Identifier: MIT
/// From a model, clips and a time to matrices: local transforms, hierarchy, palettes. A pose
/// depends on the time alone: any frame can be rendered by itself. Springs: pose_springs.h.
///
/// Times: shot time is that of the picture; animation time is shot time unless the scene is frozen;
/// the local time of a layer runs on for ever; clip time is local time wrapped into the clip.
#pragma once

#include "pose/pose_loops.h"
#include "scene/scene.h"

/// Clip time of a layer that is not synchronized, at animation time (docs/animation.md).
double pose_clip_time(const scene_layer *layer, const model_clip *clip, double time_s);
/// Local time -> clip time.
double pose_wrap_time(const scene_layer *layer, const model_clip *clip, double local_s);
/// Local time of a layer at animation time. `sync_cycles`: of pose_sync_cycles_since_start().
double pose_layer_local_time(const scene_instance *instance, const scene_layer *layer,
                             double time_s, double sync_cycles);
/// Synchronized layers play at one rate: the weighted mean of their own rates, summed bottom first.
/// Returns how many more cycles the bottom layer plays from from_s to to_s than at its own rate.
double pose_sync_cycles(const scene_instance *instance, double from_s, double to_s);
/// The same since the bottom layer started.
double pose_sync_cycles_since_start(const scene_instance *instance, double time_s);
/// The weight of a layer at animation time, 0 to 1 (of additive layers 10), without its mask.
double pose_layer_weight(const scene_layer *layer, double time_s);
/// The next time at which a layer's weight has a kink or its clip starts; infinity: never.
double pose_next_breakpoint(const scene_layer *layer, double time_s);

/// A layer with weight at a time.
typedef struct pose_active_layer {
    const scene_layer *layer;
    float at_s;   ///< clip time
    float weight; ///< above 0; without its mask; above 1 only of additive layers
} pose_active_layer;

/// Visits the layers of an instance that have weight at a time, bottom first.
typedef struct pose_layer_iterator {
    const scene_instance *instance;
    double time_s, sync_cycles;
    uint32_t next; ///< index of a layer
} pose_layer_iterator;

/// Starts at the bottom layer, at animation time.
pose_layer_iterator pose_layers_begin(const scene_instance *instance, double time_s);
/// Finds the next layer whose weight is above 0; false when none is left.
bool pose_layers_next(pose_layer_iterator *it, pose_active_layer *out);

// model_sample_clip() in blocks of 16 nodes, bit for bit, after model_lay_out_motion:
// pose_block_count().

size_t pose_block_count(const zt_model *model);
/// `clip` -1: the rest pose. `intervals` has room for the timelines of the clip.
void pose_sample_blocks(const pose_loops *loops, const zt_model *model, int32_t clip,
                        float clip_time_s, pose_key_interval *intervals, pose_block *out);

/// Interpolates two poses, `weight` from 0 (all a) to 1 (all b): translation and scale linearly,
/// rotations on the shorter arc; equal values stay, in bits. `mask`: NULL, or a factor of the
/// weight by node, padded to 16. `out` may be a or b.
void pose_blend(const pose_loops *loops, const zt_model *model, const pose_block *a,
                const pose_block *b, float weight, const float *mask, pose_block *out);
/// Adds the difference between two poses to a third, as pose_loops.h says. `mask`: as above.
void pose_add(const pose_loops *loops, const zt_model *model, const pose_block *base,
              const pose_block *from, const pose_block *to, float weight, const float *mask,
              pose_block *out);

/// Memory for the morph targets of one mesh at a time.
typedef struct pose_morphs {
    float *weights, *layer, *reference;
    morph_use *uses;
} pose_morphs;

/// Scratch memory to pose any one instance of a scene.
typedef struct pose_scratch {
    pose_block *local, *layer, *reference;
    pose_key_interval *intervals;
    bool *changed;             ///< nodes that an IK solver moved; all false between solvers
    pose_active_layer *active; ///< [SCENE_LAYER_LIMIT]
    pose_morphs morphs;        ///< without memory when no target drives a bone
    // For solvers that look at other times; NULL when no instance has one:
    pose_block *other;
    mat4 *other_world, *other_place;
} pose_scratch;

/// Allocates for the largest model: a crowd needs no more than one character. False: no memory.
bool pose_scratch_init(const zt_scene *scene, arena *a, pose_scratch *out);
/// Layers with weight at animation time, bottom first, unhidden. Their number, at most layer_count.
uint32_t pose_active_layers(const scene_instance *instance, double time_s, pose_active_layer *out);
/// Local transforms of an instance: at animation time its layers over the rest pose, then at shot
/// time the bones that the scene keys. Allocates nothing. `out` may be scratch->local.
void pose_layers(const pose_loops *loops, const scene_instance *instance, frame_time time,
                 const pose_scratch *scratch, pose_block *out);
/// The second part of it (pose_bones.c). `morphs`: memory, as in pose_scratch.
void pose_bone_keys(const scene_instance *instance, frame_time time, const pose_morphs *morphs,
                    pose_block *local);
/// True when the file and its clips, whose values are `values` (pose_properties()), show a node.
bool pose_clips_show(const zt_model *model, const model_property_value *values, int32_t node);
/// The share of nodes that shows at a time, 0 to 1: *out [node_count] in `a`, the product of their
/// own, those of all nodes above, and the instance's; NULL: 1 where model_node.visible.
zt_result pose_showing(const scene_instance *instance, frame_time time, arena *a, const float **out,
                       zt_error *err);
/// All of posing an instance at shot time: layers, hierarchy, IK. `world_from_model`: where it is;
/// NULL: by pose_instance_transform(). `posed[instance]`: world_from_node of those it depends on,
/// and after them the same before solvers
/// (scene_pose_run_at). `world_from_node`: pad16(node_count). Local transforms: scratch->local.
void pose_instance(const pose_loops *loops, const zt_scene *scene, const scene_instance *instance,
                   frame_time time, const pose_scratch *scratch, const mat4 *const *posed,
                   const mat4 *world_from_model, mat4 *world_from_node);
/// The second half of pose_instance(), from local transforms, which IK solvers change.
void pose_world_from_local(const pose_loops *loops, const zt_scene *scene,
                           const scene_instance *instance, frame_time time,
                           const pose_scratch *scratch, const mat4 *const *posed,
                           mat4 world_from_model, pose_block *local, mat4 *world_from_node);

/// Solvers `first` to `first + count` - 1 of an instance; they change `local`, `world_from_node`.
/// After the last one nodes follow others.
void pose_solvers(const pose_loops *loops, const zt_scene *scene, const scene_instance *instance,
                  frame_time time, const pose_scratch *scratch, const mat4 *const *posed,
                  mat4 world_from_model, pose_block *local, mat4 *world_from_node, uint32_t first,
                  uint32_t count);

/// A rotation that the scene keys, as a unit quaternion. False, `out` as it was: identity.
bool pose_track_rotation(const track *rotate, double time_s, float out[4]);
/// The transform of an instance in its base at shot time, with root motion and up axis.
void pose_instance_transform(const zt_scene *scene, const scene_instance *instance, frame_time time,
                             mat4 out_world_from_model);
/// The same in the world, its base given by `base`.
void pose_world_from_model(const zt_scene *scene, const scene_instance *instance, frame_time time,
                           const mat4 *base, mat4 world_from_model);
/// world_from_node[i] = world_from_node[parent] * T R S, parents first. [node_count].
void pose_to_world(const zt_model *model, mat4 world_from_model, const trs *local,
                   mat4 *world_from_node);
/// The same from blocks, bit for bit. `world_from_node`: room for pad16(node_count).
void pose_blocks_to_world(const pose_loops *loops, const zt_model *model, mat4 world_from_model,
                          const pose_block *local, mat4 *world_from_node);

/// Poses that several instances share, numbered from 0.
typedef struct pose_sharing {
    uint32_t count;
    const uint32_t *pose_of; ///< [instance_count] number of the instance's pose, or POSE_UNSHARED
    pose_block **local;      ///< [count]
    mat4 *world_from_model;  ///< [instance_count], of those that share
} pose_sharing;

#define POSE_UNSHARED UINT32_MAX

/// Finds instances that share a pose at shot time: the same clips of a model at the same times with
/// the same weights, morphs and skinning, and no IK, which depends on where an instance is.
/// Allocates the poses in `a`; count 0 when no instance shares.
zt_result pose_sharing_build(const zt_scene *scene, frame_time time, arena *a, pose_sharing *out,
                             zt_error *err);
/// Poses all instances at shot time, each after those that it depends on:
/// (*out_world_from_node)[instance][node], in `a`. A shared pose is evaluated once and stored in
/// `sharing`.
zt_result pose_scene(const pose_loops *loops, const zt_scene *scene, frame_time time, arena *a,
                     pose_sharing *sharing, const mat4 *const **out_world_from_node, zt_error *err);

/// A posed scene in parts, by instance.
typedef struct pose_parts {
    pose_block **local;     ///< [pose_block_count()] of the nodes, after solvers and springs
    mat4 *world_from_model; ///< of the instance
    const mat4 *const *world_from_node;
} pose_parts;

/// As pose_scene(), with the transforms that the matrices follow from, in `a`.
zt_result pose_scene_parts(const pose_loops *loops, const zt_scene *scene, frame_time time,
                           arena *a, pose_sharing *sharing, pose_parts *out, zt_error *err);

/// The world transform of a bone at shot time; `node` -1: of the model. Poses what it needs.
zt_result pose_bone(const pose_loops *loops, const zt_scene *scene, uint32_t instance, int32_t node,
                    frame_time time, arena *a, mat4 out_world, zt_error *err);

/// Narrows the shot times from *from_s to before *to_s around the frame's to those that no step
/// parts from it: a time at which something jumps, which belongs to what follows it.
zt_result pose_unstepped(const zt_scene *scene, frame_time time, arena *scratch, double *from_s,
                         double *to_s, zt_error *err);

/// A point of a camera or light at shot time, in the world. An instance that it follows is posed
/// once, or 15 times where it is smooth: the mean over the window, weighted by a triangle. Times
/// before the shot count as its first.
zt_result pose_point(const pose_loops *loops, const zt_scene *scene, const scene_point *point,
                     frame_time time, budget *memory, double out[3], zt_error *err);

/// world_from_bind[j] = world_from_node[joint_node[j]] * joint_from_bind[j]. [joint_count].
/// `normals` gets the matrices for normals: the same ones, or sign(det) * cofactor for a joint that
/// scales non-uniformly. Returns true when any of these differs from its world_from_bind.
bool pose_palette(const model_skin *skin, const mat4 *world_from_node, mat4 *world_from_bind,
                  mat4 *normals);
/// The matrix for normals of one transform, as above; returns true when it differs.
bool pose_normal_matrix(mat4 world_from_model, mat4 out);
/// Splits a matrix into a stretch, then a dual quaternion. False: the stretch is the identity.
bool pose_dual(mat4 world_from_bind, skin_dual *out, mat4 stretch);
/// The same of a pose_palette(), [count], with stretches for normals. False: all are identities.
bool pose_dual_palette(const skin_matrix *world_from_bind, uint32_t count, skin_dual *duals,
                       mat4 *stretch, mat4 *stretch_normals);

/// Where the joints of drivers are: in the world, or before they are placed there. NULL: at rest.
typedef struct pose_joints {
    const mat4 *world_from_node; ///< NULL: as in `local`
    const pose_block *local;
    const mat4 *const *posed; ///< [instance] of all, for eyes that look at them; NULL: they do not
} pose_joints;

/// The largest number of targets of a mesh in the scene, with those from separate files.
size_t pose_morph_capacity(const zt_scene *scene);
/// Allocates for `count` targets. False: no memory.
bool pose_morphs_init(size_t count, arena *a, pose_morphs *out);
/// The weights of a node's mesh at rest: the node's own or the mesh's. [morph_count].
void pose_morph_rest(const zt_model *model, uint32_t node, float *out);
/// The weights that a clip gives them at clip time; leaves `out` as it is when it gives none.
void pose_morph_sample(const zt_model *model, uint32_t node, const model_clip *clip,
                       float clip_time_s, float *out);
/// Lists in `morphs->uses` the targets with weights at shot time: the mesh's, then those from other
/// files. The scene's keys replace weights from layers. Returns their number.
uint32_t pose_morphs_evaluate(const scene_instance *instance, uint32_t node, frame_time time,
                              const pose_joints *joints, const pose_morphs *morphs);
/// Morphed positions, to the bit those of the morph loop. `out`: room for pad16(vertex_count).
void pose_morph_positions(const model_mesh *mesh, const morph_use *uses, uint32_t use_count,
                          vertex_position *out);

/// The share of a driver, 1 without one. `weights`: those of the mesh of a morph target.
double pose_driver_share(const scene_instance *instance, const scene_driver *driver,
                         const pose_joints *joints, const float *weights);
/// The same in a pose. `morphs`: memory.
double pose_driven_share(const scene_instance *instance, const scene_driver *driver,
                         frame_time time, const pose_joints *joints, const pose_morphs *morphs);
/// The weight of a wrinkle map at shot time: its keys times the value of its driver, 0 to 10.
/// `morphs`: room for pose_morph_capacity().
float pose_wrinkle_weight(const scene_instance *instance, const scene_wrinkle *wrinkle,
                          frame_time time, const pose_joints *joints, const pose_morphs *morphs);
/// The rotation of a node since rest in degrees: about `axis` (unit, in its rest space; the twist),
/// above -180 to 180, or with NULL the angle of all of it, 0 to 180.
double pose_joint_angle(const zt_model *model, uint32_t node, const mat4 *world_from_node,
                        const double axis[3]);

/// True when an expression of the instance may have weight at some time.
bool pose_shows_expressions(const scene_instance *instance);
/// Weights of the expressions of a model at shot time, [MODEL_EXPRESSION_LIMIT].
void pose_expressions(const scene_instance *instance, frame_time time, const pose_joints *joints,
                      float *out);
/// Adds what expressions add to the weights of a node's morph targets.
void pose_expression_morphs(const scene_instance *instance, uint32_t node, frame_time time,
                            const pose_joints *joints, float *weights);
/// The same for numbers of `materials`, a copy of the model's.
void pose_expression_materials(const scene_instance *instance, frame_time time,
                               const pose_joints *joints, model_material *materials);

/// True when a clip of any layer animates properties besides nodes.
bool pose_animates_properties(const scene_instance *instance);
/// The values of the model's properties at shot time, in `a`; NULL when no clip animates any.
zt_result pose_properties(const scene_instance *instance, frame_time time, arena *a,
                          const model_property_value **out, zt_error *err);
