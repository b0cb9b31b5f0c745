// SPDX-License-Identifier: MIT
/// Files of all formats whose coordinates are far from zero look as they do at zero.
#include "origin_check.h"
#include "package.h"
#include "test_folder.h"

TestSuite(origin_files, .init = test_folder_make, .fini = test_folder_remove_all);

/// A folded strip of four points; @ stands before an axis and a part of a coordinate.
#define P0 "@x0 @y0 @z0"
#define P1 "@x0.41 @y0.02 @z0.1"
#define P2 "@x0.37 @y0.31 @z0.03"
#define P3 "@x0.01 @y0.35 @z0.21"

#define FBX_FILE(objects, links)                                                                   \
    "; FBX 7.5.0 project file\nFBXHeaderExtension: { FBXVersion: 7500 }\n"                         \
    "GlobalSettings: { Properties70: { P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n" \
    "P: \"UpAxis\", \"int\", \"\", \"\",2\nP: \"FrontAxis\", \"int\", \"\", \"\",1\n"              \
    "P: \"FrontAxisSign\", \"int\", \"\", \"\",-1\n} }\n"                                          \
    "Objects: { " objects "}\nConnections: { " links "}\n"
#define FBX_STRIP(points)                                                                          \
    "Geometry: 10, \"Geometry::\", \"Mesh\" { Vertices: *12 { a: " points " }\n"                   \
    "PolygonVertexIndex: *6 { a: 0,1,-3,0,2,-4 } }\n"
#define FBX_NEAR FBX_STRIP("0,0,0, 0.41,0.02,0.1, 0.37,0.31,0.03, 0.01,0.35,0.21")
#define FBX_FAR                                                                                    \
    FBX_STRIP("@x0,@y0,@z0, @x0.41,@y0.02,@z0.1, @x0.37,@y0.31,@z0.03, @x0.01,@y0.35,@z0.21")
#define FBX_NODE(id, kind, properties)                                                             \
    "Model: " #id ", \"Model::n" #id "\", \"" kind "\" { Properties70: { " properties " } }\n"
#define FBX_AT(place) "P: \"Lcl Translation\", \"\", \"\", \"A\"," place "\n"
#define FBX_CURVE(id, values)                                                                      \
    "AnimationCurve: " #id ", \"\", \"\" { KeyTime: *2 { a: 0,46186158000 }\n"                     \
    "KeyValueFloat: *2 { a: " values " } KeyAttrFlags: *1 { a: 4 }\n"                              \
    "KeyAttrDataFloat: *4 { a: 0,0,0,0 } KeyAttrRefCount: *1 { a: 2 } }\n"
#define FBX_SKIN                                                                                   \
    "Deformer: 50, \"\", \"Skin\" { }\nDeformer: 51, \"\", \"Cluster\" { Indexes: *2 { a: 0,2 }\n" \
    "Weights: *2 { a: 1,1 }\nTransform: *16 { a: 1,0,0,0, 0,1,0,0, 0,0,1,0, -@x0,-@y0,-@z0,1 } "   \
    "}\n"
#define FBX_MOVES(place)                                                                           \
    FBX_FILE(FBX_NEAR FBX_NODE(20, "Null", FBX_AT(place)) FBX_NODE(                                \
                 21, "Mesh",                                                                       \
                 "") "AnimationStack: 40, \"AnimStack::Take\", \"\" { Properties70: { "            \
                     "P: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000\n} }\n"              \
                     "AnimationLayer: 41, \"AnimLayer::Base\", \"\" { }\n"                         \
                     "AnimationCurveNode: 42, \"AnimCurveNode::T\", \"\" { }\n" FBX_CURVE(         \
                         43, "@x0,@x0.7") FBX_CURVE(44, "@y0,@y0.3") FBX_CURVE(45, "@z0,@z0.1"),   \
             "C: \"OO\",20,0\n C: \"OO\",21,20\n C: \"OO\",10,21\n C: \"OO\",41,40\n"              \
             "C: \"OO\",42,41\n C: \"OP\",42,20, \"Lcl Translation\"\n C: \"OP\",43,42, \"d|X\"\n" \
             "C: \"OP\",44,42, \"d|Y\"\n C: \"OP\",45,42, \"d|Z\"\n")

#define X_FILE "xof 0303txt 0032\n"
#define X_FRAME(name, place)                                                                       \
    "Frame " name " { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, " place ",1;; } "
#define X_NEAR                                                                                     \
    "Mesh { 4; 0;0;0;, 0.41;0.02;0.1;, 0.37;0.31;0.03;, 0.01;0.35;0.21;; 2; 3;0,2,1;, 3;0,3,2;; "
#define X_FAR                                                                                      \
    "Mesh { 4; @x0;@y0;@z0;, @x0.41;@y0.02;@z0.1;, @x0.37;@y0.31;@z0.03;, @x0.01;@y0.35;@z0.21;; " \
    "2; 3;0,2,1;, 3;0,3,2;; "

