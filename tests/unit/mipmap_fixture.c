// SPDX-License-Identifier: MIT
#include "mipmap_fixture.h"

#include "random_numbers.h"
#include "testing.h"

picture mipmap_random_picture(picture_case *f, int32_t width, int32_t height, picture_format format,
                              bool has_alpha, uint32_t seed)
{
    const size_t count = (size_t)width * (size_t)height * 4;
    const size_t size = format == PICTURE_RGBA16 ? 2 : 1;
    uint8_t *data = arena_alloc(&f->a, count, size);
    cr_assert_not_null(data);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < size; k++) {
            const bool opaque = i % 4 == 3 && !has_alpha;
            const bool clear = i % 4 == 3 && has_alpha && i / 4 % 3 == 0;
            data[i * size + k] = opaque ? 255 : clear ? 0 : (uint8_t)(next_random(&seed) >> 11);
        }
    return (picture){.width = width,
                     .height = height,
                     .level_count = 1,
                     .format = format,
                     .has_alpha = has_alpha,
                     .level = {data}};
}

mipmap mipmap_of(picture_case *f, const picture *p, mipmap_content content, mipmap_wrap wrap_u,
                 mipmap_wrap wrap_v)
{
    mipmap m;
    MUST(mipmap_build(&f->a, p, content, wrap_u, wrap_v, true, &m, &f->err), f->err);
    return m;
}
