// SPDX-License-Identifier: MIT
// Our renderer against Mesa llvmpipe on the same work, frame by frame in turns in one process:
//
//     bench_peer [--threads N] [--repeat N] [--isa NAME]... [--case TEXT] [--out DIR] [--json]
//                [--srgb-target] [SCENE]...
//
// Without scenes it draws the benchmarks' own. Both sides start from posed matrices' inputs (a
// scene and a frame number) and end with 1920x1080 RGBA8 sRGB pixels in memory. --out writes both
// pictures of each case. The process is pinned to as many cores as there are threads.
#define _GNU_SOURCE // sched_setaffinity
#include "base/error.h"
#include "bench_timing.h"
#include "llvmpipe_context.h"
#include "llvmpipe_renderer.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WIDTH = 1920,
    HEIGHT = 1080,
    FIRST_FRAME = 8,
    LEAST_PSNR_DB = 35, ///< below it the pictures differ in more than rounding and filtering
    FRAMES = 4,         ///< frames drawn in turn, so that nothing can be kept from the last one
    ISAS_MAX = 4,
    SCENES_MAX = 16,
};

typedef struct peer_options {
    bench_options report;
    int32_t threads, repeats;
    zt_isa isa[ISAS_MAX];
    int32_t isa_count;
    const char *only, *out, *scene[SCENES_MAX];
    int32_t scene_count;
    bool encode;
} peer_options;

typedef struct peer_case {
    char name[64];
    const char *path;
    int32_t samples;
    bool alone; ///< of ours only: the peer does not draw it
} peer_case;

/// One case while it runs: ours, once per instruction set, and the peer.
typedef struct contest {
    zt_scene *scene;
    peer_scene *peer_scene;
    llvmpipe_renderer *peer;
    zt_renderer *ours[ISAS_MAX];
    zt_image picture;
    uint8_t *pixels;                             ///< the peer's
    bench_series ours_time[ISAS_MAX], peer_time; ///< by the clock
    bench_series ours_cpu[ISAS_MAX], peer_cpu;   ///< of all threads together
} contest;

static bool read_options(int argc, char **argv, peer_options *o)
{
    *o = (peer_options){.threads = 2, .repeats = 20, .encode = true};
    for (int i = 1; i < argc; i++) {
        const bool more = i + 1 < argc;
        if (strcmp(argv[i], "--json") == 0)
            o->report.json = true;
        else if (strcmp(argv[i], "--srgb-target") == 0)
            o->encode = false;
        else if (more && strcmp(argv[i], "--threads") == 0)
            o->threads = atoi(argv[++i]);
        else if (more && strcmp(argv[i], "--repeat") == 0)
            o->repeats = atoi(argv[++i]);
        else if (more && strcmp(argv[i], "--case") == 0)
            o->only = argv[++i];
        else if (more && strcmp(argv[i], "--out") == 0)
            o->out = argv[++i];
        else if (more && strcmp(argv[i], "--isa") == 0 && o->isa_count < ISAS_MAX &&
                 zt_isa_from_name(argv[i + 1], &o->isa[o->isa_count])) {
            o->isa_count++;
            i++;
        } else if (argv[i][0] != '-' && o->scene_count < SCENES_MAX)
            o->scene[o->scene_count++] = argv[i];
        else {
            fprintf(stderr,
                    "unknown argument %s (expected --threads N, --repeat N, --isa NAME, "
                    "--case TEXT, --out DIR, --json, --srgb-target or scenes)\n",
                    argv[i]);
            return false;
        }
    }
    if (o->isa_count == 0) {
        o->isa[o->isa_count++] = ZT_ISA_AVX2;
        if (zt_isa_available(ZT_ISA_AVX512))
            o->isa[o->isa_count++] = ZT_ISA_AVX512;
    }
    return o->threads >= 1 && o->repeats >= 1 && o->repeats * FRAMES <= BENCH_REPEATS_MAX;
}

/// The first `count` cores that this process may use: what both sides have, and no more.
static void pin(int32_t count)
{
    cpu_set_t allowed, chosen;
    CPU_ZERO(&chosen);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    for (size_t i = 0; i < CPU_SETSIZE && count > 0; i++)
        if (CPU_ISSET(i, &allowed)) {
            CPU_SET(i, &chosen);
            count--;
        }
    sched_setaffinity(0, sizeof chosen, &chosen);
}

static zt_result contest_start(const peer_options *o, const peer_case *c, contest *t, zt_error *err)
{
    const zt_load_def load = zt_default_load_def();
    zt_shot_def shot = zt_default_shot_def();
    shot.width = WIDTH;
    shot.height = HEIGHT;
    shot.samples = c->samples;
    ZT_TRY(zt_scene_load(c->path, &load, &t->scene, err));
    ZT_TRY(zt_scene_apply(t->scene, &shot, err));
    ZT_TRY(zt_image_init(&t->picture, WIDTH, HEIGHT, NULL, err));
    for (int32_t i = 0; i < o->isa_count; i++) {
        zt_renderer_def def = zt_default_renderer_def();
        def.threads = o->threads;
        def.max_isa = o->isa[i];
        ZT_TRY(zt_renderer_create(&def, &t->ours[i], err));
    }
    if (c->alone)
        return ZT_OK;
    ZT_TRY(peer_scene_build(t->scene, &t->peer_scene, err));
    t->pixels = aligned_alloc(64, (size_t)WIDTH * HEIGHT * 4); // as zt_image_init does
    t->peer = llvmpipe_renderer_create(t->peer_scene, o->encode);
    if (!t->pixels || !t->peer)
        return zt_fail(err, ZT_ERR_INTERNAL, "%s: the peer cannot draw it", c->path);
    return ZT_OK;
}

