// SPDX-License-Identifier: MIT
/// Small DirectX .x files: as text, as tokens of binary files, and packed.
#include "base/bytes.h"
#include "model_reader.h"
#include "pose/pose.h"
#include "xfile/xfile.h"

#include <libdeflate.h>

READER_SUITE(xfile, "a.x");

#define HEAD "xof 0303txt 0032\n"
#define FACE "Mesh face { 3; 0;0;1;, 1;0;1;, 0;1;1;; 1; 3;0,1,2;; "

/// z is negated, and the front, clockwise in the file, is counter-clockwise.
Test(xfile, spaces_are_mirrored)
{
    must_read(HEAD "template Mesh { <3D82AB44-62DA-11cf-AB39-0020AF71E433> [...] }\n"
                   "// a comment\n" FACE "}\n");
    const model_mesh *mesh = &reader.model.meshes[0];
    cr_assert(reader.model.triangle_count == 1 && mesh->vertex_count == 3);
    dvec3 p[3];
    for (int k = 0; k < 3; k++)
        p[k] =
            dvec3_from_floats(&mesh->position[mesh->meshlet_vertex[mesh->meshlet_corner[k][0]]].x);
    cr_assert(p[0].z == -1.0 && p[1].z == -1.0 && p[2].z == -1.0);
    cr_assert_lt(dvec3_cross(dvec3_sub(p[1], p[0]), dvec3_sub(p[2], p[0])).z, 0.0);
    cr_assert_lt(mesh->attributes[0].nz, 0.0f);
    cr_assert_str_eq(mesh->name, "face");
    reader.up = UP_Z; // of the file: -z here
    must_read(HEAD FACE "}\n");
    affine world[2];
    model_place_nodes(&reader.model, NULL, world);
    cr_expect(affine_point(&world[1], (dvec3){0.0, 0.0, -1.0}).y > 0.99);
}

Test(xfile, values_of_vertices)
{
    must_read(
        HEAD "Material red { 1;0;0;0.5;; 2;0;0;0;; 0;0;1;; TextureFilename { \"\"; } }\n" FACE
             "MeshNormals { 2; 0;0;-1;, 0;2;0;; 1; 3;0,1,0;; }\n"
             "MeshTextureCoords { 3; 0;0;, 1;0.25;, 0;1;; }\n"
             "MeshVertexColors { 1; 1; 0;1;0;1;; }\n"
             "MeshMaterialList { 2; 1; 1; Material { 0;0;1;1;; 0; 0;0;0;; 0;0;0;; } { red } } }\n");
    const zt_model *m = &reader.model;
    const model_mesh *mesh = &m->meshes[0];
    int seen = 0;
    for (uint32_t v = 0; v < 3; v++) {
        const vertex_attributes *a = &mesh->attributes[v];
        if (a->v != 0.25f)
            continue;
        cr_assert(a->u == 1.0f && a->ny == 1.0f, "unit length");
        cr_assert(mesh->extra[v].r == 0.0f && mesh->extra[v].g == 1.0f);
        seen++;
    }
    cr_assert_eq(seen, 1);
    cr_assert_eq(m->material_count, 3, "two, and a plain one");
    const model_material *red = &m->materials[mesh->meshlets[0].material];
    cr_assert_str_eq(red->name, "red");
    cr_assert_float_eq(red->roughness, powf(2.0f / (2.0f + 2.0f), 0.25f), 1e-6f);
    cr_assert(red->base_color[0] == 1.0f && red->base_color[3] == 0.5f &&
              red->alpha == MODEL_BLEND && red->emissive_factor[2] == 1.0f && red->vertex_color);
}

