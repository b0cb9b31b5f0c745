// SPDX-License-Identifier: MIT
/// Cores, a clock, and the floating-point state of the machine.
#include "base/jobs.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <fenv.h>
#endif

/// Linux lists the cores that a process may use as a bit mask in hexadecimal words:
/// "Cpus_allowed:\tff,ffffffff" (proc(5)). 0 when there is no such list.
static long allowed_cores(void)
{
    static const char key[] = "Cpus_allowed:";
    FILE *status = fopen("/proc/self/status", "re");
    if (!status)
        return 0;
    long cores = 0;
    char line[4096];
    while (fgets(line, sizeof line, status)) {
        if (strncmp(line, key, sizeof key - 1) != 0)
            continue;
        for (const char *c = line + sizeof key - 1; *c; c++) {
            const char *digits = "0123456789abcdef";
            const char *digit = strchr(digits, *c);
            for (long bits = digit ? digit - digits : 0; bits; bits &= bits - 1)
                cores++;
        }
        break;
    }
    fclose(status);
    return cores;
}

int32_t job_core_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const long allowed = allowed_cores();
    if (allowed > 0 && (cores < 1 || allowed < cores))
        cores = allowed;
    return cores < 1 ? 1 : cores > 4096 ? 4096 : (int32_t)cores;
}

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

void float_state_leave(uint64_t saved)
{
    __builtin_ia32_ldmxcsr((uint32_t)saved);
}

#elif defined(__aarch64__)

// FPCR 0: round to nearest, FZ and AH off, no traps (Arm ARM, "FPCR").
static void write_fpcr(uint64_t value)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(value));
}

uint64_t float_state_enter(void)
{
    uint64_t saved;
    __asm__ volatile("mrs %0, fpcr" : "=r"(saved));
    write_fpcr(0);
    return saved;
}

void float_state_leave(uint64_t saved)
{
    write_fpcr(saved);
}

#else

uint64_t float_state_enter(void)
{
    const int saved = fegetround();
    fesetround(FE_TONEAREST);
    return (uint64_t)saved;
}

void float_state_leave(uint64_t saved)
{
    fesetround((int)saved);
}

#endif
