// SPDX-License-Identifier: MIT
/// Blend shapes and skins of small FBX files, against numbers worked out by hand.
#include "fbx/fbx.h"
#include "model_reader.h"

static void begin(void) { reader_begin(&fbx_format, "a.fbx"); }
TestSuite(fbx_shapes, .init = begin, .fini = reader_finish);

/// A square of points 0 to 3, counter-clockwise from the origin, with the deformer 50.
#define SQUARE_FILE(properties, objects, links)                                                    \
    "; FBX 7.5.0 project file\nFBXHeaderExtension: { FBXVersion: 7500 }\n"                         \
    "Objects: { Geometry: 10, \"Geometry::\", \"Mesh\" {\n"                                        \
    "Vertices: *12 { a: 0,0,0, 1,0,0, 1,1,0, 0,1,0 }\nPolygonVertexIndex: *4 { a: 0,1,2,-4 } }\n"  \
    "Model: 20, \"Model::Box\", \"Mesh\" { Properties70: { " properties "} }\n" objects "}\n"      \
    "Connections: { C: \"OO\",20,0\n C: \"OO\",10,20\n C: \"OO\",50,10\n" links "}\n"
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

/// Position and normal differ along one axis alone.
static void expect_difference(const morph_target *target, uint32_t vertex, int axis, float position,
                              float normal)
{
    // All vertices are in the first group.
    const float *p = target->position.delta + 4 * (size_t)vertex;
    const float *n = target->attributes.delta + 8 * (size_t)vertex;
    for (int k = 0; k < 3; k++) {
        cr_expect_eq(p[k], k == axis ? position : 0, "vertex %u: %g", vertex, (double)p[k]);
        cr_expect_eq(n[k], k == axis ? normal : 0, "vertex %u: %g", vertex, (double)n[k]);
    }
}

