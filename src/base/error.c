// SPDX-License-Identifier: MIT
/// Formats messages as one printable line, without control characters of hostile files.
#include "base/error.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MESSAGE_SIZE = sizeof(((zt_error *)0)->message),
    WHOLE_SIZE = 4096 + MESSAGE_SIZE, ///< with the longest path
    HEAD_SIZE = 400,                  ///< of a message that is shortened
};

/// A message that was cut must not end inside a UTF-8 sequence.
static void drop_cut_sequence(char *text)
{
    const size_t length = strlen(text);
    size_t start = length;
    while (start > 0 && length - start < 3 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    const unsigned char lead = (unsigned char)text[start - 1];
    const size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (wanted > length - start + 1)
        text[start - 1] = '\0';
}

/// Leaves out the middle, which is that of a long path: file name and fault are at the ends.
static void shorten(const char *whole, char out[MESSAGE_SIZE])
{
    static const char gap[] = "...";
    const size_t length = strlen(whole);
    memcpy(out, whole, HEAD_SIZE);
    out[HEAD_SIZE] = '\0';
    drop_cut_sequence(out);
    const size_t head = strlen(out), tail = MESSAGE_SIZE - sizeof gap - head;
    const char *rest = whole + length - tail;
    while (((unsigned char)*rest & 0xC0) == 0x80)
        rest++;
    memcpy(out + head, gap, sizeof gap - 1);
    memcpy(out + head + sizeof gap - 1, rest, strlen(rest) + 1);
}

ZT_PRINTF(2, 0)
static void format_line(char out[MESSAGE_SIZE], const char *format, va_list arguments)
{
    char whole[WHOLE_SIZE];
    const int length = vsnprintf(whole, sizeof whole, format, arguments);
    if (length < 0) // an encoding error of the C library: the format itself still says what failed
        snprintf(whole, sizeof whole, "%s", format);
    if (length >= WHOLE_SIZE)
        drop_cut_sequence(whole);
    if (strlen(whole) < MESSAGE_SIZE)
        memcpy(out, whole, strlen(whole) + 1);
    else
        shorten(whole, out);
    utf8_make_harmless(out);
}

ZT_PRINTF(3, 0)
static zt_result fail_with(zt_error *err, zt_result code, const char *format, va_list arguments)
{
    if (err) {
        char line[MESSAGE_SIZE]; // the arguments may include the old message
        format_line(line, format, arguments);
        memcpy(err->message, line, strlen(line) + 1);
        err->code = code;
    }
    return code;
}

zt_result zt_fail(zt_error *err, zt_result code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_with(err, code, format, arguments);
    va_end(arguments);
    return code;
}

ZT_PRINTF(3, 0)
static void send(const message_sink *sink, zt_severity severity, const char *format,
                 va_list arguments)
{
    if (!sink || !sink->fn)
        return;
    char line[MESSAGE_SIZE];
    format_line(line, format, arguments);
    sink->fn(sink->user, severity, line);
}

void message_note(const message_sink *sink, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    send(sink, ZT_NOTE, format, arguments);
    va_end(arguments);
}

void message_warn(const message_sink *sink, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    send(sink, ZT_WARNING, format, arguments);
    va_end(arguments);
}

zt_result message_unsupported(const message_sink *sink, zt_error *err, const char *format, ...)
{
    zt_result result = ZT_OK;
    va_list arguments;
    va_start(arguments, format);
    if (sink && sink->strict)
        result = fail_with(err, ZT_ERR_UNSUPPORTED, format, arguments);
    else
        send(sink, ZT_WARNING, format, arguments);
    va_end(arguments);
    return result;
}

const char *zt_result_name(zt_result result)
{
    static const char *const names[] = {
        [ZT_OK] = "ok",
        [ZT_ERR_DIFFERENT] = "different",
        [ZT_ERR_ARGUMENT] = "invalid argument",
        [ZT_ERR_INPUT] = "input cannot be read",
        [ZT_ERR_FORMAT] = "malformed input",
        [ZT_ERR_LIMIT] = "limit exceeded",
        [ZT_ERR_OUTPUT] = "output cannot be written",
        [ZT_ERR_MEMORY] = "out of memory",
        [ZT_ERR_UNSUPPORTED] = "unsupported feature",
        [ZT_ERR_INTERNAL] = "internal error",
        [ZT_ERR_CANCELLED] = "cancelled",
    };
    _Static_assert(sizeof names / sizeof *names == ZT_RESULT_COUNT, "name every zt_result");
    return (unsigned)result < ZT_RESULT_COUNT ? names[result] : "unknown result";
}

const char *error_without_path(const char *message, const char *path)
{
    const size_t length = strlen(path);
    if (strncmp(message, path, length) != 0 || message[length] != ':')
        return message;
    return message + length + 1 + (message[length + 1] == ' ');
}
