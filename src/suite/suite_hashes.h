// SPDX-License-Identifier: MIT
/// The list of pixel hashes of a suite: a line `HASH WxH NAME` for each shot, in the order of the
/// names byte by byte, so that changes of two branches meet in a line only where they change one
/// picture.
#pragma once

#include "suite/suite.h"

/// Gives shots what their lines say. A list that is not there has no lines. Fails with "FILE:LINE:
/// what (expected)"; ZT_ERR_INPUT, ZT_ERR_FORMAT, ZT_ERR_LIMIT, ZT_ERR_MEMORY.
zt_result suite_hashes_read(suite *s, arena *scratch, zt_error *err);
/// Writes the list, whole or not at all: pictures that `results` has, and else what lines said.
/// Lines of names that the suite does not have go. A list that stays the same keeps its bytes.
/// `selected`: [results->count] indices of shots.
zt_result suite_hashes_write(const suite *s, const uint32_t *selected,
                             const comparison_list *results, arena *scratch, zt_error *err);
