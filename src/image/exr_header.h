// SPDX-License-Identifier: MIT
/// The cost of the headers of an OpenEXR, before OpenEXRCore copies them.
#pragma once

#include "base/arena.h"
#include "base/file.h"

/// OpenEXRCore compares every name with all before it. Files of renderers have a tenth of this.
enum {
    EXR_NAMES_MAX = 4096,   ///< attributes of a part, or channels of a list
    EXR_NAMES_TOTAL = 16384 ///< of all parts together
};

typedef struct exr_header {
    size_t end;             ///< where the table of chunks begins
    uint64_t library_bytes; ///< at least what OpenEXRCore allocates to hold the headers once
} exr_header;

/// Walks the headers of all parts; `name` is for messages. Where an attribute is unlike its type,
/// OpenEXRCore goes on within it: that fails with ZT_ERR_FORMAT here, so that both see the same
/// attributes. Fails with ZT_ERR_LIMIT above EXR_NAMES_MAX and EXR_NAMES_TOTAL.
zt_result exr_header_walk(arena *temporary, const char *name, file_bytes bytes, exr_header *out,
                          zt_error *err);
