// SPDX-License-Identifier: MIT
/// JSON trees (RFC 8259) in an arena: values, access, building. All counts against the arena's
/// budget and lives as long. No global allocator; a refused allocation is an error, never a crash.
///
/// Access takes NULL and values of another kind for absent ones: paths need one check, at the end.
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum json_kind {
    JSON_KIND_NULL,
    JSON_KIND_FALSE,
    JSON_KIND_TRUE,
    JSON_KIND_INTEGER, ///< no point, no exponent, and it fits int64_t
    JSON_KIND_REAL,
    JSON_KIND_STRING,
    JSON_KIND_ARRAY,
    JSON_KIND_OBJECT,
} json_kind;

typedef struct json_value json_value;

struct json_value {
    json_kind kind;
    uint32_t count; ///< members or elements
    /// The name of a member; NULL: an element. A value may stand in several objects by one name.
    const char *key;
    union {
        int64_t integer;
        double real;
        const char *text;  ///< UTF-8 without a zero inside
        json_value **item; ///< [count], in the order of the file
    };
    json_value **sorted; ///< [count] of objects with many members: they, by key. Else NULL
    uint32_t capacity;   ///< of item and of sorted
    /// Read: the byte where it or its name starts. Added, not yet united: its place in the object.
    uint32_t place;
};

/// Where values come from. `failed` stays after a refusal: builders check once, by arena_fail().
typedef struct json_builder {
    arena *a;
    uint8_t *block; ///< the rest of the newest block
    size_t block_size;
    bool failed;
} json_builder;

static inline bool json_is(const json_value *value, json_kind kind)
{
    return value && value->kind == kind;
}

static inline bool json_is_numeric(const json_value *value)
{
    return json_is(value, JSON_KIND_INTEGER) || json_is(value, JSON_KIND_REAL);
}

static inline bool json_is_list(const json_value *value)
{
    return json_is(value, JSON_KIND_ARRAY) || json_is(value, JSON_KIND_OBJECT);
}

/// The member called `key`; NULL: none.
json_value *json_get(const json_value *object, const char *key);
/// The element of an array; NULL: none.
json_value *json_at(const json_value *array, size_t index);
/// The number of elements of an array; 0 for other kinds.
uint32_t json_length(const json_value *array);
/// An integer or a real; 0 for other kinds.
double json_number(const json_value *value);
/// An integer; 0 for other kinds, reals among them.
int64_t json_int(const json_value *value);
/// A string; NULL for other kinds.
const char *json_str(const json_value *value);
/// True when an array has this string.
bool json_has_text(const json_value *array, const char *text);
/// True when both have the same kinds and contents; members may stand in another order.
bool json_same(const json_value *a, const json_value *b);

// ---- Building -----------------------------------------------------------------------------------
// These return NULL when memory is refused, take NULL, and then leave `failed` set.

/// `size` bytes, for as long as the tree; aligned for pointers and doubles.
void *json_take(json_builder *b, size_t size);

json_value *json_new(json_builder *b, json_kind kind);
json_value *json_new_int(json_builder *b, int64_t integer);
/// null for infinity and NaN, which JSON does not have.
json_value *json_new_real(json_builder *b, double real);
json_value *json_new_bool(json_builder *b, bool truth);
/// A copy of `text`, with '?' for bytes that are not UTF-8; "" for NULL.
json_value *json_new_text(json_builder *b, const char *text);
/// An array of reals.
json_value *json_new_floats(json_builder *b, const float *values, uint32_t count);

/// The member called `key`; a new one of this kind where there is none.
json_value *json_require(json_builder *b, json_value *object, const char *key, json_kind kind);
/// Adds a member, or replaces the one that has the name. `key` lives as long as the tree.
void json_put(json_builder *b, json_value *object, const char *key, json_value *value);
/// The same with a copy of `key`, with '?' for bytes that are not UTF-8.
void json_put_named(json_builder *b, json_value *object, const char *key, json_value *value);
/// json_put_named() for very many members: names are not looked up before json_unite_members(),
/// which must follow and keeps, of equal names, the last value in the first place.
void json_add_named(json_builder *b, json_value *object, const char *key, json_value *value);
void json_unite_members(json_builder *b, json_value *object);
void json_put_int(json_builder *b, json_value *object, const char *key, int64_t integer);
void json_put_real(json_builder *b, json_value *object, const char *key, double real);
void json_put_bool(json_builder *b, json_value *object, const char *key, bool truth);
void json_put_text(json_builder *b, json_value *object, const char *key, const char *text);
void json_append(json_builder *b, json_value *array, json_value *value);
/// Removes the member called `key`, if there is one.
void json_remove(json_value *object, const char *key);

/// For setters of an object's items: sorts when due. Returns a member with an earlier key, or NULL.
const json_value *json_sort_members(json_builder *b, json_value *object);
