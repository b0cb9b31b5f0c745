// SPDX-License-Identifier: MIT
/// A client of `serve`: what it has sent so far, and the frames that it has not taken yet, each a
/// line of JSON and bytes. Nothing here waits: a client that is slow costs itself.
#pragma once

#include "json/json_stream.h"

#include <zoetrope/zoetrope.h>

typedef struct serve_client {
    int input, output;     ///< one socket, or standard input and output
    char *bytes;           ///< [SERVE_LINE_MAX] malloc; NULL: there is no client
    size_t at, size;       ///< of those that are read and not used yet
    bool waits;            ///< reading could wait: `input` is no pipe or socket
    bool ended;            ///< it sends no more, or nothing that could be understood
    zt_result fault;       ///< ZT_ERR_OUTPUT: it takes no more; ZT_ERR_MEMORY: an answer is lost
    uint64_t left;         ///< bytes of the request that it is sending
    int64_t item;          ///< that request; -1: they are dropped
    double read_s, took_s; ///< the times at which it last sent and took something
    struct serve_answer *first, *last;
    int answers; ///< frames from `first` on
    int items;   ///< requests of its that are not answered as a whole
} serve_client;

/// False: no memory. Pipes and sockets do not block from now on.
bool serve_client_begin(serve_client *c, int input, int output);
void serve_client_finish(serve_client *c);

/// Writes what the client takes; `done` gets the requests whose answers have gone, or cannot.
void serve_client_write(serve_client *c, void (*done)(void *user, int64_t item), void *user);
/// Reads what is there. False: nothing came, and nothing will before the next poll.
bool serve_client_read(serve_client *c);
/// Takes a whole line off the front, with its end; NULL: there is none yet. Valid until more is
/// read.
const char *serve_client_line(serve_client *c, size_t *out_size);
/// In another process that is none of the client's: what it has sent and will get is gone.
void serve_client_forget(serve_client *c);

/// A frame as it is written.
typedef struct serve_frame {
    json_stream json;
    char *text;
    size_t size;
} serve_frame;

/// `id`: of the request, as JSON; NULL: of none. False: no memory, and the client is let go, as it
/// could miss an answer.
bool serve_frame_begin(serve_client *c, serve_frame *f, const char *id);
/// Sends the frame, and `size` bytes of a file (-1: none), which is closed; `item` >= 0: the
/// request that it answers. False: no memory (as above), or the client takes no more.
bool serve_frame_send(serve_client *c, serve_frame *f, int file, uint64_t size, int64_t item);
/// Members `messages`, from the lines of a worker, which are cut, and of a failure `message`:
/// `otherwise`, or where that is empty the last line.
void serve_frame_messages(serve_frame *f, char *lines, bool failed, const char *otherwise);
/// The whole answer to a request that is not done.
void serve_refuse(serve_client *c, const char *id, int code, const char *message, bool busy);
