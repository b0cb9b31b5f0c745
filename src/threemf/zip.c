// SPDX-License-Identifier: MIT
#include "threemf/zip.h"

#include "base/bytes.h"
#include "base/inflate.h"
#include "base/utf8.h"

#include <libdeflate.h>
#include <string.h>
#include <strings.h>

enum {
    END_BYTES = 22,
    COMMENT_MAX = 65535,
    CENTRAL_BYTES = 46,
    LOCAL_BYTES = 30,
    STORED = 0,
    DEFLATED = 8,
    LOCATOR64_BYTES = 20,
    END64_BYTES = 56,
    EXTRA64 = 1 ///< of the extra field with numbers of 64 bits
};

static uint32_t load(const zip_archive *zip, size_t at, size_t size)
{
    return (uint32_t)bytes_load_le(zip->bytes.data + at, size);
}

static uint64_t load64(const zip_archive *zip, size_t at)
{
    return bytes_load_le(zip->bytes.data + at, 8);
}

static zt_result fail(const zip_archive *zip, uint64_t at, const char *what, zt_error *err)
{
    return zt_fail(err, ZT_ERR_FORMAT, "%s:%llu: %s", zip->path, (unsigned long long)at, what);
}

/// The record at the end, from behind.
static bool find_end(const zip_archive *zip, size_t *out)
{
    const size_t size = zip->bytes.size;
    const size_t from = size < END_BYTES + COMMENT_MAX ? 0 : size - END_BYTES - COMMENT_MAX;
    for (size_t at = size < END_BYTES ? 0 : size - END_BYTES + 1; at-- > from;)
        if (memcmp(zip->bytes.data + at, "PK\x05\x06", 4) == 0) {
            *out = at;
            return true;
        }
    return false;
}

/// Where the list of entries is, and how many there are: before the end of a Zip64 archive are a
/// locator and a record with these numbers in 64 bits.
static void find_list(const zip_archive *zip, size_t end, uint64_t *out_at, uint64_t *out_count)
{
    *out_count = load(zip, end + 10, 2);
    *out_at = load(zip, end + 16, 4);
    if ((*out_at != UINT32_MAX && *out_count != UINT16_MAX) || end < LOCATOR64_BYTES ||
        memcmp(zip->bytes.data + end - LOCATOR64_BYTES, "PK\x06\x07", 4) != 0)
        return;
    const uint64_t record = load64(zip, end - LOCATOR64_BYTES + 8);
    if (end < END64_BYTES || record > end - END64_BYTES ||
        memcmp(zip->bytes.data + record, "PK\x06\x06", 4) != 0)
        return;
    *out_count = load64(zip, (size_t)record + 32);
    *out_at = load64(zip, (size_t)record + 48);
}

/// Numbers of an entry that do not fit into 32 bits, in this order, from its extra fields.
static void read_extra(const zip_archive *zip, size_t at, size_t end, zip_entry *entry)
{
    uint64_t *const numbers[3] = {&entry->size, &entry->packed, &entry->at};
    while (end - at >= 4) {
        const uint32_t kind = load(zip, at, 2);
        const size_t size = load(zip, at + 2, 2);
        at += 4;
        if (size > end - at)
            return;
        size_t from = at;
        if (kind == EXTRA64)
            for (int k = 0; k < 3; k++)
                if (*numbers[k] == UINT32_MAX && at + size - from >= 8) {
                    *numbers[k] = load64(zip, from);
                    from += 8;
                }
        at += size;
    }
}

static zt_result read_entry(const zip_archive *zip, size_t *at, zip_entry *out, zt_error *err)
{
    if (zip->bytes.size - *at < CENTRAL_BYTES ||
        memcmp(zip->bytes.data + *at, "PK\x01\x02", 4) != 0)
        return fail(zip, *at, "a broken ZIP archive: no entry where its list says", err);
    const size_t name = load(zip, *at + 28, 2);
    const size_t extra = load(zip, *at + 30, 2), rest = name + extra + load(zip, *at + 32, 2);
    if (rest > zip->bytes.size - *at - CENTRAL_BYTES)
        return fail(zip, *at, "a broken ZIP archive: an entry is cut off", err);
    char *text = arena_text(zip->a, (const char *)zip->bytes.data + *at + CENTRAL_BYTES, name);
    if (!text)
        return arena_fail(zip->a, err, "a name");
    utf8_make_harmless(text);
    for (char *c = text; *c; c++)
        *c = *c == '\\' ? '/' : *c; // as some programs for Windows write them
    *out = (zip_entry){.name = text + (*text == '/'),
                       .method = load(zip, *at + 10, 2),
                       .crc = load(zip, *at + 16, 4),
                       .packed = load(zip, *at + 20, 4),
                       .size = load(zip, *at + 24, 4),
                       .at = load(zip, *at + 42, 4)};
    const size_t fields = *at + CENTRAL_BYTES + name;
    read_extra(zip, fields, fields + extra, out);
    *at += CENTRAL_BYTES + rest;
    return ZT_OK;
}

