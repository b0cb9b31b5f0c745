// SPDX-License-Identifier: MIT
/// A texture's name -> this disk's file -> a picture; folder, case and format may differ.
#pragma once

#include "base/file_supply.h"
#include "base/hash.h"
#include "texture/texture_codecs.h"

/// Whose textures are looked up, and where.
typedef struct texture_origin {
    const char *path;        ///< of the file that names them: they are in its folder
    size_t root_length;      ///< of `path`: the folder that nothing leads out of (file_open.h)
    const char *texture_dir; ///< a further folder, which nothing leads out of either; NULL: none
    hash_sum *inputs;        ///< gets the files that are read; NULL: nothing does
    file_supply *supply;     ///< of a model in memory: no folder is searched; NULL: they are
    bool follow_links;       ///< those in `texture_dir` may lead anywhere
} texture_origin;

/// Finds the file that `name` in a file refers to, and reads it into `a`: in the file's folder, its
/// subfolder textures/ and `texture_dir`, by the exact name, then ignoring case; a missing .dds may
/// be a .png or .jpg. `sink` gets a note unless it is exactly the one named. Callers of models in
/// memory are asked for the exact name. ZT_ERR_INPUT: none.
zt_result texture_read(arena *a, const texture_origin *origin, const char *name,
                       const message_sink *sink, file_bytes *out, zt_error *err);

/// texture_read(), then picture_decode().
zt_result texture_load(arena *a, const texture_origin *origin, const char *name, picture_need need,
                       const message_sink *sink, picture *out, zt_error *err);
