// SPDX-License-Identifier: MIT
/// One conversion, whatever its formats: the source, the output files, and how a loss is reported.
/// Every other file of this folder builds on this one; it knows none of them.
#pragma once

#include "base/error.h"
#include "convert/output_files.h"
#include "model/model_source.h"

typedef enum convert_format { CONVERT_GLB, CONVERT_GLTF, CONVERT_M3D } convert_format;

typedef struct convert_job {
    model_source source; ///< its sink is the caller's, but never strict; see `sink`
    const char *out_path;
    convert_format format;
    message_sink sink; ///< the caller's, strict if the caller asked for it: losses go here
    arena *a;          ///< memory that lives until the files are written
    output_files files;
    zt_error *err;
} convert_job;

/// Reports what the target format cannot express: a warning, or ZT_ERR_UNSUPPORTED when the sink is
/// strict. The message is one line; control characters in it become '?'.
zt_result convert_report_loss(convert_job *job, const char *format, ...) ZT_PRINTF(2, 3);

/// The name and path of a new file next to the output: STEM-NAME.EXTENSION in ASCII letters,
/// digits, '_' and '-', numbered if the job has that file already or the source refers to one.
zt_result convert_side_file(convert_job *job, const char *name, const char *extension,
                            const char **out_name, const char **out_path);
/// A file name as a URI: all but letters, digits and -._~ become %XX (RFC 3986). NULL: no memory.
char *convert_uri(const convert_job *job, const char *name);

/// A file name without its extension. NULL: no memory.
const char *convert_stem(convert_job *job, const char *name);
