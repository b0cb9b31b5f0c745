// SPDX-License-Identifier: MIT
/// The steps that springs take: passes over the instances at the times of the steps.
#pragma once

#include "pose/pose_pass.h"

/// The instances whose poses the steps need: those with springs, those whose parent changes, and
/// what they depend on. False: no memory.
bool pose_springs_needed(const zt_scene *scene, arena *a, const bool **out);
/// The number of the last step that is not after a time. ZT_ERR_LIMIT: too many.
zt_result pose_springs_count(const pose_pass *p, double until_s, int64_t *out, zt_error *err);
/// Takes the steps up to number `step`. The pass poses what pose_springs_needed() says.
zt_result pose_springs_run_to(pose_pass *p, int64_t step, zt_error *err);
/// Takes the steps up to a time, from the start or from the trail of `time`.
zt_result pose_springs_run(pose_pass *p, const bool *needed, frame_time time, zt_error *err);
/// The parent changes of all instances, which lie in a row (pose_attachments_init).
attachment_change *pose_attachment_changes(const pose_pass *p, size_t *out_count);
