// SPDX-License-Identifier: MIT
#include "plain_gltf.h"

#include "testing.h"

static uint8_t *read_whole(const char *path, size_t *out_size)
{
    FILE *f = fopen(path, "rb");
    cr_assert(f, "%s", path);
    fseek(f, 0, SEEK_END);
    *out_size = (size_t)ftell(f);
    rewind(f);
    uint8_t *bytes = malloc(*out_size);
    cr_assert(bytes && fread(bytes, 1, *out_size, f) == *out_size);
    fclose(f);
    return bytes;
}

plain_gltf plain_gltf_open(const char *path)
{
    plain_gltf g = {0};
    size_t size;
    uint32_t length;
    uint8_t *bytes = read_whole(path, &size);
    if (memcmp(bytes, "glTF", 4) == 0) {
        memcpy(&length, bytes + 12, 4);
        g.root = json_loadb((const char *)bytes + 20, length, 0, NULL);
        g.file[0] = bytes;
        g.buffer[0] = bytes + 28 + length;
        cr_assert(g.root);
        return g;
    }
    g.root = json_loadb((const char *)bytes, size, 0, NULL);
    free(bytes);
    const json_t *buffers = json_object_get(g.root, "buffers");
    cr_assert(g.root && json_array_size(buffers) <= PLAIN_GLTF_BUFFERS);
    for (size_t i = 0; i < json_array_size(buffers); i++) {
        const json_t *uri = json_object_get(json_array_get(buffers, i), "uri");
        PRINTED(name, 1024, "%.*s%s", (int)(strrchr(path, '/') + 1 - path), path,
                json_string_value(uri));
        g.buffer[i] = g.file[i] = read_whole(name, &size);
    }
    return g;
}

void plain_gltf_close(plain_gltf *g)
{
    json_decref(g->root);
    for (int i = 0; i < PLAIN_GLTF_BUFFERS; i++)
        free(g->file[i]);
}

const json_t *plain_item(const json_t *object, const char *array, size_t index)
{
    return json_array_get(json_object_get(object, array), index);
}

size_t plain_integer(const json_t *object, const char *key)
{
    return (size_t)json_integer_value(json_object_get(object, key));
}

size_t plain_count(const plain_gltf *g, size_t accessor)
{
    return plain_integer(plain_item(g->root, "accessors", accessor), "count");
}

double plain_number(const plain_gltf *g, size_t accessor, size_t element, size_t component,
                    size_t width)
{
    const json_t *a = plain_item(g->root, "accessors", accessor);
    const json_t *view = plain_item(g->root, "bufferViews", plain_integer(a, "bufferView"));
    const size_t type = plain_integer(a, "componentType");
    const size_t size = type == 5121 ? 1 : type == 5123 ? 2 : 4;
    const size_t given = plain_integer(view, "byteStride"), stride = given ? given : size * width;
    const uint8_t *at = g->buffer[plain_integer(view, "buffer")] +
                        plain_integer(view, "byteOffset") + plain_integer(a, "byteOffset") +
                        element * stride + component * size;
    uint32_t whole = 0;
    float real;
    memcpy(&whole, at, size);
    memcpy(&real, &whole, sizeof real);
    return type == 5126 ? (double)real : whole;
}