static uint32_t *find(const zip_archive *zip, const char *name)
{
    uint64_t hash = HASH_START;
    for (const char *c = name; *c; c++)
        hash = hash_bytes(hash, &(char){ascii_lower(*c)}, 1);
    uint32_t *slot = hash_table_first(&zip->names, hash_number(hash, 0));
    while (*slot != 0 && strcasecmp(zip->entry[*slot - 1].name, name) != 0) {
        slot = hash_table_next(&zip->names, slot);
        arena_count(zip->a, 1);
    }
    return slot;
}

zt_result zip_open(zip_archive *zip, zt_error *err)
{
    size_t end = 0;
    zip_entry *entries;
    if (!find_end(zip, &end))
        return fail(zip, zip->bytes.size, "a broken ZIP archive: it has no end", err);
    uint64_t list, count;
    find_list(zip, end, &list, &count);
    if (list > end || count > (end - list) / CENTRAL_BYTES)
        return fail(zip, end, "a broken ZIP archive: its list is outside", err);
    size_t at = (size_t)list;
    ZT_TRY(ARENA_TAKE(zip->a, &entries, count, "entries", err));
    if (!hash_table_init(&zip->names, zip->a, count))
        return arena_fail(zip->a, err, "entries");
    zip->entry = entries;
    for (uint32_t i = 0; i < count; i++) {
        ZT_TRY(read_entry(zip, &at, &entries[i], err));
        ZT_TRY(arena_work(zip->a, 1, "entries", err));
        uint32_t *slot = find(zip, entries[i].name);
        *slot = *slot ? *slot : i + 1; // the first of several
    }
    return ZT_OK;
}

const zip_entry *zip_find(const zip_archive *zip, const char *name)
{
    const uint32_t number = *find(zip, name + (*name == '/'));
    return number ? &zip->entry[number - 1] : NULL;
}

static zt_result unpack(const zip_archive *zip, const zip_entry *entry, const uint8_t *from,
                        file_bytes *out, zt_error *err)
{
    uint8_t *bytes;
    if (!inflate_is_possible(entry->packed, entry->size) || entry->size > UINT32_MAX)
        return fail(zip, entry->at, "a broken ZIP archive: a size that cannot be", err);
    ZT_TRY(ARENA_TAKE_RAW(zip->a, &bytes, entry->size + 1, "an entry", err));
    const zt_result r =
        inflate_exactly(INFLATE_PLAIN, (file_bytes){from, entry->packed}, bytes, entry->size);
    if (r == ZT_ERR_MEMORY)
        return zt_fail(err, r, "an entry: the system has no memory left");
    if (r != ZT_OK)
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%llu: a broken ZIP archive: '%.100s' does not unpack", zip->path,
                       (unsigned long long)entry->at, entry->name);
    bytes[entry->size] = 0;
    *out = (file_bytes){bytes, entry->size};
    return ZT_OK;
}

zt_result zip_read(const zip_archive *zip, const zip_entry *entry, file_bytes *out, zt_error *err)
{
    const size_t size = zip->bytes.size, at = (size_t)entry->at;
    if (size < LOCAL_BYTES || entry->at > size - LOCAL_BYTES ||
        memcmp(zip->bytes.data + at, "PK\x03\x04", 4) != 0)
        return fail(zip, entry->at, "a broken ZIP archive: no file where its list says", err);
    const size_t head = LOCAL_BYTES + load(zip, at + 26, 2) + load(zip, at + 28, 2);
    if (head > size - at || entry->packed > size - at - head)
        return fail(zip, entry->at, "a broken ZIP archive: a file is cut off", err);
    const uint8_t *from = zip->bytes.data + at + head;
    if (load(zip, at + 6, 2) & 1)
        return zt_fail(err, ZT_ERR_UNSUPPORTED, "%s: '%.100s' is encrypted, which is not read",
                       zip->path, entry->name);
    if (entry->method != STORED && entry->method != DEFLATED)
        return zt_fail(err, ZT_ERR_UNSUPPORTED,
                       "%s: '%.100s' is packed by method %u (expected 0 or 8)", zip->path,
                       entry->name, entry->method);
    *out = (file_bytes){from, entry->packed};
    if (entry->method == DEFLATED)
        ZT_TRY(unpack(zip, entry, from, out, err));
    ZT_TRY(arena_work(zip->a, out->size / 4, "files of the archive", err)); // packed up to 1032 : 1
    return libdeflate_crc32(0, out->data, out->size) == entry->crc
               ? ZT_OK
               : zt_fail(err, ZT_ERR_FORMAT, "%s:%llu: a broken ZIP archive: CRC error of '%.100s'",
                         zip->path, (unsigned long long)entry->at, entry->name);
}
