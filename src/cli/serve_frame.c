// SPDX-License-Identifier: MIT
#include "cli/serve_frame.h"

#include "base/text_stream.h"
#include "cli/serve_work.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool serve_frame_begin(serve_frame *f, const char *id)
{
    *f = (serve_frame){.json = {.out = NULL}};
    f->json.out = text_stream_open(&f->text, &f->size);
    if (!f->json.out)
        return false;
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
    const bool sent = whole && serve_client_answer(c, f->text, file, size, item);
    free(f->text);
    if (!sent && file >= 0)
        close(file);
    if (!sent && c->fault == ZT_OK)
        c->fault = ZT_ERR_MEMORY;
    return sent;
}

void serve_refuse(serve_client *c, const char *id, int code, const char *message, bool busy)
{
    serve_frame f;
    if (!serve_frame_begin(&f, id)) {
        c->fault = ZT_ERR_MEMORY;
        return;
    }
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
    char *again = strrchr(lines, SERVE_AGAIN), *rest = again ? again + 1 : lines, *next;
    const char *last = NULL;
    json_stream_open(json, "messages", '[');
    for (; *rest; rest = next) {
        next = strchr(rest, '\n');
        next = next ? next : rest + strlen(rest);
        if (*next)
            *next++ = '\0';
        if (rest[0] == '{' || !rest[0]) // progress
            continue;
        if (last)
            json_stream_text(json, NULL, last);
        last = bare(rest);
    }
    if (last && !(failed && !otherwise))
        json_stream_text(json, NULL, last);
    json_stream_close(json, ']');
    if (failed)
        json_stream_text(json, "message", otherwise ? otherwise : last ? last : "no message");
}
