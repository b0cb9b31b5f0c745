// SPDX-License-Identifier: MIT
/// The scene: instances with animation, a camera, lights, the shot; what moves is a track.
#pragma once

#include "model/model.h"
#include "scene/scene_camera.h"
#include "scene/scene_light.h"
#include "scene/track.h"

typedef enum scene_loop { SCENE_LOOP_REPEAT, SCENE_LOOP_ONCE, SCENE_LOOP_PING_PONG } scene_loop;
typedef enum scene_layer_mode { SCENE_OVERRIDE, SCENE_ADDITIVE } scene_layer_mode;
typedef enum scene_ease { SCENE_EASE_SMOOTH, SCENE_EASE_SMOOTHER, SCENE_EASE_LINEAR } scene_ease;
/// Root motion of a clip: kept in the pose; removed; or moved to the instance, over loops.
typedef enum scene_root_motion {
    SCENE_ROOT_KEEP,
    SCENE_ROOT_STRIP,
    SCENE_ROOT_EXTRACT
} scene_root_motion;

/// A clip's root joint: its translation and, if asked, heading about +Y are the root motion.
typedef struct scene_root {
    int32_t node;
    const model_channel *channel;  ///< translation of the node; NULL: it only rotates
    const model_channel *rotation; ///< NULL: its rotation stays in the pose
    const double *heading_deg;     ///< [rotation->key_count] since the first key, unwrapped
    dvec3 up;                      ///< the model's +Y in the space of the node's parent, unit
    affine model_from_parent;      ///< transform of the rest pose
    bool mirrored;  ///< the parent mirrors: headings have the opposite sign in the model
    bool steady;    ///< instead of a joint's motion, the model moves at an even velocity
    dvec3 velocity; ///< in the model, units for a second of the clip
} scene_root;

/// The heading of rotation `q` of the root relative to its first key: degrees about `up`, above
/// -180 to 180, in the parent's space. `out_half`: cosine and sine of half of it. Swing and twist:
/// Dobrowolski, "Swing-twist decomposition in Clifford algebra", 2015.
double scene_root_heading(const scene_root *root, const float q[4], double out_half[2]);

enum { SCENE_LAYER_LIMIT = 64 }; ///< most layers of one instance

/// A speed that changes over shot time.
typedef struct scene_speed {
    track keys;
    const double *sum; ///< track_sums(&keys)
    bool backwards;    ///< it is below 0 at times
} scene_speed;

/// A clip that plays on a model, blended over the layers below it. `clip` -1: the rest pose.
typedef struct scene_layer {
    int32_t clip;
    scene_loop loop;
    double speed;                  ///< clip seconds per shot second; negative: backwards
    const scene_speed *speed_keys; ///< `speed` times these; NULL: constant
    bool has_range;                ///< it plays from from_s to to_s only; else the whole clip
    double from_s, to_s;           ///< clip times, from_s before to_s
    double start_s;          ///< clip time at `at_s`; with `sync` its lead over the bottom layer
    double at_s;             ///< shot time at which it starts
    bool has_begin, has_end; ///< its weight is 0 before at_s; from until_s on
    double until_s;
    double fade_s; ///< duration of fading in after at_s and of fading out before until_s
    scene_ease ease;
    track weight;      ///< 0 (the layers below) to 1 (this layer, or beyond it where it is
                       ///< additive); without keys: 1
    const float *mask; ///< factor of the weight by node, padded to 16; NULL: 1
    scene_layer_mode mode;
    int32_t reference;  ///< additive: the clip (-1: the rest pose) and its time that the layer's
    double reference_s; ///< difference is relative to
    bool sync;          ///< its cycle is in phase with that of the bottom layer
    scene_root_motion root_motion;
    const scene_root *root; ///< NULL: the clip has no root motion
} scene_layer;

/// The clip times from which to which a layer plays.
typedef struct scene_clip_range {
    double start_s, end_s;
} scene_clip_range;

static inline scene_clip_range scene_layer_range(const scene_layer *layer, const model_clip *clip)
{
    return layer->has_range ? (scene_clip_range){layer->from_s, layer->to_s}
                            : (scene_clip_range){(double)clip->start_s, (double)clip->end_s};
}

