// SPDX-License-Identifier: MIT
/// Worlds far from zero look as they do at zero: models by their nodes, skins, clips, lights and
/// cameras; scenes by all places that they name; files of all formats.
#include "drawing.h"
#include "package.h"
#include "scene/scene_ik.h"
#include "test_folder.h"

/// Two triangles; indices at 48, joints at 64, weights at 80, the times 0 and 1 at 144, zeros.
#define BYTES                                                                                      \
    "AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAACAPwAAgD8AAAAAAACAvwAAgD8AAAAAAAABAAIAAAACAAMAAAAAAAAA"     \
    "AAAAAAAAAQAAAAEAAAAAAIA/AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/"     \
    "AAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAA"

/// A site below a root that turns z up and scales by two, with a square, a lamp and a camera; next
/// to it two joints, which bend another square. A clip holds the root as it is at rest.
static const char model_text[] =
    "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[8,6]}],"
    "'extensionsUsed':['KHR_lights_punctual'],'extensions':{'KHR_lights_punctual':{'lights':["
    "{'type':'point','intensity':400}]}},"
    "'nodes':[{'rotation':[-0.70710678,0,0,0.70710678],'scale':[2,2,2],'children':[1,4]},"
    "{'translation':[%.9f,%.9f,0.4],'children':[2,3,7]},"
    "{'mesh':0,'translation':[0,0,2],'rotation':[0.5,0,0,0.8660254]},"
    "{'translation':[1,-3,3],'extensions':{'KHR_lights_punctual':{'light':0}}},"
    "{'translation':[%.9f,%.9f,1],'children':[5]},{'translation':[0,0,1]},"
    "{'mesh':1,'skin':0},{'camera':0,'translation':[0.5,-6,1.5],'rotation':[0.70710678,0,0,"
    "0.70710678]},{'children':[0]}],'animations':[{'channels':[{'sampler':0,'target':{'node':8,"
    "'path':'rotation'}}],'samplers':[{'input':4,'output':5,'interpolation':'CUBICSPLINE'}]}],"
    "'cameras':[{'type':'perspective','perspective':{'yfov':0.9,'znear':0.1,'zfar':100}}],"
    "'skins':[{'joints':[4,5]}],'materials':[{'doubleSided':true,'pbrMetallicRoughness':{"
    "'baseColorFactor':[0.9,0.5,0.2,1],'metallicFactor':0,'roughnessFactor':0.6}}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1,'material':0}]},"
    "{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':2,'WEIGHTS_0':3},'indices':1,"
    "'material':0}]}],"
    "'accessors':[<0 float VEC3 4,'min':[-1,-1,0],'max':[1,1,0]>,<1 u16 SCALAR 6>,<2 u8 VEC4 4>,"
    "<3 float VEC4 4>,<4 float SCALAR 1,'min':[0],'max':[0]>,<5 float VEC4 3>],"
    "'bufferViews':[<48>,<48+12>,<64+16>,<80+64>,<144+8>,<120+48>],"
    "'buffers':[{'byteLength':168,'uri':'data:application/octet-stream;base64," BYTES "'}]}";

TestSuite(origin, .init = test_folder_make, .fini = test_folder_remove_all);

static zt_scene *far_model(double x, double y, const zt_shot_def *shot)
{
    PRINTED(text, sizeof model_text + 200, model_text, x + 0.3, y - 0.7, x + 1.5, y - 0.5);
    return load_scene(test_folder_glb("far.glb", text, NULL, 0), shot);
}

/// Pictures differ by rounding alone: by fractions of a code, at few edges by more.
static void check_same(const char *what, zt_scene *near, zt_scene *far)
{
    OWN_IMAGE a = draw_frame(NULL, near, 0), b = draw_frame(NULL, far, 0);
    int different = 0, shown = 0, sum = 0;
    for (size_t i = 0; i < (size_t)a.width * (size_t)a.height * 4; i++) {
        sum += abs(a.rgba8[i] - b.rgba8[i]);
        different += abs(a.rgba8[i] - b.rgba8[i]) > 16;
        shown += i % 4 == 3 && a.rgba8[i] > 0;
    }
    cr_expect(shown > a.width * a.height / 20, "%s: %d pixels are shown", what, shown);
    cr_expect(different <= a.width * a.height / 500, "%s: %d values differ", what, different);
    cr_expect(sum < a.width * a.height * 4 / 10, "%s: by %d in all", what, sum);
    zt_scene_destroy(near);
    zt_scene_destroy(far);
}

