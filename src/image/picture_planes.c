// SPDX-License-Identifier: MIT
#include "image/picture_planes.h"

#include "base/handle.h"
#include "base/nearest_name.h"
#include "base/row_find.h"

#include <stdio.h>
#include <string.h>

// clang-format off
/// Channels of listed rows are named as compositors expect them in OpenEXR files.
const picture_plane_row picture_plane_table[PLANE_COUNT] = {
    [PLANE_COLOR] = {{"color", 4, .half = true, .channel = {"R", "G", "B", "A"}}, .shaded = true, .listed = true},
    [PLANE_ALBEDO] = {{"albedo", 3, .half = true, .channel = {"albedo.R", "albedo.G", "albedo.B"}}, .shaded = true, .listed = true},
    [PLANE_EMISSION] = {{"emission", 3, .half = true, .channel = {"emission.R", "emission.G", "emission.B"}}, .shaded = true, .listed = true},
    [PLANE_DIFFUSE] = {{"diffuse", 3, .half = true, .channel = {"diffuse.R", "diffuse.G", "diffuse.B"}}, .shaded = true, .listed = true},
    [PLANE_SPECULAR] = {{"specular", 3, .half = true, .channel = {"specular.R", "specular.G", "specular.B"}}, .shaded = true, .listed = true},
    [PLANE_TRANSMITTED] = {{"transmitted", 3, .half = true, .channel = {"transmission.R", "transmission.G", "transmission.B"}}, .shaded = true, .listed = true},
    [PLANE_COVERAGE] = {{"coverage", 1, .half = true, .channel = {"coverage.A"}}, .shaded = true, .listed = true},
    [PLANE_CRYPTO_OBJECT] = {{"crypto_object", 12, .channel = {"CryptoObject00.R", "CryptoObject00.G", "CryptoObject00.B", "CryptoObject00.A", "CryptoObject01.R", "CryptoObject01.G", "CryptoObject01.B", "CryptoObject01.A", "CryptoObject02.R", "CryptoObject02.G", "CryptoObject02.B", "CryptoObject02.A"}}, .shaded = true, .listed = true},
    [PLANE_CRYPTO_MATERIAL] = {{"crypto_material", 12, .channel = {"CryptoMaterial00.R", "CryptoMaterial00.G", "CryptoMaterial00.B", "CryptoMaterial00.A", "CryptoMaterial01.R", "CryptoMaterial01.G", "CryptoMaterial01.B", "CryptoMaterial01.A", "CryptoMaterial02.R", "CryptoMaterial02.G", "CryptoMaterial02.B", "CryptoMaterial02.A"}}, .shaded = true, .listed = true},
    [PLANE_CRYPTO_BONE] = {{"crypto_bone", 12, .channel = {"CryptoBone00.R", "CryptoBone00.G", "CryptoBone00.B", "CryptoBone00.A", "CryptoBone01.R", "CryptoBone01.G", "CryptoBone01.B", "CryptoBone01.A", "CryptoBone02.R", "CryptoBone02.G", "CryptoBone02.B", "CryptoBone02.A"}}, .shaded = true, .listed = true},
    [PLANE_DISPLAY] = {{.name = "display", .channels = 4}, .shaded = true},
    [PLANE_DEPTH] = {{"depth", 1, .nearest = true, .channel = {"Z"}}, .listed = true},
    [PLANE_NORMAL] = {{"normal", 3, .nearest = true, .channel = {"N.X", "N.Y", "N.Z"}}, .shaded = true, .listed = true},
    [PLANE_BASE] = {{"base", 3, .nearest = true}, .shaded = true},
    [PLANE_UV] = {{"uv", 2, .nearest = true, .channel = {"UV.U", "UV.V"}}, .shaded = true, .listed = true},
    [PLANE_UV_STEP] = {{"uv_step", 2, .nearest = true}, .shaded = true},
    [PLANE_POSITION] = {{"position", 3, .nearest = true, .channel = {"P.X", "P.Y", "P.Z"}}, .shaded = true, .listed = true},
    [PLANE_BARYCENTRIC] = {{"barycentric", 2, .nearest = true}, .shaded = true},
    // Forward: the place in the next frame minus the place now; backward: that in the frame before
    // minus the place now; pixels, u to the right and v up, as Nuke has them. Known: 1 forward, 2
    // backward, 3 both; what is not known is 0. Vector, as Blender has it: backward, minus forward.
    [PLANE_MOTION] = {{"motion", 5, .nearest = true, .channel = {"forward.u", "forward.v", "backward.u", "backward.v", "motion.known"}}, .shaded = true, .listed = true},
    [PLANE_VECTOR] = {{"vector", 4, .nearest = true, .channel = {"Vector.X", "Vector.Y", "Vector.Z", "Vector.W"}}, .shaded = true, .listed = true},
    [PLANE_INSTANCE] = {{"instance", 1, .integer = true, .nearest = true, .channel = {"id.instance"}}, .shaded = true, .listed = true},
    [PLANE_OBJECT] = {{"object", 1, .integer = true, .nearest = true, .channel = {"id.object"}}, .shaded = true, .listed = true},
    [PLANE_MATERIAL] = {{"material", 1, .integer = true, .nearest = true, .channel = {"id.material"}}, .shaded = true, .listed = true},
    [PLANE_BONE] = {{"bone", 1, .integer = true, .nearest = true, .channel = {"id.bone"}}, .shaded = true, .listed = true},
};
// clang-format on

