// SPDX-License-Identifier: MIT
/// The names of pictures; see thumbnail_list_name(). A model whose name another one has too goes up
/// a level, until all names differ:
///   0  its name: STEM, below a searched folder FOLDER/STEM
///   1  with the part of TREE/FOLDER that is not common to all that had the name
///   2  with the suffix of the model in it; also where another one has a folder of that name
///   3  with a number
#define _XOPEN_SOURCE 700 // fdopen
#include "base/file.h"
#include "base/hash.h"
#include "base/path.h"
#include "thumbnail/thumbnail_list.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_SIZE = 4096, LEVEL_FILE = 2, LEVEL_NUMBER = 3, READ_BYTES = 256 << 10 };

typedef struct namer {
    thumbnail_list *list;
    const thumbnail_naming *naming;
    uint32_t *slots; ///< [mask + 1] 1 + the index of an item; 0: free
    size_t mask;
    zt_error *err;
} namer;

static bool is_named(const thumbnail_item *item) { return !item->fault && !item->dropped; }

// ---- Parts of names -----------------------------------------------------------------------------

static const char *file_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "stdin" : path_name(path);
}

/// TREE/FOLDER/, "" for none.
static void whole_folder(const thumbnail_item *item, char out[NAME_SIZE])
{
    const char *tree = item->tree ? item->tree : "";
    snprintf(out, NAME_SIZE, "%s%s%s%s", tree, tree[0] ? "/" : "", item->folder,
             item->folder[0] ? "/" : "");
}

/// Its name below the folder of all, by its level and without a number. False: too long.
static bool plain_name(const namer *n, const thumbnail_item *item, char out[NAME_SIZE])
{
    char folder[NAME_SIZE];
    const char *name = file_name(item->path);
    const int stem = (int)(item->level >= LEVEL_FILE ? strlen(name) : path_stem_length(name));
    whole_folder(item, folder);
    return snprintf(out, NAME_SIZE, "%s%.*s.%s", folder + item->strip, stem, name,
                    n->naming->extension) < NAME_SIZE;
}

// ---- Patterns -----------------------------------------------------------------------------------

/// The hash of a file's bytes; of none if unreadable. ZT_ERR_MEMORY, ZT_ERR_CANCELLED.
static zt_result hash_contents(const namer *n, const char *path, uint64_t *out)
{
    static const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
    const zt_cancel *cancel = n->list->cancel;
    struct stat status;
    uint8_t *bytes = malloc(READ_BYTES);
    if (!bytes)
        return zt_fail(n->err, ZT_ERR_MEMORY, "no memory for the names of pictures");
    const int file = strcmp(path, "-") != 0 ? open(path, flags) : -1;
    zt_result result = ZT_OK;
    *out = HASH_START;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode))
        for (ssize_t got; (got = read(file, bytes, READ_BYTES)) > 0;) {
            *out = hash_bytes(*out, bytes, (size_t)got);
            if (cancel && cancel->asked(cancel->user)) {
                result = zt_fail(n->err, ZT_ERR_CANCELLED, "cancelled");
                break;
            }
        }
    if (file >= 0)
        close(file);
    free(bytes);
    return result;
}

/// The field at `at`, "{stem}", as text. NULL: no such field, or no memory, or cancelled (*err).
static const char *field_text(const namer *n, const thumbnail_item *item, const char *at,
                              size_t length, char out[NAME_SIZE])
{
    const char *name = file_name(item->path);
    uint64_t hash = 0;
    if (length == 5 && memcmp(at, "{dir}", 5) == 0)
        return item->folder;
    if (length == 5 && memcmp(at, "{ext}", 5) == 0)
        return n->naming->extension;
    if (length == 6 && memcmp(at, "{stem}", 6) == 0) {
        snprintf(out, NAME_SIZE, "%.*s", (int)path_stem_length(name), name);
        return out;
    }
    if (length != 6 || memcmp(at, "{hash}", 6) != 0) {
        zt_fail(n->err, ZT_ERR_ARGUMENT,
                "--name '%.80s': an unknown field %.*s (expected {dir}, {stem}, {hash} or "
                "{ext})",
                n->naming->pattern, (int)(length < 20 ? length : 20), at);
        return NULL;
    }
    if (hash_contents(n, item->path, &hash) != ZT_OK)
        return NULL;
    snprintf(out, NAME_SIZE, "%016" PRIx64, hash);
    return out;
}

/// Appends without doubling slashes, of which none is in front.
static size_t append(char out[NAME_SIZE], size_t used, const char *text, size_t length)
{
    for (size_t i = 0; i < length && used + 1 < NAME_SIZE; i++)
        if (text[i] != '/' || (used > 0 && out[used - 1] != '/'))
            out[used++] = text[i];
    out[used] = '\0';
    return used;
}

