// SPDX-License-Identifier: MIT
// Opening a model through the public interface, from its path to a scene in memory:
//     bench_open [MODEL or SCENE] [--repeat N] [--threads N] [--json] [--filter TEXT] [--case NAME]
//     bench_open FOLDER [--repeat N] [--threads N] [--json] [--filter TEXT]
// with all of every texture and as for a picture of 256 and of 1024 pixels, with 1 thread and with
// all cores (or N); and the most memory that was held at a time. The checksum is that of a picture
// of the size that was opened for (64 for all of it): equal for all numbers of threads. With --case
// only the first of these, under that name. A folder gives a line for each file: open_folder.h.
#include "bench_timing.h"
#include "open_folder.h"
#include "own.h"

#include <zoetrope/zoetrope.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
