// SPDX-License-Identifier: MIT
/// `parent` of models: where riders of the platform are, by hand.
#include "base/maths.h"
#include "posed_scene.h"

#define DEGREE (MATHS_PI / 180.0)

TestSuite(parent, .init = posed_setup, .fini = posed_teardown);

#define PLATFORM "  - { name: platform, file: ../models/platform.glb, "
#define DECK     PLATFORM "animation: ride }\n"
#define BLOB(transform, parent)                                                                    \
    "  - { name: rider, file: ../models/blob.glb, transform: { " transform " },\n"                 \
    "      parent: " parent " }\n"

/// Loads models of a shot of six seconds.
static void load_shot(const char *models) { load_text("%soutput: { frames: 0-179 }\n", models); }

/// World transform of the first node of an instance.
static void root_at(uint32_t instance, double time_s, mat4 out)
{
    pose(time_s);
    memcpy(out, worlds[instance][0], sizeof(mat4));
}

static double most_apart(mat4 a, mat4 b)
{
    double most = 0.0;
    for (int i = 0; i < 16; i++)
        most = fmax(most, fabs((double)(&a[0][0])[i] - (double)(&b[0][0])[i]));
    return most;
}

/// Nothing jumps at a time.
static void expect_no_jump(uint32_t instance, double time_s)
{
    mat4 before, after;
    root_at(instance, time_s - 1e-9, before);
    root_at(instance, time_s, after);
    cr_expect_lt(most_apart(before, after), 4e-6, "at %g: %g", time_s, most_apart(before, after));
}

static void expect_at(uint32_t instance, double time_s, double x, double y, double z,
                      double turned_deg)
{
    mat4 m;
    root_at(instance, time_s, m);
    const double angle = turned_deg * DEGREE;
    cr_expect(fabs((double)m[3][0] - x) < 2e-6 && fabs((double)m[3][1] - y) < 2e-6 &&
                  fabs((double)m[3][2] - z) < 2e-6,
              "%u at %g: %g %g %g, want %g %g %g", instance, time_s, (double)m[3][0],
              (double)m[3][1], (double)m[3][2], x, y, z);
    cr_expect(fabs((double)m[2][0] - sin(angle)) < 2e-6 &&
                  fabs((double)m[2][2] - cos(angle)) < 2e-6,
              "%u at %g: turned to %g %g, want %g degrees", instance, time_s, (double)m[2][0],
              (double)m[2][2], turned_deg);
}

Test(parent, a_bone_carries_its_attachments)
{
    // The rider comes first in the file and is posed after what it rides on; a second rides on it.
    load_shot(
        "  - { name: rider, file: ../models/blob.glb, transform: { translate: [0.5, 1, 0] }, "
        "parent: { model: platform, bone: deck } }\n" DECK "  - { name: hat, file: ../models/"
        "blob.glb, transform: { translate: [0, 1, 0.25] }, parent: { model: rider, bone: blob } "
        "}\n");
    expect_at(0, 0.5, -1.5, 1.0, 0.0, 0.0);
    expect_at(2, 0.5, -1.5, 2.0, 0.25, 0.0);
    // Halfway: at 0, turned by 45 degrees about y, which takes +x to (cos, 0, -sin).
    const double half = sqrt(0.5);
    expect_at(0, 2.0, 0.5 * half, 1.0, -0.5 * half, 45.0);
    expect_at(2, 2.0, (0.5 + 0.25) * half, 2.0, (0.25 - 0.5) * half, 45.0);
    expect_at(0, 3.5, 2.0, 1.0, -0.5, 90.0);
}

Test(parent, boarding_and_leaving_keep_the_world_pose)
{
    load_shot(DECK
              "  - { name: rider, file: ../models/blob.glb, transform: { translate: "
              "[[0, [-2.5, 1, 0]], [2, [-2.5, 1, 0]], [3, [-2.5, 1, 0.5]], [4, [-2.5, 1, 1]]] }, "
              "parent: [[0, none], [1.5, { model: platform, bone: deck }], [2.5, none], "
              "[3, { model: platform, bone: rail }]] }\n");
    expect_at(1, 0.0, -2.5, 1.0, 0.0, 0.0);
    expect_at(1, 1.5, -2.5, 1.0, 0.0, 0.0);
    static const double changes[3] = {1.5, 2.5, 3.0};
    for (int k = 0; k < 3; k++)
        expect_no_jump(1, changes[k]);
    // Boarded at 1.5 s: the deck is at -1, turned by 22.5 degrees; at 2 s at 0, by 45.
    const double a = 22.5 * DEGREE;
    const double x = -2.5 + 1.0; // from the deck's middle, turned by 22.5 degrees more
    expect_at(1, 2.0, x * cos(a), 1.0, -x * sin(a), 22.5);
    // Left at 2.5 s, when the deck was at 1 and had turned by 45 degrees since boarding; its own
    // transform has moved by 0.25 in z of the space that it boarded with.
    const double b = 2.0 * a, z = 0.25;
    expect_at(1, 2.5, 1.0 + x * cos(b) + z * sin(b), 1.0, -x * sin(b) + z * cos(b), 45.0);
    // And goes on in that direction, while the deck does not matter.
    expect_at(1, 2.75, 1.0 + x * cos(b) + 0.375 * sin(b), 1.0, -x * sin(b) + 0.375 * cos(b), 45.0);
    // On the rail from 3 s, which stands until 4 s: as in the world.
    expect_at(1, 3.5, 1.0 + x * cos(b) + 0.75 * sin(b), 1.0, -x * sin(b) + 0.75 * cos(b), 45.0);
}

