// SPDX-License-Identifier: MIT
// Bones and weights. A vertex first belongs wholly to the bone whose segment is nearest; then the
// weights diffuse along the mesh, never through the air, as heat would.
#include "walker.h"

#include <stdlib.h>
#include <string.h>

static void bone(walker_bone *bones, int index, const char *name, int parent, dvec3 joint,
                 dvec3 tip, double radius)
{
    bones[index] = (walker_bone){name, parent, joint, tip, radius};
}

void walker_bones(walker_bone bones[BONE_COUNT])
{
    static const char *const right_names[WALKER_SIDE] = {
        "clavicle_r", "upper_arm_r", "lower_arm_r", "hand_r",    "thumb1_r", "thumb2_r",
        "index1_r",   "index2_r",    "middle1_r",   "middle2_r", "ring1_r",  "ring2_r",
        "thigh_r",    "calf_r",      "foot_r",      "toe_r"};
    // The root carries nothing: its segment lies far away from every vertex.
    bone(bones, BONE_ROOT, "root", -1, v3(0, 0, 0), v3(0, -9, 0), 0.0);
    bone(bones, BONE_PELVIS, "pelvis", BONE_ROOT, v3(0, 0.95, 0), v3(0, 0.98, 0), 0.1);
    bone(bones, BONE_SPINE1, "spine1", BONE_PELVIS, v3(0, 1.03, 0), v3(0, 1.11, 0), 0.1);
    bone(bones, BONE_SPINE2, "spine2", BONE_SPINE1, v3(0, 1.15, 0), v3(0, 1.22, 0), 0.11);
    bone(bones, BONE_SPINE3, "spine3", BONE_SPINE2, v3(0, 1.26, 0), v3(0, 1.4, 0), 0.115);
    bone(bones, BONE_NECK, "neck", BONE_SPINE3, v3(0, 1.45, 0), v3(0, 1.47, 0), 0.085);
    bone(bones, BONE_HEAD, "head", BONE_NECK, v3(0, 1.5, 0), v3(0, 1.66, 0), 0.12);
    bone(bones, BONE_PACK, "pack", BONE_SPINE3, v3(0, 1.28, -0.12), v3(0, 1.28, -0.22), 0.1);

    const dvec3 dir = WALKER_ARM_DIRECTION;
    const dvec3 shoulder = v3(0.185, 1.395, -0.012);
    const dvec3 elbow = v3_add(v3_mad(shoulder, dir, 0.27), v3(0, 0, -0.006));
    const dvec3 wrist = v3_add(v3_mad(shoulder, dir, 0.52), v3(0, 0, 0.016));
    bone(bones, BONE_CLAVICLE, "clavicle_l", BONE_SPINE3, v3(0.03, 1.4, -0.01),
         v3(0.14, 1.4, -0.012), 0.07);
    bone(bones, BONE_UPPER_ARM, "upper_arm_l", BONE_CLAVICLE, shoulder, elbow, 0.055);
    bone(bones, BONE_LOWER_ARM, "lower_arm_l", BONE_UPPER_ARM, elbow, wrist, 0.048);
    bone(bones, BONE_HAND, "hand_l", BONE_LOWER_ARM, wrist, v3_mad(wrist, dir, 0.08), 0.035);
    const dvec3 thumb = v3_unit(v3_add(v3_scale(dir, 0.68), v3(0, 0, 0.73)));
    const dvec3 thumb_base = v3_add(v3_mad(wrist, dir, 0.03), v3(0, 0, 0.033));
    bone(bones, BONE_THUMB1, "thumb1_l", BONE_HAND, thumb_base, v3_mad(thumb_base, thumb, 0.036),
         0.016);
    bone(bones, BONE_THUMB2, "thumb2_l", BONE_THUMB1, v3_mad(thumb_base, thumb, 0.036),
         v3_mad(thumb_base, thumb, 0.066), 0.016);
    static const char *const finger_names[3][2] = {
        {"index1_l",  "index2_l" },
        {"middle1_l", "middle2_l"},
        {"ring1_l",   "ring2_l"  }
    };
    for (int k = 0; k < 3; k++) {
        // Fingers fan out by 6 degrees; the middle one is the longest.
        const double spread = 0.1 * (1 - k), length = k == 1 ? 0.082 : 0.074;
        const dvec3 d = v3_unit(v3_add(dir, v3(0, 0, spread)));
        const dvec3 base = v3_add(v3_mad(wrist, dir, 0.094), v3(0, 0, 0.0345 * (1 - k)));
        const dvec3 mid = v3_mad(base, d, length * 0.52), tip = v3_mad(base, d, length);
        bone(bones, BONE_INDEX1 + 2 * k, finger_names[k][0], BONE_HAND, base, mid, 0.0155);
        bone(bones, BONE_INDEX2 + 2 * k, finger_names[k][1], BONE_INDEX1 + 2 * k, mid, tip, 0.015);
    }

    bone(bones, BONE_THIGH, "thigh_l", BONE_PELVIS, v3(0.1, 0.91, 0.0), v3(0.107, 0.5, 0.012),
         0.08);
    bone(bones, BONE_CALF, "calf_l", BONE_THIGH, v3(0.107, 0.5, 0.012), v3(0.112, 0.1, -0.022),
         0.058);
    bone(bones, BONE_FOOT, "foot_l", BONE_CALF, v3(0.112, 0.1, -0.022), v3(0.118, 0.035, 0.085),
         0.05);
    bone(bones, BONE_TOE, "toe_l", BONE_FOOT, v3(0.118, 0.035, 0.095), v3(0.12, 0.035, 0.17),
         0.045);

    for (int i = BONE_CLAVICLE; i <= BONE_TOE; i++) {
        walker_bone *r = &bones[i + WALKER_SIDE];
        *r = bones[i];
        r->name = right_names[i - BONE_CLAVICLE];
        if (r->parent >= BONE_CLAVICLE)
            r->parent += WALKER_SIDE;
        r->joint.x = -r->joint.x;
        r->tip.x = -r->tip.x;
    }
}

