// SPDX-License-Identifier: MIT
#include "base/def_fields.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/row_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t sizes[] = {
    [DEF_DOUBLE] = sizeof(double),    [DEF_INT] = sizeof(int32_t),    [DEF_POWER] = sizeof(int32_t),
    [DEF_MULTIPLE] = sizeof(int32_t), [DEF_BYTES] = sizeof(uint64_t), [DEF_BOOL] = sizeof(bool),
    [DEF_POINTER] = sizeof(void *),   [DEF_TEXT] = sizeof(char *),    [DEF_WORD] = sizeof(char *),
    [DEF_PATH] = sizeof(char *),
};

const def_field *def_find(const def_table *table, const char *name)
{
    const int32_t i = row_find(table->field, table->count, sizeof *table->field, name);
    return i >= 0 ? &table->field[i] : NULL;
}

static bool is_text(def_kind kind) { return kind >= DEF_TEXT; }

static const void *value_at(const def_field *field, const void *def)
{
    return (const char *)def + field->offset;
}

const char **def_text(const def_field *field, void *def)
{
    return (const char **)(void *)((char *)def + field->offset);
}

static const char *text_of(const def_field *field, const void *def)
{
    const char *text;
    memcpy(&text, value_at(field, def), sizeof text);
    return text;
}

/// The value of a number or a switch.
static double number_of(const def_field *field, const void *def)
{
    const void *at = value_at(field, def);
    double real;
    uint64_t bytes;
    int32_t whole;
    switch (field->kind) {
    case DEF_DOUBLE: memcpy(&real, at, sizeof real); return real;
    case DEF_BYTES: memcpy(&bytes, at, sizeof bytes); return (double)bytes;
    case DEF_INT:
    case DEF_MULTIPLE:
    case DEF_POWER: memcpy(&whole, at, sizeof whole); return whole;
    case DEF_BOOL: return *(const bool *)at;
    case DEF_POINTER:
    case DEF_TEXT:
    case DEF_WORD:
    case DEF_PATH: break;
    }
    return 0.0;
}

void def_set_number(const def_field *field, void *def, double value)
{
    void *at = (char *)def + field->offset;
    switch (field->kind) {
    case DEF_DOUBLE: *(double *)at = value; break;
    case DEF_INT:
    case DEF_MULTIPLE:
    case DEF_POWER: *(int32_t *)at = (int32_t)value; break;
    case DEF_BYTES: {
        const uint64_t bytes = (uint64_t)value; // a size_t is another type of the same size
        memcpy(at, &bytes, sizeof bytes);
        break;
    }
    case DEF_BOOL: *(bool *)at = value != 0.0; break;
    case DEF_POINTER:
    case DEF_TEXT:
    case DEF_WORD:
    case DEF_PATH: break;
    }
}

bool def_is_set(const def_field *field, const void *def)
{
    static const char zero[8];
    const double number = number_of(field, def);
    if (field->kind == DEF_DOUBLE)
        return number == number;
    return memcmp(value_at(field, def), zero, sizes[field->kind]) != 0;
}

bool def_is_same(const def_field *field, const void *a, const void *b)
{
    if (!is_text(field->kind))
        return memcmp(value_at(field, a), value_at(field, b), sizes[field->kind]) == 0;
    const char *s = text_of(field, a), *t = text_of(field, b);
    return s == t || (s && t && strcmp(s, t) == 0);
}

bool def_all_same(const def_table *table, const void *a, const void *b)
{
    for (size_t i = 0; i < table->count; i++)
        if (!def_is_same(&table->field[i], a, b))
            return false;
    return true;
}

void def_overlay(const def_table *table, void *def, const void *over)
{
    for (size_t i = 0; i < table->count; i++) {
        const def_field *f = &table->field[i];
        if (def_is_set(f, over))
            memcpy((char *)def + f->offset, value_at(f, over), sizes[f->kind]);
    }
}

const char *def_steps(const def_field *field)
{
    if (field->kind == DEF_MULTIPLE)
        return "a multiple of 16, 16 to 4096";
    return field->max == 4.0 ? "1, 2 or 4" : "1, 2, 4, 8 or 16";
}

bool def_is_step(const def_field *field, int64_t value)
{
    const bool fits =
        field->kind == DEF_MULTIPLE ? value % (int64_t)field->min == 0 : (value & (value - 1)) == 0;
    return fits && (double)value >= field->min && (double)value <= field->max;
}

zt_result def_check(const def_table *table, const void *def, zt_error *err)
{
    for (size_t i = 0; i < table->count; i++) {
        const def_field *f = &table->field[i];
        if (!(f->min < f->max) || !def_is_set(f, def))
            continue;
        const double value = number_of(f, def);
        const bool steps = f->kind == DEF_POWER || f->kind == DEF_MULTIPLE;
        if (steps && !def_is_step(f, (int64_t)value))
            return zt_fail(err, ZT_ERR_ARGUMENT, "%s %.9g (expected %s)", f->name, value,
                           def_steps(f));
        if (!(value >= f->min && value <= f->max))
            return zt_fail(err, ZT_ERR_ARGUMENT, "%s %.9g (expected %.9g to %.9g)", f->name, value,
                           f->min, f->max);
    }
    return ZT_OK;
}

uint64_t def_hash(uint64_t hash, const def_table *table, const void *def, const def_trace *trace)
{
    for (size_t i = 0; i < table->count; i++) {
        const def_field *f = &table->field[i];
        if (f->no_pixel || !def_is_set(f, def) || (trace && f->trace != *trace))
            continue;
        const char *text = is_text(f->kind) ? text_of(f, def) : NULL;
        hash = hash_number(hash, (uint32_t)i);
        if (f->kind == DEF_PATH && !trace && strchr(text, '.')) // words have no dot
            continue;
        hash = text ? hash_text(hash, text) : hash_bytes(hash, value_at(f, def), sizes[f->kind]);
    }
    return hash;
}

const char *def_value_text(const def_field *field, const void *def, char out[40])
{
    if (!def_is_set(field, def))
        return NULL;
    if (is_text(field->kind))
        return text_of(field, def);
    const double value = number_of(field, def);
    for (const named_int *row = field->names; row && row->name; row++)
        if (row->value == value)
            return row->name;
    if (field->kind == DEF_BOOL)
        return NULL;
    snprintf(out, 40, "%.9g", value);
    if (strtod(out, NULL) != value)
        snprintf(out, 40, "%.17g", value);
    return out;
}
