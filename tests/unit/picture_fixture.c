// SPDX-License-Identifier: MIT
/// Shared by tests of picture readers.
#include "picture_fixture.h"

#include "asset_files.h"
#include "testing.h"

#include <dirent.h>

void picture_begin(picture_case *c, uint64_t limit)
{
    memset(c, 0, sizeof *c);
    budget_init(&c->memory, limit, NULL);
    arena_init(&c->a, &c->memory);
}

void picture_finish(picture_case *c)
{
    arena_finish(&c->a);
    cr_expect_eq(c->memory.used, 0);
}

void picture_put(picture_case *c, const void *bytes, size_t size)
{
    cr_assert(c->size + size <= sizeof c->file);
    memcpy(c->file + c->size, bytes, size);
    c->size += size;
}

void picture_put_text(picture_case *c, const char *text) { picture_put(c, text, strlen(text)); }

void picture_put_u32(picture_case *c, size_t at, uint32_t value)
{
    for (size_t i = 0; i < 4; i++)
        c->file[at + i] = (uint8_t)(value >> (8 * i));
}

uint8_t *picture_exact_copy(const void *data, size_t size)
{
    uint8_t *exact = malloc(size + 1);
    cr_assert(exact != NULL);
    memcpy(exact, data, size);
    exact[size] = 0;
    return exact;
}

file_bytes picture_read_corpus(picture_case *c, const char *name)
{
    file_bytes bytes;
    PRINTED(path, 512, "%s/tests/fuzz/corpus/%s", ZT_SOURCE_DIR, name);
    MUST(file_read(&c->a, path, &bytes, &c->err), c->err);
    return bytes;
}

void picture_expect_hash(const picture_case *c, int32_t width, int32_t height, uint64_t hash,
                         const char *name)
{
    cr_assert(c->out.width == width && c->out.height == height, "%s", name);
    OWN_BLOCK uint8_t *pixels = malloc((size_t)width * (size_t)height * 4);
    cr_assert(pixels != NULL);
    memcpy(pixels, c->out.level[0], (size_t)width * (size_t)height * 4);
    const zt_image image = {
        .rgba8 = pixels, .width = width, .height = height, .stride = (size_t)width * 4};
    const uint64_t got = zt_image_hash(&image);
    cr_assert_eq(got, hash, "%s: 0x%016llx", name, (unsigned long long)got);
}

int picture_each_asset(const char *folder, const char *ending,
                       void (*fn)(void *user, const char *path), void *user)
{
    PRINTED(path, 1024, "%s/%s", asset_folder(), folder);
    DIR *d = opendir(path);
    if (!d) {
        fprintf(stderr, "skipped: no folder %s\n", path);
        return -1;
    }
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(d)) != NULL;) {
        char file[1400];
        if (!strstr(entry->d_name, ending))
            continue;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        fn(user, file);
        count++;
    }
    closedir(d);
    return count;
}
