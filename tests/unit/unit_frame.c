// SPDX-License-Identifier: MIT
/// The frame pipeline through the public interface: that nothing but the scene, the frame and the
/// size decides a pixel, and that framing, freezing and limits keep their word.
#include "../kernels/random_inputs.h"
#include "counted_memory.h"
#include "drawing.h"
#include "render/frame_stats.h"
#include "render/renderer.h"

#include <pthread.h>

#define SCENES ZT_SOURCE_DIR "/scenes/tests/"

static zt_error err;

static zt_scene *scene_open(const char *file)
{
    PRINTED(path, 512, "%s%s", SCENES, file);
    return load_scene(path, NULL);
}

static void scene_shot(zt_scene *scene, int32_t width, int32_t height, int32_t samples)
{
    zt_shot_def shot = sized_shot(width, height);
    shot.samples = samples;
    MUST(zt_scene_apply(scene, &shot, &err), err);
}

/// Renders into a picture with a stride of its own and poisoned pixels; its hash.
static uint64_t hash_of(zt_renderer *renderer, const zt_scene *scene, int64_t frame)
{
    zt_image image = {0};
    zt_scene_size(scene, &image.width, &image.height);
    image.stride = (size_t)image.width * 4 + 12;
    image.rgba8 = malloc(image.stride * (size_t)image.height);
    memset(image.rgba8, 0xa5, image.stride * (size_t)image.height);
    MUST(zt_render(renderer, scene, frame, &image, &err), err);
    const uint64_t hash = zt_image_hash(&image);
    for (int32_t y = 0; y < image.height; y++)
        for (size_t k = 0; k < 12; k++)
            cr_assert_eq(image.rgba8[(size_t)y * image.stride + (size_t)image.width * 4 + k], 0xa5,
                         "row %d: written beyond its end", y);
    free(image.rgba8);
    return hash;
}

static uint64_t hash_alone(const zt_scene *scene, int64_t frame)
{
    OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_SCALAR);
    return hash_of(renderer, scene, frame);
}

static const char *const files[] = {"figure.yaml",    "alpha_mask.yaml",   "near_plane.yaml",
                                    "glass.yaml",     "orthographic.yaml", "wraps.yaml",
                                    "spot_light.yaml"};
enum {
    ALL_FILES = sizeof files / sizeof files[0],
    FILES = ZT_RANDOM_SHARE > 1 ? 2 : ALL_FILES, ///< sanitizers take their time
};

Test(frame, alone_in_a_sequence_and_twice)
{
    static const int64_t order[] = {0, 7, 20, 7, 19, 0};
    for (int f = 0; f < FILES; f++) {
        OWN_SCENE *scene = scene_open(files[f]), *again = scene_open(files[f]);
        OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST),
                     *other = make_renderer(1, ZT_ISA_BEST);
        for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
            const uint64_t want = hash_alone(scene, order[i]);
            cr_assert_eq(hash_of(renderer, scene, order[i]), want, "%s: %d", files[f], (int)i);
            cr_assert_eq(hash_of(other, again, order[i]), want, "%s: another scene", files[f]);
            cr_assert_eq(hash_of(renderer, scene, order[i]), want, "%s: twice", files[f]);
        }
    }
}

/// Layers, root motion, solvers, targets on bones, parents, morphs, crowds: all that looks back.
Test(frame, animated_frames_alone_are_those_of_a_sequence)
{
    static const char *const animated[] = {"walk_to_run.yaml", "travel.yaml", "ik_rod.yaml",
                                           "rider.yaml",       "beast.yaml",  "crowd.yaml"};
    static const int64_t order[] = {0, 20, 49, 21, 20};
    for (size_t f = 0; f < sizeof animated / sizeof animated[0]; f++) {
        OWN_SCENE *scene = scene_open(animated[f]);
        OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
        uint64_t first = 0, last = 0;
        scene_shot(scene, 64, 48, 1);
        for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
            OWN_RENDERER *fresh = make_renderer(1, i == 1 ? ZT_ISA_SCALAR : ZT_ISA_BEST);
            const uint64_t want = hash_of(fresh, scene, order[i]);
            last = hash_of(renderer, scene, order[i]);
            cr_assert_eq(last, want, "%s: frame %d", animated[f], (int)order[i]);
            first = i == 0 ? last : first;
        }
        cr_assert_neq(first, last, "%s moves", animated[f]);
    }
}

