// SPDX-License-Identifier: MIT
/// What we make of the extensions that a glTF file says it uses.

#include "gltf/gltf_reader.h"

#include <string.h>

// There are about a hundred extensions in all. The lists are searched for each compressed part of a
// file, so a longer one could only waste time.
enum { EXTENSION_LIMIT = 1024 };

typedef enum extension_support {
    EXTENSION_READ,     ///< read, or noted where it occurs
    EXTENSION_HARMLESS, ///< says nothing about the picture
    EXTENSION_IGNORED,  ///< the picture lacks what it says
} extension_support;

typedef struct extension_entry {
    const char *name;
    extension_support support;
    const char *lost; ///< what the picture lacks
} extension_entry;

static const extension_entry extension_table[] = {
    {"KHR_lights_punctual",                 EXTENSION_READ,     NULL                                },
    {"KHR_materials_emissive_strength",     EXTENSION_READ,     NULL                                },
    {"KHR_materials_ior",                   EXTENSION_READ,     NULL                                },
    {"KHR_materials_pbrSpecularGlossiness", EXTENSION_READ,     NULL                                },
    {"KHR_materials_unlit",                 EXTENSION_READ,     NULL                                },
    {"KHR_mesh_quantization",               EXTENSION_READ,     NULL                                },
    {"KHR_texture_transform",               EXTENSION_READ,     NULL                                },
    {"KHR_draco_mesh_compression",          EXTENSION_READ,     NULL                                },
    {"EXT_meshopt_compression",             EXTENSION_READ,     NULL                                },
    {"KHR_meshopt_compression",             EXTENSION_READ,     NULL                                },
    {"KHR_texture_basisu",                  EXTENSION_READ,     NULL                                },
    {"EXT_texture_webp",                    EXTENSION_READ,     NULL                                },
    {"EXT_texture_avif",                    EXTENSION_READ,     NULL                                },
    {"EXT_texture_astc",                    EXTENSION_READ,     NULL                                },
    {"MSFT_texture_dds",                    EXTENSION_READ,     NULL                                },
    {"KHR_xmp",                             EXTENSION_HARMLESS, NULL                                },
    {"KHR_xmp_json_ld",                     EXTENSION_HARMLESS, NULL                                },
    {"MSFT_lod",                            EXTENSION_HARMLESS, NULL                                },
    {"EXT_mesh_gpu_instancing",             EXTENSION_READ,     NULL                                },
    {"KHR_animation_pointer",               EXTENSION_READ,     NULL                                },
    {"KHR_materials_anisotropy",            EXTENSION_READ,     NULL                                },
    {"KHR_materials_clearcoat",             EXTENSION_READ,     NULL                                },
    {"KHR_materials_diffuse_transmission",  EXTENSION_READ,     NULL                                },
    {"KHR_materials_dispersion",            EXTENSION_READ,     NULL                                },
    {"KHR_materials_iridescence",           EXTENSION_READ,     NULL                                },
    {"KHR_materials_sheen",                 EXTENSION_READ,     NULL                                },
    {"KHR_materials_specular",              EXTENSION_READ,     NULL                                },
    {"KHR_materials_transmission",          EXTENSION_READ,     NULL                                },
    {"KHR_materials_variants",              EXTENSION_READ,     NULL                                },
    {"KHR_materials_volume",                EXTENSION_READ,     NULL                                },
    {"KHR_node_visibility",                 EXTENSION_READ,     NULL                                },
    {"EXT_lights_image_based",              EXTENSION_IGNORED,  "the file's environment is left out"},
    {"EXT_lights_ies",                      EXTENSION_IGNORED,  "light profiles are left out"       },
};

static const extension_entry *find_entry(const char *name)
{
    for (size_t i = 0; i < sizeof extension_table / sizeof *extension_table; i++)
        if (strcmp(extension_table[i].name, name) == 0)
            return &extension_table[i];
    return NULL;
}

static bool list_holds(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (text && strcmp(text, name) == 0)
            return true;
    }
    return false;
}

bool gltf_requires(const gltf_reader *g, const char *extension)
{
    return list_holds(json_object_get(g->json, "extensionsRequired"), extension);
}

static zt_result check_list(gltf_reader *g, const char *key)
{
    json_place list;
    uint32_t count;
    ZT_TRY(gltf_array(g, &g->root, key, &list, &count));
    if (count > EXTENSION_LIMIT)
        return gltf_fail(g, &list, ZT_ERR_LIMIT, "has %u names (at most %d)", count,
                         EXTENSION_LIMIT);
    for (uint32_t i = 0; i < count; i++) {
        const json_place element = json_element(&list, i);
        const char *name = json_string_value(element.value);
        if (!name)
            return gltf_fail(g, &element, ZT_ERR_FORMAT, "is no string (expected a name)");
        const extension_entry *entry = find_entry(name);
        if (entry && entry->support == EXTENSION_IGNORED)
            ZT_TRY(gltf_unsupported(g, &g->root, "%s is ignored: %s", entry->name, entry->lost));
        else if (!entry)
            ZT_TRY(gltf_unsupported(g, &g->root, "the extension %.100s is not known and ignored",
                                    name));
    }
    return ZT_OK;
}

zt_result gltf_check_extensions(gltf_reader *g)
{
    ZT_TRY(check_list(g, "extensionsRequired"));
    return check_list(g, "extensionsUsed");
}
