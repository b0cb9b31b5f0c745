// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "suite/suite.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = 256, SIDE_MAX = 16384, HASH_DIGITS = 16 };

/// Cuts `HASH WxH NAME` into the members of `out`. NULL: it is no such line; else the name.
static const char *parse_line(const char *line, suite_shot *out)
{
    char *end;
    if (strspn(line, "0123456789abcdef") != HASH_DIGITS || line[HASH_DIGITS] != ' ')
        return NULL;
    out->hash = strtoull(line, NULL, 16);
    const long width = strtol(line + HASH_DIGITS + 1, &end, 10);
    const long height = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (width < 1 || width > SIDE_MAX || height < 1 || height > SIDE_MAX || *end != ' ' || !end[1])
        return NULL;
    out->width = (int32_t)width;
    out->height = (int32_t)height;
    return end + 1;
}

static zt_result read_line(suite *s, const char *line, uint32_t number, zt_error *err)
{
    suite_shot told;
    const char *name = parse_line(line, &told);
    if (!name)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%u: '%.60s' (expected %s)", s->hashes, number, line,
                       strncmp(line, "<<<<<<<", 7) == 0
                           ? "one side of the merge conflict"
                           : "a pixel hash of 16 digits, WxH and the name of a shot");
    const int64_t at = suite_find(s, name);
    if (at < 0)
        return ZT_OK; // of a shot that went
    suite_shot *shot = &s->shots[at];
    if (shot->has_hash)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%u: '%.80s' is there twice (expected one line)",
                       s->hashes, number, name);
    shot->has_hash = true;
    shot->hash = told.hash;
    shot->width = told.width;
    shot->height = told.height;
    return ZT_OK;
}

zt_result suite_hashes_read(suite *s, arena *scratch, zt_error *err)
{
    file_bytes bytes;
    if (!s->hashes || (access(s->hashes, F_OK) != 0 && errno == ENOENT))
        return ZT_OK;
    ZT_TRY(file_read_below(NULL, scratch, s->hashes, s->root_length, &bytes, err));
    char *line = arena_text(scratch, (const char *)bytes.data, bytes.size);
    if (!line)
        return arena_fail(scratch, err, "a list of hashes");
    for (uint32_t number = 1; *line; number++) {
        const size_t length = strcspn(line, "\r\n");
        char *next = line + length + strspn(line + length, "\r");
        next += *next == '\n';
        line[length] = 0;
        if (length > 0)
            ZT_TRY(read_line(s, line, number, err));
        line = next;
    }
    return ZT_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const suite_shot *const *)a)->name, (*(const suite_shot *const *)b)->name);
}

zt_result suite_hashes_write(suite *s, const uint32_t *selected, const comparison_list *results,
                             arena *scratch, zt_error *err)
{
    size_t count = 0, size = 0;
    const suite_shot **sorted = ARENA_ARRAY(scratch, const suite_shot *, s->shot_count);
    for (size_t i = 0; i < results->count; i++) {
        const comparison *c = &results->items[i];
        suite_shot *shot = &s->shots[selected[i]];
        if (c->picture_width == 0)
            continue; // it could not be rendered
        shot->has_hash = true;
        shot->hash = c->picture_hash;
        shot->width = c->picture_width;
        shot->height = c->picture_height;
    }
    for (uint32_t i = 0; i < s->shot_count && sorted; i++)
        if (s->shots[i].has_hash)
            sorted[count++] = &s->shots[i];
    char *text = sorted ? ARENA_ARRAY(scratch, char, count *LINE_SIZE + 1) : NULL;
    if (!text)
        return arena_fail(scratch, err, "a list of hashes");
    qsort(sorted, count, sizeof(const suite_shot *), compare_names);
    for (size_t i = 0; i < count; i++) {
        const suite_shot *shot = sorted[i];
        size += (size_t)snprintf(text + size, LINE_SIZE, "%016" PRIx64 " %dx%d %s\n", shot->hash,
                                 shot->width, shot->height, shot->name);
    }
    return file_save(s->hashes, s->root_length, (file_bytes){(const uint8_t *)text, size}, false,
                     NULL, err);
}
