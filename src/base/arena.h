// SPDX-License-Identifier: MIT
/// Arenas over a byte budget. A loader allocates everything it keeps from one arena and everything
/// temporary from another; a frame resets its arenas instead of freeing. Nothing else calls malloc.
#pragma once

#include "base/budget.h"

typedef struct arena_block arena_block;

/// All allocations are 64-byte aligned. One thread at a time. Zeroed memory plus a budget is valid.
typedef struct arena {
    budget *budget;
    arena_block *blocks; ///< newest first
    uint64_t used;       ///< bytes charged since the last reset
    size_t next_block;   ///< bytes of the next block
    zt_result failed;    ///< why the last allocation returned NULL
} arena;

void arena_init(arena *a, budget *b);
/// Frees everything. A zeroed arena is fine.
void arena_finish(arena *a);
/// Frees everything but keeps memory for as much again: from the second use on, the system is asked
/// for nothing unless more is needed. It keeps nothing once the arenas of the budget keep a tenth
/// of its limit: kept memory is not charged.
void arena_reset(arena *a);
/// In an empty arena: the bytes that it can allocate in one piece without asking the system.
size_t arena_capacity(const arena *a);
/// Gives an empty arena that capacity, uncharged; without memory only its allocations fail.
void arena_reserve(arena *a, size_t capacity);
/// Moves everything in `from`, whose budget is a part of that of `a`, to `a`, and empties `from`.
void arena_absorb(arena *a, arena *from);
/// `count` x `size` zeroed bytes. NULL: overflow, over budget (ZT_ERR_LIMIT), no memory, or the
/// work is cancelled (ZT_ERR_CANCELLED): so whatever allocates also stops. A count of 0 gives a
/// valid pointer.
void *arena_alloc(arena *a, size_t count, size_t size);
/// The same without zeroing.
void *arena_alloc_raw(arena *a, size_t count, size_t size);
/// Charges `bytes` until the arena is finished or reset, without memory: for what a library will
/// allocate on our behalf. False: as a failed allocation.
bool arena_charge(arena *a, uint64_t bytes);
/// True once the caller wants the work of `a` to end (budget_cancelled); the arena has then failed
/// with ZT_ERR_CANCELLED, as an allocation would. For loops that do not allocate.
bool arena_cancelled(arena *a);
/// The same for loops over arrays: asks at every 2^16th `index` only.
static inline bool arena_cancelled_at(arena *a, size_t index)
{
    return index % (1u << 16) == 0 && arena_cancelled(a);
}
/// The failure of arena_fail() where the work is cancelled, else ZT_OK: for ZT_TRY.
zt_result arena_go_on(arena *a, const char *what, zt_error *err);
/// The same for loops over arrays: asks at every 2^16th `index` only.
static inline zt_result arena_go_on_at(arena *a, size_t index, const char *what, zt_error *err)
{
    return index % (1u << 16) == 0 ? arena_go_on(a, what, err) : ZT_OK;
}
/// Counts `steps` of work on what was read (work_count), and asks at every 2^16th step whether to
/// go on. ZT_ERR_LIMIT: the files are too small for so much; `what` it was for. ZT_ERR_CANCELLED.
zt_result arena_work(arena *a, uint64_t steps, const char *what, zt_error *err);
/// Counts steps that nothing can refuse: the next arena_work() does.
static inline void arena_count(const arena *a, uint64_t steps)
{
    atomic_fetch_add_explicit(&a->budget->work->steps, steps, memory_order_relaxed);
}
/// Writes the message for the allocation that just returned NULL and returns its code.
zt_result arena_fail(const arena *a, zt_error *err, const char *what);
/// A copy of `length` bytes with a terminating 0, or NULL.
char *arena_text(arena *a, const char *text, size_t length);
/// Makes room for one more element of `size` bytes in the array whose pointer is at `array`: it has
/// `count` of `*capacity`, and moves to twice the room, or 16, once full. False: no memory; the
/// array then stays as it is.
bool arena_grow(arena *a, void *array, uint32_t count, uint32_t *capacity, size_t size);

/// `count` zeroed elements into *out, or the failure of arena_fail(): for ZT_TRY.
#define ARENA_TAKE(arena_, out, count, what, err)                                                  \
    ((*(out) = arena_alloc((arena_), (count), sizeof **(out)))                                     \
         ? ZT_OK                                                                                   \
         : arena_fail((arena_), (err), (what)))
/// The same without zeroing.
#define ARENA_TAKE_RAW(arena_, out, count, what, err)                                              \
    ((*(out) = arena_alloc_raw((arena_), (count), sizeof **(out)))                                 \
         ? ZT_OK                                                                                   \
         : arena_fail((arena_), (err), (what)))
/// A copy of a text in *out, or the failure of arena_fail(): for ZT_TRY.
#define ARENA_TEXT(arena_, out, text, what, err)                                                   \
    ((*(out) = arena_text((arena_), (text), strlen(text))) ? ZT_OK                                 \
                                                           : arena_fail((arena_), (err), (what)))
/// Makes room for one more in an array (arena_grow), or the failure of arena_fail(): for ZT_TRY.
#define ARENA_GROW(arena_, array, count, capacity, what, err)                                      \
    (arena_grow((arena_), &(array), (count), &(capacity), sizeof *(array))                         \
         ? ZT_OK                                                                                   \
         : arena_fail((arena_), (err), (what)))
#define ARENA_ARRAY(arena_, type, count) ((type *)arena_alloc((arena_), (count), sizeof(type)))
#define ARENA_ARRAY_RAW(arena_, type, count)                                                       \
    ((type *)arena_alloc_raw((arena_), (count), sizeof(type)))

/// Rounds up to a multiple of 16: arrays of kernels are padded so that loops have no tail.
static inline size_t pad16(size_t n) { return (n + 15u) & ~(size_t)15u; }
