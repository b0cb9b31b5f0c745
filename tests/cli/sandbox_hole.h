// SPDX-License-Identifier: MIT
/// A deliberate hole, which only the test program zoetrope_hole has: where a fault in a reader
/// would let strangers in.
#ifndef ZT_CLI_SANDBOX_HOLE_H
#define ZT_CLI_SANDBOX_HOLE_H

/// Tries to get out of the sandbox, on this thread and on another, and prints a line for each way
/// that is open. The number of these.
int sandbox_hole_try(void);

#endif
