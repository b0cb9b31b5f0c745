// SPDX-License-Identifier: MIT
/// See sandbox_kernel.h. The filter is written by hand: with libseccomp 2.5.4 the program did not
/// end, or crashed, when single allocations were refused (tests/cli/refused_memory.sh).
#define _GNU_SOURCE // O_PATH, syscall, CLONE_THREAD
#include "cli/sandbox_kernel.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define WITH_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WITH_SANITIZER 1
#endif

#if defined(__linux__) && !defined(WITH_SANITIZER) && (defined(__x86_64__) || defined(__aarch64__))
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The size of a rule set; older kernels know a part of it, by its size (Linux 6.12, landlock.h).
typedef struct ruleset_attributes {
    uint64_t files; ///< rights that are taken away
    uint64_t tcp;   ///< since version 4: bind 1, connect 2
    uint64_t scope; ///< since version 6: abstract sockets 1, signals 2
} ruleset_attributes;

enum {
    RIGHT_REFER = 1 << 13,    ///< since version 2
    RIGHT_TRUNCATE = 1 << 14, ///< 3
    RIGHT_IOCTL = 1 << 15,    ///< 5
    RIGHTS_FIRST = (1 << 13) - 1
};

static uint64_t rights_of(int version)
{
    return (uint64_t)RIGHTS_FIRST | (version >= 2 ? RIGHT_REFER : 0u) |
           (version >= 3 ? RIGHT_TRUNCATE : 0u) | (version >= 5 ? RIGHT_IOCTL : 0u);
}

