// SPDX-License-Identifier: MIT
/// glTF files read again, by the specification alone and with another reader of JSON: numbers to
/// compare ours with. Accessors have plain data, whole or in an interleaved view.
#pragma once

#include <jansson.h>
#include <stdint.h>

enum { PLAIN_GLTF_BUFFERS = 4 };

typedef struct plain_gltf {
    json_t *root;
    uint8_t *file[PLAIN_GLTF_BUFFERS]; ///< the whole .glb, or the files that buffers name
    const uint8_t *buffer[PLAIN_GLTF_BUFFERS];
} plain_gltf;

/// A .glb, or a .gltf whose buffers are files next to it.
plain_gltf plain_gltf_open(const char *path);
void plain_gltf_close(plain_gltf *g);
#define PLAIN_GLTF __attribute__((cleanup(plain_gltf_close))) plain_gltf

const json_t *plain_item(const json_t *object, const char *array, size_t index);
/// 0 without the key.
size_t plain_integer(const json_t *object, const char *key);
size_t plain_count(const plain_gltf *g, size_t accessor);
/// One number of an accessor of floats or of unsigned integers, `width` an element.
double plain_number(const plain_gltf *g, size_t accessor, size_t element, size_t component,
                    size_t width);
