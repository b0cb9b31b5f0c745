// SPDX-License-Identifier: MIT
#include "json/json.h"

#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_SIZE = 16384,
    LINEAR_MEMBERS = 8, ///< objects of up to so many members are searched one by one
};

// ---- Access -------------------------------------------------------------------------------------

/// The first member of an object with `sorted` whose key is not before `key`. Sorted keys need
/// more steps than a hash table, and nobody can choose keys that make them slow.
static uint32_t lower_bound(const json_value *object, const char *key)
{
    uint32_t first = 0, end = object->count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (strcmp(object->sorted[middle]->key, key) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static json_value *find(const json_value *object, const char *key)
{
    if (object->sorted) {
        const uint32_t at = lower_bound(object, key);
        json_value *found = at < object->count ? object->sorted[at] : NULL;
        return found && strcmp(found->key, key) == 0 ? found : NULL;
    }
    for (uint32_t i = 0; i < object->count; i++)
        if (strcmp(object->item[i]->key, key) == 0)
            return object->item[i];
    return NULL;
}

json_value *json_get(const json_value *object, const char *key)
{
    return json_is(object, JSON_KIND_OBJECT) ? find(object, key) : NULL;
}

json_value *json_at(const json_value *array, size_t index)
{
    return index < json_length(array) ? array->item[index] : NULL;
}

uint32_t json_length(const json_value *array)
{
    return json_is(array, JSON_KIND_ARRAY) ? array->count : 0;
}

double json_number(const json_value *value)
{
    if (json_is(value, JSON_KIND_INTEGER))
        return (double)value->integer;
    return json_is(value, JSON_KIND_REAL) ? value->real : 0.0;
}

int64_t json_int(const json_value *value)
{
    return json_is(value, JSON_KIND_INTEGER) ? value->integer : 0;
}

const char *json_str(const json_value *value)
{
    return json_is(value, JSON_KIND_STRING) ? value->text : NULL;
}

bool json_has_text(const json_value *array, const char *text)
{
    for (uint32_t i = 0; i < json_length(array); i++) {
        const char *own = json_str(array->item[i]);
        if (own && strcmp(own, text) == 0)
            return true;
    }
    return false;
}

static bool same_items(const json_value *a, const json_value *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const json_value *x = a->item[i];
        if (!json_same(x, a->kind == JSON_KIND_OBJECT ? json_get(b, x->key) : b->item[i]))
            return false;
    }
    return true;
}

bool json_same(const json_value *a, const json_value *b)
{
    if (!a || !b || a->kind != b->kind)
        return a == b;
    switch (a->kind) {
    case JSON_KIND_NULL:
    case JSON_KIND_FALSE:
    case JSON_KIND_TRUE: return true;
    case JSON_KIND_INTEGER: return a->integer == b->integer;
    case JSON_KIND_REAL: return a->real >= b->real && a->real <= b->real;
    case JSON_KIND_STRING: return strcmp(a->text, b->text) == 0;
    case JSON_KIND_ARRAY:
    case JSON_KIND_OBJECT: return same_items(a, b);
    }
    return false;
}

// ---- Building -----------------------------------------------------------------------------------

void *json_take(json_builder *b, size_t size)
{
    const size_t aligned = (size + 7) & ~(size_t)7;
    if (aligned > b->block_size && !b->failed) {
        const size_t want = aligned > BLOCK_SIZE / 4 ? aligned : BLOCK_SIZE;
        uint8_t *block = aligned < size ? NULL : arena_alloc_raw(b->a, want, 1);
        b->failed = !block;
        if (block && want == aligned)
            return block; // the rest of the block before is still good
        b->block = block;
        b->block_size = block ? want : 0;
    }
    if (b->failed || aligned > b->block_size)
        return NULL;
    void *taken = b->block;
    b->block += aligned;
    b->block_size -= aligned;
    return taken;
}

json_value *json_new(json_builder *b, json_kind kind)
{
    json_value *value = json_take(b, sizeof *value);
    if (value)
        *value = (json_value){.kind = kind};
    return value;
}

json_value *json_new_int(json_builder *b, int64_t integer)
{
    json_value *value = json_new(b, JSON_KIND_INTEGER);
    if (value)
        value->integer = integer;
    return value;
}

json_value *json_new_real(json_builder *b, double real)
{
    json_value *value = json_new(b, isfinite(real) ? JSON_KIND_REAL : JSON_KIND_NULL);
    if (value && isfinite(real))
        value->real = real;
    return value;
}

json_value *json_new_bool(json_builder *b, bool truth)
{
    return json_new(b, truth ? JSON_KIND_TRUE : JSON_KIND_FALSE);
}

static char *copy_text(json_builder *b, const char *text)
{
    const size_t size = strlen(text);
    char *copy = json_take(b, size + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, size + 1);
    const char *end = copy + size;
    for (char *c = copy; c < end;) {
        const size_t length = utf8_length(c, end);
        if (length == 0)
            *c = '?';
        c += length ? length : 1;
    }
    return copy;
}

json_value *json_new_text(json_builder *b, const char *text)
{
    json_value *value = json_new(b, JSON_KIND_STRING);
    if (!value)
        return NULL;
    value->text = copy_text(b, text ? text : "");
    return value->text ? value : NULL;
}

static json_value **grown(json_builder *b, json_value **items, uint32_t count, uint32_t capacity)
{
    json_value **more = json_take(b, (size_t)capacity * sizeof *more);
    if (more && count > 0)
        memcpy(more, items, count * sizeof *more);
    return more;
}

/// Room for one more item.
static bool make_room(json_builder *b, json_value *list)
{
    if (list->count < list->capacity)
        return true;
    if (list->capacity > UINT32_MAX / 4) {
        b->failed = true;
        return false;
    }
    const uint32_t capacity = list->capacity ? 2 * list->capacity : 4;
    json_value **item = grown(b, list->item, list->count, capacity);
    json_value **sorted = list->sorted ? grown(b, list->sorted, list->count, capacity) : NULL;
    if (!item || (list->sorted && !sorted))
        return false;
    list->item = item;
    list->sorted = sorted;
    list->capacity = capacity;
    return true;
}

static int by_key(const void *left, const void *right)
{
    json_value *const *a = left, *const *b = right;
    return strcmp((*a)->key, (*b)->key);
}

static const json_value *later(const json_value *a, const json_value *b)
{
    return a->place > b->place ? a : b;
}

const json_value *json_sort_members(json_builder *b, json_value *object)
{
    json_value **item = object->item;
    if (object->count <= LINEAR_MEMBERS) {
        for (uint32_t i = 1; i < object->count; i++)
            for (uint32_t k = 0; k < i; k++)
                if (strcmp(item[i]->key, item[k]->key) == 0)
                    return item[i];
        return NULL;
    }
    json_value **sorted = grown(b, item, object->count, object->capacity);
    if (!sorted)
        return NULL;
    qsort(sorted, object->count, sizeof *sorted, by_key);
    object->sorted = sorted;
    for (uint32_t i = 1; i < object->count; i++)
        if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0)
            return later(sorted[i - 1], sorted[i]);
    return NULL;
}