typedef struct share_log {
    pthread_t caller;
    int calls;
    double last;
    bool grows;
} share_log;

static void log_share(void *user, double share)
{
    share_log *log = user;
    log->grows = log->grows && share > log->last - (share == 1.0 ? 1e-9 : 0.0) && share <= 1.0 &&
                 pthread_equal(log->caller, pthread_self()) != 0;
    log->last = share;
    log->calls++;
}

/// The share of a frame grows up to 1 on the caller's thread; frames of a sequence have none.
Test(frame, progress)
{
    for (int threads = 1; threads <= 3; threads += 2) {
        share_log log = {.caller = pthread_self(), .grows = true};
        zt_renderer_def def = zt_default_renderer_def();
        zt_sequence_def sequence = zt_default_sequence_def();
        OWN_RENDERER *renderer = NULL;
        def.threads = threads;
        def.progress = log_share;
        def.progress_user = &log;
        cr_assert_eq(zt_renderer_create(&def, &renderer, &err), ZT_OK);
        OWN_SCENE *scene = scene_open("glass.yaml");
        scene_shot(scene, 320, 180, 1);
        (void)hash_of(renderer, scene, 0);
        // two other workers may draw every tile before the caller takes one: then it tells the end
        cr_expect(log.grows && log.last == 1.0 && log.calls >= (threads == 1 ? 11 : 1), "%d, %g",
                  log.calls, log.last);
        const int calls = log.calls;
        sequence.pattern = ZT_BINARY_DIR "/unit_frame_progress_####.png";
        MUST(zt_render_sequence(renderer, scene, &sequence, &err), err);
        cr_expect_eq(log.calls, calls);
    }
}

/// A frame that one worker draws again, since memory was short, shows only what is more.
Test(frame, progress_never_falls)
{
    share_log log = {.caller = pthread_self(), .grows = true};
    zt_renderer_def def = zt_default_renderer_def();
    OWN_RENDERER *renderer = NULL;
    def.progress = log_share;
    def.progress_user = &log;
    cr_assert_eq(zt_renderer_create(&def, &renderer, &err), ZT_OK);
    renderer->progress.on = true;
    for (int tiles = 3; tiles <= 4; tiles++) {
        renderer_progress_begin(renderer, NULL, 0, 1, 4);
        for (int i = 0; i < tiles; i++)
            renderer_progress_tile(renderer, renderer->workers);
    }
    cr_expect(log.grows && log.calls == 4 && log.last == 1.0, "%d, %g", log.calls, log.last);
}

Test(frame, threads_and_instruction_sets)
{
    static const int32_t threads[] = {1, 2, 3, 7};
    for (int f = 0; f < FILES; f++) {
        OWN_SCENE *scene = scene_open(files[f]);
        zt_stats first = {0};
        uint64_t want = 0, products[PRODUCT_COUNT];
        for (int isa = 0; isa < (int)ZT_ISA_COUNT; isa++) {
            if (!zt_isa_available((zt_isa)isa))
                continue;
            for (int t = 0; t < 4; t++) {
                OWN_RENDERER *renderer = make_renderer(threads[t], (zt_isa)isa);
                zt_stats stats;
                zt_renderer_hash_stages(renderer, true);
                const uint64_t hash = hash_of(renderer, scene, 20);
                zt_renderer_stats(renderer, &stats);
                first = want == 0 ? stats : first;
                for (int s = 0; s < PRODUCT_COUNT; s++) {
                    uint64_t product;
                    const char *name = zt_renderer_product(renderer, s, &product);
                    products[s] = want == 0 ? product : products[s];
                    cr_assert_eq(product, products[s], "%s: %s first differs, %s, %d threads",
                                 files[f], name, zt_isa_name((zt_isa)isa), threads[t]);
                }
                want = want == 0 ? hash : want;
                cr_assert_eq(hash, want, "%s", files[f]);
                cr_assert_eq(products[PRODUCT_PIXELS], hash);
                cr_assert_eq(stats.pixels_shaded, first.pixels_shaded);
                cr_assert_eq(stats.triangles_drawn, first.triangles_drawn);
                cr_assert(products[PRODUCT_DEPTH] && products[PRODUCT_COLOR]);
            }
        }
    }
}

