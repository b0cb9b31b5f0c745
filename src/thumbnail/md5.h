// SPDX-License-Identifier: MIT
/// MD5 (RFC 1321), by which thumbnails in the cache of a desktop are named. Of no use for security.
#pragma once

#include <stddef.h>

enum { MD5_TEXT_SIZE = 33 };

/// 32 hexadecimal digits, in lower case, with a terminating 0.
void md5_text(const void *bytes, size_t size, char out[MD5_TEXT_SIZE]);
