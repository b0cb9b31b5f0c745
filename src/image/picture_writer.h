// SPDX-License-Identifier: MIT
/// The table of output formats. A new format is a file with its functions and a row in
/// picture_writer.c: the library, the command line and the manual read the table.
#pragma once

#include "base/file.h"
#include "image/picture_planes.h"

typedef struct picture_writer {
    zt_picture_format format; ///< what callers see
    uint32_t planes;          ///< the set of what it encodes: of format.light many at once
    int32_t side_limit;       ///< pixels; 0: that of all pictures
    /// ZT_PNG_FAST files of this format are made in bands of rows, which all workers can encode
    /// (image/png_bands.h). `encode` gives the same bytes.
    bool png_bands;
    /// picture_writer_takes() of one that takes more than colour of 8 bits.
    zt_result (*check)(picture_plane plane, const zt_encode_def *encoding, zt_error *err);
    /// True when a file is whole and has this key of a frame; NULL: files have no keys.
    bool (*known)(file_bytes bytes, uint64_t key, int32_t width, int32_t height);
    /// The writer of many frames in a file of this suffix; NULL: none, or this if format.stream.
    const struct picture_writer *many;
    /// The bytes before the first frame of a stream; NULL: nothing. `out` lives in `a`.
    zt_result (*begin)(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err);
    /// One frame: a whole file, or the next part of a stream. `out` lives in `a` or in the planes.
    /// NULL: the build does not have the format.
    zt_result (*encode)(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                        file_bytes *out, zt_error *err);
    /// encode()'s bytes as a stream's part, in frames' order, without a key. NULL: the same bytes.
    zt_result (*join)(picture_stream *stream, file_bytes frame, arena *a, file_bytes *out,
                      zt_error *err);
    /// The bytes after the last frame of a stream; NULL: nothing.
    zt_result (*end)(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err);
    /// begin() is called again at the end, with the size of the whole, and replaces what it gave.
    bool begins_with_size;
} picture_writer;

/// The writer of format `name`. Fails with ZT_ERR_ARGUMENT and the names that there are.
zt_result picture_writer_find(const char *name, const picture_writer **out, zt_error *err);
/// "png, webp, ...", or those of streams only, cut off at `size`.
void picture_writer_names(bool streams_only, char *out, size_t size);
/// The writer for the suffix of `path`; that of PNG when no format has this suffix.
const picture_writer *picture_writer_of_path(const char *path);
/// ZT_ERR_LIMIT: the format holds no pictures so large.
zt_result picture_writer_check_size(const picture_writer *writer, int32_t width, int32_t height,
                                    zt_error *err);
/// To be asked before rendering: ZT_ERR_ARGUMENT when files of the format do not hold this plane so
/// encoded (PLANE_COLOR: colours), ZT_ERR_UNSUPPORTED when the build has no such writer.
zt_result picture_writer_takes(const picture_writer *writer, picture_plane plane,
                               const zt_encode_def *encoding, zt_error *err);
/// True when the bytes are a whole file of any format, of this size and with this key.
bool picture_has_key(file_bytes bytes, uint64_t key, int32_t width, int32_t height);
/// ZT_ERR_ARGUMENT when a def does not come from zt_default_encode_def().
zt_result encode_def_check(const zt_encode_def *def, zt_error *err);
