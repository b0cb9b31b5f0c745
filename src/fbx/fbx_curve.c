// SPDX-License-Identifier: MIT
/// See fbx_curve.h. Between two keys a curve is a cubic Bezier curve of time and value. Its handles
/// end at a share of the time between the keys (a third unless they are weighted), in the direction
/// of their slopes. Automatic tangents have the slope between their neighbours, pulled to one side
/// by their bias, and where they are clamped, one that does not overshoot. TCB: D. Kochanek and
/// R. Bartels, Interpolating Splines with Local Tension, Continuity, and Bias Control, 1984.
#include "fbx/fbx_curve.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

static const double third = 1.0 / 3.0;

/// KeyAttrFlags.
enum {
    KEY_CONSTANT = 0x2,
    KEY_LINEAR = 0x4,
    KEY_CUBIC = 0x8,
    KEY_AUTO = 0x100,
    KEY_TCB = 0x200,
    KEY_BREAK = 0x800,
    KEY_CLAMP = 0x1000,
    KEY_CLAMP_PROGRESSIVE = 0x4000,
    KEY_CONSTANT_NEXT = 0x100, ///< of constant keys
    KEY_WEIGHTED_RIGHT = 0x1000000,
    KEY_WEIGHTED_NEXT_LEFT = 0x2000000,
    KEY_WEIGHT_ONE = 9999,
    BISECTIONS = 48
};

/// Belongs to a key, until tangents are computed.
typedef struct key_tangents {
    uint32_t flags;
    double data[3]; ///< slopes, biases of automatic tangents, or tension, continuity, bias
} key_tangents;

static double finite_or(double x, double fallback) { return isfinite(x) ? x : fallback; }

// ---- Tangents -----------------------------------------------------------------------------------

static double slope_between(const fbx_key *a, const fbx_key *b)
{
    return (b->value - a->value) / (b->time_s - a->time_s);
}

/// Pulls a slope to that on one side: to the right for a bias above 0, in per cent.
static double biased(double slope, double left, double right, double bias)
{
    const double weight = fabs(bias) / 100.0;
    return slope + ((bias > 0.0 ? right : left) - slope) * (weight < 5.0 ? weight : 5.0);
}

/// The largest slope, without its sign, of a handle that does not overshoot its neighbour.
static double steepest(double sign, const fbx_key *a, const fbx_key *b, double weight)
{
    const double most = sign * slope_between(a, b) / weight;
    return most > 0.0 ? most : 0.0;
}

/// `left_weight`: of the handle before key i.
static double auto_slope(const fbx_key *key, uint32_t count, uint32_t i, const key_tangents *t,
                         double bias, double left_weight)
{
    const bool clamped = (t->flags & (KEY_CLAMP | KEY_CLAMP_PROGRESSIVE)) != 0;
    if (i == 0 || i + 1 == count)
        return clamped || count < 2 ? 0.0 : slope_between(&key[i ? i - 1 : 0], &key[i ? i : 1]);
    const double left = slope_between(&key[i - 1], &key[i]);
    const double right = slope_between(&key[i], &key[i + 1]);
    const double slope = biased(slope_between(&key[i - 1], &key[i + 1]), left, right,
                                t->flags & KEY_BREAK ? 0.0 : bias);
    if ((t->flags & KEY_CLAMP_PROGRESSIVE) == 0)
        return slope;
    const double sign = slope < 0.0 ? -1.0 : 1.0;
    const double before = steepest(sign, &key[i - 1], &key[i], left_weight);
    const double after = steepest(sign, &key[i], &key[i + 1], key[i].right_weight);
    return sign * maths_min(fabs(slope), maths_min(before, after));
}

