// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // fopencookie
#include "base/text_stream.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// A text as it grows.
typedef struct text_cookie {
    char *text;
    size_t size, capacity;
    bool lost; ///< a piece found no memory: nothing is asked for any more
    char **out_text;
    size_t *out_size;
} text_cookie;

static ssize_t write_piece(void *user, const char *bytes, size_t size)
{
    text_cookie *c = user;
    if (!c->lost && c->capacity - c->size <= size) { // and a 0 at the end
        const size_t capacity = c->capacity + (size > c->capacity ? size : c->capacity) + 1;
        char *grown = realloc(c->text, capacity);
        c->lost = grown == NULL;
        c->text = grown ? grown : c->text;
        c->capacity = grown ? capacity : c->capacity;
    }
    if (c->lost) {
        errno = ENOMEM;
        return 0;
    }
    memcpy(c->text + c->size, bytes, size);
    c->size += size;
    return (ssize_t)size;
}

static int close_text(void *user)
{
    text_cookie *c = user;
    const bool whole = write_piece(c, "", 0) == 0 && !c->lost;
    if (whole) {
        c->text[c->size] = '\0';
        *c->out_text = c->text;
        *c->out_size = c->size;
    } else {
        free(c->text);
    }
    free(c);
    return whole ? 0 : EOF;
}

FILE *text_stream_open(char **out_text, size_t *out_size)
{
    static const cookie_io_functions_t functions = {.write = write_piece, .close = close_text};
    text_cookie *c = calloc(1, sizeof *c);
    *out_text = NULL;
    if (!c)
        return NULL;
    c->out_text = out_text;
    c->out_size = out_size;
    FILE *stream = fopencookie(c, "w", functions);
    if (!stream)
        free(c);
    return stream;
}

bool text_stream_close(FILE *stream, char **out_text)
{
    const bool failed = ferror(stream) != 0;
    const bool closed = fclose(stream) == 0;
    if (closed && !failed && *out_text)
        return true;
    free(*out_text);
    *out_text = NULL;
    return false;
}
