// SPDX-License-Identifier: MIT
/// The bitstreams of meshopt compression: round trips through encoders, the numbers that the
/// extension's text gives, broken streams; filters against double precision.

#include "mesh/meshopt.h"
#include "meshopt_encode.h"
#include "random_numbers.h"
#include "testing.h"

#include <meshoptimizer.h>

/// Elements whose bytes move by small steps, by large ones, or not at all.
static uint8_t *make_elements(size_t count, size_t stride, uint32_t seed)
{
    uint8_t *out = malloc(count * stride + 1);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < stride; k++) {
            const uint32_t r = next_random(&seed);
            const uint8_t before = i == 0 ? (uint8_t)r : out[(i - 1) * stride + k];
            const uint32_t step = k % 5 == 0   ? 0
                                  : k % 5 == 1 ? r % 2
                                  : k % 5 == 2 ? r % 16 == 0 ? 200 : r % 3
                                  : k % 5 == 3 ? r % 9
                                               : r;
            out[i * stride + k] = (uint8_t)(before + step);
        }
    return out;
}

Test(meshopt, version_1_comes_back, .timeout = 120)
{
    static const uint8_t channels[] = {0, 1, 2, 0x12, 0x82, 0xf2};
    static const size_t strides[] = {4, 8, 12, 16, 36, 64, 256};
    static const size_t counts[] = {1, 15, 16, 17, 40, 256, 257, 700};
    const size_t largest = 17000; // bytes: two blocks and a bit of any stride
    for (size_t c = 0; c < sizeof channels; c++)
        for (size_t s = 0; s < sizeof strides / sizeof *strides; s++)
            for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
                for (int control = -1; control < 4; control++) {
                    const size_t count = counts[n], stride = strides[s];
                    if (count * stride > largest)
                        continue;
                    size_t size;
                    OWN_BLOCK uint8_t *in =
                        make_elements(count, stride, (uint32_t)(c + 7 * s + 31 * n));
                    const meshopt_choice choice = {channels[c], control};
                    OWN_BLOCK uint8_t *stream = meshopt_encode_1(in, count, stride, choice, &size);
                    OWN_BLOCK uint8_t *out = calloc(count, stride);
                    const meshopt_layout layout = {MESHOPT_ATTRIBUTES, MESHOPT_NONE, count, stride};
                    cr_assert(meshopt_min_size(&layout) <= size);
                    cr_assert(meshopt_decode(&layout, stream, size, out),
                              "channel %02x, %zu x %zu, control %d", (unsigned)channels[c], count,
                              stride, control);
                    cr_expect(memcmp(in, out, count * stride) == 0,
                              "channel %02x, %zu x %zu, control %d", (unsigned)channels[c], count,
                              stride, control);
                }
}

/// The example in appendix A: sixteen 4-bit deltas with two of them as whole bytes.
Test(meshopt, the_example_of_the_specification)
{
    static const uint8_t group[] = {0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5};
    static const int expected[16] = {-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0};
    // Header, control 1 for the first byte position and 2 for the others, group header: 4 bits.
    uint8_t stream[64] = {0xa1, 0x01 | 0x02 << 2 | 0x02 << 4 | 0x02 << 6, 0x02};
    uint8_t out[16][4];
    memcpy(stream + 3, group, sizeof group);
    const size_t size = 3 + sizeof group + 24; // the tail is zeros: baseline 0, byte deltas
    cr_assert(meshopt_attributes_1(stream, size, 16, 4, out));
    int sum = 0;
    for (int i = 0; i < 16; i++) {
        sum += expected[i];
        cr_expect(out[i][0] == (uint8_t)sum && out[i][1] == 0, "element %d is %u", i, out[i][0]);
    }
}

Test(meshopt, version_0_and_indices_are_read)
{
    enum { COUNT = 300, STRIDE = 20 };
    uint8_t *in = make_elements(COUNT, STRIDE, 5), buffer[32768], out[COUNT * STRIDE];
    size_t size = meshopt_encodeVertexBuffer(buffer, sizeof buffer, in, COUNT, STRIDE);
    const meshopt_layout attributes = {MESHOPT_ATTRIBUTES, MESHOPT_NONE, COUNT, STRIDE};
    cr_assert(meshopt_decode(&attributes, buffer, size, out));
    cr_expect(memcmp(in, out, sizeof out) == 0);
    free(in);

    unsigned index[COUNT], back[COUNT];
    for (unsigned i = 0; i < COUNT; i++)
        index[i] = i / 3 + i % 3;
    const meshopt_layout triangles = {MESHOPT_TRIANGLES, MESHOPT_NONE, COUNT, 4};
    size = meshopt_encodeIndexBuffer(buffer, sizeof buffer, index, COUNT);
    cr_assert(meshopt_decode(&triangles, buffer, size, back));
    for (unsigned t = 0; t < COUNT; t += 3) { // the codec may turn a triangle
        bool same = false;
        for (unsigned turn = 0; turn < 3; turn++)
            same =
                same || (back[t] == index[t + turn] && back[t + 1] == index[t + (turn + 1) % 3] &&
                         back[t + 2] == index[t + (turn + 2) % 3]);
        cr_expect(same, "triangle %u", t / 3);
    }
    const meshopt_layout indices = {MESHOPT_INDICES, MESHOPT_NONE, COUNT, 4};
    meshopt_encodeIndexVersion(1);
    size = meshopt_encodeIndexSequence(buffer, sizeof buffer, index, COUNT);
    cr_assert(meshopt_decode(&indices, buffer, size, back));
    cr_expect(memcmp(index, back, sizeof back) == 0);
}

