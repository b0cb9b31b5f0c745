// SPDX-License-Identifier: MIT
/// See machine.h.
#define _DEFAULT_SOURCE // sysconf names
#include "base/machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, LINE_SIZE = 4096, CORES_LIMIT = 4096 };

/// Groups have limits in these files; version 2 has one hierarchy, version 1 one for each kind.
typedef struct group_files {
    const char *controller; ///< of a line of /proc/self/cgroup; "": version 2
    const char *folders[2]; ///< where its hierarchy is mounted
} group_files;

static const group_files memory_v2 = {"", {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}};
static const group_files memory_v1 = {"memory", {"/sys/fs/cgroup/memory", NULL}};
static const group_files cpu_v2 = {"", {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}};
static const group_files cpu_v1 = {"cpu", {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"}};

static bool read_line(const char *path, char *line, int size)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    const bool read = fgets(line, size, file) != NULL;
    fclose(file);
    return read;
}

/// The number at the start of a file; false without one ("max").
static bool read_number(const char *folder, const char *name, int64_t *out)
{
    char path[PATH_SIZE], line[64], *end;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path ||
        !read_line(path, line, sizeof line))
        return false;
    *out = strtoll(line, &end, 10);
    return end != line;
}

static void limit_memory(const char *folder, bool v2, machine_share *out)
{
    int64_t bytes;
    if (read_number(folder, v2 ? "memory.max" : "memory.limit_in_bytes", &bytes) && bytes > 0 &&
        (uint64_t)bytes < out->memory)
        out->memory = (uint64_t)bytes;
}

static bool read_quota(const char *folder, bool v2, int64_t *quota, int64_t *period)
{
    char path[PATH_SIZE], line[64], *end;
    if (!v2)
        return read_number(folder, "cpu.cfs_quota_us", quota) &&
               read_number(folder, "cpu.cfs_period_us", period);
    if (snprintf(path, sizeof path, "%s/cpu.max", folder) >= (int)sizeof path ||
        !read_line(path, line, sizeof line))
        return false;
    *quota = strtoll(line, &end, 10); // "max" is no number
    if (end == line)
        return false;
    *period = strtoll(end, NULL, 10);
    return true;
}

static void limit_cores(const char *folder, bool v2, machine_share *out)
{
    int64_t quota, period;
    if (!read_quota(folder, v2, &quota, &period) || quota <= 0 || period <= 0)
        return;
    const int64_t cores = quota / period + (quota % period != 0);
    if (cores < out->cores)
        out->cores = (int32_t)cores;
}

/// True when `name` is one of the words of `list`, which end at a comma or colon.
static bool has_word(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (;;) {
        const size_t word = strcspn(list, ",:");
        if (word == length && strncmp(list, name, length) == 0)
            return true;
        if (list[word] != ',')
            return false;
        list += word + 1;
    }
}

/// The path of the process's group in a hierarchy: from a line "ID:CONTROLLERS:/PATH". A process
/// that sees its group as the root, as in most containers, has "/".
static bool find_group(const char *root, const char *controller, char out[LINE_SIZE])
{
    char path[PATH_SIZE], line[LINE_SIZE];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    bool found = false;
    if (!file)
        return false;
    while (!found && fgets(line, sizeof line, file)) {
        const char *list = strchr(line, ':');
        const char *group = list ? strchr(list + 1, ':') : NULL;
        if (!group || !has_word(list + 1, controller))
            continue;
        snprintf(out, LINE_SIZE, "%.*s", (int)strcspn(group + 1, "\n"), group + 1);
        found = true;
    }
    fclose(file);
    return found;
}

/// Applies `limit` to the group and all above it.
static void walk_groups(const char *root, const group_files *files,
                        void (*limit)(const char *folder, bool v2, machine_share *out),
                        machine_share *out)
{
    char group[LINE_SIZE], folder[PATH_SIZE];
    if (!find_group(root, files->controller, group) || strstr(group, ".."))
        group[0] = 0; // another name space: what is mounted is the process's own
    for (size_t i = 0; i < 2 && files->folders[i]; i++) {
        char *end = group + strlen(group);
        for (;;) {
            while (end > group && end[-1] == '/')
                end--;
            if (snprintf(folder, sizeof folder, "%s%s%.*s", root, files->folders[i],
                         (int)(end - group), group) < (int)sizeof folder)
                limit(folder, files->controller[0] == 0, out);
            if (end == group)
                break;
            while (end > group && end[-1] != '/')
                end--;
        }
    }
}

/// Linux lists the cores that a process may use as a bit mask in hexadecimal words:
/// "Cpus_allowed:\tff,ffffffff" (proc(5)). 0 when there is no such list.
static long allowed_cores(const char *root)
{
    static const char key[] = "Cpus_allowed:";
    char path[PATH_SIZE], line[LINE_SIZE];
    snprintf(path, sizeof path, "%s/proc/self/status", root);
    FILE *status = fopen(path, "re");
    if (!status)
        return 0;
    long cores = 0;
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

/// 2 GiB when the system does not say.
static uint64_t machine_memory(void)
{
#if defined(_SC_PHYS_PAGES)
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_size > 0)
        return (uint64_t)pages * (uint64_t)page_size;
#endif
    return (uint64_t)2 << 30;
}

machine_share machine_read(const char *root)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const long allowed = allowed_cores(root);
    if (allowed > 0 && (cores < 1 || allowed < cores))
        cores = allowed;
    machine_share share = {.memory = machine_memory(),
                           .cores = cores < 1             ? 1
                                    : cores > CORES_LIMIT ? CORES_LIMIT
                                                          : (int32_t)cores};
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY &&
        space.rlim_cur > 0 && (uint64_t)space.rlim_cur < share.memory)
        share.memory = (uint64_t)space.rlim_cur;
    walk_groups(root, &memory_v2, limit_memory, &share);
    walk_groups(root, &memory_v1, limit_memory, &share);
    walk_groups(root, &cpu_v2, limit_cores, &share);
    walk_groups(root, &cpu_v1, limit_cores, &share);
    return share;
}
