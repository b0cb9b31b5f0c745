// SPDX-License-Identifier: MIT
// Materials with extensions of reflectance: unlit, specular-glossiness, specular weight and tint,
// each by factors and by maps; and materials that a clip animates.
#include "models.h"
#include "shapes.h"

#include <string.h>

enum { COLUMNS = 4, PICTURE_SIDE = 16 };

static built_primitive *place(built_model *m, int material, int column, int row,
                              unsigned attributes)
{
    return new_part(m, "sample", v3((column - 1.5) * 0.5, (1 - row) * 0.5, 0.0), material,
                    attributes);
}

static void place_sphere(built_model *m, int material, int column, int row)
{
    shape_ball(place(m, material, column, row, HAS_UV), 0.21, 32, 16);
}

// RGB of a column, A of a row: colours and numbers that must not affect each other.
static void paint(built_image *image)
{
    static const uint8_t colors[4][3] = {
        {255, 200, 120}, {120, 200, 255}, {200, 255, 120}, {255, 120, 200}};
    static const uint8_t numbers[4] = {255, 160, 64, 0};
    for (int y = 0; y < PICTURE_SIDE; y++)
        for (int x = 0; x < PICTURE_SIDE; x++) {
            const uint8_t *c = colors[x * 4 / PICTURE_SIDE];
            texel_set_bytes(image, x, y, c[0], c[1], c[2], numbers[y * 4 / PICTURE_SIDE]);
        }
}

// Quads that face away from the light and are not darker: factor; vertex colours; map; all.
static void unlit_row(built_model *m)
{
    static const float corners[4][4] = {{1.0f, 0.0f, 0.0f, 1.0f},
                                        {0.0f, 1.0f, 0.0f, 1.0f},
                                        {0.0f, 0.0f, 1.0f, 1.0f},
                                        {1.0f, 1.0f, 1.0f, 1.0f}};
    for (int column = 0; column < COLUMNS; column++) {
        const bool colored = column % 2 == 1, mapped = column >= 2;
        const double blue = column == 0 || column == 3 ? 0.3 : 1.0;
        const int material = new_material(m, "unlit", 1.0, 1.0, blue, 0.0, 1.0);
        m->materials[material].unlit = true;
        m->materials[material].base_map.texture = mapped ? 0 : -1;
        built_primitive *p =
            place(m, material, column, 0, HAS_UV | (colored ? (unsigned)HAS_COLOR : 0u));
        shape_pane(p, 0.2, 0.2);
        for (int k = 0; k < 4; k++)
            memcpy(p->vertices[k].color, corners[k], sizeof corners[k]);
    }
}

void reflectance_build(built_model *m)
{
    static const char *const glossy[COLUMNS] = {
        "'KHR_materials_pbrSpecularGlossiness':{'diffuseFactor':[0,0,0,1],"
        "'specularFactor':[1,0.766,0.336],'glossinessFactor':0.6}",
        "'KHR_materials_pbrSpecularGlossiness':{'diffuseFactor':[0.6,0.1,0.1,1],"
        "'specularFactor':[0.04,0.04,0.04],'glossinessFactor':0.6}",
        "'KHR_materials_pbrSpecularGlossiness':{'diffuseTexture':{'index':0},"
        "'specularFactor':[0.04,0.04,0.04],'glossinessFactor':0.3}",
        "'KHR_materials_pbrSpecularGlossiness':{'diffuseFactor':[0.05,0.05,0.05,1],"
        "'specularGlossinessTexture':{'index':0},'glossinessFactor':0.9}",
    };
    static const char *const specular[COLUMNS] = {
        "'KHR_materials_specular':{'specularFactor':0}",
        "'KHR_materials_specular':{'specularColorFactor':[4,0.5,0.5]},"
        "'KHR_materials_ior':{'ior':2}",
        "'KHR_materials_specular':{'specularTexture':{'index':0}},"
        "'KHR_materials_ior':{'ior':2.5}",
        "'KHR_materials_specular':{'specularColorTexture':{'index':0,'extensions':{"
        "'KHR_texture_transform':{'scale':[2,1]}}}},'KHR_materials_ior':{'ior':4}",
    };
    m->extensions_used = "'KHR_materials_pbrSpecularGlossiness','KHR_materials_specular',"
                         "'KHR_materials_ior','KHR_texture_transform'";
    paint(new_picture(m, "colors_and_numbers", PICTURE_SIDE, PICTURE_SIDE));
    unlit_row(m);
    for (int column = 0; column < COLUMNS; column++) {
        const int material = new_material(m, "glossy", 1.0, 0.0, 1.0, 0.0, 1.0);
        m->material_extensions[material] = glossy[column];
        place_sphere(m, material, column, 1);
    }
    for (int column = 0; column < COLUMNS; column++) {
        const int material = new_material(m, "specular", 0.05, 0.05, 0.08, 0.0, 0.3);
        m->material_extensions[material] = specular[column];
        place_sphere(m, material, column, 2);
    }
}

