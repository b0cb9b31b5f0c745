// SPDX-License-Identifier: MIT
/// Fits keys to a curve from the top down: an interval is cut where the keys at its ends miss the
/// curve by too much, and so are its parts, until none of them must be.
///
/// Ramer, "An iterative procedure for the polygonal approximation of plane curves", 1972.
#pragma once

#include "base/arena.h"

/// Finds where an interval of positions must be cut: *out_cut lies between `from` and `to`, or is
/// `from` where keys at both suffice. Too far off is what is not `<=` the tolerance, so a NaN is.
typedef zt_result interval_cut(void *user, uint32_t from, uint32_t to, uint32_t *out_cut);

/// Lists positions 0, `last` and all cuts, rising, in `keys` [last + 1]. The intervals come from
/// left to right, each before its parts, and only where there are positions inside. Stops when
/// `cut` fails, or the work of `a` is cancelled. The work is that of `cut` alone: positions that
/// are no keys cost nothing.
zt_result subdivide(uint32_t last, interval_cut *cut, void *user, uint32_t *keys,
                    uint32_t *out_count, arena *a, zt_error *err);
