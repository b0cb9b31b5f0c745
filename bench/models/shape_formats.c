// SPDX-License-Identifier: MIT
// Shapes of one primitive in other formats than glTF.
#include "bench_models.h"
#include "writers.h"

#include <stdlib.h>
#include <string.h>

/// Binary; normals are left 0, as many programs do.
static void put_stl(byte_buffer *to, const built_primitive *p)
{
    static const char header[80];
    static const float normal[3];
    buffer_append(to, header, sizeof header);
    buffer_u32(to, (uint32_t)(p->index_count / 3));
    for (size_t i = 0; i + 2 < p->index_count; i += 3) {
        static const uint8_t attribute[2];
        buffer_append(to, normal, sizeof normal);
        for (int k = 0; k < 3; k++)
            buffer_append(to, p->vertices[p->indices[i + (size_t)k]].position, 3 * sizeof(float));
        buffer_append(to, attribute, sizeof attribute);
    }
}

/// Normals and texture coordinates have the numbers of their positions.
static void put_obj(byte_buffer *to, const built_primitive *p)
{
    for (size_t i = 0; i < p->vertex_count; i++) {
        const built_vertex *v = &p->vertices[i];
        buffer_text(to, "v %.6f %.6f %.6f\nvt %.6f %.6f\nvn %.6f %.6f %.6f\n",
                    (double)v->position[0], (double)v->position[1], (double)v->position[2],
                    (double)v->uv[0], 1.0 - (double)v->uv[1], (double)v->normal[0],
                    (double)v->normal[1], (double)v->normal[2]);
    }
    for (size_t i = 0; i + 2 < p->index_count; i += 3) {
        const unsigned a = p->indices[i] + 1, b = p->indices[i + 1] + 1, c = p->indices[i + 2] + 1;
        buffer_text(to, "f %u/%u/%u %u/%u/%u %u/%u/%u\n", a, a, a, b, b, b, c, c, c);
    }
}

bool shape_write(const built_model *m, const char *folder, const char *name)
{
    const char *suffix = strrchr(name, '.');
    byte_buffer bytes = {0};
    if (suffix && strcmp(suffix, ".stl") == 0)
        put_stl(&bytes, &m->primitives[0]);
    else if (suffix && strcmp(suffix, ".obj") == 0)
        put_obj(&bytes, &m->primitives[0]);
    else
        return glb_write(m, folder, name);
    const bool ok = buffer_save(&bytes, folder, name);
    free(bytes.data);
    return ok;
}
