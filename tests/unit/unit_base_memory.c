// SPDX-License-Identifier: MIT
/// Arenas, budgets, what a machine gives, and error messages.
#include "base/blocks.h"
#include "base/machine.h"
#include "base/messages.h"
#include "counted_memory.h"
#include "random_numbers.h"
#include "test_folder.h"
#include "test_memory.h"

#include <pthread.h>
#include <sys/resource.h>

Test(arena, allocations_are_aligned_zeroed_and_apart)
{
    OWN_MEMORY(a, (uint64_t)256 << 20);
    enum { COUNT = 500 };
    struct {
        uint8_t *data;
        size_t size;
    } blocks[COUNT];
    uint32_t seed = 7;
    for (int round = 0; round < 3; round++) {
        uint64_t asked = 0;
        for (int i = 0; i < COUNT; i++) {
            const size_t size = next_random(&seed) % (i % 50 == 0 ? 400000u : 3000u) + 1;
            uint8_t *data = arena_alloc(&a, size, 1);
            cr_assert_not_null(data);
            cr_assert_eq((uintptr_t)data % 64, 0);
            for (size_t k = 0; k < size; k++)
                cr_assert_eq(data[k], 0, "round %d block %d byte %zu", round, i, k);
            memset(data, i & 0xFF, size);
            blocks[i].data = data;
            blocks[i].size = size;
            asked += budget_charge_of(size);
        }
        for (int i = 0; i < COUNT; i++)
            for (size_t k = 0; k < blocks[i].size; k++)
                cr_assert_eq(blocks[i].data[k], i & 0xFF, "block %d was written over", i);
        cr_assert_eq(a.budget->used, asked);
        cr_assert_eq(a.used, asked);
        arena_reset(&a);
        cr_assert_eq(a.budget->used, 0);
    }
}

/// Lines of 64 bytes; pages of 4 KiB, with a header, from 32 KiB on.
Test(arena, budget_counts_lines_and_pages)
{
    budget b;
    budget_init(&b, 1088, NULL);
    arena one, two;
    arena_init(&one, &b);
    arena_init(&two, &b);
    cr_assert_not_null(arena_alloc(&one, 300, 2));
    cr_assert_not_null(arena_alloc(&two, 400, 1));
    cr_assert_eq(b.used, 640 + 448);
    cr_assert_null(arena_alloc(&one, 1, 1));
    zt_error err;
    cr_assert_eq(arena_fail(&one, &err, "x.m3d: keys"), ZT_ERR_LIMIT);
    cr_assert_eq(err.code, ZT_ERR_LIMIT);
    cr_assert_not_null(strstr(err.message, "x.m3d: keys"));
    arena_finish(&two);
    cr_assert_eq(b.used, 640);
    cr_assert_not_null(arena_alloc(&one, 400, 1));
    arena_finish(&one);
    cr_assert_eq(b.used, 0);
    cr_expect_eq(budget_charge_of(0), 0);
    cr_expect_eq(budget_charge_of(1), 64);
    cr_expect_eq(budget_charge_of(32767), 32768);
    cr_expect_eq(budget_charge_of(32768), 36864);
    cr_expect_eq(budget_charge_of(((size_t)1 << 30) + 1), ((uint64_t)1 << 30) + 4096);
}

/// A library's memory is charged until the arena is emptied.
Test(arena, memory_of_others_is_charged)
{
    OWN_MEMORY(a, 1000);
    cr_expect(arena_charge(&a, 900));
    cr_expect(!arena_charge(&a, 101));
    cr_expect_eq(a.failed, ZT_ERR_LIMIT);
    cr_expect(a_budget.used == 900 && budget_left(&a_budget) == 100);
    arena_reset(&a);
    cr_expect_eq(a_budget.used, 0);
    cr_expect(arena_charge(&a, 1000));
    arena_finish(&a);
    cr_expect_eq(a_budget.used, 0);
}

