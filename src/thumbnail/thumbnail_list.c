// SPDX-License-Identifier: MIT
/// The models in files and folders; see thumbnail_list.h. Memory is charged as it is asked for.
#define _XOPEN_SOURCE 700 // lstat, realpath
#include "thumbnail/thumbnail_list.h"

#include "base/model_names.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096, DEPTH_LIMIT = 128, TEXT_BLOCK = 64 << 10 };

struct text_block {
    text_block *next;
    size_t size, used;
    char text[];
};

// ---- Memory -------------------------------------------------------------------------------------

/// NULL: no memory, and the code in *err.
static void *take(thumbnail_list *list, size_t size, zt_error *err)
{
    if (!zt_budget_take(list->budget, size)) {
        zt_fail(err, ZT_ERR_LIMIT, "the list of models does not fit into the memory limit");
        return NULL;
    }
    void *memory = malloc(size);
    if (!memory) {
        zt_budget_give(list->budget, size);
        zt_fail(err, ZT_ERR_MEMORY, "no memory for the list of models");
    }
    return memory;
}

static void give(const thumbnail_list *list, void *memory, size_t size)
{
    if (memory)
        zt_budget_give(list->budget, size);
    free(memory);
}

char *thumbnail_list_text(thumbnail_list *list, const char *text, size_t length, zt_error *err)
{
    text_block *block = list->texts;
    if (!block || block->size - block->used < length + 1) {
        const size_t size = length + 1 > TEXT_BLOCK ? length + 1 : TEXT_BLOCK;
        block = take(list, sizeof *block + size, err);
        if (!block)
            return NULL;
        *block = (text_block){.next = list->texts, .size = size};
        list->texts = block;
    }
    char *copy = block->text + block->used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    block->used += length + 1;
    return copy;
}

static zt_result add_item(thumbnail_list *list, thumbnail_item item, zt_error *err)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 64;
        thumbnail_item *items = take(list, capacity * sizeof *items, err);
        if (!items)
            return err->code;
        if (list->count > 0)
            memcpy(items, list->items, list->count * sizeof *items);
        give(list, list->items, list->capacity * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
    return ZT_OK;
}

void thumbnail_list_finish(thumbnail_list *list)
{
    while (list->texts) {
        text_block *block = list->texts;
        list->texts = block->next;
        give(list, block, sizeof *block + block->size);
    }
    give(list, list->items, list->capacity * sizeof *list->items);
    list->items = NULL;
    list->count = list->capacity = 0;
}

// ---- Folders ------------------------------------------------------------------------------------

/// A path without ".", ".." and empty parts: a picture's place below a folder. NULL: *err.
static const char *clean_folder(thumbnail_list *list, const char *path, size_t length,
                                zt_error *err)
{
    char *out = thumbnail_list_text(list, path, length, err);
    size_t used = 0;
    if (!out)
        return NULL;
    for (size_t at = 0; at < length;) {
        const size_t part = strcspn(path + at, "/");
        const size_t end = at + part < length ? part : length - at;
        const bool dots =
            (end == 1 && path[at] == '.') || (end == 2 && path[at] == '.' && path[at + 1] == '.');
        if (end > 0 && !dots) {
            if (used > 0)
                out[used++] = '/';
            memmove(out + used, path + at, end);
            used += end;
        }
        at += end + 1;
    }
    out[used] = '\0';
    return out;
}

