// SPDX-License-Identifier: MIT
/// Files: whole reads into an arena, and writes under a temporary name that are renamed into place
/// (POSIX: rename replaces atomically within one file system, hence the same folder).
///
/// Files are never mapped. Reading a mapped file that somebody truncated kills the process
/// (SIGBUS), one that is written to changes after it was checked, and a lease that prevents both
/// makes the opens of others wait or fail. A copy into huge pages is as fast as a mapping
/// (arena.c).
#include "base/file.h"

#include "base/file_inputs.h"
#include "base/file_supply.h"
#include "base/file_temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    READ_CHUNK = 1 << 20, // bytes of a stream read at once
    READ_PIECE = 4 << 20, // of a file that several threads read
    CALL_LIMIT = 1 << 30, // bytes per system call; Linux stops at 2 GiB
    WRITE_PIECE = 8 << 20 // bytes that are written before the caller is asked again
};

/// strerror without its shared buffer.
static const char *reason(int error_number, char text[128])
{
    if (strerror_r(error_number, text, 128) != 0)
        snprintf(text, 128, "error %d", error_number);
    return text;
}

/// Reads `size` bytes or up to the end of the file; from byte `from` on, or from where it is: -1.
/// Returns their number, or -1 on an error (errno).
static int64_t read_up_to(int descriptor, uint8_t *data, size_t size, off_t from)
{
    size_t done = 0;
    while (done < size) {
        const size_t rest = size - done, most = rest < CALL_LIMIT ? rest : CALL_LIMIT;
        const ssize_t got = from < 0 ? read(descriptor, data + done, most)
                                     : pread(descriptor, data + done, most, from + (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (int64_t)done;
}

static zt_result read_failed(const char *path, zt_error *err)
{
    char text[128];
    return zt_fail(err, ZT_ERR_INPUT, "%s: cannot read: %s", path, reason(errno, text));
}

static zt_result too_large(const char *path, uint64_t limit, zt_error *err)
{
    return zt_fail(err, ZT_ERR_LIMIT, "%s: larger than the limit of %" PRIu64 " bytes", path,
                   limit);
}

/// A file that all threads read: the kernel clears pages and copies as long as decoding takes.
typedef struct piece_loop {
    int descriptor;
    uint8_t *data;
    size_t size;
    _Atomic size_t missing; ///< it was truncated since
    _Atomic int error;      ///< errno
} piece_loop;

static void read_piece(void *user, int64_t index, int32_t worker)
{
    piece_loop *l = user;
    const size_t from = (size_t)index * READ_PIECE, rest = l->size - from;
    const size_t size = rest < READ_PIECE ? rest : READ_PIECE;
    const int64_t got = read_up_to(l->descriptor, l->data + from, size, (off_t)from);
    (void)worker;
    if (got < 0)
        l->error = errno;
    else
        l->missing += size - (size_t)got;
}

static int64_t read_pieces(job_pool *pool, int descriptor, uint8_t *data, size_t size)
{
    piece_loop l = {.descriptor = descriptor, .data = data, .size = size};
    job_pool_run_split(pool, (int64_t)((size + READ_PIECE - 1) / READ_PIECE), read_piece, &l);
    errno = l.error;
    return l.error ? -1 : (int64_t)(size - l.missing);
}

static zt_result read_sized(job_pool *pool, arena *a, int descriptor, const char *path, size_t size,
                            file_bytes *out_bytes, zt_error *err)
{
    uint8_t *data;
    ZT_TRY(ARENA_TAKE_RAW(a, &data, size + 1, path, err));
    const int64_t got = pool && size > READ_PIECE // less when it was truncated since
                            ? read_pieces(pool, descriptor, data, size)
                            : read_up_to(descriptor, data, size, -1);
    if (got < 0)
        return read_failed(path, err);
    data[got] = 0;
    *out_bytes = (file_bytes){data, (size_t)got};
    return ZT_OK;
}

typedef struct chunk {
    struct chunk *next;
    size_t size;
    uint8_t *data;
} chunk;

/// A pipe or device has no known size: collects chunks, then joins them.
static zt_result read_stream(arena *a, arena *chunks, int descriptor, const char *path,
                             uint64_t limit, file_bytes *out_bytes, zt_error *err)
{
    chunk *first = NULL, **link = &first;
    uint64_t total = 0;
    for (int64_t got = READ_CHUNK; got == READ_CHUNK;) {
        chunk *c = ARENA_ARRAY(chunks, chunk, 1);
        uint8_t *data = c ? arena_alloc_raw(chunks, READ_CHUNK, 1) : NULL;
        if (!data)
            return arena_fail(chunks, err, path);
        got = read_up_to(descriptor, data, READ_CHUNK, -1);
        if (got < 0)
            return read_failed(path, err);
        *c = (chunk){NULL, (size_t)got, data};
        *link = c;
        link = &c->next;
        total += (uint64_t)got;
        if (total > limit)
            return too_large(path, limit, err);
    }
    uint8_t *joined;
    ZT_TRY(ARENA_TAKE_RAW(a, &joined, (size_t)total + 1, path, err));
    size_t at = 0;
    for (const chunk *c = first; c; c = c->next) {
        memcpy(joined + at, c->data, c->size);
        at += c->size;
    }
    joined[at] = 0;
    *out_bytes = (file_bytes){joined, at};
    return ZT_OK;
}

static zt_result read_descriptor(job_pool *pool, arena *a, int descriptor, const char *path,
                                 uint64_t limit, file_bytes *out_bytes, zt_error *err)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return read_failed(path, err);
    if (S_ISDIR(status.st_mode))
        return zt_fail(err, ZT_ERR_INPUT, "%s: is a folder (a file was expected)", path);
    if (S_ISREG(status.st_mode) && status.st_size > 0) {
        // The rest of the file: standard input may be at any offset.
        const off_t here = lseek(descriptor, 0, SEEK_CUR);
        const off_t rest = here > 0 ? status.st_size - here : status.st_size;
        if (rest > 0 && (uint64_t)rest > limit)
            return too_large(path, limit, err);
        return read_sized(pool, a, descriptor, path, rest > 0 ? (size_t)rest : 0, out_bytes, err);
    }
    arena chunks;
    arena_init(&chunks, a->budget);
    const zt_result result = read_stream(a, &chunks, descriptor, path, limit, out_bytes, err);
    arena_finish(&chunks);
    return result;
}

bool file_is_lfs_pointer(file_bytes bytes)
{
    return bytes.data && bytes.size < 1024 &&
           file_starts_with(bytes, 0, "version https://git-lfs.github.com/spec/");
}

/// Fails for a Git LFS pointer (git-lfs, docs/spec.md).
static zt_result check_content(const char *path, file_bytes bytes, zt_error *err)
{
    if (!file_is_lfs_pointer(bytes))
        return ZT_OK;
    return zt_fail(err, ZT_ERR_INPUT,
                   "%s: a Git LFS pointer in place of the file (expected its content: run git lfs "
                   "pull)",
                   path);
}

/// `input`: no output may replace it.
static zt_result read_and_close(job_pool *pool, arena *a, int descriptor, bool input,
                                const char *path, uint64_t limit, file_bytes *out_bytes,
                                zt_error *err)
{
    const zt_result added = input ? file_input_add(a->budget, descriptor, path, err) : ZT_OK;
    if (added != ZT_OK) {
        close(descriptor);
        return added;
    }
    const zt_result result = read_descriptor(pool, a, descriptor, path, limit, out_bytes, err);
    close(descriptor);
    budget_read(a->budget, out_bytes->size);
    if (input && result == ZT_OK)
        file_input_note(a->budget, path, out_bytes->data, out_bytes->size);
    return result == ZT_OK ? check_content(path, *out_bytes, err) : result;
}

zt_result file_read(arena *a, const char *path, file_bytes *out_bytes, zt_error *err)
{
    return file_read_within(a, path, UINT64_MAX, out_bytes, err);
}

/// Why a file cannot be opened, perhaps one that another file names.
static zt_result cannot_open(const char *path, size_t root_length, int error_number, zt_error *err)
{
    char text[128];
    if (error_number == EXDEV || (error_number == ELOOP && root_length != FILE_ANYWHERE))
        return zt_fail(err, ZT_ERR_INPUT,
                       "%s: leads out of its folder (expected a file in it, and links that stay "
                       "in it; --follow-links allows others)",
                       path);
    return zt_fail(err, ZT_ERR_INPUT, "%s: cannot open: %s", path, reason(error_number, text));
}

static zt_result read_path(job_pool *pool, arena *a, const char *path, bool input, uint64_t limit,
                           file_bytes *out_bytes, zt_error *err)
{
    const uint64_t file_bytes_limit = a->budget->limits->file_bytes;
    limit = limit < file_bytes_limit ? limit : file_bytes_limit;
    *out_bytes = (file_bytes){NULL, 0};
    if (strcmp(path, "-") == 0) {
        ZT_TRY(read_descriptor(NULL, a, STDIN_FILENO, "standard input", limit, out_bytes, err));
        budget_read(a->budget, out_bytes->size);
        file_input_note(a->budget, path, out_bytes->data, out_bytes->size);
        return check_content("standard input", *out_bytes, err);
    }
    const void *supplied;
    size_t size;
    if (file_input_supplied(a->budget, path, &supplied, &size))
        return file_copy(a, path, supplied, size, out_bytes, err);
    char other[FILE_PATH_SIZE];
    const int descriptor = open(file_form(path, FILE_ANYWHERE, other), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return cannot_open(path, FILE_ANYWHERE, errno, err);
    return read_and_close(pool, a, descriptor, input, path, limit, out_bytes, err);
}

zt_result file_read_on(job_pool *pool, arena *a, const char *path, file_bytes *out_bytes,
                       zt_error *err)
{
    return read_path(pool, a, path, true, UINT64_MAX, out_bytes, err);
}

zt_result file_read_within(arena *a, const char *path, uint64_t limit, file_bytes *out_bytes,
                           zt_error *err)
{
    return read_path(NULL, a, path, true, limit, out_bytes, err);
}

zt_result file_read_replaceable(arena *a, const char *path, file_bytes *out_bytes, zt_error *err)
{
    return read_path(NULL, a, path, false, UINT64_MAX, out_bytes, err);
}

zt_result file_read_below(job_pool *pool, arena *a, const char *path, size_t root_length,
                          file_bytes *out_bytes, zt_error *err)
{
    struct stat status;
    *out_bytes = (file_bytes){NULL, 0};
    char other[FILE_PATH_SIZE];
    const int descriptor = file_open_below(file_form(path, root_length, other), root_length, 0);
    // ENXIO: a socket.
    if (descriptor < 0 && errno != ENXIO)
        return cannot_open(path, root_length, errno, err);
    if (descriptor < 0 || fstat(descriptor, &status) != 0 ||
        (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))) {
        if (descriptor >= 0)
            close(descriptor);
        return zt_fail(err, ZT_ERR_INPUT, "%s is a pipe or device (expected a regular file)", path);
    }
    return read_and_close(pool, a, descriptor, true, path, a->budget->limits->file_bytes, out_bytes,
                          err);
}

zt_result file_read_own(arena *a, const char *path, uint64_t limit, file_bytes *out_bytes)
{
    struct stat status;
    *out_bytes = (file_bytes){NULL, 0};
    const int descriptor = file_open_below(path, FILE_ANYWHERE, 0);
    if (descriptor < 0)
        return ZT_ERR_INPUT;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        (uint64_t)status.st_size <= limit)
        return read_and_close(NULL, a, descriptor, false, path, limit, out_bytes, NULL);
    close(descriptor);
    return ZT_ERR_INPUT;
}

bool file_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

bool file_starts_with(file_bytes bytes, size_t at, const char *text)
{
    const size_t length = strlen(text);
    return bytes.size - at >= length && memcmp(bytes.data + at, text, length) == 0;
}

bool file_is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool file_is_same(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

// ---- Writing ------------------------------------------------------------------------------------

static zt_result write_failed(const char *path, const char *what, zt_error *err)
{
    char text[128];
    const zt_result code = errno == ENOMEM ? ZT_ERR_MEMORY : ZT_ERR_OUTPUT;
    return zt_fail(err, code, "%s: cannot %s: %s", path, what, reason(errno, text));
}

/// Creates the missing folders of `path` up to its last slash. `path` is changed and restored.
static bool make_parents(char *path)
{
    if (!*path)
        return true;
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        const int error_number = errno;
        struct stat status;
        const bool exists = made || stat(path, &status) == 0; // EROFS in a read-only parent
        *slash = '/';
        if (!exists) {
            errno = error_number;
            return false;
        }
    }
    return true;
}

static void forget(file_writer *w)
{
    if (w->folder >= 0)
        close(w->folder);
    free(w->temporary);
    free(w->path);
    *w = (file_writer){.descriptor = -1, .folder = AT_FDCWD};
}

int file_open_already(const char *path)
{
    enum { DESCRIPTORS = 256 };
    struct stat link, target, own;
    if (lstat(path, &link) != 0 || !S_ISLNK(link.st_mode) || stat(path, &target) != 0 ||
        !S_ISREG(target.st_mode))
        return -1;
    for (int d = STDOUT_FILENO; d < DESCRIPTORS; d++) {
        const int flags = fcntl(d, F_GETFL);
        if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(d, &own) == 0 &&
            own.st_dev == target.st_dev && own.st_ino == target.st_ino)
            return d;
    }
    return -1;
}