static void tcb_slopes(const fbx_key *key, uint32_t count, uint32_t i, const double data[3],
                       double *out_left, double *out_right)
{
    const double tension = 1.0 - data[0], c = data[1], b = data[2];
    const double left = i > 0 ? slope_between(&key[i - 1], &key[i]) : 0.0;
    const double right = i + 1 < count ? slope_between(&key[i], &key[i + 1]) : 0.0;
    const double before = i > 0 ? left : right, after = i + 1 < count ? right : left;
    *out_left = 0.5 * tension * ((1.0 + b) * (1.0 - c) * before + (1.0 - b) * (1.0 + c) * after);
    *out_right = 0.5 * tension * ((1.0 + b) * (1.0 + c) * before + (1.0 - b) * (1.0 - c) * after);
}

/// Slopes that the file leaves to its readers.
static void compute_tangents(fbx_key *key, uint32_t count, const key_tangents *tangents)
{
    for (uint32_t i = 0; i < count; i++) {
        const key_tangents *t = &tangents[i];
        double left, right;
        if ((t->flags & KEY_CUBIC) == 0)
            continue;
        if (t->flags & KEY_TCB) {
            tcb_slopes(key, count, i, t->data, &left, &right);
        } else if (t->flags & KEY_AUTO) {
            const double left_weight = i > 0 ? key[i - 1].next_left_weight : third;
            left = right = auto_slope(key, count, i, t, t->data[0], left_weight);
        } else {
            continue;
        }
        key[i].right_slope = right;
        if (i > 0)
            key[i - 1].next_left_slope = left;
    }
}

// ---- Version 7 ----------------------------------------------------------------------------------

static fbx_interpolation interpolation_of(uint32_t flags)
{
    if (flags & KEY_CONSTANT)
        return flags & KEY_CONSTANT_NEXT ? FBX_CONSTANT_NEXT : FBX_CONSTANT;
    return flags & KEY_CUBIC ? FBX_CUBIC : FBX_LINEAR;
}

/// Texts have the bits of these floats, as integers.
static double data_value(const fbx_tree *tree, const fbx_node *node, const double *data,
                         uint32_t index)
{
    const double value = data[index];
    const bool bits =
        tree->is_text || (node->value[0].kind == FBX_ARRAY && node->value[0].type == 'i');
    if (!bits || value != floor(value) || value < -2147483648.0 || value > 4294967295.0)
        return finite_or(value, 0.0);
    const uint32_t word = (uint32_t)(int64_t)value;
    float single;
    memcpy(&single, &word, sizeof single);
    return finite_or((double)single, 0.0);
}

static uint32_t data_word(const fbx_tree *tree, const fbx_node *node, const double *data,
                          uint32_t index)
{
    const float single = (float)data_value(tree, node, data, index);
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    return word;
}

static double weight_of(uint32_t packed)
{
    const double weight = (double)packed / KEY_WEIGHT_ONE;
    return weight < 1e-4 ? 1e-4 : weight > 1.0 ? 1.0 : weight;
}

static fbx_extrapolation read_extrapolation(const fbx_node *node)
{
    const fbx_node *type = fbx_child(node, "Type");
    char kind = (char)fbx_integer(type, 0, 'C');
    if (type && type->value_count > 0 && type->value[0].kind == FBX_TEXT && type->value[0].count)
        kind = *(const char *)type->value[0].bytes;
    const int64_t count = fbx_integer(fbx_child(node, "Repetition"), 0, -1);
    return (fbx_extrapolation){strchr("RMKA", kind) && kind ? kind : 'C',
                               count < 0 || count > INT32_MAX ? -1 : (int32_t)count};
}

typedef struct curve_arrays {
    const double *time, *value, *flags, *data, *repeat;
    uint32_t count, flag_count, data_count, repeat_count;
    const fbx_node *data_node;
} curve_arrays;