/// The weights of shapes are on the line through the two of (0, no shape) and (percentage, shape)
/// that are next to the channel's percentage. Percentages that are 0, equal or too few are spread
/// evenly up to 100. For its only shape Blender writes those of vertices, in the order of Indexes:
/// 100 where the list ends.
Test(fbx_shapes, weights_of_shapes_and_shares_of_vertices)
{
    static const struct {
        int shapes;
        const char *channel;
        float weight[2], share[3]; ///< share: of points 2, 0 and 3
    } rows[] = {
        {1, "DeformPercent: 25\nFullWeights: *1 { a: 50 }", {0.5f}, {1, 1, 1}},
        {1, "DeformPercent: 25\nFullWeights: *1 { a: 0 }", {0.25f}, {1, 1, 1}},
        {1, "DeformPercent: 25\nFullWeights: *2 { a: 25,50 }", {0.25f}, {0.25f, 0.5f, 1}},
        {1, "Properties70: { P: \"DeformPercent\", \"\", \"\", \"A\",40 }", {0.4f}, {1, 1, 1}},
        {2, "DeformPercent: 20\nFullWeights: *2 { a: 40,80 }", {0.5f, 0}, {1, 1, 1}},
        {2, "DeformPercent: 70\nFullWeights: *2 { a: 80,40 }", {0.75f, 0.25f}, {1, 1, 1}},
        {2, "DeformPercent: 120\nFullWeights: *2 { a: 40,80 }", {-1, 2}, {1, 1, 1}},
        {2, "DeformPercent: -20\nFullWeights: *2 { a: 40,80 }", {-0.5f, 0}, {1, 1, 1}},
        {2, "DeformPercent: -20\nFullWeights: *2 { a: -80,40 }", {0.25f, 0}, {1, 1, 1}},
        {2, "DeformPercent: 75\nFullWeights: *2 { a: 40,40 }", {0.5f, 0.5f}, {1, 1, 1}},
        {2, "DeformPercent: 75\nFullWeights: *3 { a: 1,2,3 }", {0.5f, 0.5f}, {1, 1, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        must_read_as(CHANNEL_FILE("%s", "%s"), rows[i].channel,
                     rows[i].shapes == 2 ? "C: \"OO\",12,51\n" : "");
        const model_morph *morphs = mesh()->morphs;
        const float *share = rows[i].share;
        cr_assert_eq(mesh()->morph_count, (uint32_t)rows[i].shapes);
        for (int k = 0; k < rows[i].shapes; k++) {
            cr_expect_str_eq(morphs[k].name, "Smile");
            cr_expect_float_eq(morphs[k].weight, rows[i].weight[k], 1e-6f, "row %zu, %d", i, k);
        }
        expect_difference(&morphs[0].target, vertex_at(1, 1), 0, 8 * share[0], 0.5f * share[0]);
        expect_difference(&morphs[0].target, vertex_at(0, 0), 1, 4 * share[1], 0.25f * share[1]);
        expect_difference(&morphs[0].target, vertex_at(0, 1), 2, 2 * share[2], -share[2]);
        expect_difference(&morphs[0].target, vertex_at(1, 0), 0, 0, 0);
        if (rows[i].shapes == 2)
            cr_expect_eq(morphs[1].target.position.delta[4 * vertex_at(1, 0) + 2], 1.0f);
    }
}

#define V3(name, numbers) "P: \"" name "\", \"Vector3D\", \"\", \"\"," numbers "\n"

/// G = T R S by columns, whose R turns about x first, then z. A bone is bound by Transform G, and
/// the cluster's Transform turns y to z, z to -y and moves by (10, 20, 30). The mesh's own node,
/// which points without weights follow, is bound by G, and rests there.
Test(fbx_shapes, bones_are_bound_by_their_transform_and_the_geometric_one)
{
    static const struct {
        const char *properties;
        float geometric[4][3];
    } rows[] = {
        {"", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}},
        {V3("GeometricTranslation", "1,2,3"), {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 2, 3}}},
        {V3("GeometricTranslation", "1,2,3") V3("GeometricRotation", "90,0,90")
             V3("GeometricScaling", "2,4,8"),
         {{0, 2, 0}, {0, 0, 4}, {8, 0, 0}, {1, 2, 3}}},
    };
    static const float moved[3] = {10, 20, 30};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        must_read_as(
            SQUARE_FILE("%s",
                        "Model: 22, \"Model::Bone\", \"LimbNode\" { }\n"
                        "Deformer: 50, \"\", \"Skin\" { SkinningType: \"DualQuaternion\" }\n"
                        "Deformer: 51, \"\", \"Cluster\" { Indexes: *2 { a: 0,2 }\n"
                        "Weights: *2 { a: 0.5,3 }\n"
                        "Transform: *16 { a: 1,0,0,0, 0,0,1,0, 0,-1,0,0, 10,20,30,1 } }\n",
                        "C: \"OO\",22,0\n C: \"OO\",51,50\n C: \"OO\",22,51\n"),
            rows[i].properties);
        const model_skin *skin = &reader.model.skins[0];
        cr_assert(reader.model.skin_count == 1 && skin->joint_count == 2 && skin->dual_quaternions);
        cr_expect_eq(skin->joint_node[1], 1);
        for (int k = 0; k < 4; k++) { // around the square: points 0 and 2 have weights
            const uint32_t v = vertex_at(k == 1 || k == 2, k >= 2);
            cr_expect(mesh()->weights[v].weight[0] == 1 && mesh()->joints[v].joint[0] == k % 2);
        }
        const model_node *node = reader.model.nodes;
        while (node->mesh < 0)
            node++;
        mat4 rest;
        trs_to_mat4(&node->rest, rest);
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 3; k++) {
                const float *g = rows[i].geometric[c];
                const float bound = (k == 0 ? g[0] : k == 1 ? -g[2] : g[1]);
                cr_expect_float_eq(rest[c][k], g[k], 1e-5f, "row %zu, %d %d", i, c, k);
                cr_expect_float_eq(skin->joint_from_bind[1][c][k], g[k], 1e-5f);
                cr_expect_float_eq(skin->joint_from_bind[0][c][k],
                                   bound + (c == 3 ? moved[k] : 0.0f), 1e-5f, "row %zu", i);
            }
    }
}

#define TURN(x, y, z)     " { a: 0,1,0,0, -1,0,0,0, 0,0,1,0, " #x "," #y "," #z ",1 }\n"
#define BIND(node, place) "PoseNode: { Node: " #node "\nMatrix: *16" place " }\n"
#define SKIN_FILE(cluster, poses)                                                                  \
    SQUARE_FILE("",                                                                                \
                "Model: 22, \"Model::Bone\", \"LimbNode\" { }\n"                                   \
                "Deformer: 50, \"\", \"Skin\" { }\nDeformer: 51, \"\", \"Cluster\" {\n"            \
                "Indexes: *1 { a: 0 }\nWeights: *1 { a: 1 }\n" cluster "}\n"                       \
                "Pose: 60, \"Pose::\", \"BindPose\" { " poses "}\n",                               \
                "C: \"OO\",22,0\n C: \"OO\",51,50\n C: \"OO\",22,51\n")

