// SPDX-License-Identifier: MIT
/// The materials of an OBJ file: of the MTL files that it names. Colours are what users saw when
/// they chose them: sRGB. The exponent of a highlight becomes roughness by alpha^2 = 2 / (Ns + 2)
/// (Walter et al., Microfacet Models for Refraction, EGSR 2007), with alpha = roughness^2.
#include "base/hash.h"
#include "model/single_mesh.h"
#include "obj/mtl.h"
#include "obj/obj_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LIBRARIES_MAX = 256 };

typedef struct library_reader {
    const obj_file *f;
    const model_source *source;
    model_report *report;
    arena *scratch;
    mtl_list list;
    hash_table names, libraries;        ///< of `list`, the first of each, and of `library`
    const char *library[LIBRARIES_MAX]; ///< names that were looked for
    uint32_t library_count;
    zt_error *err;
} library_reader;

static uint32_t *find_material(const library_reader *r, const char *name)
{
    return hash_table_text(&r->names, r->list.material, sizeof *r->list.material, name);
}

/// *out_found is false when there is none of this name.
static zt_result read_file(const library_reader *r, const char *name, file_bytes *out,
                           bool *out_found)
{
    const texture_origin origin = model_texture_origin(r->source);
    zt_error why = {ZT_OK, ""};
    const zt_result result = texture_read(r->scratch, &origin, name, &(message_sink){0}, out, &why);
    *out_found = result == ZT_OK;
    return *out_found || result == ZT_ERR_INPUT ? ZT_OK
                                                : zt_fail(r->err, result, "%s", why.message);
}

/// Reads one MTL file, once. *out_found is false when there is none of this name, which is new.
static zt_result read_library(library_reader *r, const char *name, bool *out_found)
{
    file_bytes bytes;
    uint32_t *slot = hash_table_text(&r->libraries, r->library, sizeof *r->library, name);
    ZT_TRY(arena_work(r->scratch, strlen(name), "libraries", r->err));
    *out_found = *slot != 0 || r->library_count == LIBRARIES_MAX;
    if (*slot)
        return ZT_OK;
    if (*out_found)
        return model_warn(r->report, r->err,
                          "materials of more than %d names: \"%.100s\" is left out", LIBRARIES_MAX,
                          name);
    r->library[r->library_count] = name;
    *slot = ++r->library_count;
    ZT_TRY(read_file(r, name, &bytes, out_found));
    if (!*out_found)
        return ZT_OK;
    const char *begin = (const char *)bytes.data;
    text_scan text = {name, begin, begin, begin + bytes.size, r->err};
    return mtl_parse(&text, r->scratch, &r->list);
}

/// The rest of a line after mtllib: one name with blanks, or several; a backslash may stand before
/// a blank of a name.
static zt_result read_libraries(library_reader *r, const char *line)
{
    bool found = false, any = false;
    if (*line)
        ZT_TRY(read_library(r, line, &found));
    const bool several = !found && strpbrk(line, " \t");
    char *names = several ? arena_text(r->scratch, line, strlen(line)) : NULL;
    if (several && !names)
        return arena_fail(r->scratch, r->err, "a name");
    while (names && *names) {
        char *to = names, *from = names;
        for (; *from && *from != ' ' && *from != '\t'; from++) {
            from += from[0] == '\\' && from[1] == ' ';
            *to++ = *from;
        }
        const bool ends = *from == 0;
        *to = 0;
        if (*names)
            ZT_TRY(read_library(r, names, &found));
        any = any || found;
        names = ends ? from : from + 1;
    }
    return found || any ? ZT_OK
                        : model_warn(r->report, r->err, "materials \"%.100s\" not found", line);
}

static double clamp01(double x) { return x > 0.0 ? x < 1.0 ? x : 1.0 : 0.0; }

/// Programs that only write a map write 0 for the colour that it is multiplied by.
static bool is_unset(const double color[3], const mtl_map *map)
{
    return isnan(color[0]) || (map->name && color[0] == 0.0 && color[1] == 0.0 && color[2] == 0.0);
}

static void set_color(const double value[3], const mtl_map *map, float out[3])
{
    if (is_unset(value, map))
        return;
    for (int k = 0; k < 3; k++)
        out[k] = (float)srgb_decode(clamp01(value[k]));
}

