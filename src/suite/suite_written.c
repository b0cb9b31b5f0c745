// SPDX-License-Identifier: MIT
/// See suite_written.h. Names are added one by one, so that a run that is killed leaves its list.
#include "suite/suite_written.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LIST_LIMIT = 64 << 20 };

static const char list_name[] = "/.written";

static const char *name_of(const suite_written *w, const char *path)
{
    return path + strlen(w->folder) + 1;
}

/// Cuts the list into its lines.
static zt_result read_names(suite_written *w, arena *a, zt_error *err)
{
    file_bytes bytes;
    w->count = 0;
    if (file_read_own(a, w->list, LIST_LIMIT, &bytes) != ZT_OK)
        bytes = (file_bytes){(const uint8_t *)"", 0};
    size_t lines = 0;
    for (size_t i = 0; i < bytes.size; i++)
        lines += bytes.data[i] == '\n';
    w->name = ARENA_ARRAY(a, const char *, lines);
    char *text = arena_text(a, (const char *)bytes.data, bytes.size);
    if (!w->name || !text || !hash_table_init(&w->table, a, lines))
        return arena_fail(a, err, "the list of results");
    for (char *end; (end = strchr(text, '\n')) != NULL && w->count < lines; text = end + 1) {
        *end = 0;
        uint32_t *slot = hash_table_text(&w->table, w->name, sizeof *w->name, text);
        if (*slot != 0)
            continue;
        w->name[w->count] = text;
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
    w->list = ARENA_ARRAY(a, char, length + sizeof list_name);
    if (!w->list)
        return arena_fail(a, err, "the list of results");
    memcpy(w->list, s->results, length);
    memcpy(w->list + length, list_name, sizeof list_name);
    return read_names(w, a, err);
}

bool suite_written_has(const suite_written *w, const char *path)
{
    return *hash_table_text(&w->table, w->name, sizeof *w->name, name_of(w, path)) != 0;
}

zt_result suite_written_add(suite_written *w, const char *path, zt_error *err)
{
    if (suite_written_has(w, path))
        return ZT_OK;
    pthread_mutex_lock(&w->lock);
    const int list =
        open(w->list, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    const bool added = list >= 0 && dprintf(list, "%s\n", name_of(w, path)) > 0;
    const int error_number = errno;
    if (list >= 0)
        close(list);
    pthread_mutex_unlock(&w->lock);
    return added ? ZT_OK
                 : zt_fail(err, ZT_ERR_OUTPUT, "%s: cannot be written: %s", w->list,
                           strerror(error_number));
}

/// Writes the names of files that are there; returns how many.
static uint32_t write_names(const suite_written *w, file_writer *to, arena *scratch)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const char *path = path_join(scratch, w->folder, w->name[i]);
        if (!path || !file_is_below(path, strlen(w->folder)))
            continue;
        if (file_writer_write(to, w->name[i], strlen(w->name[i]), NULL) != ZT_OK ||
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
    if (!file_is_regular(w->list) || read_names(w, scratch, NULL) != ZT_OK ||
        file_writer_open_below(&to, w->list, strlen(w->folder), NULL) != ZT_OK)
        return;
    if (write_names(w, &to, scratch) > 0) {
        (void)file_writer_commit(&to, false, NULL);
    } else {
        file_writer_abandon(&to);
        (void)file_remove_below(w->list, strlen(w->folder));
    }
    for (uint32_t i = 0; i < w->count; i++)
        remove_empty(w, w->name[i], scratch);
    (void)unlinkat(AT_FDCWD, w->folder, AT_REMOVEDIR);
}

void suite_written_finish(suite_written *w)
{
    if (w->folder)
        pthread_mutex_destroy(&w->lock);
    *w = (suite_written){0};
}
