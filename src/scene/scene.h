// SPDX-License-Identifier: MIT
/// What to show: models placed in the world with their clips, a camera, lights, and the shot. Every
/// number that can move is a track over shot time.
#ifndef ZT_SCENE_SCENE_H
#define ZT_SCENE_SCENE_H

#include "model/model.h"

/// A number or vector that may move: linear between keys, held outside, seconds of the shot.
typedef struct track {
    uint32_t key_count; ///< 1: constant
    uint32_t width;     ///< numbers per key, 1..4
    const double *time_s;
    const double *value; ///< [key_count * width]
} track;

/// How many keys are at or before time_s.
uint32_t track_keys_until(const track *t, double time_s);
void track_at(const track *t, double time_s, double *out_value);
/// A constant track of up to 4 numbers in `a`; false when memory ran out.
bool track_constant(arena *a, const double *value, uint32_t width, track *out);

typedef enum scene_loop { SCENE_LOOP_REPEAT, SCENE_LOOP_ONCE, SCENE_LOOP_PING_PONG } scene_loop;
typedef enum scene_layer_mode { SCENE_OVERRIDE, SCENE_ADDITIVE } scene_layer_mode;
typedef enum scene_ease { SCENE_EASE_SMOOTH, SCENE_EASE_SMOOTHER, SCENE_EASE_LINEAR } scene_ease;
/// What becomes of the way that a clip moves its root across the ground: it stays in the pose; it
/// is taken out; it is taken out and carries the instance along, loop after loop.
typedef enum scene_root_motion {
    SCENE_ROOT_KEEP,
    SCENE_ROOT_STRIP,
    SCENE_ROOT_EXTRACT
} scene_root_motion;

/// The node whose translation in a clip, and whose turn about the model's +Y if the scene asks for
/// it, are a character's way.
typedef struct scene_root {
    int32_t node;
    const model_channel *channel;   ///< its translation; NULL: it only turns
    const model_channel *rotation;  ///< NULL: turns stay in the pose
    const double *turn_deg;         ///< [rotation->key_count] since the first key, without jumps
    double up[3];                   ///< the model's +Y in the space of its parent, unit length
    double model_from_parent[4][3]; ///< by columns, the origin last, as authored
    bool mirrored;                  ///< it turns the other way in the model
} scene_root;

/// How far a rotation of the root's clip is turned about `up` from that of its first key: degrees
/// in its parent's space, above -180 to 180. `out_half`: cosine and sine of its half. Swing and
/// twist: Dobrowolski, "Swing-twist decomposition in Clifford algebra", 2015.
double scene_root_turn(const scene_root *root, const float q[4], double out_half[2]);

enum { SCENE_LAYER_LIMIT = 64 }; ///< of one instance

/// One clip playing on a model, over the layers below it. `clip` -1: the pose as authored.
typedef struct scene_layer {
    int32_t clip;
    scene_loop loop;
    double speed;     ///< clip seconds per shot second; below 0: backwards
    double start_s;   ///< clip time at `at_s`; with `sync` its lead over the bottom layer
    double at_s;      ///< shot time at which it starts
    bool comes, goes; ///< nothing of it shows before at_s; from until_s on
    double until_s;
    double fade_s; ///< how long coming and going take
    scene_ease ease;
    track weight;      ///< 0 (what is below) to 1 (all of it); without keys: 1
    const float *mask; ///< NULL, or by node, padded to 16: what its weight is multiplied with
    scene_layer_mode mode;
    int32_t reference;  ///< additive: the clip (-1: the pose as authored) and its time from which
    double reference_s; ///< the layer's difference is taken
    bool sync;          ///< its cycle keeps step with that of the bottom layer
    scene_root_motion root_motion;
    const scene_root *root; ///< NULL: no way to take out
} scene_layer;

typedef struct scene_ik scene_ik;         // scene_ik.h
typedef struct scene_parent scene_parent; // scene_ik.h

/// A morph target from a separate file, for the whole model.
typedef struct scene_shape {
    const char *name;
    const morph_shape *shapes; ///< [mesh_count]
} scene_shape;

