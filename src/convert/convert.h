// SPDX-License-Identifier: MIT
/// From one model format to another: what the parts of zt_convert share.
///
/// glTF -> glTF packs the same JSON anew (gltf_repack.c): nothing is interpreted, so nothing is
/// lost. .m3d -> glTF and everything -> .m3d go through zt_model.
#ifndef ZT_CONVERT_CONVERT_H
#define ZT_CONVERT_CONVERT_H

#include "convert/output_files.h"
#include "gltf/gltf_document.h"

typedef enum convert_format { CONVERT_GLB, CONVERT_GLTF, CONVERT_M3D } convert_format;

typedef struct convert_job {
    model_source source; ///< with the caller's sink, but never strict: `sink` is
    const char *out_path;
    convert_format format;
    message_sink sink; ///< the caller's
    arena *a;          ///< everything that lives until the files are written
    output_files files;
    zt_error *err;
} convert_job;

/// Something that the target cannot hold: a warning, or under strictness ZT_ERR_UNSUPPORTED.
zt_result convert_lost(convert_job *job, const char *format, ...) ZT_PRINTF(2, 3);

/// The name of a file beside the output, STEM-NAME.EXTENSION, made of letters that every file
/// system takes and not used before. NULL: memory.
const char *convert_side_name(convert_job *job, const char *name, const char *extension);

/// The kinds of pictures that models hold, by their first bytes.
typedef struct convert_picture_kind {
    const char *extension, *mime;
} convert_picture_kind;
convert_picture_kind convert_picture_kind_of(file_bytes bytes);

/// The three ways. `model` is loaded from job->source.
zt_result convert_gltf_to_gltf(convert_job *job);
zt_result convert_m3d_to_gltf(convert_job *job, const zt_model *model);
/// `document` is NULL for a model from an .m3d.
zt_result convert_to_m3d(convert_job *job, const zt_model *model, const gltf_document *document);

/// The levels of `source` as an uncompressed DDS file of 8-bit RGBA.
zt_result dds_write(arena *a, const picture *source, file_bytes *out, zt_error *err);

#endif
