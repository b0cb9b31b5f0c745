// SPDX-License-Identifier: MIT
/// Mutations of model files; see mutate.h.
#include "mutate.h"

#include "base/bytes.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_LIMIT = 1 << 22, PLACES_LIMIT = 20000 };

uint64_t mutate_random(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545F4914F6CDD1Du;
}

static size_t below(uint64_t *random, size_t limit)
{
    return limit ? (size_t)(mutate_random(random) >> 11) % limit : 0;
}

// ---- Bytes --------------------------------------------------------------------------------------

static void put_value(uint8_t *at, size_t room, uint64_t *random)
{
    static const uint32_t words[] = {0,          1,          0x7f,       0x80,       0xff,
                                     0xffff,     0x10000,    0x7fffffff, 0x80000000, 0xffffffff,
                                     0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0x00000001,
                                     0x3f800000, 0x60ad78ec, 0xe0ad78ec, 0x00400000, 0xbf800000};
    const uint32_t value = words[below(random, sizeof words / sizeof *words)];
    const size_t length = (size_t)1 << below(random, 3);
    for (size_t i = 0; i < length && i < room; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/// Changes bytes of `data` in place; may shorten it.
static size_t mutate_bytes(uint8_t *data, size_t size, uint64_t *random)
{
    const size_t at = below(random, size), other = below(random, size);
    if (size == 0)
        return 0;
    switch (below(random, 8)) {
    case 0: data[at] ^= (uint8_t)(1u << below(random, 8)); return size;
    case 1: data[at] = (uint8_t)mutate_random(random); return size;
    case 2: // an aligned word, as floats and indices lie
        put_value(data + at / 4 * 4, size - at / 4 * 4, random);
        return size;
    case 3: put_value(data + at, size - at, random); return size;
    case 4: { // a run of one byte
        const size_t length = below(random, 64);
        memset(data + at, below(random, 2) ? 0xff : 0, length < size - at ? length : size - at);
        return size;
    }
    case 5: { // a piece goes elsewhere
        const size_t far = at > other ? at : other, length = below(random, 64);
        memmove(data + at, data + other, length < size - far ? length : size - far);
        return size;
    }
    case 6: // near the start, where headers are
        put_value(data + at % (size < 96 ? size : 96), 1, random);
        return size;
    default: return below(random, 4) ? size : at;
    }
}

// ---- JSON ---------------------------------------------------------------------------------------

/// A value in its container.
typedef struct place {
    json_t *container;
    const char *key; ///< of an object
    size_t index;    ///< in an array
} place;

typedef struct places {
    place *at;
    size_t count;
} places;

static void collect(places *all, json_t *value)
{
    const char *key;
    json_t *member;
    size_t index;
    if (json_is_object(value))
        json_object_foreach(value, key, member)
        {
            if (all->count < PLACES_LIMIT)
                all->at[all->count++] = (place){value, key, 0};
            collect(all, member);
        }
    else if (json_is_array(value))
        json_array_foreach(value, index, member)
        {
            if (all->count < PLACES_LIMIT)
                all->at[all->count++] = (place){value, NULL, index};
            collect(all, member);
        }
}

static json_t *get(const place *p)
{
    return p->key ? json_object_get(p->container, p->key) : json_array_get(p->container, p->index);
}

static void set(const place *p, json_t *value)
{
    if (p->key)
        json_object_set_new(p->container, p->key, value);
    else
        json_array_set_new(p->container, p->index, value);
}

static json_t *other_number(const json_t *old, uint64_t *random)
{
    static const double reals[] = {1e38, -1e38, 1e-40, 3.5e38, 1e308, -0.0, 0.5, 1e9};
    static const json_int_t whole[] = {0,          1,          2,          -1,
                                       255,        65535,      65536,      2147483647,
                                       2147483648, 4294967295, 4294967296, 9007199254740992,
                                       5120,       5121,       5125,       5126};
    const json_int_t now = (json_int_t)fmax(-1e15, fmin(1e15, json_number_value(old)));
    switch (below(random, 6)) {
    case 0: return json_real(reals[below(random, sizeof reals / sizeof *reals)]);
    case 1:
    case 2: return json_integer(whole[below(random, sizeof whole / sizeof *whole)]);
    case 3: return json_integer(now + (json_int_t)below(random, 9) - 4);
    case 4: return json_integer(now * 2);
    default: return json_integer((json_int_t)below(random, 16));
    }
}

static json_t *other_string(const char *old, uint64_t *random)
{
    static const char *const strings[] = {
        "",       "VEC3",    "SCALAR",   "MAT4",     "STEP",     "CUBICSPLINE",
        "LINEAR", "weights", "rotation", "../x.bin", "data:,",   "data:a/b;base64,AAAA",
        "%00",    "MASK",    "BLEND",    "NORMAL",   "JOINTS_0", "file:///etc/passwd"};
    char changed[64];
    if (below(random, 3) > 0)
        return json_string(strings[below(random, sizeof strings / sizeof *strings)]);
    snprintf(changed, sizeof changed, "%.60s", old);
    if (*changed)
        changed[below(random, strlen(changed))] = (char)('!' + below(random, 90));
    json_t *value = json_string(changed);
    return value ? value : json_string("x");
}

static json_t *nested(uint64_t *random)
{
    json_t *value = json_integer(0);
    for (size_t depth = below(random, 600); depth > 0; depth--)
        value = below(random, 2) ? json_pack("[o]", value) : json_pack("{s:o}", "children", value);
    return value;
}

static json_t *other_value(const json_t *old, uint64_t *random)
{
    if (below(random, 12) == 0)
        switch (below(random, 6)) {
        case 0: return json_null();
        case 1: return json_true();
        case 2: return json_array();
        case 3: return json_object();
        case 4: return nested(random);
        default: return json_string("x");
        }
    if (json_is_number(old))
        return other_number(old, random);
    if (json_is_string(old))
        return other_string(json_string_value(old), random);
    if (json_is_boolean(old))
        return json_boolean(!json_is_true(old));
    return NULL;
}

static void remove_place(const place *p)
{
    if (p->key)
        json_object_del(p->container, p->key);
    else
        json_array_remove(p->container, p->index);
}

/// An element comes twice, or many times.
static void repeat_place(const place *p, uint64_t *random)
{
    json_t *value = get(p);
    for (size_t count = below(random, 8) ? 1 : 300; count > 0 && !p->key; count--)
        json_array_insert_new(p->container, p->index, json_deep_copy(value));
}

/// A random member of `from`, or of its elements one.
static void take_part(json_t *into, json_t *from, uint64_t *random)
{
    const char *key;
    json_t *member;
    if (json_is_array(into) && json_is_array(from) && json_array_size(from) > 0) {
        const size_t index = below(random, json_array_size(from));
        json_array_append_new(into, json_deep_copy(json_array_get(from, index)));
    } else if (json_is_object(into) && json_is_object(from)) {
        size_t left = below(random, json_object_size(from));
        json_object_foreach(from, key, member)
        {
            if (left-- == 0) {
                json_object_set_new(into, key, json_deep_copy(member));
                return;
            }
        }
    }
}

/// An object or array gets a part of one of the same name: extensions, attributes, primitives,
/// channels. Faults that need several features at once need files that have them.
static void borrow(json_t *root, const places *all, json_t *donor, const places *lent,
                   uint64_t *random)
{
    const size_t at = below(random, all->count + 1), first = below(random, lent->count + 1);
    if (at == all->count) {
        take_part(root, donor, random);
        return;
    }
    const place *p = &all->at[at];
    json_t *into = get(p);
    if (!p->key || (!json_is_object(into) && !json_is_array(into)))
        return;
    for (size_t i = 0; i < lent->count; i++) {
        const place *q = &lent->at[(first + i) % lent->count];
        if (!q->key || strcmp(p->key, q->key) != 0 || get(q) == into)
            continue;
        take_part(into, get(q), random);
        return;
    }
}

static void mutate_place(const places *all, uint64_t *random)
{
    const place *p = &all->at[below(random, all->count)], *q = &all->at[below(random, all->count)];
    json_t *value = get(p), *changed;
    if (!value)
        return;
    switch (below(random, 10)) {
    case 0: remove_place(p); return;
    case 1: repeat_place(p, random); return;
    case 2: // what stands elsewhere
        changed = get(q) ? json_deep_copy(get(q)) : NULL;
        break;
    default: changed = other_value(value, random); break;
    }
    if (changed)
        set(p, changed);
}

/// `lender`: another text in JSON, whose parts may be borrowed; size 0: none.
static char *mutate_json(const char *text, size_t size, const char *lender, size_t lender_size,
                         uint64_t *random)
{
    json_error_t error;
    places all = {malloc(PLACES_LIMIT * sizeof(place)), 0};
    places lent = {malloc(PLACES_LIMIT * sizeof(place)), 0};
    json_t *json = json_loadb(text, size, 0, &error);
    json_t *donor = lender_size > 0 ? json_loadb(lender, lender_size, 0, &error) : NULL;
    char *changed = NULL;
    const size_t most = below(random, 4) ? 3 : 16;
    if (donor && lent.at)
        collect(&lent, donor);
    for (size_t steps = 1 + below(random, most); json && all.at && lent.at && steps > 0; steps--) {
        all.count = 0; // a step may free what another was collected from
        collect(&all, json);
        const size_t kind = below(random, 4);
        if (kind == 0 && donor)
            borrow(json, &all, donor, &lent, random);
        else if (kind == 1)
            borrow(json, &all, json, &all, random);
        else if (all.count > 0)
            mutate_place(&all, random);
    }
    if (json)
        changed = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    json_decref(donor);
    free(all.at);
    free(lent.at);
    return changed;
}

// ---- Files --------------------------------------------------------------------------------------

static mutant copy_of(const uint8_t *data, size_t size)
{
    mutant m = {malloc(size + 1), size};
    if (m.data)
        memcpy(m.data, data, size);
    return m;
}

/// A GLB of other JSON and the same binary chunk, which may change as well.
static mutant rebuild_glb(const uint8_t *data, size_t size, const char *json, bool bytes,
                          uint64_t *random)
{
    const size_t old = bytes_u32_le(data + 12), length = strlen(json),
                 padded = (length + 3) / 4 * 4;
    const size_t rest = size - 20 - old;
    mutant m = {malloc(20 + padded + rest + 1), 20 + padded + rest};
    if (!m.data)
        return (mutant){NULL, 0};
    memcpy(m.data, data, 20);
    memset(m.data + 20, ' ', padded);
    memcpy(m.data + 20, json, length);
    memcpy(m.data + 20 + padded, data + 20 + old, rest);
    bytes_store_u32_le(m.data + 8, (uint32_t)m.size);
    bytes_store_u32_le(m.data + 12, (uint32_t)padded);
    for (size_t steps = bytes ? 1 + below(random, 6) : 0; steps > 0 && rest > 8; steps--)
        (void)mutate_bytes(m.data + 28 + padded, rest - 8, random);
    return m;
}

static bool is_glb(const uint8_t *data, size_t size)
{
    return size >= 28 && memcmp(data, "glTF", 4) == 0 && bytes_u32_le(data + 12) <= size - 28;
}

/// The JSON of a GLB or glTF; *out_size 0: there is none.
static const char *json_of(const uint8_t *data, size_t size, size_t *out_size)
{
    const bool glb = is_glb(data, size);
    *out_size = glb ? bytes_u32_le(data + 12) : size > 0 && data[0] == '{' ? size : 0;
    return (const char *)data + (glb ? 20 : 0);
}

static mutant mutate_glb(const uint8_t *data, size_t size, const char *lender, size_t lender_size,
                         uint64_t *random)
{
    const size_t choice = below(random, 8), json_size = bytes_u32_le(data + 12);
    if (choice == 0) { // headers, lengths, cuts
        mutant m = copy_of(data, size);
        const size_t boundary[] = {0, 4, 8, 12, 16, 20, 20 + json_size, 24 + json_size, size};
        const size_t at = boundary[below(random, sizeof boundary / sizeof *boundary)];
        if (m.data && at < size && below(random, 2))
            put_value(m.data + at, size - at, random);
        else if (m.data)
            m.size = at < size ? at + below(random, 3) : size - below(random, 3);
        m.size = m.size < size ? m.size : size;
        return m;
    }
    char *same = malloc(json_size + 1);
    char *changed =
        choice < 5 ? mutate_json((const char *)data + 20, json_size, lender, lender_size, random)
                   : NULL;
    if (same) {
        memcpy(same, data + 20, json_size);
        same[json_size] = 0;
    }
    mutant m = {NULL, 0};
    if (same)
        m = rebuild_glb(data, size, changed ? changed : same, choice >= 4, random);
    free(changed);
    free(same);
    return m;
}

static mutant mutate_text(const uint8_t *data, size_t size, uint64_t *random)
{
    static const char *const tokens[] = {"0",    "-1",         "1",   "4294967295", "1e39", "nan",
                                         "1e38", "2147483648", "***", "{",          "}",    "0.5"};
    mutant m = copy_of(data, size);
    for (size_t steps = 1 + below(random, 4); m.data && steps > 0; steps--) {
        size_t first = below(random, m.size), end;
        while (first > 0 && m.data[first - 1] > ' ')
            first--;
        for (end = first; end < m.size && m.data[end] > ' ';)
            end++;
        const size_t kind = below(random, 8);
        const char *token = kind < 5 ? tokens[below(random, sizeof tokens / sizeof *tokens)] : "";
        const size_t length = strlen(token);
        if (kind == 7) {
            m.size = mutate_bytes(m.data, m.size, random);
            continue;
        }
        uint8_t *grown = malloc(m.size + length + 1);
        if (!grown)
            break;
        memcpy(grown, m.data, first);
        memcpy(grown + first, token, length);
        memcpy(grown + first + length, m.data + end, m.size - end);
        free(m.data);
        m = (mutant){grown, m.size - (end - first) + length};
    }
    return m;
}

mutant mutate_model(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                    uint64_t *random)
{
    size_t lender_size = 0;
    const char *lender = other ? json_of(other, other_size, &lender_size) : NULL;
    if (is_glb(data, size))
        return mutate_glb(data, size, lender, lender_size, random);
    if (size > 0 && data[0] == '{') {
        char *changed = mutate_json((const char *)data, size, lender, lender_size, random);
        if (changed)
            return (mutant){(uint8_t *)changed, strlen(changed)};
    }
    return mutate_text(data, size, random);
}
