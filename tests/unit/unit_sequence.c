// SPDX-License-Identifier: MIT
/// Sequences: the same files in the same order of reports however frames are shared out, and the
/// same failures at the same frame and the same memory limit.
#include "../kernels/random_inputs.h"
#include "counted_memory.h"
#include "drawing.h"
#include "render/frame_stats.h"
#include "render/renderer.h"
#include "test_folder.h"

#include <sys/stat.h>

/// Sanitizers, which take their time, look at a part of the combinations of threads and schedules.
enum { FRAMES = 9, SIDE = 96, STEP = ZT_RANDOM_SHARE > 1 ? 5 : 1 };

static zt_error err;

TestSuite(sequence, .init = test_folder_make, .fini = test_folder_remove);

static zt_scene *scene_open(int32_t side)
{
    zt_shot_def shot = sized_shot(side, side);
    shot.turntable_count = FRAMES;
    shot.shutter = "180"; // sequences do with sub-frames what they do without
    shot.subframes = "2";
    return load_scene(FIGURE_SCENE, &shot);
}

static zt_renderer *renderer_of(int32_t threads, frame_schedule schedule, uint64_t max_memory,
                                const zt_allocator *allocator)
{
    zt_renderer *renderer = NULL;
    zt_renderer_def def = zt_default_renderer_def();
    def.threads = threads;
    def.max_memory = max_memory;
    def.allocator = allocator;
    MUST(zt_renderer_create(&def, &renderer, &err), err);
    renderer->schedule = schedule;
    return renderer;
}

/// Reports of a run to its progress function.
typedef struct progress_log {
    int64_t reports, stop_after; ///< 0: never
    uint64_t hash[FRAMES];
    int skipped;
    bool in_order;
    bool takes_files; ///< they are gone once they were reported
} progress_log;

static bool on_frame(void *user, const zt_frame_report *r)
{
    progress_log *s = user;
    s->in_order = s->in_order && r->done == s->reports + 1 && access(r->path, F_OK) == 0;
    if (r->frame >= 0 && r->frame < FRAMES)
        s->hash[r->frame] = r->hash;
    s->skipped += r->skipped;
    if (s->takes_files)
        cr_assert_eq(unlink(r->path), 0);
    return ++s->reports != s->stop_after;
}

static zt_result run(zt_renderer *renderer, const zt_scene *scene, zt_sequence_def def,
                     progress_log *s)
{
    def.pattern = test_file("####.png");
    def.hash = true;
    def.progress = on_frame;
    def.progress_user = s;
    s->in_order = true;
    return zt_render_sequence(renderer, scene, &def, &err);
}

static uint64_t file_hash(int frame)
{
    uint64_t hash = 1;
    PRINTED(path, 1024, "%s/%04d.png", test_folder, frame);
    FILE *f = fopen(path, "rb");
    cr_assert(f, "%s", path);
    for (int c = fgetc(f); c != EOF; c = fgetc(f))
        hash = hash * 1099511628211u + (uint64_t)c;
    fclose(f);
    return hash;
}

static const int32_t thread_counts[] = {1, 2, 7, 16};
static const frame_schedule schedules[] = {SCHEDULE_AUTO, SCHEDULE_SPREAD, SCHEDULE_GATHERED};

