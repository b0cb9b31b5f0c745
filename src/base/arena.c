// SPDX-License-Identifier: MIT
/// Arenas as chains of blocks, 64-byte aligned, each block at least twice the one before.
///
/// The budget is charged only with requested bytes. Alignment and unused ends of blocks depend on
/// how work is spread over threads; whether a job fits must not.
#define _DEFAULT_SOURCE // madvise
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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
    ALIGNMENT = 64,          // a cache line and the widest vector register
    FIRST_BLOCK = 64 * 1024, // bytes; small enough for a thumbnail's scratch
    GROWTH_LIMIT = 64 << 20, // bytes; blocks stop doubling here, so at most this much is idle
    HUGE_PAGE = 2 << 20,     // bytes; of x86-64 and AArch64 with small pages of 4 KiB
#if defined(ARENA_ASAN)
    RED_ZONE = ALIGNMENT, // poisoned bytes after each allocation
#else
    RED_ZONE = 0,
#endif
};

struct arena_block {
    _Alignas(ALIGNMENT) arena_block *next;
    size_t size; ///< of the whole block, this header included
    size_t used; ///< the next free byte, counted from the start of the block
};

_Static_assert(sizeof(arena_block) == ALIGNMENT, "data follows the header and stays aligned");

struct arena_guest {
    arena_guest *next;
    void (*release)(void *guest);
    void *guest;
};

/// 75 % of the machine's memory; 2 GiB when the system does not say.
static uint64_t default_limit(void)
{
#if defined(_SC_PHYS_PAGES)
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_size > 0)
        return (uint64_t)pages * (uint64_t)page_size / 4 * 3;
#endif
    return (uint64_t)2 << 30;
}

void budget_init(budget *b, uint64_t limit, const zt_allocator *allocator)
{
    b->limit = limit ? limit : default_limit();
    atomic_init(&b->used, 0);
    b->allocator = allocator;
    b->parent = NULL;
    b->peak = 0;
}

void budget_init_part(budget *b, budget *parent)
{
    budget_init(b, parent->limit, parent->allocator);
    b->parent = parent;
}

uint64_t budget_left(const budget *b)
{
    uint64_t left = UINT64_MAX;
    for (; b; b = b->parent) {
        const uint64_t used = atomic_load_explicit(&b->used, memory_order_relaxed);
        const uint64_t own = used < b->limit ? b->limit - used : 0;
        left = own < left ? own : left;
    }
    return left;
}

static bool budget_take(budget *b, uint64_t size)
{
    if (b->parent && !budget_take(b->parent, size))
        return false;
    uint64_t used = atomic_load_explicit(&b->used, memory_order_relaxed);
    do {
        if (!b->parent && (used > b->limit || size > b->limit - used))
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&b->used, &used, used + size,
                                                    memory_order_relaxed, memory_order_relaxed));
    if (b->parent && used + size > b->peak)
        b->peak = used + size;
    return true;
}

static void budget_give(budget *b, uint64_t size)
{
    for (; b; b = b->parent)
        atomic_fetch_sub_explicit(&b->used, size, memory_order_relaxed);
}

/// Large blocks use huge pages: a page fault takes about a microsecond, so touching the pictures of
/// a model in pages of 4 KiB takes longer than decoding them. The end of the block, less than a
/// huge page, stays in small pages, so that nothing is taken beyond the block.
static void *system_alloc(size_t size)
{
    if (size < HUGE_PAGE)
        return aligned_alloc(ALIGNMENT, size);
    void *memory = NULL;
    if (posix_memalign(&memory, HUGE_PAGE, size) != 0) // aligned_alloc needs a multiple
        return NULL;
#if defined(MADV_HUGEPAGE)
    (void)madvise(memory, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE); // a hint
#endif
    return memory;
}

/// `size` is a multiple of ALIGNMENT and holds the header.
static arena_block *block_create(const zt_allocator *allocator, size_t size)
{
    arena_block *block =
        allocator ? allocator->alloc(allocator->user, size, ALIGNMENT) : system_alloc(size);
    if (!block)
        return NULL;
    *block = (arena_block){.next = NULL, .size = size, .used = sizeof *block};
    POISON(block + 1, size - sizeof *block);
    return block;
}

