// SPDX-License-Identifier: MIT
/// Arenas as chains of blocks, 64-byte aligned, each block at least twice the one before.
///
/// The budget is charged by the size of each allocation alone. Unused ends of blocks are never
/// touched, and depend on how work is spread over threads; whether a job fits must not.
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#endif

#if defined(ARENA_ASAN)
#include <sanitizer/asan_interface.h>
#define POISON(pointer, size)   ASAN_POISON_MEMORY_REGION((pointer), (size))
#define UNPOISON(pointer, size) ASAN_UNPOISON_MEMORY_REGION((pointer), (size))
#else
#define POISON(pointer, size)   ((void)0)
#define UNPOISON(pointer, size) ((void)0)
#endif

enum {
    ALIGNMENT = 64,           // a cache line and the widest vector register
    FIRST_BLOCK = 64 * 1024,  // bytes; small enough for a thumbnail's scratch
    GROWTH_LIMIT = 64 << 20,  // bytes; blocks stop doubling here, so at most this much is idle
    CLEARED_PIECE = 16 << 20, // bytes; a few milliseconds
#if defined(ARENA_ASAN)
    RED_ZONE = ALIGNMENT, // poisoned bytes after each allocation
#else
    RED_ZONE = 0,
#endif
};

/// Bytes of a budget from which on huge pages are used: what they round up is little of it.
static const uint64_t HUGE_PAGES_FROM = (uint64_t)2 << 30;

struct arena_block {
    _Alignas(ALIGNMENT) arena_block *next;
    size_t size; ///< of the whole block, this header included
    size_t used; ///< the next free byte, counted from the start of the block
    bool kept;   ///< counted by budget_keep()
};

_Static_assert(sizeof(arena_block) == ALIGNMENT, "data follows the header and stays aligned");

/// A block that another arena has used, or a new one. Blocks of a large budget use huge pages: with
/// 4 KiB a fault, touching a model's pictures takes longer than decoding them.
static arena_block *block_mapped(budget *b, size_t *size)
{
    *size = block_whole(*size);
    arena_block *block = b->blocks ? block_store_take(b->blocks, *size, size) : NULL;
    if (b->blocks)
        budget_unkeep(b, block ? *size : block_store_drop(b->blocks, *size));
    return block ? block : block_map(*size, budget_whole_limit(b) >= HUGE_PAGES_FROM);
}

/// `size` is a multiple of ALIGNMENT and holds the header.
static arena_block *block_create(budget *b, size_t size)
{
    arena_block *block;
    if (b->allocator)
        block = b->allocator->alloc(b->allocator->user, size, ALIGNMENT);
    else if (block_is_mapped(size))
        block = block_mapped(b, &size);
    else
        block = aligned_alloc(ALIGNMENT, size);
    if (!block)
        return NULL;
    *block = (arena_block){.next = NULL, .size = size, .used = sizeof *block};
    POISON(block + 1, size - sizeof *block);
    return block;
}

/// Gives a mapped block to the next arena, or back to the system.
static void block_release(budget *b, arena_block *block)
{
    const size_t size = block->size;
    const bool kept = block->kept;
    if (b->blocks && (kept || budget_keep(b, size))) {
        if (block_store_put(b->blocks, block, size))
            return;
        budget_unkeep(b, size);
    } else if (kept) {
        budget_unkeep(b, size);
    }
    block_unmap(block, size);
}

static void block_destroy(budget *b, arena_block *block)
{
    const size_t size = block->size;
    UNPOISON(block, size);
    if (!b->allocator && block_is_mapped(size)) {
        block_release(b, block);
        return;
    }
    if (block->kept)
        budget_unkeep(b, size);
    if (b->allocator)
        b->allocator->free(b->allocator->user, block, size);
    else
        free(block);
}

static void free_blocks(arena *a)
{
    while (a->blocks) {
        arena_block *block = a->blocks;
        a->blocks = block->next;
        block_destroy(a->budget, block);
    }
}

void arena_init(arena *a, budget *b) { *a = (arena){.budget = b, .next_block = FIRST_BLOCK}; }