static void contest_finish(const peer_options *o, contest *t)
{
    llvmpipe_renderer_destroy(t->peer);
    peer_scene_destroy(t->peer_scene);
    for (int32_t i = 0; i < o->isa_count; i++)
        zt_renderer_destroy(t->ours[i]);
    zt_image_finish(&t->picture);
    zt_scene_destroy(t->scene);
    free(t->pixels);
}

/// Starts of a measurement: the clock, and the processor time of this process.
typedef struct moment {
    uint64_t clock, cpu;
} moment;

static moment now(void)
{
    struct timespec cpu;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    return (moment){bench_now_ns(), (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec};
}

static void add(bench_series *clock, bench_series *cpu, moment start)
{
    const moment end = now();
    bench_add(clock, end.clock - start.clock);
    bench_add(cpu, end.cpu - start.cpu);
}

/// One frame by everybody, in turns.
static zt_result contest_round(const peer_options *o, contest *t, int64_t frame, bool timed,
                               zt_error *err)
{
    for (int32_t i = 0; i < o->isa_count; i++) {
        const moment start = now();
        ZT_TRY(zt_render(t->ours[i], t->scene, frame, &t->picture, err));
        if (timed)
            add(&t->ours_time[i], &t->ours_cpu[i], start);
    }
    if (!t->peer)
        return ZT_OK;
    peer_frame posed;
    ZT_TRY(peer_scene_frame(t->peer_scene, frame, &posed, err));
    const moment start = now();
    llvmpipe_render(t->peer, &posed, t->pixels);
    if (timed)
        add(&t->peer_time, &t->peer_cpu, start);
    return ZT_OK;
}

typedef struct likeness {
    double psnr_db;    ///< over the pixels that are not background in both pictures
    double covered;    ///< part of the picture that is not background
    int32_t different; ///< per mille of the covered pixels that differ by more than 16 codes
} likeness;

static double srgb_of(float linear)
{
    const double x = (double)linear;
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
}

/// Peak signal-to-noise ratio of the RGB codes, where there is something to see: a background that
/// agrees would flatter it.
static likeness compare(const zt_image *ours, const uint8_t *theirs, const float background[3])
{
    uint8_t empty[3];
    for (int k = 0; k < 3; k++)
        empty[k] = (uint8_t)(255.0 * srgb_of(background[k]) + 0.5);
    double squares = 0.0;
    int64_t covered = 0, far_off = 0;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        const uint8_t *a = ours->rgba8 + i * 4, *b = theirs + i * 4;
        if (memcmp(a, empty, 3) == 0 && memcmp(b, empty, 3) == 0)
            continue;
        int32_t most = 0;
        for (int k = 0; k < 3; k++) {
            const int32_t d = abs(a[k] - b[k]);
            squares += (double)d * d;
            most = d > most ? d : most;
        }
        covered++;
        far_off += most > 16;
    }
    const double pixels = covered > 0 ? (double)covered : 1.0, mean = squares / (3.0 * pixels);
    return (likeness){.psnr_db = mean > 0.0 ? 10.0 * log10(255.0 * 255.0 / mean) : 99.0,
                      .covered = (double)covered / ((double)WIDTH * HEIGHT),
                      .different = (int32_t)(1000.0 * (double)far_off / pixels)};
}

static zt_result write_pictures(const peer_options *o, const peer_case *c, const contest *t,
                                zt_error *err)
{
    char path[1024];
    zt_image theirs = t->picture;
    theirs.rgba8 = t->pixels;
    theirs.stride = (size_t)WIDTH * 4;
    snprintf(path, sizeof path, "%s/%s.ours.png", o->out, c->name);
    ZT_TRY(zt_image_write(path, &t->picture, NULL, err));
    snprintf(path, sizeof path, "%s/%s.llvmpipe.png", o->out, c->name);
    return zt_image_write(path, &theirs, NULL, err);
}

/// The clock's line, and the processor's under the same name with "_cpu" at the end.
static void report_one(const peer_options *o, const peer_case *c, const char *who,
                       const bench_series *clock, const bench_series *cpu, uint64_t hash)
{
    char name[80];
    bench_report(&o->report, c->name, who, "ms", 1e-6, clock, hash);
    snprintf(name, sizeof name, "%s_cpu", c->name);
    bench_report(&o->report, name, who, "ms", 1e-6, cpu, hash);
}

