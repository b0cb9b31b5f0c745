// SPDX-License-Identifier: MIT
/// Output for people: errors and warnings on standard error; JSON and bytes on standard output.
#pragma once

#include "base/error.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "json/json_stream.h"

#include <stdio.h>

/// "zoetrope: MESSAGE" as one line; returns the exit code of `result`. ZT_ERR_CANCELLED is what a
/// signal or --timeout has led to: it has their message and code.
int console_fail(zt_result result, const char *message);
/// The same; with --json also prints the result document of the failed command, with its code.
int command_fail(const options *o, zt_result result, const char *message);
/// The watchdog will print the result document should it have to end the program; see interrupt.h.
void document_prepare(const options *o);
/// Begins a result document on standard output: {"command":"render","zoetrope":"0.3.0".
json_stream document_begin(const options *o);
/// The end of a result document, flushed: releasing all may take longer than the watchdog waits.
void document_end(void);
/// A list of a result document that grows as the work does; empty without --json.
typedef struct document_list {
    json_stream json; ///< `out` NULL: without --json
    char *text;       ///< of its elements, when it has ended; free it
    size_t size;
} document_list;

/// ZT_ERR_MEMORY.
zt_result document_list_begin(document_list *l, const options *o, zt_error *err);
/// Returns `result`, that of the work, or ZT_ERR_MEMORY where a piece of the list is lost.
zt_result document_list_end(document_list *l, zt_result result, zt_error *err);
/// The document alone, for an exit code that is no zt_result; none if standard output has one.
void print_failure(const options *o, int code, const char *message);
/// A warning or a note of the command itself.
void console_say(const options *o, zt_severity severity, const char *format, ...) ZT_PRINTF(3, 4);
/// What the user may want to know: a line that is no warning.
void console_tell(const options *o, const char *format, ...) ZT_PRINTF(2, 3);
/// A zt_message_fn; `user` is a const options.
void console_message(void *user, zt_severity severity, const char *text);

/// Seconds of a clock that is never set.
double console_clock(void);
/// Flushes standard output; 6 with a message when it could not be written, else `code`.
int console_finish(int code);
enum { DRAWN_STAGES = 16 }; ///< at least as many as the library has

/// The work of a renderer, and how long its stages took.
typedef struct drawn_stats {
    zt_stats sums;
    uint64_t stage_ns[DRAWN_STAGES];
} drawn_stats;

/// The table of --stats, and the same as the member `stats` of a document.
void stats_print(FILE *out, const drawn_stats *stats, zt_isa isa);
void stats_json(json_stream *document, const drawn_stats *stats);
