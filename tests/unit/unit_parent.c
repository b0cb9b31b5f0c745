// SPDX-License-Identifier: MIT
/// `parent`: keys and mistakes in scene files, and where riders are, by hand from the path of the
/// platform of scenes/models.
#include "kernels/kernels.h"
#include "pose/pose.h"
#include "scene/scene_ik.h"
#include "scene_file.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MODELS ZT_SOURCE_DIR "/scenes/models/"
#define DECK   "{ name: platform, file: " MODELS "platform.glb, animation: ride }"

static const char *whole_text(const char *models)
{
    static char text[8192];
    const int length =
        snprintf(text, sizeof text, "format: 1\noutput: { frames: 0-179 }\nmodels:\n%s", models);
    cr_assert(length > 0 && length < (int)sizeof text);
    return text;
}

static zt_scene *read_scene(const char *models, zt_result expected)
{
    return scene_of_text(whole_text(models), expected);
}

static void must_fail(const char *models, const char *part)
{
    text_must_fail(whole_text(models), part);
}

#define RIDER(parent)                                                                              \
    "  - " DECK "\n  - { name: rider, file: " MODELS "blob.glb,\n      parent: " parent " }\n"

Test(parent, mistakes)
{
    must_fail(RIDER("deck"), "a map of model and bone, or none");
    must_fail(RIDER("{ model: platform }"), "no key 'bone'");
    must_fail(RIDER("{ model: platfrom, bone: deck }"), "did you mean 'platform'");
    must_fail(RIDER("{ model: platform, bone: dekc }"), "did you mean 'deck'");
    must_fail(RIDER("{ model: platform, bone: deck, offset: 1 }"), "unknown key 'offset'");
    must_fail(RIDER("[[1, none], [0, none]]"), "rising times");
    must_fail(RIDER("[[soon, none]]"), "a number");
    must_fail(RIDER("[none]"), "a key [time, parent]");
    must_fail(RIDER("[]"), "expected 1 to 64");
    must_fail(RIDER("{ model: rider, bone: blob }"),
              "bones wait for each other: 'rider' -> 'blob' of 'rider' (");
    must_fail("  - { name: a, file: " MODELS "blob.glb,\n      parent: { model: b, bone: blob } }\n"
              "  - { name: b, file: " MODELS
              "blob.glb,\n      parent: { model: a, bone: blob } }\n",
              "'a' -> 'blob' of 'b' -> 'blob' of 'a'");
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
    zt_scene *scene = read_scene(
        "  - { name: rider, file: " MODELS "blob.glb, transform: { translate: [0.5, 1, 0] }, "
        "parent: { model: platform, bone: deck } }\n  - " DECK "\n  - { name: hat, file: " MODELS
        "blob.glb, transform: { translate: [0, 1, 0.25] }, parent: { model: rider, bone: blob } "
        "}\n",
        ZT_OK);
    expect_at(scene, 0, 0.5, -1.5, 1.0, 0.0, 0.0);
    expect_at(scene, 2, 0.5, -1.5, 2.0, 0.25, 0.0);
    // Halfway: at 0, turned by 45 degrees about y, which takes +x to (cos, 0, -sin).
    const double half = sqrt(0.5);
    expect_at(scene, 0, 2.0, 0.5 * half, 1.0, -0.5 * half, 45.0);
    expect_at(scene, 2, 2.0, (0.5 + 0.25) * half, 2.0, (0.25 - 0.5) * half, 45.0);
    expect_at(scene, 0, 3.5, 2.0, 1.0, -0.5, 90.0);
    zt_scene_destroy(scene);
}

Test(parent, boarding_and_leaving_keep_the_world_pose)
{
    zt_scene *scene = read_scene(
        "  - " DECK "\n  - { name: rider, file: " MODELS "blob.glb, transform: { translate: "
        "[[0, [-2.5, 1, 0]], [2, [-2.5, 1, 0]], [3, [-2.5, 1, 0.5]], [4, [-2.5, 1, 1]]] }, "
        "parent: [[0, none], [1.5, { model: platform, bone: deck }], [2.5, none], "
        "[3, { model: platform, bone: rail }]] }\n",
        ZT_OK);
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
    zt_scene_destroy(scene);
}