static zt_result pattern_name(const namer *n, const thumbnail_item *item, char out[NAME_SIZE])
{
    char text[NAME_SIZE];
    size_t used = 0;
    out[0] = '\0';
    for (const char *at = n->naming->pattern; *at;) {
        const size_t plain = strcspn(at, "{");
        used = append(out, used, at, plain);
        at += plain;
        if (!*at)
            break;
        const size_t length = strcspn(at, "}") + 1;
        const char *value = field_text(n, item, at, length, text);
        if (!value)
            return n->err->code;
        used = append(out, used, value, strlen(value));
        at += length;
    }
    if (used + 1 >= NAME_SIZE || used == 0 || out[used - 1] == '/')
        return zt_fail(n->err, ZT_ERR_ARGUMENT,
                       "--name '%.80s': no name of a file (expected for example "
                       "{dir}/{stem}.{ext})",
                       n->naming->pattern);
    return ZT_OK;
}

static bool leads_out(const char *path)
{
    for (const char *at = path; *at; at += strcspn(at, "/"), at += *at == '/')
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || !at[2]))
            return true;
    return false;
}

static zt_result check_pattern(const thumbnail_naming *naming, zt_error *err)
{
    const char *pattern = naming->pattern;
    if (pattern && leads_out(pattern))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "--name '%.80s' leads out of --outdir (expected no ..)", pattern);
    // A batch next to its models must not replace them.
    if (pattern && thumbnail_is_input_name(pattern))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "--name '%.80s' names models or scenes (expected pictures, as "
                       "{stem}.{ext})",
                       pattern);
    return ZT_OK;
}

/// The name of a model can be "..", or end like that of another one.
static const char *fault_of(const char *name)
{
    if (leads_out(name))
        return "its picture would be out of --outdir (expected another --name)";
    if (thumbnail_is_input_name(name))
        return "its picture would have the name of a model or scene (expected another --name, as "
               "{stem}.{ext})";
    return NULL;
}

// ---- Equal names --------------------------------------------------------------------------------

static bool begin_table(namer *n)
{
    size_t size = 64;
    while (size < 2 * n->list->count)
        size *= 2;
    n->mask = size - 1;
    if (!zt_budget_take(n->list->budget, size * sizeof *n->slots))
        return false;
    n->slots = calloc(size, sizeof *n->slots);
    return n->slots != NULL;
}

static uint32_t *find_slot(const namer *n, const char *name)
{
    size_t at = (size_t)hash_bytes(HASH_START, name, strlen(name)) & n->mask;
    while (n->slots[at] != 0 && strcmp(n->list->items[n->slots[at] - 1].name, name) != 0)
        at = (at + 1) & n->mask;
    return &n->slots[at];
}

/// The bytes of a and b that are equal, up to a slash and with it.
static size_t common_folder(const char *a, const char *b)
{
    size_t common = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '/')
            common = i + 1;
    return common;
}

/// The level after the one that two items with one name are at.
static int next_level(const thumbnail_item *item, bool same_folder)
{
    if (item->level == 0) // equal folders do not tell them apart
        return same_folder ? LEVEL_FILE : 1;
    return item->level < LEVEL_NUMBER ? item->level + 1 : LEVEL_NUMBER;
}

/// Equal names: in the next round both are a level up; common folders do not get in.
static bool separate(thumbnail_item *one, thumbnail_item *other)
{
    char a[NAME_SIZE], b[NAME_SIZE];
    whole_folder(one, a);
    whole_folder(other, b);
    const size_t common = common_folder(a, b);
    const bool same = strcmp(a, b) == 0;
    const bool changed = one->level < LEVEL_NUMBER || other->level < LEVEL_NUMBER;
    one->next_level = next_level(one, same);
    other->next_level = next_level(other, same);
    if (!same) {
        one->strip = common < one->strip ? common : one->strip;
        other->strip = common < other->strip ? common : other->strip;
    }
    return changed;
}

/// Takes over what the last round found: the level, and what all items of one name have in common.
static void begin_round(const thumbnail_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        thumbnail_item *item = &list->items[i];
        const size_t common = item->leader ? list->items[item->leader - 1].strip : item->strip;
        item->strip = common < item->strip ? common : item->strip;
        item->level = item->next_level;
        item->leader = 0;
    }
}

/// A picture named as another's folder gets its model's whole name. Returns if there were some.
static bool leave_folders(const namer *n)
{
    char folder[NAME_SIZE];
    bool changed = false;
    for (size_t i = 0; i < n->list->count; i++) {
        const thumbnail_item *item = &n->list->items[i];
        if (!is_named(item))
            continue;
        snprintf(folder, sizeof folder, "%s", item->name);
        for (char *slash; (slash = strrchr(folder, '/')) != NULL;) {
            *slash = '\0';
            const uint32_t slot = *find_slot(n, folder);
            if (slot == 0 || n->list->items[slot - 1].next_level >= LEVEL_FILE)
                continue;
            n->list->items[slot - 1].next_level = LEVEL_FILE;
            changed = true;
        }
    }
    return changed;
}

