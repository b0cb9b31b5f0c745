// SPDX-License-Identifier: MIT
/// Small functions of the public API: names, memory of callers, properties of a scene.
#include "render/frame_stats.h"
#include "scene/scene.h"

#include <stdlib.h>

const char *zt_stage_name(zt_stage stage)
{
    static const char *const names[] = {
        [ZT_STAGE_FRAMING] = "framing",   [ZT_STAGE_LIGHT] = "light",
        [ZT_STAGE_POSE] = "pose",         [ZT_STAGE_SKIN] = "skin",
        [ZT_STAGE_GEOMETRY] = "geometry", [ZT_STAGE_RASTER] = "raster",
        [ZT_STAGE_SHADE] = "shade",       [ZT_STAGE_FILM] = "film",
        [ZT_STAGE_ENCODE] = "encode",     [ZT_STAGE_WRITE] = "write",
    };
    _Static_assert(sizeof names / sizeof *names == ZT_STAGE_COUNT, "name every zt_stage");
    return (unsigned)stage < ZT_STAGE_COUNT ? names[stage] : "unknown stage";
}

const char *zt_product_name(int32_t product)
{
    static const char *const names[] = {
        [PRODUCT_PALETTE] = "palette", [PRODUCT_VERTICES] = "vertices",
        [PRODUCT_SETUP] = "setup",     [PRODUCT_DEPTH] = "depth",
        [PRODUCT_ID] = "ids",          [PRODUCT_COLOR] = "color",
        [PRODUCT_PIXELS] = "pixels",   [PRODUCT_FILE] = "file",
    };
    _Static_assert(sizeof names / sizeof *names == ZT_PRODUCT_COUNT, "name every frame_product");
    return (unsigned)product < ZT_PRODUCT_COUNT ? names[product] : "unknown product";
}

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