/// Handles within one public budget share it, whatever each may take alone.
Test(budget, handles_share_one)
{
    zt_budget *whole = NULL;
    budget one, two, alone;
    cr_assert_eq(zt_budget_create(1000, NULL, &whole, NULL), ZT_OK);
    budget_init_within(&one, whole, 0, NULL);
    budget_init_within(&two, whole, 300, NULL);
    budget_init_within(&alone, NULL, 5000, NULL);
    cr_expect(budget_take(&alone, 5000) && whole->bytes.used == 0);
    cr_expect(budget_take(&one, 600));
    cr_expect(!budget_take(&two, 301) && whole->bytes.used == 600);
    cr_expect(budget_take(&two, 300) && budget_left(&one) == 100);
    cr_expect(!zt_budget_take(whole, 101) && zt_budget_take(whole, 100));
    budget_give(&two, 300);
    zt_budget_give(whole, 100);
    cr_expect(budget_left(&one) == 400 && budget_left(&two) == 300);
    cr_expect(zt_budget_limit(whole) == 1000 && zt_budget_limit(NULL) == 0);
    cr_expect(zt_budget_take(NULL, UINT64_MAX));
    budget_give(&one, 600);
    cr_expect_eq(whole->bytes.used, 0);
    zt_budget_destroy(whole);
    zt_budget_destroy(NULL);
}

/// Memory that empty arenas keep is not charged, so it is little.
Test(arena, kept_memory_is_bounded)
{
    counted_memory c;
    const zt_allocator allocator = counted_allocator(&c);
    enum { LIMIT = 10 << 20, ARENAS = 64 };
    budget b;
    arena a[ARENAS];
    budget_init(&b, LIMIT, &allocator);
    for (int i = 0; i < ARENAS; i++) {
        arena_init(&a[i], &b);
        cr_assert_not_null(arena_alloc_raw(&a[i], 100000, 1));
    }
    for (int i = 0; i < ARENAS; i++)
        arena_reset(&a[i]);
    cr_expect_eq(b.used, 0);
    cr_expect_gt(c.bytes, LIMIT / 20, "some is kept");
    cr_expect_leq(c.bytes, LIMIT / 10, "%lld bytes are kept", (long long)c.bytes);
    for (int i = 0; i < ARENAS; i++)
        arena_finish(&a[i]);
    cr_expect(c.bytes == 0 && b.kept == 0);
}

enum { MB = 1 << 20 };

/// An empty store, and memory for its blocks.
static char *begin_store(block_store *store, size_t size)
{
    if (!block_is_mapped(MB))
        cr_skip_test("no blocks are mapped here");
    char *memory = block_map(size, false);
    cr_assert(memory && block_store_init(store));
    return memory;
}

/// A new block takes the place of unused ones that do not fit, the oldest first.
Test(blocks, unused_ones_make_room)
{
    block_store store;
    size_t size = 0;
    char *memory = begin_store(&store, 16 * MB);
    for (size_t i = 1; i <= 4; i *= 2) // 1 MB at 1, 2 at 3 and 4 at 6: they do not touch
        cr_assert(block_store_put(&store, memory + (i + (i + 1) / 2) * MB, i * MB));
    cr_expect_eq(block_store_drop(&store, 2 * MB), (size_t)3 * MB, "1 and 2 MB were older");
    cr_expect_null(block_store_take(&store, 5 * MB, &size));
    void *left = block_store_take(&store, 4 * MB, &size);
    cr_expect(left && size == 4 * MB);
    cr_expect_eq(block_store_drop(&store, MB), 0u);
    cr_expect(block_store_put(&store, left, size));
    cr_expect(block_store_drop(&store, MB) == 4 * MB && store.bytes == 0);
    block_store_finish(&store);
    block_unmap(memory, 16 * MB);
}

