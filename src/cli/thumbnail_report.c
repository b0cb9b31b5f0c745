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
    if (o->json)
        r->document = open_memstream(&r->text, &r->text_size);
    if (o->json || o->json_lines)
        r->warnings = open_memstream(&r->warning_text, &r->warning_size);
    return (!o->json || r->document) && ((!o->json && !o->json_lines) || r->warnings);
}

void thumbnail_report_message(void *user, zt_severity severity, const char *text)
{
    thumbnail_report *r = user;
    progress_clear(&r->progress);
    console_message((void *)(uintptr_t)r->o, severity, text);
    if (!r->warnings || severity != ZT_WARNING)
        return;
    errno = 0; // the stream has no flag for a lack of memory
    if (ftell(r->warnings) > 0)
        fputc(',', r->warnings);
    report_json_text(r->warnings, text);
    r->lost = r->lost || errno == ENOMEM;
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
    printf("{\"zoetrope\":\"%s\",\"passed_over\":%zu", zt_version(), count);
    report_json_member(stdout, "first", first);
    printf(",\"code\":0}\n");
    fflush(stdout);
}

void thumbnail_report_model(thumbnail_report *r)
{
    r->model_start_s = console_clock();
    if (r->warnings)
        rewind(r->warnings);
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

/// The members of a model, without braces.
static void print_members(const thumbnail_report *r, const thumbnail_outcome *m, FILE *out)
{
    fprintf(out, "\"input\":");
    report_json_text(out, m->input);
    if (m->file)
        report_json_member(out, "file", m->file);
    if (m->code != 0) {
        fprintf(out, ",\"code\":%d", m->code);
        report_json_member(out, "message", m->message);
    } else if (m->skipped) {
        fprintf(out, ",\"skipped\":true,\"code\":0");
    } else {
        fprintf(out,
                ",\"hash\":\"%016" PRIx64
                "\",\"code\":0,\"width\":%d,\"height\":%d,\"bytes\":%" PRId64 ",\"empty\":%s",
                m->hash, (int)m->width, (int)m->height, m->bytes, m->empty ? "true" : "false");
    }
    fflush(r->warnings);
    const long length = ftell(r->warnings);
    fprintf(out, ",\"seconds\":%.6f,\"warnings\":[%.*s]", m->seconds,
            (int)(length > 0 ? length : 0), r->warning_text ? r->warning_text : "");
}

/// An outcome on its way between processes: this, and then the texts.
typedef struct packed_outcome {
    thumbnail_outcome outcome; ///< its pointers mean nothing
    uint64_t file, warnings;   ///< lengths
} packed_outcome;

static void pack(const thumbnail_report *r, const thumbnail_outcome *m)
{
    packed_outcome p = {.outcome = *m, .file = m->file ? strlen(m->file) : 0};
    const long length = r->warnings ? ftell(r->warnings) : 0;
    p.warnings = length > 0 ? (uint64_t)length : 0;
    if (r->warnings)
        fflush(r->warnings);
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
    if (r->warnings)
        r->lost |= fwrite(bytes + p.file, 1, p.warnings, r->warnings) != p.warnings;
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
                                    .path = m->file ? m->file : m->input,
                                    .skipped = m->skipped};
    r->failed += m->code != 0;
    r->skipped += m->code == 0 && m->skipped;
    r->empty += m->empty;
    r->made += m->code == 0 && !m->skipped;
    if (r->document) {
        errno = 0;
        fputs(ftell(r->document) > 0 ? ",{" : "{", r->document);
        print_members(r, m, r->document);
        fputc('}', r->document);
        r->lost = r->lost || errno == ENOMEM;
    }
    if (r->o->json_lines) {
        printf("{\"zoetrope\":\"%s\",", zt_version());
        print_members(r, m, stdout);
        printf("}\n");
        fflush(stdout);
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

/// Closes the texts. False: they are not whole.
static bool close_texts(thumbnail_report *r)
{
    bool whole = !r->lost;
    if (r->document)
        whole = fclose(r->document) == 0 && r->text && whole;
    if (r->warnings)
        whole = fclose(r->warnings) == 0 && whole;
    return whole;
}

int thumbnail_report_finish(thumbnail_report *r, bool document, int code)
{
    if (r->batch)
        progress_end(&r->progress);
    print_totals(r);
    if (!close_texts(r)) {
        const int lost = console_fail(ZT_ERR_MEMORY, "no memory for the result document");
        code = lost > code ? lost : code;
    } else if (r->document && document) {
        document_begin(r->o);
        printf(",\"models\":%" PRId64 ",\"made\":%" PRId64 ",\"skipped\":%" PRId64
               ",\"failed\":%" PRId64 ",\"empty\":%" PRId64 ",\"passed_over\":%" PRId64
               ",\"seconds\":%.6f,\"files\":[%s],\"code\":%d",
               r->done, r->made, r->skipped, r->failed, r->empty, r->passed_over,
               console_clock() - r->progress.start_s, r->text, code);
        document_end();
    }
    free(r->text);
    free(r->warning_text);
    return code;
}
