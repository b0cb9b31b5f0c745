// SPDX-License-Identifier: MIT
#include "model/file_textures.h"

#include "base/error.h"
#include "texture/picture_compose.h"
#include "texture/texture_file.h"

#include <string.h>

zt_result file_textures_init(file_textures *table, const model_source *source, arena *keep,
                             model_report *report, size_t limit, arena *scratch, zt_error *err)
{
    *table = (file_textures){.source = source, .keep = keep, .report = report};
    table->request = ARENA_ARRAY(scratch, texture_request, limit);
    table->texture = ARENA_ARRAY(scratch, model_texture, limit);
    if (!hash_table_init(&table->slots, scratch, limit) || !table->request || !table->texture)
        return arena_fail(scratch, err, "texture names");
    return ZT_OK;
}

static bool is_same(const texture_request *r, const texture_files *files, mipmap_content content)
{
    return r->content == content && r->files.plan == files->plan &&
           memcmp(r->files.wrap, files->wrap, sizeof files->wrap) == 0 &&
           strcmp(r->files.name, files->name) == 0 && strcmp(r->files.other, files->other) == 0;
}

static texture_request *table_find(file_textures *table, const texture_files *files,
                                   mipmap_content content, bool *out_new)
{
    const uint64_t hash = hash_text(HASH_START ^ (uint64_t)content, files->name);
    uint32_t *slot = hash_table_first(&table->slots, hash_text(hash, files->other));
    while (*slot != 0 && !is_same(&table->request[*slot - 1], files, content))
        slot = hash_table_next(&table->slots, slot);
    *out_new = *slot == 0;
    if (*out_new) {
        table->request[table->request_count] = (texture_request){*files, content, -1};
        *slot = ++table->request_count;
    }
    return &table->request[*slot - 1];
}

static void drop(file_texels *file)
{
    arena_finish(&file->memory);
    *file = (file_texels){0};
}

void file_textures_finish(file_textures *table)
{
    drop(&table->last[0]);
    drop(&table->last[1]);
}

/// Decodes a file that is not yet; "" gives an empty picture. *out_left_out: a fault that leaves it
/// out: it is not there, or too large.
static zt_result read_picture(const file_textures *table, const char *name, picture_need need,
                              file_texels *file, bool *out_left_out, zt_error *err)
{
    const texture_origin origin = model_texture_origin(table->source);
    picture *out = &file->picture;
    file_bytes bytes = {0};
    if (*name == 0 || file->name)
        return ZT_OK;
    arena_init(&file->memory, table->keep->budget);
    if (table->embedded)
        ZT_TRY(table->embedded(table->embedded_user, name, &bytes, err));
    if (bytes.data && table->source->keep_embedded)
        ZT_TRY(file_copy(table->keep, name, bytes.data, bytes.size, &file->embedded, err));
    const zt_result r = bytes.data ? picture_decode(&file->memory, name, bytes, need, out, err)
                                   : texture_load(&file->memory, &origin, name, need,
                                                  &table->source->sink, out, err);
    *out_left_out = out->too_large || out->unknown || (r == ZT_ERR_INPUT && !out->lfs_pointer);
    if (r != ZT_OK) {
        drop(file);
        return r;
    }
    file->name = name;
    file->color = need.color;
    return out->note ? model_unsupported(table->report, err, "%s: %s", name, out->note) : ZT_OK;
}

/// The picture of a request: that of a file, or of channels of two.
static zt_result make_picture(file_textures *table, const texture_request *request, arena *pictures,
                              picture *out, bool *out_left_out, zt_error *err)
{
    const texture_files *files = &request->files;
    const int32_t min_side = table->source->texture_min_side;
    const picture_need need = {.min_side = min_side,
                               .color = request->content == MIPMAP_COLOR,
                               .counted = true,
                               .pool = table->source->pool};
    file_texels *last = table->last;
    const char *const names[2] = {files->name, files->other};
    for (int k = 0; k < 2; k++)
        if (last[k].name &&
            (strcmp(last[k].name, names[k]) != 0 || (min_side > 0 && last[k].color != need.color)))
            drop(&last[k]);
    for (int k = 1; k >= 0; k--) // the partner first: where it is missing, nothing else is decoded
        ZT_TRY(read_picture(table, names[k], need, &last[k], out_left_out, err));
    ZT_TRY(
        picture_compose_plan(pictures, files->plan, &last[0].picture, &last[1].picture, out, err));
    if (files->plan == TEXTURE_WHOLE)
        return ZT_OK;
    out->skip = picture_reduction(out->width, out->height, min_side);
    return ZT_OK;
}

