// SPDX-License-Identifier: MIT
// Rigid parts moved by node animation, the three key interpolations, and skinned columns.
#include "models.h"
#include "shapes.h"

#include <stdio.h>
#include <string.h>

// --- robot arm -----------------------------------------------------------------------------------

// A linear chain base, shoulder, elbow, wrist and two fingers that slide. It reaches down at its
// left, closes the gripper, carries over to its right and opens again: 4 s, ends as it begins.
void robot_arm_build(built_model *m)
{
    const int paint = new_material(m, "paint", 0.85, 0.24, 0.03, 0.0, 0.38);
    const int steel = new_material(m, "steel", 0.56, 0.57, 0.58, 1.0, 0.28);
    const int dark = new_material(m, "rubber", 0.03, 0.03, 0.035, 0.0, 0.8);
    const int base = new_node(m, "base", -1, v3(0.0, 0.0, 0.0));
    const int turret = new_node(m, "turret", base, v3(0.0, 0.16, 0.0));
    const int shoulder = new_node(m, "shoulder", turret, v3(0.0, 0.2, 0.0));
    const int elbow = new_node(m, "elbow", shoulder, v3(0.0, 0.62, 0.0));
    const int wrist = new_node(m, "wrist", elbow, v3(0.0, 0.5, 0.0));
    const int finger_l = new_node(m, "finger_l", wrist, v3(0.07, 0.16, 0.0));
    const int finger_r = new_node(m, "finger_r", wrist, v3(-0.07, 0.16, 0.0));

    built_primitive *p = node_part(m, base, dark);
    shape_cylinder(p, frame_at(0.0, 0.0, 0.0), 0.34, 0.32, 0.06, 48);
    p = node_part(m, base, steel);
    shape_cylinder(p, frame_at(0.0, 0.06, 0.0), 0.25, 0.21, 0.1, 48);
    for (int k = 0; k < 8; k++) {
        const double a = 2.0 * MATHS_PI * k / 8.0;
        shape_sphere(p, frame_at(0.28 * exact_sin(a), 0.06, 0.28 * exact_cos(a)),
                     v3(0.02, 0.016, 0.02), 12, 6);
    }

    p = node_part(m, turret, paint);
    shape_cylinder(p, frame_at(0.0, 0.005, 0.0), 0.2, 0.15, 0.12, 48);
    shape_box(p, frame_at(0.115, 0.17, 0.0), v3(0.03, 0.13, 0.08));
    shape_box(p, frame_at(-0.115, 0.17, 0.0), v3(0.03, 0.13, 0.08));

    p = node_part(m, shoulder, steel);
    shape_ball(p, 0.1, 40, 20);
    shape_cylinder(p, frame_turned(0.17, 0.0, 0.0, 0.0, 0.0, 90.0), 0.06, 0.06, 0.34, 32);
    p = node_part(m, shoulder, paint);
    shape_cylinder(p, frame_at(0.0, 0.05, 0.0), 0.085, 0.065, 0.52, 40);
    p = node_part(m, shoulder, dark);
    shape_capsule(p, frame_at(0.0, 0.12, 0.085), 0.018, 0.36, 16);

    p = node_part(m, elbow, steel);
    shape_ball(p, 0.085, 40, 20);
    shape_cylinder(p, frame_turned(0.115, 0.0, 0.0, 0.0, 0.0, 90.0), 0.05, 0.05, 0.23, 32);
    p = node_part(m, elbow, paint);
    shape_cylinder(p, frame_at(0.0, 0.04, 0.0), 0.068, 0.048, 0.41, 40);
    p = node_part(m, elbow, dark);
    shape_cylinder(p, frame_at(0.0, 0.3, 0.0), 0.0595, 0.0575, 0.05, 40);

    p = node_part(m, wrist, steel);
    shape_ball(p, 0.062, 32, 16);
    shape_cylinder(p, frame_at(0.0, 0.03, 0.0), 0.04, 0.04, 0.08, 32);
    p = node_part(m, wrist, dark);
    shape_box(p, frame_at(0.0, 0.13, 0.0), v3(0.13, 0.025, 0.045));

    for (int side = 0; side < 2; side++) {
        const double s = side == 0 ? 1.0 : -1.0;
        p = node_part(m, side == 0 ? finger_l : finger_r, steel);
        shape_box(p, frame_at(0.02 * s, 0.05, 0.0), v3(0.014, 0.06, 0.03));
        shape_box(p, frame_turned(0.006 * s, 0.14, 0.0, 0.0, 0.0, 22.0 * s),
                  v3(0.012, 0.055, 0.028));
        p = node_part(m, side == 0 ? finger_l : finger_r, dark);
        shape_box(p, frame_at(-0.008 * s, 0.175, 0.0), v3(0.007, 0.026, 0.024));
    }

    const int work = new_clip(m, "work");
    turn_keys(m, work, turret,
              KEYS({0.0, 0, 60, 0}, {0.9, 0, 60, 0}, {1.9, 0, -60, 0}, {2.9, 0, -60, 0},
                   {3.7, 0, 60, 0}, {4.0, 0, 60, 0}));
    turn_keys(m, work, shoulder,
              KEYS({0.0, 20, 0, 0}, {0.5, 54, 0, 0}, {0.9, 54, 0, 0}, {1.4, 12, 0, 0},
                   {1.9, 20, 0, 0}, {2.4, 54, 0, 0}, {2.8, 54, 0, 0}, {3.3, 5, 0, 0},
                   {4.0, 20, 0, 0}));
    turn_keys(m, work, elbow,
              KEYS({0.0, 80, 0, 0}, {0.5, 80, 0, 0}, {0.9, 80, 0, 0}, {1.4, 95, 0, 0},
                   {1.9, 80, 0, 0}, {2.4, 80, 0, 0}, {2.8, 80, 0, 0}, {3.3, 70, 0, 0},
                   {4.0, 80, 0, 0}));
    turn_keys(m, work, wrist,
              KEYS({0.0, 80, 0, 0}, {0.5, 46, 0, 0}, {0.9, 46, 0, 0}, {1.4, 73, 90, 0},
                   {1.9, 80, 90, 0}, {2.4, 46, 90, 0}, {2.8, 46, 90, 0}, {3.3, 70, 0, 0},
                   {4.0, 80, 0, 0}));
    for (int side = 0; side < 2; side++) {
        const double s = side == 0 ? 1.0 : -1.0, open = 0.085 * s, shut = 0.035 * s;
        move_keys(m, work, side == 0 ? finger_l : finger_r,
                  KEYS({0.0, open, 0.16, 0}, {0.55, open, 0.16, 0}, {0.8, shut, 0.16, 0},
                       {2.5, shut, 0.16, 0}, {2.75, open, 0.16, 0}, {4.0, open, 0.16, 0}));
    }
}

