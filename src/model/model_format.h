// SPDX-License-Identifier: MIT
/// A format of model files. The folder of each reader defines one, and load/load.c lists them.
#pragma once

#include "model/model_source.h"

/// The first bytes of files with an extension, for the message about one that does not.
typedef struct model_extension {
    const char *extension; ///< lower case, without a dot; NULL ends the list
    const char *expected;  ///< "a JSON object"
} model_extension;

typedef struct model_format {
    const char *name; ///< as inspect shows it: "glTF 2.0"
    const char *noun; ///< for messages: "a glTF"
    model_extension extensions[4];
    /// True when a file is of this format, by its content, or where that says nothing by its
    /// suffix. Its text, if it is one, begins at `start`: after a byte order mark and blanks.
    /// `start` may be bytes.size.
    bool (*recognise)(const char *path, file_bytes bytes, size_t start);
    /// Fills a zeroed zt_model with a ready arena, the caller's on failure. `scratch`: not kept.
    zt_result (*read)(const model_source *source, zt_model *model, arena *scratch, zt_error *err);
} model_format;
