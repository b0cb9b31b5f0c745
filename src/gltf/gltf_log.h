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
/// Becomes a note of the model; the same one is sent once.
zt_result gltf_message(gltf_log *log, message_weight weight, const json_pointer *json,
                       const char *format, ...) ZT_PRINTF(4, 5);
#define gltf_note(log, json, ...)        gltf_message(log, MESSAGE_NOTE, json, __VA_ARGS__)
#define gltf_warn(log, json, ...)        gltf_message(log, MESSAGE_WARNING, json, __VA_ARGS__)
#define gltf_unsupported(log, json, ...) gltf_message(log, MESSAGE_UNSUPPORTED, json, __VA_ARGS__)
/// Sends how many warnings of each kind were not sent as warnings.
void gltf_log_finish(gltf_log *log);
