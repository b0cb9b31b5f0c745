// SPDX-License-Identifier: MIT
// Materials with more than one lobe: coats, sheen, thin films, brushed metal, light from behind;
// each by factors and by maps. And brushed plates whose texture coordinates are mirrored.
#include "models.h"
#include "shapes.h"

#include <string.h>

enum { COLUMNS = 4, ROWS = 5, SIDE = 32 };
/// Textures, in the order in which paint_maps makes them.
enum { BUMPS, WAVES, CHECKER, RINGS };

// Bumps and waves are normal maps. The checker has another number in each channel. The rings turn
// the direction of a brush: around the middle of the picture.
static void paint_maps(built_model *m)
{
    built_image *bumps = new_picture(m, "bumps", SIDE, SIDE);
    built_image *waves = new_picture(m, "waves", SIDE, SIDE);
    built_image *checker = new_picture(m, "checker", SIDE, SIDE);
    built_image *rings = new_picture(m, "rings", SIDE, SIDE);
    const double turn = 2.0 * MATHS_PI / SIDE;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const bool light = (x * 4 / SIDE + y * 4 / SIDE) % 2 == 0;
            const double a = (x + 0.5) / SIDE * 2.0 - 1.0, b = 1.0 - (y + 0.5) / SIDE * 2.0;
            const double r = sqrt(a * a + b * b);
            const dvec3 bump_at =
                v3(0.5 * exact_sin(4.0 * turn * x) * exact_cos(4.0 * turn * y),
                   0.5 * exact_cos(4.0 * turn * x) * exact_sin(4.0 * turn * y), 1.0);
            texel_set_normal(bumps, x, y, v3_unit(bump_at));
            texel_set_normal(waves, x, y, v3_unit(v3(0.0, 0.8 * exact_sin(2.0 * turn * y), 1.0)));
            if (light)
                texel_set(checker, x, y, 1.0, 0.8, 0.3, 1.0);
            else
                texel_set(checker, x, y, 0.2, 0.1, 0.9, 0.4);
            texel_set(rings, x, y, 0.5 - 0.5 * b / r, 0.5 + 0.5 * a / r, 1.0, 1.0);
        }
}

/// Material of a sphere.
typedef struct sample {
    double color[3], metallic, roughness;
    int normal_texture;
} sample;

static const sample samples[ROWS][COLUMNS] = {
    {{{0.6, 0.05, 0.03}, 0.0, 0.7, -1},
     {{0.8, 0.5, 0.2}, 1.0, 0.45, BUMPS},
     {{0.8, 0.5, 0.2}, 1.0, 0.45, BUMPS},
     {{0.02, 0.03, 0.1}, 0.0, 0.8, -1}},
    {{{0.01, 0.01, 0.01}, 0.0, 1.0, -1},
     {{0.4, 0.02, 0.05}, 0.0, 1.0, -1},
     {{0.02, 0.05, 0.02}, 0.0, 1.0, -1},
     {{0.02, 0.02, 0.05}, 0.0, 1.0, -1}},
    {{{0.9, 0.9, 0.9}, 1.0, 0.2, -1},
     {{0.9, 0.9, 0.9}, 1.0, 0.2, -1},
     {{0.02, 0.02, 0.02}, 0.0, 0.1, -1},
     {{0.9, 0.6, 0.4}, 1.0, 0.3, -1}},
    {{{0.9, 0.85, 0.8}, 1.0, 0.25, -1},
     {{0.9, 0.85, 0.8}, 1.0, 0.25, -1},
     {{0.9, 0.85, 0.8}, 1.0, 0.25, -1},
     {{0.9, 0.85, 0.8}, 1.0, 0.25, -1}},
    {{{0.5, 0.5, 0.5}, 0.0, 0.8, -1},
     {{0.1, 0.3, 0.05}, 0.0, 0.4, -1},
     {{0.5, 0.5, 0.5}, 0.0, 0.8, -1},
     {{0.3, 0.3, 0.4}, 0.6, 0.35, WAVES}},
};

#define COAT(rest)    "'KHR_materials_clearcoat':{'clearcoatFactor':1," rest "}"
#define SHEEN(rest)   "'KHR_materials_sheen':{" rest "}"
#define FILM(rest)    "'KHR_materials_iridescence':{'iridescenceFactor':1," rest "}"
#define BRUSH(rest)   "'KHR_materials_anisotropy':{" rest "}"
#define THROUGH(rest) "'KHR_materials_diffuse_transmission':{" rest "}"

