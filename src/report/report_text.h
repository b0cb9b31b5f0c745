// SPDX-License-Identifier: MIT
/// Text of strangers, names of files above all, in reports: escaped, and never half a character.
#pragma once

#include <stddef.h>
#include <stdio.h>

/// A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
void report_json_text(FILE *out, const char *text);
/// `,"KEY":` and such a string, or null for NULL: a member that is not the first.
void report_json_member(FILE *out, const char *key, const char *text);
/// Text for XML and HTML, between tags and in quoted attributes. Characters that XML 1.0 does not
/// have, and those that turn the direction of writing, become U+FFFD. NULL: nothing.
void report_markup_text(FILE *out, const char *text);
/// Text in one line for a terminal: '?' stands for what could control it or end the line.
void report_line_text(FILE *out, const char *text);
/// The same in place.
void report_make_line(char *text);
/// The bytes of a file as base64; false when it cannot be read.
int report_base64_file(FILE *out, const char *path);
void report_base64(FILE *out, const unsigned char *bytes, size_t size);
