// SPDX-License-Identifier: MIT
/// From the materials of an .m3d to those of a model. The book's material is a diffuse albedo, a
/// reflectance at normal incidence and a roughness; ours is metal-rough with a free F0, so that
/// nothing is lost. A picture that several materials name is loaded once.
#include "m3d/m3d_material.h"

#include "base/error.h"
#include "base/hash.h"
#include "texture/texture_file.h"

#include <string.h>

/// The book's shader discards below this alpha.
#define ALPHA_CUTOFF 0.1f

/// Pictures that were requested, by name and content.
typedef struct texture_request {
    const char *name;
    mipmap_content content;
    int32_t texture; ///< -1: there is none
} texture_request;

typedef struct texture_table {
    const model_source *source;
    arena *keep;
    model_report *report;
    hash_table slots; ///< of `request`
    texture_request *request;
    uint32_t request_count;
    model_texture *texture;
    uint32_t texture_count;
} texture_table;

static zt_result table_init(texture_table *table, uint32_t materials, arena *scratch, zt_error *err)
{
    const size_t most = (size_t)materials * 2;
    table->request = ARENA_ARRAY(scratch, texture_request, most);
    table->texture = ARENA_ARRAY(scratch, model_texture, most);
    if (!hash_table_init(&table->slots, scratch, most) || !table->request || !table->texture)
        return arena_fail(scratch, err, "texture names");
    return ZT_OK;
}

static texture_request *table_find(texture_table *table, const char *name, mipmap_content content,
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

// Decodes into its own arena, so that only one picture at a time is in memory with its mip chain.
// `*out_left_out`: a fault that leaves it out: it is not there, or too large.
static zt_result load_texture(const texture_table *table, const texture_request *request,
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

static zt_result bind_texture(texture_table *table, const m3d_material *material, const char *name,
                              mipmap_content content, model_slot *slot, zt_error *err)
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
            ZT_TRY(model_warn(table->report, err, "%s; material '%.64s' is drawn without its %s",
                              error_without_path(why.message, table->source->path), material->name,
                              content == MIPMAP_COLOR ? "diffuse map" : "normal map"));
        }
    }
    slot->texture = request->texture;
    return ZT_OK;
}

static model_material convert(const m3d_material *m)
{
    model_material out = model_material_default();
    out.name = m->name;
    memcpy(out.base_color, m->diffuse, sizeof m->diffuse);
    out.metallic = 0.0f;
    out.roughness = m->roughness;
    memcpy(out.f0, m->fresnel0, sizeof m->fresnel0);
    out.alpha = m->alpha_clip ? MODEL_MASK : MODEL_OPAQUE;
    out.alpha_cutoff = ALPHA_CUTOFF;
    return out;
}

// The types that the book's programs draw; another type may mean another shader.
static bool known_type(const char *type)
{
    return *type == 0 || strcmp(type, "Skinned") == 0 || strcmp(type, "Static") == 0;
}

static zt_result keep_textures(const texture_table *table, zt_model *model, zt_error *err)
{
    model_texture *textures;
    ZT_TRY(ARENA_TAKE(&model->arena, &textures, table->texture_count, "textures", err));
    if (table->texture_count > 0)
        memcpy(textures, table->texture, table->texture_count * sizeof *textures);
    model->textures = textures;
    model->texture_count = table->texture_count;
    return ZT_OK;
}

zt_result m3d_build_materials(const m3d_file *file, const model_source *source, zt_model *model,
                              arena *scratch, model_report *report, zt_error *err)
{
    // A model has at least one material; a file without any draws nothing.
    const m3d_material plain = {.name = "", .diffuse = {1.0f, 1.0f, 1.0f}, .roughness = 1.0f};
    const uint32_t count = file->material_count > 0 ? file->material_count : 1;
    arena *keep = &model->arena;
    texture_table table = {.source = source, .keep = keep, .report = report};
    ZT_TRY(table_init(&table, file->material_count, scratch, err));
    model_material *materials;
    ZT_TRY(ARENA_TAKE(keep, &materials, count, "materials", err));
    materials[0] = convert(&plain);
    for (uint32_t i = 0; i < file->material_count; i++) {
        const m3d_material *m = &file->materials[i];
        materials[i] = convert(m);
        materials[i].number = i;
        ZT_TRY(bind_texture(&table, m, m->diffuse_map, MIPMAP_COLOR, &materials[i].base_map, err));
        ZT_TRY(
            bind_texture(&table, m, m->normal_map, MIPMAP_NORMAL, &materials[i].normal_map, err));
        if (!known_type(m->type))
            ZT_TRY(model_note(report, err,
                              "material '%.64s' has the unknown type '%.64s': drawn like any other",
                              m->name, m->type));
    }
    model->materials = materials;
    model->material_count = count;
    return keep_textures(&table, model, err);
}
