// SPDX-License-Identifier: MIT
/// render and turntable: one input to frames.
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_table.h"
#include "cli/option_value.h"
#include "cli/output_name.h"
#include "cli/rendering.h"
#include "cli/warm.h"
#include "suite/shot_plane.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct render_job {
    const options *o;
    progress progress;
    document_list files;
    char first[4096], last[4096]; ///< names of frames that are done
    int64_t frame;                ///< of the first one
    bool several;
} render_job;

static zt_result begin_job(render_job *job, const options *o, zt_error *err)
{
    *job = (render_job){.o = o};
    progress_begin(&job->progress, o);
    return document_list_begin(&job->files, o, err);
}

static bool on_frame(void *user, const zt_frame_report *report)
{
    render_job *job = user;
    json_stream *files = &job->files.json;
    progress_frame(&job->progress, report);
    if (!report->path) // within a frame
        return true;
    snprintf(job->last, sizeof job->last, "%s", report->path);
    if (report->done == 1)
        memcpy(job->first, job->last, sizeof job->first);
    job->frame = report->done == 1 ? report->frame : job->frame;
    job->several = report->frame != job->frame;
    if (!files->out)
        return true;
    json_stream_open(files, NULL, '{');
    JSON_STREAM_INTEGERS(files, {"frame", report->frame});
    if (report->plane)
        json_stream_text(files, "plane", report->plane);
    json_stream_text(files, "file", report->path);
    if (report->skipped)
        json_stream_bool(files, "skipped", true);
    else if (report->hash)
        json_stream_hash(files, "hash", report->hash);
    json_stream_close(files, '}');
    return true;
}

static void print_result(const options *o, const zt_renderer *renderer, const zt_scene *scene,
                         const char *files)
{
    int32_t width, height, fps_numerator, fps_denominator;
    zt_scene_size(scene, &width, &height);
    zt_scene_fps(scene, &fps_numerator, &fps_denominator);
    json_stream document = document_begin(o);
    json_stream_text(&document, "input", o->inputs[0]);
    JSON_STREAM_INTEGERS(&document, {"width", width}, {"height", height});
    json_stream_print(&document, "fps", "\"%d/%d\"", (int)fps_numerator, (int)fps_denominator);
    json_stream_text(&document, "isa", zt_isa_name(zt_renderer_isa(renderer)));
    json_stream_print(&document, "files", "[%s]", files);
    const drawn_stats stats = drawn_so_far(renderer);
    stats_json(&document, &stats);
    stage_hashes_json(&document, o, renderer);
    document_end();
}

/// Prints the result document, if there is one.
static int end_job(render_job *job, const zt_renderer *renderer, const zt_scene *scene, int code)
{
    zt_error err = {0};
    progress_end(&job->progress);
    const zt_result listed = document_list_end(&job->files, ZT_OK, &err);
    if (code == (int)ZT_OK && listed != ZT_OK)
        code = command_fail(job->o, listed, err.message);
    else if (code == (int)ZT_OK && job->o->json)
        print_result(job->o, renderer, scene, job->files.text);
    free(job->files.text);
    return code;
}

/// Names with a number that nobody asked for.
static void tell_names(const render_job *job)
{
    const bool several = job->several;
    if (!job->o->names_frames && (several || names_frame(job->o->output)))
        console_tell(job->o, "%.300s%s%.300s (#### in the name is the number of the frame)",
                     job->first, several ? " to " : "", several ? job->last : "");
}

static int render_files(const options *o, zt_renderer *renderer, const zt_scene *scene)
{
    zt_error err = {0};
    render_job job;
    zt_sequence_def def = o->sequence;
    def.pattern = o->output;
    def.encode = o->encode;
    def.progress = on_frame;
    def.samples = true;
    def.progress_user = &job;
    def.hash = o->json;
    zt_result result = begin_job(&job, o, &err);
    if (result != ZT_OK)
        return command_fail(o, result, err.message);
    interrupt_output(def.pattern, 0);
    result = zt_render_sequence(renderer, scene, &def, &err);
    const int code = end_job(&job, renderer, scene, (int)result);
    if (result == ZT_OK)
        tell_names(&job);
    return result == ZT_OK ? code : command_fail(o, result, err.message);
}

