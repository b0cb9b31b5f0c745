// SPDX-License-Identifier: MIT
/// From a model, a clip and a time to matrices: local transforms, hierarchy, palettes.
/// Stateless: a pose depends on the time alone, so any frame can be rendered by itself.
#ifndef ZT_POSE_POSE_H
#define ZT_POSE_POSE_H

#include "pose/pose_loops.h"
#include "scene/scene.h"

/// Clip time shown at shot time `time_s`: contract, "Frame f shows time t". In double. For a layer
/// that keeps step with no other.
double pose_clip_time(const scene_layer *layer, const model_clip *clip, double time_s);
/// The same from the layer's way: the clip time that it would show if its clip went on for ever.
double pose_wrap_time(const scene_layer *layer, const model_clip *clip, double way_s);
/// The way of a layer of `instance` at animation time. `sync_cycles`: pose_sync_until.
double pose_layer_way(const scene_instance *instance, const scene_layer *layer, double time_s,
                      double sync_cycles);
/// Layers in step share one rate, the mean of their own by their weights, bottom first. By how many
/// cycles that brings the bottom layer on between two times, beyond what it does alone.
double pose_sync_cycles(const scene_instance *instance, double from_s, double to_s);
/// The same since the bottom layer started.
double pose_sync_until(const scene_instance *instance, double time_s);
/// The first time after `time_s` at which a layer's weight bends or its clip starts, or infinity.
double pose_next_break(const scene_layer *layer, double time_s);

/// The shot time that clips follow: `time_s`, or the time at which the scene is frozen.
double pose_animation_time(const zt_scene *scene, double time_s);

/// Samples every channel of `clip` (NULL: none) at clip time into `local`, which starts from the
/// rest pose. [node_count].
void pose_sample(const zt_model *model, const model_clip *clip, float clip_time_s, trs *local);

/// Where a time stands among rising key times. With one key, or before the first: key 0, s 0; from
/// the last on: its predecessor, s 1.
pose_moment pose_find_moment(const model_timeline *timeline, float at_s);
/// One channel at clip time; `width` floats.
void pose_sample_channel(const model_channel *channel, float time_s, uint32_t width, float *out);

/// One parent-first pass: world_from_node[i] = world_from_node[parent] * T R S. [node_count].
void pose_to_world(const zt_model *model, mat4 world_from_model, const trs *local,
                   mat4 *world_from_node);

// The same in lanes, bit for bit, for models that are laid out (model_lay_out_motion). A pose is an
// array of pose_block_count blocks.

size_t pose_block_count(const zt_model *model);
/// `clip` -1: the rest pose. `moments` has room for the timelines of the clip.
void pose_sample_blocks(const pose_loops *loops, const zt_model *model, int32_t clip,
                        float clip_time_s, pose_moment *moments, pose_block *out);
/// Between two poses of a model, `weight` from 0 (all a) to 1 (all b): translation and scale on
/// straight lines, rotations on the shorter arc; where a and b agree, they stay, in bits. `mask`:
/// NULL, or by node, padded to 16, what the weight is multiplied with. `out` may be a or b.
void pose_blend(const pose_loops *loops, const zt_model *model, const pose_block *a,
                const pose_block *b, float weight, const float *mask, pose_block *out);
/// The way between two poses on top of a third, as pose_loops.h says. `mask` as above.
void pose_add(const pose_loops *loops, const zt_model *model, const pose_block *base,
              const pose_block *from, const pose_block *to, float weight, const float *mask,
              pose_block *out);
/// pose_to_world; `world_from_node` has room for pad16(node_count).
void pose_blocks_to_world(const pose_loops *loops, const zt_model *model, mat4 world_from_model,
                          const pose_block *local, mat4 *world_from_node);

/// A layer with weight at a time.
typedef struct pose_shown {
    const scene_layer *layer;
    float at_s;   ///< clip time
    float weight; ///< above 0; without its mask
} pose_shown;

