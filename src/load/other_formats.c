// SPDX-License-Identifier: MIT
/// Signatures are those of specifications and of file(1); a suffix counts where they say nothing.
#include "load/other_formats.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/model_names.h"
#include "base/path.h"
#include "base/row_find.h"

#include <stdint.h>
#include <string.h>

#define BLENDER "convert it to .glb, for example with Blender"
#define CAD     "convert it to .glb, for example with FreeCAD"
#define UNPACK  "unpack it first"
#define PICTURE "a picture is no model: name a " MODEL_NAMES_TEXT " file"

enum { TEXT_BYTES = 1 << 16 }; ///< of a text file that are looked at

typedef enum format_id {
    FORMAT_3DS,
    FORMAT_BLEND_PACKED,
    FORMAT_COLLADA,
    FORMAT_USDZ,
    FORMAT_X3D,
    FORMAT_XML,
    FORMAT_ZIP,
    FORMAT_ID_COUNT
} format_id;

// clang-format off
static const other_format known[FORMAT_ID_COUNT] = {
    [FORMAT_3DS] = {"a 3D Studio file (.3ds)", BLENDER},
    [FORMAT_BLEND_PACKED] = {"a compressed Blender file", "in Blender, export it as glTF 2.0"},
    [FORMAT_COLLADA] = {"a COLLADA file (.dae)", BLENDER},
    [FORMAT_USDZ] = {"a USD package (.usdz)", BLENDER},
    [FORMAT_X3D] = {"an X3D file", BLENDER},
    [FORMAT_XML] = {"an XML file", "expected a " MODEL_NAMES_TEXT " file"},
    [FORMAT_ZIP] = {"a ZIP archive", UNPACK},
};

/// By the first bytes.
static const struct {
    const char *magic;
    other_format format;
} magics[] = {
    {"3DMO",                    {"a binary Model 3D (bzt), which shares the suffix .m3d", BLENDER}},
    {"3dmodel",                 {"a Model 3D in text form (.a3d, bzt)", BLENDER}},
    {"IDPO",                    {"a Quake model (.mdl)", BLENDER}},
    {"IDP2",                    {"a Quake II model (.md2)", BLENDER}},
    {"IDP3",                    {"a Quake III model (.md3)", BLENDER}},
    {"MD5Version",              {"a Doom 3 model (.md5mesh, .md5anim)", BLENDER}},
    {"PXR-USDC",                {"a USD file (.usdc)", BLENDER}},
    {"#usda",                   {"a USD file in text form (.usda)", BLENDER}},
    {"BLENDER",                 {"a Blender file", "in Blender, export it as glTF 2.0"}},
    {"Ogawa",                   {"an Alembic file (.abc)", BLENDER}},
    {"\x89HDF\r\n\x1A\n",       {"an HDF5 file (Alembic?)", BLENDER}},
    {"ISO-10303-21;",           {"a STEP file", CAD}},
    {"3D Geometry File Format", {"a Rhino file (.3dm)", "in Rhino, export it as glTF 2.0"}},
    {"#VRML",                   {"a VRML file", BLENDER}},
    {"#X3D",                    {"an X3D file", BLENDER}},
    {"HIERARCHY",               {"a BVH motion capture", BLENDER}},
    {"VOX ",                    {"a MagicaVoxel file", "in MagicaVoxel, export it as .ply for Blender"}},
    {"PMX ",                    {"a MikuMikuDance model (.pmx)", BLENDER}},
    {"//Maya ASCII",            {"a Maya scene", "in Maya, export it as FBX"}},
    {"\xD0\xCF\x11\xE0",        {"a scene of 3ds Max (.max)?", "in 3ds Max, export it as glTF 2.0"}},
    {"DDS ",                    {"a DDS picture", PICTURE}},
    {"\x89PNG",                 {"a PNG picture", PICTURE}},
    {"\xFF\xD8\xFF",            {"a JPEG picture", PICTURE}},
    {"#?RADIANCE",              {"a Radiance HDR picture", "light by it with --environment"}},
    {"v/1\x01",                 {"an OpenEXR picture", "light by it with --environment"}},
    {"\xABKTX",                 {"a KTX picture", PICTURE}},
    {"GIF8",                    {"a GIF picture", PICTURE}},
    {"\x1F\x8B",                {"a gzip archive", UNPACK}},
    {"7z\xBC\xAF",              {"a 7z archive", UNPACK}},
    {"Rar!",                    {"a RAR archive", UNPACK}},
    {"%PDF",                    {"a PDF file", "expected a " MODEL_NAMES_TEXT " file"}},
};

