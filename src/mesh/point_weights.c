// SPDX-License-Identifier: MIT
#include "mesh/point_weights.h"

#include <string.h>

bool point_weights_add(point_weights *p, uint16_t joint, float weight)
{
    int at = POINT_WEIGHTS;
    if (!(weight > 0.0f) || !(weight < 1e30f))
        return false;
    while (at > 0 && weight > p->weight[at - 1])
        at--;
    const bool dropped = p->weight[POINT_WEIGHTS - 1] > 0.0f || at == POINT_WEIGHTS;
    for (int i = POINT_WEIGHTS - 1; i > at; i--) {
        p->weight[i] = p->weight[i - 1];
        p->joint[i] = p->joint[i - 1];
    }
    if (at < POINT_WEIGHTS) {
        p->weight[at] = weight;
        p->joint[at] = joint;
    }
    return dropped;
}

/// False: the point had no weights, and follows joint `own` alone.
static bool normalize(point_weights *p, uint16_t own)
{
    double sum = 0.0;
    for (int i = 0; i < POINT_WEIGHTS; i++)
        sum += (double)p->weight[i];
    if (!(sum > 1e-20)) {
        *p = (point_weights){.weight = {1.0f}, .joint = {own}};
        return false;
    }
    for (int i = 0; i < POINT_WEIGHTS; i++)
        p->weight[i] = (float)((double)p->weight[i] / sum);
    return true;
}

zt_result point_weights_finish(arena *a, point_weights *points, uint32_t *count, polygon_mesh *mesh,
                               zt_error *err)
{
    bool more = false, all_weighted = true;
    const size_t n = mesh->point_count;
    vertex_joints *joints, *joints_more;
    vertex_weights *weights, *weights_more;
    for (uint32_t i = 0; i < n; i++) {
        ZT_TRY(arena_go_on_at(a, i, "weights", err));
        all_weighted = normalize(&points[i], (uint16_t)*count) && all_weighted;
        more = more || points[i].weight[4] > 0.0f;
    }
    *count += all_weighted ? 0 : 1;
    ZT_TRY(ARENA_TAKE(a, &joints, n, "weights", err));
    ZT_TRY(ARENA_TAKE(a, &weights, n, "weights", err));
    ZT_TRY(ARENA_TAKE(a, &joints_more, more ? n : 0, "weights", err));
    ZT_TRY(ARENA_TAKE(a, &weights_more, more ? n : 0, "weights", err));
    for (uint32_t i = 0; i < n; i++) {
        memcpy(joints[i].joint, points[i].joint, sizeof joints[i].joint);
        memcpy(weights[i].weight, points[i].weight, sizeof weights[i].weight);
        if (!more)
            continue;
        memcpy(joints_more[i].joint, points[i].joint + 4, sizeof joints[i].joint);
        memcpy(weights_more[i].weight, points[i].weight + 4, sizeof weights[i].weight);
    }
    mesh->joints = joints;
    mesh->weights = weights;
    mesh->joints_more = more ? joints_more : NULL;
    mesh->weights_more = more ? weights_more : NULL;
    return ZT_OK;
}
