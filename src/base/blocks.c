// SPDX-License-Identifier: MIT
/// See blocks.h. Reference: Linux, Documentation/admin-guide/mm/transhuge.rst.
#define _DEFAULT_SOURCE // madvise
#include "base/blocks.h"

#include <stdint.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BLOCKS_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define BLOCKS_ASAN 1
#endif

enum {
    HUGE_PAGE = 2 << 20,      // bytes; of x86-64 and AArch64 with small pages of 4 KiB
    PAGE = 64 << 10,          // bytes; the largest page of known systems
    MAPPED_BLOCK = 512 << 10, // bytes
    STORE_LIMIT = 80 << 20,   // bytes: a large file, or the pictures of a large model
};

/// At the beginning of an unused block.
struct stored_block {
    struct stored_block *next;
    size_t size;
};

size_t block_whole(size_t size) { return (size + PAGE - 1) / PAGE * PAGE; }

#if !defined(BLOCKS_ASAN) && defined(MAP_ANONYMOUS)

bool block_is_mapped(size_t size) { return size >= MAPPED_BLOCK; }

/// `size` bytes from a multiple of HUGE_PAGE on.
static uint8_t *map_aligned(size_t size)
{
    const size_t whole = size + HUGE_PAGE;
    uint8_t *memory = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    const size_t before = (HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE) % HUGE_PAGE;
    if (before > 0)
        (void)munmap(memory, before);
    if (whole - before > size)
        (void)munmap(memory + before + size, whole - before - size);
    return memory + before;
}

/// The end of a block, less than a huge page, stays in small pages: a touched huge page counts as a
/// whole.
void *block_map(size_t size, bool huge)
{
    const size_t pages = huge ? size / HUGE_PAGE * HUGE_PAGE : 0;
    uint8_t *memory =
        pages > 0 ? map_aligned(size)
                  : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!memory || memory == MAP_FAILED)
        return NULL;
#if defined(MADV_HUGEPAGE)
    (void)madvise(memory, pages > 0 ? pages : size, pages > 0 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#endif
    return memory;
}

void block_unmap(void *block, size_t size) { (void)munmap(block, size); }

#else

bool block_is_mapped(size_t size)
{
    (void)size;
    return false;
}

void *block_map(size_t size, bool huge)
{
    (void)size;
    (void)huge;
    return NULL;
}

void block_unmap(void *block, size_t size)
{
    (void)block;
    (void)size;
}

#endif

bool block_store_init(block_store *s)
{
    *s = (block_store){.first = NULL};
    return pthread_mutex_init(&s->lock, NULL) == 0;
}

static void unmap_all(struct stored_block *block)
{
    while (block) {
        struct stored_block *next = block->next;
        block_unmap(block, block->size);
        block = next;
    }
}

void block_store_finish(block_store *s)
{
    unmap_all(s->first);
    pthread_mutex_destroy(&s->lock);
}

/// Takes the block that ends at `at`, or begins there, out of the store; NULL: there is none.
static struct stored_block *take_neighbour(block_store *s, const char *at, bool ends)
{
    for (struct stored_block **from = &s->first; *from; from = &(*from)->next) {
        struct stored_block *block = *from;
        if ((const char *)block + (ends ? block->size : 0) != at)
            continue;
        *from = block->next;
        return block;
    }
    return NULL;
}

bool block_store_put(block_store *s, void *block, size_t size)
{
    pthread_mutex_lock(&s->lock);
    const bool fits = size <= STORE_LIMIT - s->bytes;
    if (fits) {
        struct stored_block *before = take_neighbour(s, block, true);
        struct stored_block *behind = take_neighbour(s, (char *)block + size, false);
        struct stored_block *whole = before ? before : block;
        s->bytes += size;
        size += (before ? before->size : 0) + (behind ? behind->size : 0);
        *whole = (struct stored_block){.next = s->first, .size = size};
        s->first = whole;
    }
    pthread_mutex_unlock(&s->lock);
    return fits;
}

/// The rest of a block behind its first `size` bytes, or NULL: it is too small to be mapped.
static struct stored_block *split(struct stored_block *block, size_t size)
{
    if (block->size < size + MAPPED_BLOCK)
        return NULL;
    struct stored_block *rest = (struct stored_block *)(void *)((char *)block + size);
    *rest = (struct stored_block){.next = block->next, .size = block->size - size};
    return rest;
}

void *block_store_take(block_store *s, size_t size, size_t *out_size)
{
    struct stored_block **best = NULL;
    pthread_mutex_lock(&s->lock);
    for (struct stored_block **at = &s->first; *at; at = &(*at)->next)
        if ((*at)->size >= size && (!best || (*at)->size < (*best)->size))
            best = at;
    struct stored_block *found = best ? *best : NULL;
    if (found) {
        struct stored_block *rest = split(found, size);
        *best = rest ? rest : found->next;
        *out_size = rest ? size : found->size;
        s->bytes -= *out_size;
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

size_t block_store_drop(block_store *s, size_t size)
{
    size_t dropped = 0;
    pthread_mutex_lock(&s->lock);
    struct stored_block **from = &s->first;
    for (size_t rest = s->bytes; *from && rest >= size + (*from)->size; from = &(*from)->next)
        rest -= (*from)->size;
    struct stored_block *oldest = *from;
    *from = NULL;
    for (struct stored_block *block = oldest; block; block = block->next)
        dropped += block->size;
    s->bytes -= dropped;
    pthread_mutex_unlock(&s->lock);
    unmap_all(oldest);
    return dropped;
}
