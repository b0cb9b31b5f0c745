// SPDX-License-Identifier: MIT
/// See sandbox_hole.h. ZT_HOLE_READ and ZT_HOLE_WRITE: paths that must be closed; ZT_HOLE_OPEN: a
/// file that must not be, which proves that the ways themselves work.
#define _GNU_SOURCE // syscall
#include "sandbox_hole.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int report(const char *way, bool open)
{
    if (open)
        printf("open: %s\n", way);
    return open;
}

static bool can_open(const char *path, int flags)
{
    const int descriptor = path ? open(path, flags, 0600) : -1;
    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

static bool can_connect(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    if (s < 0)
        return false;
    (void)connect(s, (struct sockaddr *)&address, sizeof address);
    return true; // a socket is too much
}

/// A program that does not exist: "not found" means that another would have run.
static bool can_execute(void)
{
    char *const arguments[] = {(char *)(uintptr_t) "x", NULL};
    return execv("/nonexistent/program", arguments) != 0 && errno != EPERM;
}

/// Nobody is traced, but the system must refuse before it looks.
static bool can_trace(void)
{
    return ptrace(PTRACE_PEEKDATA, getppid(), NULL, NULL) < 0 && errno != EPERM;
}

/// Standard input may be no terminal, but the system must refuse before it looks.
static bool can_type(void) { return ioctl(0, TIOCSTI, "x") == 0 || errno != EPERM; }

/// Sets what holds already.
static bool can_set_limits(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_CORE, &limit) != 0 || setrlimit(RLIMIT_CORE, &limit) == 0;
}

static bool can_fork(void)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid(child, NULL, 0);
    return child > 0;
}

static void *try_all(void *user)
{
    int *open_ways = user;
    int n = 0;
    n += report("read a file", can_open(getenv("ZT_HOLE_READ"), O_RDONLY));
    n += report("read the environment", can_open("/proc/self/environ", O_RDONLY));
    n += report("read memory", can_open("/proc/self/mem", O_RDWR));
    n += report("write a file", can_open(getenv("ZT_HOLE_WRITE"), O_WRONLY | O_CREAT));
    n += report("make a link", symlink("/etc/passwd", "hole-link") == 0);
    n += report("change rights", chmod(getenv("ZT_HOLE_OPEN"), 0777) == 0);
    n += report("connect", can_connect());
    n += report("execute", can_execute());
    n += report("signal", kill(getppid(), 0) == 0);
    n += report("trace", can_trace());
    n += report("a file from elsewhere", syscall(SYS_memfd_create, "x", 0) >= 0);
    n += report("type into a terminal", can_type());
    n += report("set limits", can_set_limits());
    n += report("abort another", syscall(SYS_tgkill, getppid(), getppid(), 0) == 0);
    n += report("own another's signals", fcntl(STDOUT_FILENO, F_SETOWN, getppid()) == 0);
    n += report("choose a signal", fcntl(STDOUT_FILENO, 10, SIGKILL) == 0); // F_SETSIG
    n += report("lease", fcntl(STDOUT_FILENO, 1024, F_RDLCK) == 0);         // F_SETLEASE
    n += report("fork", can_fork());
    if (!can_open(getenv("ZT_HOLE_OPEN"), O_RDONLY)) {
        printf("closed: a file that the command line names\n");
        n++;
    }
    *open_ways += n;
    return NULL;
}

int sandbox_hole_try(void)
{
    pthread_t thread;
    int open_ways = 0;
    try_all(&open_ways);
    if (pthread_create(&thread, NULL, try_all, &open_ways) == 0)
        pthread_join(thread, NULL);
    else
        open_ways += report("no thread", true);
    fflush(stdout);
    return open_ways;
}
