// SPDX-License-Identifier: MIT
/// The state behind zt_cancel; see cancel.h.
#include "base/cancel.h"

void cancel_init(cancel_state *c, const zt_cancel *caller)
{
    c->caller = caller && caller->asked ? caller : NULL;
    atomic_init(&c->raised, false);
}

void cancel_raise(cancel_state *c)
{
    atomic_store_explicit(&c->raised, true, memory_order_relaxed);
}

bool cancel_asked(cancel_state *c)
{
    if (atomic_load_explicit(&c->raised, memory_order_relaxed))
        return true;
    if (!c->caller || !c->caller->asked(c->caller->user))
        return false;
    cancel_raise(c);
    return true;
}

zt_result cancel_fail(zt_error *err) { return zt_fail(err, ZT_ERR_CANCELLED, "cancelled"); }
