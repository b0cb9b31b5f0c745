// SPDX-License-Identifier: MIT
#include "json/json_stream.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

void json_stream_string(FILE *out, const char *text)
{
    fputc('"', out);
    utf8_write_json(out, text);
    fputc('"', out);
}

/// The comma and the key before a value.
static void begin_value(json_stream *s, const char *key)
{
    if (s->follows)
        fputs(s->spaced ? ", " : ",", s->out);
    s->follows = true;
    if (!key)
        return;
    json_stream_string(s->out, key);
    fputs(s->spaced ? ": " : ":", s->out);
}

void json_stream_open(json_stream *s, const char *key, char bracket)
{
    begin_value(s, key);
    fputc(bracket, s->out);
    s->follows = false;
}

void json_stream_close(json_stream *s, char bracket)
{
    fputc(bracket, s->out);
    s->follows = true;
}

void json_stream_text(json_stream *s, const char *key, const char *text)
{
    begin_value(s, key);
    if (text)
        json_stream_string(s->out, text);
    else
        fputs("null", s->out);
}

void json_stream_bool(json_stream *s, const char *key, bool truth)
{
    json_stream_print(s, key, "%s", truth ? "true" : "false");
}

void json_stream_real(json_stream *s, const char *key, double real)
{
    if (isfinite(real))
        json_stream_print(s, key, "%.9g", real);
    else
        json_stream_text(s, key, NULL);
}

void json_stream_hash(json_stream *s, const char *key, uint64_t hash)
{
    json_stream_print(s, key, "\"%016" PRIx64 "\"", hash);
}

void json_stream_integers(json_stream *s, const json_integer *list)
{
    for (; list->key; list++)
        json_stream_print(s, list->key, "%" PRId64, list->value);
}

void json_stream_print(json_stream *s, const char *key, const char *format, ...)
{
    va_list arguments;
    begin_value(s, key);
    va_start(arguments, format);
    vfprintf(s->out, format, arguments);
    va_end(arguments);
}

void json_stream_line(json_stream *s)
{
    fputs(s->follows ? ",\n" : "\n", s->out);
    s->follows = false;
}
