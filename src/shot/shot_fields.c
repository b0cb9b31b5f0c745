// SPDX-License-Identifier: MIT
/// The table of zt_shot_def, and the defaults.
#include "shot/shot_fields.h"

#include "base/error.h"
#include "base/handle.h"
#include "base/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(kind_, field_) .kind = kind_, .offset = offsetof(zt_shot_def, field_)
#define WORDS(field_, list_) FIELD(SHOT_WORD, field_), .words = list_
#define RANGE(min_, max_)    .min = min_, .max = max_

// clang-format off
const shot_field shot_fields[SHOT_FIELD_COUNT] = {
    {"time", FIELD(SHOT_DOUBLE, time_s), RANGE(-1e6, 1e6)},
    {"fps", FIELD(SHOT_INT, fps_numerator), .trace = SHOT_STAYS, .shares_flag = true},
    {"fps_denominator", FIELD(SHOT_INT, fps_denominator), .trace = SHOT_STAYS, .shares_flag = true},
    {"frames", FIELD(SHOT_TEXT, frames), .only_selects = true},
    {"clip", FIELD(SHOT_TEXT, clip), .trace = SHOT_STAYS},
    {"width", FIELD(SHOT_INT, width), .shares_flag = true},
    {"height", FIELD(SHOT_INT, height), .shares_flag = true},
    {"samples", FIELD(SHOT_INT, samples)},
    {"supersample", FIELD(SHOT_INT, supersample)},
    {"anisotropy", FIELD(SHOT_INT, anisotropy)},
    {"background", FIELD(SHOT_TEXT, background)},
    {"opaque", FIELD(SHOT_BOOL, opaque), .trace = SHOT_STAYS},
    {"tone_map", WORDS(tone_map, ZT_WORDS_TONE_MAP)},
    {"exposure", FIELD(SHOT_DOUBLE, exposure_ev), RANGE(-32.0, 32.0)},
    {"look", WORDS(look, ZT_WORDS_LOOK), .trace = SHOT_STAYS},
    {"preset", WORDS(preset, ZT_WORDS_PRESET), .trace = SHOT_STAYS},
    {"light", FIELD(SHOT_PATH, light), .words = ZT_WORDS_LIGHT, .trace = SHOT_STAYS},
    {"environment", FIELD(SHOT_PATH, environment), .trace = SHOT_STAYS},
    {"ground", WORDS(ground, ZT_WORDS_GROUND)},
    {"ground_height", FIELD(SHOT_TEXT, ground_height), .trace = SHOT_STAYS},
    {"camera", FIELD(SHOT_TEXT, camera), .trace = SHOT_STAYS},
    {"view", WORDS(view, ZT_WORDS_VIEW)},
    {"azimuth", FIELD(SHOT_DOUBLE, azimuth_deg), RANGE(-1e6, 1e6)},
    {"elevation", FIELD(SHOT_DOUBLE, elevation_deg), RANGE(-90.0, 90.0)},
    {"fov", FIELD(SHOT_DOUBLE, fov_deg), RANGE(1.0, 179.0)},
    {"zoom", FIELD(SHOT_DOUBLE, zoom), RANGE(0.001, 1000.0)},
    {"margin", FIELD(SHOT_DOUBLE, margin), RANGE(0.0, 0.45)},
    {"up", WORDS(up, ZT_WORDS_UP), .trace = SHOT_STAYS},
    {"look_at", FIELD(SHOT_TEXT, look_at), .trace = SHOT_STAYS},
    {"ortho", FIELD(SHOT_BOOL, orthographic), .trace = SHOT_STAYS},
    {"lights", FIELD(SHOT_BOOL, lights_turn), .trace = SHOT_STAYS},
    {"directions", FIELD(SHOT_INT, directions), RANGE(0.0, 360.0), .trace = SHOT_STAYS},
    {"count", FIELD(SHOT_INT, turntable_count), .trace = SHOT_STAYS},
    {"duration", FIELD(SHOT_DOUBLE, turntable_duration_s), .trace = SHOT_STAYS},
    {"loops", FIELD(SHOT_INT, turntable_loops), .trace = SHOT_STAYS},
    {"direction", FIELD(SHOT_BOOL, turntable_clockwise), .trace = SHOT_STAYS},
    {"easing", FIELD(SHOT_BOOL, turntable_eased), .trace = SHOT_STAYS},
    {"elevation_to", FIELD(SHOT_DOUBLE, turntable_elevation_deg), .trace = SHOT_STAYS},
    {"thumbnail", FIELD(SHOT_BOOL, thumbnail), .trace = SHOT_STAYS},
};
// clang-format on

