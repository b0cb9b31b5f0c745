// SPDX-License-Identifier: MIT
// Shapes of one primitive in other formats than glTF.
#include "base/bytes.h"
#include "bench_models.h"
#include "writers.h"

#include <string.h>

/// Binary; normals are left 0, as many programs do.
static void put_stl(FILE *to, const built_primitive *p)
{
    static const char header[80];
    static const float normal[3];
    fwrite(header, 1, sizeof header, to);
    uint8_t count[4];
    bytes_store_u32_le(count, (uint32_t)(p->index_count / 3));
    fwrite(count, 1, sizeof count, to);
    for (size_t i = 0; i + 2 < p->index_count; i += 3) {
        static const uint8_t attribute[2];
        fwrite(normal, 1, sizeof normal, to);
        for (int k = 0; k < 3; k++)
            fwrite(p->vertices[p->indices[i + (size_t)k]].position, 1, 3 * sizeof(float), to);
        fwrite(attribute, 1, sizeof attribute, to);
    }
}

/// Normals and texture coordinates have the numbers of their positions.
static void put_obj(FILE *to, const built_primitive *p)
{
    for (size_t i = 0; i < p->vertex_count; i++) {
        const built_vertex *v = &p->vertices[i];
        fprintf(to, "v %.6f %.6f %.6f\nvt %.6f %.6f\nvn %.6f %.6f %.6f\n", (double)v->position[0],
                (double)v->position[1], (double)v->position[2], (double)v->uv[0],
                1.0 - (double)v->uv[1], (double)v->normal[0], (double)v->normal[1],
                (double)v->normal[2]);
    }
    for (size_t i = 0; i + 2 < p->index_count; i += 3) {
        const unsigned a = p->indices[i] + 1, b = p->indices[i + 1] + 1, c = p->indices[i + 2] + 1;
        fprintf(to, "f %u/%u/%u %u/%u/%u %u/%u/%u\n", a, a, a, b, b, b, c, c, c);
    }
}

void shape_write(const built_model *m, const char *folder, const char *name)
{
    const char *suffix = strrchr(name, '.');
    const bool stl = suffix && strcmp(suffix, ".stl") == 0;
    if (!stl && !(suffix && strcmp(suffix, ".obj") == 0)) {
        glb_write(m, folder, name);
        return;
    }
    FILE *file = file_begin(folder, name);
    if (stl)
        put_stl(file, &m->primitives[0]);
    else
        put_obj(file, &m->primitives[0]);
    file_end(file);
}