static zt_result read_arrays(const fbx_tree *tree, const fbx_node *node, curve_arrays *out,
                             zt_error *err)
{
    uint32_t values;
    out->data_node = fbx_child(node, "KeyAttrDataFloat");
    ZT_TRY(fbx_doubles(tree, fbx_child(node, "KeyTime"), &out->time, &out->count, err));
    ZT_TRY(fbx_doubles(tree, fbx_child(node, "KeyValueFloat"), &out->value, &values, err));
    ZT_TRY(fbx_doubles(tree, fbx_child(node, "KeyAttrFlags"), &out->flags, &out->flag_count, err));
    ZT_TRY(fbx_doubles(tree, out->data_node, &out->data, &out->data_count, err));
    ZT_TRY(fbx_doubles(tree, fbx_child(node, "KeyAttrRefCount"), &out->repeat, &out->repeat_count,
                       err));
    out->count = values < out->count ? values : out->count;
    return ZT_OK;
}

/// Attributes number `at` of a curve, which several keys in a row may share.
static void set_attributes(const fbx_tree *tree, const curve_arrays *a, uint32_t at, fbx_key *key,
                           key_tangents *tangents)
{
    key->right_weight = key->next_left_weight = third;
    key->interpolation = FBX_LINEAR;
    *tangents = (key_tangents){.flags = KEY_LINEAR};
    if (at >= a->flag_count)
        return;
    const double flags = a->flags[at];
    tangents->flags = flags >= 0.0 && flags < 4294967296.0 ? (uint32_t)flags : KEY_LINEAR;
    key->interpolation = interpolation_of(tangents->flags);
    if (4 * (size_t)at + 4 > a->data_count)
        return;
    for (uint32_t k = 0; k < 3; k++)
        tangents->data[k] = data_value(tree, a->data_node, a->data, 4 * at + k);
    key->right_slope = tangents->data[0];
    key->next_left_slope = tangents->data[1];
    const uint32_t weights = data_word(tree, a->data_node, a->data, 4 * at + 2);
    if (tangents->flags & KEY_WEIGHTED_RIGHT)
        key->right_weight = weight_of(weights & 0xffff);
    if (tangents->flags & KEY_WEIGHTED_NEXT_LEFT)
        key->next_left_weight = weight_of(weights >> 16);
}

/// Takes `count` keys whose times may not rise, without those that do not. `node` says how the
/// curve goes on; NULL: it stays.
static zt_result keep_curve(const fbx_tree *tree, const fbx_node *node, fbx_key *key,
                            key_tangents *tangents, uint32_t count, const fbx_curve **out,
                            zt_error *err)
{
    fbx_curve *curve;
    uint32_t kept = 0;
    double least = (double)INFINITY, largest = -(double)INFINITY;
    *out = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(key[i].time_s) || !isfinite(key[i].value) || fabs(key[i].time_s) > 1e9 ||
            (kept > 0 && key[i].time_s <= key[kept - 1].time_s))
            continue;
        least = maths_min(least, key[i].value);
        largest = maths_max(largest, key[i].value);
        tangents[kept] = tangents[i];
        key[kept++] = key[i];
    }
    if (kept == 0)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(tree->a, &curve, 1, "a curve", err));
    compute_tangents(key, kept, tangents);
    *curve = (fbx_curve){.key_count = kept,
                         .key = key,
                         .least = least,
                         .largest = largest,
                         .before = read_extrapolation(fbx_child(node, "Pre-Extrapolation")),
                         .after = read_extrapolation(fbx_child(node, "Post-Extrapolation"))};
    curve->stays = least == largest && curve->before.kind == 'C' && curve->after.kind == 'C';
    for (uint32_t i = 0; i + 1 < kept; i++)
        if (key[i].interpolation == FBX_CUBIC &&
            (key[i].right_slope != 0.0 || key[i].next_left_slope != 0.0))
            curve->stays = false;
    *out = curve;
    return ZT_OK;
}

