// SPDX-License-Identifier: MIT
/// Memory and cores that the machine, or the container that the process runs in, gives it.
#pragma once

#include <stdint.h>

typedef struct machine_share {
    uint64_t memory; ///< bytes: never 0
    int32_t cores;   ///< at least 1
} machine_share;

/// The smallest of: the machine's memory, the limits of the process's control groups and of all
/// groups above them, RLIMIT_AS; the cores that the process may run on, and the quota of processor
/// time of those groups, rounded up. `root` precedes the paths /proc and /sys ("" for the machine's
/// own); a file that is missing or unreadable sets no limit. References: Linux, cgroups(7);
/// "Control Group v2", memory.max, cpu.max; cgroup-v1, memory.limit_in_bytes, cpu.cfs_quota_us.
machine_share machine_read(const char *root);
