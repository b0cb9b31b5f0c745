// SPDX-License-Identifier: MIT
/// From the materials of an .m3d to those of a model. The book's material is a diffuse albedo, a
/// reflectance at normal incidence and a roughness; ours is metal-rough with a free F0, so that
/// nothing is lost. A picture that several materials name is loaded once.
#include "m3d/m3d_file.h"
#include "model/file_textures.h"

#include <stdio.h>
#include <string.h>

/// The book's shader discards below this alpha.
#define ALPHA_CUTOFF 0.1f

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

zt_result m3d_build_materials(const m3d_file *file, const model_source *source, zt_model *model,
                              arena *scratch, model_report *report, zt_error *err)
{
    // A model has at least one material; a file without any draws nothing.
    const m3d_material plain = {.name = "", .diffuse = {1.0f, 1.0f, 1.0f}, .roughness = 1.0f};
    const uint32_t count = file->material_count > 0 ? file->material_count : 1;
    arena *keep = &model->arena;
    file_textures table;
    ZT_TRY(file_textures_init(&table, source, keep, report, 2 * (size_t)file->material_count,
                              scratch, err));
    model_material *materials;
    ZT_TRY(ARENA_TAKE(keep, &materials, count, "materials", err));
    materials[0] = convert(&plain);
    for (uint32_t i = 0; i < file->material_count; i++) {
        const m3d_material *m = &file->materials[i];
        materials[i] = convert(m);
        materials[i].number = i;
        char user[100];
        snprintf(user, sizeof user, "material '%.64s'", m->name);
        ZT_TRY(file_textures_bind(&table, (texture_files){.name = m->diffuse_map, .other = ""},
                                  MIPMAP_COLOR, user, &materials[i].base_map, err));
        ZT_TRY(file_textures_bind(&table, (texture_files){.name = m->normal_map, .other = ""},
                                  MIPMAP_NORMAL, user, &materials[i].normal_map, err));
        // The types that the book's programs draw; another type may mean another shader.
        if (m->type[0] && strcmp(m->type, "Skinned") != 0 && strcmp(m->type, "Static") != 0)
            ZT_TRY(model_note(report, err,
                              "material '%.64s' has the unknown type '%.64s': drawn like any other",
                              m->name, m->type));
    }
    model->materials = materials;
    model->material_count = count;
    return file_textures_keep(&table, model, err);
}
