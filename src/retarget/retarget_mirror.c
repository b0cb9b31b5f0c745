// SPDX-License-Identifier: MIT
/// Mirrored clips: retargeting of a model onto itself, left and right exchanged.
#include "base/hash.h"
#include "retarget/retarget.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// The side at `at` in a name, or NULL: Left and the like anywhere, a letter between others.
static const char *side_at(const char *name, const char *at, const char **out_other)
{
    static const char *const words[][2] = {
        {"Left", "Right"}, {"left", "right"}, {"LEFT", "RIGHT"}, {"L", "R"}, {"l", "r"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (int side = 0; side < 2; side++) {
            const char *word = words[i][side];
            const size_t length = strlen(word);
            if (strncmp(at, word, length) != 0)
                continue;
            const bool apart = (at == name || !is_letter(at[-1])) && !is_letter(at[length]);
            if (length > 1 || apart) {
                *out_other = words[i][!side];
                return word;
            }
        }
    return NULL;
}

/// The name of the other side, or NULL: it names none, or is too long.
static const char *other_side(const char *name, char *out, size_t size)
{
    size_t used = 0;
    bool changed = false;
    for (const char *at = name; *at;) {
        const char *other = NULL, *word = side_at(name, at, &other);
        const size_t length = word ? strlen(other) : 1;
        if (used + length + 1 > size)
            return NULL;
        memcpy(out + used, word ? other : at, length);
        used += length;
        at += word ? strlen(word) : 1;
        changed |= word != NULL;
    }
    out[used] = '\0';
    return changed ? out : NULL;
}

static double along(const retarget *r, dvec3 p)
{
    return r->axis == 0 ? p.x : r->axis == 1 ? p.y : p.z;
}

/// The axis from left to right: that of the rig, or of what names say; x where neither is known.
static int32_t find_axis(const retarget *r)
{
    const int32_t left = r->to.parts.node[RIG_LEFT + RIG_UPPER_LEG];
    const int32_t right = r->to.parts.node[RIG_RIGHT + RIG_UPPER_LEG];
    dvec3 normal = {0.0, 0.0, 0.0};
    if (left >= 0 && right >= 0)
        normal = dvec3_sub(r->to.place[left].t, r->to.place[right].t);
    for (uint32_t i = 0; i < r->to.model->node_count && !(dvec3_length(normal) > 0.0); i++)
        if (r->source[i] >= 0)
            normal = dvec3_sub(r->to.place[i].t, r->to.place[r->source[i]].t);
    const double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/// Pairs of nodes whose names are those of the two sides. Helpers are paired by their places.
static bool pair_by_names(retarget *r, arena *scratch)
{
    const zt_model *model = r->to.model;
    const model_node *nodes = model->nodes;
    hash_table slots;
    char name[256];
    if (!hash_table_init(&slots, scratch, model->node_count))
        return false;
    for (uint32_t i = 0; i < model->node_count; i++) {
        uint32_t *slot = hash_table_text(&slots, &nodes->name, sizeof *nodes, nodes[i].name);
        if (!*slot)
            *slot = i + 1;
    }
    for (uint32_t i = 0; i < model->node_count; i++) {
        const char *other = nodes[i].helper ? NULL : other_side(nodes[i].name, name, sizeof name);
        const uint32_t *slot =
            other ? hash_table_text(&slots, &nodes->name, sizeof *nodes, other) : NULL;
        if (slot && *slot)
            r->source[i] = (int32_t)*slot - 1;
    }
    return true;
}

/// The box around the joints: its middle along the axis, and its diagonal.
static void find_box(const retarget *r, double *out_middle, double *out_size)
{
    const affine *place = r->to.place;
    dvec3 low = place[0].t, high = place[0].t;
    for (uint32_t i = 1; i < r->to.model->node_count; i++) {
        const dvec3 t = place[i].t;
        low = (dvec3){t.x < low.x ? t.x : low.x, t.y < low.y ? t.y : low.y,
                      t.z < low.z ? t.z : low.z};
        high = (dvec3){t.x > high.x ? t.x : high.x, t.y > high.y ? t.y : high.y,
                       t.z > high.z ? t.z : high.z};
    }
    *out_middle = 0.5 * (along(r, low) + along(r, high));
    *out_size = dvec3_length(dvec3_sub(high, low));
}

/// From the parent of a node to it at rest; of a root from the middle.
static dvec3 bone_offset(const retarget *r, int32_t node, double middle)
{
    const int32_t parent = r->to.model->nodes[node].parent;
    const dvec3 t = r->to.place[node].t;
    if (parent >= 0)
        return dvec3_sub(t, r->to.place[parent].t);
    return (dvec3){r->axis == 0 ? t.x - middle : t.x, r->axis == 1 ? t.y - middle : t.y,
                   r->axis == 2 ? t.z - middle : t.z};
}

/// The node without a counterpart, below the counterpart of a node's parent, that is nearest to its
/// mirror image as seen from there: itself in the middle. -1: none is near.
static int32_t find_image(const retarget *r, int32_t node, double middle, double size)
{
    const zt_model *model = r->to.model;
    const int32_t parent = model->nodes[node].parent;
    const int32_t above = parent < 0 ? -1 : r->source[parent];
    const dvec3 offset = bone_offset(r, node, middle), image = retarget_face(r, offset);
    double nearest = 0.01 * size + 0.25 * dvec3_length(offset);
    int32_t best = -1;
    for (uint32_t i = 0; i < model->node_count; i++) {
        if (model->nodes[i].parent != above || r->source[i] >= 0)
            continue;
        const double d = dvec3_length(dvec3_sub(bone_offset(r, (int32_t)i, middle), image));
        if (d <= nearest && (best < 0 || d < nearest)) {
            best = (int32_t)i;
            nearest = d;
        }
    }
    return best;
}

enum { IMAGE_NODE_LIMIT = 4096 }; ///< places are compared each with each

/// Nodes whose names say no side: in the middle, or at mirror images.
static void pair_by_places(retarget *r)
{
    const zt_model *model = r->to.model;
    double middle, size;
    if (model->node_count > IMAGE_NODE_LIMIT)
        return;
    find_box(r, &middle, &size);
    for (uint32_t i = 0; i < model->node_count; i++) {
        const int32_t parent = model->nodes[i].parent;
        if (r->source[i] >= 0 || (parent >= 0 && r->source[parent] < 0))
            continue;
        const int32_t other = find_image(r, (int32_t)i, middle, size);
        if (other >= 0) {
            r->source[i] = other;
            r->source[other] = (int32_t)i;
        }
    }
}

/// Fills the map and the rest of a model onto itself.
static bool prepare(retarget *r, const zt_model *model, arena *scratch)
{
    if (!retarget_rests(r, model, model, scratch) || !retarget_map_init(r, scratch) ||
        !pair_by_names(r, scratch))
        return false;
    r->mirrors = true;
    r->axis = find_axis(r);
    r->other_side = other_side;
    pair_by_places(r);
    double middle;
    find_box(r, &middle, &r->length);
    r->scale = 1.0;
    r->facing = quat_identity();
    r->fitted = r->to.rotation;
    for (uint32_t i = 0; i < model->node_count; i++)
        if (model->nodes[i].has_matrix)
            r->source[i] = -1;
    retarget_find_ancestors(r);
    return true;
}

#define WORK_LIMIT ((uint64_t)1 << 27)

zt_result model_mirror_clip(zt_model *model, uint32_t clip, arena *scratch, uint32_t *out,
                            zt_error *err)
{
    char name[256];
    uint64_t work = WORK_LIMIT;
    retarget r = {.mirrors = false};
    if (model->clips[clip].mirrored) {
        *out = model->clips[clip].mirrored - 1;
        return ZT_OK;
    }
    if (model->node_count == 0) {
        *out = clip; // it moves nothing that has sides
        return ZT_OK;
    }
    // The joined clip stays where it is: layers may play it.
    const uint32_t count = model->clip_count + model_has_joined(model);
    model_clip *clips;
    ZT_TRY(ARENA_TAKE(&model->arena, &clips, (size_t)count + 1, "a mirrored clip", err));
    if (!prepare(&r, model, scratch))
        return arena_fail(scratch, err, "a mirrored clip");
    memcpy(clips, model->clips, count * sizeof *clips);
    ZT_TRY(retarget_clip(&r, model, &clips[clip], scratch, &work, &clips[count], err));
    snprintf(name, sizeof name, "%.200s mirrored", clips[clip].name);
    ZT_TRY(ARENA_TEXT(&model->arena, &clips[count].name, name, "a mirrored clip", err));
    clips[clip].mirrored = count + 1;
    clips[count].mirrored = clip + 1;
    model->clips = clips;
    model->clip_count = count + 1;
    *out = count;
    return model_lay_out_clips(model, count, scratch, err);
}
