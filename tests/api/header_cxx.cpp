// SPDX-License-Identifier: MIT
// The public header alone, in strict C++17, linked against the C library.
#include <zoetrope/zoetrope.h>

int main()
{
    zt_error err{};
    zt_scene *scene = nullptr;
    const zt_load_def load = zt_default_load_def();
    if (zt_scene_create(&load, &scene, &err) != ZT_OK)
        return 1;
    const zt_load_def never_made{};
    const bool refused = zt_scene_create(&never_made, nullptr, &err) == ZT_ERR_ARGUMENT;
    zt_scene_destroy(scene);
    return refused ? 0 : 1;
}
