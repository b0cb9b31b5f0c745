// SPDX-License-Identifier: MIT
// Things for figures to look at, to hold and to walk on.
#include "models.h"
#include "shapes.h"

// A ball of 7 cm radius about its origin.
void ball_build(built_model *m)
{
    const int red = new_material(m, "red", 0.8, 0.06, 0.04, 0.0, 0.3);
    const int ball = new_node(m, "ball", -1, v3(0.0, 0.0, 0.0));
    shape_ball(node_part(m, ball, red), 0.07, 32, 16);
}

// A rod of 70 cm along x about its origin, with a grip for either hand.
void rod_build(built_model *m)
{
    const int steel = new_material(m, "steel", 0.56, 0.57, 0.58, 1.0, 0.3);
    const int grip = new_material(m, "grip", 0.05, 0.05, 0.06, 0.0, 0.7);
    const int rod = new_node(m, "rod", -1, v3(0.0, 0.0, 0.0));
    static const char *const names[2] = {"grip_l", "grip_r"}; // left is +x, as in a figure
    shape_capsule(node_part(m, rod, steel), frame_turned(0.35, 0.0, 0.0, 0.0, 0.0, 90.0), 0.014,
                  0.7, 20);
    for (int side = 0; side < 2; side++) {
        const int node = new_node(m, names[side], rod, v3(side == 0 ? 0.2 : -0.2, 0.0, 0.0));
        shape_cylinder(node_part(m, node, grip), frame_turned(0.06, 0.0, 0.0, 0.0, 0.0, 90.0), 0.02,
                       0.02, 0.12, 24);
    }
}

// A rifle of 84 cm along z, muzzle at +z: the pistol grip is at the origin, the joints `grip_l` and
// `muzzle` are below the handguard and at the end of the barrel.
void rifle_build(built_model *m)
{
    const int steel = new_material(m, "steel", 0.2, 0.21, 0.23, 1.0, 0.35);
    const int body = new_material(m, "body", 0.07, 0.08, 0.07, 0.0, 0.6);
    const int wood = new_material(m, "wood", 0.36, 0.2, 0.09, 0.0, 0.5);
    const int rifle = new_node(m, "rifle", -1, v3(0.0, 0.0, 0.0));
    new_node(m, "grip_l", rifle, v3(0.0, 0.035, 0.24));
    new_node(m, "muzzle", rifle, v3(0.0, 0.075, 0.56));
    shape_cylinder(node_part(m, rifle, steel), frame_turned(0.0, 0.075, 0.2, 90.0, 0.0, 0.0), 0.011,
                   0.011, 0.36, 20);
    shape_box(node_part(m, rifle, steel), frame_at(0.0, 0.11, 0.5), v3(0.004, 0.02, 0.008));
    shape_box(node_part(m, rifle, body), frame_at(0.0, 0.07, 0.06), v3(0.022, 0.035, 0.15));
    shape_box(node_part(m, rifle, body), frame_turned(0.0, -0.02, -0.015, -14.0, 0.0, 0.0),
              v3(0.017, 0.055, 0.022));
    shape_box(node_part(m, rifle, body), frame_turned(0.0, -0.015, 0.12, 8.0, 0.0, 0.0),
              v3(0.012, 0.07, 0.025));
    shape_capsule(node_part(m, rifle, wood), frame_turned(0.0, 0.065, 0.18, 90.0, 0.0, 0.0), 0.026,
                  0.26, 20);
    shape_box(node_part(m, rifle, wood), frame_turned(0.0, 0.045, -0.18, -6.0, 0.0, 0.0),
              v3(0.018, 0.035, 0.1));
}

// A door in its frame, hinged at its left as seen from +z, with a handle at 1 m on that side. It
// opens away from there by 70 degrees, stays and closes: 3 s.
void door_build(built_model *m)
{
    const int paint = new_material(m, "paint", 0.12, 0.22, 0.34, 0.0, 0.5);
    const int wood = new_material(m, "wood", 0.5, 0.42, 0.32, 0.0, 0.6);
    const int brass = new_material(m, "brass", 0.85, 0.62, 0.25, 1.0, 0.25);
    const int frame = new_node(m, "frame", -1, v3(0.0, 0.0, 0.0));
    const int leaf = new_node(m, "leaf", frame, v3(-0.42, 0.0, 0.0));
    const int handle = new_node(m, "handle", leaf, v3(0.76, 1.0, 0.07));
    for (int side = -1; side <= 1; side += 2)
        shape_box(node_part(m, frame, wood), frame_at(0.46 * side, 1.03, 0.0),
                  v3(0.035, 1.03, 0.06));
    shape_box(node_part(m, frame, wood), frame_at(0.0, 2.06, 0.0), v3(0.495, 0.035, 0.06));
    shape_box(node_part(m, leaf, paint), frame_at(0.42, 1.005, 0.0), v3(0.415, 1.0, 0.02));
    shape_capsule(node_part(m, handle, brass), frame_turned(0.0, 0.0, 0.0, 0.0, 0.0, 90.0), 0.013,
                  0.13, 16);
    shape_cylinder(node_part(m, handle, brass), frame_turned(0.0, 0.0, -0.055, 90.0, 0.0, 0.0),
                   0.011, 0.011, 0.055, 16);

    turn_keys(m, new_clip(m, "swing"), leaf,
              KEYS({0.0}, {0.8}, {1.8, 0.0, 70.0}, {2.2, 0.0, 70.0}, {3.0}));
}

// Four steps of 16 cm up along +z, 55 cm deep, the first at z = 0, between a floor and a landing.
void stairs_build(built_model *m)
{
    const int stone = new_material(m, "stone", 0.42, 0.4, 0.37, 0.0, 0.8);
    const int dark = new_material(m, "floor", 0.2, 0.21, 0.22, 0.0, 0.8);
    const int stairs = new_node(m, "stairs", -1, v3(0.0, 0.0, 0.0));
    const double rise = 0.16, depth = 0.55, end = 3.4;
    shape_box(node_part(m, stairs, dark), frame_at(0.0, -0.03, -0.75), v3(0.6, 0.03, 0.75));
    for (int k = 0; k < 4; k++) {
        const double from = depth * k, to = k < 3 ? depth * (k + 1) : end, top = rise * (k + 1);
        shape_box(node_part(m, stairs, stone), frame_at(0.0, top * 0.5, (from + to) * 0.5),
                  v3(0.6, top * 0.5, (to - from) * 0.5));
    }
}
