// SPDX-License-Identifier: MIT
/// Wrote the seeds of compressed models in corpus/models: model_seed FOLDER.
#include "unit/draco_encode.h"
#include "unit/glb.h"
#include "unit/meshopt_encode.h"

#include <meshoptimizer.h>
#include <stdio.h>

enum { VERTICES = 16, STRIDE = 20, BIN_LIMIT = 8192 };

static bool write_glb(const char *folder, const char *name, const char *json, const uint8_t *bin,
                      size_t bin_size)
{
    char path[1024];
    size_t size;
    uint8_t *glb = glb_make(json, bin, bin_size, &size);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    const bool written = file && fwrite(glb, 1, size, file) == size;
    free(glb);
    return file && fclose(file) == 0 && written;
}

/// `positions`: compressed as well; otherwise the bytes of the stream serve as plain ones.
static bool write_draco(const char *folder, const char *name, bool sequential, bool positions)
{
    const draco_settings settings = {sequential, 11, 8};
    draco_sample s = draco_sample_make(5);
    size_t size = 0;
    char json[2048];
    uint8_t *stream = draco_encode(&s, &settings, &size);
    snprintf(json, sizeof json,
             "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_draco_mesh_compression'],"
             "'extensionsRequired':['KHR_draco_mesh_compression'],'buffers':[{'byteLength':%zu}],"
             "'bufferViews':[{'buffer':0,'byteLength':%zu}],'accessors':["
             "{%s'componentType':5126,'type':'VEC3','count':%u},"
             "{'componentType':5126,'type':'VEC3','count':%u},"
             "{'componentType':5121,'normalized':true,'type':'VEC4','count':%u},"
             "{'componentType':5125,'type':'SCALAR','count':%u}],'meshes':[{'primitives':[{"
             "'attributes':{'POSITION':0,'NORMAL':1,'COLOR_0':2},'indices':3,'extensions':{"
             "'KHR_draco_mesh_compression':{'bufferView':0,'attributes':{"
             "%s'NORMAL':1,'COLOR_0':2}}}}]}],'nodes':[{'mesh':0}],"
             "'scenes':[{'nodes':[0]}]}",
             size, size, positions ? "" : "'bufferView':0,", s.vertex_count, s.vertex_count,
             s.vertex_count, 3 * s.triangle_count, positions ? "'POSITION':0," : "");
    const bool written = stream && write_glb(folder, name, json, stream, size);
    free(stream);
    draco_sample_free(&s);
    return written;
}

/// A grid of 4 x 4: positions as floats, normals and tangent-like bytes through filters.
static bool write_meshopt(const char *folder)
{
    float position[VERTICES][5] = {{0}};
    unsigned corner[54], count = 0;
    uint8_t bin[BIN_LIMIT];
    size_t size;
    char json[2048];
    const meshopt_choice choice = {1, -1};
    for (unsigned i = 0; i < VERTICES; i++) {
        const float row[5] = {(float)(i % 4), (float)(i / 4), (float)(i % 3) * 0.25f,
                              (float)(i % 4) / 3.0f, (float)(i / 4) / 3.0f};
        memcpy(position[i], row, sizeof row);
        if (i % 4 < 3 && i / 4 < 3) {
            const unsigned quad[6] = {i, i + 1, i + 5, i, i + 5, i + 4};
            memcpy(corner + count, quad, sizeof quad);
            count += 6;
        }
    }
    uint8_t *stream = meshopt_encode_1(position, VERTICES, STRIDE, choice, &size);
    memcpy(bin, stream, size);
    free(stream);
    const size_t first = size, aligned = (size + 3) / 4 * 4;
    memset(bin + first, 0, aligned - first);
    const size_t indices =
        meshopt_encodeIndexBuffer(bin + aligned, sizeof bin - aligned, corner, count);
    snprintf(json, sizeof json,
             "{'asset':{'version':'2.0'},'extensionsUsed':['EXT_meshopt_compression'],"
             "'extensionsRequired':['EXT_meshopt_compression'],'buffers':[{'byteLength':%zu},"
             "{'byteLength':536,'extensions':{'EXT_meshopt_compression':{'fallback':true}}}],"
             "'bufferViews':[{'buffer':1,'byteLength':320,'byteStride':20,'target':34962,"
             "'extensions':{'EXT_meshopt_compression':{'buffer':0,'byteLength':%zu,"
             "'byteStride':20,'count':16,'mode':'ATTRIBUTES'}}},"
             "{'buffer':1,'byteOffset':320,'byteLength':216,'target':34963,'extensions':{"
             "'EXT_meshopt_compression':{'buffer':0,'byteOffset':%zu,'byteLength':%zu,"
             "'byteStride':4,'count':54,'mode':'TRIANGLES'}}}],'accessors':["
             "{'bufferView':0,'componentType':5126,'type':'VEC3','count':16},"
             "{'bufferView':0,'byteOffset':12,'componentType':5126,'type':'VEC2','count':16},"
             "{'bufferView':1,'componentType':5125,'type':'SCALAR','count':54}],'meshes':[{"
             "'primitives':[{'attributes':{'POSITION':0,'TEXCOORD_0':1},'indices':2}]}],"
             "'nodes':[{'mesh':0}],'scenes':[{'nodes':[0]}]}",
             aligned + indices, first, aligned, indices);
    return write_glb(folder, "meshopt.glb", json, bin, aligned + indices);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fputs("usage: model_seed FOLDER\n", stderr);
        return 2;
    }
    const char *folder = arguments[1];
    return write_draco(folder, "draco_edgebreaker.glb", false, true) &&
                   write_draco(folder, "draco_sequential.glb", true, true) &&
                   write_draco(folder, "draco_plain_positions.glb", true, false) &&
                   write_meshopt(folder)
               ? 0
               : 1;
}