bool thumbnail_is_input_name(const char *name)
{
    return model_mime_type(name) || is_scene_name(name);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/// Formats of models that people have and that nothing here reads.
static bool is_other_model_name(const char *name)
{
    static const char *const others[] = {
        ".3ds", ".abc", ".blend", ".bvh",  ".c4d",  ".dae", ".iges", ".igs", ".iqm",
        ".lwo", ".ma",  ".max",   ".mb",   ".md2",  ".mdl", ".off",  ".pmx", ".step",
        ".stp", ".usd", ".usda",  ".usdc", ".usdz", ".vox", ".wrl",  ".x3d"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (has_suffix(name, others[i]))
            return true;
    return false;
}

typedef struct folder_search {
    thumbnail_list *list;
    const char *tree;     ///< as in thumbnail_item
    const char *root;     ///< real path of the folder that was given
    char path[PATH_SIZE]; ///< of the folder that is read
    size_t below;         ///< bytes of `path` that are the folder that was given, with its slash
    int depth;
    struct stat folder[DEPTH_LIMIT]; ///< [depth] those that the path leads through
    zt_error *err;
} folder_search;

static zt_result add_fault(folder_search *s, const char *what, const char *why)
{
    char text[256];
    const int length = snprintf(text, sizeof text, "%s: %s", what, why);
    const char *path = thumbnail_list_text(s->list, s->path, strlen(s->path), s->err);
    const char *fault = path ? thumbnail_list_text(s->list, text, (size_t)length, s->err) : NULL;
    if (!fault)
        return s->err->code;
    return add_item(s->list, (thumbnail_item){.path = path, .folder = "", .fault = fault}, s->err);
}

static bool stays_inside(const folder_search *s, const char *path)
{
    char *real = realpath(path, NULL);
    const size_t length = strlen(s->root);
    const bool inside = real && strncmp(real, s->root, length) == 0 &&
                        (real[length] == '/' || strcmp(s->root, "/") == 0);
    free(real);
    return inside;
}

static zt_result add_found(folder_search *s, size_t folder_length)
{
    thumbnail_item item = {.tree = s->tree};
    const size_t end = folder_length > s->below ? folder_length - 1 : s->below; // without its slash
    item.path = thumbnail_list_text(s->list, s->path, strlen(s->path), s->err);
    item.folder =
        item.path ? thumbnail_list_text(s->list, s->path + s->below, end - s->below, s->err) : NULL;
    return item.folder ? add_item(s->list, item, s->err) : s->err->code;
}

static zt_result search_folder(folder_search *s);

/// A link to a folder that the path leads through would lead around for ever.
static bool is_around(const folder_search *s, const struct stat *folder)
{
    for (int i = 0; i < s->depth; i++)
        if (s->folder[i].st_dev == folder->st_dev && s->folder[i].st_ino == folder->st_ino)
            return true;
    return false;
}

/// Counts what is left out, and remembers the `first`.
static zt_result pass_over(folder_search *s, size_t *count, const char **first)
{
    if ((*count)++ == 0)
        *first = thumbnail_list_text(s->list, s->path, strlen(s->path), s->err);
    return *first ? ZT_OK : s->err->code;
}

/// True for a file, and for a link that may be followed to one.
static bool is_file(const folder_search *s, bool link, const struct stat *status)
{
    return S_ISREG(status->st_mode) && (!link || s->list->follow_links || stays_inside(s, s->path));
}

/// One entry of the folder that s->path names, with a slash at its end, `length` bytes.
static zt_result search_entry(folder_search *s, const char *name, size_t length)
{
    struct stat status;
    zt_result result = ZT_OK;
    if (s->list->cancel && s->list->cancel->asked(s->list->cancel->user))
        return zt_fail(s->err, ZT_ERR_CANCELLED, "cancelled");
    if (snprintf(s->path + length, PATH_SIZE - length, "%s", name) >= (int)(PATH_SIZE - length) ||
        lstat(s->path, &status) != 0) {
        s->path[length] = '\0';
        return ZT_OK; // too long to be opened, or gone meanwhile
    }
    const bool link = S_ISLNK(status.st_mode), there = !link || stat(s->path, &status) == 0;
    if (there && S_ISDIR(status.st_mode) && (!link || s->list->follow_links))
        result = is_around(s, &status) ? ZT_OK : search_folder(s);
    else if (there && model_mime_type(name) && is_file(s, link, &status))
        result = add_found(s, length);
    else if (there && is_other_model_name(name) && is_file(s, link, &status))
        result = pass_over(s, &s->list->passed_over, &s->list->passed);
    else if (there && link && (S_ISDIR(status.st_mode) || model_mime_type(name)) &&
             !s->list->follow_links && !stays_inside(s, s->path))
        result = pass_over(s, &s->list->links, &s->list->link);
    s->path[length] = '\0';
    return result;
}

typedef struct folder_names {
    const char **name; ///< [count] the array is charged to the list
    size_t count, capacity;
} folder_names;

static void give_names(const folder_search *s, folder_names *names)
{
    give(s->list, names->name, names->capacity * sizeof *names->name);
}

static zt_result add_name(folder_search *s, folder_names *names, const char *name)
{
    if (names->count == names->capacity) {
        folder_names more = {.count = names->count,
                             .capacity = names->capacity ? 2 * names->capacity : 64};
        more.name = take(s->list, more.capacity * sizeof *more.name, s->err);
        if (!more.name)
            return s->err->code;
        if (names->count > 0)
            memcpy(more.name, names->name, names->count * sizeof *names->name);
        give_names(s, names);
        *names = more;
    }
    const char *copy = thumbnail_list_text(s->list, name, strlen(name), s->err);
    if (!copy)
        return s->err->code;
    names->name[names->count++] = copy;
    return ZT_OK;
}

/// The names in a folder without a dot in front, sorted. *out_error: of reading, 0 for none.
static zt_result read_names(folder_search *s, DIR *directory, folder_names *names, int *out_error)
{
    zt_result result = ZT_OK;
    const struct dirent *entry = NULL;
    while (result == ZT_OK) {
        errno = 0;
        entry = readdir(directory);
        if (!entry)
            break;
        if (entry->d_name[0] != '.')
            result = add_name(s, names, entry->d_name);
    }
    *out_error = result == ZT_OK ? errno : 0;
    if (names->count > 0)
        qsort(names->name, names->count, sizeof *names->name, compare_names);
    return result;
}

static zt_result fail_folder(folder_search *s, int error_number)
{
    if (error_number == ENOMEM)
        return zt_fail(s->err, ZT_ERR_MEMORY, "no memory for the list of models");
    return add_fault(s, "the folder cannot be read", strerror(error_number));
}

/// s->path is the folder; it is as before afterwards.
static zt_result search_folder(folder_search *s)
{
    folder_names names = {0};
    const size_t before = strlen(s->path);
    size_t length = before;
    int error_number = 0;
    if (s->depth >= DEPTH_LIMIT)
        return add_fault(s, "the folder cannot be read", "it is more than 128 deep");
    DIR *directory = opendir(s->path);
    if (!directory)
        return fail_folder(s, errno);
    if (fstat(dirfd(directory), &s->folder[s->depth]) != 0)
        s->folder[s->depth] = (struct stat){0};
    zt_result result = read_names(s, directory, &names, &error_number);
    closedir(directory);
    if (error_number != 0)
        result = fail_folder(s, error_number);
    if (length + 2 > PATH_SIZE)
        names.count = 0;
    else if (length == 0 || s->path[length - 1] != '/')
        memcpy(s->path + length++, "/", 2);
    if (s->below == 0)
        s->below = length;
    s->depth++;
    for (size_t i = 0; i < names.count && result == ZT_OK; i++)
        result = search_entry(s, names.name[i], length);
    s->depth--;
    s->path[before] = '\0';
    give_names(s, &names);
    return result;
}

static zt_result add_folder(thumbnail_list *list, const char *path, zt_error *err)
{
    folder_search s = {.list = list, .err = err};
    const size_t first = list->count, links = list->links;
    s.tree = clean_folder(list, path, strlen(path), err);
    if (!s.tree)
        return err->code;
    if (snprintf(s.path, sizeof s.path, "%s", path) >= (int)sizeof s.path)
        return zt_fail(err, ZT_ERR_ARGUMENT, "a path that is too long: %.60s", path);
    char *root = realpath(path, NULL);
    s.root = root ? root : path;
    zt_result result = search_folder(&s);
    char text[96];
    snprintf(text, sizeof text, "its links lead out of it: %zu (expected --follow-links)",
             list->links - links);
    if (result == ZT_OK && list->count == first) {
        result = add_fault(&s, "holds no models",
                           list->links > links ? text : "expected " MODEL_NAMES_TEXT " files");
        list->links = links;
    }
    free(root);
    return result;
}

zt_result thumbnail_list_add(thumbnail_list *list, const char *path, zt_error *err)
{
    struct stat status;
    if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return add_folder(list, path, err);
    const char *folder = clean_folder(list, path, path_folder_length(path), err);
    if (!folder)
        return err->code;
    return add_item(list, (thumbnail_item){.path = path, .folder = folder}, err);
}
