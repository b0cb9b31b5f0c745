// SPDX-License-Identifier: MIT
/// --trace: the record of a command's work, as a file.
#pragma once

#include "base/trace.h"
#include "cli/options.h"

/// Begins the record of all that the budget of `o` is for, if there is to be one.
zt_result trace_file_begin(const options *o, trace_log *t, zt_error *err);
/// Writes it if the command's `code` is 0. Returns that, or why it could not be written.
int trace_file_end(const options *o, trace_log *t, int code);
