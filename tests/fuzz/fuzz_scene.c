// SPDX-License-Identifier: MIT
/// Feeds bytes to the scene reader, as YAML or (after a brace) JSON, and to the frame list parser,
/// under a small budget. What is read must survive its own defaults, being posed and drawn.
#include "fuzz_memory.h"
#include "fuzz_work.h"
#include "kernels/kernels.h"
#include "pose/pose.h"
#include "scene/frame_list.h"
#include "scene/scene_read.h"

enum { SIDE = 24 };

static void fuzz_frames(arena *a, const uint8_t *data, size_t size)
{
    zt_error err = {0};
    scene_frames frames = {0};
    const char *text = arena_text(a, (const char *)data, size < 200 ? size : 200);
    if (text && scene_parse_frames(a, text, &frames, &err) == ZT_OK)
        for (int64_t i = 1; i < frames.count; i++)
            require(frames.frame[i] > frames.frame[i - 1]);
}

static void pose(zt_scene *scene)
{
    const mat4 *const *worlds;
    pose_sharing sharing;
    zt_error err = {0};
    const frame_time time = scene_shot_time(scene, 0.4);
    (void)(pose_sharing_build(scene, time, &scene->arena, &sharing, &err) == ZT_OK &&
           pose_scene(kernels_for(ZT_ISA_SCALAR)->pose, scene, time, &scene->arena, &sharing,
                      &worlds, &err) == ZT_OK);
}

/// The last frame, small, whatever size the scene has.
static void draw(zt_scene *scene)
{
    long asks = 20000;
    const zt_cancel cancel = {fuzz_asked_enough, &asks};
    zt_renderer_def def = zt_default_renderer_def();
    zt_renderer *renderer = NULL;
    zt_image image = {0};
    zt_error err = {0};
    scene->width = scene->height = SIDE;
    scene->selected = scene->shot;
    def.threads = 1;
    def.max_memory = (uint64_t)64 << 20;
    def.cancel = &cancel;
    zt_result r = zt_renderer_create(&def, &renderer, &err);
    if (r == ZT_OK)
        r = zt_image_init(&image, SIDE, SIDE, NULL, &err);
    if (r == ZT_OK)
        r = zt_render(renderer, scene, zt_scene_frame(scene, zt_scene_frame_count(scene) - 1),
                      &image, &err);
    fuzz_result(r);
    require(r != ZT_ERR_INTERNAL && (r == ZT_OK || (err.code == r && err.message[0])));
    zt_image_finish(&image);
    zt_renderer_destroy(renderer);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    uint8_t *bytes = fuzz_copy(data, size);
    if (!bytes)
        return;
    zt_scene scene = {
        .load = zt_default_load_def(), .from_file = true, .root_length = FILE_ANYWHERE};
    scene.load.threads = 1; // a sanitizer needs memory to start one
    budget_init(&scene.budget_own, (uint64_t)64 << 20, NULL);
    arena_init(&scene.arena, &scene.budget_own);
    budget_read(&scene.budget_own, size);
    const bool json = size > 0 && data[0] == '{';
    scene.path = json ? ZT_SOURCE_DIR "/tests/cli/models/fuzz.json"
                      : ZT_SOURCE_DIR "/tests/cli/models/fuzz.yaml";
    zt_error err = {0};
    const zt_result r = scene_read(scene.path, (file_bytes){bytes, size}, &scene, &err);
    fuzz_result(r);
    require(fuzz_work_fits(&scene.budget_own, FUZZ_SPARE_BYTES));
    require((r == ZT_OK) == (err.code == ZT_OK)); // a failure has its message
    if (r == ZT_OK) {                             // what was read can be posed and drawn
        require(scene.shot.count >= 1 && scene.fps_numerator >= 1 && scene.width >= 1);
        pose(&scene);
        draw(&scene);
    }
    for (uint32_t i = 0; i < scene.model_count; i++)
        arena_finish(&scene.models[i]->arena);
    fuzz_frames(&scene.arena, data, size);
    arena_finish(&scene.arena);
    free(bytes);
}
