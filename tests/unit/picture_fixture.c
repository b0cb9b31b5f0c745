// SPDX-License-Identifier: MIT
#include "picture_fixture.h"

#include "asset_files.h"
#include "base/bytes.h"
#include "texture/texture_codecs.h"

#include <dirent.h>
#include <png.h>

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
    bytes_store_u32_le(c->file + at, value);
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

void picture_expect_pinned(const char *name, bool has_alpha, uint64_t hash)
{
    PICTURE_CASE(c, 0);
    const file_bytes bytes = picture_read_corpus(&c, name);
    OWN_BLOCK uint8_t *exact = picture_exact_copy(bytes.data, bytes.size);
    MUST(picture_decode(&c.a, name, (file_bytes){exact, bytes.size}, c.need, &c.out, &c.err),
         c.err);
    cr_assert(c.out.width == 19 && c.out.height == 13, "%s", name);
    cr_expect_eq(c.out.has_alpha, has_alpha, "%s", name);
    uint8_t pixels[19 * 13 * 4];
    memcpy(pixels, c.out.level[0], sizeof pixels);
    const zt_image image = {.rgba8 = pixels, .width = 19, .height = 13, .stride = 19 * 4};
    const uint64_t got = zt_image_hash(&image);
    cr_assert_eq(got, hash, "%s: 0x%016llx", name, (unsigned long long)got);
    for (size_t size = 0; size < bytes.size; size++) {
        OWN_BLOCK uint8_t *part = picture_exact_copy(bytes.data, size);
        cr_expect_eq(picture_decode(&c.a, name, (file_bytes){part, size}, c.need, &c.out, &c.err),
                     ZT_ERR_FORMAT, "%s cut to %zu", name, size);
        cr_expect(c.out.level_count == 0 && strstr(c.err.message, name), "%s", c.err.message);
    }
}

void picture_expect_libpng(file_bytes file, const zt_image *image, const char *what)
{
    png_image reader = {.version = PNG_IMAGE_VERSION};
    cr_assert(png_image_begin_read_from_memory(&reader, file.data, file.size), "%s: %s", what,
              reader.message);
    reader.format = PNG_FORMAT_RGBA;
    cr_assert(reader.width == (uint32_t)image->width && reader.height == (uint32_t)image->height);
    OWN_BLOCK uint8_t *pixels = malloc(PNG_IMAGE_SIZE(reader));
    cr_assert(png_image_finish_read(&reader, NULL, pixels, 0, NULL), "%s: %s", what,
              reader.message);
    cr_expect_eq(reader.warning_or_error, 0, "%s: %s", what, reader.message);
    for (int32_t y = 0; y < image->height; y++)
        cr_assert_arr_eq(pixels + (size_t)y * (size_t)image->width * 4,
                         image->rgba8 + (size_t)y * image->stride, (size_t)image->width * 4,
                         "%s row %d", what, y);
}

/// True if a file decodes; the message of one that does not names it, and holds `fault`.
static bool decode_asset(const char *path, const char *fault)
{
    file_bytes bytes;
    PICTURE_CASE(c, (uint64_t)256 << 20);
    cr_assert_eq(file_read(&c.a, path, &bytes, &c.err), ZT_OK);
    const zt_result r = picture_decode(&c.a, path, bytes, c.need, &c.out, &c.err);
    cr_expect(r == ZT_OK || r == ZT_ERR_FORMAT || r == ZT_ERR_LIMIT, "%s: %d", path, (int)r);
    cr_expect(r == ZT_OK ||
                  (strstr(c.err.message, path_name(path)) && strstr(c.err.message, fault)),
              "%s: %s", path, c.err.message);
    return r == ZT_OK;
}

void picture_expect_assets(const char *folder, const char *ending, int good, const char *fault)
{
    PRINTED(path, 1024, "%s/%s", asset_folder(), folder);
    DIR *d = opendir(path);
    if (!d) {
        fprintf(stderr, "skipped: no folder %s\n", path);
        return;
    }
    int count = 0, decoded = 0;
    for (const struct dirent *entry; (entry = readdir(d)) != NULL;) {
        if (!strstr(entry->d_name, ending))
            continue;
        PRINTED(file, 1400, "%s/%s", path, entry->d_name);
        decoded += decode_asset(file, fault);
        count++;
    }
    closedir(d);
    cr_expect(count > 0 && decoded == (good < 0 ? count : good), "%s: %d of %d", folder, decoded,
              count);
}
