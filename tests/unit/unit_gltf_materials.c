// SPDX-License-Identifier: MIT
/// Material extensions: what a file says, textures with transforms, unsupported ones once.

#include "gltf_fixture.h"
#include "kernels/kernels.h"
#include "model/texture_pack.h"
#include "shade/material.h"

#define SHOWN                                                                                      \
    ASSET "'images':[{" TWO_PIXELS "}],'textures':[{'source':0}],"                                 \
          "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'material':0}]}],"                \
          "'accessors':[<float VEC3 3>],'materials':[{"

static void load_material(gltf_case *c, const char *members)
{
    PRINTED(json, 4096, SHOWN "%s}]}", members);
    gltf_case_json(c, json, NULL, 0);
}

static const model_material *load_ok(gltf_case *c, const char *members)
{
    load_material(c, members);
    cr_assert(c->result == ZT_OK, "%s: %s", members, c->err.message);
    return &c->model.materials[0];
}

static void expect_floats(const float *got, const double *want, int count, const char *what)
{
    for (int i = 0; i < count; i++)
        NEAR(got[i], want[i], 1e-6, "%s[%d]", what, i);
}

// ---- Reflectance --------------------------------------------------------------------------------

Test(gltf_materials, specular_glossiness_with_its_maps)
{
    GLTF_CASE c = {.strict = true};
    const model_material *m =
        load_ok(&c, "'pbrMetallicRoughness':{'metallicFactor':1,'baseColorFactor':[1,0,0,1],"
                    "'metallicRoughnessTexture':{'index':0}},'extensions':{"
                    "'KHR_materials_pbrSpecularGlossiness':{'diffuseFactor':[0.5,0.25,0.125,0.75],"
                    "'specularFactor':[0.1,0.2,0.3],'glossinessFactor':0.25,"
                    "'diffuseTexture':{'index':0},'specularGlossinessTexture':{'index':0}}}");
    expect_floats(m->base_color, (double[]){0.5, 0.25, 0.125, 0.75}, 4, "diffuse");
    expect_floats(m->f0, (double[]){0.1, 0.2, 0.3}, 3, "f0");
    cr_expect(m->metallic == 0.0f && m->glossiness == 0.25f && m->roughness == 0.75f && m->glossy);
    cr_expect(m->base_map.texture >= 0 && m->specular_color_map.texture >= 0);
    cr_expect(m->metal_rough_map.texture == -1, "that of the other form");
    const mipmap *map = &c.model.textures[m->specular_color_map.texture].mipmap;
    cr_assert(map->format == MIPMAP_U15 && map->level_count == 2);
    // Red and half transparent green: where alpha is glossiness it does not weigh colours.
    const uint16_t *mean = map->level[1].texels;
    cr_expect(mean[0] == MIPMAP_U15_ONE / 2, "red %d", mean[0]);
    m = load_ok(&c, "'extensions':{'KHR_materials_pbrSpecularGlossiness':{}}");
    expect_floats(m->f0, (double[]){1, 1, 1}, 3, "f0");
    cr_expect(m->roughness == 0.0f && m->specular_color_map.texture == -1);
}

Test(gltf_materials, specular_with_its_maps)
{
    GLTF_CASE c = {.strict = true};
    const model_material *m =
        load_ok(&c, "'extensions':{'KHR_materials_ior':{'ior':2},'KHR_materials_specular':{"
                    "'specularFactor':0.5,'specularColorFactor':[1,0.5,20],"
                    "'specularTexture':{'index':0},'specularColorTexture':{'index':0}}}");
    expect_floats(m->f0, (double[]){1.0 / 9.0, 0.5 / 9.0, 20.0 / 9.0}, 3, "f0");
    cr_expect(m->specular == 0.5f && !m->glossy);
    cr_expect(m->specular_map.texture >= 0 && m->specular_color_map.texture >= 0);
    cr_expect(m->specular_map.texture != m->specular_color_map.texture, "numbers and colours");
    m = load_ok(&c, "'extensions':{'KHR_materials_ior':{'ior':0}}");
    expect_floats(m->f0, (double[]){1, 1, 1}, 3, "f0 of an infinite index");
    c.strict = false;
    m = load_ok(&c, "'extensions':{'KHR_materials_ior':{'ior':0.5},"
                    "'KHR_materials_specular':{'specularFactor':7}}");
    cr_expect(m->specular == 1.0f && fabsf(m->f0[0] - 0.04f) < 1e-7f);
    cr_expect(strstr(c.messages, "below 1") && strstr(c.messages, "clamped"), "%s", c.messages);
}

