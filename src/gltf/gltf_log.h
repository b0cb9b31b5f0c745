// SPDX-License-Identifier: MIT
/// Messages about a glTF file: "FILE:/json/pointer: text", errors, or warnings kept as notes.
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/message_kinds.h"
#include "gltf/json_pointer.h"

/// Notes that are kept; further ones are dropped.
#define GLTF_NOTE_LIMIT 256u

typedef struct gltf_log {
    const char *path;         ///< of the file
    const message_sink *sink; ///< for warnings
    zt_error *err;            ///< never NULL
    arena *keep;              ///< for texts that the model keeps
    const char **note;        ///< [GLTF_NOTE_LIMIT]
    uint32_t note_count;
    message_kinds kinds; ///< of the warnings
} gltf_log;

/// Fills `err` and returns `code`.
zt_result gltf_fail(gltf_log *log, const json_pointer *json, zt_result code, const char *format,
                    ...) ZT_PRINTF(4, 5);
/// A warning, which becomes a note of the model. The same one is sent once.
zt_result gltf_warn(gltf_log *log, const json_pointer *json, const char *format, ...)
    ZT_PRINTF(3, 4);
/// A note, which only those see who ask for notes; the model keeps it, too.
zt_result gltf_note(gltf_log *log, const json_pointer *json, const char *format, ...)
    ZT_PRINTF(3, 4);
/// Sends how many warnings of each kind were not sent as warnings.
void gltf_log_finish(gltf_log *log);
/// A feature left out or approximated: a warning and a note; under `strict` ZT_ERR_UNSUPPORTED.
zt_result gltf_unsupported(gltf_log *log, const json_pointer *json, const char *format, ...)
    ZT_PRINTF(3, 4);
