// SPDX-License-Identifier: MIT
// A file is a header, and r, g, b of each texel as floats. The header has all that the texels
// follow from, and their checksum. Machines are little-endian, as kernels are.
#include "environment/environment_cache.h"

#include "base/file.h"
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct cache_header {
    char name[8];
    uint64_t picture, checksum; ///< of the file of the picture; of the texels
    int32_t version, texel_count;
    int32_t size[ENVIRONMENT_LEVELS];
    int32_t zero;
} cache_header;

_Static_assert(sizeof(cache_header) == 72, "no padding");

typedef struct cache_texel {
    float r, g, b;
} cache_texel;

static char *file_path(arena *a, const char *folder, uint64_t picture)
{
    char name[64];
    snprintf(name, sizeof name, "light-%016" PRIx64 ".bin", picture);
    return path_join(a, folder, name);
}

static cache_header header_of(uint64_t picture, const environment_sizes *sizes, int32_t texel_count)
{
    cache_header header = {.name = "ZTLIGHT",
                           .picture = picture,
                           .version = ENVIRONMENT_CACHE_VERSION,
                           .texel_count = texel_count};
    memcpy(header.size, sizes->size, sizeof header.size);
    return header;
}

/// The texels of a file; NULL unless it is whole and has this header.
static const cache_texel *check_file(file_bytes bytes, cache_header want)
{
    const size_t size = (size_t)want.texel_count * sizeof(cache_texel);
    if (bytes.size != sizeof want + size)
        return NULL;
    const uint8_t *texels = bytes.data + sizeof want;
    want.checksum = hash_words(HASH_START, texels, size);
    return memcmp(bytes.data, &want, sizeof want) == 0 ? (const cache_texel *)(const void *)texels
                                                       : NULL;
}

bool environment_cache_load(const char *folder, uint64_t picture, const environment_sizes *sizes,
                            arena *a, environment *out)
{
    arena scratch;
    file_bytes bytes;
    bool loaded = false;
    arena_init(&scratch, a->budget);
    const int32_t count = environment_chain_layout(sizes->size, &out->chain);
    const char *path = file_path(&scratch, folder, picture);
    // The memory that making it would take: whether memory suffices must not depend on the cache.
    const size_t side = (size_t)sizes->size[0] + 1;
    const void *reserved = arena_alloc_raw(&scratch, side * side * 3 / 2, 4 * sizeof(float));
    const uint64_t size = sizeof(cache_header) + (uint64_t)count * sizeof(cache_texel);
    if (path && reserved && file_read_own(&scratch, path, size, &bytes) == ZT_OK) {
        const cache_texel *from = check_file(bytes, header_of(picture, sizes, count));
        float(*texels)[4] = from ? arena_alloc_raw(a, (size_t)count, sizeof *texels) : NULL;
        for (int32_t i = 0; i < count && texels; i++) {
            texels[i][0] = from[i].r;
            texels[i][1] = from[i].g;
            texels[i][2] = from[i].b;
            texels[i][3] = 0.0f;
        }
        out->chain.texels = (const float(*)[4])texels;
        loaded = texels != NULL;
    }
    arena_finish(&scratch);
    return loaded;
}

static zt_result write_file(const char *path, const char *folder, const cache_header *header,
                            const cache_texel *texels, budget *work)
{
    file_writer writer;
    const size_t size = (size_t)header->texel_count * sizeof *texels;
    ZT_TRY(file_writer_open_below(&writer, path, strlen(folder), NULL));
    writer.work = work;
    zt_result result = file_writer_write(&writer, header, sizeof *header, NULL);
    if (result == ZT_OK)
        result = file_writer_write(&writer, texels, size, NULL);
    return file_writer_end(&writer, result, false, NULL);
}

void environment_cache_store(const char *folder, uint64_t picture, const environment_sizes *sizes,
                             arena *a, const environment *e)
{
    arena scratch;
    octahedral_levels layout;
    arena_init(&scratch, a->budget);
    const int32_t count = environment_chain_layout(sizes->size, &layout);
    const char *path = file_path(&scratch, folder, picture);
    cache_texel *texels = arena_alloc_raw(&scratch, (size_t)count, sizeof *texels);
    if (path && texels) {
        for (int32_t i = 0; i < count; i++) {
            const float *from = e->chain.texels[i];
            texels[i] = (cache_texel){from[0], from[1], from[2]};
        }
        cache_header header = header_of(picture, sizes, count);
        header.checksum = hash_words(HASH_START, texels, (size_t)count * sizeof *texels);
        (void)write_file(path, folder, &header, texels, a->budget);
    }
    arena_finish(&scratch);
}