/// Their extensions; the last has all lobes.
static const char *const lobes[ROWS][COLUMNS] = {
    {COAT("'clearcoatRoughnessFactor':0.08"), COAT("'clearcoatRoughnessFactor':0.05"),
     COAT("'clearcoatRoughnessFactor':0.05,'clearcoatNormalTexture':{'index':1,"
          "'extensions':{'KHR_texture_transform':{'scale':[4,2]}}}"),
     COAT("'clearcoatTexture':{'index':2},'clearcoatRoughnessFactor':0.6,"
          "'clearcoatRoughnessTexture':{'index':2}")},
    {SHEEN("'sheenColorFactor':[1,1,1],'sheenRoughnessFactor':0.3"),
     SHEEN("'sheenColorFactor':[0.9,0.5,0.6],'sheenRoughnessFactor':0.6"),
     SHEEN("'sheenColorFactor':[1,1,1],'sheenColorTexture':{'index':2},'sheenRoughnessFactor':0.5"),
     SHEEN("'sheenColorFactor':[0.4,0.6,1],'sheenRoughnessFactor':1,"
           "'sheenRoughnessTexture':{'index':2}") "," COAT("'clearcoatTexture':{'index':2}")},
    {FILM("'iridescenceThicknessMaximum':350"),
     FILM("'iridescenceIor':1.8,'iridescenceThicknessMaximum':600"),
     FILM("'iridescenceThicknessMaximum':450"),
     FILM("'iridescenceTexture':{'index':2},'iridescenceThicknessMinimum':200,"
          "'iridescenceThicknessTexture':{'index':2}")},
    {BRUSH("'anisotropyStrength':0.5"), BRUSH("'anisotropyStrength':0.9"),
     BRUSH("'anisotropyStrength':0.9,'anisotropyRotation':1.0471976"),
     BRUSH("'anisotropyStrength':0.9,'anisotropyTexture':{'index':3}")},
    {THROUGH("'diffuseTransmissionFactor':0.5"),
     THROUGH("'diffuseTransmissionFactor':0.8,'diffuseTransmissionColorFactor':[0.6,0.9,0.2]"),
     THROUGH("'diffuseTransmissionFactor':1,'diffuseTransmissionTexture':{'index':2},"
             "'diffuseTransmissionColorTexture':{'index':2}"),
     "'KHR_materials_clearcoat':{'clearcoatFactor':1,'clearcoatRoughnessFactor':0.1},"
     "'KHR_materials_sheen':{'sheenColorFactor':[0.5,0.3,0.2],'sheenRoughnessFactor':0.5},"
     "'KHR_materials_iridescence':{'iridescenceFactor':1,'iridescenceThicknessMaximum':500},"
     "'KHR_materials_anisotropy':{'anisotropyStrength':0.7},"
     "'KHR_materials_diffuse_transmission':{'diffuseTransmissionFactor':0.5}"},
};

static const char lobes_used[] =
    "'KHR_materials_clearcoat','KHR_materials_sheen','KHR_materials_iridescence',"
    "'KHR_materials_anisotropy','KHR_materials_diffuse_transmission','KHR_texture_transform'";

// Tangents along u, which runs around the axis. A brushed material without a normal map must bring
// them (KHR_materials_anisotropy); sums over triangles would break at the seam and at the poles.
static void sphere_tangents(built_primitive *p)
{
    for (size_t i = 0; i < p->vertex_count; i++) {
        built_vertex *v = &p->vertices[i];
        const double angle = 2.0 * MATHS_PI * (double)v->uv[0];
        v->tangent[0] = (float)-exact_cos(angle);
        v->tangent[1] = 0.0f;
        v->tangent[2] = (float)exact_sin(angle);
        v->tangent[3] = 1.0f;
    }
}

void lobes_build(built_model *m)
{
    m->extensions_used = lobes_used;
    paint_maps(m);
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            const sample *from = &samples[row][column];
            const int material = new_material(m, "sample", from->color[0], from->color[1],
                                              from->color[2], from->metallic, from->roughness);
            m->materials[material].normal_map.texture = from->normal_texture;
            m->material_extensions[material] = lobes[row][column];
            const bool brushed =
                strstr(lobes[row][column], "anisotropy") && from->normal_texture < 0;
            built_primitive *p =
                new_part(m, "sample", v3((column - 1.5) * 0.5, (2 - row) * 0.5, 0.0), material,
                         HAS_UV | (brushed ? HAS_TANGENT : 0u));
            shape_ball(p, 0.22, 24, 12);
            if (brushed)
                sphere_tangents(p);
        }
}

// Four brushed plates, the two on the right with u to the left. The upper ones are brushed along a
// direction that leans to the right in the picture, which a mirror makes lean to the left; the
// lower ones have bumps, too, which stand out on both.
void brushed_build(built_model *m)
{
    m->extensions_used = lobes_used;
    paint_maps(m);
    for (int row = 0; row < 2; row++) {
        const int material = new_material(m, "brushed", 0.9, 0.85, 0.8, 1.0, 0.3);
        m->materials[material].normal_map.texture = row ? BUMPS : -1;
        m->material_extensions[material] =
            BRUSH("'anisotropyStrength':0.9,'anisotropyRotation':2.3561945");
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            built_primitive *p = new_part(m, "plate", v3(mirrored - 0.5, 0.5 - row, 0.0), material,
                                          HAS_TANGENT | HAS_UV);
            shape_quad_uv(p, v3(-0.46, 0.46, 0.0), v3(0.92, 0.0, 0.0), v3(0.0, -0.92, 0.0),
                          mirrored ? 1.0 : 0.0, 0.0, mirrored ? 0.0 : 1.0, 1.0);
            primitive_tangents(p, true);
        }
    }
}
