// SPDX-License-Identifier: MIT
/// compare --accept: a picture becomes the golden.
#ifndef ZT_CLI_COMPARE_ACCEPT_H
#define ZT_CLI_COMPARE_ACCEPT_H

#include "cli/options.h"

/// True when one of the names after the two folders matches; sets its bit in `used`, an array as
/// long as the inputs.
bool accept_names(const options *o, const char *name, bool *used);
/// The command that accepts `name`, or the file when `name` is NULL; for a shell. Into `list`;
/// NULL: no memory, or too long.
const char *accept_command(comparison_list *list, const options *o, const char *name);

#endif
