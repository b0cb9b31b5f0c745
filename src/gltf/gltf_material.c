// SPDX-License-Identifier: MIT
/// Materials of a glTF file: metallic-roughness, emission, alpha, unlit, variants;
/// gltf_material_extensions.c has the other extensions. A material that is used with and without
/// vertex colours becomes two.
/// Reference: glTF 2.0, section 3.9; KHR_materials_emissive_strength, _unlit and _variants.
#include "gltf/gltf_material.h"

#include "base/row_find.h"
#include "gltf/gltf_parts.h"
#include "gltf/gltf_triangles.h"

#include <stdio.h>
#include <string.h>

static void list_names(const json_pointer *variants, uint32_t count, char *out, size_t size)
{
    size_t used = 0;
    out[0] = 0;
    for (uint32_t i = 0; i < count && used + 1 < size; i++) {
        const json_value *entry = json_at(variants->value, i);
        const char *name = json_str(json_get(entry, "name"));
        used +=
            (size_t)snprintf(out + used, size - used, "%s'%.40s'", i ? ", " : "", name ? name : "");
    }
}

zt_result gltf_choose_variant(gltf_file *file, gltf_materials *materials)
{
    json_extension extension;
    json_pointer variants;
    uint32_t count;
    char names[256];
    materials->variant = -1;
    ZT_TRY(gltf_extension(file->log, &file->root, "KHR_materials_variants", &extension));
    ZT_TRY(gltf_array(file->log, &extension.object, "variants", &variants, &count));
    materials->variant_count = count;
    const char *wanted = file->source->variant;
    if (!wanted)
        return ZT_OK;
    for (uint32_t i = 0; i < count; i++) {
        json_pointer entry;
        const char *name;
        ZT_TRY(gltf_entry(file->log, &variants, i, &entry));
        ZT_TRY(gltf_text(file->log, &entry, "name", &name));
        if (name && strcmp(name, wanted) == 0) {
            materials->variant = (int32_t)i;
            return ZT_OK;
        }
    }
    if (count == 0)
        return gltf_warn(file->log, &file->root, "has no variants of its materials, so not '%.80s'",
                         wanted);
    list_names(&variants, count, names, sizeof names);
    return gltf_fail(file->log, &variants, ZT_ERR_ARGUMENT,
                     "no variant is called '%.80s' (expected %s)", wanted, names);
}

/// True when one entry of `mappings` is for the variant.
static zt_result mapping_applies(gltf_log *log, const gltf_materials *materials,
                                 const json_pointer *mapping, bool *out)
{
    json_pointer variants;
    uint32_t count;
    *out = false;
    ZT_TRY(gltf_array(log, mapping, "variants", &variants, &count));
    for (uint32_t i = 0; i < count; i++) {
        const json_pointer element = json_element(&variants, i);
        int32_t variant;
        ZT_TRY(gltf_index_below(log, &element, materials->variant_count, "variant", &variant));
        *out = *out || variant == materials->variant;
    }
    return ZT_OK;
}

zt_result gltf_primitive_material(const gltf_file *file, const gltf_materials *materials,
                                  const json_pointer *primitive, int32_t *out)
{
    json_extension extension;
    json_pointer mappings;
    uint32_t count;
    ZT_TRY(gltf_member_index(file, primitive, "material", GLTF_MATERIALS, out));
    if (materials->variant < 0)
        return ZT_OK;
    ZT_TRY(gltf_extension(file->log, primitive, "KHR_materials_variants", &extension));
    ZT_TRY(gltf_array(file->log, &extension.object, "mappings", &mappings, &count));
    for (uint32_t i = 0; i < count; i++) {
        json_pointer mapping;
        bool applies;
        ZT_TRY(gltf_entry(file->log, &mappings, i, &mapping));
        ZT_TRY(mapping_applies(file->log, materials, &mapping, &applies));
        if (applies)
            return gltf_member_index(file, &mapping, "material", GLTF_MATERIALS, out);
    }
    return ZT_OK;
}

