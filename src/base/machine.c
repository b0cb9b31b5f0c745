// SPDX-License-Identifier: MIT
/// Cores, a clock, and the floating-point state of the machine.
#include "base/machine.h"

#include "base/jobs.h"

#include <time.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <fenv.h>
#endif

int32_t job_core_count(void) { return machine_read("").cores; }

uint64_t job_clock_ns(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__)

/// MXCSR at power-on: all exceptions masked, round to nearest, FTZ and DAZ off (Intel SDM 10.2.3).
#define MXCSR_DEFAULT 0x1F80u

uint64_t float_state_enter(void)
{
    const uint64_t saved = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(MXCSR_DEFAULT);
    return saved;
}

void float_state_leave(uint64_t saved) { __builtin_ia32_ldmxcsr((uint32_t)saved); }

#elif defined(__aarch64__)

// FPCR 0: round to nearest, FZ and AH off, no traps (Arm ARM, "FPCR").
static void write_fpcr(uint64_t value) { __asm__ volatile("msr fpcr, %0" : : "r"(value)); }

uint64_t float_state_enter(void)
{
    uint64_t saved;
    __asm__ volatile("mrs %0, fpcr" : "=r"(saved));
    write_fpcr(0);
    return saved;
}

void float_state_leave(uint64_t saved) { write_fpcr(saved); }

#else

uint64_t float_state_enter(void)
{
    const int saved = fegetround();
    fesetround(FE_TONEAREST);
    return (uint64_t)saved;
}

void float_state_leave(uint64_t saved) { fesetround((int)saved); }

#endif
