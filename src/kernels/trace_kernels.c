// SPDX-License-Identifier: MIT
// The loops of rays, of one instruction set. A node has eight children: AVX-512 takes eight lanes.
#ifdef ZT_ISA_AVX512_BUILD
#undef ZT_ISA_AVX512_BUILD
#define ZT_ISA_AVX2_BUILD 1
#endif
#include "kernels/stage_table.h"
#include "trace/trace_loops.h"

// clang-format off
#include "trace/trace.inl"
// clang-format on

extern const trace_loops STAGE_TABLE(trace);
const trace_loops STAGE_TABLE(trace) = {.nearest = trace_nearest, .any = trace_any};
