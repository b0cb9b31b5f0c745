// SPDX-License-Identifier: MIT
/// Materials of a glTF file: metallic-roughness, emission, alpha, unlit; gltf_reflectance.c has the
/// extensions that say the same in other words. A material that is used with and without vertex
/// colours becomes two.
/// Reference: glTF 2.0, section 3.9; KHR_materials_emissive_strength and _unlit.

#include "gltf/gltf_reader.h"

#include <string.h>

#define DIELECTRIC_F0 0.04f // index of refraction 1.5

static model_slot empty_slot(void)
{
    return (model_slot){
        .texture = -1, .scale = {1.0f, 1.0f}
    };
}

static model_material default_material(void)
{
    return (model_material){
        .name = "",
        .base_color = {1.0f, 1.0f,      1.0f,             1.0f},
        .metallic = 1.0f,
        .roughness = 1.0f,
        .f0 = {DIELECTRIC_F0,    DIELECTRIC_F0, DIELECTRIC_F0},
        .specular = 1.0f,
        .emissive_strength = 1.0f,
        .ior = 1.5f,
        .specular_color = {1.0f,    1.0f,          1.0f                  },
        .normal_scale = 1.0f,
        .occlusion_strength = 1.0f,
        .base_map = empty_slot(),
        .metal_rough_map = empty_slot(),
        .normal_map = empty_slot(),
        .occlusion_map = empty_slot(),
        .emissive_map = empty_slot(),
        .specular_map = empty_slot(),
        .specular_color_map = empty_slot(),
        .alpha = MODEL_OPAQUE,
        .alpha_cutoff = 0.5f,
        .layers = model_layers_none(),
    };
}

zt_result gltf_clamp_factor(gltf_reader *g, const json_place *place, const char *what,
                            float largest, float *value)
{
    const float clamped = *value < 0.0f ? 0.0f : *value > largest ? largest : *value;
    if (clamped < *value || clamped > *value)
        ZT_TRY(
            gltf_warn(g, place, "%s %g is clamped to %g", what, (double)*value, (double)clamped));
    *value = clamped;
    return ZT_OK;
}

zt_result gltf_clamp_color(gltf_reader *g, const json_place *place, const char *what, int count,
                           float largest, float *color)
{
    for (int i = 0; i < count; i++)
        ZT_TRY(gltf_clamp_factor(g, place, what, largest, &color[i]));
    return ZT_OK;
}

static zt_result read_metal_rough(gltf_reader *g, const json_place *place, model_material *m)
{
    json_place pbr, info;
    ZT_TRY(gltf_object(g, place, "pbrMetallicRoughness", &pbr));
    ZT_TRY(gltf_floats(g, &pbr, "baseColorFactor", 4, m->base_color));
    ZT_TRY(gltf_float(g, &pbr, "metallicFactor", 1.0f, &m->metallic));
    ZT_TRY(gltf_float(g, &pbr, "roughnessFactor", 1.0f, &m->roughness));
    ZT_TRY(gltf_clamp_color(g, &pbr, "a base colour of", 4, 1.0f, m->base_color));
    ZT_TRY(gltf_clamp_factor(g, &pbr, "the metallic factor", 1.0f, &m->metallic));
    ZT_TRY(gltf_clamp_factor(g, &pbr, "the roughness factor", 1.0f, &m->roughness));
    ZT_TRY(gltf_slot(g, &pbr, "baseColorTexture", MIPMAP_COLOR, &m->base_map, &info));
    if (m->unlit)
        return ZT_OK;
    return gltf_slot(g, &pbr, "metallicRoughnessTexture", MIPMAP_LINEAR, &m->metal_rough_map,
                     &info);
}

static zt_result read_alpha(gltf_reader *g, const json_place *place, model_material *m)
{
    static const char *const modes[] = {
        [MODEL_OPAQUE] = "OPAQUE", [MODEL_MASK] = "MASK", [MODEL_BLEND] = "BLEND"};
    const char *mode;
    ZT_TRY(gltf_text(g, place, "alphaMode", &mode));
    ZT_TRY(gltf_float(g, place, "alphaCutoff", 0.5f, &m->alpha_cutoff));
    ZT_TRY(gltf_flag(g, place, "doubleSided", false, &m->double_sided));
    if (!mode)
        return ZT_OK;
    for (int i = MODEL_OPAQUE; i <= MODEL_BLEND; i++)
        if (strcmp(mode, modes[i]) == 0) {
            m->alpha = (model_alpha)i;
            return ZT_OK;
        }
    const json_place member = json_member(place, "alphaMode");
    return gltf_warn(g, &member, "'%.40s' is no alpha mode (expected OPAQUE, MASK or BLEND)", mode);
}

static zt_result read_emission(gltf_reader *g, const json_place *place, model_material *m)
{
    json_place info;
    json_extension extension;
    ZT_TRY(gltf_floats(g, place, "emissiveFactor", 3, m->emissive_factor));
    ZT_TRY(gltf_extension(g, place, "KHR_materials_emissive_strength", &extension));
    ZT_TRY(gltf_float(g, &extension.object, "emissiveStrength", 1.0f, &m->emissive_strength));
    ZT_TRY(gltf_clamp_color(g, place, "an emissive factor of", 3, 65504.0f, m->emissive_factor));
    ZT_TRY(gltf_clamp_factor(g, place, "the emissive strength", 1e6f, &m->emissive_strength));
    return gltf_slot(g, place, "emissiveTexture", MIPMAP_COLOR, &m->emissive_map, &info);
}

