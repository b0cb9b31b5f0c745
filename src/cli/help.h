// SPDX-License-Identifier: MIT
/// --help.
#ifndef ZT_CLI_HELP_H
#define ZT_CLI_HELP_H

#include "cli/options.h"

/// Prints the help of a command, or of the program for COMMAND_NONE, to standard output.
void help_print(command which);

#endif