// --- figure --------------------------------------------------------------------------------------

// A wooden artist's figure. It greets with its right hand, swaying: 3 s, ends as it begins.
void figure_build(built_model *m)
{
    const int wood = new_material(m, "wood", 0.74, 0.48, 0.24, 0.0, 0.5);
    const int joint = new_material(m, "joint", 0.36, 0.19, 0.08, 0.0, 0.35);
    const int hips = new_node(m, "hips", -1, v3(0.0, 0.92, 0.0));
    const int torso = new_node(m, "torso", hips, v3(0.0, 0.14, 0.0));
    const int head = new_node(m, "head", torso, v3(0.0, 0.46, 0.0));

    shape_sphere(node_part(m, hips, wood), frame_at(0.0, 0.0, 0.0), v3(0.15, 0.105, 0.11), 36, 18);
    shape_sphere(node_part(m, hips, joint), frame_at(0.0, 0.115, 0.0), v3(0.075, 0.075, 0.075), 28,
                 14);
    built_primitive *p = node_part(m, torso, wood);
    shape_sphere(p, frame_at(0.0, 0.23, 0.0), v3(0.185, 0.2, 0.125), 40, 20);
    shape_cylinder(p, frame_at(0.0, 0.02, 0.0), 0.1, 0.13, 0.12, 36);
    shape_capsule(node_part(m, torso, joint), frame_at(0.0, 0.4, 0.0), 0.05, 0.06, 24);
    p = node_part(m, head, wood);
    shape_sphere(p, frame_at(0.0, 0.15, 0.01), v3(0.1, 0.14, 0.115), 36, 18);
    shape_sphere(p, frame_at(0.0, 0.13, 0.122), v3(0.018, 0.03, 0.02), 16, 8);

    int upper[2], lower[2], hand[2], thigh[2], shin[2], foot[2];
    for (int side = 0; side < 2; side++) {
        const double s = side == 0 ? 1.0 : -1.0; // the left of a figure that faces +Z is +x
        static const char *const names[2][6] = {
            {"upper_arm_l", "lower_arm_l", "hand_l", "thigh_l", "shin_l", "foot_l"},
            {"upper_arm_r", "lower_arm_r", "hand_r", "thigh_r", "shin_r", "foot_r"}};
        upper[side] = new_node(m, names[side][0], torso, v3(0.23 * s, 0.33, 0.0));
        lower[side] = new_node(m, names[side][1], upper[side], v3(0.0, -0.31, 0.0));
        hand[side] = new_node(m, names[side][2], lower[side], v3(0.0, -0.28, 0.0));
        thigh[side] = new_node(m, names[side][3], hips, v3(0.095 * s, -0.06, 0.0));
        shin[side] = new_node(m, names[side][4], thigh[side], v3(0.0, -0.4, 0.0));
        foot[side] = new_node(m, names[side][5], shin[side], v3(0.0, -0.38, 0.0));

        const struct {
            int node;
            double ball, radius, length;
        } limbs[] = {{upper[side], 0.062, 0.046, 0.31},
                     {lower[side], 0.05, 0.038, 0.28},
                     {thigh[side], 0.08, 0.068, 0.4},
                     {shin[side], 0.064, 0.052, 0.38}};
        for (size_t k = 0; k < sizeof limbs / sizeof *limbs; k++) {
            const double gap = limbs[k].ball * 0.7 + limbs[k].radius;
            shape_ball(node_part(m, limbs[k].node, joint), limbs[k].ball, 28, 14);
            shape_capsule(node_part(m, limbs[k].node, wood),
                          frame_at(0.0, gap - limbs[k].length, 0.0), limbs[k].radius,
                          limbs[k].length - 2.0 * gap, 24);
        }
        p = node_part(m, hand[side], wood);
        shape_sphere(p, frame_at(0.0, -0.085, 0.0), v3(0.032, 0.085, 0.048), 24, 12);
        shape_capsule(p, frame_turned(0.0, -0.075, 0.04, 35.0, 0.0, 0.0), 0.014, 0.05, 12);
        shape_ball(node_part(m, hand[side], joint), 0.04, 24, 12);
        shape_sphere(node_part(m, foot[side], wood), frame_at(0.0, -0.03, 0.06),
                     v3(0.058, 0.05, 0.13), 28, 14);
        shape_ball(node_part(m, foot[side], joint), 0.05, 24, 12);
    }

    const int wave = new_clip(m, "wave");
    turn_keys(
        m, wave, hips,
        KEYS({0, 0, 0, 0}, {0.75, 0, 4, -3}, {1.5, 0, 6, -4}, {2.25, 0, 4, -3}, {3, 0, 0, 0}));
    turn_keys(
        m, wave, torso,
        KEYS({0, 0, 0, 0}, {0.75, -2, -8, 5}, {1.5, -3, -10, 6}, {2.25, -2, -8, 5}, {3, 0, 0, 0}));
    turn_keys(m, wave, head,
              KEYS({0, 0, 0, 0}, {0.75, -6, -12, -8}, {1.5, 4, -14, 6}, {2.25, -6, -12, -8},
                   {3, 0, 0, 0}));
    turn_keys(m, wave, upper[1],
              KEYS({0, 0, 0, -8}, {0.6, -10, 0, -125}, {2.4, -10, 0, -125}, {3, 0, 0, -8}));
    turn_keys(m, wave, lower[1],
              KEYS({0, -12, 0, 0}, {0.6, 0, 0, -50}, {0.9, 0, 0, -5}, {1.2, 0, 0, -60},
                   {1.5, 0, 0, -5}, {1.8, 0, 0, -60}, {2.1, 0, 0, -5}, {2.4, 0, 0, -45},
                   {3, -12, 0, 0}));
    turn_keys(m, wave, hand[1],
              KEYS({0, 0, 0, 0}, {0.6, 0, 0, -20}, {0.9, 0, 0, 20}, {1.2, 0, 0, -20},
                   {1.5, 0, 0, 20}, {1.8, 0, 0, -20}, {2.1, 0, 0, 20}, {3, 0, 0, 0}));
    turn_keys(m, wave, upper[0],
              KEYS({0, 0, 0, 8}, {0.75, 12, 0, 12}, {2.25, 12, 0, 12}, {3, 0, 0, 8}));
    turn_keys(m, wave, lower[0], KEYS({0, -12, 0, 0}, {1.5, -28, 0, 0}, {3, -12, 0, 0}));
    turn_keys(m, wave, thigh[0], KEYS({0, 0, 0, 2}, {1.5, -8, 0, 8}, {3, 0, 0, 2}));
    turn_keys(m, wave, thigh[1], KEYS({0, 0, 0, -2}, {1.5, 0, 0, 2}, {3, 0, 0, -2}));
    turn_keys(m, wave, shin[0], KEYS({0, 0, 0, 0}, {1.5, 16, 0, 0}, {3, 0, 0, 0}));
    turn_keys(m, wave, foot[0], KEYS({0, 0, 0, 0}, {1.5, -8, 0, -4}, {3, 0, 0, 0}));
}

