// SPDX-License-Identifier: MIT
/// `clips_from` as a map: retargeted clips, and what is wrong with a map.
#include "scene_fixture.h"
#include "testing.h"

TestSuite(scene_clips, .init = setup, .fini = teardown);

#define MODELS ZT_SOURCE_DIR "/scenes/models/"
#define FIGURE "format: 1\nmodels:\n  - { file: " MODELS "figure.glb, clips_from: "
#define WALKER "{ file: " MODELS "walker.glb"

Test(scene_clips, maps_modes_and_paths)
{
    must_read(FIGURE WALKER
              ", mode: rotation, map: { pack: none, 8: head } }, animation: walk }\n"
              "  - { file: " MODELS "figure.glb, clips_from: [ " WALKER " } ], animation: run }\n"
              "  - { file: " MODELS "figure.glb, clips_from: [ " WALKER " } ], animation: walk }\n"
              "  - { file: " MODELS "figure.glb, clips_from: [ " WALKER
              ", mode: rotation } ], animation: walk }\n");
    cr_assert_eq(scene.model_count, 3, "other maps and modes are other models");
    cr_assert_eq(scene.instances[1].model, scene.instances[2].model);
    cr_assert_eq(scene.instances[0].model->clip_count, 4, "its own and three of the walker");
    // Fingers and the like: said in a warning, and kept for inspect.
    cr_assert(strstr(warnings, "bones that have none in figure.glb: spine1, spine2, neck, pack"),
              "%s", warnings);
    const zt_model *model = scene.instances[1].model;
    cr_assert_eq(model->note_count, 1);
    cr_assert(strstr(model->notes[0], "walker.glb: clips move 24 bones that have none"), "%s",
              model->notes[0]);
    cr_assert(!strstr(scene.instances[0].model->notes[0], "pack"), "%s",
              scene.instances[0].model->notes[0]);
}

Test(scene_clips, mistakes)
{
    must_fail(FIGURE WALKER ", map: { thigl_l: thigh_l } } }\n",
              "no bone 'thigl_l' in walker.glb (did you mean 'thigh_l'?");
    must_fail(FIGURE WALKER ", map: { thigh_l: tigh_l } } }\n",
              "no bone 'tigh_l' in figure.glb (did you mean 'thigh_l'?");
    must_fail(FIGURE WALKER ", map: { thigh_l: head, calf_l: head } } }\n",
              "the bone 'head' has two sources (expected one)");
    must_fail(FIGURE WALKER ", map: [ thigh_l ] } }\n", "a map from bones of the file to bones");
    must_fail(FIGURE WALKER ", map: { thigh_l: [ head ] } } }\n", "the name of a bone, or none");
    must_fail(FIGURE WALKER ", mode: exact } }\n", "expected one of rotation, fitted");
    must_fail(FIGURE WALKER ", bones: {} } }\n", "unknown key 'bones'");
    must_fail(FIGURE "{ map: {} } }\n", "file");
    cr_assert_eq(read_yaml(FIGURE "{ file: " MODELS "ball.glb } }\n"), ZT_ERR_FORMAT);
    cr_assert(strstr(err.message, "ball.glb: no clips (expected some for figure.glb)"), "%s",
              err.message);
    cr_assert_eq(read_yaml(FIGURE "{ file: " MODELS "robot_arm.glb } }\n"), ZT_ERR_FORMAT);
    cr_assert(strstr(err.message, "robot_arm.glb: no bone corresponds to one of figure.glb"), "%s",
              err.message);
}
