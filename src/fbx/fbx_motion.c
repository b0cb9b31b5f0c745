// SPDX-License-Identifier: MIT
/// See fbx_motion.h. Layers: Autodesk, FBX SDK help, FbxAnimLayer.
#include "fbx/fbx_motion.h"

#include "base/maths.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *property, *take; ///< names in versions 7 and 6
    fbx_target target;
} targets[] = {
    {"Lcl Translation", "T", FBX_TRANSLATION},
    {"Lcl Rotation", "R", FBX_ROTATION},
    {"Lcl Scaling", "S", FBX_SCALING},
    {"DeformPercent", "", FBX_DEFORM},
};

enum { TARGETS = sizeof targets / sizeof *targets, CHANNEL_STEPS = 32 };
static const char *const component_names[3] = {"d|X", "d|Y", "d|Z"};

/// A channel list that grows.
typedef struct channel_list {
    fbx_channel *channel;
    uint32_t count, capacity;
} channel_list;

/// Warns of limits of a rotation that its keys are beyond, or its rest without keys.
static zt_result report_limits(const fbx_scene *s, const fbx_channel *c, zt_error *err)
{
    static const char *const names[6] = {"RotationMinX", "RotationMinY", "RotationMinZ",
                                         "RotationMaxX", "RotationMaxY", "RotationMaxZ"};
    const dvec3 zero = {0.0, 0.0, 0.0};
    const fbx_node *active = fbx_own_property(s, c->object, "RotationActive");
    double limit[6], rest[3];
    if (fbx_number(active, fbx_property_values(s), 0.0) == 0.0)
        return ZT_OK;
    dvec3_store(c->fallback, rest);
    dvec3_store(fbx_property_vector(s, c->object, "RotationMin", zero), limit);
    dvec3_store(fbx_property_vector(s, c->object, "RotationMax", zero), limit + 3);
    for (int i = 0; i < 6; i++) {
        const fbx_curve *curve = c->curve[i % 3];
        const double at = !curve ? rest[i % 3] : i < 3 ? curve->least : curve->largest;
        if ((i < 3 ? limit[i] - at : at - limit[i]) > 1e-3 &&
            fbx_property_integer(s, c->object, names[i], 0) != 0)
            return model_unsupported(s->report, err, "%s of '%.64s' is not read", names[i],
                                     s->object[c->object].name);
    }
    return ZT_OK;
}

static zt_result add_channel(const fbx_scene *s, channel_list *list, const fbx_channel *channel,
                             zt_error *err)
{
    if (channel->target == FBX_ROTATION)
        ZT_TRY(report_limits(s, channel, err));
    ZT_TRY(ARENA_GROW(s->a, list->channel, list->count, list->capacity, "channels", err));
    list->channel[list->count++] = *channel;
    return arena_work(s->a, CHANNEL_STEPS, "channels", err);
}

/// Where a property rests that neither its object nor its class has; NaN: nobody knows.
static double unsaid(const char *property)
{
    return strcmp(property, "Visibility") == 0 ? 1.0 : (double)NAN;
}

/// True for a property that moves no picture: one that a user has added, with U in its flags, and
/// what draws nothing.
static bool is_unseen(const fbx_scene *s, int32_t object, const char *property)
{
    const fbx_object *o = &s->object[object];
    const fbx_node *p = fbx_own_property(s, object, property);
    const uint32_t at = fbx_property_values(s) - 1;
    return o->kind == FBX_LAYER || o->kind == FBX_GEOMETRY || !*property ||
           strcmp(property, "FocusDistance") == 0 ||
           (o->kind == FBX_ATTRIBUTE && strcmp(o->type, "Camera") && strcmp(o->type, "Light") &&
            strcmp(o->type, "CameraSwitcher")) ||
           (p && p->value_count > at && p->value[at].kind == FBX_TEXT &&
            memchr(p->value[at].bytes, 'U', p->value[at].count));
}

