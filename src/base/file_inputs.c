// SPDX-License-Identifier: MIT
// See file_inputs.h. Files are known by their numbers: names and links do not matter.
#define _XOPEN_SOURCE 700 // st_mtim, strdup
#include "base/file_inputs.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { TICK_NS = 20000000 }; ///< at least that of any Linux

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

static int64_t ns_of(struct timespec time)
{
    return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_nsec;
}

static file_stamp stamp_of(const struct stat *file)
{
    return (file_stamp){.file = {(uint64_t)file->st_dev, (uint64_t)file->st_ino},
                        .size = (int64_t)file->st_size,
                        .modified_ns = ns_of(file->st_mtim),
                        .changed_ns = ns_of(file->st_ctim)};
}

/// Under the lock.
static void watch(file_input_list *list, const struct stat *file, const char *path)
{
    file_stamp stamp = stamp_of(file);
    file_stamp *grown = realloc(list->watched, (list->watched_count + 1) * sizeof *list->watched);
    list->watched = grown ? grown : list->watched;
    stamp.path = strdup(path);
    // Within a tick of the file system's clock a second change would not be seen.
    list->lost |= !grown || !stamp.path || stamp.modified_ns > list->watch_ns - TICK_NS ||
                  stamp.changed_ns > list->watch_ns - TICK_NS;
    if (grown && stamp.path)
        list->watched[list->watched_count++] = stamp;
    else
        free(stamp.path);
}

zt_result file_input_add(budget *work, int descriptor, const char *path, zt_error *err)
{
    struct stat file;
    file_input_list *list = list_of(work);
    if (!list || fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode))
        return ZT_OK;
    pthread_mutex_lock(&list->lock);
    const bool known = add(list, (file_input){(uint64_t)file.st_dev, (uint64_t)file.st_ino});
    if (list->watches)
        watch(list, &file, path);
    pthread_mutex_unlock(&list->lock);
    return known ? ZT_OK : zt_fail(err, ZT_ERR_MEMORY, "no memory for the names of inputs");
}

void file_inputs_clear(zt_budget *whole)
{
    file_input_list *list = &whole->inputs;
    if (list->file)
        memset(list->file, 0, list->capacity * sizeof *list->file);
    list->count = 0;
    list->record_count = 0;
}

void file_inputs_watch(zt_budget *whole, bool on)
{
    struct timespec now = {0};
    file_input_list *list = &whole->inputs;
    for (size_t i = 0; i < list->watched_count; i++)
        free(list->watched[i].path);
    free(list->watched);
    list->watched = NULL;
    list->watched_count = 0;
    list->watches = on;
    list->lost = clock_gettime(CLOCK_REALTIME, &now) != 0;
    list->watch_ns = ns_of(now);
}

bool file_inputs_unchanged(zt_budget *whole)
{
    file_input_list *list = &whole->inputs;
    bool same = !list->lost;
    for (size_t i = 0; i < list->watched_count && same; i++) {
        struct stat status;
        const file_stamp *was = &list->watched[i];
        same = stat(was->path, &status) == 0 && S_ISREG(status.st_mode);
        const file_stamp is = same ? stamp_of(&status) : *was;
        same = same && is.file.device == was->file.device && is.file.number == was->file.number &&
               is.size == was->size && is.modified_ns == was->modified_ns &&
               is.changed_ns == was->changed_ns && add(list, is.file);
    }
    return same;
}

void file_inputs_supply(zt_budget *whole, zt_open_fn open, void *user)
{
    whole->inputs.open = open;
    whole->inputs.open_user = user;
}

bool file_input_supplied(budget *work, const char *path, const void **out_bytes, size_t *out_size)
{
    const file_input_list *list = list_of(work);
    return list && list->open && list->open(list->open_user, path, out_bytes, out_size);
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
