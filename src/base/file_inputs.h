// SPDX-License-Identifier: MIT
/// The files that the work of a budget was read from: no output replaces one of them.
#pragma once

#include "base/budget.h"

/// Remembers the file behind a descriptor. ZT_ERR_MEMORY.
zt_result file_input_add(budget *work, int descriptor, zt_error *err);
/// From now on the list of the budget has a record of each file that is read, and none of those
/// before. ZT_ERR_MEMORY.
zt_result file_inputs_record(zt_budget *whole, zt_error *err);
enum { FILE_RECORDS_MAX = 4096 }; ///< further files have no records
/// Adds the record of a file that was read, where records are kept.
void file_input_note(budget *work, const char *path, const void *bytes, size_t size);
/// True when the path leads to a file that was read. `work` may be NULL.
bool file_is_input(budget *work, const char *path);
/// ZT_ERR_OUTPUT when it does.
zt_result file_input_check(budget *work, const char *path, zt_error *err);
