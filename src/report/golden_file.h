// SPDX-License-Identifier: MIT
/// Files of goldens.
#pragma once

#include <zoetrope/zoetrope.h>

/// Copies a picture to `golden_path` as it is: the copy is whole or absent. Its folders are made.
/// `cancel` may be NULL. ZT_ERR_INPUT, ZT_ERR_OUTPUT, ZT_ERR_MEMORY, ZT_ERR_CANCELLED.
zt_result golden_replace(const char *golden_path, const char *picture_path, const zt_cancel *cancel,
                         zt_error *err);