/// Opens what a path leads to that is no regular file, or one that this process has open.
static int open_in_place(file_writer *w, int already)
{
    if (already < 0)
        return open(w->path, O_WRONLY | O_CLOEXEC);
    w->begin = lseek(already, 0, SEEK_CUR);
    return fcntl(already, F_DUPFD_CLOEXEC, 0);
}

/// The writer with a copy of its path.
static zt_result begin_writer(file_writer *w, const char *path, zt_error *err)
{
    *w = (file_writer){.descriptor = -1, .folder = AT_FDCWD};
    const size_t length = strlen(path);
    if (length == 0 || length > INT32_MAX / 2 || path[length - 1] == '/')
        return zt_fail(err, ZT_ERR_OUTPUT, "%s: not a file name", path);
    w->path = malloc(length + 1);
    if (!w->path)
        return zt_fail(err, ZT_ERR_MEMORY, "%s: the system has no memory left", path);
    memcpy(w->path, path, length + 1);
    w->name = w->path;
    return ZT_OK;
}

/// Forgets the writer; errno says what failed. `below`: a folder of its path.
static zt_result fail_to_create(file_writer *w, bool below, zt_error *err)
{
    const zt_result result =
        below && (errno == ELOOP || errno == ENOTDIR || errno == EXDEV)
            ? zt_fail(err, ZT_ERR_OUTPUT,
                      "%s: leads out of its folder (expected folders that are no links)", w->path)
            : write_failed(w->path, "create", err);
    forget(w);
    return result;
}

