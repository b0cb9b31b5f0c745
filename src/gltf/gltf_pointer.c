// SPDX-License-Identifier: MIT
/// KHR_animation_pointer: JSON pointers to a node's transform, weights or visibility, or to
/// numbers of a material, a light or a camera. Names: glTF 2.0 Asset Object Model.
#include "gltf/gltf_pointer.h"

#include "base/row_find.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

/// A number that a pointer may lead to. `name` follows the owner's index.
typedef struct pointer_name {
    const char *name;
    size_t offset;
    uint32_t width;
    float min, max;
} pointer_name;

// A number or colour of a struct.
#define NUMBER(name, type, member, min, max)                                                       \
    {                                                                                              \
        name, offsetof(type, member), sizeof((type *)NULL)->member / sizeof(float), min, max       \
    }
#define GLOSSY   "extensions/KHR_materials_pbrSpecularGlossiness/"
#define SPECULAR "extensions/KHR_materials_specular/"

static const pointer_name material_names[] = {
    NUMBER("pbrMetallicRoughness/baseColorFactor", model_material, base_color, 0.0f, 1.0f),
    NUMBER("pbrMetallicRoughness/metallicFactor", model_material, metallic, 0.0f, 1.0f),
    NUMBER("pbrMetallicRoughness/roughnessFactor", model_material, roughness, 0.0f, 1.0f),
    NUMBER("emissiveFactor", model_material, emissive_factor, 0.0f, 65504.0f),
    NUMBER("alphaCutoff", model_material, alpha_cutoff, 0.0f, FLT_MAX),
    NUMBER("normalTexture/scale", model_material, normal_scale, -1e4f, 1e4f),
    NUMBER("occlusionTexture/strength", model_material, occlusion_strength, 0.0f, 1.0f),
    NUMBER("extensions/KHR_materials_emissive_strength/emissiveStrength", model_material,
           emissive_strength, 0.0f, 1e6f),
    NUMBER("extensions/KHR_materials_ior/ior", model_material, ior, 0.0f, FLT_MAX),
    NUMBER(SPECULAR "specularFactor", model_material, specular, 0.0f, 1.0f),
    NUMBER(SPECULAR "specularColorFactor", model_material, specular_color, 0.0f, 1e4f),
    NUMBER(GLOSSY "diffuseFactor", model_material, base_color, 0.0f, 1.0f),
    NUMBER(GLOSSY "specularFactor", model_material, f0, 0.0f, 1.0f),
    NUMBER(GLOSSY "glossinessFactor", model_material, glossiness, 0.0f, 1.0f),
};

static const struct {
    const char *name;
    size_t slot; // offset in model_material
} texture_names[] = {
    {"pbrMetallicRoughness/baseColorTexture", offsetof(model_material, base_map)},
    {"pbrMetallicRoughness/metallicRoughnessTexture", offsetof(model_material, metal_rough_map)},
    {"normalTexture", offsetof(model_material, normal_map)},
    {"occlusionTexture", offsetof(model_material, occlusion_map)},
    {"emissiveTexture", offsetof(model_material, emissive_map)},
    {SPECULAR "specularTexture", offsetof(model_material, specular_map)},
    {SPECULAR "specularColorTexture", offsetof(model_material, specular_color_map)},
    {GLOSSY "diffuseTexture", offsetof(model_material, base_map)},
    {GLOSSY "specularGlossinessTexture", offsetof(model_material, specular_color_map)},
};

static const pointer_name transform_names[] = {
    NUMBER("offset", model_slot, offset, -FLT_MAX, FLT_MAX),
    NUMBER("rotation", model_slot, uv_rotation_rad, -FLT_MAX, FLT_MAX),
    NUMBER("scale", model_slot, scale, -FLT_MAX, FLT_MAX),
};

static const pointer_name light_names[] = {
    NUMBER("color", model_light, color, 0.0f, FLT_MAX),
    NUMBER("intensity", model_light, intensity, 0.0f, FLT_MAX),
    NUMBER("range", model_light, range_m, 0.0f, FLT_MAX),
    NUMBER("spot/innerConeAngle", model_light, inner_rad, 0.0f, 1.5707f),
    NUMBER("spot/outerConeAngle", model_light, outer_rad, 1e-3f, 1.5707964f),
};

// Angles above 0 and below 180 degrees.
static const pointer_name camera_names[] = {
    NUMBER("perspective/yfov", model_camera, fov_y_rad, 1e-3f, 3.14f),
    NUMBER("perspective/znear", model_camera, near_m, 1e-6f, FLT_MAX),
    NUMBER("perspective/zfar", model_camera, far_m, 0.0f, FLT_MAX),
    NUMBER("orthographic/ymag", model_camera, y_mag, 1e-6f, FLT_MAX),
    NUMBER("orthographic/znear", model_camera, near_m, 0.0f, FLT_MAX),
    NUMBER("orthographic/zfar", model_camera, far_m, 0.0f, FLT_MAX),
};

