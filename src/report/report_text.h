// SPDX-License-Identifier: MIT
/// Text of strangers, names of files above all, in reports as markup, and bytes of pictures.
#pragma once

#include <stddef.h>
#include <stdio.h>

/// Text for XML and HTML between markup: between tags and in quoted attributes. Characters that XML
/// 1.0 does not have, and those that turn the direction of writing, become U+FFFD. NULL: nothing.
void report_markup(FILE *out, const char *before, const char *text, const char *after);
/// The bytes of a file as base64; false when it cannot be read.
int report_base64_file(FILE *out, const char *path);
void report_base64(FILE *out, const unsigned char *bytes, size_t size);
