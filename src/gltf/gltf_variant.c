// SPDX-License-Identifier: MIT
/// KHR_materials_variants: a file with several sets of materials, of which the caller may ask for
/// one by name.

#include "gltf/gltf_reader.h"

#include <stdio.h>
#include <string.h>

static void list_names(const json_place *variants, uint32_t count, char *out, size_t size)
{
    size_t used = 0;
    out[0] = 0;
    for (uint32_t i = 0; i < count && used + 1 < size; i++) {
        const json_t *entry = json_array_get(variants->value, i);
        const char *name = json_string_value(json_object_get(entry, "name"));
        used +=
            (size_t)snprintf(out + used, size - used, "%s'%.40s'", i ? ", " : "", name ? name : "");
    }
}

zt_result gltf_choose_variant(gltf_reader *g)
{
    json_extension extension;
    json_place variants;
    uint32_t count;
    char names[256];
    g->variant = -1;
    ZT_TRY(gltf_extension(g, &g->root, "KHR_materials_variants", &extension));
    ZT_TRY(gltf_array(g, &extension.object, "variants", &variants, &count));
    g->variant_count = count;
    const char *wanted = g->source->variant;
    if (!wanted)
        return ZT_OK;
    for (uint32_t i = 0; i < count; i++) {
        json_place entry;
        const char *name;
        ZT_TRY(gltf_entry(g, &variants, i, &entry));
        ZT_TRY(gltf_text(g, &entry, "name", &name));
        if (name && strcmp(name, wanted) == 0) {
            g->variant = (int32_t)i;
            return ZT_OK;
        }
    }
    if (count == 0)
        return gltf_warn(g, &g->root, "has no variants of its materials, so not '%.80s'", wanted);
    list_names(&variants, count, names, sizeof names);
    return gltf_fail(g, &variants, ZT_ERR_ARGUMENT, "no variant is called '%.80s' (expected %s)",
                     wanted, names);
}

/// Whether one entry of `mappings` is for the variant.
static zt_result mapping_applies(gltf_reader *g, const json_place *mapping, bool *out)
{
    json_place variants;
    uint32_t count;
    *out = false;
    ZT_TRY(gltf_array(g, mapping, "variants", &variants, &count));
    for (uint32_t i = 0; i < count; i++) {
        const json_place element = json_element(&variants, i);
        int32_t variant;
        ZT_TRY(gltf_index(g, &element, g->variant_count, "variant", &variant));
        *out = *out || variant == g->variant;
    }
    return ZT_OK;
}

zt_result gltf_primitive_material(gltf_reader *g, const json_place *primitive, int32_t *out)
{
    json_extension extension;
    json_place mappings;
    uint32_t count;
    ZT_TRY(gltf_member_index(g, primitive, "material", g->material_count, "material", out));
    if (g->variant < 0)
        return ZT_OK;
    ZT_TRY(gltf_extension(g, primitive, "KHR_materials_variants", &extension));
    ZT_TRY(gltf_array(g, &extension.object, "mappings", &mappings, &count));
    for (uint32_t i = 0; i < count; i++) {
        json_place mapping;
        bool applies;
        ZT_TRY(gltf_entry(g, &mappings, i, &mapping));
        ZT_TRY(mapping_applies(g, &mapping, &applies));
        if (applies)
            return gltf_member_index(g, &mapping, "material", g->material_count, "material", out);
    }
    return ZT_OK;
}