static const pointer_name shown_name =
    NUMBER("extensions/KHR_node_visibility/visible", model_node, shown, 0.0f, 1.0f);

#define FIND(table, name) find_name(table, sizeof(table) / sizeof *(table), name)

static const pointer_name *find_name(const pointer_name *table, size_t count, const char *name)
{
    const int32_t i = row_find(table, count, sizeof *table, name);
    return i >= 0 ? &table[i] : NULL;
}

/// The part of `text` after `prefix`, or NULL.
static const char *after(const char *text, const char *prefix)
{
    const size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/// Reads "INDEX/" below `count`; NULL when there is none.
static const char *read_index(const char *text, uint32_t count, uint32_t *out)
{
    uint64_t index = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && at - text < 10; at++)
        index = index * 10 + (uint64_t)(*at - '0');
    if (at == text || *at != '/' || index >= count)
        return NULL;
    *out = (uint32_t)index;
    return at + 1;
}

/// The extension of a material that `name` begins with; `out_rest` is what follows its name.
static const material_extension_row *find_extension(const char *name, const char **out_rest)
{
    const char *rest = after(name, "extensions/");
    for (int i = 0; rest && i < MATERIAL_EXTENSION_COUNT; i++) {
        const char *key = after(rest, material_extension_table[i].name);
        if (key && *key == '/') {
            *out_rest = key + 1;
            return &material_extension_table[i];
        }
    }
    return NULL;
}

/// A number of an extension, or the scale of its normal map.
static bool find_extension_number(const char *name, pointer_name *out)
{
    const char *rest;
    const material_extension_row *row = find_extension(name, &rest);
    const size_t base = offsetof(model_material, extensions);
    if (!row)
        return false;
    for (const material_field *f = row->fields; f->key; f++)
        if (strcmp(rest, f->key) == 0) {
            *out = (pointer_name){name, base + f->offset, f->width, f->min, f->max};
            return true;
        }
    for (const material_map *m = row->maps; m->key; m++) {
        const char *scale = m->scale_key ? after(rest, m->key) : NULL;
        if (scale && strcmp(scale, "/scale") == 0) {
            *out = (pointer_name){name, base + m->scale_offset, 1, -1e4f, 1e4f};
            return true;
        }
    }
    return false;
}

/// The offset of the slot of a texture called `name`.
static bool find_texture(const char *name, size_t *out)
{
    const char *rest;
    const int32_t own = ROW_FIND(texture_names, name);
    if (own >= 0) {
        *out = texture_names[own].slot;
        return true;
    }
    const material_extension_row *row = find_extension(name, &rest);
    for (const material_map *m = row ? row->maps : NULL; m && m->key; m++)
        if (strcmp(rest, m->key) == 0) {
            *out = offsetof(model_material, extensions.map) + (size_t)m->map * sizeof(model_slot);
            return true;
        }
    return false;
}

/// A number of KHR_texture_transform; `out_slot` is the offset of its slot in the material.
static bool find_transform(const char *name, pointer_name *out, size_t *out_slot)
{
    static const char part[] = "/extensions/KHR_texture_transform/";
    char texture[160];
    const char *at = strstr(name, part);
    const size_t length = at ? (size_t)(at - name) : 0;
    const pointer_name *number = at ? FIND(transform_names, at + sizeof part - 1) : NULL;
    if (!number || length >= sizeof texture)
        return false;
    memcpy(texture, name, length);
    texture[length] = 0;
    if (!find_texture(texture, out_slot))
        return false;
    *out = *number;
    out->offset += *out_slot;
    return true;
}

/// Finds or adds a property.
static zt_result find_property(gltf_file *file, gltf_properties *properties,
                               const json_pointer *json, model_owner owner, uint32_t index,
                               const pointer_name *name, uint32_t *out)
{
    if (!properties->property) {
        if (!hash_table_init(&properties->slots, file->scratch, MODEL_PROPERTY_LIMIT))
            return arena_fail(file->scratch, file->log->err, "animated properties");
        properties->property = ARENA_ARRAY_RAW(file->scratch, model_property, MODEL_PROPERTY_LIMIT);
        properties->moved_by = ARENA_ARRAY(file->scratch, uint32_t, MODEL_PROPERTY_LIMIT);
    }
    if (!properties->property || !properties->moved_by)
        return arena_fail(file->scratch, file->log->err, "animated properties");
    const uint64_t hash = hash_number(hash_number(owner, index), (uint32_t)name->offset);
    uint32_t *slot = hash_table_first(&properties->slots, hash);
    for (; *slot; slot = hash_table_next(&properties->slots, slot)) {
        *out = *slot - 1;
        const model_property *p = &properties->property[*out];
        if (p->owner == owner && p->index == index && p->offset == name->offset)
            return ZT_OK;
    }
    if (properties->count == MODEL_PROPERTY_LIMIT)
        return gltf_fail(file->log, json, ZT_ERR_LIMIT,
                         "is one of more than %d animated properties", (int)MODEL_PROPERTY_LIMIT);
    *out = properties->count++;
    *slot = *out + 1;
    properties->property[*out] =
        (model_property){owner, index, name->offset, name->width, name->min, name->max};
    return ZT_OK;
}

