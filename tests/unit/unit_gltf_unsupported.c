// SPDX-License-Identifier: MIT
/// Every feature of a glTF file that a picture lacks: one line says so, and strictly it is refused.

#include "gltf_fixture.h"

// A 1x1 texture, a mesh of one triangle with material 0, times.
#define START                                                                                      \
    ASSET                                                                                          \
    "'images':[{" TWO_PIXELS "}],"                                                                 \
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'material':0}]}],"                      \
    "'buffers':[{'byteLength':36}],'bufferViews':[<36>],'accessors':[<0 float VEC3 3>,"            \
    "<0 float SCALAR 1>],"
#define TEXTURE        "'textures':[{'source':0}],"
#define MATERIAL(rest) START TEXTURE "'materials':[{" rest "}]}"
#define LAYER(rest)    MATERIAL("'extensions':{" rest "}")
#define USED(name)     START TEXTURE "'materials':[{}],'extensionsUsed':['" name "']}"
#define CLIP(target)                                                                               \
    START TEXTURE "'materials':[{}],'nodes':[{'mesh':0}],'animations':[{'samplers':[{'input':1,"   \
                  "'output':1}],'channels':[{'sampler':0,'target':{" target "}}]}]}"
#define APPROXIMATED(name) "KHR_materials_" name " of 1 material is approximated: shown "
#define THICK                                                                                      \
    "'KHR_materials_transmission':{'transmissionFactor':1},"                                       \
    "'KHR_materials_volume':{'thicknessFactor':1}"

// The start of a file with one picture, whose data follow, shown by material 0.
#define PICTURED(data)                                                                             \
    "{'asset':{'version':'2.0'},'images':[{'uri':'data:;base64," data "'}],'textures':["           \
    "{'source':0}],'materials':[{'emissiveTexture':{'index':0}}],'meshes':[{'primitives':["        \
    "{'attributes':{},'material':0}]}]}"
// A DDS of two pictures of one pixel.
#define DDS_ARRAY                                                                                  \
    "RERTIHwAAAAHEAAAAQAAAAEAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"                     \
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAAAAEAAAARFgxMAAAAAAAAAAAAAAAAAAAAAAAAAAA"                     \
    "ABAAAAAAAAAAAAAAAAAAAAAAAAAcAAAAAwAAAAAAAAACAAAAAAAAAMgoKP8AAP//"
#define AVIF "AAAAHGZ0eXBhdmlmAAAAAAAAAAAAAAAA"

static const float corners[9] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f};

static const struct {
    const char *json, *line;
} unsupported[] = {
    {LAYER(THICK), APPROXIMATED("volume") "with what is behind it shifted"},
    {LAYER(THICK ",'KHR_materials_dispersion':{'dispersion':1}"),
     APPROXIMATED("dispersion") "with one refracted ray each"},
    {MATERIAL("'emissiveTexture':{'index':0,'texCoord':8}"),
     "texture coordinate set 8 is not read; set 0 is used"},
    {MATERIAL("'emissiveTexture':{'index':0,'texCoord':2},'occlusionTexture':{'index':0},"
              "'normalTexture':{'index':0,'texCoord':1}"),
     "texture coordinate set 2 is the third of one material and not read; set 0 is used"},
    {START "'textures':[{'source':0,'extensions':{'EXT_texture_avif':{'source':0}}}],"
           "'materials':[{'normalTexture':{'index':0}}]}",
     "images of this kind are not supported; the fallback is shown"},
    {START "'textures':[{'extensions':{'EXT_texture_astc':{'source':0}}}],"
           "'materials':[{'normalTexture':{'index':0}}]}",
     "the texture has no other; it is left out"},
    {PICTURED(DDS_ARRAY), "/images/0: the first of 2 array slices is used"},
    {PICTURED(AVIF),
     "/images/0: the image is left out: image 0:0: AVIF pictures are not supported"},
    {USED("EXT_lights_ies"), "EXT_lights_ies is ignored: "},
    {USED("ACME_anything"), "the extension ACME_anything is not known and ignored"},
    {START TEXTURE "'materials':[{}],'extensions':{'KHR_lights_punctual':{'lights':["
                   "{'type':'spherical'}]}},'nodes':[{'extensions':{'KHR_lights_punctual':"
                   "{'light':0}}}]}",
     "the light is left out: its type is 'spherical'"},
    {"{'asset':{'version':'2.0'},'buffers':[{'byteLength':36},{'byteLength':36}],"
     "'bufferViews':[<36>,{'buffer':1,'byteLength':36}],'accessors':[<0 float VEC3 3>,"
     "<1 float VEC3 3>],'meshes':[{'primitives':["
     "{'attributes':{'POSITION':0}},{'attributes':{'POSITION':0,'NORMAL':1}}]}]}",
     "/meshes/0/primitives/1: is not shown: the data of its NORMAL is absent"},
    {CLIP("'node':0,'path':'colour'"), "a channel for 'colour' is ignored"},
    {CLIP("'path':'pointer','extensions':{'KHR_animation_pointer':{'pointer':'/nodes/0/mesh'}}"),
     "the animation of '/nodes/0/mesh' is left out"},
    {START TEXTURE "'materials':[{}],'skins':[{'joints':[0]}],'nodes':[{'mesh':0,'skin':0,"
                   "'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{'TRANSLATION':0}}}}]}",
     "the skin of an instanced mesh is left out"},
};

