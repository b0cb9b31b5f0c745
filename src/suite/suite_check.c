// SPDX-License-Identifier: MIT
#include "base/def_fields.h"
#include "scene/scene.h"
#include "suite/shot_objects.h"

/// Masks and rectangles must fit the picture.
static zt_result check_left_out(const suite *s, const zt_load_def *load, const suite_shot *shot,
                                const zt_scene *scene, zt_error *err)
{
    int32_t width = 0, height = 0;
    zt_image mask;
    zt_scene_size(scene, &width, &height);
    for (int32_t i = 0; shot->ignored && i < shot->ignored->count; i++) {
        const zt_rectangle *r = &shot->ignored->at[i];
        if (r->x >= width || r->y >= height || r->x + r->width <= 0 || r->y + r->height <= 0)
            return zt_fail(err, ZT_ERR_ARGUMENT,
                           "ignore %d,%d,%dx%d is outside of the picture (%d x %d)", r->x, r->y,
                           r->width, r->height, width, height);
    }
    ZT_TRY(suite_shot_mask(s, shot, load->budget, &mask, err));
    const bool fits = !mask.rgba8 || (mask.width == width && mask.height == height);
    zt_image_finish(&mask);
    return fits ? ZT_OK
                : zt_fail(err, ZT_ERR_ARGUMENT, "the mask %.400s is not %d x %d, as the picture is",
                          shot->mask, width, height);
}

/// `last`: the shot that *scene shows, or NULL.
static zt_result check_shot(const suite *s, const zt_load_def *load, const suite_shot *shot,
                            const suite_shot *last, zt_scene **scene, zt_error *err)
{
    int64_t frame;
    zt_load_def def = *load;
    if (!last || !suite_shot_same_scene(last, shot)) {
        zt_scene_destroy(*scene);
        *scene = NULL;
        def_overlay(&load_table, &def, &shot->load);
        ZT_TRY(scene_load_below(shot->file, s->root_length, true, &def, scene, err));
    }
    ZT_TRY(zt_scene_apply(*scene, &shot->shot, err));
    if (!last || last->mask != shot->mask || last->ignored != shot->ignored ||
        !suite_shot_same_values(last, shot)) // frames of one entry have one answer
        ZT_TRY(check_left_out(s, load, shot, *scene, err));
    for (uint32_t i = 0; i < shot->object_count; i++)
        ZT_TRY(shot_objects_check(*scene, &shot->objects[i], err));
    return suite_shot_frame(*scene, shot, &frame, err);
}

zt_result suite_check(const suite *s, const zt_load_def *load, zt_error *err)
{
    zt_scene *scene = NULL;
    zt_result result = ZT_OK;
    for (uint32_t i = 0; i < s->shot_count; i++) {
        const suite_shot *last = i % SUITE_APPLY_LIMIT > 0 ? &s->shots[i - 1] : NULL;
        result = check_shot(s, load, &s->shots[i], last, &scene, err);
        if (result != ZT_OK) {
            suite_shot_locate(s, &s->shots[i], err);
            result = err->code;
            break;
        }
    }
    zt_scene_destroy(scene);
    return result;
}
