// SPDX-License-Identifier: MIT
/// Limits on memory: what is allocated is charged to a budget first, by a rule that depends on what
/// is asked for and on nothing else, so that whether a job fits does not depend on chance.
#pragma once

#include "base/blocks.h"
#include "base/cancel.h"
#include "base/trace.h"

#include <pthread.h>

/// A file by its numbers on this machine.
typedef struct file_input {
    uint64_t device, number;
} file_input;

/// The name of a file below the folder of the first one, and its content: FNV-1a 64.
typedef struct file_record {
    uint64_t size, hash;
    char name[256];
} file_record;

/// A file as it was when it was read.
typedef struct file_stamp {
    char *path; ///< malloc
    file_input file;
    int64_t size, modified_ns, changed_ns;
} file_stamp;

/// See file_inputs.h.
typedef struct file_input_list {
    pthread_mutex_t lock;
    bool watches;
    bool lost;           ///< a file is missing in `watched`
    int64_t watch_ns;    ///< the time at which watching began
    file_stamp *watched; ///< [watched_count]; malloc
    size_t watched_count;
    bool (*open)(void *user, const char *name, const void **out_bytes, size_t *out_size);
    void *open_user;
    file_input *file; ///< [capacity] slots of a table; malloc
    size_t count, capacity;
    file_record *record; ///< [record_count], sorted behind the first; malloc; NULL: not asked for
    uint32_t record_count;
    char root[4096]; ///< the folder of the first record, with its slash
} file_input_list;

/// The work of reading, counted in steps of about a nanosecond: a comparison of a search, a pixel
/// decoded, a test of a cut. Files may cost WORK_PER_BYTE steps for each of their bytes, and at
/// least as if they had WORK_BYTES_MIN: what they ask for grows no faster than they do.
enum { WORK_PER_BYTE = 512, WORK_BYTES_MIN = 4 << 20 };
typedef struct work_count {
    _Atomic uint64_t bytes; ///< of the files read
    _Atomic uint64_t steps; ///< arena_work()
    _Atomic uint64_t cut;   ///< those of cutting polygons of the model that is read (polygon.h)
    _Atomic uint64_t own;   ///< bytes of its file
    _Atomic uint64_t blind; ///< polygons whose rest was cut without tests
} work_count;

/// A limit on allocated bytes, shared by any number of arenas and threads.
typedef struct budget {
    uint64_t limit;
    _Atomic uint64_t used;
    _Atomic uint64_t kept;         ///< unused bytes that are kept; not charged; of the first parent
    _Atomic uint64_t peak;         ///< largest `used` so far; exact while one thread uses it
    const zt_limits *limits;       ///< of what inputs may ask for; never NULL
    const zt_allocator *allocator; ///< NULL: malloc
    struct budget *parent;         ///< is charged as well; NULL: none
    cancel_state cancel;           ///< ends the work that the memory is for
    file_input_list *inputs;       ///< of a handle; NULL: nobody asks for them
    block_store *blocks;           ///< of a handle; NULL: unused blocks go back to the system
    trace_log *trace;              ///< of the work that the memory is for; NULL: nobody records
    work_count own_work;           ///< where `work` leads unless this is a part
    work_count *work;              ///< of the model or scene that is read; never NULL
} budget;

/// The handle of the public API.
struct zt_budget {
    budget bytes;
    file_input_list inputs;
    block_store blocks;
    zt_limits limits;
    const zt_allocator *allocator;
};

/// The most that a thread takes besides what is charged: its used stack and the allocator's share.
enum { BUDGET_THREAD_BYTES = 256 << 10 };

/// `limit` 0: 75 % of the memory that the process may use (machine.h).
void budget_init(budget *b, uint64_t limit, const zt_allocator *allocator);
/// A part of `parent` that measures one job. Its work is counted there.
void budget_init_part(budget *b, budget *parent);
/// The budget of a handle: a part of `whole` (NULL: none), limited by `limit` if not 0.
void budget_init_within(budget *b, zt_budget *whole, uint64_t limit, const zt_allocator *allocator);
/// Bytes that can still be allocated.
uint64_t budget_left(const budget *b);
/// True once the caller wants the work to end: asks for this budget and all that it is part of;
/// NULL: nobody. Loops that neither allocate nor call what does ask between pieces of work.
bool budget_cancelled(budget *b);
/// Charges b and its parents; false and nothing when one of them is exhausted.
bool budget_take(budget *b, uint64_t size);
void budget_give(budget *b, uint64_t size);
/// Counts a block that an empty arena keeps; false when arenas keep enough already.
bool budget_keep(budget *b, uint64_t size);
void budget_unkeep(budget *b, uint64_t size);
/// The limit of the outermost budget.
uint64_t budget_whole_limit(const budget *b);

/// Counts the bytes of a file that was read.
void budget_read(budget *b, uint64_t bytes);

/// The charge of an allocation of `size` bytes: lines of 64 bytes, and pages from 32 KiB on.
uint64_t budget_charge_of(size_t size);
