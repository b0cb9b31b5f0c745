// SPDX-License-Identifier: MIT
#include "document/name_index.h"

#include <stdlib.h>
#include <string.h>

bool name_index_init(name_index *index, arena *a, uint32_t capacity)
{
    *index = (name_index){.names = ARENA_ARRAY_RAW(a, indexed_name, capacity)};
    return index->names;
}

void name_index_add(name_index *index, const char *name, uint32_t number)
{
    if (name)
        index->names[index->count++] = (indexed_name){name, number};
}

static int by_name_and_number(const void *left, const void *right)
{
    const indexed_name *a = left, *b = right;
    const int order = strcmp(a->name, b->name);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

void name_index_sort(name_index *index)
{
    qsort(index->names, index->count, sizeof *index->names, by_name_and_number);
}

int32_t name_index_find(const name_index *index, const char *name)
{
    uint32_t first = 0, end = index->count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (strcmp(index->names[middle].name, name) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    const bool found = first < index->count && strcmp(index->names[first].name, name) == 0;
    return found ? (int32_t)index->names[first].number : -1;
}
