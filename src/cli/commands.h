// SPDX-License-Identifier: MIT
/// The commands. Each gets parsed options, prints its own messages, and returns an exit code.
#pragma once

#include "cli/options.h"

int command_render(options *o);
int command_thumbnail(options *o);
int command_sheet(options *o);
int command_compare(const options *o);
int command_merge(const options *o);
int command_test(const options *o);
/// Reports and results as test prints them, of what began at `start_s`. Returns the exit code: the
/// highest of the results, of the reports and `code`.
int test_finish(const options *o, const comparison_list *list, const char *title, double start_s,
                int code);
int command_diff(const options *o);
int command_inspect(const options *o);
int command_check(const options *o);
int command_convert(options *o);
int command_verify(options *o);
/// Before the sandbox: checks the flags, opens the socket, and enters --root. ZT_ERR_ARGUMENT,
/// ZT_ERR_INPUT, ZT_ERR_OUTPUT.
zt_result serve_open(options *o, zt_error *err);
/// After o->max_memory is known, before the sandbox: makes it the share of a worker, which no file
/// that it writes grows beyond, unless a request may bring more.
void serve_limit(options *o);
/// `run`: does the command of a request.
int command_serve(options *o, int (*run)(options *o));

/// --help of a command, or of the program for COMMAND_NONE, to standard output; `all`: --help-all.
void help_print(command which, bool all);