/// Clip seconds that a layer has played at a shot time, without sync: its speed's integral.
double scene_layer_played(const scene_layer *layer, double time_s);
/// True when it plays backwards at times.
static inline bool scene_layer_goes_back(const scene_layer *layer)
{
    return layer->speed < 0.0 || (layer->speed_keys && layer->speed_keys->backwards);
}

typedef struct scene_path scene_path;                   // scene_path.h
typedef struct spring_trail spring_trail;               // spring_trail.h
typedef struct scene_ik scene_ik;                       // scene_ik.h
typedef struct scene_parent_change scene_parent_change; // scene_ik.h

/// A morph target of the whole model, from a separate file.
typedef struct scene_morph_target {
    const char *name;
    const morph_target *meshes; ///< [mesh_count]
} scene_morph_target;

typedef enum scene_driver_kind {
    SCENE_DRIVER_NONE, ///< its share is 1
    SCENE_DRIVER_MORPH,
    SCENE_DRIVER_JOINT
} scene_driver_kind;

/// The weight of a morph target or the angle of a joint, mapped from `range` to a share of 0 to 1.
typedef struct scene_driver {
    scene_driver_kind kind;
    int32_t node;    ///< the joint, or the node of the mesh whose morph target drives it
    uint32_t target; ///< index of a morph target: those of the mesh, then those of the instance
    bool has_axis;   ///< the angle about `axis`, -180 to 180; else of the whole rotation, 0 to 180
    double axis[3];  ///< unit, in the space of the joint's rest pose
    double range[2]; ///< weights of the target, or degrees
} scene_driver;

/// The weight of an expression of the model over shot time.
typedef struct scene_expression {
    uint32_t expression;
    track weight; ///< 0 to 1
} scene_expression;

/// The weight of one morph target over shot time.
typedef struct scene_morph_weight {
    int32_t mesh;    ///< the mesh that has the target; -1: the instance has it
    uint32_t target; ///< index among those of the mesh or of the instance
    track weight;
    scene_driver driver; ///< multiplies it; a morph target: of the same mesh
} scene_morph_weight;

/// The difference of a member of a crowd from the transform that all of them share.
typedef struct scene_crowd_offset {
    double translation[3]; ///< added to the translation
    double yaw_deg;        ///< about +y, after the rotation
    double scale;          ///< factor of the scale
} scene_crowd_offset;

/// The maps of a material that a scene may replace.
typedef enum scene_map {
    SCENE_MAP_BASE,
    SCENE_MAP_METAL_ROUGH,
    SCENE_MAP_NORMAL,
    SCENE_MAP_OCCLUSION,
    SCENE_MAP_EMISSIVE,
    SCENE_MAP_COUNT
} scene_map;

/// A normal map blended in by `weight` times the share of its driver.
typedef struct scene_wrinkle {
    const model_texture *map, *mask; ///< mask NULL: everywhere
    scene_driver driver;
    track weight;
} scene_wrinkle;

/// The share of something that shows; a track without keys is 1.
typedef struct scene_showing {
    track visible; ///< 0 or 1, in steps
    track opacity; ///< 0 to 1
} scene_showing;

/// Of a node and all below it.
typedef struct scene_node_showing {
    int32_t node;
    scene_showing showing;
} scene_node_showing;

/// The product of both at a time.
float scene_showing_evaluate(const scene_showing *showing, double time_s);

/// Values that a scene overrides in a material of a model.
typedef struct scene_material {
    uint32_t material; ///< index in the model
    track base_color, metallic, roughness, emissive,
        normal_scale; ///< without keys: as the model has it
    bool has_map[SCENE_MAP_COUNT];
    const model_texture *map[SCENE_MAP_COUNT]; ///< where has_map; NULL removes the model's map
    bool object_space;                         ///< the normal map stores vectors in bind space
    uint32_t wrinkle_count;
    const scene_wrinkle *wrinkles;
    scene_driver driver; ///< how far numbers go from the model's to these
    scene_showing showing;
} scene_material;

typedef struct scene_texture scene_texture; // scene_texture.c

/// Joints blend so; SCENE_SKIN_FILE: as model_skin says.
typedef enum scene_skinning { SCENE_SKIN_FILE, SCENE_SKIN_LINEAR, SCENE_SKIN_DUAL } scene_skinning;