/// The weight of one morph target over shot time.
typedef struct scene_morph {
    int32_t mesh;    ///< whose target it is; -1: one of the instance's
    uint32_t target; ///< number of the mesh's or the instance's target
    track weight;
} scene_morph;

/// How a member of a crowd stands beside the transform that all of them share.
typedef struct scene_place {
    double move[3];  ///< added to the translation
    double turn_deg; ///< about +y, after the rotation
    double size;     ///< multiplies the scale
} scene_place;

/// The maps of a material that a scene may replace.
typedef enum scene_map {
    SCENE_MAP_BASE,
    SCENE_MAP_METAL_ROUGH,
    SCENE_MAP_NORMAL,
    SCENE_MAP_OCCLUSION,
    SCENE_MAP_EMISSIVE,
    SCENE_MAP_COUNT
} scene_map;

typedef enum scene_wrinkle_driver {
    SCENE_WRINKLE_KEYS, ///< its weight alone
    SCENE_WRINKLE_MORPH,
    SCENE_WRINKLE_JOINT
} scene_wrinkle_driver;

/// A normal map that shows as far as something drives it. Its weight is `weight`, times the
/// driver's value over `range` as 0 to 1.
typedef struct scene_wrinkle {
    const model_texture *map, *mask; ///< mask NULL: everywhere
    scene_wrinkle_driver driver;
    int32_t node;    ///< of the mesh whose morph target drives it, or the joint
    uint32_t target; ///< number of the mesh's, from its own count on of the instance's
    bool has_axis;   ///< angle about `axis`, -180 to 180, else that of the whole turn, 0 to 180
    double axis[3];  ///< unit, in the joint's space as authored
    double range[2]; ///< weights of the target, or degrees
    track weight;
} scene_wrinkle;

/// What a scene changes of a material of a model.
typedef struct scene_material {
    uint32_t material; ///< of the model
    track base_color, metallic, roughness, emissive,
        normal_scale; ///< without keys: as the model has it
    bool has_map[SCENE_MAP_COUNT];
    const model_texture *map[SCENE_MAP_COUNT]; ///< where has_map: NULL takes the model's away
    bool object_space;                         ///< of the normal map
    uint32_t wrinkle_count;
    const scene_wrinkle *wrinkles;
} scene_material;

typedef struct scene_texture scene_texture; // scene_texture.c

typedef enum scene_skinning { SCENE_SKIN_LINEAR, SCENE_SKIN_DUAL } scene_skinning;

typedef struct scene_instance {
    const char *name;
    const zt_model *model;
    track translate, rotate, scale; ///< rotate: width 3 Euler XYZ degrees or width 4 quaternion;
                                    ///< scale: width 1 or 3
    const scene_place *place;       ///< beside the tracks; NULL: where they say
    bool has_matrix;
    mat4 world_from_model;     ///< used instead of the tracks when has_matrix
    uint32_t layer_count;      ///< 0: the pose as authored
    const scene_layer *layers; ///< bottom first
    uint32_t ik_count;
    const scene_ik *ik; ///< solved one after the other, after the layers
    uint32_t parent_count;
    const scene_parent *parents; ///< what it rides on, by time; none: it stands in the world
    scene_skinning skinning;
    uint32_t target_count, morph_count;
    const scene_shape *targets; ///< from separate files
    const scene_morph *morphs;  ///< weights that the scene gives
    uint32_t material_count;
    const scene_material *materials; ///< what changes, by rising material; shared where the same
} scene_instance;

typedef enum scene_camera_kind {
    SCENE_CAMERA_ORBIT, ///< around a target
    SCENE_CAMERA_LOOK,  ///< position, target, up
    SCENE_CAMERA_MODEL, ///< a camera node of a model
} scene_camera_kind;

typedef struct scene_camera {
    scene_camera_kind kind;
    bool target_auto, distance_auto; ///< framed over the shot from the posed bounds
    track target, azimuth_deg, elevation_deg, distance; ///< orbit; target also for look
    track position, up;                                 ///< look
    track fov_deg;                                      ///< vertical
    double zoom;                                        ///< divides the auto distance
    bool orthographic;
    double ortho_height;    ///< metres, 0 = auto
    double near_m, far_m;   ///< 0 = chosen from the scene
    int32_t instance, node; ///< model camera
} scene_camera;