/// Visits the layers of an instance that have weight at a time, bottom first.
typedef struct pose_layer_iterator {
    const scene_instance *instance;
    double time_s, sync_cycles;
    uint32_t next; ///< index of a layer
} pose_layer_iterator;

/// Starts at the bottom layer. `time_s`: animation time (pose_animation_time).
pose_layer_iterator pose_layers_begin(const scene_instance *instance, double time_s);
/// Finds the next layer whose weight is above 0; false when none is left.
bool pose_layers_next(pose_layer_iterator *it, pose_shown *out);

/// Memory for posing one instance at a time, whichever of a scene.
typedef struct pose_scratch {
    pose_block *local, *layer, *reference;
    pose_moment *moments;
    bool *moved;       ///< nodes that a solver has turned; all false
    pose_shown *shown; ///< room for the layers of any instance
} pose_scratch;

/// Room for the largest model: a crowd needs no more than one character. False: no memory.
bool pose_scratch_init(const zt_scene *scene, arena *a, pose_scratch *out);
/// How much of a layer shows at animation time, 0 to 1, but for its mask.
double pose_layer_weight(const scene_layer *layer, double time_s);
/// The layers of an instance that show at animation time, bottom first, from the uppermost one on
/// that hides what is below. Returns their number, at most layer_count.
uint32_t pose_find_shown(const scene_instance *instance, double time_s, pose_shown *out);
/// Local transforms of an instance at animation time (pose_animation_time): its layers over the
/// rest pose. Allocates nothing. `out` may be scratch->local.
void pose_layers(const pose_loops *loops, const scene_instance *instance, double time_s,
                 const pose_scratch *scratch, pose_block *out);
/// Takes the way of the layer's root, and its turns if the layer asks for it, out of its pose.
void pose_root_hold(const scene_layer *layer, pose_block *local);
/// How far root motion has carried an instance at animation time, in its own space: a turn about
/// +y, after which it is moved. Whole turns count.
void pose_root_travel(const scene_instance *instance, double time_s, double *out_turn_deg,
                      double out_way[3]);
/// The whole way of one instance at shot time: layers, the hierarchy, inverse kinematics.
/// `posed[instance]` are the nodes of what is posed before it (scene_pose_order_at).
/// `world_from_node` has room for pad16(node_count); `base`: the space that the instance stands in,
/// NULL for the world; scratch->local is left with the local transforms.
void pose_instance(const pose_loops *loops, const zt_scene *scene, const scene_instance *instance,
                   double shot_time_s, const pose_scratch *scratch, const mat4 *const *posed,
                   const mat4 *base, mat4 *world_from_node);
/// The same in two steps: pose_layers(), and from any local transforms, which solvers change, on.
/// `world_from_model` is what pose_place() says.
void pose_place(const zt_scene *scene, const scene_instance *instance, double shot_time_s,
                const mat4 *base, mat4 world_from_model);
void pose_from_local(const pose_loops *loops, const zt_scene *scene, const scene_instance *instance,
                     double shot_time_s, const pose_scratch *scratch, const mat4 *const *posed,
                     mat4 world_from_model, pose_block *local, mat4 *world_from_node);

/// Poses that more than one instance shows (pose_sharing.c), numbered from 0.
typedef struct pose_sharing {
    uint32_t count;
    const uint32_t *of; ///< [instance_count] the number of its pose; POSE_ALONE: no other shows it
    pose_block **local; ///< [count]
    mat4 *world_from_model; ///< [instance_count], of those that share
} pose_sharing;

#define POSE_ALONE UINT32_MAX

/// Which instances ask for one pose at shot time: the same clips of a model at the same times with
/// the same weights, morphs and skinning, and no solver, which would bend them to where they stand.
/// Room for the poses; count 0 when all are alone.
zt_result pose_find_sharing(const zt_scene *scene, double shot_time_s, arena *a, pose_sharing *out,
                            zt_error *err);