/// Warns when a curve leaves the value at which a property rests; NaN: that of the first key.
static zt_result report_curve(const fbx_scene *s, const char *property, const fbx_curve *curve,
                              double rest, zt_error *err)
{
    const double at = curve && isnan(rest) ? curve->key[0].value : rest;
    return curve && maths_max(curve->largest - at, at - curve->least) > 1e-5 * (1.0 + fabs(at))
               ? model_unsupported(s->report, err,
                                   "clips move the property '%.64s', which is not shown", property)
               : ZT_OK;
}

static uint64_t channel_hash(int32_t object, fbx_target target)
{
    return hash_number(hash_number(0, (uint32_t)object), (uint32_t)target);
}

static uint32_t *channel_slot(const fbx_layer *layer, int32_t object, fbx_target target)
{
    uint32_t *slot = hash_table_first(&layer->slots, channel_hash(object, target));
    for (; *slot != 0; slot = hash_table_next(&layer->slots, slot)) {
        const fbx_channel *c = &layer->channel[*slot - 1];
        if (c->object == object && c->target == target)
            break;
    }
    return slot;
}

static bool stays_one(const fbx_channel *c)
{
    double fallback[3];
    dvec3_store(c->fallback, fallback);
    for (int k = 0; k < 3; k++)
        if (c->curve[k] ? !c->curve[k]->stays || c->curve[k]->least != 1.0 : fallback[k] != 1.0)
            return false;
    return true;
}

static zt_result keep_channels(const fbx_scene *s, const channel_list *list, fbx_layer *out,
                               zt_error *err)
{
    out->channel = list->channel;
    out->channel_count = list->count;
    if (!hash_table_init(&out->slots, s->a, list->count))
        return arena_fail(s->a, err, "channels");
    for (uint32_t i = 0; i < list->count; i++) {
        const fbx_channel *c = &list->channel[i];
        uint32_t *slot = channel_slot(out, c->object, c->target);
        if (*slot == 0)
            *slot = i + 1;
        if (c->target == FBX_SCALING && (out->scale_adds || !stays_one(c)))
            s->object[c->object].moves_scale = true;
    }
    return ZT_OK;
}

// ---- Version 7 ----------------------------------------------------------------------------------

static dvec3 rest_of(const fbx_scene *s, int32_t object, fbx_target target)
{
    const double unit = target == FBX_SCALING ? 1.0 : 0.0;
    return fbx_property_vector(s, object, targets[target].property, (dvec3){unit, unit, unit});
}

/// The curve of an object, which many may use. *out: NULL when it has no keys.
static zt_result read_curve(const fbx_scene *s, int32_t object, const fbx_curve **out,
                            zt_error *err)
{
    static const fbx_curve no_keys;
    fbx_object *o = &s->object[object];
    if (!o->made) {
        ZT_TRY(fbx_curve_read(s->tree, o->node, out, err));
        o->made = *out ? *out : &no_keys;
    }
    *out = o->made == &no_keys ? NULL : o->made;
    return ZT_OK;
}

/// The curves of x, y, z and of what has no such part, of which the first is kept.
static zt_result read_curves(const fbx_scene *s, int32_t curve_node, const fbx_curve *out[4],
                             zt_error *err)
{
    uint32_t at = 0;
    const fbx_link *link;
    for (int32_t c; (c = fbx_next_child(s, curve_node, FBX_CURVE, NULL, &at, &link)) >= 0;) {
        int k = strcmp(link->name, "d|DeformPercent") == 0 ? 0 : 3;
        for (int i = 0; i < 3; i++)
            k = strcmp(link->name, component_names[i]) == 0 ? i : k;
        const fbx_curve *first = k == 3 ? out[k] : NULL;
        ZT_TRY(read_curve(s, c, &out[k], err));
        if (first)
            ZT_TRY(report_curve(s, link->name, out[k], (double)NAN, err));
        out[k] = first ? first : out[k];
    }
    return ZT_OK;
}