void arena_finish(arena *a)
{
    if (!a->budget)
        return;
    free_blocks(a);
    budget_give(a->budget, a->used);
    *a = (arena){.budget = a->budget, .next_block = FIRST_BLOCK};
}

/// A block that an empty arena may keep, or NULL.
static arena_block *create_kept(budget *b, size_t size)
{
    if (!budget_keep(b, size))
        return NULL;
    arena_block *block = block_create(b, size);
    if (block)
        block->kept = true;
    else
        budget_unkeep(b, size);
    return block;
}

void arena_reset(arena *a)
{
    if (!a->budget)
        return;
    arena_block *only = a->blocks && !a->blocks->next ? a->blocks : NULL;
    if (only && (only->kept || budget_keep(a->budget, only->size))) {
        only->kept = true;
        only->used = sizeof(arena_block);
        POISON(only + 1, only->size - sizeof(arena_block));
    } else if (a->blocks) {
        // One block for all bytes in use, so that the same allocations fit again in any order.
        size_t size = sizeof(arena_block);
        for (const arena_block *block = a->blocks; block; block = block->next)
            size += block->used - sizeof *block;
        free_blocks(a);
        a->blocks = only ? NULL : create_kept(a->budget, size);
    }
    budget_give(a->budget, a->used);
    a->used = 0;
    a->failed = ZT_OK;
}

size_t arena_capacity(const arena *a)
{
    return a->blocks ? a->blocks->size - sizeof(arena_block) : 0;
}

void arena_reserve(arena *a, size_t capacity)
{
    if (!a->budget || a->used > 0 || arena_capacity(a) >= capacity)
        return;
    const size_t lines = (capacity + ALIGNMENT - 1) / ALIGNMENT;
    free_blocks(a);
    a->blocks = create_kept(a->budget, sizeof(arena_block) + lines * ALIGNMENT);
}

void arena_absorb(arena *a, arena *from)
{
    ZT_ASSERT(from->budget->parent == a->budget);
    arena_block *last = from->blocks;
    while (last && last->next)
        last = last->next;
    if (last && a->blocks) { // behind the newest one, which still has free bytes
        last->next = a->blocks->next;
        a->blocks->next = from->blocks;
    } else if (last) {
        a->blocks = from->blocks;
    }
    a->used += from->used;
    atomic_fetch_sub_explicit(&from->budget->used, from->used, memory_order_relaxed);
    *from = (arena){.budget = from->budget, .next_block = FIRST_BLOCK};
}

/// A block with `need` free bytes: the newest one when it has them.
static arena_block *block_with_space(arena *a, size_t need)
{
    arena_block *newest = a->blocks;
    if (newest && need <= newest->size - newest->used)
        return newest;
    const size_t next = a->next_block < FIRST_BLOCK ? FIRST_BLOCK : a->next_block;
    const bool own_block = need > next - sizeof(arena_block);
    arena_block *block = block_create(a->budget, own_block ? need + sizeof(arena_block) : next);
    if (!block)
        return NULL;
    if (own_block && newest) {
        block->next = newest->next; // behind the newest one, which still has free bytes
        newest->next = block;
        return block;
    }
    block->next = newest;
    a->blocks = block;
    if (!own_block)
        a->next_block = next < GROWTH_LIMIT ? (next + next / 2) / ALIGNMENT * ALIGNMENT : next;
    return block;
}

bool arena_cancelled(arena *a)
{
    if (!budget_cancelled(a->budget))
        return false;
    a->failed = ZT_ERR_CANCELLED;
    return true;
}

