// SPDX-License-Identifier: MIT
/// Which reader of pictures of light a file needs, by its first bytes.
#include "image/hdr_picture.h"

#include "base/error.h"
#include "image/hdr_read.h"

zt_result hdr_picture_decode(arena *a, const char *name, file_bytes bytes, hdr_picture *out,
                             zt_error *err)
{
    *out = (hdr_picture){0};
    if (hdr_is(bytes))
        return hdr_decode(a, name, bytes, out, err);
    return zt_fail(err, ZT_ERR_FORMAT, "%s:0: not a picture of light (expected Radiance HDR)",
                   name);
}
