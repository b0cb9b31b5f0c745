// SPDX-License-Identifier: MIT
/// Builds the materials of an .m3d and writes its DDS files. The material of Luna's book has a
/// diffuse albedo, a reflectance at normal incidence and a roughness: metalness becomes
/// reflectance, and maps of metalness, roughness and reflectance are replaced by their mean.
#include "convert/convert_texture.h"
#include "convert/m3d_builder.h"

#include <string.h>

/// The mean of a map, from its smallest level. False, `out` as it was: the slot has no map.
static bool map_mean(const zt_model *model, const model_slot *slot, float out[4])
{
    if (slot->texture < 0)
        return false;
    const mipmap *mip = &model->textures[slot->texture].mipmap;
    const mipmap_level *last = &mip->level[mip->level_count - 1];
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (int32_t y = 0; y < last->height; y++)
        for (int32_t x = 0; x < last->width; x++)
            for (size_t c = 0; c < 4; c++) {
                const size_t i = 4 * ((size_t)y * (size_t)last->stride + (size_t)x) + c;
                sum[c] += mip->format == MIPMAP_U8
                              ? (double)((const uint8_t *)last->texels)[i] / 255.0
                              : (double)((const uint16_t *)last->texels)[i] / MIPMAP_U15_ONE;
            }
    const double texels = (double)last->width * (double)last->height;
    for (int c = 0; c < 4; c++)
        out[c] = (float)(sum[c] / texels);
    return true;
}

static float saturate(float x) { return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x; }

