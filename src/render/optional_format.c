// SPDX-License-Identifier: MIT
/// Formats that a build may leave out, because they need a library each.
#include <zoetrope/zoetrope.h>

static const struct {
    const char *name;
    bool built;
} formats[] = {
#ifdef ZT_DRACO
    {"Draco", true},
#else
    {"Draco", false},
#endif
#ifdef ZT_OPENEXR
    {"OpenEXR", true},
#else
    {"OpenEXR", false},
#endif
};

const char *zt_optional_format_at(int32_t index, bool *out_built)
{
    const bool valid = index >= 0 && (size_t)index < sizeof formats / sizeof *formats;
    if (out_built)
        *out_built = valid && formats[index].built;
    return valid ? formats[index].name : NULL;
}
