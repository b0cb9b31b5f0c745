// SPDX-License-Identifier: MIT
/// The face in clips of a VRM animation: expressions by name, and where eyes look, which becomes
/// rotations of the target's eyes or weights of its expressions (VRMC_vrm_animation 1.0).
#include "base/maths.h"
#include "model/clip_copy.h"
#include "retarget/retarget_clip.h"

#include <string.h>

/// The property of an expression called `name`; -1: none.
static int32_t expression_property(const zt_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->property_count; i++) {
        const model_property *p = &model->properties[i];
        if (p->owner == MODEL_OWNER_EXPRESSION &&
            strcmp(model->expressions[p->index].name, name) == 0)
            return (int32_t)i;
    }
    return -1;
}

/// Copies the expressions that a clip moves and the target has.
static bool copy_expressions(const zt_model *model, const zt_model *source, const model_clip *from,
                             arena *keep, model_property_channel *list, uint32_t *count)
{
    for (uint32_t i = 0; i < from->property_channel_count; i++) {
        const model_property_channel *c = &from->property_channels[i];
        const model_property *p = &source->properties[c->property];
        if (p->owner != MODEL_OWNER_EXPRESSION)
            continue;
        const int32_t to = expression_property(model, source->expressions[p->index].name);
        if (to < 0)
            continue;
        const size_t parts = c->keys.interpolation == MODEL_CUBIC ? 3 : 1;
        model_property_channel *copy = &list[(*count)++];
        *copy = *c;
        copy->property = (uint32_t)to;
        copy->keys.time_s = clip_copy_floats(keep, c->keys.time_s, c->keys.key_count);
        copy->keys.value = clip_copy_floats(keep, c->keys.value, c->keys.key_count * parts);
        if (!copy->keys.time_s || !copy->keys.value)
            return false;
    }
    return true;
}

/// Angles of a look, to the left and up.
static void look_angles(const float rotation[4], double *yaw_deg, double *pitch_deg)
{
    const dvec3 sight = quat_rotate(quat_from_floats(rotation), (dvec3){0.0, 0.0, 1.0});
    *yaw_deg = MATHS_DEG_FROM_RAD * maths_atan2(sight.x, sight.z);
    *pitch_deg =
        MATHS_DEG_FROM_RAD * maths_atan2(sight.y, sqrt(sight.x * sight.x + sight.z * sight.z));
}

/// Keys of a value by the look at the key times of a channel; splines become linear.
typedef struct look_keys {
    const model_channel *look;
    const zt_model *model;
    const float *time_s;
    arena *keep;
} look_keys;

static void look_at_key(const look_keys *k, uint32_t key, double *yaw_deg, double *pitch_deg)
{
    const bool cubic = k->look->interpolation == MODEL_CUBIC;
    look_angles(k->look->value + 4 * ((size_t)key * (cubic ? 3 : 1) + cubic), yaw_deg, pitch_deg);
}

static model_channel channel_of(const look_keys *k, int32_t node, model_path path,
                                const float *value)
{
    const bool stepped = k->look->interpolation == MODEL_STEP;
    return (model_channel){.node = node,
                           .path = path,
                           .interpolation = stepped ? MODEL_STEP : MODEL_LINEAR,
                           .key_count = k->look->key_count,
                           .time_s = k->time_s,
                           .value = value};
}

/// The weights of one of the four expressions that look.
static bool look_by_expression(const look_keys *k, int side, model_property_channel *list,
                               uint32_t *count)
{
    static const char *const names[4] = {"lookLeft", "lookRight", "lookUp", "lookDown"};
    const model_gaze *gaze = k->model->gaze;
    const gaze_range *ranges[4] = {&gaze->outer, &gaze->outer, &gaze->up, &gaze->down};
    const int32_t property = expression_property(k->model, names[side]);
    if (property < 0)
        return true;
    float *weight = ARENA_ARRAY_RAW(k->keep, float, k->look->key_count);
    for (uint32_t i = 0; weight && i < k->look->key_count; i++) {
        double yaw_deg, pitch_deg;
        look_at_key(k, i, &yaw_deg, &pitch_deg);
        const double angles[4] = {yaw_deg, -yaw_deg, pitch_deg, -pitch_deg};
        weight[i] = angles[side] > 0.0 ? (float)gaze_output(ranges[side], angles[side]) : 0.0f;
    }
    list[(*count)++] =
        (model_property_channel){(uint32_t)property, channel_of(k, -1, MODEL_WEIGHTS, weight)};
    return weight != NULL;
}

/// The rotations of one eye.
static bool look_by_eye(const look_keys *k, int side, model_clip *clip)
{
    const int32_t eye = k->model->gaze->eyes[side];
    quat parent = quat_identity();
    const affine rest = model_rest_transform(k->model, eye < 0 ? -1 : k->model->nodes[eye].parent);
    if (eye < 0 || !quat_from_axes(&rest.m, &parent))
        return true;
    float *value = ARENA_ARRAY_RAW(k->keep, float, 4 * (size_t)k->look->key_count);
    for (uint32_t i = 0; value && i < k->look->key_count; i++) {
        double yaw_deg, pitch_deg;
        look_at_key(k, i, &yaw_deg, &pitch_deg);
        const quat turned = quat_multiply(
            gaze_eye_turn(k->model->gaze, k->model->faces_back, side, yaw_deg, pitch_deg, parent),
            quat_from_floats(k->model->nodes[eye].rest.r));
        quat_to_floats(turned, value + 4 * (size_t)i);
    }
    model_channel *channels = (model_channel *)(uintptr_t)clip->channels;
    for (uint32_t i = 0; i < clip->channel_count; i++) // the look wins over a bone
        if (channels[i].node == eye && channels[i].path == MODEL_ROTATION)
            channels[i--] = channels[--clip->channel_count];
    channels[clip->channel_count++] = channel_of(k, eye, MODEL_ROTATION, value);
    return value != NULL;
}

static const model_channel *find_look(const zt_model *source, const model_clip *clip)
{
    if (source->look_node < 0)
        return NULL;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].node == source->look_node && clip->channels[i].path == MODEL_ROTATION)
            return &clip->channels[i];
    return NULL;
}

zt_result retarget_face_clip(zt_model *model, const zt_model *source, const model_clip *from,
                             model_clip *out, zt_error *err)
{
    arena *keep = &model->arena;
    const model_channel *look = find_look(source, from);
    model_property_channel *list;
    uint32_t count = 0;
    if (!source->is_vrm_animation || (from->property_channel_count == 0 && !look))
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(keep, &list, (size_t)from->property_channel_count + 4, "clip", err));
    bool ok = copy_expressions(model, source, from, keep, list, &count);
    if (ok && look && model->gaze) {
        const look_keys k = {look, model, clip_copy_floats(keep, look->time_s, look->key_count),
                             keep};
        model_channel *channels = ARENA_ARRAY(keep, model_channel, (size_t)out->channel_count + 2);
        ok = k.time_s && channels;
        if (ok && out->channel_count > 0)
            memcpy(channels, out->channels, out->channel_count * sizeof *channels);
        out->channels = ok ? channels : out->channels;
        if (model->gaze->by_expressions)
            for (int i = 0; i < 4 && ok; i++)
                ok = look_by_expression(&k, i, list, &count);
        else
            for (int i = 0; i < 2 && ok; i++)
                ok = look_by_eye(&k, i, out);
    }
    out->property_channels = list;
    out->property_channel_count = count;
    return ok ? ZT_OK : arena_fail(keep, err, "clip");
}
