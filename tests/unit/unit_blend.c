// SPDX-License-Identifier: MIT
/// Transparency through the public interface: veils whose colour anyone can work out, to the last
/// pixel and at any number of samples; many layers, and too many.
#include "drawing.h"
#include "test_folder.h"

static zt_error err;

TestSuite(blend, .init = test_folder_make, .fini = test_folder_remove);

enum { WIDTH = 96, HEIGHT = 64 };

/// scenes/generate/blend_models.c, from behind.
static const double veils[5][4] = {{0.0, 0.25, 1.0, 0.75},
                                   {0.0, 1.0, 0.25, 0.25},
                                   {0.5, 0.0, 0.0, 0.5},
                                   {0.25, 1.0, 1.0, 0.5},
                                   {1.0, 0.5, 0.0, 0.125}};

/// Premultiplied colour and alpha of the veils over something opaque, or over nothing.
static void reference(bool backed, double out[4])
{
    static const double back[4] = {1.0, 1.0, 0.5, 1.0};
    for (int c = 0; c < 4; c++)
        out[c] = backed ? back[c] : 0.0;
    for (int i = 0; i < 5; i++)
        for (int c = 0; c < 4; c++)
            out[c] = veils[i][3] * (c < 3 ? veils[i][c] : 1.0) + out[c] * (1.0 - veils[i][3]);
}

static double srgb(double linear)
{
    return 255.0 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055);
}

static zt_scene *veils_scene(const char *background, int samples, const char *instances)
{
    return load_scene_text(
        "output: { size: [%d, %d], samples: %d, background: \"%s\", tone_map: linear }\n"
        "models: [ { name: m, file: %s/scenes/models/veils.glb%s } ]\n"
        "camera: { look_at: { position: [0, 0, 5], target: [0, 0, 0] }, orthographic: 2.4,"
        " near: 1, far: 10 }\n",
        WIDTH, HEIGHT, samples, background, ZT_SOURCE_DIR, instances);
}

static zt_result draw(const zt_scene *scene, int32_t threads, uint64_t memory, uint8_t *rgba8)
{
    OWN_RENDERER *renderer = NULL;
    zt_renderer_def def = zt_default_renderer_def();
    def.threads = threads;
    def.max_memory = memory;
    MUST(zt_renderer_create(&def, &renderer, &err), err);
    const zt_image image = {
        .width = WIDTH, .height = HEIGHT, .stride = (size_t)WIDTH * 4, .rgba8 = rgba8};
    return zt_render(renderer, scene, 0, &image, &err);
}

/// Pixels [left, right) of the rows in the middle are what is expected, and all the same.
static void check(const uint8_t *rgba8, int left, int right, bool backed, bool transparent)
{
    const uint8_t *one = rgba8 + (HEIGHT / 2 * WIDTH + left) * 4;
    double want[4];
    reference(backed, want);
    for (int c = 0; c < 3; c++) {
        double code = srgb(want[c] / want[3]);
        if (!transparent && !backed) { // over the background, which is 0x40 in all channels
            const double grey = pow((64 / 255.0 + 0.055) / 1.055, 2.4);
            code = srgb(want[c] + grey * (1.0 - want[3]));
        }
        cr_assert_lt(fabs(one[c] - code), 0.5 + 1e-2, "channel %d: %d, not %g", c, one[c], code);
    }
    cr_assert_lt(fabs(one[3] - (transparent ? 255.0 * want[3] : 255.0)), 0.5 + 1e-3);
    for (int y = 8; y < HEIGHT - 8; y++)
        for (int x = left; x < right; x++)
            cr_assert(memcmp(rgba8 + (y * WIDTH + x) * 4, one, 4) == 0, "a seam at %d %d", x, y);
}

Test(blend, veils_match_hand_computation)
{
    static uint8_t rgba8[WIDTH * HEIGHT * 4];
    for (int samples = 1; samples <= 16; samples *= 2)
        for (int transparent = 0; transparent < 2; transparent++) {
            OWN_SCENE *scene = veils_scene(transparent ? "transparent" : "#404040", samples, "");
            MUST(draw(scene, 2, 0, rgba8), err);
            check(rgba8, 23, 47, true, transparent);
            check(rgba8, 49, 73, false, transparent);
        }
}

/// square.glb: a square of material `m`, which has these members; ' for ".
static void write_square(const char *material)
{
    static const char square[] =
        "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'TEXCOORD_0':1},'indices':2,"
        "'material':0}]}],'materials':[{'name':'m',%s"
        "}],'accessors':[<0 float VEC3 4,'min':[-1,-1,0],'max':[1,1,0]>,<0+48 float VEC2 4>,"
        "<0+80 u16 SCALAR 6>],'bufferViews':[<92>],'buffers':[{"
        "'byteLength':92,'uri':'data:application/octet-stream;base64,"
        "AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAACAPwAAgD8AAAAAAACAvwAAgD8AAAAAAAAAAAAAAAAAAIA/"
        "AAAAAAAAgD8A"
        "AIA/AAAAAAAAgD8AAAEAAgAAAAIAAwA='}]}";
    PRINTED(json, 2048, square, material);
    test_folder_glb("square.glb", json, NULL, 0);
}

