// SPDX-License-Identifier: MIT
/// A coated floor mirrors a window under flat angles as the integral of its GGX lobe has it.
#include "drawing.h"
#include "test_folder.h"

static zt_error err;

enum { SIZE = 64, SKY = 512 };

static const double degree = 0.017453292519943295;

/// A black floor, 1 km wide, with a coat. The triangles are a square; the indices are at 48.
static const char model_text[] =
    "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],"
    "'extensionsUsed':['KHR_materials_clearcoat','KHR_materials_specular'],"
    "'nodes':[{'mesh':0,'scale':[500,500,500],'rotation':[-0.70710678,0,0,0.70710678]}],"
    "'materials':[{'pbrMetallicRoughness':{'baseColorFactor':[0,0,0,1],'metallicFactor':0},"
    "'extensions':{'KHR_materials_specular':{'specularFactor':0},"
    "'KHR_materials_clearcoat':{'clearcoatFactor':1,'clearcoatRoughnessFactor':%g}}}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1,'material':0}]}],"
    "'accessors':[<0 float VEC3 4,'min':[-1,-1,0],'max':[1,1,0]>,<1 u16 SCALAR 6>],"
    "'bufferViews':[<48>,<48+12>],"
    "'buffers':[{'byteLength':60,'uri':'data:application/octet-stream;base64,"
    "AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAACAPwAAgD8AAAAAAACAvwAAgD8AAAAAAAABAAIAAAACAAMA'}]}";

/// The window: degrees of azimuth to either side of -z, and of elevation.
static const double aside = 8, lowest = 12, highest = 30;

static void write_files(double roughness)
{
    PRINTED(text, sizeof model_text + 32, model_text, roughness);
    test_folder_glb("floor.glb", text, NULL, 0);
    FILE *f = fopen(test_file("sky.hdr"), "w");
    cr_assert(f);
    fprintf(f, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", SKY / 2, SKY);
    for (int y = 0; y < SKY / 2; y++)
        for (int x = 0; x < SKY; x++) {
            const double azimuth = (x + 0.5) / SKY * 360 - 90, height = 90 - (y + 0.5) / SKY * 360;
            const bool lit = fabs(azimuth) < aside && height > lowest && height < highest;
            const unsigned char rgbe[4] = {128, 128, 128, lit ? 132 : 0}; // 8
            cr_assert_eq(fwrite(rgbe, 1, 4, f), 4);
        }
    cr_assert_eq(fclose(f), 0);
}

/// A coat of index 1.5 reflects so much towards `v`, y up; v and the window's directions are unit.
static double reflected(const double v[3], double roughness)
{
    const double a2 = pow(roughness, 4), cell = 0.25 * degree;
    double sum = 0;
    for (double height = lowest * degree + cell / 2; height < highest * degree; height += cell)
        for (double azimuth = -aside * degree + cell / 2; azimuth < aside * degree;
             azimuth += cell) {
            const double l[3] = {sin(azimuth) * cos(height), sin(height),
                                 -cos(azimuth) * cos(height)};
            double h[3] = {l[0] + v[0], l[1] + v[1], l[2] + v[2]};
            const double length = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
            const double nh = h[1] / length, nl = l[1], nv = v[1];
            const double vh = (h[0] * v[0] + h[1] * v[1] + h[2] * v[2]) / length;
            const double d = a2 / (3.141592653589793 * pow(nh * nh * (a2 - 1) + 1, 2));
            const double g =
                0.5 / (nl * sqrt(nv * nv * (1 - a2) + a2) + nv * sqrt(nl * nl * (1 - a2) + a2));
            sum += 8 * d * g * (0.04 + 0.96 * pow(1 - vh, 5)) * nl * cos(height) * cell * cell;
        }
    return sum;
}

/// Pictures of a camera 1 m above the floor that looks 18 degrees down. Returns the root of the
/// mean squared error of the rows below the horizon, in shares of the brightest point.
static double error_of(double roughness)
{
    static float color[SIZE * SIZE * 4];
    write_files(roughness);
    OWN_SCENE *scene = load_scene_text("preset: flat\nlights: []\n"
                                       "output: { size: [64, 64], background: '#000000' }\n"
                                       "models: [ { file: %s/floor.glb } ]\n"
                                       "environment: { image: %s/sky.hdr }\n"
                                       "camera: { look_at: { position: [0, 1, 0], "
                                       "target: [0, 0.675080, -1] }, fov: 24, near: 0.01 }\n",
                                       test_folder, test_folder);
    OWN_RENDERER *renderer = make_renderer(2, ZT_ISA_BEST);
    MUST(draw_planes(renderer, scene, 0, color, NULL, &err), err);
    double squares = 0, brightest = 0;
    int count = 0;
    for (int y = 1; y < SIZE; y += 3)
        for (int x = 1; x < SIZE; x += 3) {
            const double t = tan(12 * degree) * 2 / SIZE, s = sin(18 * degree),
                         c = cos(18 * degree);
            const double right = (x + 0.5 - SIZE / 2) * t, up = (SIZE / 2 - y - 0.5) * t;
            const double length = sqrt(1 + right * right + up * up);
            const double v[3] = {-right / length, (s - up * c) / length, (c + up * s) / length};
            const double exact = reflected(v, roughness), drawn = (double)color[(y * SIZE + x) * 4];
            brightest = fmax(brightest, exact);
            squares += (drawn - exact) * (drawn - exact);
            count++;
        }
    return sqrt(squares / count) / brightest;
}

TestSuite(grazing, .init = test_folder_make, .fini = test_folder_remove);

/// One lookup in a mean direction has errors of 0.21, 0.28, 0.35 and 0.39.
Test(grazing, a_coat_mirrors_a_window)
{
    static const double most[] = {0.18, 0.06, 0.1, 0.2};
    for (int i = 0; i < 4; i++) {
        const double error = error_of(0.3 + 0.1 * i);
        cr_expect_lt(error, most[i], "roughness %g: %g", 0.3 + 0.1 * i, error);
    }
}

/// Black gloss under flat angles on a page, as a share of its white: at the left border of a ball
/// a wall is mirrored, on floors the dim room is.
Test(grazing, a_round_rim_in_the_studio_is_light)
{
    static const char box[] = "shape: { kind: box, size: [1e3, 1e-3, 1e3] }, "
                              "materials: { box: { base_color: black, roughness: 0.1 } }";
    static const char ball[] = "shape: { kind: sphere, radius: 2 }, "
                               "materials: { sphere: { base_color: black, roughness: 0.1 } }";
    static float color[SIZE * SIZE * 4];
    PRINTED(coat, 640, "file: %s/floor.glb", test_folder);
    const char *const models[] = {ball, coat, box};
    write_files(0.1);
    for (int i = 0; i < 3; i++) {
        OWN_SCENE *scene = load_scene_text(
            "output: { size: [64, 64], background: transparent }\n"
            "ground: none\nambient_occlusion: none\nmodels: [ { %s } ]\n"
            "camera: { orbit: { target: [-2, 0, 0], distance: 10, elevation: 6 }, fov: 12 }\n",
            models[i]);
        OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_BEST);
        MUST(draw_planes(renderer, scene, 0, color, NULL, &err), err);
        const float *at = color + (SIZE / 2 * SIZE + (i ? SIZE / 2 : 0)) * 4;
        while (i == 0 && at[3] < 1.0f)
            at += 4;
        cr_expect_eq(at[0] > 0.3f, i == 0, "%d: %g", i, (double)at[0]);
    }
}
