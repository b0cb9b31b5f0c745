// SPDX-License-Identifier: MIT
// Reading folders recursively.
#define _DEFAULT_SOURCE // lstat
#include "cli/picture_names.h"

#include "base/file.h"
#include "base/picture_kind.h"
#include "cli/interrupt.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_finish(name_list *list, zt_budget *memory)
{
    zt_budget_give(memory, list->charged);
    for (size_t i = 0; i < list->count; i++)
        free(list->name[i]);
    free(list->name);
    *list = (name_list){0};
}

/// Counts `bytes` for the list, and as many again for what the allocator adds to a name.
static bool names_charge(name_list *list, zt_budget *memory, size_t bytes)
{
    const uint64_t charge = 2 * (uint64_t)bytes;
    if (!zt_budget_take(memory, charge))
        return false;
    list->charged += charge;
    return true;
}

static zt_result names_add(name_list *out, zt_budget *memory, const char *name)
{
    if (!names_charge(out, memory, strlen(name) + 1 + sizeof(char *)))
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

/// The state of a walk through a tree of folders.
typedef struct tree {
    const char *root;
    zt_budget *budget;
    name_list *out;
    zt_error *err;
    void (*visit)(void *user, const char *path); ///< gets paths in place of names in `out`
    void *user;
    const bool *done; ///< not NULL: `visit` gets all files until it is true; else links to pictures
} tree;

static zt_result read_folder(const tree *t, const char *below, int depth);

/// A file that is listed or visited; `link`: it is a link.
static zt_result add_picture(const tree *t, const char *name, const char *path, bool link)
{
    if (!t->visit)
        return names_add(t->out, t->budget, name);
    if (t->done || (link && file_is_regular(path)))
        t->visit(t->user, path);
    return ZT_OK;
}

/// One entry of ROOT/BELOW. One that cannot be looked at is a fault: it may be a picture.
static zt_result read_entry(const tree *t, const char *below, const char *entry, int depth)
{
    char path[PATH_SIZE], name[PATH_SIZE];
    struct stat status;
    if (snprintf(name, sizeof name, "%s%s", below, entry) >= (int)sizeof name - 1 ||
        snprintf(path, sizeof path, "%s/%s", t->root, name) >= (int)sizeof path)
        return zt_fail(t->err, ZT_ERR_INPUT,
                       "%.400s: a path in it is too long (expected below 4096)", t->root);
    if (lstat(path, &status) != 0)
        return errno == ENOENT ? ZT_OK
                               : zt_fail(t->err, ZT_ERR_INPUT, "%.400s: %s", path, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return t->done || picture_kind_named(entry)
                   ? add_picture(t, name, path, S_ISLNK(status.st_mode))
                   : ZT_OK;
    if (depth == NAMES_DEPTH_MAX)
        return zt_fail(t->err, ZT_ERR_LIMIT, "%.400s: folders in folders (expected at most 32)",
                       path);
    strcat(name, "/");
    return read_folder(t, name, depth + 1);
}

/// Adds the names in ROOT/BELOW; `below` is "" or ends with a slash.
static zt_result read_folder(const tree *t, const char *below, int depth)
{
    char path[PATH_SIZE];
    zt_result result = ZT_OK;
    snprintf(path, sizeof path, "%s%s%s", t->root, below[0] ? "/" : "", below);
    DIR *directory = opendir(path);
    if (!directory) {
        if (errno == ENOMEM)
            return ZT_ERR_MEMORY;
        return zt_fail(t->err, ZT_ERR_INPUT, "%.400s: %s (expected a folder)", path,
                       strerror(errno));
    }
    while (result == ZT_OK || t->visit) {
        errno = 0;
        const struct dirent *entry = readdir(directory);
        if (!entry && errno != 0)
            result = zt_fail(t->err, ZT_ERR_INPUT, "%.400s: %s", path, strerror(errno));
        if (!entry || (t->visit && (interrupt_raised() || (t->done && *t->done))))
            break;
        if (t->visit && !t->done && entry->d_type == DT_REG)
            continue; // most entries, without asking what they are
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            result = read_entry(t, below, entry->d_name, depth);
    }
    closedir(directory);
    return result;
}

zt_result names_read(const char *folder, zt_budget *memory, name_list *out, zt_error *err)
{
    const tree t = {.root = folder, .budget = memory, .out = out, .err = err};
    *out = (name_list){0};
    err->message[0] = 0;
    const zt_result result = read_folder(&t, "", 0);
    if (result != ZT_OK && err->message[0] == 0)
        snprintf(err->message, sizeof err->message, "%.400s: %s for its names", folder,
                 result == ZT_ERR_LIMIT ? "the memory limit does not suffice" : "no memory");
    else if (out->count > 0)
        qsort(out->name, out->count, sizeof *out->name, compare_names); // names are unique
    return result;
}

void names_visit(const char *folder, const bool *done, void (*visit)(void *user, const char *path),
                 void *user)
{
    zt_error unsaid = {0};
    const tree t = {.root = folder, .err = &unsaid, .visit = visit, .user = user, .done = done};
    (void)read_folder(&t, "", 0);
}

size_t names_root(const options *o, const char *folder)
{
    return o->load.confine_scene ? strlen(folder) : FILE_ANYWHERE;
}

bool names_has(const name_list *list, const char *name)
{
    return list->count > 0 &&
           bsearch(&name, list->name, list->count, sizeof *list->name, compare_names) != NULL;
}