Test(meshopt, broken_streams_are_refused)
{
    enum { COUNT = 40, STRIDE = 12 };
    OWN_BLOCK uint8_t *in = make_elements(COUNT, STRIDE, 9);
    uint8_t out[COUNT * STRIDE];
    for (uint8_t channel = 0; channel < 3; channel++) {
        size_t size;
        const meshopt_choice choice = {channel, -1};
        OWN_BLOCK uint8_t *stream = meshopt_encode_1(in, COUNT, STRIDE, choice, &size);
        for (size_t cut = 0; cut < size; cut++)
            cr_expect(!meshopt_attributes_1(stream, cut, COUNT, STRIDE, out), "cut at %zu", cut);
        OWN_BLOCK uint8_t *longer = calloc(size + 1, 1);
        memcpy(longer + 1, stream, size);
        longer[0] = stream[0]; // one byte more in front of the first block
        cr_expect(!meshopt_attributes_1(longer, size + 1, COUNT, STRIDE, out));
        stream[size - 1] = 3; // no such channel mode
        cr_expect(!meshopt_attributes_1(stream, size, COUNT, STRIDE, out));
        stream[size - 1] = 0x10; // a rotation where there is none
        cr_expect(!meshopt_attributes_1(stream, size, COUNT, STRIDE, out));
    }
}

