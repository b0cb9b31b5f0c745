// SPDX-License-Identifier: MIT
/// The scene at a time in stages' types: draws, materials, lights, film settings, in one arena.
#pragma once

#include "film/film.h"
#include "geometry/geometry.h"
#include "pose/pose.h"
#include "render/camera.h"
#include "scene/scene.h"
#include "shade/light.h"
#include "shadow/shadow_fit.h"

/// The turn of lights with the camera, about the vertical, counter-clockwise from above.
typedef struct frame_light_turn {
    bool turned;
    double deg, sine, cosine;
    double axis[3]; ///< a point of the vertical axis: what the camera looks at, also where no light
                    ///< turns
} frame_light_turn;

/// Materials that are copies of `count` others from `from` on: faded, or made for outlines.
typedef struct frame_variant {
    uint32_t first_material, from, count;
    float share; ///< part that remains of what the other shows
    bool outline;
} frame_variant;

typedef struct frame_pose {
    const pose_loops *loops;            ///< that posed it
    const mat4 *const *world_from_node; ///< [instance][node]
    geometry_draw *draws;               ///< one per visible node with a mesh, in scene order
    uint32_t draw_count;
    /// Skinned meshes that several draws show, in the space of their model.
    geometry_draw *posed_meshes;
    uint32_t posed_mesh_count;
    const uint32_t *first_material; ///< [instance] in the frame's table of materials
    uint32_t material_count;        ///< entries of the table
    /// [instance][property of its model]; NULL for instances whose clips move no properties.
    const model_property_value **properties;
    const float **showing;      ///< [instance] of pose_showing()
    const float *whole_showing; ///< [instance] of the part of the table that it shows
    frame_variant *variants;    ///< [variant_count] of nodes that show less than their instances,
                                ///< and of outlines
    uint32_t variant_count;
    frame_light_turn light_turn;
} frame_pose;

/// True when a node may show a mesh at some time.
static inline bool node_has_draw(const model_node *node)
{
    return node->in_scene && node->mesh >= 0;
}

/// The share of the mesh of node `n` that shows. `showing`: of pose_showing().
static inline float node_showing(const zt_model *model, uint32_t n, const float *showing)
{
    const model_node *node = &model->nodes[n];
    return node->mesh < 0 ? 0.0f : showing ? showing[n] : node->visible ? 1.0f : 0.0f;
}

static inline bool node_is_skinned(const zt_model *model, const model_node *node)
{
    return node_has_draw(node) && node->skin >= 0 && model->meshes[node->mesh].joints;
}

/// Moves the texture coordinates of toon materials to where they are at a time.
zt_result frame_move_uv(shade_material *materials, uint32_t count, double time_s, arena *a,
                        zt_error *err);
/// True when the frame draws outlines of the mesh.
bool frame_has_outline(const zt_scene *scene, const zt_model *model, const model_mesh *mesh);
/// Makes a draw an outline, whose widths are not known yet.
zt_result frame_outline_begin(geometry_draw *draw, arena *a, zt_error *err);
/// The part of the table of materials in which outlines alone show.
zt_result frame_outline_materials(shade_material *materials, uint32_t count, arena *a,
                                  zt_error *err);
/// The widths of all outlines, in a picture of the camera.
zt_result frame_outline_widths(const frame_pose *pose, const shade_material *materials,
                               const view_camera *camera, arena *a, zt_error *err);

/// The materials of the instance before, and which of them are hidden: a crowd shares them.
typedef struct hidden_materials {
    const struct model_material *materials;
    const bool *hidden; ///< NULL: none
} hidden_materials;
/// *out: the materials of instance `i` that are hidden at a time, [material_count]; NULL: none.
zt_result frame_hidden_materials(const zt_scene *scene, uint32_t i,
                                 const mat4 *const *world_from_node, frame_time time, arena *a,
                                 hidden_materials *before, const bool **out, zt_error *err);

/// Poses all instances and builds the draws. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result frame_pose_build(const pose_loops *loops, const zt_scene *scene, frame_time time,
                           arena *a, frame_pose *out, zt_error *err);

/// The positions of a frame's vertices at another time, and the camera, for motion.
typedef struct frame_motion {
    geometry_frame geometry; ///< geometry_skin fills its positions
    view_camera camera;
    const geometry_draw **draw; ///< [draw of the frame] its mesh then, in world space or by
                                ///< posed_mesh; NULL: it does not show then, or is the ground
} frame_motion;

/// Prepares the positions of the draws of `pose` at `time`, in `a`.
zt_result frame_motion_build(const zt_scene *scene, const scene_framing *framing,
                             const frame_pose *pose, frame_time time, arena *a, frame_motion *out,
                             zt_error *err);

/// Sets pose->first_material and pose->material_count: the part of the table that each instance
/// shows, numbered by first appearance. pose->properties must be set. False: no memory.
bool frame_materials_count(const zt_scene *scene, const pose_sharing *sharing, arena *a,
                           frame_pose *pose);
/// True when a material of the mesh has normals in object space.
bool frame_needs_axes(const scene_instance *instance, const model_mesh *mesh);
/// The table: the materials of every model as clips and the scene change them at a time.
/// *out_count is pose->material_count; there is room for one more, that of the ground.
zt_result frame_materials(const zt_scene *scene, const frame_pose *pose, frame_time time, arena *a,
                          shade_material **out_materials, uint32_t *out_count, zt_error *err);

/// A light at the time of the frame.
typedef struct frame_light {
    const scene_light *scene;
    light_source source;
    shadow_maps *shadow; ///< NULL: it casts none; else frame_lights has left its maps empty
    uint32_t emitter;    ///< 1 + the number of the draw that emits it; 0: a lamp
} frame_light;

enum { FRAME_EMITTERS = 9 }; ///< the strongest count: each draws six maps

typedef struct frame_light_set {
    frame_light *lights;  ///< [count], in the order of shade_frame.lights; room for emitters
    shade_light *shaded;  ///< shade_frame.lights, and
    shadow_maps *shadows; ///< shade_frame.shadows, with the same room
    uint32_t count;
    int32_t map_size; ///< texels a side of shadow maps without a size of their own; half for cubes
} frame_light_set;

/// Fills lights, their shadows without maps, and ambient light of `out`. Poses models that lights
/// follow. pose->light_turn turns lights of the scene; those of a model or following one stay.
/// `framing`: by its bounds lamps of models join a studio; NULL: they do not.
zt_result frame_lights(const zt_scene *scene, const frame_pose *pose, frame_time time,
                       const scene_framing *framing, arena *a, shade_frame *out,
                       frame_light_set *out_lights, zt_error *err);

/// False: no surface lights others in any frame. Those that do need the bounds of the shot.
bool frame_may_have_emitters(const zt_scene *scene);

/// The lights of the set that cast shadows: *out_lights [*out_count].
zt_result frame_shadow_lights(const frame_light_set *lights, arena *a, shadow_light **out_lights,
                              int32_t *out_count, zt_error *err);

/// Sets the view of the scene's environment, if any, from `made`; adds `turn_deg` to its rotation.
zt_result frame_environment(const zt_scene *scene, const environment *made, frame_time time,
                            double turn_deg, arena *a, shade_frame *out, zt_error *err);

/// Sets the backdrop of `out` if it is the environment. `shade`: rays of a view of this size.
zt_result frame_backdrop(const zt_scene *scene, const shade_frame *shade, int32_t width,
                         int32_t height, arena *a, film_settings *out, zt_error *err);

/// Exposure, tone map and background of the scene.
void frame_film(const zt_scene *scene, film_settings *out);
