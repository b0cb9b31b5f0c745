// SPDX-License-Identifier: MIT
/// Comparisons as lines for people and as members of the result document.
#pragma once

#include "cli/options.h"

/// One line on standard output.
void compare_print_line(const comparison *item);
/// The result document, with all items; `code` is the exit code.
void compare_print_document(const options *o, const comparison_list *list, int code);
