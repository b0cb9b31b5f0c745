// SPDX-License-Identifier: MIT
/// Which image a texture of a glTF file shows: its own, or that of an extension.
#include "gltf_fixture.h"
#include "test_memory.h"
#include "texture/texture_file.h"

#include <webp/encode.h>

/// A picture of 5x3 pixels.
static uint8_t *webp;
static size_t webp_size;

static void begin(void)
{
    uint8_t pixels[5 * 3 * 3];
    memset(pixels, 77, sizeof pixels);
    webp_size = WebPEncodeLosslessRGB(pixels, 5, 3, 15, &webp);
}

static void end(void) { WebPFree(webp); }

TestSuite(gltf_images, .init = begin, .fini = end);

/// Loads a file of two images in its binary chunk, "own" and "other", and this texture.
static void load(gltf_case *c, const char *texture, const void *image, size_t size)
{
    PRINTED(json, 2048,
            "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_texture_basisu','EXT_texture_webp',"
            "'MSFT_texture_dds'],"
            "'buffers':[{'byteLength':%zu}],'bufferViews':[<%zu>],"
            "'images':[{'name':'own'," TWO_PIXELS "},{'name':'other','bufferView':0}],"
            "'textures':[{%s}],'meshes':[{'primitives':[{'attributes':{},'material':0}]}],"
            "'materials':[{'emissiveTexture':{'index':0}}]}",
            size, size, texture);
    gltf_case_json(c, json, image, size);
}

static void expect_shown(const char *texture, const void *image, size_t size, const char *name,
                         int32_t width)
{
    GLTF_CASE c = {.strict = true};
    load(&c, texture, image, size);
    cr_assert(c.result == ZT_OK, "%s: %s", texture, c.err.message);
    cr_assert(c.model.texture_count == 1, "%s: %s", texture, c.messages);
    cr_expect_str_eq(c.model.textures[0].name, name);
    cr_expect_eq(c.model.textures[0].mipmap.level[0].width, width);
}

static void expect_refused(const char *texture, const void *image, size_t size, const char *text)
{
    GLTF_CASE c = {.strict = false};
    load(&c, texture, image, size);
    cr_expect(c.result == ZT_ERR_FORMAT && strstr(c.err.message, text), "%s: %s", texture,
              c.err.message);
}

Test(gltf_images, an_extension_comes_before_the_own_source)
{
    expect_shown("'source':0", webp, webp_size, "own", 2);
    expect_shown("'extensions':{'EXT_texture_webp':{'source':1}}", webp, webp_size, "other", 5);
    expect_shown("'source':0,'extensions':{'EXT_texture_webp':{'source':1}}", webp, webp_size,
                 "other", 5);
    expect_shown("'source':0,'extensions':{'EXT_texture_webp':{}}", webp, webp_size, "own", 2);
}

