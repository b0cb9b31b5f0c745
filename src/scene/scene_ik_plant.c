// SPDX-License-Identifier: MIT
/// The keys of `plant`.
#include "scene/scene_ik_keys.h"
#include "scene/scene_names.h"

static zt_result read_feet(document_reader *r, const document_node *value, void *target)
{
    static const char *const expected =
        "a list of 1 to 16 feet, each a list of three bones: thigh, shin, foot";
    scene_ik *ik = target;
    ZT_TRY(value_list(r, value, 1, SCENE_IK_FOOT_LIMIT, expected));
    ZT_TRY(ARENA_TAKE(r->keep, &ik->bones, (size_t)value->count * 3, "feet", r->err));
    for (const document_node *foot = value->first; foot; foot = foot->next) {
        ZT_TRY(value_list(r, foot, 3, 3, expected));
        ZT_TRY(scene_ik_read_bone_list(r, foot, true, ik->bones + ik->bone_count));
        ik->bone_count += 3;
    }
    return ZT_OK;
}

zt_result scene_ik_read_plant(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ_INTO("pelvis", KEY_REQUIRED, scene_value_solver_bone, scene_ik, pelvis),
        KEY_READ("feet", KEY_REQUIRED, read_feet),
        KEY_READ_INTO("ground", KEY_OPTIONAL, scene_ik_read_terrain, scene_ik, terrain),
        KEY_NUMBER("floor", KEY_OPTIONAL, scene_ik, floor_m, -1e9, 1e9),
        KEY_NUMBER("tilt", KEY_OPTIONAL, scene_ik, tilt_deg, 0.0, 80.0),
        KEY_NUMBER("drop", KEY_OPTIONAL, scene_ik, drop_m, 0.0, 1e9),
        KEY_NUMBER("rise", KEY_OPTIONAL, scene_ik, rise_m, 0.0, 1e9),
        KEY_NUMBER("smooth", KEY_OPTIONAL, scene_ik, smooth_s, 0.0, 5.0),
        KEY_BOOL("lock", KEY_OPTIONAL, scene_ik, lock),
        KEY_TRACK("pole", KEY_OPTIONAL, scene_ik, pole, TRACK_VECTOR, -1e6, 1e6),
        KEY_CHOICE("space", KEY_OPTIONAL, scene_ik, model_space, scene_ik_spaces),
        KEY_DIRECTION("hinge", KEY_OPTIONAL, scene_ik, hinge),
        KEY_NUMBER("soft", KEY_OPTIONAL, scene_ik, soft, 0.0, 1.0),
        KEY_READ("angle", KEY_OPTIONAL, scene_ik_read_angle),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_ik, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    scene_ik *ik = target;
    const zt_model *model = model_of(r);
    ik->kind = SCENE_IK_PLANT;
    ZT_TRY(value_map(r, value, "plant", keys, COUNT_OF(keys), ik));
    for (uint32_t i = 0; i < ik->bone_count; i += 3)
        if (!scene_bone_is_below(model, ik->bones[i], ik->pelvis))
            return value_fail(r, document_member(value, "feet"), false,
                              "the bone '%.80s' is not below the pelvis '%.80s'",
                              model->nodes[ik->bones[i]].name, model->nodes[ik->pelvis].name);
    return ZT_OK;
}