static void block_destroy(const zt_allocator *allocator, arena_block *block)
{
    const size_t size = block->size;
    UNPOISON(block, size);
    if (allocator)
        allocator->free(allocator->user, block, size);
    else
        free(block);
}

static void release_guests(arena *a)
{
    for (const arena_guest *g = a->guests; g; g = g->next)
        g->release(g->guest);
    a->guests = NULL;
}

static void free_blocks(arena *a)
{
    while (a->blocks) {
        arena_block *block = a->blocks;
        a->blocks = block->next;
        block_destroy(a->budget->allocator, block);
    }
}

void arena_init(arena *a, budget *b)
{
    *a = (arena){.budget = b, .next_block = FIRST_BLOCK};
}

void arena_finish(arena *a)
{
    if (!a->budget)
        return;
    release_guests(a);
    free_blocks(a);
    budget_give(a->budget, a->used);
    *a = (arena){.budget = a->budget, .next_block = FIRST_BLOCK};
}

void arena_reset(arena *a)
{
    if (!a->budget)
        return;
    release_guests(a);
    if (a->blocks && a->blocks->next) {
        // One block for all bytes in use, so that the same allocations fit again in any order.
        size_t size = sizeof(arena_block);
        for (const arena_block *block = a->blocks; block; block = block->next)
            size += block->used - sizeof *block;
        free_blocks(a);
        a->blocks = block_create(a->budget->allocator, size); // NULL: the next use tries again
    } else if (a->blocks) {
        a->blocks->used = sizeof(arena_block);
        POISON(a->blocks + 1, a->blocks->size - sizeof(arena_block));
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
    a->blocks = block_create(a->budget->allocator, sizeof(arena_block) + lines * ALIGNMENT);
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
    arena_guest **end = &a->guests;
    while (*end)
        end = &(*end)->next;
    *end = from->guests;
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
    arena_block *block =
        block_create(a->budget->allocator, own_block ? need + sizeof(arena_block) : next);
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
        a->next_block = next < GROWTH_LIMIT ? next * 2 : next;
    return block;
}

void *arena_alloc_raw(arena *a, size_t count, size_t size)
{
    // Half the address space: rounding up and adding a header cannot overflow below it.
    if (size > 0 && count > SIZE_MAX / 2 / size) {
        a->failed = ZT_ERR_LIMIT;
        return NULL;
    }
    const size_t asked = count * size;
    if (!budget_take(a->budget, asked)) {
        a->failed = ZT_ERR_LIMIT;
        return NULL;
    }
    // Even 0 bytes take a line, so that every allocation has its own address.
    const size_t lines = asked == 0 ? 1 : (asked + ALIGNMENT - 1) / ALIGNMENT;
    const size_t need = lines * ALIGNMENT + RED_ZONE;
    arena_block *block = block_with_space(a, need);
    if (!block) {
        budget_give(a->budget, asked);
        a->failed = ZT_ERR_MEMORY;
        return NULL;
    }
    char *memory = (char *)block + block->used;
    block->used += need;
    a->used += asked;
    UNPOISON(memory, asked);
    return memory;
}

void *arena_alloc(arena *a, size_t count, size_t size)
{
    void *memory = arena_alloc_raw(a, count, size);
    if (memory)
        memset(memory, 0, count * size);
    return memory;
}

bool arena_adopt(arena *a, uint64_t charge, void (*release)(void *guest), void *guest)
{
    arena_guest *entry = ARENA_ARRAY_RAW(a, arena_guest, 1);
    if (!entry)
        return false;
    if (!budget_take(a->budget, charge)) {
        a->failed = ZT_ERR_LIMIT;
        return false;
    }
    a->used += charge;
    *entry = (arena_guest){a->guests, release, guest};
    a->guests = entry;
    return true;
}

zt_result arena_fail(const arena *a, zt_error *err, const char *what)
{
    if (a->failed == ZT_ERR_LIMIT)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: does not fit into the memory limit of %llu bytes",
                       what, (unsigned long long)a->budget->limit);
    if (a->failed == ZT_ERR_MEMORY)
        return zt_fail(err, ZT_ERR_MEMORY, "%s: the system has no memory left", what);
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