// Keys at 0 s and 1 s.
static void pulse(built_model *m, const char *pointer, size_t width, const float *from,
                  const float *to)
{
    built_channel *c = new_pointer(m, 0, pointer, width, CURVE_LINEAR, 2);
    c->times[0] = 0.0f;
    c->times[1] = 1.0f;
    memcpy(c->values, from, width * sizeof(float));
    memcpy(c->values + width, to, width * sizeof(float));
}

// A clip animates the materials of eight spheres, by rows from the top left: base colour,
// metalness, roughness, emission; offset and rotation of a texture, which is also masked; the tint
// of reflections; a sphere whose node a pointer lifts.
void pulse_build(built_model *m)
{
    static const char white_glossy[] = "'KHR_materials_specular':{},'KHR_materials_ior':{"
                                       "'ior':3}";
    m->extensions_used = "'KHR_animation_pointer','KHR_texture_transform',"
                         "'KHR_materials_specular','KHR_materials_ior'";
    paint(new_picture(m, "colors_and_numbers", PICTURE_SIDE, PICTURE_SIDE));
    for (int i = 0; i < 2 * COLUMNS; i++) {
        const int material = new_material(m, "moved", 0.5, 0.5, 0.5, 0.0, 0.4);
        model_material *x = &m->materials[material];
        x->base_map.texture = i >= 4 && i <= 6 ? 0 : -1;
        x->alpha = i == 6 ? MODEL_MASK : MODEL_OPAQUE;
        x->alpha_cutoff = 0.5;
        x->double_sided = i == 6;
        m->material_extensions[material] = i == 7 ? white_glossy : NULL;
        place_sphere(m, material, i % COLUMNS, i / COLUMNS);
    }
    new_clip(m, "pulse");
#define MATERIAL(i, rest) "/materials/" #i "/" rest
#define TRANSFORM         "pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/"
    pulse(m, MATERIAL(0, "pbrMetallicRoughness/baseColorFactor"), 4,
          (float[]){1.0f, 0.0f, 0.0f, 1.0f}, (float[]){0.0f, 0.0f, 1.0f, 1.0f});
    pulse(m, MATERIAL(1, "pbrMetallicRoughness/metallicFactor"), 1, (float[]){0.0f},
          (float[]){1.0f});
    pulse(m, MATERIAL(2, "pbrMetallicRoughness/roughnessFactor"), 1, (float[]){0.1f},
          (float[]){1.0f});
    pulse(m, MATERIAL(3, "emissiveFactor"), 3, (float[]){0.0f, 0.0f, 0.0f},
          (float[]){1.0f, 0.5f, 0.0f});
    pulse(m, MATERIAL(4, TRANSFORM "offset"), 2, (float[]){0.0f, 0.0f}, (float[]){0.5f, 0.0f});
    pulse(m, MATERIAL(5, TRANSFORM "rotation"), 1, (float[]){0.0f}, (float[]){1.5707964f});
    pulse(m, MATERIAL(6, "alphaCutoff"), 1, (float[]){0.0f}, (float[]){1.0f});
    pulse(m, MATERIAL(7, "extensions/KHR_materials_specular/specularColorFactor"), 3,
          (float[]){1.0f, 1.0f, 1.0f}, (float[]){1.0f, 0.0f, 0.0f});
    pulse(m, "/nodes/7/translation", 3, (float[]){0.75f, 0.0f, 0.0f},
          (float[]){0.75f, -0.3f, 0.0f});
}
