// SPDX-License-Identifier: MIT
/// What moves: numbers over shot time, by keys.
#pragma once

#include "base/arena.h"
#include "base/quat.h"

/// Interpolation of a track from a key to the next.
typedef enum track_interpolation {
    TRACK_LINEAR,
    TRACK_STEP,   ///< stays until the next key
    TRACK_EASE,   ///< linear in 3s^2 - 2s^3: it starts and ends at rest
    TRACK_SPLINE, ///< cubic through the keys, see track_evaluate()
} track_interpolation;

/// A number or vector over shot time: constant before the first key and after the last.
/// Quaternions: see track_evaluate_rotation().
typedef struct track {
    uint32_t key_count;           ///< 1: constant
    uint32_t width;               ///< numbers per key, 1..4
    const double *time_s;         ///< [key_count], rising
    const double *value;          ///< [key_count * width]
    const uint8_t *interpolation; ///< [key_count] track_interpolation; NULL: linear
    double min, max;              ///< splines stay between
    bool loop;                    ///< from the last key on it starts again, and before the first
} track;

/// True when a key has this interpolation. Not for TRACK_LINEAR, which need not be stored.
bool track_uses(const track *t, track_interpolation how);
/// The number of keys at or before time_s, of a track that does not loop.
uint32_t track_keys_until(const track *t, double time_s);
/// out_value: [width]. A spline is the cubic Hermite curve whose slope at a key is that from the
/// key before to the key after it (Catmull & Rom, "A class of local interpolating splines", 1974,
/// with times); at the ends of a track that does not loop, from the key to its neighbour.
void track_evaluate(const track *t, double time_s, double *out_value);
/// A track of quaternions at a time, of unit length: spherical interpolation along the shorter arc
/// between keys; splines by component, from keys on the same side of the sphere.
quat track_evaluate_rotation(const track *t, double time_s);
/// The integrals of a track of one number from its first key to each key, in `a`; NULL when out of
/// memory. Not of splines and not of tracks that loop.
const double *track_sums(arena *a, const track *t);
/// The integral from the first key to a time, negative before it. `sum`: of track_sums().
double track_integral(const track *t, const double *sum, double time_s);
/// A constant track of up to 4 numbers in `a`; false when out of memory.
bool track_constant(arena *a, const double *value, uint32_t width, track *out);