/// Bones and meshes are turned by a quarter about z: the origin of a mesh at (8, 3, 0) is at
/// (2, -7, 0) of a bone at (1, 1, 0).
Test(fbx_shapes, clusters_that_do_not_say_where_bones_were_take_the_bind_pose)
{
    static const struct {
        const char *text;
        float at[2];
    } rows[] = {
        {SKIN_FILE("", BIND(22, TURN(1, 1, 0)) BIND(20, TURN(8, 3, 0))), {2, -7}},
        {SKIN_FILE("Transform: *16" TURN(8, 3, 0), BIND(22, TURN(1, 1, 0))), {8, 3}},
        {SKIN_FILE("TransformLink: *16" TURN(1, 1, 0), BIND(20, TURN(8, 3, 0))), {2, -7}},
        {SKIN_FILE("Transform: *16" TURN(8, 3, 0) "TransformLink: *16" TURN(5, 5, 0),
                   BIND(22, TURN(1, 1, 0)) BIND(20, TURN(9, 9, 0))),
         {8, 3}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        must_read(rows[i].text);
        const float *origin = reader.model.skins[0].joint_from_bind[0][3];
        for (int k = 0; k < 2; k++)
            cr_expect_float_eq(origin[k], rows[i].at[k], 1e-6f, "row %zu", i);
    }
}

#define OBJECT(id, kind, type, properties)                                                         \
    kind ": " #id ", \"\", \"" type "\" { Properties70: { " properties "} }\n"
#define LINK(child, parent, property) "C: \"OP\"," #child "," #parent ", \"" property "\"\n"
#define LIMITED                                                                                    \
    V3("RotationMax", "9,9,9")                                                                     \
    V3("RotationMaxX", "1") V3("RotationMaxY", "1") V3("Lcl Rotation", "5,10,90")
#define LIGHT(properties)                                                                          \
    SQUARE_FILE("", OBJECT(60, "NodeAttribute", "Light", properties), LINK(60, 20, ""))

/// In the last file nothing does something.
Test(fbx_shapes, objects_that_are_not_read_are_named_where_they_do_something)
{
    must_warn(SQUARE_FILE("", OBJECT(60, "Constraint", "Aim", ""), LINK(20, 60, "Object")),
              "a constraint (Aim '') is not read");
    must_warn(SQUARE_FILE("", OBJECT(60, "Model", "Null", ""), LINK(60, 20, "LookAtProperty")),
              "LookAtProperty of 'Box' is not read");
    must_warn(SQUARE_FILE("", OBJECT(60, "AnimationLayer", "", V3("Solo", "1")), ""), "Solo: 1");
    must_warn(SQUARE_FILE(LIMITED "P: \"RotationActive\", \"\", \"\", \"\",1\n", "", ""),
              "RotationMaxY of 'Box' is not read");
    must_warn(LIGHT(V3("DecayType", "1")), "DecayType: 1 is not shown");
    must_warn(LIGHT(V3("EnableNearAttenuation", "1")), "EnableNearAttenuation: 1 is not shown");
    must_warn(SQUARE_FILE(V3("Visibility", "0"),
                          OBJECT(60, "Model", "Mesh", V3("Visibility Inheritance", "0")),
                          LINK(60, 20, "")),
              "Visibility Inheritance: 0 is not shown");
    must_warn(SQUARE_FILE("", OBJECT(60, "NodeAttribute", "Camera", V3("FilmOffsetX", "0.5")), ""),
              "FilmOffsetX: 0.5 is not shown");
    must_warn(SQUARE_FILE("",
                          OBJECT(60, "Deformer", "VertexCacheDeformer", "")
                              OBJECT(61, "Cache", "", V3("CacheFileName", "\"a.xml\"")),
                          LINK(60, 10, "") LINK(61, 60, "")),
              "(VertexCacheDeformer 'a.xml') is not read");
    static const char nothing[] = SQUARE_FILE(
        LIMITED,
        OBJECT(60, "CollectionExclusive", "DisplayLayer", V3("Show", "0"))
            OBJECT(61, "Constraint", "Aim", V3("Active", "0")) OBJECT(62, "Constraint", "Aim", "")
                OBJECT(63, "NodeAttribute", "Light", V3("DecayType", "0") V3("LightType", "1"))
                    OBJECT(64, "Model", "Mesh", V3("Visibility Inheritance", "0"))
                        OBJECT(65, "Deformer", "VertexCacheDeformer", "")
                            OBJECT(66, "Deformer", "VertexCacheDeformer", V3("Active", "0")),
        LINK(20, 60, "") LINK(20, 61, "Object") LINK(63, 20, "") LINK(66, 10, ""));
    must_warn(nothing, NULL);
    cr_expect(!reader.model.nodes[1].visible);
}
