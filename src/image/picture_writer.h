// SPDX-License-Identifier: MIT
/// The table of output formats. A new format is a file with its functions and a row in
/// picture_writer.c: the library, the command line and the manual read the table.
#ifndef ZT_IMAGE_PICTURE_WRITER_H
#define ZT_IMAGE_PICTURE_WRITER_H

#include "base/file.h"
#include "image/picture_planes.h"

typedef struct picture_writer {
    zt_picture_format format; ///< what callers see
    uint32_t planes;          ///< bits of enum picture_plane
    /// ZT_PNG_FAST files of this format are made in bands of rows, which all workers can encode
    /// (image/png_bands.h). `encode` gives the same bytes.
    bool png_bands;
    /// Whether a file is whole and has this key of a frame; NULL: files have no keys.
    bool (*known)(file_bytes bytes, uint64_t key, int32_t width, int32_t height);
    /// What precedes the first frame of a stream; NULL: nothing. `out` lives in `a`.
    zt_result (*begin)(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err);
    /// One frame: a whole file, or the next part of a stream. `out` lives in `a` or in the planes.
    zt_result (*encode)(const picture_planes *frame, const picture_encoding *encoding, arena *a,
                        file_bytes *out, zt_error *err);
} picture_writer;

/// The writer of format `name`. Fails with ZT_ERR_ARGUMENT and the names that there are.
zt_result picture_writer_find(const char *name, const picture_writer **out, zt_error *err);
/// "png, y4m, rgba", or those of streams only, cut off at `size`.
void picture_writer_names(bool streams_only, char *out, size_t size);
/// The writer for the suffix of `path`; that of PNG when no format has this suffix.
const picture_writer *picture_writer_of_path(const char *path);

#endif
