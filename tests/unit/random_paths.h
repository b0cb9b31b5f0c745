// SPDX-License-Identifier: MIT
/// Smooth random paths, for tests of how far solvers move while their target moves.
#pragma once

#include "base/quat.h"
#include "random_numbers.h"
#include "testing.h"

/// Number of random rigs: ZT_ORACLE_FACTOR times as many by hand, fewer under sanitizers.
static inline uint64_t rigs(uint64_t count)
{
    const char *factor = getenv("ZT_ORACLE_FACTOR");
#ifdef ZT_RANDOM_SHARE
    count /= ZT_RANDOM_SHARE;
#endif
    return factor ? count * strtoull(factor, NULL, 10) : count;
}

/// A smooth closed path through the space around `centre`: an ellipse.
typedef struct ellipse {
    dvec3 centre, along, across;
} ellipse;

static inline ellipse random_path(uint64_t *seed, dvec3 centre, double size)
{
    return (ellipse){
        dvec3_add(centre, dvec3_scale(random_direction(seed), between(seed, 0.0, 0.5 * size))),
        dvec3_scale(random_direction(seed), between(seed, 0.1, 1.0) * size),
        dvec3_scale(random_direction(seed), between(seed, 0.1, 1.0) * size)};
}

static inline dvec3 on_path(const ellipse *p, double turn)
{
    const double angle = turn * 6.283185307179586;
    return dvec3_add(p->centre, dvec3_add(dvec3_scale(p->along, cos(angle)),
                                          dvec3_scale(p->across, sin(angle))));
}

/// Steps of a solver and those of its target; those from and to a singularity do not count.
typedef struct step_check {
    dvec3 target; ///< of the step before
    bool follows; ///< the step before was no singularity
    int64_t checked;
} step_check;

/// Fails if joints move `factor` times as far as the target or more. True if the step counts.
static inline bool check_step(step_check *c, dvec3 target, bool skip, double moved, double factor,
                              uint64_t rig, int k)
{
    const double step = dvec3_length(dvec3_sub(target, c->target));
    const bool counts = c->follows && !skip;
    cr_assert(!counts || moved < factor * step + 1e-9,
              "rig %d, step %d: joints move %g m while the target moves %g m", (int)rig, k, moved,
              step);
    c->target = target;
    c->follows = !skip;
    c->checked += counts;
    return counts;
}

/// The largest distance between where two rotations take a point one metre from the joint.
static inline double rotation_step(quat a, quat b)
{
    const quat d = quat_multiply(quat_conjugate(a), b);
    return 2.0 * sqrt((d.x * d.x + d.y * d.y) + d.z * d.z);
}
