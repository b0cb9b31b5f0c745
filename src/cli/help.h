// SPDX-License-Identifier: MIT
/// --help.
#pragma once

#include "cli/options.h"

/// Prints the help of a command, or of the program for COMMAND_NONE, to standard output.
void help_print(command which);
