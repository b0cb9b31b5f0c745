// SPDX-License-Identifier: MIT
/// `parent` of models: where riders of the platform are, by hand.
#include "kernels/kernels.h"
#include "pose/pose.h"
#include "scene_file.h"
#include "testing.h"

#include <unistd.h>

#define MODELS ZT_SOURCE_DIR "/scenes/models/"
#define DECK   "{ name: platform, file: " MODELS "platform.glb, animation: ride }"

static zt_scene *read_scene(const char *models)
{
    char text[8192];
    const int length =
        snprintf(text, sizeof text, "format: 1\noutput: { frames: 0-179 }\nmodels:\n%s", models);
    cr_assert(length > 0 && length < (int)sizeof text);
    return scene_of_text(text, ZT_OK);
}

/// World transform of the first node of an instance, on the way of the scene.
static void root_at(const zt_scene *scene, uint32_t instance, double time_s, mat4 out)
{
    arena a;
    const mat4 *const *worlds = NULL;
    arena_init(&a, &((zt_scene *)(uintptr_t)scene)->budget_own);
    cr_assert_eq(pose_scene(kernels_best(ZT_ISA_BEST)->pose, scene, scene_shot_time(scene, time_s),
                            &a, &(pose_sharing){0}, &worlds, &err),
                 ZT_OK);
    memcpy(out, worlds[instance][0], sizeof(mat4));
    arena_finish(&a);
}

static void expect_at(const zt_scene *scene, uint32_t instance, double time_s, double x, double y,
                      double z, double turned_deg)
{
    mat4 m;
    root_at(scene, instance, time_s, m);
    const double angle = turned_deg * 3.14159265358979323846 / 180.0;
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
    OWN_SCENE *scene = read_scene(
        "  - { name: rider, file: " MODELS "blob.glb, transform: { translate: [0.5, 1, 0] }, "
        "parent: { model: platform, bone: deck } }\n  - " DECK "\n  - { name: hat, file: " MODELS
        "blob.glb, transform: { translate: [0, 1, 0.25] }, parent: { model: rider, bone: blob } "
        "}\n");
    expect_at(scene, 0, 0.5, -1.5, 1.0, 0.0, 0.0);
    expect_at(scene, 2, 0.5, -1.5, 2.0, 0.25, 0.0);
    // Halfway: at 0, turned by 45 degrees about y, which takes +x to (cos, 0, -sin).
    const double half = sqrt(0.5);
    expect_at(scene, 0, 2.0, 0.5 * half, 1.0, -0.5 * half, 45.0);
    expect_at(scene, 2, 2.0, (0.5 + 0.25) * half, 2.0, (0.25 - 0.5) * half, 45.0);
    expect_at(scene, 0, 3.5, 2.0, 1.0, -0.5, 90.0);
}

Test(parent, boarding_and_leaving_keep_the_world_pose)
{
    OWN_SCENE *scene = read_scene(
        "  - " DECK "\n  - { name: rider, file: " MODELS "blob.glb, transform: { translate: "
        "[[0, [-2.5, 1, 0]], [2, [-2.5, 1, 0]], [3, [-2.5, 1, 0.5]], [4, [-2.5, 1, 1]]] }, "
        "parent: [[0, none], [1.5, { model: platform, bone: deck }], [2.5, none], "
        "[3, { model: platform, bone: rail }]] }\n");
    expect_at(scene, 1, 0.0, -2.5, 1.0, 0.0, 0.0);
    expect_at(scene, 1, 1.5, -2.5, 1.0, 0.0, 0.0);
    for (int k = 0; k < 3; k++) { // nothing jumps at a change
        static const double changes[3] = {1.5, 2.5, 3.0};
        mat4 before, after;
        root_at(scene, 1, changes[k] - 1e-9, before);
        root_at(scene, 1, changes[k], after);
        for (int i = 0; i < 16; i++)
            cr_expect(fabsf((&before[0][0])[i] - (&after[0][0])[i]) < 4e-6f, "change %d", k);
    }
    // Boarded at 1.5 s: the deck is at -1, turned by 22.5 degrees; at 2 s at 0, by 45.
    const double a = 22.5 * 3.14159265358979323846 / 180.0;
    const double x = -2.5 + 1.0; // from the deck's middle, turned by 22.5 degrees more
    expect_at(scene, 1, 2.0, x * cos(a), 1.0, -x * sin(a), 22.5);
    // Left at 2.5 s, when the deck was at 1 and had turned by 45 degrees since boarding; its own
    // transform has moved by 0.25 in z of the space that it boarded with.
    const double b = 2.0 * a, z = 0.25;
    expect_at(scene, 1, 2.5, 1.0 + x * cos(b) + z * sin(b), 1.0, -x * sin(b) + z * cos(b), 45.0);
    // And goes on in that direction, while the deck does not matter.
    expect_at(scene, 1, 2.75, 1.0 + x * cos(b) + 0.375 * sin(b), 1.0, -x * sin(b) + 0.375 * cos(b),
              45.0);
    // On the rail from 3 s, which stands until 4 s: as in the world.
    expect_at(scene, 1, 3.5, 1.0 + x * cos(b) + 0.75 * sin(b), 1.0, -x * sin(b) + 0.75 * cos(b),
              45.0);
}