/// By the suffix of the name.
static const struct {
    const char *suffix; ///< lower case, without a dot
    other_format format;
} suffixes[] = {
    {"3ds",   {"a 3D Studio file (.3ds)", BLENDER}},
    {"abc",   {"an Alembic file (.abc)", BLENDER}},
    {"blend", {"a Blender file", "in Blender, export it as glTF 2.0"}},
    {"bvh",   {"a BVH motion capture", BLENDER}},
    {"dae",   {"a COLLADA file (.dae)", BLENDER}},
    {"dxf",   {"a DXF file", BLENDER}},
    {"ifc",   {"an IFC file", CAD}},
    {"iges",  {"an IGES file", CAD}},
    {"igs",   {"an IGES file", CAD}},
    {"lwo",   {"a LightWave object", BLENDER}},
    {"off",   {"an OFF file", BLENDER}},
    {"step",  {"a STEP file", CAD}},
    {"stp",   {"a STEP file", CAD}},
    {"usd",   {"a USD file", BLENDER}},
    {"usda",  {"a USD file in text form (.usda)", BLENDER}},
    {"usdc",  {"a USD file (.usdc)", BLENDER}},
    {"usdz",  {"a USD package (.usdz)", BLENDER}},
    {"wrl",   {"a VRML file", BLENDER}},
    {"x3d",   {"an X3D file", BLENDER}},
    {"zip",   {"a ZIP archive", UNPACK}},
};
// clang-format on

/// True when `word` stands in the first `limit` bytes.
static bool contains(file_bytes bytes, size_t limit, const char *word)
{
    const size_t length = strlen(word), size = bytes.size < limit ? bytes.size : limit;
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(bytes.data + i, word, length) == 0)
            return true;
    return false;
}

/// A chunk 4D4D as large as the file.
static bool is_3ds(file_bytes bytes)
{
    return bytes.size >= 6 && bytes.data[0] == 0x4D && bytes.data[1] == 0x4D &&
           bytes_u32_le(bytes.data + 2) == bytes.size;
}

/// The first file in the archive says what the archive is.
static format_id zip_format(file_bytes bytes)
{
    if (contains(bytes, 512, ".usd"))
        return FORMAT_USDZ;
    return FORMAT_ZIP;
}

static format_id xml_format(file_bytes bytes)
{
    if (contains(bytes, TEXT_BYTES, "<COLLADA"))
        return FORMAT_COLLADA;
    return contains(bytes, TEXT_BYTES, "<X3D") ? FORMAT_X3D : FORMAT_XML;
}

/// FORMAT_ID_COUNT: none of these.
static format_id by_structure(file_bytes bytes, size_t start)
{
    if (file_starts_with(bytes, start, "PK\x03\x04"))
        return zip_format(bytes);
    if (file_starts_with(bytes, start, "<?xml") || file_starts_with(bytes, start, "<COLLADA") ||
        file_starts_with(bytes, start, "<X3D"))
        return xml_format(bytes);
    if (is_3ds(bytes))
        return FORMAT_3DS;
    return FORMAT_ID_COUNT;
}

static const other_format *by_suffix(const char *suffix)
{
    const int32_t i = ROW_FIND(suffixes, suffix);
    return i >= 0 ? &suffixes[i].format : NULL;
}

zt_result other_format_fail_output(const char *path, const char *expected, zt_error *err)
{
    char suffix[8];
    path_extension(path, suffix);
    const other_format *other = by_suffix(suffix);
    const bool is_read_only = model_mime_type(path) && strcmp(suffix, "m3d") != 0;
    const char *what = other ? other->what : is_read_only ? "a format for input" : NULL;
    return what ? zt_fail(err, ZT_ERR_UNSUPPORTED,
                          "output '%.200s': %s, which is not written (expected %s)", path, what,
                          expected)
                : zt_fail(err, ZT_ERR_ARGUMENT, "output '%.200s' (expected %s)", path, expected);
}

const other_format *other_format_of(const char *path, file_bytes bytes, size_t start)
{
    char suffix[8];
    path_extension(path, suffix);
    const bool is_packed = file_starts_with(bytes, start, "\x28\xB5\x2F\xFD") ||
                           file_starts_with(bytes, start, "\x1F\x8B");
    if (is_packed && strcmp(suffix, "blend") == 0)
        return &known[FORMAT_BLEND_PACKED];
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (file_starts_with(bytes, start, magics[i].magic))
            return &magics[i].format;
    const format_id id = by_structure(bytes, start);
    if (id != FORMAT_ID_COUNT)
        return &known[id];
    return by_suffix(suffix);
}
