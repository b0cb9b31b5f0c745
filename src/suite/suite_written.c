// SPDX-License-Identifier: MIT
/// See suite_written.h. Lines are added one by one, so that a run that is killed leaves its list.
#include "suite/suite_written.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIST_LIMIT = 64 << 20, MARK_SIZE = 17, LINE_SIZE = 4096 + MARK_SIZE };

static const char list_name[] = "/.written";

static const char *name_of(const suite_written *w, const char *path)
{
    return path + strlen(w->folder) + 1;
}

/// The line for the file at `path` as it is now: a hash of its size and of the time of its last
/// change, which the system alone sets, and its name. False: there is none.
static bool line_of(const suite_written *w, const char *path, char out[LINE_SIZE])
{
    struct stat status;
    const int file = file_open_below(path, strlen(w->folder), 0);
    const bool is_there = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    if (file >= 0)
        close(file);
    if (!is_there)
        return false;
    const int64_t state[] = {status.st_size, status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
    return snprintf(out, LINE_SIZE, "%016" PRIx64 " %s",
                    hash_words(HASH_START, state, sizeof state), name_of(w, path)) < LINE_SIZE;
}

/// Cuts the list into its lines.
static zt_result read_lines(suite_written *w, arena *a, zt_error *err)
{
    file_bytes bytes;
    w->count = 0;
    if (file_read_own(a, w->list, LIST_LIMIT, &bytes) != ZT_OK)
        bytes = (file_bytes){(const uint8_t *)"", 0};
    size_t lines = 0;
    for (size_t i = 0; i < bytes.size; i++)
        lines += bytes.data[i] == '\n';
    w->line = ARENA_ARRAY(a, const char *, lines);
    char *text = arena_text(a, (const char *)bytes.data, bytes.size);
    if (!w->line || !text || !hash_table_init(&w->table, a, lines))
        return arena_fail(a, err, "the list of results");
    for (char *end; (end = strchr(text, '\n')) != NULL && w->count < lines; text = end + 1) {
        *end = 0;
        if (end - text < MARK_SIZE)
            continue;
        uint32_t *slot = hash_table_text(&w->table, w->line, sizeof *w->line, text);
        if (*slot != 0)
            continue;
        w->line[w->count] = text;
        *slot = ++w->count;
    }
    return ZT_OK;
}

zt_result suite_written_begin(suite_written *w, const suite *s, arena *a, zt_error *err)
{
    *w = (suite_written){.folder = s->results};
    const size_t length = strlen(s->results);
    if (pthread_mutex_init(&w->lock, NULL) != 0)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for the list of results");
    ZT_TRY(ARENA_TAKE(a, &w->list, length + sizeof list_name, "the list of results", err));
    memcpy(w->list, s->results, length);
    memcpy(w->list + length, list_name, sizeof list_name);
    return read_lines(w, a, err);
}

bool suite_written_has(const suite_written *w, const char *path)
{
    char line[LINE_SIZE];
    return line_of(w, path, line) &&
           *hash_table_text(&w->table, w->line, sizeof *w->line, line) != 0;
}

const char *suite_written_path(const suite_written *w, uint32_t index, arena *a)
{
    return path_join(a, w->folder, w->line[index] + MARK_SIZE);
}

zt_result suite_written_add(suite_written *w, const char *path, zt_error *err)
{
    char line[LINE_SIZE];
    if (!line_of(w, path, line))
        return ZT_OK; // somebody has removed it
    pthread_mutex_lock(&w->lock);
    const int list =
        open(w->list, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    const bool added = list >= 0 && dprintf(list, "%s\n", line) > 0;
    const int error_number = errno;
    if (list >= 0)
        close(list);
    pthread_mutex_unlock(&w->lock);
    return added ? ZT_OK
                 : zt_fail(err, ZT_ERR_OUTPUT, "%s: cannot be written: %s", w->list,
                           strerror(error_number));
}

/// Writes the lines of files that are there as they were written; returns how many.
static uint32_t write_lines(const suite_written *w, file_writer *to, arena *scratch)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        char line[LINE_SIZE];
        const char *path = suite_written_path(w, i, scratch);
        if (!path || !line_of(w, path, line) || strcmp(line, w->line[i]) != 0)
            continue;
        if (file_writer_write(to, line, strlen(line), NULL) != ZT_OK ||
            file_writer_write(to, "\n", 1, NULL) != ZT_OK)
            return 0;
        kept++;
    }
    return kept;
}

/// Removes the folders of a name that are empty.
static void remove_empty(const suite_written *w, const char *name, arena *scratch)
{
    char *path = path_stays_inside(name) ? path_join(scratch, w->folder, name) : NULL;
    if (!path)
        return;
    for (char *slash = strrchr(path, '/'); slash && slash - path > (ptrdiff_t)strlen(w->folder);
         slash = strrchr(path, '/')) {
        *slash = 0;
        if (!file_remove_folder_below(path, strlen(w->folder)))
            return;
    }
}

void suite_written_end(suite_written *w, arena *scratch)
{
    file_writer to;
    if (!file_is_regular(w->list) || read_lines(w, scratch, NULL) != ZT_OK ||
        file_writer_open_below(&to, w->list, strlen(w->folder), NULL) != ZT_OK)
        return;
    if (write_lines(w, &to, scratch) > 0) {
        (void)file_writer_commit(&to, false, NULL);
    } else {
        file_writer_abandon(&to);
        (void)file_remove_below(w->list, strlen(w->folder));
    }
    for (uint32_t i = 0; i < w->count; i++)
        remove_empty(w, w->line[i] + MARK_SIZE, scratch);
    (void)unlinkat(AT_FDCWD, w->folder, AT_REMOVEDIR);
}

void suite_written_finish(suite_written *w)
{
    if (w->folder)
        pthread_mutex_destroy(&w->lock);
    *w = (suite_written){0};
}