// ---- Sockets ------------------------------------------------------------------------------------

#define BLOB(transform, parent)                                                                    \
    "  - { name: rider, file: " MODELS "blob.glb, transform: { " transform " },\n"                 \
    "      parent: " parent " }\n"
#define DEGREE (3.14159265358979323846 / 180.0)

/// The deck: along x from -2 at 1 s to 2 at 3 s, and turned by 0 to 90 degrees about y.
static void deck_at(double time_s, double *x, double *angle)
{
    *x = 2.0 * time_s - 4.0;
    *angle = 45.0 * (time_s - 1.0) * DEGREE;
}

static double distance_to(mat4 m, double x, double y, double z)
{
    const double d[3] = {(double)m[3][0] - x, (double)m[3][1] - y, (double)m[3][2] - z};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static double length_of(const float v[3])
{
    return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                (double)v[2] * (double)v[2]);
}

Test(parent, a_snap_puts_it_into_the_space_of_the_bone)
{
    double x, angle;
    OWN_SCENE *scene = read_scene(
        "  - " DECK "\n" BLOB("translate: [-2.5, 1, 0.5]",
                              "[[0, none], [2, { model: platform, bone: deck, snap: true }], "
                              "[2.5, { model: none, snap: true }]]"));
    expect_at(scene, 1, 2.0 - 1e-9, -2.5, 1.0, 0.5, 0.0);
    for (double t = 2.0; t < 2.5; t += 0.125) {
        deck_at(t, &x, &angle);
        expect_at(scene, 1, t, x - 2.5 * cos(angle) + 0.5 * sin(angle), 1.0,
                  2.5 * sin(angle) + 0.5 * cos(angle), angle / DEGREE);
    }
    expect_at(scene, 1, 2.5, -2.5, 1.0, 0.5, 0.0);
}

Test(parent, a_blend_goes_evenly_from_one_parent_to_the_other)
{
    zt_scene *scene = read_scene("  - " DECK "\n" BLOB(
        "translate: [-2.5, 1, 0]", "[[0, none], [1.5, { model: platform, bone: deck, snap: true, "
                                   "blend: 1 }]]"));
    for (double t = 1.5; t < 3.0; t += 0.0625) {
        double x, angle;
        const double share = t < 2.5 ? t - 1.5 : 1.0;
        deck_at(t, &x, &angle);
        expect_at(scene, 1, t, -2.5 * (1.0 - share) + share * (x - 2.5 * cos(angle)), 1.0,
                  share * 2.5 * sin(angle), share * angle / DEGREE);
    }
    zt_scene_destroy(scene);
    // Without a snap the blend goes from where the deck would have taken it to where it stays.
    scene = read_scene("  - " DECK "\n" BLOB("translate: [0, 1, 0]",
                                             "[[0, { model: platform, bone: deck }], [2, { model: "
                                             "none, blend: 0.5 }]]"));
    for (double t = 2.0; t < 3.0; t += 0.0625) {
        double x, angle;
        const double share = t < 2.5 ? 2.0 * (t - 2.0) : 1.0;
        deck_at(t, &x, &angle);
        expect_at(scene, 1, t, (1.0 - share) * x, 1.0, 0.0,
                  45.0 + (1.0 - share) * (angle / DEGREE - 45.0));
    }
    zt_scene_destroy(scene);
}

Test(parent, scale_is_left_out_and_blended)
{
    mat4 m;
    double x, angle;
    // All of the platform is twice as large: its deck, and what inherits its scale.
    zt_scene *scene =
        read_scene("  - { name: platform, file: " MODELS "platform.glb, animation: ride, "
                   "transform: { scale: 2 } }\n" BLOB(
                       "translate: [0.5, 1, 0]",
                       "[[0, { model: platform, bone: deck, inherit_scale: false }], "
                       "[2, { model: platform, bone: deck, snap: true, blend: 0.5 }]]"));
    for (double t = 1.0; t < 2.0; t += 0.125) {
        deck_at(t, &x, &angle);
        expect_at(scene, 1, t, 2.0 * x + 0.5 * cos(angle), 1.0, -0.5 * sin(angle), angle / DEGREE);
    }
    for (double t = 2.0; t < 3.0; t += 0.125) {
        const double share = t < 2.5 ? 2.0 * (t - 2.0) : 1.0, size = 1.0 + share;
        root_at(scene, 1, t, m);
        for (int k = 0; k < 3; k++)
            cr_expect_float_eq(length_of(m[k]), size, 2e-6, "axis %d at %g", k, t);
        deck_at(t, &x, &angle);
        cr_expect_lt(
            distance_to(m, 2.0 * x + 0.5 * size * cos(angle), size, -0.5 * size * sin(angle)), 4e-6,
            "at %g", t);
    }
    zt_scene_destroy(scene);
    // A stretch along z shears the turned deck: its x axis keeps its direction, all are unit.
    scene = read_scene(
        "  - { name: platform, file: " MODELS "platform.glb, animation: ride, "
        "transform: { scale: [1, 1, 3] } }\n" BLOB(
            "translate: [0, 1, 0]", "{ model: platform, bone: deck, inherit_scale: false }"));
    for (double t = 1.0; t < 3.0; t += 0.125) {
        deck_at(t, &x, &angle);
        root_at(scene, 1, t, m);
        const double sheared = atan2(3.0 * sin(angle), cos(angle));
        expect_at(scene, 1, t, x, 1.0, 0.0, sheared / DEGREE);
        for (int k = 0; k < 3; k++)
            cr_expect_float_eq(length_of(m[k]), 1.0, 1e-6);
    }
    zt_scene_destroy(scene);
}

