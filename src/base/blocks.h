// SPDX-License-Identifier: MIT
/// Large blocks of memory for arenas: mapped from the system, and kept for the next arena. New
/// pages are cleared by the system, and the first touch of each costs a microsecond: for a small
/// picture as much as its shading.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/// Blocks that nobody uses, of all arenas of a budget. Any thread may call.
typedef struct block_store {
    pthread_mutex_t lock;
    struct stored_block *first;
    size_t bytes; ///< of all
} block_store;

/// True where a block of `size` bytes is mapped; smaller ones come from malloc.
bool block_is_mapped(size_t size);
/// `size` in whole pages, as all other functions want it.
size_t block_whole(size_t size);
/// A cleared block, or NULL. `huge`: in huge pages as far as they fill it.
void *block_map(size_t size, bool huge);
void block_unmap(void *block, size_t size);

/// False: no lock.
bool block_store_init(block_store *s);
/// Gives all blocks back to the system.
void block_store_finish(block_store *s);
/// Keeps a block that was mapped, as one with those that it touches; false: there are enough.
bool block_store_put(block_store *s, void *block, size_t size);
/// `size` bytes, not cleared, of the smallest block that has them, or all of it when nearly as
/// large; the size in *out_size. NULL: there is none.
void *block_store_take(block_store *s, size_t size, size_t *out_size);
/// Gives the oldest blocks back to the system, `size` bytes or more if there are: a new block that
/// large needs no more memory then. Returns their bytes.
size_t block_store_drop(block_store *s, size_t size);
