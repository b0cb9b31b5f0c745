// SPDX-License-Identifier: MIT
/// The fit of curves: which intervals are asked for, in which order, and which positions are kept.
#include "base/subdivide.h"
#include "testing.h"

static budget memory;
static arena scratch;
static bool cancelled;

static bool is_cancelled(void *user)
{
    (void)user;
    return cancelled;
}

static const zt_cancel caller = {.asked = is_cancelled};

static void start(void)
{
    budget_init(&memory, 0, NULL);
    memory.cancel.caller = &caller;
    arena_init(&scratch, &memory);
}

static void stop(void) { arena_finish(&scratch); }

TestSuite(subdivide, .init = start, .fini = stop);

/// A rule for cuts, and the intervals for which it was asked.
typedef struct cutter {
    uint32_t longest; ///< longer intervals are cut
    uint32_t part;    ///< per cent of the interval before the cut
    uint32_t fail_at; ///< the interval that begins here is an error
    bool cancel;      ///< the first interval cancels
    char asked[200];
} cutter;

static zt_result cut_longer(void *user, uint32_t from, uint32_t to, uint32_t *out_cut)
{
    cutter *c = user;
    const size_t length = strlen(c->asked);
    snprintf(c->asked + length, sizeof c->asked - length, "%u-%u ", from, to);
    cancelled = c->cancel;
    if (from == c->fail_at && from > 0)
        return ZT_ERR_FORMAT;
    *out_cut = to - from > c->longest ? from + 1 + (to - from - 2) * c->part / 100 : from;
    return ZT_OK;
}

Test(subdivide, intervals_are_cut_until_none_must_be)
{
    static const struct {
        uint32_t last;
        cutter c;
        const char *keys, *asked;
        zt_result result;
    } rows[] = {
        {0, {.longest = 1}, "0", "", ZT_OK},
        {1, {.longest = 0}, "01", "", ZT_OK}, // nothing is inside
        {8, {.longest = 8}, "08", "0-8 ", ZT_OK},
        {8, {.longest = 1, .part = 50}, "012345678", "0-8 0-4 0-2 2-4 4-8 4-6 6-8 ", ZT_OK},
        {8, {.longest = 2, .part = 50}, "02468", "0-8 0-4 0-2 2-4 4-8 4-6 6-8 ", ZT_OK},
        {8, {.longest = 4, .part = 0}, "012348", "0-8 1-8 2-8 3-8 4-8 ", ZT_OK},
        {8, {.longest = 4, .part = 100}, "045678", "0-8 0-7 0-6 0-5 0-4 ", ZT_OK},
        {8, {.longest = 4, .part = 50, .fail_at = 4}, NULL, "0-8 0-4 4-8 ", ZT_ERR_FORMAT},
        {8, {.longest = 4, .part = 50, .cancel = true}, NULL, "0-8 ", ZT_ERR_CANCELLED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cutter c = rows[i].c;
        uint32_t keys[9], count = 0;
        char text[10] = "";
        cancelled = false;
        cr_expect_eq(subdivide(rows[i].last, cut_longer, &c, keys, &count, &scratch, NULL),
                     rows[i].result, "row %zu", i);
        for (uint32_t k = 0; k < count; k++)
            text[k] = (char)('0' + keys[k]);
        cr_expect_str_eq(c.asked, rows[i].asked, "row %zu: %s", i, c.asked);
        cr_expect(!rows[i].keys || strcmp(text, rows[i].keys) == 0, "row %zu: %s", i, text);
    }
}