/// A normal, words that are not shown and coordinates, where a declaration or bits say; of several
/// sets the first is read, if all have two numbers. Without a normal it is the side's.
Test(xfile, packed_vertices)
{
    static const struct {
        const char *layout;
        int words, uv;
        bool normal;
    } rows[] = {{"DeclData { 3; 2;0;3;0;, 4;0;10;0;, 1;0;5;0;; 18", 6, 4, true},
                {"FVFData { 272; 15", 5, 3, true},
                {"FVFData { 496; 24", 8, 6, true},
                {"FVFData { 288; 9", 3, 1, false},
                {"FVFData { 576; 15", 5, 1, false},
                {"FVFData { 65808; 15", 5, -9, true},
                {"FVFData { 16; 9", 3, -9, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        int size = snprintf(text, sizeof text, HEAD FACE "%s; ", rows[i].layout);
        for (int k = 0; k < 3 * rows[i].words; k++) {
            const int at = k % rows[i].words, vertex = k / rows[i].words;
            const bool one = at == rows[i].uv + vertex - 1 && vertex > 0;
            size += snprintf(text + size, sizeof text - (size_t)size, "%u,",
                             rows[i].normal && at == 2 ? 3212836864u
                             : one                     ? 1065353216u
                                                       : 0u);
        }
        snprintf(text + size - 1, sizeof text - (size_t)size, "; } }\n");
        must_read(text);
        for (uint32_t k = 0; k < 3; k++) {
            const vertex_attributes *a = &mesh()->attributes[k];
            const vertex_position *p = &mesh()->position[k];
            cr_expect_eq(a->nz, rows[i].normal ? 1.0f : -1.0f, "row %zu", i);
            cr_expect_eq(a->u, rows[i].uv < 0 ? 0.0f : p->x, "row %zu", i);
            cr_expect_eq(a->v, rows[i].uv < 0 ? 0.0f : p->y, "row %zu", i);
        }
    }
}

#define ARM                                                                                        \
    "Frame arm { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 1,2,3,1;; } Frame hand { "      \
    "FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,4,1;; } } }\n"

Test(xfile, skins_and_clips)
{
    must_read(HEAD ARM
              "AnimTicksPerSecond { 10; }\n" FACE
              "XSkinMeshHeader { 1; 1; 1; } SkinWeights { \"hand\"; 2; 0,1; 1.0,0.5; "
              "1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,-5,1;; } }\n"
              "AnimationSet walk { Animation { { hand } AnimationKey { 2; 2; 0; 3; 0,0,4;;, "
              "10; 3; 0,0,6;;; } AnimationKey { 0; 1; 0; 4; 0.7071068,0,0,0.7071068;;; } } "
              "Animation { { arm } AnimationKey { 4; 1; 5; 16; 2,0,0,0, 0,1,0,0, 0,0,1,0, "
              "7,8,9,1;;; } } }\n");
    const zt_model *m = &reader.model;
    cr_assert(m->node_count == 4 && m->skin_count == 1 && m->clip_count == 1);
    cr_assert_str_eq(m->nodes[2].name, "hand");
    cr_assert(m->nodes[2].parent == 1 && m->nodes[1].rest.t[2] == -3.0f);
    cr_assert_eq(m->skins[0].joint_node[0], 2);
    cr_assert_eq(m->skins[0].joint_from_bind[0][3][2], 5.0f);
    cr_assert_eq(m->skins[0].joint_count, 2,
                 "and the mesh's own node, for a vertex without weight");
    const model_clip *clip = &m->clips[0];
    cr_assert(clip->start_s == 0.0f && clip->end_s == 1.0f);
    trs local[4];
    model_sample_clip(m, clip, 0.5f, local);
    cr_assert_float_eq(local[2].t[2], -5.0f, 1e-6f);
    // Row vectors turn the other way: a quarter about z takes x to -y in the file, and here.
    cr_assert(local[2].r[2] < -0.7f && local[2].r[3] > 0.7f);
    cr_assert(local[1].s[0] == 2.0f && local[1].t[0] == 7.0f && local[1].t[2] == -9.0f);
}

Test(xfile, mistakes)
{
    must_fail("xof 0303txt", "no header");
    must_fail_as("xof 0303com 0032", ZT_ERR_UNSUPPORTED, "the form 'com '");
    must_fail(HEAD "Mesh { 3; 0;0;0;", "a.x:2:17: the file ends inside");
    must_fail(HEAD "Mesh { 4000000000; 0;0;0; }", "a.x:2:1: a Mesh with fewer");
    must_fail(HEAD "Mesh 3;", "expected '{'");
    must_fail(HEAD "Mesh { \"a", "a text that has no end");
}

/// MSZIP blocks of at most `block` bytes, which refer to nothing before them.
static size_t pack(const char *text, size_t block, uint8_t *out)
{
    const size_t size = strlen(text);
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
    size_t at = 20;
    memcpy(out, "xof 0303tzip0032", 16);
    bytes_store_u32_le(out + 16, (uint32_t)size + 16);
    for (size_t from = 0; from < size; from += block) {
        const size_t part = size - from < block ? size - from : block;
        const size_t made = libdeflate_deflate_compress(c, text + from, part, out + at + 6, 4096);
        out[at] = (uint8_t)part;
        out[at + 1] = (uint8_t)(part >> 8);
        out[at + 2] = (uint8_t)(made + 2);
        out[at + 3] = (uint8_t)((made + 2) >> 8);
        memcpy(out + at + 4, "CK", 2);
        at += 6 + made;
    }
    libdeflate_free_compressor(c);
    return at;
}

Test(xfile, packed_files)
{
    static uint8_t file[8192];
    const char *text = FACE "}\n";
    for (size_t block = 7; block < 100; block += 46) {
        const size_t size = pack(text, block, file);
        must_read_bytes(file, size);
        cr_assert_eq(reader.model.triangle_count, 1);
        for (size_t end = 0; end < size; end++)
            cr_assert_neq(reader_read(file, end), ZT_OK);
    }
}

/// A block that copies from the one before: fixed codes, one match of 4 from a distance of 4.
Test(xfile, packed_blocks_refer_to_the_one_before)
{
    uint8_t file[64] = "xof 0303tzip0032\x18\0\0\0\x04\0\x0b\0CK\1\4\0\xfb\xffMesh\4\0";
    size_t at = 20 + 4 + 11 + 2;
    // Bits, first to last: 1 (last), 01 (fixed), 0000010 (length 4), 00011 (distance 4), 0000000.
    static const uint8_t bits[] = {1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0,
                                   0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0};
    uint8_t stream[3] = {0};
    for (size_t i = 0; i < sizeof bits; i++)
        stream[i / 8] |= (uint8_t)(bits[i] << (i % 8));
    file[at++] = 5;
    file[at++] = 0;
    memcpy(file + at, "CK", 2);
    memcpy(file + at + 2, stream, 3);
    at += 5;
    must_fail("xof 0303txt 0032\nMeshMesh", "expected '{'");
    cr_assert_eq(reader_read(file, at), ZT_ERR_FORMAT);
    cr_assert(strstr(reader.err.message, "a.x:0 (unpacked)") ||
                  strstr(reader.err.message, "a.x:8 (unpacked)"),
              "%s", reader.err.message);
}
