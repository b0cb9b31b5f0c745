// SPDX-License-Identifier: MIT
/// Models far from zero by exact figures: keys of clips, and transforms of scenes.
#include "gltf_fixture.h"
#include "scene_file.h"
#include "testing.h"

#include <unistd.h>

/// An in-tangent, a place and an out-tangent. Floats are exact to an eighth there.
#define FAR 1048576.0f
static const float keys[9] = {1, 2, 3, FAR + 1, 2 - FAR, 3, 4, 5, 6};

/// A root that turns z up and doubles, and a site below it at (FAR, -FAR, 2.4) with a triangle. A
/// clip of one key moves `path` of `node`: by `keys`, or from the second on.
static zt_scene *far_model(int node, const char *path, bool cubic, const char *transform)
{
    char json[2048], text[800], file[600];
    size_t size;
    snprintf(json, sizeof json,
             "{'asset':{'version':'2.0'},'scenes':[{'nodes':[0]}],'nodes':[{'rotation':"
             "[-0.70710678,0,0,0.70710678],'scale':[2,2,2],'children':[1]},"
             "{'translation':[1048576,-1048576,2.4],'mesh':0}],'meshes':[{'primitives':[{"
             "'attributes':{'POSITION':0}}]}],'accessors':[{'count':3,'componentType':5126,'type':"
             "'VEC3','min':[0,0,0],'max':[0,0,0]},{'count':1,'componentType':5126,'type':'SCALAR',"
             "'min':[0],'max':[0]},{'bufferView':0,'byteOffset':%d,'count':%d,'componentType':5126,"
             "'type':'VEC3'}],'bufferViews':[{'buffer':0,'byteLength':36}],'buffers':[{"
             "'byteLength':36}],'animations':[{'channels':[{'sampler':0,'target':{'node':%d,"
             "'path':'%s'}}],'samplers':[{'input':1,'output':2,'interpolation':'%s'}]}]}",
             cubic ? 0 : 12, cubic ? 3 : 1, node, path, cubic ? "CUBICSPLINE" : "LINEAR");
    uint8_t *glb = gltf_make_glb(json, keys, sizeof keys, &size);
    snprintf(file, sizeof file, ZT_BINARY_DIR "/origin_keys_%ld.glb", (long)getpid());
    FILE *out = fopen(file, "wb");
    cr_assert(out && fwrite(glb, size, 1, out) == 1 && fclose(out) == 0);
    free(glb);
    snprintf(text, sizeof text,
             "format: 1\nmodels: [ { file: %s, animation: none, transform: { %s } } ]\n", file,
             transform);
    zt_scene *scene = scene_of_text(text, ZT_OK);
    unlink(file);
    return scene;
}

/// The site's place is subtracted from its places; tangents are differences. Where a clip scales a
/// parent there is no place that could be subtracted at any time.
Test(origin_keys, of_clips)
{
    static const struct {
        int node;
        const char *path;
        bool cubic, moves;
        float want[9];
    } rows[] = {
        {1, "translation", true, true, {1, 2, 3, 1, 2, 0.6f, 4, 5, 6}},
        {1, "translation", false, true, {1, 2, 0.6f}},
        {0, "translation", false, true, {FAR + 1, 2 - FAR, 3}},
        {1, "scale", false, true, {FAR + 1, 2 - FAR, 3}},
        {0, "scale", true, false, {1, 2, 3, FAR + 1, 2 - FAR, 3, 4, 5, 6}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        zt_scene *scene = far_model(rows[i].node, rows[i].path, rows[i].cubic, "");
        const zt_model *model = scene->models[0];
        cr_expect_eq(model->origin.x != 0.0, rows[i].moves, "row %zu", i);
        for (int k = 0; k < (rows[i].cubic ? 9 : 3); k++)
            cr_expect_float_eq(model->clips[0].channels[0].value[k], rows[i].want[k], 1e-6f,
                               "row %zu, number %d", i, k);
        zt_scene_destroy(scene);
    }
}

/// The model's origin is (2 FAR, 4.8, 2 FAR). The scene's is that of its first model, scaled and
/// turned, along the axes where it is far; the model keeps the rest.
Test(origin_keys, of_models_that_are_scaled_and_turned)
{
    static const struct {
        const char *transform;
        double origin[3], height; ///< origin: in FAR
    } rows[] = {
        {"scale: 0.5", {1, 0, 1}, 2.4},
        {"scale: 0.5, translate: [0, 1, 0]", {1, 0, 1}, 3.4},
        {"scale: [0.5, 2, 0.25]", {1, 0, 0.5}, 9.6},
        {"rotate: [0, 90, 0]", {2, 0, -2}, 4.8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double at[4];
        zt_scene *scene = far_model(1, "translation", false, rows[i].transform);
        for (int k = 0; k < 3; k++) // rotations are floats
            cr_expect_float_eq(scene->origin[k], rows[i].origin[k] * (double)FAR, 0.5, "row %zu",
                               i);
        track_evaluate(&scene->instances[0].translate, 0.0, at);
        cr_expect(fabs(at[0]) + fabs(at[1] - rows[i].height) + fabs(at[2]) < 1e-5, "row %zu", i);
        zt_scene_destroy(scene);
    }
}
