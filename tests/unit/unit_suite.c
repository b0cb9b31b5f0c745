// SPDX-License-Identifier: MIT
/// Suites: shots of one scene are rendered together wherever they are, and reported in order.
#include "base/def_fields.h"
#include "drawing.h"
#include "suite/suite_run.h"
#include "suite/suite_shot.h"
#include "test_folder.h"
#include "testing.h"

enum { MODELS = 3, SIDES = 4, SHOTS = MODELS * SIDES };

static zt_error err;

/// The order in which shots are done.
typedef struct done_list {
    char names[SHOTS][32];
    uint32_t count;
} done_list;

static void on_done(void *user, uint32_t done, const comparison *result)
{
    done_list *list = user;
    list->count = done;
    cr_assert(done >= 1 && done <= SHOTS);
    snprintf(list->names[done - 1], sizeof list->names[0], "%s", result->name);
}

/// Each side of all models, side by side: in this order no two neighbours share a model.
static void write_suite(const char *path)
{
    static const char *const names[MODELS] = {"mips", "ties", "stairs"};
    FILE *f = fopen(path, "w");
    cr_assert(f);
    fprintf(f, "format: 1\ngoldens: .\ndefaults: { size: 16, samples: 1, frame: 0 }\nshots:\n");
    for (int side = 0; side < SIDES; side++)
        for (int model = 0; model < MODELS; model++)
            fprintf(f, "  - { name: %s-%d, file: %s/scenes/models/%s.glb, azimuth: %d }\n",
                    names[model], side, ZT_SOURCE_DIR, names[model], side * 30);
    fclose(f);
}

static void run(const suite *s, int32_t threads, done_list *list, suite_results *results)
{
    uint32_t selected[SHOTS];
    zt_load_def load = zt_default_load_def();
    zt_renderer_def renderer = zt_default_renderer_def();
    for (uint32_t i = 0; i < SHOTS; i++)
        selected[i] = i;
    renderer.threads = threads;
    const suite_run_def def = {.load = &load,
                               .renderer = &renderer,
                               .selected = selected,
                               .count = SHOTS,
                               .update = true,
                               .done = on_done,
                               .done_user = list};
    MUST(suite_run(s, &def, results, &err), err);
}

Test(suite, shots_of_a_scene_are_done_together, .init = test_folder_make,
     .fini = test_folder_remove)
{
    const char *path = test_file("suite.yaml");
    suite s;
    const zt_load_def load = zt_default_load_def();
    write_suite(path);
    MUST(suite_load(path, &load, NULL, &s, &err), err);
    cr_assert_eq(s.shot_count, SHOTS);
    for (int32_t threads = 1; threads <= 3; threads++) {
        done_list list = {.count = 0};
        suite_results results;
        run(&s, threads, &list, &results);
        cr_assert_eq(list.count, SHOTS);
        int changes = 0; // of the model, from one shot to the next
        for (int i = 1; i < SHOTS; i++)
            changes += list.names[i][0] != list.names[i - 1][0];
        if (threads == 1)
            cr_expect_eq(changes, MODELS - 1, "%d", changes);
        for (uint32_t i = 0; i < SHOTS; i++) {
            const comparison *item = &results.list.items[i];
            cr_expect_str_eq(item->name, s.shots[i].name);
            cr_expect_eq(item->class, COMPARISON_PASSED, "%s: %s", item->name,
                         item->message ? item->message : "");
        }
        suite_results_finish(&results);
    }
    suite_finish(&s);
}

/// Shots that differ in anything have their own pictures; some need their own scenes.
Test(suite, shots_share_what_is_the_same)
{
    const suite_shot plain = {.file = "a.glb", .shot = zt_default_shot_def()};
    cr_expect(suite_shot_same_values(&plain, &plain) && suite_shot_same_scene(&plain, &plain));
    for (size_t i = 0; i < shot_table.count; i++) {
        const def_field *f = &shot_table.field[i];
        const bool text = f->kind >= DEF_TEXT;
        suite_shot one = plain, two = plain;
        for (int k = 0; k < 2; k++)
            if (text)
                *def_text(f, k ? &two.shot : &one.shot) = k ? "none" : "all";
            else
                def_set_number(f, k ? &two.shot : &one.shot,
                               k ? 2.0 : (double)(f->kind >= DEF_INT && f->kind <= DEF_MULTIPLE));
        cr_expect(!suite_shot_same_values(&one, &two), "%s", f->name);
        cr_expect(!suite_shot_same_scene(&plain, &two), "%s is set by one shot alone", f->name);
        cr_expect(suite_shot_same_scene(&one, &two) == (f->trace == DEF_REPLACED), "%s", f->name);
        if (suite_shot_same_scene(&one, &two))
            cr_expect(suite_shot_scene_hash(&one) == suite_shot_scene_hash(&two), "%s", f->name);
    }
    suite_shot variant = plain;
    variant.load.variant = "red";
    cr_expect(!suite_shot_same_scene(&plain, &variant) && !suite_shot_same_scene(&variant, &plain));
}

/// Frames of a shot are found among those of its scene, and no others are.
Test(suite, frames_are_those_of_the_scene)
{
    zt_shot_def shot = zt_default_shot_def();
    shot.frames = "3-28x4";
    OWN_SCENE *scene = load_scene(ZT_SOURCE_DIR "/tests/cli/models/triangle.gltf", &shot);
    for (int64_t frame = 0; frame < 32; frame++) {
        const suite_shot asked = {.file = "f", .has_frame = true, .frame = frame};
        const bool there = frame >= 3 && frame <= 28 && (frame - 3) % 4 == 0;
        int64_t found;
        cr_expect_eq(suite_shot_frame(scene, &asked, &found, &err), there ? ZT_OK : ZT_ERR_ARGUMENT,
                     "%d", (int)frame);
    }
}
