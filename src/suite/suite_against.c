// SPDX-License-Identifier: MIT
/// The same suite in another checkout: a git worktree, or any other copy of the folders.
#include "base/file_open.h"
#include "base/hash.h"
#include "base/path.h"
#include "suite/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

/// Gives shots their old ones, and appends those that are only there.
static zt_result pair_shots(suite *s, const suite *other, zt_error *err)
{
    hash_table names;
    const size_t count = (size_t)s->shot_count + other->shot_count;
    suite_shot *shots = ARENA_ARRAY(&s->texts, suite_shot, count);
    if (!shots || !hash_table_init(&names, &s->texts, count))
        return arena_fail(&s->texts, err, "shots");
    memcpy(shots, s->shots, s->shot_count * sizeof *shots);
    s->shots = shots;
    for (uint32_t i = 0; i < s->shot_count; i++)
        *hash_table_text(&names, &shots->name, sizeof *shots, shots[i].name) = i + 1;
    for (uint32_t i = 0; i < other->shot_count; i++) {
        const suite_shot *old = &other->shots[i];
        uint32_t *slot = hash_table_text(&names, &shots->name, sizeof *shots, old->name);
        if (*slot == 0) {
            shots[s->shot_count] = *old;
            shots[s->shot_count].gone = true;
            *slot = ++s->shot_count;
        }
        shots[*slot - 1].old = old;
    }
    return ZT_OK;
}

zt_result suite_against(suite *s, const char *folder, const zt_load_def *def, suite *other,
                        zt_error *err)
{
    char path[SUITE_PATH_SIZE];
    zt_result result = ZT_OK;
    ZT_TRY(suite_other_path(s->path, folder, path, err));
    s->other = other;
    if (access(path, F_OK) == 0)
        result = def->confine_scene && !file_is_below(path, strlen(folder))
                     ? zt_fail(&s->other_fault, ZT_ERR_INPUT,
                               "%.400s: leads out of %.200s (expected a file in it)", path, folder)
                     : suite_load(path, def, s->results, other, &s->other_fault);
    if (result == ZT_ERR_MEMORY || result == ZT_ERR_CANCELLED) {
        *err = s->other_fault;
        return result;
    }
    return result == ZT_OK ? pair_shots(s, other, err) : ZT_OK;
}
