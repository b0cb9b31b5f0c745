// SPDX-License-Identifier: MIT
// model_material -> shade_material: flat, with pointers to textures. A material in mode BLEND whose
// alpha is 1 everywhere becomes opaque.
#include "shade/material.h"

#include "base/dvec3.h"
#include "base/maths.h"
#include "texture/mipmap.h"

#include <math.h>
#include <string.h>

_Static_assert((int)SURFACE_PACKED_PADDING == (int)MIPMAP_PACKED_PADDING, "rows of packed texels");

static bool is_power_of_two(int32_t x) { return (x & (x - 1)) == 0; }

static void texture_view(const model_texture *texture, surface_texture *out)
{
    const mipmap *source = &texture->mipmap;
    const int32_t width = source->level[0].width, height = source->level[0].height;
    static const uint8_t wraps[] = {
        [MIPMAP_REPEAT] = SURFACE_WRAP_REPEAT,
        [MIPMAP_CLAMP] = SURFACE_WRAP_CLAMP,
        [MIPMAP_MIRROR] = SURFACE_WRAP_MIRROR,
    };
    *out = (surface_texture){
        .level_count = texture->mip == MODEL_MIP_NONE ? 1 : source->level_count,
        .wide = source->format == MIPMAP_U15,
        .sampling.powers_of_two = is_power_of_two(width) && is_power_of_two(height),
        .sampling.square = width == height,
        .sampling.wrap_u = wraps[source->wrap_u],
        .sampling.wrap_v = wraps[source->wrap_v],
        .sampling.mag_nearest = texture->mag == MODEL_NEAREST,
        .sampling.min_nearest = texture->min == MODEL_NEAREST,
        .sampling.mip_nearest = texture->mip == MODEL_MIP_NEAREST,
        .is_signed = texture->is_normal_map,
        .two_channel = texture->two_channel,
        .shortness = texture->shortness,
        .mask_cutoff = source->mask_cutoff,
        .mask_skipped = mipmap_skipped(source),
    };
    for (int32_t i = 0; i < source->level_count; i++)
        out->level[i] = (surface_level){source->level[i].texels, source->level[i].width,
                                        source->level[i].height, source->level[i].stride};
}

static surface_map map_view(const model_slot *slot, const surface_texture *textures)
{
    surface_map map = {.texture = textures && slot->texture >= 0 ? &textures[slot->texture] : NULL,
                       .uv_set = slot->uv_set,
                       .transformed = slot->transformed};
    memcpy(map.uv_from_uv, slot->uv_from_uv, sizeof map.uv_from_uv);
    return map;
}

bool shade_is_blended(const model_material *m, const model_texture *base)
{
    const bool through =
        m->base_color[3] < 1.0f || m->vertex_color || (base && base->mipmap.has_alpha);
    return m->alpha == MODEL_BLEND && through;
}

/// Absorption that leaves the attenuation colour after its distance; 0 keeps a millionth.
static float absorption_of(const material_extensions *e, int channel)
{
    const double ln2 = 0.69314718055994530942, color = (double)e->attenuation_color[channel];
    if (!isfinite(e->attenuation_distance_m))
        return 0.0f;
    const double absorption = -maths_log2(color > 1e-6 ? color : 1e-6) * ln2;
    const double per_m = absorption / (double)e->attenuation_distance_m;
    return per_m < 1e30 ? (float)per_m : 1e30f;
}

/// Angle by which light leaves a surface of roughness 1, as the standard deviation of a Gaussian
/// with the same median. Slopes of microfacets have the median alpha under GGX seen from above, a
/// Gaussian with standard deviation s the median 1.177 s. A thin wall scatters like the mirrored
/// reflection (KHR_materials_transmission), by twice the slope; less below an index of 1.5, so
/// that one of 1 does not scatter. A volume refracts at two surfaces, each by (n - 1) times the
/// slope.
static float transmission_lobe(double ior, bool thick)
{
    const double bend = ior - 1.0, narrowed = 2.0 * bend < 1.0 ? 2.0 * bend : 1.0;
    return (float)((thick ? 1.41421356 * bend : 2.0 * narrowed) / 1.177);
}

/// NULL where no light passes. The indices follow from the Abbe number V = 20 / dispersion: those
/// of red and blue light differ by (n - 1) / V (KHR_materials_dispersion).
static zt_result transmission_view(const model_material *m, arena *a, shade_material *out,
                                   zt_error *err)
{
    const material_extensions *e = &m->extensions;
    if (m->unlit || !(e->transmission > 0.0f) || material_extension_table[MODEL_TOON].matters(e))
        return ZT_OK;
    shade_transmission *t;
    ZT_TRY(ARENA_TAKE(a, &t, 1, "materials of a frame", err));
    const bool thick = e->thickness_m > 0.0f;
    const double ior = m->ior > 1.0f ? (double)m->ior : 1.0;
    const double spread = thick ? 0.5 * (ior - 1.0) * ((double)e->dispersion / 20.0) : 0.0;
    *t = (shade_transmission){.factor = e->transmission,
                              .thickness_m = e->thickness_m,
                              .lobe = transmission_lobe(ior, thick),
                              .mirror_roughness =
                                  maths_sqrt(transmission_lobe(ior, thick) * 0.5885f),
                              .disperses = spread > 0.0};
    for (int i = 0; i < 3; i++) {
        const double n = ior + (i - 1) * spread;
        t->inverse_ior[i] = (float)(1.0 / (n > 1.0 ? n : 1.0));
        t->absorption[i] = thick ? absorption_of(e, i) : 0.0f;
    }
    out->transmission = t;
    return ZT_OK;
}

