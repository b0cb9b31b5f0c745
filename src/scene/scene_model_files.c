// SPDX-License-Identifier: MIT
/// `file` and `clips_from`: model files that a scene names, relative to its own path.
#include "scene/scene_build.h"
#include "scene/scene_names.h"
#include "scene/scene_read.h"

#include <string.h>

enum { CLIP_FILE_LIMIT = 16, CLIP_MAP_LIMIT = 1024 };

static const char *const modes[] = {"rotation", "fitted"};

/// An entry of `clips_from`.
typedef struct clip_file {
    const document_node *node; ///< node of its path
    const char *path;
    bool retargets; ///< it is a map
    retarget_mode mode;
    const document_node *map; ///< NULL: none
} clip_file;

/// The files of `clips_from`.
typedef struct clip_files {
    uint32_t count;
    clip_file file[CLIP_FILE_LIMIT];
    const char *key; ///< scene_model_key.clips_from
} clip_files;

static zt_result read_clip_path(document_reader *r, const document_node *value, void *target)
{
    clip_file *file = target;
    file->node = value;
    return value_path(r, value, "the path of a model file", &file->path);
}

static zt_result read_clip_map(document_reader *r, const document_node *value, void *target)
{
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a map from bones of the file to bones of the model");
    if (value->count > CLIP_MAP_LIMIT)
        return value_fail(r, value, false, "%u bones (expected at most %d)", value->count,
                          CLIP_MAP_LIMIT);
    for (const document_node *member = value->first; member; member = member->next)
        ZT_TRY(value_check_text(r, member, "the name of a bone, or none"));
    ((clip_file *)target)->map = value;
    return ZT_OK;
}

static zt_result read_clip_file(document_reader *r, const document_node *value, clip_file *out)
{
    static const map_key keys[] = {
        KEY_READ("file", KEY_REQUIRED, read_clip_path),
        KEY_READ("map", KEY_OPTIONAL, read_clip_map),
        KEY_CHOICE("mode", KEY_OPTIONAL, clip_file, mode, modes),
    };
    *out = (clip_file){.mode = RETARGET_FITTED};
    if (value->kind != DOCUMENT_MAP)
        return read_clip_path(r, value, out);
    out->retargets = true;
    return value_map(r, value, "clips_from", keys, COUNT_OF(keys), out);
}

/// Appends to the text of a key, or counts with `end` NULL.
static size_t put_text(char *end, const char *text, char last)
{
    const size_t length = strlen(text);
    if (end) {
        memcpy(end, text, length);
        end[length] = last;
    }
    return length + 1;
}

/// The key by which a file's clips differ from those of others: path, mode and map.
static size_t put_clip_file(char *end, const clip_file *file)
{
    size_t used = put_text(end, file->path, '\n');
    if (!file->retargets)
        return used;
    used += put_text(end ? end + used : NULL, modes[file->mode], '\t');
    for (const document_node *m = file->map ? file->map->first : NULL; m; m = m->next) {
        used += put_text(end ? end + used : NULL, m->key, '\t');
        used += put_text(end ? end + used : NULL, m->text, '\t');
    }
    return used + put_text(end ? end + used : NULL, "", '\n');
}

static zt_result read_clip_files(document_reader *r, const document_node *value, clip_files *out)
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
        clip_file *file = &out->file[out->count];
        ZT_TRY(read_clip_file(r, node, file));
        length += put_clip_file(NULL, file);
        out->count++;
    }
    char *key = ARENA_ARRAY(r->keep, char, length + 1), *end = key;
    if (!key)
        return arena_fail(r->keep, r->err, "scene");
    for (uint32_t i = 0; i < out->count; i++)
        end += put_clip_file(end, &out->file[i]);
    out->key = key;
    return ZT_OK;
}

/// A scene and the entry whose map is looked up.
typedef struct pair_reader {
    document_reader *r;
    const clip_file *file;
    bool failed; ///< the message has its place
} pair_reader;

static zt_result read_pair(document_reader *r, const document_node *member, const zt_model *source,
                           const zt_model *model, const retarget_pair *before, retarget_pair *out)
{
    out->to = -1;
    ZT_TRY(scene_read_bone_key(r, member, source, &out->from));
    if (strcmp(member->text, "none") == 0)
        return ZT_OK;
    ZT_TRY(scene_read_solver_bone(r, member, model, &out->to));
    for (const retarget_pair *p = before; p < out; p++)
        if (p->to == out->to)
            return value_fail(r, member, false, "the bone '%.80s' has two sources (expected one)",
                              member->text);
    return ZT_OK;
}

static zt_result find_pairs(void *user, const zt_model *source, const zt_model *model,
                            retarget_def *out)
{
    pair_reader *reader = user;
    document_reader *r = reader->r;
    const document_node *map = reader->file->map;
    if (!map)
        return ZT_OK;
    retarget_pair *pairs;
    uint32_t count = 0;
    ZT_TRY(ARENA_TAKE(r->scratch, &pairs, map->count, "map", r->err));
    reader->failed = true;
    for (const document_node *member = map->first; member; member = member->next, count++)
        ZT_TRY(read_pair(r, member, source, model, pairs, &pairs[count]));
    reader->failed = false;
    out->pairs = pairs;
    out->pair_count = count;
    return ZT_OK;
}

static zt_result add_clip_file(document_reader *r, const clip_file *file)
{
    zt_error problem = {0};
    pair_reader reader = {.r = r, .file = file};
    const scene_retarget how = {.mode = file->mode, .find_pairs = find_pairs, .user = &reader};
    const zt_result result =
        scene_add_clips(scene_of(r), file->path, file->retargets ? &how : NULL, &problem);
    if (result == ZT_OK || reader.failed)
        return result;
    return value_fail_load(r, file->node, result, problem.message);
}

zt_result scene_read_model_file(document_reader *r, const document_node *value,
                                const model_file_keys *keys, const zt_model **out)
{
    const char *path = NULL;
    clip_files clips;
    zt_error problem = {0};
    ZT_TRY(value_path(r, value, "the path of a model file", &path));
    ZT_TRY(read_clip_files(r, keys->clips_from, &clips));
    const scene_model_key key = {.handedness = keys->handedness,
                                 .load = keys->load,
                                 .clips_from = clips.key,
                                 .tangents = keys->tangents};
    const uint32_t before = scene_of(r)->model_count;
    const zt_result result = scene_load_model(scene_of(r), path, key, out, &problem);
    if (result != ZT_OK)
        return value_fail_load(r, value, result, problem.message);
    if (scene_of(r)->model_count == before) // an entry before has added the clips
        return ZT_OK;
    for (uint32_t i = 0; i < clips.count; i++)
        ZT_TRY(add_clip_file(r, &clips.file[i]));
    return ZT_OK;
}