static zt_shot_def small_shot(void)
{
    zt_shot_def shot = sized_shot(128, 128);
    shot.background = "transparent";
    return shot;
}

Test(origin, models_far_away)
{
    static const double places[][2] = {{432107.0, -5411894.0}, {1e8, -1e8}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        zt_shot_def shot = small_shot();
        check_same("", far_model(0.0, 0.0, &shot), far_model(places[i][0], places[i][1], &shot));
        shot.camera = "0";
        shot.light = "file";
        check_same("", far_model(0.0, 0.0, &shot), far_model(places[i][0], places[i][1], &shot));
    }
}

static zt_scene *far_scene(double x, double z)
{
    return load_scene_text(
        "output: { size: [128, 128], frames: 0-9, background: transparent }\n"
        "models:\n"
        "  - name: walker\n"
        "    file: " ZT_SOURCE_DIR "/scenes/models/walker.glb\n"
        "    transform: { translate: [[0, [%.9f, 0, %.9f]], [1, [%.9f, 0, %.9f]]],"
        " rotate: [0, 30, 0] }\n"
        "    ik:\n"
        "      - { reach: { bones: [upper_arm_l, lower_arm_l, hand_l],"
        " target: [%.9f, 1.3, %.9f] } }\n"
        "      - { plant: { pelvis: pelvis, feet: [[thigh_l, calf_l, foot_l],"
        " [thigh_r, calf_r, foot_r]], ground: { heights: [[0, 0], [0.1, 0.2]],"
        " first: [%.9f, %.9f], step: [4, 0.5] } } }\n"
        "lights:\n"
        "  - { spot: { position: [%.9f, 3, %.9f], target: [%.9f, 1, %.9f], candela: 60,"
        " shadow: true } }\n"
        "ground: plane\n"
        "camera: { look_at: { position: [%.9f, 1.5, %.9f], target: [%.9f, 0.9, %.9f] },\n"
        "  focus: [%.9f, 0, 0] }\n",
        x + 0.1, z, x + 0.2, z, x + 0.3, z + 0.5, x - 1.9, z - 0.25, x + 2.0, z + 3.0, x, z,
        x + 1.0, z + 4.0, x, z, x);
}

Test(origin, scenes_far_away)
{
    zt_scene *far = far_scene(432107.3, -5411894.7);
    const scene_terrain *terrain = &far->instances[0].ik[1].terrain; // its model is at x + 0.1
    cr_expect(fabs(terrain->first[0] + 2.0) + fabs(terrain->first[1] + 0.25) < 1e-6);
    cr_expect_float_eq(far->blur.focus_point.at.value[0], -0.1, 1e-6);
    check_same("", far_scene(0.0, 0.0), far);
    check_same("", far_scene(0.0, 0.0), far_scene(1e8, -1e8));
}

Test(origin, points_of_flags_are_those_of_the_file)
{
    zt_shot_def shot = small_shot();
    shot.look_at = "0.3,2.8,1.4";
    zt_scene *near = far_model(0.0, 0.0, &shot);
    shot.look_at = "864214.3,2.8,10823789.4"; // z up, twice as large
    check_same("", near, far_model(432107.0, -5411894.0, &shot));
}

/// A folded strip of four points; @ stands before an axis and a part of a coordinate.
#define STRIP(x, y, z, next)                                                                       \
    x "0" y "0" z "0" next x "0.41" y "0.02" z "0.1" next x "0.37" y "0.31" z "0.03" next x        \
      "0.01" y "0.35" z "0.21"

