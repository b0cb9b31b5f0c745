// SPDX-License-Identifier: MIT
#include "base/model_names.h"

#include "base/path.h"

static const struct {
    const char *suffix, *mime_type;
} names[] = {
    {".glb", "model/gltf-binary"}, {".gltf", "model/gltf+json"},    {".vrm", "model/vrm"},
    {".m3d", "model/x-m3d"},       {".obj", "model/obj"},           {".ply", "model/x-ply"},
    {".stl", "model/stl"},         {".fbx", "application/vnd.fbx"}, {".x", "model/x-directx"},
    {".3mf", "model/3mf"},
};

bool is_scene_name(const char *path)
{
    return has_suffix(path, ".yaml") || has_suffix(path, ".yml") || has_suffix(path, ".json");
}

const char *model_mime_type(const char *path)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has_suffix(path, names[i].suffix))
            return names[i].mime_type;
    return NULL;
}
