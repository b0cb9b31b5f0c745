// SPDX-License-Identifier: MIT
/// convert: a model file in another format, or a scene as one.
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"
#include "cli/rendering.h"

#include <errno.h>
#include <stdlib.h>

/// Where messages go: to standard error, and losses into the result document too.
typedef struct convert_messages {
    options *o;
    FILE *lost;
    bool failed; ///< a piece of it is not there, for a lack of memory
} convert_messages;

static void on_message(void *user, zt_severity severity, const char *text)
{
    convert_messages *messages = user;
    console_message(messages->o, severity, text);
    if (!messages->lost || severity != ZT_WARNING)
        return;
    errno = 0; // the stream has no flag for a lack of memory
    fprintf(messages->lost, "%s", ftell(messages->lost) > 0 ? "," : "");
    report_json_text(messages->lost, text);
    messages->failed = messages->failed || errno == ENOMEM;
}

static void print_document(const options *o, const char *lost)
{
    document_begin(o);
    report_json_member(stdout, "input", o->inputs[0]);
    report_json_member(stdout, "output", o->inputs[1]);
    printf(",\"lost\":[%s],\"code\":0", lost);
    document_end();
}

static zt_result bake(const options *o, const zt_load_def *load, zt_error *err)
{
    options own = *o;
    zt_scene *scene = NULL;
    own.load = *load;
    zt_result result = open_scene(&own, o->inputs[0], &scene, err);
    if (result == ZT_OK)
        result = zt_scene_bake(scene, o->inputs[1], &o->bake, err);
    zt_scene_destroy(scene);
    return result;
}

/// True when the only name is a file of a format that is not read; advice on that comes first.
static bool is_unsupported(const options *o, zt_error *err)
{
    zt_model *model = NULL;
    zt_load_def load = o->load;
    load.message = NULL;
    load.no_textures = true;
    load.strict = false;
    const bool tried = o->input_count == 1 && !is_scene_name(o->inputs[0]);
    const zt_result result =
        tried ? zt_model_load(o->inputs[0], &load, &model, err) : ZT_ERR_ARGUMENT;
    zt_model_destroy(model);
    return result == ZT_ERR_UNSUPPORTED;
}

static zt_result check_names(const options *o, zt_error *err)
{
    if (is_unsupported(o, err))
        return ZT_ERR_UNSUPPORTED;
    if (o->input_count != 2)
        return usage_error(err,
                           "convert with %d name%s (expected MODEL OUT.glb, OUT.gltf or OUT.m3d)",
                           o->input_count, o->input_count == 1 ? "" : "s");
    const zt_bake_def standard = zt_default_bake_def();
    const bool baking = o->shot.frames || o->shot.fps_numerator != 0 || o->bake.one_clip ||
                        o->bake.error < standard.error || o->bake.error > standard.error;
    if (baking && !is_scene_name(o->inputs[0]))
        return usage_error(err,
                           "--frames, --fps, --bake-error or --one-clip with a model (expected "
                           "a scene, .yaml or .json)");
    return ZT_OK;
}

int command_convert(options *o)
{
    zt_error err = {0};
    char *list = NULL;
    size_t list_size = 0;
    const zt_result names = check_names(o, &err);
    if (names != ZT_OK)
        return command_fail(o, names, err.message);
    convert_messages messages = {.o = o};
    if (o->json && !(messages.lost = open_memstream(&list, &list_size)))
        return console_fail(ZT_ERR_MEMORY, "no memory for the result document");
    zt_load_def load = o->load;
    load.message = on_message;
    load.message_user = &messages;
    interrupt_output(o->inputs[1], 0);
    zt_result result = is_scene_name(o->inputs[0])
                           ? bake(o, &load, &err)
                           : zt_convert(o->inputs[0], o->inputs[1], &load, &err);
    const bool whole = !messages.lost || (fclose(messages.lost) == 0 && !messages.failed && list);
    if (result == ZT_OK && !whole)
        result = zt_fail(&err, ZT_ERR_MEMORY, "no memory for the result document");
    if (result == ZT_OK && o->json)
        print_document(o, list);
    free(list);
    return result == ZT_OK ? (int)ZT_OK : command_fail(o, result, err.message);
}
