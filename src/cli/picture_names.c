// SPDX-License-Identifier: MIT
// Reading folders recursively.
#define _DEFAULT_SOURCE // lstat
#include "cli/picture_names.h"

#include "cli/option_value.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096, NAMES_MAX = 1000000, DEPTH_MAX = 32 };

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_finish(name_list *list, zt_budget *budget)
{
    zt_budget_give(budget, list->charged);
    for (size_t i = 0; i < list->count; i++)
        free(list->name[i]);
    free(list->name);
    *list = (name_list){0};
}

/// Counts `bytes` for the list, and as many again for what the allocator adds to a name.
static bool names_charge(name_list *list, zt_budget *budget, size_t bytes)
{
    const uint64_t charge = 2 * (uint64_t)bytes;
    if (!zt_budget_take(budget, charge))
        return false;
    list->charged += charge;
    return true;
}

static zt_result names_add(name_list *out, zt_budget *budget, const char *name)
{
    if (out->count == NAMES_MAX || !names_charge(out, budget, strlen(name) + 1 + sizeof(char *)))
        return ZT_ERR_LIMIT;
    if (out->count == out->capacity) {
        out->capacity = out->capacity ? out->capacity * 2 : 64;
        char **grown = realloc(out->name, out->capacity * sizeof *grown);
        if (!grown)
            return ZT_ERR_MEMORY;
        out->name = grown;
    }
    char *copy = strdup(name);
    if (!copy)
        return ZT_ERR_MEMORY;
    out->name[out->count++] = copy;
    return ZT_OK;
}

/// Adds the names in ROOT/BELOW; `below` is "" or ends with a slash.
static zt_result read_folder(const char *root, const char *below, int depth, zt_budget *budget,
                             name_list *out, zt_error *err)
{
    char path[PATH_SIZE], name[PATH_SIZE];
    struct stat status;
    snprintf(path, sizeof path, "%s%s%s", root, below[0] ? "/" : "", below);
    DIR *directory = opendir(path);
    if (!directory) {
        if (errno == ENOMEM)
            return ZT_ERR_MEMORY;
        snprintf(err->message, sizeof err->message, "%.400s: %s (expected a folder)", path,
                 strerror(errno));
        return ZT_ERR_INPUT;
    }
    zt_result result = ZT_OK;
    for (struct dirent *entry; result == ZT_OK && (entry = readdir(directory)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            snprintf(name, sizeof name, "%s%s", below, entry->d_name) >= (int)sizeof name - 2 ||
            snprintf(path, sizeof path, "%s/%s", root, name) >= (int)sizeof path ||
            lstat(path, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode) && depth < DEPTH_MAX) {
            strcat(name, "/");
            result = read_folder(root, name, depth + 1, budget, out, err);
        } else if (!S_ISDIR(status.st_mode) && has_suffix(entry->d_name, ".png")) {
            result = names_add(out, budget, name);
        }
    }
    closedir(directory);
    return result;
}

zt_result names_read(const char *folder, zt_budget *budget, name_list *out, zt_error *err)
{
    *out = (name_list){0};
    const zt_result result = read_folder(folder, "", 0, budget, out, err);
    if (result == ZT_ERR_LIMIT || result == ZT_ERR_MEMORY)
        snprintf(err->message, sizeof err->message, "%.400s: %s for its names", folder,
                 result == ZT_ERR_LIMIT ? "the memory limit does not suffice" : "no memory");
    else if (out->count > 0)
        qsort(out->name, out->count, sizeof *out->name, compare_names); // names are unique
    return result;
}
