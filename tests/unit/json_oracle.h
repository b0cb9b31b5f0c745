// SPDX-License-Identifier: MIT
/// jansson as a second reader of JSON. Its header and ours have names in common.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// True when the text is JSON to jansson, with any value at its root and no name twice.
/// *out_text: how jansson writes the tree, compact and with 17 digits; free() it.
bool json_oracle_read(const char *text, size_t size, char **out_text);
/// The same with lines that are indented by two spaces, and nine digits.
char *json_oracle_lines(const char *text, size_t size);
