// SPDX-License-Identifier: MIT
/// The reports of compare and test that files are written for: --html, --junit, --markdown.
#pragma once

#include "cli/options.h"
#include "report/report.h"

/// Texts of a report_def.
typedef struct report_about {
    char machine[512];
} report_about;

/// A report on `list`, of what began at `start_s`. `title` and `out_about` are borrowed.
report_def reports_describe(const options *o, const comparison_list *list, const char *title,
                            double start_s, report_about *out_about);
/// Refuses names that no report can have, before the work.
zt_result reports_check(const options *o, zt_error *err);
/// Writes the reports that the flags ask for.
zt_result reports_save(const options *o, const report_def *def, zt_error *err);
