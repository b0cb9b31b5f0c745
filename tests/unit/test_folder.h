// SPDX-License-Identifier: MIT
/// A folder of the running test's own, in the build folder.
#pragma once

#include <stddef.h>

extern char test_folder[512]; ///< its path, once it is made

void test_folder_make(void);
/// The path of a file or folder in it, until the next call.
const char *test_file(const char *name);
/// Writes a file in it, and makes the folders above.
void test_folder_write(const char *name, const char *text);
/// Writes JSON and bytes (glb.h) as a GLB in it; its path, until the next call.
const char *test_folder_glb(const char *name, const char *json, const void *bin, size_t bin_size);
/// Empties it and returns how many entries were there. Temporary files must not be among them.
int test_folder_empty(void);
void test_folder_remove(void);
/// Removes it with whatever is in it.
void test_folder_remove_all(void);
