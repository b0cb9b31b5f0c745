// SPDX-License-Identifier: MIT
/// GLB files of JSON written as C strings, in which ' stands for ".
#pragma once

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

/// The JSON in malloc'ed memory.
static inline char *glb_json(const char *text)
{
    char *json = malloc(strlen(text) + 1);
    strcpy(json, text);
    for (char *p = json; *p; p++)
        if (*p == '\'')
            *p = '"';
    return json;
}

/// A GLB of JSON and a BIN chunk (NULL: none) in malloc'ed memory.
static inline uint8_t *glb_make(const char *text, const void *bin, size_t bin_size,
                                size_t *out_size)
{
    char *json = glb_json(text);
    const size_t json_size = strlen(json), json_padded = (json_size + 3) & ~(size_t)3;
    const size_t bin_padded = (bin_size + 3) & ~(size_t)3;
    *out_size = 12 + 8 + json_padded + (bin ? 8 + bin_padded : 0);
    uint8_t *glb = calloc(*out_size, 1);
    memcpy(glb, "glTF", 4);
    bytes_store_u32_le(glb + 4, 2);
    bytes_store_u32_le(glb + 8, (uint32_t)*out_size);
    bytes_store_u32_le(glb + 12, (uint32_t)json_padded);
    memcpy(glb + 16, "JSON", 4);
    memset(glb + 20, ' ', json_padded);
    memcpy(glb + 20, json, json_size);
    if (bin) {
        uint8_t *chunk = glb + 20 + json_padded;
        bytes_store_u32_le(chunk, (uint32_t)bin_padded);
        memcpy(chunk + 4, "BIN", 4);
        memcpy(chunk + 8, bin, bin_size);
    }
    free(json);
    return glb;
}
