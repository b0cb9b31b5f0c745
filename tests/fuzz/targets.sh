#!/bin/sh
# SPDX-License-Identifier: MIT
# targets.sh: prints the name of each fuzz target, which is one that defines fuzz_input().
cd "$(dirname "$0")" || exit 1
grep -l '^void fuzz_input(.*[^;]$' fuzz_*.c | sed 's/^fuzz_//; s/[.]c$//'
