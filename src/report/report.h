// SPDX-License-Identifier: MIT
/// Reports of what comparisons found: a page of HTML, JUnit XML, Markdown and JSON.
#pragma once

#include "json/json_stream.h"
#include "report/comparison.h"

#include <stdio.h>

/// The content of a report besides its comparisons. All texts are borrowed.
typedef struct report_def {
    const comparison_list *list;
    const char *title;         ///< the path of the suite, of the goldens or of a list of hashes
    const char *command;       ///< "compare" or "test"
    const char *machine;       ///< "Linux x86_64, 2 threads, avx2"
    const char *prefix;        ///< of addresses of pictures in Markdown; NULL: it has no pictures
    double seconds;            ///< that it took
    const zt_metrics_def *how; ///< it was compared; NULL: by zt_default_metrics_def
    zt_budget *budget;         ///< for pictures that are read; NULL: none
    const zt_cancel *cancel;   ///< NULL: nothing stops it
} report_def;

/// One page without references to anything outside of it: failures first, with their pictures, the
/// pictures of what passed made small. It is read without scripts; with them there is a viewer.
zt_result report_write_html(FILE *out, const report_def *def, zt_error *err);
/// A test case for each comparison, with its pictures as attachments.
zt_result report_write_junit(FILE *out, const report_def *def, zt_error *err);
/// A table of what failed, for the summary of a pull request, in less than 60,000 bytes.
zt_result report_write_markdown(FILE *out, const report_def *def, zt_error *err);
/// The members of a result document from the title to the code.
void report_write_json(json_stream *document, const report_def *def, int code);
/// Adds such a document to a list, which `path` has to outlive. `out` gets the title of the first
/// and the seconds of all, out_code the highest code.
zt_result report_read_json(const char *path, comparison_list *list, report_def *out, int *out_code,
                           zt_error *err);
/// The member `counts` of a result document.
void report_write_counts(json_stream *document, const comparison_counts *counts);

/// Why a comparison has its class, in words: its rule or message, or what the class means.
const char *report_reason(const comparison *c);

/// Writes a report to a file: whole or not at all. Makes its folders.
typedef zt_result (*report_fn)(FILE *out, const report_def *def, zt_error *err);
zt_result report_save(const char *path, report_fn write, const report_def *def, zt_error *err);
