// SPDX-License-Identifier: MIT
// Balls of chrome, paint and chalk in an environment of their own (EXT_lights_image_based): a cube
// of RGBD pictures and nine harmonics. Each side of the room has a colour: +x red, -x cyan, +y
// white, -y brown, +z green, -z blue; a lamp of 12 is at the upper right front. A reader that
// swaps, turns or mirrors faces shows them elsewhere.
#include "models.h"
#include "shapes.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 64, FACES = 6, HARMONICS = 9 };

// Each channel of the light from `d`, which need not be of unit length: smooth sides, and a lamp.
static void room_light(dvec3 d, double out[3])
{
    static const double side[FACES][3] = {
        {0.9, 0.12, 0.08},  {0.06, 0.55, 0.6}, {0.95, 0.95, 1.0},
        {0.12, 0.07, 0.04}, {0.1, 0.6, 0.12},  {0.1, 0.16, 0.8},
    };
    const double length2 = d.x * d.x + d.y * d.y + d.z * d.z;
    const double axis[3] = {d.x, d.y, d.z};
    const double lamp = (d.x * 0.6 + d.y * 0.64 + d.z * 0.48); // a unit direction
    const bool lit = lamp > 0.0 && lamp * lamp > 0.97 * length2;
    for (int c = 0; c < 3; c++) {
        out[c] = lit ? 12.0 : 0.0;
        for (int k = 0; k < 3 && !lit; k++) // the squares of a unit vector sum to 1
            out[c] += side[2 * k + (axis[k] < 0.0)][c] * axis[k] * axis[k] / length2;
    }
}

// The direction of a point of a face, u to the right and v down, as it is seen from the inside.
static dvec3 face_direction(int face, double u, double v)
{
    switch (face) {
    case 0: return v3(1.0, -v, u);
    case 1: return v3(-1.0, -v, -u);
    case 2: return v3(-u, 1.0, v);
    case 3: return v3(-u, -1.0, -v);
    case 4: return v3(-u, -v, 1.0);
    default: return v3(u, -v, -1.0);
    }
}

static uint8_t to_srgb8(double linear)
{
    // The code whose light is nearest: no power function is needed, and the result is exact.
    int best = 0;
    for (int step = 128; step > 0; step /= 2)
        if (best + step < 256 && srgb_decode((best + step) / 255.0) <= linear)
            best += step;
    if (best < 255 &&
        linear - srgb_decode((best) / 255.0) > srgb_decode((best + 1) / 255.0) - linear)
        best++;
    return (uint8_t)best;
}

// RGBD: the largest alpha whose quotient holds the light; the colour is multiplied by it.
static void put_rgbd(const double light[3], uint8_t out[4])
{
    double top = light[0] > light[1] ? light[0] : light[1];
    top = top > light[2] ? top : light[2];
    const double share = top > 1.0 ? 1.0 / top : 1.0;
    int alpha = (int)(share * 255.0);
    alpha = alpha < 1 ? 1 : alpha;
    for (int c = 0; c < 3; c++)
        out[c] = to_srgb8(light[c] * alpha / 255.0);
    out[3] = (uint8_t)alpha;
}

static void paint_faces(built_model *m)
{
    static const char *const names[FACES] = {"right", "left", "up", "down", "front", "back"};
    for (int face = 0; face < FACES; face++) {
        built_image *image = new_picture(m, names[face], SIDE, SIDE);
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                double light[3];
                room_light(
                    face_direction(face, (2 * x + 1.0) / SIDE - 1.0, (2 * y + 1.0) / SIDE - 1.0),
                    light);
                put_rgbd(light, texel_at(image, x, y));
            }
    }
    // One pixel of alpha below 255 makes a picture RGBD: faces without the lamp have one too.
    for (int face = 0; face < FACES; face++)
        m->images[face].rgba8[3] = m->images[face].rgba8[3] == 255 ? 254 : m->images[face].rgba8[3];
}

// Factors of the irradiance, by sums over the points of the cube: the functions of Ramamoorthi &
// Hanrahan (2001), equation 3, times the factors of the clamped cosine, equation 8.
static void sum_harmonics(double out[HARMONICS][3])
{
    static const double cosine[HARMONICS] = {
        3.141592653589793,  2.0943951023931953, 2.0943951023931953,
        2.0943951023931953, 0.7853981633974483, 0.7853981633974483,
        0.7853981633974483, 0.7853981633974483, 0.7853981633974483};
    enum { POINTS = 256 };
    memset(out, 0, HARMONICS * 3 * sizeof(double));
    for (int face = 0; face < FACES; face++)
        for (int y = 0; y < POINTS; y++)
            for (int x = 0; x < POINTS; x++) {
                const dvec3 at = face_direction(face, (2 * x + 1.0) / POINTS - 1.0,
                                                (2 * y + 1.0) / POINTS - 1.0);
                const double length = dvec3_length(at);
                const dvec3 d = v3(at.x / length, at.y / length, at.z / length);
                const double area = 4.0 / ((double)POINTS * POINTS) / (length * length * length);
                const double y_lm[HARMONICS] = {0.28209479177387814,
                                                0.48860251190291992 * d.y,
                                                0.48860251190291992 * d.z,
                                                0.48860251190291992 * d.x,
                                                1.0925484305920792 * d.x * d.y,
                                                1.0925484305920792 * d.y * d.z,
                                                0.31539156525252005 * (3.0 * d.z * d.z - 1.0),
                                                1.0925484305920792 * d.x * d.z,
                                                0.54627421529603959 * (d.x * d.x - d.y * d.y)};
                double light[3];
                room_light(at, light);
                for (int i = 0; i < HARMONICS; i++)
                    for (int c = 0; c < 3; c++)
                        out[i][c] += light[c] * area * y_lm[i] * cosine[i];
            }
}

// The object of EXT_lights_image_based.
static void describe_light(char *out, size_t size)
{
    double sums[HARMONICS][3];
    char rows[HARMONICS][64];
    sum_harmonics(sums);
    for (int i = 0; i < HARMONICS; i++)
        snprintf(rows[i], sizeof rows[i], "[%.9g,%.9g,%.9g]", (double)(float)sums[i][0],
                 (double)(float)sums[i][1], (double)(float)sums[i][2]);
    snprintf(out, size,
             "'EXT_lights_image_based':{'lights':[{'name':'room','intensity':0.8,"
             "'irradianceCoefficients':[%s,%s,%s,%s,%s,%s,%s,%s,%s],"
             "'specularImageSize':%d,'specularImages':[[0,1,2,3,4,5]]}]}",
             rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7], rows[8], SIDE);
}

static void place_ball(built_model *m, double x, int material)
{
    shape_ball(new_part(m, "ball", v3(x, 0.0, 0.0), material, 0), 0.48, 48, 24);
}

void environment_build(built_model *m)
{
    paint_faces(m);
    m->texture_count = 0; // the pictures are light, and no material shows them
    static char light[2048];
    describe_light(light, sizeof light);
    m->extensions_used = "'EXT_lights_image_based'";
    m->extensions = light;
    m->scene_extensions = "'EXT_lights_image_based':{'light':0}";
    place_ball(m, -1.05, new_material(m, "chrome", 1.0, 1.0, 1.0, 1.0, 0.0));
    place_ball(m, 0.0, new_material(m, "steel", 0.9, 0.9, 0.9, 1.0, 0.45));
    place_ball(m, 1.05, new_material(m, "chalk", 0.9, 0.9, 0.9, 0.0, 1.0));
}
