// SPDX-License-Identifier: MIT
/// Maps large files instead of reading them: the system's cache is used in place.
#ifndef ZT_BASE_FILE_MAP_H
#define ZT_BASE_FILE_MAP_H

#include "base/file.h"

#define FILE_MAP_MIN ((uint64_t)8 << 20) ///< bytes; smaller files are read as fast

/// Maps a whole regular file, followed by a 0, until `a` is finished or reset. On true it takes
/// over the descriptor; on false the caller still owns it. False when the file must be read: it is
/// small or empty, or others may change it and the system cannot prevent that. `a` is charged as
/// for a copy, so that whether the file fits does not depend on how it is read; ZT_ERR_LIMIT then
/// comes from reading it.
bool file_map(arena *a, int descriptor, file_bytes *out);

#endif