Test(frame, sizes_and_samples_change_between_calls)
{
    static const int32_t kinds[][3] = {{1, 1, 1},   {63, 65, 4},   {64, 64, 16}, {129, 1, 2},
                                       {1, 129, 8}, {300, 200, 1}, {63, 65, 4},  {65, 64, 16}};
    OWN_RENDERER *renderer = make_renderer(3, ZT_ISA_BEST);
    OWN_SCENE *figure = scene_open("figure.yaml"), *masks = scene_open("alpha_mask.yaml");
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        scene_shot(figure, kinds[k][0], kinds[k][1], kinds[k][2]);
        scene_shot(masks, kinds[k][1], kinds[k][0], kinds[k][2]);
        cr_assert_eq(hash_of(renderer, figure, 20), hash_alone(figure, 20), "%d", (int)k);
        cr_assert_eq(hash_of(renderer, masks, 0), hash_alone(masks, 0), "%d", (int)k);
    }
    for (int32_t samples = 16; samples >= 1; samples /= 2) { // the same scene, less and less
        scene_shot(figure, 63, 65, samples);
        cr_assert_eq(hash_of(renderer, figure, 20), hash_alone(figure, 20), "%d", samples);
    }
}

/// From the third frame on the memory of the first two is used again, however the work is shared
/// out. The second one finds that the draws of the first stand still, and keeps what is theirs.
Test(frame, later_frames_allocate_nothing)
{
    for (int f = 0; f < FILES; f++) {
        for (int32_t threads = 1; threads <= 7; threads += 1 + threads / 2 * 4) { // 1, 2, 7
            counted_memory count;
            const zt_allocator allocator = counted_allocator(&count);
            zt_renderer *renderer = NULL;
            zt_renderer_def def = zt_default_renderer_def();
            def.threads = threads;
            def.allocator = &allocator;
            cr_assert_eq(zt_renderer_create(&def, &renderer, &err), ZT_OK);
            zt_scene *scene = scene_open(files[f]);
            hash_of(renderer, scene, 3);
            hash_of(renderer, scene, 3);
            const int64_t first = count.allocations;
            cr_assert_gt(first, 0);
            for (int again = 0; again < 3; again++)
                hash_of(renderer, scene, 3);
            cr_assert_eq(count.allocations, first, "%s: asked %d times more", files[f],
                         (int)(count.allocations - first));
            // A sequence, the first of whose frames empties the arenas of its last, and once more.
            for (int round = 0; round < 3; round++) {
                const int64_t before = count.allocations;
                for (int64_t frame = 0; frame < 20; frame += 4)
                    hash_of(renderer, scene, frame);
                if (round == 2)
                    cr_assert_eq(count.allocations, before, "%s", files[f]);
            }
            zt_scene_destroy(scene);
            zt_renderer_destroy(renderer);
            cr_assert_eq(count.bytes, 0, "%s: not everything given back", files[f]);
        }
    }
}

Test(frame, memory_limit)
{
    OWN_SCENE *scene = scene_open("figure.yaml"), *small = scene_open("spot_light.yaml");
    scene_shot(small, 16, 16, 1);
    const uint64_t want_small = hash_alone(small, 0);
    uint64_t want[17] = {0}; // by samples
    int failed = 0, done = 0;
    for (uint64_t limit = 1 << 20; limit <= (64u << 20); limit *= 2) {
        OWN_RENDERER *renderer = NULL;
        zt_renderer_def def = zt_default_renderer_def();
        def.threads = 2;
        def.max_memory = limit;
        const zt_result made = zt_renderer_create(&def, &renderer, &err);
        cr_assert(made == ZT_OK || made == ZT_ERR_LIMIT);
        if (made != ZT_OK)
            continue;
        for (int32_t samples = 16; samples >= 1; samples /= 4) {
            scene_shot(scene, 512, 512, samples);
            want[samples] = want[samples] ? want[samples] : hash_alone(scene, 20);
            OWN_IMAGE image = make_image(512, 512);
            const zt_result result = zt_render(renderer, scene, 20, &image, &err);
            cr_assert(result == ZT_OK || result == ZT_ERR_LIMIT, "%s: %s", zt_result_name(result),
                      err.message);
            if (result == ZT_OK)
                cr_assert_eq(zt_image_hash(&image), want[samples]);
            failed += result != ZT_OK;
            done += result == ZT_OK;
            if (limit >= 4u << 20) // whatever happened: the renderer still works
                cr_assert_eq(hash_of(renderer, small, 0), want_small);
        }
    }
    cr_assert(failed >= 2 && done >= 2, "%d failed, %d done", failed, done);
}

