// SPDX-License-Identifier: MIT
/// See file_find.h. The search goes down folder by folder.
#include "base/file_find.h"

#include "base/file_open.h"
#include "base/path.h"
#include "base/utf8.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4096, // bytes; longer paths cannot be opened anyway
    SCAN_LIMIT = 256  // folders read per search; bounds names like a/../a/../a
};

/// The search walks one component at a time; `path` is what has been found so far.
typedef struct search {
    char path[PATH_SIZE];
    size_t root_length; ///< of `path`
    int scans_left;
} search;

static bool same_name(const char *entry, const char *component, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (entry[i] == '\0' || ascii_lower(entry[i]) != ascii_lower(component[i]))
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
    const int descriptor = file_open_below(s->path, s->root_length, O_DIRECTORY);
    DIR *folder = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (!folder) {
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
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
    while (path_is_separator(*rest) || (rest[0] == '.' && path_is_separator(rest[1])))
        rest++;
    size_t component_length = 0;
    while (rest[component_length] && !path_is_separator(rest[component_length]))
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
        if (last ? file_is_below(s->path, s->root_length)
                 : find_below(s, longer, rest + component_length))
            return true;
    }
    return false;
}

char *file_find_ignoring_case(arena *a, const char *folder, size_t root_length, const char *name)
{
    search s = {.root_length = root_length, .scans_left = SCAN_LIMIT};
    const size_t length = strlen(folder);
    if (length >= PATH_SIZE)
        return NULL;
    memcpy(s.path, folder, length + 1);
    if (!find_below(&s, length, name))
        return NULL;
    return arena_text(a, s.path, strlen(s.path));
}
