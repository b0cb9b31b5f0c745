// SPDX-License-Identifier: MIT
/// Paths as text, and the search for a file whose name differs in case: artists' tools write names
/// on file systems that do not care about case, and readers run on those that do.
#include "base/file.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    PATH_SIZE = 4096, // bytes; longer paths cannot be opened anyway
    SCAN_LIMIT = 256  // folders read per search; bounds names like a/../a/../a
};

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

void path_extension(const char *path, char out_extension[8])
{
    out_extension[0] = '\0';
    const char *name = path_name(path);
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name || strlen(dot + 1) > 7)
        return;
    for (size_t i = 0; i < 8; i++) {
        out_extension[i] = lower(dot[1 + i]);
        if (dot[1 + i] == '\0')
            return;
    }
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

char *path_beside(arena *a, const char *base, const char *name)
{
    const size_t folder_length = (size_t)(path_name(base) - base);
    return name[0] == '/' ? arena_text(a, name, strlen(name)) : join(a, base, folder_length, name);
}

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

bool path_stays_inside(const char *name)
{
    int depth = 0;
    if (is_separator(*name))
        return false;
    while (*name) {
        size_t length = 0;
        while (name[length] && !is_separator(name[length]))
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

/// The search walks one component at a time; `path` is what has been found so far.
typedef struct search {
    char path[PATH_SIZE];
    int scans_left;
} search;

static bool same_name(const char *entry, const char *component, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (entry[i] == '\0' || lower(entry[i]) != lower(component[i]))
            return false;
    }
    return entry[length] == '\0';
}

/// The smallest entry (by bytes) of the folder path[0..length) that matches `component` and is
/// larger than `after` ("" for any). The order of readdir never shows.
static bool next_match(search *s, size_t length, const char *component, size_t component_length,
                       const char *after, char out_name[256])
{
    if (s->scans_left-- <= 0)
        return false;
    s->path[length] = '\0';
    DIR *folder = opendir(length > 0 ? s->path : ".");
    if (!folder)
        return false;
    bool found = false;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *name = entry->d_name;
        if (strlen(name) > 255 || !same_name(name, component, component_length))
            continue;
        if (strcmp(name, after) > 0 && (!found || strcmp(name, out_name) < 0)) {
            memcpy(out_name, name, strlen(name) + 1);
            found = true;
        }
    }
    closedir(folder);
    return found;
}

/// Appends `name` to path[0..length); 0 when it does not fit.
static size_t append(search *s, size_t length, const char *name, size_t name_length)
{
    const bool slash = length > 0 && s->path[length - 1] != '/';
    if (length + slash + name_length + 1 > PATH_SIZE)
        return 0;
    if (slash)
        s->path[length++] = '/';
    memcpy(s->path + length, name, name_length);
    s->path[length + name_length] = '\0';
    return length + name_length;
}

/// Finds the rest of the name below path[0..length): depth first, matches in byte order.
static bool find_below(search *s, size_t length, const char *rest)
{
    while (is_separator(*rest) || (rest[0] == '.' && is_separator(rest[1])))
        rest++;
    size_t component_length = 0;
    while (rest[component_length] && !is_separator(rest[component_length]))
        component_length++;
    const bool last = rest[component_length] == '\0';
    if (component_length == 0 || component_length > 255)
        return false;
    if (component_length == 2 && rest[0] == '.' && rest[1] == '.') {
        const size_t longer = append(s, length, "..", 2);
        return longer > 0 && !last && find_below(s, longer, rest + 2);
    }
    char name[256] = "", next[256];
    while (next_match(s, length, rest, component_length, name, next)) {
        memcpy(name, next, sizeof name);
        const size_t longer = append(s, length, name, component_length);
        if (longer == 0)
            return false;
        if (last ? file_exists(s->path) : find_below(s, longer, rest + component_length))
            return true;
    }
    return false;
}

char *path_find_ignoring_case(arena *a, const char *folder, const char *name)
{
    search s = {.scans_left = SCAN_LIMIT};
    const size_t length = strlen(folder);
    if (length >= PATH_SIZE)
        return NULL;
    memcpy(s.path, folder, length + 1);
    if (!find_below(&s, length, name))
        return NULL;
    return arena_text(a, s.path, strlen(s.path));
}
