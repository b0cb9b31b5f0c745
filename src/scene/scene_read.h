// SPDX-License-Identifier: MIT
/// Scene file -> zt_scene. Each section has a reader, value_fn for scenes and instances.
#pragma once

#include "scene/scene_value.h"

/// Reads a YAML or JSON scene into a zeroed zt_scene whose arena is initialised.
zt_result scene_read(const char *path, file_bytes bytes, zt_scene *scene, zt_error *err);

// Sections of the top level. `target`: the zt_scene.
zt_result scene_read_output(document_reader *r, const document_node *value, void *target);
zt_result scene_read_environment(document_reader *r, const document_node *value, void *target);
zt_result scene_read_occlusion(document_reader *r, const document_node *value, void *target);
zt_result scene_read_spring_steps(document_reader *r, const document_node *value, void *target);
zt_result scene_read_ground(document_reader *r, const document_node *value, void *target);
zt_result scene_read_light(document_reader *r, const document_node *value, void *target);
zt_result scene_read_camera(document_reader *r, const document_node *value, void *target);
// Keys that blur. `target`: zt_scene.blur, and its `subframes`.
zt_result scene_read_shutter(document_reader *r, const document_node *value, void *target);
zt_result scene_read_subframes(document_reader *r, const document_node *value, void *target);
zt_result scene_read_aperture(document_reader *r, const document_node *value, void *target);
zt_result scene_read_focus(document_reader *r, const document_node *value, void *target);
zt_result scene_read_blades(document_reader *r, const document_node *value, void *target);
zt_result scene_read_lights(document_reader *r, const document_node *value, void *target);
/// A member of `lights`.
zt_result scene_read_own_light(document_reader *r, const document_node *value, scene_light *out);

/// A point of a camera or light, a value_fn with a scene_point as target: three numbers, keys of
/// them, or a map of model and bone. Instances have been read.
zt_result scene_read_point(document_reader *r, const document_node *value, void *target);

/// The path of a picture of light: becomes the environment of the scene.
zt_result scene_read_environment_image(document_reader *r, const document_node *value);

// Sections of a model or instance whose model is loaded. `target`: the scene_instance, which is
// that of the reading. What they do not set stays as it is: an instance starts as a copy of its
// model.
zt_result scene_read_animation(document_reader *r, const document_node *value, void *target);
zt_result scene_read_ik(document_reader *r, const document_node *value, void *target);
zt_result scene_read_morphs(document_reader *r, const document_node *value, void *target);
/// The key `expression`: a name, or names with weights.
zt_result scene_read_expressions(document_reader *r, const document_node *value, void *target);
/// The key `bones` of a model or instance. `target`: a scene_instance whose model is known.
zt_result scene_read_bones(document_reader *r, const document_node *value, void *target);
/// `path` of a transform. `target`: the scene_instance.
zt_result scene_read_path(document_reader *r, const document_node *value, void *target);
/// The key `nodes`: which of them show. `target`: as above.
zt_result scene_read_nodes(document_reader *r, const document_node *value, void *target);
zt_result scene_read_springs(document_reader *r, const document_node *value, void *target);
zt_result scene_read_materials(document_reader *r, const document_node *value, void *target);

/// The keys of a model that decide how its file is loaded.
typedef struct model_file_keys {
    int handedness;                  ///< 'l', 'r', or 0: as the file is
    zt_load_def load;                ///< what it sets comes before the scene's
    bool tangents;                   ///< some material of the model or its instances needs them
    const document_node *clips_from; ///< NULL: none
} model_file_keys;

/// `file` of a model, with the clips of `clips_from`. Loaded once per path and keys.
zt_result scene_read_model_file(document_reader *r, const document_node *value,
                                const model_file_keys *keys, const zt_model **out);
/// `shape` of a model: one without a file.
zt_result scene_read_shape(document_reader *r, const document_node *value, const char *color,
                           const zt_model **out);
/// `morph_targets`: names, and files of the topology of the model of `out`. No clips_from.
zt_result scene_read_morph_targets(document_reader *r, const document_node *value,
                                   const model_file_keys *keys, scene_instance *out);
/// True when `materials` (NULL: none) have normal maps or wrinkles, which need tangents.
bool scene_materials_need_tangents(const document_node *materials);
/// `instances` as a map: appends a crowd of members like the instance of the reading.
zt_result scene_read_crowd(document_reader *r, const document_node *value);
