// SPDX-License-Identifier: MIT
// Which maps of a material can share their texels: those of one size and sampler that are looked up
// at the same coordinates. Materials that use the same maps share the result.
#include "model/texture_pack.h"

#include "base/hash.h"

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

/// The maps that fit the most other leading ones; bit i: slot_of(m, i). 0: no two of them fit.
static uint32_t maps_that_fit(const zt_model *model, const model_material *m)
{
    uint32_t best = 0;
    int max_count = 1;
    for (int i = 0; i <= LAST_LEADING_MAP; i++) {
        uint32_t with = 0;
        int count = 0;
        for (int j = 0; j < MIPMAP_PACK_COUNT; j++) {
            if (slots_fit(model, slot_of(m, i), slot_of(m, j))) {
                with |= 1u << j;
                count += j <= LAST_LEADING_MAP;
            }
        }
        if (count > max_count) {
            max_count = count;
            best = with;
        }
    }
    return best;
}

/// True where the base map is looked up alone for alpha: by masks, blending, shadows of glass.
static bool shows_alpha(const model_material *m)
{
    return m->alpha != MODEL_OPAQUE || m->extensions.transmission > 0.0f;
}

static void use_alone(const model_slot *slot, texture_use *uses)
{
    if (slot->texture >= 0)
        uses[slot->texture].alone = true;
}

/// `maps`: those that are joined.
static void add_uses(const model_material *m, uint32_t maps, texture_use *uses)
{
    for (int k = 0; k < MIPMAP_PACK_COUNT; k++) {
        const model_slot *slot = slot_of(m, k);
        if (slot->texture >= 0 && maps >> k & 1u)
            uses[slot->texture].joined = true;
        else
            use_alone(slot, uses);
    }
    if (shows_alpha(m))
        use_alone(&m->base_map, uses);
    use_alone(&m->specular_map, uses);
    use_alone(&m->specular_color_map, uses);
    for (int k = 0; k < MATERIAL_EXTENSION_MAP_COUNT; k++)
        use_alone(&m->extensions.map[k], uses);
}

/// Its levels can be made for one test.
static void note_mask(const model_material *m, texture_use *use)
{
    const bool masked = m->alpha == MODEL_MASK && m->base_color[3] > 0.0f;
    const float cutoff = masked ? m->alpha_cutoff / m->base_color[3] : -1.0f;
    if (m->alpha != MODEL_OPAQUE)
        use->mask_cutoff = use->mask_cutoff == 0.0f || use->mask_cutoff == cutoff ? cutoff : -1.0f;
}

void model_texture_uses(const model_material *m, texture_use *uses)
{
    if (m->base_map.texture >= 0)
        note_mask(m, &uses[m->base_map.texture]);
    int leading = 0;
    for (int k = 0; k <= LAST_LEADING_MAP; k++)
        leading += slot_of(m, k)->texture >= 0;
    add_uses(m, leading > 1 ? (1u << MIPMAP_PACK_COUNT) - 1u : 0u, uses);
}

typedef struct packer {
    zt_model *model;
    const picture *const *pictures; ///< or NULL
    model_texture *textures;        ///< those of the model
    uint32_t *maps;                 ///< of each material
    job_pool *pool;
    zt_error *err;
} packer;

static const picture *picture_of(const packer *p, int32_t texture)
{
    return p->pictures ? p->pictures[texture] : NULL;
}

static bool has_texels(const model_texture *t)
{
    return t->mipmap.level_count > 0 && t->mipmap.level[0].texels;
}

/// Makes the chain of a texture that has only been measured.
static zt_result build_chain(const packer *p, int32_t texture)
{
    model_texture *t = &p->textures[texture];
    const mipmap measured = t->mipmap;
    const picture *from = picture_of(p, texture);
    const mipmap_content content = t->is_normal_map                ? MIPMAP_NORMAL
                                   : measured.format == MIPMAP_U15 ? MIPMAP_COLOR
                                                                   : MIPMAP_LINEAR;
    if (has_texels(t) || !from)
        return ZT_OK;
    return mipmap_build_shared(p->pool, &p->model->arena, from, content, measured.wrap_u,
                               measured.wrap_v, t->mip != MODEL_MIP_NONE, &t->mipmap, p->err);
}

/// The pictures of a pack when they can be interleaved side by side.
static bool pictures_of(const packer *p, const int32_t texture[MIPMAP_PACK_COUNT],
                        const picture *out[MIPMAP_PACK_COUNT])
{
    const picture *largest = NULL;
    for (int i = 0; i < MIPMAP_PACK_COUNT; i++) {
        out[i] = texture[i] >= 0 ? picture_of(p, texture[i]) : NULL;
        if (texture[i] >= 0 && !out[i])
            return false;
        if (out[i] && (!largest || out[i]->skip > largest->skip))
            largest = out[i];
    }
    for (int i = 0; i < MIPMAP_PACK_COUNT; i++)
        if (out[i] && !mipmap_picture_fits(largest, out[i]))
            return false;
    return true;
}

