// SPDX-License-Identifier: MIT
/// ZIP archives in memory (PKWARE, APPNOTE.TXT 6.3), also Zip64: files that are stored or deflated.
#pragma once

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"

typedef struct zip_entry {
    const char *name;
    uint32_t method, crc;
    uint64_t packed, size;
    uint64_t at; ///< of its local header
} zip_entry;

typedef struct zip_archive {
    const char *path; ///< for messages
    file_bytes bytes;
    arena *a;
    const zip_entry *entry; ///< in the order of the list
    hash_table names;       ///< of the entries, in any case
} zip_archive;

/// Lists the entries. `path`, `bytes` and `a` are set.
zt_result zip_open(zip_archive *zip, zt_error *err);
/// The entry of a name, without regard to case and to a slash before it; NULL: there is none.
const zip_entry *zip_find(const zip_archive *zip, const char *name);
/// Its bytes, in zip->a where they are packed.
zt_result zip_read(const zip_archive *zip, const zip_entry *entry, file_bytes *out, zt_error *err);
