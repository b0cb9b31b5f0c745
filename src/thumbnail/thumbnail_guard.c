// SPDX-License-Identifier: MIT
/// Pictures that would replace a model, whatever its name is; see thumbnail_list_guard().
#define _XOPEN_SOURCE 700 // dev_t
#include "thumbnail/thumbnail_list.h"

#include <stdlib.h>
#include <sys/stat.h>

/// The identity of a file, by whichever name.
typedef struct file_identity {
    dev_t device;
    ino_t inode;
} file_identity;

static bool identify(const char *path, file_identity *out)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    *out = (file_identity){status.st_dev, status.st_ino};
    return true;
}

static int compare_identities(const void *a, const void *b)
{
    const file_identity *one = a, *other = b;
    if (one->device != other->device)
        return one->device < other->device ? -1 : 1;
    return one->inode < other->inode ? -1 : one->inode > other->inode;
}

static bool is_cancelled(const thumbnail_list *list)
{
    return list->cancel && list->cancel->asked(list->cancel->user);
}

/// All models that are there, sorted, into `models`; *out_count of them.
static zt_result identify_models(const thumbnail_list *list, file_identity *models,
                                 size_t *out_count, zt_error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        count += identify(list->items[i].path, &models[count]);
        if (is_cancelled(list))
            return zt_fail(err, ZT_ERR_CANCELLED, "cancelled");
    }
    qsort(models, count, sizeof *models, compare_identities);
    *out_count = count;
    return ZT_OK;
}

static zt_result mark_items(thumbnail_list *list, const file_identity *models, size_t count,
                            zt_error *err)
{
    file_identity picture;
    for (size_t i = 0; i < list->count; i++) {
        thumbnail_item *item = &list->items[i];
        if (item->name && !item->dropped && !item->fault && identify(item->name, &picture) &&
            bsearch(&picture, models, count, sizeof picture, compare_identities))
            item->fault = "its picture would replace a model (expected another --outdir or --name)";
        if (is_cancelled(list))
            return zt_fail(err, ZT_ERR_CANCELLED, "cancelled");
    }
    return ZT_OK;
}

zt_result thumbnail_list_guard(thumbnail_list *list, zt_error *err)
{
    const uint64_t bytes = (uint64_t)list->count * sizeof(file_identity);
    size_t count = 0;
    if (list->count == 0)
        return ZT_OK;
    if (!zt_budget_take(list->budget, bytes))
        return zt_fail(err, ZT_ERR_LIMIT, "the list of models does not fit into the memory limit");
    file_identity *models = malloc((size_t)bytes);
    zt_result result = models ? identify_models(list, models, &count, err)
                              : zt_fail(err, ZT_ERR_MEMORY, "no memory for the list of models");
    if (result == ZT_OK && count > 0)
        result = mark_items(list, models, count, err);
    free(models);
    zt_budget_give(list->budget, bytes);
    return result;
}
