// SPDX-License-Identifier: MIT
/// Which part of the work this process does: --shard.
#pragma once

#include <zoetrope/zoetrope.h>

/// "I/N" with 1 <= I <= N; or what the variables of a job array say: "slurm", "kubernetes/N",
/// "aws/N". Fails with ZT_ERR_ARGUMENT and a message.
zt_result shard_parse(const char *text, int32_t *out_index, int32_t *out_count, zt_error *err);