Test(sequence, the_same_files_however_frames_are_shared_out)
{
    OWN_SCENE *scene = scene_open(SIDE);
    uint64_t want[FRAMES], files[FRAMES] = {0};
    OWN_RENDERER *alone = renderer_of(1, SCHEDULE_AUTO, 0, NULL);
    for (int i = 0; i < FRAMES; i++) {
        OWN_IMAGE image = draw_frame(alone, scene, i);
        want[i] = zt_image_hash(&image);
    }
    frame_stats first = {0};
    for (int k = 0; k < 12; k += STEP) {
        OWN_RENDERER *r = renderer_of(thread_counts[k / 3], schedules[k % 3], 0, NULL);
        progress_log log = {0};
        r->order = (job_order){JOB_ORDER_SHUFFLE, (uint32_t)k};
        zt_renderer_hash_stages(r, true);
        MUST(run(r, scene, zt_default_sequence_def(), &log), err);
        cr_assert(log.in_order && log.reports == FRAMES, "%d: %d reports", k, (int)log.reports);
        const frame_stats stats = r->totals->stats;
        first = k == 0 ? stats : first;
        cr_assert_eq(stats.sums.frames, FRAMES);
        cr_assert_eq(stats.sums.pixels_shaded, first.sums.pixels_shaded);
        cr_assert_eq(stats.sums.triangles_drawn, first.sums.triangles_drawn);
        cr_assert_arr_eq(stats.hash, first.hash, sizeof stats.hash, "%d: of the last frame", k);
        cr_assert_eq(stats.hash[PRODUCT_PIXELS], want[FRAMES - 1]);
        cr_assert_neq(stats.hash[PRODUCT_FILE], 0);
        for (int i = 0; i < FRAMES; i++) {
            cr_assert_eq(log.hash[i], want[i], "%d: frame %d", k, i);
            files[i] = k == 0 ? file_hash(i) : files[i];
            cr_assert_eq(file_hash(i), files[i], "%d: file %d", k, i);
        }
        cr_assert_eq(test_folder_empty(), FRAMES);
        zt_sequence_def fewer = zt_default_sequence_def(); // frames 1 and 5, by the same renderer
        fewer.shard_index = 2;
        fewer.shard_count = 4;
        MUST(run(r, scene, fewer, &(progress_log){0}), err);
        cr_assert_eq(r->totals->stats.hash[PRODUCT_PIXELS], want[5]);
    }
}

/// A walker and, a few steps away, things that cast shadows.
static zt_scene *walker_scene(const char *as, int sky)
{
    return load_scene_text(
        "output: { size: [240, 180], samples: 1, quality: %s, light_samples: 16, frames: 0-20 }\n"
        "ground: { kind: plane, height: 0 }\nenvironment: { color: [%d, %d, %d] }\nmodels:\n"
        "  - { file: %s/scenes/models/walker.glb, animation: walk }\n"
        "  - { file: %s/scenes/models/casters.glb, transform: { translate: [4, 0, 0] } }\n"
        "camera: { look_at: { position: [2, 1.6, 7], target: [2, 0.8, 0] }, fov: 40 }\n"
        "lights: [ { directional: { direction: [0.5, -1, -0.4], lux: 2, size: 3 } } ]\n",
        as, sky, sky, sky, ZT_SOURCE_DIR, ZT_SOURCE_DIR);
}

/// By rays, frames of a run are those alone: trees of triangles are fitted to what moves, and kept
/// in a turntable, where nothing does.
Test(sequence, frames_alone_by_rays)
{
    static const int order[] = {0, 1, 1, 1, 15, 2};
    for (int turns = 0; turns < 2; turns++) {
        zt_shot_def shot = sized_shot(64, 48);
        progress_log log = {.takes_files = true};
        float depth[64 * 48];
        OWN_SCENE *scene = walker_scene("final", 1);
        OWN_RENDERER *r = make_renderer(2, ZT_ISA_BEST);
        shot.clip = turns ? "none" : NULL;
        shot.turntable_count = turns * 18;
        shot.frames = "0-2";
        MUST(zt_scene_apply(scene, &shot, &err), err);
        MUST(run(r, scene, zt_default_sequence_def(), &log), err);
        for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
            for (int k = 0; i == 4 && k < 2; k++) // draws stand still, and no tree is made
                MUST(draw_planes(r, scene, order[i], NULL, depth, &err), err);
            OWN_IMAGE alone = draw_frame(NULL, scene, order[i]),
                      next = draw_frame(r, scene, order[i]);
            const uint64_t want = zt_image_hash(&alone);
            cr_expect_eq(zt_image_hash(&next), want, "%d: draw %zu", turns, i);
            cr_expect(order[i] > 2 || log.hash[order[i]] == want, "%d: %d", turns, order[i]);
        }
    }
}

