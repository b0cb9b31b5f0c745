// SPDX-License-Identifier: MIT
/// A folder of the running test's own, in the build folder.
#pragma once

extern char test_folder[512]; ///< its path, once it is made

void test_folder_make(void);
/// Empties it and returns how many entries were there. Temporary files must not be among them.
int test_folder_empty(void);
void test_folder_remove(void);
