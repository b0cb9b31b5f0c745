// SPDX-License-Identifier: MIT
/// The bar uses carriage returns and spaces only, and never the last column: no terminal wraps it.
#include "cli/progress.h"

#include "base/maths.h"
#include "base/utf8.h"
#include "cli/console.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR_MIN = 6, BAR_MAX = 30, LINE_MAX = 256 };

static const double bar_interval_s = 0.05;

/// Seconds between lines: logs of long runs stay short.
static double line_interval_s(const progress *p)
{
    return console_clock() - p->start_s < 60.0 ? 1.0 : 10.0;
}

/// Columns of the terminal now: it may have been resized. 80 where nothing is known.
static int columns_now(void)
{
    struct winsize window = {0};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        return window.ws_col;
    const char *variable = getenv("COLUMNS");
    const int columns = variable ? atoi(variable) : 0;
    return columns > 0 ? columns : 80;
}

/// "1.2 s", "2 min 5 s" or "1 h 2 min".
static void duration_text(double seconds, char *out, size_t size)
{
    const int64_t whole = (int64_t)(seconds + 0.5);
    if (seconds < 59.95)
        snprintf(out, size, "%.1f s", seconds);
    else if (whole < 3600)
        snprintf(out, size, "%" PRId64 " min %" PRId64 " s", whole / 60, whole % 60);
    else
        snprintf(out, size, "%" PRId64 " h %" PRId64 " min", whole / 3600, whole / 60 % 60);
}

/// Frames a second, without those that were skipped; 0: unknown.
static double rate_of(const progress *p, double spent_s)
{
    return spent_s > 0 ? p->drawn / spent_s : 0;
}

static double seconds_left(const progress *p, double rate)
{
    return rate > 0 ? maths_max((double)(p->total - p->skipped) - p->drawn, 0) / rate : 0;
}

/// Appends `part` if it fits into `columns`.
static void add_part(char *line, size_t size, int columns, const char *part)
{
    const size_t length = strlen(line), more = strlen(part);
    if (length + more <= (size_t)columns && length + more < size)
        memcpy(line + length, part, more + 1);
}

/// Text in `columns`: count, rate, time spent and left, samples, the rest bar if any. Its length.
static int bar_text(const progress *p, const zt_frame_report *r, int columns, char out[LINE_MAX])
{
    char count[64], part[96], spent[32], left[32], tail[LINE_MAX] = "";
    const double spent_s = console_clock() - p->start_s, rate = rate_of(p, spent_s);
    const int room = columns < LINE_MAX ? columns : LINE_MAX - 1;
    // Text of one width, so that the bar's end stands still.
    const int digits = snprintf(count, sizeof count, "%" PRId64, p->total);
    snprintf(count, sizeof count, "%*" PRId64 "/%" PRId64, digits, p->done, p->total);
    add_part(tail, sizeof tail, p->kind == PROGRESS_BAR ? room : 0, count);
    if (rate > 0) {
        snprintf(part, sizeof part, "  %.*f/s", rate < 99.95 ? 1 : 0, rate);
        add_part(tail, sizeof tail, room, part);
    }
    duration_text(spent_s, spent, sizeof spent);
    snprintf(part, sizeof part, "  %s", spent);
    add_part(tail, sizeof tail, room, part);
    if (rate > 0) {
        duration_text(seconds_left(p, rate), left, sizeof left);
        snprintf(part, sizeof part, ", %s left", left);
        add_part(tail, sizeof tail, room, part);
    }
    snprintf(part, sizeof part, ", %.2f of %.2f M samples", (double)r->samples / 1e6,
             (double)r->samples_total / 1e6);
    add_part(tail, sizeof tail, r->samples_total > 0 ? room : 0, part);
    // The rest of the line is the bar's, with its brackets and a space.
    int width = room - (int)strlen(tail) - 3;
    width = width < BAR_MAX ? width : BAR_MAX;
    if (width < BAR_MIN || p->kind != PROGRESS_BAR)
        return snprintf(out, LINE_MAX, "%s", tail);
    char bar[BAR_MAX + 1] = "";
    memset(bar, '.', (size_t)width);
    const double full = (p->drawn + (double)p->skipped) * width / (double)p->total;
    memset(bar, '#', (size_t)maths_min(full, width));
    return snprintf(out, LINE_MAX, "[%.*s] %s", width, bar, tail);
}

/// Writes a line over the one that is there.
static void put_line(progress *p, const char *line, int length, int columns)
{
    const int old = p->width < columns ? p->width : columns;
    fprintf(stderr, "\r%s%*s", line, old > length ? old - length : 0, "");
    if (length == 0)
        fputc('\r', stderr);
    fflush(stderr);
    p->width = length;
}

