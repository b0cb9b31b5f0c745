// SPDX-License-Identifier: MIT
/// Models from files: recognises the format by the content and calls the reader.
#include "load/load.h"

#include "base/def_fields.h"
#include "base/handle.h"
#include "fbx/fbx.h"
#include "gltf/gltf.h"
#include "load/other_formats.h"
#include "m3d/m3d.h"
#include "model/material_maps.h"
#include "model/texture_pack.h"
#include "obj/obj.h"
#include "ply/ply.h"
#include "stl/stl.h"
#include "stl/stl_soup.h"
#include "threemf/threemf.h"
#include "xfile/xfile.h"

#include <stdio.h>
#include <string.h>

/// The readers, in the order tried. A new one is a folder with its model_format, and a row here.
static const model_format *const formats[] = {&gltf_format,    &m3d_format, &ply_format,
                                              &stl_format,     &fbx_format, &xfile_format,
                                              &threemf_format, &obj_format};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static bool is_blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// "a glTF or an .m3d", or how a file with the extension of `path` begins.
static void describe_expected(const char *path, char out[256])
{
    char extension[8];
    size_t used = 0;
    path_extension(path, extension);
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        for (const model_extension *e = formats[i]->extensions; e->extension; e++)
            if (strcmp(extension, e->extension) == 0) {
                snprintf(out, 256, "%s", e->expected);
                return;
            }
    for (size_t i = 0; i < FORMAT_COUNT && used < 200; i++)
        used += (size_t)snprintf(out + used, 256 - used, "%s%s",
                                 i == 0                 ? ""
                                 : i + 1 < FORMAT_COUNT ? ", "
                                                        : " or ",
                                 formats[i]->noun);
}

static zt_result fail_unknown(const model_source *source, size_t at, zt_error *err)
{
    char expected[256];
    describe_expected(source->path, expected);
    if (source->bytes.size == at)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:1:1: the file is empty (expected %s)", source->path,
                       expected);
    const other_format *other = other_format_of(source->path, source->bytes, at);
    if (other)
        return zt_fail(err, ZT_ERR_UNSUPPORTED, "%s: this is %s, which is not read (%s)",
                       source->path, other->what, other->advice);
    return zt_fail(err, ZT_ERR_FORMAT, "%s:1:1: not a model that can be read (expected %s)",
                   source->path, expected);
}

/// A scene under the name of a model, also from standard input: text whose first key is "format".
static bool is_scene(file_bytes bytes, size_t at)
{
    while (at < bytes.size && (bytes.data[at] == '#' || file_starts_with(bytes, at, "---"))) {
        const uint8_t *end = memchr(bytes.data + at, '\n', bytes.size - at);
        at = end ? (size_t)(end - bytes.data) + 1 : bytes.size;
        while (at < bytes.size && is_blank(bytes.data[at]))
            at++;
    }
    if (file_starts_with(bytes, at, "format:"))
        return true;
    if (at >= bytes.size || bytes.data[at] != '{')
        return false;
    do
        at++;
    while (at < bytes.size && is_blank(bytes.data[at]));
    return file_starts_with(bytes, at, "\"format\"");
}

/// Moves behind the byte order mark of a text.
static zt_result skip_mark(model_source *source, zt_error *err)
{
    file_bytes *bytes = &source->bytes;
    if (file_starts_with(*bytes, 0, "\xFF\xFE") || file_starts_with(*bytes, 0, "\xFE\xFF"))
        return zt_fail(err, ZT_ERR_FORMAT, "%s:1:1: this text is UTF-16 (expected UTF-8)",
                       source->path);
    if (file_starts_with(*bytes, 0, "\xEF\xBB\xBF"))
        *bytes = (file_bytes){bytes->data + 3, bytes->size - 3};
    return ZT_OK;
}

static zt_result read_by_content(const model_source *source, zt_model *model, arena *scratch,
                                 zt_error *err)
{
    const file_bytes bytes = source->bytes;
    size_t at = 0;
    while (at < bytes.size && is_blank(bytes.data[at]))
        at++;
    if (is_scene(bytes, at))
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:1:1: this is a scene, not a model (expected a scene file to be named "
                       ".yaml, .yml or .json)",
                       source->path);
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (formats[i]->recognise(source->path, bytes, at)) {
            ZT_TRY(formats[i]->read(source, model, scratch, err));
            return model_lay_out_motion(model, scratch, err);
        }
    return fail_unknown(source, at, err);
}

