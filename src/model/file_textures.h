// SPDX-License-Identifier: MIT
/// Textures of formats that name picture files: each is loaded once for each use of its texels.
#pragma once

#include "base/hash.h"
#include "model/model.h"
#include "model/model_report.h"
#include "model/model_source.h"

/// A texture that was asked for.
typedef struct texture_request {
    texture_files files;
    mipmap_content content;
    int32_t texture; ///< -1: there is none
} texture_request;

/// Finds the bytes of a picture that is inside the model's file: without data where it has none of
/// this name.
typedef zt_result (*embedded_picture_fn)(void *user, const char *name, file_bytes *out,
                                         zt_error *err);

/// A decoded file.
typedef struct file_texels {
    const char *name; ///< NULL: none
    bool color;       ///< as it was needed
    arena memory;
    file_bytes embedded;
    picture picture;
} file_texels;

typedef struct file_textures {
    const model_source *source;
    embedded_picture_fn embedded; ///< asked first; NULL: all are in files of their own
    void *embedded_user;
    arena *keep;
    model_report *report;
    hash_table slots; ///< of `request`
    texture_request *request;
    uint32_t request_count;
    model_texture *texture;
    uint32_t texture_count;
    file_texels last[2]; ///< of the last texture of two files: the next may have one of them, too
} file_textures;

/// Room for `limit` pictures and contents.
zt_result file_textures_init(file_textures *table, const model_source *source, arena *keep,
                             model_report *report, size_t limit, arena *scratch, zt_error *err);
/// Sets the texture of a slot: that of files that `user` ("material 'x'") names. "" and "" set
/// none. One that is missing, too large or of a format
/// that is not read is left out with a warning.
zt_result file_textures_bind(file_textures *table, texture_files files, mipmap_content content,
                             const char *user, model_slot *slot, zt_error *err);
/// Frees memory, also after a failure: for formats that have textures of two files.
void file_textures_finish(file_textures *table);
/// Gives the model all textures that were made.
zt_result file_textures_keep(const file_textures *table, zt_model *model, zt_error *err);
