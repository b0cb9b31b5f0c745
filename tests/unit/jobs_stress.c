// SPDX-License-Identifier: MIT
/// Threads for the thread sanitizer, in a program that it can start: loops that write plain memory
/// belonging to an index or to a worker and read it afterwards, pools made and ended with idle,
/// busy and shared callers, renderers that draw one model at the same time, and sequences whose
/// frames are spread over workers or gathered.
///   jobs_stress MODEL
#include "own.h"
#include "render/renderer.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { INDEX_COUNT = 300, WORKER_LIMIT = 8, RENDERER_COUNT = 3, SIZE = 48 };

static int failures;

static void expect(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "jobs_stress: not so: %s\n", what);
        failures++;
    }
}

/// Not one atomic: the pool alone must order what workers write and the caller reads.
typedef struct tally {
    int64_t by_index[INDEX_COUNT];
    int64_t by_worker[WORKER_LIMIT];
} tally;

static void count(void *user, int64_t index, int32_t worker)
{
    tally *t = user;
    t->by_index[index] += index;
    t->by_worker[worker]++;
}

static void check_tally(const tally *t, int64_t rounds)
{
    int64_t runs = 0;
    for (int w = 0; w < WORKER_LIMIT; w++)
        runs += t->by_worker[w];
    expect(runs == rounds * INDEX_COUNT, "each index ran once in each loop");
    for (int64_t i = 0; i < INDEX_COUNT; i++)
        expect(t->by_index[i] == rounds * i, "what an index wrote is seen by the next loop");
}

static void loops_in_a_row(void)
{
    for (int32_t threads = 1; threads < WORKER_LIMIT; threads++) {
        OWN_POOL *pool = NULL;
        static tally t;
        memset(&t, 0, sizeof t);
        expect(job_pool_create(threads, &pool, NULL) == ZT_OK, "a pool is made");
        for (int round = 1; round <= 100; round++) {
            if (round % 2 == 0)
                job_pool_run(pool, INDEX_COUNT, count, &t);
            else
                job_pool_run_split(pool, INDEX_COUNT, count, &t);
            check_tally(&t, round);
        }
    }
}

/// Jobs with loops of their own, in which those help that have nothing left.
typedef struct outer_job {
    job_pool *pool;
    tally tally; ///< of the loop within
} outer_job;

static void run_helped(void *user, int64_t index, int32_t worker)
{
    outer_job *job = (outer_job *)user + index;
    (void)worker;
    for (int64_t round = 1; round <= 1 + index; round++) {
        job_pool_run_helped(job->pool, INDEX_COUNT, count, &job->tally);
        check_tally(&job->tally, round);
    }
}

static void loops_within_loops(void)
{
    enum { JOB_COUNT = 20 };
    static outer_job jobs[JOB_COUNT];
    OWN_POOL *pool = NULL;
    expect(job_pool_create(4, &pool, NULL) == ZT_OK, "a pool is made");
    for (int i = 0; i < JOB_COUNT; i++)
        jobs[i].pool = pool;
    job_pool_run(pool, JOB_COUNT, run_helped, jobs);
}

static void short_lives(void)
{
    for (int i = 0; i < 100; i++) {
        OWN_POOL *pool = NULL;
        static tally t;
        memset(&t, 0, sizeof t);
        expect(job_pool_create(1 + i % 5, &pool, NULL) == ZT_OK, "a pool is made");
        if (i % 3 > 0) {
            job_pool_run(pool, INDEX_COUNT, count, &t);
            check_tally(&t, 1);
        }
    }
}

/// A thread that is not of the pool and calls it together with another one.
typedef struct caller {
    job_pool *pool;
    tally tally;
} caller;

static void *call_pool(void *argument)
{
    caller *c = argument;
    for (int round = 1; round <= 50; round++) {
        if (round % 2 == 0)
            job_pool_run(c->pool, INDEX_COUNT, count, &c->tally);
        else
            job_pool_run_split(c->pool, INDEX_COUNT, count, &c->tally);
        check_tally(&c->tally, round);
    }
    return NULL;
}

static void two_callers(void)
{
    static caller callers[2];
    OWN_POOL *pool = NULL;
    expect(job_pool_create(3, &pool, NULL) == ZT_OK, "a pool is made");
    pthread_t other;
    callers[0].pool = callers[1].pool = pool;
    expect(pthread_create(&other, NULL, call_pool, &callers[0]) == 0, "a thread starts");
    call_pool(&callers[1]);
    pthread_join(other, NULL);
}

