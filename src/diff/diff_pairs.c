// SPDX-License-Identifier: MIT
/// Pairs things by their keys, each step by sorting what has no pair yet, so that no file makes it
/// slow, and tells what differs.
#include "base/hash.h"
#include "base/maths.h"
#include "diff/diff_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void diff_say(differ *d, const char *format, ...)
{
    const size_t length = strlen(d->text), gap = length > 0 ? 2 : 0;
    va_list arguments;
    va_start(arguments, format);
    if (length + 64 < sizeof d->text) {
        memcpy(d->text + length, "; ", gap);
        (void)vsnprintf(d->text + length + gap, sizeof d->text - length - gap, format, arguments);
    }
    va_end(arguments);
}

zt_result diff_tell(differ *d, const char *kind, const char *name, model_change_state state)
{
    static const char *const alone[] = {NULL, "only in the new model", "only in the old model"};
    model_changes *out = d->out;
    const char *text = state == MODEL_CHANGED ? d->text : alone[state];
    if (!text[0] || out->count == MODEL_CHANGES_MAX)
        return ZT_OK;
    if (out->count == MODEL_CHANGES_MAX - 1)
        text = "this and more changes are not listed";
    ZT_TRY(ARENA_GROW(d->a, out->list, out->count, out->capacity, "changes", d->err));
    model_change *c = &out->list[out->count++];
    *c = (model_change){.kind = kind, .state = state, .worst_s = d->worst_s};
    ZT_TRY(ARENA_TEXT(d->a, &c->text, text, "changes", d->err));
    ZT_TRY(ARENA_TEXT(d->a, &c->name, name[0] ? name : "(no name)", "changes", d->err));
    d->text[0] = '\0';
    d->worst_s = (double)NAN;
    return ZT_OK;
}

double diff_distance(const differ *d, const affine *a, const affine *b)
{
    const dmat3 m = {dvec3_sub(a->m.x, b->m.x), dvec3_sub(a->m.y, b->m.y),
                     dvec3_sub(a->m.z, b->m.z)};
    const double turned = sqrt(dmat3_square(&m) / maths_max(dmat3_square(&a->m), 1e-300));
    const double moved = dvec3_length(dvec3_sub(a->t, b->t));
    return maths_max(turned, moved / (0.1 * d->size + dvec3_length(a->t)));
}

zt_result diff_list(differ *d, diff_things *t, int side, uint32_t count, const void *first,
                    size_t size)
{
    t->count[side] = count;
    ZT_TRY(ARENA_TAKE(d->a, &t->list[side], count, "pairs", d->err));
    for (uint32_t i = 0; i < count; i++) {
        diff_thing *thing = &t->list[side][i];
        memcpy(&thing->name, (const char *)first + i * size, sizeof thing->name);
        thing->name = thing->name ? thing->name : "";
        thing->key[KEY_NAME] = hash_text(HASH_START, thing->name);
        thing->partner = DIFF_NONE;
    }
    return ZT_OK;
}

typedef struct diff_key {
    uint64_t key;
    uint32_t index;
} diff_key;

static int compare_keys(const void *a, const void *b)
{
    const diff_key *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->index > y->index) - (x->index < y->index);
}

zt_result diff_pair(differ *d, diff_things *t)
{
    diff_key *keys[2];
    for (int side = 0; side < 2; side++)
        ZT_TRY(ARENA_TAKE_RAW(&d->scratch, &keys[side], t->count[side], "pairs", d->err));
    for (int step = 0; step < (d->strict ? KEY_SHAPE : DIFF_KEYS); step++) {
        uint32_t count[2] = {0, 0};
        for (int side = 0; side < 2; side++) {
            for (uint32_t i = 0; i < t->count[side]; i++)
                if (t->list[side][i].partner == DIFF_NONE && t->list[side][i].key[step] != 0)
                    keys[side][count[side]++] = (diff_key){t->list[side][i].key[step], i};
            qsort(keys[side], count[side], sizeof **keys, compare_keys);
        }
        for (uint32_t i = 0, k = 0; i < count[0] && k < count[1];) {
            const diff_key a = keys[0][i], b = keys[1][k];
            if (a.key == b.key) {
                t->list[0][a.index].partner = b.index;
                t->list[1][b.index].partner = a.index;
            }
            i += a.key <= b.key;
            k += b.key <= a.key;
        }
    }
    return ZT_OK;
}

zt_result diff_tell_all(differ *d, const diff_things *t, const char *kind,
                        zt_result (*compare)(differ *d, uint32_t a, uint32_t b))
{
    for (int side = 1; side >= 0; side--)
        for (uint32_t i = 0; i < t->count[side]; i++) {
            const diff_thing *thing = &t->list[side][i];
            const bool alone = thing->partner == DIFF_NONE;
            if (alone ? thing->silent : side == 0)
                continue;
            const char *before = alone ? thing->name : t->list[0][thing->partner].name;
            if (strcmp(before, thing->name) != 0 && (thing->name[0] || d->same_format))
                diff_say(d, "renamed from '%.100s'", before);
            if (!alone && compare)
                ZT_TRY(compare(d, thing->partner, i));
            ZT_TRY(diff_tell(d, kind, thing->name,
                             !alone ? MODEL_CHANGED
                             : side ? MODEL_NEW
                                    : MODEL_GONE));
        }
    return ZT_OK;
}
