// SPDX-License-Identifier: MIT
/// Comparisons as bytes: from one process of this program to another.
#pragma once

#include "report/comparison.h"

#include <stdio.h>

/// Writes a comparison with its texts.
void comparison_pack(const comparison *c, FILE *out);
/// Takes one from the front of bytes, its texts into `texts`. False: the bytes are none, or a text
/// found no memory (comparison_list_refused).
bool comparison_unpack(const char **bytes, size_t *size, comparison_list *texts, comparison *out);