static void report_ours(const peer_options *o, const peer_case *c, const contest *t)
{
    for (int32_t i = 0; i < o->isa_count; i++) {
        char who[48];
        snprintf(who, sizeof who, "zoetrope %s", zt_isa_name(zt_renderer_isa(t->ours[i])));
        report_one(o, c, who, &t->ours_time[i], &t->ours_cpu[i], zt_image_hash(&t->picture));
    }
}

/// False when the pictures are not alike: then the times do not compare either.
static bool report(const peer_options *o, const peer_case *c, const contest *t)
{
    report_ours(o, c, t);
    if (c->alone)
        return true;
    const likeness like = compare(&t->picture, t->pixels, t->peer_scene->background);
    report_one(o, c, "llvmpipe", &t->peer_time, &t->peer_cpu,
               bench_hash(t->pixels, (uint64_t)WIDTH * HEIGHT * 4));
    if (o->report.json) {
        printf("{\"case\":\"%s\",\"who\":\"picture\",\"threads\":%d,\"psnr_db\":%.2f,"
               "\"covered\":%.4f,\"far_off_per_mille\":%d}\n",
               c->name, (int)o->threads, like.psnr_db, like.covered, (int)like.different);
    } else {
        printf("%-30s covers %.1f %%, PSNR %.1f dB, %d per mille of it off by more than 16\n",
               c->name, 100.0 * like.covered, like.psnr_db, (int)like.different);
        for (int32_t i = 0; i < o->isa_count; i++)
            printf("%-30s llvmpipe / zoetrope %-8s %6.2f by the clock, %6.2f in processor time\n",
                   c->name, zt_isa_name(zt_renderer_isa(t->ours[i])),
                   bench_min(&t->peer_time) / bench_min(&t->ours_time[i]),
                   bench_min(&t->peer_cpu) / bench_min(&t->ours_cpu[i]));
    }
    fflush(stdout);
    return like.psnr_db >= LEAST_PSNR_DB;
}

static zt_result run_case(const peer_options *o, const peer_case *c, zt_error *err)
{
    static contest t;
    memset(&t, 0, sizeof t);
    zt_result result = contest_start(o, c, &t, err);
    for (int32_t i = -BENCH_WARM_UP; i < o->repeats && result == ZT_OK; i++)
        for (int32_t k = 0; k < FRAMES && result == ZT_OK; k++)
            result = contest_round(o, &t, FIRST_FRAME + k, i >= 0, err);
    if (result == ZT_OK && !report(o, c, &t))
        result = zt_fail(err, ZT_ERR_DIFFERENT, "the pictures differ: this was not the same work");
    if (o->out && !c->alone && (result == ZT_OK || result == ZT_ERR_DIFFERENT)) {
        const zt_result written = write_pictures(o, c, &t, err);
        result = result == ZT_OK ? written : result;
    }
    contest_finish(o, &t);
    return result;
}

static bool try_case(const peer_options *o, const char *name, const char *path, int32_t samples,
                     bool alone)
{
    peer_case c = {.path = path, .samples = samples, .alone = alone};
    snprintf(c.name, sizeof c.name, "%s_%dt", name, (int)o->threads);
    if (o->only && !strstr(c.name, o->only))
        return true;
    zt_error err = {ZT_OK, ""};
    if (run_case(o, &c, &err) == ZT_OK)
        return true;
    fprintf(stderr, "bench_peer: %s: %s\n", c.name, err.message);
    return false;
}

/// The file's name without folder and suffix.
static void stem(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(out, size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(out, '.');
    if (dot)
        *dot = 0;
}

int main(int argc, char **argv)
{
    peer_options o;
    if (!read_options(argc, argv, &o))
        return 2;
    pin(o.threads);
    if (!llvmpipe_start(o.threads))
        return 8;
    fprintf(stderr, "%s, %d thread%s\n", llvmpipe_name(), (int)o.threads, o.threads > 1 ? "s" : "");
    bool ok = true;
    for (int32_t i = 0; i < o.scene_count; i++) {
        char name[40];
        stem(o.scene[i], name, sizeof name);
        ok = try_case(&o, name, o.scene[i], 1, false) && ok;
    }
    if (o.scene_count == 0) {
        ok = try_case(&o, "character", ZT_BENCH_SCENES "/character.yaml", 1, false) && ok;
        ok = try_case(&o, "character_4_samples", ZT_BENCH_SCENES "/character.yaml", 4, false) && ok;
        ok = try_case(&o, "character_environment", ZT_BENCH_SCENES "/character_environment.yaml", 1,
                      false) &&
             ok;
        ok = try_case(&o, "character_shadow", ZT_BENCH_SCENES "/character_shadow.yaml", 1, false) &&
             ok;
        ok = try_case(&o, "character_all", ZT_BENCH_SCENES "/character_all.yaml", 1, true) && ok;
        ok = try_case(&o, "ball_1m", ZT_BENCH_SCENES "/ball.yaml", 1, false) && ok;
        ok = try_case(&o, "layers_16", ZT_BENCH_SCENES "/layers.yaml", 1, false) && ok;
    }
    llvmpipe_stop();
    return ok ? 0 : 1;
}