// --- interpolation -------------------------------------------------------------------------------

// Three cubes in a row with the same keys: STEP (left) jumps, LINEAR (middle) moves evenly,
// CUBICSPLINE (right) eases, its tangents zero at the ends and steep in the middle.
void interpolation_build(built_model *m)
{
    const int clip = new_clip(m, "move");
    static const char *const names[3] = {"step", "linear", "cubic"};
    static const channel_curve curves[3] = {CURVE_STEP, CURVE_LINEAR, CURVE_CUBIC};
    static const double colors[3][3] = {{0.8, 0.12, 0.1}, {0.12, 0.6, 0.15}, {0.12, 0.25, 0.8}};
    enum { KEYS = 4 };
    static const double heights[KEYS] = {0.0, 0.8, 0.2, 0.0};
    static const double slopes[KEYS] = {0.0, 0.9, -1.2, 0.0}; // metres per second
    static const double angles[KEYS] = {0.0, 90.0, 200.0, 0.0};
    for (int i = 0; i < 3; i++) {
        const double x = (i - 1) * 0.6;
        const int node = new_node(m, names[i], -1, v3(x, 0.0, 0.0));
        const int material =
            new_material(m, names[i], colors[i][0], colors[i][1], colors[i][2], 0.0, 0.5);
        shape_box(node_part(m, node, material), frame_at(0.0, 0.0, 0.0), v3(0.18, 0.18, 0.18));
        built_channel *move = new_channel(m, clip, node, PATH_TRANSLATION, curves[i], KEYS);
        built_channel *turn = new_channel(m, clip, node, PATH_ROTATION, curves[i], KEYS);
        const bool cubic = curves[i] == CURVE_CUBIC;
        for (int k = 0; k < KEYS; k++) {
            float *at = &move->values[k * (cubic ? 9 : 3) + (cubic ? 3 : 0)];
            at[0] = (float)x;
            at[1] = (float)heights[k];
            const quat q = quat_degrees(0.0, angles[k], 0.0);
            float *to = &turn->values[k * (cubic ? 12 : 4) + (cubic ? 4 : 0)];
            quat_to_floats(q, to);
            if (cubic) {
                at[-2] = at[4] = (float)slopes[k];
                // d/dt of (0, sin(a/2), 0, cos(a/2)) for a turning rate of slope radians per second
                to[-3] = to[5] = (float)(q.w * slopes[k] * 0.5);
                to[-1] = to[7] = (float)(-q.y * slopes[k] * 0.5);
            }
            move->times[k] = turn->times[k] = (float)k * 0.5f;
        }
    }
}

