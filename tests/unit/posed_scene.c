// SPDX-License-Identifier: MIT
#include "posed_scene.h"

#include "asset_files.h"
#include "scene/scene_read.h"

#include <stdarg.h>
#include <sys/stat.h>

zt_scene posed_scene;
arena posed_scratch;
const mat4 *const *worlds;

void posed_setup(void)
{
    memset(&posed_scene, 0, sizeof posed_scene);
    posed_scene.load = zt_default_load_def();
    posed_scene.root_length = FILE_ANYWHERE;
    budget_init(&posed_scene.budget_own, 0, NULL);
    arena_init(&posed_scene.arena, &posed_scene.budget_own);
    arena_init(&posed_scratch, &posed_scene.budget_own);
}

void posed_teardown(void)
{
    arena_finish(&posed_scratch);
    for (uint32_t i = 0; i < posed_scene.model_count; i++)
        arena_finish(&posed_scene.models[i]->arena);
    arena_finish(&posed_scene.arena);
}

static void read_bytes(file_bytes bytes)
{
    zt_error err = {0};
    MUST(scene_read(posed_scene.path, bytes, &posed_scene, &err), err);
}

void load_text(const char *format, ...)
{
    char models[8192];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(models, sizeof models, format, list);
    va_end(list);
    cr_assert(length < (int)sizeof models);
    load(models);
}

void load(const char *models)
{
    PRINTED(text, 8448, "format: 1\nmodels:\n%s", models);
    posed_teardown();
    posed_setup();
    posed_scene.path = ZT_SOURCE_DIR "/scenes/tests/test.yaml";
    read_bytes((file_bytes){(const uint8_t *)text, strlen(text)});
}

void load_file(const char *name)
{
    zt_error err = {0};
    file_bytes bytes;
    posed_teardown();
    posed_setup();
    PRINTED(path, 512, ZT_SOURCE_DIR "/scenes/tests/%s.yaml", name);
    posed_scene.path = arena_text(&posed_scene.arena, path, strlen(path));
    MUST(file_read(&posed_scene.arena, path, &bytes, &err), err);
    read_bytes(bytes);
}

const char *asset_path(const char *name, char out[600])
{
    struct stat info;
    snprintf(out, 600, "%s/skinned", asset_folder());
    if (stat(out, &info) != 0) {
        fprintf(stderr, "skipped: no folder of models of other makers (%s)\n", out);
        cr_skip_test("no folder of models of other makers (%s)", out);
    }
    snprintf(out, 600, "%s/%s", asset_folder(), name);
    return out;
}

void pose_with(const kernel_table *kernels, double time_s)
{
    zt_error err = {0};
    MUST(pose_scene(kernels->pose, &posed_scene, scene_shot_time(&posed_scene, time_s),
                    &posed_scratch, &(pose_sharing){0}, &worlds, &err),
         err);
}

void pose(double time_s) { pose_with(kernels_for(ZT_ISA_SCALAR), time_s); }

int find(uint32_t instance, const char *name)
{
    const zt_model *model = posed_scene.instances[instance].model;
    for (uint32_t i = 0; i < model->node_count; i++)
        if (strcmp(model->nodes[i].name, name) == 0)
            return (int)i;
    cr_assert_fail("no bone %s", name);
    return -1;
}

const vec4 *world(uint32_t instance, const char *name)
{
    return worlds[instance][find(instance, name)];
}

dvec3 joint(uint32_t instance, const char *name)
{
    return dvec3_from_floats(world(instance, name)[3]);
}

double distance(const float a[3], const double b[3])
{
    return dvec3_length(dvec3_sub(dvec3_from_floats(a), dvec3_load(b)));
}

double apart(const float a[3], const float b[3])
{
    return dvec3_length(dvec3_sub(dvec3_from_floats(a), dvec3_from_floats(b)));
}

double angle_to(const vec4 *m, int column, double sign, const double to[3])
{
    const dvec3 axis = dvec3_scale(dvec3_from_floats(m[column]), sign);
    return dvec3_angle_deg(axis, dvec3_sub(dvec3_load(to), dvec3_from_floats(m[3])));
}
