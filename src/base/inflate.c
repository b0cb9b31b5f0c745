// SPDX-License-Identifier: MIT
#include "base/inflate.h"

#include <libdeflate.h>

bool inflate_is_possible(uint64_t packed, uint64_t size) { return size / 1032 <= packed; }

zt_result inflate_exactly(inflate_form form, file_bytes packed, void *out, size_t size)
{
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    size_t made = 0;
    if (!d)
        return ZT_ERR_MEMORY;
    const enum libdeflate_result result =
        form == INFLATE_ZLIB
            ? libdeflate_zlib_decompress(d, packed.data, packed.size, out, size, &made)
            : libdeflate_deflate_decompress(d, packed.data, packed.size, out, size, &made);
    libdeflate_free_decompressor(d);
    return result == LIBDEFLATE_SUCCESS && made == size ? ZT_OK : ZT_ERR_FORMAT;
}
