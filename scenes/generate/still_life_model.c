// SPDX-License-Identifier: MIT
// A still life: chess pieces turned on a lathe, of glass, gold, lacquer and a thin film, marbles,
// and the bent sheet of a photographer's backdrop. They are nodes of one model, which
// scenes/chess.yaml stands around the explorer.
#include "models.h"
#include "shapes.h"

/// Profiles: {radius, height} of the controls of a uniform cubic B-spline, from the top down. A
/// control that stands twice makes a tight bend.
static const double king[][2] = {
    {0.00, 2.62}, {0.05, 2.62}, {0.13, 2.58}, {0.15, 2.48}, {0.09, 2.38}, {0.08, 2.34},
    {0.20, 2.31}, {0.34, 2.27}, {0.37, 2.22}, {0.36, 2.18}, {0.31, 2.00}, {0.25, 1.80},
    {0.22, 1.72}, {0.30, 1.70}, {0.35, 1.67}, {0.35, 1.63}, {0.24, 1.61}, {0.22, 1.58},
    {0.28, 1.55}, {0.30, 1.52}, {0.28, 1.49}, {0.20, 1.45}, {0.18, 1.25}, {0.20, 0.95},
    {0.27, 0.62}, {0.33, 0.50}, {0.33, 0.46}, {0.44, 0.42}, {0.49, 0.36}, {0.49, 0.30},
    {0.44, 0.25}, {0.50, 0.22}, {0.56, 0.17}, {0.57, 0.10}, {0.57, 0.02}, {0.57, 0.00},
    {0.50, 0.00}, {0.00, 0.00},
};
static const double bishop[][2] = {
    {0.00, 2.02}, {0.04, 2.02}, {0.09, 1.98}, {0.09, 1.92}, {0.05, 1.87}, {0.13, 1.80},
    {0.23, 1.66}, {0.27, 1.50}, {0.24, 1.36}, {0.17, 1.28}, {0.25, 1.26}, {0.29, 1.23},
    {0.29, 1.19}, {0.19, 1.17}, {0.18, 1.14}, {0.23, 1.12}, {0.24, 1.09}, {0.16, 1.05},
    {0.14, 0.90}, {0.16, 0.66}, {0.22, 0.44}, {0.27, 0.36}, {0.27, 0.33}, {0.36, 0.30},
    {0.40, 0.25}, {0.39, 0.20}, {0.36, 0.18}, {0.42, 0.15}, {0.46, 0.10}, {0.46, 0.02},
    {0.46, 0.00}, {0.40, 0.00}, {0.00, 0.00},
};
static const double pawn[][2] = {
    {0.00, 1.25}, {0.09, 1.25}, {0.19, 1.19}, {0.24, 1.08}, {0.22, 0.95},
    {0.15, 0.87}, {0.13, 0.84}, {0.24, 0.83}, {0.27, 0.80}, {0.26, 0.76},
    {0.15, 0.75}, {0.13, 0.71}, {0.13, 0.60}, {0.16, 0.44}, {0.22, 0.32},
    {0.24, 0.29}, {0.32, 0.27}, {0.35, 0.22}, {0.33, 0.18}, {0.36, 0.15},
    {0.40, 0.11}, {0.40, 0.02}, {0.40, 0.00}, {0.34, 0.00}, {0.00, 0.00},
};

enum { MAX_CONTROLS = 40, STEPS = 4 };

/// A turned solid with `count` controls: STEPS rings for each.
static void turn(built_primitive *p, const double (*control)[2], int count, int around)
{
    static double profile[MAX_CONTROLS * STEPS + 8][4];
    int rings = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < STEPS; k++) {
            const double t = (double)k / STEPS, s = 1.0 - t;
            const double weight[4] = {s * s * s / 6.0, (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0,
                                      (3.0 * s * s * s - 6.0 * s * s + 4.0) / 6.0, t * t * t / 6.0};
            const double slope[4] = {-s * s, 3.0 * t * t - 4.0 * t, 4.0 * s - 3.0 * s * s, t * t};
            double at[2] = {0.0, 0.0}, along[2] = {0.0, 0.0};
            for (int j = 0; j < 4; j++) {
                // Before the first control comes the second one, on the other side of the axis.
                const int c = i - 1 + j < 0 ? 1 : i - 1 + j < count ? i - 1 + j : count - 1;
                const double side = i - 1 + j < 0 ? -1.0 : 1.0;
                at[0] += weight[j] * side * control[c][0];
                at[1] += weight[j] * control[c][1];
                along[0] += slope[j] * side * control[c][0];
                along[1] += slope[j] * control[c][1];
            }
            const bool pole = rings == 0;
            const double ring[4] = {pole ? 0.0 : at[0], at[1], pole ? 0.0 : -along[1],
                                    pole ? 1.0 : along[0]};
            for (int m = 0; m < 4; m++)
                profile[rings][m] = ring[m];
            rings++;
        }
    const double end[4] = {0.0, control[count - 1][1], 0.0, -1.0};
    for (int m = 0; m < 4; m++)
        profile[rings][m] = end[m];
    shape_turned(p, frame_at(0.0, 0.0, 0.0), (const double(*)[4])profile, rings + 1, around);
}

#define GLASS(thickness, distance, color)                                                          \
    "'KHR_materials_transmission':{'transmissionFactor':1},'KHR_materials_ior':{'ior':1."          \
    "45},'KHR_materials_volume':{'thicknessFactor':" thickness ",'attenuationDistance':" distance  \
    ",'attenuationColor':" color "}"

