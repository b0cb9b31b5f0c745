// SPDX-License-Identifier: MIT
// Which maps of a material can share their texels: those of one size and sampler that are looked up
// at the same coordinates. Materials that use the same maps share the result.
#include "model/texture_pack.h"

#include <string.h>

/// At least two maps up to this one are packed, or none; those after it come along.
enum { LAST_LEADING_MAP = MIPMAP_PACK_NORMAL };

static const model_slot *slot_of(const model_material *m, int map)
{
    const model_slot *const slots[MIPMAP_PACK_COUNT] = {
        [MIPMAP_PACK_BASE] = &m->base_map,
        [MIPMAP_PACK_METAL_ROUGH] = &m->metal_rough_map,
        [MIPMAP_PACK_NORMAL] = &m->normal_map,
        [MIPMAP_PACK_EMISSIVE] = &m->emissive_map,
        [MIPMAP_PACK_OCCLUSION] = &m->occlusion_map,
    };
    return slots[map];
}

static bool slots_fit(const zt_model *model, const model_slot *a, const model_slot *b)
{
    if (a->texture < 0 || b->texture < 0 || a->uv_set != b->uv_set ||
        a->transformed != b->transformed ||
        (a->transformed && memcmp(a->uv_from_uv, b->uv_from_uv, sizeof a->uv_from_uv) != 0))
        return false;
    const model_texture *s = &model->textures[a->texture], *t = &model->textures[b->texture];
    return s->mag == t->mag && s->min == t->min && s->mip == t->mip &&
           mipmap_fits(&s->mipmap, &t->mipmap);
}

/// The maps that fit the most others of the leading ones; bit i stands for slot_of(m, i). 0: no two
/// of those fit.
static uint32_t maps_that_fit(const zt_model *model, const model_material *m)
{
    uint32_t best = 0;
    int most = 1;
    for (int i = 0; i <= LAST_LEADING_MAP; i++) {
        uint32_t with = 0;
        int count = 0;
        for (int j = 0; j < MIPMAP_PACK_COUNT; j++) {
            if (slots_fit(model, slot_of(m, i), slot_of(m, j))) {
                with |= 1u << j;
                count += j <= LAST_LEADING_MAP;
            }
        }
        if (count > most) {
            most = count;
            best = with;
        }
    }
    return best;
}

static zt_result pack(zt_model *model, job_pool *pool, const int32_t texture[MIPMAP_PACK_COUNT],
                      model_packed *out, zt_error *err)
{
    const mipmap *chain[MIPMAP_PACK_COUNT] = {NULL};
    memcpy(out->texture, texture, sizeof out->texture);
    for (int i = 0; i < MIPMAP_PACK_COUNT; i++)
        if (texture[i] >= 0)
            chain[i] = &model->textures[texture[i]].mipmap;
    return mipmap_pack(pool, &model->arena, chain, &out->texels, err);
}

static zt_result pack_all(zt_model *model, job_pool *pool, zt_error *err)
{
    int32_t *of_material = ARENA_ARRAY(&model->arena, int32_t, model->material_count);
    model_packed *packed = ARENA_ARRAY(&model->arena, model_packed, model->material_count);
    if (!of_material || !packed)
        return arena_fail(&model->arena, err, "texels of materials");
    for (uint32_t i = 0; i < model->material_count; i++) {
        const model_material *m = &model->materials[i];
        const uint32_t maps = maps_that_fit(model, m);
        of_material[i] = -1;
        if (!maps)
            continue;
        int32_t texture[MIPMAP_PACK_COUNT];
        for (int k = 0; k < MIPMAP_PACK_COUNT; k++)
            texture[k] = maps >> k & 1u ? slot_of(m, k)->texture : -1;
        uint32_t known = 0;
        while (known < model->packed_count &&
               memcmp(packed[known].texture, texture, sizeof texture) != 0)
            known++;
        if (known == model->packed_count)
            ZT_TRY(pack(model, pool, texture, &packed[model->packed_count++], err));
        of_material[i] = (int32_t)known;
    }
    model->packed = packed;
    model->packed_of_material = of_material;
    return ZT_OK;
}

zt_result model_pack_textures(zt_model *model, int32_t threads, zt_error *err)
{
    job_pool *pool = NULL;
    if (model->texture_count == 0)
        return ZT_OK;
    arena charged;
    arena_init(&charged, model->arena.budget);
    zt_result result = job_pool_create_optional(&charged, threads, &pool, err);
    if (result == ZT_OK)
        result = pack_all(model, pool, err);
    job_pool_destroy(pool);
    arena_finish(&charged);
    return result;
}
