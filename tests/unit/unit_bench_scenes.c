// SPDX-License-Identifier: MIT
/// The scenes of the benchmarks take the loops that are compiled for them: without those a picture
/// stays the same and takes longer, which no other test sees.
#include "bench_models.h"
#include "drawing.h"
#include "render/renderer.h"
#include "test_folder.h"

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
    zt_shot_def shot = sized_shot(96, 54);
    OWN_SCENE *scene = load_scene(test_file(name), &shot);
    OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_BEST); // one thread, for the counters
    kernel_table kernels = *renderer->kernels;
    shade_loops loops = *kernels.shade;
    watched = kernels.shade;
    loops.shade = watch;
    kernels.shade = &loops;
    renderer->kernels = &kernels;
    jobs = slow_jobs = 0;
    zt_image image = draw_frame(renderer, scene, 0);
    zt_image_finish(&image);
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
