// SPDX-License-Identifier: MIT
/// Small functions of the public API: memory of callers, properties of a scene.
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
