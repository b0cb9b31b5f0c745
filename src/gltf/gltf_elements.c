// SPDX-License-Identifier: MIT
/// One loop for each component type, none with a call inside. Elements need not be aligned, so
/// components are copied out. Normalised integers: glTF 2.0, section 3.11 (c / 255, max(c / 127,
/// -1) and so on).
#include "gltf/gltf_elements.h"

#include <string.h>

#if defined(__BYTE_ORDER__) && defined(__ORDER_LITTLE_ENDIAN__)
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "glTF data is read in json");
#endif

uint32_t gltf_component_size(gltf_component c)
{
    switch (c) {
    case GLTF_I8:
    case GLTF_U8: return 1;
    case GLTF_I16:
    case GLTF_U16: return 2;
    case GLTF_U32:
    case GLTF_F32: return 4;
    }
    return 0;
}

#define COPY_LOOP(width)                                                                           \
    for (size_t i = 0; i < count; i++)                                                             \
        memcpy(out + i * stride, data + i * data_stride, (width) * sizeof(float));                 \
    return

/// Floats of vectors, the most common data: copies of a size known to the compiler.
static void copy_floats(const uint8_t *data, size_t data_stride, size_t width, size_t count,
                        float *out, size_t stride)
{
    switch (width) {
    case 1: COPY_LOOP(1);
    case 2: COPY_LOOP(2);
    case 3: COPY_LOOP(3);
    default: COPY_LOOP(width);
    }
}

// Integers of one column: `value` turns the component `c` into a float.
#define CONVERT_LOOP(type, value)                                                                  \
    for (size_t i = 0; i < count; i++)                                                             \
        for (size_t k = 0; k < rows; k++) {                                                        \
            type c;                                                                                \
            memcpy(&c, data + i * e->stride + k * sizeof c, sizeof c);                             \
            out[i * stride + k] = (value);                                                         \
        }                                                                                          \
    return

// A loop of its own for each of the two: `unit` is the value of a normalised component.
#define CONVERT_LOOPS(type, unit)                                                                  \
    if (e->normalized) {                                                                           \
        CONVERT_LOOP(type, unit);                                                                  \
    }                                                                                              \
    CONVERT_LOOP(type, (float)c)

static float signed_unit(float quotient) { return quotient < -1.0f ? -1.0f : quotient; }

/// One column of each element.
static void convert_column(const gltf_elements *e, const uint8_t *data, size_t count, float *out,
                           size_t stride)
{
    const size_t rows = e->rows;
    switch (e->component) {
    case GLTF_F32: copy_floats(data, e->stride, rows, count, out, stride); return;
    case GLTF_U32: CONVERT_LOOP(uint32_t, (float)c);
    case GLTF_U8: CONVERT_LOOPS(uint8_t, (float)c / 255.0f);
    case GLTF_U16: CONVERT_LOOPS(uint16_t, (float)c / 65535.0f);
    case GLTF_I8: CONVERT_LOOPS(int8_t, signed_unit((float)c / 127.0f));
    case GLTF_I16: CONVERT_LOOPS(int16_t, signed_unit((float)c / 32767.0f));
    }
}

void gltf_convert_floats(const gltf_elements *e, size_t first, size_t count, float *out,
                         size_t stride)
{
    const size_t width = (size_t)e->rows * e->columns;
    if (!e->data) {
        for (size_t i = 0; i < count; i++)
            memset(out + i * stride, 0, width * sizeof(float));
        return;
    }
    const uint8_t *data = e->data + first * e->stride;
    for (size_t column = 0; column < e->columns; column++)
        convert_column(e, data + column * e->column_stride, count, out + column * e->rows, stride);
}

void gltf_convert_uints(const gltf_elements *e, size_t first, size_t count, uint32_t *out)
{
    const size_t rows = e->rows;
    if (!e->data) {
        memset(out, 0, count * rows * sizeof *out);
        return;
    }
    const uint8_t *data = e->data + first * e->stride;
    const size_t stride = rows;
    switch (e->component) {
    case GLTF_U8: CONVERT_LOOP(uint8_t, c);
    case GLTF_U16: CONVERT_LOOP(uint16_t, c);
    case GLTF_U32: CONVERT_LOOP(uint32_t, c);
    case GLTF_I8:
    case GLTF_I16:
    case GLTF_F32: return;
    }
}
