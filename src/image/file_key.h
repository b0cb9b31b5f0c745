// SPDX-License-Identifier: MIT
/// The key of a frame in files whose format has no checksums: a text with the key and with the
/// CRC-32 of all other bytes of the file, by which a later run knows the frame and that the file is
/// whole. PNG has a way of its own (png_text.h).
#pragma once

#include "base/file.h"

enum { FILE_KEY_BYTES = 8 + 1 + 16 + 1 + 8 };

/// Writes "Zoetrope KEY CRC" for a file that consists of `before`, this text and `after`.
void file_key_write(uint64_t key, file_bytes before, file_bytes after, uint8_t *out);
/// True when the text at byte `at` of `bytes` is that of `key` and of the bytes around it.
bool file_key_matches(file_bytes bytes, size_t at, uint64_t key);
