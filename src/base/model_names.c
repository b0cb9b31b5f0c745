// SPDX-License-Identifier: MIT
#include "base/model_names.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *suffix, *mime_type;
} names[] = {
    {".glb", "model/gltf-binary"}, {".gltf", "model/gltf+json"},    {".vrm", "model/vrm"},
    {".m3d", "model/x-m3d"},       {".obj", "model/obj"},           {".ply", "model/x-ply"},
    {".stl", "model/stl"},         {".fbx", "application/vnd.fbx"}, {".x", "model/x-directx"},
    {".3mf", "model/3mf"},
};

const char *model_mime_type(const char *path)
{
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t tail = strlen(names[i].suffix);
        if (length > tail && strcasecmp(path + length - tail, names[i].suffix) == 0)
            return names[i].mime_type;
    }
    return NULL;
}
