// SPDX-License-Identifier: MIT
/// A caller's request to end its work (zt_cancel), a part of a budget: see budget_cancelled().
#pragma once

#include "base/error.h"

#include <stdatomic.h>

typedef struct cancel_state {
    const zt_cancel *caller; ///< NULL: nobody is asked
    atomic_bool raised;      ///< stays set: no job goes on after another one has stopped
} cancel_state;

void cancel_init(cancel_state *c, const zt_cancel *caller);
/// Ends the work as if the caller had been asked. Any thread, and signal handlers.
void cancel_raise(cancel_state *c);
/// Asks the caller, unless the work has been cancelled already.
bool cancel_asked(cancel_state *c);
/// Writes the message; returns ZT_ERR_CANCELLED.
zt_result cancel_fail(zt_error *err);
