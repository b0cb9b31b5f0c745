// SPDX-License-Identifier: MIT
/// Rest poses of two rigs: where they face, how long their legs are, and one fitted to the other.
#include "retarget/retarget.h"

#include <math.h>

quat retarget_turn(const model_node *node, quat rotation)
{
    const float *s = node->rest.s;
    const bool x = s[0] < 0.0f, y = s[1] < 0.0f, z = s[2] < 0.0f;
    if (x == y && y == z)
        return rotation;
    // Two axes mirrored, or one, which is the other two and all three: half a turn about the third.
    const quat half = {.x = (double)(y == z), .y = (double)(x == z), .z = (double)(x == y)};
    return quat_multiply(rotation, half);
}

static quat node_turn(const model_node *node)
{
    quat q = quat_identity();
    if (node->has_matrix) {
        const affine m = affine_from_floats(&node->matrix[0][0]);
        quat_from_axes(&m.m, &q);
        return q;
    }
    q = quat_from_floats(node->rest.r);
    return retarget_turn(node, quat_normalize(&q) ? q : quat_identity());
}

static bool rest_of(retarget_rest *out, const zt_model *model, arena *scratch)
{
    const uint32_t count = model->node_count;
    out->model = model;
    out->place = ARENA_ARRAY_RAW(scratch, affine, count);
    out->rotation = ARENA_ARRAY_RAW(scratch, quat, count);
    if (!out->place || !out->rotation || !rig_find(model, scratch, &out->parts))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const model_node *node = &model->nodes[i];
        const quat turn = node_turn(node);
        out->rotation[i] =
            node->parent < 0 ? turn : quat_multiply(out->rotation[node->parent], turn);
    }
    model_place_nodes(model, NULL, out->place);
    return true;
}

bool retarget_rests(retarget *r, const zt_model *to, const zt_model *from, arena *scratch)
{
    return rest_of(&r->to, to, scratch) && rest_of(&r->from, from, scratch);
}

dvec3 retarget_face(const retarget *r, dvec3 v)
{
    if (!r->mirrors)
        return quat_rotate(r->facing, v);
    return (dvec3){r->axis == 0 ? -v.x : v.x, r->axis == 1 ? -v.y : v.y, r->axis == 2 ? -v.z : v.z};
}

/// A reflection turns the axis of a rotation as it does a direction, and the rotation round.
quat retarget_reflect(const retarget *r, quat q)
{
    if (!r->mirrors)
        return q;
    return (quat){r->axis == 0 ? q.x : -q.x, r->axis == 1 ? q.y : -q.y, r->axis == 2 ? q.z : -q.z,
                  q.w};
}

quat retarget_face_rest(const retarget *r, quat model_from_bone)
{
    return r->mirrors ? retarget_reflect(r, model_from_bone)
                      : quat_multiply(r->facing, model_from_bone);
}

dvec3 retarget_to_joint(const retarget *r, int32_t part) { return r->to.place[r->to_part[part]].t; }

dvec3 retarget_from_joint(const retarget *r, int32_t part)
{
    return r->from.place[r->source[r->to_part[part]]].t;
}

/// The axis that is nearest to a direction and none of those of `taken`.
static dvec3 nearest_axis(dvec3 v, dvec3 taken)
{
    double part[3], free[3], out[3] = {0.0, 0.0, 0.0};
    dvec3_store(v, part);
    dvec3_store(taken, free);
    int best = -1;
    for (int k = 0; k < 3; k++)
        if (free[k] == 0.0 && (best < 0 || fabs(part[k]) > fabs(part[best])))
            best = k;
    out[best] = part[best] < 0.0 ? -1.0 : 1.0;
    return dvec3_load(out);
}

bool retarget_find_frame(const retarget *r, retarget_joint_fn joint, dmat3 *out)
{
    const int32_t *has = r->to_part;
    const bool legs = has[RIG_LEFT + RIG_UPPER_LEG] >= 0 && has[RIG_RIGHT + RIG_UPPER_LEG] >= 0;
    const int32_t side = legs ? RIG_UPPER_LEG : RIG_UPPER_ARM;
    if (has[RIG_HIPS] < 0 || has[RIG_LEFT + side] < 0 || has[RIG_RIGHT + side] < 0)
        return false;
    int32_t top = RIG_HEAD;
    while (top > RIG_HIPS && has[top] < 0)
        top--;
    const dvec3 left = dvec3_sub(joint(r, RIG_LEFT + side), joint(r, RIG_RIGHT + side));
    const dvec3 up = dvec3_sub(joint(r, top), joint(r, RIG_HIPS));
    if (!(dvec3_length(left) > 0.0) || !(dvec3_length(up) > 0.0))
        return false;
    out->y = nearest_axis(up, (dvec3){0.0, 0.0, 0.0});
    out->x = nearest_axis(left, out->y);
    out->z = dvec3_cross(out->x, out->y);
    return true;
}

