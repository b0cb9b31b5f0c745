// SPDX-License-Identifier: MIT
/// Job arrays count as their users asked them to: Slurm from any number in any step, Kubernetes and
/// AWS Batch from 0 and without saying how many there are.
#include "base/nearest_name.h"
#include "cli/option_value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHARD_MAX = 1000000 };

/// Variables with the index of a task, counted from 0.
static const struct {
    const char *name, *variable, *where;
} indexed[] = {
    {"kubernetes", "JOB_COMPLETION_INDEX", "an indexed job"},
    {"aws", "AWS_BATCH_JOB_ARRAY_INDEX", "an array job"},
};

static zt_result fail_form(const char *text, zt_error *err)
{
    static const char *const names[] = {"slurm", "kubernetes/N", "aws/N", NULL};
    return usage_error(err,
                       "--shard '%.80s' (expected I/N with I from 1 to N, slurm, kubernetes/N or "
                       "aws/N%s)",
                       text, nearest_hint(nearest_word(text, names)).text);
}

/// A whole number of the environment.
static zt_result read_variable(const char *shard, const char *variable, const char *where,
                               int64_t min, int64_t *out, zt_error *err)
{
    const char *text = getenv(variable);
    if (!text || !text[0])
        return usage_error(err, "--shard %s, but %s is not set (expected to run as a task of %s)",
                           shard, variable, where);
    if (!parse_int(text, min, INT32_MAX, out))
        return usage_error(err,
                           "--shard %s: %s is '%.40s' (expected a whole number from %" PRId64 ")",
                           shard, variable, text, min);
    return ZT_OK;
}

/// The position of a task in its array, which counts from MIN to MAX in steps.
static zt_result read_slurm(int32_t *out_index, int32_t *out_count, zt_error *err)
{
    static const char *const where = "a Slurm job array, sbatch --array=0-99";
    static const char *const variables[] = {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN",
                                            "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_COUNT"};
    int64_t value[4] = {0}, step = 1;
    for (int i = 0; i < 4; i++) {
        ZT_TRY(read_variable("slurm", variables[i], where, i == 3 ? 1 : 0, &value[i], err));
    }
    // Older versions do not set the step.
    if (getenv("SLURM_ARRAY_TASK_STEP") &&
        read_variable("slurm", "SLURM_ARRAY_TASK_STEP", where, 1, &step, err) != ZT_OK)
        return err->code;
    const int64_t from_min = value[0] - value[1], count = value[3];
    if (count > SHARD_MAX || from_min < 0 || from_min % step != 0 ||
        (value[2] - value[1]) / step + 1 != count || from_min / step >= count)
        return usage_error(
            err,
            "--shard slurm: task %" PRId64 " of %" PRId64 " tasks from %" PRId64 " to %" PRId64
            " in steps of %" PRId64
            " (expected an array without gaps, such as 0-99 or 1-100:3; with --resume "
            "the whole array may run again)",
            value[0], count, value[1], value[2], step);
    *out_index = (int32_t)(from_min / step) + 1;
    *out_count = (int32_t)count;
    return ZT_OK;
}

/// NAME/N: the index comes from a variable, the number of tasks from the caller.
static zt_result read_indexed(const char *text, size_t row, int32_t *out_index, int32_t *out_count,
                              zt_error *err)
{
    int64_t index = 0, count = 0;
    const char *slash = text + strlen(indexed[row].name);
    if (*slash == 0 || !parse_int(slash + 1, 1, SHARD_MAX, &count))
        return usage_error(err, "--shard '%.80s' (expected %s/N, where N is the number of tasks)",
                           text, indexed[row].name);
    ZT_TRY(read_variable(text, indexed[row].variable, indexed[row].where, 0, &index, err));
    if (index >= count)
        return usage_error(err, "--shard %.80s: %s is %" PRId64 " (expected 0 to %" PRId64 ")",
                           text, indexed[row].variable, index, count - 1);
    *out_index = (int32_t)index + 1;
    *out_count = (int32_t)count;
    return ZT_OK;
}

zt_result shard_parse(const char *text, int32_t *out_index, int32_t *out_count, zt_error *err)
{
    if (strcmp(text, "slurm") == 0)
        return read_slurm(out_index, out_count, err);
    for (size_t i = 0; i < sizeof indexed / sizeof *indexed; i++) {
        const size_t length = strlen(indexed[i].name);
        if (strncmp(text, indexed[i].name, length) == 0 && (!text[length] || text[length] == '/'))
            return read_indexed(text, i, out_index, out_count, err);
    }
    return parse_shard(text, out_index, out_count) ? ZT_OK : fail_form(text, err);
}