static bool on_video_frame(void *user, const zt_frame_report *report)
{
    render_job *job = user;
    zt_frame_report named = *report;
    named.path = report->path ? job->o->output : NULL;
    return on_frame(job, &named);
}

static int render_video(options *o, zt_renderer *renderer, const zt_scene *scene)
{
    zt_error err = {0};
    render_job job;
    const zt_result begun = begin_job(&job, o, &err);
    if (begun != ZT_OK)
        return command_fail(o, begun, err.message);
    interrupt_output(o->output, 0);
    const int code = video_render(o, renderer, scene, on_video_frame, &job);
    return end_job(&job, renderer, scene, code);
}

static bool on_streamed_frame(void *user, const zt_frame_report *report)
{
    if (report->total > 1 || report->samples_total > 0)
        progress_frame(user, report);
    return true;
}

static int render_stream(const options *o, zt_renderer *renderer, const zt_scene *scene)
{
    zt_error err = {0};
    progress bar;
    zt_sequence_def def = zt_default_sequence_def();
    def.encode = o->encode;
    def.planes = o->sequence.planes;
    def.write = o->verify.write ? o->verify.write : write_stdout;
    def.write_user = o->verify.write_user;
    def.progress = on_streamed_frame;
    def.samples = true;
    def.progress_user = &bar;
    progress_begin(&bar, o);
    const zt_result result = zt_render_stream(renderer, scene, &def, &err);
    progress_end(&bar);
    if (result == ZT_ERR_OUTPUT && ferror(stdout)) // the library does not know where its bytes go
        return console_fail(result, "standard output: the data could not be written");
    return result == ZT_OK ? (int)ZT_OK : command_fail(o, result, err.message);
}

/// The product of each stage: the first line that differs names the stage where two runs part.
static void print_stage_hashes(const zt_renderer *renderer)
{
    const char *name;
    uint64_t hash;
    for (int32_t i = 0; (name = zt_renderer_product(renderer, i, &hash)); i++)
        if (hash != 0)
            printf("%s %016" PRIx64 "\n", name, hash);
}

/// One picture of a bare model: the first frame of its shot, which has `*out_count`.
static zt_result select_first(options *o, zt_scene *scene, int64_t *out_count, zt_error *err)
{
    zt_shot_def first = zt_default_shot_def();
    first.frames = "0";
    first.directions = o->shot.directions;
    first.lights_turn = o->shot.lights_turn;
    *out_count = zt_scene_frame_count(scene);
    if (*out_count < 2)
        return ZT_OK;
    o->repeats = true;
    const zt_result result = zt_scene_apply(scene, &first, err);
    o->repeats = false;
    return result;
}

static void tell_count(const options *o, int64_t count)
{
    char film[64] = "";
    if (strcmp(format_of(o, o->output)->name, "webp") == 0)
        snprintf(film, sizeof film, ", --frames 0-%" PRId64 " for one film", count - 1);
    console_tell(o, "frame 0 of %" PRId64 " (#### in the name for all%s)", count, film);
}

/// Before a stranger's text has a large picture rendered.
static zt_result check_size(const options *o, const zt_scene *scene, zt_error *err)
{
    int32_t width, height;
    const zt_image *picture = o->verify.picture;
    zt_scene_size(scene, &width, &height);
    if (!picture || (picture->width == width && picture->height == height))
        return ZT_OK;
    return zt_fail(err, ZT_ERR_DIFFERENT, "a picture of %d x %d pixels (expected %d x %d)",
                   (int)width, (int)height, (int)picture->width, (int)picture->height);
}