static void draw_bar(progress *p, const zt_frame_report *r)
{
    char line[LINE_MAX];
    const int columns = columns_now() - 1;
    const int length = bar_text(p, r, columns, line);
    put_line(p, line, length, columns);
}

void progress_begin(progress *p, const options *o)
{
    *p = (progress){.kind = o->quiet ? PROGRESS_NONE : o->progress,
                    .noun = "frame",
                    .start_s = console_clock()};
    p->shown_s = p->start_s;
    if (p->kind == PROGRESS_AUTO)
        p->kind = isatty(STDERR_FILENO) ? PROGRESS_BAR : PROGRESS_LINES;
}

/// True when a bar or line is due.
static bool is_due(progress *p, const zt_frame_report *r, double interval_s)
{
    const double now = console_clock();
    const bool between = r->samples_total > 0 || (p->done > 1 && p->done < p->total);
    if (between && now - p->shown_s < interval_s)
        return false;
    p->shown_s = now;
    return true;
}

static void print_frame(const progress *p, const zt_frame_report *r)
{
    char text[LINE_MAX] = "failed";
    if (r->samples_total > 0)
        bar_text(p, r, LINE_MAX, text);
    fprintf(stderr, "zoetrope: %s %" PRId64 " (%" PRId64 "/%" PRId64 ") ",
            r->plane || r->samples_total > 0 ? "frame" : p->noun, r->frame, r->done, r->total);
    utf8_write_harmless(stderr, r->path ? r->path : text + strspn(text, " "));
    fprintf(stderr, "%s\n", r->skipped ? " exists" : "");
}

static void print_json(const progress *p, const zt_frame_report *r)
{
    json_stream line = {.out = stderr};
    json_stream_open(&line, NULL, '{');
    JSON_STREAM_INTEGERS(&line, {"done", r->done}, {"total", r->total}, {"frame", r->frame});
    json_stream_bool(&line, "skipped", r->skipped);
    if (r->samples_total > 0) {
        const double rate = rate_of(p, console_clock() - p->start_s);
        JSON_STREAM_INTEGERS(&line, {"samples", r->samples}, {"samples_total", r->samples_total});
        json_stream_print(&line, "seconds_left", "%.1f", seconds_left(p, rate));
    }
    if (r->plane)
        json_stream_text(&line, "plane", r->plane);
    if (r->path)
        json_stream_text(&line, "file", r->path);
    else if (r->samples_total == 0)
        json_stream_bool(&line, "failed", true);
    json_stream_close(&line, '}');
    fputc('\n', stderr);
}

void progress_frame(progress *p, const zt_frame_report *r)
{
    p->done = r->done;
    p->total = r->total;
    p->skipped += r->skipped ? 1 : 0;
    p->failed += r->path || r->samples_total > 0 ? 0 : 1;
    p->drawn =
        maths_max(p->drawn, maths_max((double)(p->done - p->skipped), r->share * (double)p->total));
    p->noun = r->plane ? "file" : p->noun;
    switch (p->kind) {
    case PROGRESS_BAR:
        if (is_due(p, r, bar_interval_s))
            draw_bar(p, r);
        break;
    case PROGRESS_LINES:
        if (is_due(p, r, line_interval_s(p)))
            print_frame(p, r);
        break;
    case PROGRESS_JSON: print_json(p, r); break;
    case PROGRESS_AUTO:
    case PROGRESS_NONE: break;
    }
}

void progress_clear(progress *p)
{
    if (p->width > 0)
        put_line(p, "", 0, columns_now() - 1);
}

static void print_closing(const progress *p)
{
    char spent[32];
    const double spent_s = console_clock() - p->start_s;
    const int64_t made = p->done - p->skipped - p->failed;
    if (made == 0 && p->failed == 0) {
        fprintf(stderr, "zoetrope: all %" PRId64 " %ss exist\n", p->done, p->noun);
        return;
    }
    duration_text(spent_s, spent, sizeof spent);
    fprintf(stderr, "zoetrope: %" PRId64 " %s%s in %s", made, p->noun, made == 1 ? "" : "s", spent);
    if (made > 1)
        fprintf(stderr, ", %.1f a second", (double)made / spent_s);
    if (p->skipped > 0)
        fprintf(stderr, "; %" PRId64 " existed", p->skipped);
    fputc('\n', stderr);
}

void progress_end(progress *p)
{
    const bool shown = p->kind == PROGRESS_BAR || p->kind == PROGRESS_LINES;
    const bool closes = shown && p->total > 1 && p->done == p->total;
    if (closes)
        progress_clear(p);
    else if (p->width > 0)
        fprintf(stderr, "\n");
    p->width = 0;
    if (closes)
        print_closing(p);
}
