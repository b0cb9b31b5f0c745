// SPDX-License-Identifier: MIT
/// Small FBX files as text.
#include "fbx/fbx.h"
#include "model_reader.h"
#include "pose/pose.h"

READER_SUITE(fbx, "a.fbx");

#define HEAD              "; FBX 7.5.0 project file\nFBXHeaderExtension: { FBXVersion: 7500 }\n"
#define PROPERTY          "Properties70: { "
#define P3(name, x, y, z) "P: \"" name "\", \"" name "\", \"\", \"A\"," #x "," #y "," #z "\n"
#define P1(name, x)       "P: \"" name "\", \"double\", \"Number\", \"\"," #x "\n"
#define SQUARE                                                                                     \
    "Geometry: 10, \"Geometry::\", \"Mesh\" {\n"                                                   \
    "Vertices: *12 { a: 0,0,0, 1,0,0, 1,1,0, 0,1,0 }\n"                                            \
    "PolygonVertexIndex: *4 { a: 0,1,2,-4 }\n"
#define MODEL "Model: 20, \"Model::Box\", \"Mesh\" {\n" PROPERTY

/// Where a point of a node's mesh is at a time of clip 0 (-1: at rest).
static dvec3 place(uint32_t node, dvec3 p, double time_s)
{
    trs local[64];
    affine world[64];
    const zt_model *m = &reader.model;
    cr_assert_leq(m->node_count, 64u);
    model_sample_clip(m, time_s < 0.0 ? NULL : &m->clips[0], (float)time_s, local);
    model_place_nodes(m, local, world);
    return affine_point(&world[node], p);
}

/// Clips are within 1e-5 of their largest value, which is 8 below.
static void expect_near(dvec3 p, double x, double y, double z)
{
    cr_expect_lt(dvec3_length(dvec3_sub(p, (dvec3){x, y, z})), 8e-5, "%g %g %g, want %g %g %g", p.x,
                 p.y, p.z, x, y, z);
}

Test(fbx, a_square_is_a_metre_where_the_file_says_so)
{
    must_read(HEAD "GlobalSettings: { " PROPERTY
                   "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n"
                   "P: \"UpAxis\", \"int\", \"Integer\", \"\",2\n"
                   "P: \"FrontAxis\", \"int\", \"Integer\", \"\",1\n"
                   "P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",-1\n} }\n"
                   "Objects: { " SQUARE "}\n" MODEL "} } }\n"
                   "Connections: { C: \"OO\",20,0\n C: \"OO\",10,20 }\n");
    const zt_model *m = &reader.model;
    cr_assert(m->triangle_count == 2 && m->vertex_count == 4 && m->node_count == 2);
    cr_assert_str_eq(m->nodes[1].name, "Box");
    // z is up, and -y is the front: y goes away from us.
    expect_near(place(1, (dvec3){1.0, 2.0, 3.0}, -1.0), 1.0, 3.0, -2.0);
    cr_assert_eq(reader.warnings, 0, "%s", reader.last_warning);
}

Test(fbx, layers_are_by_corner_by_vertex_and_by_polygon)
{
    must_read(
        HEAD
        "Objects: { " SQUARE "LayerElementNormal: 0 { MappingInformationType: \"ByVertice\"\n"
        "ReferenceInformationType: \"Direct\"\nNormals: *12 { a: 0,0,1,0,0,1,0,0,2,0,1,0 } }\n"
        "LayerElementUV: 0 { MappingInformationType: \"ByPolygonVertex\"\n"
        "ReferenceInformationType: \"IndexToDirect\"\nUV: *7 { a: 0,0, 1,0.25, 9e29,2e30, 5 }\n"
        "UVIndex: *4 { a: 0,1,2,3 } }\n"
        "LayerElementMaterial: 0 { MappingInformationType: \"AllSame\"\n"
        "ReferenceInformationType: \"IndexToDirect\"\nMaterials: *1 { a: 1 } } }\n" MODEL "} }\n"
        "Material: 30, \"Material::one\", \"\" { }\n"
        "Material: 31, \"Material::two\", \"\" { " PROPERTY P3(
            "DiffuseColor", 1, 0.5,
            0) "P: \"Opacity\", \"double\", \"Number\", \"\",0.5\n} } }\n"
               "Connections: { C: \"OO\",20,0\n C: \"OO\",10,20\n C: \"OO\",30,20\n"
               "C: \"OO\",31,20 }\n");
    const model_mesh *mesh = &reader.model.meshes[0];
    const vertex_attributes *a = mesh->attributes;
    cr_assert(a[0].nz == 1.0f && a[2].nz == 1.0f && a[3].ny == 1.0f, "unit length");
    cr_assert(a[0].u == 0.0f && a[0].v == 1.0f && a[1].u == 1.0f && a[1].v == 0.75f);
    // Numbers from 1e30 on and half of a pair are 0.
    cr_assert(a[2].u == 9e29f && a[2].v == 1.0f && a[3].u == 0.0f && a[3].v == 1.0f);
    cr_assert_eq(mesh->meshlets[0].material, 1);
    const model_material *two = &reader.model.materials[1];
    cr_assert(two->base_color[1] == 0.5f && two->base_color[3] == 0.5f &&
              two->alpha == MODEL_BLEND);
}

#define BOX(layers, properties)                                                                    \
    HEAD "Objects: { " SQUARE layers "}\n" MODEL properties                                        \
         "} } }\nConnections: { C: \"OO\",20,0\n C: \"OO\",10,20 }\n"
#define COLORS(numbers)                                                                            \
    "LayerElementColor: 0 { MappingInformationType: \"AllSame\"\n"                                 \
    "ReferenceInformationType: \"Direct\"\nColors: *4 { a: " numbers " } }\n"

