// SPDX-License-Identifier: MIT
// A scene in code, the example of docs/library.md.   api_keyed WALKER
// example begins
#include <zoetrope/zoetrope.h>

#include <stdio.h>
#include <string.h>

// The one model of the scene, in memory.
typedef struct model_bytes {
    const void *bytes;
    size_t size;
} model_bytes;

static bool open_model(void *user, const char *name, const void **out_bytes, size_t *out_size)
{
    const model_bytes *model = user;
    if (strcmp(name, "walker.glb") != 0)
        return false;
    *out_bytes = model->bytes;
    *out_size = model->size;
    return true;
}

// A walker that looks at a point over a shot of `frames` frames.
static zt_result walker_looks_at(model_bytes *model, const double point[3], int frames,
                                 zt_scene **out_scene, zt_error *err)
{
    char text[1024];
    const int length = snprintf(text, sizeof text,
                                "format: 1\n"
                                "output: { size: [320, 240], frames: 0-%d, fps: 30 }\n"
                                "models:\n"
                                "  - file: walker.glb\n"
                                "    animation: walk\n"
                                "    ik:\n"
                                "      - look_at: { bones: [neck, head], offset: [0, 0.1, 0.1],\n"
                                "                   target: [%.17g, %.17g, %.17g], limit: 70 }\n",
                                frames - 1, point[0], point[1], point[2]);
    zt_load_def load = zt_default_load_def();
    load.bytes = text;
    load.size = (size_t)length;
    load.open = open_model;
    load.open_user = model;
    return zt_scene_load("scene.yaml", &load, out_scene, err);
}
// example ends

int main(int argc, char **argv)
{
    static char bytes[1 << 23];
    const double point[3] = {1.0, 1.5, 2.0};
    zt_error err = {0};
    zt_scene *scene = NULL;
    FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
    model_bytes model = {bytes, f ? fread(bytes, 1, sizeof bytes, f) : 0};
    if (f)
        fclose(f);
    const zt_result result = walker_looks_at(&model, point, 12, &scene, &err);
    if (result != ZT_OK)
        fprintf(stderr, "api_keyed: %s\n", err.message);
    const bool whole = scene && zt_scene_frame_count(scene) == 12;
    zt_scene_destroy(scene);
    return result == ZT_OK && whole ? 0 : 1;
}
