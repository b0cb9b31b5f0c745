// SPDX-License-Identifier: MIT
/// Checks a suite without rendering.
#pragma once

#include "suite/suite.h"

/// Loads what all shots show, and sets their values: clips, cameras, frames, lights. Fails as the
/// first shot that `test` would refuse does.
zt_result suite_check(const suite *s, const zt_load_def *load, zt_error *err);