#define FBX_FILE(...) FBX_FILE_(__VA_ARGS__) // of lists of arguments
#define FBX_FILE_(x, y, z, objects, links)                                                         \
    "; FBX 7.5.0 project file\nFBXHeaderExtension: { FBXVersion: 7500 }\n"                         \
    "GlobalSettings: { Properties70: { P: \"UpAxis\", \"int\", \"\", \"\",2\n"                     \
    "P: \"FrontAxis\", \"int\", \"\", \"\",1\nP: \"FrontAxisSign\", \"int\", \"\", \"\",-1\n"      \
    "} }\nObjects: { Geometry: 10, \"Geometry::\", \"Mesh\" { Vertices: *12 { a: " STRIP(          \
        x, y, z, ",") " }\nPolygonVertexIndex: *6 { a: 0,1,-3,0,2,-4 } }\n" objects                \
                      "}\nConnections: { C: \"OO\",20,0\n" links "}\n"
#define FBX_NEAR "", ",", ","
#define FBX_FAR  "@x", ",@y", ",@z"
#define FBX_NODE(id, kind, place)                                                                  \
    "Model: " #id ", \"Model::n" #id "\", \"" kind "\" { Properties70: { "                         \
    "P: \"Lcl Translation\", \"\", \"\", \"A\"," place "\n } }\n"
#define FBX_MOVES(place)                                                                           \
    FBX_FILE(FBX_NEAR, FBX_NODE(20, "Null", place) FBX_NODE(21, "Mesh", "0,0,0") FBX_CLIP,         \
             "C: \"OO\",21,20\nC: \"OO\",10,21\nC: \"OO\",41,40\nC: \"OO\",42,41\n"                \
             "C: \"OP\",42,20, \"Lcl Translation\"\nC: \"OP\",43,42, \"d|X\"\n")
#define FBX_CLIP                                                                                   \
    "AnimationStack: 40, \"AnimStack::Take\", \"\" { }\nAnimationLayer: 41, \"\", \"\" { }\n"      \
    "AnimationCurveNode: 42, \"AnimCurveNode::T\", \"\" { }\nAnimationCurve: 43, \"\", \"\" { "    \
    "KeyTime: *2 { a: 0,46186158000 }\nKeyValueFloat: *2 { a: @x0,@x0.7 }\nKeyAttrFlags: *1 { "    \
    "a: 4 }\nKeyAttrDataFloat: *4 { a: 0,0,0,0 }\nKeyAttrRefCount: *1 { a: 2 } }\n"

#define X_FRAME(name, place)                                                                       \
    "Frame " name " { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, " place ",1;; } "
#define X_MESH(x, y, z) "Mesh { 4; " STRIP(x, y, z, ";, ") ";; 2; 3;0,2,1;, 3;0,3,2;; "
#define X_NEAR          X_MESH("", ";", ";")
#define X_FAR           X_MESH("@x", ";@y", ";@z")

#define TMF(x, y, z, place, other)                                                                 \
    "<model unit='meter'><resources><object id='1'><mesh><vertices><vertex x='" STRIP(             \
        x, "' y='" y, "' z='" z,                                                                   \
        "'/><vertex x='") "'/></vertices>"                                                         \
                          "<triangles><triangle v1='0' v2='1' v3='2'/><triangle v1='0' v2='2' "    \
                          "v3='3'/></triangles>"                                                   \
                          "</mesh></object></resources><build><item objectid='1' transform='1 0 "  \
                          "0 0 1 0 0 0 1 " place                                                   \
                          "'/><item objectid='1' transform='1 0 0 0 1 0 0 0 1 " other              \
                          "'/></build></model>"

