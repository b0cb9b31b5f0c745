// SPDX-License-Identifier: MIT
/// Typed values from the tree of a document. A map is read by a table of its keys, which is also
/// the reference of what the map may contain. Every failure says where it is and what was expected.
#pragma once

#include "base/error.h"
#include "document/document.h"

#include <stddef.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/// The state of reading one document.
typedef struct document_reader {
    const char *path;
    arena *keep;    ///< memory of whoever asked: texts and paths stay in it
    arena *scratch; ///< holds the tree
    size_t
        root_length; ///< bytes of the folder that paths in the scene do not leave, or FILE_ANYWHERE
    bool in_memory;  ///< `path` is a name only
    void *user;      ///< argument of the functions that read what a key means
    zt_error *err;
} document_reader;

/// "FILE:LOCATION: what" with the location of a node, or with `at_key` of its key.
zt_result value_fail(document_reader *r, const document_node *node, bool at_key, const char *format,
                     ...) ZT_PRINTF(4, 5);
/// "FILE:LOCATION: found a list (expected WHAT)".
zt_result value_wrong(document_reader *r, const document_node *node, const char *expected);
/// The path of a file that a node names, from the working directory. `expected` describes the file.
/// Fails for standard input, and for a path that leads out of a confined folder.
zt_result value_path(document_reader *r, const document_node *node, const char *expected,
                     const char **out);
/// A file that a node names failed to load. A missing file (ZT_ERR_INPUT) is a mistake of the
/// document: its message starts with the location of the node, others are as they are.
zt_result value_fail_load(document_reader *r, const document_node *node, zt_result result,
                          const char *message);

zt_result value_number(document_reader *r, const document_node *node, double min, double max,
                       double *out);
zt_result value_integer(document_reader *r, const document_node *node, int64_t min, int64_t max,
                        int64_t *out);
zt_result value_bool(document_reader *r, const document_node *node, bool *out);
/// Text, or a number as it is written; fails when it is empty. It lives in r->keep.
zt_result value_text(document_reader *r, const document_node *node, const char *expected,
                     const char **out);
/// Fails unless it is text or a number that value_text() accepts. The text is node->text.
zt_result value_check_text(document_reader *r, const document_node *node, const char *expected);
/// The index of a word in `names`.
zt_result value_choice(document_reader *r, const document_node *node, const char *const *names,
                       size_t count, int32_t *out);
/// Two numbers; `expected` describes them.
zt_result value_pair(document_reader *r, const document_node *node, double min, double max,
                     const char *expected, double out[2]);
/// Three numbers.
zt_result value_vector(document_reader *r, const document_node *node, double min, double max,
                       double out[3]);
/// Three numbers that are not all 0.
zt_result value_direction(document_reader *r, const document_node *node, double out[3]);
/// sRGB text (base/color_text.h) or three linear numbers -> linear.
zt_result value_color(document_reader *r, const document_node *node, double out[3]);
/// The text of such a colour, const char *; no numbers.
zt_result value_color_text(document_reader *r, const document_node *node, void *target);

/// ZT_OK for a list of `min` to `max` elements; `expected` describes it.
zt_result value_list(document_reader *r, const document_node *node, uint32_t min, uint32_t max,
                     const char *expected);

/// A value_fn: the number of the format of a file, which is 1.
zt_result value_format(document_reader *r, const document_node *node, void *target);

typedef enum key_presence {
    KEY_OPTIONAL,
    KEY_REQUIRED,
} key_presence;

/// The type of the field that a key is read into.
typedef enum value_type {
    VALUE_CUSTOM,    ///< any, by `read`
    VALUE_BY_KEY,    ///< any, by `read_by`, which gets the row
    VALUE_NUMBER,    ///< double
    VALUE_INTEGER,   ///< int64_t
    VALUE_BOOL,      ///< bool
    VALUE_CHOICE,    ///< an enum, or a bool that is true for the second word
    VALUE_PAIR,      ///< double[2]
    VALUE_VECTOR,    ///< double[3]
    VALUE_DIRECTION, ///< double[3]
    VALUE_TEXT,      ///< const char *, by value_text()
    VALUE_PATH,      ///< const char *, by value_path()
    VALUE_NODE,      ///< const document_node *, for the caller to read later
} value_type;