/// Readers have the names in memory of their own.
static zt_result keep_names(arena *keep, const texture_files *files, model_texture *out,
                            zt_error *err)
{
    out->files = *files;
    ZT_TRY(ARENA_TEXT(keep, &out->files.name, files->name, "a texture name", err));
    ZT_TRY(ARENA_TEXT(keep, &out->files.other, files->other, "a texture name", err));
    out->name = *files->name ? out->files.name : out->files.other;
    return ZT_OK;
}

/// Decodes into an arena of its own, so that only one texture's pictures at a time are in memory
/// with its mip chain.
static zt_result load_texture(file_textures *table, const texture_request *request,
                              model_texture *out, bool *out_left_out, zt_error *err)
{
    arena pictures;
    picture made;
    arena_init(&pictures, table->keep->budget);
    zt_result r = make_picture(table, request, &pictures, &made, out_left_out, err);
    if (r == ZT_OK)
        r = mipmap_build_shared(table->source->pool, table->keep, &made, request->content,
                                request->files.wrap[0], request->files.wrap[1], true, &out->mipmap,
                                err);
    if (r == ZT_OK)
        r = keep_names(table->keep, &request->files, out, err);
    if (r == ZT_OK) {
        out->format = made.codec;
        out->image = -1;
        out->embedded[0] = table->last[0].embedded;
        out->embedded[1] = table->last[1].embedded;
        out->mag = out->min = MODEL_LINEAR_FILTER;
        out->mip = MODEL_MIP_LINEAR;
        out->is_normal_map = request->content == MIPMAP_NORMAL;
        out->two_channel = out->is_normal_map && made.two_channel;
        out->shortness = out->is_normal_map ? mipmap_shortness(&made) : 0.0f;
    }
    arena_finish(&pictures);
    if (*request->files.other == 0)
        file_textures_finish(table);
    return r;
}

static const char *use_of(const texture_request *request)
{
    return request->content == MIPMAP_COLOR             ? "colours"
           : request->content == MIPMAP_NORMAL          ? "normal map"
           : request->files.plan == TEXTURE_ROUGH_METAL ? "roughness and metalness"
                                                        : "map";
}

zt_result file_textures_bind(file_textures *table, texture_files files, mipmap_content content,
                             const char *user, model_slot *slot, zt_error *err)
{
    if ((*files.name == 0 && *files.other == 0) || table->source->no_textures)
        return ZT_OK;
    bool is_new;
    texture_request *request = table_find(table, &files, content, &is_new);
    if (is_new) {
        zt_error why = {0};
        bool left_out = false;
        const zt_result r =
            load_texture(table, request, &table->texture[table->texture_count], &left_out, &why);
        if (r == ZT_OK) {
            request->texture = (int32_t)table->texture_count++;
        } else if (!left_out || table->source->sink.strict) {
            return zt_fail(err, r, "%s", why.message);
        } else {
            ZT_TRY(model_warn(table->report, err, "%s; %.100s is drawn without its %s",
                              error_without_path(why.message, table->source->path), user,
                              use_of(request)));
        }
    }
    slot->texture = request->texture;
    return ZT_OK;
}

zt_result file_textures_keep(const file_textures *table, zt_model *model, zt_error *err)
{
    model_texture *textures;
    ZT_TRY(ARENA_TAKE(&model->arena, &textures, table->texture_count, "textures", err));
    if (table->texture_count > 0)
        memcpy(textures, table->texture, table->texture_count * sizeof *textures);
    model->textures = textures;
    model->texture_count = table->texture_count;
    return ZT_OK;
}