Test(gltf_materials, unlit_has_a_base_colour_and_nothing_else)
{
    GLTF_CASE c = {.strict = true};
    const model_material *m =
        load_ok(&c, "'pbrMetallicRoughness':{'baseColorFactor':[0.5,0.25,1,0.5],"
                    "'baseColorTexture':{'index':0},'metallicRoughnessTexture':{'index':0}},"
                    "'normalTexture':{'index':0},'emissiveFactor':[1,1,1],'alphaMode':'MASK',"
                    "'doubleSided':true,'extensions':{'KHR_materials_unlit':{}}");
    cr_expect(m->unlit && m->double_sided && m->alpha == MODEL_MASK);
    expect_floats(m->base_color, (double[]){0.5, 0.25, 1, 0.5}, 4, "base");
    cr_expect(c.model.texture_count == 1 && m->base_map.texture == 0);
    cr_expect(m->emissive[0] == 0.0f && m->normal_map.texture == -1);
    gltf_expect_error(SHOWN "'extensions':{'KHR_materials_unlit':true}}]}", NULL, 0, ZT_ERR_FORMAT,
                      "/materials/0/extensions/KHR_materials_unlit");
}

// ---- Every slot of a texture --------------------------------------------------------------------

typedef struct slot_case {
    const char *key, *extension; ///< extension NULL: of the material itself
    size_t offset;               ///< of the slot in model_material
} slot_case;

#define CORE(key, member)                                                                          \
    {                                                                                              \
        key, NULL, offsetof(model_material, member)                                                \
    }
#define EXTENDED(key, extension, member)                                                           \
    {                                                                                              \
        key, extension, offsetof(model_material, member)                                           \
    }

static const slot_case own_slots[] = {
    CORE("normalTexture", normal_map),
    CORE("occlusionTexture", occlusion_map),
    CORE("emissiveTexture", emissive_map),
    EXTENDED("baseColorTexture", "", base_map),
    EXTENDED("metallicRoughnessTexture", "", metal_rough_map),
    EXTENDED("specularTexture", "KHR_materials_specular", specular_map),
    EXTENDED("specularColorTexture", "KHR_materials_specular", specular_color_map),
    EXTENDED("diffuseTexture", "KHR_materials_pbrSpecularGlossiness", base_map),
    EXTENDED("specularGlossinessTexture", "KHR_materials_pbrSpecularGlossiness",
             specular_color_map),
};

enum { OWN_SLOTS = sizeof own_slots / sizeof *own_slots };

/// Slot i of a material: those of its own, then those of its extensions in their order.
static slot_case slot_at(int i)
{
    if (i < OWN_SLOTS)
        return own_slots[i];
    for (int e = 0; e < MATERIAL_EXTENSION_COUNT; e++)
        for (const material_map *m = material_extension_table[e].maps; m->key; m++)
            if ((int)m->map == i - OWN_SLOTS)
                return (slot_case){m->key, material_extension_table[e].name,
                                   offsetof(model_material, extensions.map) +
                                       (size_t)m->map * sizeof(model_slot)};
    cr_assert_fail("no extension has map %d", i - OWN_SLOTS);
    return own_slots[0];
}

/// The members of a material with a textureInfo in a slot.
static void slot_members(const slot_case *slot, const char *info, char *out, size_t size)
{
    if (!slot->extension)
        snprintf(out, size, "'%s':%s", slot->key, info);
    else if (!*slot->extension)
        snprintf(out, size, "'pbrMetallicRoughness':{'%s':%s}", slot->key, info);
    else
        snprintf(out, size, "'extensions':{'%s':{'%s':%s}}", slot->extension, slot->key, info);
}

Test(gltf_materials, every_slot_has_a_transform_and_an_uv_set)
{
    for (int i = 0; i < OWN_SLOTS + MATERIAL_EXTENSION_MAP_COUNT; i++) {
        const slot_case slot = slot_at(i);
        char members[1024];
        slot_members(&slot,
                     "{'index':0,'texCoord':0,'extensions':{'KHR_texture_transform':"
                     "{'offset':[0.25,0.5],'scale':[2,3],'texCoord':3}}}",
                     members, sizeof members);
        GLTF_CASE c = {.strict = true};
        const model_material *m = load_ok(&c, members);
        const model_slot *got = (const model_slot *)(const void *)((const char *)m + slot.offset);
        cr_assert(got->texture == 0 && got->uv_set == 1 && got->transformed, "%s", slot.key);
        cr_expect(m->uv_from[0] == 0 && m->uv_from[1] == 3, "%s", slot.key);
        expect_floats(got->uv_from_uv, (double[]){2, 0, 0.25, 0, 3, 0.5}, 6, slot.key);
    }
}

