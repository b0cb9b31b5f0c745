// SPDX-License-Identifier: MIT
/// What layers do with clips besides playing them: a scene posed with it is the scene that says the
/// same in other words.
#include "posed_scene.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

TestSuite(clip_tools, .init = posed_setup, .fini = posed_teardown);

#define WALKER                                                                                     \
    "  - { file: ../models/walker.glb, clips_from: ../models/walker_moves.glb, animation: "

/// The largest distance between the joints of the first two models.
static double models_apart(double time_s)
{
    double worst = 0.0;
    pose(time_s);
    for (uint32_t i = 0; i < posed_scene.instances[0].model->node_count; i++) {
        const double d = apart(worlds[0][i][3], worlds[1][i][3]);
        worst = d > worst ? d : worst;
    }
    return worst;
}

// ---- Additive weights ---------------------------------------------------------------------------

Test(clip_tools, a_weight_above_1_adds_again)
{
    load(WALKER
         "[ walk, { clip: lean, mode: additive, weight: 2.5, bones: [ spine1 ] } ] }\n" WALKER
         "[ walk, { clip: lean, mode: additive, bones: [ spine1 ] },\n"
         "   { clip: lean, mode: additive, bones: [ spine1 ] },\n"
         "   { clip: lean, mode: additive, weight: 0.5, bones: [ spine1 ] } ] }\n" WALKER
         "[ walk, { clip: lean, mode: additive, bones: [ spine1 ] } ] }\n");
    for (double t = 0.0; t < 2.0; t += 0.13) {
        cr_expect_eq(models_apart(t), 0.0);
        cr_expect_eq(memcmp(worlds[0], worlds[1], sizeof(mat4) * 20), 0, "to the bit");
    }
    pose(1.0);
    cr_expect_gt(apart(world(0, "head")[3], world(2, "head")[3]), 0.05, "it leans further");
}