static void set_factors(const mtl_material *from, model_material *m)
{
    set_color(from->diffuse, &from->map[MTL_DIFFUSE], m->base_color);
    set_color(from->emissive, &from->map[MTL_EMISSIVE], m->emissive_factor);
    if (!isnan(from->roughness))
        m->roughness = (float)clamp01(from->roughness);
    else if (from->shininess >= 0.0)
        m->roughness = (float)sqrt(sqrt(2.0 / (from->shininess + 2.0)));
    m->metallic = (float)clamp01(isnan(from->metallic) ? 0.0 : from->metallic);
    // 0 stands for opaque in files of some programs, and for glass in those of others.
    if (from->opacity > 0.0 && from->opacity < 1.0) {
        m->base_color[3] = (float)clamp01(from->opacity);
        m->alpha = MODEL_BLEND;
    }
    if (from->coat > 0.0) {
        m->extensions.present |= 1u << MODEL_CLEARCOAT;
        m->extensions.clearcoat = (float)clamp01(from->coat);
        m->extensions.clearcoat_roughness =
            (float)clamp01(isnan(from->coat_roughness) ? 0.0 : from->coat_roughness);
    }
}

static const char *name_of(const mtl_map *map) { return map->name ? map->name : ""; }

/// `map` lays the texture on.
static zt_result bind_map(file_textures *textures, texture_files files, const mtl_map *map,
                          mipmap_content content, const char *user, model_slot *slot, zt_error *err)
{
    files.wrap[0] = files.wrap[1] = map->clamp ? MIPMAP_CLAMP : MIPMAP_REPEAT;
    ZT_TRY(file_textures_bind(textures, files, content, user, slot, err));
    if (!map->name)
        return ZT_OK;
    slot->transformed = map->offset[0] != 0.0f || map->offset[1] != 0.0f || map->scale[0] != 1.0f ||
                        map->scale[1] != 1.0f;
    memcpy(slot->scale, map->scale, sizeof slot->scale);
    slot->offset[0] = map->offset[0];
    slot->offset[1] = 1.0f - map->scale[1] - map->offset[1]; // v grows downwards
    return ZT_OK;
}

/// The colour, with alpha from a picture of its own if it has one.
static zt_result set_base_map(const mtl_material *from, file_textures *textures, const char *user,
                              model_material *m, zt_error *err)
{
    const mtl_map *color = &from->map[MTL_DIFFUSE], *alpha = &from->map[MTL_ALPHA];
    const bool own_alpha = color->name && alpha->name && strcmp(color->name, alpha->name) != 0;
    const texture_files files = {.name = name_of(color),
                                 .other = own_alpha ? alpha->name : "",
                                 .plan = own_alpha ? TEXTURE_ALPHA : TEXTURE_WHOLE};
    ZT_TRY(bind_map(textures, files, color, MIPMAP_COLOR, user, &m->base_map, err));
    if (m->base_map.texture < 0)
        return ZT_OK;
    if (alpha->name)
        m->alpha = MODEL_BLEND;
    if (is_unset(from->diffuse, color))
        for (int k = 0; k < 3; k++)
            m->base_color[k] = 1.0f;
    return ZT_OK;
}

/// Maps stand for factors.
static zt_result set_rough_metal(const mtl_material *from, file_textures *textures,
                                 const char *user, model_material *m, zt_error *err)
{
    const mtl_map *rough = &from->map[MTL_ROUGHNESS], *metal = &from->map[MTL_METALLIC];
    const texture_files files = {
        .name = name_of(rough), .other = name_of(metal), .plan = TEXTURE_ROUGH_METAL};
    ZT_TRY(bind_map(textures, files, rough->name ? rough : metal, MIPMAP_LINEAR, user,
                    &m->metal_rough_map, err));
    if (m->metal_rough_map.texture < 0)
        return ZT_OK;
    m->roughness = rough->name ? 1.0f : m->roughness;
    m->metallic = metal->name ? 1.0f : m->metallic;
    return ZT_OK;
}

/// Maps that this renderer has no place for are named, once for each kind.
static zt_result report_maps(const mtl_material *from, model_report *report, zt_error *err)
{
    if (from->map[MTL_SPECULAR].name)
        ZT_TRY(model_unsupported(report, err, "map_Ks (specular) is not shown"));
    if (from->map[MTL_ALPHA].name && !from->map[MTL_DIFFUSE].name)
        ZT_TRY(model_unsupported(report, err, "map_d without map_Kd is not shown"));
    return ZT_OK;
}

