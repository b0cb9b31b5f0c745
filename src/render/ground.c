// SPDX-License-Identifier: MIT
// The square of the ground, its material, and what the ground sees above it.
#include "render/ground.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

/// The ground is lower than the lowest point by this part of the bounds' diagonal: surfaces that
/// lie on it are not as near as it is.
static const double below = 2e-4;

/// Radii of the bounds between which the ground fades: beyond shadows, before the horizon.
static const double fade_from = 3.0, fade_to = 9.0;

/// The part of the picture's smaller side over which shadows fade at the border of a picture that
/// frames its models by itself. Other cameras cut off what they were meant to.
static const double border_share = 0.1;

/// Shadows of lights fade between these shares of the radius of the largest ball that stays between
/// the side borders of a turn.
static const double turn_fade_from = 0.65, turn_fade_to = 1.0;

/// Linear albedo of a plane, and of the squares of a checker.
static const float plane_albedo = 0.4f, checker_albedo[2] = {0.55f, 0.3f};

typedef struct ground_bounds {
    double center[3], half[3], radius;
} ground_bounds;

static ground_bounds bounds_of(const scene_framing *f)
{
    ground_bounds b;
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        b.center[k] = ((double)f->min[k] + (double)f->max[k]) * 0.5;
        b.half[k] = ((double)f->max[k] - (double)f->min[k]) * 0.5;
        sum += b.half[k] * b.half[k];
    }
    b.radius = sqrt(sum) > 1e-6 ? sqrt(sum) : 1e-6;
    return b;
}

/// The distance beyond the bounds where the contact shadow ends. About as far as the geometric mean
/// of its height and its width, what stands there hides little of the sky.
static double contact_reach(const ground_bounds *b, double ground_m)
{
    const double wide = sqrt(b->half[0] * b->half[0] + b->half[2] * b->half[2]);
    const double high = b->center[1] + b->half[1] - ground_m;
    return 0.7 * sqrt(wide * maths_max(high, 0.0));
}

/// The side of squares of a checker: 1, 2 or 5 times a power of ten, at most half a radius.
static double square_side(double radius)
{
    static const double steps[] = {2.0, 2.5, 2.0};
    double side = 1e-9;
    for (int i = 0; i < 60 && side * steps[i % 3] <= radius * 0.5; i++)
        side *= steps[i % 3];
    return side;
}

/// `axis`: a point of the axis of a camera that turns. It may move, and the fade with it: the
/// picture has it in its middle.
static void ground_place(const zt_scene *scene, const scene_framing *framing, const double axis[3],
                         frame_ground *g)
{
    const ground_bounds b = bounds_of(framing);
    const scene_floor kind = scene->lighting.ground;
    const bool wide = kind != SCENE_FLOOR_SHADOW || scene_has_shadows(scene) ||
                      scene->quality == SCENE_QUALITY_FINAL;
    const bool framed = scene->camera.kind == SCENE_CAMERA_ORBIT && scene->camera.distance_auto;
    const bool turns = scene->turntable.count > 0 || scene->directions > 1 ||
                       scene->camera.azimuth_deg.key_count > 1;
    const bool within = framed && turns && kind == SCENE_FLOOR_SHADOW;
    const double reach = contact_reach(&b, framing->ground_m);
    const double contact = reach + (b.half[0] > b.half[2] ? b.half[0] : b.half[2]);
    g->shade = (shade_ground){
        .lit = kind != SCENE_FLOOR_SHADOW,
        .height = (float)(framing->ground_m - 2.0 * below * b.radius),
        .center = {(float)b.center[0], (float)b.center[2]},
        .radius = (float)b.radius,
        .fade_center = {(float)(within ? axis : b.center)[0], (float)(within ? axis : b.center)[2]},
        .fade_from = (float)(b.radius * fade_from),
        .fade_to = (float)(b.radius * fade_to),
        .fades_within = within,
        .square_m = (float)square_side(b.radius),
        .albedo = {plane_albedo, plane_albedo},
        .contact_strength = (float)scene->lighting.contact_shadow,
        .border_px = framed ? (float)(border_share * maths_min(scene->width, scene->height) *
                                      scene->supersample)
                            : 0.0f,
        .display_alpha = scene->transparent,
    };
    if (kind == SCENE_FLOOR_CHECKER)
        memcpy(g->shade.albedo, checker_albedo, sizeof checker_albedo);
    g->reach_m = wide ? g->shade.fade_to : (float)contact;
    g->has_contact = scene->lighting.contact_shadow > 0.0;
    g->contact.reach_m = (float)reach;
}

