// SPDX-License-Identifier: MIT
/// Budgets. A budget inside another is charged together with it, parents first.
#include "base/budget.h"

#include "base/handle.h"
#include "base/machine.h"

enum {
    LINE = 64,
    PAGE = 4096,
    PAGED_BYTES = 32 << 10, // allocations from here on have pages of their own, or nearly so
    KEPT_SHARE = 10,        // of the limit: what is kept unused
};

// docs/formats.md
static const zt_limits largest = {
    .file_bytes = (uint64_t)4 << 30,
    .triangles = 50000000,
    .joints = 65536,
    .depth = 512,
    .texture_side = 16384,
    .picture_side = 16384,
    .frames = 1000000,                 // nine hours at 30 fps
    .fragments = 2000000000,           // minutes of one core
    .output_bytes = (uint64_t)4 << 30, // what a reader takes
    .light_samples = 4096,
    .samples = 4096,
    .rays = 1e12, // days of one core
};

void budget_init(budget *b, uint64_t limit, const zt_allocator *allocator)
{
    b->limit = limit ? limit : machine_read("").memory / 4 * 3;
    atomic_init(&b->used, 0);
    atomic_init(&b->kept, 0);
    atomic_init(&b->peak, 0);
    b->limits = &largest;
    b->allocator = allocator;
    b->parent = NULL;
    b->inputs = NULL;
    b->blocks = NULL;
    b->trace = NULL;
    atomic_init(&b->own_work.bytes, 0);
    atomic_init(&b->own_work.steps, 0);
    atomic_init(&b->own_work.cut, 0);
    atomic_init(&b->own_work.own, 0);
    atomic_init(&b->own_work.blind, 0);
    b->work = &b->own_work;
    cancel_init(&b->cancel, NULL);
}

void budget_init_part(budget *b, budget *parent)
{
    budget_init(b, parent->limit, parent->allocator);
    b->limits = parent->limits;
    b->parent = parent;
    b->blocks = parent->blocks;
    b->trace = parent->trace;
    b->work = parent->work;
}

