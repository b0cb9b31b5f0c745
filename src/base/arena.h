// SPDX-License-Identifier: MIT
/// Arenas over a byte budget. A loader allocates everything it keeps from one arena and everything
/// temporary from another; a frame resets its arenas instead of freeing. Nothing else calls malloc.
#ifndef ZT_BASE_ARENA_H
#define ZT_BASE_ARENA_H

#include "base/error.h"

#include <stdatomic.h>

/// A limit on the bytes asked for, shared by any number of arenas and threads. It counts what is
/// asked for, not what the system hands out, so that whether a job fits never depends on threads.
typedef struct budget {
    uint64_t limit;
    _Atomic uint64_t used;
    const zt_allocator *allocator; ///< NULL: malloc
    struct budget *parent;         ///< what is taken here is taken there as well; NULL for none
    uint64_t peak;                 ///< the most that was used at a time; only with a parent
} budget;

/// `limit` 0 stands for 75 % of the machine's memory.
void budget_init(budget *b, uint64_t limit, const zt_allocator *allocator);
/// A part of `parent` for one job, which one thread at a time uses: it tells what the job took.
void budget_init_part(budget *b, budget *parent);
/// Bytes that may still be asked for.
uint64_t budget_left(const budget *b);

typedef struct arena_block arena_block;
typedef struct arena_guest arena_guest;

/// All allocations are 64-byte aligned. One thread at a time. Zeroed memory plus a budget is valid.
typedef struct arena {
    budget *budget;
    arena_block *blocks; ///< newest first
    arena_guest *guests; ///< newest first
    uint64_t used;       ///< bytes asked for since the last reset
    size_t next_block;   ///< bytes of the next block
    zt_result failed;    ///< why the last allocation returned NULL
} arena;

void arena_init(arena *a, budget *b);
/// Frees everything. A zeroed arena is fine.
void arena_finish(arena *a);
/// Forgets everything but keeps memory for as much again: from the second use on nothing is asked
/// of the system when the need does not grow.
void arena_reset(arena *a);
/// Of an empty arena: bytes that it can hand out without asking the system, in one piece.
size_t arena_room(const arena *a);
/// Gives an empty arena room for `room` bytes. It is a preparation and charges nothing; when the
/// system has none left, the allocation that needs it will say so.
void arena_reserve(arena *a, size_t room);
/// Moves everything in `from` to `a`, whose budget is the parent of the budget of `from`. `from` is
/// empty afterwards.
void arena_absorb(arena *a, arena *from);
/// `count` x `size` zeroed bytes, or NULL: overflow, budget (ZT_ERR_LIMIT) or no memory. A count of
/// 0 gives a valid pointer to nothing.
void *arena_alloc(arena *a, size_t count, size_t size);
/// The same without zeroing.
void *arena_alloc_raw(arena *a, size_t count, size_t size);
/// Calls release(guest) when the arena is finished or reset, and charges `charge` bytes until then:
/// for memory that comes from elsewhere and shall live as long as the arena's. False like a failed
/// allocation; `release` is not called then.
bool arena_adopt(arena *a, uint64_t charge, void (*release)(void *guest), void *guest);
/// Writes the message for the allocation that just returned NULL and returns its code.
zt_result arena_fail(const arena *a, zt_error *err, const char *what);
/// A copy of `length` bytes with a terminating 0, or NULL.
char *arena_text(arena *a, const char *text, size_t length);

#define ARENA_ARRAY(arena_, type, count) ((type *)arena_alloc((arena_), (count), sizeof(type)))
#define ARENA_ARRAY_RAW(arena_, type, count)                                                       \
    ((type *)arena_alloc_raw((arena_), (count), sizeof(type)))

/// Rounds up to a multiple of 16: arrays for kernels are padded so that no kernel has a tail.
static inline size_t pad16(size_t n)
{
    return (n + 15u) & ~(size_t)15u;
}

#endif
