// SPDX-License-Identifier: MIT
/// JSON of a glTF file: parsing within our limits, and typed access. In the functions that read a
/// member an absent value gives the default, and a value of another type is an error.
#pragma once

#include "base/file.h"
#include "gltf/gltf_log.h"

/// Parses JSON text of at most zt_limits.depth levels into `a`.
zt_result gltf_json_parse(gltf_log *log, arena *a, file_bytes text, json_value **out);

zt_result gltf_object(gltf_log *log, const json_pointer *object, const char *key,
                      json_pointer *out);
zt_result gltf_array(gltf_log *log, const json_pointer *object, const char *key, json_pointer *out,
                     uint32_t *out_count);
/// The element of an array, which must be an object.
zt_result gltf_entry(gltf_log *log, const json_pointer *array, size_t index, json_pointer *out);
/// An integer in [0, 2^53].
zt_result gltf_integer(gltf_log *log, const json_pointer *value, int64_t fallback, int64_t *out);
zt_result gltf_member_integer(gltf_log *log, const json_pointer *object, const char *key,
                              int64_t fallback, int64_t *out);
/// An index below `count` of something called `what` ("node"), or -1 when it is absent.
zt_result gltf_index_below(gltf_log *log, const json_pointer *value, uint32_t count,
                           const char *what, int32_t *out);
zt_result gltf_float(gltf_log *log, const json_pointer *object, const char *key, float fallback,
                     float *out);
/// `count` floats; `out` keeps its values when the member is absent.
zt_result gltf_floats(gltf_log *log, const json_pointer *object, const char *key, uint32_t count,
                      float *out);
zt_result gltf_flag(gltf_log *log, const json_pointer *object, const char *key, bool fallback,
                    bool *out);
/// A string, or NULL when absent. It lives as long as the JSON tree.
zt_result gltf_text(gltf_log *log, const json_pointer *object, const char *key, const char **out);
/// The same, copied into log->keep; what is absent becomes `fallback`.
zt_result gltf_kept_text(gltf_log *log, const json_pointer *object, const char *key,
                         const char *fallback, const char **out);
/// The `name` of an object, copied into log->keep, or "".
zt_result gltf_name(gltf_log *log, const json_pointer *object, const char **out);
/// Looks up `extensions`/`name`; out->object.value is NULL when there is none.
zt_result gltf_extension(gltf_log *log, const json_pointer *object, const char *name,
                         json_extension *out);
