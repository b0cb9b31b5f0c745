// SPDX-License-Identifier: MIT
/// craft_memory SIZE: writes files that are small and ask for much memory into the current folder.
/// SIZE is the side of their pictures; other counts follow from it.
#include <zoetrope/zoetrope.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *create(const char *name)
{
    FILE *file = fopen(name, "w");
    if (!file)
        exit(1);
    return file;
}

static const char triangle[] =
    "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],";

static FILE *create_gltf(const char *name)
{
    FILE *f = create(name);
    fprintf(f, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],%s",
            triangle);
    return f;
}

/// A picture of one colour: about a thousandth of its pixels. Two of them are compared, too.
static void pictures(int32_t side)
{
    zt_image image;
    if (zt_image_init(&image, side, side, NULL, NULL) != ZT_OK)
        exit(1);
    if (zt_image_write("black.png", &image, NULL, NULL) != ZT_OK)
        exit(1);
    image.rgba8[3] = 255;
    if (zt_image_write("spot.png", &image, NULL, NULL) != ZT_OK)
        exit(1);
    zt_image_finish(&image);
}

/// Materials with `count` pictures each of its own, in all maps.
static void textures(const char *name, int count, const char *uri)
{
    FILE *f = create_gltf(name);
    fprintf(f, "\"nodes\":[{\"mesh\":0}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
               "\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]},"
               "{\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"}],"
               "\"meshes\":[{\"primitives\":[");
    for (int i = 0; i < count; i++)
        fprintf(f, "%s{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},\"material\":%d}",
                i ? "," : "", i);
    fprintf(f, "]}],\"materials\":[");
    for (int i = 0; i < count; i++)
        fprintf(f,
                "%s{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":%d}},"
                "\"emissiveTexture\":{\"index\":%d},\"normalTexture\":{\"index\":%d}}",
                i ? "," : "", i, i, i);
    fprintf(f, "],\"textures\":[");
    for (int i = 0; i < count; i++)
        fprintf(f, "%s{\"source\":%d}", i ? "," : "", i);
    fprintf(f, "],\"images\":[");
    for (int i = 0; i < count; i++)
        fprintf(f, "%s{\"uri\":\"%s\"}", i ? "," : "", uri);
    fprintf(f, "]}");
    fclose(f);
}

/// An accessor without a buffer view is zeros: any count in a few bytes.
static void zeros(const char *name, int64_t count, int mode)
{
    FILE *f = create_gltf(name);
    fprintf(f,
            "\"nodes\":[{\"mesh\":0}],\"accessors\":[{\"componentType\":5126,\"count\":%lld,"
            "\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[0,0,0]}],\"meshes\":[{\"primitives\":"
            "[{\"attributes\":{\"POSITION\":0},\"mode\":%d}]}]}",
            (long long)count, mode);
    fclose(f);
}

/// A million and a quarter of points, of few vertices; 10 million triangles if each were a solid.
static void cloud(const char *name)
{
    FILE *f = create_gltf(name);
    fprintf(f, "\"nodes\":[{\"mesh\":0}],\"accessors\":[{\"componentType\":5126,\"count\":256,"
               "\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[0,0,0]},{\"componentType\":5121,"
               "\"count\":1250000,\"type\":\"SCALAR\"}],\"meshes\":[{\"primitives\":"
               "[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":0}]}]}");
    fclose(f);
}

/// Text around so many times another.
static void repeated(FILE *f, const char *head, int64_t count, const char *item, const char *tail)
{
    fputs(head, f);
    for (int64_t i = 0; i < count; i++)
        fputs(item, f);
    fputs(tail, f);
    fclose(f);
}

static void nodes(const char *name, int64_t count)
{
    FILE *f = create_gltf(name);
    fprintf(f, "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":"
               "\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]}],\"meshes\":[{\"primitives\":"
               "[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"children\":[1");
    for (int64_t i = 2; i < count; i++)
        fprintf(f, ",%lld", (long long)i);
    fprintf(f, "]}");
    for (int64_t i = 1; i < count; i++)
        fprintf(f, ",{\"mesh\":0}");
    fprintf(f, "]}");
    fclose(f);
}

