// SPDX-License-Identifier: MIT
/// An opened glTF file: its JSON, its top-level lists and the bytes of its buffers.
#pragma once

#include "base/jobs.h"
#include "gltf/gltf_json.h"
#include "model/model_source.h"

/// The lists at the top of the JSON.
typedef enum gltf_list_name {
    GLTF_ACCESSORS,
    GLTF_VIEWS,
    GLTF_BUFFERS,
    GLTF_NODES,
    GLTF_MESHES,
    GLTF_SKINS,
    GLTF_ANIMATIONS,
    GLTF_MATERIALS,
    GLTF_TEXTURES,
    GLTF_SAMPLERS,
    GLTF_IMAGES,
    GLTF_CAMERAS,
    GLTF_SCENES,
    GLTF_LIGHTS, ///< of KHR_lights_punctual
    GLTF_LIST_COUNT
} gltf_list_name;

/// An absent list is empty.
typedef struct gltf_list {
    json_pointer json;
    uint32_t count;
} gltf_list;

typedef struct gltf_buffer {
    file_bytes bytes; ///< at least the declared byteLength
    bool loaded;
} gltf_buffer;

typedef struct gltf_file {
    const model_source *source;
    gltf_log *log;
    job_pool *pool;        ///< for loops over vertices and images; NULL: this thread alone
    arena *keep, *scratch; ///< for the model; for what is dropped after reading
    arena pictures;        ///< decoded, until the maps of materials are joined
    json_value *json;      ///< in `scratch`
    json_pointer root;
    gltf_list list[GLTF_LIST_COUNT];
    json_extension light_extension; ///< holds GLTF_LIGHTS
    bool is_glb;
    file_bytes chunk;         ///< BIN chunk of a GLB; data NULL: it has none
    gltf_buffer *buffer;      ///< [buffers], loaded when first used
    file_bytes *decoded_view; ///< [views] once one was compressed; data NULL: not yet decoded
    uint64_t sparse_reads;    ///< sparse elements that were read
    uint64_t zero_elements;   ///< of accessors without data, each time one is opened
} gltf_file;

/// Parses file->source into `json` to `buffer`. Members before are set by the caller, others 0.
zt_result gltf_file_open(gltf_file *file);

/// Runs fn over [0, count) in ranges, on the threads of the file (job_pool_ranges()).
zt_result gltf_run_ranges(const gltf_file *file, size_t count, job_range_fn fn, void *user);

/// Entry `index` of a list, which must be an object.
zt_result gltf_list_entry(const gltf_file *file, gltf_list_name list, size_t index,
                          json_pointer *out);
/// An index into a list, or -1 when it is absent.
zt_result gltf_index(const gltf_file *file, const json_pointer *value, gltf_list_name list,
                     int32_t *out);
zt_result gltf_member_index(const gltf_file *file, const json_pointer *object, const char *key,
                            gltf_list_name list, int32_t *out);
