// SPDX-License-Identifier: MIT
#include "base/def_fields.h"
#include "scene/scene.h"
#include "suite/suite_shot.h"

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
