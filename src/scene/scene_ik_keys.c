// SPDX-License-Identifier: MIT
/// Keys that several solvers share.
#include "scene/scene_ik_keys.h"

#include "scene/scene_names.h"

const char *const scene_ik_spaces[2] = {"world", "model"};

zt_result scene_ik_read_bone(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    ZT_TRY(ARENA_TAKE(r->keep, &ik->bones, 1, "bones", r->err));
    ik->bone_count = 1;
    return scene_value_solver_bone(r, value, &ik->bones[0]);
}

zt_result scene_ik_read_bone_list(document_reader *r, const document_node *value, bool limb,
                                  int32_t *out)
{
    const zt_model *model = model_of(r);
    uint32_t i = 0;
    for (const document_node *item = value->first; item; item = item->next, i++) {
        ZT_TRY(scene_read_solver_bone(r, item, model, &out[i]));
        if (limb && i == 2 && out[i] != out[0] && out[i] != out[1] &&
            !scene_bone_is_below(model, out[1], out[i]))
            continue;
        if (i > 0 && !scene_bone_is_below(model, out[i], out[i - 1]))
            return value_fail(r, item, false,
                              "the bone '%.80s' is not below '%.80s' (expected a chain that starts "
                              "at its root)",
                              item->text, model->nodes[out[i - 1]].name);
    }
    return ZT_OK;
}

zt_result scene_ik_read_bones(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    const bool limb = ik->kind == SCENE_IK_REACH, chain = ik->kind == SCENE_IK_CHAIN;
    if (value->kind != DOCUMENT_LIST || value->count == 0 || value->count > SCENE_IK_CHAIN_LIMIT ||
        (limb && value->count != 3) || (chain && value->count < 3))
        return value_wrong(r, value,
                           limb    ? "a list of three bones: root, middle, end"
                           : chain ? "a list of 3 to 32 bones, its end included"
                                   : "a list of 1 to 32 bones");
    ZT_TRY(ARENA_TAKE(r->keep, &ik->bones, value->count, "bones", r->err));
    ik->bone_count = value->count;
    return scene_ik_read_bone_list(r, value, limb, ik->bones);
}

zt_result scene_ik_read_angle(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    ZT_TRY(value_list(r, value, 2, 2, "the smallest and the largest angle, in degrees"));
    ZT_TRY(value_number(r, value->first, 0.0, 180.0, &ik->min_deg));
    return value_number(r, value->last, ik->min_deg, 180.0, &ik->max_deg);
}

zt_result scene_ik_read_numbers(document_reader *r, const document_node *value, uint32_t count,
                                double max, const double **out)
{
    ZT_TRY(value_list(r, value, count, count, "a list of numbers, one for each bone"));
    double *numbers = ARENA_ARRAY(r->keep, double, count), *next = numbers;
    if (!numbers)
        return arena_fail(r->keep, r->err, "numbers of bones");
    for (const document_node *item = value->first; item; item = item->next)
        ZT_TRY(value_number(r, item, 0.0, max, next++));
    *out = numbers;
    return ZT_OK;
}
