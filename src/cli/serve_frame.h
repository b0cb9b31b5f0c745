// SPDX-License-Identifier: MIT
/// Frames to a client of `serve`: a line of JSON, and bytes.
#pragma once

#include "cli/serve_client.h"
#include "json/json_stream.h"

/// A frame as it is written.
typedef struct serve_frame {
    json_stream json;
    char *text;
    size_t size;
} serve_frame;

/// `id`: of the request, as JSON; NULL: of none. False: no memory.
bool serve_frame_begin(serve_frame *f, const char *id);
/// Sends the frame, and bytes of a file, which is closed; `item` >= 0: the request that it answers.
/// A client that could miss an answer for a lack of memory is let go, and false returned.
bool serve_frame_send(serve_client *c, serve_frame *f, int file, uint64_t size, int64_t item);
/// Members `messages`, from the lines of a worker, which are cut, and of a failure `message`:
/// `otherwise`, or for NULL the last line.
void serve_frame_messages(serve_frame *f, char *lines, bool failed, const char *otherwise);
/// The whole answer to a request that is not done.
void serve_refuse(serve_client *c, const char *id, int code, const char *message, bool busy);
