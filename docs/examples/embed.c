// SPDX-License-Identifier: MIT
// One picture of a model, in a program of yours: embed MODEL OUT.png. See docs/library.md for how
// to link it.
#include <zoetrope/zoetrope.h>

#include <stdio.h>

static zt_result render_model(const char *model_path, const char *png_path, zt_error *err)
{
    const zt_load_def load = zt_default_load_def();
    const zt_renderer_def threads = zt_default_renderer_def();
    zt_instance_def instance = zt_default_instance_def();
    zt_shot_def shot = zt_default_shot_def();
    zt_model *model = NULL;
    zt_scene *scene = NULL;
    zt_renderer *renderer = NULL;
    zt_image image = {0};

    zt_result result = zt_model_load(model_path, &load, &model, err);
    if (result != ZT_OK)
        goto done;
    result = zt_scene_create(&load, &scene, err);
    if (result != ZT_OK)
        goto done;
    instance.model = model;
    instance.clip = zt_model_clip_count(model) > 0 ? 0 : -1;
    result = zt_scene_add_instance(scene, &instance, err);
    if (result != ZT_OK)
        goto done;
    shot.width = 320;
    shot.height = 240;
    shot.background = "transparent";
    result = zt_scene_apply(scene, &shot, err);
    if (result != ZT_OK)
        goto done;
    result = zt_renderer_create(&threads, &renderer, err);
    if (result != ZT_OK)
        goto done;
    result = zt_image_init(&image, shot.width, shot.height, NULL, err);
    if (result != ZT_OK)
        goto done;
    result = zt_render(renderer, scene, 0, &image, err);
    if (result != ZT_OK)
        goto done;
    result = zt_image_write(png_path, &image, NULL, err);
done:
    zt_image_finish(&image);
    zt_renderer_destroy(renderer);
    zt_scene_destroy(scene);
    zt_model_destroy(model);
    return result;
}

int main(int argc, char **argv)
{
    zt_error err = {0};
    if (argc != 3) {
        fprintf(stderr, "usage: embed MODEL OUT.png\n");
        return 2;
    }
    const zt_result result = render_model(argv[1], argv[2], &err);
    if (result != ZT_OK)
        fprintf(stderr, "%s\n", err.message);
    return (int)result;
}
