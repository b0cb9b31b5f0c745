// SPDX-License-Identifier: MIT
#include "cli/thumbnail_report.h"

#include "base/model_names.h"
#include "cli/console.h"
#include "cli/interrupt.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool thumbnail_report_begin(thumbnail_report *r, const options *o, bool batch, int64_t total)
{
    *r = (thumbnail_report){.o = o, .batch = batch, .total = total};
    progress_begin(&r->progress, o);
    r->progress.noun = "model";
    r->progress.total = total;
    if (!o->json && !o->json_lines)
        return true;
    r->warnings.out = open_memstream(&r->warning_text, &r->warning_size);
    return document_list_begin(&r->files, o, NULL) == ZT_OK && r->warnings.out;
}

void thumbnail_report_message(void *user, zt_severity severity, const char *text)
{
    thumbnail_report *r = user;
    progress_clear(&r->progress);
    console_message((void *)(uintptr_t)r->o, severity, text);
    if (!r->warnings.out || severity != ZT_WARNING)
        return;
    errno = 0; // the stream has no flag for a lack of memory
    json_stream_text(&r->warnings, NULL, text);
    r->lost = r->lost || errno == ENOMEM;
}

/// A document of --json-lines.
static json_stream begin_line(void)
{
    json_stream line = {.out = stdout};
    json_stream_open(&line, NULL, '{');
    json_stream_text(&line, "zoetrope", zt_version());
    return line;
}

static void end_line(json_stream *line)
{
    json_stream_close(line, '}');
    printf("\n");
    fflush(stdout);
}

void thumbnail_report_passed(thumbnail_report *r, size_t count, const char *first)
{
    r->passed_over = (int64_t)count;
    console_say(r->o, ZT_WARNING,
                "%zu %s passed over, %s%.700s (expected " MODEL_NAMES_TEXT
                "; docs/formats.md says what converts others)",
                count, count == 1 ? "file of another format is" : "files of other formats are",
                count == 1 ? "" : "such as ", first);
    if (!r->o->json_lines)
        return;
    json_stream line = begin_line();
    JSON_STREAM_INTEGERS(&line, {"passed_over", r->passed_over});
    json_stream_text(&line, "first", first);
    JSON_STREAM_INTEGERS(&line, {"code", 0});
    end_line(&line);
}

void thumbnail_report_model(thumbnail_report *r)
{
    r->model_start_s = console_clock();
    if (r->warnings.out)
        rewind(r->warnings.out);
    r->warnings.follows = false;
}

void thumbnail_report_failure(thumbnail_report *r, zt_result result, const char *message,
                              thumbnail_outcome *out)
{
    progress_clear(&r->progress);
    out->code = console_fail(result, message);
    snprintf(out->message, sizeof out->message, "%s",
             result == ZT_ERR_CANCELLED ? interrupt_message()
             : message[0]               ? message
                                        : zt_result_name(result));
}

/// The bytes of the warnings.
static size_t warning_length(const thumbnail_report *r)
{
    const long length = r->warnings.out ? ftell(r->warnings.out) : 0;
    return length > 0 ? (size_t)length : 0;
}

/// The members of a model.
static void print_members(const thumbnail_report *r, const thumbnail_outcome *m, json_stream *out)
{
    const bool drawn = m->code == 0 && !m->skipped;
    json_stream_text(out, "input", m->input);
    if (m->file)
        json_stream_text(out, "file", m->file);
    if (m->code == 0 && m->skipped)
        json_stream_bool(out, "skipped", true);
    if (drawn)
        json_stream_hash(out, "hash", m->hash);
    JSON_STREAM_INTEGERS(out, {"code", m->code});
    if (m->code != 0)
        json_stream_text(out, "message", m->message);
    if (drawn) {
        JSON_STREAM_INTEGERS(out, {"width", m->width}, {"height", m->height}, {"bytes", m->bytes});
        json_stream_bool(out, "empty", m->empty);
    }
    fflush(r->warnings.out);
    json_stream_print(out, "seconds", "%.6f", m->seconds);
    json_stream_print(out, "warnings", "[%.*s]", (int)warning_length(r),
                      r->warning_text ? r->warning_text : "");
}

/// An outcome on its way between processes: this, and then the texts.
typedef struct packed_outcome {
    thumbnail_outcome outcome; ///< its pointers mean nothing
    uint64_t file, warnings;   ///< lengths
} packed_outcome;