/// The deck: along x from -2 at 1 s to 2 at 3 s, and turned by 0 to 90 degrees about y.
static void deck_at(double time_s, double *x, double *angle)
{
    *x = 2.0 * time_s - 4.0;
    *angle = 45.0 * (time_s - 1.0) * DEGREE;
}

Test(parent, a_snap_puts_it_into_the_space_of_the_bone)
{
    double x, angle;
    load_shot(DECK BLOB("translate: [-2.5, 1, 0.5]",
                        "[[0, none], [2, { model: platform, bone: deck, snap: true }], "
                        "[2.5, { model: none, snap: true }]]"));
    expect_at(1, 2.0 - 1e-9, -2.5, 1.0, 0.5, 0.0);
    for (double t = 2.0; t < 2.5; t += 0.125) {
        deck_at(t, &x, &angle);
        expect_at(1, t, x - 2.5 * cos(angle) + 0.5 * sin(angle), 1.0,
                  2.5 * sin(angle) + 0.5 * cos(angle), angle / DEGREE);
    }
    expect_at(1, 2.5, -2.5, 1.0, 0.5, 0.0);
}

Test(parent, a_blend_goes_evenly_from_one_parent_to_the_other)
{
    load_shot(DECK BLOB("translate: [-2.5, 1, 0]",
                        "[[0, none], [1.5, { model: platform, bone: deck, snap: true, "
                        "blend: 1 }]]"));
    for (double t = 1.5; t < 3.0; t += 0.0625) {
        double x, angle;
        const double share = t < 2.5 ? t - 1.5 : 1.0;
        deck_at(t, &x, &angle);
        expect_at(1, t, -2.5 * (1.0 - share) + share * (x - 2.5 * cos(angle)), 1.0,
                  share * 2.5 * sin(angle), share * angle / DEGREE);
    }
    // Without a snap the blend goes from where the deck would have taken it to where it stays.
    load_shot(DECK BLOB("translate: [0, 1, 0]",
                        "[[0, { model: platform, bone: deck }], [2, { model: "
                        "none, blend: 0.5 }]]"));
    for (double t = 2.0; t < 3.0; t += 0.0625) {
        double x, angle;
        const double share = t < 2.5 ? 2.0 * (t - 2.0) : 1.0;
        deck_at(t, &x, &angle);
        expect_at(1, t, (1.0 - share) * x, 1.0, 0.0,
                  45.0 + (1.0 - share) * (angle / DEGREE - 45.0));
    }
}

Test(parent, scale_is_left_out_and_blended)
{
    mat4 m;
    double x, angle;
    // All of the platform is twice as large: its deck, and what inherits its scale.
    load_shot(PLATFORM "animation: ride, "
                       "transform: { scale: 2 } }\n" BLOB(
                           "translate: [0.5, 1, 0]",
                           "[[0, { model: platform, bone: deck, inherit_scale: false }], "
                           "[2, { model: platform, bone: deck, snap: true, blend: 0.5 }]]"));
    for (double t = 1.0; t < 2.0; t += 0.125) {
        deck_at(t, &x, &angle);
        expect_at(1, t, 2.0 * x + 0.5 * cos(angle), 1.0, -0.5 * sin(angle), angle / DEGREE);
    }
    for (double t = 2.0; t < 3.0; t += 0.125) {
        const double share = t < 2.5 ? 2.0 * (t - 2.0) : 1.0, size = 1.0 + share;
        root_at(1, t, m);
        for (int k = 0; k < 3; k++)
            NEAR(dvec3_length(dvec3_from_floats(m[k])), size, 2e-6, "axis %d at %g", k, t);
        deck_at(t, &x, &angle);
        const double want[3] = {2.0 * x + 0.5 * size * cos(angle), size, -0.5 * size * sin(angle)};
        cr_expect_lt(distance(m[3], want), 4e-6, "at %g", t);
    }
    // A stretch along z shears the turned deck: its x axis keeps its direction, all are unit.
    load_shot(PLATFORM
              "animation: ride, "
              "transform: { scale: [1, 1, 3] } }\n" BLOB(
                  "translate: [0, 1, 0]", "{ model: platform, bone: deck, inherit_scale: false }"));
    for (double t = 1.0; t < 3.0; t += 0.125) {
        deck_at(t, &x, &angle);
        root_at(1, t, m);
        const double sheared = atan2(3.0 * sin(angle), cos(angle));
        expect_at(1, t, x, 1.0, 0.0, sheared / DEGREE);
        for (int k = 0; k < 3; k++)
            cr_expect_float_eq(dvec3_length(dvec3_from_floats(m[k])), 1.0, 1e-6);
    }
}

