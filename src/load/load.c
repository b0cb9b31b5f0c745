// SPDX-License-Identifier: MIT
/// Models from files: tells formats apart by content and calls the reader.
#include "load/load.h"

#include "base/handle.h"
#include "gltf/gltf.h"
#include "m3d/m3d.h"
#include "model/texture_fuse.h"

#include <string.h>

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool starts_with(file_bytes bytes, size_t at, const char *magic)
{
    const size_t length = strlen(magic);
    return bytes.size - at >= length && memcmp(bytes.data + at, magic, length) == 0;
}

/// Formats that we do not read, by their first bytes. Some share the extension .m3d.
static const struct {
    const char *magic, *what;
} other_formats[] = {
    {"3DMO",         "a binary Model 3D (bzt), which shares the extension .m3d"},
    {"3dmodel",      "a Model 3D in text form (.a3d, bzt)"                     },
    {"IDPO",         "a Quake model (.mdl)"                                    },
    {"IDP2",         "a Quake II model (.md2)"                                 },
    {"IDP3",         "a Quake III model (.md3)"                                },
    {"MD5Version",   "a Doom 3 model (.md5mesh, .md5anim)"                     },
    {"Kaydara FBX",  "an FBX file"                                             },
    {"; FBX",        "an FBX file in text form"                                },
    {"ply",          "a PLY file"                                              },
    {"solid ",       "an STL file"                                             },
    {"xof ",         "a DirectX .x file"                                       },
    {"<?xml",        "an XML file (COLLADA?)"                                  },
    {"BLENDER",      "a Blender file"                                          },
    {"DDS ",         "a DDS picture"                                           },
    {"\x89PNG",      "a PNG picture"                                           },
    {"\xFF\xD8\xFF", "a JPEG picture"                                          },
    {"\x1F\x8B",     "a gzip archive"                                          },
    {"PK\x03\x04",   "a ZIP archive"                                           },
};

static zt_result fail_unknown(const model_source *source, size_t at, zt_error *err)
{
    char extension[8];
    path_extension(source->path, extension);
    const char *wanted = "a glTF or an .m3d";
    if (strcmp(extension, "m3d") == 0)
        wanted = "the title '***m3d-File-Header***' of the book's text format";
    else if (strcmp(extension, "glb") == 0)
        wanted = "the magic 'glTF'";
    else if (strcmp(extension, "gltf") == 0)
        wanted = "a JSON object";
    if (source->bytes.size == at)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:1:1: the file is empty (expected %s)", source->path,
                       wanted);
    for (size_t i = 0; i < sizeof other_formats / sizeof *other_formats; i++)
        if (starts_with(source->bytes, at, other_formats[i].magic))
            return zt_fail(err, ZT_ERR_FORMAT, "%s:1:1: this is %s (expected %s)", source->path,
                           other_formats[i].what, wanted);
    return zt_fail(err, ZT_ERR_FORMAT, "%s:1:1: not a model that can be read (expected %s)",
                   source->path, wanted);
}

/// A scene under the name of a model, also from standard input: text whose first key is "format".
static bool is_scene(file_bytes bytes, size_t at)
{
    while (at < bytes.size && (bytes.data[at] == '#' || starts_with(bytes, at, "---"))) {
        const uint8_t *end = memchr(bytes.data + at, '\n', bytes.size - at);
        at = end ? (size_t)(end - bytes.data) + 1 : bytes.size;
        while (at < bytes.size && is_blank(bytes.data[at]))
            at++;
    }
    if (starts_with(bytes, at, "format:"))
        return true;
    if (at >= bytes.size || bytes.data[at] != '{')
        return false;
    do
        at++;
    while (at < bytes.size && is_blank(bytes.data[at]));
    return starts_with(bytes, at, "\"format\"");
}

static zt_result read_by_content(const model_source *source, zt_model *model, arena *scratch,
                                 zt_error *err)
{
    const file_bytes bytes = source->bytes;
    size_t at = bytes.size >= 3 && memcmp(bytes.data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < bytes.size && is_blank(bytes.data[at]))
        at++;
    if (is_scene(bytes, at))
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:1:1: this is a scene, not a model (expected a scene file to be named "
                       ".yaml, .yml or .json)",
                       source->path);
    if (starts_with(bytes, 0, "glTF") || (at < bytes.size && bytes.data[at] == '{'))
        ZT_TRY(gltf_read(source, model, scratch, err));
    else if (at < bytes.size && bytes.data[at] == '*')
        ZT_TRY(m3d_read(source, model, scratch, err));
    else
        return fail_unknown(source, at, err);
    return model_lay_out_motion(model, scratch, err);
}

zt_result model_read(const model_source *source, zt_model *model, arena *scratch, zt_error *err)
{
    ZT_TRY(read_by_content(source, model, scratch, err));
    return model_fuse_textures(model, source->threads, err);
}

zt_load_def zt_default_load_def(void)
{
    return (zt_load_def){.cookie_ = HANDLE_COOKIE};
}

/// Twice the picture's longer side: a model that fills the picture with all of a texture shows
/// about one texel a pixel at the picture's own size, and a part of it seen closer has as much
/// again.
static int32_t texture_least_side(int32_t picture_side)
{
    return picture_side > PICTURE_SIDE_LIMIT ? 0 : 2 * picture_side;
}

model_source model_source_of(const zt_load_def *def, const char *path)
{
    return (model_source){
        .path = path,
        .texture_dir = def->texture_dir,
        .variant = def->variant,
        .threads = def->threads,
        .texture_least = texture_least_side(def->picture_side),
        .sink = {def->message, def->message_user, def->strict}
    };
}

static zt_result load_into(const char *path, const zt_load_def *def, zt_model *model, zt_error *err)
{
    arena scratch;
    arena_init(&scratch, &model->budget_own);
    model_source source = model_source_of(def, path);
    zt_result r = file_read(&scratch, path, &source.bytes, err);
    if (r == ZT_OK)
        r = model_read(&source, model, &scratch, err);
    arena_finish(&scratch);
    return r;
}

zt_result zt_model_load(const char *path, const zt_load_def *def, zt_model **out_model,
                        zt_error *err)
{
    if (!path || !def || !out_model)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_model_load: %s is NULL",
                       !path  ? "path"
                       : !def ? "def"
                              : "out_model");
    *out_model = NULL;
    if (def->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_model_load: def was not made by zt_default_load_def()");
    zt_model *model = handle_alloc(def->allocator, sizeof *model);
    if (!model)
        return zt_fail(err, ZT_ERR_MEMORY, "%s: no memory for a model", path);
    budget_init(&model->budget_own, def->max_memory, def->allocator);
    arena_init(&model->arena, &model->budget_own);
    const uint64_t float_state = float_state_enter();
    const zt_result r = load_into(path, def, model, err);
    float_state_leave(float_state);
    if (r != ZT_OK)
        zt_model_destroy(model);
    else
        *out_model = model;
    return r;
}