/// A part of an unused block is taken, and is one with the rest again when it comes back.
Test(blocks, unused_ones_are_split_and_joined)
{
    block_store store;
    size_t size = 0;
    char *memory = begin_store(&store, 8 * MB);
    cr_assert(block_store_put(&store, memory, 8 * MB));
    char *part[3];
    for (int i = 0; i < 3; i++) {
        part[i] = block_store_take(&store, 2 * MB, &size);
        cr_assert(part[i] == memory + (size_t)i * 2 * MB && size == 2 * MB);
        cr_expect_eq(store.bytes, (size_t)(6 - 2 * i) * MB);
    }
    cr_expect(block_store_put(&store, part[0], 2 * MB));
    cr_expect_null(block_store_take(&store, 4 * MB, &size));
    cr_expect(block_store_put(&store, part[2], 2 * MB)); // with the rest behind it
    cr_expect(block_store_take(&store, 4 * MB, &size) == part[2] && size == 4 * MB);
    cr_expect(block_store_put(&store, part[2], 4 * MB));
    cr_expect(block_store_put(&store, part[1], 2 * MB)); // between two
    cr_expect(block_store_take(&store, 8 * MB - 1000, &size) == memory && size == 8 * MB);
    cr_expect_eq(store.bytes, 0u);
    block_store_finish(&store);
    block_unmap(memory, 8 * MB);
}

// ---- What the machine gives ---------------------------------------------------------------------

TestSuite(machine, .init = test_folder_make, .fini = test_folder_remove_all);

Test(machine, no_group_sets_no_limit)
{
    const machine_share all = machine_read(test_folder);
    cr_expect_gt(all.memory, (uint64_t)64 << 20);
    cr_expect_geq(all.cores, 1);
    test_folder_write("proc/self/cgroup", "0::/a\n");
    test_folder_write("sys/fs/cgroup/a/memory.max", "max\n");
    test_folder_write("sys/fs/cgroup/a/cpu.max", "max 100000\n");
    cr_expect(machine_read(test_folder).memory == all.memory &&
              machine_read(test_folder).cores == all.cores);
}

/// The smallest limit of the group and of those above it.
Test(machine, groups_of_version_2)
{
    test_folder_write("proc/self/cgroup", "0::/jobs/one\n");
    test_folder_write("sys/fs/cgroup/jobs/one/memory.max", "50331648\n");
    test_folder_write("sys/fs/cgroup/jobs/one/cpu.max", "max 100000\n");
    test_folder_write("sys/fs/cgroup/jobs/memory.max", "33554432\n");
    test_folder_write("sys/fs/cgroup/jobs/cpu.max", "100000 100000\n");
    cr_expect_eq(machine_read(test_folder).memory, 33554432);
    cr_expect_eq(machine_read(test_folder).cores, 1);
    test_folder_write("sys/fs/cgroup/jobs/one/memory.max", "16777216\n");
    cr_expect_eq(machine_read(test_folder).memory, 16777216);
    test_folder_write("proc/self/status", "Name:\tx\nCpus_allowed:\tf,00000003\n");
    test_folder_write("sys/fs/cgroup/jobs/cpu.max", "150000 100000\n");
    cr_expect_leq(machine_read(test_folder).cores, 2, "one core and a half are two");
}

/// In a name space of its own the group is the root; another name space may name groups above it.
Test(machine, groups_of_containers)
{
    test_folder_write("proc/self/cgroup", "0::/\n");
    test_folder_write("sys/fs/cgroup/memory.max", "20000000\n");
    cr_expect_eq(machine_read(test_folder).memory, 20000000);
    test_folder_write("proc/self/cgroup", "0::/../../other\n");
    cr_expect_eq(machine_read(test_folder).memory, 20000000);
}

Test(machine, groups_of_version_1)
{
    test_folder_write("proc/self/cgroup", "4:cpu,cpuacct:/c\n3:memory:/m/n\n1:name=systemd:/\n");
    test_folder_write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    test_folder_write("sys/fs/cgroup/memory/m/memory.limit_in_bytes", "30000000\n");
    test_folder_write("sys/fs/cgroup/memory/m/n/memory.limit_in_bytes", "40000000\n");
    test_folder_write("sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us", "90000\n");
    test_folder_write("sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_period_us", "100000\n");
    cr_expect_eq(machine_read(test_folder).memory, 30000000);
    cr_expect_eq(machine_read(test_folder).cores, 1);
    test_folder_write("sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us", "-1\n");
    cr_expect_geq(machine_read(test_folder).cores, 1);
}

