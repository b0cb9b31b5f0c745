// SPDX-License-Identifier: MIT
/// Scene file -> zt_scene: the top level. The reference of every key is the tables of this folder
/// (scene_output.c, scene_models.c, scene_camera.c, scene_lights.c) and docs/scenes.md.
#include "scene/scene_parts.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static zt_result read_format(scene_reader *r, const document_node *value, void *target)
{
    (void)target;
    if (value->kind != DOCUMENT_NUMBER || value->number != 1.0)
        return value_wrong(r, value, "format 1, the only one this version reads");
    return ZT_OK;
}

static zt_result read_ground(scene_reader *r, const document_node *value, void *target)
{
    (void)target;
    static const char *const later[] = {"shadow", "checker", "plane"};
    for (size_t i = 0; i < COUNT_OF(later); i++)
        if (value->kind == DOCUMENT_STRING && strcmp(value->text, later[i]) == 0)
            return value_fail(r, value, false, "the ground '%s' is not yet supported", later[i]);
    if (value->kind != DOCUMENT_STRING || strcmp(value->text, "none") != 0)
        return value_wrong(r, value, "none");
    return ZT_OK;
}

static zt_result read_tree(scene_reader *r, const document_node *root)
{
    // Models before the camera, which may name one.
    static const map_key keys[] = {
        {"format",      read_format,            KEY_REQUIRED},
        {"output",      scene_read_output,      KEY_OPTIONAL},
        {"environment", scene_read_environment, KEY_OPTIONAL},
        {"models",      scene_read_models,      KEY_REQUIRED},
        {"camera",      scene_read_camera,      KEY_OPTIONAL},
        {"lights",      scene_read_lights,      KEY_OPTIONAL},
        {"ground",      read_ground,            KEY_OPTIONAL},
    };
    if (root->kind == DOCUMENT_MAP && (!root->first || strcmp(root->first->key, "format") != 0))
        return value_fail(r, root->first ? root->first : root, true,
                          "a scene without its format (expected 'format: 1' first)");
    return value_map(r, root, "scene", keys, COUNT_OF(keys), r->scene);
}

zt_result scene_read(const char *path, file_bytes bytes, zt_scene *scene, zt_error *err)
{
    arena scratch;
    arena_init(&scratch, &scene->budget_own);
    scene_reader r = {.path = path, .scene = scene, .scratch = &scratch, .err = err};
    r.sink = (message_sink){scene->load.message, scene->load.message_user, scene->load.strict};
    document_node *root = NULL;
    zt_result result = scene_set_defaults(scene, err);
    if (result == ZT_OK)
        result = document_read(&scratch, path, bytes, &root, err);
    if (result == ZT_OK)
        result = read_tree(&r, root);
    // The studio is for scenes that say nothing about light at all.
    if (result == ZT_OK && !document_member(root, "lights") &&
        !document_member(root, "environment"))
        result = scene_set_studio(scene, err);
    if (result == ZT_OK)
        result = scene_add_model_lights(scene, 0, err);
    arena_finish(&scratch);
    return result;
}
