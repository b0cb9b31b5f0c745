// SPDX-License-Identifier: MIT
/// From the bones and clips of an .m3d to the nodes, the skin and the clips of a model.
/// Nodes: the bones in the file's order, then "mesh", which carries the (skinned) mesh.
///
/// The file has no rest pose. A bone's transform at rest is the inverse of its offset, so the local
/// one is offset(parent) * offset(bone)^-1: without a clip, the model shows its bind pose.
#include "m3d/m3d_file.h"
#include "model/model_node.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

typedef struct rest_bone {
    affine bone_from_bind, bind_from_bone;
} rest_bone;

static const rest_bone rest_identity = {
    {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}},
    {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}},
};

// The rest transforms of all bones. A bone whose offset has no inverse rests where its parent does.
static zt_result rest_pose(const m3d_file *file, model_node *nodes, arena *scratch,
                           model_report *report, zt_error *err)
{
    uint32_t singular = 0, sheared = 0;
    rest_bone *rest;
    ZT_TRY(ARENA_TAKE_RAW(scratch, &rest, file->bone_count, "bones", err));
    for (uint32_t i = 0; i < file->bone_count; i++) {
        const int32_t parent = file->bones[i].parent;
        const rest_bone *above = parent >= 0 ? &rest[parent] : &rest_identity;
        rest[i].bone_from_bind = affine_from_floats(file->bones[i].bone_from_bind[0]);
        bool usable = affine_invert(&rest[i].bone_from_bind, &rest[i].bind_from_bone);
        affine local = rest_identity.bind_from_bone;
        if (usable) {
            local = affine_multiply(&above->bone_from_bind, &rest[i].bind_from_bone);
            usable = affine_fits_floats(&local) && affine_fits_floats(&rest[i].bind_from_bone);
        }
        if (!usable) {
            local = rest_identity.bind_from_bone;
            rest[i] = *above;
            singular++;
        }
        if (!model_trs_from_affine(&local, &nodes[i].rest)) {
            sheared++;
            nodes[i].has_matrix = file->clip_count == 0; // what has keys must be T R S
            affine_to_floats(&local, nodes[i].matrix[0]);
        }
    }
    if (singular > 0)
        ZT_TRY(model_warn(report, err,
                          "%u bone offsets have no inverse: at rest these bones stay at "
                          "their parents",
                          (unsigned)singular));
    if (sheared > 0 && file->clip_count > 0)
        ZT_TRY(model_unsupported(report, err,
                                 "%u bones are sheared at rest: without a clip they are shown "
                                 "without the shear",
                                 (unsigned)sheared));
    return ZT_OK;
}

static zt_result build_nodes(const m3d_file *file, zt_model *model, arena *scratch,
                             model_report *report, zt_error *err)
{
    arena *keep = &model->arena;
    const uint32_t bones = file->bone_count;
    model_node *nodes;
    ZT_TRY(ARENA_TAKE_RAW(keep, &nodes, (size_t)bones + 1, "nodes", err));
    for (uint32_t i = 0; i < bones; i++) {
        char name[32];
        snprintf(name, sizeof name, "Bone%u", (unsigned)i);
        const char *kept;
        ZT_TRY(ARENA_TEXT(keep, &kept, name, "bone names", err));
        nodes[i] = model_node_default(kept);
        nodes[i].parent = file->bones[i].parent;
    }
    nodes[bones] = model_node_default("mesh");
    nodes[bones].mesh = 0;
    nodes[bones].skin = bones > 0 ? 0 : -1;
    model->nodes = nodes;
    model->node_count = bones + 1;
    return rest_pose(file, nodes, scratch, report, err);
}

static zt_result build_skin(const m3d_file *file, zt_model *model, zt_error *err)
{
    arena *keep = &model->arena;
    const uint32_t bones = file->bone_count;
    model_skin *skin = ARENA_ARRAY(keep, model_skin, 1);
    int32_t *joint_node = ARENA_ARRAY_RAW(keep, int32_t, bones);
    mat4 *joint_from_bind = ARENA_ARRAY_RAW(keep, mat4, bones);
    if (!skin || !joint_node || !joint_from_bind)
        return arena_fail(keep, err, "skin");
    for (uint32_t i = 0; i < bones; i++) {
        joint_node[i] = (int32_t)i;
        memcpy(joint_from_bind[i], file->bones[i].bone_from_bind, sizeof(mat4));
    }
    *skin = (model_skin){.name = "",
                         .joint_count = bones,
                         .joint_node = joint_node,
                         .joint_from_bind = (const mat4 *)joint_from_bind};
    model->skins = skin;
    model->skin_count = 1;
    return ZT_OK;
}

// Three channels a bone over one array of times.
static zt_result build_clip(const m3d_file *file, const m3d_clip *source, arena *keep,
                            model_clip *clip, zt_error *err)
{
    model_channel *channels;
    ZT_TRY(ARENA_TAKE(keep, &channels, (size_t)file->bone_count * 3, "animation channels", err));
    float start = FLT_MAX, end = -FLT_MAX;
    for (uint32_t bone = 0; bone < file->bone_count; bone++) {
        const m3d_track *track = &source->tracks[bone];
        const struct {
            model_path path;
            const float *value;
        } parts[3] = {{MODEL_TRANSLATION, track->translation},
                      {MODEL_ROTATION, track->rotation},
                      {MODEL_SCALE, track->scale}};
        for (size_t k = 0; k < 3; k++)
            channels[3 * (size_t)bone + k] = (model_channel){.node = (int32_t)bone,
                                                             .path = parts[k].path,
                                                             .interpolation = MODEL_LINEAR,
                                                             .key_count = track->key_count,
                                                             .time_s = track->time_s,
                                                             .value = parts[k].value};
        const float first = track->time_s[0], last = track->time_s[track->key_count - 1];
        start = first < start ? first : start;
        end = last > end ? last : end;
    }
    *clip = (model_clip){.name = source->name,
                         .start_s = start,
                         .end_s = end,
                         .channel_count = file->bone_count * 3,
                         .channels = channels};
    return ZT_OK;
}

zt_result m3d_build_skeleton(const m3d_file *file, zt_model *model, arena *scratch,
                             model_report *report, zt_error *err)
{
    arena *keep = &model->arena;
    ZT_TRY(build_nodes(file, model, scratch, report, err));
    if (file->bone_count > 0)
        ZT_TRY(build_skin(file, model, err));
    model_clip *clips;
    ZT_TRY(ARENA_TAKE(keep, &clips, file->clip_count, "clips", err));
    for (uint32_t i = 0; i < file->clip_count; i++)
        ZT_TRY(build_clip(file, &file->clips[i], keep, &clips[i], err));
    model->clips = clips;
    model->clip_count = file->clip_count;
    return ZT_OK;
}