/// A still camera leaves 5 % on both sides of the filled axis, no less on the other.
Test(frame, still_cameras_leave_five_percent)
{
    static const char *const models[] = {"figure.yaml", "orthographic.yaml"};
    OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
    for (int m = 0; m < 2; m++) {
        for (int view = 0; view < 12; view++) {
            OWN_SCENE *scene = scene_open(models[m]);
            zt_shot_def shot = sized_shot(view % 3 == 0 ? 200 : 400, view % 3 == 1 ? 200 : 400);
            shot.samples = 16;
            shot.background = "transparent";
            shot.azimuth_deg = view * 37.0;
            shot.elevation_deg = view * 13.0 - 70.0;
            shot.time_s = 0.5; // one pose: some frame of a running shot would be inside
            MUST(zt_scene_apply(scene, &shot, &err), err);
            const empty_sides e = draw_sides(renderer, scene, 0);
            const double x = shot.width * 0.05, y = shot.height * 0.05;
            const bool wide = fmin(e.left, e.right) - x < fmin(e.top, e.bottom) - y;
            const double lo = wide ? e.left - x : e.top - y;
            const double hi = wide ? e.right - x : e.bottom - y;
            cr_assert(fabs(lo) <= 1.0 && fabs(hi) <= 1.0, "%s view %d: %d %d %d %d of %d x %d",
                      models[m], view, e.left, e.right, e.top, e.bottom, shot.width, shot.height);
            cr_assert(e.left >= x - 1.0 && e.right >= x - 1.0 && e.top >= y - 1.0 &&
                      e.bottom >= y - 1.0);
            // Without perspective it is centred along the other axis too.
            const int32_t other = wide ? e.top - e.bottom : e.left - e.right;
            cr_assert(m == 0 || abs(other) <= 2, "%s view %d: off by %d", models[m], view, other);
        }
    }
}

Test(frame, turntables_and_moving_models_stay_inside)
{
    static const char *const models[] = {"figure.yaml", "orthographic.yaml", "explorer.yaml"};
    OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
    for (int m = 0; m < 3; m++) {
        for (int32_t turns = 0; turns <= 12; turns += 12) {
            OWN_SCENE *scene = scene_open(models[m]);
            zt_shot_def shot = sized_shot(160, 120);
            shot.samples = 4;
            shot.background = "transparent";
            shot.turntable_count = turns;
            MUST(zt_scene_apply(scene, &shot, &err), err);
            const int64_t count = zt_scene_frame_count(scene);
            int32_t smallest = 1000;
            for (int64_t i = 0; i < count; i += 1 + count / 13) {
                const empty_sides e = draw_sides(renderer, scene, zt_scene_frame(scene, i));
                const int32_t x = e.left < e.right ? e.left : e.right;
                const int32_t y = e.top < e.bottom ? e.top : e.bottom;
                cr_assert(x >= 7 && y >= 5, "%s frame %d: %d, %d", models[m], (int)i, x, y);
                smallest = y - 6 < smallest ? y - 6 : smallest;
                smallest = x - 8 < smallest ? x - 8 : smallest;
            }
            cr_assert_leq(smallest, 30, "%s: %d pixels more than the margin", models[m], smallest);
        }
    }
}

