// SPDX-License-Identifier: MIT
#include "image/file_key.h"

#include <inttypes.h>
#include <libdeflate.h>
#include <stdio.h>
#include <string.h>

void file_key_write(uint64_t key, file_bytes before, file_bytes after, uint8_t *out)
{
    char text[FILE_KEY_BYTES + 1];
    uint32_t crc = libdeflate_crc32(0, before.data, before.size);
    if (after.size > 0) // without bytes libdeflate begins again
        crc = libdeflate_crc32(crc, after.data, after.size);
    snprintf(text, sizeof text, "Zoetrope %016" PRIx64 " %08" PRIx32, key, crc);
    memcpy(out, text, FILE_KEY_BYTES);
}

bool file_key_matches(file_bytes bytes, size_t at, uint64_t key)
{
    uint8_t wanted[FILE_KEY_BYTES];
    if (at > bytes.size || bytes.size - at < FILE_KEY_BYTES)
        return false;
    const file_bytes after = {bytes.data + at + FILE_KEY_BYTES, bytes.size - at - FILE_KEY_BYTES};
    file_key_write(key, (file_bytes){bytes.data, at}, after, wanted);
    return memcmp(bytes.data + at, wanted, sizeof wanted) == 0;
}
