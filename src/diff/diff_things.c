// SPDX-License-Identifier: MIT
/// Pairs things by their keys, each step by sorting what has no pair yet, so that no file makes it
/// slow, and tells what differs.
#include "base/hash.h"
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
    ZT_TRY(ARENA_GROW(d->a, out->list, out->count, out->capacity, "changes", d->err));
    model_change *c = &out->list[out->count++];
    *c = (model_change){.kind = kind, .state = state, .worst_s = d->worst_s};
    ZT_TRY(ARENA_TEXT(d->a, &c->text, text, "changes", d->err));
    ZT_TRY(ARENA_TEXT(d->a, &c->name, name[0] ? name : "(no name)", "changes", d->err));
    d->text[0] = '\0';
    d->worst_s = (double)NAN;
    return ZT_OK;
}

bool diff_same_place(const differ *d, const affine *a, const affine *b)
{
    const dmat3 m = {dvec3_sub(a->m.x, b->m.x), dvec3_sub(a->m.y, b->m.y),
                     dvec3_sub(a->m.z, b->m.z)};
    return dmat3_square(&m) <= 1e-10 * dmat3_square(&a->m) &&
           dvec3_length(dvec3_sub(a->t, b->t)) <= 1e-6 * d->size + 1e-5 * dvec3_length(a->t);
}

zt_result diff_things_list(differ *d, diff_things *t, int side, uint32_t count, const void *names,
                           size_t stride)
{
    t->count[side] = count;
    ZT_TRY(ARENA_TAKE(d->a, &t->name[side], count, "pairs", d->err));
    ZT_TRY(ARENA_TAKE(d->a, &t->key[side], count, "pairs", d->err));
    ZT_TRY(ARENA_TAKE(d->a, &t->silent[side], count, "pairs", d->err));
    ZT_TRY(ARENA_TAKE_RAW(d->a, &t->partner[side], count, "pairs", d->err));
    for (uint32_t i = 0; i < count; i++) {
        const char *name = *(const char *const *)(const void *)((const char *)names + i * stride);
        t->name[side][i] = name ? name : "";
        t->key[side][i][KEY_NAME] = hash_text(HASH_START, t->name[side][i]);
        t->partner[side][i] = DIFF_NONE;
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

zt_result diff_things_pair(differ *d, diff_things *t)
{
    diff_key *keys[2];
    for (int side = 0; side < 2; side++)
        ZT_TRY(ARENA_TAKE_RAW(d->a, &keys[side], t->count[side], "pairs", d->err));
    for (int step = 0; step < (d->strict ? KEY_SHAPE : DIFF_KEYS); step++) {
        uint32_t count[2] = {0, 0};
        for (int side = 0; side < 2; side++) {
            for (uint32_t i = 0; i < t->count[side]; i++)
                if (t->partner[side][i] == DIFF_NONE && t->key[side][i][step] != 0)
                    keys[side][count[side]++] = (diff_key){t->key[side][i][step], i};
            qsort(keys[side], count[side], sizeof **keys, compare_keys);
        }
        for (uint32_t i = 0, k = 0; i < count[0] && k < count[1];) {
            const diff_key a = keys[0][i], b = keys[1][k];
            if (a.key == b.key) {
                t->partner[0][a.index] = b.index;
                t->partner[1][b.index] = a.index;
            }
            i += a.key <= b.key;
            k += b.key <= a.key;
        }
    }
    return ZT_OK;
}

static zt_result tell_alone(differ *d, const diff_things *t, int side, uint32_t i)
{
    const model_change_state state = side ? MODEL_NEW : MODEL_GONE;
    return t->silent[side][i] ? ZT_OK : diff_tell(d, t->kind, t->name[side][i], state);
}

zt_result diff_things_tell(differ *d, const diff_things *t,
                           zt_result (*compare)(differ *d, uint32_t a, uint32_t b))
{
    for (uint32_t b = 0; b < t->count[1]; b++) {
        const uint32_t a = t->partner[1][b];
        const char *name = t->name[1][b];
        if (a != DIFF_NONE && strcmp(t->name[0][a], name) != 0 && (name[0] || d->same_format))
            diff_say(d, "renamed from '%.100s'", t->name[0][a]);
        ZT_TRY(a == DIFF_NONE ? tell_alone(d, t, 1, b) : compare ? compare(d, a, b) : ZT_OK);
        ZT_TRY(diff_tell(d, t->kind, name, MODEL_CHANGED));
    }
    for (uint32_t a = 0; a < t->count[0]; a++)
        if (t->partner[0][a] == DIFF_NONE)
            ZT_TRY(tell_alone(d, t, 0, a));
    return ZT_OK;
}
