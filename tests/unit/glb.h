// SPDX-License-Identifier: MIT
/// GLB files of JSON written as C strings, in which ' stands for ", <48+12> for 12 bytes of buffer
/// 0 from byte 48 on (<12>: its first ones), and <2 u8 VEC4 3> for an accessor of view 2 with three
/// vectors of bytes (<2+16 ...>: from its byte 16 on; <float VEC3 4>: without a view).
#pragma once

#include "base/bytes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Writes what begins a view or an accessor in short, and returns how long that is; 0: neither.
static inline int glb_short(const char *text, FILE *out)
{
    static const char *const kinds[] = {"i8", "u8", "i16", "u16", "", "u32", "float"};
    char first[24] = "", second[24] = "", kind[8], type[8], count[24];
    int used = 1, more = 0, component = 0;
    used += sscanf(text + used, "%20[0-9]%n", first, &more) == 1 ? more : 0;
    used += sscanf(text + used, "+%20[0-9]%n", second, &more) == 1 ? more : 0;
    const bool accessor =
        sscanf(text + used, " %5[a-z0-9] %6[A-Z0-9] %20[0-9]%n", kind, type, count, &more) == 3;
    if (!accessor && !*first)
        return 0;
    if (accessor) {
        while (component < 6 && strcmp(kinds[component], kind) != 0)
            component++;
        fprintf(out, "{\"componentType\":%d,\"type\":\"%s\",\"count\":%s", 5120 + component, type,
                count);
        if (*first)
            fprintf(out, ",\"bufferView\":%s", first);
    } else {
        fprintf(out, "{\"buffer\":0,\"byteLength\":%s", *second ? second : first);
    }
    if (*second)
        fprintf(out, ",\"byteOffset\":%s", accessor ? second : first);
    return used + (accessor ? more : 0);
}

/// The JSON in malloc'ed memory. Other members may follow within <> as usual.
static inline char *glb_json(const char *text)
{
    char *json = NULL;
    size_t size;
    FILE *out = open_memstream(&json, &size);
    bool in_short = false;
    for (int used; *text; text += used) {
        used = *text == '<' ? glb_short(text, out) : 0;
        in_short |= used > 0;
        if (used > 0)
            continue;
        fputc(*text == '\'' ? '"' : *text == '>' && in_short ? '}' : *text, out);
        in_short &= *text != '>';
        used = 1;
    }
    fclose(out);
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