/// By rays, the walker changes no bit of pixels more than 32 from what he changes without them; but
/// of the light from all around he takes a little everywhere.
Test(sequence, still_pixels_by_rays)
{
    for (int sky = 0; sky < 2; sky++) {
        OWN_SCENE *fast = walker_scene("fast", sky), *final = walker_scene("final", sky);
        OWN_IMAGE by_maps = draw_frame(NULL, fast, 0), by_rays = draw_frame(NULL, final, 0);
        for (int i = 1; i < 3; i++) {
            OWN_IMAGE maps = draw_frame(NULL, fast, i), rays = draw_frame(NULL, final, i);
            zt_metrics moved = {0}, still = {0};
            zt_metrics_def def = zt_default_metrics_def();
            MUST(zt_image_measure(&by_maps, &maps, &def, &moved, NULL, &err), err);
            const zt_rectangle *r = &moved.differing;
            const zt_rectangle near = {r->x - 32, r->y - 32, r->width + 64, r->height + 64};
            def.ignored = &near;
            def.ignored_count = 1;
            MUST(zt_image_measure(&by_rays, &rays, &def, &still, NULL, &err), err);
            cr_expect(moved.pixels > 300 && still.compared > 11000 && still.max <= sky,
                      "%d: %d of %d", i, (int)still.pixels, (int)still.compared);
        }
    }
}

Test(sequence, shards_and_resuming)
{
    OWN_SCENE *scene = scene_open(32);
    for (int k = 0; k < 12; k += STEP) {
        OWN_RENDERER *r = renderer_of(thread_counts[k / 3], schedules[k % 3], 0, NULL);
        zt_sequence_def def = zt_default_sequence_def();
        int64_t made = 0;
        def.resume = true;
        def.shard_count = 4;
        for (def.shard_index = 1; def.shard_index <= 3; def.shard_index++) { // 3 + 2 + 2
            progress_log log = {0};
            MUST(run(r, scene, def, &log), err);
            cr_assert(log.in_order && log.skipped == 0);
            made += log.reports;
        }
        cr_assert_eq(made, 7);
        def.shard_count = def.shard_index = 0;
        progress_log log = {0};
        MUST(run(r, scene, def, &log), err);
        cr_assert(log.in_order && log.reports == FRAMES && log.skipped == 7);
        cr_assert_eq(test_folder_empty(), FRAMES);
    }
}

Test(sequence, files_that_vanish_matter_to_who_resumes)
{
    OWN_SCENE *scene = scene_open(32);
    OWN_RENDERER *r = renderer_of(2, SCHEDULE_AUTO, 0, NULL);
    zt_sequence_def def = zt_default_sequence_def();
    progress_log log = {.takes_files = true}, again = {.takes_files = true};
    MUST(run(r, scene, def, &log), err);
    cr_assert(log.in_order && log.reports == FRAMES);
    def.resume = true;
    cr_assert_eq(run(r, scene, def, &again), ZT_ERR_OUTPUT);
    cr_assert(strstr(err.message, "0000.png: vanished"), "%s", err.message);
}

/// Two frames cannot be written; the lower one is named, all before it are there and reported.
Test(sequence, the_first_failure_is_reported)
{
    OWN_SCENE *scene = scene_open(32);
    for (int k = 0; k < 12; k += STEP) {
        OWN_RENDERER *r = renderer_of(thread_counts[k / 3], schedules[k % 3], 0, NULL);
        for (int frame = 3; frame <= 4; frame++) {
            PRINTED(path, 1024, "%s/%04d.png", test_folder, frame);
            cr_assert_eq(mkdir(path, 0777), 0);
        }
        progress_log log = {0};
        cr_assert_eq(run(r, scene, zt_default_sequence_def(), &log), ZT_ERR_OUTPUT);
        cr_assert(strstr(err.message, "0003.png"), "%s", err.message);
        cr_assert(log.in_order && log.reports == 3, "%d reports", (int)log.reports);
        for (int i = 0; i < 3; i++)
            file_hash(i);
        test_folder_empty();
    }
}

Test(sequence, the_caller_stops_it)
{
    OWN_SCENE *scene = scene_open(64);
    for (int k = 0; k < 12; k += STEP) {
        OWN_RENDERER *r = renderer_of(thread_counts[k / 3], schedules[k % 3], 0, NULL);
        progress_log log = {.stop_after = 2};
        cr_assert_eq(run(r, scene, zt_default_sequence_def(), &log), ZT_ERR_CANCELLED);
        cr_assert(log.in_order && log.reports == 2, "%d reports", (int)log.reports);
        test_folder_empty();
        log = (progress_log){0};
        MUST(run(r, scene, zt_default_sequence_def(), &log), err);
        zt_renderer_cancel(r);
        cr_assert_eq(run(r, scene, zt_default_sequence_def(), &log), ZT_ERR_CANCELLED);
        test_folder_empty();
    }
}

