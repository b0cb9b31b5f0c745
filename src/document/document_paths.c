// SPDX-License-Identifier: MIT
/// zt_scene_paths: every text of a scene file as a path, without a look at what its key means.
#include "base/file_supply.h"
#include "base/handle.h"
#include "document/document.h"

typedef struct path_walk {
    const char *scene_path;
    arena *a;
    void (*each)(void *user, const char *path);
    void *user;
    zt_error *err;
} path_walk;

static zt_result walk(const path_walk *w, const document_node *root)
{
    for (const document_node *node = root; node;) {
        if (node->kind == DOCUMENT_STRING && node->text[0]) {
            const char *path = path_sibling(w->a, w->scene_path, node->text);
            if (!path)
                return arena_fail(w->a, w->err, "paths of a scene");
            w->each(w->user, path);
        }
        const document_node *next = node->first;
        while (!next && node && node != root) {
            next = node->next;
            node = node->parent;
        }
        node = next;
    }
    return ZT_OK;
}

zt_result zt_scene_paths(const char *path, const zt_load_def *def,
                         void (*each)(void *user, const char *path), void *user, zt_error *err)
{
    if (!path || !each || !def || def->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_scene_paths: no path, no function, or a def that is not from "
                       "zt_default_load_def()");
    ZT_TRY(handle_check(def->allocator, def->threads, INT32_MAX, err));
    budget memory;
    arena a;
    file_bytes bytes;
    document_node *root = NULL;
    budget_init_within(&memory, def->budget, def->max_memory, def->allocator);
    cancel_init(&memory.cancel, def->cancel);
    arena_init(&a, &memory);
    zt_result result = file_in_memory(def)
                           ? file_copy(&a, path, def->bytes, def->size, &bytes, err)
                           : file_read_within(&a, path, DOCUMENT_SIZE_LIMIT, &bytes, err);
    if (result == ZT_OK)
        result = has_suffix(path, ".json") ? document_read_json(&a, path, bytes, &root, err)
                                           : document_read_yaml(&a, path, bytes, &root, err);
    if (result == ZT_OK)
        result = walk(&(path_walk){path, &a, each, user, err}, root);
    arena_finish(&a);
    return result;
}
