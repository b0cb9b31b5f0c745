// SPDX-License-Identifier: MIT
/// Frame lists: those of a shot, and selections from it. Frame rates.
#pragma once

#include "scene/scene.h"

enum {
    FRAME_NUMBER_LIMIT = 1000000000, ///< |frame| stays exact in double times any rational fps
};

/// Parses "12", "1-10", "1..10", "-5..5", "1-100x5", "1,3,7-9": rising. ZT_ERR_ARGUMENT, column.
zt_result scene_parse_frames(arena *a, const char *text, scene_frames *out, zt_error *err);
/// `count` frames from `first`.
zt_result frame_list_range(arena *a, int64_t first, int64_t count, scene_frames *out,
                           zt_error *err);
/// The frames of `text` in `shot`. `out_clamped`: some were not. ZT_ERR_ARGUMENT: none is.
zt_result frame_list_select(arena *a, const char *text, const scene_frames *shot, scene_frames *out,
                            bool *out_clamped, zt_error *err);