/// Replaces `old` in one of the two lists of an object, or removes it when `value` is NULL.
static void replace(json_value **list, uint32_t count, const json_value *old, json_value *value)
{
    uint32_t at = 0;
    while (at < count && list[at] != old)
        at++;
    if (value)
        list[at] = value;
    else
        memmove(list + at, list + at + 1, (count - at - 1) * sizeof *list);
}

static void replace_member(json_value *object, const json_value *old, json_value *value)
{
    replace(object->item, object->count, old, value);
    if (object->sorted)
        replace(object->sorted, object->count, old, value);
}

void json_put(json_builder *b, json_value *object, const char *key, json_value *value)
{
    if (!object || !value) {
        b->failed = true;
        return;
    }
    value->key = key;
    const json_value *old = find(object, key);
    if (old) {
        replace_member(object, old, value);
        return;
    }
    if (!make_room(b, object))
        return;
    const uint32_t at = object->sorted ? lower_bound(object, key) : 0;
    object->item[object->count++] = value;
    if (object->sorted) {
        json_value **place = object->sorted + at;
        memmove(place + 1, place, (object->count - 1 - at) * sizeof *place);
        *place = value;
    } else if (object->count > LINEAR_MEMBERS)
        json_sort_members(b, object);
}

void json_put_named(json_builder *b, json_value *object, const char *key, json_value *value)
{
    const char *copy = copy_text(b, key);
    if (copy)
        json_put(b, object, copy, value);
}

