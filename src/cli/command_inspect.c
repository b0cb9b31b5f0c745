// SPDX-License-Identifier: MIT
/// inspect and check: what is in a file, and whether it is sound.
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"
#include "cli/rendering.h"
#include "cli/warm.h"
#include "suite/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// True when flags choose a frame.
static bool is_posed(const options *o)
{
    return o->shot.frames || o->shot.clip || o->shot.fps_numerator != 0 || !isnan(o->shot.time_s);
}

static zt_result print_text(zt_result result, char *text)
{
    if (result == ZT_OK) {
        (void)interrupt_document_begin();
        fputs(text, stdout);
        fflush(stdout);
    }
    zt_free(text);
    return result;
}

/// Poses are a document of their own, and no other one follows.
static bool write_poses(void *user, const void *bytes, size_t size)
{
    (void)interrupt_document_begin();
    return write_stdout(user, bytes, size);
}

/// --rig and --pose-json.
static zt_result print_rig(const options *o, zt_error *err)
{
    zt_scene *scene = NULL;
    char *text = NULL;
    options own = *o;
    own.load.no_textures = true;
    zt_result result = open_scene(&own, o->inputs[0], &scene, err);
    if (result == ZT_OK && o->pose_json) {
        result = zt_scene_write_poses(scene, write_poses, NULL, err);
    } else if (result == ZT_OK) {
        const int64_t frame = zt_scene_frame(scene, 0);
        result = zt_scene_describe_rig(scene, is_posed(o) ? &frame : NULL, o->json, &text, err);
        result = print_text(result, text);
    }
    warm_scene_destroy(o, scene);
    return result;
}

static zt_result print_description(const options *o, zt_error *err)
{
    char *text = NULL;
    // The text lists what warnings would say.
    zt_load_def load = o->load;
    load.message = NULL;
    const char *form = o->json ? "json" : o->full ? "text" : "summary";
    const zt_result result = zt_inspect(o->inputs[0], &load, form, &text, err);
    return print_text(result, text);
}

static zt_result inspect(const options *o, zt_error *err)
{
    if (o->input_count != 1)
        return usage_error(err, "inspect with %d inputs (expected one)", o->input_count);
    if (o->rig && o->pose_json)
        return usage_error(err, "--rig with --pose-json (expected one of them)");
    if (o->full && (o->rig || o->pose_json))
        return usage_error(err, "--full with --rig or --pose-json (expected one of them)");
    if (is_posed(o) && !o->rig && !o->pose_json)
        return usage_error(err,
                           "%s with inspect, which describes a file and all of its clips (expected "
                           "--rig for the bones of a pose, --pose-json for those of every frame, "
                           "or zoetrope render for a picture)",
                           o->shot.clip             ? "--clip"
                           : o->shot.frames         ? "--frames"
                           : !isnan(o->shot.time_s) ? "--time"
                                                    : "--fps");
    return o->rig || o->pose_json ? print_rig(o, err) : print_description(o, err);
}

int command_inspect(const options *o)
{
    zt_error err = {0};
    const zt_result result = inspect(o, &err);
    return result == ZT_OK ? (int)ZT_OK : command_fail(o, result, err.message);
}

/// A scene, or a suite with all that its shots show.
static zt_result check_file(const options *o, const char *path, zt_error *err)
{
    suite s;
    zt_result result;
    if (!is_scene_name(path) || !suite_is(path, &o->load)) {
        zt_scene *scene = NULL;
        result = zt_scene_load(path, &o->load, &scene, err);
        zt_scene_destroy(scene);
        return result;
    }
    result = suite_load(path, &o->load, NULL, &s, err);
    if (result == ZT_OK)
        result = suite_check(&s, &o->load, err);
    suite_finish(&s);
    return result;
}

/// The result of a file as an element of "files".
static void print_checked(json_stream *list, const char *path, int code, const char *message)
{
    json_stream_open(list, NULL, '{');
    json_stream_text(list, "file", path);
    JSON_STREAM_INTEGERS(list, {"code", code});
    json_stream_text(list, "message", message);
    json_stream_close(list, '}');
}

/// Checks all files, or until stopped; results to `list`. Returns the highest code.
static int check_files(const options *o, json_stream *list)
{
    zt_result result = ZT_OK;
    int code = (int)ZT_OK;
    for (int i = 0; i < o->input_count && result != ZT_ERR_CANCELLED; i++) {
        zt_error err = {0};
        result = check_file(o, o->inputs[i], &err);
        const int one = result == ZT_OK ? (int)ZT_OK : console_fail(result, err.message);
        const char *message = result == ZT_ERR_CANCELLED ? interrupt_message() : err.message;
        code = one > code ? one : code;
        if (list->out)
            print_checked(list, o->inputs[i], one, result == ZT_OK ? "" : message);
    }
    return code;
}

int command_check(const options *o)
{
    zt_error err = {0};
    document_list files;
    if (o->input_count < 1)
        return command_fail(o, usage_error(&err, "check without a scene (expected SCENE...)"),
                            err.message);
    zt_result result = document_list_begin(&files, o, &err);
    if (result != ZT_OK)
        return command_fail(o, result, err.message);
    int code = check_files(o, &files.json);
    result = document_list_end(&files, ZT_OK, &err);
    if (result != ZT_OK) {
        code = command_fail(o, result, err.message);
    } else if (o->json) {
        json_stream document = document_begin(o);
        json_stream_print(&document, "files", "[%s]", files.text);
        JSON_STREAM_INTEGERS(&document, {"code", code});
        document_end();
    }
    free(files.text);
    return code;
}
