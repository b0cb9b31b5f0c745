// SPDX-License-Identifier: MIT
/// Warnings and notes about the file of a model.
#pragma once

#include "base/error.h"
#include "base/message_kinds.h"
#include "model/model.h"
#include "model/model_format.h"

/// Messages go to the sink at once, repeated warnings as notes, and to the model's list.
typedef struct model_report {
    const char *path; ///< put before every line
    const message_sink *sink;
    arena *keep, *scratch;
    const char **lines; ///< [capacity] in scratch
    uint32_t count, capacity;
    message_kinds kinds; ///< of the warnings
} model_report;

/// Begins to read a model: the report, and the model's format and path.
zt_result model_report_begin(model_report *report, const model_source *source,
                             const model_format *format, zt_model *model, arena *scratch,
                             zt_error *err);
/// "PATH: ...".
zt_result model_message(model_report *report, message_weight weight, zt_error *err,
                        const char *format, ...) ZT_PRINTF(4, 5);
#define model_note(report, err, ...) model_message(report, MESSAGE_NOTE, err, __VA_ARGS__)
#define model_warn(report, err, ...) model_message(report, MESSAGE_WARNING, err, __VA_ARGS__)
#define model_unsupported(report, err, ...)                                                        \
    model_message(report, MESSAGE_UNSUPPORTED, err, __VA_ARGS__)
/// Warns "PATH: COUNT WHAT" where the count is not 0.
zt_result model_warn_count(model_report *report, uint64_t count, const char *what, zt_error *err);
/// Warns of polygons that were cut without tests, copies the list into the model, and sends how
/// many warnings of each kind were not sent.
zt_result model_report_finish(model_report *report, zt_model *model, zt_error *err);