zt_result file_writer_open_below(file_writer *w, const char *path, size_t root_length,
                                 zt_error *err)
{
    struct stat status;
    if (root_length == FILE_ANYWHERE)
        return file_writer_open(w, path, err);
    ZT_TRY(begin_writer(w, path, err));
    // The root and its folders are the caller's: links in them are followed.
    char *end = w->path + root_length + (w->path[root_length] == '/');
    const char kept = *end;
    *end = '\0';
    const bool made = make_parents(w->path);
    *end = kept;
    w->folder = made ? file_folder_below(w->path, root_length, true) : -1;
    if (w->folder < 0)
        return fail_to_create(w, made, err);
    w->name = path_name(w->path);
    if (fstatat(w->folder, w->name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode)) {
        forget(w);
        return zt_fail(err, ZT_ERR_OUTPUT, "%s: is a folder (a file name was expected)", path);
    }
    w->descriptor = file_temporary_create(w->folder, w->name, &w->temporary);
    return w->descriptor < 0 ? fail_to_create(w, false, err) : ZT_OK;
}

static bool remove_below(const char *path, size_t root_length, int flags)
{
    const int folder =
        root_length == FILE_ANYWHERE ? AT_FDCWD : file_folder_below(path, root_length, false);
    if (folder == -1)
        return errno == ENOENT;
    const char *name = folder == AT_FDCWD ? path : path_name(path);
    const bool gone = unlinkat(folder, name, flags) == 0 || errno == ENOENT;
    if (folder != AT_FDCWD)
        close(folder);
    return gone;
}