static zt_result read_metal_rough(gltf_file *file, gltf_textures *textures,
                                  const json_pointer *json, model_material *m)
{
    json_pointer pbr, info;
    ZT_TRY(gltf_object(file->log, json, "pbrMetallicRoughness", &pbr));
    ZT_TRY(gltf_floats(file->log, &pbr, "baseColorFactor", 4, m->base_color));
    ZT_TRY(gltf_float(file->log, &pbr, "metallicFactor", 1.0f, &m->metallic));
    ZT_TRY(gltf_float(file->log, &pbr, "roughnessFactor", 1.0f, &m->roughness));
    ZT_TRY(gltf_clamp_color(file->log, &pbr, "a base colour of", 4, 1.0f, m->base_color));
    ZT_TRY(gltf_clamp_factor(file->log, &pbr, "the metallic factor", 1.0f, &m->metallic));
    ZT_TRY(gltf_clamp_factor(file->log, &pbr, "the roughness factor", 1.0f, &m->roughness));
    ZT_TRY(gltf_read_slot(file, textures, &pbr, "baseColorTexture", MIPMAP_COLOR, &m->base_map,
                          &info));
    if (m->unlit)
        return ZT_OK;
    return gltf_read_slot(file, textures, &pbr, "metallicRoughnessTexture", MIPMAP_LINEAR,
                          &m->metal_rough_map, &info);
}

static zt_result read_alpha(gltf_log *log, const json_pointer *json, model_material *m)
{
    static const char *const modes[] = {
        [MODEL_OPAQUE] = "OPAQUE", [MODEL_MASK] = "MASK", [MODEL_BLEND] = "BLEND"};
    const char *mode;
    ZT_TRY(gltf_text(log, json, "alphaMode", &mode));
    ZT_TRY(gltf_float(log, json, "alphaCutoff", 0.5f, &m->alpha_cutoff));
    ZT_TRY(gltf_flag(log, json, "doubleSided", false, &m->double_sided));
    const int32_t found = ROW_FIND(modes, mode);
    if (found >= 0)
        m->alpha = (model_alpha)found;
    if (!mode || found >= 0)
        return ZT_OK;
    const json_pointer member = json_member(json, "alphaMode");
    return gltf_warn(log, &member, "'%.40s' is not an alpha mode (expected OPAQUE, MASK or BLEND)",
                     mode);
}

static zt_result read_emission(gltf_file *file, gltf_textures *textures, const json_pointer *json,
                               model_material *m)
{
    json_pointer info;
    json_extension extension;
    ZT_TRY(gltf_floats(file->log, json, "emissiveFactor", 3, m->emissive_factor));
    ZT_TRY(gltf_extension(file->log, json, "KHR_materials_emissive_strength", &extension));
    ZT_TRY(
        gltf_float(file->log, &extension.object, "emissiveStrength", 1.0f, &m->emissive_strength));
    if (!extension.object.value) { // the older name, of VRM 1.0
        ZT_TRY(
            gltf_extension(file->log, json, "VRMC_materials_hdr_emissiveMultiplier", &extension));
        ZT_TRY(gltf_float(file->log, &extension.object, "emissiveMultiplier", 1.0f,
                          &m->emissive_strength));
    }
    ZT_TRY(gltf_clamp_color(file->log, json, "an emissive factor of", 3, 65504.0f,
                            m->emissive_factor));
    ZT_TRY(
        gltf_clamp_factor(file->log, json, "the emissive strength", 1e6f, &m->emissive_strength));
    return gltf_read_slot(file, textures, json, "emissiveTexture", MIPMAP_COLOR, &m->emissive_map,
                          &info);
}

