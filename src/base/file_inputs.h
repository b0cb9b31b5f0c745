// SPDX-License-Identifier: MIT
/// The files that the work of a budget was read from: no output replaces one of them.
#pragma once

#include "base/budget.h"

/// Remembers the file behind a descriptor, opened by its path. ZT_ERR_MEMORY.
zt_result file_input_add(budget *work, int descriptor, const char *path, zt_error *err);
/// Forgets all files, but for those that are watched: they are no inputs any more.
void file_inputs_clear(zt_budget *whole);
/// From now on the files that are read are watched, in place of those before; with false nothing
/// is.
void file_inputs_watch(zt_budget *whole, bool on);
/// True when all watched files are as they were; they are inputs again then.
bool file_inputs_unchanged(zt_budget *whole);
/// Files that are read in place of those of the disk with the same path; NULL: none.
void file_inputs_supply(zt_budget *whole, zt_open_fn open, void *user);
bool file_input_supplied(budget *work, const char *path, const void **out_bytes, size_t *out_size);
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
