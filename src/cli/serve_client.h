// SPDX-License-Identifier: MIT
/// A client of `serve`: what it has sent so far, and the answers that it has not taken yet. Nothing
/// here waits: a client that is slow costs itself.
#pragma once

#include <zoetrope/zoetrope.h>

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A frame on its way to a client.
typedef struct serve_answer serve_answer;

typedef struct serve_client {
    int input, output;     ///< one socket, or standard input and output; -1: there is no client
    char *bytes;           ///< [SERVE_LINE_MAX] malloc
    size_t at, size;       ///< of those that are read and not used yet
    bool waits;            ///< reading could wait: `input` is no pipe or socket
    bool ended;            ///< it sends no more, or nothing that could be understood
    zt_result fault;       ///< ZT_ERR_OUTPUT: it takes no more; ZT_ERR_MEMORY: an answer is lost
    uint64_t left;         ///< bytes of the request that it is sending
    int64_t item;          ///< that request; -1: they are dropped
    double read_s, took_s; ///< the times at which it last sent and took something
    serve_answer *first, *last;
    int answers; ///< frames from `first` on
    int items;   ///< requests of its that are not answered as a whole
} serve_client;

/// False: no memory. Pipes and sockets do not block from now on.
bool serve_client_begin(serve_client *c, int input, int output);
void serve_client_finish(serve_client *c);

/// Appends a frame: a copy of `line`, and `size` bytes of `file` (-1: none), which is closed with
/// it. `item` >= 0: the request that it answers. False: no memory, or the client takes no more.
bool serve_client_answer(serve_client *c, const char *line, int file, uint64_t size, int64_t item);
/// Writes what the client takes; `done` gets the requests whose answers have gone, or cannot.
void serve_client_write(serve_client *c, void (*done)(void *user, int64_t item), void *user);
/// Reads what is there. False: nothing came, and nothing will before the next poll.
bool serve_client_read(serve_client *c);
/// A whole line at the front, without its end; NULL: there is none yet.
const char *serve_client_line(const serve_client *c, size_t *out_size);
/// In another process that is none of the client's: what it has sent and will get is gone.
void serve_client_forget(serve_client *c);
/// Takes bytes off the front.
void serve_client_skip(serve_client *c, size_t size);
