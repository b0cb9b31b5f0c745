// SPDX-License-Identifier: MIT
/// See scene_file.h.
#include "scene_file.h"

#include <unistd.h>

zt_error err;

zt_scene *scene_of_text(const char *text, zt_result expected)
{
    char path[1024]; // tests run side by side
    snprintf(path, sizeof path, ZT_BINARY_DIR "/scene_file_%ld.yaml", (long)getpid());
    FILE *f = fopen(path, "w");
    cr_assert(f);
    fputs(text, f);
    fclose(f);
    const zt_load_def def = zt_default_load_def();
    zt_scene *scene = NULL;
    err.message[0] = 0;
    const zt_result result = zt_scene_load(path, &def, &scene, &err);
    unlink(path);
    cr_assert_eq(result, expected, "%s gave %s: %s", text, zt_result_name(result), err.message);
    return scene;
}
