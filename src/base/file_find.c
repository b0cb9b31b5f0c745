// SPDX-License-Identifier: MIT
/// See file_find.h. The search goes down folder by folder.
#include "base/file_find.h"

#include "base/file_open.h"
#include "base/letter_form.h"
#include "base/path.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { SCAN_LIMIT = 256 }; // folders read per search; bounds names like a/../a/../a

/// The search walks one component at a time; `path` is what has been found so far.
typedef struct search {
    char path[FILE_PATH_SIZE];
    size_t root_length; ///< of `path`
    bool any_case;
    int scans_left;
} search;

static bool is_ascii(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] >= 0x80)
            return false;
    return true;
}

/// The smallest entry (by bytes) of the folder path[0..length) that matches `component` and is
/// larger than `after` ("" for any). The order of readdir never shows.
static bool next_match(search *s, size_t length, const char *component, size_t component_length,
                       const char *after, char out_name[256])
{
    if (!s->any_case && is_ascii(component, component_length)) {
        memcpy(out_name, component, component_length);
        out_name[component_length] = '\0';
        return !*after;
    }
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
        if (strlen(name) > 255 || !letters_are_same(name, component, component_length, s->any_case))
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
    if (length + slash + name_length + 1 > FILE_PATH_SIZE)
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
        const size_t longer = append(s, length, name, strlen(name));
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
    search s = {.root_length = root_length, .any_case = true, .scans_left = SCAN_LIMIT};
    const size_t length = strlen(folder);
    if (length >= FILE_PATH_SIZE)
        return NULL;
    memcpy(s.path, folder, length + 1);
    if (!find_below(&s, length, name))
        return NULL;
    return arena_text(a, s.path, strlen(s.path));
}

const char *file_form(const char *path, size_t root_length, char out[FILE_PATH_SIZE])
{
    search s = {.root_length = root_length, .scans_left = SCAN_LIMIT};
    const size_t length = root_length != FILE_ANYWHERE ? root_length : *path == '/';
    if (is_ascii(path, strlen(path)) || length >= FILE_PATH_SIZE || access(path, F_OK) == 0)
        return path;
    memcpy(s.path, path, length);
    if (!find_below(&s, length, path + length))
        return path;
    return memcpy(out, s.path, sizeof s.path);
}