zt_result fbx_curve_read(const fbx_tree *tree, const fbx_node *node, const fbx_curve **out,
                         zt_error *err)
{
    curve_arrays a;
    fbx_key *key;
    key_tangents *tangents;
    uint32_t at = 0;
    ZT_TRY(read_arrays(tree, node, &a, err));
    ZT_TRY(ARENA_TAKE(tree->a, &key, a.count, "keys", err));
    ZT_TRY(ARENA_TAKE(tree->a, &tangents, a.count, "keys", err));
    double left = a.repeat_count > 0 ? a.repeat[0] : 1.0;
    for (uint32_t i = 0; i < a.count; i++) {
        if (!(left >= 1.0)) {
            at++;
            left = at < a.repeat_count ? a.repeat[at] : 1.0;
        }
        left -= 1.0;
        key[i] = (fbx_key){.time_s = a.time[i] / FBX_TICKS, .value = a.value[i]};
        set_attributes(tree, &a, at, &key[i], &tangents[i]);
    }
    return keep_curve(tree, node, key, tangents, a.count, out, err);
}

// ---- Version 6 ----------------------------------------------------------------------------------

/// Values of `Key: time, value, letter, ...`.
typedef struct take_keys {
    const fbx_node *node;
    uint32_t at;
} take_keys;

static double take_number(take_keys *k)
{
    return finite_or(fbx_number(k->node, k->at++, 0.0), 0.0);
}

static char take_letter(take_keys *k)
{
    const fbx_value *v = k->at < k->node->value_count ? &k->node->value[k->at] : NULL;
    k->at++;
    if (v && v->kind == FBX_TEXT && v->count > 0)
        return *(const char *)v->bytes;
    return v && v->kind == FBX_INTEGER ? (char)v->integer : '\0'; // binary files: a byte
}

static void take_weights(take_keys *k, fbx_key *key)
{
    const char mode = take_letter(k);
    if (mode == 'a' || mode == 'r')
        key->right_weight = maths_clamp(take_number(k), 1e-4, 1.0);
    if (mode == 'a' || mode == 'l')
        key->next_left_weight = maths_clamp(take_number(k), 1e-4, 1.0);
}

/// False: a letter that is not known.
static bool take_cubic(take_keys *k, fbx_key *key, key_tangents *tangents)
{
    const char mode = take_letter(k);
    tangents->flags = KEY_CUBIC;
    key->interpolation = FBX_CUBIC;
    if (mode == 's' || mode == 'b') {
        key->right_slope = take_number(k);
        key->next_left_slope = take_number(k);
    } else if (mode == 't') {
        tangents->flags |= KEY_TCB;
        for (int i = 0; i < 3; i++)
            tangents->data[i] = take_number(k);
    } else if (mode == 'a' || mode == 'p') {
        tangents->flags |= KEY_AUTO | KEY_CLAMP_PROGRESSIVE;
    } else {
        return false;
    }
    take_weights(k, key);
    if (mode == 'p')
        take_weights(k, key);
    return true;
}

static bool take_key(take_keys *k, fbx_key *key, key_tangents *tangents)
{
    *key = (fbx_key){.right_weight = third, .next_left_weight = third};
    *tangents = (key_tangents){.flags = KEY_LINEAR};
    key->time_s = take_number(k) / FBX_TICKS;
    key->value = take_number(k);
    switch (take_letter(k)) {
    case 'U': return take_cubic(k, key, tangents);
    case 'L': key->interpolation = FBX_LINEAR; return true;
    case 'C':
        key->interpolation = take_letter(k) == 'n' ? FBX_CONSTANT_NEXT : FBX_CONSTANT;
        return true;
    default: return false;
    }
}

zt_result fbx_curve_read_take(const fbx_tree *tree, const fbx_node *node, const fbx_curve **out,
                              zt_error *err)
{
    const fbx_node *keys = fbx_child(node, "Key");
    take_keys k = {.node = keys};
    fbx_key *key;
    key_tangents *tangents;
    uint32_t count = 0;
    const uint32_t most = keys ? keys->value_count / 3 : 0;
    *out = NULL;
    ZT_TRY(ARENA_TAKE(tree->a, &key, most, "keys", err));
    ZT_TRY(ARENA_TAKE(tree->a, &tangents, most, "keys", err));
    while (count < most && k.at + 3 <= keys->value_count) {
        const uint32_t first = k.at;
        if (!take_key(&k, &key[count], &tangents[count]))
            return fbx_fail(tree, ZT_ERR_FORMAT, keys->at, err,
                            "a key of an unknown kind (value %u)", first + 1);
        count++;
    }
    return keep_curve(tree, NULL, key, tangents, count, out, err);
}

