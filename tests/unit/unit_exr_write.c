// SPDX-License-Identifier: MIT
/// Planes as OpenEXR files: OpenEXRCore must give every bit back, and exr_decode the colours.
#include "../kernels/random_inputs.h"
#include "counted_cancel.h"
#include "exr_fixture.h"
#include "image/exr_colors.h"
#include "image/hdr_picture.h"
#include "image/picture_encoders.h"
#include "testing.h"

enum { TESTED = 1 << PLANE_COLOR | 1 << PLANE_DEPTH | 1 << PLANE_OBJECT };

/// Planes of any bits; lines begin with `same` equal numbers.
static picture_planes make_planes(arena *a, uint32_t wanted, int32_t width, int32_t height,
                                  int32_t same)
{
    random_state random = {1};
    picture_planes planes;
    cr_assert_eq(picture_planes_init(&planes, wanted, width, height, a, NULL), ZT_OK);
    for (int p = 0; p < PLANE_COUNT; p++)
        for (int32_t y = 0; planes.plane[p].data && y < height; y++)
            for (int32_t i = 0; i < width * picture_plane_table[p].kind.channels; i++)
                memcpy(picture_plane_at(&planes, (picture_plane)p, 0, y) + i,
                       &(uint32_t){i < same ? 0x3f800000 : random_u32(&random)}, 4);
    return planes;
}

/// The last shape has one more equal number each time: some line packs to as many bytes as it has.
Test(exr_write, planes_come_back_bit_for_bit)
{
    static const int32_t shapes[][3] = {{1, 1, 0}, {7, 33, 9}, {301, 16, 40}, {5000, 16, 20}};
    for (int32_t i = 0; i < 3 * 256; i++) {
        OWN_MEMORY(a, 0);
        const int32_t *shape = shapes[i / 3 % 4];
        const picture_planes planes = i < 12 ? make_planes(&a, TESTED, shape[0], shape[1], shape[2])
                                             : make_planes(&a, TESTED, 64, 1, i / 3);
        for (int32_t x = 0; x < 64 && i >= 12; x++) // zeros are the first that is packed
            picture_plane_at(&planes, PLANE_COLOR, x, 0)[3] = x % 2 ? 1.125f : 1.0f;
        const zt_encode_def def = {
            .exr = (zt_exr_packing)(i % 3), .has_key = i & 1, .key = 0xfeedu};
        zt_error err;
        file_bytes file;
        hdr_picture light;
        MUST(exr_planes_encode(&planes, &def, &a, &file, &err), err);
        cr_expect(exr_shows(file, &planes), "%d", (int)i);
        cr_expect_eq(exr_key_matches(file, 0xfeed, 0, 0), def.has_key);
        cr_expect(!exr_key_matches(file, 0xfeee, 0, 0));
        MUST(exr_decode(&a, "x.exr", file, &light, &err), err);
        for (int32_t k = 0; k < planes.width * planes.height; k++) {
            const float red = ((const float *)planes.plane[PLANE_COLOR].data)[4 * k];
            if (red > 0 && red < 65504.0f)
                cr_assert_eq(light.rgb[3 * k], exr_float_of_half(exr_half(red)));
        }
    }
}

/// Every half, the middle between it and the next one, and the numbers next to the middle.
Test(exr_write, numbers_become_the_nearest_half)
{
    OWN_MEMORY(a, 0);
    const picture_planes planes = make_planes(&a, TESTED, 256, 256, 0);
    zt_error err;
    file_bytes file;
    for (uint32_t h = 0; h < 65536; h++) {
        float *out = (float *)planes.plane[PLANE_COLOR].data + 4 * (size_t)h;
        out[0] = exr_float_of_half(h);
        out[2] = (h & 0x7c00) == 0x7c00 ? out[0] : (out[0] + exr_float_of_half(h + 1)) / 2.0f;
        out[1] = nextafterf(out[2], 0.0f);
        out[3] = nextafterf(out[2], 2.0f * out[2]);
    }
    MUST(exr_planes_encode(&planes, &(zt_encode_def){0}, &a, &file, &err), err);
    cr_expect(exr_shows(file, &planes));
}

/// With all planes, whose channels must be in order and named once.
Test(exr_write, texts_are_attributes)
{
    static char large[(1 << 20) + 1];
    memset(large, 'x', sizeof large - 1);
    OWN_MEMORY(a, 0);
    const zt_picture_text texts[] = {{"b\xc3\xa4r of more than thirty-one letters", large},
                                     {"", "no name"},
                                     {"channels", "of another type"}};
    picture_planes planes = make_planes(&a, PICTURE_PLANE_COLOR8 - 1, 3, 2, 0);
    planes.fps_numerator = 30000;
    planes.fps_denominator = 1001;
    zt_encode_def def = {.texts = texts, .text_count = 1, .has_key = true, .key = 7};
    zt_error err;
    file_bytes file;
    exr_attr_rational_t fps = {0, 0};
    int32_t length = 0;
    const char *text = "";
    MUST(exr_planes_encode(&planes, &def, &a, &file, &err), err);
    exr_context_t context = exr_open(&file);
    exr_attr_get_string(context, 0, texts[0].keyword, &length, &text);
    exr_attr_get_rational(context, 0, "framesPerSecond", &fps);
    cr_expect(fps.num == 30000 && fps.denom == 1001 && strcmp(text, large) == 0);
    exr_finish(&context);
    for (int i = 1; i < 4; i++) {
        def.texts = texts + i;
        def.text_count = i < 3;
        def.exr = i == 3 ? (zt_exr_packing)3 : ZT_EXR_ZIPS;
        cr_expect_eq(exr_planes_encode(&planes, &def, &a, &file, &err), ZT_ERR_ARGUMENT, "%d", i);
    }
}

Test(exr_write, each_chunk_asks_whether_to_go_on)
{
    static const zt_result results[] = {ZT_OK, ZT_ERR_CANCELLED, ZT_ERR_LIMIT};
    OWN_MEMORY(pixels, 0);
    const picture_planes planes = make_planes(&pixels, TESTED, 1024, 99, 0);
    for (int i = 0; i < 3; i++) {
        OWN_MEMORY(a, i == 2 ? 1 << 20 : 0);
        counted_cancel caller = {.last = i == 1 ? 50 : 1000};
        file_bytes file;
        cancel_init(&a_budget.cancel, &(zt_cancel){counted_ask, &caller});
        cr_expect_eq(exr_planes_encode(&planes, &(zt_encode_def){0}, &a, &file, NULL), results[i]);
        cr_expect_eq(file.data != NULL, i == 0);
    }
}
