// SPDX-License-Identifier: MIT
/// Renders the shots of a suite and compares them with their goldens, many at a time.
#pragma once

#include "suite/suite.h"

typedef struct suite_run_def {
    const zt_load_def *load; ///< its budget is that of the run; messages come after the run, in
                             ///< the order of the shots, each text once
    const zt_renderer_def *renderer;
    const uint32_t *selected; ///< [count] indices of shots, rising
    uint32_t count;
    double shot_timeout_s; ///< a shot that takes longer fails with ZT_ERR_LIMIT; 0: none
    bool update;           ///< pictures become goldens instead of being compared
    bool part;             ///< another process ends the list of the results (suite_written.h)
    /// After each shot, by any worker, one at a time, in the order in which they are done.
    void (*done)(void *user, uint32_t done, const comparison *result);
    void *done_user;
} suite_run_def;

/// The result of a run: one comparison for each selected shot, in their order.
typedef struct suite_results {
    comparison_list list;
    comparison_list *texts; ///< [text_count] of each worker
    uint32_t text_count;
    budget bytes;
    arena memory;
} suite_results;

/// Empty results of `count` shots.
zt_result suite_results_begin(suite_results *out, const zt_load_def *load, uint32_t count,
                              zt_error *err);
/// Lists of texts for workers. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result suite_results_add_texts(suite_results *out, const zt_load_def *load, uint32_t count,
                                  zt_error *err);

/// A shot that fails does not end the run: its comparison says so. Fails when the run was
/// cancelled or could not begin. Finish the results after a failure, too.
zt_result suite_run(const suite *s, const suite_run_def *def, suite_results *out, zt_error *err);
void suite_results_finish(suite_results *results);
