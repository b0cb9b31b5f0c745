// SPDX-License-Identifier: MIT
/// `file` and `clips_from`: model files that a scene names, relative to its own path.
#include "scene/scene_build.h"
#include "scene/scene_read.h"

#include <string.h>

enum { CLIP_FILE_LIMIT = 16 };

// ---- file, clips_from ---------------------------------------------------------------------------

/// The files of `clips_from`, a path or a list of paths.
typedef struct clip_files {
    uint32_t count;
    const document_node *node[CLIP_FILE_LIMIT];
    const char *path[CLIP_FILE_LIMIT];
    const char *key; ///< scene_model_key.clips_from
} clip_files;

static zt_result read_clip_files(scene_reader *r, const document_node *value, clip_files *out)
{
    *out = (clip_files){.key = ""};
    if (!value)
        return ZT_OK;
    const bool is_list = value->kind == DOCUMENT_LIST;
    if (is_list && value->count > CLIP_FILE_LIMIT)
        return value_fail(r, value, false, "%u files (expected at most %d)", value->count,
                          CLIP_FILE_LIMIT);
    size_t length = 0;
    for (const document_node *node = is_list ? value->first : value; node;
         node = is_list ? node->next : NULL) {
        const char **path = &out->path[out->count];
        ZT_TRY(value_path(r, node, "the path of a model file", path));
        length += strlen(*path) + 1;
        out->node[out->count++] = node;
    }
    char *key = ARENA_ARRAY(&r->scene->arena, char, length + 1), *end = key;
    if (!key)
        return arena_fail(&r->scene->arena, r->err, "scene");
    for (uint32_t i = 0; i < out->count; i++) {
        const size_t path_length = strlen(out->path[i]);
        memcpy(end, out->path[i], path_length);
        end[path_length] = '\n';
        end += path_length + 1;
    }
    out->key = key;
    return ZT_OK;
}

zt_result scene_read_model_file(scene_reader *r, const document_node *value,
                                const model_file_keys *keys, const zt_model **out)
{
    const char *path = NULL;
    clip_files clips;
    zt_error problem = {0};
    ZT_TRY(value_path(r, value, "the path of a model file", &path));
    ZT_TRY(read_clip_files(r, keys->clips_from, &clips));
    const scene_model_key key = {.handedness = keys->handedness,
                                 .clips_from = clips.key,
                                 .tangents = keys->tangents,
                                 .no_textures = keys->no_textures};
    const uint32_t before = r->scene->model_count;
    zt_result result = scene_load_model(r->scene, path, key, out, &problem);
    if (result != ZT_OK)
        return value_fail_load(r, value, result, problem.message);
    const bool is_new = r->scene->model_count > before;
    for (uint32_t i = 0; is_new && i < clips.count; i++) {
        result = scene_add_clips(r->scene, clips.path[i], &problem);
        if (result != ZT_OK)
            return value_fail_load(r, clips.node[i], result, problem.message);
    }
    return ZT_OK;
}
