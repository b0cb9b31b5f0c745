// SPDX-License-Identifier: MIT
/// The input of a reader of model files.
#ifndef ZT_MODEL_MODEL_SOURCE_H
#define ZT_MODEL_MODEL_SOURCE_H

#include "base/file.h"

#include <zoetrope/zoetrope.h>

typedef struct model_source {
    const char *path; ///< for messages, and to find files in its folder
    file_bytes bytes;
    const char *texture_dir;  ///< NULL for none
    const char *variant;      ///< of materials, by name; NULL: the file's default
    int32_t threads;          ///< for pictures; 0: one per core
    int32_t texture_min_side; ///< textures may be reduced to this side (picture_reduction); 0: not
    message_sink sink;
    int handedness; ///< .m3d only: 0 decide, 'l' or 'r' force
    bool tangents;  ///< also for materials without a normal map
} model_source;

#endif
