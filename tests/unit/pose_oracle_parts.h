// SPDX-License-Identifier: MIT
/// Shared by the two halves of the oracle of poses. Internal to pose_oracle*.c.
#pragma once

#include "pose_oracle.h"

typedef struct oracle_local_transform {
    double t[3], r[4], s[3];
} oracle_local_transform;

oracle_local_transform oracle_authored(const model_node *node);
/// A channel at a clip time: `width` numbers, of which a rotation has 4, translation and scale 3.
void oracle_channel_at(const model_channel *channel, double t, int width, double *out);

double oracle_clip_length(const zt_model *model, const scene_layer *layer);
/// Where a layer is in its endless clip. Layers in step show the same part, but for a lead.
double oracle_layer_time(const scene_instance *instance, const scene_layer *layer, double time_s,
                         double cycles);
/// The same within the clip, and how many whole loops have passed.
double oracle_clip_time(const scene_layer *layer, const model_clip *clip, double t, int *out_loops);
/// The weight of a layer on a node, its mask included.
double oracle_weight_on(const scene_layer *layer, int32_t node, double time_s);

/// Root motion that strip and extract leave in the pose: place and heading of the clip's start, and
/// its height.
void oracle_hold_root(const zt_model *model, const scene_layer *layer, oracle_local_transform *x);
