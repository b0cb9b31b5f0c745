// SPDX-License-Identifier: MIT
/// Which part of the work this process does: --shard.
#pragma once

#include <zoetrope/zoetrope.h>

/// "I/N" with 1 <= I <= N, or by a job array: "slurm", "kubernetes/N", "aws/N". ZT_ERR_ARGUMENT.
zt_result shard_parse(const char *text, int32_t *out_index, int32_t *out_count, zt_error *err);