bool shade_materials_transmit(const shade_material *materials, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (materials[i].transmission)
            return true;
    return false;
}

static bool moves_light(const shade_material *m)
{
    const shade_transmission *t = m->transmission;
    return t && (t->thickness_m > 0.0f || (m->roughness > 0.0f && t->lobe > 0.0f));
}

bool shade_materials_need_behind(const shade_material *materials, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (moves_light(&materials[i]))
            return true;
    return false;
}

bool shade_materials_layer(const shade_material *materials, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (materials[i].blended && !materials[i].transmission)
            return true;
    return false;
}

static void material_view(const model_material *m, const zt_model *model,
                          const surface_texture *textures, shade_material *out)
{
    const int32_t base = m->base_map.texture;
    *out = (shade_material){
        .map = {[SHADE_MAP_BASE] = map_view(&m->base_map, textures),
                [SHADE_MAP_METAL_ROUGH] = map_view(&m->metal_rough_map, textures),
                [SHADE_MAP_NORMAL] = map_view(&m->normal_map, textures),
                [SHADE_MAP_OCCLUSION] = map_view(&m->occlusion_map, textures),
                [SHADE_MAP_EMISSIVE] = map_view(&m->emissive_map, textures),
                [SHADE_MAP_SPECULAR] = map_view(&m->specular_map, textures),
                [SHADE_MAP_SPECULAR_COLOR] = map_view(&m->specular_color_map, textures),
                [SHADE_MAP_TRANSMISSION] =
                    map_view(&m->extensions.map[MODEL_TRANSMISSION_MAP], textures),
                [SHADE_MAP_THICKNESS] =
                    map_view(&m->extensions.map[MODEL_THICKNESS_MAP], textures)},
        .metallic = m->metallic,
        .roughness = m->roughness,
        .specular = m->specular,
        .glossiness = m->glossiness,
        .normal_scale = m->normal_scale,
        .occlusion_strength = m->occlusion_strength,
        .occlusion_repeats = m->occlusion_repeats,
        .alpha_cutoff = m->alpha_cutoff,
        .masked = m->alpha == MODEL_MASK,
        .blended = shade_is_blended(m, base >= 0 ? &model->textures[base] : NULL),
        .double_sided = m->double_sided,
        .vertex_color = m->vertex_color,
        .glossy = m->glossy,
        .unlit = m->unlit,
        .without_normals = m->without_normals,
    };
    memcpy(out->base_color, m->base_color, sizeof out->base_color);
    memcpy(out->f0, m->f0, sizeof out->f0);
    if (m->specular_color_map.texture < 0)
        for (int i = 0; i < 3; i++)
            out->f0[i] = (m->f0[i] < 1.0f ? m->f0[i] : 1.0f) * m->specular;
    if (!m->unlit || m->without_normals)
        memcpy(out->emissive, m->emissive, sizeof out->emissive);
}

/// The lobes of a material; NULL in `out` where it has none. False when memory ran out.
static bool lobes_view(const model_material *m, const surface_texture *textures, arena *a,
                       const shade_lobes **out)
{
    const material_extensions *e = &m->extensions;
    const material_extension_row *rows = material_extension_table;
    shade_lobes lobes = {
        .values = *e,
        .has = bsdf_kinds_of(e),
    };
    *out = NULL;
    if (m->unlit || !bsdf_kinds_any(lobes.has))
        return true;
    maths_sincos(e->anisotropy_rotation_rad, &lobes.anisotropy_sin, &lobes.anisotropy_cos);
    for (int x = 0; x < MATERIAL_EXTENSION_COUNT; x++) {
        if (!rows[x].matters(e))
            continue;
        lobes.tangents = lobes.tangents || material_extension_tangents(&rows[x], e) >= 0;
        for (const material_map *map = rows[x].maps; map->key; map++)
            if (map->shaded)
                lobes.map[map->map] = map_view(&e->map[map->map], textures);
    }
    shade_lobes *kept = ARENA_ARRAY_RAW(a, shade_lobes, 1);
    if (kept)
        *kept = lobes;
    *out = kept;
    return kept != NULL;
}

/// The maps of shade_material in the order of packed chains.
static const uint8_t packed_map[MIPMAP_PACK_COUNT] = {
    [MIPMAP_PACK_BASE] = SHADE_MAP_BASE,
    [MIPMAP_PACK_METAL_ROUGH] = SHADE_MAP_METAL_ROUGH,
    [MIPMAP_PACK_NORMAL] = SHADE_MAP_NORMAL,
    [MIPMAP_PACK_EMISSIVE] = SHADE_MAP_EMISSIVE,
    [MIPMAP_PACK_OCCLUSION] = SHADE_MAP_OCCLUSION,
};

