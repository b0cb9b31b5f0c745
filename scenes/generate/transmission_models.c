// SPDX-License-Identifier: MIT
// Light that passes through: thin and thick glass, rough glass, attenuation, dispersion, maps, and
// layers of glass and of blended panes, in three groups before checkered boards.
#include "models.h"
#include "shapes.h"

enum { PICTURE_SIDE = 32, GROUP_SPACING = 10 };

/// A group has its origin at x = GROUP_SPACING * group.
static built_primitive *at_group(built_model *m, int group, dvec3 at, int material,
                                 unsigned attributes)
{
    return new_part(m, "sample", v3(GROUP_SPACING * group + at.x, at.y, at.z), material,
                    attributes);
}

/// Checks with thin lines of colour, which dispersion splits.
static void board(built_model *m, int group, const int material[3])
{
    const double side = 0.25;
    built_primitive *p = at_group(m, group, v3(0.0, 0.0, -1.0), material[0], 0);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1)
            p = at_group(m, group, v3(0.0, 0.0, -1.0), material[1], 0);
        for (int y = 0; y < 10; y++)
            for (int x = 0; x < 12; x++)
                if ((x + y) % 2 == pass)
                    shape_quad(p, v3(side * (x - 6), side * (5 - y), 0.0), v3(side, 0.0, 0.0),
                               v3(0.0, -side, 0.0));
    }
    // A post before the board, near to the glass: rough glass shows it sharper than the board.
    shape_box(at_group(m, group, v3(0.0, 0.0, -0.55), material[2], 0), frame_at(0.0, 0.0, 0.0),
              v3(0.04, 1.2, 0.04));
}

static int glass(built_model *m, double r, double g, double b, double roughness,
                 const char *extensions)
{
    const int material = new_material(m, "glass", r, g, b, 0.0, roughness);
    m->material_extensions[material] = extensions;
    return material;
}

static void pane(built_model *m, int group, int material, double x, double y, double z)
{
    m->materials[material].double_sided = true;
    shape_pane(at_group(m, group, v3(x, y, z), material, HAS_UV), 0.4, 0.4);
}

static void ball(built_model *m, int group, int material, double x, double y, unsigned attributes)
{
    shape_sphere(at_group(m, group, v3(x, y, 0.0), material, attributes), frame_at(0.0, 0.0, 0.0),
                 v3(0.4, 0.4, 0.4), 48, 24);
}

#define TRANSMITS "'KHR_materials_transmission':{'transmissionFactor':1}"

/// Thin walls. Above: clear, tinted, rough. Below: textured stripes, a mask's holes, half blended.
static void thin_group(built_model *m)
{
    pane(m, 0, glass(m, 1.0, 1.0, 1.0, 0.0, TRANSMITS), -0.9, 0.45, 0.0);
    pane(m, 0, glass(m, 0.9, 0.5, 0.1, 0.0, TRANSMITS), 0.0, 0.45, 0.0);
    pane(m, 0, glass(m, 1.0, 1.0, 1.0, 0.3, TRANSMITS), 0.9, 0.45, 0.0);
    pane(m, 0,
         glass(m, 0.3, 0.8, 0.4, 0.0,
               "'KHR_materials_transmission':{'transmissionFactor':1,"
               "'transmissionTexture':{'index':0}}"),
         -0.9, -0.45, 0.0);
    const int masked = glass(m, 0.4, 0.6, 1.0, 0.0, TRANSMITS);
    m->materials[masked].alpha = MODEL_MASK;
    m->materials[masked].alpha_cutoff = 0.5;
    m->materials[masked].base_map.texture = 0;
    pane(m, 0, masked, 0.0, -0.45, 0.0);
    const int blended = glass(m, 1.0, 0.4, 0.4, 0.3, TRANSMITS);
    m->materials[blended].alpha = MODEL_BLEND;
    m->materials[blended].base_color[3] = 0.5;
    pane(m, 0, blended, 0.9, -0.45, 0.0);
}

/// Volumes. Above: clear, attenuated with a thickness texture, rough. Below: an index of 1 with
/// absorption only, strong dispersion, and a scaled node.
static void thick_group(built_model *m)
{
    ball(m, 1,
         glass(m, 1.0, 1.0, 1.0, 0.0, TRANSMITS ",'KHR_materials_volume':{'thicknessFactor':0.6}"),
         -0.9, 0.45, 0);
    ball(m, 1,
         glass(m, 1.0, 1.0, 1.0, 0.0,
               TRANSMITS ",'KHR_materials_volume':{'thicknessFactor':0.6,"
                         "'thicknessTexture':{'index':0},'attenuationDistance':0.3,"
                         "'attenuationColor':[0.2,0.6,0.9]}"),
         0.0, 0.45, HAS_UV);
    ball(m, 1,
         glass(m, 1.0, 1.0, 1.0, 0.35, TRANSMITS ",'KHR_materials_volume':{'thicknessFactor':0.6}"),
         0.9, 0.45, 0);
    ball(m, 1,
         glass(m, 1.0, 1.0, 1.0, 0.0,
               TRANSMITS ",'KHR_materials_ior':{'ior':1},'KHR_materials_volume':{"
                         "'thicknessFactor':0.6,'attenuationDistance':0.3,"
                         "'attenuationColor':[0.9,0.3,0.1]}"),
         -0.9, -0.45, 0);
    ball(m, 1,
         glass(m, 1.0, 1.0, 1.0, 0.0,
               TRANSMITS ",'KHR_materials_ior':{'ior':1.6},'KHR_materials_volume':{"
                         "'thicknessFactor':0.6},'KHR_materials_dispersion':{'dispersion':3}"),
         0.0, -0.45, 0);
    ball(m, 1,
         glass(m, 1.0, 1.0, 1.0, 0.0,
               TRANSMITS ",'KHR_materials_volume':{'thicknessFactor':1.2,"
                         "'attenuationDistance':0.3,'attenuationColor':[0.3,0.8,0.4]}"),
         0.9, -0.45, 0);
    for (int k = 0; k < 3; k++)
        m->nodes[m->node_count - 1].rest.s[k] = 0.6f;
}

