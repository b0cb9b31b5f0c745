// SPDX-License-Identifier: MIT
// Each file is opened by a process of its own: its peak of memory is nobody else's, and one that
// brings its process down is a line, not the end.
#define _DEFAULT_SOURCE // wait4
#include "open_folder.h"

#include <zoetrope/zoetrope.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FOLDER_DEPTH = 16, PATH_SIZE = 4096 };

/// Paths of the models found.
typedef struct path_list {
    char **path;
    size_t count, capacity;
} path_list;

/// Report of the process about a file.
typedef struct open_outcome {
    uint64_t least_ns;
    zt_error error;
} open_outcome;

static bool is_model(const char *name)
{
    static const char *const extensions[] = {".glb", ".gltf", ".m3d"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof extensions / sizeof *extensions; i++)
        if (strcmp(dot, extensions[i]) == 0)
            return true;
    return false;
}

static bool list_add(path_list *list, const char *path)
{
    if (list->count == list->capacity) {
        const size_t capacity = 2 * list->capacity + 64;
        char **grown = realloc(list->path, capacity * sizeof *grown);
        if (!grown)
            return false;
        list->path = grown;
        list->capacity = capacity;
    }
    list->path[list->count] = strdup(path);
    return list->path[list->count++] != NULL;
}

static bool collect(path_list *list, const char *folder, int depth)
{
    DIR *open = opendir(folder);
    bool ok = open != NULL;
    for (struct dirent *entry; ok && (entry = readdir(open));) {
        char path[PATH_SIZE];
        struct stat status;
        if (entry->d_name[0] == '.' ||
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path ||
            stat(path, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode) && depth < FOLDER_DEPTH)
            ok = collect(list, path, depth + 1);
        else if (S_ISREG(status.st_mode) && is_model(entry->d_name))
            ok = list_add(list, path);
    }
    if (open)
        closedir(open);
    return ok;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static open_outcome open_repeatedly(const bench_options *o, const char *path)
{
    open_outcome outcome = {.least_ns = UINT64_MAX};
    zt_load_def load = zt_default_load_def();
    load.threads = o->threads;
    for (int32_t i = 0; i < o->repeats && outcome.error.code == ZT_OK; i++) {
        zt_scene *scene = NULL;
        const uint64_t start = bench_now_ns();
        zt_scene_load(path, &load, &scene, &outcome.error);
        const uint64_t took = bench_now_ns() - start;
        outcome.least_ns = took < outcome.least_ns ? took : outcome.least_ns;
        zt_scene_destroy(scene);
    }
    return outcome;
}

static void report(const bench_options *o, const char *path, const open_outcome *outcome,
                   double peak_mib)
{
    const double ms = (double)outcome->least_ns * 1e-6;
    const bool opens = outcome->error.code == ZT_OK;
    if (!opens && o->json)
        printf("{\"file\":\"%s\",\"opens\":false}\n", path);
    else if (!opens)
        printf("%10s %8s  %s\n", "-", "-", outcome->error.message);
    else if (o->json)
        printf("{\"file\":\"%s\",\"ms\":%.3f,\"peak_mib\":%.1f}\n", path, ms, peak_mib);
    else
        printf("%10.2f %8.1f  %s\n", ms, peak_mib, path);
}

static void measure(const bench_options *o, const char *path)
{
    open_outcome outcome = {.error = {ZT_ERR_INTERNAL, "its process came to an untimely end"}};
    struct rusage used = {0};
    int ends[2], status;
    fflush(stdout);
    if (pipe(ends) != 0)
        return;
    const pid_t child = fork();
    if (child == 0) {
        const open_outcome own = open_repeatedly(o, path);
        _exit(write(ends[1], &own, sizeof own) == (ssize_t)sizeof own ? 0 : 1);
    }
    close(ends[1]);
    open_outcome told;
    if (child > 0 && read(ends[0], &told, sizeof told) == (ssize_t)sizeof told)
        outcome = told;
    close(ends[0]);
    if (child > 0)
        wait4(child, &status, 0, &used);
    report(o, path, &outcome, (double)used.ru_maxrss / 1024.0);
}

bool open_folder(const bench_options *o)
{
    path_list list = {0};
    const bool ok = collect(&list, o->model, 0);
    if (list.count > 0)
        qsort(list.path, list.count, sizeof *list.path, by_text);
    if (list.count > 0 && !o->json)
        printf("%10s %8s  %s\n", "ms", "MiB", "file");
    for (size_t i = 0; i < list.count; i++) {
        if (ok && bench_selected(o, list.path[i]))
            measure(o, list.path[i]);
        free(list.path[i]);
    }
    free(list.path);
    if (!ok || list.count == 0)
        fprintf(stderr, "%s: no models can be found there\n", o->model);
    return ok && list.count > 0;
}
