// SPDX-License-Identifier: MIT
/// Indices in the JSON of a glTF file; see gltf_indices.h. References: glTF 2.0, chapter 5, and the
/// extensions KHR_draco_mesh_compression, KHR_materials_variants, EXT_meshopt_compression,
/// KHR_texture_basisu, EXT_texture_webp and MSFT_texture_dds.
#include "convert/gltf_indices.h"

#include <string.h>

typedef struct index_visitor {
    gltf_index_visit *visit;
    void *user;
} index_visitor;

static void visit_index(const index_visitor *v, gltf_index_kind kind, json_value *index)
{
    if (json_is_numeric(index))
        v->visit(v->user, kind, index);
}

void gltf_index_set(json_value *index, int64_t value)
{
    if (json_is(index, JSON_KIND_INTEGER))
        index->integer = value;
    else
        index->real = (double)value;
}

/// The values of an object, or the elements of an array.
static void visit_all(const index_visitor *v, gltf_index_kind kind, json_value *list)
{
    for (uint32_t i = 0; json_is_list(list) && i < list->count; i++)
        visit_index(v, kind, list->item[i]);
}

/// Members called `key` at any depth, but not in extras.
static void visit_named(const index_visitor *v, gltf_index_kind kind, const char *key,
                        json_value *value)
{
    for (uint32_t i = 0; json_is_list(value) && i < value->count; i++) {
        json_value *item = value->item[i];
        const char *name = json_is(value, JSON_KIND_OBJECT) ? item->key : "";
        if (strcmp(name, key) == 0 && json_is_numeric(item))
            v->visit(v->user, kind, item);
        else if (strcmp(name, "extras") != 0)
            visit_named(v, kind, key, item);
    }
}

static bool ends_in_texture(const char *key)
{
    const size_t length = strlen(key), suffix = strlen("Texture");
    return length >= suffix && strcmp(key + length - suffix, "Texture") == 0;
}

/// Objects called *Texture at any depth of a material.
static void visit_textures(const index_visitor *v, json_value *value)
{
    for (uint32_t i = 0; json_is_list(value) && i < value->count; i++) {
        json_value *item = value->item[i];
        const char *name = json_is(value, JSON_KIND_OBJECT) ? item->key : "";
        if (strcmp(name, "extras") == 0)
            continue;
        if (ends_in_texture(name))
            visit_index(v, GLTF_INDEX_TEXTURE, json_get(item, "index"));
        visit_textures(v, item);
    }
}

/// `before`: the primitive before it, which may share its attributes.
static void visit_primitive(const index_visitor *v, json_value *primitive, const json_value *before)
{
    json_value *attributes = json_get(primitive, "attributes");
    json_value *targets = json_get(primitive, "targets");
    json_value *extensions = json_get(primitive, "extensions");
    json_value *mappings = json_get(json_get(extensions, "KHR_materials_variants"), "mappings");
    if (attributes != json_get(before, "attributes"))
        visit_all(v, GLTF_INDEX_ACCESSOR, attributes);
    visit_index(v, GLTF_INDEX_ACCESSOR, json_get(primitive, "indices"));
    visit_index(v, GLTF_INDEX_MATERIAL, json_get(primitive, "material"));
    for (uint32_t i = 0; i < json_length(targets); i++)
        visit_all(v, GLTF_INDEX_ACCESSOR, targets->item[i]);
    for (uint32_t i = 0; i < json_length(mappings); i++) {
        visit_index(v, GLTF_INDEX_MATERIAL, json_get(mappings->item[i], "material"));
        visit_all(v, GLTF_INDEX_VARIANT, json_get(mappings->item[i], "variants"));
    }
}

void gltf_each_mesh_index(json_value *root, gltf_index_visit *visit, void *user)
{
    const index_visitor v = {visit, user};
    json_value *meshes = json_get(root, "meshes");
    for (uint32_t i = 0; i < json_length(meshes); i++) {
        json_value *primitives = json_get(meshes->item[i], "primitives");
        for (uint32_t k = 0; k < json_length(primitives); k++)
            visit_primitive(&v, primitives->item[k], k > 0 ? primitives->item[k - 1] : NULL);
    }
}

void gltf_each_view_index(json_value *root, gltf_index_visit *visit, void *user)
{
    const index_visitor v = {visit, user};
    visit_named(&v, GLTF_INDEX_VIEW, "bufferView", root);
}

void gltf_each_index(json_value *root, gltf_index_visit *visit, void *user)
{
    const index_visitor v = {visit, user};
    gltf_each_mesh_index(root, visit, user);
    gltf_each_view_index(root, visit, user);
    visit_named(&v, GLTF_INDEX_BUFFER, "buffer", json_get(root, "bufferViews"));
    visit_named(&v, GLTF_INDEX_SAMPLER, "sampler", json_get(root, "textures"));
    visit_named(&v, GLTF_INDEX_IMAGE, "source", json_get(root, "textures"));
    visit_textures(&v, json_get(root, "materials"));
}