Test(machine, address_space_is_a_limit)
{
    struct rlimit space;
    cr_assert_eq(getrlimit(RLIMIT_AS, &space), 0);
    space.rlim_cur = (rlim_t)1 << 40;
    if (machine_read(test_folder).memory <= (uint64_t)1 << 33)
        return; // a small machine, or one without room for sanitizers below
    space.rlim_cur = (rlim_t)1 << 33;
    if (setrlimit(RLIMIT_AS, &space) == 0)
        cr_expect_eq(machine_read(test_folder).memory, (uint64_t)1 << 33);
}

/// What a job takes counts for all, is known for itself, and can become part of the whole.
Test(arena, parts_of_a_budget)
{
    budget whole, part;
    arena keep, own, scratch;
    budget_init(&whole, 200000, NULL);
    arena_init(&keep, &whole);
    cr_assert_not_null(arena_alloc(&keep, 1000, 1));
    budget_init_part(&part, &whole);
    arena_init(&own, &part);
    arena_init(&scratch, &part);
    uint8_t *kept = arena_alloc(&own, 100000, 1); // larger than the first block
    cr_assert_not_null(kept);
    kept[99999] = 7;
    cr_assert_not_null(arena_alloc(&scratch, 50000, 1));
    enum { OWN = 102400, SCRATCH = 53248, KEPT = 1024 };
    cr_expect(whole.used == OWN + SCRATCH + KEPT && part.used == OWN + SCRATCH &&
              part.peak == OWN + SCRATCH);
    cr_assert_null(arena_alloc(&scratch, 49001, 1));
    cr_expect_eq(scratch.failed, ZT_ERR_LIMIT);
    cr_expect(whole.used == OWN + SCRATCH + KEPT && part.used == OWN + SCRATCH);
    arena_finish(&scratch);
    arena_absorb(&keep, &own);
    cr_expect(whole.used == OWN + KEPT && part.used == 0 && part.peak == OWN + SCRATCH);
    cr_expect(keep.used == OWN + KEPT && own.used == 0 && kept[99999] == 7);
    arena_finish(&own);
    cr_assert_not_null(arena_alloc(&keep, 90000, 1));
    arena_finish(&keep);
    cr_expect_eq(whole.used, 0);
}

Test(arena, overflowing_sizes_are_limits)
{
    OWN_MEMORY(a, UINT64_MAX);
    static const size_t huge[][2] = {
        {SIZE_MAX, 1},         {SIZE_MAX, SIZE_MAX}, {SIZE_MAX / 2 + 1, 2},
        {2, SIZE_MAX / 2 + 2}, {SIZE_MAX - 63, 1},   {(size_t)1 << 33, 1u << 31u},
    };
    for (size_t i = 0; i < sizeof huge / sizeof huge[0]; i++) {
        cr_assert_null(arena_alloc(&a, huge[i][0], huge[i][1]), "case %zu", i);
        cr_assert_eq(arena_fail(&a, NULL, "x"), ZT_ERR_LIMIT, "case %zu", i);
    }
    cr_assert_null(arena_text(&a, "", SIZE_MAX));
    cr_assert_eq(a.budget->used, 0);
}

Test(arena, zero_counts_are_valid)
{
    OWN_MEMORY(a, 256);
    cr_assert_not_null(arena_alloc(&a, 0, 8));
    cr_assert_not_null(arena_alloc(&a, 8, 0));
    cr_assert_not_null(ARENA_ARRAY_RAW(&a, int, 0));
    cr_assert_eq(a.budget->used, 0);
    cr_assert_str_eq(arena_text(&a, "bone", 4), "bone");
    cr_assert_str_eq(arena_text(&a, "bone", 0), "");
    arena zeroed = {.budget = a.budget};
    cr_assert_not_null(arena_alloc(&zeroed, 4, 4));
    arena_finish(&zeroed);
    arena nothing = {0};
    arena_reset(&nothing);
    arena_finish(&nothing);
}