/// The transform's own texCoord goes over the texture's; without one that of the texture stays.
Test(gltf_materials, a_transform_alone_keeps_the_uv_set)
{
    GLTF_CASE c = {.strict = true};
    const model_material *m = load_ok(
        &c, "'normalTexture':{'index':0,'texCoord':1,'extensions':{'KHR_texture_transform':"
            "{'offset':[0.25,0.5]}}},'occlusionTexture':{'index':0,'texCoord':1,'extensions':"
            "{'KHR_texture_transform':{'texCoord':0}}}");
    cr_expect(m->normal_map.uv_set == 1 && m->normal_map.transformed);
    cr_expect(m->occlusion_map.uv_set == 0);
}

Test(gltf_materials, errors_in_any_slot_name_their_pointer)
{
    for (int i = 0; i < OWN_SLOTS + MATERIAL_EXTENSION_MAP_COUNT; i++) {
        const slot_case slot = slot_at(i);
        char members[1024], where[256];
        GLTF_CASE c = {.strict = false};
        slot_members(&slot, "{'index':5}", members, sizeof members);
        load_material(&c, members);
        snprintf(where, sizeof where, "%s/index: there is no texture 5", slot.key);
        cr_expect(c.result == ZT_ERR_FORMAT && strstr(c.err.message, where), "%s", c.err.message);
        slot_members(&slot, "7", members, sizeof members);
        load_material(&c, members);
        snprintf(where, sizeof where, "/%s: is a number (expected an object)", slot.key);
        cr_expect(c.result == ZT_ERR_FORMAT && strstr(c.err.message, where), "%s", c.err.message);
    }
}

// ---- Extensions ---------------------------------------------------------------------------------

static const float *field_of(const model_material *m, const material_field *field)
{
    return (const float *)(const void *)((const char *)&m->extensions + field->offset);
}

static void load_field(gltf_case *c, const char *extension, const material_field *field,
                       const char *value)
{
    PRINTED(members, 512, "'extensions':{'%s':{'%s':%s}}", extension, field->key, value);
    load_material(c, members);
}

static void check_field(int index, const material_field *field)
{
    const char *extension = material_extension_table[index].name;
    const bool scalar = field->width == 1, above_one = field->min >= 1.0f;
    GLTF_CASE c = {.strict = false};
    load_field(&c, extension, field, !scalar ? "[0.25,0.5,0.75]" : above_one ? "1.5" : "0.25");
    cr_assert(c.result == ZT_OK, "%s: %s", field->key, c.err.message);
    cr_expect(c.model.materials[0].extensions.present == 1u << index);
    const double want[3] = {above_one ? 1.5 : 0.25, 0.5, 0.75};
    expect_floats(field_of(&c.model.materials[0], field), want, (int)field->width, field->key);

    PRINTED(where, 128, "/materials/0/extensions/%s/%s", extension, field->key);
    load_field(&c, extension, field, scalar ? "'0.5'" : "[1,1]");
    cr_expect(c.result == ZT_ERR_FORMAT && strstr(c.err.message, where), "%s", c.err.message);

    if (field->min < -1.0f)
        return; // any angle
    load_field(&c, extension, field, scalar ? "-1" : "[-1,0.5,0.5]");
    cr_assert(c.result == ZT_OK, "%s", c.err.message);
    cr_expect(field_of(&c.model.materials[0], field)[0] == field->min, "%s", field->key);
    cr_expect(strstr(c.messages, where) && strstr(c.messages, "out of range"), "%s", c.messages);
}

Test(gltf_materials, every_number_of_an_extension_is_carried_and_checked)
{
    int count = 0;
    for (int i = 0; i < MATERIAL_EXTENSION_COUNT; i++)
        for (const material_field *field = material_extension_table[i].fields; field->key;
             field++, count++)
            check_field(i, field);
    cr_expect_eq(count, 32);
}

