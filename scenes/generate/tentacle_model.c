// SPDX-License-Identifier: MIT
// Tentacles that curl: one whose vertices have up to eight influences, and one with only the four
// largest of these, which differs visibly.
#include "models.h"
#include "shapes.h"

#include <stdio.h>
#include <string.h>

enum { BONES = 12, RINGS = 60, AROUND = 24, INFLUENCES = 8 };
static const double spacing = 0.15, radius = 0.17; // metres between bones; at the root

/// Weights fall off over four bone lengths either way: eight bones at most, largest first.
static void add_weights(built_vertex *v, int first_joint, bool all)
{
    double weight[BONES], total = 0.0;
    int order[INFLUENCES], used = 0;
    for (int b = 0; b < BONES; b++) {
        const double off = ((double)v->position[1] / spacing - 0.5 - b) / 4.0;
        const double inside = 1.0 - off * off;
        weight[b] = inside > 0.0 ? inside * inside : 0.0;
    }
    for (; used < (all ? INFLUENCES : 4); used++) {
        int best = -1;
        for (int b = 0; b < BONES; b++)
            if (weight[b] > 0.0 && (best < 0 || weight[b] > weight[best]))
                best = b;
        if (best < 0)
            break;
        order[used] = best;
        (used < 4 ? v->weights : v->weights_more)[used % 4] = (float)weight[best];
        total += weight[best];
        weight[best] = 0.0;
    }
    for (int k = 0; k < used; k++) {
        (k < 4 ? v->joints : v->joints_more)[k % 4] = (uint8_t)(first_joint + order[k]);
        (k < 4 ? v->weights : v->weights_more)[k % 4] /= (float)total;
    }
}

typedef struct tentacle {
    double x;
    int first_joint;
    bool all; ///< of eight influences, else the four largest
} tentacle;

static built_vertex tentacle_vertex(const void *user, dvec3 n, double y, int ring, int column)
{
    (void)column;
    const tentacle *t = user;
    const double wide = radius * (1.0 - 0.8 * y / (BONES * spacing));
    const float pale[3] = {0.9f, 0.72f, 0.6f}, dark[3] = {0.5f, 0.12f, 0.2f};
    built_vertex v = vertex_at(v3(t->x + wide * n.x, y, wide * n.z), n, 0.0, 0.0);
    memcpy(v.color, ring / 5 % 2 ? pale : dark, sizeof pale);
    memset(v.weights, 0, sizeof v.weights);
    add_weights(&v, t->first_joint, t->all);
    return v;
}

static void add_tentacle(built_model *m, int side, int clip, int root)
{
    const double x = side ? 0.9 : -0.9;
    char name[32];
    const int material = new_material(m, side ? "four" : "eight", 1.0, 1.0, 1.0, 0.0, 0.5);
    m->materials[material].double_sided = true;
    const int node = new_mesh_node(m, side ? "four" : "eight", -1, v3(0.0, 0.0, 0.0));
    m->nodes[node].skin = 0;
    built_primitive *p = new_primitive(
        m, material, HAS_NORMAL | HAS_COLOR | HAS_SKIN | (side ? 0u : (unsigned)HAS_SKIN_MORE));
    const tentacle own = {x, m->joint_count, side == 0};
    shape_tube(p, BONES * spacing, RINGS, AROUND, tentacle_vertex, &own);
    for (int b = 0, parent = root; b < BONES; b++) {
        snprintf(name, sizeof name, "%s_%d", side ? "four" : "eight", b);
        parent = new_node(m, name, parent, b == 0 ? v3(x, 0.0, 0.0) : v3(0.0, spacing, 0.0));
        m->joints[m->joint_count++] = (built_joint){parent, v3(x, b * spacing, 0.0)};
        // Every third bone bends by itself: a sharp bend that eight influences spread.
        turn_keys(m, clip, parent, KEYS({0.0}, {1.0, 0.0, 0.0, b % 3 == 2 ? -72.0 : 0.0}, {2.0}));
    }
}

void tentacle_build(built_model *m)
{
    const int clip = new_clip(m, "curl");
    const int root = new_node(m, "root", -1, v3(0.0, 0.0, 0.0));
    m->skeleton = root;
    for (int side = 0; side < 2; side++)
        add_tentacle(m, side, clip, root);
}
