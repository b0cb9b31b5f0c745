// SPDX-License-Identifier: MIT
/// The fields of zt_shot_def as a table: what sets, checks, hashes, compares or prints them goes
/// through it, so that none is forgotten; tests/lint/shot_fields.sh compares it with the header.
#pragma once

#include <zoetrope/zoetrope.h>

typedef enum shot_kind {
    SHOT_DOUBLE,
    SHOT_INT,
    SHOT_BOOL,
    SHOT_TEXT,
    SHOT_WORD, ///< one of `words`, as a text
    SHOT_PATH  ///< a word, or the path of a picture, whose content counts in its place
} shot_kind;

/// The rest of a value when a scene gets another one of the same field.
typedef enum shot_trace {
    SHOT_REPLACED, ///< nothing
    SHOT_STAYS     ///< it cannot be undone
} shot_trace;

typedef struct shot_field {
    const char *name; ///< of the key in suites; of the flag with - for _
    shot_kind kind;
    shot_trace trace;
    size_t offset;      ///< in zt_shot_def
    double min, max;    ///< of numbers; both 0: what applies them checks them
    zt_word_list words; ///< of SHOT_WORD
    bool only_selects;  ///< it selects frames, and decides no picture
    bool shares_flag;   ///< one flag gives it and another field together
} shot_field;

enum { SHOT_FIELD_COUNT = 39 };
extern const shot_field shot_fields[SHOT_FIELD_COUNT];

/// NULL: no field has this name.
const shot_field *shot_field_find(const char *name);

/// Typed pointers to a field of a def.
const char **shot_text(const shot_field *field, zt_shot_def *def);
/// Sets a number or a switch.
void shot_set_number(const shot_field *field, zt_shot_def *def, double value);
/// True when the def gives the field a value of its own.
bool shot_is_set(const shot_field *field, const zt_shot_def *def);
/// True when both defs have the same value, or none.
bool shot_is_same(const shot_field *field, const zt_shot_def *a, const zt_shot_def *b);
/// ZT_ERR_ARGUMENT when a number is out of its range.
zt_result shot_check_ranges(const zt_shot_def *def, zt_error *err);
/// Adds the fields that decide pictures to a hash; `trace` not NULL: only those of the trace.
uint64_t shot_hash(uint64_t hash, const zt_shot_def *def, const shot_trace *trace);
/// The value in words that the command line takes, in `out`; NULL: it is not set, or no text.
const char *shot_value_text(const shot_field *field, const zt_shot_def *def, char out[40]);
