// SPDX-License-Identifier: MIT
/// The work of reading grows no faster than files: each row is a kind of file that once cost a
/// search of all with all.
#include "base/hash.h"
#include "load/load.h"
#include "test_memory.h"

/// The parts of a file in turn: once, for each of `n` things, once... '#' is the number of the
/// thing, from 100000 on, '@' that of the one before.
typedef struct work_row {
    const char *path;
    const char *part[7];
} work_row;

#define DEFINITIONS            "; FBX\nFBXHeaderExtension:{FBXVersion:7400}\nDefinitions:{"
#define TRIANGLE               "Vertices:*9 {a:0,0,0,1,0,0,0,1,0}\nPolygonVertexIndex:*3 {a:0,1,-3}\n"
#define OBJECTS                "}\nObjects:{Geometry:9,\"\",\"Mesh\"{" TRIANGLE "}\nModel:8,\"\",\"Mesh\"{}\n"
#define OBJECT(kind, id, type) kind ":" id ",\"\",\"" type "\"{}\n"
#define CURVE_NODE(id)         OBJECT("AnimationCurveNode", id, "")
#define MODEL                  OBJECT("Model", "1#", "Null")
#define CONNECTIONS            "}\nConnections:{C:\"OO\",9,8\nC:\"OO\",8,0\n"
#define LINK(from, to)         "C:\"OO\"," from "," to "\n"
#define MOVES(from, to, name)  "C:\"OP\"," from "," to ",\"" name "\"\n"
#define STACK(id, layer)                                                                           \
    "AnimationStack:" id                                                                           \
    ",\"\",\"\"{Properties70:{P:\"LocalStop\",\"\",\"\",\"\",46186158000}}\n" OBJECT(              \
        "AnimationLayer", layer, "")

#define STAR "v 0 0 0\nv 3 1 0\nv 1 4 0\nv 5 9 0\nv 2 6 0\nv 5 3 0\nv 5 8 0\nv 9 7 0\nv 9 3 0\n"

