// SPDX-License-Identifier: MIT
#include "retarget_bodies.h"

#include "pose/pose.h"
#include "testing.h"

const body_plan plain = {.kind = RIG_MIXAMO, .prefix = "", .scale = 1.0, .thigh = 0.5};

budget memory;
arena scratch;

void bodies_begin(void)
{
    budget_init(&memory, 0, NULL);
    arena_init(&scratch, &memory);
}

void bodies_end(void) { arena_finish(&scratch); }

/// The part of which a part is the child in a body that has all parts.
static int32_t part_above(int32_t part)
{
    if (part <= RIG_ROOT)
        return -1;
    if (part <= RIG_HEAD)
        return part - 1;
    const int32_t side = part < RIG_RIGHT ? RIG_LEFT : RIG_RIGHT, limb = part - side;
    if (limb == RIG_SHOULDER)
        return RIG_SPINE5;
    if (limb == RIG_UPPER_LEG)
        return RIG_HIPS;
    if (limb >= RIG_THUMB1 && limb < RIG_UPPER_LEG && (limb - RIG_THUMB1) % 3 == 0)
        return side + RIG_HAND;
    return part - 1;
}

static dvec3 part_joint(const body_plan *plan, int32_t part)
{
    if (part < RIG_LEFT)
        return (dvec3){0.0, part <= RIG_HIPS ? 0.95 * part : 0.95 + 0.08 * (part - RIG_HIPS), 0.0};
    const double sign = part < RIG_RIGHT ? 1.0 : -1.0;
    const int32_t limb = part - (part < RIG_RIGHT ? RIG_LEFT : RIG_RIGHT);
    const dvec3 arm = {cos(plan->arms_deg * DEG), -sin(plan->arms_deg * DEG), 0.0};
    const dvec3 shoulder = {0.15, 1.4, 0.01};
    dvec3 p = {0.04, 1.38, 0.0};
    if (limb >= RIG_UPPER_LEG) {
        static const double z[4] = {0.0, 0.02, -0.01, 0.1};
        const double knee = 0.9 - 0.8 * plan->thigh;
        const double y[4] = {0.9, knee, 0.1, 0.03};
        p = (dvec3){0.1, y[limb - RIG_UPPER_LEG], z[limb - RIG_UPPER_LEG]};
    } else if (limb >= RIG_THUMB1) {
        const int32_t finger = (limb - RIG_THUMB1) / 3, bone = (limb - RIG_THUMB1) % 3;
        p = dvec3_add(shoulder, dvec3_scale(arm, 0.6 + 0.03 * bone));
        p.z += 0.04 - 0.02 * finger;
    } else if (limb >= RIG_UPPER_ARM) {
        p = dvec3_add(shoulder, dvec3_scale(arm, 0.26 * (limb - RIG_UPPER_ARM)));
    }
    return (dvec3){sign * p.x, p.y, p.z};
}

quat random_rotation(uint64_t *seed, double degrees)
{
    const dvec3 axis = random_direction(seed);
    return quat_from_axis_deg(axis, between(seed, -degrees, degrees));
}

/// "%Arm" -> "LeftArm", the first of "A|B".
static void write_name(const body_plan *plan, int32_t part, char *out)
{
    size_t used = (size_t)snprintf(out, NAME_SIZE, "%s", plan->prefix);
    for (const char *c = rig_name(plan->kind, part); *c && *c != '|'; c++)
        used += *c == '%' ? (size_t)snprintf(out + used, NAME_SIZE - used, "%s",
                                             rig_side(plan->kind, part >= RIG_RIGHT))
                          : (size_t)snprintf(out + used, NAME_SIZE - used, "%c", *c);
}

void make_body(body *b, const body_plan *plan)
{
    quat rotation[RIG_NODES];
    uint64_t seed = plan->axes;
    arena_finish(&b->model.arena);
    memset(b, 0, sizeof *b);
    arena_init(&b->model.arena, &memory);
    // A node above all, as exporters write.
    int32_t count = 1;
    b->nodes[0] = (model_node){.name = "Armature", .parent = -1, .rest = trs_identity()};
    rotation[0] = plan->axes ? random_rotation(&seed, 180.0) : quat_identity();
    quat_to_floats(rotation[0], b->nodes[0].rest.r);
    if (plan->mirrored)
        b->nodes[0].rest.s[0] = -1.0f;
    for (int32_t part = 0; part < RIG_PART_COUNT; part++) {
        b->node_of[part] = -1;
        if (!rig_name(plan->kind, part))
            continue;
        int32_t above = part_above(part), parent = 0;
        while (above >= 0 && b->node_of[above] < 0)
            above = part_above(above);
        parent = above >= 0 ? b->node_of[above] : 0;
        rotation[count] = plan->axes ? random_rotation(&seed, 180.0) : rotation[0];
        b->joint[count] = dvec3_scale(part_joint(plan, part), plan->scale);
        model_node *node = &b->nodes[count];
        const quat back = quat_conjugate(rotation[parent]);
        dvec3 offset = quat_rotate(back, dvec3_sub(b->joint[count], b->joint[parent]));
        if (plan->mirrored && parent == 0)
            offset.x = -offset.x;
        *node = (model_node){.name = b->names[count], .parent = parent, .rest = trs_identity()};
        node->mesh = node->skin = node->camera = node->light = -1;
        dvec3_to_floats(offset, node->rest.t);
        quat_to_floats(quat_multiply(back, rotation[count]), node->rest.r);
        write_name(plan, part, b->names[count]);
        b->node_of[part] = count++;
    }
    b->nodes[0].mesh = b->nodes[0].skin = b->nodes[0].camera = b->nodes[0].light = -1;
    b->model.nodes = b->nodes;
    b->model.node_count = (uint32_t)count;
    b->model.path = "body";
}

