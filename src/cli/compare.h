// SPDX-License-Identifier: MIT
/// Parts of `compare`: lists of pixel hashes (lines `HASH  NAME`, as sha256sum has them),
/// comparisons as lines for people and as members of the result document, and pictures that become
/// goldens.
#pragma once

#include "cli/options.h"

/// compare --print-hashes: the pictures of a folder, or one picture. Returns an exit code.
int hashes_print(const options *o);
/// compare --hashes LIST [DIR]: adds an item for each line of the list.
zt_result hashes_check(const options *o, comparison_list *list, zt_error *err);

/// One line on standard output.
void compare_print_line(const comparison *item);
/// The result document, with all items; `code` is the exit code.
void compare_print_document(const options *o, const comparison_list *list, int code);

/// True when a name after the two folders matches; sets its bit in `used`, as long as the inputs.
bool accept_names(const options *o, const char *name, bool has_golden, bool *used);
/// The shell command that accepts `name`, or the file for NULL, into `list`; NULL: no room.
const char *accept_command(comparison_list *list, const options *o, const char *name);
