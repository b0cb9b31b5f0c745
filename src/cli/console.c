// SPDX-License-Identifier: MIT
// Messages, JSON text and statistics for people and scripts.
#include "cli/console.h"

#include "base/text_stream.h"
#include "base/utf8.h"
#include "cli/interrupt.h"
#include "cli/option_table.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// One line by one call, whatever names of files are in it.
static void print_line(const char *begin, const char *text)
{
    char line[4096];
    snprintf(line, sizeof line, "%s%s", begin, text);
    utf8_make_harmless(line);
    fprintf(stderr, "zoetrope: %s\n", line);
}

int console_fail(zt_result result, const char *message)
{
    if (result == ZT_ERR_CANCELLED) {
        if (interrupt_tell())
            fprintf(stderr, "zoetrope: %s\n", interrupt_message());
        return interrupt_code();
    }
    print_line("", message[0] ? message : zt_result_name(result));
    return (int)result;
}

int command_fail(const options *o, zt_result result, const char *message)
{
    char text[1024];
    if (o->verify.file && result == ZT_ERR_ARGUMENT) { // a fault of the picture's text
        snprintf(text, sizeof text, "%.400s: %.500s", o->verify.file, message);
        message = text;
        result = ZT_ERR_FORMAT;
    }
    const int code = console_fail(result, message);
    if (result == ZT_ERR_CANCELLED)
        message = interrupt_message();
    print_failure(o, code, message[0] ? message : zt_result_name(result));
    return code;
}

/// The first members of a result document.
typedef struct document_head {
    char text[128];
} document_head;

static document_head document_head_of(const options *o)
{
    document_head head;
    snprintf(head.text, sizeof head.text, "{\"command\":\"%s\",\"zoetrope\":\"%s\"",
             command_at(o->verify.file ? COMMAND_VERIFY : o->command)->name, zt_version());
    return head;
}

/// With -o - standard output was meant for pictures; --json is refused then.
static bool has_document(const options *o)
{
    return o->json && o->command != COMMAND_NONE && !(o->output && strcmp(o->output, "-") == 0);
}

void document_prepare(const options *o)
{
    if (has_document(o))
        interrupt_document(document_head_of(o).text);
}

json_stream document_begin(const options *o)
{
    (void)interrupt_document_begin();
    printf("%s", document_head_of(o).text);
    json_stream document = {.out = stdout, .follows = true};
    if (o->verify.file)
        json_stream_text(&document, "file", o->verify.file);
    return document;
}

void document_end(void)
{
    printf("}\n");
    fflush(stdout); // a failure stays known to the stream: console_finish() reports it
}

zt_result document_list_begin(document_list *l, const options *o, zt_error *err)
{
    *l = (document_list){.text = NULL};
    if (o->json && !(l->json.out = text_stream_open(&l->text, &l->size)))
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for the result document");
    return ZT_OK;
}

zt_result document_list_end(document_list *l, zt_result result, zt_error *err)
{
    const bool whole = !l->json.out || text_stream_close(l->json.out, &l->text);
    if (result == ZT_OK && !whole)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for the result document");
    return result;
}

void print_failure(const options *o, int code, const char *message)
{
    if (!has_document(o) || !interrupt_document_begin())
        return;
    json_stream document = document_begin(o);
    JSON_STREAM_INTEGERS(&document, {"code", code});
    json_stream_text(&document, "message", message);
    document_end();
}

void console_message(void *user, zt_severity severity, const char *text)
{
    const options *o = user;
    if (o->quiet || o->repeats || (severity == ZT_NOTE && !o->verbose))
        return;
    print_line(severity == ZT_NOTE ? "note: " : "warning: ", text);
}

void console_say(const options *o, zt_severity severity, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    console_message((void *)(uintptr_t)o, severity, text);
}

void console_tell(const options *o, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!o->quiet)
        print_line("", text);
}

double console_clock(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// Whoever reads standard output has seen enough, as head does: that wants no message.
static bool reader_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    const int error = errno;
    const bool left =
        error == EPIPE || (error == 0 && poll(&out, 1, 0) == 1 && (out.revents & POLLERR));
    errno = error;
    return left;
}

int console_finish(int code)
{
    errno = 0;
    const bool failed = ferror(stdout) != 0;
    if ((fflush(stdout) == 0 && !failed) || code == (int)ZT_ERR_OUTPUT)
        return code; // written, or the failure was reported before
    if (!reader_left())
        fprintf(stderr, "zoetrope: standard output: %s (expected room for the data)\n",
                errno ? strerror(errno) : "write failed");
    return (int)ZT_ERR_OUTPUT;
}

void stats_print(FILE *out, const drawn_stats *stats, zt_isa isa)
{
    const zt_stats *s = &stats->sums;
    const char *name;
    uint64_t total = 0;
    for (int i = 0; i < DRAWN_STAGES; i++)
        total += stats->stage_ns[i];
    const double frames = s->frames > 0 ? (double)s->frames : 1.0;
    fprintf(out, "%-10s %12s %12s %7s\n", "stage", "ms", "ms/frame", "share");
    for (int32_t i = 0; (name = zt_renderer_stage(NULL, i, NULL)); i++) {
        const double ms = (double)stats->stage_ns[i] * 1e-6;
        fprintf(out, "%-10s %12.3f %12.3f %6.1f%%\n", name, ms, ms / frames,
                total ? 100.0 * (double)stats->stage_ns[i] / (double)total : 0.0);
    }
    fprintf(out,
            "frames %" PRId64 ", vertices %" PRId64 ", triangles %" PRId64 ", drawn %" PRId64
            ", pixels shaded %" PRId64 ", frame memory %" PRIu64 " bytes, %s\n",
            s->frames, s->vertices, s->triangles, s->triangles_drawn, s->pixels_shaded,
            s->frame_memory, zt_isa_name(isa));
}

void stats_json(json_stream *document, const drawn_stats *stats)
{
    const zt_stats *s = &stats->sums;
    const char *name;
    json_stream_open(document, "stats", '{');
    JSON_STREAM_INTEGERS(document, {"frames", s->frames}, {"vertices", s->vertices},
                         {"triangles", s->triangles}, {"triangles_drawn", s->triangles_drawn},
                         {"pixels_shaded", s->pixels_shaded},
                         {"frame_memory", (int64_t)s->frame_memory});
    json_stream_open(document, "stage_ns", '{');
    for (int32_t i = 0; (name = zt_renderer_stage(NULL, i, NULL)); i++)
        json_stream_print(document, name, "%" PRIu64, stats->stage_ns[i]);
    json_stream_close(document, '}');
    json_stream_close(document, '}');
}