zt_result model_read(const model_source *source, zt_model *model, arena *scratch, zt_error *err)
{
    hash_sum inputs = 0;
    model_source own = *source;
    own.inputs = &inputs;
    scratch->budget->work->cut = 0;
    scratch->budget->work->own = source->bytes.size;
    hash_sum_add(&inputs, "", source->bytes.data, source->bytes.size);
    if (!stl_is_binary(own.bytes)) // their header may be anything
        ZT_TRY(skip_mark(&own, err));
    ZT_TRY(read_by_content(&own, model, scratch, err));
    ZT_TRY(model_paint(model, source->color, &source->sink, err));
    model->inputs = inputs;
    ZT_TRY(model_find_repeated_maps(model, scratch, err));
    ZT_TRY(model_keep_mask_coverage(model, scratch, err));
    return model->packed_of_material ? ZT_OK // by the reader
                                     : model_pack_textures(model, NULL, source->pool, err);
}

zt_result load_def_check(const zt_load_def *def, zt_error *err)
{
    ZT_TRY(handle_check(def->allocator, def->threads, INT32_MAX, err));
    if (!def->bytes && def->size > 0)
        return zt_fail(err, ZT_ERR_ARGUMENT, "bytes are NULL, with a size above 0");
    ZT_TRY(model_check_color(def->color, err));
    if (!def->file_up || up_axis_of(def->file_up) != UP_AS_IS)
        return ZT_OK;
    return zt_fail(err, ZT_ERR_ARGUMENT, "file_up '%.20s' (expected x, y, z, -x, -y or -z)",
                   def->file_up);
}

/// Twice the picture's longer side: a model that fills the picture with all of a texture shows
/// about one texel a pixel at the picture's own size, and a part of it seen closer has as much
/// again.
static int32_t min_texture_side(int32_t picture_side)
{
    return picture_side < 0 || picture_side > PICTURE_SIDE_LIMIT ? 0 : 2 * picture_side;
}

model_source model_source_of(const zt_load_def *def, const char *path)
{
    const bool compared = def->picture_side < 0; // with other files: texel by texel, fronts alike
    return (model_source){.path = path,
                          .root_length =
                              def->follow_links ? FILE_ANYWHERE : path_folder_length(path),
                          .follow_links = def->follow_links,
                          .texture_dir = def->texture_dir,
                          .variant = def->variant,
                          .texture_min_side = min_texture_side(def->picture_side),
                          .joined_maps = !compared,
                          .first_person = def->first_person,
                          .package_picture = def->package_picture,
                          .no_textures = def->no_textures,
                          .m3d = {.turn_front = compared},
                          .up = up_axis_of(def->file_up),
                          .unit_um = def->unit_um,
                          .color = def->color,
                          .sink = {def->message, def->message_user, def->strict}};
}

zt_result model_source_read(model_source *source, const zt_load_def *def, file_supply *supply,
                            arena *a, zt_error *err)
{
    if (!file_in_memory(def))
        return file_read_on(source->pool, a, source->path, &source->bytes, err);
    source->supply = supply;
    budget_read(a->budget, def->size);
    return file_copy(a, source->path, def->bytes, def->size, &source->bytes, err);
}

static zt_result load_into(const char *path, const zt_load_def *def, zt_model *model, zt_error *err)
{
    arena file, scratch;
    char other[FILE_PATH_SIZE];
    model->in_memory = file_in_memory(def);
    if (!model->in_memory)
        path = file_form(path, FILE_ANYWHERE, other);
    model_source source = model_source_of(def, path);
    ZT_TRY(job_pool_create_optional(&model->budget_own, def->threads, &source.pool, err));
    file_supply supply = file_supply_of(def, "");
    arena_init(&file, &model->budget_own);
    arena_init(&scratch, &model->budget_own);
    source.file = &file;
    zt_result r = model_source_read(&source, def, &supply, &file, err);
    if (r == ZT_OK)
        r = model_read(&source, model, &scratch, err);
    if (r == ZT_OK)
        model->inputs = def_hash(model->inputs, &load_table, def, NULL);
    arena_finish(&scratch);
    arena_finish(&file);
    job_pool_destroy(source.pool);
    file_supply_finish(&supply);
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
    ZT_TRY(load_def_check(def, err));
    zt_model *model = handle_alloc(def->allocator, sizeof *model);
    if (!model)
        return zt_fail(err, ZT_ERR_MEMORY, "%s: no memory for a model", path);
    budget_init_within(&model->budget_own, def->budget, def->max_memory, def->allocator);
    cancel_init(&model->budget_own.cancel, def->cancel);
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
