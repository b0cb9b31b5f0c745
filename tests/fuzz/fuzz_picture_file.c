// SPDX-License-Identifier: MIT
/// Fuzz target: picture files of the kind that the build names, under a small memory budget.
#include "fuzz_picture.h"
#include "image/picture_codecs.h"
#include "texture/texture_codecs.h"

/// At every scale: the size of the input says which.
static zt_result jpeg_any(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err)
{
    const picture_need need = {.min_side = (int32_t)(bytes.size % 4) * 2};
    return jpeg_decode(a, name, bytes, need, out, err);
}

static zt_result ktx2_any(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err)
{
    const picture_need need = {.min_side = (int32_t)(bytes.size % 4)};
    return ktx2_decode(a, name, bytes, need, out, err);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    static const struct {
        const char *name;
        fuzz_decoder decode;
    } decoders[] = {{"bmp", bmp_decode}, {"dds", dds_decode}, {"jpeg", jpeg_any},
                    {"ktx2", ktx2_any},  {"tga", tga_decode}, {"webp", webp_decode}};
    for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++)
        if (strcmp(decoders[i].name, FUZZ_NAME) == 0) {
            fuzz_picture(decoders[i].decode, data, size);
            return;
        }
    abort(); // a target without a row
}