/// All instances at shot time, in an order in which each finds posed what it needs:
/// (*out_world_from_node)[instance][node], in `a`. A pose that `sharing` says is shared is found
/// once, and filled in there.
zt_result pose_scene(const pose_loops *loops, const zt_scene *scene, double shot_time_s, arena *a,
                     pose_sharing *sharing, const mat4 *const **out_world_from_node, zt_error *err);

/// world_from_bind[j] = world_from_node[joint_node[j]] * joint_from_bind[j]. [joint_count].
/// `normals` gets the matrices for normals: the same ones, or sign(det) * cofactor for a joint that
/// scales non-uniformly. Returns true when any of these differs from its world_from_bind.
bool pose_palette(const model_skin *skin, const mat4 *world_from_node, mat4 *world_from_bind,
                  mat4 *normals);
/// One matrix as a stretch and, after it, a dual quaternion. Returns whether it stretches at all.
bool pose_dual(mat4 world_from_bind, skin_dual *out, mat4 stretch);
/// A palette of pose_palette() for dual quaternion skinning, [count] each; the matrices that turn
/// normals among the stretches too. Returns true when any stretches.
bool pose_dual_palette(const skin_matrix *world_from_bind, uint32_t count, skin_dual *duals,
                       mat4 *stretch, mat4 *stretch_normals);
/// The matrix for normals of one transform, as above; returns true when it differs.
bool pose_normal_matrix(mat4 world_from_model, mat4 out);

/// Weights of the morph targets of one mesh at a time.
typedef struct pose_morphs {
    float *weights, *layer, *reference;
    morph_use *uses;
} pose_morphs;

/// Most targets that any mesh of the scene has, with those from separate files.
size_t pose_morph_room(const zt_scene *scene);
/// Room for `count` targets. False: no memory.
bool pose_morphs_init(size_t count, arena *a, pose_morphs *out);
/// The weights of a node's mesh as authored: its own or those of the mesh. [morph_count].
void pose_morph_rest(const zt_model *model, uint32_t node, float *out);
/// The weights that a clip gives them; `out` keeps its values when it gives none.
void pose_morph_sample(const zt_model *model, uint32_t node, const model_clip *clip,
                       float clip_time_s, float *out);
/// Lists in `morphs->uses` the shapes that have weight at shot time: by the instance's layers, over
/// which the scene's keys go; first those of the mesh, then those from separate files. Returns
/// their number.
uint32_t pose_morphs_find(const zt_scene *scene, const scene_instance *instance, uint32_t node,
                          double shot_time_s, const pose_morphs *morphs);
/// How much of a wrinkle shows at shot time: its keys times what drives it, 0 to 10. `morphs` has
/// room for pose_morph_room().
float pose_wrinkle_weight(const zt_scene *scene, const scene_instance *instance,
                          const scene_wrinkle *wrinkle, double shot_time_s,
                          const mat4 *world_from_node, const pose_morphs *morphs);
/// How far a node has turned from its pose as authored, in degrees: about `axis` (unit, in the
/// node's space as authored; the twist of swing and twist), above -180 to 180, or with NULL the
/// whole turn, 0 to 180.
double pose_joint_angle(const zt_model *model, uint32_t node, const mat4 *world_from_node,
                        const double axis[3]);
/// Positions as the morph kernel makes them, to the bit. `out` has room for pad16(vertex_count).
void pose_morph_positions(const model_mesh *mesh, const morph_use *uses, uint32_t use_count,
                          vertex_position *out);

/// Whether a clip of any layer moves properties besides nodes.
bool pose_moves_properties(const scene_instance *instance);
/// The values of the model's properties at shot time, by the instance's layers, in `a`; NULL when
/// none moves.
zt_result pose_properties(const zt_scene *scene, const scene_instance *instance, double shot_time_s,
                          arena *a, const model_property_value **out, zt_error *err);

/// World transform of an instance at shot time.
void pose_instance_transform(const zt_scene *scene, const scene_instance *instance, double time_s,
                             mat4 out_world_from_model);

#endif
