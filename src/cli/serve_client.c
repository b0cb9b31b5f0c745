// SPDX-License-Identifier: MIT
#include "cli/serve_client.h"

#include "cli/console.h"
#include "cli/serve_call.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

struct serve_answer {
    serve_answer *next;
    int file; ///< -1: none
    int64_t item;
    uint64_t size, sent; ///< of `file`
    size_t line_size, line_sent;
    char line[];
};

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
    char *bytes = calloc(1, SERVE_LINE_MAX);
    *c = (serve_client){
        .input = -1, .output = -1, .item = -1, .bytes = bytes, .read_s = now_s, .took_s = now_s};
    if (!bytes)
        return false;
    c->input = input;
    c->output = output;
    c->waits = !set_nonblocking(input);
    (void)set_nonblocking(output);
    return true;
}

static void drop_first(serve_client *c)
{
    serve_answer *a = c->first;
    if (a->file >= 0)
        close(a->file);
    c->first = a->next;
    c->last = c->first ? c->last : NULL;
    c->answers--;
    free(a);
}

void serve_client_finish(serve_client *c)
{
    while (c->first)
        drop_first(c);
    free(c->bytes);
    if (c->input > STDERR_FILENO)
        close(c->input);
    *c = (serve_client){.input = -1, .output = -1, .item = -1};
}

bool serve_client_answer(serve_client *c, const char *line, int file, uint64_t size, int64_t item)
{
    const size_t length = strlen(line);
    serve_answer *a = c->fault != ZT_OK ? NULL : malloc(sizeof *a + length);
    if (!a)
        return false;
    *a = (serve_answer){.file = file, .item = item, .size = size, .line_size = length};
    memcpy(a->line, line, length);
    if (!c->first)
        c->took_s = console_clock();
    *(c->last ? &c->last->next : &c->first) = a;
    c->last = a;
    c->answers++;
    return true;
}

/// Writes some of an answer. -1: the client takes nothing now (errno EAGAIN), or never again.
static ssize_t write_some(serve_client *c, serve_answer *a)
{
    char piece[PIECE];
    const char *from = a->line + a->line_sent;
    size_t size = a->line_size - a->line_sent;
    const bool line = size > 0;
    if (!line) {
        const uint64_t rest = a->size - a->sent;
        const ssize_t got =
            pread(a->file, piece, rest < PIECE ? (size_t)rest : PIECE, (off_t)a->sent);
        if (got <= 0) {
            errno = EIO;
            return -1;
        }
        from = piece;
        size = (size_t)got;
    }
    const ssize_t written = write(c->output, from, size);
    if (written > 0 && line)
        a->line_sent += (size_t)written;
    else if (written > 0)
        a->sent += (uint64_t)written;
    return written;
}

void serve_client_write(serve_client *c, void (*done)(void *user, int64_t item), void *user)
{
    while (c->first) {
        serve_answer *a = c->first;
        const bool whole = a->line_sent == a->line_size && a->sent == a->size;
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
    const size_t room = SERVE_LINE_MAX - c->size;
    const ssize_t count = room > 0 ? read(c->input, c->bytes + c->size, room) : -1;
    if (room > 0 && count < 0 && errno != EAGAIN && errno != EINTR)
        c->ended = true;
    if (count == 0)
        c->ended = true;
    if (count <= 0)
        return false;
    c->size += (size_t)count;
    c->read_s = console_clock();
    return true;
}

const char *serve_client_line(const serve_client *c, size_t *out_size)
{
    const char *line = c->bytes + c->at;
    const char *end = c->size > 0 ? memchr(line, '\n', c->size) : NULL;
    *out_size = end ? (size_t)(end - line) : 0;
    return end ? line : NULL;
}

void serve_client_skip(serve_client *c, size_t size)
{
    c->size -= size;
    c->at += size;
}

void serve_client_forget(serve_client *c)
{
    if (c->bytes)
        memset(c->bytes, 0, SERVE_LINE_MAX);
    for (serve_answer *a = c->first; a; a = a->next)
        memset(a->line, 0, a->line_size);
}