static int render_scene(options *o, const zt_scene *scene)
{
    zt_error err = {0};
    zt_renderer *renderer = NULL;
    zt_result result = check_size(o, scene, &err);
    if (result == ZT_OK)
        result = warm_renderer_create(o, &renderer, &err);
    if (result != ZT_OK)
        return command_fail(o, result, err.message);
    zt_renderer_hash_stages(renderer, o->hash_stages);
    const drawn_stats before = drawn_so_far(renderer);
    int code;
    if (o->verify.given && !o->verify.write)
        code = verify_frame(o, renderer, scene);
    else if (o->verify.write || (o->output && strcmp(o->output, "-") == 0))
        code = render_stream(o, renderer, scene);
    else if (o->video.started)
        code = render_video(o, renderer, scene);
    else
        code = render_files(o, renderer, scene);
    if (code == (int)ZT_OK)
        warn_empty(o, renderer, &before, o->inputs[0]);
    if (o->hash_stages && !o->json && code == (int)ZT_OK)
        print_stage_hashes(renderer);
    const drawn_stats stats = drawn_so_far(renderer);
    if (o->stats && code == (int)ZT_OK)
        stats_print(stderr, &stats, zt_renderer_isa(renderer));
    warm_renderer_destroy(o, renderer);
    return code;
}

static zt_result check_options(options *o, zt_error *err)
{
    const bool to_stdout = o->output && strcmp(o->output, "-") == 0;
    if (o->input_count != 1)
        return usage_error(err,
                           "%s with %d inputs (expected one, and its output as -o FILE or as a "
                           "second name: FILE.png, DIR/ or -)",
                           command_at(o->command)->name, o->input_count);
    if (!to_stdout && o->encode.format && !format_named(o->encode.format)->suffix)
        return usage_error(err, "--format without -o - (expected a stream on standard output)");
    if (o->output && !to_stdout && !video_wanted(o) &&
        check_picture_name(o->output, false, err) != ZT_OK)
        return err->code;
    if (to_stdout && o->json)
        return usage_error(err, "--json with -o - (both are standard output)");
    if (to_stdout && (o->sequence.shard_count > 0 || o->sequence.resume))
        return usage_error(err, "%s with -o - (expected files: a stream is whole)",
                           o->sequence.shard_count > 0 ? "--shard" : "--resume");
    if (to_stdout && o->hash_stages)
        return usage_error(err, "--hash-stages with -o - (both are standard output)");
    if (o->list_clips && o->json)
        return usage_error(err, "--list-clips with --json (expected inspect --json)");
    o->shot.opaque = video_wanted(o) || (!o->verify.given && !format_of(o, o->output)->alpha);
    if (o->command == COMMAND_TURNTABLE) {
        const bool closes = o->shot.turntable_duration_s > 0.0 || o->shot.turntable_loops > 0;
        o->shot.turntable_count = o->count > 0 || closes ? o->count : 36;
        o->load.picture_side = longer_side(&o->shot);
    }
    return ZT_OK;
}

int command_render(options *o)
{
    zt_error err = {0};
    zt_scene *scene = NULL;
    int64_t count = 0;
    zt_result result = check_options(o, &err);
    if (result == ZT_OK)
        result = open_scene(o, o->inputs[0], &scene, &err);
    if (result == ZT_OK && o->output == o->output_path && !o->sequence.planes &&
        !format_of(o, o->output)->light) // the name was chosen before the scene was read
        shot_plane_name(scene, o->output_path, sizeof o->output_path);
    if (result == ZT_OK && o->one_picture && !o->list_clips)
        result = select_first(o, scene, &count, &err);
    if (result == ZT_OK)
        result = settings_make(o, &o->encode, &err);
    int code;
    if (result != ZT_OK)
        code = command_fail(o, result, err.message);
    else
        code = o->list_clips ? list_clips(o, scene) : render_scene(o, scene);
    if (code == (int)ZT_OK && count > 1 && !o->verify.given)
        tell_count(o, count);
    zt_free((void *)(uintptr_t)o->encode.settings);
    warm_scene_destroy(o, scene);
    return code;
}
