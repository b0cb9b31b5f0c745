// SPDX-License-Identifier: MIT
/// Which reader of pictures of light a file needs, by its first bytes.
#include "image/hdr_picture.h"

#include "base/error.h"
#include "base/picture_kind.h"

/// A picture for people, as PNG, is a format that is not read; anything else is a broken file.
static zt_result fail_unknown(const char *name, file_bytes bytes, zt_error *err)
{
    const char *format = picture_kind_of(bytes)->name;
    if (format)
        return zt_fail(err, ZT_ERR_UNSUPPORTED,
                       "%s: %s is no format of pictures of light (expected Radiance HDR or "
                       "OpenEXR)",
                       name, format);
    return zt_fail(err, ZT_ERR_FORMAT,
                   "%s:0: not a picture of light (expected Radiance HDR or OpenEXR)", name);
}

zt_result hdr_picture_decode(arena *a, const char *name, file_bytes bytes, hdr_picture *out,
                             zt_error *err)
{
    *out = (hdr_picture){0};
    if (hdr_is(bytes))
        return hdr_decode(a, name, bytes, out, err);
    if (!file_starts_with(bytes, 0, EXR_MAGIC))
        return fail_unknown(name, bytes, err);
#ifdef ZT_OPENEXR
    return exr_decode(a, name, bytes, out, err);
#else
    return zt_fail(err, ZT_ERR_UNSUPPORTED,
                   "%s:0: this build reads no OpenEXR (it was configured with -DZT_OPENEXR=OFF)",
                   name);
#endif
}
