// SPDX-License-Identifier: MIT
// Whole frames through the public interface, nothing written:
//     bench_frame [MODEL or SCENE] [--repeat N] [--json] [--filter TEXT]
// 1920x1080 of the given file, else of scenes/walk.yaml, with 1 and 8 samples, with 1 thread, 2, 4
// ... up to all cores. Reported are the whole frame, its stages (summed over threads), and the
// memory of a frame. The checksum is that of the picture: equal for all numbers of threads.
#include "bench_timing.h"
#include "own.h"

#include <zoetrope/zoetrope.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 1920, HEIGHT = 1080, STAGES = 16 };

/// One number of samples with one number of threads.
typedef struct frame_case {
    const char *path;
    int32_t samples, threads;
} frame_case;

typedef struct frame_times {
    bench_series whole, stage[STAGES];
    zt_stats stats;
    uint64_t checksum;
} frame_times;

static zt_result measure(const bench_options *o, zt_renderer *renderer, const zt_scene *scene,
                         const zt_image *image, frame_times *out, zt_error *err)
{
    const int64_t count = zt_scene_frame_count(scene);
    for (int32_t i = 0; i < o->repeats + BENCH_WARM_UP; i++) {
        // Two frames in turns: what moves is not kept.
        const int64_t frame = zt_scene_frame(scene, i % (count < 2 ? count : 2));
        uint64_t before_ns[STAGES], after_ns;
        for (int32_t s = 0; s < STAGES; s++)
            (void)zt_renderer_stage(renderer, s, &before_ns[s]);
        const uint64_t start = bench_now_ns();
        ZT_TRY(zt_render(renderer, scene, frame, image, err));
        const uint64_t took = bench_now_ns() - start;
        if (i < BENCH_WARM_UP)
            continue;
        zt_renderer_stats(renderer, &out->stats);
        bench_add(&out->whole, took);
        for (int32_t s = 0; s < STAGES; s++) {
            (void)zt_renderer_stage(renderer, s, &after_ns);
            bench_add(&out->stage[s], after_ns - before_ns[s]);
        }
    }
    out->checksum = zt_image_hash(image);
    return ZT_OK;
}

static void report(const bench_options *o, const frame_case *c, const frame_times *t)
{
    char name[64], who[32];
    snprintf(who, sizeof who, "%d threads", (int)c->threads);
    snprintf(name, sizeof name, "frame_%d_samples", (int)c->samples);
    bench_report(o, name, who, "ms", 1e-6, &t->whole, t->checksum);
    for (int32_t s = 0; s < STAGES; s++) {
        if (bench_min(&t->stage[s]) <= 0.0) // stages that zt_render does not have
            continue;
        snprintf(name, sizeof name, "frame_%d_samples_%s", (int)c->samples,
                 zt_renderer_stage(NULL, s, NULL));
        bench_report(o, name, who, "ms", 1e-6, &t->stage[s], t->checksum);
    }
    bench_series memory = {.ns = {(double)t->stats.frame_memory}, .count = 1};
    snprintf(name, sizeof name, "frame_%d_samples_memory", (int)c->samples);
    bench_report(o, name, who, "MB", 1e-6, &memory, t->checksum);
}

static zt_result run_case(const bench_options *o, const frame_case *c, zt_error *err)
{
    static frame_times times;
    OWN_SCENE *scene = NULL;
    OWN_RENDERER *renderer = NULL;
    OWN_IMAGE image = {0};
    zt_load_def load = zt_default_load_def();
    zt_shot_def shot = zt_default_shot_def();
    zt_renderer_def def = zt_default_renderer_def();
    shot.width = WIDTH;
    shot.height = HEIGHT;
    shot.samples = c->samples;
    def.threads = c->threads;
    memset(&times, 0, sizeof times);
    ZT_TRY(zt_scene_load(c->path, &load, &scene, err));
    ZT_TRY(zt_scene_apply(scene, &shot, err));
    ZT_TRY(zt_renderer_create(&def, &renderer, err));
    ZT_TRY(zt_image_init(&image, WIDTH, HEIGHT, NULL, err));
    ZT_TRY(measure(o, renderer, scene, &image, &times, err));
    report(o, c, &times);
    return ZT_OK;
}

/// A filter may name a case or one of its stages: frame_8, or frame_8_samples_raster.
static bool is_wanted(const bench_options *o, int32_t samples)
{
    char name[32];
    snprintf(name, sizeof name, "frame_%d_samples", (int)samples);
    return !o->filter || strstr(name, o->filter) || strstr(o->filter, name) ||
           strncmp(o->filter, "frame_", 6) != 0;
}

int main(int argc, char **argv)
{
    bench_options o;
    if (!bench_options_read(argc, argv, &o))
        return 2;
    const int32_t cores = (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
    for (int32_t samples = 1; samples <= 8; samples *= 8)
        for (int32_t threads = 1; is_wanted(&o, samples);
             threads = threads * 2 < cores ? threads * 2 : cores) {
            zt_error err = {ZT_OK, ""};
            const frame_case c = {.path = o.model ? o.model : ZT_SOURCE_DIR "/scenes/walk.yaml",
                                  .samples = samples,
                                  .threads = threads};
            const zt_result result = run_case(&o, &c, &err);
            if (result != ZT_OK) {
                fprintf(stderr, "%s\n", err.message);
                return (int)result;
            }
            if (threads >= cores)
                break;
        }
    return 0;
}
