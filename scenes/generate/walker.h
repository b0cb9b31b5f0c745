// SPDX-License-Identifier: MIT
// The walker: a stylised explorer in a padded suit, 1.8 m tall, facing +Z, feet on y = 0.
//
// walker_surface  an implicit surface: smooth unions of ellipsoids, capsules and boxes
// walker_mesh     its left half as triangles (surface nets), cut along chart and material borders
// walker_rig      the bones in the bind pose
// walker_weights  the weights of the bones at each point
// walker_charts   which chart a triangle belongs to, and the uv of a point in a chart
// walker_paint    colour and height of the suit as functions of the point in the bind pose
// walker_gait     the clips
// walker_beast    a morph target for the same triangles, in a file of its own
// walker          joins these parts and writes the files
//
// The left half (x >= 0) is built and mirrored. Limbs, hands, feet and helmet share their part of
// the atlas between the sides, so tangent frames of both signs occur; the torso does not.
#pragma once

#include "built_model.h"

/// Approximate signed distance in metres to the suit, below 0 inside.
double walker_distance(dvec3 p);

/// Central differences over `step` metres.
dvec3 walker_gradient(dvec3 p, double step);

/// Above 0 where the backpack is nearer than the body.
double walker_pack_side(dvec3 p);

/// Approximate signed distance to the pouches on the belt.
double walker_pouches(dvec3 p);

/// Above 0 outside the pane of the visor, below 0 on it; valid on the front of the helmet only.
double walker_visor_side(dvec3 p);

/// Centre and left bones; the right bone is the left one + WALKER_SIDE.
enum {
    BONE_ROOT,
    BONE_PELVIS,
    BONE_SPINE1,
    BONE_SPINE2,
    BONE_SPINE3,
    BONE_NECK,
    BONE_HEAD,
    BONE_PACK,
    BONE_CLAVICLE,
    BONE_UPPER_ARM,
    BONE_LOWER_ARM,
    BONE_HAND,
    BONE_THUMB1,
    BONE_THUMB2,
    BONE_INDEX1,
    BONE_INDEX2,
    BONE_MIDDLE1,
    BONE_MIDDLE2,
    BONE_RING1,
    BONE_RING2,
    BONE_THIGH,
    BONE_CALF,
    BONE_FOOT,
    BONE_TOE,
    WALKER_SIDE = BONE_TOE + 1 - BONE_CLAVICLE,
    BONE_COUNT = BONE_TOE + 1 + WALKER_SIDE,
};

typedef struct walker_bone {
    const char *name;
    int parent;
    dvec3 joint; ///< bind position; all bind rotations are identity
    dvec3 tip;   ///< other end of the segment that attracts vertices
    double radius;
} walker_bone;

/// Fills all bones, the right side as mirror image of the left.
void walker_bones(walker_bone bones[BONE_COUNT]);

/// Direction of the left arm in the bind pose, and the back of the hand.
extern const dvec3 WALKER_ARM_DIRECTION, WALKER_HAND_BACK;

typedef struct walker_mesh {
    dvec3 *points;
    int (*triangles)[3];
    size_t point_count, point_capacity, triangle_count, triangle_capacity;
} walker_mesh;

/// Triangles of the half x >= 0; points on the middle plane have x = 0 exactly.
void walker_mesh_build(walker_mesh *mesh);

/// Splits triangles that cross side(p) = 0 and of which a corner satisfies `near`, then moves the
/// new points back onto the surface. Points close to the border are moved onto it instead.
void walker_mesh_cut(walker_mesh *mesh, double (*side)(dvec3), bool (*near)(dvec3));
void walker_mesh_free(walker_mesh *mesh);

/// The four largest weights of each point of the whole body, which sum to 1. Points are
/// `point_count` of the left half, then their mirror images.
typedef struct walker_influence {
    uint8_t joints[4];
    float weights[4];
} walker_influence;
walker_influence *walker_weights(const walker_mesh *half);

typedef enum walker_chart {
    CHART_TORSO,
    CHART_HEAD,
    CHART_VISOR,
    CHART_PACK,
    CHART_ARM,
    CHART_HAND_BACK,
    CHART_HAND_PALM,
    CHART_LEG,
    CHART_FOOT,
    CHART_SOLE,
    CHART_COUNT,
} walker_chart;

typedef enum walker_cloth {
    CLOTH_SUIT,
    CLOTH_RUBBER,
    CLOTH_SHELL,
    CLOTH_VISOR,
    CLOTH_COUNT
} walker_cloth;

/// Cuts the mesh along all borders of charts and cloths.
void walker_cut_borders(walker_mesh *mesh);
walker_chart walker_chart_of(dvec3 centroid);
walker_cloth walker_cloth_of(dvec3 centroid, walker_chart chart);

/// uv in [0, 1] of left point `p` of a triangle around `centroid` (which decides on which side of
/// a seam a point on the seam lies). `right` picks the right half of the torso's space.
void walker_uv(walker_chart chart, dvec3 p, dvec3 centroid, bool right, double uv[2]);

/// Colour (sRGB, 0 to 1) and height (metres) of the suit at `p`. Only the torso differs by side.
typedef struct walker_dye {
    double r, g, b, height;
} walker_dye;
walker_dye walker_paint(walker_chart chart, walker_cloth cloth, dvec3 p);

/// Adds idle, walk and run to the model, whose node of bone i is first_node + i.
void walker_clips(built_model *model, int first_node, const walker_bone bones[BONE_COUNT]);

/// Adds stride and dash, walk and run with root motion; corner, a stride on an arc of 90 degrees to
/// the left; wave (right arm); lean (spine and head, from the bind pose and back).
void walker_moves(built_model *model, int first_node, const walker_bone bones[BONE_COUNT]);

/// Makes the walker another shape of the same triangles.
void walker_beast_build(built_model *model);

/// Changes green values by single codes until the mips of a square normal map are the mirror image
/// of those of the map with inverted green.
void walker_settle_normal_mips(built_image *image);