/// An unlit surface shows its base colour. The rest is for readers without the extension. Toon
/// shading replaces it: files have it for those that do not know that one.
static zt_result read_unlit(gltf_log *log, const json_pointer *json, bool toon, model_material *m)
{
    json_extension extension;
    ZT_TRY(gltf_extension(log, json, "KHR_materials_unlit", &extension));
    m->unlit = extension.object.value != NULL;
    ZT_TRY(gltf_extension(log, json, material_extension_table[MODEL_TOON].name, &extension));
    m->unlit = m->unlit && !toon && !extension.object.value;
    return ZT_OK;
}

/// The response of a material to light.
static zt_result read_response(gltf_file *file, gltf_textures *textures, const json_pointer *json,
                               model_material *m)
{
    json_pointer info;
    ZT_TRY(gltf_read_reflectance(file, textures, json, m));
    ZT_TRY(gltf_read_extensions(file, textures, json, &m->extensions));
    ZT_TRY(gltf_read_slot(file, textures, json, "normalTexture", MIPMAP_NORMAL, &m->normal_map,
                          &info));
    ZT_TRY(gltf_float(file->log, &info, "scale", 1.0f, &m->normal_scale));
    ZT_TRY(gltf_read_slot(file, textures, json, "occlusionTexture", MIPMAP_LINEAR,
                          &m->occlusion_map, &info));
    ZT_TRY(gltf_float(file->log, &info, "strength", 1.0f, &m->occlusion_strength));
    ZT_TRY(
        gltf_clamp_factor(file->log, json, "the occlusion strength", 1.0f, &m->occlusion_strength));
    return read_emission(file, textures, json, m);
}

enum { SLOTS = 7 + MATERIAL_EXTENSION_MAP_COUNT };

/// The slots of a material that are shaded. Returns their number.
static uint32_t list_slots(model_material *m, model_slot *out[SLOTS])
{
    model_slot *const slots[] = {&m->base_map,          &m->metal_rough_map, &m->normal_map,
                                 &m->occlusion_map,     &m->emissive_map,    &m->specular_map,
                                 &m->specular_color_map};
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        out[count++] = slots[i];
    for (int e = 0; e < MATERIAL_EXTENSION_COUNT; e++)
        for (const material_map *map = material_extension_table[e].maps; map->key; map++)
            if (map->shaded)
                out[count++] = &m->extensions.map[map->map];
    return count;
}

/// Vertices have two sets of texture coordinates: those of the file that the material uses.
static zt_result choose_uv_sets(gltf_file *file, const json_pointer *json, model_material *m)
{
    model_slot *slots[SLOTS];
    const uint32_t count = list_slots(m, slots);
    bool used[GLTF_UV_SETS] = {false};
    for (uint32_t i = 0; i < count; i++)
        used[slots[i]->uv_set] |= slots[i]->texture >= 0;
    for (uint8_t set = 2; set < GLTF_UV_SETS; set++) {
        const int free = !used[1] && m->uv_from[1] == 1   ? 1
                         : !used[0] && m->uv_from[0] == 0 ? 0
                                                          : -1;
        if (!used[set])
            continue;
        if (free >= 0)
            m->uv_from[free] = set;
        else
            ZT_TRY(gltf_unsupported(file->log, json,
                                    "texture coordinate set %d is the third of one material and "
                                    "not read; set 0 is used",
                                    set));
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t set = slots[i]->uv_set;
        if (set > 1)
            slots[i]->uv_set = m->uv_from[1] == set ? 1 : 0;
    }
    return ZT_OK;
}