/// A map that a scene puts in place of the model's brings its alpha.
Test(blend, maps_of_the_scene_blend)
{
    static uint8_t rgba8[WIDTH * HEIGHT * 4];
    static const uint8_t alphas[] = {255, 128, 0};
    write_square("'alphaMode':'BLEND','extensions':{'KHR_materials_unlit':{}}");
    for (size_t i = 0; i < sizeof alphas; i++) {
        uint8_t texel[4] = {255, 255, 255, alphas[i]};
        const zt_image one = {.width = 1, .height = 1, .stride = 4, .rgba8 = texel};
        MUST(zt_image_write(test_file("map.png"), &one, NULL, &err), err);
        OWN_SCENE *scene = load_scene_text(
            "output: { size: [%d, %d], background: transparent, tone_map: linear }\n"
            "models: [ { file: %s/square.glb, materials: { m: { base_color_map: %s/map.png } } } "
            "]\n",
            WIDTH, HEIGHT, test_folder, test_folder);
        MUST(draw(scene, 1, 0, rgba8), err);
        cr_assert_eq(rgba8[(HEIGHT / 2 * WIDTH + WIDTH / 2) * 4 + 3], alphas[i]);
    }
}

/// A hundred layers look the same on any threads, and five hundred in pieces that fit in memory.
/// Where a piece does not fit nothing is drawn.
Test(blend, many_layers_and_too_many)
{
    static uint8_t one[WIDTH * HEIGHT * 4], seven[WIDTH * HEIGHT * 4];
    OWN_SCENE *scene = veils_scene("transparent", 4,
                                   ", instances: { grid: { count: [4, 5], step: "
                                   "[0.01, 0.01] } }");
    MUST(draw(scene, 1, 0, one), err);
    MUST(draw(scene, 7, 0, seven), err);
    cr_assert(memcmp(one, seven, sizeof one) == 0);
    cr_assert_eq(one[(HEIGHT / 2 * WIDTH + WIDTH / 2) * 4 + 3], 255);
    zt_scene_destroy(scene);
    scene = veils_scene("transparent", 1,
                        ", instances: { grid: { count: [10, 10], step: [0.0001, "
                        "0.0001] } }");
    MUST(draw(scene, 1, 0, one), err);
    MUST(draw(scene, 2, 200 << 20, seven), err);
    cr_assert(memcmp(one, seven, sizeof one) == 0);
    cr_assert_eq(draw(scene, 2, 24 << 20, seven), ZT_ERR_LIMIT);
    cr_assert(strstr(err.message, "does not fit in memory"), "%s", err.message);
}

/// The square, turned by a little, before nothing; pixels whose `channel` is neither low nor high.
static int count_half_tones(const char *material, const char *map, const char *output, int channel)
{
    static uint8_t rgba8[WIDTH * HEIGHT * 4];
    int count = 0;
    write_square(material);
    OWN_SCENE *scene = load_scene_text(
        "light: none\n"
        "output: { size: [%d, %d], samples: 8, %s }\n"
        "models: [ { file: %s/square.glb, transform: { rotate: [0, 0, 20] }%s } ]\n",
        WIDTH, HEIGHT, output, test_folder, map);
    MUST(draw(scene, 1, 0, rgba8), err);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        count += rgba8[4 * i + channel] > 16 && rgba8[4 * i + channel] < 216;
    return count;
}

/// Edges of what shines 64 times as bright as white are as smooth as those of white.
Test(blend, bright_edges_have_half_tones)
{
    static const char strong[] =
        "'emissiveFactor':[1,1,1],'extensions':{'KHR_materials_emissive_strength':"
        "{'emissiveStrength':64}}";
    static const char output[] = "background: \"#000000\", tone_map: linear";
    const int white = count_half_tones("'emissiveFactor':[1,1,1]", "", output, 0);
    const int bright = count_half_tones(strong, "", output, 0);
    cr_expect(white > 80 && bright == white, "%d, and %d of 64", white, bright);
}

