// SPDX-License-Identifier: MIT
/// A scene -> one glTF file: its models with the pose that the scene gives them as clips of linear
/// keys, its camera and its lights. The order of the stages is that of bake_scene() in bake.c.
///
/// Times: samples are at shot times; keys are at the same times since the first frame. Spaces:
/// node 0 of an instance is the instance itself, in the world; the nodes of its model follow.
#pragma once

#include "bake/clip_reduction.h"
#include "convert/gltf_assembly.h"
#include "kernels/kernels.h"
#include "render/camera.h"
#include "scene/scene.h"
#include "scene/spring_trail.h"

#include <math.h>

/// When the scene is sampled; bake_sample() adds times.
typedef struct bake_times {
    uint32_t count;
    const frame_time *time; ///< [count]
    const float *key_s;     ///< [count] of keys: since the first, rising
} bake_times;

/// The weights of the morph targets of a node's mesh.
typedef struct bake_morph {
    uint32_t node, target_count; ///< of the model
    size_t first;                ///< of its weights among those of all instances
    float *weight;               ///< [sample][target_count]
    float *largest;              ///< [target_count] largest |weight|
    double *reach;               ///< [target_count] how far weight 1 moves a vertex, bind space
    double scale;                ///< largest scale of the bind space in the world
    const key_list *keys;        ///< one key: nothing moves
} bake_morph;

typedef struct bake_instance {
    const scene_instance *scene;
    const char *name;
    clip_samples samples; ///< its nodes, points and local transforms
    clip_node *nodes;
    trs *local;
    mat4 *world;       ///< [sample] world_from_model, of which the transform of node 0 is T R S
    size_t first_node; ///< among those of all instances
    uint32_t morph_count;
    bake_morph *morphs;
    double size;     ///< diagonal of its points at rest, in the space of the model
    double scale;    ///< largest scale of that space in the world
    double residual; ///< distance of a point that its T R S cannot express: shear
    clip_reduced reduced;
} bake_instance;

typedef struct bake_job {
    const zt_scene *scene;
    zt_bake_def def;
    const kernel_table *kernels;
    arena *a; ///< lives until the files are written
    bake_times times;
    spring_trail trail;
    scene_framing framing;
    bake_instance *instances; ///< [instance_count]
    dvec3 min, max;           ///< of the nodes of all instances over the shot, in the world
    double size;              ///< largest size of an instance in the world; 1 without any
    gltf_assembly assembly;
    struct gltf_times *key_times; ///< of all clips
    gltf_clip shot;               ///< the only clip, where def.one_clip
    bool has_shot;
    zt_error *err;
} bake_job;

/// No vector becomes longer than this times its length: the Frobenius norm.
static inline double bake_norm(const dmat3 *m)
{
    return sqrt(dvec3_dot(m->x, m->x) + dvec3_dot(m->y, m->y) + dvec3_dot(m->z, m->z));
}

/// Frames, and the keys of the scene and of its clips between them (bake_times.c).
zt_result bake_find_times(bake_job *bake);

/// The morphs of an instance (bake_points.c), without samples.
zt_result bake_find_morphs(bake_job *bake, bake_instance *instance);
/// Nodes and points of an instance. Points of a node: its origin, the ends of its axes, as long as
/// the bone, and the corners of the box around vertices that it moves, also by the largest weights
/// of targets known so far, which no linear blend of joints moves farther.
zt_result bake_find_points(bake_job *bake, bake_instance *instance);

/// Nearer times than this are one.
#define BAKE_MIN_STEP_S 1e-4
/// The part of the error that is for what lies between samples.
#define BAKE_BETWEEN 0.25

/// Samples all instances at the times of the scene and at more between them (bake_sample.c).
zt_result bake_sample(bake_job *bake);
/// Metres in the world: def.error is a part of it.
double bake_size(const bake_job *bake, const bake_instance *instance);
/// Metres that a weight of 1 counts: as far as it moves a vertex, else, where a target moves
/// texture coordinates alone, the size of the instance.
static inline double bake_weight_reach(const bake_morph *morph, uint32_t target, double size)
{
    return morph->reach[target] > 0.0 ? morph->reach[target] * morph->scale : size;
}
/// Finds the residual of an instance (bake_instance.c).
zt_result bake_measure(bake_job *bake, bake_instance *instance);
/// Reduces the samples of an instance to keys within def.error of its size.
zt_result bake_reduce(bake_job *bake, bake_instance *instance);
/// Samples of what the scene and its model moved to their origins, in the coordinates of the files.
void bake_move_from_origin(bake_job *bake, bake_instance *instance);

/// Nodes, skins and clip of an instance (bake_clip.c).
zt_result bake_write_instance(bake_job *bake, const bake_instance *instance, const gltf_part *part,
                              json_value *roots);
/// The motion of a thing without bones: transforms, and numbers that KHR_animation_pointer moves.
typedef struct bake_object {
    const char *name;
    const trs *local;    ///< [sample_count]
    const dvec3 *points; ///< in its own space
    uint32_t point_count;
    double tolerance; ///< metres at those points
} bake_object;
/// Adds a node of such a thing to the file and to `roots`, and its keys to a clip.
zt_result bake_write_object(bake_job *bake, const bake_object *object, json_value *roots,
                            gltf_clip *clip, json_value **out_node);
/// Adds keys of `width` numbers, [sample][width], within def.error of the largest number, to what a
/// JSON pointer leads to; nothing when they stay as they are.
zt_result bake_write_numbers(bake_job *bake, const float *value, uint32_t width,
                             const char *pointer, gltf_clip *clip);
/// A clip of its own, or the only one; gltf_clip_end() is for bake_end_clip().
gltf_clip bake_begin_clip(bake_job *bake);
void bake_end_clip(bake_job *bake, gltf_clip *clip, const char *name);

/// The camera, unless a model has it (bake_camera.c), and the lights of the scene (bake_lights.c).
zt_result bake_find_framing(bake_job *bake);
zt_result bake_write_camera(bake_job *bake, json_value *roots);
zt_result bake_write_lights(bake_job *bake, json_value *roots);

/// A camera or a light at a time, seen from the origin of the scene.
typedef struct bake_thing {
    trs local;
    float number[4];    ///< angle or height of the view; colour and intensity
    double size, reach; ///< metres of which def.error is a part, and how far away
} bake_thing;
zt_result bake_camera_at(bake_job *bake, frame_time time, view_camera *view, bake_thing *out);
zt_result bake_light_at(bake_job *bake, const scene_light *light, frame_time time, bake_thing *out);

/// Reports what the file does not hold (bake_losses.c).
zt_result bake_report_losses(bake_job *bake);