// Distance from `p` to a bone's segment, less its radius. Segments are drawn in by 2 mm at both
// ends: where two meet at an angle, the border between them is then the bisecting plane.
static double bone_distance(const walker_bone *b, dvec3 p)
{
    const dvec3 axis = v3_sub(b->tip, b->joint), q = v3_sub(p, b->joint);
    const double inset = 0.002 / v3_length(axis);
    const double t = clamp_d(v3_dot(q, axis) / v3_dot(axis, axis), inset, 1.0 - inset);
    return v3_length(v3_mad(q, axis, -t)) - b->radius;
}

static int nearest_bone(const walker_bone *bones, dvec3 p)
{
    if (p.y > 1.487) // the helmet is rigid, whatever its distance to the shoulders
        return BONE_HEAD;
    if (walker_pack_side(p) > 0.0)
        return BONE_PACK;
    int best = BONE_PELVIS;
    double least = 1e9;
    for (int i = BONE_PELVIS; i < BONE_COUNT; i++) {
        if (i == BONE_HEAD || i == BONE_PACK)
            continue;
        const double d = bone_distance(&bones[i], p);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    return best;
}

typedef struct weight_row {
    double w[BONE_COUNT];
} weight_row;

walker_influence *walker_weights(const walker_mesh *half)
{
    // Passes of diffusion; one pass spreads by about half an edge. 22 make joints bend over some
    // 6 cm on limbs, where edges are 15 mm, and over 3 cm on the finer fingers.
    enum { PASSES = 22 };
    walker_bone bones[BONE_COUNT];
    walker_bones(bones);
    const size_t count = half->point_count;
    weight_row *now = checked_alloc(count, sizeof *now), *sum = checked_alloc(count, sizeof *sum);
    double *total = checked_alloc(count, sizeof *total);
    for (size_t i = 0; i < count; i++)
        now[i].w[nearest_bone(bones, half->points[i])] = 1.0;
    for (int pass = 0; pass < PASSES; pass++) {
        memset(sum, 0, count * sizeof *sum);
        memset(total, 0, count * sizeof *total);
        for (size_t i = 0; i < half->triangle_count; i++)
            for (int k = 0; k < 3; k++) {
                const int ends[2] = {half->triangles[i][k], half->triangles[i][(k + 1) % 3]};
                for (int e = 0; e < 2; e++) {
                    total[ends[e]] += 1.0;
                    for (int b = 0; b < BONE_COUNT; b++)
                        sum[ends[e]].w[b] += now[ends[1 - e]].w[b];
                }
            }
        for (size_t i = 0; i < count; i++) {
            if (total[i] == 0.0)
                continue;
            // Helmet, pack and boots stay stiff except for a rim of two or three edges.
            const dvec3 p = half->points[i];
            const bool stiff = p.y > 1.5 || (pass >= 3 && walker_pack_side(p) > 0.0) ||
                               (pass >= 6 && p.y < 0.3 && p.x < 0.3);
            for (int b = 0; b < BONE_COUNT && !stiff; b++)
                now[i].w[b] = 0.5 * now[i].w[b] + 0.5 * sum[i].w[b] / total[i];
            if (p.x == 0.0) // what the mirrored half would have sent
                for (int b = BONE_CLAVICLE; b <= BONE_TOE; b++) {
                    const double both = now[i].w[b] + now[i].w[b + WALKER_SIDE];
                    now[i].w[b] = now[i].w[b + WALKER_SIDE] = both * 0.5;
                }
        }
    }

    walker_influence *out = checked_alloc(count * 2, sizeof *out);
    for (size_t i = 0; i < count; i++) {
        int chosen[4] = {0};
        double value[4] = {0.0}, kept = 0.0;
        for (int k = 0; k < 4; k++) {
            for (int b = 0; b < BONE_COUNT; b++)
                if (now[i].w[b] > value[k]) {
                    chosen[k] = b;
                    value[k] = now[i].w[b];
                }
            now[i].w[chosen[k]] = 0.0;
            if (value[k] < 0.01) // invisible, and dropping it keeps the text file short
                value[k] = 0.0;
            kept += value[k];
        }
        // Thousandths that sum to 1000 exactly: the largest takes the rest.
        int rest = 1000;
        for (int k = 3; k >= 0; k--) {
            const int part = k == 0 ? rest : (int)floor(value[k] / kept * 1000.0 + 0.5);
            rest -= part;
            const int b = part > 0 ? chosen[k] : 0;
            const int mirrored = b < BONE_CLAVICLE                 ? b
                                 : b < BONE_CLAVICLE + WALKER_SIDE ? b + WALKER_SIDE
                                                                   : b - WALKER_SIDE;
            out[i].joints[k] = (uint8_t)b;
            // The middle plane is one row of points: both halves must move it alike.
            out[count + i].joints[k] = (uint8_t)(half->points[i].x == 0.0 ? b : mirrored);
            out[i].weights[k] = out[count + i].weights[k] = (float)(part / 1000.0);
        }
    }
    free(now);
    free(sum);
    free(total);
    return out;
}