/// A property of a material of the file, in all its uses.
static zt_result find_material(gltf_file *file, gltf_materials *materials,
                               gltf_properties *properties, const json_pointer *json,
                               const char *text, gltf_target *out)
{
    pointer_name name = {0};
    uint32_t index = 0;
    size_t slot = 0;
    text = read_index(text, file->list[GLTF_MATERIALS].count, &index);
    if (!text)
        return ZT_OK;
    const pointer_name *own = FIND(material_names, text);
    const bool transforms = !own && find_transform(text, &name, &slot);
    if (!own && !transforms && !find_extension_number(text, &name))
        return ZT_OK;
    const gltf_material_use *use = &materials->use[index];
    for (uint32_t u = 0; u < GLTF_MATERIAL_USES; u++) {
        if (!(use->uses >> u & 1u) && (u > 0 || use->uses != 0))
            continue;
        const uint32_t entry = use->uses == 0 ? index : use->entry[u];
        ZT_TRY(find_property(file, properties, json, MODEL_OWNER_MATERIAL, entry, own ? own : &name,
                             &out->property[out->property_count++]));
        model_material *m = &materials->material[entry];
        if (transforms)
            ((model_slot *)(void *)((char *)m + slot))->transformed = true;
        model_material_derive(m);
    }
    return ZT_OK;
}

static zt_result find_node(gltf_file *file, const int32_t *node_index, gltf_properties *properties,
                           const json_pointer *json, const char *text, gltf_target *out)
{
    uint32_t index = 0;
    text = read_index(text, file->list[GLTF_NODES].count, &index);
    const int32_t path = ROW_FIND(model_path_names, text);
    if (path >= 0) {
        out->node = (int32_t)index;
        out->path = (model_path)path;
    }
    if (!text || strcmp(text, shown_name.name) != 0)
        return ZT_OK;
    out->property_count = 1;
    return find_property(file, properties, json, MODEL_OWNER_NODE, (uint32_t)node_index[index],
                         &shown_name, &out->property[0]);
}

/// A number of a light or camera: names of `table` after an index below `count`.
static zt_result find_number(gltf_file *file, gltf_properties *properties, const json_pointer *json,
                             const char *text, model_owner owner, uint32_t count,
                             const pointer_name *table, size_t size, gltf_target *out)
{
    uint32_t index = 0;
    text = read_index(text, count, &index);
    const pointer_name *name = text ? find_name(table, size, text) : NULL;
    if (!name)
        return ZT_OK;
    out->property_count = 1;
    return find_property(file, properties, json, owner, index, name, &out->property[0]);
}

zt_result gltf_read_pointer(gltf_file *file, const int32_t *node_index, gltf_materials *materials,
                            gltf_properties *properties, const json_pointer *target,
                            gltf_target *out)
{
    json_extension extension;
    const char *pointer, *rest;
    *out = (gltf_target){.node = -1};
    ZT_TRY(gltf_extension(file->log, target, "KHR_animation_pointer", &extension));
    ZT_TRY(gltf_text(file->log, &extension.object, "pointer", &pointer));
    if (!extension.object.value) // glTF 2.0, 3.11: a channel that moves nothing is ignored
        return gltf_note(file->log, target,
                         "has the path 'pointer' but no KHR_animation_pointer, and is ignored");
    if (!pointer)
        return gltf_fail(file->log, target, ZT_ERR_FORMAT,
                         "has a KHR_animation_pointer without a pointer");
    const json_pointer json = json_member(&extension.object, "pointer");
    if ((rest = after(pointer, "/nodes/")) != NULL)
        ZT_TRY(find_node(file, node_index, properties, &json, rest, out));
    else if ((rest = after(pointer, "/materials/")) != NULL)
        ZT_TRY(find_material(file, materials, properties, &json, rest, out));
    else if ((rest = after(pointer, "/cameras/")) != NULL)
        ZT_TRY(find_number(file, properties, &json, rest, MODEL_OWNER_CAMERA,
                           file->list[GLTF_CAMERAS].count, camera_names,
                           sizeof camera_names / sizeof *camera_names, out));
    else if ((rest = after(pointer, "/extensions/KHR_lights_punctual/lights/")) != NULL)
        ZT_TRY(find_number(file, properties, &json, rest, MODEL_OWNER_LIGHT,
                           file->list[GLTF_LIGHTS].count, light_names,
                           sizeof light_names / sizeof *light_names, out));
    if (out->node >= 0 || out->property_count > 0)
        return ZT_OK;
    return gltf_unsupported(file->log, &json, "the animation of '%.200s' is left out", pointer);
}