/// The far plane cuts off opaque and blended surfaces, and nothing that is nearer.
Test(blend, far_planes_cut_off)
{
    static uint8_t rgba8[WIDTH * HEIGHT * 4];
    static const char *const materials[] = {"'alphaMode':'OPAQUE'", "'alphaMode':'BLEND'"};
    for (int i = 0; i < 16; i++) {
        const bool orthographic = i & 1, far = i >> 2 & 1, occluded = i >> 3;
        write_square(materials[i >> 1 & 1]);
        OWN_SCENE *scene = load_scene_text(
            "output: { size: [%d, %d], background: transparent }\n"
            "ambient_occlusion: %s\n"
            "camera: { look_at: { position: [0, 0, 3], target: [0, 0, 0] }, %s far: %g }\n"
            "models: [ { file: %s/square.glb } ]\n",
            WIDTH, HEIGHT, occluded ? "auto" : "none", orthographic ? "orthographic: 2.5," : "",
            far ? 2.99 : 3.01, test_folder);
        MUST(draw(scene, 1, 0, rgba8), err);
        cr_expect_eq(rgba8[(HEIGHT / 2 * WIDTH + WIDTH / 2) * 4 + 3], far ? 0 : 255, "%d", i);
    }
}

/// Masks cut glass out sample by sample, as they do plain materials.
Test(blend, masks_of_glass_have_half_tones)
{
    uint8_t texels[64 * 4];
    for (int i = 0; i < 64; i++)
        memcpy(texels + 4 * i, (uint8_t[]){255, 255, 255, (i / 8 + i) % 2 ? 255 : 0}, 4);
    const zt_image checks = {.width = 8, .height = 8, .stride = 32, .rgba8 = texels};
    MUST(zt_image_write(test_file("map.png"), &checks, NULL, &err), err);
    PRINTED(map, 600, ", materials: { m: { base_color_map: %s/map.png } }", test_folder);
    const char *output = "background: transparent";
    const int plain = count_half_tones("'alphaMode':'MASK'", map, output, 3);
    const int glass = count_half_tones("'alphaMode':'MASK','extensions':"
                                       "{'KHR_materials_transmission':{'transmissionFactor':0.01}}",
                                       map, output, 3);
    cr_expect(plain > 400 && abs(glass - plain) < plain / 20, "%d, and %d of glass", plain, glass);
}

enum { TEXELS = 512 };

/// map.png: vertical stripes, opaque over `opaque` of ten texels; 0: alpha rises from left to
/// right.
static void write_stripes(int opaque)
{
    static uint8_t texels[TEXELS * TEXELS * 4];
    for (int i = 0; i < TEXELS * TEXELS; i++) {
        texels[4 * i + 1] = 160;
        texels[4 * i + 3] = opaque == 0                ? (uint8_t)(i % TEXELS / 2)
                            : i % TEXELS % 10 < opaque ? 255
                                                       : 0;
    }
    const zt_image image = {
        .width = TEXELS, .height = TEXELS, .stride = (size_t)TEXELS * 4, .rgba8 = texels};
    MUST(zt_image_write(test_file("map.png"), &image, NULL, &err), err);
}

/// The mean alpha of the square, which fills the picture; in `out_partial` the share of pixels that
/// are neither empty nor full.
static double square_alpha(int side, double *out_partial)
{
    OWN_SCENE *scene = load_scene_text(
        "preset: flat\n"
        "output: { size: [%d, %d], background: transparent, samples: 4 }\n"
        "models: [ { file: %s/square.glb } ]\n"
        "camera: { look_at: { position: [0, 0, 5], target: [0, 0, 0] }, orthographic: 1.9 }\n",
        side, side, test_folder);
    OWN_IMAGE image = draw_frame(NULL, scene, 0);
    double sum = 0.0, partial = 0.0;
    for (int i = 0; i < side * side; i++) {
        sum += image.rgba8[4 * i + 3] / 255.0 / (side * side);
        partial += (image.rgba8[4 * i + 3] + 1) % 256 > 1 ? 1.0 / (side * side) : 0.0;
    }
    if (out_partial)
        *out_partial = partial;
    return sum;
}

/// Masks have their share of holes however small they are drawn.
Test(blend, masks_keep_their_holes)
{
    write_square("'alphaMode':'MASK','pbrMetallicRoughness':{'baseColorTexture':{'index':0}}}],"
                 "'textures':[{'source':0}],'images':[{'uri':'map.png'}],'extras':[{'a':0");
    for (int opaque = 3; opaque <= 7; opaque += 4) {
        write_stripes(opaque);
        for (int side = 32; side <= 256; side *= 2)
            NEAR(square_alpha(side, NULL), opaque / 10.0, 0.02, "%d of 10 at %d", opaque, side);
    }
    write_stripes(0); // an edge stays an edge, though alpha is soft everywhere
    for (int side = 32; side <= 256; side *= 2) {
        double partial;
        cr_expect_float_eq(square_alpha(side, &partial), 0.5, 0.02);
        cr_expect_lt(partial, 6.0 / side, "at %d: %g", side, partial);
    }
}