typedef struct map_key map_key;
typedef zt_result (*value_fn)(document_reader *r, const document_node *value, void *target);
typedef zt_result (*value_key_fn)(document_reader *r, const document_node *value,
                                  const map_key *key, void *target);

/// A key of a map. Macros below write tables: they name the target's field and check its type.
struct map_key {
    const char *name;
    key_presence presence;
    value_type type;
    size_t offset, size; ///< place of the field in the target
    value_fn read;
    value_key_fn read_by;
    double min, max;      ///< limits of every number
    int kind;             ///< for `read_by`
    const char *expected; ///< VALUE_PAIR, VALUE_TEXT, VALUE_PATH
    const char *const *choices;
    size_t choice_count;
};

#define KEY_FIELD(type_, struct_, field_)                                                          \
    .offset = _Generic(((struct_ *)0)->field_, type_                                               \
                       : offsetof(struct_, field_)),                                               \
    .size = sizeof(((struct_ *)0)->field_)
#define KEY_ROW(name_, presence_, ...)                                                             \
    {                                                                                              \
        .name = name_, .presence = presence_, __VA_ARGS__                                          \
    }

/// By a function, which gets the target of the map, or a field of it.
#define KEY_READ(name_, presence_, function_) KEY_ROW(name_, presence_, .read = function_)
#define KEY_READ_INTO(name_, presence_, function_, struct_, field_)                                \
    KEY_ROW(name_, presence_, .read = function_, .offset = offsetof(struct_, field_))
#define KEY_BOOL(name_, presence_, struct_, field_)                                                \
    KEY_ROW(name_, presence_, .type = VALUE_BOOL, KEY_FIELD(bool, struct_, field_))
#define KEY_NODE(name_, presence_, struct_, field_)                                                \
    KEY_ROW(name_, presence_, .type = VALUE_NODE, KEY_FIELD(const document_node *, struct_, field_))
#define KEY_TEXT(name_, presence_, struct_, field_, expected_)                                     \
    KEY_ROW(name_, presence_, .type = VALUE_TEXT, KEY_FIELD(const char *, struct_, field_),        \
            .expected = expected_)
#define KEY_PATH(name_, presence_, struct_, field_, expected_)                                     \
    KEY_ROW(name_, presence_, .type = VALUE_PATH, KEY_FIELD(const char *, struct_, field_),        \
            .expected = expected_)
#define KEY_DIRECTION(name_, presence_, struct_, field_)                                           \
    KEY_ROW(name_, presence_, .type = VALUE_DIRECTION, KEY_FIELD(double *, struct_, field_))
/// `words_`: an array.
#define KEY_CHOICE(name_, presence_, struct_, field_, words_)                                      \
    KEY_ROW(name_, presence_, .type = VALUE_CHOICE, .offset = offsetof(struct_, field_),           \
            .size = sizeof(((struct_ *)0)->field_), .choices = words_,                             \
            .choice_count = sizeof(words_) / sizeof *(words_))
/// Numbers from min_ to max_.
#define KEY_NUMBER(name_, presence_, struct_, field_, min_, max_)                                  \
    KEY_ROW(name_, presence_, .type = VALUE_NUMBER, KEY_FIELD(double, struct_, field_),            \
            .min = min_, .max = max_)
#define KEY_INTEGER(name_, presence_, struct_, field_, min_, max_)                                 \
    KEY_ROW(name_, presence_, .type = VALUE_INTEGER, KEY_FIELD(int64_t, struct_, field_),          \
            .min = min_, .max = max_)
#define KEY_PAIR(name_, presence_, struct_, field_, min_, max_, expected_)                         \
    KEY_ROW(name_, presence_, .type = VALUE_PAIR, KEY_FIELD(double *, struct_, field_),            \
            .min = min_, .max = max_, .expected = expected_)
#define KEY_VECTOR(name_, presence_, struct_, field_, min_, max_)                                  \
    KEY_ROW(name_, presence_, .type = VALUE_VECTOR, KEY_FIELD(double *, struct_, field_),          \
            .min = min_, .max = max_)
/// Reads `map`'s members into `target` in the order of `keys`. `what` names it; unknown keys fail.
zt_result value_map(document_reader *r, const document_node *map, const char *what,
                    const map_key *keys, size_t count, void *target);