/// A bone that the scene keys, after layers, before solvers. Without keys the layers' value.
typedef struct scene_bone_keys {
    int32_t node;
    scene_layer_mode mode; ///< after the rest transform, or after that of the layers
    track translate;       ///< added, in the space and units of the parent
    track rotate;          ///< about the bone's own axes: width 3 Euler XYZ degrees or 4 quaternion
    track scale;           ///< multiplied; width 1 or 3
    track weight;          ///< 0 to 1; without keys 1
    scene_driver driver;   ///< multiplies the weight
} scene_bone_keys;

typedef struct scene_instance {
    const char *name; ///< NULL: none
    const zt_model *model;
    track translate, rotate, scale; ///< rotate: width 3 Euler XYZ degrees or width 4 quaternion;
                                    ///< scale: width 1 or 3
    const scene_path *path;         ///< the tracks are in its space; NULL: none
    const scene_crowd_offset *crowd_offset; ///< applied to the tracks; NULL: none
    bool has_matrix;
    mat4 world_from_model;     ///< replaces the tracks when has_matrix
    uint32_t layer_count;      ///< 0: the rest pose
    const scene_layer *layers; ///< bottom first
    uint32_t bone_key_count;
    const scene_bone_keys *bone_keys; ///< a later one of the same bone comes after
    uint32_t ik_count;
    const scene_ik *ik;           ///< solved in this order, after the layers
    bool seen_before_solvers;     ///< by a target with before_solvers
    bool has_springs;             ///< `springs` replaces those of the model
    const model_springs *springs; ///< NULL: none
    uint32_t parent_change_count;
    const scene_parent_change *parent_changes; ///< by rising time; none: it is placed in the world
    scene_skinning skinning;
    scene_showing showing; ///< share of the whole instance that shows
    uint32_t node_showing_count;
    const scene_node_showing *node_showings;
    uint32_t target_count, morph_count;
    const scene_morph_target *targets; ///< from separate files
    const scene_morph_weight *morphs;  ///< weights that the scene sets; a later one wins
    uint32_t expression_count;
    const scene_expression *expressions; ///< a later one wins
    uint32_t material_count;
    const scene_material *materials; ///< overrides, by rising material; shared between instances
} scene_instance;

/// True when a skin of the instance's model blends by dual quaternions.
static inline bool scene_skin_is_dual(const scene_instance *instance, const model_skin *skin)
{
    return instance->skinning == SCENE_SKIN_DUAL ||
           (instance->skinning == SCENE_SKIN_FILE && skin->dual_quaternions);
}

/// A space of planes, in the order of ZT_WORDS_SPACE.
typedef enum scene_space { SCENE_SPACE_WORLD, SCENE_SPACE_CAMERA } scene_space;

/// The search for light that is blocked, in the order of ZT_WORDS_QUALITY.
typedef enum scene_quality {
    SCENE_QUALITY_FAST, ///< by maps of shadows, and by the depths of the picture
    SCENE_QUALITY_FINAL ///< by rays
} scene_quality;

/// The content of a picture, in the order of ZT_WORDS_LOOK.
typedef enum scene_look {
    SCENE_LOOK_LIT,
    SCENE_LOOK_FLAT,      ///< base colours without gloss, in the light of the preset flat
    SCENE_LOOK_CLAY,      ///< grey matter in the light of the scene, with ambient occlusion
    SCENE_LOOK_NORMALS,   ///< codes 255 (n + 1) / 2 of the world's normals
    SCENE_LOOK_UV,        ///< the first texture coordinates: red u, green v, and a checker
    SCENE_LOOK_ALBEDO,    ///< base colours
    SCENE_LOOK_DEPTH,     ///< distance along the view: white at the nearest point of the bounds
    SCENE_LOOK_WIREFRAME, ///< the edges of triangles over clay
    SCENE_LOOK_SKELETON,  ///< bones and their axes over the lit picture
    SCENE_LOOK_COUNT
} scene_look;

/// Where the ground is, but for METRES in the words of scene files: by the first pose of the shot,
/// by the pose at rest, at the lowest point of the shot. See framing.c.
typedef enum scene_ground_height {
    SCENE_GROUND_AUTO,
    SCENE_GROUND_REST,
    SCENE_GROUND_SHOT,
    SCENE_GROUND_METRES ///< zt_scene.ground_m
} scene_ground_height;