/// The curves of a property that is no channel, and the values of parts without curves.
static zt_result report_curves(const fbx_scene *s, int32_t curve_node,
                               const fbx_curve *const curve[4], const fbx_link *to, zt_error *err)
{
    const double none = unsaid(to->name);
    double rest[3];
    char whole[100];
    snprintf(whole, sizeof whole, "d|%.90s", to->name);
    dvec3_store(fbx_property_vector(s, to->parent, to->name, (dvec3){none, none, none}), rest);
    for (int k = 0; k < 4; k++) {
        const char *part = k < 3 ? component_names[k] : whole;
        const double still = fbx_property_number(s, curve_node, part, rest[k % 3]);
        const fbx_key key = {.value = still};
        const fbx_curve held = {1, &key, still, still, true, {'C', -1}, {'C', -1}};
        ZT_TRY(report_curve(s, to->name, curve[k] ? curve[k] : &held, rest[k % 3], err));
    }
    return ZT_OK;
}

static dvec3 fallback_of(const fbx_scene *s, int32_t curve_node, int32_t object, fbx_target target)
{
    double fallback[3];
    dvec3_store(rest_of(s, object, target), fallback);
    for (int k = 0; k < 3; k++)
        fallback[k] = fbx_property_number(s, curve_node, component_names[k], fallback[k]);
    if (target == FBX_DEFORM)
        fallback[0] = fbx_property_number(s, curve_node, "d|DeformPercent", fallback[0]);
    return dvec3_load(fallback);
}

/// The properties that a curve node moves.
static zt_result read_curve_node(const fbx_scene *s, int32_t curve_node, channel_list *list,
                                 zt_error *err)
{
    const fbx_curve *curve[4] = {NULL, NULL, NULL, NULL};
    bool is_read = false;
    for (uint32_t i = s->first_parent[curve_node]; i < s->first_parent[curve_node + 1]; i++) {
        const fbx_link *link = &s->link[s->parent_link[i]];
        size_t t = 0;
        ZT_TRY(arena_work(s->a, 1, "channels", err));
        while (t < TARGETS && strcmp(link->name, targets[t].property) != 0)
            t++;
        if (t == TARGETS && is_unseen(s, link->parent, link->name))
            continue;
        if (!is_read)
            ZT_TRY(read_curves(s, curve_node, curve, err));
        is_read = true;
        if (t == TARGETS) {
            ZT_TRY(report_curves(s, curve_node, curve, link, err));
            continue;
        }
        const fbx_channel channel = {
            .object = link->parent,
            .target = targets[t].target,
            .fallback = fallback_of(s, curve_node, link->parent, targets[t].target),
            .curve = {curve[0], curve[1], curve[2]}};
        ZT_TRY(add_channel(s, list, &channel, err));
    }
    return ZT_OK;
}

/// The curve of the layer's own weight.
static zt_result read_weight(const fbx_scene *s, int32_t layer, fbx_layer *out, zt_error *err)
{
    uint32_t at = 0;
    const fbx_link *link;
    out->weight = maths_clamp(fbx_property_number(s, layer, "Weight", 100.0) / 100.0, 0.0, 1.0);
    for (int32_t c; (c = fbx_next_child(s, layer, FBX_CURVE_NODE, NULL, &at, &link)) >= 0;) {
        const int32_t curve =
            strcmp(link->name, "Weight") == 0 ? fbx_first_child(s, c, FBX_CURVE, NULL) : FBX_NONE;
        if (curve >= 0)
            ZT_TRY(read_curve(s, curve, &out->weight_curve, err));
    }
    return ZT_OK;
}

/// A layer, which many stacks may have.
static zt_result read_layer(const fbx_scene *s, int32_t layer, fbx_layer *out, zt_error *err)
{
    uint32_t at = 0;
    channel_list list = {0};
    fbx_layer *kept;
    if (s->object[layer].made) {
        *out = *(const fbx_layer *)s->object[layer].made;
        return ZT_OK;
    }
    *out = (fbx_layer){
        .adds = fbx_property_integer(s, layer, "BlendMode", 0) == 0,
        .rotation_by_layer = fbx_property_integer(s, layer, "RotationAccumulationMode", 0) == 0,
        .scale_adds = fbx_property_integer(s, layer, "ScaleAccumulationMode", 0) == 1};
    ZT_TRY(read_weight(s, layer, out, err));
    for (int32_t c; (c = fbx_next_child(s, layer, FBX_CURVE_NODE, NULL, &at, NULL)) >= 0;)
        ZT_TRY(read_curve_node(s, c, &list, err));
    ZT_TRY(keep_channels(s, &list, out, err));
    ZT_TRY(ARENA_TAKE(s->a, &kept, 1, "a layer", err));
    *kept = *out;
    s->object[layer].made = kept;
    return ZT_OK;
}

