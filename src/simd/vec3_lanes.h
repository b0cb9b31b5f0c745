// SPDX-License-Identifier: MIT
/// Vectors of three lanes.
#pragma once

#include "simd/lanes.h"

typedef struct vec3_lanes {
    vf x, y, z;
} vec3_lanes;

ZT_LANE_OP vec3_lanes vec3_set1(const float v[3])
{
    return (vec3_lanes){vf_set1(v[0]), vf_set1(v[1]), vf_set1(v[2])};
}

ZT_LANE_OP vf vec3_dot(vec3_lanes a, vec3_lanes b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }

ZT_LANE_OP vec3_lanes vec3_add(vec3_lanes a, vec3_lanes b)
{
    return (vec3_lanes){a.x + b.x, a.y + b.y, a.z + b.z};
}

ZT_LANE_OP vec3_lanes vec3_sub(vec3_lanes a, vec3_lanes b)
{
    return (vec3_lanes){a.x - b.x, a.y - b.y, a.z - b.z};
}

ZT_LANE_OP vec3_lanes vec3_scale(vec3_lanes a, vf s)
{
    return (vec3_lanes){a.x * s, a.y * s, a.z * s};
}

ZT_LANE_OP vec3_lanes vec3_cross(vec3_lanes a, vec3_lanes b)
{
    return (vec3_lanes){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Roots and divisions are exact: estimates take thrice the instructions, and the divider idles.
ZT_LANE_OP vf inverse_sqrt(vf x) { return vf_set1(1.0f) / vf_sqrt(x); }

/// Unit length; a vector too short to have a direction stays (nearly) zero.
ZT_LANE_OP vec3_lanes vec3_unit(vec3_lanes a)
{
    return vec3_scale(a, inverse_sqrt(vf_max(vec3_dot(a, a), vf_set1(1e-30f))));
}

ZT_LANE_OP vec3_lanes vec3_times(vec3_lanes a, vec3_lanes b)
{
    return (vec3_lanes){a.x * b.x, a.y * b.y, a.z * b.z};
}
