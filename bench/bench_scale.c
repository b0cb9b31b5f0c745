// SPDX-License-Identifier: MIT
// Growth of time and memory with the work:
//
//     bench_scale [--quick] [--only SERIES] [--threads N] >results
//
// One line of JSON a point. Every point is measured in a process of its own, so that its peak of
// memory (wait4) is its own too; the lines of a series differ in x alone. `frame_ms` is the least
// time of a frame by the clock, `cpu_ms` the least processor time of all threads, `first_ms` the
// first frame, framing included, `load_ms` and `load_cpu_ms` loading and
// placing the models, `frame_mib` what the
// renderer holds for frames, `peak_mib` the whole process, and `asked` how many times the renderer
// asked the system for memory after its second frame, `asked_first` until then.
#define _DEFAULT_SOURCE // wait4
#include "base/error.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SCALE_MODELS_MAX = 1000 };

typedef struct scale_point {
    const char *series;
    double x;
    char path[512];         ///< a scene, or the model that is placed
    int32_t width, height;  ///< of the picture
    int32_t models, places; ///< > 0: how often the model is loaded, and how often each is placed
    int32_t lights;         ///< > 0: so many instead of the scene's
    int32_t frames;         ///< of the shot; 0 = as the scene says
    int32_t samples, threads;
    bool sequence; ///< rendered to files
} scale_point;

typedef struct scale_scene {
    zt_scene *scene;
    zt_model *model[SCALE_MODELS_MAX];
} scale_scene;

/// A ball of about `triangles` triangles, written once; its real number is that of the statistics.
static bool ball_file(double triangles, char *path, size_t size)
{
    char command[1400];
    const int down = (int)(sqrt(triangles / 4.0) + 1.5), around = 2 * (down - 1);
    snprintf(path, size, "%s/ball_%.0f.glb", ZT_BENCH_SCENES, triangles);
    if (access(path, R_OK) == 0)
        return true;
    snprintf(command, sizeof command, "'%s' '%s' ball_%.0f.glb %d %d", ZT_BENCH_MODELS,
             ZT_BENCH_SCENES, triangles, around, down);
    if (system(command) == 0)
        return true;
    fprintf(stderr, "bench_scale: %s failed\n", command);
    return false;
}

/// The character's scene under n lights, all of the same kind from all around.
static bool lights_file(int32_t lights, char *path, size_t size)
{
    snprintf(path, size, "%s/lights_%d.yaml", ZT_BENCH_SCENES, (int)lights);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "format: 1\n"
                  "models:\n"
                  "  - { file: character.glb, animation: { clip: dance } }\n"
                  "camera: { look_at: { position: [0.45, 1.25, 3.6], target: [0, 0.93, 0] }, "
                  "fov: 28.05 }\n"
                  "environment: { color: [0.3, 0.3, 0.3] }\n"
                  "lights:\n");
    for (int32_t i = 0; i < lights; i++)
        fprintf(file, "  - { directional: { direction: [%.3f, -1, %.3f], lux: %.3f } }\n",
                sin(2.4 * i), cos(2.4 * i), 4.0 / lights);
    return fclose(file) == 0;
}

/// Writes the model that a point needs, unless it is there. False and a line on stderr on failure.
static bool scale_point_make(const char *series, double x, scale_point *out)
{
    *out = (scale_point){.series = series, .x = x, .width = 1920, .height = 1080, .samples = 1};
    snprintf(out->path, sizeof out->path, "%s/character.yaml", ZT_BENCH_SCENES);
    if (strcmp(series, "triangles_mesh") == 0) {
        out->models = out->places = 1;
        return ball_file(x, out->path, sizeof out->path);
    }
    if (strcmp(series, "triangles_instances") == 0) {
        out->models = 1;
        out->places = (int32_t)(x / 1e3);
        return ball_file(1e3, out->path, sizeof out->path);
    }
    if (strcmp(series, "models") == 0) {
        out->models = (int32_t)x;
        out->places = 1;
        return ball_file(1e3, out->path, sizeof out->path);
    }
    if (strcmp(series, "lights") == 0)
        return lights_file((int32_t)x, out->path, sizeof out->path);
    if (strcmp(series, "pixels") == 0) {
        const bool square = x <= 1024.0 * 1024.0;
        out->width = (int32_t)(square ? sqrt(x) : sqrt(x * 16.0 / 9.0) + 0.5);
        out->height = (int32_t)(x / out->width + 0.5);
    } else if (strcmp(series, "frames") == 0) {
        out->width = out->height = 64;
        out->frames = (int32_t)x;
        out->sequence = true;
    } else if (strcmp(series, "threads_one_frame") == 0) {
        out->threads = (int32_t)x;
        out->samples = 4;
    } else if (strcmp(series, "threads_sequence") == 0) {
        out->threads = (int32_t)x;
        out->samples = 4;
        out->frames = 32;
        out->sequence = true;
    }
    return true;
}