_Static_assert((int)SHADE_MAP_EMISSIVE + 1 == (int)MIPMAP_PACK_COUNT,
               "the maps that may be packed precede the others");

zt_result shade_map_build(const model_texture *texture, const model_slot *slot, arena *a,
                          surface_map *out, zt_error *err)
{
    surface_texture *built;
    ZT_TRY(ARENA_TAKE(a, &built, 1, "textures of a frame", err));
    texture_view(texture, built);
    *out = map_view(slot, NULL);
    out->texture = built;
    return ZT_OK;
}

static void packed_view(const model_packed *from, const surface_texture *textures,
                        surface_packed *out)
{
    memcpy(out->first, from->texels.first, sizeof out->first);
    out->texels = from->texels.texels;
    out->emissive_occlusion = from->texels.emissive_occlusion;
    for (int i = 0; i < MIPMAP_PACK_COUNT; i++)
        if (from->texture[i] >= 0)
            out->sampler = textures[from->texture[i]];
}

static uint32_t packed_maps(const model_packed *from)
{
    uint32_t maps = 0;
    for (int i = 0; i < MIPMAP_PACK_COUNT; i++)
        if (from->texture[i] >= 0)
            maps |= 1u << packed_map[i];
    return maps;
}

/// True when packed maps still share coordinates: a clip may have moved one's transform.
static bool packed_together(const model_material *m, uint32_t maps)
{
    const model_slot *const slots[] = {[SHADE_MAP_BASE] = &m->base_map,
                                       [SHADE_MAP_METAL_ROUGH] = &m->metal_rough_map,
                                       [SHADE_MAP_NORMAL] = &m->normal_map,
                                       [SHADE_MAP_OCCLUSION] = &m->occlusion_map,
                                       [SHADE_MAP_EMISSIVE] = &m->emissive_map};
    const model_slot *first = slots[__builtin_ctz(maps)];
    for (int i = 0; i <= SHADE_MAP_EMISSIVE; i++)
        if (maps >> i & 1u && first->transformed &&
            memcmp(slots[i]->uv_from_uv, first->uv_from_uv, sizeof first->uv_from_uv) != 0)
            return false;
    return true;
}

zt_result shade_materials_build(const zt_model *model, const model_material *materials, arena *a,
                                shade_material *out, zt_error *err)
{
    surface_texture *textures = ARENA_ARRAY(a, surface_texture, model->texture_count);
    surface_packed *packed = ARENA_ARRAY(a, surface_packed, model->packed_count);
    if (!textures || !packed)
        return arena_fail(a, err, "textures of a frame");
    for (uint32_t i = 0; i < model->texture_count; i++)
        texture_view(&model->textures[i], &textures[i]);
    for (uint32_t i = 0; i < model->packed_count; i++)
        packed_view(&model->packed[i], textures, &packed[i]);
    for (uint32_t i = 0; i < model->material_count; i++) {
        material_view(&materials[i], model, textures, &out[i]);
        ZT_TRY(transmission_view(&materials[i], a, &out[i], err));
        if (!lobes_view(&materials[i], textures, a, &out[i].lobes))
            return arena_fail(a, err, "materials of a frame");
        const int32_t of = model->packed_of_material ? model->packed_of_material[i] : -1;
        if (of < 0 || !packed_together(&materials[i], packed_maps(&model->packed[of])))
            continue;
        out[i].packed = &packed[of];
        out[i].packed_maps = packed_maps(&model->packed[of]);
    }
    return ZT_OK;
}

uint8_t shade_surface_flags(const shade_material *m)
{
    // A volume shows its front alone: its thickness counts for all that is inside. (doubleSided
    // has no effect on volumes, KHR_materials_volume.)
    const bool thick = m->transmission && m->transmission->thickness_m > 0.0f;
    unsigned flags = 0;
    flags |= m->double_sided && !thick ? SURFACE_DOUBLE_SIDED : 0u;
    flags |= m->masked ? SURFACE_MASKED : 0u;
    flags |= m->blended || m->transmission ? SURFACE_BLENDED : 0u;
    flags |= m->blended && !(m->base_color[3] > 0.0f) ? SURFACE_INVISIBLE : 0u;
    flags |= m->ground || (m->lobes && m->lobes->outline) ? SURFACE_SHADOWLESS : 0u;
    const bool even = !m->map[SHADE_MAP_EMISSIVE].texture && !m->unlit &&
                      !(flags & (SURFACE_MASKED | SURFACE_BLENDED)) &&
                      !(m->lobes && m->lobes->has.toon);
    const double luminance = dvec3_luminance(dvec3_from_floats(m->emissive));
    flags |= even && luminance > SHADE_EMISSION_MIN ? SURFACE_EMISSIVE : 0u;
    return (uint8_t)flags;
}