static zt_result pack(const packer *p, model_packed *out)
{
    const picture *pictures[MIPMAP_PACK_COUNT];
    const mipmap *chain[MIPMAP_PACK_COUNT] = {NULL}, *like = NULL;
    const bool together = pictures_of(p, out->texture, pictures);
    for (int i = 0; i < MIPMAP_PACK_COUNT; i++)
        if (out->texture[i] >= 0)
            like = chain[i] = &p->textures[out->texture[i]].mipmap;
    if (together)
        return mipmap_pack_pictures(p->pool, &p->model->arena, pictures, like, &out->texels,
                                    p->err);
    for (int i = 0; i < MIPMAP_PACK_COUNT; i++)
        if (out->texture[i] >= 0)
            ZT_TRY(build_chain(p, out->texture[i]));
    return mipmap_pack(p->pool, &p->model->arena, chain, &out->texels, p->err);
}

/// Makes the chains of textures that are looked up alone. A clip may part maps that are joined.
static zt_result build_alone(const packer *p)
{
    const zt_model *model = p->model;
    bool moved = false;
    texture_use *uses;
    ZT_TRY(ARENA_TAKE(&p->model->arena, &uses, model->texture_count, "textures", p->err));
    for (uint32_t i = 0; i < model->property_count; i++)
        moved |= model->properties[i].owner == MODEL_OWNER_MATERIAL;
    for (uint32_t i = 0; i < model->material_count; i++)
        add_uses(&model->materials[i], moved ? 0 : p->maps[i], uses);
    for (uint32_t i = 0; i < model->texture_count; i++)
        if (uses[i].alone)
            ZT_TRY(build_chain(p, (int32_t)i));
    return ZT_OK;
}

/// The slot of the pack with these textures, or a free one.
static uint32_t *find_pack(const hash_table *table, const model_packed *packed,
                           const int32_t texture[MIPMAP_PACK_COUNT])
{
    uint64_t hash = 0;
    for (int k = 0; k < MIPMAP_PACK_COUNT; k++)
        hash = hash_number(hash, (uint32_t)texture[k]);
    uint32_t *slot = hash_table_first(table, hash);
    while (*slot != 0 && memcmp(packed[*slot - 1].texture, texture, sizeof packed->texture) != 0)
        slot = hash_table_next(table, slot);
    return slot;
}

/// `known`: an empty table with room for all materials.
static zt_result pack_all(packer *p, const hash_table *known)
{
    zt_model *model = p->model;
    int32_t *of_material = ARENA_ARRAY(&model->arena, int32_t, model->material_count);
    model_packed *packed = ARENA_ARRAY(&model->arena, model_packed, model->material_count);
    p->maps = ARENA_ARRAY(&model->arena, uint32_t, model->material_count);
    if (!of_material || !packed || !p->maps)
        return arena_fail(&model->arena, p->err, "texels of materials");
    for (uint32_t i = 0; i < model->material_count; i++) {
        const model_material *m = &model->materials[i];
        const uint32_t maps = p->maps[i] = maps_that_fit(model, m);
        of_material[i] = -1;
        if (!maps)
            continue;
        model_packed *next = &packed[model->packed_count];
        for (int k = 0; k < MIPMAP_PACK_COUNT; k++)
            next->texture[k] = maps >> k & 1u ? slot_of(m, k)->texture : -1;
        uint32_t *slot = find_pack(known, packed, next->texture);
        if (*slot == 0) {
            ZT_TRY(pack(p, next));
            *slot = ++model->packed_count;
        }
        of_material[i] = (int32_t)*slot - 1;
    }
    model->packed = packed;
    model->packed_of_material = of_material;
    return p->pictures ? build_alone(p) : ZT_OK;
}

zt_result model_pack_textures(zt_model *model, const picture *const *pictures, job_pool *pool,
                              zt_error *err)
{
    packer p = {.model = model,
                .pictures = pictures,
                .textures = (model_texture *)(uintptr_t)model->textures,
                .pool = pool,
                .err = err};
    arena scratch;
    hash_table known;
    if (model->texture_count == 0)
        return ZT_OK;
    arena_init(&scratch, model->arena.budget);
    const zt_result result = hash_table_init(&known, &scratch, model->material_count)
                                 ? pack_all(&p, &known)
                                 : arena_fail(&scratch, err, "texels of materials");
    arena_finish(&scratch);
    return result;
}