static double ticks(const fbx_scene *s, int32_t object, const char *name)
{
    return fbx_property_number(s, object, name, 0.0) / FBX_TICKS;
}

static zt_result read_stack(const fbx_scene *s, int32_t stack, fbx_stack *out, zt_error *err)
{
    uint32_t at = 0;
    const uint32_t *first = &s->first_link[stack];
    fbx_layer *layers;
    *out = (fbx_stack){.name = s->object[stack].name,
                       .start_s = ticks(s, stack, "LocalStart"),
                       .end_s = ticks(s, stack, "LocalStop")};
    if (!(out->end_s > out->start_s)) {
        out->start_s = ticks(s, stack, "ReferenceStart");
        out->end_s = ticks(s, stack, "ReferenceStop");
    }
    ZT_TRY(ARENA_TAKE(s->a, &layers, first[1] - first[0], "layers", err));
    for (int32_t l; (l = fbx_next_child(s, stack, FBX_LAYER, NULL, &at, NULL)) >= 0;)
        ZT_TRY(read_layer(s, l, &layers[out->layer_count++], err));
    out->layer = layers;
    return ZT_OK;
}

// ---- Version 6 ----------------------------------------------------------------------------------

/// X, Y and Z of "T", "R" or "S".
static zt_result read_take_vector(const fbx_scene *s, const fbx_node *node, int32_t object,
                                  fbx_target target, channel_list *list, zt_error *err)
{
    fbx_channel channel = {
        .object = object, .target = target, .fallback = rest_of(s, object, target)};
    double fallback[3];
    bool any = false;
    dvec3_store(channel.fallback, fallback);
    for (const fbx_node *c = fbx_child(node, "Channel"); c; c = fbx_next(node, c)) {
        const char *name = fbx_text(s->tree, c, 0);
        if (!name)
            return arena_fail(s->a, err, "a name");
        const int k = *name - 'X';
        if (k < 0 || k > 2 || name[1])
            continue;
        fallback[k] = fbx_number(fbx_child(c, "Default"), 0, fallback[k]);
        ZT_TRY(fbx_curve_read_take(s->tree, c, &channel.curve[k], err));
        any = true;
    }
    channel.fallback = dvec3_load(fallback);
    return any ? add_channel(s, list, &channel, err) : ZT_OK;
}

/// The curve of a blend shape, which has its name, or of a property that is no channel.
static zt_result read_take_shape(const fbx_scene *s, const fbx_node *node, int32_t object,
                                 const char *name, channel_list *list, zt_error *err)
{
    const fbx_value *raw = *name ? &node->value[0] : NULL; // which need not be UTF-8
    const fbx_node *shape =
        raw ? fbx_child_of_text(s->object[object].node, raw->bytes, raw->count) : NULL;
    if (shape && fbx_is_named(shape, "Shape")) {
        const double rest = fbx_number(fbx_child(node, "Default"), 0, 0.0);
        fbx_channel channel = {.object = object,
                               .target = fbx_deform_target((uint32_t)shape->at),
                               .fallback = {rest, 0.0, 0.0}};
        ZT_TRY(fbx_curve_read_take(s->tree, node, &channel.curve[0], err));
        return add_channel(s, list, &channel, err);
    }
    if (is_unseen(s, object, name))
        return ZT_OK;
    const double rest = fbx_property_number(s, object, name, unsaid(name));
    const fbx_curve *curve;
    ZT_TRY(fbx_curve_read_take(s->tree, node, &curve, err));
    ZT_TRY(report_curve(s, name, curve, rest, err));
    for (const fbx_node *c = fbx_child(node, "Channel"); c; c = fbx_next(node, c)) { // of a colour
        ZT_TRY(fbx_curve_read_take(s->tree, c, &curve, err));
        ZT_TRY(report_curve(s, name, curve, (double)NAN, err));
    }
    return ZT_OK;
}

