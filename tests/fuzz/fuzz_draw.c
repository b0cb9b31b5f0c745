// SPDX-License-Identifier: MIT
/// Fuzz target: bytes as a model that is loaded, posed and drawn by the public functions. The last
/// bytes choose how: size, look, light, clip, times, limits on memory, fragments and time. There
/// are pictures, the same by every instruction set, or a reason.
#define _GNU_SOURCE // memfd_create
#include "fuzz_memory.h"
#include "fuzz_work.h"
#include "scene/scene.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/// The last bytes of an input.
enum choice {
    CHOICE_LOOK,
    CHOICE_SIZE,
    CHOICE_TIME,
    CHOICE_CLIP,
    CHOICE_LIGHT,
    CHOICE_VIEW,
    CHOICE_MEMORY,
    CHOICE_WORK,
    CHOICES
};

enum { SIDE = 16, MEBIBYTE = 1 << 20, ASKS = 100000 };

/// Fails unless a result that is no ZT_OK has its code and one line.
static bool done(zt_result result, const zt_error *err)
{
    fuzz_result(result);
    if (result == ZT_OK)
        return true;
    require(result != ZT_ERR_INTERNAL && result != ZT_ERR_DIFFERENT && result != ZT_ERR_OUTPUT);
    require(err->code == result && err->message[0] && !strchr(err->message, '\n'));
    return false;
}

/// A file without a name. It lives as long as the process.
static bool store(const uint8_t *data, size_t size, char *out_path, size_t path_size)
{
    static int file = -1;
    if (file < 0)
        file = memfd_create("fuzz", MFD_CLOEXEC);
    snprintf(out_path, path_size, "/proc/self/fd/%d", file);
    return file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size;
}

static zt_shot_def shot_of(const uint8_t *choice)
{
    static const char *const looks[] = {"lit", "flat",   "clay",  "normals",
                                        "uv",  "albedo", "depth", "wireframe"};
    static const char *const presets[] = {NULL, "neutral", "product", "flat"};
    static const char *const grounds[] = {NULL, "shadow", "checker", "plane"};
    static const char *const lights[] = {NULL, "file", "none", "studio"};
    static const char *const views[] = {NULL, "front", "back", "left", "right", "top", "iso", NULL};
    static const char *const clips[] = {"0", "1", "2", "none"};
    const uint8_t light = choice[CHOICE_LIGHT], view = choice[CHOICE_VIEW];
    zt_shot_def shot = zt_default_shot_def();
    shot.width = SIDE * (1 + choice[CHOICE_SIZE] % 4);
    shot.height = SIDE * (1 + choice[CHOICE_SIZE] / 4 % 4);
    shot.samples = 1 << choice[CHOICE_SIZE] / 16 % 5;
    shot.look = looks[choice[CHOICE_LOOK] % 8];
    shot.tone_map = zt_word_at(ZT_WORDS_TONE_MAP, choice[CHOICE_LOOK] / 8 % 4);
    shot.background = choice[CHOICE_LOOK] & 64 ? "transparent" : NULL;
    shot.thumbnail = (choice[CHOICE_LOOK] & 128) != 0;
    shot.preset = presets[light % 4];
    shot.ground = grounds[light / 4 % 4];
    shot.light = lights[light / 16 % 4];
    shot.view = views[view % 8];
    shot.camera = (view & 8) != 0 ? "0" : NULL;
    shot.turntable_count = (view & 16) != 0 ? 3 : 0;
    shot.clip = choice[CHOICE_CLIP] & 4 ? clips[choice[CHOICE_CLIP] % 4] : NULL;
    if (choice[CHOICE_TIME] & 128)
        shot.time_s = (choice[CHOICE_TIME] & 127) / 16.0 - 2.0;
    return shot;
}

/// Two frames: their hashes. False when there is no picture.
static bool draw(const zt_scene *scene, zt_budget *whole, const zt_cancel *cancel, zt_isa isa,
                 int64_t last, uint64_t *out_hashes)
{
    zt_renderer_def def = zt_default_renderer_def();
    zt_renderer *renderer = NULL;
    zt_image image = {0};
    zt_error err = {0};
    int32_t width, height;
    def.threads = 1;
    def.max_isa = isa;
    def.budget = whole;
    def.cancel = cancel;
    zt_scene_size(scene, &width, &height);
    bool drawn = done(zt_renderer_create(&def, &renderer, &err), &err) &&
                 done(zt_image_init(&image, width, height, whole, &err), &err);
    for (int i = 0; drawn && i < 2; i++) {
        drawn = done(zt_render(renderer, scene, zt_scene_frame(scene, i ? last : 0), &image, &err),
                     &err);
        out_hashes[i] = drawn ? zt_image_hash(&image) : 0;
    }
    zt_image_finish(&image);
    zt_renderer_destroy(renderer);
    return drawn;
}

static void load_and_draw(const char *path, const uint8_t *choice, zt_budget *whole)
{
    long asks = choice[CHOICE_WORK] & 128 ? 1 << choice[CHOICE_WORK] % 16 : ASKS;
    const zt_cancel cancel = {fuzz_asked_enough, &asks};
    const zt_shot_def shot = shot_of(choice);
    zt_load_def def = zt_default_load_def();
    zt_scene *scene = NULL;
    zt_error err = {0};
    uint64_t hash[2], other[2];
    def.budget = whole;
    def.threads = 1;
    def.cancel = &cancel;
    def.picture_side = shot.width;
    if (!done(zt_scene_load(path, &def, &scene, &err), &err))
        return;
    require(fuzz_work_fits(&scene->budget_own, FUZZ_SPARE_BYTES));
    const zt_result applied = zt_scene_apply(scene, &shot, &err);
    require(applied == ZT_OK || applied == ZT_ERR_ARGUMENT || applied == ZT_ERR_MEMORY ||
            applied == ZT_ERR_LIMIT || applied == ZT_ERR_CANCELLED);
    if (done(applied, &err)) {
        const int64_t count = zt_scene_frame_count(scene);
        const int64_t last = choice[CHOICE_TIME] % (count < 100 ? count : 100);
        if (draw(scene, whole, &cancel, ZT_ISA_BEST, last, hash) &&
            choice[CHOICE_CLIP] / 8 % 8 == 0 &&
            draw(scene, whole, &cancel, ZT_ISA_SCALAR, last, other))
            require(memcmp(hash, other, sizeof hash) == 0);
    }
    zt_scene_destroy(scene);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    char path[64];
    zt_budget *whole = NULL;
    zt_limits limits = zt_default_limits();
    if (size < CHOICES || !store(data, size - CHOICES, path, sizeof path))
        return;
    const uint8_t *choice = data + size - CHOICES;
    const uint64_t memory = (uint64_t)MEBIBYTE << (7 - choice[CHOICE_MEMORY] % 8);
    limits.triangles = 100000;
    limits.frames = 100000;
    limits.texture_side = FUZZ_TEXTURE_SIDE;
    limits.fragments = choice[CHOICE_WORK] & 64 ? 10000 : 10000000;
    if (zt_budget_create(memory, NULL, &whole, NULL) != ZT_OK)
        return;
    require(zt_budget_set_limits(whole, &limits, NULL) == ZT_OK);
    load_and_draw(path, choice, whole);
    require(zt_budget_take(whole, memory)); // all has been given back
    zt_budget_destroy(whole);
}
