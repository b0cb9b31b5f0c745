// SPDX-License-Identifier: MIT
/// How far root motion has carried an instance.
///
/// A layer's own move M(t) is known at once (root_move.h). An instance goes on by the moves of its
/// layers, each by its weight: its heading and place are the integral of w(t) dM(t), each step in
/// the direction that it looks in then. While one layer has all the weight that is M(a)^-1 M(b);
/// where nothing turns and weights stand still, w times that. Else it is the sum over short cells,
/// with the weights in the middle of each.
#include "pose/pose.h"
#include "pose/root_move.h"

#include <math.h>

/// Of a second: a cell while weights change. The error falls with its square; half of a permille of
/// a stride at a tenth of a clip.
#define CELL_S (1.0 / 128.0)
enum {
    CELLS_LEAST = 8,
    CELLS_MOST = 1024,       ///< and of one length, where they grow
    GROWING_CELLS = 1 << 15, ///< 1,000 years
};

typedef struct journey {
    const scene_instance *instance;
    int32_t root;          ///< of the lowest layer that travels: its weight is the others' too
    bool turns;            ///< some layer that travels
    double time_s, cycles; ///< how far it was followed
    root_move at;
} journey;

static bool travels(const scene_layer *layer)
{
    return layer->root_motion == SCENE_ROOT_EXTRACT && layer->root && layer->clip >= 0;
}

static double weight_at(const journey *j, const scene_layer *layer, double time_s)
{
    const double weight = pose_layer_weight(layer, time_s);
    return layer->mask ? weight * (double)layer->mask[layer->root ? layer->root->node : j->root]
                       : weight;
}

/// One step: the moves of all layers from the journey's time to `to_s`, by their weights at
/// `weights_at_s`.
static void go_on(journey *j, double to_s, double weights_at_s)
{
    const scene_instance *instance = j->instance;
    const double cycles = j->cycles + pose_sync_cycles(instance, j->time_s, to_s);
    root_move step = {
        0.0, {0.0, 0.0, 0.0}
    };
    for (uint32_t i = 0; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        const double weight = weight_at(j, layer, weights_at_s);
        const bool added = layer->mode == SCENE_ADDITIVE;
        root_move own = {
            0.0, {0.0, 0.0, 0.0}
        };
        if (travels(layer)) {
            const root_move before = root_move_of_layer(instance, layer, j->time_s, j->cycles);
            const root_move after = root_move_of_layer(instance, layer, to_s, cycles);
            own = root_move_between(&before, &after);
        }
        step.heading_deg +=
            added ? own.heading_deg * weight : (own.heading_deg - step.heading_deg) * weight;
        for (int k = 0; k < 3; k++)
            step.way[k] += added ? own.way[k] * weight : (own.way[k] - step.way[k]) * weight;
    }
    j->at = root_move_then(&j->at, &step);
    j->time_s = to_s;
    j->cycles = cycles;
}

static bool weights_change(const journey *j, double break_s)
{
    const double from_s = j->time_s, third = (break_s - from_s) / 3.0;
    bool changes = false;
    for (uint32_t i = 0; i < j->instance->layer_count && isfinite(break_s); i++) {
        const scene_layer *layer = &j->instance->layers[i];
        const double early = pose_layer_weight(layer, from_s + third);
        changes |= early != pose_layer_weight(layer, from_s + 2.0 * third) ||
                   early != pose_layer_weight(layer, from_s);
    }
    return changes;
}

/// Whether some layer shows in part at a time: then turns bend the way of the others.
static bool weights_mix(const journey *j, double time_s)
{
    bool mix = false;
    for (uint32_t i = 0; i < j->instance->layer_count; i++) {
        const scene_layer *layer = &j->instance->layers[i];
        const double weight = weight_at(j, layer, time_s);
        mix |= weight > 0.0 && (weight < 1.0 || layer->mode == SCENE_ADDITIVE);
    }
    return mix;
}

/// Cells whose length doubles after every CELLS_MOST of them: never much above a 500th of the time
/// that has passed, and few for any time.
static void follow_growing(journey *j, double end_s)
{
    double to_s = j->time_s, cell_s = CELL_S;
    for (int k = 1; k < GROWING_CELLS && j->time_s < end_s; k++) {
        to_s += cell_s;
        go_on(j, to_s < end_s ? to_s : end_s, to_s - 0.5 * cell_s);
        if (k % CELLS_MOST == 0)
            cell_s *= 2.0;
    }
    if (j->time_s < end_s)
        go_on(j, end_s, end_s);
}

/// Follows the journey to `end_s`; until `break_s`, beyond, no weight bends. The cells do not
/// depend on where it ends, so that nothing jumps from one frame to the next.
static void follow(journey *j, double end_s, double break_s)
{
    const double from_s = j->time_s;
    const bool bends = j->turns && weights_mix(j, 0.5 * (from_s + end_s));
    if (!bends && !weights_change(j, break_s)) {
        go_on(j, end_s, 0.5 * (from_s + end_s));
        return;
    }
    if (!isfinite(break_s)) {
        follow_growing(j, end_s);
        return;
    }
    double count = ceil((break_s - from_s) / CELL_S);
    count = count < CELLS_LEAST ? CELLS_LEAST : count > CELLS_MOST ? CELLS_MOST : count;
    const double cell_s = (break_s - from_s) / count;
    for (int k = 0; k < (int)count && j->time_s < end_s; k++) {
        const double to_s = k + 1 < (int)count ? from_s + (k + 1) * cell_s : break_s;
        go_on(j, to_s < end_s ? to_s : end_s, from_s + (k + 0.5) * cell_s);
    }
}

void pose_root_travel(const scene_instance *instance, double time_s, double *out_turn_deg,
                      double out_way[3])
{
    journey j = {.instance = instance, .root = -1};
    for (uint32_t i = 0; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        if (!travels(layer))
            continue;
        if (j.root < 0 || layer->at_s < j.time_s)
            j.time_s = layer->at_s;
        if (j.root < 0)
            j.root = layer->root->node;
        j.turns |= layer->root->rotation != NULL;
    }
    if (j.root >= 0)
        j.cycles = pose_sync_until(instance, j.time_s);
    while (j.root >= 0 && j.time_s < time_s) {
        double next = (double)INFINITY;
        for (uint32_t i = 0; i < instance->layer_count; i++) {
            const double own = pose_next_break(&instance->layers[i], j.time_s);
            next = own < next ? own : next;
        }
        follow(&j, next < time_s ? next : time_s, next);
    }
    *out_turn_deg = j.at.heading_deg;
    for (int k = 0; k < 3; k++)
        out_way[k] = j.at.way[k];
}