/// Places `count` balls, from the `first` on, in a square of `total` that fills the picture.
static zt_result place(zt_scene *scene, const zt_model *model, int32_t first, int32_t count,
                       int32_t total, zt_error *err)
{
    const int32_t side = (int32_t)ceil(sqrt((double)total));
    for (int32_t i = first; i < first + count; i++) {
        const float at[3] = {2.0f * (float)(i % side), 2.0f * (float)(i / side), 0.0f};
        zt_instance_def def = zt_default_instance_def();
        def.model = model;
        for (int k = 0; k < 12; k++)
            def.world_from_model[k] = k % 4 == 3 ? at[k / 4] : k % 5 == 0 ? 1.0f : 0.0f;
        ZT_TRY(zt_scene_add_instance(scene, &def, err));
    }
    return ZT_OK;
}

static zt_result load_models(const scale_point *p, scale_scene *out, zt_error *err)
{
    const zt_load_def load = zt_default_load_def();
    ZT_TRY(zt_scene_create(&load, &out->scene, err));
    for (int32_t i = 0; i < p->models; i++) {
        ZT_TRY(zt_model_load(p->path, &load, &out->model[i], err));
        ZT_TRY(
            place(out->scene, out->model[i], i * p->places, p->places, p->models * p->places, err));
    }
    return ZT_OK;
}

static zt_result scale_scene_load(const scale_point *p, scale_scene *out, zt_error *err)
{
    const zt_load_def load = zt_default_load_def();
    zt_shot_def shot = zt_default_shot_def();
    ZT_TRY(p->models > 0 ? load_models(p, out, err)
                         : zt_scene_load(p->path, &load, &out->scene, err));
    shot.width = p->width;
    shot.height = p->height;
    shot.samples = p->samples;
    if (p->models > 0) {
        shot.azimuth_deg = 0.0;
        shot.elevation_deg = 0.0;
    }
    if (p->frames > 0)
        shot.turntable_count = p->frames; // as many frames as asked for, whatever the clip lasts
    return zt_scene_apply(out->scene, &shot, err);
}

typedef struct scale_options {
    bool quick;
    const char *only;
    int32_t threads;
} scale_options;

typedef struct scale_result {
    double load_ms, load_cpu_ms, first_ms, frame_ms, cpu_ms, frame_mib;
    int64_t asked, asked_first, triangles, frames;
    zt_error error;
} scale_result;

static atomic_llong asked;

static void *counted_alloc(void *user, size_t size, size_t align)
{
    (void)user;
    atomic_fetch_add(&asked, 1);
    return aligned_alloc(align, (size + align - 1) / align * align);
}

static void counted_free(void *user, void *pointer, size_t size)
{
    (void)user;
    (void)size;
    free(pointer);
}

static double clock_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/// Frames one at a time, until there are enough of them for a minimum.
static zt_result measure_frames(const scale_options *o, zt_renderer *renderer,
                                const zt_scene *scene, const zt_image *image, scale_result *out)
{
    const int32_t least = o->quick ? 2 : 4;
    const double enough_ms = o->quick ? 100.0 : 1500.0;
    const int64_t count = zt_scene_frame_count(scene);
    double spent = 0.0;
    for (int64_t i = 0; i < least + 2 || (spent < enough_ms && i < 200); i++) {
        if (i == 2)
            out->asked_first = (int64_t)atomic_exchange(&asked, 0);
        const int64_t frame = zt_scene_frame(scene, i % (count < 2 ? count : 2));
        const double start = clock_ms(CLOCK_MONOTONIC);
        const double start_cpu = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
        ZT_TRY(zt_render(renderer, scene, frame, image, &out->error));
        const double took = clock_ms(CLOCK_MONOTONIC) - start;
        const double cpu = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - start_cpu;
        spent += took;
        if (i == 0)
            out->first_ms = took;
        out->frame_ms = i == 0 || took < out->frame_ms ? took : out->frame_ms;
        out->cpu_ms = i == 0 || cpu < out->cpu_ms ? cpu : out->cpu_ms;
    }
    out->asked = (int64_t)atomic_load(&asked);
    out->frames = 1;
    return ZT_OK;
}

/// All frames of the shot into files, as a sequence; times are of the whole.
static zt_result measure_sequence(zt_renderer *renderer, const zt_scene *scene, const char *folder,
                                  scale_result *out)
{
    char pattern[1024];
    zt_sequence_def def = zt_default_sequence_def();
    snprintf(pattern, sizeof pattern, "%s/sequence/{frame:5}.png", folder);
    def.pattern = pattern;
    const double start = clock_ms(CLOCK_MONOTONIC);
    const double start_cpu = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
    const zt_result result = zt_render_sequence(renderer, scene, &def, &out->error);
    out->frame_ms = clock_ms(CLOCK_MONOTONIC) - start;
    out->cpu_ms = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - start_cpu;
    out->first_ms = out->frame_ms;
    out->frames = zt_scene_frame_count(scene);
    return result;
}

