// SPDX-License-Identifier: MIT
/// Small functions of the public API: memory of callers, properties of a scene and of the build.
#include "scene/scene.h"

#include <stdlib.h>

void zt_free(void *memory) { free(memory); }

void zt_scene_size(const zt_scene *scene, int32_t *out_width, int32_t *out_height)
{
    if (out_width)
        *out_width = scene ? scene->width : 0;
    if (out_height)
        *out_height = scene ? scene->height : 0;
}

bool zt_scene_transparent(const zt_scene *scene) { return scene && scene->transparent; }

void zt_scene_fps(const zt_scene *scene, int32_t *out_numerator, int32_t *out_denominator)
{
    if (out_numerator)
        *out_numerator = scene ? scene->fps_numerator : 0;
    if (out_denominator)
        *out_denominator = scene ? scene->fps_denominator : 1;
}

int64_t zt_scene_frame_count(const zt_scene *scene) { return scene ? scene->selected.count : 0; }

int64_t zt_scene_frame(const zt_scene *scene, int64_t index)
{
    if (!scene || index < 0 || index >= scene->selected.count)
        return 0;
    return scene->selected.frame[index];
}

/// Formats that a build may leave out, because they need a library each.
static const struct {
    const char *name;
    bool built;
} optional_formats[] = {
#ifdef ZT_DRACO
    {"Draco", true},
#else
    {"Draco", false},
#endif
#ifdef ZT_OPENEXR
    {"OpenEXR", true},
#else
    {"OpenEXR", false},
#endif
    {"GIF", ZT_GIF},
};

const char *zt_optional_format_at(int32_t index, bool *out_built)
{
    const bool valid =
        index >= 0 && (size_t)index < sizeof optional_formats / sizeof *optional_formats;
    if (out_built)
        *out_built = valid && optional_formats[index].built;
    return valid ? optional_formats[index].name : NULL;
}
