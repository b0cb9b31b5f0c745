// SPDX-License-Identifier: MIT
// A walking machine as rigs with controls have it: its feet hang at the root, not on the shins. The
// clip `march` moves only its feet and its body, in place: feet on the ground go back by 0.9 m/s.
// The legs are for a solver to bend.
#include "models.h"
#include "shapes.h"

#define THIGH     0.42
#define ANKLE     0.09
#define HALF_STEP 0.225 // feet stand for half of the cycle of a second, 0.9 m/s * 0.5 s
enum { KEYS = 33 };     // of a cycle, first and last alike

static void set_key(built_channel *c, int key, double x, double y, double z)
{
    c->times[key] = (float)key / (float)(KEYS - 1);
    c->values[3 * key] = (float)x;
    c->values[3 * key + 1] = (float)y;
    c->values[3 * key + 2] = (float)z;
}

// Where a foot is at a part of its cycle: it stands in the first half and swings in the second.
static void foot_key(built_channel *c, int key, double x, double phase)
{
    const double swing = 2.0 * phase - 1.0; // 0 to 1 in the second half
    if (phase < 0.5) {
        set_key(c, key, x, ANKLE, HALF_STEP - 4.0 * HALF_STEP * phase);
        return;
    }
    // Lifted by a parabola, carried forward smoothly.
    const double lift = 0.16 * 4.0 * swing * (1.0 - swing);
    const double forward = swing * swing * (3.0 - 2.0 * swing);
    set_key(c, key, x, ANKLE + lift, -HALF_STEP + 2.0 * HALF_STEP * forward);
}

void strider_build(built_model *m)
{
    const int paint = new_material(m, "paint", 0.1, 0.35, 0.5, 0.0, 0.4);
    const int steel = new_material(m, "steel", 0.56, 0.57, 0.58, 1.0, 0.3);
    const int rubber = new_material(m, "rubber", 0.05, 0.05, 0.06, 0.0, 0.8);
    const int root = new_node(m, "root", -1, v3(0.0, 0.0, 0.0));
    const int body = new_node(m, "body", root, v3(0.0, 0.84, 0.0));
    shape_box(node_part(m, body, paint), frame_at(0.0, 0.2, 0.02), v3(0.22, 0.17, 0.24));
    shape_sphere(node_part(m, body, steel), frame_at(0.0, 0.22, 0.26), v3(0.09, 0.07, 0.05), 32,
                 16);

    const int march = new_clip(m, "march");
    for (int side = 0; side < 2; side++) {
        static const char *const names[2][3] = {{"thigh_l", "shin_l", "foot_l"},
                                                {"thigh_r", "shin_r", "foot_r"}};
        const double x = side == 0 ? 0.14 : -0.14;
        const int thigh = new_node(m, names[side][0], body, v3(x, 0.0, 0.0));
        const int shin = new_node(m, names[side][1], thigh, v3(0.0, -0.41, 0.0911));
        const int foot = new_node(m, names[side][2], root, v3(x, ANKLE, 0.0));
        // Bones point down limbs by the shapes alone: all axes at rest are those of the model.
        const double lean = 12.53;
        const shape_frame down = {v3(0.0, 0.0, 0.0), quat_degrees(180.0 - lean, 0.0, 0.0)};
        const shape_frame back = {v3(0.0, 0.0, 0.0), quat_degrees(180.0 + lean + 2.3, 0.0, 0.0)};
        shape_ball(node_part(m, thigh, steel), 0.07, 28, 14);
        shape_cylinder(node_part(m, thigh, paint), down, 0.055, 0.045, THIGH, 24);
        shape_ball(node_part(m, shin, steel), 0.055, 28, 14);
        shape_cylinder(node_part(m, shin, paint), back, 0.04, 0.035, 0.35, 24);
        shape_ball(node_part(m, foot, steel), 0.045, 28, 14);
        shape_box(node_part(m, foot, rubber), frame_at(0.0, -0.06, 0.045), v3(0.06, 0.03, 0.12));
        built_channel *c = new_channel(m, march, foot, PATH_TRANSLATION, CURVE_LINEAR, KEYS);
        for (int k = 0; k < KEYS; k++) {
            const double cycle = (double)k / (KEYS - 1) + (side == 0 ? 0.0 : 0.5);
            foot_key(c, k, x, cycle - (cycle >= 1.0 ? 1.0 : 0.0));
        }
    }
    move_keys(m, march, body,
              KEYS({0.0, 0.0, 0.82}, {0.25, 0.0, 0.86}, {0.5, 0.0, 0.82}, {0.75, 0.0, 0.86},
                   {1.0, 0.0, 0.82}));
}
