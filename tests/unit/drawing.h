// SPDX-License-Identifier: MIT
/// Scenes and pictures by the public interface; what fails fails the test.
#pragma once

#include "testing.h"

#include <stdarg.h>
#include <unistd.h>

#define FIGURE_SCENE ZT_SOURCE_DIR "/scenes/tests/figure.yaml"

static inline zt_shot_def sized_shot(int32_t width, int32_t height)
{
    zt_shot_def shot = zt_default_shot_def();
    shot.width = width;
    shot.height = height;
    return shot;
}

/// A scene or model file, changed by `shot`; NULL: as it is.
static inline zt_scene *load_scene(const char *path, const zt_shot_def *shot)
{
    const zt_load_def def = zt_default_load_def();
    zt_scene *scene = NULL;
    zt_error error;
    MUST(zt_scene_load(path, &def, &scene, &error), error);
    cr_assert(!shot || zt_scene_apply(scene, shot, &error) == ZT_OK, "%s", error.message);
    return scene;
}

/// The scene of a YAML text behind "format: 1", by a file of its own; paths in it are absolute.
__attribute__((format(printf, 1, 2))) static inline zt_scene *load_scene_text(const char *format,
                                                                              ...)
{
    va_list list;
    PRINTED(path, 600, ZT_BINARY_DIR "/drawing_%ld.yaml", (long)getpid()); // tests run side by side
    FILE *file = fopen(path, "w");
    cr_assert(file);
    va_start(list, format);
    fputs("format: 1\n", file);
    vfprintf(file, format, list);
    va_end(list);
    cr_assert_eq(fclose(file), 0);
    zt_scene *scene = load_scene(path, NULL);
    remove(path);
    return scene;
}

/// A scene of one instance of a model, changed by `shot`.
static inline zt_scene *scene_of_model(const zt_model *model, const zt_shot_def *shot)
{
    const zt_load_def load = zt_default_load_def();
    zt_instance_def instance = zt_default_instance_def();
    zt_scene *scene = NULL;
    zt_error error;
    instance.model = model;
    MUST(zt_scene_create(&load, &scene, &error), error);
    MUST(zt_scene_add_instance(scene, &instance, &error), error);
    MUST(zt_scene_apply(scene, shot, &error), error);
    return scene;
}

static inline zt_renderer *make_renderer(int32_t threads, zt_isa isa)
{
    zt_renderer_def def = zt_default_renderer_def();
    zt_renderer *renderer = NULL;
    zt_error error;
    def.threads = threads;
    def.max_isa = isa;
    MUST(zt_renderer_create(&def, &renderer, &error), error);
    return renderer;
}

/// Draws the planes color and depth of a frame of the scene's size; NULL: not this one.
static inline zt_result draw_planes(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                                    float *color, float *depth, zt_error *err)
{
    zt_planes planes = zt_default_planes();
    zt_plane list[2];
    zt_scene_size(scene, &planes.width, &planes.height);
    planes.list = list;
    if (color)
        list[planes.count++] = (zt_plane){"color", color, 0};
    if (depth)
        list[planes.count++] = (zt_plane){"depth", depth, 0};
    return zt_render_planes(renderer, scene, frame, &planes, err);
}

/// A frame of the scene's size; NULL: by a renderer of its own. Free it with zt_image_finish.
static inline zt_image draw_frame(zt_renderer *renderer, const zt_scene *scene, int64_t frame)
{
    OWN_RENDERER *own = renderer ? NULL : make_renderer(0, ZT_ISA_BEST);
    zt_image image;
    zt_error error;
    int32_t width, height;
    zt_scene_size(scene, &width, &height);
    cr_assert_eq(zt_image_init(&image, width, height, NULL, &error), ZT_OK);
    MUST(zt_render(own ? own : renderer, scene, frame, &image, &error), error);
    return image;
}

/// The code of a linear value (IEC 61966-2-1).
static inline int code_of(double linear)
{
    return (int)(255.0 * (1.055 * pow(linear, 1.0 / 2.4) - 0.055) + 0.5);
}

/// Columns and rows without a pixel that shows something.
typedef struct empty_sides {
    int32_t left, right, top, bottom;
} empty_sides;

/// Those of a frame of a scene whose background is transparent.
static inline empty_sides draw_sides(zt_renderer *renderer, const zt_scene *scene, int64_t frame)
{
    OWN_IMAGE image = draw_frame(renderer, scene, frame);
    empty_sides e = {image.width, image.width, image.height, image.height};
    for (int32_t y = 0; y < image.height; y++)
        for (int32_t x = 0; x < image.width; x++) {
            if (image.rgba8[(size_t)y * image.stride + (size_t)x * 4 + 3] == 0)
                continue;
            e.left = x < e.left ? x : e.left;
            e.right = image.width - 1 - x < e.right ? image.width - 1 - x : e.right;
            e.top = y < e.top ? y : e.top;
            e.bottom = image.height - 1 - y < e.bottom ? image.height - 1 - y : e.bottom;
        }
    return e;
}
