// SPDX-License-Identifier: MIT
/// Layers beyond playing clips: a scene posed so is one that says the same in other words.
#include "model/clip_copy.h"
#include "posed_scene.h"

TestSuite(clip_tools, .init = posed_setup, .fini = posed_teardown);

#define WALKER                                                                                     \
    "  - { file: ../models/walker.glb, clips_from: ../models/walker_moves.glb, animation: "

/// The largest distance between the joints of the first model and those of another.
static double model_apart(uint32_t other)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < posed_scene.instances[0].model->node_count; i++) {
        const double d = apart(worlds[0][i][3], worlds[other][i][3]);
        worst = d > worst ? d : worst;
    }
    return worst;
}

static double models_apart(double time_s)
{
    pose(time_s);
    return model_apart(1);
}

enum { TIMES = 16 };

static double time_of(int i) { return 0.19 * i; }

/// A layer is, at each of the times, the whole clip at the clip time that follows from its keys.
static void expect_clip_times(const char *layer, const double clip_s[TIMES])
{
    char text[4096];
    int length = snprintf(text, sizeof text, WALKER "{ clip: stride, %s } }\n", layer);
    for (int i = 0; i < TIMES; i++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           WALKER "{ clip: stride, start: %.17g, speed: 0 } }\n", clip_s[i]);
    cr_assert(length < (int)sizeof text);
    load(text);
    for (int i = 0; i < TIMES; i++) {
        pose(time_of(i));
        const double d = model_apart(1 + (uint32_t)i);
        cr_expect_lt(d, 2e-6, "%s at %g is not the clip at %g: %g m", layer, time_of(i), clip_s[i],
                     d);
    }
}

Test(clip_tools, keyed_speeds_are_integrated)
{
    double faster[TIMES], late[TIMES], back[TIMES], stop[TIMES], eased[TIMES];
    for (int i = 0; i < TIMES; i++) {
        const double t = time_of(i), now = t < 1.0 ? t + t * t : 2.0 + 3.0 * (t - 1.0);
        const double there = t < 1.0 ? t - t * t : t < 2.0 ? 1.0 - t : -1.0;
        const double ease =
            t < 2.0 ? 2.0 * (pow(t / 2.0, 3.0) - 0.5 * pow(t / 2.0, 4.0)) : 1.0 + (t - 2.0);
        faster[i] = fmod(now, 1.0);
        late[i] = t < 0.5 ? 0.0 : fmod(now - 0.75, 1.0);
        stop[i] = fmod(t < 1.0 ? 2.0 * t : 2.0, 1.0);
        eased[i] = fmod(ease, 1.0);
        back[i] = there < 0.0 ? 1.0 - fmod(-there, 1.0) : there;
    }
    expect_clip_times("speed: [[0, 1], [1, 3]]", faster);
    expect_clip_times("speed: [[0, 1], [1, 3]], at: 0.5", late);
    expect_clip_times("speed: [[0, 2, step], [1, 0]]", stop);
    expect_clip_times("speed: [[0, 0, ease], [2, 1]]", eased);
    expect_clip_times("speed: [[0, 1], [1, -1], [2, -1, step], [2.000001, 0]]", back);
}

Test(clip_tools, a_part_plays_as_a_clip_of_its_own)
{
    double part[TIMES], once[TIMES], to_and_fro[TIMES], back[TIMES], fast[TIMES], end[TIMES],
        begin[TIMES];
    for (int i = 0; i < TIMES; i++) {
        const double t = time_of(i), ended = t < 0.5 ? t : 0.5, there = fmod(t, 1.0);
        part[i] = 0.2 + fmod(t, 0.5);
        once[i] = 0.2 + ended;
        to_and_fro[i] = there < 0.5 ? 0.2 + there : 1.2 - there;
        back[i] = 0.7 - ended;
        fast[i] = 0.2 + fmod(0.1 + 2.0 * t, 0.5);
        end[i] = 0.4 + fmod(t, 0.6);
        begin[i] = fmod(t, 0.4);
    }
    expect_clip_times("from: 0.2, to: 0.7", part);
    expect_clip_times("from: 0.2, to: 0.7, loop: once", once);
    expect_clip_times("from: 0.2, to: 0.7, loop: ping_pong", to_and_fro);
    expect_clip_times("from: 0.2, to: 0.7, loop: once, speed: -1", back);
    expect_clip_times("from: 0.2, to: 0.7, start: 0.3, speed: 2", fast);
    expect_clip_times("from: 0.4", end);
    expect_clip_times("to: 0.4", begin);
}