void *arena_alloc_raw(arena *a, size_t count, size_t size)
{
    // Half the address space: rounding up and adding a header cannot overflow below it.
    if (size > 0 && count > SIZE_MAX / 2 / size) {
        a->failed = ZT_ERR_LIMIT;
        return NULL;
    }
    const size_t asked = count * size;
    if (arena_cancelled(a))
        return NULL;
    const uint64_t charge = budget_charge_of(asked);
    if (!budget_take(a->budget, charge)) {
        a->failed = ZT_ERR_LIMIT;
        return NULL;
    }
    // Even 0 bytes take a line, so that every allocation has its own address.
    const size_t lines = asked == 0 ? 1 : (asked + ALIGNMENT - 1) / ALIGNMENT;
    const size_t need = lines * ALIGNMENT + RED_ZONE;
    arena_block *block = block_with_space(a, need);
    if (!block) {
        budget_give(a->budget, charge);
        a->failed = ZT_ERR_MEMORY;
        return NULL;
    }
    char *memory = (char *)block + block->used;
    block->used += need;
    a->used += charge;
    UNPOISON(memory, asked);
    return memory;
}

void *arena_alloc(arena *a, size_t count, size_t size)
{
    char *memory = arena_alloc_raw(a, count, size);
    const size_t asked = count * size;
    for (size_t at = 0; memory && at < asked; at += CLEARED_PIECE) {
        if (at > 0 && arena_cancelled(a))
            return NULL;
        memset(memory + at, 0, asked - at < CLEARED_PIECE ? asked - at : CLEARED_PIECE);
    }
    return memory;
}

bool arena_charge(arena *a, uint64_t bytes)
{
    if (!budget_take(a->budget, bytes)) {
        a->failed = ZT_ERR_LIMIT;
        return false;
    }
    a->used += bytes;
    return true;
}

zt_result arena_fail(const arena *a, zt_error *err, const char *what)
{
    if (a->failed == ZT_ERR_LIMIT)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: does not fit into the memory limit of %llu bytes",
                       what, (unsigned long long)budget_whole_limit(a->budget));
    if (a->failed == ZT_ERR_MEMORY)
        return zt_fail(err, ZT_ERR_MEMORY, "%s: the system has no memory left", what);
    if (a->failed == ZT_ERR_CANCELLED)
        return cancel_fail(err);
    return zt_fail(err, ZT_ERR_INTERNAL, "%s: no allocation has failed", what);
}

char *arena_text(arena *a, const char *text, size_t length)
{
    if (length == SIZE_MAX) {
        a->failed = ZT_ERR_LIMIT;
        return NULL;
    }
    char *copy = arena_alloc_raw(a, length + 1, 1);
    if (!copy)
        return NULL;
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

zt_result arena_go_on(arena *a, const char *what, zt_error *err)
{
    return arena_cancelled(a) ? arena_fail(a, err, what) : ZT_OK;
}

zt_result arena_work(arena *a, uint64_t steps, const char *what, zt_error *err)
{
    work_count *work = a->budget->work;
    const uint64_t bytes = atomic_load_explicit(&work->bytes, memory_order_relaxed);
    const uint64_t charged = bytes > WORK_BYTES_MIN ? bytes : WORK_BYTES_MIN;
    const uint64_t most = WORK_PER_BYTE * charged;
    const uint64_t before = atomic_fetch_add_explicit(&work->steps, steps, memory_order_relaxed);
    if (before > most || steps > most - before) {
        atomic_fetch_sub_explicit(&work->steps, steps, memory_order_relaxed);
        return zt_fail(err, ZT_ERR_LIMIT,
                       "%s: more work than the %llu bytes that were read may cost (expected at "
                       "most %d steps a byte)",
                       what, (unsigned long long)bytes, WORK_PER_BYTE);
    }
    return (before ^ (before + steps)) >> 16 ? arena_go_on(a, what, err) : ZT_OK;
}

bool arena_grow(arena *a, void *array, uint32_t count, uint32_t *capacity, size_t size)
{
    const uint32_t larger = *capacity ? 2 * *capacity : 16;
    void *old;
    if (count < *capacity)
        return true;
    void *grown = arena_alloc_raw(a, larger > *capacity ? larger : SIZE_MAX, size);
    if (!grown)
        return false;
    memcpy(&old, array, sizeof old);
    if (count)
        memcpy(grown, old, count * size);
    memcpy(array, &grown, sizeof grown);
    *capacity = larger;
    return true;
}