typedef struct scene_frames {
    int64_t count;
    const int64_t *frame;
} scene_frames;

/// A clip of the only model of a scene, and its shot.
typedef struct scene_framed_clip {
    scene_layer layer;
    scene_frames shot;
} scene_framed_clip;

/// When springs move. Steps are taken from the start of the shot on.
typedef struct scene_spring_steps {
    double rate;     ///< steps per second
    double warmup_s; ///< before the start, with its pose
    bool has_start;
    double start_s; ///< otherwise the first frame of the shot
} scene_spring_steps;

/// A time at which something jumps: a key after one that holds, a loop that starts elsewhere.
typedef struct scene_step {
    double at_s, period_s; ///< shot times at_s + n period_s; period_s 0: once
    const struct scene_step *next;
} scene_step;

/// Options of loading a model of a scene, besides its path.
typedef struct scene_model_key {
    int handedness;
    zt_load_def load;       ///< what it sets comes before the scene's
    const char *clips_from; ///< paths of further files with clips for it, each ends with \n; or ""
    bool tangents;          ///< also for materials that need none
} scene_model_key;

/// Steps of posing an instance, in a row: step 0 its clips, step k its solver k - 1, the last its
/// springs, if any. An instance whose bones others need before its last solver has several runs.
typedef struct scene_pose_run {
    uint32_t instance, first_step, end_step; ///< first_step to before end_step
} scene_pose_run;

/// As zt_scene_load(): where another file has `named` the scene, neither it, nor what it and
/// zt_scene_apply() name, is a pipe or outside of the folder that the first `root_length` bytes of
/// `path` are, or FILE_ANYWHERE.
zt_result scene_load_below(const char *path, size_t root_length, bool named, const zt_load_def *def,
                           zt_scene **out_scene, zt_error *err);

struct zt_scene {
    budget budget_own;
    arena arena;
    zt_load_def load; ///< how its models were loaded
    const char *path;
    uint64_t inputs; ///< hash of what its pictures follow from: files, and what callers set
    bool from_file;  ///< a scene file names its models, not the caller
    bool in_memory;  ///< `path` is a name only: what the scene names comes from load.open
    size_t
        root_length; ///< bytes of the folder that paths in the scene do not leave, or FILE_ANYWHERE
    bool below;      ///< the scene itself, and what its caller names, do not leave it either
    uint32_t model_count, model_capacity;
    zt_model **models;           ///< owned
    scene_model_key *model_keys; ///< [model_count]
    scene_texture *textures;     ///< pictures that `materials` name, each once, newest first
    uint32_t instance_count, instance_capacity;
    scene_instance *instances;
    uint32_t
        ordered_count; ///< instances beyond it are posed after these, in the order of the scene
    uint32_t pose_run_count;
    const scene_pose_run *pose_runs; ///< [pose_run_count] of the first ordered_count instances
    scene_spring_steps springs;
    scene_camera camera;
    scene_blur blur;
    const scene_step *steps; ///< of its tracks, but not of speeds, and of parents
    double origin[3]; ///< origin of the scene's world, in the coordinates that the user writes
    uint32_t own_light_count;
    scene_light *own_lights;           ///< `lights` of the scene file
    scene_ambient own_ambient;         ///< `environment` of the scene file, where it names colours
    scene_environment own_environment; ///< where lighting_keys.has_image
    scene_lighting_keys lighting_keys;
    scene_ground_height ground_height;
    double ground_m;
    scene_occlusion occlusion;
    /// Made from the above by scene_light_up():
    scene_lighting lighting;
    uint32_t light_count;
    scene_light *lights;
    scene_ambient ambient;
    const model_environment *file_environment; ///< where it is SCENE_ENVIRONMENT_FILE
    bool from_model;                           ///< a bare model: default light and camera
    bool bare_file;                            ///< from a model file: clips play from their start
    double clip_frames; ///< length of the first clip; a bare file's shot is cut at the limit
    bool turn_fronts;   ///< models whose front is at -Z show it at +Z

