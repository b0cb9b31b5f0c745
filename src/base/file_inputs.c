// SPDX-License-Identifier: MIT
// See file_inputs.h. Files are known by their numbers: names and links do not matter.
#include "base/file_inputs.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static file_input_list *list_of(budget *work)
{
    while (work && work->parent)
        work = work->parent;
    return work ? work->inputs : NULL;
}

/// The slot of a file, or the free one where it belongs; NULL: there are no slots. Under the lock.
static file_input *slot_of(const file_input_list *list, file_input file)
{
    const uint64_t hash = hash_number(file.number, (uint32_t)file.device);
    for (size_t i = 0; i < list->capacity; i++) {
        file_input *slot = &list->file[(hash + i) & (list->capacity - 1)];
        const bool is_free = slot->number == 0 && slot->device == 0;
        if (is_free || (slot->number == file.number && slot->device == file.device))
            return slot;
    }
    return NULL;
}

/// Doubles the slots, a power of two of them, at most half of which are taken. Under the lock.
static bool grow(file_input_list *list)
{
    const file_input_list old = *list;
    const size_t capacity = old.capacity ? 2 * old.capacity : 64;
    file_input *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    list->file = slots;
    list->capacity = capacity;
    for (size_t i = 0; i < old.capacity; i++)
        if (old.file[i].number != 0 || old.file[i].device != 0)
            *slot_of(list, old.file[i]) = old.file[i];
    free(old.file);
    return true;
}

/// Under the lock.
static bool is_known(const file_input_list *list, file_input file)
{
    const file_input *slot = slot_of(list, file);
    return slot && slot->number == file.number && slot->device == file.device;
}

/// Under the lock.
static bool add(file_input_list *list, file_input file)
{
    if (is_known(list, file))
        return true;
    if (2 * list->count >= list->capacity && !grow(list))
        return false;
    *slot_of(list, file) = file;
    list->count++;
    return true;
}

zt_result file_input_add(budget *work, int descriptor, zt_error *err)
{
    struct stat file;
    file_input_list *list = list_of(work);
    if (!list || fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode))
        return ZT_OK;
    pthread_mutex_lock(&list->lock);
    const bool known = add(list, (file_input){(uint64_t)file.st_dev, (uint64_t)file.st_ino});
    pthread_mutex_unlock(&list->lock);
    return known ? ZT_OK : zt_fail(err, ZT_ERR_MEMORY, "no memory for the names of inputs");
}

zt_result file_inputs_record(zt_budget *whole, zt_error *err)
{
    file_input_list *list = &whole->inputs;
    list->record_count = 0;
    if (!list->record)
        list->record = malloc(FILE_RECORDS_MAX * sizeof *list->record);
    return list->record ? ZT_OK : zt_fail(err, ZT_ERR_MEMORY, "no memory for the names of inputs");
}

void file_input_note(budget *work, const char *path, const void *bytes, size_t size)
{
    file_record made = {.size = size};
    file_input_list *list = list_of(work);
    if (!list || !list->record)
        return;
    made.hash = hash_bytes(HASH_START, bytes, size);
    pthread_mutex_lock(&list->lock);
    if (list->record_count == 0)
        snprintf(list->root, sizeof list->root, "%.*s", (int)path_folder_length(path), path);
    const size_t root = strlen(list->root);
    const bool below = strncmp(path, list->root, root) == 0 && root != 1 && path[root] != '/' &&
                       !strstr(path + root, "..") && strlen(path + root) < sizeof made.name;
    snprintf(made.name, sizeof made.name, "%s", below ? path + root : path_name(path));
    uint32_t at = list->record_count < FILE_RECORDS_MAX ? list->record_count++ : 0;
    for (; at > 1 && memcmp(&made, &list->record[at - 1], sizeof made) < 0; at--)
        list->record[at] = list->record[at - 1];
    if (at > 0 || list->record_count == 1)
        list->record[at] = made;
    pthread_mutex_unlock(&list->lock);
}

bool file_is_input(budget *work, const char *path)
{
    struct stat file;
    file_input_list *list = list_of(work);
    if (!list || stat(path, &file) != 0)
        return false;
    pthread_mutex_lock(&list->lock);
    const bool known = is_known(list, (file_input){(uint64_t)file.st_dev, (uint64_t)file.st_ino});
    pthread_mutex_unlock(&list->lock);
    return known;
}

zt_result file_input_check(budget *work, const char *path, zt_error *err)
{
    if (!file_is_input(work, path))
        return ZT_OK;
    return zt_fail(err, ZT_ERR_OUTPUT,
                   "%s: was read as an input and is not replaced (expected another name)", path);
}
