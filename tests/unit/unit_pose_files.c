// SPDX-License-Identifier: MIT
// Every clip of real files, in three layers, against the oracle in double: a clip, the next one
// over it by a part, and the first one added to every second node. The folder of files comes from
// ZT_ASSETS, else from beside the source; where it is absent the test says so and passes.
#include "kernels/kernels.h"
#include "pose/pose.h"
#include "pose_oracle.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 1024, TIMES = 7 };

/// Of rotations, and of translations and scales relative to the largest of the node's, at least 1.
/// Three interpolations, a blend and a product in float, each good to one or two units of 2^-24;
/// 1.8e-7 was measured.
#define BOUND 6.0e-7

typedef struct tally {
    int files, clips;
    double worst;
} tally;

static const char *folder(void)
{
    const char *told = getenv("ZT_ASSETS");
    return told ? told : ZT_SOURCE_DIR "/../shared/assets";
}

static bool is_model(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (!strcmp(dot, ".glb") || !strcmp(dot, ".gltf") || !strcmp(dot, ".m3d"));
}

static double apart(const double *want, const float *got, int count, bool rotation)
{
    double dot = 0.0, size = 1.0, worst = 0.0;
    for (int k = 0; k < count; k++) {
        dot += want[k] * (double)got[k];
        size = fmax(size, fabs(want[k]));
    }
    for (int k = 0; k < count; k++) {
        const double sign = rotation && dot < 0.0 ? -1.0 : 1.0;
        worst = fmax(worst, fabs(want[k] - sign * (double)got[k]) / size);
    }
    return worst;
}

static void check_clip(const zt_model *model, uint32_t clip, arena *a, const char *path, tally *t)
{
    const model_clip *first = &model->clips[clip];
    const uint32_t next = (clip + 1) % model->clip_count;
    const double zero = 0.0, part = 0.37, length = (double)first->end_s - (double)first->start_s;
    float *mask = ARENA_ARRAY(a, float, pad16(model->node_count));
    for (uint32_t i = 1; i < model->node_count; i += 2)
        mask[i] = 0.5f;
    const scene_layer layers[3] = {
        {.clip = (int32_t)clip, .speed = 1.0, .reference = -1},
        { .clip = (int32_t)next,
         .loop = SCENE_LOOP_PING_PONG,
         .speed = -1.25,
         .start_s = 0.21,
         .weight = {1, 1, &zero, &part},
         .reference = -1},
        {                                      .clip = (int32_t)clip,
         .speed = 0.7,
         .mode = SCENE_ADDITIVE,
         .mask = mask,
         .reference = (int32_t)clip,
         .reference_s = (double)first->start_s},
    };
    scene_instance instance = {.model = model, .layer_count = 3, .layers = layers};
    const zt_scene scene = {.instance_count = 1, .instances = &instance};
    pose_scratch scratch;
    cr_assert(mask && pose_scratch_init(&scene, a, &scratch));
    for (int n = 0; n < TIMES; n++) {
        const double time_s = (double)first->start_s + length * (0.0137 + 0.2391 * n);
        pose_layers(kernels_best(ZT_ISA_BEST), &instance, time_s, &scratch, scratch.local);
        for (uint32_t i = 0; i < model->node_count; i++) {
            const pose_block *b = &scratch.local[i / POSE_LANES];
            double want_t[3], want_r[4], want_s[3];
            float got_t[3], got_r[4], got_s[3];
            oracle_local(&instance, (int32_t)i, time_s, want_t, want_r, want_s);
            for (int k = 0; k < 4; k++) {
                got_r[k] = b->r[k][i % POSE_LANES];
                got_t[k % 3] = b->t[k % 3][i % POSE_LANES];
                got_s[k % 3] = b->s[k % 3][i % POSE_LANES];
            }
            const double off =
                fmax(apart(want_r, got_r, 4, true),
                     fmax(apart(want_t, got_t, 3, false), apart(want_s, got_s, 3, false)));
            cr_expect(off <= BOUND, "%s clip %s node %s time %g: %g", path, first->name,
                      model->nodes[i].name, time_s, off);
            t->worst = fmax(t->worst, off);
        }
    }
    t->clips++;
}

static void check_file(const char *path, tally *t)
{
    zt_error err = {0};
    zt_scene *scene;
    zt_load_def def = zt_default_load_def();
    const zt_result result = zt_scene_load(path, &def, &scene, &err);
    if (result != ZT_OK) {
        cr_expect_eq(result, ZT_ERR_UNSUPPORTED, "%s", err.message);
        fprintf(stderr, "skipped: %s\n", err.message);
        return;
    }
    const zt_model *model = scene->instances[0].model;
    budget b;
    arena a;
    budget_init(&b, 0, NULL);
    arena_init(&a, &b);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        check_clip(model, i, &a, path, t);
        arena_reset(&a);
    }
    arena_finish(&a);
    zt_scene_destroy(scene);
    t->files++;
}

/// A folder and the folders in it.
static void check_folder(const char *path, int depth, tally *t)
{
    DIR *dir = opendir(path);
    cr_assert(dir, "%s", path);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char name[PATH];
        if (entry->d_name[0] == '.')
            continue;
        const int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        cr_assert(length > 0 && length < PATH, "%s", path);
        DIR *below = depth > 0 ? opendir(name) : NULL;
        if (below) {
            closedir(below);
            check_folder(name, depth - 1, t);
        } else if (is_model(name)) {
            check_file(name, t);
        }
    }
    closedir(dir);
}

Test(pose_files, every_clip_in_layers)
{
    static const char *const kinds[] = {"skinned", "anim", "morph", "m3d"};
    tally t = {0};
    int folders = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char path[PATH];
        snprintf(path, sizeof path, "%s/%s", folder(), kinds[i]);
        DIR *dir = opendir(path);
        if (!dir) {
            fprintf(stderr, "%s is absent: skipped\n", path);
            continue;
        }
        closedir(dir);
        folders++;
        check_folder(path, 2, &t);
    }
    fprintf(stderr, "%d clips of %d files: off by at most %.2g (bound %.2g)\n", t.clips, t.files,
            t.worst, BOUND);
    cr_assert(folders == 0 || (t.files >= folders && t.clips >= t.files / 2),
              "hardly any of the files was read");
}