static zt_result read_material(gltf_file *file, gltf_textures *textures, uint32_t index,
                               model_material *m)
{
    json_pointer json;
    *m = model_material_default();
    m->number = index;
    ZT_TRY(gltf_list_entry(file, GLTF_MATERIALS, index, &json));
    ZT_TRY(gltf_name(file->log, &json, &m->name));
    ZT_TRY(read_alpha(file->log, &json, m));
    const bool toon = gltf_is_toon_vrm0(file, index);
    ZT_TRY(read_unlit(file->log, &json, toon, m));
    ZT_TRY(read_metal_rough(file, textures, &json, m));
    if (!m->unlit)
        ZT_TRY(read_response(file, textures, &json, m));
    if (toon && !(m->extensions.present >> MODEL_TOON & 1u))
        ZT_TRY(gltf_read_toon_vrm0(file, textures, index, m));
    if (m->extensions.present >> MODEL_TOON & 1u) { // neither metal nor occluded
        m->metallic = 0.0f;
        m->metal_rough_map.texture = m->occlusion_map.texture = -1;
    }
    ZT_TRY(choose_uv_sets(file, &json, m));
    model_material_derive(m);
    return ZT_OK;
}

bool gltf_draws_triangles(const gltf_file *file, const json_value *primitive)
{
    const json_value *mode = json_get(primitive, "mode");
    // Draco has only triangles, whatever the mode says.
    return file->source->only_triangles || !json_is(mode, JSON_KIND_INTEGER) ||
           json_int(mode) >= GLTF_TRIANGLES ||
           json_get(json_get(primitive, "extensions"), "KHR_draco_mesh_compression");
}

uint32_t gltf_primitive_use(const gltf_file *file, const json_value *primitive)
{
    const json_value *attributes = json_get(primitive, "attributes");
    const uint32_t colored = json_get(attributes, "COLOR_0") ? GLTF_COLORED : 0;
    if (gltf_draws_triangles(file, primitive))
        return colored;
    if (!json_get(attributes, "NORMAL"))
        return colored | GLTF_WITHOUT_NORMALS;
    return json_get(attributes, "TANGENT") ? colored : colored | GLTF_WITHOUT_TANGENTS;
}

/// Linear; points and lines without a colour. White, the default, is that of many a page.
static const float UNCOLORED = 0.2f;

/// Changes a copy of a material for a use. (glTF 2.0, section 3.9.7, Point and Line Materials.)
static void change_for_use(model_material *m, uint32_t use)
{
    m->vertex_color = use & GLTF_COLORED;
    if (use & GLTF_WITHOUT_TANGENTS)
        m->normal_map.texture = -1;
    if (!(use & GLTF_WITHOUT_NORMALS) || m->unlit)
        return;
    const model_material lit = *m;
    *m = model_material_default();
    m->name = lit.name;
    m->number = lit.number;
    m->plain = lit.plain;
    memcpy(m->base_color, lit.base_color, sizeof m->base_color);
    memcpy(m->emissive_factor, lit.emissive_factor, sizeof m->emissive_factor);
    m->emissive_strength = lit.emissive_strength;
    memcpy(m->uv_from, lit.uv_from, sizeof m->uv_from);
    m->base_map = lit.base_map;
    m->emissive_map = lit.emissive_map;
    m->alpha = lit.alpha;
    m->alpha_cutoff = lit.alpha_cutoff;
    m->double_sided = lit.double_sided;
    m->vertex_color = lit.vertex_color;
    m->unlit = m->without_normals = true;
    model_material_derive(m);
}

/// Finds out how materials are used.
static zt_result scan_uses(gltf_file *file, gltf_materials *materials)
{
    for (uint32_t i = 0; i < file->list[GLTF_MESHES].count; i++) {
        json_pointer mesh, primitives;
        uint32_t count;
        ZT_TRY(gltf_list_entry(file, GLTF_MESHES, i, &mesh));
        ZT_TRY(gltf_array(file->log, &mesh, "primitives", &primitives, &count));
        for (uint32_t k = 0; k < count; k++) {
            json_pointer primitive, attributes;
            int32_t material;
            ZT_TRY(gltf_entry(file->log, &primitives, k, &primitive));
            ZT_TRY(gltf_object(file->log, &primitive, "attributes", &attributes));
            ZT_TRY(gltf_primitive_material(file, materials, &primitive, &material));
            gltf_material_use *use =
                &materials
                     ->use[material < 0 ? file->list[GLTF_MATERIALS].count : (uint32_t)material];
            use->uses |= (uint8_t)(1u << gltf_primitive_use(file, primitive.value));
        }
    }
    return ZT_OK;
}

