// SPDX-License-Identifier: MIT
/// Parses frame lists and frame rates.
#include "scene/frame_list.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

typedef struct frame_range {
    int64_t first, last, step;
} frame_range;

typedef struct frame_text {
    const char *text, *at, *end;
    zt_error *err;
} frame_text;

static zt_result fail_here(const frame_text *t, const char *what)
{
    return zt_fail(t->err, ZT_ERR_ARGUMENT,
                   "frames '%s': column %zu: %s (expected a list like 12, 1-10, -5..5, 1-100x5 or "
                   "1,3,7-9)",
                   t->text, (size_t)(t->at - t->text) + 1, what);
}

static zt_result read_integer(frame_text *t, const char *what, int64_t *out)
{
    const char *after = *t->at == '+' ? NULL : number_parse_int64(t->at, t->end, out);
    if (!after)
        return fail_here(t, what);
    if (*out < -FRAME_NUMBER_LIMIT || *out > FRAME_NUMBER_LIMIT)
        return fail_here(t, "a frame number beyond 1000000000");
    t->at = after;
    return ZT_OK;
}

static void skip_spaces(frame_text *t)
{
    while (*t->at == ' ' || *t->at == '\t')
        t->at++;
}

static zt_result read_range(frame_text *t, frame_range *out)
{
    skip_spaces(t);
    const bool negative = *t->at == '-';
    ZT_TRY(read_integer(t, "no frame number", &out->first));
    out->last = out->first;
    out->step = 1;
    const bool dots = t->at[0] == '.' && t->at[1] == '.';
    if (dots || *t->at == '-') {
        if (!dots && negative)
            return fail_here(t, "a range from a negative frame is written with two dots: -5..5");
        t->at += dots ? 2 : 1;
        if (!dots && *t->at == '-')
            return fail_here(t, "a range to a negative frame is written with two dots: -5..-1");
        ZT_TRY(read_integer(t, "no last frame", &out->last));
        if (out->last < out->first)
            return fail_here(t, "a range that ends before it starts");
    }
    if (*t->at == 'x') {
        t->at++;
        ZT_TRY(read_integer(t, "no step", &out->step));
        if (out->step < 1)
            return fail_here(t, "a step below 1");
    }
    skip_spaces(t);
    return ZT_OK;
}

static int compare_frames(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/// Clips a range to [low, high], on its own steps. False when nothing is left.
static bool clip_range(frame_range *range, int64_t low, int64_t high)
{
    if (range->first < low) {
        const int64_t steps = (low - range->first + range->step - 1) / range->step;
        range->first += steps * range->step;
    }
    if (range->last > high)
        range->last = high;
    return range->first <= range->last;
}

static zt_result expand(arena *a, const char *text, int64_t low, int64_t high, scene_frames *out,
                        zt_error *err)
{
    frame_text t = {.text = text, .at = text, .end = text + strlen(text), .err = err};
    uint64_t count = 0;
    // The first pass counts, the second fills: frames outside the shot take no memory.
    int64_t *frames = NULL;
    for (int pass = 0; pass < 2; pass++) {
        uint64_t used = 0;
        t.at = text;
        for (;;) {
            frame_range range;
            ZT_TRY(read_range(&t, &range));
            if (clip_range(&range, low, high)) {
                if (pass == 0)
                    used += (uint64_t)((range.last - range.first) / range.step) + 1;
                else
                    for (int64_t f = range.first; f <= range.last; f += range.step)
                        frames[used++] = f;
            }
            if (used > (uint64_t)a->budget->limits->frames)
                return zt_fail(err, ZT_ERR_LIMIT, "frames '%s': more than %d frames", text,
                               a->budget->limits->frames);
            if (*t.at == 0)
                break;
            if (*t.at != ',')
                return fail_here(&t, "an unexpected character");
            t.at++;
        }
        count = used;
        if (pass == 0 && !(frames = ARENA_ARRAY(a, int64_t, (size_t)count)))
            return arena_fail(a, err, "frame list");
    }
    // qsort() is not stable, but equal frames are the same.
    qsort(frames, (size_t)count, sizeof *frames, compare_frames);
    int64_t unique = 0;
    for (uint64_t i = 0; i < count; i++)
        if (i == 0 || frames[i] != frames[unique - 1])
            frames[unique++] = frames[i];
    *out = (scene_frames){.count = unique, .frame = frames};
    return ZT_OK;
}

zt_result scene_parse_frames(arena *a, const char *text, scene_frames *out, zt_error *err)
{
    return expand(a, text, -FRAME_NUMBER_LIMIT, FRAME_NUMBER_LIMIT, out, err);
}

zt_result frame_list_range(arena *a, int64_t first, int64_t count, scene_frames *out, zt_error *err)
{
    if (count < 1 || count > a->budget->limits->frames)
        return zt_fail(err, ZT_ERR_LIMIT, "a shot of %lld frames (1 to %d)", (long long)count,
                       a->budget->limits->frames);
    int64_t *frames;
    ZT_TRY(ARENA_TAKE(a, &frames, (size_t)count, "frame list", err));
    for (int64_t i = 0; i < count; i++)
        frames[i] = first + i;
    *out = (scene_frames){.count = count, .frame = frames};
    return ZT_OK;
}

/// The number of frames that the text names, in the shot or not, with duplicates.
static uint64_t count_named(const char *text)
{
    frame_text t = {.text = text, .at = text, .end = text + strlen(text), .err = NULL};
    uint64_t named = 0;
    frame_range range;
    while (read_range(&t, &range) == ZT_OK) {
        named += (uint64_t)((range.last - range.first) / range.step) + 1;
        if (*t.at != ',')
            break;
        t.at++;
    }
    return named;
}

zt_result frame_list_select(arena *a, const char *text, const scene_frames *shot, scene_frames *out,
                            bool *out_clamped, zt_error *err)
{
    const int64_t low = shot->frame[0], high = shot->frame[shot->count - 1];
    scene_frames named;
    ZT_TRY(expand(a, text, low, high, &named, err));
    int64_t *frames;
    ZT_TRY(ARENA_TAKE(a, &frames, (size_t)named.count, "frame list", err));
    int64_t used = 0;
    for (int64_t i = 0, k = 0; i < named.count; i++) {
        while (shot->frame[k] < named.frame[i])
            k++;
        if (shot->frame[k] == named.frame[i])
            frames[used++] = named.frame[i];
    }
    if (used == 0)
        return zt_fail(err, ZT_ERR_ARGUMENT, "frames '%s': none is in the shot (%lld..%lld)", text,
                       (long long)low, (long long)high);
    scene_frames all = {0};
    *out_clamped = used < named.count;
    if (!*out_clamped && count_named(text) != (uint64_t)used)
        *out_clamped =
            expand(a, text, -FRAME_NUMBER_LIMIT, FRAME_NUMBER_LIMIT, &all, NULL) != ZT_OK ||
            all.count != used;
    *out = (scene_frames){.count = used, .frame = frames};
    return ZT_OK;
}
