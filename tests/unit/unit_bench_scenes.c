// SPDX-License-Identifier: MIT
/// The scenes of the benchmarks take the loops that are compiled for them: without those a picture
/// stays the same and takes longer, which no other test sees.
#include "bench_models.h"
#include "render/renderer.h"
#include "test_folder.h"
#include "testing.h"

static const shade_loops *watched;
static uint32_t jobs, slow_jobs;

static void watch(const shade_job *job)
{
    jobs++;
    slow_jobs += !watched->is_common(job->frame, job->material);
    watched->shade(job);
}

/// Draws a small picture of a scene, and counts its jobs of shading.
static void draw(const char *name)
{
    char path[1024];
    zt_error err = {ZT_OK, ""};
    OWN_SCENE *scene = NULL;
    OWN_RENDERER *renderer = NULL;
    OWN_IMAGE image = {0};
    const zt_load_def load = zt_default_load_def();
    zt_renderer_def def = zt_default_renderer_def();
    zt_shot_def shot = zt_default_shot_def();
    def.threads = 1; // for the counters
    shot.width = 96;
    shot.height = 54;
    snprintf(path, sizeof path, "%s/%s", test_folder, name);
    cr_assert_eq(zt_scene_load(path, &load, &scene, &err), ZT_OK, "%s", err.message);
    cr_assert_eq(zt_scene_apply(scene, &shot, &err), ZT_OK, "%s", err.message);
    cr_assert_eq(zt_renderer_create(&def, &renderer, &err), ZT_OK, "%s", err.message);
    kernel_table kernels = *renderer->kernels;
    shade_loops loops = *kernels.shade;
    watched = kernels.shade;
    loops.shade = watch;
    kernels.shade = &loops;
    renderer->kernels = &kernels;
    jobs = slow_jobs = 0;
    cr_assert_eq(zt_image_init(&image, shot.width, shot.height, NULL, &err), ZT_OK, "%s",
                 err.message);
    cr_assert_eq(zt_render(renderer, scene, 0, &image, &err), ZT_OK, "%s", err.message);
}

Test(bench_scenes, have_loops_of_their_own)
{
#ifdef ZT_SHADE_ANY_ONLY
    cr_skip_test("this build has only the loop of any material");
#endif
    test_folder_make();
    character_write(test_folder, "character.glb", 32);
    ball_write(test_folder, "ball.glb", 20, 11);
    layers_write(test_folder, "layers.glb", 16);
    sky_write(test_folder, "sky.hdr", 64);
    for (int i = 0; i < BENCH_SCENE_COUNT; i++) {
        bench_scene_write(test_folder, &bench_scenes[i]);
        draw(bench_scenes[i].name);
        cr_expect(jobs > 0 && slow_jobs == 0, "%s: %u of %u jobs take the general loop",
                  bench_scenes[i].name, slow_jobs, jobs);
    }
    test_folder_remove();
}