static zt_result read_take_channel(const fbx_scene *s, const fbx_node *node, int32_t object,
                                   channel_list *list, zt_error *err)
{
    const char *name = fbx_text(s->tree, node, 0);
    if (!name)
        return arena_fail(s->a, err, "a name");
    if (strcmp(name, "Transform") == 0) {
        for (const fbx_node *c = fbx_child(node, "Channel"); c; c = fbx_next(node, c))
            ZT_TRY(read_take_channel(s, c, object, list, err));
        return ZT_OK;
    }
    for (int t = 0; t < FBX_DEFORM; t++)
        if (strcmp(name, targets[t].take) == 0)
            return read_take_vector(s, node, object, targets[t].target, list, err);
    return read_take_shape(s, node, object, name, list, err);
}

static zt_result read_take(const fbx_scene *s, const fbx_node *take, fbx_stack *out, zt_error *err)
{
    fbx_layer *layer;
    channel_list list = {0};
    const fbx_node *times = fbx_child(take, "LocalTime");
    *out = (fbx_stack){.name = fbx_text(s->tree, take, 0),
                       .start_s = fbx_number(times, 0, 0.0) / FBX_TICKS,
                       .end_s = fbx_number(times, 1, 0.0) / FBX_TICKS,
                       .layer_count = 1};
    if (!out->name)
        return arena_fail(s->a, err, "a name");
    ZT_TRY(ARENA_TAKE(s->a, &layer, 1, "a layer", err));
    for (const fbx_node *m = fbx_child(take, "Model"); m; m = fbx_next(take, m)) {
        const char *name = fbx_text(s->tree, m, 0);
        if (!name || arena_cancelled(s->a))
            return arena_fail(s->a, err, "channels");
        char full[300] = "";
        if (!s->tree->is_text && !strstr(name, "::"))
            strcpy(full, "Model::");
        strncat(full, name, sizeof full - strlen(full) - 1);
        const int32_t object = fbx_find_named(s, full);
        for (const fbx_node *c = object > 0 ? fbx_child(m, "Channel") : NULL; c; c = fbx_next(m, c))
            ZT_TRY(read_take_channel(s, c, object, &list, err));
    }
    *layer = (fbx_layer){.weight = 1.0};
    out->layer = layer;
    return keep_channels(s, &list, layer, err);
}

static zt_result read_takes(const fbx_scene *s, const fbx_node *takes, fbx_motion *out,
                            zt_error *err)
{
    fbx_stack *stacks;
    ZT_TRY(ARENA_TAKE(s->a, &stacks, takes ? takes->child_count : 0, "takes", err));
    for (const fbx_node *t = fbx_child(takes, "Take"); t; t = fbx_next(takes, t))
        ZT_TRY(read_take(s, t, &stacks[out->stack_count++], err));
    out->stack = stacks;
    return ZT_OK;
}

zt_result fbx_motion_read(const fbx_scene *s, fbx_motion *out, zt_error *err)
{
    uint32_t count = 0;
    fbx_stack *stacks;
    *out = (fbx_motion){0};
    for (int32_t i = 0; i < (int32_t)s->object_count; i++) {
        fbx_channel still = {.object = i};
        count += s->object[i].kind == FBX_STACK;
        if (s->object[i].kind != FBX_MODEL)
            continue;
        still.fallback = rest_of(s, i, FBX_ROTATION);
        ZT_TRY(report_limits(s, &still, err));
    }
    if (count == 0)
        return read_takes(s, fbx_child(&s->tree->root, "Takes"), out, err);
    ZT_TRY(ARENA_TAKE(s->a, &stacks, count, "stacks", err));
    for (uint32_t i = 0; i < s->object_count; i++)
        if (s->object[i].kind == FBX_STACK)
            ZT_TRY(read_stack(s, (int32_t)i, &stacks[out->stack_count++], err));
    out->stack = stacks;
    return ZT_OK;
}

// ---- Values -------------------------------------------------------------------------------------