m3d_out_material m3d_builder_material(const m3d_builder *m, const model_material *from)
{
    float map[4], base[4] = {1.0f, 1.0f, 1.0f, 1.0f}, tint[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    float metallic = from->metallic, roughness = from->roughness, specular = from->specular;
    (void)map_mean(m->model, &from->specular_color_map, tint);
    if (from->glossy)
        roughness = 1.0f - from->glossiness * tint[3];
    if (map_mean(m->model, &from->specular_map, map))
        specular *= map[3];
    if (map_mean(m->model, &from->metal_rough_map, map)) {
        roughness *= map[1];
        metallic *= map[2];
    }
    if (metallic > 0.0f)
        (void)map_mean(m->model, &from->base_map, base);
    // Reflectance has no map here: half of a metal becomes diffuse, to keep its texture visible.
    if (from->base_map.texture >= 0)
        metallic *= 0.5f;
    m3d_out_material out = {.roughness = saturate(roughness),
                            .alpha_clip = from->alpha != MODEL_OPAQUE};
    for (int i = 0; i < 3; i++) {
        const float color = from->base_color[i], f0 = from->f0[i] * tint[i] * specular;
        out.diffuse[i] = saturate(metallic > 0.0f ? color * (1.0f - metallic) : color);
        out.fresnel0[i] =
            saturate(metallic > 0.0f ? f0 * (1.0f - metallic) + color * base[i] * metallic : f0);
    }
    return out;
}

/// The format has no samplers: its textures repeat and are filtered trilinearly.
static zt_result report_sampler(m3d_builder *m, const model_texture *t)
{
    const bool repeats = t->mipmap.wrap_u == MIPMAP_REPEAT && t->mipmap.wrap_v == MIPMAP_REPEAT;
    const bool filtered = t->mag == MODEL_LINEAR_FILTER && t->min == MODEL_LINEAR_FILTER &&
                          t->mip == MODEL_MIP_LINEAR;
    if (!repeats)
        ZT_TRY(convert_report_loss(
            m->job, "the texture '%.64s' is clamped or mirrored: it will repeat", t->name));
    return filtered
               ? ZT_OK
               : convert_report_loss(m->job,
                                     "the texture '%.64s' has another filter: it will be trilinear",
                                     t->name);
}

/// A texture file as DDS: unchanged if it is one, otherwise decoded and encoded.
static zt_result dds_from_file(m3d_builder *m, const model_texture *t, file_bytes bytes,
                               file_bytes *out)
{
    picture decoded;
    const picture_need all = {0};
    *out = bytes;
    if (file_starts_with(bytes, 0, "DDS "))
        return ZT_OK;
    ZT_TRY(picture_decode(m->job->a, t->name, bytes, all, &decoded, m->job->err));
    if (decoded.format == PICTURE_RGBA16)
        ZT_TRY(convert_report_loss(m->job, "the texture '%.64s' has 16 bits a channel: 8 are kept",
                                   t->name));
    return dds_write(m->job->a, &decoded, out, m->job->err);
}

static zt_result write_texture(m3d_builder *m, const model_texture *t, const char **out_name)
{
    convert_job *job = m->job;
    file_bytes bytes, dds;
    const char *stem;
    if (m->document) {
        bytes = m->document->images[t->image].bytes;
        stem = m->document->images[t->image].name;
    } else {
        ZT_TRY(convert_texture_read(job, t, &bytes));
        stem = convert_stem(job, path_name(t->name));
        if (!stem)
            return arena_fail(job->a, job->err, "a file name");
    }
    ZT_TRY(dds_from_file(m, t, bytes, &dds));
    const char *path;
    ZT_TRY(convert_side_file(job, stem, "dds", out_name, &path));
    ZT_TRY(report_sampler(m, t));
    return output_whole(&job->files, job->a, path, dds, job->err);
}

static bool same_uv_transform(const model_slot *a, const model_slot *b)
{
    return a->uv_set == b->uv_set && a->transformed == b->transformed &&
           (!a->transformed || memcmp(a->uv_from_uv, b->uv_from_uv, sizeof a->uv_from_uv) == 0);
}

static zt_result name_map(m3d_builder *m, const model_slot *slot, const char **names,
                          const char **out)
{
    if (slot->texture < 0)
        return ZT_OK;
    const char **name = &names[slot->texture];
    const model_texture *t = &m->model->textures[slot->texture];
    // Textures that differ in sampler or meaning may share an image: one file holds it.
    for (int32_t i = 0; i < (int32_t)m->model->texture_count && !*name; i++)
        if (names[i] && m->document && m->model->textures[i].image == t->image)
            *name = names[i];
    if (!*name)
        ZT_TRY(write_texture(m, t, name));
    *out = *name;
    return ZT_OK;
}

static zt_result report_material(m3d_builder *m, const model_material *from)
{
    const bool masked = from->alpha == MODEL_MASK, metal = from->metallic > 0.0f;
    const bool at_cutoff = from->alpha_cutoff >= 0.0999f && from->alpha_cutoff <= 0.1001f;
    const bool alpha_factor = from->alpha != MODEL_OPAQUE && from->base_color[3] < 1.0f;
    const bool metal_color = metal && from->base_map.texture >= 0;
    const bool metal_map = from->metal_rough_map.texture >= 0;
    const bool part_metal = metal && from->metallic < 1.0f && !metal_map;
    const bool occlusion = from->occlusion_map.texture >= 0;
    const bool specular_map =
        from->specular_map.texture >= 0 || from->specular_color_map.texture >= 0;
    const bool emissive =
        from->emissive[0] > 0.0f || from->emissive[1] > 0.0f || from->emissive[2] > 0.0f;
    const bool normal_scale =
        from->normal_map.texture >= 0 && (from->normal_scale < 1.0f || from->normal_scale > 1.0f);
    const struct {
        const char *what;
        bool lost;
    } losses[] = {
        {"blends: its alpha becomes a cutoff at 0.1", from->alpha == MODEL_BLEND},
        {"has another alpha cutoff than 0.1", masked && !at_cutoff},
        {"has an alpha factor: it becomes 1", alpha_factor},
        {"is double-sided: its back faces are culled", from->double_sided},
        {"has a metal-rough map: its mean is kept", metal_map},
        {"is a metal with a base map: half of it becomes diffuse", metal_color},
        {"is partly metallic: one lobe replaces both", part_metal},
        {"has a specular map: its mean is kept", specular_map},
        {"has a specular factor: grazing angles reflect fully", from->specular < 1.0f},
        {"is unlit: it will be lit", from->unlit},
        {"has an occlusion map: dropped", occlusion},
        {"is emissive: dropped", emissive},
        {"has a normal scale: it becomes 1", normal_scale},
        {"has vertex colours: dropped", from->vertex_color},
    };
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (losses[i].lost)
            ZT_TRY(
                convert_report_loss(m->job, "the material '%.64s' %s", from->name, losses[i].what));
    return ZT_OK;
}

zt_result m3d_builder_add_textures(m3d_builder *m)
{
    const char **names;
    ZT_TRY(ARENA_TAKE(m->job->a, &names, m->model->texture_count, "textures", m->job->err));
    for (uint32_t i = 0; i < m->subset_count; i++) {
        m3d_out_subset *s = &m->subsets[i];
        const model_material *from = &m->model->materials[s->material];
        ZT_TRY(report_material(m, from));
        ZT_TRY(name_map(m, &from->base_map, names, &s->diffuse_map));
        if (from->base_map.texture >= 0 && from->normal_map.texture >= 0 &&
            !same_uv_transform(&from->base_map, &from->normal_map))
            ZT_TRY(convert_report_loss(m->job,
                                       "the normal map of the material '%.64s' has other texture "
                                       "coordinates than its base colour map: dropped",
                                       from->name));
        else
            ZT_TRY(name_map(m, &from->normal_map, names, &s->normal_map));
    }
    return ZT_OK;
}
