// SPDX-License-Identifier: MIT
/// Formats that a build may leave out, because they need a library each.
#include <zoetrope/zoetrope.h>

static const struct {
    const char *name;
    bool built;
} formats[ZT_OPTIONAL_FORMAT_COUNT] = {
#ifdef ZT_DRACO
    [ZT_OPTIONAL_FORMAT_DRACO] = {"Draco",   true},
#else
    [ZT_OPTIONAL_FORMAT_DRACO] = {"Draco", false},
#endif
#ifdef ZT_OPENEXR
    [ZT_OPTIONAL_FORMAT_OPENEXR] = {"OpenEXR", true},
#else
    [ZT_OPTIONAL_FORMAT_OPENEXR] = {"OpenEXR", false},
#endif
};

const char *zt_optional_format_name(zt_optional_format format)
{
    return (unsigned)format < ZT_OPTIONAL_FORMAT_COUNT ? formats[format].name : "?";
}

bool zt_optional_format_built(zt_optional_format format)
{
    return (unsigned)format < ZT_OPTIONAL_FORMAT_COUNT && formats[format].built;
}
