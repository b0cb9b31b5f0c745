// SPDX-License-Identifier: MIT
// An occlusion map that covers a model once knows its folds. One that repeats is the relief of a
// weave or a wall: a map repeats when the coordinates of its material span more than the picture.
#include "model/material_maps.h"

#include "model/texture_pack.h"

/// Coordinates that leave the picture by less than this share, as those of borders do, repeat
/// nothing.
static const float margin = 0.01f;

typedef struct coordinate_span {
    float min[2], max[2];
    bool any;
} coordinate_span;

static void span_add(coordinate_span *s, const model_slot *slot, float u, float v)
{
    const float *m = slot->uv_from_uv;
    const float at[2] = {slot->transformed ? (m[0] * u + m[1] * v) + m[2] : u,
                         slot->transformed ? (m[3] * u + m[4] * v) + m[5] : v};
    for (int k = 0; k < 2; k++) {
        s->min[k] = !s->any || at[k] < s->min[k] ? at[k] : s->min[k];
        s->max[k] = !s->any || at[k] > s->max[k] ? at[k] : s->max[k];
    }
    s->any = true;
}

static void mesh_add(const model_mesh *mesh, const model_material *materials,
                     coordinate_span *spans)
{
    for (uint32_t i = 0; i < mesh->meshlet_count; i++) {
        const meshlet *l = &mesh->meshlets[i];
        const model_slot *slot = &materials[l->material].occlusion_map;
        if (slot->texture < 0 || (slot->uv_set == 1 && !mesh->extra))
            continue;
        for (uint32_t k = 0; k < l->vertex_count; k++) {
            const uint32_t v = mesh->meshlet_vertex[l->vertex_first + k];
            if (slot->uv_set == 1)
                span_add(&spans[l->material], slot, mesh->extra[v].u1, mesh->extra[v].v1);
            else
                span_add(&spans[l->material], slot, mesh->attributes[v].u, mesh->attributes[v].v);
        }
    }
}

zt_result model_find_repeated_maps(zt_model *model, arena *scratch, zt_error *err)
{
    model_material *materials = (model_material *)(uintptr_t)model->materials; // being read
    coordinate_span *spans;
    ZT_TRY(ARENA_TAKE(scratch, &spans, model->material_count, "materials of a model", err));
    for (uint32_t i = 0; i < model->mesh_count; i++)
        mesh_add(&model->meshes[i], materials, spans);
    for (uint32_t i = 0; i < model->material_count; i++)
        if (spans[i].any)
            for (int k = 0; k < 2; k++)
                if (spans[i].max[k] - spans[i].min[k] > 1.0f + margin)
                    materials[i].occlusion_repeats = true;
    return ZT_OK;
}

zt_result model_keep_mask_coverage(const zt_model *model, arena *scratch, zt_error *err)
{
    model_texture *textures = (model_texture *)(uintptr_t)model->textures; // being read
    texture_use *uses = ARENA_ARRAY(scratch, texture_use, model->texture_count);
    if (model->texture_count > 0 && !uses)
        return arena_fail(scratch, err, "textures of a model");
    for (uint32_t i = 0; i < model->material_count; i++)
        model_texture_uses(&model->materials[i], uses);
    for (uint32_t t = 0; t < model->texture_count; t++)
        mipmap_keep_coverage(&textures[t].mipmap, uses[t].mask_cutoff);
    return ZT_OK;
}
