// SPDX-License-Identifier: MIT
/// The bound of work that fuzz targets hold readers to.
#pragma once

#include "base/budget.h"

#include <stdbool.h>

/// Files may cost work of so many bytes more than they have, far fewer than the readers allow: a
/// search that grows faster than a file shows in the small ones of a fuzzer. A few pictures of
/// FUZZ_TEXTURE_SIDE, which a header alone may name, fit.
enum { FUZZ_SPARE_BYTES = 8 << 10, FUZZ_TEXTURE_SIDE = 1024 };

static inline bool fuzz_work_fits(const budget *b, uint64_t spare_bytes)
{
    return b->work->steps <= WORK_PER_BYTE * (b->work->bytes + spare_bytes);
}
