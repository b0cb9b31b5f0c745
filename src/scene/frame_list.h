// SPDX-License-Identifier: MIT
/// Frame lists: the ones of a shot, and selections from it. See scene_parse_frames in scene.h.
#ifndef ZT_SCENE_FRAME_LIST_H
#define ZT_SCENE_FRAME_LIST_H

#include "scene/scene.h"

enum {
    FRAME_NUMBER_LIMIT = 1000000000, ///< |frame| stays exact in double times any rational fps
    FRAME_COUNT_LIMIT = 1000000,     ///< nine hours at 30 fps
};

/// `count` frames from `first`.
zt_result frame_list_range(arena *a, int64_t first, int64_t count, scene_frames *out,
                           zt_error *err);
/// The frames of `text` that are in `shot`. `out_clamped`: some were not. Fails with
/// ZT_ERR_ARGUMENT when none is.
zt_result frame_list_select(arena *a, const char *text, const scene_frames *shot, scene_frames *out,
                            bool *out_clamped, zt_error *err);

#endif
