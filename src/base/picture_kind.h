// SPDX-License-Identifier: MIT
/// The format of a picture file, by its first bytes or by the suffix of its name.
#pragma once

#include "base/file.h"

typedef struct picture_kind {
    const char *name;        ///< "PNG" or "GIF"
    const char *suffixes[2]; ///< ".jpg", ".jpeg" of files that are read as pictures, or NULL
    const char *mime;        ///< NULL: models do not contain it
    size_t offset, length;
    const char *bytes; ///< [length] at `offset` of each file, or NULL
} picture_kind;

/// Also one that is not decoded. Never NULL: the name is that, where it is unknown.
const picture_kind *picture_kind_of(file_bytes bytes);
/// By what a file begins with; unknown, too, where it cannot be read or is a pipe.
const picture_kind *picture_kind_of_file(const char *path);
/// One that is decoded, by the suffix, in any case. NULL: none.
const picture_kind *picture_kind_named(const char *path);

enum { PICTURE_TGA_HEADER = 18 }; ///< bytes

/// TGA begins with nothing that only it has: true where all of a header is as it must be.
bool picture_is_tga(file_bytes bytes);
