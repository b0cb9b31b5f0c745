// SPDX-License-Identifier: MIT
/// Moves of a character on the ground: a turn about +y, then a way. Internal to src/pose.
#ifndef ZT_POSE_ROOT_MOVE_H
#define ZT_POSE_ROOT_MOVE_H

#include "scene/scene.h"

typedef struct root_move {
    double heading_deg; ///< about +y, right-handed; whole turns count
    double way[3];      ///< metres
} root_move;

/// A direction turned about +y.
void root_move_turn(double heading_deg, const double v[3], double out[3]);
/// `a`, and from where it leads, as it looks there, `b`.
root_move root_move_then(const root_move *a, const root_move *b);
/// What leads from `a` to `b`, as seen from `a`.
root_move root_move_between(const root_move *a, const root_move *b);
/// `count` times `a`, one after the other; backwards below 0. A whole number of any size.
root_move root_move_times(const root_move *a, double count);

/// Where a layer's own way has brought its root, in the instance's space, since the start of its
/// clip. `sync_cycles`: pose_sync_until. Only of layers that extract a root.
root_move root_move_of_layer(const scene_instance *instance, const scene_layer *layer,
                             double time_s, double sync_cycles);

#endif
