// SPDX-License-Identifier: MIT
/// compare --accept: a picture becomes the golden.
#pragma once

#include "cli/options.h"

/// True when a name after the two folders matches; sets its bit in `used`, as long as the inputs.
bool accept_names(const options *o, const char *name, bool has_golden, bool *used);
/// The shell command that accepts `name`, or the file for NULL, into `list`; NULL: no room.
const char *accept_command(comparison_list *list, const options *o, const char *name);
