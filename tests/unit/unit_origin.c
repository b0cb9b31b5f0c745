// SPDX-License-Identifier: MIT
/// Worlds far from zero look as they do at zero: models by their nodes, skins, clips, lights and
/// cameras; scenes by all places that they name.
#include "origin_check.h"
#include "scene/scene_ik.h"
#include "test_folder.h"

#include <string.h>

/// Two triangles; indices at 48, joints at 64, weights at 80, the times 0 and 1 at 144.
#define BYTES                                                                                      \
    "AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAACAPwAAgD8AAAAAAACAvwAAgD8AAAAAAAABAAIAAAACAAMAAAAAAAAA"     \
    "AAAAAAAAAQAAAAEAAAAAAIA/AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/"     \
    "AAAAAAAAAAAAAAAAAAAAAAAAgD8="

/// A site below a root that turns z up and scales by two, with a square, a lamp and a camera; next
/// to it two joints, which bend another square.
static const char model_text[] =
    "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0,6]}],"
    "'extensionsUsed':['KHR_lights_punctual'],'extensions':{'KHR_lights_punctual':{'lights':["
    "{'type':'point','intensity':400}]}},"
    "'nodes':[{'rotation':[-0.70710678,0,0,0.70710678],'scale':[2,2,2],'children':[1,4]},"
    "{'translation':[%.9f,%.9f,0.4],'children':[2,3,7]},"
    "{'mesh':0,'translation':[0,0,2],'rotation':[0.5,0,0,0.8660254]},"
    "{'translation':[1,-3,3],'extensions':{'KHR_lights_punctual':{'light':0}}},"
    "{'translation':[%.9f,%.9f,1],'children':[5]},{'translation':[0,0,1]},"
    "{'mesh':1,'skin':0},{'camera':0,'translation':[0.5,-6,1.5],'rotation':[0.70710678,0,0,"
    "0.70710678]}],"
    "'cameras':[{'type':'perspective','perspective':{'yfov':0.9,'znear':0.1,'zfar':100}}],"
    "'skins':[{'joints':[4,5]}],'materials':[{'doubleSided':true,'pbrMetallicRoughness':{"
    "'baseColorFactor':[0.9,0.5,0.2,1],'metallicFactor':0,'roughnessFactor':0.6}}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1,'material':0}]},"
    "{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':2,'WEIGHTS_0':3},'indices':1,"
    "'material':0}]}],"
    "'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3','min':[-1,-1,0],"
    "'max':[1,1,0]},{'bufferView':1,'componentType':5123,'count':6,'type':'SCALAR'},"
    "{'bufferView':2,'componentType':5121,'count':4,'type':'VEC4'},"
    "{'bufferView':3,'componentType':5126,'count':4,'type':'VEC4'}],"
    "'bufferViews':[{'buffer':0,'byteLength':48},{'buffer':0,'byteOffset':48,'byteLength':12},"
    "{'buffer':0,'byteOffset':64,'byteLength':16},{'buffer':0,'byteOffset':80,'byteLength':64}],"
    "'buffers':[{'byteLength':152,'uri':'data:application/octet-stream;base64," BYTES "'}]}";

TestSuite(origin, .init = test_folder_make, .fini = test_folder_remove);

static zt_scene *far_model(double x, double y, const zt_shot_def *shot)
{
    char text[sizeof model_text + 200];
    snprintf(text, sizeof text, model_text, x + 0.3, y - 0.7, x + 1.5, y - 0.5);
    return load_scene(test_folder_glb("far.glb", text, NULL, 0), shot);
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
        "format: 1\n"
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
        "camera: { look_at: { position: [%.9f, 1.5, %.9f], target: [%.9f, 0.9, %.9f] } }\n",
        x + 0.1, z, x + 0.2, z, x + 0.3, z + 0.5, x - 1.9, z - 0.25, x + 2.0, z + 3.0, x, z,
        x + 1.0, z + 4.0, x, z);
}

Test(origin, scenes_far_away)
{
    zt_scene *far = far_scene(432107.3, -5411894.7);
    const scene_terrain *terrain = &far->instances[0].ik[1].terrain; // its model is at x + 0.1
    cr_expect(fabs(terrain->first[0] + 2.0) + fabs(terrain->first[1] + 0.25) < 1e-6);
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
