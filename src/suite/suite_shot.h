// SPDX-License-Identifier: MIT
/// One shot of a suite: rendered, compared with its golden, written.
#pragma once

#include "suite/suite_written.h"

/// Shots before a scene is loaded anew: each takes some of its memory.
enum { SUITE_APPLY_LIMIT = 64 };

/// True when a scene that shows `a` shows `b` after zt_scene_apply(): the file is the same, and `b`
/// sets the same values, of which only those may differ that leave no trace when they are set anew.
bool suite_shot_same_scene(const suite_shot *a, const suite_shot *b);
/// Equal where suite_shot_same_scene() holds.
uint64_t suite_shot_scene_hash(const suite_shot *shot);
/// True when the scene needs no zt_scene_apply() for that: all values are the same.
bool suite_shot_same_values(const suite_shot *a, const suite_shot *b);

/// The frame of the shot in a scene that shows it. ZT_ERR_ARGUMENT when the scene has none.
zt_result suite_shot_frame(const zt_scene *scene, const suite_shot *shot, int64_t *out,
                           zt_error *err);
/// Reads the mask of a shot; without one `out` has no pixels. What is no picture is
/// ZT_ERR_ARGUMENT.
zt_result suite_shot_mask(const suite *s, const suite_shot *shot, zt_budget *whole, zt_image *out,
                          zt_error *err);
/// Names the suite's line and the shot in front of the message of `err`, where these are at fault.
void suite_shot_locate(const suite *s, const suite_shot *shot, zt_error *err);

/// A command line for reports: renders the picture of a shot alone; NULL: no memory in `texts`, or
/// too long.
const char *suite_render_command(const suite_shot *shot, int64_t frame, comparison_list *texts);
/// Makes its picture the golden; NULL: as above.
const char *suite_accept_command(const suite *s, const suite_shot *shot, comparison_list *texts);

/// Fills what is known before the work.
void suite_shot_begin(const suite *s, const suite_shot *shot, comparison *out);

/// The state of the work on a shot.
typedef struct suite_shot_job {
    const suite *s;
    suite_written *written;
    zt_renderer *renderer;
    const zt_scene *scene; ///< shows the shot
    zt_budget *budget;
    const zt_cancel *cancel;
    comparison_list *texts; ///< of the comparison
    bool update;            ///< the picture becomes the golden, or its hash a line of the list
    /// Opens the scene that shows a shot of the other checkout.
    zt_result (*open_other)(void *user, const suite_shot *old, const zt_scene **out, zt_error *err);
    void *open_user;
} suite_shot_job;

/// Renders the shot, and compares it with its golden or replaces it. Fails when the picture cannot
/// be rendered or a file cannot be read or written; a picture that differs is no failure.
zt_result suite_shot_work(const suite_shot_job *job, const suite_shot *shot, comparison *out,
                          zt_error *err);
/// Describes a failure. A value that the scene refuses is a fault of the suite.
void suite_shot_fail(const suite *s, const suite_written *written, const suite_shot *shot,
                     zt_result code, const char *message, comparison_list *texts, comparison *out);