/// One line for each kind of extension that the materials in use have and the picture lacks.
static zt_result report_extensions(const gltf_file *file, const gltf_materials *materials)
{
    const json_pointer json = json_member(&file->root, "materials");
    for (int e = 0; e < MATERIAL_EXTENSION_COUNT; e++) {
        const material_extension_row *row = &material_extension_table[e];
        uint32_t count = 0;
        for (uint32_t i = 0; i < materials->file_count; i++)
            count +=
                materials->use[i].uses != 0 && row->matters(&materials->material[i].extensions);
        if (count > 0 && row->shown)
            ZT_TRY(gltf_unsupported(file->log, &json,
                                    "%s of %u material%s is approximated: shown %s", row->name,
                                    count, count == 1 ? "" : "s", row->shown));
    }
    return ZT_OK;
}

/// Makes the materials of the model for all uses of material `index`.
static void make_uses(gltf_materials *materials, uint32_t index)
{
    gltf_material_use *use = &materials->use[index];
    const model_material own = materials->material[index];
    for (uint32_t u = 0; u < GLTF_MATERIAL_USES; u++) {
        if (!(use->uses >> u & 1u))
            continue;
        const bool first = (use->uses & ((1u << u) - 1u)) == 0;
        use->entry[u] = first ? index : materials->count++;
        model_material *m = &materials->material[use->entry[u]];
        *m = own;
        change_for_use(m, u);
        if (index == materials->file_count && u == GLTF_WITHOUT_NORMALS)
            m->base_color[0] = m->base_color[1] = m->base_color[2] = UNCOLORED;
    }
}

zt_result gltf_read_materials(gltf_file *file, gltf_textures *textures, gltf_materials *materials)
{
    const uint32_t file_count = file->list[GLTF_MATERIALS].count;
    const size_t count = (size_t)file_count + 1;
    materials->file_count = file_count;
    ZT_TRY(ARENA_TAKE(file->scratch, &materials->use, count, "materials", file->log->err));
    ZT_TRY(gltf_find_images(file, textures));
    ZT_TRY(scan_uses(file, materials));
    size_t capacity = count;
    for (uint32_t i = 0; i < count; i++)
        capacity += (size_t)__builtin_popcount(materials->use[i].uses);
    ZT_TRY(ARENA_TAKE(file->scratch, &materials->material, capacity, "materials", file->log->err));
    for (uint32_t i = 0; i < file_count; i++) {
        textures->skip = materials->use[i].uses == 0;
        ZT_TRY(read_material(file, textures, i, &materials->material[i]));
    }
    ZT_TRY(report_extensions(file, materials));
    const gltf_material_use *last = &materials->use[file_count];
    materials->count = file_count;
    if (last->uses != 0 || file_count == 0) {
        materials->material[materials->count] = model_material_default();
        materials->material[materials->count].plain = true;
        materials->material[materials->count++].number = file_count;
    }
    for (uint32_t i = 0; i < count; i++)
        make_uses(materials, i);
    return ZT_OK;
}

uint32_t gltf_material_index(const gltf_materials *materials, int32_t index, uint32_t use)
{
    return materials->use[index < 0 ? materials->file_count : (uint32_t)index].entry[use];
}

bool gltf_uses_second_uv(const model_material *material)
{
    model_material m = *material;
    model_slot *slots[SLOTS];
    const uint32_t count = list_slots(&m, slots);
    for (uint32_t i = 0; i < count; i++)
        if (slots[i]->texture >= 0 && slots[i]->uv_set == 1)
            return true;
    return model_tangent_uv_set(material) == 1; // also of a map that is missing
}
