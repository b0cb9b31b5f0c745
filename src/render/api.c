// SPDX-License-Identifier: MIT
/// Small functions of the public API: names, memory of callers, properties of a scene.
#include "image/png_write.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

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

const char *zt_product_name(zt_product product)
{
    static const char *const names[] = {
        [ZT_PRODUCT_PALETTE] = "palette", [ZT_PRODUCT_VERTICES] = "vertices",
        [ZT_PRODUCT_SETUP] = "setup",     [ZT_PRODUCT_DEPTH] = "depth",
        [ZT_PRODUCT_ID] = "ids",          [ZT_PRODUCT_COLOR] = "color",
        [ZT_PRODUCT_PIXELS] = "pixels",   [ZT_PRODUCT_FILE] = "file",
    };
    _Static_assert(sizeof names / sizeof *names == ZT_PRODUCT_COUNT, "name every zt_product");
    return (unsigned)product < ZT_PRODUCT_COUNT ? names[product] : "unknown product";
}

void zt_text_free(char *text)
{
    free(text);
}

void zt_bytes_free(uint8_t *bytes)
{
    free(bytes);
}

zt_result zt_png_encode(const zt_image *image, zt_png_mode mode, uint8_t **out_bytes,
                        size_t *out_size, zt_error *err)
{
    budget limit;
    arena a;
    file_bytes encoded = {0};
    if (!out_bytes || !out_size)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_png_encode: out_bytes or out_size is NULL");
    budget_init_within(&limit, image ? image->budget : NULL, 0, NULL);
    cancel_init(&limit.cancel, image ? image->cancel : NULL);
    arena_init(&a, &limit);
    zt_result result = png_encode(image, mode, &a, &encoded, err);
    uint8_t *copy = NULL;
    if (result == ZT_OK && !arena_charge(&a, budget_charge_of(encoded.size)))
        result = arena_fail(&a, err, "an encoded PNG");
    if (result == ZT_OK) {
        copy = malloc(encoded.size ? encoded.size : 1);
        if (copy)
            memcpy(copy, encoded.data, encoded.size);
        else
            result = zt_fail(err, ZT_ERR_MEMORY, "no memory for a PNG of %zu bytes", encoded.size);
    }
    arena_finish(&a);
    *out_bytes = copy;
    *out_size = copy ? encoded.size : 0;
    return result;
}

// ---- Properties of a scene ----------------------------------------------------------------------

void zt_scene_size(const zt_scene *scene, int32_t *out_width, int32_t *out_height)
{
    if (out_width)
        *out_width = scene ? scene->width : 0;
    if (out_height)
        *out_height = scene ? scene->height : 0;
}

bool zt_scene_transparent(const zt_scene *scene)
{
    return scene && scene->transparent;
}

void zt_scene_fps(const zt_scene *scene, int32_t *out_numerator, int32_t *out_denominator)
{
    if (out_numerator)
        *out_numerator = scene ? scene->fps_numerator : 0;
    if (out_denominator)
        *out_denominator = scene ? scene->fps_denominator : 1;
}

int64_t zt_scene_frame_count(const zt_scene *scene)
{
    return scene ? scene->selected.count : 0;
}

int64_t zt_scene_frame(const zt_scene *scene, int64_t index)
{
    if (!scene || index < 0 || index >= scene->selected.count)
        return 0;
    return scene->selected.frame[index];
}
