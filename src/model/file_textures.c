// SPDX-License-Identifier: MIT
/// See file_textures.h.
#include "model/file_textures.h"

#include "base/error.h"
#include "texture/texture_file.h"

#include <string.h>

zt_result file_textures_init(file_textures *table, const model_source *source, arena *keep,
                             model_report *report, size_t most, arena *scratch, zt_error *err)
{
    *table = (file_textures){.source = source, .keep = keep, .report = report};
    table->request = ARENA_ARRAY(scratch, texture_request, most);
    table->texture = ARENA_ARRAY(scratch, model_texture, most);
    if (!hash_table_init(&table->slots, scratch, most) || !table->request || !table->texture)
        return arena_fail(scratch, err, "texture names");
    return ZT_OK;
}

static texture_request *table_find(file_textures *table, const char *name, mipmap_content content,
                                   bool *out_new)
{
    uint32_t *slot =
        hash_table_first(&table->slots, hash_text(HASH_START ^ (uint64_t)content, name));
    for (; *slot != 0; slot = hash_table_next(&table->slots, slot)) {
        texture_request *r = &table->request[*slot - 1];
        if (r->content == content && strcmp(r->name, name) == 0) {
            *out_new = false;
            return r;
        }
    }
    texture_request *r = &table->request[table->request_count++];
    *r = (texture_request){name, content, -1};
    *slot = table->request_count;
    *out_new = true;
    return r;
}

/// Decodes into its own arena, so that only one picture at a time is in memory with its mip chain.
/// `*out_left_out`: a fault that leaves it out: it is not there, or too large.
static zt_result load_texture(const file_textures *table, const texture_request *request,
                              model_texture *out, bool *out_left_out, zt_error *err)
{
    const model_source *source = table->source;
    arena *keep = table->keep;
    arena pictures;
    arena_init(&pictures, keep->budget);
    picture decoded;
    const picture_need need = {.min_side = source->texture_min_side,
                               .color = request->content == MIPMAP_COLOR};
    const texture_origin origin = model_texture_origin(source);
    zt_result r =
        texture_load(&pictures, &origin, request->name, need, &source->sink, &decoded, err);
    *out_left_out = decoded.too_large || (r == ZT_ERR_INPUT && !decoded.lfs_pointer);
    if (r == ZT_OK)
        r = mipmap_build(keep, &decoded, request->content, MIPMAP_REPEAT, MIPMAP_REPEAT, true,
                         &out->mipmap, err);
    if (r == ZT_OK && decoded.note)
        r = model_unsupported(table->report, err, "%s: %s", request->name, decoded.note);
    if (r == ZT_OK) {
        out->name = request->name;
        out->format = decoded.codec;
        out->image = -1;
        out->mag = out->min = MODEL_LINEAR_FILTER;
        out->mip = MODEL_MIP_LINEAR;
        out->is_normal_map = request->content == MIPMAP_NORMAL;
        out->two_channel = out->is_normal_map && decoded.two_channel;
        out->shortness = out->is_normal_map ? mipmap_shortness(&decoded) : 0.0f;
    }
    arena_finish(&pictures);
    return r;
}

zt_result file_textures_bind(file_textures *table, const char *name, mipmap_content content,
                             const char *user, model_slot *slot, zt_error *err)
{
    if (*name == 0 || table->source->no_textures)
        return ZT_OK;
    bool is_new;
    texture_request *request = table_find(table, name, content, &is_new);
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
                              content == MIPMAP_COLOR ? "diffuse map" : "normal map"));
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
