// SPDX-License-Identifier: MIT
/// The eyes of a VRM file, which follow a target (VRMC_vrm 1.0, lookAt.md; VRM 0.x,
/// firstPerson), and nodes that follow others (VRMC_node_constraint 1.0).
#include "base/row_find.h"
#include "gltf/gltf_parts.h"

#include <string.h>

static int32_t human_bone(const zt_model *model, const char *name)
{
    const model_human_bone *bones = model->human_bones;
    const int32_t i = row_find(bones, model->human_bone_count, sizeof *bones, name);
    return i >= 0 ? bones[i].node : -1;
}

/// `input`, `output`: keys of the range. Angles that are not above 0 turn no eye.
static zt_result read_range(gltf_log *log, const json_pointer *look, const char *key,
                            const char *input, const char *output, gaze_range *out)
{
    json_pointer range;
    ZT_TRY(gltf_object(log, look, key, &range));
    ZT_TRY(gltf_float(log, &range, input, 90.0f, &out->input_deg));
    ZT_TRY(gltf_float(log, &range, output, 10.0f, &out->output));
    if (!(out->input_deg > 0.0f) || !(out->output >= 0.0f))
        *out = (gaze_range){90.0f, 0.0f};
    return ZT_OK;
}

static zt_result read_gaze(gltf_file *file, const json_pointer *look, bool newer, model_gaze *out)
{
    gltf_log *log = file->log;
    const char *type;
    const char *const input = newer ? "inputMaxValue" : "xRange";
    const char *const output = newer ? "outputScale" : "yRange";
    ZT_TRY(gltf_text(log, look, newer ? "type" : "lookAtTypeName", &type));
    out->by_expressions = type && strcmp(type, newer ? "expression" : "BlendShape") == 0;
    ZT_TRY(read_range(log, look, newer ? "rangeMapHorizontalInner" : "lookAtHorizontalInner", input,
                      output, &out->inner));
    ZT_TRY(read_range(log, look, newer ? "rangeMapHorizontalOuter" : "lookAtHorizontalOuter", input,
                      output, &out->outer));
    ZT_TRY(read_range(log, look, newer ? "rangeMapVerticalDown" : "lookAtVerticalDown", input,
                      output, &out->down));
    ZT_TRY(read_range(log, look, newer ? "rangeMapVerticalUp" : "lookAtVerticalUp", input, output,
                      &out->up));
    if (newer)
        return gltf_floats(log, look, "offsetFromHeadBone", 3, out->offset);
    static const char *const axes[3] = {"x", "y", "z"};
    json_pointer offset;
    ZT_TRY(gltf_object(log, look, "firstPersonBoneOffset", &offset));
    for (int k = 0; k < 3 && offset.value; k++)
        ZT_TRY(gltf_float(log, &offset, axes[k], 0.0f, &out->offset[k]));
    out->offset[2] = -out->offset[2]; // written in Unity's space
    return ZT_OK;
}

static zt_result keep_gaze(gltf_file *file, const json_pointer *look, bool newer, zt_model *model)
{
    model_gaze *gaze;
    const int32_t head = human_bone(model, "head");
    if (!look->value || head < 0)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(file->keep, &gaze, 1, "a gaze", file->log->err));
    gaze->head = head;
    gaze->eyes[0] = human_bone(model, "leftEye");
    gaze->eyes[1] = human_bone(model, "rightEye");
    model->gaze = gaze;
    return read_gaze(file, look, newer, gaze);
}

/// One of "X", "NegativeX" and so on.
static bool axis_of(const char *text, float out[3])
{
    static const char *const names[] = {"X", "Y", "Z"};
    const bool negative = text && strncmp(text, "Negative", 8) == 0;
    static const char *const positive = "Positive";
    text = negative || (text && strncmp(text, positive, 8) == 0) ? text + 8 : text;
    for (int k = 0; k < 3; k++)
        out[k] = 0.0f;
    for (int k = 0; text && k < 3; k++)
        if (strcmp(text, names[k]) == 0) {
            out[k] = negative ? -1.0f : 1.0f;
            return true;
        }
    return false;
}

