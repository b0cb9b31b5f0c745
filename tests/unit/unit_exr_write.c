// SPDX-License-Identifier: MIT
/// Planes as OpenEXR files: OpenEXRCore must give every bit back, and exr_decode the colours.
#include "../kernels/random_inputs.h"
#include "base/bytes.h"
#include "counted_cancel.h"
#include "drawing.h"
#include "exr_fixture.h"
#include "image/exr_colors.h"
#include "image/hdr_picture.h"
#include "image/picture_encoders.h"
#include "json/json_parse.h"

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

enum { SIDE = 48, PIXEL_BYTES = 12 * 4 + 2 }; // of crypto_object and coverage

/// The bits of a channel of `size` bytes, behind `before` of a pixel, in a file that is not packed.
static uint32_t bits_at(file_bytes file, int i, size_t before, size_t size)
{
    const size_t lines = (size_t)(SIDE - i / SIDE) * (SIDE * PIXEL_BYTES + 8);
    return (uint32_t)bytes_load_le(
        file.data + file.size - lines + 8 + SIDE * before + (size_t)(i % SIDE) * size, size);
}

#define MODEL(name, x)                                                                             \
    "  - { name: '" name "', transform: { translate: [" x ", 0, 0] }, file: " ZT_SOURCE_DIR        \
    "/tests/cli/models/triangle.gltf }\n"

/// A compositor decodes a file by its manifest (Cryptomatte 1.2.0): of two models each is alone in
/// a half of the picture.
Test(exr_write, mattes_by_name)
{
    static const char *const names[] = {"B\xc3\xa4r \\ \"1\"/body", "\xe7\x86\x8a/body"};
    PRINTED(path, 600, ZT_BINARY_DIR "/mattes_%ld.exr", (long)getpid());
    OWN_MEMORY(a, 0);
    OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_BEST);
    OWN_SCENE *scene = load_scene_text(
        "ground: none\nmodels:\n" MODEL("B\xc3\xa4r \\ \"1\"", "-0.8") MODEL(
            "\xe7\x86\x8a",
            "0.8") "camera: { look_at: { position: [0, 0.4, 5], target: [0, 0.4, 0] }, fov: 30 }\n"
                   "output: { size: %d, frames: 0 }\n",
        SIDE);
    zt_sequence_def def = zt_default_sequence_def();
    json_builder b = {.a = &a};
    json_problem problem;
    file_bytes file;
    zt_error err;
    int32_t length = 0;
    const char *text = "";
    double covered = 0.0;
    def.pattern = path;
    def.planes = "crypto_object,coverage";
    def.encode.exr = ZT_EXR_NONE;
    MUST(zt_render_sequence(renderer, scene, &def, &err), err);
    cr_assert_eq(file_read_own(&a, path, 1 << 20, &file), ZT_OK);
    remove(path);
    exr_context_t context = exr_open(&file);
    exr_attr_get_string(context, 0, "cryptomatte/3ae39a5/manifest", &length, &text);
    const json_value *manifest = json_parse(&b, text, (size_t)length, 2, NULL, &problem);
    for (int i = 0; i < 2 * SIDE * SIDE; i++) {
        const char *hex = json_str(json_get(manifest, names[i % 2]));
        const double coverage = (double)exr_float_of_half(bits_at(file, i / 2, PIXEL_BYTES - 2, 2));
        const bool own = (i / 2 % SIDE >= SIDE / 2) == i % 2;
        float matte = 0.0f;
        cr_assert(hex && strlen(hex) == 8, "%s", names[i % 2]);
        for (size_t rank = 0; rank < 6; rank++) { // channels of a layer are A, B, G, R
            const size_t id = rank / 2 * 16 + (rank % 2 ? 4 : 12);
            if (bits_at(file, i / 2, id, 4) == strtoul(hex, NULL, 16))
                memcpy(&matte, &(uint32_t){bits_at(file, i / 2, id - 4, 4)}, sizeof matte);
        }
        NEAR((double)matte, own ? coverage : 0.0, 1e-3, "%d: %s", i / 2, hex);
        covered += coverage;
    }
    cr_expect(covered > 100.0, "%g", covered);
    exr_finish(&context);
}