/// Blocks double: many small allocations ask the system few times.
Test(arena, blocks_grow)
{
    COUNTED_ARENA(a, c);
    for (int i = 0; i < 16 * 1024; i++)
        cr_assert_not_null(arena_alloc_raw(&a, 4000, 1)); // 64 MiB
    cr_assert_leq(c.allocations, 24);
    arena_finish(&a);
    cr_assert_eq(c.bytes, 0);
}

Test(arena, reset_keeps_memory)
{
    COUNTED_ARENA(a, c);
    enum { COUNT = 300 };
    size_t sizes[COUNT];
    uint32_t seed = 11;
    for (int i = 0; i < COUNT; i++)
        sizes[i] = next_random(&seed) % (i % 40 == 0 ? 900000u : 5000u);
    int64_t after_first = 0;
    for (int use = 0; use < 5; use++) {
        for (int i = 0; i < COUNT; i++) {
            // Another order each time: the need is the same, the fit of blocks is not.
            const int at = (i * 7 + use * 13) % COUNT;
            cr_assert_not_null(arena_alloc_raw(&a, sizes[at], 1));
        }
        if (use > 0)
            cr_assert_eq(c.allocations, after_first, "use %d asked the system", use);
        arena_reset(&a);
        if (use == 0)
            after_first = c.allocations;
    }
    arena_finish(&a);
    cr_assert_eq(c.allocations, c.frees);
    cr_assert_eq(c.bytes, 0);
}

Test(arena, system_without_memory)
{
    COUNTED_ARENA(a, c);
    c.most = 1;
    cr_assert_not_null(arena_alloc(&a, 100, 1));
    cr_assert_null(arena_alloc(&a, 1 << 20, 1));
    zt_error err;
    cr_assert_eq(arena_fail(&a, &err, "x"), ZT_ERR_MEMORY);
    cr_assert_eq(a_budget.used, 128, "a failed allocation stays charged");
    arena_finish(&a);
    cr_assert_eq(a_budget.used, 0);
    cr_assert_eq(c.bytes, 0);
}

Test(arena, default_budget_is_a_share_of_the_machine)
{
    budget b;
    budget_init(&b, 0, NULL);
    cr_assert_gt(b.limit, (uint64_t)64 << 20);
}

#ifdef ZT_RANDOM_SHARE
enum { SPENDINGS = 1000 }; // sanitizers take their time
#else
enum { SPENDINGS = 20000 };
#endif
enum { SHARED_LIMIT = 100000 };

static void *spend(void *argument)
{
    budget *b = argument;
    arena a;
    arena_init(&a, b);
    uint32_t seed = (uint32_t)(uintptr_t)&a; // any order: only sums are tested
    for (int i = 0; i < SPENDINGS; i++) {
        const void *memory = arena_alloc_raw(&a, next_random(&seed) % 9000u, 1);
        cr_assert(memory || a.failed == ZT_ERR_LIMIT);
        cr_assert_leq(b->used, SHARED_LIMIT);
        if (i % 8 == 7)
            arena_reset(&a);
    }
    arena_finish(&a);
    return NULL;
}

Test(arena, threads_share_a_budget)
{
    budget b;
    budget_init(&b, SHARED_LIMIT, NULL);
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&thread[i], NULL, spend, &b), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    cr_assert_eq(b.used, 0);
}

Test(error, messages_are_one_printable_line)
{
    zt_error err = {.code = ZT_OK};
    cr_assert_eq(zt_fail(&err, ZT_ERR_FORMAT, "%s:%d: a\nb\x1b[2Jc", "name\r\xC2\x9B", 12),
                 ZT_ERR_FORMAT);
    cr_assert_str_eq(err.message, "name??:12: a?b?[2Jc");
    cr_assert_eq(err.code, ZT_ERR_FORMAT);
    cr_assert_eq(zt_fail(NULL, ZT_ERR_INPUT, "x"), ZT_ERR_INPUT);
    zt_fail(&err, ZT_ERR_INPUT, "outer: %s", err.message);
    cr_assert_str_eq(err.message, "outer: name??:12: a?b?[2Jc");
    zt_fail(&err, ZT_ERR_INPUT, "%s",
            "Gr\xC3\xBC\xC3\x9F"
            "e");
    cr_assert_str_eq(err.message, "Gr\xC3\xBC\xC3\x9F"
                                  "e");
}

