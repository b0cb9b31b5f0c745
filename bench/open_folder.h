// SPDX-License-Identifier: MIT
/// Opening every model below a folder, one line each:
///     MS  PEAK  FILE
/// The least time of opening it with all of its textures, and the peak of memory of a process that
/// does nothing else, in MiB. A file that does not open says why instead.
#pragma once

#include "bench_timing.h"

/// False when the folder cannot be read or has no models.
bool open_folder(const bench_options *options);
