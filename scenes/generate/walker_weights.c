// SPDX-License-Identifier: MIT
// Skin weights. A vertex first belongs wholly to the bone whose segment is nearest; then the
// weights diffuse along the edges of the mesh, as heat would.
#include "walker.h"

#include <stdlib.h>
#include <string.h>

// Distance from `p` to a bone's segment, minus its radius. Segments are shortened by 2 mm at both
// ends: where two meet at an angle, their border is then the bisecting plane.
static double bone_distance(const walker_bone *b, dvec3 p)
{
    const dvec3 axis = dvec3_sub(b->tip, b->joint), q = dvec3_sub(p, b->joint);
    const double inset = 0.002 / dvec3_length(axis);
    const double t = maths_clamp(dvec3_dot(q, axis) / dvec3_dot(axis, axis), inset, 1.0 - inset);
    return dvec3_length(v3_mad(q, axis, -t)) - b->radius;
}

static int nearest_bone(const walker_bone *bones, dvec3 p)
{
    if (p.y > 1.487) // the helmet is rigid, even next to the shoulders
        return BONE_HEAD;
    if (walker_pack_side(p) > 0.0)
        return BONE_PACK;
    int best = BONE_PELVIS;
    double nearest = 1e9;
    for (int i = BONE_PELVIS; i < BONE_COUNT; i++) {
        if (i == BONE_HEAD || i == BONE_PACK)
            continue;
        const double d = bone_distance(&bones[i], p);
        if (d < nearest) {
            nearest = d;
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
            // Helmet, pack and boots stay rigid except for a rim of two or three edges.
            const dvec3 p = half->points[i];
            const bool stiff = p.y > 1.5 || (pass >= 3 && walker_pack_side(p) > 0.0) ||
                               (pass >= 6 && p.y < 0.3 && p.x < 0.3);
            for (int b = 0; b < BONE_COUNT && !stiff; b++)
                now[i].w[b] = 0.5 * now[i].w[b] + 0.5 * sum[i].w[b] / total[i];
            if (p.x == 0.0) // add the part of the mirrored half
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
            if (value[k] < 0.01) // too small to see; without it the text file is shorter
                value[k] = 0.0;
            kept += value[k];
        }
        // Thousandths that sum to 1000: the largest weight takes the rest.
        int rest = 1000;
        for (int k = 3; k >= 0; k--) {
            const int part = k == 0 ? rest : (int)floor(value[k] / kept * 1000.0 + 0.5);
            rest -= part;
            const int b = part > 0 ? chosen[k] : 0;
            const int mirrored = b < BONE_CLAVICLE                 ? b
                                 : b < BONE_CLAVICLE + WALKER_SIDE ? b + WALKER_SIDE
                                                                   : b - WALKER_SIDE;
            out[i].joints[k] = (uint8_t)b;
            // The halves share the points on the middle plane: these keep their joints.
            out[count + i].joints[k] = (uint8_t)(half->points[i].x == 0.0 ? b : mirrored);
            out[i].weights[k] = out[count + i].weights[k] = (float)(part / 1000.0);
        }
    }
    free(now);
    free(sum);
    free(total);
    return out;
}