void lay_out(body *b) { cr_assert_eq(model_lay_out_motion(&b->model, &scratch, NULL), ZT_OK); }

/// Every bone rotates at random, at times of its own; the hips move.
void animate(body *b, uint64_t seed, model_interpolation interpolation)
{
    uint32_t count = 0;
    const size_t parts = interpolation == MODEL_CUBIC ? 3 : 1;
    for (uint32_t i = 1; i < b->model.node_count; i++) {
        model_channel *c = &b->channels[count];
        float time_s = (float)between(&seed, 0.0, 0.2);
        quat q = quat_from_floats(b->nodes[i].rest.r);
        for (size_t k = 0; k < KEYS; k++) {
            b->times[count][k] = time_s;
            time_s += (float)between(&seed, 0.05, 0.3);
            q = quat_multiply(q, random_rotation(&seed, 20.0));
            float *value = b->values[count] + 4 * (parts * k + (parts == 3));
            quat_to_floats(q, value);
            for (int n = 0; n < 4 && parts == 3; n++) {
                value[n - 4] = (float)between(&seed, -0.5, 0.5);
                value[n + 4] = (float)between(&seed, -0.5, 0.5);
            }
        }
        *c = (model_channel){(int32_t)i, MODEL_ROTATION,  interpolation,
                             KEYS,       b->times[count], b->values[count]};
        count++;
    }
    const uint32_t hips = (uint32_t)b->node_of[RIG_HIPS];
    for (size_t k = 0; k < KEYS * parts; k++) {
        b->times[count][k / parts] = 0.25f * (float)(k / parts);
        for (int n = 0; n < 3; n++)
            b->values[count][3 * k + (size_t)n] =
                (parts == 3 && k % 3 != 1 ? 0.0f : b->nodes[hips].rest.t[n]) +
                (float)between(&seed, -0.2, 0.2);
    }
    b->channels[count] = (model_channel){(int32_t)hips, MODEL_TRANSLATION, interpolation,
                                         KEYS,          b->times[count],   b->values[count]};
    b->clip = (model_clip){
        .name = "clip", .end_s = 2.0f, .channel_count = count + 1, .channels = b->channels};
    b->model.clips = &b->clip;
    b->model.clip_count = 1;
}

retarget_result retarget_body(body *to, const body *from, retarget_mode mode)
{
    const retarget_def def = {.mode = mode};
    retarget_result done;
    zt_error err = {0};
    lay_out(to);
    MUST(model_retarget_clips(&to->model, &from->model, &def, &scratch, &done, &err), err);
    cr_assert_eq(done.clip_count, 1);
    return done;
}

/// Joints of a model in its clip (the last one).
void pose_body(const body *b, double time_s, mat4 *world)
{
    trs local[RIG_NODES];
    mat4 identity = GLM_MAT4_IDENTITY_INIT;
    model_sample_clip(&b->model, &b->model.clips[b->model.clip_count - 1], (float)time_s, local);
    pose_to_world(&b->model, identity, local, world);
}

/// The largest distance between joints of two bodies, one of them scaled.
double joints_apart(const body *a, const body *b, double scale)
{
    double worst = 0.0;
    for (double t = 0.0; t < 2.2; t += 0.037) {
        mat4 x[RIG_NODES], y[RIG_NODES];
        pose_body(a, t, x);
        pose_body(b, t, y);
        for (int32_t part = 0; part < RIG_PART_COUNT; part++) {
            const int32_t i = a->node_of[part], j = b->node_of[part];
            if (i < 0 || j < 0)
                continue;
            const dvec3 p = dvec3_from_floats(x[i][3]), q = dvec3_from_floats(y[j][3]);
            const double d = dvec3_length(dvec3_sub(dvec3_scale(p, scale), q));
            worst = d > worst ? d : worst;
        }
    }
    return worst;
}
