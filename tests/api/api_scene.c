// SPDX-License-Identifier: MIT
// The example of README.md: a scene file to PNG files.
//   api_scene SCENE PATTERN
// example begins
#include <zoetrope/zoetrope.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    const zt_load_def load = zt_default_load_def();
    const zt_renderer_def all_cores = zt_default_renderer_def();
    zt_sequence_def files = zt_default_sequence_def();
    zt_scene *scene = NULL;
    zt_renderer *renderer = NULL;
    zt_error err = {0};
    files.pattern = argc > 2 ? argv[2] : "frame-####.png";
    if (zt_scene_load(argc > 1 ? argv[1] : "scene.yaml", &load, &scene, &err) != ZT_OK ||
        zt_renderer_create(&all_cores, &renderer, &err) != ZT_OK ||
        zt_render_sequence(renderer, scene, &files, &err) != ZT_OK)
        fprintf(stderr, "%s\n", err.message);
    zt_renderer_destroy(renderer);
    zt_scene_destroy(scene);
    return (int)err.code;
}
// example ends