static zt_result unknown_plane(const char *name, zt_error *err)
{
    const char *known[PLANE_COUNT];
    char list[512] = "";
    size_t length = 0, count = 0;
    for (int p = 0; p < PLANE_COUNT; p++)
        if (picture_plane_table[p].listed && length < sizeof list) {
            known[count] = picture_plane_table[p].kind.name;
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       count ? ", " : "", known[count]);
            count++;
        }
    return zt_fail(err, ZT_ERR_ARGUMENT, "unknown plane '%.80s' (expected one of %s%s)", name, list,
                   nearest_hint(nearest_name(name, known, count)).text);
}

zt_result picture_plane_find(const char *name, picture_plane *out, zt_error *err)
{
    const bool id = name && strcmp(name, "id") == 0;
    const int32_t row = ROW_FIND(picture_plane_table, id ? "object" : name);
    if (row < 0 || !picture_plane_table[row].listed)
        return unknown_plane(name ? name : "", err);
    *out = (picture_plane)row;
    return ZT_OK;
}

zt_result picture_planes_add(uint32_t *set, const char *name, zt_error *err)
{
    picture_plane found = PLANE_COUNT;
    uint32_t all = 0;
    for (int p = 0; p < PLANE_COUNT; p++)
        all |= picture_plane_table[p].listed ? 1u << p : 0;
    if (strcmp(name, "all") == 0) {
        *set |= all;
        return ZT_OK;
    }
    ZT_TRY(picture_plane_find(name, &found, err));
    if (*set >> found & 1u && *set != all)
        return zt_fail(err, ZT_ERR_ARGUMENT, "plane '%s' twice (expected once)", name);
    *set |= 1u << found;
    return ZT_OK;
}

zt_result picture_planes_read(const char *text, uint32_t *out, zt_error *err)
{
    for (*out = 0; text; text = strchr(text, ',') ? strchr(text, ',') + 1 : NULL) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ","), text);
        ZT_TRY(picture_planes_add(out, name, err));
    }
    return ZT_OK;
}

