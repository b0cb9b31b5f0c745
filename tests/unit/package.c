// SPDX-License-Identifier: MIT
/// See package.h. Fields: PKWARE, APPNOTE.TXT 6.3, 4.3.
#include "package.h"

#include <libdeflate.h>

static void put(uint8_t *to, size_t *at, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++, value >>= 8)
        to[(*at)++] = (uint8_t)value;
}

/// Method, time and date, CRC, sizes: the same in both headers.
static void put_common(uint8_t *to, size_t *at, const void *bytes, size_t size, size_t name)
{
    put(to, at, 0, 4); // flags, method: stored
    put(to, at, 0x5d7d8a21, 4);
    put(to, at, libdeflate_crc32(0, bytes, size), 4);
    put(to, at, size, 4);
    put(to, at, size, 4);
    put(to, at, name, 2);
    put(to, at, 0, 2);
}

void package_add(package *p, const char *name, const void *bytes, size_t size)
{
    const size_t at = p->size, length = strlen(name);
    put(p->bytes, &p->size, 0x04034b50, 4);
    put(p->bytes, &p->size, 20, 2);
    put_common(p->bytes, &p->size, bytes, size, length);
    memcpy(p->bytes + p->size, name, length);
    memcpy(p->bytes + p->size + length, bytes, size);
    p->size += length + size;
    put(p->list, &p->list_size, 0x02014b50, 4);
    put(p->list, &p->list_size, 20 | 20 << 16, 4);
    put_common(p->list, &p->list_size, bytes, size, length);
    put(p->list, &p->list_size, 0, 4);                        // comment, disk
    put(p->list, &p->list_size, UINT64_C(0x81a400200001), 6); // attributes
    put(p->list, &p->list_size, at, 4);
    memcpy(p->list + p->list_size, name, length);
    p->list_size += length;
    p->count++;
}

void package_finish(package *p)
{
    const size_t at = p->size;
    memcpy(p->bytes + p->size, p->list, p->list_size);
    p->size += p->list_size;
    put(p->bytes, &p->size, 0x06054b50, 4);
    put(p->bytes, &p->size, 0, 4);
    put(p->bytes, &p->size, p->count, 2);
    put(p->bytes, &p->size, p->count, 2);
    put(p->bytes, &p->size, p->list_size, 4);
    put(p->bytes, &p->size, at, 4);
    put(p->bytes, &p->size, 0, 2);
}