/// A part of a turning clip, root motion extracted: within a loop the model moves as the clip
/// shows, from a loop to the next it goes on without a jump, and every loop moves it by the same.
Test(clip_tools, a_part_has_the_root_motion_of_the_part)
{
    load(WALKER
         "{ clip: corner, from: 0.25, to: 0.75, root_motion: extract, root_turn: true } }\n" WALKER
         "{ clip: corner, start: 0.25 } }\n");
    dvec3 moved[8], shown[8], before = {0.0, 0.0, 0.0};
    double last = 0.0;
    for (int k = 0; k < 8; k++) {
        pose(0.06 * k);
        moved[k] = joint(0, "head");
        shown[k] = joint(1, "head");
    }
    for (int k = 1; k < 8; k++)
        for (int i = 0; i < k; i++) {
            const double a = dvec3_length(dvec3_sub(moved[k], moved[i]));
            const double b = dvec3_length(dvec3_sub(shown[k], shown[i]));
            cr_expect_float_eq(a, b, 3e-6, "from %d to %d by %g, not %g", i, k, a, b);
        }
    for (int loop = 1; loop < 6; loop++) {
        pose(0.5 * loop - 1e-6);
        const dvec3 end = joint(0, "root");
        pose(0.5 * loop + 1e-6);
        const double jump = dvec3_length(dvec3_sub(joint(0, "root"), end));
        cr_expect_lt(jump, 1e-4, "jumps by %g m", jump);
        const double way = dvec3_length(dvec3_sub(end, before));
        if (loop > 2)
            cr_expect_float_eq(way, last, 1e-5, "loops of %g and %g m", last, way);
        last = way;
        before = end;
    }
}

Test(clip_tools, layers_start_when_others_end)
{
    // A stride takes 1 s; the wave 1.5 s, half of it at double speed 0.375 s.
    load(WALKER
         "[ { clip: wave, name: c, after: b, fade: 0.25, at: -0.25 },\n"
         "   { clip: stride, loop: once, name: a, at: 0.5 },\n"
         "   { clip: wave, loop: once, from: 0.75, speed: 2, name: b, after: a } ] }\n" WALKER
         "[ { clip: wave, fade: 0.25, at: 1.625 }, { clip: stride, loop: once, at: 0.5 },\n"
         "   { clip: wave, loop: once, from: 0.75, speed: 2, at: 1.5 } ] }\n");
    for (double t = 0.0; t < 4.0; t += 0.17)
        cr_expect_eq(models_apart(t), 0.0, "at %g", t);
    // At keyed speed it has played 1 s after 0.5 + 0.5 s: 0.25 s up to 0.5, then 1.5 / s.
    load(WALKER
         "[ { clip: stride, loop: once, name: a, speed: [[0, 0], [0.5, 1, step], [0.6, 1.5]] },\n"
         "   { clip: dash, after: a } ] }\n" WALKER
         "[ { clip: stride, loop: once, speed: [[0, 0], [0.5, 1, step], [0.6, 1.5]] },\n"
         "   { clip: dash, at: 1.0333333333333332 } ] }\n");
    for (double t = 0.0; t < 3.0; t += 0.17)
        cr_expect_lt(models_apart(t), 1e-6, "at %g", t);
    load(WALKER "[ idle, { clip: wave, until: 1.25, name: a },\n"
                "   { clip: stride, loop: once, speed: -0.5, name: b, after: a },\n"
                "   { clip: dash, after: b } ] }\n" WALKER
                "[ idle, { clip: wave, until: 1.25 }, { clip: stride, loop: once, speed: -0.5, at: "
                "1.25 }, { clip: dash, at: 3.25 } ] }\n");
    for (double t = 0.0; t < 4.0; t += 0.17)
        cr_expect_eq(models_apart(t), 0.0, "at %g", t);
}

/// The walker is symmetrical at rest; root motion turns to the other side.
Test(clip_tools, mirrored_layers)
{
    load(WALKER "[ { clip: corner, root_motion: extract, root_turn: true, name: a },\n"
                "   { clip: wave, bones: [ clavicle_r ] } ] }\n" WALKER
                "[ { clip: corner, root_motion: extract, root_turn: true, mirror: true },\n"
                "   { clip: wave, bones: [ clavicle_l ], mirror: true } ] }\n");
    static const char *const bones[][2] = {{"hand_l", "hand_r"}, {"hand_r", "hand_l"},
                                           {"toe_l", "toe_r"},   {"toe_r", "toe_l"},
                                           {"head", "head"},     {"index2_l", "index2_r"}};
    for (double t = 0.0; t < 3.0; t += 0.17) {
        pose(t);
        for (size_t i = 0; i < sizeof bones / sizeof *bones; i++) {
            dvec3 p = joint(0, bones[i][0]);
            p.x = -p.x;
            const double d = dvec3_length(dvec3_sub(p, joint(1, bones[i][1])));
            cr_expect_lt(d, 2e-4, "%s at %g: %g m off", bones[i][0], t, d);
        }
    }
}

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

Test(clip_tools, a_box_reaches_to_both_sides_of_the_first_joint)
{
    const affine joints[] = {
        {.t = {1.0, 2.0, 3.0}}, {.t = {-1.0, 3.0, 2.0}}, {.t = {2.0, 0.0, 8.0}}};
    cr_expect_eq(clip_box_diagonal(joints, 1), 0.0);
    cr_expect_float_eq(clip_box_diagonal(joints, 3), sqrt(9.0 + 9.0 + 36.0), 1e-12);
}