// ---- Values -------------------------------------------------------------------------------------

static double bezier(double a, double b, double c, double d, double t)
{
    const double u = 1.0 - t;
    return ((u * u * u * a + 3.0 * u * u * t * b) + 3.0 * u * t * t * c) + t * t * t * d;
}

/// The parameter at which the time of the curve is `x`, 0 to 1 of the way between its keys.
static double bezier_parameter(double right, double left, double x)
{
    double low = 0.0, high = 1.0;
    if (right == third && left == third)
        return x;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        if (bezier(0.0, right, 1.0 - left, 1.0, middle) < x)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static double value_between(const fbx_key *a, const fbx_key *b, double time_s)
{
    const double span = b->time_s - a->time_s, x = (time_s - a->time_s) / span;
    if (a->interpolation == FBX_CONSTANT)
        return a->value;
    if (a->interpolation == FBX_CONSTANT_NEXT)
        return b->value;
    if (a->interpolation == FBX_LINEAR)
        return a->value + (b->value - a->value) * x;
    const double t = bezier_parameter(a->right_weight, a->next_left_weight, x);
    return bezier(a->value, a->value + a->right_slope * a->right_weight * span,
                  b->value - a->next_left_slope * a->next_left_weight * span, b->value, t);
}

static double value_inside(const fbx_curve *c, double time_s)
{
    uint32_t low = 0, high = c->key_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (c->key[middle].time_s <= time_s)
            low = middle;
        else
            high = middle;
    }
    if (low + 1 == c->key_count || time_s <= c->key[low].time_s)
        return c->key[low].value;
    return value_between(&c->key[low], &c->key[low + 1], time_s);
}

/// The slope with which a curve ends.
static double end_slope(const fbx_curve *c, bool after)
{
    const uint32_t i = after ? c->key_count - 2 : 0;
    if (c->key_count < 2)
        return 0.0;
    const fbx_key *k = &c->key[i];
    if (k->interpolation == FBX_CUBIC)
        return after ? k->next_left_slope : k->right_slope;
    return k->interpolation == FBX_LINEAR ? slope_between(k, k + 1) : 0.0;
}

/// `beyond` > 0: how far the time is before the first or after the last key.
static double value_outside(const fbx_curve *c, bool after, double beyond)
{
    const fbx_extrapolation *e = after ? &c->after : &c->before;
    const fbx_key *first = &c->key[0], *last = &c->key[c->key_count - 1];
    const double span = last->time_s - first->time_s, end = after ? last->value : first->value;
    if (e->kind == 'K')
        return end + end_slope(c, after) * (after ? beyond : -beyond);
    if (e->kind == 'C' || !(span > 0.0))
        return end;
    double turns = floor(beyond / span);
    double rest = beyond - turns * span;
    if (e->count >= 0 && turns >= (double)e->count) { // it stops at the end of the last repetition
        turns = (double)e->count - 1.0;
        rest = span;
        if (turns < 0.0)
            return end;
    }
    const bool back = e->kind == 'M' && turns == 2.0 * floor(0.5 * turns);
    const double value =
        value_inside(c, after != back ? first->time_s + rest : last->time_s - rest);
    const double step = e->kind == 'A' ? (turns + 1.0) * (last->value - first->value) : 0.0;
    return after ? value + step : value - step;
}

double fbx_curve_value(const fbx_curve *c, double time_s)
{
    const fbx_key *last = &c->key[c->key_count - 1];
    if (time_s < c->key[0].time_s)
        return value_outside(c, false, c->key[0].time_s - time_s);
    if (time_s > last->time_s)
        return value_outside(c, true, time_s - last->time_s);
    return value_inside(c, time_s);
}