/// The least limit that one thread can work with is the least for any number of them.
Test(sequence, the_memory_limit_does_not_depend_on_threads)
{
    OWN_SCENE *scene = scene_open(SIDE);
    uint64_t fails = 1000, works = 64 << 20;
    while (works - fails > 1) {
        const uint64_t middle = fails + (works - fails) / 2;
        progress_log log = {0};
        OWN_RENDERER *r = renderer_of(1, SCHEDULE_AUTO, middle, NULL);
        const zt_result result = run(r, scene, zt_default_sequence_def(), &log);
        cr_assert(result == ZT_OK || result == ZT_ERR_LIMIT, "%s", err.message);
        *(result == ZT_OK ? &works : &fails) = middle;
    }
    for (int k = 3; k < 12; k += STEP) {
        for (int enough = 0; enough < 2; enough++) {
            progress_log log = {0};
            test_folder_empty();
            OWN_RENDERER *r =
                renderer_of(thread_counts[k / 3], schedules[k % 3], enough ? works : fails, NULL);
            cr_assert_eq(run(r, scene, zt_default_sequence_def(), &log),
                         enough ? ZT_OK : ZT_ERR_LIMIT, "%d threads, limit %d",
                         thread_counts[k / 3], (int)(enough ? works : fails));
            cr_assert(log.in_order && (!enough || log.reports == FRAMES));
        }
    }
}

typedef struct spread_loop {
    zt_renderer *renderer;
    const zt_scene *scene;
    zt_image image[16]; ///< of each worker
} spread_loop;

static void draw_alone(void *user, int64_t index, int32_t worker)
{
    spread_loop *loop = user;
    frame_stats stats = {0};
    const frame_workers workers = renderer_single_worker(loop->renderer, worker);
    const zt_image *image = &loop->image[worker];
    const picture_planes planes = {
        .width = image->width, .height = image->height, .color8 = *image};
    cr_assert_eq(frame_draw(loop->renderer, &workers, loop->scene,
                            scene_frame_time(loop->scene, index % FRAMES), &planes, &stats, NULL),
                 ZT_OK);
}

/// Once every worker has drawn something, and the frames were drawn by some worker, any worker may
/// draw any of them without asking for memory, but for what it keeps of a frame drawn twice.
Test(sequence, stages_ask_for_no_memory_again)
{
    spread_loop loop = {.scene = scene_open(SIDE)};
    for (int w = 0; w < 16; w++)
        cr_assert_eq(zt_image_init(&loop.image[w], SIDE, SIDE, NULL, NULL), ZT_OK);
    for (int k = 0; k < 4; k++) {
        const int32_t threads = thread_counts[k];
        counted_memory count;
        const zt_allocator allocator = counted_allocator(&count);
        loop.renderer = renderer_of(threads, SCHEDULE_SPREAD, 0, &allocator);
        cr_assert_eq(renderer_prepare(loop.renderer, loop.scene, &err), ZT_OK);
        for (int i = 0; i < FRAMES || i < threads; i++)
            draw_alone(&loop, i, i % threads);
        renderer_even_out(loop.renderer);
        const int64_t before = count.allocations;
        for (int32_t w = 0; w < threads; w++)
            for (int i = 0; i < FRAMES; i++)
                draw_alone(&loop, i, w);
        job_pool_run(loop.renderer->pool, 4 * FRAMES, draw_alone, &loop);
        cr_assert_leq(count.allocations, before + 4 * threads, "%d threads: asked %d times",
                      threads, (int)(count.allocations - before));
        zt_renderer_destroy(loop.renderer);
        cr_assert_eq(count.bytes, 0, "not everything given back");
    }
    for (int w = 0; w < 16; w++)
        zt_image_finish(&loop.image[w]);
    zt_scene_destroy((zt_scene *)(uintptr_t)loop.scene);
}