Test(error, long_messages_lose_their_middle_between_characters)
{
    for (size_t ascii = 0; ascii < 8; ascii++) {
        char text[3000];
        memset(text, 'a', ascii);
        for (size_t i = ascii; i + 3 < sizeof text; i += 3)
            memcpy(text + i, "\xE2\x82\xAC", 4); // euro sign
        zt_error err;
        zt_fail(&err, ZT_ERR_FORMAT, "%s: cannot open: no", text);
        const size_t length = strlen(err.message);
        const char *gap = strstr(err.message, "...");
        cr_assert_leq(length, sizeof err.message - 1);
        cr_assert_geq(length, sizeof err.message - 6);
        cr_assert_not_null(gap);
        cr_assert_null(strchr(err.message, '?'), "cut inside a character: %s", err.message);
        cr_assert_eq(((size_t)(gap - err.message) - ascii) % 3, 0, "cut inside a character");
        cr_assert_eq(memcmp(err.message, text, (size_t)(gap - err.message)), 0);
        cr_assert_str_eq(err.message + length - strlen(": cannot open: no"), ": cannot open: no");
    }
    char text[2 * sizeof((zt_error *)0)->message];
    for (size_t length = sizeof((zt_error *)0)->message - 2; length < sizeof text; length++) {
        zt_error err;
        memset(text, 'a', length);
        text[length] = '\0';
        zt_fail(&err, ZT_ERR_FORMAT, "%s", text);
        cr_assert_eq(strlen(err.message),
                     length < sizeof err.message ? length : sizeof err.message - 1);
    }
}

Test(error, messages_wait_in_a_list)
{
    OWN_MEMORY(a, 1000);
    heard h = {0};
    message_list list = {.a = &a};
    const message_sink to = {.fn = hear, .user = &h, .strict = true}, silent = {0};
    const message_sink sink = message_list_sink(&list, &to);
    cr_expect(sink.strict);
    message_warn(&sink, "first %d", 1);
    message_note(&sink, "second");
    cr_expect(h.warnings + h.notes == 0);
    message_list_send(&list, &silent);
    message_list_send(&list, &to);
    cr_expect(h.warnings == 1 && h.notes == 1);
    cr_expect_str_eq(h.all, "first 1\nsecond\n");
    for (int i = 0; i < 50; i++)
        message_note(&sink, "more");
    cr_expect_eq(a.failed, ZT_ERR_LIMIT); // a lost line does not go unnoticed
}

Test(error, messages_reach_the_sink)
{
    heard h = {0};
    message_sink sink = {.fn = hear, .user = &h};
    zt_error err = {0};
    message_note(&sink, "%s %d", "note", 1);
    cr_assert(h.notes == 1 && h.warnings == 0);
    message_warn(&sink, "careful");
    cr_assert_eq(h.warnings, 1);
    cr_assert_eq(message_unsupported(&sink, &err, "no %s", "hair"), ZT_OK);
    cr_assert_str_eq(h.all, "note 1\ncareful\nno hair\n");
    sink.strict = true;
    cr_assert_eq(message_unsupported(&sink, &err, "no %s", "hair"), ZT_ERR_UNSUPPORTED);
    cr_assert_str_eq(err.message, "no hair");
    cr_assert(h.notes == 1 && h.warnings == 2);
    const message_sink silent = {0};
    message_note(&silent, "x");
    message_warn(NULL, "x");
    cr_assert_eq(message_unsupported(&silent, NULL, "x"), ZT_OK);
}

