// SPDX-License-Identifier: MIT
#include "model/avatar.h"

#include "base/maths.h"

double gaze_output(const gaze_range *range, double angle_deg)
{
    const double size = maths_min(fabs(angle_deg), (double)range->input_deg);
    return size / (double)range->input_deg * (double)range->output;
}

quat gaze_eye_turn(const model_gaze *gaze, bool faces_back, int side, double yaw_deg,
                   double pitch_deg, quat model_from_parent)
{
    const dvec3 up = {0.0, 1.0, 0.0}, left = {faces_back ? -1.0 : 1.0, 0.0, 0.0};
    const double pitch = gaze_output(pitch_deg > 0.0 ? &gaze->up : &gaze->down, pitch_deg);
    // To the left the left eye turns outwards.
    const gaze_range *range = (yaw_deg > 0.0) == (side == 0) ? &gaze->outer : &gaze->inner;
    const double yaw = gaze_output(range, yaw_deg);
    const quat turn = quat_multiply(quat_from_axis_deg(up, yaw_deg > 0.0 ? yaw : -yaw),
                                    quat_from_axis_deg(left, pitch_deg > 0.0 ? -pitch : pitch));
    return quat_multiply(quat_multiply(quat_conjugate(model_from_parent), turn), model_from_parent);
}