const shot_field *shot_field_find(const char *name)
{
    for (size_t i = 0; i < SHOT_FIELD_COUNT; i++)
        if (strcmp(shot_fields[i].name, name) == 0)
            return &shot_fields[i];
    return NULL;
}

static bool is_text(shot_kind kind)
{
    return kind == SHOT_TEXT || kind == SHOT_WORD || kind == SHOT_PATH;
}

const char **shot_text(const shot_field *field, zt_shot_def *def)
{
    return (const char **)(void *)((char *)def + field->offset);
}

static const char *text_of(const shot_field *field, const zt_shot_def *def)
{
    const char *text;
    memcpy(&text, (const char *)def + field->offset, sizeof text);
    return text;
}

/// The value of a number or a switch.
static double number_of(const shot_field *field, const zt_shot_def *def)
{
    const char *at = (const char *)def + field->offset;
    double real;
    int32_t whole;
    bool truth;
    if (field->kind == SHOT_DOUBLE) {
        memcpy(&real, at, sizeof real);
        return real;
    }
    if (field->kind == SHOT_BOOL) {
        memcpy(&truth, at, sizeof truth);
        return truth;
    }
    memcpy(&whole, at, sizeof whole);
    return whole;
}

void shot_set_number(const shot_field *field, zt_shot_def *def, double value)
{
    char *at = (char *)def + field->offset;
    const int32_t whole = field->kind == SHOT_INT ? (int32_t)value : 0;
    const bool truth = value != 0.0;
    if (field->kind == SHOT_DOUBLE)
        memcpy(at, &value, sizeof value);
    else if (field->kind == SHOT_INT)
        memcpy(at, &whole, sizeof whole);
    else
        memcpy(at, &truth, sizeof truth);
}

static bool same_number(double a, double b) { return a == b || (a != a && b != b); }

bool shot_is_set(const shot_field *field, const zt_shot_def *def)
{
    if (is_text(field->kind))
        return text_of(field, def) != NULL;
    const double number = number_of(field, def);
    return number == number && (field->kind == SHOT_DOUBLE || number != 0.0);
}

bool shot_is_same(const shot_field *field, const zt_shot_def *a, const zt_shot_def *b)
{
    if (!is_text(field->kind))
        return same_number(number_of(field, a), number_of(field, b));
    const char *s = text_of(field, a), *t = text_of(field, b);
    return s == t || (s && t && strcmp(s, t) == 0);
}

zt_result shot_check_ranges(const zt_shot_def *def, zt_error *err)
{
    for (size_t i = 0; i < SHOT_FIELD_COUNT; i++) {
        const shot_field *f = &shot_fields[i];
        if (!(f->min < f->max) || !shot_is_set(f, def))
            continue;
        const double value = number_of(f, def);
        if (!(value >= f->min && value <= f->max))
            return zt_fail(err, ZT_ERR_ARGUMENT, "%s %.9g (expected %.9g to %.9g)", f->name, value,
                           f->min, f->max);
    }
    return ZT_OK;
}

uint64_t shot_hash(uint64_t hash, const zt_shot_def *def, const shot_trace *trace)
{
    for (size_t i = 0; i < SHOT_FIELD_COUNT; i++) {
        const shot_field *f = &shot_fields[i];
        if (f->only_selects || !shot_is_set(f, def) || (trace && f->trace != *trace))
            continue;
        const char *text = is_text(f->kind) ? text_of(f, def) : NULL;
        const double number = text ? 0.0 : number_of(f, def);
        if (f->kind == SHOT_PATH && !trace && strchr(text, '.')) // words have no dot
            continue;
        hash = hash_number(hash, (uint32_t)i);
        hash = text ? hash_text(hash, text) : hash_bytes(hash, &number, sizeof number);
    }
    return hash;
}

const char *shot_value_text(const shot_field *field, const zt_shot_def *def, char out[40])
{
    if (!shot_is_set(field, def) || field->kind == SHOT_BOOL)
        return NULL;
    if (is_text(field->kind))
        return text_of(field, def);
    const double value = number_of(field, def);
    snprintf(out, 40, "%.9g", value);
    if (strtod(out, NULL) != value)
        snprintf(out, 40, "%.17g", value);
    return out;
}

zt_shot_def zt_default_shot_def(void)
{
    zt_shot_def def = {.cookie_ = HANDLE_COOKIE};
    for (size_t i = 0; i < SHOT_FIELD_COUNT; i++)
        if (shot_fields[i].kind == SHOT_DOUBLE)
            shot_set_number(&shot_fields[i], &def, (double)NAN);
    return def;
}