    int32_t width, height, samples;
    int32_t supersample; ///< a picture is drawn so many times as wide and high, and reduced
    int32_t anisotropy;  ///< taps of a texture along the longer axis of a pixel, at most
    scene_quality quality;
    int32_t light_samples; ///< rays of a pixel for a kind of light, where quality is final
    scene_frames shot;     ///< all frames of the shot; framing depends on these
    scene_frames selected; ///< those to render
    uint32_t planes;       ///< the set of `output.planes`; 0: not set
    int32_t fps_numerator, fps_denominator;
    double freeze_time_s; ///< time of all clips; NaN: they play
    bool transparent;
    bool background_environment; ///< the background is the environment
    float background[3];         ///< otherwise; linear, not tone-mapped
    double exposure_ev;
    scene_look look;
    scene_space planes_space; ///< of planes of positions and normals
    scene_turntable turntable;
    bool lights_turn; ///< with the azimuth of the orbit camera
    uint32_t framed_count;
    const scene_framed_clip *framed; ///< the framing fits these clips instead of what plays
    int32_t directions;              ///< N > 1: the framing fits what N azimuths see, evenly around
    model_up up;         ///< axis of the models' files that points up; UP_AS_IS: as they were read
    uint64_t edit_stamp; ///< clock at the last edit; renderers recompute framing when it changes
    const zt_scene *loaded; ///< as it was after loading; NULL: it was not loaded
};

/// ZT_ERR_ARGUMENT for an aperture of a camera that has no perspective.
zt_result scene_blur_check(const zt_scene *scene, zt_error *err);
/// ZT_ERR_LIMIT when so many sub-frames, 1 without blur, exceed zt_limits.samples.
zt_result scene_blur_limit(const zt_scene *scene, int32_t subframes, zt_error *err);
/// The most sub-frames that scene_blur_limit() lets pass, for SCENE_SUBFRAMES_AUTO; it may be 0.
int32_t scene_blur_subframes_max(const zt_scene *scene);

/// True when a light has shadows, which are fitted to the bounds over the shot.
bool scene_has_shadows(const zt_scene *scene);

/// Reads the height of the ground: a word or metres. False: it is neither.
bool scene_ground_set_height(zt_scene *scene, const char *text);

/// True when lamps of models join the light of a studio: the scene has no lights of its own.
bool scene_joins_lamps(const zt_scene *scene);

/// Thumbnails up to these sides are drawn twice and four times as wide and high.
enum { SCENE_SMALL_THUMBNAIL = 320, SCENE_SMALLEST_THUMBNAIL = 64 };

/// The times of one frame. Made once, by scene_frame_time, and passed down to every stage.
typedef struct frame_time {
    int64_t frame;
    double part;        ///< of the way to the next frame, of a sub-frame
    double shot_s;      ///< seconds of the shot, which the keys of the scene follow
    double animation_s; ///< what clips follow: shot_s, or the time at which the scene is frozen
    const spring_trail *trail; ///< known states of springs; NULL: none. Changes no pose
} frame_time;

/// shot_s is frame * denominator / numerator in double, one division.
frame_time scene_frame_time(const zt_scene *scene, int64_t frame);
/// A time between frames; its `frame` is 0.
frame_time scene_shot_time(const zt_scene *scene, double shot_s);

/// The springs of an instance: its own or those of its model; NULL: none.
static inline const model_springs *scene_springs(const scene_instance *instance)
{
    const model_springs *springs =
        instance->has_springs ? instance->springs : instance->model->springs;
    return springs && springs->link_count > 0 ? springs : NULL;
}

static inline uint32_t scene_step_count(const scene_instance *instance)
{
    return instance->ik_count + 1 + (scene_springs(instance) != NULL);
}

static inline uint32_t scene_pose_run_count(const zt_scene *scene)
{
    return scene->pose_run_count + (scene->instance_count - scene->ordered_count);
}

/// The instance to pose as number `index`, after all that it depends on.
static inline scene_pose_run scene_pose_run_at(const zt_scene *scene, uint32_t index)
{
    if (index < scene->pose_run_count)
        return scene->pose_runs[index];
    const uint32_t instance = scene->ordered_count + (index - scene->pose_run_count);
    return (scene_pose_run){instance, 0, scene_step_count(&scene->instances[instance])};
}
