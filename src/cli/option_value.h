// SPDX-License-Identifier: MIT
/// Values of options: text -> numbers, sizes, rates; and the nearest of some names.
#pragma once

#include "base/error.h"
#include "base/model_names.h"
#include "base/path.h"

#include <zoetrope/zoetrope.h>

/// Plain decimal numbers only: no hexadecimal, no nan, no inf, nothing after the number.
bool parse_double(const char *text, double *out);
bool parse_int(const char *text, int64_t min, int64_t max, int64_t *out);
/// Bytes with an optional suffix K, M, G (1024).
bool parse_bytes(const char *text, uint64_t *out);
/// Exactly 16 hexadecimal digits, with or without 0x.
bool parse_hash(const char *text, uint64_t *out);
/// "I/N" with 1 <= I <= N.
bool parse_shard(const char *text, int32_t *out_index, int32_t *out_count);
/// --shard: as above, or by a job array: "slurm", "kubernetes/N", "aws/N". ZT_ERR_ARGUMENT.
zt_result shard_parse(const char *text, int32_t *out_index, int32_t *out_count, zt_error *err);

/// The name that was probably meant: one that is near, leading dashes apart, or the only one that
/// begins with `word`; or NULL. `names` ends with NULL.
const char *nearest_word(const char *word, const char *const *names);

/// Puts a message into `err` and returns ZT_ERR_ARGUMENT.
#define usage_error(err, ...) zt_fail((err), ZT_ERR_ARGUMENT, __VA_ARGS__)
