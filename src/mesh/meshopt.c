// SPDX-License-Identifier: MIT
/// See meshopt.h: what is allowed, which decoder reads it, and the filters after decoding. These
/// are in single precision in the order of the specification, with exactly rounded operations only.
/// Reference: KHR_meshopt_compression, appendix B for the filters.
#include "mesh/meshopt.h"

#include <math.h>
#include <meshoptimizer.h>
#include <string.h>

// Lengths of a stream: header and smallest tail. Attributes take 2 bits or more for 4 x 256 values
// of a block (version 1: an element a quarter of its bytes), triangles and indices a byte each.
enum { BLOCK_ELEMENTS = 256, ATTRIBUTE_STRIDE_LIMIT = 256 };

static bool filter_fits(const meshopt_layout *l)
{
    switch (l->filter) {
    case MESHOPT_NONE: return true;
    case MESHOPT_OCTAHEDRAL:
    case MESHOPT_COLOR: return l->stride == 4 || l->stride == 8;
    case MESHOPT_QUATERNION: return l->stride == 8;
    case MESHOPT_EXPONENTIAL: return l->stride % 4 == 0;
    }
    return false;
}

bool meshopt_layout_valid(const meshopt_layout *l)
{
    if (l->mode == MESHOPT_ATTRIBUTES)
        return l->stride >= 4 && l->stride <= ATTRIBUTE_STRIDE_LIMIT && l->stride % 4 == 0 &&
               filter_fits(l);
    return (l->stride == 2 || l->stride == 4) && l->filter == MESHOPT_NONE &&
           (l->mode != MESHOPT_TRIANGLES || l->count % 3 == 0);
}

size_t meshopt_min_size(const meshopt_layout *l)
{
    if (l->mode == MESHOPT_ATTRIBUTES)
        return 1 + l->count / BLOCK_ELEMENTS * (l->stride / 4) + l->stride;
    return l->mode == MESHOPT_TRIANGLES ? 1 + l->count / 3 + 16 : 1 + l->count + 4;
}

bool meshopt_decode(const meshopt_layout *l, const uint8_t *data, size_t size, void *out)
{
    if (size < meshopt_min_size(l))
        return false;
    switch (l->mode) {
    case MESHOPT_ATTRIBUTES:
        return data[0] == 0xa1
                   ? meshopt_attributes_1(data, size, l->count, l->stride, out)
                   : meshopt_decodeVertexBuffer(out, l->count, l->stride, data, size) == 0;
    case MESHOPT_TRIANGLES:
        return meshopt_decodeIndexBuffer(out, l->count, l->stride, data, size) == 0;
    case MESHOPT_INDICES:
        return meshopt_decodeIndexSequence(out, l->count, l->stride, data, size) == 0;
    }
    return false;
}

/// To the nearest, halves away from zero. |v| is below 2^31.
static int32_t round_away(float v) { return (int32_t)(v + (v < 0.0f ? -0.5f : 0.5f)); }

/// A unit vector from the unfolded octahedron; `one` is 1.0 in the encoder's integers.
static void unfold(float x, float y, float one, float largest, int32_t out[3])
{
    x /= one;
    y /= one;
    float z = 1.0f - fabsf(x) - fabsf(y);
    const float back = z < 0.0f ? -z : 0.0f;
    x += signbit(x) ? back : -back;
    y += signbit(y) ? back : -back;
    const float length = sqrtf(x * x + y * y + z * z);
    out[0] = round_away(x / length * largest);
    out[1] = round_away(y / length * largest);
    out[2] = round_away(z / length * largest);
}

static void unfilter_octahedral(const meshopt_layout *l, uint8_t *element)
{
    int32_t out[3];
    if (l->stride == 4) {
        int8_t in[4];
        memcpy(in, element, sizeof in);
        unfold(in[0], in[1], in[2] > 0 ? in[2] : 1, 127.0f, out);
        for (int i = 0; i < 3; i++)
            in[i] = (int8_t)out[i];
        memcpy(element, in, sizeof in);
    } else {
        int16_t in[4];
        memcpy(in, element, sizeof in);
        unfold(in[0], in[1], in[2] > 0 ? in[2] : 1, 32767.0f, out);
        for (int i = 0; i < 3; i++)
            in[i] = (int16_t)out[i];
        memcpy(element, in, sizeof in);
    }
}

