// SPDX-License-Identifier: MIT
// A scene in code, the example of docs/library.md.   api_keyed WALKER
#include "example/api_keyed.c"

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
