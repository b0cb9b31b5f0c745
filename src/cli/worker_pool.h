// SPDX-License-Identifier: MIT
/// Items of a batch, done side by side in processes: an item that crashes, hangs or is killed costs
/// itself alone, and another process goes on.
#pragma once

#include <zoetrope/zoetrope.h>

#include <poll.h>
#include <stdbool.h>
#include <stdio.h>

enum { WORKERS_MAX = 64, WORKER_FEED_FILES = 513 };

typedef enum worker_end {
    WORKER_DONE,
    WORKER_DIED,      ///< the process ended within the item
    WORKER_TIMED_OUT, ///< after item_timeout_s, or cancelled
    WORKER_STOPPED,   ///< by a signal to the program or by --timeout
    WORKER_NOT_BEGUN  ///< for the same reason
} worker_end;

/// The outcome of an item. Texts are valid during the call.
typedef struct worker_result {
    worker_end end;
    int signal;        ///< of WORKER_DIED: what ended the process; 0: it ended by itself
    int exit_code;     ///< then; ZT_ERR_MEMORY: for a lack of memory
    double seconds;    ///< from its begin on
    const char *bytes; ///< [size] what the work has written
    size_t size;
    const char *messages; ///< [message_size] what it has printed
    size_t message_size;
} worker_result;

typedef struct worker_pool worker_pool;

/// An item of a feed.
typedef struct worker_item {
    int64_t number;
    int files[2];     ///< its worker gets copies
    bool single;      ///< as below
    double timeout_s; ///< as `item_timeout_s`
} worker_item;

/// Items that come while the pool runs. In this process, but for `work`. Its workers have no file
/// of this process but their pipes.
typedef struct worker_feed {
    bool (*next)(void *user, worker_item *out);              ///< false: there is none now
    void (*work)(void *user, const int files[2], FILE *out); ///< in place of the pool's
    /// Looks at the messages so far, and may take some out of them; returns their new size.
    size_t (*heard)(void *user, int64_t item, char *messages, size_t size);
    /// Waits for the workers' files, and for up to WORKER_FEED_FILES of its own, which it appends,
    /// for at most `wait_ms`. False: the pool ends.
    bool (*wait)(void *user, worker_pool *pool, struct pollfd *files, nfds_t count, int wait_ms);
} worker_feed;

typedef struct worker_pool_def {
    int32_t workers;           ///< 1 to WORKERS_MAX
    int64_t count;             ///< of items
    const worker_feed *feed;   ///< NULL: items are 0 to count - 1; else `count` is 0
    double item_timeout_s;     ///< 0: none
    bool unordered;            ///< outcomes come as they are there, not in the order of the items
    bool single;               ///< each item has a process of its own, killed with its outcome
    void (*begin)(void *user); ///< in a worker, before its items
    void (*work)(void *user, int64_t index, FILE *out);                   ///< in a worker
    void (*done)(void *user, int64_t index, const worker_result *result); ///< in this process
    void *user; ///< a worker has a copy of all memory
} worker_pool_def;

/// Every item is done once, whatever happens. ZT_ERR_MEMORY: no process could be made, or no memory
/// for the outcomes; nothing was done then.
zt_result worker_pool_run(const worker_pool_def *def, zt_error *err);
/// Ends a worker that works on the item: of a feed.
void worker_pool_cancel(worker_pool *p, int64_t item);
