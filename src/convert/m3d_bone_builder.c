// SPDX-License-Identifier: MIT
/// Collects the drawn meshes of a model and builds the bones that move them. A bone follows a node
/// and has one offset (bone from bind) in the file, so a node that several skins bind differently,
/// or that is a joint and has a rigid mesh, gets further bones fixed to the first. A rigid mesh is
/// bound to its node in the rest pose: its vertices are written in world space at rest, and the
/// offset is the inverse of the node's world transform.
#include "convert/m3d_builder.h"

#include <math.h>
#include <string.h>

static zt_result collect_draws(m3d_builder *m)
{
    const zt_model *model = m->model;
    ZT_TRY(ARENA_TAKE(m->job->a, &m->draws, model->node_count, "meshes", m->job->err));
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *n = &model->nodes[i];
        if (!n->visible || n->mesh < 0 || model->meshes[n->mesh].triangle_count == 0)
            continue;
        m->draws[m->draw_count++] =
            (m3d_draw){.node = n, .node_index = i, .mesh = &model->meshes[n->mesh]};
        triangles += model->meshes[n->mesh].triangle_count;
    }
    if (triangles > MODEL_TRIANGLE_LIMIT)
        return zt_fail(m->job->err, ZT_ERR_LIMIT,
                       "%s: %llu triangles with every mesh at its nodes (the limit is %u)",
                       m->job->out_path, (unsigned long long)triangles, MODEL_TRIANGLE_LIMIT);
    m->triangle_count = (uint32_t)triangles;
    return ZT_OK;
}

/// Marks a node and its ancestors.
static void mark_ancestors(bool *needed, const model_node *nodes, int32_t node)
{
    for (; node >= 0 && !needed[node]; node = nodes[node].parent)
        needed[node] = true;
}

/// Marks the nodes that move a drawn mesh. Returns whether any mesh is skinned.
static bool mark_needed(const m3d_builder *m, bool *needed)
{
    bool skinned = false;
    for (uint32_t i = 0; i < m->draw_count; i++) {
        const m3d_draw *draw = &m->draws[i];
        if (draw->node->skin < 0) {
            mark_ancestors(needed, m->model->nodes, (int32_t)draw->node_index);
            continue;
        }
        skinned = true;
        const model_skin *skin = &m->model->skins[draw->node->skin];
        for (uint32_t k = 0; k < skin->joint_count; k++)
            mark_ancestors(needed, m->model->nodes, skin->joint_node[k]);
    }
    return skinned;
}

static bool moves_bones(const model_clip *clip, const bool *needed)
{
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].path != MODEL_WEIGHTS && needed[clip->channels[i].node])
            return true;
    return false;
}

static zt_result choose_clips(m3d_builder *m, const bool *needed)
{
    ZT_TRY(
        ARENA_TAKE(m->job->a, &m->clips, (size_t)m->model->clip_count + 1, "clips", m->job->err));
    for (uint32_t i = 0; i < m->model->clip_count; i++) {
        if (moves_bones(&m->model->clips[i], needed))
            m->clips[m->clip_count++] = i;
        else
            ZT_TRY(convert_report_loss(m->job,
                                       "the clip '%.64s' is dropped: it moves no drawn node",
                                       m->model->clips[i].name));
    }
    return ZT_OK;
}

static uint32_t add_bone(m3d_builder *m, int32_t parent, int32_t node)
{
    m->bones[m->bone_count] = (m3d_out_bone){.parent = parent, .node = node};
    return m->bone_count++;
}

static void set_offset(m3d_out_bone *bone, const float offset[16])
{
    memcpy(bone->offset, offset, sizeof bone->offset);
    bone->has_offset = true;
}

/// The bone of a node that has this offset: its own, or a new one fixed to it.
static uint32_t bone_with_offset(m3d_builder *m, uint32_t bone, const float offset[16])
{
    if (!m->bones[bone].has_offset)
        set_offset(&m->bones[bone], offset);
    if (memcmp(m->bones[bone].offset, offset, sizeof m->bones[bone].offset) == 0)
        return bone;
    const uint32_t made = add_bone(m, (int32_t)bone, -1);
    set_offset(&m->bones[made], offset);
    return made;
}

/// False when a reader of the file could not invert the offset in single precision.
static bool invert(const affine *a, affine *out)
{
    const double det = fabs(affine_determinant(a));
    return det > 1e-60 && det < 1e60 && affine_invert(a, out) && affine_fits_floats(out);
}