/// An unlit surface shows its base colour; what else the material says is there for readers that do
/// not know the extension.
static zt_result read_unlit(gltf_reader *g, const json_place *place, model_material *m)
{
    json_extension extension;
    ZT_TRY(gltf_extension(g, place, "KHR_materials_unlit", &extension));
    m->unlit = extension.object.value != NULL;
    return ZT_OK;
}

/// What changes how a material answers to light.
static zt_result read_response(gltf_reader *g, const json_place *place, model_material *m)
{
    json_place info;
    ZT_TRY(gltf_read_reflectance(g, place, m));
    ZT_TRY(gltf_read_layers(g, place, &m->layers));
    ZT_TRY(gltf_slot(g, place, "normalTexture", MIPMAP_NORMAL, &m->normal_map, &info));
    ZT_TRY(gltf_float(g, &info, "scale", 1.0f, &m->normal_scale));
    ZT_TRY(gltf_slot(g, place, "occlusionTexture", MIPMAP_LINEAR, &m->occlusion_map, &info));
    ZT_TRY(gltf_float(g, &info, "strength", 1.0f, &m->occlusion_strength));
    ZT_TRY(gltf_clamp_factor(g, place, "the occlusion strength", 1.0f, &m->occlusion_strength));
    return read_emission(g, place, m);
}

static zt_result read_material(gltf_reader *g, uint32_t index, model_material *m)
{
    json_place place;
    *m = default_material();
    m->number = index;
    ZT_TRY(gltf_entry(g, &g->materials, index, &place));
    ZT_TRY(gltf_name(g, &place, &m->name));
    ZT_TRY(read_alpha(g, &place, m));
    ZT_TRY(read_unlit(g, &place, m));
    ZT_TRY(read_metal_rough(g, &place, m));
    if (!m->unlit)
        ZT_TRY(read_response(g, &place, m));
    model_material_settle(m);
    return ZT_OK;
}

/// Finds out which materials are used with vertex colours, and which at all.
static zt_result scan_uses(gltf_reader *g)
{
    for (uint32_t i = 0; i < g->mesh_count; i++) {
        json_place mesh, primitives;
        uint32_t count;
        ZT_TRY(gltf_entry(g, &g->meshes, i, &mesh));
        ZT_TRY(gltf_array(g, &mesh, "primitives", &primitives, &count));
        for (uint32_t k = 0; k < count; k++) {
            json_place primitive, attributes;
            int32_t material;
            ZT_TRY(gltf_entry(g, &primitives, k, &primitive));
            ZT_TRY(gltf_object(g, &primitive, "attributes", &attributes));
            ZT_TRY(gltf_primitive_material(g, &primitive, &material));
            gltf_material_use *use = &g->use[material < 0 ? g->material_count : (uint32_t)material];
            if (json_object_get(attributes.value, "COLOR_0"))
                use->colored = true;
            else
                use->plain = true;
        }
    }
    return ZT_OK;
}

zt_result gltf_read_materials(gltf_reader *g)
{
    const size_t count = (size_t)g->material_count + 1;
    g->use = ARENA_ARRAY(g->scratch, gltf_material_use, count);
    g->material = ARENA_ARRAY(g->scratch, model_material, 2 * count);
    g->image_first = ARENA_ARRAY(g->scratch, int32_t, g->image_count);
    if (!g->use || !g->material || !g->image_first)
        return arena_fail(g->scratch, g->err, "materials");
    for (uint32_t i = 0; i < g->image_count; i++)
        g->image_first[i] = -1;
    ZT_TRY(scan_uses(g));
    for (uint32_t i = 0; i < g->material_count; i++) {
        g->skip_textures = !g->use[i].plain && !g->use[i].colored;
        ZT_TRY(read_material(g, i, &g->material[i]));
    }
    ZT_TRY(gltf_report_layers(g));
    const gltf_material_use *last = &g->use[g->material_count];
    g->made_materials = g->material_count;
    if (last->plain || last->colored || g->material_count == 0) {
        g->material[g->made_materials] = default_material();
        g->material[g->made_materials++].number = g->material_count;
    }
    for (uint32_t i = 0; i < count; i++) {
        gltf_material_use *use = &g->use[i];
        if (!use->colored)
            continue;
        use->colored_index = (int32_t)i;
        if (use->plain) {
            use->colored_index = (int32_t)g->made_materials;
            g->material[g->made_materials++] = g->material[i];
        }
        g->material[use->colored_index].vertex_color = true;
    }
    return ZT_OK;
}

uint32_t gltf_material_for(gltf_reader *g, int32_t index, bool colored)
{
    const uint32_t material = index < 0 ? g->material_count : (uint32_t)index;
    return colored ? (uint32_t)g->use[material].colored_index : material;
}
