// SPDX-License-Identifier: MIT
/// The cache of thumbnails that desktops share: Thumbnail Managing Standard 0.9.
#pragma once

#include "thumbnail/md5.h"

#include <zoetrope/zoetrope.h>

enum { DESKTOP_PATH_SIZE = 4096, DESKTOP_URI_SIZE = 3 * DESKTOP_PATH_SIZE, DESKTOP_TEXTS = 5 };

/// $XDG_CACHE_HOME/thumbnails, or .cache/thumbnails at home, into `out`. False: unknown, too long.
bool desktop_cache_folder(char out[DESKTOP_PATH_SIZE]);
/// The folder of a size: "normal" (128), "large", "x-large", "xx-large" (1024). NULL: others.
const char *desktop_size_name(int32_t side);

/// One file of the user's: what its thumbnail is named and says.
typedef struct desktop_entry {
    char uri[DESKTOP_URI_SIZE]; ///< file:///home/...
    char md5[MD5_TEXT_SIZE];    ///< of the URI
    char mtime[24], size[24];   ///< seconds since 1970, and bytes
    const char *mime_type;
    char software[96];
} desktop_entry;

/// ZT_ERR_INPUT for a file that is missing or no regular one, or lies in the cache itself, where
/// there are no thumbnails of; ZT_ERR_ARGUMENT for a path that is too long. `cache`: its folder.
zt_result desktop_entry_make(const char *path, const char *cache, desktop_entry *out,
                             zt_error *err);
/// CACHE/FOLDER/MD5.png; `folder` is a size, or that of failures. False: too long.
bool desktop_entry_path(const desktop_entry *entry, const char *cache, const char *folder,
                        char out[DESKTOP_PATH_SIZE]);
/// "fail/zoetrope-0.3.0": where models are noted that have no thumbnail.
void desktop_failures(char *out, size_t size);
/// The statement of a picture: URI, time, size, type and program. The texts point into the entry.
void desktop_entry_texts(const desktop_entry *entry, zt_picture_text out[DESKTOP_TEXTS]);
/// True when the picture at `path` says so of this URI, time and size.
bool desktop_entry_is_current(const desktop_entry *entry, const char *path);
