// SPDX-License-Identifier: MIT
/// Before the sandbox of `serve`: its socket, and the folder of paths.
#define _GNU_SOURCE // flock, realpath
#include "base/machine.h"
#include "cli/commands.h"
#include "cli/option_value.h"
#include "cli/sandbox_kernel.h"
#include "cli/serve_call.h"
#include "cli/worker_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    BACKLOG = 256,
    QUEUE = 64,
    REQUEST_BYTES = 64 << 20,
    SOCKET_PATH_MAX = 100,
    FILES_MAX = 4096
};

static const char socket_there[] = "a socket to be made there";

static zt_result fail(const char *path, zt_result code, const char *expected, zt_error *err)
{
    return zt_fail(err, code, "%.400s: %s (expected %s)", path, strerror(errno), expected);
}

/// A server holds the lock as long as it lives, however it ends: a socket without one is left over.
static zt_result lock_socket(serve_options *s, zt_error *err)
{
    char path[SOCKET_PATH_MAX + 8];
    struct stat status;
    snprintf(path, sizeof path, "%s.lock", s->socket);
    s->lock = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (s->lock < 0)
        return fail(path, ZT_ERR_OUTPUT, socket_there, err);
    if (flock(s->lock, LOCK_EX | LOCK_NB) != 0)
        return zt_fail(err, ZT_ERR_OUTPUT, "%s: another server answers there (expected none)",
                       s->socket);
    if (lstat(s->socket, &status) == 0 && !S_ISSOCK(status.st_mode))
        return zt_fail(err, ZT_ERR_OUTPUT, "%s: is no socket (expected one, or nothing)",
                       s->socket);
    if (unlink(s->socket) != 0 && errno != ENOENT)
        return fail(s->socket, ZT_ERR_OUTPUT, socket_there, err);
    return ZT_OK;
}

static zt_result open_socket(serve_options *s, zt_error *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(s->socket) > SOCKET_PATH_MAX)
        return usage_error(err, "--socket of %zu bytes (expected at most %d)", strlen(s->socket),
                           SOCKET_PATH_MAX);
    ZT_TRY(lock_socket(s, err));
    strcpy(address.sun_path, s->socket);
    s->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const mode_t mask = umask(0177);
    const bool bound = s->listener >= 0 &&
                       bind(s->listener, (const struct sockaddr *)&address, sizeof address) == 0 &&
                       listen(s->listener, BACKLOG) == 0 && realpath(s->socket, s->socket_path);
    (void)umask(mask);
    return bound ? ZT_OK : fail(s->socket, ZT_ERR_OUTPUT, socket_there, err);
}

/// Each worker has its share of processors; of memory, three quarters are theirs.
static void share(options *o)
{
    const int32_t cores = machine_read("").cores;
    if (o->jobs == 0)
        o->jobs = cores < WORKERS_MAX ? cores : WORKERS_MAX;
    if (o->renderer.threads == 0)
        o->renderer.threads = cores;
    o->renderer.threads = o->renderer.threads > o->jobs ? o->renderer.threads / o->jobs : 1;
    o->load.threads = o->renderer.threads;
    if (o->serve.queue == 0)
        o->serve.queue = QUEUE;
    if (o->serve.max_request == 0)
        o->serve.max_request = REQUEST_BYTES;
}

void serve_limit(options *o)
{
    const uint64_t share = o->max_memory / 4 * 3 / (uint64_t)o->jobs;
    const uint64_t brought = SERVE_LINE_MAX + o->serve.max_request;
    o->max_memory = share;
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
        return;
    const rlim_t most = (rlim_t)(share > brought ? share : brought);
    limit.rlim_max = limit.rlim_max < most ? limit.rlim_max : most;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_FSIZE, &limit);
}

/// As many files as are allowed, within reason. Returns their number.
static int raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= FILES_MAX)
        return FILES_MAX;
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max < FILES_MAX ? limit.rlim_max : FILES_MAX;
    return (int)(setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : before);
}

zt_result serve_open(options *o, zt_error *err)
{
    serve_options *s = &o->serve;
    s->listener = s->lock = -1;
    if (o->input_count > 0)
        return usage_error(err, "serve with '%.200s' (expected flags: requests name their inputs)",
                           o->inputs[0]);
    if (s->stdio == (s->socket != NULL))
        return usage_error(err, "serve %s (expected --stdio or --socket PATH)",
                           s->stdio ? "--stdio with --socket" : "without a way in");
    share(o);
    s->descriptors = raise_descriptors();
    const int root = s->root ? open(s->root, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    if (s->root && root < 0)
        return fail(s->root, ZT_ERR_INPUT, "a folder", err);
    if (s->socket)
        ZT_TRY(open_socket(s, err));
    if (s->root && (fchdir(root) != 0 || close(root) != 0))
        return fail(s->root, ZT_ERR_INPUT, "a folder", err);
    // Landlock keeps scenes below --root. Without it they stay in their own folders.
    const bool everywhere = s->root && strcmp(s->root, "/") == 0;
    o->load.confine_scene =
        !everywhere && (o->sandbox == SANDBOX_OFF || sandbox_landlock_version() == 0);
    return ZT_OK;
}
