// SPDX-License-Identifier: MIT
#include "model/model_report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

zt_result model_report_begin(model_report *report, const model_source *source,
                             const model_format *format, zt_model *model, arena *scratch,
                             zt_error *err)
{
    *report = (model_report){
        .path = source->path, .sink = &source->sink, .keep = &model->arena, .scratch = scratch};
    model->format = format;
    return ARENA_TEXT(&model->arena, &model->path, source->path, "path", err);
}

static zt_result report_add(model_report *report, const char *line, zt_error *err)
{
    ZT_TRY(ARENA_GROW(report->scratch, report->lines, report->count, report->capacity, "warnings",
                      err));
    const char *kept;
    ZT_TRY(ARENA_TEXT(report->keep, &kept, line, "warnings", err));
    report->lines[report->count++] = kept;
    return ZT_OK;
}

enum { LINE_SIZE = 1536, PATH_SIZE = 500 };

ZT_PRINTF(3, 0)
static void format_line(const model_report *report, char line[LINE_SIZE], const char *format,
                        va_list arguments)
{
    char what[1024];
    vsnprintf(what, sizeof what, format, arguments);
    snprintf(line, LINE_SIZE, "%.*s: %s", PATH_SIZE, report->path, what);
}

/// Counts the last line; true for the first of its kind.
static bool first_of_kind(model_report *report)
{
    const char *line = report->lines[report->count - 1];
    const size_t length = strlen(report->path);
    const char *text = line + (length < PATH_SIZE ? length : PATH_SIZE) + strlen(": ");
    return message_kinds_first(&report->kinds, text, text);
}

zt_result model_message(model_report *report, message_weight weight, zt_error *err,
                        const char *format, ...)
{
    char line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    format_line(report, line, format, arguments);
    va_end(arguments);
    ZT_TRY(report_add(report, line, err));
    if (weight == MESSAGE_NOTE || !first_of_kind(report))
        message_note(report->sink, "%s", line);
    else if (weight == MESSAGE_UNSUPPORTED)
        return message_unsupported(report->sink, err, "%s", line);
    else
        message_warn(report->sink, "%s", line);
    return ZT_OK;
}

zt_result model_warn_count(model_report *report, uint64_t count, const char *what, zt_error *err)
{
    return count > 0 ? model_warn(report, err, "%llu %s", (unsigned long long)count, what) : ZT_OK;
}

zt_result model_report_finish(model_report *report, zt_model *model, zt_error *err)
{
    const char **notes;
    const uint64_t blind = atomic_exchange(&report->keep->budget->work->blind, 0);
    ZT_TRY(model_warn_count(report, blind,
                            "polygons cross themselves, or have too many corners for the bytes of "
                            "the file: their triangles may overlap",
                            err));
    ZT_TRY(ARENA_TAKE(&model->arena, &notes, report->count, "warnings", err));
    for (uint32_t i = 0; i < report->count; i++)
        notes[i] = report->lines[i];
    model->notes = notes;
    model->note_count = report->count;
    message_kinds_send(&report->kinds, report->sink, report->path);
    return ZT_OK;
}