Test(meshopt, layouts_that_do_not_exist_are_refused)
{
    static const meshopt_layout wrong[] = {
        {MESHOPT_ATTRIBUTES, MESHOPT_NONE, 4, 6},
        {MESHOPT_ATTRIBUTES, MESHOPT_NONE, 4, 0},
        {MESHOPT_ATTRIBUTES, MESHOPT_NONE, 4, 260},
        {MESHOPT_ATTRIBUTES, MESHOPT_OCTAHEDRAL, 4, 12},
        {MESHOPT_ATTRIBUTES, MESHOPT_QUATERNION, 4, 4},
        {MESHOPT_ATTRIBUTES, MESHOPT_COLOR, 4, 16},
        {MESHOPT_TRIANGLES, MESHOPT_NONE, 4, 2},
        {MESHOPT_TRIANGLES, MESHOPT_NONE, 3, 1},
        {MESHOPT_INDICES, MESHOPT_EXPONENTIAL, 3, 4},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect(!meshopt_layout_valid(&wrong[i]), "layout %zu", i);
}

/// The specification allows one unit of the result; ours differs by rounding near halves only: five
/// roundings of single precision in a number up to 65535 are 0.01 of a unit.
static void expect_near(double want, int got, const char *what, int i)
{
    cr_expect(fabs(want - got) <= 0.51, "%s of %d: %d (expected %g)", what, i, got, want);
}

static void check_octahedral(int x, int y, int bits, int largest, const int got[3])
{
    const double one = (1 << (bits - 1)) - 1;
    double v[3] = {x / one, y / one, 0};
    v[2] = 1.0 - fabs(v[0]) - fabs(v[1]);
    const double back = v[2] < 0.0 ? -v[2] : 0.0;
    v[0] += x < 0 ? back : -back;
    v[1] += y < 0 ? back : -back;
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        expect_near(v[i] / length * largest, got[i], "octahedral", i);
}

Test(meshopt, octahedral_filter)
{
    const meshopt_layout small = {MESHOPT_ATTRIBUTES, MESHOPT_OCTAHEDRAL, 1, 4};
    const meshopt_layout large = {MESHOPT_ATTRIBUTES, MESHOPT_OCTAHEDRAL, 1, 8};
    for (int bits = 2; bits <= 16; bits++) {
        const int one = (1 << (bits - 1)) - 1, step = one / 9 + 1;
        for (int x = -one; x <= one; x += step)
            for (int y = -one; y <= one; y += step) {
                int16_t wide[4] = {(int16_t)x, (int16_t)y, (int16_t)one, -77};
                meshopt_unfilter(&large, wide);
                check_octahedral(x, y, bits, 32767, (int[]){wide[0], wide[1], wide[2]});
                cr_expect(wide[3] == -77);
                if (bits > 8)
                    continue;
                int8_t narrow[4] = {(int8_t)x, (int8_t)y, (int8_t)one, 77};
                meshopt_unfilter(&small, narrow);
                check_octahedral(x, y, bits, 127, (int[]){narrow[0], narrow[1], narrow[2]});
                cr_expect(narrow[3] == 77);
            }
    }
}

Test(meshopt, quaternion_filter)
{
    const meshopt_layout layout = {MESHOPT_ATTRIBUTES, MESHOPT_QUATERNION, 1, 8};
    uint32_t seed = 3;
    for (int i = 0; i < 2000; i++) {
        const int bits = 4 + i % 13, one = (1 << (bits - 1)) - 1, largest = i / 13 % 4;
        int in[3];
        double v[4], sum = 0.0;
        for (int k = 0; k < 3; k++) {
            in[k] = (int)(next_random(&seed) % (uint32_t)(2 * one + 1)) - one;
            v[k] = in[k] / (double)one / sqrt(2.0);
            sum += v[k] * v[k];
        }
        v[3] = sqrt(sum < 1.0 ? 1.0 - sum : 0.0);
        int16_t q[4] = {(int16_t)in[0], (int16_t)in[1], (int16_t)in[2],
                        (int16_t)((one & ~3) | largest)};
        meshopt_unfilter(&layout, q);
        for (int k = 0; k < 3; k++)
            expect_near(v[k] * 32767.0, q[(largest + 1 + k) % 4], "quaternion", i);
        // The root is steep near 0: the error of the sum in single precision is 4e-7.
        if (v[3] > 0.01)
            cr_expect(fabs(v[3] * 32767.0 - q[largest]) <= 0.51 + 2e-7 * 32767.0 / v[3], "%d", i);
    }
}

Test(meshopt, exponential_filter_is_exact)
{
    const meshopt_layout layout = {MESHOPT_ATTRIBUTES, MESHOPT_EXPONENTIAL, 1, 4};
    static const int mantissas[] = {0, 1, -1, 3, 8388607, -8388608, 1234567, -42};
    for (int e = -128; e < 128; e++)
        for (size_t i = 0; i < sizeof mantissas / sizeof *mantissas; i++) {
            const uint32_t bits = (uint32_t)e << 24 | ((uint32_t)mantissas[i] & 0xffffffu);
            float got;
            memcpy(&got, &bits, sizeof got);
            meshopt_unfilter(&layout, &got);
            cr_expect(got == (float)ldexp(mantissas[i], e), "2^%d * %d is %g", e, mantissas[i],
                      (double)got);
        }
}

Test(meshopt, color_filter)
{
    const meshopt_layout small = {MESHOPT_ATTRIBUTES, MESHOPT_COLOR, 1, 4};
    const meshopt_layout large = {MESHOPT_ATTRIBUTES, MESHOPT_COLOR, 1, 8};
    uint32_t seed = 11;
    for (int i = 0; i < 3000; i++) {
        const int bits = 2 + i % 15, top = (1 << bits) - 1;
        // Luma, orange and green are exact for colours of even sums only: made from those.
        const int y = (int)(next_random(&seed) % (uint32_t)(top + 1));
        const int room = y < top - y ? y : top - y;
        const int cg = room > 1 ? (int)(next_random(&seed) % (uint32_t)room) / 2 : 0;
        const int co = room > 1 ? -(int)(next_random(&seed) % (uint32_t)room) / 2 : 0;
        const int a = (int)(next_random(&seed) % (1u << (bits - 1)));
        const int marked = a | 1 << (bits - 1);
        const double want[4] = {(double)(y + co - cg) / top, (double)(y + cg) / top,
                                (double)(y - co - cg) / top, (double)(a << 1 | (a & 1)) / top};
        uint16_t wide[4] = {(uint16_t)y, (uint16_t)co, (uint16_t)cg, (uint16_t)marked};
        meshopt_unfilter(&large, wide);
        for (int k = 0; k < 4; k++)
            expect_near(want[k] * 65535.0, wide[k], "colour", i);
        if (bits > 8)
            continue;
        uint8_t narrow[4] = {(uint8_t)y, (uint8_t)co, (uint8_t)cg, (uint8_t)marked};
        meshopt_unfilter(&small, narrow);
        for (int k = 0; k < 4; k++)
            expect_near(want[k] * 255.0, narrow[k], "colour", i);
    }
}

Test(meshopt, filters_take_any_bytes)
{
    static const size_t strides[] = {[MESHOPT_OCTAHEDRAL] = 8, 8, 4, 8};
    uint32_t seed = 17;
    for (int filter = MESHOPT_OCTAHEDRAL; filter <= MESHOPT_COLOR; filter++)
        for (int i = 0; i < 20000; i++) {
            uint16_t any[4];
            for (int k = 0; k < 4; k++)
                any[k] = (uint16_t)(i == 0 ? 0 : next_random(&seed));
            const meshopt_layout layout = {MESHOPT_ATTRIBUTES, (meshopt_filter)filter, 1,
                                           strides[filter]};
            meshopt_unfilter(&layout, any); // sanitizers look on
        }
}