static const work_row rows[] = {
    {"shader nodes below each other.fbx",
     {DEFINITIONS OBJECTS OBJECT("Material", "1", "") "A:2\nA:3\nA:4\n" CONNECTIONS LINK("1", "8"),
      MOVES("2", "1", "DiffuseColor"), "", LINK("3", "2"), "", LINK("4", "3"), "}"}},
    {"default properties.fbx",
     {DEFINITIONS "ObjectType:\"Model\"{PropertyTemplate:\"\"{Properties70:{\n", "P:\"#\"\n",
      "}}}\n" OBJECTS, MODEL, CONNECTIONS, LINK("1#", "0"), "}"}},
    {"classes of objects.fbx",
     {DEFINITIONS, "ObjectType:\"#\"{}\n", OBJECTS, MODEL, CONNECTIONS "}"}},
    {"levels of detail.fbx",
     {DEFINITIONS OBJECTS OBJECT("Model", "1", "LodGroup"), MODEL, CONNECTIONS LINK("1", "0"),
      LINK("1#", "1"), "}"}},
    {"pictures inside.fbx",
     {DEFINITIONS OBJECTS,
      "Video:1#,\"\",\"\"{FileName:\"a\"\nContent:\"QUJD\"\n}\n" OBJECT("Texture", "2#", "")
          OBJECT("Material", "3#", ""),
      CONNECTIONS, LINK("1#", "2#") MOVES("2#", "3#", "DiffuseColor"), "}"}},
    {"curves and users of one node.fbx",
     {DEFINITIONS OBJECTS STACK("1", "2") CURVE_NODE("3"), MODEL OBJECT("AnimationCurve", "2#", ""),
      CONNECTIONS LINK("2", "1") LINK("3", "2"),
      LINK("1#", "0") MOVES("3", "1#", "Lcl Rotation") MOVES("2#", "3", "d|X"), "}"}},
    {"values and users of one curve.fbx",
     {DEFINITIONS OBJECTS STACK("1", "2") "AnimationCurve:3,\"\",\"\"{KeyAttrDataFloat:*2000 {a:",
      "0,", "}}\n", CURVE_NODE("1#"), CONNECTIONS LINK("2", "1"),
      LINK("1#", "2") MOVES("1#", "8", "Lcl Rotation") MOVES("3", "1#", "d|X"), "}"}},
    {"stacks and models.fbx",
     {DEFINITIONS OBJECTS, MODEL STACK("2#", "3#") CURVE_NODE("4#"), CONNECTIONS,
      LINK("1#", "0") LINK("3#", "2#") LINK("4#", "3#") MOVES("4#", "1#", "Lcl Rotation"), "}"}},
    {"materials of each user of a geometry.fbx",
     {DEFINITIONS OBJECTS, MODEL OBJECT("Material", "2#", ""), CONNECTIONS,
      LINK("9", "1#") LINK("2#", "1#") LINK("1#", "0"), "}"}},
    {"shapes of one channel.fbx",
     {DEFINITIONS OBJECTS OBJECT(
          "Deformer", "1",
          "BlendShape") "Deformer:2,\"\",\"BlendShapeChannel\"{FullWeights:*2000 {a:",
      "#,", "}}\n", OBJECT("Geometry", "1#", "Shape"), CONNECTIONS LINK("1", "9") LINK("2", "1"),
      LINK("1#", "2"), "}"}},
    {"shapes in takes.fbx",
     {"; FBX\nFBXHeaderExtension:{FBXVersion:6100}\nObjects:{Model:\"Model::m\",\"Mesh\"{\n"
      "Vertices:0,0,0,1,0,0,0,1,0\nPolygonVertexIndex:0,1,-3\n",
      "Shape:\"#\"{}\n", "}}\nTakes:{Take:\"t\"{LocalTime:0,46186158000\nModel:\"Model::m\"{\n",
      "Channel:\"#\"{}\n", "}}}"}},
    {"sets of coordinates and materials.fbx",
     {DEFINITIONS OBJECTS "Geometry:7,\"\",\"Mesh\"{" TRIANGLE "LayerElementUV:0{}\n", "a:\n",
      "}\n" OBJECT("Material", "1", "") CONNECTIONS LINK("7", "8"), LINK("1", "8"), "}"}},
    {"stacks and shapes.fbx",
     {DEFINITIONS OBJECTS OBJECT("Deformer", "1", "BlendShape"),
      OBJECT("AnimationStack", "1#", "") OBJECT("Deformer", "2#", "BlendShapeChannel")
          OBJECT("Geometry", "3#", "Shape"),
      CONNECTIONS LINK("1", "9"), LINK("2#", "1") LINK("3#", "2#"), "}"}},
    {"deformers and the name of their cache.fbx",
     {DEFINITIONS OBJECTS "Cache:2,\"\",\"\"{Properties70:{P:\"CacheFileName\",\"\",\"\",\"\",\"",
      "#", "\"}}\n", OBJECT("Deformer", "1#", "a"), CONNECTIONS, LINK("2", "1#"), "}"}},
    {"bones of poses.fbx",
     {DEFINITIONS OBJECTS OBJECT("Deformer", "1", "Skin") "Pose:2,\"\",\"BindPose\"{",
      "PoseNode:{Node:2#\nMatrix:*16 {a:1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}\n}\n", "}\n",
      OBJECT("Model", "2#", "LimbNode") OBJECT("Deformer", "1#", "Cluster"),
      CONNECTIONS LINK("1", "9"), LINK("1#", "1") LINK("2#", "1#"), "}"}},
    {"users of a bone and of its cluster.fbx",
     {DEFINITIONS OBJECTS OBJECT("Deformer", "1", "Skin") OBJECT("Deformer", "2", "Cluster"),
      OBJECT("A", "1#", "") OBJECT("Model", "2#", "Null"), CONNECTIONS LINK("1", "9"),
      LINK("1#", "2") LINK("8", "1#"), "", LINK("8", "2") LINK("2", "1") LINK("8", "2#"), "}"}},
    {"scales below each other.fbx",
     {DEFINITIONS OBJECTS,
      "Model:1#,\"\",\"\"{Properties70:{P:\"Lcl Scaling\",\"\",\"\",\"\",-1,1,1}}\n", CONNECTIONS,
      LINK("1#", "1@"), "}"}},
    {"keys and users of an unread curve.fbx",
     {DEFINITIONS OBJECTS STACK("1", "2")
          CURVE_NODE("4") "AnimationCurve:3,\"\",\"\"{KeyTime:*2000 {a:",
      "#,", "}\nKeyValueFloat:*2000 {a:", "1,",
      "}}\n" CONNECTIONS LINK("2", "1") LINK("4", "2") MOVES("3", "4", "d|X"),
      MOVES("4", "8", "Visibility"), "}"}},
    {"polygons that cross themselves.obj",
     {STAR, "f 1 5 2 7 3 8 4 9 6 1 5 2 7 3 8 4 9 6\n", "v 0 0 0\n"}},
    {"corners of one polygon.obj", {STAR "f", " 1 5 2 7 3 8", "\n"}},
    {"names of libraries.obj", {STAR "mtllib", " #", "\nf 1 2 3\n"}},
    {"materials of a mesh.x",
     {"xof 0303txt 0032\n", "Material m#{1;1;1;1;;1;1;1;1;;0;0;0;;}",
      "Mesh{3;0;0;0;,1;0;0;,0;1;0;;1;3;0,1,2;;MeshMaterialList{1;1;0;{m100000}", "{m#}", "}}"}},
    {"values of materials by name.gltf",
     {"{\"asset\":{\"version\":\"2.0\"},\"materials\":[{}", ",{\"name\":\"#\"}",
      "],\"extensions\":{\"VRM\":{\"blendShapeMaster\":{\"blendShapeGroups\":[{\"name\":\"a\","
      "\"materialValues\":[{\"materialName\":\"100000\",\"propertyName\":\"_Color\"}",
      ",{\"materialName\":\"#\",\"propertyName\":\"_Color\"}", "]}]}}}}"}},
};