bool file_remove_below(const char *path, size_t root_length)
{
    return remove_below(path, root_length, 0);
}

bool file_remove_folder_below(const char *path, size_t root_length)
{
    return remove_below(path, root_length, AT_REMOVEDIR);
}

zt_result file_writer_open(file_writer *w, const char *path, zt_error *err)
{
    ZT_TRY(begin_writer(w, path, err));
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    // The name of the temporary file is cut: only the rename would fail.
    if (!exists && errno == ENAMETOOLONG)
        return fail_to_create(w, false, err);
    if (exists && S_ISDIR(status.st_mode)) {
        forget(w);
        return zt_fail(err, ZT_ERR_OUTPUT, "%s: is a folder (a file name was expected)", path);
    }
    const int already = file_open_already(path);
    if (exists && (!S_ISREG(status.st_mode) || already >= 0))
        // A device or pipe (/dev/null) is written to, never replaced by a file.
        w->descriptor = open_in_place(w, already);
    else
        w->descriptor =
            make_parents(w->path) ? file_temporary_create(AT_FDCWD, w->path, &w->temporary) : -1;
    return w->descriptor < 0 ? fail_to_create(w, false, err) : ZT_OK;
}

zt_result file_writer_write(file_writer *w, const void *data, size_t size, zt_error *err)
{
    const char *bytes = data;
    while (size > 0) {
        if (budget_cancelled(w->work))
            return cancel_fail(err);
        const ssize_t done = write(w->descriptor, bytes, size < WRITE_PIECE ? size : WRITE_PIECE);
        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = ENOSPC;
        if (done <= 0)
            return write_failed(w->path, "write", err);
        bytes += done;
        size -= (size_t)done;
    }
    return ZT_OK;
}

