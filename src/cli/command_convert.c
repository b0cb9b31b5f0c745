// SPDX-License-Identifier: MIT
/// convert: a model file in another format, or a scene as one.
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"
#include "cli/rendering.h"

#include <stdlib.h>

/// Where messages go: to standard error, and losses into the result document too.
typedef struct convert_messages {
    options *o;
    document_list lost;
} convert_messages;

static void on_message(void *user, zt_severity severity, const char *text)
{
    convert_messages *messages = user;
    console_message(messages->o, severity, text);
    if (messages->lost.json.out && severity == ZT_WARNING)
        json_stream_text(&messages->lost.json, NULL, text);
}

static void print_document(const options *o, const char *lost)
{
    json_stream document = document_begin(o);
    json_stream_text(&document, "input", o->inputs[0]);
    json_stream_text(&document, "output", o->output);
    json_stream_print(&document, "lost", "[%s]", lost);
    JSON_STREAM_INTEGERS(&document, {"code", 0});
    document_end();
}

static zt_result bake(const options *o, const zt_load_def *load, zt_error *err)
{
    options own = *o;
    zt_scene *scene = NULL;
    own.load = *load;
    zt_result result = open_scene(&own, o->inputs[0], &scene, err);
    if (result == ZT_OK)
        result = zt_scene_bake(scene, o->output, &o->bake, err);
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
    const bool tried = o->input_count == 1 && !o->output && !is_scene_name(o->inputs[0]);
    const zt_result result =
        tried ? zt_model_load(o->inputs[0], &load, &model, err) : ZT_ERR_ARGUMENT;
    zt_model_destroy(model);
    return result == ZT_ERR_UNSUPPORTED;
}

static zt_result check_names(const options *o, zt_error *err)
{
    if (is_unsupported(o, err))
        return ZT_ERR_UNSUPPORTED;
    if (o->input_count != 1 || !o->output)
        return usage_error(err,
                           "convert with %d name%s (expected MODEL and OUT.glb, OUT.gltf, OUT.m3d "
                           "or DIR/, also as -o OUT.glb)",
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
    convert_messages messages = {.o = o};
    zt_result result = check_names(o, &err);
    if (result == ZT_OK)
        result = document_list_begin(&messages.lost, o, &err);
    if (result != ZT_OK)
        return command_fail(o, result, err.message);
    zt_load_def load = o->load;
    load.message = on_message;
    load.message_user = &messages;
    interrupt_output(o->output, 0);
    result = is_scene_name(o->inputs[0]) ? bake(o, &load, &err)
                                         : zt_convert(o->inputs[0], o->output, &load, &err);
    result = document_list_end(&messages.lost, result, &err);
    if (result == ZT_OK && o->json)
        print_document(o, messages.lost.text);
    free(messages.lost.text);
    return result == ZT_OK ? (int)ZT_OK : command_fail(o, result, err.message);
}
