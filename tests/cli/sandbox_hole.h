// SPDX-License-Identifier: MIT
/// A deliberate hole of the test program zoetrope_hole, where a reader would let strangers in.
#pragma once

/// Tries to leave the sandbox on two threads, prints a line for each way; returns their count.
int sandbox_hole_try(void);
