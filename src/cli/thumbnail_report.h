// SPDX-License-Identifier: MIT
/// The report of thumbnails: a JSON line or an entry for each model, messages, and the totals.
#pragma once

#include "cli/console.h"
#include "cli/options.h"
#include "cli/progress.h"

#include <stdio.h>

/// The outcome of one model.
typedef struct thumbnail_outcome {
    const char *input, *file; ///< file NULL: none was to be made
    int code;
    char message[1024]; ///< of a code that is not 0
    bool skipped;
    bool empty;    ///< nothing is visible in the picture
    uint64_t hash; ///< of the pixels
    int32_t width, height;
    int64_t bytes; ///< of the file
    double seconds;
    bool timed; ///< `seconds` are set
} thumbnail_outcome;

typedef struct thumbnail_report {
    const options *o;
    progress progress;
    bool batch; ///< more than one may come: bar, closing line and totals
    document_list files;
    bool lost;            ///< a piece of the warnings, for a lack of memory
    json_stream warnings; ///< those of the model that is worked on, as JSON texts
    char *warning_text;
    size_t warning_size;
    FILE *pack;          ///< in a worker: outcomes go there, for thumbnail_report_unpack()
    int64_t total, done; ///< models
    int64_t made, skipped, failed, empty, passed_over;
    double model_start_s;
} thumbnail_report;

/// False: no memory. Both reports end with thumbnail_report_finish().
bool thumbnail_report_begin(thumbnail_report *r, const options *o, bool batch, int64_t total);
/// A zt_message_fn; `user` is a thumbnail_report.
void thumbnail_report_message(void *user, zt_severity severity, const char *text);
/// Files of other formats in the folders that were searched. `first`: one of them.
void thumbnail_report_passed(thumbnail_report *r, size_t count, const char *first);
/// Before a model.
void thumbnail_report_model(thumbnail_report *r);
/// Tells a failure on standard error, unless the caller has.
void thumbnail_report_failure(thumbnail_report *r, zt_result result, const char *message,
                              thumbnail_outcome *out);
/// After a model, whatever came of it. Sets its seconds, unless they are.
void thumbnail_report_outcome(thumbnail_report *r, thumbnail_outcome *outcome);
/// An outcome that a worker has packed. Texts go into `room`, by malloc. ZT_ERR_MEMORY;
/// ZT_ERR_INTERNAL: it is none.
zt_result thumbnail_report_unpack(thumbnail_report *r, const char *bytes, size_t size, char **room,
                                  thumbnail_outcome *out);
/// The closing line, the totals and, with `document`, the result document. Returns an exit code.
int thumbnail_report_finish(thumbnail_report *r, bool document, int code);