/// Gives items their plain names and separates those that are equal. *out_changed: some were.
static zt_result name_round(namer *n, bool *out_changed)
{
    char name[NAME_SIZE];
    *out_changed = false;
    memset(n->slots, 0, (n->mask + 1) * sizeof *n->slots);
    begin_round(n->list);
    for (size_t i = 0; i < n->list->count; i++) {
        thumbnail_item *item = &n->list->items[i];
        if (!is_named(item))
            continue;
        if (!plain_name(n, item, name))
            return zt_fail(n->err, ZT_ERR_ARGUMENT, "a path that is too long: %.60s", item->path);
        if (!item->name || strcmp(item->name, name) != 0)
            item->name = thumbnail_list_text(n->list, name, strlen(name), n->err);
        if (!item->name)
            return n->err->code;
        uint32_t *slot = find_slot(n, name);
        if (*slot == 0) {
            *slot = (uint32_t)i + 1;
            continue;
        }
        thumbnail_item *first = &n->list->items[*slot - 1];
        item->leader = *slot;
        if (file_is_same(first->path, item->path))
            item->dropped = true;
        else
            *out_changed |= separate(first, item);
    }
    *out_changed |= leave_folders(n);
    return ZT_OK;
}

/// Puts a number before the suffix of names that are still equal.
static zt_result number_names(namer *n)
{
    char name[NAME_SIZE + 16];
    memset(n->slots, 0, (n->mask + 1) * sizeof *n->slots);
    for (size_t i = 0; i < n->list->count; i++) {
        thumbnail_item *item = &n->list->items[i];
        if (!is_named(item))
            continue;
        uint32_t *slot = find_slot(n, item->name);
        if (*slot != 0 && file_is_same(n->list->items[*slot - 1].path, item->path)) {
            item->dropped = true;
            continue;
        }
        const char *plain = item->name;
        const int stem = (int)path_stem_length(plain);
        thumbnail_item *first = *slot != 0 ? &n->list->items[*slot - 1] : NULL;
        while (*slot != 0) {
            first->copies++; // the numbers up to here are taken
            snprintf(name, sizeof name, "%.*s-%u%s", stem, plain, first->copies + 1, plain + stem);
            item->name = name;
            slot = find_slot(n, name);
        }
        if (item->name == name)
            item->name = thumbnail_list_text(n->list, name, strlen(name), n->err);
        if (!item->name)
            return n->err->code;
        *slot = (uint32_t)i + 1;
    }
    return ZT_OK;
}

// ---- All ----------------------------------------------------------------------------------------

static zt_result name_by_pattern(namer *n)
{
    char name[NAME_SIZE];
    for (size_t i = 0; i < n->list->count; i++) {
        thumbnail_item *item = &n->list->items[i];
        if (!is_named(item))
            continue;
        ZT_TRY(pattern_name(n, item, name));
        item->fault = fault_of(name);
        if (item->fault)
            continue;
        item->name = thumbnail_list_text(n->list, name, strlen(name), n->err);
        if (!item->name)
            return n->err->code;
    }
    return ZT_OK;
}

static zt_result name_by_levels(namer *n)
{
    char folder[NAME_SIZE];
    bool changed = true;
    for (size_t i = 0; i < n->list->count; i++) {
        thumbnail_item *item = &n->list->items[i];
        whole_folder(item, folder);
        item->strip = strlen(folder); // of a searched folder only what is above it
        if (item->tree)
            item->strip = item->tree[0] ? strlen(item->tree) + 1 : 0;
    }
    for (int round = 0; changed && round < 2 * LEVEL_NUMBER + 2; round++) {
        ZT_TRY(name_round(n, &changed));
    }
    return ZT_OK;
}

/// Puts the folder of all in front of the names.
static zt_result prepend_outdir(const namer *n)
{
    char path[2 * NAME_SIZE];
    const char *outdir = n->naming->outdir;
    const size_t length = strlen(outdir);
    const char *slash = length > 0 && outdir[length - 1] != '/' ? "/" : "";
    for (size_t i = 0; i < n->list->count; i++) {
        thumbnail_item *item = &n->list->items[i];
        if (!is_named(item))
            continue;
        const int size = snprintf(path, sizeof path, "%s%s%s", outdir, slash, item->name);
        if (size >= NAME_SIZE)
            return zt_fail(n->err, ZT_ERR_ARGUMENT, "a path that is too long for %.60s",
                           item->path);
        item->name = thumbnail_list_text(n->list, path, (size_t)size, n->err);
        if (!item->name)
            return n->err->code;
    }
    return ZT_OK;
}

zt_result thumbnail_list_name(thumbnail_list *list, const thumbnail_naming *naming, zt_error *err)
{
    namer n = {.list = list, .naming = naming, .err = err};
    zt_result result = check_pattern(naming, err);
    if (result == ZT_OK && !begin_table(&n))
        result = zt_fail(err, ZT_ERR_MEMORY, "no memory for the names of pictures");
    if (result == ZT_OK)
        result = naming->pattern ? name_by_pattern(&n) : name_by_levels(&n);
    if (result == ZT_OK)
        result = number_names(&n);
    if (result == ZT_OK)
        result = prepend_outdir(&n);
    if (n.slots)
        zt_budget_give(list->budget, (n.mask + 1) * sizeof *n.slots);
    free(n.slots);
    return result;
}
