// SPDX-License-Identifier: MIT
/// A picture's size by its header is the decoded one, for every format; cut headers have none.
#include "model/model.h"
#include "picture_fixture.h"
#include "testing.h"
#include "texture/texture_file.h"

static const struct {
    const char *file, *codec;
    size_t header; ///< bytes that tell the size; 0: JPEG, found by its frame header
} files[] = {
    {"png/grey1.png", "PNG", 24},
    {"png/rgb16_interlaced.png", "PNG", 24},
    {"jpeg/grey.jpg", "JPEG", 0},
    {"jpeg/progressive_422.jpg", "JPEG", 0},
    {"jpeg/ycck.jpg", "JPEG", 0},
    {"webp/lossy.webp", "WebP", 30},
    {"webp/lossy_alpha.webp", "WebP", 30},
    {"webp/lossless.webp", "WebP", 30},
    {"webp/lossless_alpha.webp", "WebP", 30},
    {"dds/dxt1_mips.dds", "DDS", 128},
    {"dds/bc7_array.dds", "DDS", 128},
    {"dds/rgba8_cube.dds", "DDS", 128},
    {"ktx2/uastc_zstd.ktx2", "KTX2", 80},
    {"ktx2/etc1s_mips.ktx2", "KTX2", 80},
    {"ktx2/rg8_zstd_cube.ktx2", "KTX2", 80},
};

Test(texture_measure, gives_the_size_of_the_decoded_picture)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        picture measured;
        PICTURE_CASE(c, 0);
        const file_bytes bytes = picture_read_corpus(&c, files[i].file);
        MUST(picture_decode(&c.a, "x", bytes, c.need, &c.out, &c.err), c.err);
        cr_assert(picture_measure(bytes, &measured), "%s", files[i].file);
        cr_assert_eq(measured.width, c.out.width, "%s", files[i].file);
        cr_assert_eq(measured.height, c.out.height, "%s", files[i].file);
        cr_assert_eq(measured.level_count, 0);
        cr_assert_eq(strcmp(measured.codec, files[i].codec), 0, "%s", files[i].file);
        cr_assert_eq(strcmp(c.out.codec, files[i].codec), 0, "%s", files[i].file);
    }
}

Test(texture_measure, cut_headers_have_no_size)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        picture whole, cut;
        PICTURE_CASE(c, 0);
        const file_bytes bytes = picture_read_corpus(&c, files[i].file);
        cr_assert(picture_measure(bytes, &whole));
        for (size_t size = 0; size < bytes.size && size < 700; size++) {
            OWN_BLOCK uint8_t *exact = picture_exact_copy(bytes.data, size);
            const bool measured = picture_measure((file_bytes){exact, size}, &cut);
            cr_assert(!measured || (cut.width == whole.width && cut.height == whole.height),
                      "%s cut to %zu", files[i].file, size);
            if (files[i].header > 0)
                cr_assert_eq(measured, size >= files[i].header, "%s cut to %zu", files[i].file,
                             size);
        }
    }
}

Test(texture_measure, sizes_out_of_range_are_left_to_the_decoder)
{
    static const uint8_t sides[][2] = {{0, 0}, {0x40, 1}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        picture out;
        PICTURE_CASE(c, 0);
        const file_bytes bytes = picture_read_corpus(&c, "png/rgb8.png");
        OWN_BLOCK uint8_t *copy = picture_exact_copy(bytes.data, bytes.size);
        copy[18] = sides[i][0];
        copy[19] = sides[i][1];
        cr_assert(!picture_measure((file_bytes){copy, bytes.size}, &out));
    }
}
