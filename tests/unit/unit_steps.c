// SPDX-License-Identifier: MIT
/// Steps of scenes: which times around a frame's no jump parts from it.
#include "posed_scene.h"

TestSuite(steps, .init = posed_setup, .fini = posed_teardown);

#define TURN  "name: a }\ncamera: { orbit: { azimuth: "
#define SLIDE "transform: { translate: { loop: true, keys: [[0, [0, 0, 0]], "
#define MOVE  "animation: { clip: move, "
#define SNAP                                                                                       \
    "name: a }\n- { file: ../models/rod.glb, parent: [[0, none], [1, {model: a, snap: true}]]"

/// Of 0.4 s to both sides. The clip `move` holds from 0.5 to 1 and to 1.5 s, `walk` is closed.
Test(steps, part_times)
{
    static const struct {
        const char *model, *keys;
        double rate, time_s, from_s, to_s; ///< `rate` of clips; NaN: they are frozen
    } rows[] = {
        {"rod", TURN "[[0, 0, step], [1, 90, step], [2, 90]] }", 1, 0.9, 0.5, 1.0},
        {"rod", TURN "[[0, 0, step], [1, 90, step], [2, 90]] }", 1, 1.0, 1.0, 1.4},
        {"rod", TURN "{ keys: [[0, 0], [1, 360]], loop: true } }", 1, 1.9, 1.5, 2.3},
        {"rod", SLIDE "[1, [0, 1, 0]]] } }", 1, -0.9, -1.0, -0.5},
        {"rod", SLIDE "[0.5, [0, 1, 0]], [1, [0, 0, 0]]] } }", 1, 2.9, 2.5, 3.3},
        {"rod", "visible: [[0, true], [1, false]]", 1, 0.9, 0.5, 1.0},
        {"rod", SNAP, 1, 0.9, 0.5, 1.0},
        {"interpolation", "animation: move", 1, 0.7, 0.5, 1.0},
        {"interpolation", "animation: move", 1, 1.7, 1.5, 2.0},
        {"interpolation", "animation: move", 2, 0.3, 0.25, 0.5},
        {"interpolation", "animation: [move, { clip: move, at: 0.6 }]", (double)NAN, 0.7, 0.3, 1.1},
        {"interpolation", MOVE "loop: ping_pong }", 1, 1.7, 1.3, 2.0},
        {"interpolation", MOVE "speed: -1 }", 1, 0.2, 0.0, 0.5},
        {"interpolation", MOVE "speed: [[0, 1.8], [2, -1.8]] }", 1, 1.3, 0.9, 5 / 3.0},
        {"walker", "animation: walk", 1, 1.1, 0.7, 1.5},
        {"walker", "animation: { clip: walk, to: 0.3 }", 1, 0.8, 0.6, 0.9},
        {"walker", "animation: [{ clip: walk, to: 0.3 }, run]", 1, 0.8, 0.4, 1.2},
        {"walker", "animation: [{clip: run, at: 1.1, fade: 1}, {clip: run, at: 1}]", 1, 1.2, 1.0,
         1.6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        zt_error err = {0};
        load_text("- { file: ../models/%s.glb, %s }\n", rows[i].model, rows[i].keys);
        posed_scene.freeze_time_s = rows[i].rate > 0.0 ? (double)NAN : 1.0;
        posed_scene.turntable.clip_rate = rows[i].rate;
        double from_s = rows[i].time_s - 0.4, to_s = rows[i].time_s + 0.4;
        const frame_time time = scene_shot_time(&posed_scene, rows[i].time_s);
        MUST(pose_unstepped(&posed_scene, time, &posed_scratch, &from_s, &to_s, &err), err);
        NEAR(from_s, rows[i].from_s, 1e-6, "row %zu", i);
        NEAR(to_s, rows[i].to_s, 1e-6, "row %zu", i);
    }
}
