// SPDX-License-Identifier: MIT
/// The second half of an aim: the turn about the line to the target. The first is a look.
#include "pose/ik.h"

turn ik_roll(dvec3 axis, dvec3 up_axis, dvec3 up)
{
    if (!unit3(&axis, 0.0) || !unit3(&up_axis, 0.0) || !unit3(&up, 0.0))
        return turn_none();
    dvec3 from = across3(up_axis, axis), to = across3(up, axis);
    if (!unit3(&from, 1e-6) || !unit3(&to, 1e-6))
        return turn_none();
    return turn_about(axis, dot3(from, to), dot3(axis, cross3(from, to)));
}
