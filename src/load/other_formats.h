// SPDX-License-Identifier: MIT
/// Formats that are not read, by name, so that a message can say what a file is and what to do.
#pragma once

#include "base/file.h"

/// A format of other programs.
typedef struct other_format {
    const char *what;   ///< "an FBX file"
    const char *advice; ///< what to do: "convert it to .glb, for example with Blender"
} other_format;

/// The format of a file, by its content, and where that says nothing by the suffix of `path`. NULL:
/// unknown. The text of the file, if it is one, begins at `start`.
const other_format *other_format_of(const char *path, file_bytes bytes, size_t start);

/// Fails for an output that no writer has the suffix of: ZT_ERR_UNSUPPORTED for the suffix of a
/// known format, ZT_ERR_ARGUMENT for any other.
zt_result other_format_fail_output(const char *path, const char *expected, zt_error *err);
