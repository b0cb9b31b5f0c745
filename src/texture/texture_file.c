// SPDX-License-Identifier: MIT
/// Searches the file of a texture: exact name, other case, other folder, other format, in that
/// order; each deviation from the name is noted. See texture_file.h.
#include "texture/texture_file.h"

#include "base/file_find.h"
#include "base/file_open.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SEARCH_STEPS = 1024 }; ///< some calls of the system; names may be as short as a word

/// The difference of a found file from the name in the model.
typedef enum detour {
    DETOUR_FOLDER = 1, ///< textures/ or the texture folder of the caller
    DETOUR_CASE = 2,
    DETOUR_PATH = 4,   ///< the folders in the name were dropped
    DETOUR_FORMAT = 8, ///< .png or .jpg for .dds
} detour;

typedef struct texture_search {
    arena temporary;
    const texture_origin *origin;
    const char *folder[3];
    size_t root_length[3]; ///< of `folder`
    int folder_count;
    const char *path;        ///< of the found file
    size_t path_root_length; ///< of `path`
    unsigned detours;
} texture_search;

/// Sets s->path when a folder has `name`, in this case or another. False: none, or no memory.
static bool find_name(texture_search *s, const char *name, unsigned detours)
{
    for (int ignoring_case = 0; ignoring_case < 2; ignoring_case++)
        for (int i = 0; i < s->folder_count; i++) {
            arena *a = &s->temporary;
            const size_t root = s->root_length[i];
            char *path = ignoring_case ? file_find_ignoring_case(a, s->folder[i], root, name)
                                       : path_join(a, s->folder[i], name);
            if (!path || !file_is_below(path, root))
                continue;
            s->path = path;
            s->path_root_length = root;
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
    if (!has_suffix(name, ".dds"))
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
static const char *search_begin(texture_search *s, const char *name)
{
    const texture_origin *o = s->origin;
    const char *base_folder = arena_text(&s->temporary, o->path, path_folder_length(o->path));
    const char *textures = base_folder ? path_join(&s->temporary, base_folder, "textures") : NULL;
    char *local_name = arena_text(&s->temporary, name, strlen(name));
    if (!textures || !local_name)
        return NULL;
    s->folder[0] = base_folder;
    s->folder[1] = textures;
    s->folder[2] = o->texture_dir;
    s->root_length[0] = s->root_length[1] = o->root_length;
    s->root_length[2] = o->follow_links  ? FILE_ANYWHERE
                        : o->texture_dir ? strlen(o->texture_dir)
                                         : 0;
    s->folder_count = o->texture_dir ? 3 : 2;
    for (char *c = local_name; *c; c++)
        if (*c == '\\')
            *c = '/';
    return local_name;
}

static void note_detours(const message_sink *sink, const texture_search *s, const char *name)
{
    static const char *const words[] = {"another folder", "another case or form",
                                        "without its folders", "another format"};
    char text[96] = "";
    size_t length = 0;
    for (unsigned i = 0; i < 4; i++)
        if (s->detours >> i & 1)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                       length ? ", " : "", words[i]);
    if (length)
        message_note(sink, "%s: texture \"%s\" is taken from %s (%s)", s->origin->path, name,
                     s->path, text);
}

/// A texture's file from memory; a name that leads out is cut to its file name, as in folders.
static zt_result read_supplied(texture_search *s, arena *a, const char *name, file_bytes *out,
                               zt_error *err)
{
    const char *local_name = search_begin(s, name);
    if (!local_name)
        return arena_fail(&s->temporary, err, "finding a texture");
    s->path = path_stays_inside(local_name) ? local_name : path_name(local_name);
    zt_error unsaid = {ZT_OK, ""};
    const zt_result result = file_supply_read(s->origin->supply, a, s->path, out, &unsaid);
    if (result != ZT_OK)
        return zt_fail(err, result, "%s: texture \"%s\": %s", s->origin->path, name,
                       unsaid.message);
    hash_sum_add(s->origin->inputs, name, out->data, out->size);
    return ZT_OK;
}

/// True when the name leads through a link out of the folder of the file that uses it.
static bool leads_out(texture_search *s, const char *name)
{
    char *path = path_stays_inside(name) ? path_join(&s->temporary, s->folder[0], name) : NULL;
    const int descriptor = path ? file_open_below(path, s->root_length[0], 0) : -1;
    if (descriptor >= 0)
        close(descriptor);
    return path && descriptor < 0 && (errno == EXDEV || errno == ELOOP);
}

/// Reads the file of the texture `name` into `a`; s->path becomes its path.
static zt_result find_and_read(texture_search *s, arena *a, const char *name,
                               const message_sink *sink, file_bytes *out, zt_error *err)
{
    const texture_origin *o = s->origin;
    if (*name == 0)
        return zt_fail(err, ZT_ERR_INPUT, "%s: a texture without a name", o->path);
    ZT_TRY(arena_work(&s->temporary, SEARCH_STEPS, "files of textures", err));
    if (o->supply)
        return read_supplied(s, a, name, out, err);
    const char *local_name = search_begin(s, name);
    if (!local_name || !find_any(s, local_name)) {
        if (s->temporary.failed != ZT_OK)
            return arena_fail(&s->temporary, err, "finding a texture");
        if (leads_out(s, local_name))
            return zt_fail(err, ZT_ERR_INPUT,
                           "%s: texture \"%s\" leads out of its folder (expected a file in it, and "
                           "links that stay in it; --follow-links allows others)",
                           o->path, name);
        return zt_fail(
            err, ZT_ERR_INPUT,
            "%s: texture \"%s\" not found (searched the folder of the file, its textures/%s%s)",
            o->path, name, o->texture_dir ? " and " : "", o->texture_dir ? o->texture_dir : "");
    }
    note_detours(sink, s, name);
    ZT_TRY(file_read_below(NULL, a, s->path, s->path_root_length, out, err));
    hash_sum_add(o->inputs, name, out->data, out->size);
    return ZT_OK;
}

zt_result texture_read(arena *a, const texture_origin *origin, const char *name,
                       const message_sink *sink, file_bytes *out, zt_error *err)
{
    texture_search s = {.origin = origin};
    arena_init(&s.temporary, a->budget);
    const zt_result result = find_and_read(&s, a, name, sink, out, err);
    arena_finish(&s.temporary);
    return result;
}

static zt_result find_and_decode(texture_search *s, arena *a, const char *name, picture_need need,
                                 const message_sink *sink, picture *out, zt_error *err)
{
    file_bytes bytes = {0};
    const zt_result result = find_and_read(s, &s->temporary, name, sink, &bytes, err);
    if (result != ZT_OK) {
        out->lfs_pointer = file_is_lfs_pointer(bytes);
        return result;
    }
    return picture_decode(a, s->path, bytes, need, out, err);
}

zt_result texture_load(arena *a, const texture_origin *origin, const char *name, picture_need need,
                       const message_sink *sink, picture *out, zt_error *err)
{
    *out = (picture){0};
    texture_search s = {.origin = origin};
    arena_init(&s.temporary, a->budget);
    const zt_result result = find_and_decode(&s, a, name, need, sink, out, err);
    arena_finish(&s.temporary);
    return result;
}
