// SPDX-License-Identifier: MIT
/// See gltf_log.h.
#include "gltf/gltf_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

zt_result gltf_fail(gltf_log *log, const json_pointer *json, zt_result code, const char *format,
                    ...)
{
    char text[sizeof log->err->message], pointer[JSON_POINTER_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_pointer_text(json, pointer);
    return zt_fail(log->err, code, "%s:%s%s %s", log->path, pointer, *pointer ? ":" : "", text);
}

/// Keeps "pointer: text" among the notes of the model. `out_new` is false when it is there already
/// or there are too many.
static zt_result keep_note(gltf_log *log, const json_pointer *json, const char *text, bool *out_new)
{
    char pointer[JSON_POINTER_SIZE], note[1024];
    *out_new = false;
    if (log->note_count == GLTF_NOTE_LIMIT)
        return ZT_OK;
    json_pointer_text(json, pointer);
    snprintf(note, sizeof note, "%s%s%s", pointer, *pointer ? ": " : "", text);
    for (char *c = note; *c; c++) // names in the file may contain anything, but a note is one line
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    for (uint32_t i = 0; i < log->note_count; i++)
        if (strcmp(log->note[i], note) == 0)
            return ZT_OK;
    log->note[log->note_count] = arena_text(log->keep, note, strlen(note));
    if (!log->note[log->note_count])
        return arena_fail(log->keep, log->err, "a note");
    log->note_count++;
    *out_new = true;
    return ZT_OK;
}

zt_result gltf_warn(gltf_log *log, const json_pointer *json, const char *format, ...)
{
    char text[512];
    bool is_new;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ZT_TRY(keep_note(log, json, text, &is_new));
    if (is_new)
        message_warn(log->sink, "%s:%s%s", log->path,
                     *log->note[log->note_count - 1] == '/' ? "" : " ",
                     log->note[log->note_count - 1]);
    return ZT_OK;
}

zt_result gltf_unsupported(gltf_log *log, const json_pointer *json, const char *format, ...)
{
    char text[512];
    bool is_new;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ZT_TRY(keep_note(log, json, text, &is_new));
    if (!is_new)
        return ZT_OK;
    return message_unsupported(log->sink, log->err, "%s:%s%s", log->path,
                               *log->note[log->note_count - 1] == '/' ? "" : " ",
                               log->note[log->note_count - 1]);
}