/// The steps of reading a file of a row with n things.
static uint64_t steps_of(const work_row *row, size_t n)
{
    size_t size = 0;
    OWN_BLOCK char *bytes = malloc(n << 10); // 1 KiB for each thing
    for (size_t i = 0; i < sizeof row->part / sizeof *row->part && row->part[i]; i++)
        for (size_t k = 0; k < (i % 2 ? n : 1); k++)
            for (const char *c = row->part[i]; *c; c++)
                if (*c == '#' || *c == '@')
                    size += (size_t)sprintf(bytes + size, "%zu", 100000 + k - (*c == '@'));
                else
                    bytes[size++] = *c;
    zt_load_def def = zt_default_load_def();
    zt_error err = {0};
    def.threads = 1;
    def.bytes = bytes;
    def.size = size;
    OWN_MODEL *model = NULL;
    cr_assert_eq(zt_model_load(row->path, &def, &model, &err), ZT_OK, "%s", err.message);
    const uint64_t steps = model->budget_own.work->steps;
    cr_expect(steps > n, "%s: %zu steps are not all of them", row->path, (size_t)steps);
    cr_expect_leq(steps, (uint64_t)WORK_PER_BYTE * (size + (64 << 10)), "%s", row->path);
    return steps;
}

Test(work, grows_no_faster_than_files)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t once = steps_of(&rows[i], 1000), twice = steps_of(&rows[i], 2000);
        cr_expect((double)twice <= 2.6 * (double)once, "%s: %zu steps, then %zu", rows[i].path,
                  (size_t)once, (size_t)twice);
    }
}

/// Cuts that end for want of steps end at the same corner alone and behind another model.
Test(work, cuts_depend_on_their_own_file)
{
    OWN_MEMORY(a, 0);
    char text[40000] = STAR "f";
    uint64_t steps[2];
    for (size_t size = strlen(text); size < sizeof text - 20;)
        size += (size_t)sprintf(text + size, " 1 5 2 7 3 8 4 9 6");
    const model_source source = {.path = "a.obj", .bytes = {(uint8_t *)text, strlen(text)}};
    for (int i = 0; i < 2; i++) {
        zt_error err = {0};
        zt_model model = {.arena = {.budget = a.budget}};
        cr_assert_eq(model_read(&source, &model, &a, &err), ZT_OK, "%s", err.message);
        cr_assert_eq(model.note_count, 1);
        steps[i] = a.budget->work->steps;
        arena_finish(&model.arena);
    }
    cr_expect_eq(steps[1], 2 * steps[0]);
}

/// Among 100 texts in 256 slots some meet.
Test(work, texts_that_meet_in_a_slot_are_counted)
{
    OWN_MEMORY(a, 0);
    char name[100][4];
    const char *texts[100];
    hash_table table;
    cr_assert(hash_table_init(&table, &a, 100));
    for (uint32_t i = 0; i < 100; i++) {
        snprintf(name[i], sizeof name[i], "%u", i);
        texts[i] = name[i];
        *hash_table_text(&table, texts, sizeof *texts, name[i]) = i + 1;
    }
    cr_expect_gt(a.budget->work->steps, 10u);
}
