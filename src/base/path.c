// SPDX-License-Identifier: MIT
#include "base/path.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

size_t path_folder_length(const char *path) { return (size_t)(path_name(path) - path); }

char *path_folder(const char *path, char *out, size_t size)
{
    const size_t length = path_folder_length(path);
    snprintf(out, size, "%.*s", length > 0 ? (int)length : 1, length > 0 ? path : ".");
    return out;
}

size_t path_stem_length(const char *path)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return dot && dot != name ? (size_t)(dot - path) : strlen(path);
}

void path_extension(const char *path, char out_extension[8])
{
    out_extension[0] = '\0';
    const char *dot = path + path_stem_length(path);
    if (*dot == '\0' || strlen(dot + 1) > 7)
        return;
    for (size_t i = 0; i < 8; i++) {
        out_extension[i] = ascii_lower(dot[1 + i]);
        if (dot[1 + i] == '\0')
            return;
    }
}

bool has_suffix(const char *path, const char *suffix)
{
    const char *name = path_name(path);
    const size_t length = strlen(name), tail = strlen(suffix);
    size_t same = 0;
    while (length > tail && same < tail && ascii_lower(name[length - tail + same]) == suffix[same])
        same++;
    return same == tail;
}

static char *join(arena *a, const char *folder, size_t folder_length, const char *name)
{
    const size_t name_length = strlen(name);
    const bool slash = folder_length > 0 && folder[folder_length - 1] != '/';
    char *path = arena_alloc_raw(a, folder_length + slash + name_length + 1, 1);
    if (!path)
        return NULL;
    memcpy(path, folder, folder_length);
    if (slash)
        path[folder_length] = '/';
    memcpy(path + folder_length + slash, name, name_length + 1);
    return path;
}

char *path_join(arena *a, const char *folder, const char *name)
{
    return name[0] == '/' ? arena_text(a, name, strlen(name))
                          : join(a, folder, strlen(folder), name);
}

char *path_sibling(arena *a, const char *base, const char *name)
{
    const size_t folder_length = path_folder_length(base);
    return name[0] == '/' ? arena_text(a, name, strlen(name)) : join(a, base, folder_length, name);
}

bool path_stays_inside(const char *name)
{
    int depth = 0;
    if (path_is_separator(*name))
        return false;
    while (*name) {
        size_t length = 0;
        while (name[length] && !path_is_separator(name[length]))
            length++;
        if (length == 2 && name[0] == '.' && name[1] == '.')
            depth--;
        else if (length > 0 && !(length == 1 && name[0] == '.'))
            depth++;
        if (depth < 0)
            return false;
        name += length + (name[length] != 0);
    }
    return true;
}