Test(parent, a_change_within_a_blend_keeps_what_is_seen)
{
    mat4 at, later;
    OWN_SCENE *scene = read_scene(
        "  - " DECK "\n" BLOB("translate: [-2.5, 1, 0], rotate: [10, 20, 30], scale: 2",
                              "[[0, none], [1.5, { model: platform, bone: deck, snap: true, "
                              "blend: 1 }], [2, none]]"));
    root_at(scene, 1, 2.0 - 1e-9, at);
    for (double t = 2.0; t < 3.0; t += 0.25) {
        root_at(scene, 1, t, later);
        for (int i = 0; i < 16; i++)
            cr_expect_lt(fabsf((&at[0][0])[i] - (&later[0][0])[i]), 4e-6f, "at %g", t);
    }
}

/// Changes within the last one's blend, kept and snapped, between parents that move and scale.
Test(parent, blends_are_continuous)
{
    static const double step_s = 1.0 / 1024.0;
    OWN_SCENE *scene = read_scene(
        "  - { name: platform, file: " MODELS "platform.glb, animation: ride, transform: { scale: "
        "[1, 2, 3], rotate: [20, 10, 0] } }\n" BLOB(
            "translate: [1, 1, 0], rotate: [0, 160, 0], scale: [1, 2, 1]",
            "[[0, none], [1.5, { model: platform, bone: deck, snap: true, blend: 0.5 }], "
            "[1.75, { model: none, blend: 0.5 }], [2, { model: platform, bone: rail, snap: true, "
            "blend: 0.25, inherit_scale: false }], [2.125, { model: platform, bone: deck, "
            "blend: 0.5 }]]"));
    mat4 before, after;
    double largest = 0.0;
    root_at(scene, 1, 1.0, before);
    for (double t = 1.0 + step_s; t < 3.0; t += step_s) {
        root_at(scene, 1, t, after);
        for (int i = 0; i < 16; i++)
            largest = fmax(largest, fabs((double)((&after[0][0])[i] - (&before[0][0])[i])));
        memcpy(before, after, sizeof before);
    }
    cr_expect_lt(largest, 40.0 * step_s, "a step of %g: faster than anything moves", largest);
    for (int k = 0; k < 7; k++) { // at each change, and where blends end
        static const double changes[7] = {1.5, 1.75, 2.0, 2.125, 2.25, 2.5, 2.625};
        root_at(scene, 1, changes[k] - 1e-9, before);
        root_at(scene, 1, changes[k], after);
        for (int i = 0; i < 16; i++)
            cr_expect_lt(fabsf((&before[0][0])[i] - (&after[0][0])[i]), 4e-6f, "at %g: %g %g",
                         changes[k], (double)(&before[0][0])[i], (double)(&after[0][0])[i]);
    }
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
        OWN_SCENE *scene = read_scene(
            spin ? "  - { name: platform, file: " MODELS
                   "platform.glb, transform: { scale: [-1, 1, 1] } }\n" BLOB(
                       "translate: [1, 1, 0], rotate: [[0, [0, 0, 0]], [4, [0, 300, 80]]]",
                       "[[0, none], [1, { model: platform, bone: deck, snap: true, blend: 1 }], "
                       "[2.5, { model: none, snap: true, blend: 1 }]]")
                 : "  - { name: platform, file: " MODELS
                   "platform.glb, transform: { rotate: [[0, [0, 100, 0]], [4, [0, 260, 0]]] } "
                   "}\n" BLOB(
                       "translate: [1, 1, 0]",
                       "[[0, none], [1, { model: platform, bone: deck, snap: true, blend: 2 }]]"));
        mat4 before, after;
        root_at(scene, 1, 0.5, before);
        const double size = determinant(before);
        for (double t = 0.5 + step_s; t < 4.0; t += step_s) {
            root_at(scene, 1, t, after);
            double largest = 0.0;
            for (int i = 0; i < 16; i++)
                largest = fmax(largest, fabs((double)((&after[0][0])[i] - (&before[0][0])[i])));
            const bool changes = t == 1.0 || t == 2.5;
            cr_expect(changes || largest < 12.0 * step_s, "%d: a step of %g at %g s", spin, largest,
                      t);
            const bool mirrored = spin && t >= 1.0 && t < 2.5;
            cr_expect(fabs(determinant(after) / size - (mirrored ? -1.0 : 1.0)) < 1e-4,
                      "%d: %g of %g at %g s", spin, determinant(after), size, t);
            memcpy(before, after, sizeof before);
        }
    }
}
