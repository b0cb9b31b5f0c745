// SPDX-License-Identifier: MIT
/// Clips of other files for a model of the scene.
#include "base/path.h"
#include "model/clip_copy.h"
#include "scene/scene_build.h"

#include <stdio.h>
#include <string.h>

/// Clips made for a rig of other units (centimetres, say) throw the model far away.
#define DISPLACEMENT_LIMIT 10.0

static zt_result check_clip_sizes(zt_scene *scene, const zt_model *model, const char *path,
                                  uint32_t count, arena *scratch, zt_error *err)
{
    const message_sink sink = {scene->load.message, scene->load.message_user, scene->load.strict};
    for (uint32_t i = model->clip_count - count; i < model->clip_count; i++) {
        double sizes;
        ZT_TRY(model_clip_displacement(model, &model->clips[i], scratch, &sizes, err));
        if (sizes > DISPLACEMENT_LIMIT)
            return message_unsupported(&sink, err,
                                       "%s: clip '%.80s' moves %s by %.0f times its size: it was "
                                       "made for a rig of another size",
                                       path, model->clips[i].name, path_name(model->path), sizes);
    }
    return ZT_OK;
}

enum { LISTED_BONES = 10 };

/// "A, B, C, ...": the first names, at most ten.
static void list_bones(const zt_model *model, const int32_t *node, uint32_t count, char *out,
                       size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < count && i < LISTED_BONES && used < size; i++) {
        const char *name = model->nodes[node[i]].name;
        char number[16];
        snprintf(number, sizeof number, "%d", (int)node[i]);
        used += (size_t)snprintf(out + used, size - used, "%s%.40s", i ? ", " : "",
                                 *name ? name : number);
    }
    if (count > LISTED_BONES && used < size)
        snprintf(out + used, size - used, ", ...");
}

/// Keeps a note of the model, for inspect.
static zt_result keep_note(zt_model *model, const char *text, zt_error *err)
{
    const char **notes = ARENA_ARRAY(&model->arena, const char *, (size_t)model->note_count + 1);
    const char *copy = arena_text(&model->arena, text, strlen(text));
    if (!notes || !copy)
        return arena_fail(&model->arena, err, "notes of a model");
    if (model->note_count)
        memcpy(notes, model->notes, model->note_count * sizeof *notes);
    notes[model->note_count++] = copy;
    model->notes = notes;
    return ZT_OK;
}

static zt_result report_bones(zt_scene *scene, zt_model *model, const zt_model *source,
                              const retarget_result *done, zt_error *err)
{
    const message_sink sink = {scene->load.message, scene->load.message_user, scene->load.strict};
    char names[600], text[900];
    if (done->unmapped_count > 0) {
        list_bones(source, done->unmapped, done->unmapped_count, names, sizeof names);
        snprintf(text, sizeof text, "%.160s: clips move %u bones that have none in %.80s: %s",
                 source->path, done->unmapped_count, path_name(model->path), names);
        message_warn(&sink, "%s", text);
        ZT_TRY(keep_note(model, text, err));
    }
    if (done->unmoved_count > 0) {
        list_bones(model, done->unmoved, done->unmoved_count, names, sizeof names);
        snprintf(text, sizeof text, "%u bones of %.80s have none in %.160s: %s",
                 done->unmoved_count, path_name(model->path), source->path, names);
        message_note(&sink, "%s", text);
        ZT_TRY(keep_note(model, text, err));
    }
    return ZT_OK;
}

/// Warns of bones that clips move and whose name several nodes have, so that the first is moved.
static zt_result report_names(zt_scene *scene, zt_model *model, const zt_model *source,
                              bool *unsure, arena *scratch, zt_error *err)
{
    const message_sink sink = {scene->load.message, scene->load.message_user, scene->load.strict};
    int32_t *list = ARENA_ARRAY_RAW(scratch, int32_t, source->node_count);
    uint32_t count = 0;
    char names[600], text[1024];
    if (!list)
        return arena_fail(scratch, err, "bones of clips");
    for (uint32_t i = 0; i < source->clip_count; i++)
        for (uint32_t k = 0; k < source->clips[i].channel_count; k++) {
            const int32_t moved = source->clips[i].channels[k].node;
            if (unsure[moved])
                list[count++] = moved;
            unsure[moved] = false;
        }
    if (count == 0)
        return ZT_OK;
    list_bones(source, list, count, names, sizeof names);
    snprintf(text, sizeof text,
             "%.160s: clips move %u bones by names that several nodes have, of which none is at "
             "an equal path in %.80s (the first one is moved): %s",
             source->path, count, path_name(model->path), names);
    message_warn(&sink, "%s", text);
    return keep_note(model, text, err);
}

static zt_result retarget_clips(zt_scene *scene, zt_model *model, const zt_model *source,
                                const scene_retarget *how, arena *scratch, uint32_t *out_count,
                                zt_error *err)
{
    retarget_def def = {.mode = how->mode};
    retarget_result done;
    if (source->clip_count == 0)
        return zt_fail(err, ZT_ERR_FORMAT, "%s: no clips (expected some for %.80s)", source->path,
                       path_name(model->path));
    if (how->find_pairs)
        ZT_TRY(how->find_pairs(how->user, source, model, &def));
    ZT_TRY(model_retarget_clips(model, source, &def, scratch, &done, err));
    if (done.bone_count == 0)
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s: no bone corresponds to one of %.80s (expected the same names, names of "
                       "known rigs, or a map)",
                       source->path, path_name(model->path));
    *out_count = done.clip_count;
    ZT_TRY(report_bones(scene, model, source, &done, err));
    return report_names(scene, model, source, done.unsure, scratch, err);
}

zt_result scene_add_clips(zt_scene *scene, const char *path, const scene_retarget *how,
                          zt_error *err)
{
    zt_model *model = scene->models[scene->model_count - 1];
    zt_model source = {.path = path};
    uint32_t count = 0;
    arena scratch;
    arena_init(&scratch, &scene->budget_own);
    arena_init(&source.arena, &scene->budget_own);
    scene_model_key key = scene->model_keys[scene->model_count - 1];
    key.load.no_textures = true;
    zt_result result = scene_read_model(scene, path, &key, &source, &scratch, err);
    source.path = path;
    const scene_retarget by_bones = {.mode = RETARGET_ROTATION};
    if (source.is_vrm_animation && !how)
        how = &by_bones;
    if (result == ZT_OK)
        result = how ? retarget_clips(scene, model, &source, how, &scratch, &count, err)
                     : model_borrow_clips(model, &source, &scratch, &count, err);
    if (result == ZT_OK && count == 0)
        result = zt_fail(err, ZT_ERR_FORMAT,
                         "%s: no clip moves a bone of %s (expected bones of the same names)", path,
                         model->path);
    bool *unsure;
    if (result == ZT_OK && !how)
        result = clip_match_bones(model, &source, &scratch, &unsure)
                     ? report_names(scene, model, &source, unsure, &scratch, err)
                     : arena_fail(&scratch, err, "bones of clips");
    if (result == ZT_OK)
        result = check_clip_sizes(scene, model, path, count, &scratch, err);
    arena_finish(&source.arena);
    arena_finish(&scratch);
    return result;
}
