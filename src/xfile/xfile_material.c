// SPDX-License-Identifier: MIT
/// Materials of .x: a colour with alpha, an exponent, a specular and an emissive colour, all sRGB,
/// and a texture. Roughness of exponents n: alpha = sqrt(2 / (n + 2)) (Walter et al., EGSR 2007),
/// which is its square.
#include "model/single_mesh.h"
#include "xfile/xfile_parts.h"

#include <math.h>
#include <stdio.h>

enum { COLOR = 0, POWER = 4, EMISSIVE = 8 };

/// The name of a file in TextureFilename or the like; "" for none.
static const char *file_of(const xfile_object *material, const char *const types[2])
{
    for (int i = 0; i < 2; i++) {
        const xfile_object *o = xfile_child(material, types[i]);
        if (o && o->text_count > 0)
            return o->text[0];
    }
    return "";
}

static zt_result make_material(xfile_reader *r, const xfile_object *from, uint32_t number,
                               file_textures *textures, model_material *m, zt_error *err)
{
    static const char *const base[2] = {"TextureFilename", "TextureFileName"};
    static const char *const normal[2] = {"NormalmapFilename", "NormalMapFilename"};
    char user[100];
    *m = single_mesh_material(single_mesh_plain, false);
    m->number = number;
    ZT_TRY(ARENA_TEXT(r->keep, &m->name, from->name, "a name", err));
    for (uint32_t k = 0; k < 3; k++) {
        m->base_color[k] = (float)srgb_decode(xfile_number(from, COLOR + k, 1.0));
        m->emissive_factor[k] = (float)srgb_decode(xfile_number(from, EMISSIVE + k, 0.0));
    }
    const double alpha = xfile_number(from, COLOR + 3, 1.0);
    if (alpha > 0.0 && alpha < 1.0) { // 0: some exporters do not fill it
        m->base_color[3] = (float)alpha;
        m->alpha = MODEL_BLEND;
    }
    const double power = xfile_number(from, POWER, 0.0);
    if (power > 0.0)
        m->roughness = (float)sqrt(sqrt(2.0 / (power + 2.0)));
    snprintf(user, sizeof user, "material '%.64s'", m->name);
    ZT_TRY(file_textures_bind(textures, (texture_files){.name = file_of(from, base), .other = ""},
                              MIPMAP_COLOR, user, &m->base_map, err));
    ZT_TRY(file_textures_bind(textures, (texture_files){.name = file_of(from, normal), .other = ""},
                              MIPMAP_NORMAL, user, &m->normal_map, err));
    model_material_derive(m);
    return ZT_OK;
}

zt_result xfile_make_materials(xfile_reader *r, zt_error *err)
{
    file_textures textures;
    ZT_TRY(file_textures_init(&textures, r->source, r->keep, &r->report,
                              2 * (size_t)r->material_count, r->scratch, err));
    ZT_TRY(ARENA_TAKE(r->keep, &r->materials, (size_t)r->material_count + 1, "materials", err));
    for (uint32_t i = 0; i < r->material_count; i++)
        ZT_TRY(make_material(r, r->material[i], i, &textures, &r->materials[i], err));
    r->materials[r->material_count] = single_mesh_no_material(false);
    r->model->materials = r->materials;
    r->model->material_count = r->material_count + 1;
    return file_textures_keep(&textures, r->model, err);
}
