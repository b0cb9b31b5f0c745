// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // explicit_bzero, strsep
#include "cli/serve_client.h"

#include "base/text_stream.h"
#include "cli/console.h"
#include "cli/serve_call.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

/// A frame on its way to a client.
typedef struct serve_answer {
    struct serve_answer *next;
    char *line; ///< [line_size] malloc
    size_t line_size;
    int file;            ///< -1: none
    uint64_t size, sent; ///< bytes of the line and of the file
    int64_t item;
} serve_answer;

// ---- Bytes --------------------------------------------------------------------------------------

/// Terminals and files are shared with others, and stay as they are: false.
static bool set_nonblocking(int file)
{
    struct stat status;
    const int flags = fcntl(file, F_GETFL);
    return flags >= 0 && fstat(file, &status) == 0 &&
           (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) &&
           fcntl(file, F_SETFL, flags | O_NONBLOCK) == 0;
}

bool serve_client_begin(serve_client *c, int input, int output)
{
    const double now_s = console_clock();
    *c = (serve_client){.input = input,
                        .output = output,
                        .bytes = calloc(1, SERVE_LINE_MAX),
                        .item = -1,
                        .read_s = now_s,
                        .took_s = now_s};
    c->waits = !set_nonblocking(input);
    (void)set_nonblocking(output);
    return c->bytes != NULL;
}

static void drop_first(serve_client *c)
{
    serve_answer *a = c->first;
    if (a->file >= 0)
        close(a->file);
    c->first = a->next;
    c->last = c->first ? c->last : NULL;
    c->answers--;
    explicit_bzero(a->line, a->line_size);
    free(a->line);
    free(a);
}

void serve_client_finish(serve_client *c)
{
    while (c->first)
        drop_first(c);
    explicit_bzero(c->bytes, SERVE_LINE_MAX);
    free(c->bytes);
    if (c->input > STDERR_FILENO)
        close(c->input);
    c->bytes = NULL;
}

/// Writes some of an answer. -1: the client takes nothing now (errno EAGAIN), or never again.
static ssize_t write_some(serve_client *c, serve_answer *a)
{
    static char piece[PIECE];
    const uint64_t rest = a->size - a->sent;
    ssize_t written;
    if (a->sent < a->line_size) {
        written = write(c->output, a->line + a->sent, a->line_size - (size_t)a->sent);
    } else {
        const ssize_t size = pread(a->file, piece, rest < PIECE ? (size_t)rest : PIECE,
                                   (off_t)(a->sent - a->line_size));
        errno = EIO;
        written = size > 0 ? write(c->output, piece, (size_t)size) : -1;
        memset(piece, 0, sizeof piece); // a worker that begins later has a copy of all memory
    }
    a->sent += written > 0 ? (uint64_t)written : 0;
    return written;
}

void serve_client_write(serve_client *c, void (*done)(void *user, int64_t item), void *user)
{
    while (c->first) {
        serve_answer *a = c->first;
        const bool whole = a->sent == a->size;
        const ssize_t written = whole || c->fault != ZT_OK ? 0 : write_some(c, a);
        if (written < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (written < 0)
            c->fault = ZT_ERR_OUTPUT;
        c->took_s = console_clock();
        if (!whole && c->fault == ZT_OK)
            continue;
        if (a->item >= 0)
            done(user, a->item);
        drop_first(c);
    }
}

bool serve_client_read(serve_client *c)
{
    if (c->at > 0) {
        memmove(c->bytes, c->bytes + c->at, c->size);
        c->at = 0;
    }
    // Not full: all but the part of a line has been used.
    const ssize_t count = read(c->input, c->bytes + c->size, SERVE_LINE_MAX - c->size);
    c->ended = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
    if (count <= 0)
        return false;
    c->size += (size_t)count;
    c->read_s = console_clock();
    return true;
}

const char *serve_client_line(serve_client *c, size_t *out_size)
{
    const char *line = c->bytes + c->at, *end = memchr(line, '\n', c->size);
    if (!end)
        return NULL;
    *out_size = (size_t)(end - line) + 1;
    c->at += *out_size;
    c->size -= *out_size;
    return line;
}

void serve_client_forget(serve_client *c)
{
    memset(c->bytes, 0, SERVE_LINE_MAX);
    for (serve_answer *a = c->first; a; a = a->next)
        memset(a->line, 0, a->line_size);
}

// ---- Frames -------------------------------------------------------------------------------------

bool serve_frame_begin(serve_client *c, serve_frame *f, const char *id)
{
    *f = (serve_frame){.text = NULL};
    f->json.out = text_stream_open(&f->text, &f->size);
    if (!f->json.out) {
        c->fault = ZT_ERR_MEMORY;
        return false;
    }
    json_stream_open(&f->json, NULL, '{');
    if (id)
        json_stream_print(&f->json, "id", "%s", id);
    return true;
}

bool serve_frame_send(serve_client *c, serve_frame *f, int file, uint64_t size, int64_t item)
{
    json_stream_close(&f->json, '}');
    fputc('\n', f->json.out);
    const bool whole = text_stream_close(f->json.out, &f->text);
    serve_answer *a = whole && c->fault == ZT_OK ? malloc(sizeof *a) : NULL;
    if (!a) {
        c->fault = c->fault == ZT_OK ? ZT_ERR_MEMORY : c->fault;
        free(f->text);
        if (file >= 0)
            close(file);
        return false;
    }
    *a = (serve_answer){
        .line = f->text, .line_size = f->size, .file = file, .size = f->size + size, .item = item};
    if (!c->first)
        c->took_s = console_clock();
    *(c->last ? &c->last->next : &c->first) = a;
    c->last = a;
    c->answers++;
    return true;
}

void serve_refuse(serve_client *c, const char *id, int code, const char *message, bool busy)
{
    serve_frame f;
    if (!serve_frame_begin(c, &f, id))
        return;
    JSON_STREAM_INTEGERS(&f.json, {"code", code});
    json_stream_open(&f.json, "messages", '[');
    json_stream_close(&f.json, ']');
    json_stream_text(&f.json, "message", message);
    if (busy)
        json_stream_bool(&f.json, "busy", true);
    JSON_STREAM_INTEGERS(&f.json, {"bytes", 0});
    (void)serve_frame_send(c, &f, -1, 0, -1);
}

/// The line without the name of the program.
static const char *bare(char *line)
{
    static const char name[] = "zoetrope: ";
    return strncmp(line, name, sizeof name - 1) == 0 ? line + sizeof name - 1 : line;
}

void serve_frame_messages(serve_frame *f, char *lines, bool failed, const char *otherwise)
{
    json_stream *json = &f->json;
    char *again = strrchr(lines, SERVE_AGAIN), *rest = again ? again + 1 : lines, *line;
    const char *last = NULL;
    json_stream_open(json, "messages", '[');
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (line[0] == '{' || !line[0]) // progress
            continue;
        if (last)
            json_stream_text(json, NULL, last);
        last = bare(line);
    }
    if (last && !(failed && !otherwise[0]))
        json_stream_text(json, NULL, last);
    json_stream_close(json, ']');
    if (failed)
        json_stream_text(json, "message", otherwise[0] ? otherwise : last ? last : "no message");
}
