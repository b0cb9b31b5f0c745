// SPDX-License-Identifier: MIT
/// Files of goldens.
#pragma once

#include <zoetrope/zoetrope.h>

/// Copies a picture to `golden_path` as it is: the copy is whole or absent. Its folders are made,
/// and none below the first `root_length` bytes of the path is a link (file_writer_open_below()).
/// `cancel` may be NULL. ZT_ERR_INPUT, ZT_ERR_OUTPUT, ZT_ERR_MEMORY, ZT_ERR_CANCELLED.
zt_result golden_replace(const char *golden_path, size_t root_length, const char *picture_path,
                         const zt_cancel *cancel, zt_error *err);
/// Reads a picture; pipes and devices are refused at once, and so is what leads out of the folder
/// that the first `root_length` bytes of the path name, or FILE_ANYWHERE.
zt_result golden_read(const char *path, size_t root_length, zt_budget *whole, zt_image *out,
                      zt_error *err);
/// Writes a picture as PNG as golden_replace().
zt_result golden_write(const char *path, size_t root_length, const zt_image *picture,
                       zt_error *err);