static const struct {
    const char *file, *text;
} files[] = {
    {"points.obj", "v " STRIP("@x", " @y", " @z", "\nv ") "\nf 1 2 3\nf 1 3 4\n"},
    {"points.ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty double y\n"
                   "property double z\nelement face 2\nproperty list uchar int vertex_indices\n"
                   "end_header\n" STRIP("@x", " @y", " @z", "\n") "\n3 0 1 2\n3 0 2 3\n"},
    {"points.stl", "solid\nfacet normal 0 0 0 outer loop vertex " STRIP(
                       "@x", " @y", " @z", "\nvertex ") "\nendloop endfacet\nendsolid\n"},
    {"nodes.fbx",
     FBX_FILE(FBX_NEAR,
              FBX_NODE(20, "Mesh", "@x0,@y0,@z0") FBX_NODE(21, "Mesh", "@x0.5,@y0.2,@z0.1"),
              "C: \"OO\",10,20\n C: \"OO\",21,0\n C: \"OO\",10,21\n")},
    {"points.fbx", FBX_FILE(FBX_FAR, FBX_NODE(20, "Mesh", "0,0,0"), "C: \"OO\",10,20\n")},
    {"skin.fbx", FBX_FILE(FBX_FAR,
                          FBX_NODE(20, "Mesh", "0,0,0") FBX_NODE(
                              22, "LimbNode",
                              "@x0,@y0,@z0") "Deformer: 50, \"\", \"Skin\" { }\nDeformer: 51, "
                                             "\"\", \"Cluster\" { Indexes: *2 { a: 0,2 }\n"
                                             "Weights: *2 { a: 1,1 }\nTransform: *16 { a: 1,0,0,0, "
                                             "0,1,0,0, 0,0,1,0, @X0,@Y0,@Z0,1 } }\n",
                          "C: \"OO\",10,20\n C: \"OO\",22,0\n C: \"OO\",50,10\n C: \"OO\",51,50\n "
                          "C: \"OO\",22,51\n")},
    {"moves.fbx", FBX_MOVES("@x0,@y0,@z0")},
    {"moves_alone.fbx", FBX_MOVES("0,0,0")},
    {"frames.x", "xof 0303txt 0032\n" X_FRAME("a", "@x0,@y0,@z0") X_NEAR
     "} }\n" X_FRAME("b", "@x0.5,@y0.2,@z0.1") X_NEAR "} }\n"},
    {"points.x", "xof 0303txt 0032\n" X_FAR "}\n"},
    {"moves.x", "xof 0303txt 0032\n" X_FRAME("a", "@x0,@y0,@z0") X_NEAR
     "} }\nAnimTicksPerSecond { 1; }\nAnimationSet s { Animation { { a } AnimationKey { 2; 2; "
     "0; 3; @x0,@y0,@z0;;, 1; 3; @x0.7,@y0.3,@z0.1;;; } } }\n"},
    {"skin.x",
     "xof 0303txt 0032\n" X_FAR
     "SkinWeights { \"a\"; 2; 0,2; 1,1; 1,0,0,0, 0,1,0,0, 0,0,1,0, @X0,@Y0,@Z0,1;; } }\n" X_FRAME(
         "a", "@x0,@y0,@z0") "}\n"},
    {"items.3mf", TMF("", "", "", "@x0 @y0 @z0", "@x0.5 @y0.2 @z0.1")},
    {"points.3mf", TMF("@x", "@y", "@z", "0 0 0", "0.5 0.2 0.1")},
};

/// Writes coordinates for the parts of `text`; those of capital letters have the other sign.
static void put_places(const char *text, const double place[3], char *out, size_t size)
{
    size_t used = 0;
    while (*text && used + 40 < size)
        if (*text == '@') {
            char *end;
            const int axis = (text[1] | 32) - 'x';
            const double at = place[axis] + strtod(text + 2, &end);
            used += (size_t)sprintf(out + used, "%.3f", text[1] < 'a' ? -at : at);
            text = end;
        } else {
            out[used++] = *text++;
        }
    out[used] = 0;
}

static zt_scene *load_at(const char *name, const char *text, const double place[3])
{
    static char out[8192];
    static package p;
    zt_shot_def shot = small_shot();
    put_places(text, place, out, sizeof out);
    p = (package){0};
    if (strstr(name, ".3mf")) {
        package_add_text(&p, "3D/3dmodel.model", out);
        package_finish(&p);
    }
    FILE *file = fopen(test_file(name), "wb");
    cr_assert(file && fwrite(p.size ? (const char *)p.bytes : out, p.size ? p.size : strlen(out), 1,
                             file) == 1);
    fclose(file);
    shot.frames = strncmp(name, "moves", 5) == 0 ? "12" : "0";
    return load_scene(test_file(name), &shot);
}

Test(origin, files_of_all_formats)
{
    static const double places[][3] = {
        {0.0, 0.0, 0.0}, {457000.0, 120.0, -5428000.0}, {1e8, -1e8, 0.0}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int k = 1; k < 3; k++)
            check_same(files[i].file, load_at(files[i].file, files[i].text, places[0]),
                       load_at(files[i].file, files[i].text, places[k]));
}