#define TMF(points, place, other)                                                                  \
    "<model unit='meter'><resources><object id='1'><mesh><vertices>" points "</vertices>"          \
    "<triangles><triangle v1='0' v2='1' v3='2'/><triangle v1='0' v2='2' v3='3'/></triangles>"      \
    "</mesh></object></resources><build><item objectid='1' transform='1 0 0 0 1 0 0 0 1 " place    \
    "'/><item objectid='1' transform='1 0 0 0 1 0 0 0 1 " other "'/></build></model>"
#define TMF_POINT(x, y, z) "<vertex x='" x "' y='" y "' z='" z "'/>"

static const struct {
    const char *file, *text;
} files[] = {
    {"points.obj", "v " P0 "\nv " P1 "\nv " P2 "\nv " P3 "\nf 1 2 3\nf 1 3 4\n"},
    {"points.ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty double y\n"
                   "property double z\nelement face 2\nproperty list uchar int vertex_indices\n"
                   "end_header\n" P0 "\n" P1 "\n" P2 "\n" P3 "\n3 0 1 2\n3 0 2 3\n"},
    {"nodes.fbx",
     FBX_FILE(FBX_NEAR FBX_NODE(20, "Mesh", FBX_AT("@x0,@y0,@z0"))
                  FBX_NODE(21, "Mesh", FBX_AT("@x0.5,@y0.2,@z0.1")),
              "C: \"OO\",20,0\n C: \"OO\",10,20\n C: \"OO\",21,0\n C: \"OO\",10,21\n")},
    {"points.fbx",
     FBX_FILE(FBX_FAR FBX_NODE(20, "Mesh", ""), "C: \"OO\",20,0\n C: \"OO\",10,20\n")},
    {"skin.fbx", FBX_FILE(FBX_FAR FBX_NODE(20, "Mesh", "")
                              FBX_NODE(22, "LimbNode", FBX_AT("@x0,@y0,@z0")) FBX_SKIN,
                          "C: \"OO\",20,0\n C: \"OO\",10,20\n C: \"OO\",22,0\n C: \"OO\",50,10\n"
                          "C: \"OO\",51,50\n C: \"OO\",22,51\n")},
    {"moves.fbx", FBX_MOVES("@x0,@y0,@z0")},
    {"moves_alone.fbx", FBX_MOVES("0,0,0")},
    {"frames.x", X_FILE X_FRAME("a", "@x0,@y0,@z0") X_NEAR "} }\n" X_FRAME("b", "@x0.5,@y0.2,@z0.1")
                     X_NEAR "} }\n"},
    {"points.x", X_FILE X_FRAME("a", "0,0,0") X_FAR "} }\n"},
    {"moves.x", X_FILE X_FRAME("a", "@x0,@y0,@z0") X_NEAR
     "} }\nAnimTicksPerSecond { 1; }\n"
     "AnimationSet s { Animation { { a } AnimationKey { 2; 2; 0; 3; @x0,@y0,@z0;;, 1; 3; "
     "@x0.7,@y0.3,@z0.1;;; } } }\n"},
    {"skin.x",
     X_FILE X_FRAME(
         "bone", "@x0,@y0,@z0") "}\n" X_FAR
                                "XSkinMeshHeader { 1; 1; 1; } SkinWeights { \"bone\"; 2; 0,2; 1,1; "
                                "1,0,0,0, 0,1,0,0, 0,0,1,0, -@x0,-@y0,-@z0,1;; } }\n"},
    {"items.3mf", TMF(TMF_POINT("0", "0", "0") TMF_POINT("0.41", "0.02", "0.1")
                          TMF_POINT("0.37", "0.31", "0.03") TMF_POINT("0.01", "0.35", "0.21"),
                      "@x0 @y0 @z0", "@x0.5 @y0.2 @z0.1")},
    {"points.3mf",
     TMF(TMF_POINT("@x0", "@y0", "@z0") TMF_POINT("@x0.41", "@y0.02", "@z0.1")
             TMF_POINT("@x0.37", "@y0.31", "@z0.03") TMF_POINT("@x0.01", "@y0.35", "@z0.21"),
         "0 0 0", "0.5 0.2 0.1")},
};

/// Writes coordinates for the parts of `text`.
static void put_places(const char *text, const double place[3], char *out, size_t size)
{
    size_t used = 0;
    while (*text && used + 40 < size)
        if (*text == '@' || (*text == '-' && text[1] == '@')) {
            const double sign = *text == '-' ? -1.0 : 1.0;
            char *end;
            text += *text == '-';
            const double part = strtod(text + 2, &end);
            used += (size_t)snprintf(out + used, size - used, "%.3f",
                                     sign * (place[text[1] - 'x'] + part));
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

Test(origin_files, of_all_formats)
{
    static const double places[][3] = {{457000.0, 120.0, -5428000.0}, {1e8, -1e8, 0.0}};
    static const double zero[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int k = 0; k < 2; k++)
            check_same(files[i].file, load_at(files[i].file, files[i].text, zero),
                       load_at(files[i].file, files[i].text, places[k]));
}
