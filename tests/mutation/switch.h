// SPDX-License-Identifier: MIT
/// `sample` includes this before everything: it says which of the small faults in a build is on.
#pragma once

extern int zt_mutant;                     ///< the number of the fault that is on, from 1; 0: none
extern unsigned char *zt_mutants_reached; ///< [number]: its place was passed

/// True where fault `number` takes the place of what the source says.
static inline int zt_mutant_on(int number)
{
    if (!zt_mutants_reached[number])
        zt_mutants_reached[number] = 1;
    return zt_mutant == number;
}
