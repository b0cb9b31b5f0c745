// SPDX-License-Identifier: MIT
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

/// Keeps "pointer: text" in the model's notes. `out_text`: it; NULL: there already, or too many.
ZT_PRINTF(3, 0)
static zt_result keep_note(gltf_log *log, const json_pointer *json, const char *format,
                           va_list arguments, const char **out_text) ZT_PRINTF(3, 0);

static zt_result keep_note(gltf_log *log, const json_pointer *json, const char *format,
                           va_list arguments, const char **out_text)
{
    char text[512], pointer[JSON_POINTER_SIZE], note[1024];
    *out_text = NULL;
    if (log->note_count == GLTF_NOTE_LIMIT)
        return ZT_OK;
    vsnprintf(text, sizeof text, format, arguments);
    json_pointer_text(json, pointer);
    snprintf(note, sizeof note, "%s%s%s", pointer, *pointer ? ": " : "", text);
    for (char *c = note; *c; c++) // names in the file may contain anything, but a note is one line
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    for (uint32_t i = 0; i < log->note_count; i++)
        if (strcmp(log->note[i], note) == 0)
            return ZT_OK;
    char *kept;
    ZT_TRY(ARENA_TEXT(log->keep, &kept, note, "a note", log->err));
    log->note[log->note_count++] = kept;
    *out_text = kept + strlen(pointer) + (*pointer ? 2 : 0);
    return ZT_OK;
}

zt_result gltf_message(gltf_log *log, message_weight weight, const json_pointer *json,
                       const char *format, ...)
{
    const char *text;
    va_list arguments;
    va_start(arguments, format);
    const zt_result result = keep_note(log, json, format, arguments, &text);
    va_end(arguments);
    if (!text)
        return result;
    const char *note = log->note[log->note_count - 1], *between = *note == '/' ? "" : " ";
    if (weight == MESSAGE_NOTE || !message_kinds_first(&log->kinds, text, note))
        message_note(log->sink, "%s:%s%s", log->path, between, note);
    else if (weight == MESSAGE_UNSUPPORTED)
        return message_unsupported(log->sink, log->err, "%s:%s%s", log->path, between, note);
    else
        message_warn(log->sink, "%s:%s%s", log->path, between, note);
    return ZT_OK;
}

void gltf_log_finish(gltf_log *log) { message_kinds_send(&log->kinds, log->sink, log->path); }
