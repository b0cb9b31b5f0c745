// SPDX-License-Identifier: MIT
/// Feeds any bytes to the scene reader, as YAML or (when they start with a brace) as JSON, and to
/// the frame list parser, under a small budget. Whatever is read must also survive its own
/// defaults, and being posed.
#include "fuzz_memory.h"
#include "kernels/kernels.h"
#include "pose/pose.h"
#include "scene/frame_list.h"
#include "scene/scene_read.h"

#include <stdlib.h>
#include <string.h>

static void fuzz_frames(arena *a, const uint8_t *data, size_t size)
{
    zt_error err = {0};
    scene_frames frames = {0};
    const char *text = arena_text(a, (const char *)data, size < 200 ? size : 200);
    if (text && scene_parse_frames(a, text, &frames, &err) == ZT_OK)
        for (int64_t i = 1; i < frames.count; i++)
            if (frames.frame[i] <= frames.frame[i - 1])
                abort(); // rising, without duplicates
}

void fuzz_input(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + 1);
    if (!bytes)
        return;
    if (size > 0)
        memcpy(bytes, data, size);
    bytes[size] = 0; // file_read promises a 0 after the last byte

    zt_scene scene = {
        .load = zt_default_load_def(), .from_file = true, .root_length = FILE_ANYWHERE};
    scene.load.threads = 1; // a sanitizer needs memory to start one
    budget_init(&scene.budget_own, (uint64_t)64 << 20, NULL);
    arena_init(&scene.arena, &scene.budget_own);
    const bool json = size > 0 && data[0] == '{';
    scene.path = json ? ZT_SOURCE_DIR "/tests/cli/models/fuzz.json"
                      : ZT_SOURCE_DIR "/tests/cli/models/fuzz.yaml";
    zt_error err = {0};
    const zt_result r = scene_read(scene.path, (file_bytes){bytes, size}, &scene, &err);
    fuzz_result(r);
    if ((r == ZT_OK) != (err.code == ZT_OK))
        abort(); // a failure without a message, or the other way round
    if (r == ZT_OK && (scene.shot.count < 1 || scene.fps_numerator < 1 || scene.width < 1))
        abort();
    const mat4 *const *worlds;
    pose_sharing sharing;
    if (r == ZT_OK) // what was read can be posed
        (void)(pose_sharing_build(&scene, scene_shot_time(&scene, 0.4), &scene.arena, &sharing,
                                  &err) == ZT_OK &&
               pose_scene(kernels_for(ZT_ISA_SCALAR)->pose, &scene, scene_shot_time(&scene, 0.4),
                          &scene.arena, &sharing, &worlds, &err) == ZT_OK);
    for (uint32_t i = 0; i < scene.model_count; i++)
        arena_finish(&scene.models[i]->arena);
    fuzz_frames(&scene.arena, data, size);
    arena_finish(&scene.arena);
    free(bytes);
}