Test(gltf_materials, defaults_of_extensions_change_nothing)
{
    for (int i = 0; i < MATERIAL_EXTENSION_COUNT; i++) {
        GLTF_CASE c = {.strict = true};
        PRINTED(members, 256, "'extensions':{'%s':{}}", material_extension_table[i].name);
        const model_material *m = load_ok(&c, members);
        material_extensions want = material_extensions_none();
        want.present = 1u << i;
        cr_expect(memcmp(&m->extensions, &want, sizeof want) == 0, "%s", members);
        cr_expect(c.model.note_count == 0, "%s", c.messages);
    }
}

// ---- Blending -----------------------------------------------------------------------------------

static void expect_alpha(const char *members, bool masked, bool blended)
{
    GLTF_CASE c = {.strict = true};
    shade_material shaded[2];
    load_ok(&c, members);
    cr_assert_eq(c.model.material_count, 1);
    cr_assert_eq(shade_materials_build(&c.model, c.model.materials, &c.scratch, shaded, NULL),
                 ZT_OK);
    cr_expect(shaded[0].masked == masked && shaded[0].blended == blended, "%s", members);
}

/// A surface that cannot be seen through is opaque, whatever the mode says.
Test(gltf_materials, materials_with_alpha_blend)
{
#define FACTOR "'pbrMetallicRoughness':{'baseColorFactor':[1,1,1,"
    expect_alpha("'alphaMode':'BLEND'", false, false);
    expect_alpha("'alphaMode':'BLEND'," FACTOR "0.125]}", false, true);
    expect_alpha("'alphaMode':'BLEND'," FACTOR "0]}", false, true);
    expect_alpha("'alphaMode':'BLEND'," FACTOR "1],'baseColorTexture':{'index':0}}", false, true);
    expect_alpha("'alphaMode':'BLEND'," FACTOR "0.5],'baseColorTexture':{'index':0}}", false, true);
    expect_alpha("'alphaMode':'OPAQUE'," FACTOR "0.5]}", false, false);
    expect_alpha("'alphaMode':'MASK','alphaCutoff':0.25," FACTOR "0.5]}", true, false);
    expect_alpha("'doubleSided':true", false, false);
}

Test(gltf_materials, alpha_is_cut_out_below_a_half)
{
    GLTF_CASE c = {.strict = true};
    cr_expect_eq(load_ok(&c, "'alphaMode':'MASK'")->alpha_cutoff, 0.5f);
}

/// Maps that are packed part when a clip moves one of them away from the others.
Test(gltf_materials, a_moved_map_leaves_the_packed_ones)
{
#define PLACED "{'index':0,'extensions':{'KHR_texture_transform':{'offset':[0.5,0],'scale':[1,1]}}}"
    GLTF_CASE c = {.strict = true};
    load_ok(&c, "'pbrMetallicRoughness':{'baseColorTexture':" PLACED
                ",'metallicRoughnessTexture':" PLACED "},'normalTexture':" PLACED
                ",'occlusionTexture':" PLACED ",'emissiveTexture':" PLACED);
    cr_assert_eq(model_pack_textures(&c.model, NULL, NULL, NULL), ZT_OK);
    cr_assert(c.model.packed_count == 1 && c.model.packed_of_material[0] == 0);
    static const size_t slots[] = {
        offsetof(model_material, base_map), offsetof(model_material, metal_rough_map),
        offsetof(model_material, normal_map), offsetof(model_material, occlusion_map),
        offsetof(model_material, emissive_map)};
    for (size_t i = 0; i <= sizeof slots / sizeof *slots; i++) {
        const bool moved = i < sizeof slots / sizeof *slots;
        model_material m = c.model.materials[0];
        shade_material shaded;
        if (moved)
            ((model_slot *)(void *)((char *)&m + slots[i]))->offset[1] = 0.25f;
        model_material_derive(&m);
        cr_assert_eq(shade_materials_build(&c.model, &m, &c.scratch, &shaded, NULL), ZT_OK);
        cr_expect((shaded.packed == NULL) == moved, "map %zu", i);
    }
}

// A picture of 2x2 pixels, RGB.
#define SQUARE                                                                                     \
    "{'asset':{'version':'2.0'},'images':[{'uri':'data:image/"                                     \
    "png;base64,"                                                                                  \
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR42mM4kWIUteUOA4QCACyCBpGKM6lfAAAAAElF" \
    "TkSuQmCC'}],'textures':[{'source':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}," \
    "'material':0}]}],'accessors':[<float VEC3 3>],'materials':[{"

