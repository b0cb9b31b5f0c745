// SPDX-License-Identifier: MIT
/// UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// The bytes of the character that starts at `text`, which is before `end`; 0: it is not UTF-8.
size_t utf8_length(const char *text, const char *end);
/// The code point of a character of that many bytes.
uint32_t utf8_decode(const char *text, size_t length);
/// Writes a code point that is no surrogate; returns its 1 to 4 bytes.
size_t utf8_encode(uint32_t code, char out[4]);

/// Unicode's category Cc, its Bidi_Control characters and its separators of lines and paragraphs.
bool utf8_is_harmful(uint32_t code);

/// Lower case of an ASCII letter; any other character is returned as it is.
static inline char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/// The value of a hexadecimal digit; -1: it is none.
static inline int ascii_hex_digit(char c)
{
    const char lower = ascii_lower(c);
    return c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// Makes a text safe for a terminal and for one line of it, in place: '?' stands for each control
/// character (C0, DEL, C1), each character that turns or separates lines (U+2028, U+2029, the
/// marks and overrides of writing direction), and each byte that is not UTF-8.
void utf8_make_harmless(char *text);
/// The same on the way out. `text` is not changed.
void utf8_write_harmless(FILE *out, const char *text);
/// Writes the inside of a JSON string. Controls and > (it ends CDATA) become \uXXXX, no UTF-8
/// U+FFFD.
void utf8_write_json(FILE *out, const char *text);
