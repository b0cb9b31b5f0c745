// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // stat's times
#include "thumbnail/desktop_cache.h"

#include "base/model_names.h"
#include "thumbnail/thumbnail_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool desktop_cache_folder(char out[DESKTOP_PATH_SIZE])
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;
    if (base && base[0] == '/') // relative ones are to be ignored
        length = snprintf(out, DESKTOP_PATH_SIZE, "%s/thumbnails", base);
    else if (home && home[0] == '/')
        length = snprintf(out, DESKTOP_PATH_SIZE, "%s/.cache/thumbnails", home);
    return length > 0 && length < DESKTOP_PATH_SIZE;
}

const char *desktop_size_name(int32_t side)
{
    switch (side) {
    case 128: return "normal";
    case 256: return "large";
    case 512: return "x-large";
    case 1024: return "xx-large";
    default: return NULL;
    }
}

/// An absolute path without "." and "..", as text: links stay, as file managers show them.
static bool absolute_path(const char *path, char out[DESKTOP_PATH_SIZE])
{
    char whole[2 * DESKTOP_PATH_SIZE];
    size_t used = 0;
    if (path[0] == '/')
        snprintf(whole, sizeof whole, "%s", path);
    else if (getcwd(out, DESKTOP_PATH_SIZE))
        snprintf(whole, sizeof whole, "%s/%s", out, path);
    else
        return false;
    for (const char *at = whole; *at;) {
        at += strspn(at, "/");
        const size_t part = strcspn(at, "/");
        if (part == 2 && memcmp(at, "..", 2) == 0) {
            while (used > 0 && out[--used] != '/')
                ;
        } else if (part > 0 && !(part == 1 && at[0] == '.')) {
            if (used + part + 2 > DESKTOP_PATH_SIZE)
                return false;
            out[used++] = '/';
            memcpy(out + used, at, part);
            used += part;
        }
        at += part;
    }
    out[used] = '\0';
    return used > 0;
}

/// The bytes that stay as they are are those of GLib's g_filename_to_uri(): other programs find
/// the picture by the URI that GLib makes (RFC 3986 leaves more than one).
static void write_uri(const char *path, char out[DESKTOP_URI_SIZE])
{
    static const char kept[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "!$&'()*+,-./:=@_~";
    size_t used = (size_t)snprintf(out, DESKTOP_URI_SIZE, "file://");
    for (; *path && used + 4 < DESKTOP_URI_SIZE; path++) {
        if (strchr(kept, *path))
            out[used++] = *path;
        else
            used += (size_t)snprintf(out + used, 4, "%%%02X", (unsigned)(unsigned char)*path);
    }
    out[used] = '\0';
}

static const char *mime_type_of(const char *path)
{
    const char *type = model_mime_type(path);
    return type ? type : "application/octet-stream";
}

/// Up to the first blank: without the commit.
static int version_length(void) { return (int)strcspn(zt_version(), " "); }

zt_result desktop_entry_make(const char *path, const char *cache, desktop_entry *out, zt_error *err)
{
    struct stat status;
    char whole[DESKTOP_PATH_SIZE];
    const size_t length = strlen(cache);
    *out = (desktop_entry){.mime_type = mime_type_of(path)};
    if (!absolute_path(path, whole))
        return zt_fail(err, ZT_ERR_ARGUMENT, "a path that is too long: %.60s", path);
    if (strncmp(whole, cache, length) == 0 && whole[length] == '/')
        return zt_fail(err, ZT_ERR_INPUT,
                       "%.900s: lies in the cache of thumbnails (expected a model elsewhere)",
                       path);
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return zt_fail(err, ZT_ERR_INPUT, "%.900s: cannot open (expected a regular file)", path);
    write_uri(whole, out->uri);
    md5_text(out->uri, strlen(out->uri), out->md5);
    snprintf(out->mtime, sizeof out->mtime, "%" PRId64, (int64_t)status.st_mtime);
    snprintf(out->size, sizeof out->size, "%" PRId64, (int64_t)status.st_size);
    snprintf(out->software, sizeof out->software, "Zoetrope %.*s", version_length(), zt_version());
    return ZT_OK;
}

bool desktop_entry_path(const desktop_entry *entry, const char *cache, const char *folder,
                        char out[DESKTOP_PATH_SIZE])
{
    return snprintf(out, DESKTOP_PATH_SIZE, "%s/%s/%s.png", cache, folder, entry->md5) <
           DESKTOP_PATH_SIZE;
}

void desktop_failures(char *out, size_t size)
{
    snprintf(out, size, "fail/zoetrope-%.*s", version_length(), zt_version());
}

void desktop_entry_texts(const desktop_entry *entry, zt_picture_text out[DESKTOP_TEXTS])
{
    out[0] = (zt_picture_text){"Thumb::URI", entry->uri};
    out[1] = (zt_picture_text){"Thumb::MTime", entry->mtime};
    out[2] = (zt_picture_text){"Thumb::Size", entry->size};
    out[3] = (zt_picture_text){"Thumb::Mimetype", entry->mime_type};
    out[4] = (zt_picture_text){"Software", entry->software};
}

bool desktop_entry_is_current(const desktop_entry *entry, const char *path)
{
    zt_picture_text wanted[DESKTOP_TEXTS];
    char text[DESKTOP_URI_SIZE];
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false; // opening a pipe could block for ever
    desktop_entry_texts(entry, wanted);
    for (int i = 0; i < 3; i++)
        if (!zt_png_read_text(path, wanted[i].keyword, text, sizeof text) ||
            strcmp(text, wanted[i].text) != 0)
            return false;
    return true;
}