int sandbox_landlock_version(void)
{
    const long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

bool sandbox_rules_begin(sandbox_rules *rules)
{
    rules->version = sandbox_landlock_version();
    rules->descriptor = -1;
    const ruleset_attributes attributes = {rights_of(rules->version), 3, 3};
    const size_t size = rules->version >= 6 ? 24 : rules->version >= 4 ? 16 : 8;
    if (rules->version > 0)
        rules->descriptor = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    return rules->descriptor >= 0;
}

void sandbox_allow(sandbox_rules *rules, const char *path, sandbox_access access)
{
    const uint64_t of_files =
        LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | RIGHT_TRUNCATE;
    struct stat status;
    uint64_t rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    if (access == SANDBOX_LIST)
        rights = LANDLOCK_ACCESS_FS_READ_DIR;
    if (access == SANDBOX_WRITE)
        rights |= LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
                  LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                  LANDLOCK_ACCESS_FS_REMOVE_DIR | RIGHT_TRUNCATE;
    if (access == SANDBOX_REMOVE_FOLDERS)
        rights = LANDLOCK_ACCESS_FS_REMOVE_DIR;
    if (access == SANDBOX_REMOVE_FILES)
        rights = LANDLOCK_ACCESS_FS_REMOVE_FILE;
    const int descriptor = open(path, O_PATH | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &status) == 0 && !S_ISDIR(status.st_mode))
        rights &= of_files;
    const struct landlock_path_beneath_attr rule = {rights & rights_of(rules->version), descriptor};
    (void)syscall(SYS_landlock_add_rule, rules->descriptor, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(descriptor);
}

bool sandbox_rules_enforce(sandbox_rules *rules)
{
    const bool done = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                      syscall(SYS_landlock_restrict_self, rules->descriptor, 0) == 0;
    close(rules->descriptor);
    return done;
}

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#else
#define MACHINE AUDIT_ARCH_AARCH64
#endif

/// Memory, files that Landlock decides about, threads, time, the end, and the watching of ffmpeg.
static const uint16_t allowed[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_close,
    SYS_lseek,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_openat,
    SYS_openat2,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_mkdirat,
    SYS_renameat,
    SYS_renameat2,
    SYS_unlinkat,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_ftruncate,
    SYS_fsync,
    SYS_fdatasync,
    SYS_flock,
    SYS_fadvise64,
    SYS_getcwd,
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_brk,
    SYS_futex,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_sched_getaffinity,
    SYS_sched_setaffinity,
    SYS_sched_yield,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_getrandom,
    SYS_getpid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_sysinfo,
    SYS_uname,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_pipe2,
    SYS_ppoll,
    SYS_exit,
    SYS_exit_group,
    SYS_wait4,
    SYS_recvmsg, // of workers, whose sockets lead to the first process
    SYS_dup3,
#if defined(__x86_64__)
    SYS_dup2,
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_mkdir,
    SYS_rename,
    SYS_unlink,
    SYS_readlink,
    SYS_poll,
    SYS_getdents,
    SYS_time,
    SYS_arch_prctl,
#endif
};
enum { ALLOWED_COUNT = sizeof allowed / sizeof *allowed };

#define LOAD(member)                                                                               \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, member))
#define LOAD_HIGH(member)                                                                          \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, member) + 4)
#define IF_EQUAL(value, then, otherwise)                                                           \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), then, otherwise)
#define IF_BITS(bits, then, otherwise)                                                             \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(bits), then, otherwise)
#define RETURN(value)        BPF_STMT(BPF_RET | BPF_K, (uint32_t)(value))
#define REFUSE(error_number) RETURN(SECCOMP_RET_ERRNO | (error_number))
#define ALLOW                RETURN(SECCOMP_RET_ALLOW)
#define NAMESPACES                                                                                 \
    (CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET |     \
     CLONE_NEWCGROUP)

/// Programs for another instruction set, and calls with some of their arguments. Each block leaves
/// the number of the call in the accumulator for the next.
static int begin_filter(struct sock_filter *f, uint32_t own_pid)
{
    const struct sock_filter head[] = {
        LOAD(arch),
        IF_EQUAL(MACHINE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        // Threads, but no processes. clone3 has its flags in memory: clone stands in for it.
        IF_EQUAL(SYS_clone3, 0, 1),
        REFUSE(ENOSYS),
        IF_EQUAL(SYS_clone, 0, 4),
        LOAD(args[0]),
        IF_BITS(CLONE_THREAD, 0, 1),
        ALLOW,
        REFUSE(EPERM),
        // Whether a descriptor is a terminal, and how wide.
        IF_EQUAL(SYS_ioctl, 0, 5),
        LOAD(args[1]),
        IF_EQUAL(TCGETS, 1, 0),
        IF_EQUAL(TIOCGWINSZ, 0, 1),
        ALLOW,
        REFUSE(EPERM),
        // Flags and copies of descriptors; not their owners, signals and leases, which reach
        // others.
        IF_EQUAL(SYS_fcntl, 0, 9),
        LOAD(args[1]),
        IF_EQUAL(F_DUPFD, 5, 0),
        IF_EQUAL(F_DUPFD_CLOEXEC, 4, 0),
        IF_EQUAL(F_GETFD, 3, 0),
        IF_EQUAL(F_SETFD, 2, 0),
        IF_EQUAL(F_GETFL, 1, 0),
        IF_EQUAL(F_SETFL, 0, 1),
        ALLOW,
        REFUSE(EPERM),
        // Signals to itself, as abort() does.
        IF_EQUAL(SYS_tgkill, 0, 4),
        LOAD(args[0]),
        IF_EQUAL(own_pid, 0, 1),
        ALLOW,
        REFUSE(EPERM),
        // Limits are asked for and not set: both halves of the pointer to new ones are 0.
        IF_EQUAL(SYS_prlimit64, 0, 6),
        LOAD(args[2]),
        IF_EQUAL(0, 0, 3),
        LOAD_HIGH(args[2]),
        IF_EQUAL(0, 0, 1),
        ALLOW,
        REFUSE(EPERM),
    };
    const int count = (int)(sizeof head / sizeof *head);
    for (int i = 0; i < count; i++)
        f[i] = head[i];
    return count;
}

/// Allows calls whatever their arguments are, behind `count` steps. Returns the number of all.
static int allow_calls(struct sock_filter *f, int count, const uint16_t *calls, int call_count)
{
    for (int i = 0; i < call_count; i++) {
        f[count++] = (struct sock_filter)IF_EQUAL(calls[i], 0, 1);
        f[count++] = (struct sock_filter)ALLOW;
    }
    return count;
}

/// Calls that make workers: processes in no namespace of their own, their signals, pipes instead of
/// their standard files, and their filter, which comes on top of this one and has none of it.
static int begin_worker_filter(struct sock_filter *f)
{
    const struct sock_filter head[] = {
        LOAD(arch),
        IF_EQUAL(MACHINE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        IF_EQUAL(SYS_clone, 0, 4),
        LOAD(args[0]),
        IF_BITS(NAMESPACES, 0, 1),
        REFUSE(EPERM),
        ALLOW,
        IF_EQUAL(SYS_prctl, 0, 5),
        LOAD(args[0]),
        IF_EQUAL(PR_SET_PDEATHSIG, 1, 0),
        IF_EQUAL(PR_SET_NO_NEW_PRIVS, 0, 1),
        ALLOW,
        REFUSE(EPERM),
    };
    static const uint16_t calls[] = {
        SYS_getppid, SYS_kill, SYS_tgkill, // Landlock keeps signals within from version 6 on
        SYS_seccomp,
        // A worker of serve closes itself in further, and has nothing of other requests.
        SYS_landlock_create_ruleset, SYS_landlock_add_rule, SYS_landlock_restrict_self,
        SYS_close_range,
        // Clients of serve, whose socket is there before; the files of their requests in memory.
        SYS_accept4, SYS_memfd_create, SYS_socketpair, SYS_sendmsg};
    const int count = (int)(sizeof head / sizeof *head);
    for (int i = 0; i < count; i++)
        f[i] = head[i];
    return allow_calls(f, count, calls, (int)(sizeof calls / sizeof *calls));
}

bool sandbox_has_filter(void)
{
    const uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool sandbox_filter_calls(bool workers)
{
    struct sock_filter filter[2 * ALLOWED_COUNT + 100];
    int count = workers ? begin_worker_filter(filter) : 0;
    count += begin_filter(filter + count, (uint32_t)getpid());
    count = allow_calls(filter, count, allowed, ALLOWED_COUNT);
    filter[count++] = (struct sock_filter)REFUSE(EPERM);
    const struct sock_fprog program = {(unsigned short)count, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

#else

int sandbox_landlock_version(void) { return 0; }

bool sandbox_has_filter(void) { return false; }

bool sandbox_rules_begin(sandbox_rules *rules)
{
    (void)rules;
    return false;
}

void sandbox_allow(sandbox_rules *rules, const char *path, sandbox_access access)
{
    (void)rules, (void)path, (void)access;
}

bool sandbox_rules_enforce(sandbox_rules *rules)
{
    (void)rules;
    return false;
}

bool sandbox_filter_calls(bool workers)
{
    (void)workers;
    return false;
}

#endif