/// The square as a mesh: two triangles that face up.
static model_mesh *square_mesh(const frame_ground *g, arena *a)
{
    static const uint8_t corners[3][2] = {{0, 0}, {2, 3}, {1, 2}};
    const shade_ground *s = &g->shade;
    model_mesh *mesh = ARENA_ARRAY(a, model_mesh, 1);
    meshlet *m = ARENA_ARRAY(a, meshlet, 1);
    vertex_position *position = ARENA_ARRAY(a, vertex_position, 16);
    vertex_attributes *attributes = ARENA_ARRAY(a, vertex_attributes, 16);
    uint32_t *vertex = ARENA_ARRAY(a, uint32_t, 4);
    uint8_t *corner = ARENA_ARRAY(a, uint8_t, 48);
    if (!mesh || !m || !position || !attributes || !vertex || !corner)
        return NULL;
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t k = i < 4 ? i : 3;
        const float x = k == 1 || k == 2 ? g->reach_m : -g->reach_m;
        const float z = k >= 2 ? g->reach_m : -g->reach_m;
        position[i] = (vertex_position){s->center[0] + x, s->height, s->center[1] + z, 1.0f};
        attributes[i] = (vertex_attributes){.ny = 1.0f, .tx = 1.0f};
    }
    for (uint32_t i = 0; i < 4; i++)
        vertex[i] = i;
    *m = (meshlet){.vertex_count = 4, .triangle_count = 2};
    *mesh = (model_mesh){.name = "ground",
                         .vertex_count = 4,
                         .triangle_count = 2,
                         .meshlet_count = 1,
                         .position = position,
                         .attributes = attributes,
                         .meshlets = m,
                         .meshlet_vertex = vertex};
    for (int k = 0; k < 3; k++) {
        memcpy(corner + 16 * k, corners[k], 2);
        mesh->meshlet_corner[k] = corner + 16 * k;
    }
    return mesh;
}

zt_result ground_add(const zt_scene *scene, const scene_framing *framing, arena *a,
                     frame_pose *pose, shade_material *materials, frame_ground **out, zt_error *err)
{
    *out = NULL;
    if (scene->lighting.ground == SCENE_FLOOR_NONE)
        return ZT_OK;
    frame_ground *g = ARENA_ARRAY(a, frame_ground, 1);
    skin_matrix *identity = ARENA_ARRAY(a, skin_matrix, 1);
    if (!g || !identity)
        return arena_fail(a, err, "ground");
    ground_place(scene, framing, pose->light_turn.axis, g);
    const model_mesh *mesh = square_mesh(g, a);
    if (!mesh)
        return arena_fail(a, err, "ground");
    for (int k = 0; k < 4; k++)
        identity->column[k][k] = 1.0f;
    materials[pose->material_count] = (shade_material){
        .ground = &g->shade, .blended = true, .base_color = {1.0f, 1.0f, 1.0f, 1.0f}};
    pose->draws[pose->draw_count++] = (geometry_draw){.mesh = mesh,
                                                      .instance = DRAW_NO_INSTANCE,
                                                      .palette = identity,
                                                      .normals = identity,
                                                      .matrix_count = 1,
                                                      .first_material = pose->material_count};
    pose->material_count++;
    *out = g;
    return ZT_OK;
}

zt_result ground_contact_init(frame_ground *g, const scene_framing *framing, int32_t picture_side,
                              const view_shared shared[GROUND_PASSES], int32_t run_count,
                              arena *texels, shadow_pass passes[GROUND_PASSES], zt_error *err)
{
    static const double up[3] = {0.0, 1.0, 0.0};
    shadow_bounds reach = scene_framing_bounds(framing);
    // Nothing below the ground casts a shadow on it.
    reach.min[1] = (float)maths_min(framing->ground_m, (double)reach.max[1]);
    view_camera camera;
    int32_t width, height;
    for (int k = 0; k < 3; k += 2) {
        reach.min[k] -= g->contact.reach_m;
        reach.max[k] += g->contact.reach_m;
    }
    // A factor of two: slices keep their heights.
    const int32_t side = picture_side > 2048 ? 512 : 256;
    shadow_fit_box(&reach, up, 0.0, side, &camera, &width, &height);
    g->contact.map = &g->map;
    g->contact.tops = &g->tops;
    g->contact.base_m = (float)(camera.eye[1] - (double)reach.min[1]);
    g->contact.height_m = g->contact.base_m + (float)(camera.far_m - camera.near_m);
    ZT_TRY(
        shadow_view_init(shared, &camera, width, height, run_count, texels, &g->map, passes, err));
    for (int k = 0; k < 3; k++) {
        camera.eye[k] += camera.forward[k] * (camera.near_m + camera.far_m);
        camera.forward[k] = -camera.forward[k];
        camera.up[k] = -camera.up[k];
    }
    ZT_TRY(shadow_view_init(shared + 1, &camera, width, height, run_count, shared->arena, &g->tops,
                            passes + 1, err));
    g->shade.contact = &g->map;
    return ZT_OK;
}

void ground_fade_turning(frame_ground *g, const zt_scene *scene, const scene_framing *framing,
                         const view_camera *camera, int32_t width, int32_t height)
{
    shade_ground *s = &g->shade;
    if (!s->fades_within)
        return;
    // The largest ball around the target between the left and the right border: the same for all
    // directions.
    const double tangent = (double)width / (double)height / camera->focal;
    const double zoom = scene->camera.zoom > 0.0 ? scene->camera.zoom : 1.0;
    const double radius = camera->orthographic
                              ? camera->half_height * (double)width / (double)height
                              : framing->distance / zoom * tangent / sqrt(1.0 + tangent * tangent);
    s->fade_from = maths_minf(s->fade_from, (float)(turn_fade_from * radius));
    s->fade_to = maths_minf(s->fade_to, (float)(turn_fade_to * radius));
}

bool ground_contact_find(frame_ground *g, const still_draws *kept)
{
    if (!kept->has_contact)
        return false;
    g->map = kept->map;
    g->contact = kept->heights;
    g->contact.map = &g->map;
    g->shade.contact = &g->map;
    return true;
}
