// SPDX-License-Identifier: MIT
// Taking over pictures.
#include "cli/compare_accept.h"

#include "cli/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, BLOCK = 65536 };

bool accept_names(const options *o, const char *name, bool *used)
{
    bool any = false;
    for (int i = 2; i < o->input_count; i++) {
        if (strcmp(o->inputs[i], name) != 0 && fnmatch(o->inputs[i], name, 0) != 0)
            continue;
        used[i] = true;
        any = true;
    }
    return any;
}

static void make_parents(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        (void)mkdir(path, 0777);
        *slash = '/';
    }
}

static bool copy_bytes(int from, int to)
{
    char bytes[BLOCK];
    for (;;) {
        const ssize_t got = read(from, bytes, sizeof bytes);
        if (got <= 0)
            return got == 0;
        for (ssize_t at = 0; at < got;) {
            const ssize_t put = write(to, bytes + at, (size_t)(got - at));
            if (put < 0 || interrupt_raised())
                return false;
            at += put;
        }
    }
}

/// FOLDER/.NAME.tmp-PID-accept, which the watchdog knows.
static bool temporary_name(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    return snprintf(out, size, "%.*s.%s.tmp-%ld-accept", folder, path, path + folder,
                    (long)getpid()) < (int)size;
}

zt_result accept_copy(const char *picture_path, const char *golden_path, zt_error *err)
{
    char temporary[PATH_SIZE + 64];
    const int from = open(picture_path, O_RDONLY | O_CLOEXEC);
    if (from < 0) {
        snprintf(err->message, sizeof err->message, "%.400s: %s", picture_path, strerror(errno));
        return ZT_ERR_INPUT;
    }
    errno = ENAMETOOLONG;
    int to = -1;
    if (temporary_name(golden_path, temporary, sizeof temporary)) {
        make_parents(temporary);
        to = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    bool whole = to >= 0 && copy_bytes(from, to);
    if (to >= 0)
        whole = close(to) == 0 && whole;
    close(from);
    if (whole && rename(temporary, golden_path) == 0)
        return ZT_OK;
    const int fault = errno;
    if (to >= 0)
        unlink(temporary);
    if (interrupt_raised())
        return ZT_ERR_CANCELLED;
    snprintf(err->message, sizeof err->message, "%.400s: %s (the golden was not replaced)",
             golden_path, strerror(fault));
    return ZT_ERR_OUTPUT;
}

/// Appends a word as a shell reads it.
static void append_word(char *out, size_t size, const char *word)
{
    size_t at = strlen(out);
    const bool plain =
        word[0] && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789._/-+=:,@%") == strlen(word);
    if (plain) {
        snprintf(out + at, size - at, " %s", word);
        return;
    }
    at += (size_t)snprintf(out + at, size - at, " '");
    for (const char *c = word; *c && at + 8 < size; c++)
        at += (size_t)snprintf(out + at, size - at, "%.*s%c%s", *c == '\'' ? 2 : 0, "'\\", *c,
                               *c == '\'' ? "'" : "");
    snprintf(out + at, size - at, "'");
}

const char *accept_command(comparison_list *list, const options *o, const char *name)
{
    char text[3 * PATH_SIZE] = "zoetrope compare";
    append_word(text, sizeof text, o->inputs[0]);
    append_word(text, sizeof text, o->inputs[1]);
    append_word(text, sizeof text, "--accept");
    if (name)
        append_word(text, sizeof text, name);
    return comparison_text(list, "%s", text);
}
