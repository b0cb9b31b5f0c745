// SPDX-License-Identifier: MIT
/// Lists of pixel hashes: lines `HASH  NAME`, as sha256sum has them.
#pragma once

#include "cli/options.h"

/// compare --print-hashes: the pictures of a folder, or one picture. Returns an exit code.
int hashes_print(const options *o);
/// compare --hashes LIST [DIR]: adds an item for each line of the list.
zt_result hashes_check(const options *o, comparison_list *list, zt_error *err);