/// Layers, from left to right: two tints that cross, a rough pane behind a thick ball, and a
/// blended pane behind, between and before glass.
static void layer_group(built_model *m)
{
    const int blended = new_material(m, "blended", 0.8, 0.1, 0.1, 0.0, 0.6);
    m->materials[blended].alpha = MODEL_BLEND;
    m->materials[blended].base_color[3] = 0.5;
    pane(m, 2, glass(m, 0.9, 0.8, 0.1, 0.0, TRANSMITS), -1.0, 0.15, 0.1);
    pane(m, 2, glass(m, 0.1, 0.7, 0.9, 0.0, TRANSMITS), -0.75, -0.1, -0.1);
    pane(m, 2, glass(m, 1.0, 1.0, 1.0, 0.35, TRANSMITS), 0.0, 0.45, -0.45);
    ball(m, 2,
         glass(m, 1.0, 1.0, 1.0, 0.0, TRANSMITS ",'KHR_materials_volume':{'thicknessFactor':0.4}"),
         0.0, 0.2, 0);
    pane(m, 2, glass(m, 0.6, 1.0, 0.6, 0.0, TRANSMITS), 0.9, 0.3, 0.0);
    pane(m, 2, glass(m, 0.6, 0.6, 1.0, 0.0, TRANSMITS), 0.9, -0.3, -0.3);
    pane(m, 2, blended, 0.7, 0.55, -0.2);
    pane(m, 2, blended, 1.1, -0.1, -0.15);
    pane(m, 2, blended, 0.7, -0.55, 0.1);
}

/// R: stripes; G: a ramp; A: a disc.
static void paint(built_image *image)
{
    for (int y = 0; y < PICTURE_SIDE; y++)
        for (int x = 0; x < PICTURE_SIDE; x++) {
            const int dx = 2 * x - PICTURE_SIDE + 1, dy = 2 * y - PICTURE_SIDE + 1;
            texel_set_bytes(image, x, y, (x + y) / 4 % 2 ? 255 : 40, 255 * y / (PICTURE_SIDE - 1),
                            255, dx * dx + dy * dy < 20 * 20 ? 0 : 255);
        }
}

void transmission_build(built_model *m)
{
    m->extensions_used = "'KHR_materials_transmission','KHR_materials_volume',"
                         "'KHR_materials_dispersion','KHR_materials_ior'";
    paint(new_picture(m, "maps", PICTURE_SIDE, PICTURE_SIDE));
    const int materials[3] = {new_material(m, "light", 0.85, 0.85, 0.85, 0.0, 0.9),
                              new_material(m, "dark", 0.08, 0.1, 0.14, 0.0, 0.9),
                              new_material(m, "post", 0.8, 0.25, 0.1, 0.0, 0.7)};
    for (int group = 0; group < 3; group++)
        board(m, group, materials);
    thin_group(m);
    thick_group(m);
    layer_group(m);
}

#define PRISM                                                                                      \
    TRANSMITS ",'KHR_materials_volume':{'thicknessFactor':0.3},"                                   \
              "'KHR_materials_dispersion':{'dispersion':3}"
#define DULL ",'KHR_materials_specular':{'specularFactor':0}"

/// From the top: thin and smooth, thin and rough, a rough volume that disperses.
static void unlit_column(built_model *m, double x, bool shiny)
{
    static const char *const kinds[2][3] = {{TRANSMITS DULL, TRANSMITS DULL, PRISM DULL},
                                            {TRANSMITS, TRANSMITS, PRISM}};
    for (int row = 0; row < 3; row++) {
        const int material = glass(m, 1.0, 1.0, 1.0, row == 0 ? 0.0 : 0.4, kinds[shiny][row]);
        if (shiny)
            ball(m, 0, material, x, 0.9 - 0.9 * row, 0);
        else
            pane(m, 0, material, x, 0.9 - 0.9 * row, 0.0);
    }
}

/// White glass before a wall: unlit, #FF7F00; lit, white; unlit, blue. Only the balls reflect.
void unlit_glass_build(built_model *m)
{
    m->extensions_used = "'KHR_materials_transmission','KHR_materials_volume',"
                         "'KHR_materials_dispersion','KHR_materials_specular'";
    const int materials[3] = {new_material(m, "orange", 1.0, 0.21223075741405523, 0.0, 0.0, 1.0),
                              new_material(m, "white", 0.8, 0.8, 0.8, 0.0, 1.0),
                              new_material(m, "blue", 0.1, 0.2, 0.6, 0.0, 1.0)};
    static const double edge[4] = {-2.0, 0.0, 0.3, 2.0};
    for (int i = 0; i < 3; i++) {
        m->materials[materials[i]].unlit = i != 1;
        shape_quad(at_group(m, 0, v3(0.0, 0.0, -0.5), materials[i], 0), v3(edge[i], 1.5, 0.0),
                   v3(edge[i + 1] - edge[i], 0.0, 0.0), v3(0.0, -3.0, 0.0));
    }
    unlit_column(m, -1.0, false);
    unlit_column(m, 0.05, false);
    unlit_column(m, 1.05, true);
}