static zt_result measure(const scale_options *o, const scale_point *p, scale_result *out)
{
    static const zt_allocator allocator = {counted_alloc, counted_free, NULL};
    zt_renderer_def def = zt_default_renderer_def();
    zt_renderer *renderer = NULL;
    zt_image image = {0};
    scale_scene s = {0};
    int32_t width = 0, height = 0;
    def.threads = p->threads > 0 ? p->threads : o->threads;
    def.allocator = &allocator;
    const double start = clock_ms(CLOCK_MONOTONIC);
    const double start_cpu = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
    ZT_TRY(scale_scene_load(p, &s, &out->error));
    out->load_ms = clock_ms(CLOCK_MONOTONIC) - start;
    out->load_cpu_ms = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - start_cpu;
    ZT_TRY(zt_renderer_create(&def, &renderer, &out->error));
    zt_scene_size(s.scene, &width, &height);
    ZT_TRY(zt_image_init(&image, width, height, NULL, &out->error));
    ZT_TRY(p->sequence ? measure_sequence(renderer, s.scene, ZT_BENCH_SCENES, out)
                       : measure_frames(o, renderer, s.scene, &image, out));
    zt_stats stats;
    zt_renderer_stats(renderer, &stats);
    out->frame_mib = (double)stats.frame_memory / 1048576.0;
    out->triangles = stats.frames > 0 ? stats.triangles / stats.frames : 0;
    return ZT_OK; // the process ends here, and all of it with it
}

/// Runs one point in a child and prints its line. A point that fails says why and is left out.
static bool run_point(const scale_options *o, const scale_point *p)
{
    int ends[2];
    scale_result r = {0};
    struct rusage used;
    int status = 0;
    fflush(stdout);
    if (pipe(ends) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        r.error.code = measure(o, p, &r);
        const bool sent = write(ends[1], &r, sizeof r) == (ssize_t)sizeof r;
        _exit(sent ? 0 : 1);
    }
    close(ends[1]);
    const bool got = child > 0 && read(ends[0], &r, sizeof r) == (ssize_t)sizeof r;
    close(ends[0]);
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return false;
    if (!got || r.error.code != ZT_OK) {
        fprintf(stderr, "bench_scale: %s at %.0f: %s\n", p->series, p->x,
                got ? r.error.message : "the process ended early");
        return false;
    }
    printf("{\"series\":\"%s\",\"x\":%.0f,\"frame_ms\":%.4f,\"cpu_ms\":%.4f,\"first_ms\":%.3f,"
           "\"load_ms\":%.3f,\"load_cpu_ms\":%.3f,\"frame_mib\":%.3f,\"peak_mib\":%.2f,\"asked_"
           "first\":%lld,"
           "\"asked\":%lld,\"triangles\":%lld,\"frames\":%lld,\"threads\":%d}\n",
           p->series, p->x, r.frame_ms, r.cpu_ms, r.first_ms, r.load_ms, r.load_cpu_ms, r.frame_mib,
           (double)used.ru_maxrss / 1024.0, (long long)r.asked_first, (long long)r.asked,
           (long long)r.triangles, (long long)r.frames,
           (int)(p->threads > 0 ? p->threads : o->threads));
    fflush(stdout);
    return true;
}

static bool run_series(const scale_options *o, const char *series, const double *x, int count)
{
    bool ok = true;
    if (o->only && strcmp(o->only, series) != 0)
        return true;
    for (int i = 0; i < count; i++) {
        scale_point p;
        ok = scale_point_make(series, x[i], &p) && run_point(o, &p) && ok;
    }
    return ok;
}

#define SERIES(name, ...)                                                                          \
    do {                                                                                           \
        static const double x_[] = {__VA_ARGS__};                                                  \
        const int all_ = (int)(sizeof x_ / sizeof *x_);                                            \
        ok = run_series(&o, (name), x_, o.quick ? all_ - 1 : all_) && ok;                          \
    } while (0)

int main(int argc, char **argv)
{
    const int32_t cores = (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
    scale_options o = {.threads = cores};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            o.quick = true;
        else if (i + 1 < argc && strcmp(argv[i], "--only") == 0)
            o.only = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--threads") == 0)
            o.threads = atoi(argv[++i]);
        else {
            fprintf(stderr, "usage: bench_scale [--quick] [--only SERIES] [--threads N]\n");
            return 2;
        }
    }
    bool ok = true;
    SERIES("triangles_mesh", 1e3, 1e4, 1e5, 1e6, 1e7);
    SERIES("triangles_instances", 1e3, 1e4, 1e5, 1e6, 1e7);
    SERIES("pixels", 64. * 64, 256. * 256, 1024. * 1024, 1920. * 1080, 3840. * 2160, 7680. * 4320);
    SERIES("frames", 1, 10, 100, 1000);
    SERIES("lights", 1, 2, 4, 8, 16);
    SERIES("models", 1, 10, 100, 1000);
    double threads[64];
    int count = 0;
    for (int32_t t = 1; count < 64; t = t * 2 < cores ? t * 2 : cores) {
        threads[count++] = t;
        if (t >= cores)
            break;
    }
    ok = run_series(&o, "threads_one_frame", threads, count) && ok;
    ok = run_series(&o, "threads_sequence", threads, count) && ok;
    return ok ? 0 : 1;
}