/// Rows of one run for each component.
static void light(const char *name, int32_t side)
{
    FILE *f = create(name);
    fprintf(f, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", side / 2, side);
    for (int32_t y = 0; y < side / 2; y++) {
        fputc(2, f);
        fputc(2, f);
        fputc(side >> 8, f);
        fputc(side & 255, f);
        for (int c = 0; c < 4; c++)
            for (int32_t x = 0; x < side; x += 127) {
                fputc(128 + (side - x < 127 ? side - x : 127), f);
                fputc(128, f);
            }
    }
    fclose(f);
}

static void put(FILE *f, int byte, int count)
{
    for (int i = 0; i < count; i++)
        fputc(byte, f);
}

static void number(FILE *f, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        fputc((int)(value >> 8 * i & 255), f);
}

/// A JPEG of 4096 x 4096 grey pixels, arithmetic, a scan each: decoders hold all coefficients.
static void scans(const char *name)
{
    static const unsigned char tables[] = {0xff, 0xd8, 0xff, 0xdb, 0, 67, 0};
    static const unsigned char frame[] = {0xff, 0xc9, 0, 17, 8,    16, 0, 16,   0, 3,
                                          1,    0x11, 0, 2,  0x11, 0,  3, 0x11, 0};
    FILE *f = create(name);
    fwrite(tables, 1, sizeof tables, f);
    put(f, 1, 64);
    fwrite(frame, 1, sizeof frame, f);
    for (unsigned char c = 1; c <= 3; c++) {
        const unsigned char scan[] = {0xff, 0xda, 0, 8, 1, c, 0, 0, 63, 0};
        fwrite(scan, 1, sizeof scan, f);
        put(f, 0, 1000);
    }
    fwrite("\xff\xd9", 1, 2, f);
    fclose(f);
}

/// An OpenEXR of one pixel with one more attribute, whose value is zeros.
static void attribute(const char *name, const char *type, uint32_t size)
{
    static const char rest[] = "channels\0chlist\0\x25\0\0\0"
                               "Y\0\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0"
                               "Z\0\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\0"
                               "compression\0compression\0\1\0\0\0\0"
                               "dataWindow\0box2i\0\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                               "displayWindow\0box2i\0\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                               "lineOrder\0lineOrder\0\1\0\0\0\0"
                               "pixelAspectRatio\0float\0\4\0\0\0\0\0\x80\x3f"
                               "screenWindowCenter\0v2f\0\x08\0\0\0\0\0\0\0\0\0\0"
                               "screenWindowWidth\0float\0\4\0\0\0\0\0\x80\x3f\0";
    FILE *f = create(name);
    fwrite("\x76\x2f\x31\1\2\0\0\0a", 1, 10, f);
    fwrite(type, 1, strlen(type) + 1, f);
    number(f, size);
    put(f, 0, (int)size);
    fwrite(rest, 1, sizeof rest - 1, f);
    number(f, (uint32_t)ftell(f) + 8); // where the chunk is: a line of two halves
    number(f, 0);
    number(f, 0);
    number(f, 4);
    number(f, 0x3c003c00);
    fclose(f);
}

int main(int argc, char **argv)
{
    static const char dot[] = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCA"
                              "AAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";
    const int32_t side = argc > 1 ? atoi(argv[1]) : 2048;
    if (side < 16 || side > 16384)
        return 1;
    pictures(side);
    textures("large.gltf", 4, "black.png");
    textures("many.gltf", side, dot);
    zeros("points.gltf", (int64_t)side * 128, 0);
    zeros("lines.gltf", (int64_t)side * 128, 1);
    cloud("cloud.gltf");
    zeros("triangles.gltf", (int64_t)side * 384, 4);
    repeated(create_gltf("lists.gltf"), "\"nodes\":[{}],\"extras\":[[]", (int64_t)side * 512 - 1,
             ",[]", "]}");
    repeated(create_gltf("text.gltf"), "\"nodes\":[{}],\"extras\":{\"a\":\"", (int64_t)side * 512,
             "\\u0001", "\"}}");
    nodes("nodes.gltf", (int64_t)side * 8);
    light("light.hdr", side);
    attribute("text.exr", "string", 16000000);
    attribute("strings.exr", "stringvector", 4000000);
    scans("scans.jpg");
    textures("scans.gltf", 1, "scans.jpg");
    repeated(create("crowd.yaml"),
             "format: 1\nmodels:\n  - file: nodes.gltf\n    name: a\n    instances:\n", 64,
             "      - {}\n", "");
    return 0;
}