static void pack(const thumbnail_report *r, const thumbnail_outcome *m)
{
    const packed_outcome p = {
        .outcome = *m, .file = m->file ? strlen(m->file) : 0, .warnings = warning_length(r)};
    if (r->warnings.out)
        fflush(r->warnings.out);
    fwrite(&p, sizeof p, 1, r->pack);
    if (m->file)
        fwrite(m->file, 1, p.file, r->pack);
    if (p.warnings > 0)
        fwrite(r->warning_text, 1, p.warnings, r->pack);
}

zt_result thumbnail_report_unpack(thumbnail_report *r, const char *bytes, size_t size, char **room,
                                  thumbnail_outcome *out)
{
    packed_outcome p;
    *room = NULL;
    if (size < sizeof p)
        return ZT_ERR_INTERNAL;
    memcpy(&p, bytes, sizeof p);
    size -= sizeof p;
    bytes += sizeof p;
    if (p.file > size || p.warnings != size - p.file)
        return ZT_ERR_INTERNAL;
    *room = malloc(p.file + 1);
    if (!*room)
        return ZT_ERR_MEMORY;
    memcpy(*room, bytes, p.file);
    (*room)[p.file] = 0;
    *out = p.outcome;
    out->input = NULL;
    out->file = p.file > 0 ? *room : NULL;
    out->message[sizeof out->message - 1] = 0;
    if (r->warnings.out)
        r->lost |= fwrite(bytes + p.file, 1, p.warnings, r->warnings.out) != p.warnings;
    return ZT_OK;
}

void thumbnail_report_outcome(thumbnail_report *r, thumbnail_outcome *m)
{
    if (!m->timed)
        m->seconds = console_clock() - r->model_start_s;
    if (r->pack) {
        m->timed = true;
        pack(r, m);
        return;
    }
    const zt_frame_report report = {.done = ++r->done,
                                    .total = r->total,
                                    .frame = r->done,
                                    .path = m->code   ? NULL
                                            : m->file ? m->file
                                                      : m->input,
                                    .skipped = m->code == 0 && m->skipped};
    r->failed += m->code != 0;
    r->skipped += m->code == 0 && m->skipped;
    r->empty += m->empty;
    r->made += m->code == 0 && !m->skipped;
    if (r->files.json.out) {
        json_stream_open(&r->files.json, NULL, '{');
        print_members(r, m, &r->files.json);
        json_stream_close(&r->files.json, '}');
    }
    if (r->o->json_lines) {
        json_stream line = begin_line();
        print_members(r, m, &line);
        end_line(&line);
    }
    if (r->batch)
        progress_frame(&r->progress, &report);
}

static void print_totals(const thumbnail_report *r)
{
    if (!r->batch || r->o->quiet || r->failed + r->empty == 0 || r->total < 2)
        return;
    fprintf(stderr, "zoetrope: of %" PRId64 " models", r->done);
    if (r->failed > 0)
        fprintf(stderr, " %" PRId64 " failed", r->failed);
    if (r->empty > 0)
        fprintf(stderr, "%s %" PRId64 " %s empty", r->failed > 0 ? "," : "", r->empty,
                r->empty == 1 ? "is" : "are");
    fprintf(stderr, "\n");
}

static void print_document(const thumbnail_report *r, int code)
{
    json_stream document = document_begin(r->o);
    JSON_STREAM_INTEGERS(&document, {"models", r->done}, {"made", r->made}, {"skipped", r->skipped},
                         {"failed", r->failed}, {"empty", r->empty},
                         {"passed_over", r->passed_over});
    json_stream_print(&document, "seconds", "%.6f", console_clock() - r->progress.start_s);
    json_stream_print(&document, "files", "[%s]", r->files.text);
    json_stream_print(&document, "code", "%d", code);
    document_end();
}

int thumbnail_report_finish(thumbnail_report *r, bool document, int code)
{
    if (r->batch)
        progress_end(&r->progress);
    print_totals(r);
    const bool listed = document_list_end(&r->files, ZT_OK, NULL) == ZT_OK;
    const bool closed = !r->warnings.out || fclose(r->warnings.out) == 0;
    if (!listed || !closed || r->lost) {
        const int lost = console_fail(ZT_ERR_MEMORY, "no memory for the result document");
        code = lost > code ? lost : code;
    } else if (r->files.text && document) {
        print_document(r, code);
    }
    free(r->files.text);
    free(r->warning_text);
    return code;
}
