// SPDX-License-Identifier: MIT
/// Names of outputs: one rule for all commands that write one thing, and formats by suffixes.
#pragma once

#include "cli/options.h"

/// Sets `output` of render, turntable, thumbnail, sheet and convert: that of -o, or the last name,
/// which is no input then. A folder becomes a file in it by the rule of the command, or `outdir` of
/// thumbnails. Sequences without an output are named by their input. ZT_ERR_ARGUMENT.
zt_result output_find(options *o, zt_error *err);

/// File name without folders and suffix, written into `out`; "stdin" for "-".
void stem_of(const char *path, char *out, size_t size);
/// NULL when no format has this name.
const zt_picture_format *format_named(const char *name);
/// The format of pictures called `path`: --format, or by the suffix; PNG for other names and NULL.
const zt_picture_format *format_of(const options *o, const char *path);
/// True for a pattern: the name of the file has a field for the frame.
bool names_frame(const char *path);
/// True for the suffixes of the videos that ffmpeg makes.
bool names_video(const char *path);
/// Fails with a message unless `path` ends in a suffix of a format; `single`: of one picture.
zt_result check_picture_name(const char *path, bool single, zt_error *err);