typedef struct scene_light {
    model_light_kind kind;
    track color;                 ///< linear RGB
    track intensity;             ///< lux (directional) or candela
    track position, direction;   ///< world space; direction is the way the light travels
    double range_m;              ///< 0: unlimited
    double inner_deg, outer_deg; ///< half angles of the cone
    int32_t instance, node; ///< >= 0: placed by this node of a model (KHR_lights_punctual), else -1
} scene_light;

/// The ambient light: `ground` below, `sky` above, mixed by the height of the normal.
typedef struct scene_ambient {
    float sky[3], ground[3]; ///< linear radiance; equal: constant
} scene_ambient;

typedef struct scene_frames {
    int64_t count;
    const int64_t *frame;
} scene_frames;

/// How a model of a scene was asked for, besides its path.
typedef struct scene_model_key {
    int handedness;
    const char *clips_from; ///< the paths of the files that lend it clips, a line each; or ""
    bool tangents;          ///< also where its own materials need none
} scene_model_key;

struct zt_scene {
    budget budget_own;
    arena arena;
    zt_load_def load; ///< how its models were loaded
    const char *path;
    uint32_t model_count, model_capacity;
    zt_model **models;           ///< owned
    scene_model_key *model_keys; ///< as asked for, [model_count]
    scene_texture *textures;     ///< of `materials`, each once, newest first
    uint32_t instance_count, instance_capacity;
    scene_instance *instances;
    uint32_t ordered_count;     ///< instances beyond it are posed in the order of the scene
    const uint32_t *pose_order; ///< [ordered_count] each after those whose pose it needs
    scene_camera camera;
    uint32_t light_count;
    scene_light *lights;
    scene_ambient ambient;
    bool from_model; ///< a bare model: default light and camera

    int32_t width, height, samples;
    scene_frames shot;     ///< all frames of the shot: framing is decided over these
    scene_frames selected; ///< those to render
    int32_t fps_numerator, fps_denominator;
    double freeze_time_s; ///< NaN: running
    bool transparent;
    float background[3]; ///< linear, shown as it is (not tone-mapped)
    double exposure_ev;
    zt_tone_map tone_map;
    int32_t turntable_count;
    int32_t up_axis;     ///< which axis of the models stands up: y x z -x -y -z
    uint64_t edit_stamp; ///< clock at the last edit: tells renderers that framing is stale
};

/// Time of a frame in seconds: frame * denominator / numerator in double, one division.
double scene_time_of_frame(const zt_scene *scene, int64_t frame);

/// The instance that is posed as number `place`, so that what it needs is posed before it.
static inline uint32_t scene_posed_at(const zt_scene *scene, uint32_t place)
{
    return place < scene->ordered_count ? scene->pose_order[place] : place;
}

/// Parses "12", "1-10", "1..10", "-5..5", "1-100x5", "1,3,7-9" into rising or given order without
/// duplicates. Fails with ZT_ERR_ARGUMENT naming the column of the fault.
zt_result scene_parse_frames(arena *a, const char *text, scene_frames *out, zt_error *err);

/// Reads a YAML or JSON scene into a zeroed zt_scene whose arena is ready.
zt_result scene_read(const char *path, file_bytes bytes, zt_scene *scene, zt_error *err);
/// Fills a zeroed zt_scene with one model, a default camera, light and shot.
zt_result scene_from_model(zt_scene *scene, const char *path, zt_error *err);
/// Loads a model into the scene once per path and key; the scene owns it.
zt_result scene_load_model(zt_scene *scene, const char *path, scene_model_key key,
                           const zt_model **out_model, zt_error *err);
/// Gives the model that was loaded last the clips of another file (model_borrow_clips).
zt_result scene_lend_clips(zt_scene *scene, const char *path, zt_error *err);
/// The nearest of `names` to a misspelt `word` by edit distance, or NULL when none is near.
const char *scene_nearest_name(const char *word, const char *const *names, size_t count);

#endif
