// SPDX-License-Identifier: MIT
/// The parts of a scene file, each read by one file of this folder, and the defaults they start
/// from.
#ifndef ZT_SCENE_SCENE_PARTS_H
#define ZT_SCENE_SCENE_PARTS_H

#include "scene/scene_value.h"

/// The readers behind the keys of the top level.
zt_result scene_read_output(scene_reader *r, const document_node *value, void *target);
zt_result scene_read_environment(scene_reader *r, const document_node *value, void *target);
zt_result scene_read_models(scene_reader *r, const document_node *value, void *target);
zt_result scene_read_camera(scene_reader *r, const document_node *value, void *target);
zt_result scene_read_lights(scene_reader *r, const document_node *value, void *target);

/// A model file that the scene names, relative to the scene; loaded once.
zt_result scene_load_named(scene_reader *r, const document_node *value, int handedness,
                           bool tangents, const zt_model **out);
/// `parent`: a bone, none, or keys of these.
zt_result scene_read_parent(scene_reader *r, const document_node *value, scene_instance *out);
/// `morph_targets`: names and files of the same topology.
zt_result scene_read_targets(scene_reader *r, const document_node *value, int handedness,
                             bool tangents, scene_instance *out);
/// `instances` as a map: a crowd, each member like `model`.
zt_result scene_read_crowd(scene_reader *r, const document_node *value,
                           const scene_instance *model);
/// `morphs`: weights of targets by name; those not named keep what `out` has.
zt_result scene_read_morphs(scene_reader *r, const document_node *value, scene_instance *out);

/// The node and the number of the first morph target of that name, as scene_wrinkle has them.
zt_result scene_find_target(scene_reader *r, const document_node *value,
                            const scene_instance *instance, int32_t *out_node,
                            uint32_t *out_target);
/// `materials` of a model or instance; what they do not say stays as `out` has it.
zt_result scene_read_materials(scene_reader *r, const document_node *value, scene_instance *out);
/// True when they ask for tangents that the model may not have.
bool scene_materials_want_tangents(const document_node *materials);
/// `wrinkles` of a material, with coordinates and sampler of `slot` of the instance's model.
zt_result scene_read_wrinkles(scene_reader *r, const document_node *value,
                              const scene_instance *instance, const model_slot *slot,
                              scene_material *out);
/// A picture beside the scene as a texture, sampled like `like` (NULL: repeating, trilinear);
/// loaded once.
zt_result scene_read_texture(scene_reader *r, const document_node *value, mipmap_content content,
                             const model_texture *like, const model_texture **out);

/// Size, samples, background, camera of a bare model, one frame at 30 fps. No lights.
zt_result scene_set_defaults(zt_scene *scene, zt_error *err);
/// The studio: key, fill and rim light and a soft ambient.
zt_result scene_set_studio(zt_scene *scene, zt_error *err);
/// Lights at most, those of the models included.
enum { SCENE_LIGHT_LIMIT = 256 };
/// Adds the lights that the models of instance `first` and of later ones bring along, up to the
/// limit.
zt_result scene_add_model_lights(zt_scene *scene, uint32_t first, zt_error *err);
/// The default camera: a three-quarter orbit that frames the shot.
zt_result scene_set_orbit(zt_scene *scene, double azimuth_deg, double elevation_deg, zt_error *err);
/// Makes room for one more and returns it zeroed with identity tracks, or NULL (arena_fail).
scene_instance *scene_new_instance(zt_scene *scene);
/// The shot of a scene without one: the first clip that plays, from 0 to its end, or one frame.
zt_result scene_set_clip_shot(zt_scene *scene, zt_error *err);
/// Parses "30", "29.97" or "30000/1001"; false when it is not a rate of 1/1000 to 1000 fps.
bool scene_parse_fps(const char *text, int32_t *out_numerator, int32_t *out_denominator);
/// `animation` of a model or instance, whose model is known, into its layers.
zt_result scene_read_layers(scene_reader *r, const document_node *value, scene_instance *instance);
/// `ik` of a model or instance, whose model is known. Targets on bones are found later.
zt_result scene_read_ik(scene_reader *r, const document_node *value, scene_instance *instance);
/// Finds the bones that targets name, and the order of posing, once all instances are there.
zt_result scene_resolve_targets(scene_reader *r);
/// A clip (-1: none) that repeats from its start, with full weight.
scene_layer scene_plain_layer(int32_t clip);
/// The first node of that name, or -1.
int32_t scene_find_node(const zt_model *model, const char *name);
/// The name of a node of `model` -> its index, the first of that name.
zt_result scene_read_node(scene_reader *r, const document_node *value, const zt_model *model,
                          int32_t *out);
/// `bones` of a layer -> a weight by node, padded to 16, in the scene's arena.
zt_result scene_read_mask(scene_reader *r, const document_node *value, const zt_model *model,
                          const float **out);
/// The root that `clip` moves: `node`, or with -1 the first in the hierarchy that it translates.
/// With `turns` its turns are found too, and one that only turns. *out is NULL when there is none.
zt_result scene_find_root(zt_scene *scene, const zt_model *model, const model_clip *clip,
                          int32_t node, bool turns, const scene_root **out, zt_error *err);
/// Makes `layer` the only layer of an instance.
zt_result scene_set_layer(zt_scene *scene, scene_instance *instance, scene_layer layer,
                          zt_error *err);
/// Finds a clip of `model` by name, else by index; -1 for "none", -2 when there is none.
int32_t scene_find_clip(const zt_model *model, const char *name);
/// The node of `model` that carries a camera and is called `name` (node or camera), or the one of
/// that index among the nodes with cameras; -1 when there is none.
int32_t scene_find_camera(const zt_model *model, const char *name);

#endif
