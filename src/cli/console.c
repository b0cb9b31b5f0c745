// SPDX-License-Identifier: MIT
// Messages, progress, JSON text and statistics for people and scripts.
#include "cli/console.h"

#include "cli/interrupt.h"
#include "cli/option_table.h"
#include "report/report_text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int console_fail(zt_result result, const char *message)
{
    if (result == ZT_ERR_CANCELLED) {
        fprintf(stderr, "zoetrope: %s\n", interrupt_tell());
        return interrupt_code();
    }
    fprintf(stderr, "zoetrope: %s\n", message[0] ? message : zt_result_name(result));
    return (int)result;
}

int command_fail(const options *o, zt_result result, const char *message)
{
    const int code = console_fail(result, message);
    if (result == ZT_ERR_CANCELLED)
        message = interrupt_message();
    print_failure(o, code, message[0] ? message : zt_result_name(result));
    return code;
}

void document_begin(const options *o)
{
    printf("{\"command\":\"%s\",\"zoetrope\":\"%s\"", command_at(o->command)->name, zt_version());
}

void print_failure(const options *o, int code, const char *message)
{
    // With -o - standard output was meant for pictures; --json is refused then.
    if (!o->json || o->command == COMMAND_NONE || (o->output && strcmp(o->output, "-") == 0))
        return;
    document_begin(o);
    printf(",\"code\":%d,\"message\":", code);
    print_json_text(stdout, message);
    printf("}\n");
}

void console_message(void *user, zt_severity severity, const char *text)
{
    const options *o = user;
    if (o->quiet || (severity == ZT_NOTE && !o->verbose))
        return;
    fprintf(stderr, "zoetrope: %s: %s\n", severity == ZT_NOTE ? "note" : "warning", text);
}

// ---- Progress -----------------------------------------------------------------------------------

static double now_s(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void progress_begin(progress *p, const options *o)
{
    *p = (progress){.kind = o->quiet ? PROGRESS_NONE : o->progress, .start_s = now_s()};
    if (p->kind == PROGRESS_AUTO)
        p->kind = isatty(STDERR_FILENO) ? PROGRESS_BAR : PROGRESS_LINES;
}

static void draw_bar(progress *p, const zt_frame_report *r)
{
    enum { WIDTH = 30 };
    char bar[WIDTH + 1];
    const int64_t filled = r->done * WIDTH / (r->total > 0 ? r->total : 1);
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[WIDTH] = 0;
    const double spent = now_s() - p->start_s;
    const double left = spent / (double)r->done * (double)(r->total - r->done);
    fprintf(stderr, "\r[%s] %" PRId64 "/%" PRId64 "  frame %" PRId64 "  %.0f s left   ", bar,
            r->done, r->total, r->frame, left);
    fflush(stderr);
    p->drawn = true;
}

void progress_frame(progress *p, const zt_frame_report *r)
{
    switch (p->kind) {
    case PROGRESS_BAR:
        draw_bar(p, r);
        break;
    case PROGRESS_LINES:
        fprintf(stderr, "zoetrope: frame %" PRId64 " (%" PRId64 "/%" PRId64 ") %s%s\n", r->frame,
                r->done, r->total, r->path, r->skipped ? " exists" : "");
        break;
    case PROGRESS_JSON:
        fprintf(stderr,
                "{\"done\":%" PRId64 ",\"total\":%" PRId64 ",\"frame\":%" PRId64
                ",\"skipped\":%s,\"file\":",
                r->done, r->total, r->frame, r->skipped ? "true" : "false");
        print_json_text(stderr, r->path);
        fprintf(stderr, "}\n");
        break;
    case PROGRESS_AUTO:
    case PROGRESS_NONE:
        break;
    }
}

void progress_end(progress *p)
{
    if (p->drawn)
        fprintf(stderr, "\n");
    p->drawn = false;
}

// ---- JSON ---------------------------------------------------------------------------------------

void print_json_text(FILE *out, const char *text)
{
    report_json_text(out, text);
}

int console_finish(int code)
{
    errno = 0;
    const bool failed = ferror(stdout) != 0;
    if ((fflush(stdout) == 0 && !failed) || code == (int)ZT_ERR_OUTPUT)
        return code; // written, or the failure was reported before
    fprintf(stderr, "zoetrope: standard output: %s (expected room for the data)\n",
            errno ? strerror(errno) : "write failed");
    return (int)ZT_ERR_OUTPUT;
}

// ---- Statistics ---------------------------------------------------------------------------------

void stats_print(FILE *out, const zt_renderer *renderer)
{
    zt_stats s;
    zt_renderer_stats(renderer, &s);
    uint64_t total = 0;
    for (int i = 0; i < ZT_STAGE_COUNT; i++)
        total += s.stage_ns[i];
    const double frames = s.frames > 0 ? (double)s.frames : 1.0;
    fprintf(out, "%-10s %12s %12s %7s\n", "stage", "ms", "ms/frame", "share");
    for (int i = 0; i < ZT_STAGE_COUNT; i++) {
        const double ms = (double)s.stage_ns[i] * 1e-6;
        fprintf(out, "%-10s %12.3f %12.3f %6.1f%%\n", zt_stage_name((zt_stage)i), ms, ms / frames,
                total ? 100.0 * (double)s.stage_ns[i] / (double)total : 0.0);
    }
    fprintf(out,
            "frames %" PRId64 ", vertices %" PRId64 ", triangles %" PRId64 ", drawn %" PRId64
            ", pixels shaded %" PRId64 ", frame memory %" PRIu64 " bytes, %s\n",
            s.frames, s.vertices, s.triangles, s.triangles_drawn, s.pixels_shaded, s.frame_memory,
            zt_isa_name(zt_renderer_isa(renderer)));
}

void stats_json(FILE *out, const zt_renderer *renderer)
{
    zt_stats s;
    zt_renderer_stats(renderer, &s);
    fprintf(out,
            "{\"frames\":%" PRId64 ",\"vertices\":%" PRId64 ",\"triangles\":%" PRId64
            ",\"triangles_drawn\":%" PRId64 ",\"pixels_shaded\":%" PRId64
            ",\"frame_memory\":%" PRIu64 ",\"stage_ns\":{",
            s.frames, s.vertices, s.triangles, s.triangles_drawn, s.pixels_shaded, s.frame_memory);
    for (int i = 0; i < ZT_STAGE_COUNT; i++)
        fprintf(out, "%s\"%s\":%" PRIu64, i ? "," : "", zt_stage_name((zt_stage)i), s.stage_ns[i]);
    fprintf(out, "}}");
}