/// Multiples of 90 degrees: rigs face along axes, and small differences at rest mean nothing.
static quat find_facing(const retarget *r)
{
    dmat3 to, from;
    quat q = quat_identity();
    if (!retarget_find_frame(r, retarget_to_joint, &to) ||
        !retarget_find_frame(r, retarget_from_joint, &from)) {
        const bool turned = r->to.model->faces_back != r->from.model->faces_back;
        return turned ? (quat){0.0, 1.0, 0.0, 0.0} : q;
    }
    // to * transpose(from)
    const dmat3 t = dmat3_transpose(&from);
    const dmat3 c = {dmat3_transform(&to, t.x), dmat3_transform(&to, t.y),
                     dmat3_transform(&to, t.z)};
    q = quat_from_rotation(&c);
    quat_normalize(&q);
    return q;
}

/// The way from the thighs to the ankles, of the sides that are known in both.
static double leg_length(const retarget *r, retarget_joint_fn joint)
{
    static const int32_t sides[2] = {RIG_LEFT, RIG_RIGHT};
    double sum = 0.0;
    int32_t count = 0;
    for (int i = 0; i < 2; i++) {
        const int32_t leg = sides[i] + RIG_UPPER_LEG;
        if (r->to_part[leg] < 0 || r->to_part[leg + 1] < 0 || r->to_part[leg + 2] < 0)
            continue;
        sum += dvec3_length(dvec3_sub(joint(r, leg + 1), joint(r, leg)));
        sum += dvec3_length(dvec3_sub(joint(r, leg + 2), joint(r, leg + 1)));
        count++;
    }
    return count ? sum / count : 0.0;
}

/// The distances from bones to those above them, summed over those that correspond.
static double bone_lengths(const retarget *r, bool of_source)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < r->to.model->node_count; i++) {
        const int32_t above = r->ancestor[i];
        if (r->source[i] < 0 || above < 0)
            continue;
        const dvec3 a = of_source ? r->from.place[r->source[i]].t : r->to.place[i].t;
        const dvec3 b = of_source ? r->from.place[r->source[above]].t : r->to.place[above].t;
        sum += dvec3_length(dvec3_sub(a, b));
    }
    return sum;
}

static void find_scale(retarget *r)
{
    double to = leg_length(r, retarget_to_joint), from = leg_length(r, retarget_from_joint);
    if (!(to > 0.0) || !(from > 0.0)) {
        to = bone_lengths(r, false);
        from = bone_lengths(r, true);
    }
    const double scale = to / from;
    r->length = to;
    r->scale = scale > 1e-9 && scale < 1e9 ? scale : 1.0;
}

/// The part that a limb points at, or RIG_NONE. Shoulders, hands and feet point where they do.
static int32_t next_part(int32_t part)
{
    if (part < RIG_LEFT || part == RIG_NONE)
        return RIG_NONE;
    const int32_t limb = part < RIG_RIGHT ? part - RIG_LEFT : part - RIG_RIGHT;
    const bool finger = limb >= RIG_THUMB1 && limb < RIG_UPPER_LEG;
    const bool points = limb == RIG_UPPER_ARM || limb == RIG_LOWER_ARM || limb == RIG_UPPER_LEG ||
                        limb == RIG_LOWER_LEG || (finger && (limb - RIG_THUMB1) % 3 < 2);
    return points ? part + 1 : RIG_NONE;
}

dvec3 retarget_rotated_bone(const retarget *r, int32_t node, quat rotation, int32_t next)
{
    const dvec3 bone = dvec3_sub(r->to.place[next].t, r->to.place[node].t);
    const quat since_rest = quat_multiply(rotation, quat_conjugate(r->to.rotation[node]));
    return quat_rotate(since_rest, bone);
}

/// Rotates limbs so that they point where those of the source do; feet stay flat on the ground.
static quat fit_node(const retarget *r, int32_t node, quat rotation)
{
    const int32_t part = r->part[node], next = next_part(part);
    if (part == RIG_LEFT + RIG_FOOT || part == RIG_RIGHT + RIG_FOOT)
        return r->to.rotation[node];
    if (next == RIG_NONE || r->to_part[next] < 0 || r->to_part[part] != node)
        return rotation;
    const dvec3 source = dvec3_sub(retarget_from_joint(r, next), retarget_from_joint(r, part));
    const dvec3 own = retarget_rotated_bone(r, node, rotation, r->to_part[next]);
    return quat_multiply(quat_between(own, quat_rotate(r->facing, source), (dvec3){0.0, 0.0, 1.0}),
                         rotation);
}

bool retarget_fit(retarget *r, retarget_mode mode, arena *scratch)
{
    const zt_model *model = r->to.model;
    r->fitted = ARENA_ARRAY_RAW(scratch, quat, model->node_count);
    if (!r->fitted)
        return false;
    r->facing = find_facing(r);
    find_scale(r);
    for (uint32_t i = 0; i < model->node_count; i++) {
        const int32_t parent = model->nodes[i].parent;
        r->fitted[i] = r->to.rotation[i];
        if (mode == RETARGET_ROTATION)
            continue;
        const quat turn = node_turn(&model->nodes[i]);
        const quat rotation = parent < 0 ? turn : quat_multiply(r->fitted[parent], turn);
        r->fitted[i] = r->source[i] < 0 ? rotation : fit_node(r, (int32_t)i, rotation);
    }
    return true;
}