/// Materials of the pieces.
enum { LACQUER, GOLD, TINTED, CLEAR, FILM, STEEL, IVORY, LIGHT, DARK, FRAME, BACKDROP, MATERIALS };

static const struct {
    const char *name;
    double color[3], metallic, roughness;
    const char *extensions;
} matter[MATERIALS] = {
    [LACQUER] = {"lacquer",
                 {0.52, 0.022, 0.018},
                 0.0,
                 0.55,
                 "'KHR_materials_clearcoat':{'clearcoatFactor':1,"
                 "'clearcoatRoughnessFactor':0.04}"},
    [GOLD] = {"gold", {1.0, 0.71, 0.29}, 1.0, 0.16, NULL},
    [TINTED] = {"tinted glass", {1.0, 1.0, 1.0}, 0.0, 0.0, GLASS("0.3", "0.5", "[0.45,0.8,0.9]")},
    [CLEAR] = {"clear glass", {1.0, 1.0, 1.0}, 0.0, 0.0, GLASS("0.18", "4", "[0.8,0.9,1]")},
    [FILM] = {"thin film",
              {0.55, 0.55, 0.58},
              1.0,
              0.14,
              "'KHR_materials_iridescence':{'iridescenceFactor':1,'iridescenceIor':2,"
              "'iridescenceThicknessMaximum':480}"},
    [STEEL] = {"steel", {0.66, 0.67, 0.69}, 1.0, 0.12, NULL},
    [IVORY] = {"ivory",
               {0.82, 0.76, 0.64},
               0.0,
               0.35,
               "'KHR_materials_clearcoat':{'clearcoatFactor':0.6,"
               "'clearcoatRoughnessFactor':0.15}"},
    [LIGHT] = {"light squares", {0.62, 0.52, 0.40}, 0.0, 0.38, NULL},
    [DARK] = {"dark squares", {0.035, 0.075, 0.085}, 0.0, 0.38, NULL},
    [FRAME] = {"frame", {0.02, 0.035, 0.04}, 0.0, 0.3, NULL},
    [BACKDROP] = {"backdrop", {0.035, 0.085, 0.105}, 0.0, 0.9, NULL},
};

/// A floor that bends up into a wall, 40 m wide: s along x, t from the wall's top to the front.
static dvec3 backdrop_point(double s, double t)
{
    const double radius = 5.0, back = -9.0, wall = 8.0, floor = 24.0;
    const double bend = radius * MATHS_PI / 2.0, x = (s - 0.5) * 60.0;
    double along = t * (wall + bend + floor);
    if (along < wall)
        return v3(x, radius + wall - along, back);
    along -= wall;
    if (along < bend) {
        const double angle = along / radius;
        return v3(x, radius - radius * exact_sin(angle), back + radius - radius * exact_cos(angle));
    }
    return v3(x, 0.0, back + radius + (along - bend));
}

/// Eight by eight squares of a metre, their tops at y = 0, in a frame on the floor.
static void board(built_model *m)
{
    for (int pass = 0; pass < 2; pass++) {
        built_primitive *p =
            new_part(m, "squares", v3(-4.0, 0.0, -4.0), pass == 0 ? LIGHT : DARK, 0);
        for (int z = 0; z < 8; z++)
            for (int x = 0; x < 8; x++)
                if ((x + z) % 2 == pass)
                    shape_quad(p, v3(x, 0.0, z), v3(1.0, 0.0, 0.0), v3(0.0, 0.0, 1.0));
    }
    shape_box(new_part(m, "frame", v3(0.0, 0.0, 0.0), FRAME, 0), frame_at(0.0, -0.12, 0.0),
              v3(4.35, 0.119, 4.35));
}

#define PROFILE(of) (of), (int)(sizeof(of) / sizeof *(of))

static void marble(built_model *m, int material, double x, double z, double radius)
{
    shape_ball(new_part(m, "marble", v3(x, radius, z), material, 0), radius, 48, 24);
}

void still_life_build(built_model *m)
{
    m->extensions_used = "'KHR_materials_clearcoat','KHR_materials_transmission',"
                         "'KHR_materials_ior','KHR_materials_volume',"
                         "'KHR_materials_iridescence'";
    for (int i = 0; i < MATERIALS; i++) {
        new_material(m, matter[i].name, matter[i].color[0], matter[i].color[1], matter[i].color[2],
                     matter[i].metallic, matter[i].roughness);
        m->material_extensions[i] = matter[i].extensions;
    }
    shape_sheet(new_part(m, "backdrop", v3(0.0, -0.24, 0.0), BACKDROP, 0), backdrop_point, 1, 48);
    board(m);
    turn(new_part(m, "king", v3(1.5, 0.0, -0.5), TINTED, 0), PROFILE(king), 56);
    turn(new_part(m, "bishop", v3(-1.5, 0.0, -0.5), GOLD, 0), PROFILE(bishop), 48);
    turn(new_part(m, "pawn", v3(2.5, 0.0, 0.5), LACQUER, 0), PROFILE(pawn), 48);
    turn(new_part(m, "pawn", v3(-2.5, 0.0, 0.5), FILM, 0), PROFILE(pawn), 48);
    turn(new_part(m, "pawn", v3(-3.5, 0.0, -2.5), IVORY, 0), PROFILE(pawn), 48);
    marble(m, CLEAR, -1.2, 1.9, 0.27);
    marble(m, STEEL, 1.0, 2.3, 0.18);
    marble(m, LACQUER, -0.65, 2.45, 0.11);
}
