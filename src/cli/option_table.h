// SPDX-License-Identifier: MIT
/// The typed table of flags and the table of commands. The parser, --help, the man pages,
/// docs/cli.md and the completions of shells are made from them: a new flag is one row.
#pragma once

#include "base/def_fields.h"
#include "cli/options.h"

/// The argument of a flag, and the type of the field of `options` that it sets.
typedef enum option_kind {
    OPTION_SWITCH,     ///< nothing; a bool that becomes true
    OPTION_INT,        ///< a whole number in the row's range; int32_t
    OPTION_DOUBLE,     ///< a number in the row's range; double
    OPTION_RATE,       ///< "30", "29.97" or "30000/1001"; int32_t[2] as two fields in a row
    OPTION_SIZE,       ///< "1280x720", or "512" for a square; two int32_t fields in a row
    OPTION_SHARD,      ///< "I/N"; two int32_t fields in a row
    OPTION_RECTANGLES, ///< "X,Y,WxH", more after spaces or semicolons; added to a rectangle_list
    OPTION_BYTES,      ///< "512M"; uint64_t
    OPTION_HASH,       ///< 16 hexadecimal digits; option_hash
    OPTION_WORD,       ///< one of the row's words; its value as int32_t or an enum
    OPTION_NAME,       ///< one of the row's words; const char *
    OPTION_PLANES,     ///< names of zt_plane_kind with commas; const char *
    OPTION_FORMAT,     ///< the name of a zt_picture_format; const char *
    OPTION_TEXT,       ///< any text but an empty one; const char *
    OPTION_FILE,       ///< the same: a file
    OPTION_FOLDER,     ///< the same: a folder
} option_kind;

/// Headings of --help and of the manual, in this order.
typedef enum option_group {
    OPTION_GROUP_OUTPUT,
    OPTION_GROUP_SHOT,
    OPTION_GROUP_CAMERA,
    OPTION_GROUP_PICTURE,
    OPTION_GROUP_LIGHT,
    OPTION_GROUP_MODEL,
    OPTION_GROUP_SHEET,
    OPTION_GROUP_COMPARISON,
    OPTION_GROUP_RESOURCES,
    OPTION_GROUP_LIMITS, ///< what --print-limits prints
    OPTION_GROUP_REPORTS,
    OPTION_GROUP_COUNT
} option_group;

typedef named_int option_word;

typedef struct option_range {
    double min, max; ///< of an int or a double; max 0: none of both
    bool above_min;  ///< min itself is too small
} option_range;

typedef struct option_flag {
    const char *name;    ///< "--size"
    char letter;         ///< 'o' for -o; 0: none
    const char *metavar; ///< "WxH"; NULL: nothing is taken, or the words joined by |
    option_group group;
    uint32_t commands; ///< bits 1 << command
    option_kind kind;
    size_t offset;            ///< of the field in `options`
    option_range range;       ///< unless the table of the field's definition says one
    const option_word *words; ///< the same
    double untrusted;         ///< value with --untrusted; 0: none
    const char *variable;     ///< of the environment, for when the flag is absent; NULL: none
    const char *help;         ///< one line, no capital, no full stop
    const char *standard;     ///< what holds without the flag, in words; NULL: nothing to say
    const char *detail;       ///< Markdown sentences for the manual; NULL: none
} option_flag;

/// The rows in the order of their groups; NULL past the last.
const option_flag *option_at(int index);
const char *option_group_title(option_group group);
/// The field of a definition of the library that it sets; NULL: it is one of `options`.
const def_field *option_field(const option_flag *flag);
/// The range of its values; max 0: none.
option_range option_range_of(const option_flag *flag);
/// Word number `index` that the flag takes, and its value; NULL past the last.
const char *option_word_at(const option_flag *flag, int index, int32_t *out_value);
/// False: `word` is none of them.
bool option_word_find(const option_flag *flag, const char *word, int32_t *out_value);
/// The value of a flag that decides pictures, without the folders of a file; NULL: of another flag.
const char *option_picture_value(const option_flag *flag, const char *value);
/// The row of a long name, or -1.
int option_find(const char *name, size_t length);
/// The text after the name: "WxH", "fast|small", "" for a switch.
void option_metavar(const option_flag *flag, char *out, size_t size);
/// The value that `flag` has in `o`, as it could be given; "none" for a limit of 0.
void option_current(const option_flag *flag, const options *o, char *out, size_t size);
/// Which values are right: "1 to 1024", "auto, bar or none"; "" where the metavar says it.
void option_values(const option_flag *flag, char *out, size_t size);

enum { EXIT_CODE_COUNT = 11 };

typedef struct command_row {
    const char *name, *usage, *help; ///< help: one line, no capital, no full stop
    const char *usual;               ///< ten flags, which --help shows
    const char *text;                ///< Markdown paragraphs for the manual
    const char *examples;            ///< lines, to be run from the root of the repository
    const char *more;                ///< paragraphs after the examples; NULL: none
    bool reads_stdin;                ///< "-" as input is standard input
} command_row;

const command_row *command_at(command which);

typedef struct exit_code {
    const char *code;    ///< "0", "128 + n"
    const char *brief;   ///< for --help
    const char *meaning; ///< for the manual
} exit_code;

extern const exit_code exit_codes[EXIT_CODE_COUNT];