Test(frame, a_frozen_clip_does_not_move)
{
    OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_BEST);
    OWN_SCENE *scene = scene_open("figure.yaml");
    cr_assert_neq(hash_of(renderer, scene, 0), hash_of(renderer, scene, 20));
    zt_shot_def shot = zt_default_shot_def();
    shot.time_s = 20.0 / 30.0;
    cr_assert_eq(zt_scene_apply(scene, &shot, &err), ZT_OK);
    const uint64_t hash = hash_of(renderer, scene, 0);
    cr_assert_eq(hash_of(renderer, scene, 20), hash);
    cr_assert_eq(hash_of(renderer, scene, 57), hash);
}

Test(frame, a_scene_made_by_calls)
{
    OWN_MODEL *model = NULL;
    OWN_SCENE *scene = NULL;
    const zt_load_def load = zt_default_load_def();
    MUST(zt_model_load(ZT_SOURCE_DIR "/scenes/models/figure.glb", &load, &model, &err), err);
    cr_assert_eq(zt_scene_create(&load, &scene, &err), ZT_OK);
    OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
    scene_shot(scene, 100, 80, 4);
    const uint64_t empty = hash_of(renderer, scene, 0);
    zt_instance_def instance = zt_default_instance_def();
    instance.model = model;
    MUST(zt_scene_add_instance(scene, &instance, &err), err);
    const uint64_t one = hash_of(renderer, scene, 0); // framed anew, though the scene is the same
    cr_assert_neq(one, empty);
    cr_assert_eq(one, hash_alone(scene, 0));
    instance.world_from_model[3] = 2.0f;
    cr_assert_eq(zt_scene_add_instance(scene, &instance, &err), ZT_OK);
    const uint64_t two = hash_of(renderer, scene, 0);
    cr_assert(two != one && two == hash_alone(scene, 0));
}

Test(frame, wrong_targets_are_refused)
{
    OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_BEST);
    OWN_SCENE *scene = scene_open("figure.yaml");
    OWN_IMAGE image = make_image(321, 180);
    cr_assert_eq(zt_render(renderer, scene, 0, &image, &err), ZT_ERR_ARGUMENT);
    cr_assert_eq(zt_render(renderer, scene, 0, NULL, &err), ZT_ERR_ARGUMENT);
    cr_assert_eq(zt_render(NULL, scene, 0, &image, &err), ZT_ERR_ARGUMENT);
    cr_assert_eq(zt_render(renderer, NULL, 0, &image, NULL), ZT_ERR_ARGUMENT);
    image.width = 320;
    image.stride = 320 * 4 - 1;
    cr_assert_eq(zt_render(renderer, scene, 0, &image, &err), ZT_ERR_ARGUMENT);
    image.stride = 321 * 4;
    MUST(zt_render(renderer, scene, 0, &image, &err), err);
    zt_renderer_cancel(renderer);
    cr_assert_eq(zt_render(renderer, scene, 0, &image, &err), ZT_ERR_CANCELLED);
}

/// What a picture that frames its models cuts off would end in a line on the page around it.
Test(frame, shadows_fade_before_the_border)
{
    static const char *const names[] = {"ball", "face", "critter"};
    OWN_RENDERER *renderer = make_renderer(0, ZT_ISA_BEST);
    for (int i = 0; i < 9; i++) {
        zt_shot_def shot = sized_shot(128, 128);
        PRINTED(path, 512, ZT_SOURCE_DIR "/scenes/models/%s.glb", names[i % 3]);
        shot.background = "transparent";
        shot.azimuth_deg = i / 3 * 40.0;
        OWN_SCENE *scene = load_scene(path, &shot);
        OWN_IMAGE image = draw_frame(renderer, scene, 0);
        int most = 0, shadows = 0;
        for (int y = 0; y < 128; y++)
            for (int x = 0; x < 128; x++) {
                const uint8_t *p = image.rgba8 + (size_t)y * image.stride + (size_t)x * 4;
                const bool border = x % 127 == 0 || y % 127 == 0;
                most = border && p[3] > most ? p[3] : most;
                shadows += p[3] > 16 && p[3] < 200 && p[0] == 0;
            }
        cr_expect(most <= 4 && shadows > 100, "%s at %g: alpha %d at the border, %d dark pixels",
                  names[i % 3], shot.azimuth_deg, most, shadows);
    }
}
