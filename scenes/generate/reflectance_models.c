// SPDX-License-Identifier: MIT
// Materials whose reflectance extensions say: unlit, specular-glossiness, specular weight and tint,
// each by factors and by maps.
#include "models.h"
#include "shapes.h"
#include "writers.h"

#include <string.h>

enum { COLUMNS = 4, PICTURE_SIDE = 16 };

static built_primitive *place(built_model *m, int material, int column, int row,
                              unsigned attributes)
{
    const int node = model_node(m, "sample", -1, v3((column - 1.5) * 0.5, (1 - row) * 0.5, 0.0));
    m->nodes[node].mesh = model_mesh(m);
    return model_primitive(m, material, attributes);
}

static void place_sphere(built_model *m, int material, int column, int row)
{
    shape_sphere(place(m, material, column, row, HAS_NORMAL | HAS_UV), frame_at(0.0, 0.0, 0.0),
                 v3(0.21, 0.21, 0.21), 32, 16);
}

// RGB of a column, A of a row: colours and numbers that must not weigh each other.
static void paint(built_image *picture)
{
    static const uint8_t colors[4][3] = {
        {255, 200, 120},
        {120, 200, 255},
        {200, 255, 120},
        {255, 120, 200}
    };
    static const uint8_t numbers[4] = {255, 160, 64, 0};
    for (int y = 0; y < PICTURE_SIDE; y++)
        for (int x = 0; x < PICTURE_SIDE; x++) {
            uint8_t *to = picture->rgba8 + ((size_t)y * PICTURE_SIDE + (size_t)x) * 4;
            memcpy(to, colors[x * 4 / PICTURE_SIDE], 3);
            to[3] = numbers[y * 4 / PICTURE_SIDE];
        }
}

// Quads that turn away from the light and are as bright as any: factor; vertex colours; map; all.
static void unlit_row(built_model *m)
{
    static const float corners[4][4] = {
        {1.0f, 0.0f, 0.0f, 1.0f},
        {0.0f, 1.0f, 0.0f, 1.0f},
        {0.0f, 0.0f, 1.0f, 1.0f},
        {1.0f, 1.0f, 1.0f, 1.0f}
    };
    for (int column = 0; column < COLUMNS; column++) {
        const bool colored = column % 2 == 1, mapped = column >= 2;
        const double blue = column == 0 || column == 3 ? 0.3 : 1.0;
        const int material = model_material(m, "unlit", 1.0, 1.0, blue, 0.0, 1.0);
        m->materials[material].unlit = true;
        m->materials[material].base_texture = mapped ? 0 : -1;
        built_primitive *p = place(m, material, column, 0,
                                   HAS_NORMAL | HAS_UV | (colored ? (unsigned)HAS_COLOR : 0u));
        shape_quad(p, v3(-0.2, 0.2, 0.0), v3(0.4, 0.0, 0.0), v3(0.0, -0.4, 0.0), 0.0, 0.0, 1.0,
                   1.0);
        for (int k = 0; k < 4; k++)
            memcpy(p->vertices[k].color, corners[k], sizeof corners[k]);
    }
}

bool reflectance_write(const char *folder)
{
    static const char *const glossy[COLUMNS] = {
        "\"KHR_materials_pbrSpecularGlossiness\":{\"diffuseFactor\":[0,0,0,1],"
        "\"specularFactor\":[1,0.766,0.336],\"glossinessFactor\":0.6}",
        "\"KHR_materials_pbrSpecularGlossiness\":{\"diffuseFactor\":[0.6,0.1,0.1,1],"
        "\"specularFactor\":[0.04,0.04,0.04],\"glossinessFactor\":0.6}",
        "\"KHR_materials_pbrSpecularGlossiness\":{\"diffuseTexture\":{\"index\":0},"
        "\"specularFactor\":[0.04,0.04,0.04],\"glossinessFactor\":0.3}",
        "\"KHR_materials_pbrSpecularGlossiness\":{\"diffuseFactor\":[0.05,0.05,0.05,1],"
        "\"specularGlossinessTexture\":{\"index\":0},\"glossinessFactor\":0.9}",
    };
    static const char *const specular[COLUMNS] = {
        "\"KHR_materials_specular\":{\"specularFactor\":0}",
        "\"KHR_materials_specular\":{\"specularColorFactor\":[4,0.5,0.5]},"
        "\"KHR_materials_ior\":{\"ior\":2}",
        "\"KHR_materials_specular\":{\"specularTexture\":{\"index\":0}},"
        "\"KHR_materials_ior\":{\"ior\":2.5}",
        "\"KHR_materials_specular\":{\"specularColorTexture\":{\"index\":0,\"extensions\":{"
        "\"KHR_texture_transform\":{\"scale\":[2,1]}}}},\"KHR_materials_ior\":{\"ior\":4}",
    };
    built_model *m = model_create();
    m->extensions_used = "\"KHR_materials_pbrSpecularGlossiness\",\"KHR_materials_specular\","
                         "\"KHR_materials_ior\",\"KHR_texture_transform\"";
    paint(model_picture(m, "colors_and_numbers", PICTURE_SIDE, PICTURE_SIDE));
    unlit_row(m);
    for (int column = 0; column < COLUMNS; column++) {
        const int material = model_material(m, "glossy", 1.0, 0.0, 1.0, 0.0, 1.0);
        m->materials[material].extensions = glossy[column];
        place_sphere(m, material, column, 1);
    }
    for (int column = 0; column < COLUMNS; column++) {
        const int material = model_material(m, "specular", 0.05, 0.05, 0.08, 0.0, 0.3);
        m->materials[material].extensions = specular[column];
        place_sphere(m, material, column, 2);
    }
    const bool ok = glb_write(m, folder, "reflectance.glb");
    model_destroy(m);
    return ok;
}
