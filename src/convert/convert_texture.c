// SPDX-License-Identifier: MIT
#include "convert/convert_texture.h"

#include "base/picture_kind.h"
#include "image/png_write.h"
#include "texture/texture_file.h"

#include <math.h>
#include <string.h>

/// z of the unit normal whose x and y are the first two channels of a pixel, as 8 bits.
static uint8_t normal_z(const uint8_t *pixel)
{
    const float x = (float)pixel[0] / 127.5f - 1.0f, y = (float)pixel[1] / 127.5f - 1.0f;
    const float rest = 1.0f - x * x - y * y;
    return (uint8_t)((rest > 0.0f ? sqrtf(rest) : 0.0f) * 127.5f + 128.0f);
}

zt_result convert_texture_png(convert_job *job, const picture *source, file_bytes *out)
{
    file_bytes dds;
    picture level = *source;
    level.level_count = 1;
    ZT_TRY(dds_write(job->a, &level, &dds, job->err)); // a header, then RGBA of 8 bits
    const size_t size = dds.size - DDS_HEADER_SIZE;
    uint8_t *pixels;
    ZT_TRY(ARENA_TAKE_RAW(job->a, &pixels, size, "a picture", job->err));
    memcpy(pixels, dds.data + DDS_HEADER_SIZE, size);
    if (source->two_channel)
        for (size_t i = 0; i + 4 <= size; i += 4)
            pixels[i + 2] = normal_z(pixels + i);
    const zt_image image = {.rgba8 = pixels,
                            .width = source->width,
                            .height = source->height,
                            .stride = (size_t)source->width * 4};
    return png_encode(&image, ZT_PNG_SMALL, job->a, out, job->err);
}

/// The bytes of a file, which may be inside of the model's.
static zt_result read_file(convert_job *job, const char *name, file_bytes embedded, file_bytes *out)
{
    const texture_origin origin = model_texture_origin(&job->source);
    *out = embedded;
    return embedded.data ? ZT_OK
                         : texture_read(job->a, &origin, name, &job->source.sink, out, job->err);
}

/// An empty picture for "".
static zt_result load(convert_job *job, const char *name, file_bytes embedded, picture *out)
{
    const picture_need all = {0};
    file_bytes bytes;
    *out = (picture){0};
    if (*name == '\0')
        return ZT_OK;
    ZT_TRY(read_file(job, name, embedded, &bytes));
    return picture_decode(job->a, name, bytes, all, out, job->err);
}

zt_result convert_texture_read(convert_job *job, const model_texture *texture, file_bytes *out)
{
    const texture_files *files = &texture->files;
    picture one, two, made;
    if (files->plan == TEXTURE_WHOLE) {
        ZT_TRY(read_file(job, texture->name, texture->embedded[0], out));
        if (picture_kind_of(*out)->mime)
            return ZT_OK;
        ZT_TRY(picture_decode(job->a, texture->name, *out, (picture_need){0}, &made, job->err));
        return convert_texture_png(job, &made, out);
    }
    ZT_TRY(load(job, files->name, texture->embedded[0], &one));
    ZT_TRY(load(job, files->other, texture->embedded[1], &two));
    ZT_TRY(picture_compose_plan(job->a, files->plan, &one, &two, &made, job->err));
    return convert_texture_png(job, &made, out);
}
