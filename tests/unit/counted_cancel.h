// SPDX-License-Identifier: MIT
/// A caller that counts how often it is asked to cancel, from any thread.
#pragma once

#include <zoetrope/zoetrope.h>

#include <stdatomic.h>

typedef struct counted_cancel {
    atomic_long asked;
    long last; ///< yes from this question on
} counted_cancel;

static inline bool counted_ask(void *user)
{
    counted_cancel *c = user;
    return atomic_fetch_add(&c->asked, 1) + 1 >= c->last;
}