void budget_init_within(budget *b, zt_budget *whole, uint64_t limit, const zt_allocator *allocator)
{
    if (!whole) {
        budget_init(b, limit, allocator);
        return;
    }
    budget_init_part(b, &whole->bytes);
    b->allocator = allocator;
    b->work = &b->own_work; // what was read for other handles gives this one no room
    if (limit && limit < b->limit)
        b->limit = limit;
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

bool budget_cancelled(budget *b)
{
    for (; b; b = b->parent)
        if (cancel_asked(&b->cancel))
            return true;
    return false;
}

static budget *outermost(budget *b)
{
    while (b->parent)
        b = b->parent;
    return b;
}

uint64_t budget_whole_limit(const budget *b)
{
    while (b->parent)
        b = b->parent;
    return b->limit;
}

/// Adds `size` unless the sum exceeds `limit`.
static bool add_below(_Atomic uint64_t *sum, uint64_t size, uint64_t limit, uint64_t *out_sum)
{
    uint64_t old = atomic_load_explicit(sum, memory_order_relaxed);
    do {
        if (old > limit || size > limit - old)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(sum, &old, old + size, memory_order_relaxed,
                                                    memory_order_relaxed));
    *out_sum = old + size;
    return true;
}

bool budget_take(budget *b, uint64_t size)
{
    uint64_t sum = 0;
    if (b->parent && !budget_take(b->parent, size))
        return false;
    if (!add_below(&b->used, size, b->limit, &sum)) {
        if (b->parent)
            budget_give(b->parent, size);
        return false;
    }
    uint64_t peak = atomic_load_explicit(&b->peak, memory_order_relaxed);
    while (sum > peak && !atomic_compare_exchange_weak_explicit(
                             &b->peak, &peak, sum, memory_order_relaxed, memory_order_relaxed))
        ;
    return true;
}

void budget_give(budget *b, uint64_t size)
{
    for (; b; b = b->parent)
        atomic_fetch_sub_explicit(&b->used, size, memory_order_relaxed);
}

bool budget_keep(budget *b, uint64_t size)
{
    uint64_t sum;
    budget *whole = outermost(b);
    return add_below(&whole->kept, size, whole->limit / KEPT_SHARE, &sum);
}

void budget_unkeep(budget *b, uint64_t size)
{
    atomic_fetch_sub_explicit(&outermost(b)->kept, size, memory_order_relaxed);
}

void budget_read(budget *b, uint64_t bytes)
{
    atomic_fetch_add_explicit(&b->work->bytes, bytes, memory_order_relaxed);
}

uint64_t budget_charge_of(size_t size)
{
    const uint64_t lines = ((uint64_t)size + LINE - 1) / LINE * LINE;
    if (size < PAGED_BYTES)
        return lines;
    return (lines + LINE + PAGE - 1) / PAGE * PAGE; // with the header of a block
}

zt_result zt_budget_create(uint64_t max_memory, const zt_allocator *allocator,
                           zt_budget **out_budget, zt_error *err)
{
    if (!out_budget)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_budget_create: out_budget is NULL");
    *out_budget = NULL;
    ZT_TRY(handle_check(allocator, 0, 0, err));
    *out_budget = handle_alloc(allocator, sizeof **out_budget);
    if (!*out_budget)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a budget");
    const bool stores = block_store_init(&(*out_budget)->blocks);
    if (!stores || pthread_mutex_init(&(*out_budget)->inputs.lock, NULL) != 0) {
        if (stores)
            block_store_finish(&(*out_budget)->blocks);
        handle_free(allocator, *out_budget, sizeof **out_budget);
        *out_budget = NULL;
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a budget");
    }
    budget_init(&(*out_budget)->bytes, max_memory, allocator);
    (*out_budget)->bytes.inputs = &(*out_budget)->inputs;
    (*out_budget)->bytes.blocks = &(*out_budget)->blocks;
    (*out_budget)->limits = largest;
    (*out_budget)->bytes.limits = &(*out_budget)->limits;
    (*out_budget)->allocator = allocator;
    return ZT_OK;
}

zt_limits zt_default_limits(void) { return largest; }

zt_result zt_budget_set_limits(zt_budget *whole, const zt_limits *limits, zt_error *err)
{
    if (!whole || !limits)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_budget_set_limits: budget or limits is NULL");
    const struct {
        const char *name;
        double value, most;
    } rows[] = {
        {"file_bytes", (double)limits->file_bytes, (double)largest.file_bytes},
        {"triangles", limits->triangles, largest.triangles},
        {"joints", limits->joints, largest.joints},
        {"depth", limits->depth, largest.depth},
        {"texture_side", limits->texture_side, largest.texture_side},
        {"picture_side", limits->picture_side, largest.picture_side},
        {"frames", limits->frames, largest.frames},
        {"fragments", limits->fragments, largest.fragments},
        {"output_bytes", (double)limits->output_bytes, (double)largest.output_bytes},
        {"light_samples", limits->light_samples, largest.light_samples},
        {"samples", limits->samples, largest.samples},
        {"rays", limits->rays, largest.rays},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!(rows[i].value >= 1.0 && rows[i].value <= rows[i].most))
            return zt_fail(err, ZT_ERR_ARGUMENT, "limit %s of %.15g (expected 1 to %.15g)",
                           rows[i].name, rows[i].value, rows[i].most);
    whole->limits = *limits;
    return ZT_OK;
}

void zt_budget_destroy(zt_budget *whole)
{
    if (!whole)
        return;
    block_store_finish(&whole->blocks);
    for (size_t i = 0; i < whole->inputs.watched_count; i++)
        free(whole->inputs.watched[i].path);
    free(whole->inputs.watched);
    pthread_mutex_destroy(&whole->inputs.lock);
    free(whole->inputs.file);
    free(whole->inputs.record);
    handle_free(whole->allocator, whole, sizeof *whole);
}

uint64_t zt_budget_limit(const zt_budget *whole) { return whole ? whole->bytes.limit : 0; }

bool zt_budget_take(zt_budget *whole, uint64_t bytes)
{
    return !whole || budget_take(&whole->bytes, bytes);
}

void zt_budget_give(zt_budget *whole, uint64_t bytes)
{
    if (whole)
        budget_give(&whole->bytes, bytes);
}