/// Three components of a unit quaternion and the index of the largest, which is left out.
static void unfilter_quaternion(uint8_t *element)
{
    const float range = 0.70710678f; // 1 / sqrt(2), the most that the other three can be
    int16_t in[4], out[4];
    float c[3], rest = 1.0f;
    memcpy(in, element, sizeof in);
    const int largest = in[3] & 3;
    const float one = (float)(in[3] | 3);
    for (int i = 0; i < 3; i++) {
        c[i] = (float)in[i] / one * range;
        rest -= c[i] * c[i];
    }
    const float w = sqrtf(rest > 0.0f ? rest : 0.0f);
    for (int i = 0; i < 3; i++)
        out[(largest + 1 + i) % 4] = (int16_t)round_away(c[i] * 32767.0f);
    out[largest] = (int16_t)round_away(w * 32767.0f);
    memcpy(element, out, sizeof out);
}

/// 2^e * m: 8 bits of e above 24 of m, signed. Exact in double, so rounded once, to a float.
static void unfilter_exponential(uint8_t *component)
{
    uint32_t bits;
    memcpy(&bits, component, sizeof bits);
    const int32_t e = (int32_t)(bits >> 24) - (bits >> 31 ? 256 : 0);
    const int32_t m = (int32_t)(bits & 0xffffffu) - (bits & 0x800000u ? 0x1000000 : 0);
    const uint64_t power_bits = (uint64_t)(e + 1023) << 52;
    double power;
    memcpy(&power, &power_bits, sizeof power);
    const float value = (float)(power * (double)m);
    memcpy(component, &value, sizeof value);
}

static uint32_t clamp_color(float v, float largest)
{
    return v <= 0.0f ? 0 : v >= largest ? (uint32_t)largest : (uint32_t)(v + 0.5f);
}

/// Red, green, blue and alpha from luma, two chromas and an alpha whose highest bit is the scale.
static void convert_color(int32_t y, int32_t co, int32_t cg, uint32_t marked, float largest,
                          uint32_t out[4])
{
    uint32_t scale = 1;
    while (scale < marked)
        scale = 2 * scale + 1;
    const uint32_t half = marked & scale >> 1;
    const uint32_t alpha = half << 1 | (half & 1u);
    const float factor = largest / (float)(int32_t)scale;
    out[0] = clamp_color((float)(y + co - cg) * factor, largest);
    out[1] = clamp_color((float)(y + cg) * factor, largest);
    out[2] = clamp_color((float)(y - co - cg) * factor, largest);
    out[3] = clamp_color((float)(int32_t)alpha * factor, largest);
}

static void unfilter_color(const meshopt_layout *l, uint8_t *element)
{
    uint32_t out[4];
    if (l->stride == 4) {
        int8_t chroma[4];
        memcpy(chroma, element, sizeof chroma);
        convert_color(element[0], chroma[1], chroma[2], element[3], 255.0f, out);
        for (int i = 0; i < 4; i++)
            element[i] = (uint8_t)out[i];
    } else {
        int16_t chroma[4];
        uint16_t in[4];
        memcpy(chroma, element, sizeof chroma);
        memcpy(in, element, sizeof in);
        convert_color(in[0], chroma[1], chroma[2], in[3], 65535.0f, out);
        for (int i = 0; i < 4; i++)
            in[i] = (uint16_t)out[i];
        memcpy(element, in, sizeof in);
    }
}

void meshopt_unfilter(const meshopt_layout *l, void *elements)
{
    uint8_t *bytes = elements;
    const size_t size = l->count * l->stride;
    switch (l->filter) {
    case MESHOPT_NONE: return;
    case MESHOPT_OCTAHEDRAL:
        for (size_t at = 0; at < size; at += l->stride)
            unfilter_octahedral(l, bytes + at);
        return;
    case MESHOPT_QUATERNION:
        for (size_t at = 0; at < size; at += l->stride)
            unfilter_quaternion(bytes + at);
        return;
    case MESHOPT_EXPONENTIAL:
        for (size_t at = 0; at < size; at += 4)
            unfilter_exponential(bytes + at);
        return;
    case MESHOPT_COLOR:
        for (size_t at = 0; at < size; at += l->stride)
            unfilter_color(l, bytes + at);
        return;
    }
}