Test(parent, a_change_within_a_blend_keeps_what_is_seen)
{
    mat4 at, later;
    load_shot(DECK BLOB("translate: [-2.5, 1, 0], rotate: [10, 20, 30], scale: 2",
                        "[[0, none], [1.5, { model: platform, bone: deck, snap: true, "
                        "blend: 1 }], [2, none]]"));
    root_at(1, 2.0 - 1e-9, at);
    for (double t = 2.0; t < 3.0; t += 0.25) {
        root_at(1, t, later);
        cr_expect_lt(most_apart(at, later), 4e-6, "at %g", t);
    }
}

/// Changes within the last one's blend, kept and snapped, between parents that move and scale.
Test(parent, blends_are_continuous)
{
    static const double step_s = 1.0 / 1024.0;
    load_shot(
        PLATFORM
        "animation: ride, transform: { scale: "
        "[1, 2, 3], rotate: [20, 10, 0] } }\n" BLOB(
            "translate: [1, 1, 0], rotate: [0, 160, 0], scale: [1, 2, 1]",
            "[[0, none], [1.5, { model: platform, bone: deck, snap: true, blend: 0.5 }], "
            "[1.75, { model: none, blend: 0.5 }], [2, { model: platform, bone: rail, snap: true, "
            "blend: 0.25, inherit_scale: false }], [2.125, { model: platform, bone: deck, "
            "blend: 0.5 }]]"));
    mat4 before, after;
    double largest = 0.0;
    root_at(1, 1.0, before);
    for (double t = 1.0 + step_s; t < 3.0; t += step_s) {
        root_at(1, t, after);
        largest = fmax(largest, most_apart(before, after));
        memcpy(before, after, sizeof before);
    }
    cr_expect_lt(largest, 40.0 * step_s, "a step of %g: faster than anything moves", largest);
    // At each change, and where blends end.
    static const double changes[7] = {1.5, 1.75, 2.0, 2.125, 2.25, 2.5, 2.625};
    for (int k = 0; k < 7; k++)
        expect_no_jump(1, changes[k]);
}

static double determinant(mat4 m)
{
    double v[3][3];
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            v[c][r] = (double)m[c][r];
    return v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
           v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
           v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
}

/// To a mirrored deck and back: the rider keeps its size, and nothing but its handedness jumps, at
/// the change; nor does a blend whose ends pass each other at half a turn.
Test(parent, blends_to_mirrored_bones)
{
    static const double step_s = 1.0 / 512.0;
    for (int spin = 0; spin < 2; spin++) {
        load_shot(
            spin ? PLATFORM "transform: { scale: [-1, 1, 1] } }\n" BLOB(
                       "translate: [1, 1, 0], rotate: [[0, [0, 0, 0]], [4, [0, 300, 80]]]",
                       "[[0, none], [1, { model: platform, bone: deck, snap: true, blend: 1 }], "
                       "[2.5, { model: none, snap: true, blend: 1 }]]")
                 : PLATFORM
                "transform: { rotate: [[0, [0, 100, 0]], [4, [0, 260, 0]]] } "
                "}\n" BLOB(
                    "translate: [1, 1, 0]",
                    "[[0, none], [1, { model: platform, bone: deck, snap: true, blend: 2 }]]"));
        mat4 before, after;
        root_at(1, 0.5, before);
        const double size = determinant(before);
        for (double t = 0.5 + step_s; t < 4.0; t += step_s) {
            root_at(1, t, after);
            const double largest = most_apart(before, after);
            const bool changes = t == 1.0 || t == 2.5;
            cr_expect(changes || largest < 12.0 * step_s, "%d: a step of %g at %g s", spin, largest,
                      t);
            const bool mirrored = spin && t >= 1.0 && t < 2.5;
            NEAR(determinant(after) / size, mirrored ? -1.0 : 1.0, 1e-4, "%d at %g s", spin, t);
            memcpy(before, after, sizeof before);
        }
    }
}
