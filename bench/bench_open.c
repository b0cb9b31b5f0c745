// SPDX-License-Identifier: MIT
// Opening a model through the public interface, from its path to a scene in memory:
//     bench_open [MODEL or SCENE] [--repeat N] [--threads N] [--json] [--filter TEXT] [--case NAME]
//     bench_open FOLDER [--repeat N] [--threads N] [--json] [--filter TEXT]
// with all of every texture and as for a picture of 256 and of 1024 pixels, with 1 thread and with
// all cores (or N); and the most memory that was held at a time. The checksum is that of a picture
// of the size that was opened for (64 for all of it): equal for all numbers of threads. With --case
// only the first of these, under that name. Of a folder, a line for each model below it:
//     MS  PEAK  FILE
// The least time of opening it with all of its textures, and the peak of memory of a process that
// does nothing else, in MiB: nobody else's, and a file that brings its process down is a line, not
// the end. A file that does not open says why instead.
#define _DEFAULT_SOURCE // wait4
#include "bench_timing.h"
#include "own.h"

#include <zoetrope/zoetrope.h>

#include <dirent.h>
#include <stdatomic.h>
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

/// False when the folder cannot be read or has no models.
static bool open_folder(const bench_options *o)
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

enum { SMALL_SIDE = 64 };

typedef struct open_case {
    const char *path;
    int32_t picture_side, threads;
} open_case;

/// Counts bytes, of any thread.
typedef struct memory_meter {
    _Atomic uint64_t now, peak;
} memory_meter;

static void *metered_alloc(void *user, size_t size, size_t align)
{
    memory_meter *m = user;
    void *memory = aligned_alloc(align, (size + align - 1) / align * align);
    const uint64_t now = memory ? atomic_fetch_add(&m->now, size) + size : 0;
    uint64_t peak = atomic_load(&m->peak);
    while (now > peak && !atomic_compare_exchange_weak(&m->peak, &peak, now))
        ;
    return memory;
}

static void metered_free(void *user, void *memory, size_t size)
{
    if (memory)
        atomic_fetch_sub(&((memory_meter *)user)->now, size);
    free(memory);
}

static zt_result picture_hash(const open_case *c, zt_scene *scene, uint64_t *out, zt_error *err)
{
    OWN_RENDERER *renderer = NULL;
    OWN_IMAGE image = {0};
    zt_shot_def shot = zt_default_shot_def();
    const zt_renderer_def def = zt_default_renderer_def();
    shot.width = shot.height = c->picture_side > 0 ? c->picture_side : SMALL_SIDE;
    shot.thumbnail = true;
    ZT_TRY(zt_scene_apply(scene, &shot, err));
    ZT_TRY(zt_renderer_create(&def, &renderer, err));
    ZT_TRY(zt_image_init(&image, shot.width, shot.height, NULL, err));
    ZT_TRY(zt_render(renderer, scene, zt_scene_frame(scene, 0), &image, err));
    *out = zt_image_hash(&image);
    return ZT_OK;
}

static zt_result run_case(const bench_options *o, const open_case *c, zt_error *err)
{
    static bench_series times;
    bench_series memory = {.count = 0};
    memory_meter meter;
    const zt_allocator allocator = {metered_alloc, metered_free, &meter};
    uint64_t checksum = 0;
    char name[64], who[32];
    snprintf(who, sizeof who, o->name ? "c" : "%d threads", (int)c->threads);
    if (o->name)
        snprintf(name, sizeof name, "%.40s_%d", o->name, (int)c->threads);
    else
        snprintf(name, sizeof name, c->picture_side > 0 ? "open_for_%d" : "open_whole",
                 (int)c->picture_side);
    if (!bench_selected(o, name))
        return ZT_OK;
    memset(&times, 0, sizeof times);
    for (int32_t i = 0; i <= o->repeats + BENCH_WARM_UP; i++) {
        const bool metered = i == o->repeats + BENCH_WARM_UP; // the last time, which is not timed
        OWN_SCENE *scene = NULL;
        zt_load_def load = zt_default_load_def();
        load.picture_side = c->picture_side;
        load.threads = c->threads;
        load.allocator = metered ? &allocator : NULL;
        atomic_init(&meter.now, 0);
        atomic_init(&meter.peak, 0);
        const uint64_t start = bench_now_ns();
        ZT_TRY(zt_scene_load(c->path, &load, &scene, err));
        const uint64_t took = bench_now_ns() - start;
        if (metered) {
            bench_add(&memory, atomic_load(&meter.peak));
            ZT_TRY(picture_hash(c, scene, &checksum, err));
        } else if (i >= BENCH_WARM_UP) {
            bench_add(&times, took);
        }
    }
    bench_report(o, name, who, "ms", 1e-6, &times, checksum);
    snprintf(name + strlen(name), sizeof name - strlen(name), "_memory");
    bench_report(o, name, who, "MiB", 1.0 / 1048576.0, &memory, checksum);
    return ZT_OK;
}

static zt_result run_cases(const bench_options *o, zt_error *err)
{
    static const int32_t sides[] = {0, 256, 1024};
    const int32_t most = o->threads ? o->threads : (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
    const size_t side_count = o->name ? 1 : sizeof sides / sizeof *sides;
    for (size_t i = 0; i < side_count; i++)
        for (int32_t threads = o->name ? most : 1;; threads = most) {
            const open_case c = {o->model ? o->model : ZT_SOURCE_DIR "/scenes/models/walker.glb",
                                 sides[i], threads};
            ZT_TRY(run_case(o, &c, err));
            if (threads >= most)
                break;
        }
    return ZT_OK;
}

int main(int argc, char **argv)
{
    bench_options o;
    zt_error err = {ZT_OK, ""};
    struct stat status;
    if (!bench_options_read(argc, argv, &o))
        return 2;
    if (o.model && stat(o.model, &status) == 0 && S_ISDIR(status.st_mode))
        return open_folder(&o) ? 0 : 1;
    const zt_result result = run_cases(&o, &err);
    if (result != ZT_OK)
        fprintf(stderr, "%s\n", err.message);
    return (int)result;
}