/// Every extension takes every format, and basisu comes first: the model is what its author meant.
Test(gltf_images, basisu_and_dds)
{
    static const struct {
        const char *file, *extension;
        int32_t width;
    } cases[] = {
        {"ktx2/uastc_zstd.ktx2", "KHR_texture_basisu", 33},
        {"dds/dxt5.dds", "MSFT_texture_dds", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWN_MEMORY(a, 0);
        file_bytes bytes;
        picture whole;
        char path[512], texture[256];
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", ZT_SOURCE_DIR, cases[i].file);
        cr_assert_eq(file_read(&a, path, &bytes, NULL), ZT_OK);
        cr_assert_eq(picture_decode(&a, path, bytes, (picture_need){0}, &whole, NULL), ZT_OK);
        cr_expect(cases[i].width == 0 || whole.width == cases[i].width);
        snprintf(texture, sizeof texture,
                 "'source':0,'extensions':{'EXT_texture_webp':{},'%s':{'source':1}}",
                 cases[i].extension);
        expect_shown(texture, bytes.data, bytes.size, "other", whole.width);
        snprintf(texture, sizeof texture, "'extensions':{'%s':{'source':7}}", cases[i].extension);
        expect_refused(texture, bytes.data, bytes.size, "/source: there is no image 7");
    }
}

Test(gltf_images, references_of_extensions_are_checked)
{
    expect_refused("'extensions':{'EXT_texture_webp':{'source':2}}", webp, webp_size,
                   "/textures/0/extensions/EXT_texture_webp/source: there is no image 2");
    expect_refused("'extensions':{'EXT_texture_webp':{'source':'1'}}", webp, webp_size,
                   "/textures/0/extensions/EXT_texture_webp/source");
    expect_refused("'extensions':{'EXT_texture_webp':[]}", webp, webp_size,
                   "/textures/0/extensions/EXT_texture_webp");
}

/// A broken image takes its map with it, with a warning that says what is wrong and where.
Test(gltf_images, a_broken_image_is_left_out)
{
    GLTF_CASE c = {.strict = false};
    load(&c, "'extensions':{'EXT_texture_webp':{'source':1}}", webp, webp_size - 2);
    cr_assert(c.result == ZT_OK, "%s", c.err.message);
    cr_expect_eq(c.model.texture_count, 0);
    cr_expect(strstr(c.messages, "other") && strstr(c.messages, "broken WebP: the data ends early"),
              "%s", c.messages);
}

/// With an image of its own the texture shows that one instead; the warning stays.
Test(gltf_images, a_broken_image_of_an_extension_falls_back)
{
    GLTF_CASE c = {.strict = false};
    load(&c, "'source':0,'extensions':{'EXT_texture_webp':{'source':1}}", webp, webp_size - 2);
    cr_assert(c.result == ZT_OK, "%s", c.err.message);
    cr_assert_eq(c.model.texture_count, 1);
    cr_expect_str_eq(c.model.textures[0].name, "own");
    cr_expect(c.model.materials[0].emissive_map.texture == 0);
    cr_expect(strstr(c.messages, "other") && strstr(c.messages, "the image is left out"), "%s",
              c.messages);
}

Test(gltf_images, unsupported_images_fall_back)
{
    GLTF_CASE c = {.strict = false};
    load(&c, "'source':0,'extensions':{'EXT_texture_avif':{'source':1}}", "", 1);
    cr_assert(c.result == ZT_OK && c.model.texture_count == 1, "%s", c.err.message);
    cr_expect_str_eq(c.model.textures[0].name, "own");
    cr_expect(strstr(c.messages, "the fallback is shown"), "%s", c.messages);
    load(&c, "'extensions':{'EXT_texture_avif':{'source':1}}", "", 1);
    cr_assert(c.result == ZT_OK && c.model.texture_count == 0);
    cr_expect(strstr(c.messages, "it is left out"), "%s", c.messages);
}

/// Maps of layers are decoded. One that another map shows in the same way is decoded for both.
Test(gltf_images, images_of_layers_are_decoded)
{
    static const struct {
        const char *material;
        uint32_t textures;
        int32_t coat_levels; ///< of the coat's map
    } cases[] = {
        {"'extensions':{'KHR_materials_clearcoat':{'clearcoatTexture':{'index':0}}}", 1, 2},
        {"'occlusionTexture':{'index':0},'extensions':{'KHR_materials_clearcoat':"
         "{'clearcoatTexture':{'index':1}}}",
         2, 2},
        {"'occlusionTexture':{'index':2},'extensions':{'KHR_materials_clearcoat':"
         "{'clearcoatTexture':{'index':3}}}",
         2, 2},
        {"'extensions':{'KHR_materials_clearcoat':{'clearcoatTexture':{'index':0}}},"
         "'emissiveTexture':{'index':0}",
         2, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GLTF_PRINT(c, .strict = true, NULL, 0,
                   ASSET
                   "'buffers':[{'byteLength':72," TWO_PIXELS "}],"
                   "'bufferViews':[<72>],'images':[{" TWO_PIXELS "},{" TWO_PIXELS "},"
                   "{'bufferView':0},{'bufferView':0}],'textures':[{'source':0},{'source':1},{'"
                   "source':2},{'source':3}],"
                   "'materials':[{%s}],'meshes':[{'primitives':[{'attributes':{},'material':0}]}]}",
                   cases[i].material);
        cr_assert_eq(c.model.texture_count, cases[i].textures, "%s", cases[i].material);
        const int32_t coat = c.model.materials[0].extensions.map[MODEL_CLEARCOAT_MAP].texture;
        cr_assert_geq(coat, 0);
        const model_texture *t = &c.model.textures[coat];
        cr_assert_eq(t->mipmap.level_count, cases[i].coat_levels, "%s", cases[i].material);
        cr_assert_eq(t->mipmap.level[0].width, 2);
        cr_assert_eq(t->mipmap.level[0].height, 1);
        cr_assert_eq(strcmp(t->format, "PNG"), 0);
    }
}

/// Once for the same bytes.
Test(gltf_images, images_of_layers_that_cannot_be_read_are_reported)
{
    GLTF_TEXT(c, .strict = false,
              "{'asset':{'version':'2.0'},'images':[{'uri':'data:;base64,iVBORw0KGgo='},"
              "{'uri':'data:;base64,iVBORw0KGgo='}],'textures':[{'source':0},{'source':1}],"
              "'materials':[{'occlusionTexture':{'index':1},'extensions':"
              "{'KHR_materials_clearcoat':{'clearcoatTexture':{'index':0}}}}],"
              "'meshes':[{'primitives':[{'attributes':{},'material':0}]}]}");
    cr_assert_eq(c.model.texture_count, 0u);
    cr_assert(strstr(c.messages, "/images/0: the image is left out") != NULL, "%s", c.messages);
    cr_assert(strstr(c.messages, "/images/1") == NULL, "%s", c.messages);
}
