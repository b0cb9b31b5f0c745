// SPDX-License-Identifier: MIT
/// Large files where they lie, in the memory in which the system caches them.
#ifndef ZT_BASE_FILE_MAP_H
#define ZT_BASE_FILE_MAP_H

#include "base/file.h"

#define FILE_MAP_LEAST ((uint64_t)8 << 20) ///< bytes; smaller files are read as fast

/// Maps a regular file, from its first byte on, until `a` is finished or reset; a 0 follows. On
/// true the descriptor is taken over; on false it is still the caller's. False when the file is
/// better read: it is small, empty or may be changed by others, or the system cannot keep them from
/// it. `a` is charged as if it held a copy, so that whether the file fits does not depend on where
/// it lies; ZT_ERR_LIMIT then comes from reading it.
bool file_map(arena *a, int descriptor, file_bytes *out);

#endif
