// SPDX-License-Identifier: MIT
/// Models far from zero by exact figures: keys of clips, and transforms of scenes.
#include "drawing.h"
#include "scene/scene.h"
#include "test_folder.h"

TestSuite(origin_keys, .init = test_folder_make, .fini = test_folder_remove);

/// An in-tangent, a place and an out-tangent. Floats are exact to an eighth there.
#define FAR 1048576.0f
static const float keys[9] = {1, 2, 3, FAR + 1, 2 - FAR, 3, 4, 5, 6};

/// A root that turns z up and doubles, and a site below it at (FAR, -FAR, 2.4) with a triangle. A
/// clip of one key moves `path` of `node`: by `keys`, or by its place alone.
static zt_scene *far_model(int node, const char *path, bool cubic, const char *transform)
{
    PRINTED(json, 2048,
            "{'asset':{'version':'2.0'},'scenes':[{'nodes':[0]}],'nodes':[{'rotation':"
            "[-0.70710678,0,0,0.70710678],'scale':[2,2,2],'children':[1]},"
            "{'translation':[1048576,-1048576,2.4],'mesh':0}],'meshes':[{'primitives':[{"
            "'attributes':{'POSITION':0}}]}],'accessors':[<float VEC3 3,'min':[0,0,0],'max':[0,0,"
            "0]>,<float SCALAR 1,'min':[0],'max':[0]>,<0+%d float VEC3 %d>],'bufferViews':[<36>],"
            "'buffers':[{"
            "'byteLength':36}],'animations':[{'channels':[{'sampler':0,'target':{'node':%d,"
            "'path':'%s'}}],'samplers':[{'input':1,'output':2,'interpolation':'%s'}]}]}",
            cubic ? 0 : 12, cubic ? 3 : 1, node, path, cubic ? "CUBICSPLINE" : "LINEAR");
    return load_scene_text("models: [ { file: %s, animation: none, transform: { %s } } ]\n",
                           test_folder_glb("far.glb", json, keys, sizeof keys), transform);
}

/// The site's place is subtracted from its places; tangents are differences. Where a clip scales a
/// parent there is no place that could be subtracted at any time. Otherwise the model's origin is
/// (2 FAR, 4.8, 2 FAR), and the scene's is that, scaled and turned, along the axes where it is far;
/// the model keeps the rest.
Test(origin_keys, of_clips_and_transforms)
{
    static const struct {
        int node;
        const char *path;
        bool cubic;
        const char *transform;
        float keys[9];
        double origin[3], height; ///< origin: in FAR
    } rows[] = {
        {1, "translation", true, "scale: 0.5", {1, 2, 3, 1, 2, 0.6f, 4, 5, 6}, {1, 0, 1}, 2.4},
        {1, "translation", false, "translate: [0, 1, 0]", {1, 2, 0.6f}, {2, 0, 2}, 5.8},
        {0, "translation", false, "scale: [0.5, 2, 1]", {FAR + 1, 2 - FAR, 3}, {1, 0, 2}, 9.6},
        {1, "scale", false, "rotate: [0, 90, 0]", {FAR + 1, 2 - FAR, 3}, {2, 0, -2}, 4.8},
        {0, "scale", true, "", {1, 2, 3, FAR + 1, 2 - FAR, 3, 4, 5, 6}, {0, 0, 0}, 0.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double at[4] = {0.0};
        zt_scene *scene = far_model(rows[i].node, rows[i].path, rows[i].cubic, rows[i].transform);
        const float *got = scene->models[0]->clips[0].channels[0].value;
        for (int k = 0; k < (rows[i].cubic ? 9 : 3); k++)
            cr_expect_float_eq(got[k], rows[i].keys[k], 1e-6f, "row %zu, number %d", i, k);
        for (int k = 0; k < 3; k++) // rotations are floats
            NEAR(scene->origin[k], rows[i].origin[k] * (double)FAR, 0.5, "row %zu", i);
        if (scene->instances[0].translate.key_count > 0)
            track_evaluate(&scene->instances[0].translate, 0.0, at);
        cr_expect(fabs(at[0]) + fabs(at[1] - rows[i].height) + fabs(at[2]) < 1e-5, "row %zu", i);
        zt_scene_destroy(scene);
    }
}
