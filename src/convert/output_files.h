// SPDX-License-Identifier: MIT
/// Several files that appear together: all are written under temporary names before the first is
/// renamed, and the one that names the others is renamed last.
#ifndef ZT_CONVERT_OUTPUT_FILES_H
#define ZT_CONVERT_OUTPUT_FILES_H

#include "base/file.h"

typedef struct output_file {
    file_writer writer;
    struct output_file *next; ///< opened after it
} output_file;

typedef struct output_files {
    output_file *first, *last;
} output_files;

/// Opens one more file; the last one is the main one.
zt_result output_open(output_files *files, arena *a, const char *path, output_file **out,
                      zt_error *err);
zt_result output_write(output_file *file, const void *data, size_t size, zt_error *err);
/// A whole file: opened, written and closed, to be renamed with the others.
zt_result output_whole(output_files *files, arena *a, const char *path, file_bytes bytes,
                       zt_error *err);
/// Renames all into place in the order in which they were opened.
zt_result output_commit(output_files *files, zt_error *err);
/// Removes what is still temporary; harmless after a commit.
void output_abandon(output_files *files);

#endif