// --- weights -------------------------------------------------------------------------------------

static built_vertex column_vertex(const void *user, dvec3 n, double y, int ring, int column)
{
    (void)ring;
    (void)column;
    const double *x = user;
    return vertex_at(v3(*x + 0.12 * n.x, y, 0.12 * n.z), n, 0.0, 0.0);
}

// Four columns bend the same way with at most 1, 2, 3 and 4 influences per vertex (left to right):
// the first breaks in steps, the others bend ever more softly.
void weights_build(built_model *m)
{
    enum { COLUMNS = 4, BONES = 5, RINGS = 30, AROUND = 20 };
    const double spacing = 0.25; // metres between bones
    static const double colors[COLUMNS][3] = {
        {0.75, 0.15, 0.12}, {0.8, 0.55, 0.1}, {0.15, 0.55, 0.25}, {0.15, 0.3, 0.75}};
    const int clip = new_clip(m, "bend");
    const int root = new_node(m, "columns", -1, v3(0.0, 0.0, 0.0));
    const int mesh_node = new_mesh_node(m, "skin", -1, v3(0.0, 0.0, 0.0));
    m->nodes[mesh_node].skin = 0;
    m->skeleton = root;
    for (int column = 0; column < COLUMNS; column++) {
        const double x = (column - 1.5) * 1.05;
        char name[32];
        snprintf(name, sizeof name, "influences_%d", column + 1);
        const int material = new_material(m, name, colors[column][0], colors[column][1],
                                          colors[column][2], 0.0, 0.55);
        built_primitive *p = new_primitive(m, material, HAS_NORMAL | HAS_SKIN);
        shape_tube(p, BONES * spacing, RINGS, AROUND, column_vertex, &x);
        for (int side = 0; side < 2; side++) {
            const double y = side == 0 ? BONES * spacing : 0.0;
            const dvec3 n = v3(0.0, side == 0 ? 1.0 : -1.0, 0.0);
            const uint32_t centre = primitive_vertex(p, vertex_at(v3(x, y, 0.0), n, 0.0, 0.0));
            for (int k = 0; k <= AROUND; k++) {
                const double a = 2.0 * MATHS_PI * (double)(k % AROUND) / AROUND;
                const uint32_t at = primitive_vertex(
                    p,
                    vertex_at(v3(x - 0.12 * exact_sin(a), y, -0.12 * exact_cos(a)), n, 0.0, 0.0));
                if (k > 0)
                    primitive_triangle(p, centre, side == 0 ? at - 1 : at, side == 0 ? at : at - 1);
            }
        }

        int parent = root;
        const int first_joint = m->joint_count;
        for (int b = 0; b < BONES; b++) {
            snprintf(name, sizeof name, "bone_%d_%d", column + 1, b);
            parent = new_node(m, name, parent, b == 0 ? v3(x, 0.0, 0.0) : v3(0.0, spacing, 0.0));
            m->joints[m->joint_count++] = (built_joint){parent, v3(x, b * spacing, 0.0)};
            turn_keys(m, clip, parent,
                      KEYS({0.0, 0, 0, 0}, {0.5, 0, 0, b ? -34.0 : 0.0}, {1.0, 0, 0, 0},
                           {1.5, 0, 0, b ? 34.0 : 0.0}, {2.0, 0, 0, 0}));
        }
        // A triangle filter of `influences` bone lengths around the middle of each bone.
        const int influences = column + 1;
        for (size_t i = 0; i < p->vertex_count; i++) {
            built_vertex *v = &p->vertices[i];
            const double at = (double)v->position[1] / spacing - 0.5;
            double weight[BONES], total = 0.0;
            for (int b = 0; b < BONES; b++) {
                const double reach = influences == 1 ? 0.5 : influences * 0.5;
                const double near = 1.0 - fabs(at - b) / reach;
                weight[b] = near > 0.0 ? near : 0.0;
                if (influences == 1) // the nearest bone alone, ties to the lower
                    weight[b] =
                        b == (int)maths_clamp(-floor(0.5 - at), 0.0, BONES - 1.0) ? 1.0 : 0.0;
                total += weight[b];
            }
            int used = 0;
            memset(v->weights, 0, sizeof v->weights);
            for (int b = 0; b < BONES && used < 4; b++)
                if (weight[b] > 0.0 || (total == 0.0 && b == (at < 0.0 ? 0 : BONES - 1))) {
                    v->joints[used] = (uint8_t)(first_joint + b);
                    v->weights[used++] = total == 0.0 ? 1.0f : (float)(weight[b] / total);
                }
        }
    }
}

