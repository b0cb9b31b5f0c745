// SPDX-License-Identifier: MIT
// See file_inputs.h. Files are known by their numbers: names and links do not matter.
#include "base/file_inputs.h"

#include "base/error.h"

#include <stdlib.h>
#include <sys/stat.h>

static file_input_list *list_of(budget *work)
{
    while (work && work->parent)
        work = work->parent;
    return work ? work->inputs : NULL;
}

/// Under the lock.
static bool is_known(const file_input_list *list, const struct stat *file)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->file[i].device == (uint64_t)file->st_dev &&
            list->file[i].number == (uint64_t)file->st_ino)
            return true;
    return false;
}

/// Under the lock.
static bool add(file_input_list *list, const struct stat *file)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 32;
        file_input *grown = realloc(list->file, capacity * sizeof *grown);
        if (!grown)
            return false;
        list->file = grown;
        list->capacity = capacity;
    }
    list->file[list->count++] = (file_input){(uint64_t)file->st_dev, (uint64_t)file->st_ino};
    return true;
}

zt_result file_input_add(budget *work, int descriptor, zt_error *err)
{
    struct stat file;
    file_input_list *list = list_of(work);
    if (!list || fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode))
        return ZT_OK;
    pthread_mutex_lock(&list->lock);
    const bool known = is_known(list, &file) || add(list, &file);
    pthread_mutex_unlock(&list->lock);
    return known ? ZT_OK : zt_fail(err, ZT_ERR_MEMORY, "no memory for the names of inputs");
}

bool file_is_input(budget *work, const char *path)
{
    struct stat file;
    file_input_list *list = list_of(work);
    if (!list || stat(path, &file) != 0)
        return false;
    pthread_mutex_lock(&list->lock);
    const bool known = is_known(list, &file);
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