Test(sequence, orders_are_permutations)
{
    static const job_order orders[] = {{JOB_ORDER_FORWARD, 0},
                                       {JOB_ORDER_REVERSE, 0},
                                       {JOB_ORDER_SHUFFLE, 0},
                                       {JOB_ORDER_SHUFFLE, 1},
                                       {JOB_ORDER_SHUFFLE, 4000000000u}};
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        for (int64_t count = 1; count < 600; count += 1 + count / 8) {
            bool seen[600] = {0};
            int moved = 0;
            for (int64_t i = 0; i < count; i++) {
                const int64_t at = job_order_at(orders[o], i, count);
                cr_assert(at >= 0 && at < count && !seen[at]);
                seen[at] = true;
                moved += at != i;
            }
            if (count > 20)
                cr_assert_eq(moved > count / 2, orders[o].kind != JOB_ORDER_FORWARD);
        }
    }
}

typedef struct second_call {
    zt_renderer *renderer;
    const zt_scene *scene;
    int refused;
} second_call;

static bool draw_again(void *user, const zt_frame_report *r)
{
    second_call *call = user;
    zt_error second;
    (void)r;
    OWN_IMAGE image = make_image(SIDE, SIDE);
    call->refused +=
        zt_render(call->renderer, call->scene, 0, &image, &second) == ZT_ERR_ARGUMENT &&
        strstr(second.message, "the renderer is in use") != NULL;
    return true;
}

/// A renderer draws for one call at a time, and for the next one after it.
Test(sequence, a_second_call_is_refused)
{
    OWN_SCENE *scene = scene_open(SIDE);
    OWN_RENDERER *r = renderer_of(2, SCHEDULE_AUTO, 0, NULL);
    second_call call = {r, scene, 0};
    zt_sequence_def def = zt_default_sequence_def();
    def.pattern = test_file("####.png");
    def.progress = draw_again;
    def.progress_user = &call;
    MUST(zt_render_sequence(r, scene, &def, &err), err);
    cr_expect_eq(call.refused, zt_scene_frame_count(scene));
    progress_log log = {0};
    cr_expect_eq(run(r, scene, zt_default_sequence_def(), &log), ZT_OK, "%s", err.message);
}

/// Calls without an object say nothing and break nothing.
Test(sequence, getters_take_null)
{
    int32_t a = 1, b = 1;
    zt_stats stats;
    uint8_t *bytes = NULL;
    size_t size = 0;
    OWN_IMAGE image = {0};
    zt_encode_def encode = zt_default_encode_def();
    zt_scene_size(NULL, &a, &b);
    cr_expect(a == 0 && b == 0);
    zt_scene_size(NULL, NULL, NULL);
    zt_scene_fps(NULL, &a, &b);
    cr_expect(a == 0 && b == 1);
    cr_expect(!zt_scene_transparent(NULL) && zt_scene_frame_count(NULL) == 0);
    cr_expect_eq(zt_scene_frame(NULL, 0), 0);
    cr_expect_eq(zt_renderer_isa(NULL), ZT_ISA_SCALAR);
    zt_renderer_stats(NULL, &stats);
    cr_expect_eq(stats.frames, 0);
    zt_renderer_stats(NULL, NULL);
    uint64_t number = 1;
    cr_expect_str_eq(zt_renderer_stage(NULL, 0, &number), "framing");
    cr_expect_eq(number, 0);
    cr_expect_str_eq(zt_renderer_product(NULL, PRODUCT_FILE, NULL), "file");
    for (int i = -1; i <= 100; i += 101)
        cr_expect(!zt_renderer_stage(NULL, i, NULL) && !zt_renderer_product(NULL, i, &number));
    zt_renderer_hash_stages(NULL, true);
    zt_renderer_cancel(NULL);
    cr_assert_eq(zt_image_init(&image, 4, 4, NULL, &err), ZT_OK);
    encode.png = (zt_png_mode)77;
    cr_expect_eq(zt_image_encode(&image, &encode, &bytes, &size, &err), ZT_ERR_ARGUMENT);
    cr_expect(strstr(err.message, "PNG mode 77") && !bytes, "%s", err.message);
}
