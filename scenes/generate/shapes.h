// SPDX-License-Identifier: MIT
// Solids and sheets appended to a primitive, with outward normals, counter-clockwise front faces
// and uv (v down). Counts are segments; every shape is closed unless it says otherwise.
#pragma once

#include "built_model.h"

/// Rotation, then translation, applied to what is appended.
typedef struct shape_frame {
    dvec3 origin;
    quat rotation;
} shape_frame;

shape_frame frame_at(double x, double y, double z);
/// Rotated by quat_degrees().
shape_frame frame_turned(double x, double y, double z, double rx, double ry, double rz);

/// A solid of revolution about y: a ring for each profile entry {radius, y, normal radius, normal
/// y}, from the pole at the top down to the one at the bottom; normals of any length.
void shape_turned(built_primitive *p, shape_frame frame, const double (*profile)[4], int rings,
                  int around);

void shape_sphere(built_primitive *p, shape_frame frame, dvec3 radii, int around, int down);
/// A sphere about the origin.
void shape_ball(built_primitive *p, double radius, int around, int down);

/// A capsule, cone or cylinder from y = 0 up: radii `bottom` to `top`, round ends or flat caps.
void shape_capsule(built_primitive *p, shape_frame frame, double radius, double height, int around);
void shape_cylinder(built_primitive *p, shape_frame frame, double bottom, double top, double height,
                    int around);
void shape_box(built_primitive *p, shape_frame frame, dvec3 half_size);

/// An open grid over s, t in [0, 1] x [0, 1] with `point(s, t)` as position; the front is the side
/// from which s runs right and t runs down. uv = (s, t).
typedef dvec3 (*sheet_point)(double s, double t);
void shape_sheet(built_primitive *p, sheet_point point, int columns, int rows);

/// An open tube about +y, from y = `length` down to 0: `vertex` makes the one at height `y` in
/// direction `n`, ring 0 to `rings` from above, column 0 to `around`, the last equal to the first.
typedef built_vertex (*tube_vertex)(const void *user, dvec3 n, double y, int ring, int column);
void shape_tube(built_primitive *p, double length, int rings, int around, tube_vertex vertex,
                const void *user);

/// Weights of a limb along +y: joint 1 takes over from joint 0 within 0.3 m of the elbow.
void vertex_bends(built_vertex *v, double elbow, double y);
/// Adds the node "skin", which starts a mesh, then the skin of such a limb: the joints "upper_arm"
/// and "forearm". Returns the first node; the joints are the next two.
int new_limb(built_model *m, double elbow);

/// One rectangle: origin is the top left corner, `right` and `down` its sides.
void shape_quad_uv(built_primitive *p, dvec3 top_left, dvec3 right, dvec3 down, double u0,
                   double v0, double u1, double v1);
/// With uv from 0 to 1.
void shape_quad(built_primitive *p, dvec3 top_left, dvec3 right, dvec3 down);
/// About the origin, with its front to +z.
void shape_pane(built_primitive *p, double half_width, double half_height);

/// A prism over a polygon in xy (counter-clockwise from +z), -depth/2 <= z <= depth/2.
void shape_prism(built_primitive *p, const double (*outline)[2], int count,
                 const int (*triangles)[3], int triangle_count, double depth);