/// They are sRGB; sets that are black are passed over.
Test(fbx, colors_of_vertices)
{
    static const struct {
        const char *text;
        float want[4]; ///< all 0: there are none
    } rows[] = {
        {BOX(COLORS("0.5,1,0,0.5"), ""), {0.2140411f, 1, 0, 0.5f}},
        {BOX(COLORS("0,0,0,0"), ""), {0}},
        {BOX(COLORS("0,0,0,0") COLORS("0,0,0,1") COLORS("0,2,0.04,1"), ""), {0, 1, 0.003096f, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        must_read(rows[i].text);
        cr_assert_eq(reader.model.materials[0].vertex_color, rows[i].want[3] > 0, "row %zu", i);
        const vertex_extra c = rows[i].want[3] > 0 ? *mesh()->extra : (vertex_extra){0};
        const float got[4] = {c.r, c.g, c.b, c.a};
        for (int k = 0; k < 4; k++)
            cr_expect_float_eq(got[k], rows[i].want[k], 1e-6f, "row %zu, %d", i, k);
    }
}

#define TURNED(properties)                                                                         \
    BOX("", P3("PreRotation", 0, 90, 0) P3("PostRotation", 0, 0, 90) P3("Lcl Rotation", 90, 0, 90) \
                P1("RotationOrder", 5) properties)

/// Order zyx and quarters before and after; else x turns first, and nothing before it.
Test(fbx, rotation_spaces_may_be_those_of_limits_alone)
{
    static const char *const texts[] = {TURNED(""), TURNED(P1("RotationSpaceForLimitOnly", 1)),
                                        TURNED(P1("RotationActive", 0))};
    for (int i = 0; i < 3; i++) {
        must_read(texts[i]);
        const dvec3 y = dvec3_scale(place(1, (dvec3){0.0, 1.0, 0.0}, -1.0), 100.0);
        expect_near(y, i == 0 ? 1.0 : 0.0, 0.0, i == 0 ? 0.0 : 1.0);
    }
}

/// Phong of all programs, and the shaders of Maya and 3ds Max.
Test(fbx, materials_have_the_properties_of_their_programs)
{
    static const struct {
        const char *head, *properties;
        float want[12]; ///< metallic, roughness, specular, colour and alpha, emission, coat's two
    } rows[] = {
        {"",
         P3("DiffuseColor", 1, 0.5, 0) P1("DiffuseFactor", 0.5) P1("TransparencyFactor", 0.5)
             P3("TransparentColor", 1, 0.5, 0) P1("Shininess", 25) P3("EmissiveColor", 1, 0.5, 0)
                 P1("EmissiveFactor", 2) P1("ReflectionFactor", 0.5),
         {0.0f, 0.5f, 1.0f, 0.5f, 0.25f, 0.0f, 0.75f, 2.0f, 1.0f, 0.0f, 0.0f, 0.0f}},
        {"",
         P3("DiffuseColor", 1, 2, -1) P1("TransparencyFactor", 1) P1("ShininessExponent", 4)
             P1("Shininess", 25) P3("EmissiveColor", 0.5, 0.25, 0),
         {0.0f, 0.8f, 1.0f, 1.0f, 1.0f, 0.0f, 1.0f, 0.5f, 0.25f, 0.0f, 0.0f, 0.0f}},
        {"Creator: \"Blender\"\n",
         P3("DiffuseColor", 1, 0, 0) P1("Opacity", 0.25) P1("TransparencyFactor", 0.5)
             P1("Shininess", 400) P1("ReflectionFactor", 0.5) P1("SpecularFactor", 0.125),
         {0.5f, 0.0f, 0.5f, 1.0f, 0.0f, 0.0f, 0.25f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f}},
        {"",
         P3("DiffuseColor", 1, 1, 1) P1("DiffuseFactor", 0.25) P3("Maya|baseColor", 1, 0.5, 0)
             P1("Maya|base", 0.5) P1("Maya|metalness", 0.75) P1("Maya|specularRoughness", 0.125)
                 P3("Maya|emissionColor", 1, 0, 0.5) P1("Maya|emission", 3) P1("Maya|coat", 0.5)
                     P1("Maya|coatRoughness", 0.25) P3("Maya|opacity", 0.5, 0.25, 0.75),
         {0.75f, 0.125f, 1.0f, 0.5f, 0.25f, 0.0f, 0.5f, 3.0f, 0.0f, 1.5f, 0.5f, 0.25f}},
        {"",
         P3("3dsMax|Parameters|base_color", 1, 0.5, 0) P1("3dsMax|Parameters|base_weight", 0.5)
             P1("3dsMax|Parameters|metalness", 0.75) P1("3dsMax|Parameters|roughness", 0.25) P1(
                 "3dsMax|Parameters|roughness_inv", 1) P3("3dsMax|Parameters|emit_color", 0, 1, 0)
                 P1("3dsMax|Parameters|emission", 2) P1("3dsMax|Parameters|coating", 0.5)
                     P1("3dsMax|Parameters|coat_roughness", 0.75),
         {0.75f, 0.75f, 1.0f, 0.5f, 0.25f, 0.0f, 1.0f, 0.0f, 2.0f, 0.0f, 0.5f, 0.75f}},
        {"",
         P1("3dsMax|Parameters|base_metalness", 0.75)
             P1("3dsMax|Parameters|specular_roughness", 0.25)
                 P3("3dsMax|Parameters|emission_color", 0, 1, 0)
                     P1("3dsMax|Parameters|emission_weight", 0.5)
                         P1("3dsMax|Parameters|coat_weight", 0.25) P3("DiffuseColor", 0, 1, 0),
         {0.75f, 0.25f, 1.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f, 0.5f, 0.0f, 0.25f, 0.0f}},
        {"",
         P3("3dsMax|main|baseColor", 0, 1, 0.5) P1("3dsMax|main|metalness", 0.25)
             P1("3dsMax|main|roughness", 0.5) P3("3dsMax|main|emit_color", 0, 0, 1),
         {0.25f, 0.5f, 1.0f, 0.0f, 1.0f, 0.5f, 1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f}},
        {"",
         P3("Maya|base_color", 0, 1, 0.5) P1("Maya|metallic", 0.25) P1("Maya|roughness", 0.5)
             P3("Maya|emissive", 0, 0, 1) P1("Maya|emissive_intensity", 0.5),
         {0.25f, 0.5f, 1.0f, 0.0f, 1.0f, 0.5f, 1.0f, 0.0f, 0.0f, 0.5f, 0.0f, 0.0f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        must_read_as(HEAD "%sObjects: { " SQUARE "}\n" MODEL "} }\n"
                          "Material: 30, \"Material::one\", \"\" { " PROPERTY "%s} } }\n"
                          "Connections: { C: \"OO\",20,0\n C: \"OO\",10,20\n C: \"OO\",30,20 }\n",
                     rows[i].head, rows[i].properties);
        const model_material *m = &reader.model.materials[0];
        float got[12] = {m->metallic, m->roughness, m->specular};
        for (int k = 0; k < 3; k++)
            got[7 + k] = m->emissive_factor[k] * m->emissive_strength;
        memcpy(got + 3, m->base_color, sizeof m->base_color);
        got[10] = m->extensions.clearcoat;
        got[11] = m->extensions.clearcoat_roughness;
        for (int k = 0; k < 12; k++)
            NEAR(got[k], rows[i].want[k], 1e-6f, "row %d, value %d", (int)i, k);
        cr_expect_eq(m->alpha == MODEL_BLEND, rows[i].want[6] < 1.0f);
    }
}

/// A node with an attribute below it, in centimetres.
static void read_lens(const char *type, const char *properties)
{
    must_read_as(HEAD "Objects: { Model: 21, \"Model::Eye\", \"%s\" { }\n"
                      "NodeAttribute: 31, \"NodeAttribute::\", \"%s\" { " PROPERTY "%s} } }\n"
                      "Connections: { C: \"OO\",21,0\n C: \"OO\",31,21 }\n",
                 type, type, properties);
}

/// In the model, the way that the last node looks: along its -z.
static dvec3 way_of_last(void)
{
    const uint32_t last = reader.model.node_count - 1;
    return dvec3_scale(dvec3_sub(place(last, (dvec3){0.0, 0.0, -1.0}, -1.0),
                                 place(last, (dvec3){0.0, 0.0, 0.0}, -1.0)),
                       100.0);
}

/// Cameras look along +x. Their angle is given as it is, by the other one, or by film and lens.
Test(fbx, cameras)
{
    static const struct {
        const char *properties;
        double half, aspect, near_m, y_mag; ///< half: tangent of half the vertical angle
        bool orthographic;
    } rows[] = {
        {"", 0.2226104, 16.0 / 9.0, 0.1, 0.15, false},
        {P1("ApertureMode", 0) P1("FieldOfView", 60) P1("FieldOfViewY", 90), 1.0, 16.0 / 9.0, 0.1,
         0.15, false},
        {P1("ApertureMode", 1) P1("FieldOfView", 90) P1("AspectWidth", 4) P1("AspectHeight", 2),
         0.5, 2.0, 0.1, 0.15, false},
        {P1("ApertureMode", 3) P1("FilmWidth", 2) P1("FocalLength", 25.4) P1("AspectWidth", 4)
             P1("AspectHeight", 2) P1("NearPlane", 50),
         0.5, 2.0, 0.5, 0.15, false},
        {P1("CameraProjectionType", 1) P1("OrthoZoom", 2) P1("FieldOfView", 90), 1.0, 16.0 / 9.0,
         0.1, 0.3, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        read_lens("Camera", rows[i].properties);
        const model_camera *c = &reader.model.cameras[0];
        cr_assert(reader.model.camera_count == 1 && c->orthographic == rows[i].orthographic);
        cr_expect_float_eq(tan(0.5 * (double)c->fov_y_rad), rows[i].half, 2e-6, "row %d", (int)i);
        cr_expect_float_eq(c->aspect, rows[i].aspect, 1e-6, "row %d", (int)i);
        cr_expect_float_eq(c->near_m, rows[i].near_m, 1e-7, "row %d", (int)i);
        cr_expect_float_eq(c->y_mag, rows[i].y_mag, 1e-7, "row %d", (int)i);
        cr_expect_float_eq(c->x_mag, rows[i].y_mag * rows[i].aspect, 1e-6, "row %d", (int)i);
        expect_near(way_of_last(), 1.0, 0.0, 0.0);
    }
    read_lens("Camera", P1("Roll", 90)); // its upper side is where its right one was
    const uint32_t last = reader.model.node_count - 1;
    expect_near(way_of_last(), 1.0, 0.0, 0.0);
    expect_near(dvec3_scale(place(last, (dvec3){0.0, 1.0, 0.0}, -1.0), 100.0), 0.0, 0.0, 1.0);
}

/// Lights look along -y; cones are whole angles.
Test(fbx, lights)
{
    static const struct {
        const char *properties;
        model_light_kind kind;
        double intensity, inner_deg, outer_deg; ///< intensity: of pi
    } rows[] = {
        {"", MODEL_LIGHT_POINT, 1.0, 0.0, 22.5},
        {P1("LightType", 1) P1("Intensity", 50), MODEL_LIGHT_DIRECTIONAL, 0.5, 0.0, 22.5},
        {P1("LightType", 2) P1("OuterAngle", 60) P1("InnerAngle", 30) P1("Cone angle", 90),
         MODEL_LIGHT_SPOT, 1.0, 15.0, 30.0},
        {P1("LightType", 2) P1("Cone angle", 90) P1("InnerAngle", 100) P1("Intensity", -1),
         MODEL_LIGHT_SPOT, 0.0, 44.95, 45.0},
    };
    const double pi = 3.14159265358979;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PRINTED(text, 512, "%s" P3("Color", 0.5, 2, -1), rows[i].properties);
        read_lens("Light", text);
        const model_light *l = &reader.model.lights[0];
        cr_assert(reader.model.light_count == 1 && l->kind == rows[i].kind, "row %d", (int)i);
        cr_expect_float_eq(l->intensity, rows[i].intensity * pi, 1e-6, "row %d", (int)i);
        cr_expect_float_eq(l->inner_rad, rows[i].inner_deg * pi / 180.0, 1e-6, "row %d", (int)i);
        cr_expect_float_eq(l->outer_rad, rows[i].outer_deg * pi / 180.0, 1e-6, "row %d", (int)i);
        cr_expect(l->color[0] == 0.5f && l->color[1] == 1.0f && l->color[2] == 0.0f);
        expect_near(way_of_last(), 0.0, -1.0, 0.0);
    }
}

#define CURVE(id, times, values, flags)                                                            \
    "AnimationCurve: " #id ", \"AnimCurve::\", \"\" { KeyTime: *2 { a: " times " }\n"              \
    "KeyValueFloat: *2 { a: " values " }\nKeyAttrFlags: *1 { a: " flags " }\n"                     \
    "KeyAttrDataFloat: *4 { a: 0,0,0,0 }\nKeyAttrRefCount: *1 { a: 2 } }\n"
#define SECOND "0,46186158000"
#define MOVED_FILE(pivot, property, stack, curves, links)                                          \
    HEAD "Objects: { " SQUARE "}\n" MODEL pivot "} }\n" stack                                      \
         "AnimationCurveNode: 42, \"AnimCurveNode::T\", \"\" { }\n" curves "}\n"                   \
         "Connections: { C: \"OO\",20,0\n C: \"OO\",10,20\n C: \"OO\",41,40\n"                     \
         "C: \"OO\",42,41\n C: \"OP\",42,20, \"" property "\"\n" links "}\n"
#define STACK                                                                                      \
    "AnimationStack: 40, \"AnimStack::Take\", \"\" { " PROPERTY                                    \
    "P: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000\n} }\n"                               \
    "AnimationLayer: 41, \"AnimLayer::Base\", \"\" { }\n"

/// Half a turn about a pivot: the way of the origin is an arc, not a line.
Test(fbx, turns_about_a_pivot_are_sampled)
{
    must_read(MOVED_FILE(P3("RotationPivot", 1, 0, 0), "Lcl Rotation", STACK,
                         CURVE(43, SECOND, "0,180", "4"), "C: \"OP\",43,42, \"d|Z\"\n"));
    const model_clip *clip = &reader.model.clips[0];
    cr_assert(reader.model.clip_count == 1 && clip->start_s == 0.0f && clip->end_s == 1.0f);
    for (int i = 0; i <= 20; i++) {
        const double t = i / 20.0, angle = 3.14159265358979 * t;
        expect_near(dvec3_scale(place(1, (dvec3){0.0, 0.0, 0.0}, t), 100.0), 1.0 - cos(angle),
                    -sin(angle), 0.0);
    }
}

/// 100 bones with 100 such keys of nine curves are a file of less than 4 MB.
Test(fbx, cubic_keys_are_not_too_much_work)
{
    must_read(MOVED_FILE("", "Lcl Rotation", STACK, CURVE(43, SECOND, "0,17", "1032"),
                         "C: \"OP\",43,42, \"d|X\"\n C: \"OP\",43,42, \"d|Y\"\n"
                         "C: \"OP\",43,42, \"d|Z\"\n"));
    cr_expect_leq(reader.memory.work->steps, (uint64_t)WORK_PER_BYTE * WORK_BYTES_MIN / 3 / 10000);
}

/// Keys of curves have turns, poses do not.
Test(fbx, whole_turns_between_two_keys)
{
    static const int totals[] = {360, 990, 1300, 1440, -1440, 1500, 2700, 2880, 36000};
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
        PRINTED(text, 4096,
                MOVED_FILE("", "Lcl Rotation", STACK, CURVE(43, SECOND, "0,%d", "4"),
                           "C: \"OP\",43,42, \"d|Z\"\n"),
                totals[i]);
        must_read(text);
        for (int k = 0; k <= 50; k++) {
            const double time_s = (double)(float)(k / 50.0), angle = totals[i] * time_s;
            const dvec3 x = dvec3_scale(place(1, (dvec3){1.0, 0.0, 0.0}, time_s), 100.0);
            const double turned = 180.0 / 3.14159265358979 * atan2(x.y, x.x) - angle;
            const double off = turned - 360.0 * round(turned / 360.0);
            cr_expect_lt(fabs(off), 0.1, "%d at %g: %g off", totals[i], time_s, off);
        }
        cr_expect_eq(reader.warnings, 0, "%d: %s", totals[i], reader.last_warning);
    }
    must_warn(MOVED_FILE("", "Lcl Rotation", STACK, CURVE(43, SECOND, "0,50000", "4"),
                         "C: \"OP\",43,42, \"d|Z\"\n"),
              "turns a node more than 128 times between two keys");
}

/// A step, a line, and a slope of 0 at both ends.
Test(fbx, keys_go_on_as_their_flags_say)
{
    static const struct {
        const char *flags;
        double at_begin, at_quarter, at_half; ///< at_begin: 1 us behind it
    } kinds[] = {{"2", 0.0, 0.0, 0.0},
                 {"258", 8.0, 8.0, 8.0},
                 {"4", 0.0, 2.0, 4.0},
                 {"1032", 0.0, 1.25, 4.0}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        must_read_as(MOVED_FILE("", "Lcl Translation", STACK, CURVE(43, SECOND, "0,8", "%s"),
                                "C: \"OP\",43,42, \"d|X\"\n"),
                     kinds[i].flags);
        const dvec3 zero = {0.0, 0.0, 0.0};
        expect_near(dvec3_scale(place(1, zero, 1e-6), 100.0), kinds[i].at_begin, 0.0, 0.0);
        expect_near(dvec3_scale(place(1, zero, 0.25), 100.0), kinds[i].at_quarter, 0.0, 0.0);
        expect_near(dvec3_scale(place(1, zero, 0.5), 100.0), kinds[i].at_half, 0.0, 0.0);
        expect_near(dvec3_scale(place(1, zero, 1.0), 100.0), 8.0, 0.0, 0.0);
    }
}

#define SCALED(values, flags, objects, links)                                                      \
    MOVED_FILE("", "Lcl Scaling", STACK "Model: 22, \"Model::Low\", \"Null\" { }\n" objects,       \
               CURVE(43, SECOND, values, flags),                                                   \
               "C: \"OP\",43,42, \"d|X\"\n C: \"OO\",22,20\n" links)
/// Models below one that moves its scale get a node for it: by a value, a slope, or a layer that
/// adds 1; not below one that stays at 1.
Test(fbx, scales_that_stay_need_no_node)
{
    static const char *const texts[] = {
        SCALED("1,1", "4", "", ""), SCALED("1,2", "4", "", ""),
        SCALED("1,1", "1032 }\nKeyAttrDataFloat: *4 { a: 5,5,0,0", "", ""),
        SCALED("1,1", "4",
               "AnimationLayer: 46, \"\", \"\" { " PROPERTY P1(
                   "ScaleAccumulationMode",
                   1) "} }\nAnimationCurveNode: 47, \"\", \"\" { " PROPERTY P1("d|X", 1) "} }\n",
               "C: \"OO\",46,40\n C: \"OO\",47,46\n C: \"OP\",47,20, \"Lcl Scaling\"\n")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        must_read(texts[i]);
        cr_expect_eq(reader.model.node_count, i > 0 ? 4u : 3u, "row %zu", i);
    }
}

/// A stack without a span of its own has that of the keys of all axes, in seconds.
Test(fbx, clips_span_their_keys)
{
    static const char text[] = MOVED_FILE("", "Lcl Translation",
                                          "AnimationStack: 40, \"AnimStack::Take\", \"\" { }\n"
                                          "AnimationLayer: 41, \"AnimLayer::Base\", \"\" { }\n",
                                          CURVE(43, "46186158000,92372316000", "0,8", "4")
                                              CURVE(44, "23093079000,138558474000", "0,8", "4")
                                                  CURVE(45, "34639618500,69279237000", "0,8", "4"),
                                          "C: \"OP\",43,42, \"d|X\"\n C: \"OP\",44,42, \"d|Y\"\n"
                                          "C: \"OP\",45,42, \"d|Z\"\n");
    must_read(text);
    const model_clip *clip = &reader.model.clips[0];
    cr_assert(reader.model.clip_count == 1 && clip->start_s == 0.5f && clip->end_s == 3.0f);
    expect_near(dvec3_scale(place(1, (dvec3){0.0, 0.0, 0.0}, 1.25), 100.0), 2.0, 2.4, 16.0 / 3.0);
    must_bear_limits(text, strlen(text), 1024);
}

/// Along each axis.
Test(fbx, keys_that_are_too_large_move_nothing)
{
    for (int i = 0; i < 6; i++) {
        PRINTED(text, 4096,
                MOVED_FILE("", "Lcl %s", STACK, CURVE(43, SECOND, "0,1e33", "4"),
                           "C: \"OP\",43,42, \"d|%c\"\n"),
                i < 3 ? "Translation" : "Scaling", 'X' + i % 3);
        must_warn(text, "clip 'Take' has values that are too large: a node stands still");
        cr_expect_eq(reader.model.clip_count, 0u);
    }
}

/// A parent twice as large along x: by RSrs a child inherits a shear, by RrSs the factor, by Rrs no
/// scale. The child is turned by a quarter about z, and one away.
Test(fbx, inherit_types_say_how_scales_pass)
{
    for (int type = 0; type < 3; type++) {
        char text[4096];
        snprintf(
            text, sizeof text,
            HEAD "Objects: { Model: 21, \"Model::Up\", \"Null\" { " PROPERTY P3(
                "Lcl Scaling", 2, 1, 1) "} }\n" SQUARE "}\n" MODEL P3("Lcl Translation", 1, 0, 0)
                P3("Lcl Rotation", 0, 0, 90) "P: \"InheritType\", \"enum\", \"\", \"\",%d\n"
                                             "} } }\nConnections: { C: \"OO\",21,0\n"
                                             "C: \"OO\",20,21\n C: \"OO\",10,20 }\n",
            type);
        must_read(text);
        const zt_model *m = &reader.model;
        uint32_t node = m->node_count;
        while (node > 0 && m->nodes[node - 1].mesh < 0)
            node--;
        cr_assert_gt(node, 0u);
        const dvec3 origin = dvec3_scale(place(node - 1, (dvec3){0.0, 0.0, 0.0}, -1.0), 100.0);
        const dvec3 x = dvec3_scale(place(node - 1, (dvec3){1.0, 0.0, 0.0}, -1.0), 100.0);
        const dvec3 y = dvec3_scale(place(node - 1, (dvec3){0.0, 1.0, 0.0}, -1.0), 100.0);
        expect_near(origin, 2.0, 0.0, 0.0);
        // RSrs: the parent's x, which the child's y is along, is twice as long. RrSs: the child's
        // x.
        expect_near(dvec3_sub(x, origin), 0.0, type == 0 ? 2.0 : 1.0, 0.0);
        expect_near(dvec3_sub(y, origin), type == 1 ? -2.0 : -1.0, 0.0, 0.0);
    }
}

/// Version 6 names objects where 7 numbers them, has geometry in models, and takes.
Test(fbx, version_six_is_read)
{
    must_read("; FBX 6.1.0 project file\nFBXHeaderExtension: { FBXVersion: 6100 }\n"
              "Objects: { Model: \"Model::Box\", \"Mesh\" {\n"
              "Properties60: { Property: \"Lcl Translation\", \"Lcl Translation\", \"A+\",1,2,3 }\n"
              "Vertices: 0,0,0,1,0,0,1,1,0\nPolygonVertexIndex: 0,1,-3\n"
              "Shape: \"Frown\" { Indexes: 0\n Vertices: 0,0,1 }\n"
              "Shape: \"Smile\" { Indexes: 1\n Vertices: 0,0,1 } } }\n"
              "Connections: { Connect: \"OO\", \"Model::Box\", \"Model::Scene\" }\n"
              "Takes: { Take: \"Run\" { LocalTime: 0,46186158000\n Model: \"Model::Box\" {\n"
              "Channel: \"Transform\" { Channel: \"T\" { Channel: \"X\" { Default: 1\n"
              "Key: 0,1,L,46186158000,3,L } Channel: \"Y\" { Default: 2 } } }\n"
              "Channel: \"Visibility\" { Default: 1\nKey: 0,1,L,46186158000,0,L }\n"
              "Channel: \"Smile\" { Default: 30\nKey: 0,20,L,46186158000,80,L } } } }\n");
    cr_expect(strstr(reader.last_warning, "'Visibility'"), "%s", reader.last_warning);
    const zt_model *m = &reader.model;
    cr_assert(m->triangle_count == 1 && m->clip_count == 1);
    cr_assert_str_eq(m->clips[0].name, "Run");
    expect_near(dvec3_scale(place(1, (dvec3){0.0, 0.0, 0.0}, -1.0), 100.0), 1.0, 2.0, 3.0);
    expect_near(dvec3_scale(place(1, (dvec3){0.0, 0.0, 0.0}, 0.5), 100.0), 2.0, 2.0, 3.0);
    uint32_t found = 0;
    for (uint32_t i = 0; i < m->clips[0].channel_count; i++) {
        const model_channel *c = &m->clips[0].channels[i];
        if (c->path != MODEL_WEIGHTS)
            continue;
        found++;
        cr_assert(c->key_count == 2 && c->time_s[1] == 1.0f);
        const float want[4] = {0.0f, 0.2f, 0.0f, 0.8f}; // the first shape rests
        for (int k = 0; k < 4; k++)
            cr_expect_float_eq(c->value[k], want[k], 1e-6f, "%d: %g", k, (double)c->value[k]);
    }
    cr_expect_eq(found, 1u);
}

Test(fbx, mistakes)
{
    must_fail_as("; FBX\nFBXHeaderExtension: { FBXVersion: 5000 }\n", ZT_ERR_UNSUPPORTED,
                 "older than version 6");
    must_fail("; FBX\nObjects: { }\n", "no FBXHeaderExtension");
    must_fail(HEAD "Objects: { Geometry: 1, \"a\n", "a.fbx:3:25: a text");
    must_fail(HEAD "Objects: { Vertices: *3 { a: 1,2", "expected '}'");
    must_fail(HEAD "Objects: { Vertices: *9999999 { a: 1 } }", "array");
    must_fail(HEAD "Objects: { Vertices: 1,2x }", "a.fbx:3:24: found '2x' (expected a number");
}

Test(fbx, odd_links_and_indices_are_passed_over)
{
    must_read(HEAD "Objects: { Geometry: 10, \"Geometry::\", \"Mesh\" {\n"
                   "Vertices: *12 { a: 0,0,0, 1,0,0, 1,1,0, 0,1,1e300 }\n"
                   "PolygonVertexIndex: *12 { a: 0,1,-3, 0,1,-4, 0,9,-2, 0,-2, 1 } }\n" MODEL
                   "} }\nModel: 21, \"Model::Loop\", \"Null\" { }\n"
                   "Model: 22, \"Model::Loop\", \"Null\" { } }\n"
                   "Connections: { C: \"OO\",20,0\n C: \"OO\",10,20\n C: \"OO\",21,22\n"
                   "C: \"OO\",22,21\n C: \"OO\",99,20\n C: \"OO\" }\n");
    cr_assert_eq(reader.model.triangle_count, 1);
    cr_assert_eq(reader.model.node_count, 4);
    cr_assert(strstr(reader.last_warning, "2 polygons have a corner"), "%s", reader.last_warning);
}

#define VIDEO(id, name, bytes)                                                                     \
    "Video: " #id ", \"Video::\", \"Clip\" { RelativeFilename: \"" name "\"\nContent: , "          \
    "\"" bytes "\"\n}\n"
#define ONE                                                                                        \
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mM4kWIEAANWAV/W6lf+AAAAAElFTkSuQmCC"
#define TWO                                                                                        \
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mM4kWIERAAKxQK99gCKxQAAAABJRU5Erk"   \
    "Jggg=="
#define TEXTURE(id, properties)                                                                    \
    "Texture: " #id ", \"Texture::\", \"\" { " PROPERTY properties "} }\n"
#define MAPS(layers, properties, textures, links)                                                  \
    HEAD "Objects: { " SQUARE layers "}\n" MODEL "} }\n"                                           \
         "Material: 30, \"Material::one\", \"\" { " PROPERTY properties                            \
         "} }\nMaterial: 31, \"Material::two\", \"\" { }\n" textures VIDEO(50, "one.png", ONE)     \
             VIDEO(51, "two.png", TWO) "}\nConnections: { C: \"OO\",20,0\n C: \"OO\",10,20\n"      \
                                       "C: \"OO\",30,20\n C: \"OO\",31,20\n C: \"OO\",50,40\n C: " \
                                       "\"OO\",51,41\n" links "}\n"
#define MAP(texture, property) "C: \"OP\"," #texture ",30, \"" property "\"\n"

/// Two pictures inside of the file, of 1 and of 2 texels, below their own names. Factors scale
/// maps, but a weight with a map of its own is 1. Opacity stays with a map of colours, and a colour
/// with one of opacity.
Test(fbx, pictures_inside_of_the_file_are_found_by_their_names)
{
    must_read(MAPS("",
                   P1("Opacity", 0.25) P3("EmissiveColor", 0.5, 0, 1) P1("EmissiveFactor", 0.25)
                       P1("DiffuseFactor", 0.75),
                   TEXTURE(40, "") TEXTURE(41, ""),
                   MAP(40, "EmissiveColor") MAP(41, "DiffuseColor")));
    const model_texture *textures = reader.model.textures;
    const model_material *m = &reader.model.materials[0];
    cr_assert(m->base_map.texture >= 0 && m->emissive_map.texture >= 0, "%s", reader.last_warning);
    for (int k = 0; k < 3; k++)
        cr_expect_eq(m->emissive_factor[k] * m->emissive_strength, 0.25f);
    cr_expect_eq(textures[m->base_map.texture].mipmap.level[0].width, 2);
    cr_expect_eq(textures[m->emissive_map.texture].mipmap.level[0].width, 1);
    cr_expect(m->base_color[0] == 0.75f && m->base_color[2] == 0.75f && m->base_color[3] == 0.25f);
    must_warn(MAPS("", P1("EmissiveFactor", 0) P3("DiffuseColor", 1, 0.5, 0),
                   TEXTURE(40, "") TEXTURE(41, ""),
                   MAP(40, "EmissiveColor") MAP(41, "EmissiveFactor") MAP(41, "TransparentColor")),
              "maps of 'EmissiveFactor' are not shown");
    m = &reader.model.materials[0];
    cr_expect(m->emissive_factor[0] == 1.0f && m->base_map.texture >= 0 &&
              m->base_color[1] == 0.5f);
    must_read(MAPS(COLORS("0.5,1,0,0.5"), "", TEXTURE(41, ""), MAP(41, "TransparentColor")));
    cr_expect(reader.model.materials[0].vertex_color);
    must_read(MAPS(COLORS("0.5,1,0,0.5"), "", TEXTURE(41, ""), MAP(41, "DiffuseColor")));
    cr_expect_not(reader.model.materials[0].vertex_color);
    must_warn(MAPS("", "", TEXTURE(40, "") TEXTURE(41, ""), MAP(40, "NormalMap") MAP(41, "Bump")),
              "maps of 'Bump' are not shown");
}

#define MOVED_BY(properties, property, values)                                                     \
    MOVED_FILE(properties, property, STACK, CURVE(43, SECOND, values, "4"),                        \
               "C: \"OP\",43,42, \"d|Y\"\n")
Test(fbx, what_moves_a_picture_and_is_not_read_is_named)
{
    must_warn(MOVED_FILE(P1("RotationActive", 1) P1("RotationMinZ", 1), "Lcl Rotation", STACK,
                         CURVE(43, SECOND, "0,-9", "4"), "C: \"OP\",43,42, \"d|Z\"\n"),
              "RotationMinZ of 'Box' is not read");
    must_warn(MOVED_BY("", "Visibility", "1,0"), "clips move the property 'Visibility'");
    must_warn(MOVED_BY(P3("Color", 5, 1, 5), "Color", "2,2"), "clips move the property 'Color'");
    must_warn(MOVED_BY(P3("Color", 5, 1, 5), "Color", "1,1"), NULL);
    must_warn(MOVED_BY("", "Visibility", "1,1"), NULL);
    must_warn(MOVED_BY("", "Visibility", "0,0"), "clips move the property 'Visibility'");
    must_warn(MOVED_FILE("", "",
                         STACK "AnimationCurveNode: 44, \"\", \"\" { " PROPERTY P1("d|Visibility",
                                                                                   0) "} }\n",
                         "", "C: \"OO\",44,41\n C: \"OP\",44,20, \"Visibility\"\n"),
              "clips move the property 'Visibility'");
    must_warn(MOVED_FILE("", "Color", STACK,
                         CURVE(43, SECOND, "0,1", "4") CURVE(44, SECOND, "1,1", "4"),
                         "C: \"OP\",43,42, \"d|a\"\n C: \"OP\",44,42, \"d|b\"\n"),
              "clips move the property 'Color'");
    must_warn(MOVED_FILE("", "", STACK "NodeAttribute: 45, \"\", \"CameraSwitcher\" { }\n",
                         CURVE(43, SECOND, "1,2", "4"),
                         "C: \"OP\",43,42, \"d|Index\"\n C: \"OP\",42,45, \"Camera Index\"\n"),
              "clips move the property 'Camera Index'");
    must_warn(MOVED_BY("P: \"lock\", \"Bool\", \"\", \"A+U\",1\n", "lock", "1,0"), NULL);
    must_warn(MAPS("", "", TEXTURE(40, "") "Node: 42, \"\", \"\" { }\n",
                   "C: \"OO\",40,42\n" MAP(42, "SpecularColor")),
              "maps of 'SpecularColor'");
    must_warn(MAPS("", "", TEXTURE(40, "") TEXTURE(41, ""),
                   MAP(40, "DiffuseColor") MAP(41, "DiffuseColor")),
              "maps of 'DiffuseColor'");
    must_warn(MAPS("", "", TEXTURE(40, "") TEXTURE(41, "") "LayeredTexture: 42, \"\", \"\" { }\n",
                   "C: \"OO\",40,42\n C: \"OO\",41,42\n" MAP(42, "DiffuseColor")),
              "of the textures of '' the first is shown");
    must_warn(MAPS("", P1("TransparencyFactor", 0.5), TEXTURE(40, ""), MAP(40, "TransparentColor")),
              "TransparencyFactor: 0.5 of material 'one' is not shown");
}

#define LAID(properties) MAPS("", "", TEXTURE(40, properties), MAP(40, "DiffuseColor"))

/// Where the middle of a side, (0.25, 0.5), is in the picture; v grows upwards.
Test(fbx, textures_are_scaled_turned_moved_and_swapped)
{
    static const struct {
        const char *text;
        double u, v;
    } rows[] = {
        {LAID(P3("Scaling", 2, 4, 1)), 0.5, 2.0},
        {LAID(P3("Translation", 0.25, 0.5, 0)), 0.5, 1.0},
        {LAID(P3("Rotation", 0, 0, 90)), -0.5, 0.25},
        {LAID(P3("Rotation", 0, 0, 90) P3("Scaling", 2, 4, 1) P3("Translation", 1, 2, 0)), -1, 2.5},
        {LAID(P3("Rotation", 0, 0, -90) P3("TextureRotationPivot", 0.5, 0.5, 0)), 0.5, 0.75},
        {LAID(P3("Scaling", 2, 4, 1) P3("TextureScalingPivot", 0.5, 0.5, 0)), 0.0, 0.5},
        {LAID(P1("UVSwap", 1)), 0.5, 0.25},
        {LAID(P1("UVSwap", 1) P3("Scaling", 2, 4, 1) P3("Rotation", 0, 0, 90)), -1.0, 1.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        must_read(rows[i].text);
        const model_slot *slot = &reader.model.materials[0].base_map;
        const float *m = slot->uv_from_uv;
        const float u = (m[0] * 0.25f + m[1] * 0.5f) + m[2],
                    v = (m[3] * 0.25f + m[4] * 0.5f) + m[5];
        cr_assert(slot->texture >= 0 && slot->transformed, "row %zu", i);
        cr_expect(fabs((double)u - rows[i].u) < 1e-6 && fabs(1.0 - (double)v - rows[i].v) < 1e-6,
                  "row %zu: %g %g", i, (double)u, 1.0 - (double)v);
    }
}

#define LAYER(name, u)                                                                             \
    "LayerElementUV: 0 { Name: \"" name "\"\nMappingInformationType: \"AllSame\"\n"                \
    "ReferenceInformationType: \"Direct\"\nUV: *2 { a: " #u ",0 } }\n"
#define UV_SET(name) "P: \"UVSet\", \"KString\", \"\", \"\", \"" name "\"\n"
#define SETS(base, glow, normal)                                                                   \
    MAPS(LAYER("a", 0.25) LAYER("b", 0.5) LAYER("c", 0.75), "",                                    \
         TEXTURE(40, base) TEXTURE(41, glow) TEXTURE(42, normal) TEXTURE(43, UV_SET("b")),         \
         "C: \"OO\",50,42\n C: \"OO\",50,43\n C: \"OP\",43,31, \"DiffuseColor\"\n" MAP(            \
             40, "DiffuseColor") MAP(41, "EmissiveColor") MAP(42, "NormalMap"))

/// Two of three sets; another material has the others.
Test(fbx, textures_name_their_sets_of_coordinates)
{
    static const struct {
        const char *text;
        int set[3]; ///< of colours, emission, normals
        float u[2];
    } rows[] = {
        {SETS("", "", UV_SET("default")), {0, 0, 0}, {0.25f, 0.5f}},
        {SETS(UV_SET("c"), "", UV_SET("c")), {0, 1, 0}, {0.75f, 0.25f}},
        {SETS(UV_SET("none"), UV_SET("c"), UV_SET("c")), {0, 1, 1}, {0.25f, 0.75f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        must_read(rows[i].text);
        const model_material *m = &reader.model.materials[0];
        const int sets[3] = {m->base_map.uv_set, m->emissive_map.uv_set, m->normal_map.uv_set};
        for (int k = 0; k < 3; k++)
            cr_expect_eq(sets[k], rows[i].set[k], "row %zu, map %d", i, k);
        cr_expect_eq(mesh()->attributes[0].u, rows[i].u[0], "row %zu", i);
        cr_expect_eq(mesh()->extra[0].u1, rows[i].u[1], "row %zu", i);
    }
    must_warn(SETS(UV_SET("a"), UV_SET("b"), UV_SET("c")),
              "material 'one' has maps by more than two sets of texture coordinates: 'c'");
    must_bear_limits(rows[1].text, strlen(rows[1].text), 2048);
}
