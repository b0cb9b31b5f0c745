// SPDX-License-Identifier: MIT
/// The fields of zt_shot_def, zt_load_def and zt_encode_def as tables: what sets, checks, hashes,
/// compares or prints them goes through it, and so do flags and the keys of suites, so that none is
/// forgotten; tests/lint/def_fields.sh compares the tables with the header.
#pragma once

#include <zoetrope/zoetrope.h>

typedef enum def_kind {
    DEF_DOUBLE,
    DEF_INT,
    DEF_POWER,    ///< an int: 1, 2, 4 and so on up to `max`
    DEF_MULTIPLE, ///< an int: `min`, twice, three times and so on up to `max`
    DEF_BYTES,    ///< uint64_t
    DEF_BOOL,
    DEF_POINTER, ///< to what is the caller's
    DEF_TEXT,
    DEF_WORD, ///< one of `words`, as a text
    DEF_PATH  ///< a word, or the path of a picture, whose content counts in its place
} def_kind;

/// A value that stays in a scene, or does not, when the same field is set again.
typedef enum def_trace {
    DEF_REPLACED, ///< nothing
    DEF_STAYS     ///< it cannot be undone
} def_trace;

/// A number by its name.
typedef struct named_int {
    const char *name; ///< NULL ends a list
    int32_t value;
} named_int;

typedef struct def_field {
    const char *name; ///< of the key in suites; of the flag with - for _
    def_kind kind;
    def_trace trace;
    size_t offset;
    double min, max;        ///< of numbers; both 0: what applies them checks them
    zt_word_list words;     ///< of DEF_WORD
    const named_int *names; ///< of the values of a number or switch; NULL: they have none
    const char *no_pixel;   ///< why the key of a frame leaves it out; NULL: it decides pictures
    bool shares_flag;       ///< one flag gives it and another field together
} def_field;

typedef struct def_table {
    const def_field *field;
    size_t count;
} def_table;

extern const named_int length_units[]; ///< micrometres
extern const named_int light_spaces[];
extern const def_table shot_table, load_table, encode_table;

/// NULL: no field has this name.
const def_field *def_find(const def_table *table, const char *name);
/// The field of a text in a def.
const char **def_text(const def_field *field, void *def);
/// Sets a number or a switch.
void def_set_number(const def_field *field, void *def, double value);
/// True when the def gives the field a value of its own.
bool def_is_set(const def_field *field, const void *def);
/// True when both defs have the same value, or none.
bool def_is_same(const def_field *field, const void *a, const void *b);
/// True when they are so in all fields.
bool def_all_same(const def_table *table, const void *a, const void *b);
/// Gives `def` what `over` sets.
void def_overlay(const def_table *table, void *def, const void *over);
/// The numbers that a DEF_POWER or DEF_MULTIPLE can be: "1, 2 or 4".
const char *def_steps(const def_field *field);
bool def_is_step(const def_field *field, int64_t value);
/// ZT_ERR_ARGUMENT when a number is out of its range.
zt_result def_check(const def_table *table, const void *def, zt_error *err);
/// Adds the fields that decide pictures to a hash; `trace` not NULL: only those of the trace.
uint64_t def_hash(uint64_t hash, const def_table *table, const void *def, const def_trace *trace);
/// The value in words that the command line takes, in `out`; NULL: it is not set, or no text.
const char *def_value_text(const def_field *field, const void *def, char out[40]);
