// SPDX-License-Identifier: MIT
/// Blend shapes and skins of small FBX files, against numbers worked out by hand.
#include "fbx/fbx.h"
#include "model_reader.h"

static void begin(void) { reader_begin(&fbx_format, "a.fbx"); }
TestSuite(fbx_shapes, .init = begin, .fini = reader_finish);

/// A square of points 0 to 3, counter-clockwise from the origin, and what else the file has.
#define SQUARE_FILE(properties, objects, links)                                                    \
    "; FBX 7.5.0 project file\nFBXHeaderExtension: { FBXVersion: 7500 }\n"                         \
    "Objects: { Geometry: 10, \"Geometry::\", \"Mesh\" {\n"                                        \
    "Vertices: *12 { a: 0,0,0, 1,0,0, 1,1,0, 0,1,0 }\nPolygonVertexIndex: *4 { a: 0,1,2,-4 } }\n"  \
    "Model: 20, \"Model::Box\", \"Mesh\" { Properties70: { " properties "} }\n" objects "}\n"      \
    "Connections: { C: \"OO\",20,0\n C: \"OO\",10,20\n C: \"OO\",50,10\n" links "}\n"

// ---- Blend shapes -------------------------------------------------------------------------------

#define CHANNEL_FILE(channel, links)                                                               \
    SQUARE_FILE("",                                                                                \
                "Geometry: 11, \"Geometry::one\", \"Shape\" { Indexes: *3 { a: 2,0,3 }\n"          \
                "Vertices: *9 { a: 8,0,0, 0,4,0, 0,0,2 }\n"                                        \
                "Normals: *9 { a: 0.5,0,0, 0,0.25,0, 0,0,-1 } }\n"                                 \
                "Geometry: 12, \"Geometry::two\", \"Shape\" { Indexes: *1 { a: 1 }\n"              \
                "Vertices: *3 { a: 0,0,1 } }\n"                                                    \
                "Deformer: 50, \"Deformer::\", \"BlendShape\" { }\n"                               \
                "Deformer: 51, \"SubDeformer::Smile\", \"BlendShapeChannel\" { " channel "}\n",    \
                "C: \"OO\",51,50\n C: \"OO\",11,51\n" links)

static void expect_difference(const morph_part *part, size_t width, uint32_t vertex,
                              const float want[3])
{
    const uint32_t at = morph_find_group(part, vertex / MORPH_GROUP);
    cr_assert(at < part->group_count && part->group[at] == vertex / MORPH_GROUP);
    const float *got = part->delta + (at * MORPH_GROUP + vertex % MORPH_GROUP) * width;
    for (int k = 0; k < 3; k++)
        cr_expect_eq(got[k], want[k], "vertex %u: %g, not %g", vertex, (double)got[k],
                     (double)want[k]);
}