const fbx_channel *fbx_layer_channel(const fbx_layer *layer, int32_t object, fbx_target target)
{
    const uint32_t *slot = channel_slot(layer, object, target);
    return *slot != 0 ? &layer->channel[*slot - 1] : NULL;
}

static dvec3 channel_value(const fbx_channel *c, double time_s)
{
    double value[3];
    dvec3_store(c->fallback, value);
    for (int k = 0; k < 3; k++)
        if (c->curve[k])
            value[k] = fbx_curve_value(c->curve[k], time_s);
    return dvec3_load(value);
}

static double layer_weight(const fbx_layer *layer, double time_s)
{
    return layer->weight_curve
               ? maths_clamp(fbx_curve_value(layer->weight_curve, time_s) / 100.0, 0.0, 1.0)
               : layer->weight;
}

static dvec3 mix(dvec3 below, dvec3 value, bool adds, double weight)
{
    return adds ? dvec3_add(below, dvec3_scale(value, weight))
                : dvec3_add(dvec3_scale(below, 1.0 - weight), dvec3_scale(value, weight));
}

static double power(double base, double exponent)
{
    return exponent == 1.0 || base == 0.0 ? base : maths_exp2(exponent * maths_log2(fabs(base)));
}

/// A scale times a weighted one.
static dvec3 scaled_by(dvec3 below, dvec3 value, double weight)
{
    return (dvec3){below.x * power(value.x, weight), below.y * power(value.y, weight),
                   below.z * power(value.z, weight)};
}

/// Rotations by layer are composed as such, others by their angles. The angles of all are mixed,
/// which tells whole turns.
static void mix_rotation(const fbx_layer *layer, dvec3 value, double weight, int32_t order,
                         fbx_local *out)
{
    const quat turn = fbx_quat_from_euler(value, order);
    const quat below =
        out->has_rotation ? out->rotation : fbx_quat_from_euler(out->rotation_deg, order);
    out->rotation_deg = mix(out->rotation_deg, value, layer->adds, weight);
    if (!layer->rotation_by_layer && !out->has_rotation)
        return;
    out->has_rotation = true;
    out->rotation = layer->adds ? quat_multiply(below, quat_slerp(quat_identity(), turn, weight))
                                : quat_slerp(below, turn, weight);
}

fbx_local fbx_local_at(const fbx_stack *stack, int32_t model, const fbx_local *rest, int32_t order,
                       double time_s)
{
    fbx_local out = *rest;
    for (uint32_t i = 0; i < stack->layer_count; i++) {
        const fbx_layer *layer = &stack->layer[i];
        const bool is_base = i == 0;
        const double weight = is_base ? 1.0 : layer_weight(layer, time_s);
        const fbx_channel *t = fbx_layer_channel(layer, model, FBX_TRANSLATION);
        const fbx_channel *r = fbx_layer_channel(layer, model, FBX_ROTATION);
        const fbx_channel *s = fbx_layer_channel(layer, model, FBX_SCALING);
        if (t)
            out.translation =
                mix(out.translation, channel_value(t, time_s), !is_base && layer->adds, weight);
        if (r && is_base)
            out.rotation_deg = channel_value(r, time_s);
        else if (r)
            mix_rotation(layer, channel_value(r, time_s), weight, order, &out);
        if (s && !is_base && layer->adds && !layer->scale_adds)
            out.scaling = scaled_by(out.scaling, channel_value(s, time_s), weight);
        else if (s)
            out.scaling =
                mix(out.scaling, channel_value(s, time_s), !is_base && layer->adds, weight);
    }
    return out;
}

double fbx_deform_at(const fbx_stack *stack, int32_t object, uint32_t shape, double rest,
                     double time_s)
{
    double out = rest;
    for (uint32_t i = 0; i < stack->layer_count; i++) {
        const fbx_layer *layer = &stack->layer[i];
        const fbx_channel *c = fbx_layer_channel(layer, object, fbx_deform_target(shape));
        const double weight = i == 0 ? 1.0 : layer_weight(layer, time_s);
        if (c)
            out = layer->adds && i > 0 ? out + weight * channel_value(c, time_s).x
                                       : (1.0 - weight) * out + weight * channel_value(c, time_s).x;
    }
    return out;
}
