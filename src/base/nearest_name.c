// SPDX-License-Identifier: MIT
/// The edit distance with transpositions (restricted Damerau-Levenshtein), ignoring case.
#include "base/nearest_name.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { NAME_LIMIT = 63 }; // longer words are compared by their first 63 bytes

static uint32_t min_of(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t edit_distance(const char *a, const char *b)
{
    const size_t a_length = strlen(a) < NAME_LIMIT ? strlen(a) : NAME_LIMIT;
    const size_t b_length = strlen(b) < NAME_LIMIT ? strlen(b) : NAME_LIMIT;
    uint32_t rows[3][NAME_LIMIT + 1]; // the last two rows of the table and the current one
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (uint32_t)j;
    for (size_t i = 1; i <= a_length; i++) {
        uint32_t *row = rows[i % 3];
        const uint32_t *above = rows[(i + 2) % 3];
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= b_length; j++) {
            const bool same = ascii_lower(a[i - 1]) == ascii_lower(b[j - 1]);
            row[j] = min_of(min_of(above[j], row[j - 1]) + 1, above[j - 1] + (same ? 0 : 1));
            if (i > 1 && j > 1 && ascii_lower(a[i - 1]) == ascii_lower(b[j - 2]) &&
                ascii_lower(a[i - 2]) == ascii_lower(b[j - 1]))
                row[j] = min_of(row[j], rows[(i + 1) % 3][j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

/// A third of the letters may be wrong, and at least one: a name that shares less is another word.
static uint32_t distance_limit(const char *word, const char *name)
{
    const size_t length = strlen(word) < strlen(name) ? strlen(word) : strlen(name);
    return length < 6 ? 1 : min_of((uint32_t)length, NAME_LIMIT) / 3;
}

static bool begins_with(const char *name, const char *word)
{
    while (*word && ascii_lower(*word) == ascii_lower(*name)) {
        word++;
        name++;
    }
    return *word == 0;
}

/// The only name that begins with `word`, which has three letters or more.
static const char *completion(const char *word, const char *const *names, size_t count)
{
    const char *found = NULL;
    if (strlen(word) < 3)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (!begins_with(names[i], word))
            continue;
        if (found)
            return NULL;
        found = names[i];
    }
    return found;
}

const char *nearest_name(const char *word, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    uint32_t best = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        const uint32_t distance = edit_distance(word, names[i]);
        if (distance < best && distance <= distance_limit(word, names[i]) &&
            distance < strlen(names[i])) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest ? nearest : completion(word, names, count);
}

name_hint nearest_hint(const char *nearest)
{
    name_hint hint = {""};
    if (nearest)
        snprintf(hint.text, sizeof hint.text, "; did you mean '%.70s'?", nearest);
    return hint;
}

void name_list_add(name_list *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->name[i], name) == 0)
            return;
    if (!*name)
        return;
    list->total += list->total <= NAME_LIST_LIMIT;
    const uint32_t distance = edit_distance(list->word, name);
    uint32_t at = list->count;
    while (at > 0 && list->distance[at - 1] > distance)
        at--;
    if (at == NAME_LIST_LIMIT)
        return;
    list->count += list->count < NAME_LIST_LIMIT;
    for (uint32_t i = list->count - 1; i > at; i--) {
        list->name[i] = list->name[i - 1];
        list->distance[i] = list->distance[i - 1];
    }
    list->name[at] = name;
    list->distance[at] = distance;
}

void name_list_hint(const name_list *list, const char *none, char *out, size_t size)
{
    const char *nearest = nearest_name(list->word, list->name, list->count);
    size_t used = 0;
    if (list->count == 0)
        snprintf(out, size, "%s", none);
    else if (nearest)
        used = (size_t)snprintf(out, size, "did you mean '%.60s'?%s", nearest,
                                list->total > 1 ? " There are " : "");
    else
        used = (size_t)snprintf(out, size, "expected one of ");
    if (nearest && list->total == 1)
        return;
    for (uint32_t i = 0; i < list->count && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%.40s", i ? ", " : "", list->name[i]);
    if (list->total > list->count && used < size)
        snprintf(out + used, size - used, ", ...");
}
