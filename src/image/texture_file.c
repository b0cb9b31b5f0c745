// SPDX-License-Identifier: MIT
/// Searches the file of a texture: exact name, other case, other folder, other format, in that
/// order; each deviation from the name is noted. See texture_file.h.
#include "image/texture_file.h"

#include "base/file_find.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/// How a found file differs from the name in the model.
typedef enum detour {
    DETOUR_FOLDER = 1, ///< textures/ or the texture folder of the caller
    DETOUR_CASE = 2,
    DETOUR_PATH = 4,   ///< the folders in the name were dropped
    DETOUR_FORMAT = 8, ///< .png or .jpg for .dds
} detour;

typedef struct texture_search {
    arena temporary;
    const char *folder[3];
    int folder_count;
    const char *path; ///< of the found file
    unsigned detours;
} texture_search;

/// A device or a pipe that a model names could block or never end.
static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/// Sets s->path when `name` is in one of the folders, first in this case, then in another. False
/// also when memory ran out (temporary.failed).
static bool find_name(texture_search *s, const char *name, unsigned detours)
{
    for (int ignoring_case = 0; ignoring_case < 2; ignoring_case++)
        for (int i = 0; i < s->folder_count; i++) {
            char *path = ignoring_case ? file_find_ignoring_case(&s->temporary, s->folder[i], name)
                                       : path_join(&s->temporary, s->folder[i], name);
            if (!path || !is_regular(path))
                continue;
            s->path = path;
            s->detours =
                detours | (i > 0 ? DETOUR_FOLDER : 0u) | (ignoring_case ? DETOUR_CASE : 0u);
            return true;
        }
    return false;
}

/// Searches the name with its folders, then without.
static bool find_with_folders(texture_search *s, const char *name, unsigned detours)
{
    // A name that leaves the folders is reduced to its file name.
    if (path_stays_inside(name) && find_name(s, name, detours))
        return true;
    const char *last = path_name(name);
    return last != name && *last && strcmp(last, "..") != 0 &&
           find_name(s, last, detours | DETOUR_PATH);
}

/// `name` with another extension; NULL: memory.
static char *with_extension(arena *a, const char *name, const char *extension)
{
    const char *dot = strrchr(name, '.');
    const size_t stem = dot ? (size_t)(dot - name) : strlen(name);
    char *changed = arena_alloc_raw(a, stem + strlen(extension) + 1, 1);
    if (!changed)
        return NULL;
    memcpy(changed, name, stem);
    memcpy(changed + stem, extension, strlen(extension) + 1);
    return changed;
}

static bool find_any(texture_search *s, const char *name)
{
    if (find_with_folders(s, name, 0))
        return true;
    char extension[8];
    path_extension(name, extension);
    if (strcmp(extension, "dds") != 0)
        return false;
    static const char *const instead[] = {".png", ".jpg", ".jpeg"};
    for (size_t i = 0; i < sizeof instead / sizeof *instead; i++) {
        const char *changed = with_extension(&s->temporary, name, instead[i]);
        if (changed && find_with_folders(s, changed, DETOUR_FORMAT))
            return true;
    }
    return false;
}

/// Sets the folders to search; returns the name with forward slashes. NULL: no memory.
static const char *search_begin(texture_search *s, const char *base_path, const char *name,
                                const char *texture_dir)
{
    const size_t length = (size_t)(path_name(base_path) - base_path);
    const char *base_folder = arena_text(&s->temporary, base_path, length);
    const char *textures = base_folder ? path_join(&s->temporary, base_folder, "textures") : NULL;
    char *local_name = arena_text(&s->temporary, name, strlen(name));
    if (!textures || !local_name)
        return NULL;
    s->folder[0] = base_folder;
    s->folder[1] = textures;
    s->folder[2] = texture_dir;
    s->folder_count = texture_dir ? 3 : 2;
    for (char *c = local_name; *c; c++)
        if (*c == '\\')
            *c = '/';
    return local_name;
}

static void note_detours(const message_sink *sink, const texture_search *s, const char *base_path,
                         const char *name)
{
    static const char *const words[] = {"another folder", "another case", "without its folders",
                                        "another format"};
    char text[96] = "";
    size_t length = 0;
    for (unsigned i = 0; i < 4; i++)
        if (s->detours >> i & 1)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                       length ? ", " : "", words[i]);
    if (length)
        message_note(sink, "%s: texture \"%s\" is taken from %s (%s)", base_path, name, s->path,
                     text);
}

/// Reads the file of the texture `name` into `a`; s->path becomes its path.
static zt_result find_and_read(texture_search *s, arena *a, const char *base_path, const char *name,
                               const char *texture_dir, const message_sink *sink, file_bytes *out,
                               zt_error *err)
{
    if (*name == 0)
        return zt_fail(err, ZT_ERR_INPUT, "%s: a texture without a name", base_path);
    const char *local_name = search_begin(s, base_path, name, texture_dir);
    if (!local_name || !find_any(s, local_name)) {
        if (s->temporary.failed != ZT_OK)
            return arena_fail(&s->temporary, err, "finding a texture");
        return zt_fail(
            err, ZT_ERR_INPUT,
            "%s: texture \"%s\" not found (searched the folder of the file, its textures/%s%s)",
            base_path, name, texture_dir ? " and " : "", texture_dir ? texture_dir : "");
    }
    note_detours(sink, s, base_path, name);
    const char *path = strcmp(s->path, "-") == 0 ? "./-" : s->path; // not standard input
    return file_read(a, path, out, err);
}

zt_result texture_read(arena *a, const char *base_path, const char *name, const char *texture_dir,
                       const message_sink *sink, file_bytes *out, zt_error *err)
{
    texture_search s = {.path = NULL};
    arena_init(&s.temporary, a->budget);
    const zt_result result = find_and_read(&s, a, base_path, name, texture_dir, sink, out, err);
    arena_finish(&s.temporary);
    return result;
}

static zt_result find_and_decode(texture_search *s, arena *a, const char *base_path,
                                 const char *name, const char *texture_dir, picture_need need,
                                 const message_sink *sink, picture *out, zt_error *err)
{
    file_bytes bytes;
    ZT_TRY(find_and_read(s, &s->temporary, base_path, name, texture_dir, sink, &bytes, err));
    return picture_decode(a, s->path, bytes, need, out, err);
}

zt_result texture_load(arena *a, const char *base_path, const char *name, const char *texture_dir,
                       picture_need need, const message_sink *sink, picture *out, zt_error *err)
{
    *out = (picture){0};
    texture_search s = {.path = NULL};
    arena_init(&s.temporary, a->budget);
    const zt_result result =
        find_and_decode(&s, a, base_path, name, texture_dir, need, sink, out, err);
    arena_finish(&s.temporary);
    return result;
}
