// SPDX-License-Identifier: MIT
/// UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
#ifndef ZT_JSON_UTF8_H
#define ZT_JSON_UTF8_H

#include <stddef.h>
#include <stdint.h>

/// The bytes of the character that starts at `text`, which is before `end`; 0: it is not UTF-8.
size_t utf8_length(const char *text, const char *end);
/// Writes a code point that is no surrogate; returns its 1 to 4 bytes.
size_t utf8_encode(uint32_t code, char out[4]);

#endif