/// A renderer and a scene of its own, with a model that others draw too.
typedef struct artist {
    const zt_model *model;
    uint64_t hash;
    zt_result result;
} artist;

static zt_result draw(artist *a)
{
    OWN_SCENE *scene = NULL;
    OWN_RENDERER *renderer = NULL;
    OWN_IMAGE image = {0};
    const zt_load_def load = zt_default_load_def();
    zt_instance_def instance = zt_default_instance_def();
    zt_shot_def shot = zt_default_shot_def();
    zt_renderer_def threads = zt_default_renderer_def();
    instance.model = a->model;
    instance.clip = zt_model_clip_count(a->model) > 0 ? 0 : -1;
    shot.width = shot.height = SIZE;
    threads.threads = 3;
    ZT_TRY(zt_scene_create(&load, &scene, NULL));
    ZT_TRY(zt_scene_add_instance(scene, &instance, NULL));
    ZT_TRY(zt_scene_apply(scene, &shot, NULL));
    ZT_TRY(zt_renderer_create(&threads, &renderer, NULL));
    ZT_TRY(zt_image_init(&image, SIZE, SIZE, NULL, NULL));
    for (int64_t frame = 0; frame < 4; frame++)
        ZT_TRY(zt_render(renderer, scene, frame, &image, NULL));
    a->hash = zt_image_hash(&image);
    return ZT_OK;
}

static void *run_artist(void *argument)
{
    artist *a = argument;
    a->result = draw(a);
    return NULL;
}

static void renderers_share_a_model(const char *path)
{
    const zt_load_def load = zt_default_load_def();
    OWN_MODEL *model = NULL;
    zt_error err = {0};
    if (zt_model_load(path, &load, &model, &err) != ZT_OK) {
        expect(false, err.message);
        return;
    }
    pthread_t threads[RENDERER_COUNT];
    artist artists[RENDERER_COUNT];
    for (int i = 0; i < RENDERER_COUNT; i++) {
        artists[i] = (artist){.model = model};
        expect(pthread_create(&threads[i], NULL, run_artist, &artists[i]) == 0, "a thread starts");
    }
    for (int i = 0; i < RENDERER_COUNT; i++) {
        pthread_join(threads[i], NULL);
        expect(artists[i].result == ZT_OK, "a picture is drawn");
        expect(artists[i].hash == artists[0].hash, "all draw the same picture");
    }
}

static bool count_report(void *user, const zt_frame_report *report)
{
    int64_t *count = user;
    expect(report->done == ++*count, "reports come in order");
    remove(report->path);
    return true;
}

static void sequences(const char *path)
{
    const zt_load_def load = zt_default_load_def();
    zt_shot_def shot = zt_default_shot_def();
    OWN_SCENE *scene = NULL;
    shot.width = shot.height = SIZE;
    shot.turntable_count = 11;
    if (zt_scene_load(path, &load, &scene, NULL) != ZT_OK ||
        zt_scene_apply(scene, &shot, NULL) != ZT_OK) {
        expect(false, "a scene is loaded");
        return;
    }
    for (int32_t threads = 2; threads <= 5; threads += 3) {
        for (int schedule = 0; schedule < 3; schedule++) {
            zt_renderer_def def = zt_default_renderer_def();
            zt_sequence_def sequence = zt_default_sequence_def();
            OWN_RENDERER *renderer = NULL;
            int64_t count = 0;
            char pattern[64];
            snprintf(pattern, sizeof pattern, "jobs_stress-%ld-####.png", (long)getpid());
            def.threads = threads;
            sequence.pattern = pattern;
            sequence.progress = count_report;
            sequence.progress_user = &count;
            expect(zt_renderer_create(&def, &renderer, NULL) == ZT_OK, "a renderer is made");
            renderer->schedule = (frame_schedule)schedule;
            expect(zt_render_sequence(renderer, scene, &sequence, NULL) == ZT_OK,
                   "frames are drawn");
            expect(count == 11, "every frame is reported");
        }
    }
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 2) {
        fprintf(stderr, "usage: jobs_stress MODEL\n");
        return 2;
    }
    loops_in_a_row();
    loops_within_loops();
    short_lives();
    two_callers();
    renderers_share_a_model(arguments[1]);
    sequences(arguments[1]);
    return failures > 0 ? 1 : 0;
}