/// `out->source` stays -1 where the node has none.
static zt_result read_constraint(gltf_file *file, const gltf_nodes *nodes, const json_pointer *json,
                                 model_constraint *out)
{
    static const char *const kinds[] = {
        [CONSTRAINT_ROLL] = "roll", [CONSTRAINT_AIM] = "aim", [CONSTRAINT_ROTATION] = "rotation"};
    static const char *const axes[] = {
        [CONSTRAINT_ROLL] = "rollAxis", [CONSTRAINT_AIM] = "aimAxis"};
    gltf_log *log = file->log;
    json_extension extension;
    json_pointer constraint, one;
    out->source = -1;
    ZT_TRY(gltf_extension(log, json, "VRMC_node_constraint", &extension));
    ZT_TRY(gltf_object(log, &extension.object, "constraint", &constraint));
    for (int k = CONSTRAINT_ROLL; k <= CONSTRAINT_ROTATION; k++) {
        const char *axis;
        int32_t source;
        ZT_TRY(gltf_object(log, &constraint, kinds[k], &one));
        if (!one.value)
            continue;
        out->kind = (constraint_kind)k;
        ZT_TRY(gltf_member_index(file, &one, "source", GLTF_NODES, &source));
        ZT_TRY(gltf_float(log, &one, "weight", 1.0f, &out->weight));
        out->weight = out->weight > 0.0f ? (out->weight < 1.0f ? out->weight : 1.0f) : 0.0f;
        if (k != CONSTRAINT_ROTATION) {
            ZT_TRY(gltf_text(log, &one, axes[k], &axis));
            if (!axis_of(axis, out->axis))
                return gltf_warn(log, &one, "has no axis and is left out");
        }
        out->source = source < 0 ? -1 : nodes->node_index[source];
    }
    return ZT_OK;
}

/// Sorts constraints so that each follows that of its source. Those of a circle are left out.
static zt_result order_constraints(gltf_file *file, const model_constraint *from, uint32_t count,
                                   uint32_t node_count, model_constraint *out, uint32_t *out_count)
{
    uint32_t *of_node = ARENA_ARRAY(file->scratch, uint32_t, node_count); // 1 + constraint
    bool *done = ARENA_ARRAY(file->scratch, bool, count);
    if (!of_node || !done)
        return arena_fail(file->scratch, file->log->err, "constraints");
    for (uint32_t i = 0; i < count; i++)
        of_node[from[i].node] = i + 1;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t before = of_node[from[i].source];
            if (done[i] || (before > 0 && !done[before - 1]))
                continue;
            out[(*out_count)++] = from[i];
            done[i] = more = true;
        }
    }
    return *out_count == count
               ? ZT_OK
               : gltf_warn(file->log, &file->root,
                           "%u constraints of nodes wait for each other and are left out",
                           count - *out_count);
}

static zt_result read_constraints(gltf_file *file, const gltf_nodes *nodes, zt_model *model)
{
    model_constraint *found, *ordered;
    uint32_t count = 0;
    const uint32_t file_count = file->list[GLTF_NODES].count;
    ZT_TRY(
        ARENA_TAKE(file->scratch, &found, MODEL_CONSTRAINT_LIMIT, "constraints", file->log->err));
    for (uint32_t i = 0; i < file_count; i++) {
        json_pointer json;
        model_constraint one = {.node = nodes->node_index[i]};
        ZT_TRY(gltf_list_entry(file, GLTF_NODES, i, &json));
        if (!json_get(json.value, "extensions"))
            continue;
        ZT_TRY(read_constraint(file, nodes, &json, &one));
        if (one.source < 0 || one.source == one.node)
            continue;
        if (count == MODEL_CONSTRAINT_LIMIT)
            return gltf_fail(file->log, &json, ZT_ERR_LIMIT, "has one of more than %d constraints",
                             (int)MODEL_CONSTRAINT_LIMIT);
        found[count++] = one;
    }
    if (count == 0)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(file->keep, &ordered, count, "constraints", file->log->err));
    model->constraints = ordered;
    return order_constraints(file, found, count, nodes->count, ordered, &model->constraint_count);
}

zt_result gltf_read_avatar(gltf_file *file, const gltf_nodes *nodes, zt_model *model)
{
    gltf_log *log = file->log;
    json_extension vrm;
    json_pointer look, first;
    ZT_TRY(gltf_extension(log, &file->root, "VRMC_vrm", &vrm));
    const bool newer = vrm.object.value != NULL;
    if (!newer)
        ZT_TRY(gltf_extension(log, &file->root, "VRM", &vrm));
    ZT_TRY(gltf_object(log, &vrm.object, "firstPerson", &first));
    look = first; // 0.x has both in one
    if (newer)
        ZT_TRY(gltf_object(log, &vrm.object, "lookAt", &look));
    ZT_TRY(keep_gaze(file, &look, newer, model));
    return read_constraints(file, nodes, model);
}
