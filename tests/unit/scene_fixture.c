// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "scene/scene_read.h"

zt_scene scene;
zt_error err;
heard said;
const char *fixture_folder = FOLDER;

void setup(void)
{
    memset(&scene, 0, sizeof scene);
    memset(&err, 0, sizeof err);
    scene.load = zt_default_load_def();
    scene.load.message = hear;
    scene.load.message_user = &said;
    scene.from_file = true;
    scene.root_length = FILE_ANYWHERE;
    budget_init(&scene.budget_own, 0, NULL);
    arena_init(&scene.arena, &scene.budget_own);
}

void teardown(void)
{
    for (uint32_t i = 0; i < scene.model_count; i++)
        arena_finish(&scene.models[i]->arena);
    arena_finish(&scene.arena);
    cr_assert_eq(scene.budget_own.used, 0, "the scene gives back all its memory");
}

zt_result read_as(const char *name, const char *text)
{
    teardown();
    setup();
    PRINTED(path, 512, "%s%s", fixture_folder, name);
    scene.path = arena_text(&scene.arena, path, strlen(path));
    const file_bytes bytes = {(const uint8_t *)text, strlen(text)};
    return scene_read(scene.path, bytes, &scene, &err);
}

zt_result read_yaml(const char *text) { return read_as("test.yaml", text); }

void must_read(const char *text)
{
    cr_assert_eq(read_yaml(text), ZT_OK, "%s\n%s", text, err.message);
}

void must_fail(const char *text, const char *part)
{
    int line = 0, column = 0;
    const zt_result result = read_yaml(text);
    cr_assert(result == ZT_ERR_FORMAT || result == ZT_ERR_LIMIT, "%s gave %s", text,
              zt_result_name(result));
    const char *where = strstr(err.message, "test.yaml:");
    cr_assert(where && sscanf(where, "test.yaml:%d:%d: ", &line, &column) == 2 && column > 0,
              "%s\n%s\nwithout line and column", text, err.message);
    cr_assert(strstr(err.message, part), "%s\n%s\nwithout '%s'", text, err.message, part);
    cr_assert_not(strchr(err.message, '\n'));
}

void must_fail_json(const char *text, zt_result code, const char *part)
{
    cr_assert_eq(read_as("test.json", text), code, "%s", err.message);
    cr_assert(strstr(err.message, part), "%s\n%s\nwithout '%s'", text, err.message, part);
}

double at(const track *t, double time_s, int component)
{
    double value[4] = {0};
    track_evaluate(t, time_s, value);
    return value[component];
}
