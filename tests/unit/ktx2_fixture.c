// SPDX-License-Identifier: MIT
#include "ktx2_fixture.h"

#include "testing.h"
#include "texture/texture_codecs.h"

void ktx2_begin(picture_case *c, uint64_t memory_limit)
{
    picture_finish(c);
    picture_begin(c, memory_limit ? memory_limit : (uint64_t)64 << 20);
}

static void put_key(picture_case *c, const ktx2_head *h)
{
    c->keys = c->size;
    picture_put_u32(c, 56, (uint32_t)c->size);
    if (!h->key)
        return;
    const size_t key = strlen(h->key) + 1, value = strlen(h->value) + 1;
    picture_put_u32(c, c->size, (uint32_t)(key + value));
    memcpy(c->file + c->size + 4, h->key, key);
    memcpy(c->file + c->size + 4 + key, h->value, value);
    c->size += (4 + key + value + 3) & ~(size_t)3;
    picture_put_u32(c, 60, (uint32_t)(c->size - c->keys));
}

void ktx2_start(picture_case *c, const ktx2_head *h)
{
    static const uint8_t identifier[12] = {0xab, 'K',  'T',  'X',  ' ',  '2',
                                           '0',  0xbb, '\r', '\n', 0x1a, '\n'};
    const uint32_t levels = h->level_count ? h->level_count : 1;
    memset(c->file, 0, sizeof c->file);
    memcpy(c->file, identifier, sizeof identifier);
    picture_put_u32(c, 12, h->vk_format);
    picture_put_u32(c, 16, 1);
    picture_put_u32(c, 20, h->width);
    picture_put_u32(c, 24, h->height);
    picture_put_u32(c, 28, h->depth);
    picture_put_u32(c, 32, h->layers);
    picture_put_u32(c, 36, h->faces ? h->faces : 1);
    picture_put_u32(c, 40, h->level_count);
    picture_put_u32(c, 44, h->scheme);
    c->descriptor = 80 + 24 * (size_t)levels;
    const uint32_t bytes = 28 + 16 * h->channel_count;
    picture_put_u32(c, 48, (uint32_t)c->descriptor);
    picture_put_u32(c, 52, bytes);
    uint8_t *d = c->file + c->descriptor;
    picture_put_u32(c, c->descriptor, bytes);
    d[12] = h->model ? h->model : 1;
    d[14] = h->transfer;
    d[15] = h->flags;
    for (uint32_t i = 0; i < h->channel_count; i++)
        d[28 + 16 * i + 3] = h->channels[i];
    c->size = c->descriptor + bytes;
    put_key(c, h);
    if (h->global_size) {
        c->size = (c->size + 7) & ~(size_t)7;
        picture_put_u32(c, 64, (uint32_t)c->size);
        picture_put_u32(c, 72, (uint32_t)h->global_size);
        memcpy(c->file + c->size, h->global, h->global_size);
        c->size += h->global_size;
    }
    c->levels = c->size;
}

void ktx2_level_add(picture_case *c, uint32_t level, const void *data, size_t size,
                    uint64_t full_size)
{
    const size_t at = 80 + 24 * (size_t)level;
    cr_assert(c->size + size <= sizeof c->file);
    picture_put_u32(c, at, (uint32_t)c->size);
    picture_put_u32(c, at + 8, (uint32_t)size);
    picture_put_u32(c, at + 16, (uint32_t)full_size);
    memcpy(c->file + c->size, data, size);
    c->size += size;
}

zt_result ktx2_run(picture_case *c)
{
    OWN_BLOCK uint8_t *exact = picture_exact_copy(c->file, c->size);
    c->err = (zt_error){ZT_OK, ""};
    return ktx2_decode(&c->a, "x.ktx2", (file_bytes){exact, c->size}, c->need, &c->out, &c->err);
}

void ktx2_expect_error(picture_case *c, zt_result result, size_t byte, const char *text)
{
    const zt_result r = ktx2_run(c);
    PRINTED(where, 64, "x.ktx2:%zu: ", byte);
    cr_expect(r == result && strncmp(c->err.message, where, strlen(where)) == 0 &&
                  strstr(c->err.message, text),
              "%d at %zu with \"%s\": got %d, %s", (int)result, byte, text, (int)r, c->err.message);
    cr_expect_eq(c->out.level_count, 0);
}