/// Definitions that nothing can be made with are refused, not obeyed as well as can be.
Test(budget, allocators_without_functions_and_negative_threads)
{
    const zt_allocator none = {0}, half = {.alloc = counted_alloc};
    zt_error err;
    zt_budget *made = NULL;
    zt_scene *scene = NULL;
    zt_model *model = NULL;
    zt_renderer *renderer = NULL;
    zt_load_def load = zt_default_load_def();
    zt_renderer_def def = zt_default_renderer_def();
    load.threads = -5;
    cr_expect_eq(zt_scene_create(&load, &scene, &err), ZT_ERR_ARGUMENT);
    cr_expect_eq(zt_model_load("x.glb", &load, &model, &err), ZT_ERR_ARGUMENT);
    load.threads = 0;
    load.allocator = def.allocator = &half;
    cr_expect_eq(zt_scene_create(&load, &scene, &err), ZT_ERR_ARGUMENT);
    cr_expect_eq(zt_model_load("x.glb", &load, &model, &err), ZT_ERR_ARGUMENT);
    cr_expect_eq(zt_renderer_create(&def, &renderer, &err), ZT_ERR_ARGUMENT);
    cr_expect_eq(zt_budget_create(0, &none, &made, &err), ZT_ERR_ARGUMENT);
    cr_expect(strstr(err.message, "an allocator without its functions"));
}

Test(budget, limits_are_up_to_their_defaults)
{
    const double wrong[] = {0.5, 1000000000001.0, (double)NAN};
    zt_error err = {0};
    zt_budget *whole = NULL;
    zt_limits limits = zt_default_limits();
    cr_assert_eq(zt_budget_create(1000, NULL, &whole, &err), ZT_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        limits.rays = wrong[i];
        cr_expect_eq(zt_budget_set_limits(whole, &limits, &err), ZT_ERR_ARGUMENT);
        cr_expect(strstr(err.message, "(expected 1 to 1000000000000)"), "%s", err.message);
    }
    limits.rays = 1.0;
    cr_expect_eq(zt_budget_set_limits(whole, &limits, &err), ZT_OK);
    limits.light_samples = 4097;
    cr_expect_eq(zt_budget_set_limits(whole, &limits, &err), ZT_ERR_ARGUMENT);
    cr_expect_str_eq(err.message, "limit light_samples of 4097 (expected 1 to 4096)");
    zt_budget_destroy(whole);
}

/// Work may be WORK_PER_BYTE for each byte, and that of WORK_BYTES_MIN in all cases; what would
/// be more is not counted. Parts count with the whole, handles each on their own.
Test(budget, work_is_bounded_by_the_bytes_that_were_read)
{
    const uint64_t least = (uint64_t)WORK_PER_BYTE * WORK_BYTES_MIN;
    zt_error err = {0};
    zt_budget *whole = NULL;
    cr_assert_eq(zt_budget_create((uint64_t)64 << 20, NULL, &whole, &err), ZT_OK);
    budget one, other, part;
    arena a;
    budget_init_within(&one, whole, 0, NULL);
    budget_init_within(&other, whole, 0, NULL);
    budget_init_part(&part, &one);
    arena_init(&a, &part);
    cr_expect_eq(arena_work(&a, least - 1, "names", &err), ZT_OK);
    cr_expect_eq(arena_work(&a, 2, "names", &err), ZT_ERR_LIMIT);
    cr_expect(strstr(err.message, "names: more work than the 0 bytes"), "%s", err.message);
    cr_expect_eq(arena_work(&a, 1, "names", &err), ZT_OK);
    budget_read(&other, 2 * WORK_BYTES_MIN);
    cr_expect_eq(arena_work(&a, 1, "names", &err), ZT_ERR_LIMIT);
    budget_read(&one, WORK_BYTES_MIN + 1);
    cr_expect_eq(arena_work(&a, UINT64_MAX, "names", &err), ZT_ERR_LIMIT);
    cr_expect_eq(arena_work(&a, WORK_PER_BYTE, "names", &err), ZT_OK);
    cr_expect_eq(arena_work(&a, 1, "names", &err), ZT_ERR_LIMIT);
    cancel_raise(&one.cancel);
    budget_read(&one, WORK_BYTES_MIN);
    cr_expect_eq(arena_work(&a, 1, "names", &err), ZT_OK);
    cr_expect_eq(arena_work(&a, 1 << 16, "names", &err), ZT_ERR_CANCELLED);
    arena_finish(&a);
    zt_budget_destroy(whole);
}
