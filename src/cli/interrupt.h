// SPDX-License-Identifier: MIT
/// Signals and the --timeout. While output files may be half written the program is asked to stop
/// at the next frame; otherwise it ends at once. A second signal always ends it.
#ifndef ZT_CLI_INTERRUPT_H
#define ZT_CLI_INTERRUPT_H

#include <zoetrope/zoetrope.h>

#include <stdbool.h>

/// `timeout_s` 0: none. SIGPIPE is ignored, so that a closed pipe is a failed write.
void interrupt_install(double timeout_s);
/// Between true and false a signal only raises a flag.
void interrupt_defer(bool defer);
/// While deferred, a signal also cancels this renderer's work; NULL: none.
void interrupt_watch(zt_renderer *renderer);
/// True after a signal or the timeout came while deferred.
bool interrupt_raised(void);
/// The exit code for it: 128 + signal, or 5 for the timeout.
int interrupt_code(void);

#endif