/// The inverse of a node's world transform at rest. False, `out` the identity: there is none.
static bool offset_at_rest(const m3d_builder *m, uint32_t node, float out[16])
{
    affine inverse;
    const bool usable = invert(&m->world[node], &inverse);
    if (!usable)
        inverse = affine_identity();
    affine_to_floats(&inverse, out);
    return usable;
}

static zt_result bind_skinned(m3d_builder *m, m3d_draw *draw, uint32_t **of_skin)
{
    const model_skin *skin = &m->model->skins[draw->node->skin];
    uint32_t **bones = &of_skin[draw->node->skin];
    if (!*bones) {
        ZT_TRY(ARENA_TAKE(m->job->a, bones, skin->joint_count, "bones", m->job->err));
        for (uint32_t k = 0; k < skin->joint_count; k++)
            (*bones)[k] = bone_with_offset(m, (uint32_t)m->bone_of_node[skin->joint_node[k]],
                                           skin->joint_from_bind[k][0]);
    }
    draw->bone_of_joint = *bones;
    return ZT_OK;
}

static zt_result bind_draws(m3d_builder *m)
{
    uint32_t **of_skin = ARENA_ARRAY(m->job->a, uint32_t *, m->model->skin_count);
    float offset[16];
    if (!of_skin)
        return arena_fail(m->job->a, m->job->err, "skins");
    for (uint32_t i = 0; i < m->draw_count; i++)
        if (m->draws[i].node->skin >= 0)
            ZT_TRY(bind_skinned(m, &m->draws[i], of_skin));
    for (uint32_t i = 0; i < m->draw_count; i++) {
        m3d_draw *draw = &m->draws[i];
        if (draw->node->skin >= 0)
            continue;
        draw->baked = offset_at_rest(m, draw->node_index, offset);
        draw->world = m->world[draw->node_index];
        draw->bone = bone_with_offset(m, (uint32_t)m->bone_of_node[draw->node_index], offset);
    }
    for (uint32_t i = 0; i < m->bone_count; i++)
        if (!m->bones[i].has_offset) {
            offset_at_rest(m, (uint32_t)m->bones[i].node, offset);
            set_offset(&m->bones[i], offset);
        }
    return ZT_OK;
}

/// An upper bound: one bone for each node, joint and draw.
static uint64_t max_bone_count(const m3d_builder *m)
{
    uint64_t count = (uint64_t)m->model->node_count + m->draw_count;
    for (uint32_t i = 0; i < m->model->skin_count; i++)
        count += m->model->skins[i].joint_count;
    return count;
}

static zt_result build_bones(m3d_builder *m, const bool *needed)
{
    ZT_TRY(ARENA_TAKE(m->job->a, &m->bones, max_bone_count(m), "bones", m->job->err));
    for (uint32_t i = 0; i < m->model->node_count; i++) {
        const int32_t parent = m->model->nodes[i].parent;
        if (needed[i])
            m->bone_of_node[i] =
                (int32_t)add_bone(m, parent < 0 ? -1 : m->bone_of_node[parent], (int32_t)i);
    }
    ZT_TRY(bind_draws(m));
    if (m->bone_count > MODEL_JOINT_LIMIT)
        return zt_fail(m->job->err, ZT_ERR_LIMIT, "%s: %u bones (the limit is %u)",
                       m->job->out_path, m->bone_count, MODEL_JOINT_LIMIT);
    return ZT_OK;
}

zt_result m3d_builder_add_bones(m3d_builder *m)
{
    const uint32_t count = m->model->node_count;
    bool *needed;
    ZT_TRY(ARENA_TAKE(m->job->a, &needed, count, "nodes", m->job->err));
    ZT_TRY(ARENA_TAKE(m->job->a, &m->world, count, "nodes", m->job->err));
    ZT_TRY(ARENA_TAKE(m->job->a, &m->bone_of_node, count, "nodes", m->job->err));
    for (uint32_t i = 0; i < count; i++)
        m->bone_of_node[i] = -1;
    model_place_nodes(m->model, NULL, m->world);
    ZT_TRY(collect_draws(m));
    const bool skinned = mark_needed(m, needed);
    ZT_TRY(choose_clips(m, needed));
    // The format has a bind pose but no rest pose: a clip of one key holds it.
    if (skinned && m->clip_count == 0)
        m->clips[m->clip_count++] = M3D_REST_CLIP;
    if (skinned || m->clip_count > 0)
        return build_bones(m, needed);
    for (uint32_t i = 0; i < m->draw_count; i++) {
        m->draws[i].baked = true;
        m->draws[i].world = m->world[m->draws[i].node_index];
    }
    return ZT_OK;
}