Test(gltf_unsupported, is_reported_once_and_fails_strictly)
{
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++) {
        GLTF_JSON(c, .strict = false, unsupported[i].json, corners, sizeof corners);
        cr_assert(c.result == ZT_OK, "%s: %s", unsupported[i].line, c.err.message);
        uint32_t reported = 0;
        for (uint32_t k = 0; k < c.model.note_count; k++)
            reported += strstr(c.model.notes[k], unsupported[i].line) != NULL;
        cr_expect(reported == 1, "%s: %u times in\n%s", unsupported[i].line, reported, c.messages);
        const char *warned = strstr(c.messages, unsupported[i].line);
        cr_expect(warned && !strstr(warned + 1, unsupported[i].line), "%s", c.messages);
        PRINTED(first, 512, "%s", c.model.notes[0]); // strictly, loading ends at the first line
        c.strict = true;
        gltf_case_json(&c, unsupported[i].json, corners, sizeof corners);
        cr_expect(c.result == ZT_ERR_UNSUPPORTED && strstr(c.err.message, first), "%s: %s",
                  unsupported[i].line, c.err.message);
    }
}

/// An extension that is shown whole needs no line, whether or not the file says that it uses it.
Test(gltf_unsupported, supported_features_are_not_reported)
{
    static const char *const whole[] = {
        "KHR_draco_mesh_compression",
        "EXT_meshopt_compression",
        "KHR_meshopt_compression",
        "KHR_mesh_quantization",
        "KHR_texture_transform",
        "KHR_texture_basisu",
        "EXT_texture_webp",
        "MSFT_texture_dds",
        "KHR_materials_unlit",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_specular",
        "KHR_materials_ior",
        "KHR_materials_emissive_strength",
        "KHR_materials_variants",
        "KHR_materials_clearcoat",
        "KHR_materials_sheen",
        "KHR_materials_anisotropy",
        "KHR_materials_iridescence",
        "KHR_materials_diffuse_transmission",
        "KHR_lights_punctual",
        "EXT_mesh_gpu_instancing",
        "KHR_node_visibility",
        "KHR_animation_pointer",
        "KHR_xmp_json_ld",
        "KHR_xmp",
        "MSFT_lod",
    };
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        GLTF_PRINT(c, .strict = true, corners, sizeof corners, USED("%s"), whole[i]);
        cr_expect(c.model.note_count == 0, "%s: %s", whole[i], c.messages);
    }
    // A volume changes nothing where no light passes into it.
    GLTF_MUST(c, .strict = true,
              START "'materials':[{'extensions':{'KHR_materials_volume':"
                    "{'thicknessFactor':0.5}}}]}",
              corners, sizeof corners);
}

/// A reader of 2.0 refuses files that need a later one (glTF 2.0, 3.2), and says what is required.
Test(gltf_unsupported, minimum_versions_and_required_extensions)
{
    static const struct {
        const char *version;
        zt_result result;
    } cases[] = {
        {"2.0", ZT_OK}, {"1.0", ZT_OK}, {"2.1", ZT_ERR_UNSUPPORTED}, {"3.0", ZT_ERR_UNSUPPORTED}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GLTF_CASE c = {.strict = false};
        PRINTED(json, 256, "{'asset':{'version':'2.0','minVersion':'%s'}}", cases[i].version);
        gltf_case_json(&c, json, NULL, 0);
        cr_expect(c.result == cases[i].result, "%s: %s", cases[i].version, c.err.message);
        if (c.result != ZT_OK)
            cr_expect(strstr(c.err.message, ":/asset/minVersion: "), "%s", c.err.message);
    }
    static const char required[] = START TEXTURE
        "'materials':[{}],'extensionsUsed':['ACME_a'],'extensionsRequired':['ACME_a']}";
    GLTF_JSON(c, .strict = false, required, corners, sizeof corners);
    const char *said = strstr(c.messages, "the file requires the extension ACME_a");
    cr_expect(c.result == ZT_OK && said && !strstr(said + 20, "the extension"), "%s", c.messages);
    c.strict = true;
    gltf_case_json(&c, required, corners, sizeof corners);
    cr_expect(c.result == ZT_ERR_UNSUPPORTED && strstr(c.err.message, "requires"), "%s",
              c.err.message);
}

/// A channel whose path is 'pointer', without the extension, moves nothing: a note.
Test(gltf_unsupported, a_pointer_without_its_extension_is_a_note)
{
    GLTF_MUST(c, .strict = true, CLIP("'path':'pointer'"), corners, sizeof corners);
    cr_expect(strstr(c.messages, "no KHR_animation_pointer, and is ignored"), "%s", c.messages);
}

/// The first warning of a kind is sent, and how many more there were.
Test(gltf_unsupported, warnings_of_one_kind_are_counted)
{
    char json[4096];
    size_t length = (size_t)snprintf(json, sizeof json, "%s", START TEXTURE "'materials':[");
    for (int i = 0; i < 5; i++)
        length += (size_t)snprintf(json + length, sizeof json - length,
                                   "%s{'pbrMetallicRoughness':{'metallicFactor':%d}}", i ? "," : "",
                                   i + 1); // 1 is right, and 4 are not
    snprintf(json + length, sizeof json - length,
             ",{'pbrMetallicRoughness':{'metallicFactor':1.000001}}]}"); // rounding: nothing
    GLTF_MUST(c, .strict = false, json, corners, sizeof corners);
    cr_expect(c.model.note_count == 4, "%s", c.messages);
    cr_expect(strstr(c.messages, ": 3 more like '/materials/1"), "%s", c.messages);
    cr_expect(!strstr(c.messages, "/materials/5"), "%s", c.messages);
}