/// Most files' materials under most light take their code: new traits must not push them out.
Test(gltf_materials, usual_materials_take_the_fast_case)
{
#ifdef ZT_SHADE_ANY_ONLY
    cr_skip_test("this build has only the loop of any material");
#endif
#define THREE                                                                                      \
    "'pbrMetallicRoughness':{'baseColorTexture':{'index':0},'metallicRoughnessTexture':"           \
    "{'index':0}},'normalTexture':{'index':0}"
    static const char *const usual[] = {
        "'name':'plain'", THREE,
        THREE
        ",'occlusionTexture':{'index':0},'emissiveTexture':{'index':0},'emissiveFactor':[1,1,1]"};
    static const environment_view sky = {0};
    static const occlusion_planes planes = {0};
    const shade_light sun = {.kind = SHADE_LIGHT_DIRECTIONAL};
    const shade_frame frames[] = {
        {.lights = &sun, .light_count = 1},
        {.environment = &sky},
        {.environment = &sky, .lights = &sun, .light_count = 1},
        {.environment = &sky, .occlusion = &planes, .specular_antialiasing = true},
    };
    const zt_isa isas[] = {ZT_ISA_SSE2, ZT_ISA_AVX2, ZT_ISA_AVX512, ZT_ISA_NEON};
    for (size_t m = 0; m < sizeof usual / sizeof *usual; m++) {
        GLTF_CASE c = {.strict = true};
        shade_material shaded;
        gltf_case_print(&c, NULL, 0, SQUARE "%s}]}", usual[m]);
        cr_assert_eq(model_pack_textures(&c.model, NULL, NULL, NULL), ZT_OK);
        cr_assert_eq(shade_materials_build(&c.model, c.model.materials, &c.scratch, &shaded, NULL),
                     ZT_OK);
        for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
            const kernel_table *k = kernels_for(isas[i]);
            for (size_t f = 0; k && f < sizeof frames / sizeof *frames; f++)
                cr_expect(k->shade->is_common(&frames[f], &shaded), "%s, frame %zu: %s", k->name, f,
                          usual[m]);
            shaded.wireframe = true;
            cr_expect(!k || !k->shade->is_common(&frames[0], &shaded));
            shaded.wireframe = false;
        }
    }
}

static bool has_texels(const gltf_case *c, const model_slot *slot)
{
    return c->model.textures[slot->texture].mipmap.level[0].texels != NULL;
}

/// Maps that are joined have the same texels without chains of their own; a base map keeps its
/// chain where its alpha is seen, and so do maps that are not joined.
Test(gltf_materials, joined_maps_need_no_chains)
{
#define MAPS                                                                                       \
    "'pbrMetallicRoughness':{'baseColorTexture':{'index':0},"                                      \
    "'metallicRoughnessTexture':{'index':0}},'occlusionTexture':{'index':0},"                      \
    "'normalTexture':{'index':0,'texCoord':1}"
    static const char *const members[] = {MAPS, "'alphaMode':'MASK'," MAPS};
    for (int masked = 0; masked < 2; masked++) {
        GLTF_CASE apart = {.strict = true}, joined = {.strict = true, .joined_maps = true};
        load_ok(&apart, members[masked]);
        const model_material *m = load_ok(&joined, members[masked]);
        cr_assert_eq(model_pack_textures(&apart.model, NULL, NULL, NULL), ZT_OK);
        cr_assert(joined.model.packed_count == 1 && apart.model.packed_count == 1);
        const model_packed *a = apart.model.packed, *b = joined.model.packed;
        cr_assert_arr_eq(a->texture, b->texture, sizeof a->texture);
        const mipmap_level *first = &apart.model.textures[a->texture[0]].mipmap.level[0];
        const size_t row = (size_t)first->width + 1;
        cr_assert_arr_eq(a->texels.texels, b->texels.texels, row * MIPMAP_PACKED_CHANNELS * 2);
        cr_assert_arr_eq(a->texels.emissive_occlusion, b->texels.emissive_occlusion,
                         row * MIPMAP_EMISSIVE_OCCLUSION_CHANNELS * 2);
        cr_expect(has_texels(&joined, &m->base_map) == (masked == 1));
        cr_expect(!has_texels(&joined, &m->metal_rough_map));
        cr_expect(has_texels(&joined, &m->normal_map), "it has other coordinates");
    }
}
