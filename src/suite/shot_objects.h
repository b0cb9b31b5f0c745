// SPDX-License-Identifier: MIT
/// Pixels of a shot by the names of what they show: criteria of objects, and a report on those
/// that changed.
#pragma once

#include "suite/suite_shot.h"

/// One of the two pictures; scene NULL: nobody knows what it shows.
typedef struct shot_side {
    const zt_scene *scene;
    int64_t frame;
} shot_side;

/// Decides a shot that was compared as a whole by the criteria of its objects, if it has any, and
/// names those that changed. An object has the pixels of both sides: `made`, `golden`. What is in
/// GOLDENS/NAME.objects, lines such as "material helmet", and has none is gone. `golden` NULL:
/// writes that list instead, unless it is the same.
zt_result shot_objects_judge(const suite_shot_job *job, const shot_side sides[2],
                             const suite_shot *shot, const zt_metrics_def *how,
                             const zt_image *golden, const zt_image *made, comparison *item,
                             zt_error *err);
/// ZT_ERR_FORMAT: the scene has nothing of this kind and name.
zt_result shot_objects_check(const zt_scene *scene, const suite_object *asked, zt_error *err);
