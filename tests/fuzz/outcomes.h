// SPDX-License-Identifier: MIT
/// Counts of each result, for the reports of long runs.
#pragma once
#include <zoetrope/zoetrope.h>

#include <stdint.h>
#include <stdio.h>

/// Ends the line on standard output with those that came at all.
static inline void outcomes_print(const uint64_t outcomes[ZT_RESULT_COUNT])
{
    for (int i = 0; i < ZT_RESULT_COUNT; i++)
        if (outcomes[i])
            printf(" %s %llu", zt_result_name((zt_result)i), (unsigned long long)outcomes[i]);
    printf("\n");
    fflush(stdout);
}
