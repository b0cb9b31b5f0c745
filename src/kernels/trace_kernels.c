// SPDX-License-Identifier: MIT
// The loops of rays, of one instruction set.
#include "kernels/stage_table.h"
#include "trace/trace_loops.h"

// clang-format off
#include "trace/trace.inl"
// clang-format on

extern const trace_loops STAGE_TABLE(trace);
const trace_loops STAGE_TABLE(trace) = {.nearest = trace_nearest, .any = trace_any};