void json_add_named(json_builder *b, json_value *object, const char *key, json_value *value)
{
    const char *copy = copy_text(b, key);
    if (!object || !value || !copy || !make_room(b, object)) {
        b->failed = true;
        return;
    }
    value->key = copy;
    value->place = object->count;
    object->item[object->count++] = value;
}

static int by_key_and_place(const void *left, const void *right)
{
    json_value *const *a = left, *const *b = right;
    const int order = strcmp((*a)->key, (*b)->key);
    return order != 0 ? order : ((*a)->place > (*b)->place) - ((*a)->place < (*b)->place);
}

void json_unite_members(json_builder *b, json_value *object)
{
    if (!object || object->count == 0)
        return;
    json_value **item = object->item, **sorted = grown(b, item, object->count, object->capacity);
    if (!sorted)
        return;
    qsort(sorted, object->count, sizeof *sorted, by_key_and_place);
    uint32_t names = 0, left = 0;
    for (uint32_t i = 0; i < object->count;) {
        const uint32_t first = sorted[i]->place;
        json_value *last = sorted[i++];
        for (; i < object->count && strcmp(sorted[i]->key, last->key) == 0; i++) {
            item[sorted[i]->place] = NULL;
            last = sorted[i];
        }
        item[first] = last;
        sorted[names++] = last;
    }
    for (uint32_t i = 0; i < object->count; i++)
        if (item[i])
            item[left++] = item[i];
    object->count = names;
    object->sorted = names > LINEAR_MEMBERS ? sorted : NULL;
}

json_value *json_require(json_builder *b, json_value *object, const char *key, json_kind kind)
{
    json_value *member = json_get(object, key);
    if (member)
        return member;
    member = json_new(b, kind);
    json_put(b, object, key, member);
    return member;
}

json_value *json_new_floats(json_builder *b, const float *values, uint32_t count)
{
    json_value *list = json_new(b, JSON_KIND_ARRAY);
    for (uint32_t i = 0; i < count; i++)
        json_append(b, list, json_new_real(b, (double)values[i]));
    return list;
}

void json_put_int(json_builder *b, json_value *object, const char *key, int64_t integer)
{
    json_put(b, object, key, json_new_int(b, integer));
}

void json_put_real(json_builder *b, json_value *object, const char *key, double real)
{
    json_put(b, object, key, json_new_real(b, real));
}

void json_put_bool(json_builder *b, json_value *object, const char *key, bool truth)
{
    json_put(b, object, key, json_new_bool(b, truth));
}

void json_put_text(json_builder *b, json_value *object, const char *key, const char *text)
{
    json_put(b, object, key, json_new_text(b, text));
}

void json_append(json_builder *b, json_value *array, json_value *value)
{
    if (!array || !value)
        b->failed = true;
    else if (make_room(b, array))
        array->item[array->count++] = value;
}

void json_remove(json_value *object, const char *key)
{
    const json_value *old = json_get(object, key);
    if (!old)
        return;
    replace_member(object, old, NULL);
    object->count--;
}