/// The weights of shapes are on the line through the two of (0, no shape) and (percentage, shape)
/// that are next to the channel's percentage. Percentages that are 0, equal or too few are spread
/// evenly up to 100.
Test(fbx_shapes, percentages_of_a_channel)
{
    static const struct {
        int shapes;
        const char *channel;
        float want[2];
    } rows[] = {
        {1, "DeformPercent: 25\nFullWeights: *1 { a: 50 }", {0.5f}},
        {1, "DeformPercent: 25\nFullWeights: *1 { a: 0 }", {0.25f}},
        {1, "DeformPercent: 25", {0.25f}},
        {1, "DeformPercent: 25\nFullWeights: *3 { a: 10,20,30 }", {0.25f}}, // those of vertices
        {1, "Properties70: { P: \"DeformPercent\", \"Number\", \"\", \"A\",40 }", {0.4f}},
        {2, "DeformPercent: 20\nFullWeights: *2 { a: 40,80 }", {0.5f, 0.0f}},
        {2, "DeformPercent: 70\nFullWeights: *2 { a: 40,80 }", {0.25f, 0.75f}},
        {2, "DeformPercent: 70\nFullWeights: *2 { a: 80,40 }", {0.75f, 0.25f}},
        {2, "DeformPercent: 120\nFullWeights: *2 { a: 40,80 }", {-1.0f, 2.0f}},
        {2, "DeformPercent: -20\nFullWeights: *2 { a: 40,80 }", {-0.5f, 0.0f}},
        {2, "DeformPercent: -20\nFullWeights: *2 { a: -80,40 }", {0.25f, 0.0f}},
        {2, "DeformPercent: 75\nFullWeights: *2 { a: 40,40 }", {0.5f, 0.5f}},
        {2, "DeformPercent: 75\nFullWeights: *3 { a: 1,2,3 }", {0.5f, 0.5f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[2048];
        snprintf(text, sizeof text, CHANNEL_FILE("%s", "%s"), rows[i].channel,
                 rows[i].shapes == 2 ? "C: \"OO\",12,51\n" : "");
        must_read(text);
        cr_assert_eq(mesh()->morph_count, (uint32_t)rows[i].shapes);
        if (rows[i].shapes == 2)
            expect_difference(&mesh()->morphs[1].target.position, 4, vertex_at(1, 0),
                              (float[]){0, 0, 1});
        cr_expect_str_eq(mesh()->morphs[rows[i].shapes - 1].name, "Smile");
        for (int k = 0; k < rows[i].shapes; k++)
            cr_expect_float_eq(mesh()->morphs[k].weight, rows[i].want[k], 1e-6f, "row %zu: %g", i,
                               (double)mesh()->morphs[k].weight);
    }
}

/// Blender writes one shape with the percentages of its vertices in FullWeights: of 2, 0 and 3 in
/// the order of Indexes 25, 50 and, as the list ends, 100.
Test(fbx_shapes, vertices_have_shares_as_blender_writes_them)
{
    must_read(CHANNEL_FILE("FullWeights: *2 { a: 25,50 }", ""));
    static const struct {
        float x, y, position[3], normal[3];
    } rows[] = {{1, 1, {2, 0, 0}, {0.125f, 0, 0}},
                {0, 0, {0, 2, 0}, {0, 0.125f, 0}},
                {0, 1, {0, 0, 2}, {0, 0, -1}},
                {1, 0, {0, 0, 0}, {0, 0, 0}}};
    const morph_target *target = &mesh()->morphs[0].target;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t v = vertex_at(rows[i].x, rows[i].y);
        expect_difference(&target->position, 4, v, rows[i].position);
        expect_difference(&target->attributes, 8, v, rows[i].normal);
    }
}

// ---- Skins --------------------------------------------------------------------------------------

#define V3(name, numbers) "P: \"" name "\", \"Vector3D\", \"\", \"\"," numbers "\n"

/// G = T R S, whose R turns about x first, then z: by columns. The cluster's Transform turns y to z
/// and z to -y, and moves by (10, 20, 30); its bone is bound by Transform G. Points without weights
/// follow the mesh's own node by G, as the node itself does.
Test(fbx_shapes, bones_are_bound_by_their_transform_and_the_geometric_one)
{
    static const struct {
        const char *properties;
        float bound[4][3], own[4][3];
    } rows[] = {
        {"",
         {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}, {10, 20, 30}},
         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}},
        {V3("GeometricTranslation", "1,2,3"),
         {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}, {11, 17, 32}},
         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 2, 3}}},
        {V3("GeometricTranslation", "1,2,3") V3("GeometricRotation", "90,0,90")
             V3("GeometricScaling", "2,4,8"),
         {{0, 0, 2}, {0, -4, 0}, {8, 0, 0}, {11, 17, 32}},
         {{0, 2, 0}, {0, 0, 4}, {8, 0, 0}, {1, 2, 3}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 SQUARE_FILE(
                     "%s",
                     "Model: 22, \"Model::Bone\", \"LimbNode\" { }\n"
                     "Deformer: 50, \"Deformer::\", \"Skin\" { SkinningType: \"DualQuaternion\" }\n"
                     "Deformer: 51, \"SubDeformer::\", \"Cluster\" { Indexes: *2 { a: 0,2 }\n"
                     "Weights: *2 { a: 0.5,3 }\n"
                     "Transform: *16 { a: 1,0,0,0, 0,0,1,0, 0,-1,0,0, 10,20,30,1 } }\n",
                     "C: \"OO\",22,0\n C: \"OO\",51,50\n C: \"OO\",22,51\n"),
                 rows[i].properties);
        must_read(text);
        const model_node *node = reader.model.nodes;
        while (node->mesh < 0)
            node++;
        mat4 rest;
        trs_to_mat4(&node->rest, rest);
        const model_skin *skin = &reader.model.skins[0];
        cr_assert(reader.model.skin_count == 1 && skin->joint_count == 2 && skin->dual_quaternions);
        cr_expect_eq(skin->joint_node[1], 1);
        for (int k = 0; k < 4; k++) { // around the square: points 0 and 2 have weights
            const uint32_t v = vertex_at(k == 1 || k == 2, k >= 2);
            cr_expect(mesh()->weights[v].weight[0] == 1.0f && mesh()->joints[v].joint[0] == k % 2);
        }
        for (int k = 0; k < 12; k++) {
            const float own = rows[i].own[k / 3][k % 3];
            cr_expect_float_eq(skin->joint_from_bind[0][k / 3][k % 3], rows[i].bound[k / 3][k % 3],
                               1e-5f);
            cr_expect_float_eq(skin->joint_from_bind[1][k / 3][k % 3], own, 1e-5f,
                               "row %zu, number %d", i, k);
            cr_expect_float_eq(rest[k / 3][k % 3], own, 1e-5f, "row %zu, number %d", i, k);
        }
    }
}
