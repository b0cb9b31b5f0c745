// SPDX-License-Identifier: MIT
/// The same suite in another checkout: a git worktree, or any other copy of the folders.
#include "base/file.h"
#include "base/file_find.h"
#include "base/file_open.h"
#include "base/letter_form.h"
#include "base/path.h"
#include "suite/suite.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMS_MAX = 1024 }; ///< names that are compared with each other

/// The nearest folder above the file at `path` that has `.git`; else the working directory. False:
/// `path` is not below it.
static bool find_checkout(const char *path, char out[SUITE_PATH_SIZE])
{
    char marker[SUITE_PATH_SIZE + 8];
    snprintf(out, SUITE_PATH_SIZE, "%s", path);
    for (char *slash = strrchr(out, '/'); slash; slash = strrchr(out, '/')) {
        *slash = 0;
        snprintf(marker, sizeof marker, "%s/.git", out);
        if (access(marker, F_OK) == 0)
            return true;
    }
    return suite_folder_resolve(".", out) && suite_folder_below(out, path);
}

zt_result suite_other_path(const char *path, const char *folder, char out[SUITE_PATH_SIZE],
                           zt_error *err)
{
    char suite_folder[SUITE_PATH_SIZE], own[SUITE_PATH_SIZE], other[SUITE_PATH_SIZE];
    char full[SUITE_PATH_SIZE];
    // The file itself may be a link, as those of Bazel and DVC are: its folder counts.
    path_folder(path, suite_folder, sizeof suite_folder);
    if (access(folder, X_OK) != 0 || !suite_folder_resolve(folder, other))
        return zt_fail(err, ZT_ERR_INPUT, "%.400s: no such folder (expected another checkout)",
                       folder);
    if (!suite_folder_resolve(suite_folder[0] ? suite_folder : ".", own) ||
        snprintf(full, sizeof full, "%s/%s", own, path_name(path)) >= (int)sizeof full ||
        !find_checkout(full, own))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "%.400s is in no checkout (expected a .git above it, or a suite below the "
                       "current folder)",
                       path);
    if (strcmp(own, other) == 0)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "--against %.400s is the checkout of the suite itself (expected another "
                       "one)",
                       folder);
    if (snprintf(out, SUITE_PATH_SIZE, "%s/%s", folder, suite_folder_below(own, full)) >=
        SUITE_PATH_SIZE)
        return zt_fail(err, ZT_ERR_INPUT, "%.400s: its path is too long", path);
    return ZT_OK;
}

/// Shots of one side alone may be one shot to people.
static void find_forms(suite *s)
{
    uint32_t alone[FORMS_MAX], count = 0;
    for (uint32_t i = 0; i < s->shot_count && count < FORMS_MAX; i++) {
        const char *c = s->shots[i].name;
        while (*c && (unsigned char)*c < 0x80)
            c++;
        if (*c && (s->shots[i].gone || !s->shots[i].old))
            alone[count++] = i;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++) {
            const char *name = s->shots[alone[k]].name;
            if (i != k && letters_are_same(s->shots[alone[i]].name, name, strlen(name), false))
                s->shots[alone[i]].form = name;
        }
}

/// Gives shots their old ones, and appends those that are only there.
static zt_result pair_shots(suite *s, const suite *other, const zt_load_def *def, zt_error *err)
{
    const char *same = NULL;
    const size_t count = (size_t)s->shot_count + other->shot_count;
    suite_shot *shots = ARENA_ARRAY(&s->texts, suite_shot, count);
    if (!shots)
        return arena_fail(&s->texts, err, "shots");
    memcpy(shots, s->shots, s->shot_count * sizeof *shots);
    s->shots = shots;
    for (uint32_t i = 0; i < other->shot_count; i++) {
        const suite_shot *old = &other->shots[i];
        uint32_t *slot = hash_table_text(&s->names, &shots->name, sizeof *shots, old->name);
        if (*slot == 0) {
            shots[s->shot_count] = *old;
            shots[s->shot_count].gone = true;
            *slot = ++s->shot_count;
        }
        shots[*slot - 1].old = old;
        if (!shots[*slot - 1].gone && file_is_same(shots[*slot - 1].file, old->file))
            same = old->file;
    }
    find_forms(s);
    if (same && def->message) {
        char text[600];
        snprintf(text, sizeof text,
                 "%.400s is the same file for both checkouts: what changes in it is not seen",
                 same);
        def->message(def->message_user, ZT_WARNING, text);
    }
    return ZT_OK;
}

/// Fails where the other suite is there and cannot be read.
static zt_result load_other(const suite *s, const char *path, const char *folder,
                            const zt_load_def *def, suite *other, zt_error *err)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return ZT_OK;
    if (!file_is_regular(path) || (def->confine_scene && !file_is_below(path, strlen(folder))))
        return zt_fail(err, ZT_ERR_INPUT, "%.400s: leads out of %.200s (expected a file in it)",
                       path, folder);
    return suite_load(path, def, s->results, other, err);
}

zt_result suite_against(suite *s, const char *folder, const zt_load_def *def, suite *other,
                        zt_error *err)
{
    char path[SUITE_PATH_SIZE], form[FILE_PATH_SIZE];
    ZT_TRY(suite_other_path(s->path, folder, path, err));
    const char *found = file_form(path, FILE_ANYWHERE, form);
    const zt_result result = load_other(s, found, folder, def, other, &s->other_fault);
    s->other = other;
    if (!other->path)
        ZT_TRY(ARENA_TEXT(&s->texts, &other->path, found, "paths of the suite", err));
    if (result != ZT_ERR_MEMORY && result != ZT_ERR_CANCELLED)
        return result == ZT_OK ? pair_shots(s, other, def, err) : ZT_OK;
    *err = s->other_fault;
    return result;
}
