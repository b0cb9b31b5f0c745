// SPDX-License-Identifier: MIT
/// The keys of `chain`.
#include "scene/scene_ik_keys.h"
#include "scene/scene_links.h"
#include "scene/scene_names.h"

/// All bones from `root` down to this one.
static zt_result read_chain_end(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    const zt_model *model = model_of(r);
    int32_t end;
    uint32_t count = 1;
    ZT_TRY(scene_read_solver_bone(r, value, model, &end));
    if (ik->chain_root < 0 || !scene_bone_is_below(model, end, ik->chain_root))
        return value_fail(r, value, false, "the bone '%.80s' is not below the root of the chain",
                          value->text);
    for (int32_t node = end; node != ik->chain_root; node = model->nodes[node].parent)
        count += node == end || !model->nodes[node].helper;
    if (count < 3 || count > SCENE_IK_CHAIN_LIMIT)
        return value_fail(r, value, false,
                          "a chain of %u bones (expected 3 to %d, its end included)", count,
                          SCENE_IK_CHAIN_LIMIT);
    ZT_TRY(ARENA_TAKE(r->keep, &ik->bones, count, "bones", r->err));
    ik->bone_count = count;
    for (int32_t node = end; count > 0; node = model->nodes[node].parent) {
        if (node != end && node != ik->chain_root && model->nodes[node].helper)
            continue;
        if (model->nodes[node].has_matrix)
            return value_fail(r, value, false,
                              "the bone '%.80s' in the chain has a matrix with shear",
                              model->nodes[node].name);
        ik->bones[--count] = node;
    }
    return ZT_OK;
}

/// An angle for all bones, or one for each but the end.
static zt_result read_bend_limit(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    double limit;
    if (ik->bone_count == 0)
        return value_fail(r, value, false, "a limit without bones");
    if (value->kind == DOCUMENT_LIST)
        return scene_ik_read_numbers(r, value, ik->bone_count - 1, 180.0, &ik->limits_deg);
    ZT_TRY(value_number(r, value, 0.0, 180.0, &limit));
    double *limits;
    ZT_TRY(ARENA_TAKE(r->keep, &limits, ik->bone_count, "numbers of bones", r->err));
    for (uint32_t i = 0; i < ik->bone_count; i++)
        limits[i] = limit;
    ik->limits_deg = limits;
    return ZT_OK;
}

zt_result scene_ik_read_chain(document_reader *r, const document_node *value, void *target)
{
    // `limit` may be a list of one number for each bone: the bones come first.
    static const map_key keys[] = {
        KEY_READ_INTO("root", KEY_OPTIONAL, scene_value_solver_bone, scene_ik, chain_root),
        KEY_READ("end", KEY_OPTIONAL, read_chain_end),
        KEY_READ("bones", KEY_OPTIONAL, scene_ik_read_bones),
        KEY_READ_INTO("target", KEY_REQUIRED, scene_read_target, scene_ik, target),
        KEY_CHOICE("space", KEY_OPTIONAL, scene_ik, model_space, scene_ik_spaces),
        KEY_TRACK("pole", KEY_OPTIONAL, scene_ik, pole, TRACK_VECTOR, -1e6, 1e6),
        KEY_READ("limit", KEY_OPTIONAL, read_bend_limit),
        KEY_NUMBER("soft", KEY_OPTIONAL, scene_ik, soft, 0.0, 1.0),
        KEY_INTEGER("iterations", KEY_OPTIONAL, scene_ik, iterations, 1, 256),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_ik, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    scene_ik *ik = target;
    ik->kind = SCENE_IK_CHAIN;
    if (value->kind == DOCUMENT_MAP) {
        const bool ends = document_member(value, "root") && document_member(value, "end");
        const bool either = document_member(value, "root") || document_member(value, "end");
        if (either != ends || ends == (document_member(value, "bones") != NULL))
            return value_fail(r, value, false, "a chain needs either 'root' and 'end', or 'bones'");
    }
    return value_map(r, value, "chain", keys, COUNT_OF(keys), ik);
}