// --- platform ------------------------------------------------------------------------------------

// A round deck on a track: waits 1 s, travels from -2 to 2 m and a quarter turn in 2 s, returns.
void platform_build(built_model *m)
{
    const int metal = new_material(m, "deck", 0.35, 0.38, 0.42, 0.6, 0.45);
    const int paint = new_material(m, "rail", 0.8, 0.45, 0.08, 0.0, 0.5);
    const int ride = new_clip(m, "ride");
    const int deck = new_node(m, "deck", -1, v3(-2.0, 0.0, 0.0));
    const int rail = new_node(m, "rail", deck, v3(0.0, 0.0, 0.0));
    shape_cylinder(node_part(m, deck, metal), frame_at(0.0, -0.12, 0.0), 1.0, 1.0, 0.12, 32);
    shape_box(node_part(m, rail, paint), frame_at(0.0, 0.35, -0.9), v3(0.35, 0.03, 0.03));
    move_keys(m, ride, deck, KEYS({0.0, -2.0}, {1.0, -2.0}, {3.0, 2.0}, {4.0, 2.0}, {6.0, -2.0}));
    turn_keys(m, ride, deck, KEYS({0.0}, {1.0}, {3.0, 0.0, 90.0}, {4.0, 0.0, 90.0}, {6.0}));
}
