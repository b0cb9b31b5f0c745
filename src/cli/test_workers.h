// SPDX-License-Identifier: MIT
/// The shots of a suite in workers: a shot that crashes, hangs or is killed costs itself.
#pragma once

#include "cli/options.h"
#include "suite/suite_run.h"

/// As suite_run(): the same results with any number of workers. Each takes shots of one scene;
/// those whose process ended, and those that did not fit, are tried again alone.
zt_result test_workers_run(const options *o, const suite *s, const suite_run_def *def,
                           suite_results *out, zt_error *err);