/// The memory of one plane of the caller's list.
static zt_result take_plane(const zt_plane *plane, picture_planes *out, zt_error *err)
{
    picture_plane p = PLANE_COUNT;
    ZT_TRY(picture_plane_find(plane->name, &p, err));
    const size_t row =
        (size_t)out->width * (size_t)picture_plane_table[p].kind.channels * sizeof(float);
    if (!plane->pixels || out->plane[p].data)
        return zt_fail(err, ZT_ERR_ARGUMENT, "plane '%s' %s", plane->name,
                       plane->pixels ? "twice (expected once)" : "without pixels");
    if ((uintptr_t)plane->pixels % sizeof(float) != 0)
        return zt_fail(err, ZT_ERR_ARGUMENT, "plane '%s' at an address of no float", plane->name);
    if (plane->stride != 0 && (plane->stride < row || plane->stride % sizeof(float) != 0))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "plane '%s' with stride %zu (expected 0, or whole floats from %zu bytes on)",
                       plane->name, plane->stride, row);
    out->plane[p] = (plane_memory){plane->pixels, plane->stride ? plane->stride : row};
    return ZT_OK;
}

zt_result picture_planes_take(const zt_planes *planes, picture_planes *out, zt_error *err)
{
    if (!planes || planes->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT, "planes that do not come from zt_default_planes()");
    if (!planes->image && (!planes->list || planes->count < 1))
        return zt_fail(err, ZT_ERR_ARGUMENT, "no planes");
    *out = (picture_planes){.width = planes->width, .height = planes->height};
    if (planes->image)
        out->color8 = *planes->image;
    for (int32_t i = 0; i < planes->count; i++)
        ZT_TRY(take_plane(&planes->list[i], out, err));
    return ZT_OK;
}

uint32_t picture_planes_present(const picture_planes *planes)
{
    uint32_t set = planes->color8.rgba8 || planes->sums ? PICTURE_PLANE_COLOR8 : 0;
    for (int p = 0; p < PLANE_COUNT; p++)
        if (planes->plane[p].data)
            set |= 1u << p;
    return set;
}

picture_planes picture_planes_only(const picture_planes *planes, uint32_t set)
{
    picture_planes out = *planes;
    if (!(set & PICTURE_PLANE_COLOR8)) {
        out.color8.rgba8 = NULL;
        out.sums = NULL;
    }
    for (int p = 0; p < PLANE_COUNT; p++)
        if (!(set >> p & 1u))
            out.plane[p] = (plane_memory){0};
    return out;
}

uint64_t picture_planes_pixel_size(uint32_t set)
{
    uint64_t size = set & PICTURE_PLANE_COLOR8 ? 4 : 0;
    for (int p = 0; p < PLANE_COUNT; p++)
        size += set >> p & 1u ? 4 * (uint64_t)picture_plane_table[p].kind.channels : 0;
    return size;
}

bool picture_planes_any_nearest(uint32_t set)
{
    bool any = false;
    for (int p = 0; p < PLANE_COUNT; p++)
        any = any || (set >> p & 1u && picture_plane_table[p].kind.nearest);
    return any;
}

bool picture_planes_any_shaded(uint32_t set)
{
    bool any = set & PICTURE_PLANE_COLOR8;
    for (int p = 0; p < PLANE_COUNT; p++)
        any = any || (set >> p & 1u && picture_plane_table[p].shaded);
    return any;
}

uint64_t picture_planes_hash(const picture_planes *planes)
{
    return planes->color8.rgba8 ? zt_image_hash(&planes->color8) : 0;
}

zt_result picture_planes_init(picture_planes *planes, uint32_t wanted, int32_t width,
                              int32_t height, arena *a, zt_error *err)
{
    const size_t pixels = (size_t)width * (size_t)height;
    *planes = (picture_planes){.width = width, .height = height};
    planes->color8 = (zt_image){.width = width, .height = height, .stride = (size_t)width * 4};
    if (wanted & PICTURE_PLANE_COLOR8)
        planes->color8.rgba8 = arena_alloc_raw(a, pixels, 4);
    for (int p = 0; p < PLANE_COUNT; p++) {
        const size_t size = (size_t)picture_plane_table[p].kind.channels * sizeof(float);
        if (wanted >> p & 1u)
            planes->plane[p] =
                (plane_memory){arena_alloc_raw(a, pixels, size), (size_t)width * size};
    }
    return picture_planes_present(planes) == wanted ? ZT_OK : arena_fail(a, err, "a picture");
}