static zt_result set_maps(const mtl_material *from, file_textures *textures, model_report *report,
                          model_material *m, zt_error *err)
{
    const mtl_map *emissive = &from->map[MTL_EMISSIVE];
    const bool bump = !from->map[MTL_NORMAL].name;
    const mtl_map *normal = &from->map[bump ? MTL_BUMP : MTL_NORMAL];
    char user[100];
    snprintf(user, sizeof user, "material '%.64s'", from->name);
    ZT_TRY(set_base_map(from, textures, user, m, err));
    ZT_TRY(set_rough_metal(from, textures, user, m, err));
    ZT_TRY(bind_map(textures, (texture_files){.name = name_of(emissive), .other = ""}, emissive,
                    MIPMAP_COLOR, user, &m->emissive_map, err));
    ZT_TRY(bind_map(textures,
                    (texture_files){.name = name_of(normal),
                                    .other = "",
                                    .plan = bump ? TEXTURE_BUMP : TEXTURE_WHOLE},
                    normal, MIPMAP_NORMAL, user, &m->normal_map, err));
    if (normal->name)
        m->normal_scale = normal->strength;
    if (m->emissive_map.texture >= 0 && is_unset(from->emissive, emissive))
        for (int k = 0; k < 3; k++)
            m->emissive_factor[k] = 1.0f;
    return report_maps(from, report, err);
}

static zt_result make_material(const library_reader *r, uint32_t i, file_textures *textures,
                               arena *keep, model_material *out)
{
    const char *name = r->f->materials[i];
    const uint32_t number = *find_material(r, name);
    file_bytes bytes;
    bool found;
    *out = single_mesh_no_material(r->f->color != NULL);
    out->alpha = r->f->blends ? MODEL_BLEND : MODEL_OPAQUE;
    out->number = i;
    ZT_TRY(ARENA_TEXT(keep, &out->name, name, "a name", r->err));
    if (number == 0)
        return *name ? model_warn(r->report, r->err, "material '%.64s' is not defined", name)
                     : ZT_OK;
    out->plain = false;
    mtl_material *from = &r->list.material[number - 1];
    for (int k = 0; k < MTL_SLOT_COUNT; k++)
        if (from->map[k].longer) {
            ZT_TRY(read_file(r, from->map[k].longer, &bytes, &found));
            from->map[k].name = found ? from->map[k].longer : from->map[k].name;
        }
    set_factors(from, out);
    ZT_TRY(set_maps(from, textures, r->report, out, r->err));
    model_material_derive(out);
    return ZT_OK;
}

zt_result obj_make_materials(const obj_file *f, const model_source *source, model_report *report,
                             zt_model *model, arena *scratch, const model_material **out,
                             zt_error *err)
{
    library_reader r = {.f = f, .source = source, .report = report, .scratch = scratch, .err = err};
    file_textures textures;
    model_material *made;
    const uint32_t count = f->material_count;
    if (!hash_table_init(&r.libraries, scratch, LIBRARIES_MAX))
        return arena_fail(scratch, err, "materials");
    for (uint32_t i = 0; i < f->library_count; i++)
        ZT_TRY(read_libraries(&r, f->libraries[i]));
    if (!hash_table_init(&r.names, scratch, r.list.count))
        return arena_fail(scratch, err, "materials");
    for (uint32_t i = 0; i < r.list.count; i++) {
        uint32_t *slot = find_material(&r, r.list.material[i].name);
        *slot = *slot ? *slot : i + 1;
    }
    ZT_TRY(file_textures_init(&textures, source, &model->arena, report, 4 * (size_t)count, scratch,
                              err));
    ZT_TRY(ARENA_TAKE(scratch, &made, (size_t)count + 1, "materials", err));
    zt_result result = arena_work(scratch, (uint64_t)count + r.list.count, "materials", err);
    for (uint32_t i = 0; i < count && result == ZT_OK; i++)
        result = make_material(&r, i, &textures, &model->arena, &made[i]);
    file_textures_finish(&textures);
    ZT_TRY(result);
    made[count] = single_mesh_no_material(f->color != NULL);
    made[count].alpha = f->blends ? MODEL_BLEND : MODEL_OPAQUE;
    made[count].unlit = made[count].without_normals = true;
    *out = made;
    return file_textures_keep(&textures, model, err);
}
