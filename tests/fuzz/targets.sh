#!/bin/sh
# SPDX-License-Identifier: MIT
# targets.sh: prints the name of each fuzz target, which has a corpus of its own; `models` is that of
# fuzz_models.c.
cd "$(dirname "$0")/corpus" || exit 1
ls | grep -vx models
