// SPDX-License-Identifier: MIT
/// Building a scene in memory: defaults, models, instances, layers and lights. For the reader of
/// scene files and for calls of the API.
#pragma once

#include "retarget/retarget.h"
#include "scene/scene.h"

/// Size, samples, background, the camera of a bare model, one frame at 30 fps. No lights.
zt_result scene_set_defaults(zt_scene *scene, zt_error *err);
/// Makes a scene what it was before a call that failed, but for the memory that was taken
/// meanwhile.
void scene_restore(zt_scene *scene, const zt_scene *before);
/// The camera of a bare model.
zt_result scene_set_default_camera(zt_scene *scene, zt_error *err);
/// An orbit at these angles, framed over the shot.
zt_result scene_set_orbit(zt_scene *scene, double azimuth_deg, double elevation_deg, zt_error *err);
/// The default shot: from 0 to the end of the first clip that plays, or one frame.
zt_result scene_set_clip_shot(zt_scene *scene, zt_error *err);
/// For who wants all frames of a clip that has more than the limit.
zt_result scene_fail_long_clip(const zt_scene *scene, zt_error *err);

/// Adds bytes to the hash of what the scene's pictures follow from; order matters.
void scene_add_input(zt_scene *scene, const void *bytes, size_t size);
/// Reads a file that the scene file names, from where it names it.
zt_result scene_read_file(const zt_scene *scene, job_pool *pool, arena *a, const char *path,
                          file_bytes *out, zt_error *err);
/// Adds a model, zeroed but for its path and a ready arena, which the scene owns.
zt_result scene_new_model(zt_scene *scene, const char *path, scene_model_key key,
                          zt_model **out_model, zt_error *err);
/// Loads a model into the scene, once per path and key; the scene owns it.
zt_result scene_load_model(zt_scene *scene, const char *path, scene_model_key key,
                           const zt_model **out_model, zt_error *err);
/// Reads a file into a model whose arena is initialised.
zt_result scene_read_model(zt_scene *scene, const char *path, const scene_model_key *key,
                           zt_model *model, arena *scratch, zt_error *err);

/// The way in which clips of another file are retargeted.
typedef struct scene_retarget {
    retarget_mode mode;
    /// Fills the pairs that the scene gives, once the source is loaded.
    zt_result (*find_pairs)(void *user, const zt_model *source, const zt_model *model,
                            retarget_def *out);
    void *user;
} scene_retarget;

/// Adds the clips of another file to the model that was loaded last: for bones of the same names
/// (model_borrow_clips), or retargeted (model_retarget_clips) where `how` is not NULL. Then it
/// warns of bones that move nothing, and they become notes of the model.
zt_result scene_add_clips(zt_scene *scene, const char *path, const scene_retarget *how,
                          zt_error *err);
/// Appends an instance with identity tracks, which may move the others; NULL: no memory.
scene_instance *scene_new_instance(zt_scene *scene);

/// A clip (-1: none) that repeats from its start, with full weight.
scene_layer scene_default_layer(int32_t clip);
/// The same for a model that may be bare: then shot time 0 is the start of the clip.
scene_layer scene_bare_layer(const zt_scene *scene, const zt_model *model, int32_t clip);
/// The clip of a bare model: all together where they move different things, else the first; -1.
int32_t scene_bare_clip(const zt_model *model);
/// Makes `layer` the only layer of an instance.
zt_result scene_set_layer(zt_scene *scene, scene_instance *instance, scene_layer layer,
                          zt_error *err);
/// The root joint of `clip`: `node`, or with -1 the first in the hierarchy that it translates. With
/// `heading` its rotation counts too, and a clip may only rotate it. *out is NULL without one.
zt_result scene_find_root(zt_scene *scene, const zt_model *model, const model_clip *clip,
                          int32_t node, bool heading, const scene_root **out, zt_error *err);

/// A root that moves the clip of `layer`, or its part of it, which walks in place, at the speed of
/// its feet (foot_speed.h): those of `feet` or, with 0, those that it finds. A part without a step
/// has the speed of the whole clip. *out is NULL when they do not go over the ground.
zt_result scene_find_foot_root(zt_scene *scene, const zt_model *model, const scene_layer *layer,
                               const int32_t *feet, uint32_t foot_count, const scene_root **out,
                               zt_error *err);

/// Reads the picture of light at `path`; it replaces the one of the scene, unrotated.
zt_result scene_set_environment_image(zt_scene *scene, const char *path, zt_error *err);

/// The maximal number of lights, with those of the models.
enum { SCENE_LIGHT_LIMIT = 256 };
/// The preset that looks take, of ZT_WORDS_PRESET.
enum { SCENE_PRESET_FLAT = 3 };
/// True for looks that show data, which no light changes.
static inline bool scene_look_is_data(scene_look look)
{
    return look == SCENE_LOOK_NORMALS || look == SCENE_LOOK_UV || look == SCENE_LOOK_ALBEDO ||
           look == SCENE_LOOK_DEPTH;
}
/// A word of `light`; SCENE_LIGHT_IMAGE: it is a path.
int32_t scene_find_light(const char *word);
/// The light by the preset and the single keys of the scene together, or that of a look which has
/// its own.
scene_lighting scene_look_lighting(scene_look look, const scene_lighting_keys *keys);
/// Makes lights and ambient light from what the scene names; again when lighting_keys changed.
zt_result scene_light_up(zt_scene *scene, zt_error *err);
/// Adds the lamps of models of instances from `first` on, up to the limit, if they are on.
zt_result scene_add_model_lights(zt_scene *scene, uint32_t first, zt_error *err);