zt_result file_writer_write_first(file_writer *w, const void *data, size_t size, zt_error *err)
{
    const char *bytes = data;
    size_t at = 0;
    errno = ESPIPE;
    if (fcntl(w->descriptor, F_GETFL) & O_APPEND) // pwrite would append
        return write_failed(w->path, "write the beginning of", err);
    while (at < size) {
        const ssize_t done = pwrite(w->descriptor, bytes + at, size - at, w->begin + (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = ENOSPC;
        if (done <= 0)
            return write_failed(w->path, "write the beginning of", err);
        at += (size_t)done;
    }
    return ZT_OK;
}

/// The new name survives a crash of the machine only when the folder is flushed, too. A folder that
/// cannot be opened or synced (on some network file systems) is not a failure of the write.
void file_sync_name(const char *path)
{
    char folder[PATH_MAX];
    const int descriptor = open(path_folder(path, folder, sizeof folder), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

zt_result file_writer_seal(file_writer *w, bool sync, zt_error *err)
{
    if (w->descriptor < 0)
        return ZT_OK;
    zt_result result = w->temporary ? file_input_check(w->work, w->path, err) : ZT_OK;
    // EINVAL: a device or pipe has nothing to flush.
    if (sync && result == ZT_OK && fsync(w->descriptor) != 0 && errno != EINVAL)
        result = write_failed(w->path, "flush", err);
    if (close(w->descriptor) != 0 && result == ZT_OK)
        result = write_failed(w->path, "write", err);
    w->descriptor = -1;
    return result;
}

zt_result file_writer_commit(file_writer *w, bool sync, zt_error *err)
{
    zt_result result = file_writer_seal(w, sync, err);
    if (result == ZT_OK && budget_cancelled(w->work))
        result = cancel_fail(err);
    if (result == ZT_OK && w->temporary &&
        renameat(w->folder, w->temporary, w->folder, w->name) != 0)
        result = write_failed(w->path, "rename into place", err);
    if (result == ZT_OK) {
        if (sync && w->temporary)
            file_sync_name(w->path);
        forget(w);
    } else {
        file_writer_abandon(w);
    }
    return result;
}

void file_writer_abandon(file_writer *w)
{
    if (!w->path)
        return;
    if (w->descriptor >= 0)
        close(w->descriptor);
    if (w->temporary)
        unlinkat(w->folder, w->temporary, 0);
    forget(w);
}

zt_result file_writer_end(file_writer *w, zt_result result, bool sync, zt_error *err)
{
    if (result == ZT_OK)
        return file_writer_commit(w, sync, err);
    file_writer_abandon(w);
    return result;
}

zt_result file_save(const char *path, size_t root_length, file_bytes bytes, bool sync, budget *work,
                    zt_error *err)
{
    file_writer w;
    ZT_TRY(file_writer_open_below(&w, path, root_length, err));
    w.work = work;
    return file_writer_end(&w, file_writer_write(&w, bytes.data, bytes.size, err), sync, err);
}
